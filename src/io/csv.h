// Tensors as comma-separated text. Numbers are the shortest that read back as the same float; NaN and
// infinities are nan, inf and -inf. Tested in tests/io/text_test.cpp.
#pragma once

#include "io/files.h"
#include "io/tensor_view.h"

namespace headlight::io {

/// Rank 2: a plain grid, one row a line and no headings. Any other rank: a heading, then one element a line
/// behind its indices, which count from 0 ("layer,head,query,key,value").
void write_csv(const TensorView<float>& tensor, Sink sink);
void write_csv(const TensorView<double>& tensor, Sink sink);
void write_csv(const TensorView<std::int64_t>& tensor, Sink sink);

/// For a spreadsheet, by the clipboard: cells apart by tabs, and the names of rows and columns beside the
/// numbers. labels[axis] names the entries of that axis; where there are none they are counted from 0. Rank 2
/// is a grid, any other rank is as in write_csv() with the names beside the indices.
void write_tsv(const AnyTensor& tensor, const std::vector<std::vector<std::string>>& labels, Sink sink);

}  // namespace headlight::io
