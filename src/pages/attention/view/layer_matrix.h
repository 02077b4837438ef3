// How an opened model stores a matrix of the layer, compared with the matrix that is computed with. Keys and
// values of heads that several query heads share are stored once, and projections stay in the file. The
// matrices card and the page in words use this. Tested in tests/views/attention_below_test.cpp.
#pragma once

#include <algorithm>
#include <string>

#include "kit/page_input.h"

namespace headlight::views {

/// Returns how many query heads share one head of this matrix; 1: each has its own.
inline int heads_sharing(const PageInput& in, scene::LayerMatrix which) {
  const scene::OpenedLayer* opened = in.results.opened.get();
  if (!opened || opened->saved || opened->kv_heads < 1) return 1;
  if (which != scene::LayerMatrix::k && which != scene::LayerMatrix::v) return 1;
  return std::max(1, in.results.attention.heads / opened->kv_heads);
}

/// Returns the number of columns in the layer, without those repeated for heads that share them.
inline int own_columns(const PageInput& in, scene::LayerMatrix which, const nn::Matrix& m) {
  return m.cols() / heads_sharing(in, which);
}

/// Maps a column of the layer to its first copy among the computed columns; own_column() maps back.
inline int computed_column(const PageInput& in, scene::LayerMatrix which, const nn::Matrix& m, int own) {
  const int width = std::max(1, m.cols() / std::max(1, in.results.attention.heads));
  return own / width * heads_sharing(in, which) * width + own % width;
}
inline int own_column(const PageInput& in, scene::LayerMatrix which, const nn::Matrix& m, int computed) {
  const int width = std::max(1, m.cols() / std::max(1, in.results.attention.heads));
  return computed / width / heads_sharing(in, which) * width + computed % width;
}

/// Is this a projection that is only in the model's file?
inline bool in_file_only(const PageInput& in, scene::LayerMatrix which) {
  using scene::LayerMatrix;
  const scene::OpenedLayer* opened = in.results.opened.get();
  const bool projection = which == LayerMatrix::w_q || which == LayerMatrix::w_k ||
                          which == LayerMatrix::w_v || which == LayerMatrix::w_o;
  return projection && opened && !opened->saved && !in.results.matrix(which);
}

/// Returns the size, "18 × 32", also of a projection that is only in the file; or "none".
inline std::string size_of(const PageInput& in, scene::LayerMatrix which) {
  using scene::LayerMatrix;
  const auto words = [](int rows, int cols) { return std::to_string(rows) + " × " + std::to_string(cols); };
  if (const nn::Matrix* m = in.results.matrix(which)) return words(m->rows(), own_columns(in, which, *m));
  if (!in_file_only(in, which)) return "none";
  const nn::AttentionTrace& trace = in.results.attention;
  const scene::OpenedLayer& opened = *in.results.opened;
  const int width = in.results.x.cols() > 0 ? in.results.x.cols() : opened.width;
  if (which == LayerMatrix::w_o)
    return words(trace.heads * trace.d_v, trace.output.cols() > 0 ? trace.output.cols() : opened.width);
  const int each = which == LayerMatrix::w_v ? trace.d_v : trace.d_k;
  return words(width, (which == LayerMatrix::w_q ? trace.heads : opened.kv_heads) * each);
}

}  // namespace headlight::views
