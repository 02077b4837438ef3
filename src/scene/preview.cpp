#include "scene/preview.h"

#include <algorithm>
#include <atomic>

#include "nn/linear.h"
#include "nn/mask.h"
#include "nn/relative.h"
#include "nn/rope.h"
#include "scene/layer_input.h"
#include "scene/model_file.h"
#include "scene/pinned.h"

namespace headlight::scene {

namespace {

/// Row `query` of the numbers that a model adds to its scores, [H, 1, T]; empty: none. The full planes, [H,
/// T, T], would cost what the preview saves.
nn::Matrix added_row(const TrainedModel& model, int query, int T) {
  const nn::ModelConfig& config = model.config;
  nn::Matrix by_distance;  // [H, 2T − 1]
  if (config.positions == nn::ModelPositions::t5) {
    const nn::T5Buckets buckets{!config.causal, model.weights.t5_table.rows(), 128};
    by_distance = nn::t5_bias(buckets, model.weights.t5_table, T, T);
  } else if (config.positions == nn::ModelPositions::alibi) {
    by_distance = nn::alibi_bias<float>(config.heads, T, T);
  } else {
    return {};
  }
  nn::Matrix row(config.heads, 1, T);
  for (int head = 0; head < config.heads; ++head)
    std::copy_n(by_distance.row(head).data() + (T - 1 - query), T, row.row(head, 0).data());
  return row;
}

void attend_row(const Scene& scene, const TrainedModel* model, base::Parallel& parallel, Preview& preview) {
  const int T = static_cast<int>(preview.tokens.size()), query = preview.query;
  const nn::Matrix x = joined(layer_input(scene, preview.tokens, parallel));
  const auto weights = layer_weights(scene);
  nn::Matrix query_row(1, x.cols());
  std::copy_n(x.row(query).data(), x.cols(), query_row.data());
  nn::AttentionTrace trace;
  nn::linear(query_row, weights->w_q, weights->b_q, parallel, trace.q);
  nn::linear(x, weights->w_k, weights->b_k, parallel, trace.k);
  trace.v.resize(T, scene.heads);  // no values are needed
  std::fill_n(trace.v.data(), trace.v.size(), 0.f);
  nn::AttentionOptions options = attention_options(scene);
  if (const auto rope = model ? model_options(model->config, nullptr).rope : std::nullopt) {
    nn::rotate(*rope, scene.heads, trace.q, query);
    nn::rotate(*rope, scene.heads, trace.k);
  }
  // The mask has row `query` of T rows; the pass here has a single query.
  preview.allowed = nn::allowed_keys(options.mask, T, T)[static_cast<std::size_t>(query)];
  options.mask = {};
  nn::PairMask pairs;
  pairs.allow.resize(1, 1, T);
  for (int key = 0; key < T; ++key) pairs.allow.data()[key] = preview.allowed.has(key) ? 1 : 0;
  if (model) pairs.add = added_row(*model, query, T);
  options.pairs = &pairs;
  nn::attention_from_qkv(options, parallel, trace);
  preview.rows.resize(scene.heads, T);
  for (int head = 0; head < scene.heads; ++head)
    std::copy_n(trace.weights.row(head, 0).data(), T, preview.rows.row(head).data());
}

}  // namespace

std::shared_ptr<const Preview> compute_preview(const Inputs& inputs, base::Parallel& parallel) {
  static std::atomic<std::uint64_t> versions{std::uint64_t(1) << 63};  // Results never have these versions
  const Scene& scene = inputs.scene;
  const UseModels given(&inputs.models, UseModels::Others::refused);
  auto preview = std::make_shared<Preview>();
  preview->version = ++versions;
  preview->scene = scene;
  preview->tokens = tokens_of(scene, &preview->known, &preview->tokens_in_sentence);
  const auto most = static_cast<std::size_t>(max_tokens(scene.heads));
  if (preview->tokens.size() > most) preview->tokens.resize(most);
  preview->known.resize(std::min(preview->known.size(), preview->tokens.size()));
  if (preview->tokens.empty()) return preview;
  if (scene.query.empty()) {
    preview->why = "no query is pinned";
    return preview;
  }
  const auto model = usable_model(scene);
  const int T = static_cast<int>(preview->tokens.size());
  preview->query = pinned(scene, T, T).detail_query;
  if (model && shown_layer(scene, *model) > 0) {
    preview->why =
        "layer " + std::to_string(scene.weights_layer) + " needs the layers before it for every token";
    return preview;
  }
  attend_row(scene, model.get(), parallel, *preview);
  return preview;
}

}  // namespace headlight::scene
