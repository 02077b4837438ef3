// The Compare page: two heads compared, how alike all heads are, what each is for, and what the output
// loses when heads are switched off.
// What is computed for it; its settings are in settings.h. Tested in tests/scene/compare_test.cpp.
#pragma once

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
#include "scene/progress.h"

namespace headlight::scene {

struct Scene;
struct Results;
struct BlockResults;

struct CompareResults {
  std::shared_ptr<const BlockResults> stack;  // whose layers the heads are of
  // With a model of another program the layers that A and B are in, where one can choose among them.
  std::shared_ptr<const nn::AttentionTrace> opened_a, opened_b;
  int opened_layers = 0;
  std::string problem;  // why nothing could be computed: then all that follows is empty

  /// The heads are of two layers that are chosen here; false: of the scene's one layer.
  bool layered() const { return stack || opened_a; }
  /// How many there are to choose from.
  int layers() const { return stack ? stack->layers : opened_a ? opened_layers : 1; }
  /// What A is a head of; `shared`: the attention of the scene's one layer.
  const nn::AttentionTrace& layer_of_a(const nn::AttentionTrace& shared) const {
    if (opened_a) return *opened_a;
    return stack ? stack->trace.layers[static_cast<std::size_t>(layer_a)].attention : shared;
  }

  int layer_a = 0, layer_b = 0;  // 0-based, of the stack
  int a = 0, b = 0;              // 0-based
  bool other_seed = false;       // B is of another layer
  bool too_large = false;        // another layer was asked for, and is too much for this many tokens
  nn::Matrix map_b;              // [T, S] B's weights
  nn::Matrix difference;         // [T, S] A − B
  nn::WeightCounts counts, difference_counts;  // of A and B together, and of A − B, where they are not masked
  double cosine = 0;                           // of the two maps; NaN where one has no weights
  float largest = 0;                           // largest |A − B|
  int largest_query = 0, largest_key = 0;
  std::vector<int> largest_keys;  // [T] of each query, the key where |A − B| is the largest

  std::vector<nn::HeadRoles> roles;  // [H] of the scene's layer, or of layer A
  nn::HeadRoles role_b;              // of head B, wherever it comes from
  nn::HeadRoles uniform, uniform_b;  // what uniform attention over the allowed keys of each layer has
  bool repeats = false;              // some token stands twice: same_token is defined

  // [heads of layer A, heads of layer B], under the scene's seed; empty when it is too much for a frame
  nn::MatrixF64 similarity;
  nn::Matrix similarity_f32;  // the same, for the heatmap

  // Heads switched off: those of the scene's layer, or of layer A; the output is that of its attention.
  std::vector<nn::HeadEffect> effects;  // [H]; empty when it is too much for a frame
  std::vector<unsigned char> on;        // [H]
  std::vector<double> token_change;     // [T] norm of the change of each output row
  std::vector<double> token_norm;       // [T] norm of each output row with all heads on
  double change = 0, share = 0;         // of the whole output, and relative to its norm (NaN of 0)
};

/// For the Compare page only; `results` holds what every page has (tokens, attention). With a model
/// of another program a pass up to the deeper of the two layers; `progress` can stop it.
std::shared_ptr<const CompareResults> compute_compare(const Scene& scene, const Results& results,
                                                      base::Parallel& parallel,
                                                      const Progress& progress = {});

}  // namespace headlight::scene
