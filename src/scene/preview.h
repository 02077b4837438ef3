// What can be shown of a long sentence before its attention is computed: the tokens at once and, where it is
// cheap, the row of one query in every head. One row costs O(T·D²) instead of O(T²·D): milliseconds where the
// full computation takes seconds. Tested in tests/scene/preview_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/interval.h"
#include "base/parallel.h"
#include "kernels/tensor.h"
#include "nn/tokens.h"
#include "nn/weight_counts.h"
#include "scene/inputs.h"

namespace headlight::scene {

struct Preview {
  std::uint64_t version = 0;         // different for every Preview
  Scene scene;                       // the settings it was computed for
  std::vector<nn::Token> tokens;     // [T] those used
  std::vector<unsigned char> known;  // [T] with a model: 1 = the token is in its vocabulary
  std::size_t tokens_in_sentence = 0;
  int query = -1;          // the query of the rows: the last pinned one; −1: none
  base::Interval allowed;  // the keys that it may attend to
  nn::Matrix rows;         // [H, T] weights of the query in each head; empty: none, see `why`
  std::string why;         // why there is no row; one line
  bool unknown(int t) const {
    return t >= 0 && static_cast<std::size_t>(t) < known.size() && known[static_cast<std::size_t>(t)] == 0;
  }
};

/// The map of the shown heads, before the other heads are computed and anything is summarised: the same map
/// that the results will have.
struct EarlyMap {
  std::uint64_t version = 0;            // different for every EarlyMap, and from that of any Results
  std::vector<int> heads;               // 0-based
  Combine combine = Combine::mean;      // how several heads become one map
  std::vector<base::Interval> allowed;  // [T] the keys of each query
  nn::Matrix weights;                   // [T, T]
  nn::WeightCounts counts;              // of the weights that are not masked
};

/// The rows are those of compute(), up to rounding: the same embeddings, positions, projections, masks, scale
/// and temperature. After the first layer of a model there is none: the input at a token depends on all
/// others there.
std::shared_ptr<const Preview> compute_preview(const Inputs& inputs, base::Parallel& parallel);

}  // namespace headlight::scene
