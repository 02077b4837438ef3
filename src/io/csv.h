// Tensors as comma-separated text. Each number has the fewest digits that read back as the same float; NaN
// and infinities are nan, inf and -inf. Tested in tests/io/text_test.cpp.
#pragma once

#include "io/files.h"
#include "io/tensor_view.h"

namespace headlight::io {

/// Rank 2: a plain grid, one row per line, without headings. Any other rank: a heading, then one element per
/// line after its indices, which count from 0 ("layer,head,query,key,value").
void write_csv(const TensorView<float>& tensor, Sink sink);
void write_csv(const TensorView<double>& tensor, Sink sink);
void write_csv(const TensorView<std::int64_t>& tensor, Sink sink);

/// The same with names: labels[axis] names the entries of that axis, the others are counted from 0. Rank 2
/// has a heading and begins each row with its name; any other rank has names in place of indices. A name with
/// a comma or a quotation mark is quoted.
void write_named_csv(const AnyTensor& tensor, const std::vector<std::vector<std::string>>& labels, Sink sink);

/// Text for pasting into a spreadsheet: cells separated by tabs, with the names of rows and columns beside
/// the numbers. labels[axis] names the entries of that axis; without labels they are counted from 0. Rank 2
/// is a grid; any other rank is as in write_csv(), with the names beside the indices.
void write_tsv(const AnyTensor& tensor, const std::vector<std::vector<std::string>>& labels, Sink sink);

}  // namespace headlight::io
