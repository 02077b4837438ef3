// The Compare page: two heads compared, how similar all heads are, what each one does, and how the output
// changes when heads are switched off. Its settings are in settings.h. Tested in
// tests/scene/compare_test.cpp.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "kernels/tensor.h"
#include "nn/attention.h"
#include "nn/head_roles.h"
#include "nn/weight_counts.h"
#include "pages/block/block.h"
#include "pages/compare/settings.h"
#include "scene/page_results.h"
#include "scene/progress.h"

namespace headlight::scene {

/// Differences of weights that are as close as this to the largest one are as large, up to float32 rounding.
inline double rounding_below(double largest) {
  return std::min(1e-6, 1e-3 * largest);
}

struct Scene;
struct Results;
struct BlockResults;

/// A pair of tokens, and the difference of its weights in A and B.
struct PairApart {
  int query = 0, key = 0;
  float difference = 0;  // A − B, never 0
};
/// How many of the pairs with the largest |A − B| are listed.
inline constexpr std::size_t most_pairs_apart = 5;

struct CompareResults : PageResults {
  std::shared_ptr<const BlockResults> stack;  // contains the heads; null: they are in no stack
  // The layers of another program's model that A and B are in, when one can choose among its layers.
  std::shared_ptr<const nn::AttentionTrace> opened_a, opened_b;
  int opened_layers = 0;
  std::string problem;  // why nothing was computed; then all members below are empty

  /// True: the layers of A and B are chosen on this page. False: the heads are in the scene's one layer.
  bool layered() const { return stack || opened_a; }
  /// The number of layers to choose from.
  int layers() const { return stack ? stack->layers : opened_a ? opened_layers : 1; }
  /// The layer of head A; `shared`: the attention of the scene's one layer.
  const nn::AttentionTrace& layer_of_a(const nn::AttentionTrace& shared) const {
    if (opened_a) return *opened_a;
    return stack ? stack->trace.layers[static_cast<std::size_t>(layer_a)].attention : shared;
  }

  int layer_a = 0, layer_b = 0;  // 0-based, of the stack
  int a = 0, b = 0;              // 0-based
  bool other_seed = false;       // B is in a layer drawn from another seed
  bool too_large = false;        // the other layer that was chosen is too large for this many tokens
  nn::Matrix map_b;              // [T, S] B's weights
  nn::Matrix difference;         // [T, S] A − B
  nn::WeightCounts counts;       // of A, B and A − B together, where not masked
  double cosine = 0;             // of the two maps; NaN where one has no weights
  float largest = 0;             // largest |A − B|
  int largest_query = 0, largest_key = 0;
  int largest_pairs = 0;          // pairs where |A − B| is as large, up to rounding
  std::vector<int> largest_keys;  // [T] for each query the key where |A − B| is largest
  /// At most most_pairs_apart pairs, the largest |A − B| first; of equal ones the earlier query, then key.
  /// Pairs without a difference, as all that are masked, are not among them.
  std::vector<PairApart> apart;
  std::string no_pairs;  // why there are none: "A and B have the same weights"; empty: there are some

  std::vector<nn::HeadRoles> roles;  // [H] in the scene's layer, or in layer A
  nn::HeadRoles role_b;              // of head B, in whichever layer it is
  nn::HeadRoles uniform, uniform_b;  // for uniform attention over the allowed keys of each layer
  bool repeats = false;              // some token occurs twice: same_token is defined

  // [heads of layer A, heads of layer B], with the scene's seed; empty when it takes too long for a frame
  nn::MatrixF64 similarity;
  nn::Matrix similarity_f32;  // the same, for the heatmap

  // Heads switched off, in the scene's layer or in layer A; the output is that of its attention.
  std::vector<nn::HeadEffect> effects;  // [H]; empty when they take too long for a frame
  std::vector<unsigned char> on;        // [H]
  std::vector<double> token_change;     // [T] norm of the change of each output row
  std::vector<double> token_norm;       // [T] norm of each output row with all heads on
  double change = 0, share = 0;         // of the whole output, and relative to its norm (NaN: norm 0)
};

/// For the Compare page only; `results` holds what every page has (tokens, attention). With a model of
/// another program it runs the layers up to the deeper of the two; `progress` can cancel it.
std::shared_ptr<const CompareResults> compute_compare(const Scene& scene, const Results& results,
                                                      base::Parallel& parallel,
                                                      const Progress& progress = {});

}  // namespace headlight::scene
