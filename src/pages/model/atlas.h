// The Model page: the attention of every head of every layer for the sentence, as small pictures, and
// measures of each head's weights. The picture of a head shows the same weights as the Attention page when
// that layer and head are chosen: in a model of another program those of the model itself; in a Headlight
// model the layer uses the scene's mask, scale and temperature, and the layers before it run as they were
// trained; random weights have one layer.
//
// Only the small pictures and the measures are kept: a pass holds the weights of one layer at a time. A pixel
// is the largest weight under it (head_tiles.h). The measures are those of nn/head_roles.h and the mean
// entropy of the queries that may attend to some key. Tested in tests/scene/atlas_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "nn/head_roles.h"
#include "pages/head_tiles.h"
#include "pages/model/alike.h"
#include "pages/model/check.h"
#include "pages/model/head_details.h"
#include "pages/model/head_place.h"
#include "pages/model/predictions.h"
#include "pages/model/settings.h"
#include "scene/pinned.h"
#include "scene/progress.h"
#include "scene/results.h"

namespace headlight::scene {

struct HeadMeasure {
  nn::HeadRoles roles;
  double entropy_bits = 0;
  /// NaN: no query has such a key, or a weight is not finite.
  double score(ModelScore which) const {
    const std::array<double, model_scores> all{roles.previous,   roles.first,     roles.diagonal,
                                               roles.same_token, roles.induction, entropy_bits};
    return all[static_cast<std::size_t>(which)];
  }
};

struct Atlas {
  HeadTiles tiles;
  nn::WeightCounts counts;                         // over the pixels that are not masked
  std::vector<std::vector<HeadMeasure>> measures;  // [L][H of the layer]
  /// For each score the heads from the largest to the smallest; for entropy from the smallest to the largest.
  /// Heads with equal scores, and heads without a score, are in the order of the layers.
  std::array<std::vector<HeadPlace>, model_scores> ranked;
  /// The number of queries that attend to some key and have, masked or not, a key of the kind that the score
  /// measures; for induction those whose token occurred before. 0: there is nothing to measure.
  std::array<int, model_scores> queries{};
  std::vector<std::uint8_t> attends;  // [T] in some layer; empty: every query does
  /// For each layer the measures of uniform attention over the keys that its mask allows: those of a head
  /// that prefers no key. No head's mean entropy is larger.
  std::vector<HeadMeasure> uniform;
  AlikeHeads alike;
  int trained_tokens = 0;  // per sequence in the model's training; 0: unknown
  bool one_line = true;    // queries and keys are the same tokens; otherwise only the entropy is defined

  /// Has the sentence tokens at positions that the model was not trained for?
  bool beyond_training() const { return trained_tokens > 0 && tiles.T > trained_tokens; }
  int queries_of(ModelScore score) const { return queries[static_cast<std::size_t>(score)]; }
  int layers() const { return static_cast<int>(measures.size()); }
  int heads(int layer) const { return static_cast<int>(measures[static_cast<std::size_t>(layer)].size()); }
  int all_heads() const { return static_cast<int>(ranked[0].size()); }
  int most_heads() const {
    int most = 0;
    for (const auto& layer : measures) most = std::max(most, static_cast<int>(layer.size()));
    return most;
  }
  bool has(HeadPlace at) const {
    return at.layer >= 0 && at.layer < layers() && at.head >= 0 && at.head < heads(at.layer);
  }
  const HeadMeasure& of(HeadPlace at) const {
    return measures[static_cast<std::size_t>(at.layer)][static_cast<std::size_t>(at.head)];
  }
  const std::vector<HeadPlace>& by(ModelScore score) const { return ranked[static_cast<std::size_t>(score)]; }
  /// Is exactly one head first? Otherwise the page names none as the first.
  bool one_first(ModelScore score) const {
    const std::vector<HeadPlace>& order = by(score);
    return order.size() > 1 && of(order[0]).score(score) != of(order[1]).score(score);
  }
  /// Is this head's score larger than that of uniform attention in its layer? Smaller, for entropy.
  bool beyond_uniform(HeadPlace head, ModelScore score) const {
    const double value = of(head).score(score),
                 none = uniform[static_cast<std::size_t>(head.layer)].score(score);
    return score == ModelScore::entropy ? value < none : value > none;
  }
  /// The same for any head.
  bool beyond_uniform(ModelScore score) const {
    const std::vector<HeadPlace>& all = by(score);
    return std::any_of(all.begin(), all.end(), [&](HeadPlace head) { return beyond_uniform(head, score); });
  }
};

struct AtlasResults final : PageResults {
  std::shared_ptr<const Atlas> atlas;  // never null; no layers without tokens, or with a problem
  std::string problem;                 // why not all layers were computed, one line; empty: they were
  Predictions predictions;
  HeadDetails details;
  std::shared_ptr<const Check> check;  // null: nothing is compared

  double bytes() const override { return atlas ? atlas->tiles.bytes() : 0; }
};

/// Returns the atlas of what a quantity or a table is read from; null when it has no layers.
template <class Source>
const Atlas* atlas_in(const Source& source) {
  const auto* r = source.template own<AtlasResults>();
  return r && r->atlas->layers() > 0 ? r->atlas.get() : nullptr;
}

/// The results of one run of a model: its atlas, and the hidden states for predictions.
struct ModelRun {
  std::shared_ptr<const Atlas> atlas;          // never null
  std::shared_ptr<const HiddenStates> states;  // never null; empty for a Headlight model, or for a long text
};

/// The head that the scene shows; its layer is limited to the existing ones.
inline HeadPlace shown_head(const Scene& scene, const Results& results, const Atlas& atlas) {
  const int layer = results.opened ? results.opened->layer : std::max(1, scene.weights_layer) - 1;
  const int last = std::max(0, atlas.layers() - 1);
  return {std::min(layer, last), first_head(scene, results.attention.heads)};
}

/// Computes the atlas for the tokens of `results`, which hold their attention. The run of a model of another
/// program is kept, so that choosing another head or token does not repeat it (the attention of another layer
/// takes a pass of its own, opened_attention.h). Errors, one line: those of network_forward(), and given_up
/// of opened_attention.h.
base::Result<ModelRun> compute_atlas(const Scene& scene, base::Parallel& parallel, const Progress& progress,
                                     const Results& results);

/// Calls `visit` with the weights [H, T, S] of every layer in turn, for the tokens of `results`; for saved
/// attention with those of the file. `visible` is for a model of another program whose tokens are given
/// without their padding (with_padding()): 0 marks a padding position, to which no query attends; empty:
/// there is no padding. Errors as above, and those of `visit`.
base::Status for_each_layer(const Scene& scene, base::Parallel& parallel, const Progress& progress,
                            const Results& results,
                            const std::function<base::Status(int layer, const nn::Matrix& weights)>& visit,
                            std::span<const std::uint8_t> visible = {});

/// Frees the kept run, when no model of another program is shown any more.
void forget_model_run();

/// The time that compute_atlas() takes, in the unit of work() in pages/compute.h.
double atlas_work(const Scene& scene, int tokens);

}  // namespace headlight::scene
