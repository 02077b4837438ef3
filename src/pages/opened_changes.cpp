#include "pages/opened_changes.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "network/network.h"
#include "nn/linear.h"
#include "pages/opened_attention.h"
#include "scene/layer_input.h"

namespace headlight::scene {

namespace {

/// Computes the weights from the scores again, and what follows from them in each head.
void attend_again(base::Parallel& parallel, nn::AttentionTrace& trace) {
  nn::Matrix scores = nn::attention_scores(trace, nullptr, parallel);
  const auto d = static_cast<std::size_t>(trace.d_v);
  parallel.run(trace.heads, [&](int head) {
    for (int t = 0; t < trace.T; ++t) {
      const base::Interval keys = trace.allowed[static_cast<std::size_t>(t)];
      const float* score = scores.row(head, t).data();
      float* weight = trace.weights.row(head, t).data();
      std::fill_n(weight, trace.S, 0.0f);
      float* context = trace.context.row(t).data() + static_cast<std::size_t>(head) * d;
      std::fill_n(context, d, 0.0f);
      trace.row_max.at(head, t) = trace.row_sum.at(head, t) = 0;
      if (keys.end <= keys.begin) continue;  // the query attends to nothing
      const float max = *std::max_element(score + keys.begin, score + keys.end);
      float sum = 0;
      for (int s = keys.begin; s < keys.end; ++s) sum += weight[s] = std::exp(score[s] - max);
      trace.row_max.at(head, t) = max, trace.row_sum.at(head, t) = sum;
      for (int s = keys.begin; s < keys.end; ++s) {
        weight[s] /= sum;
        const float* value = trace.value(head, s);
        for (std::size_t c = 0; c < d; ++c) context[c] += weight[s] * value[c];
      }
    }
  });
}

}  // namespace

std::string changes_of_layer(const Scene& scene, const nn::NetworkLayer& layer,
                             std::span<const base::Interval> allowed, int S) {
  std::string words;
  const auto say = [&](const std::string& one) { words += (words.empty() ? "" : ", ") + one; };
  const auto masks = [&](bool MaskSet::*kind) {
    if (!(scene.mask.*kind)) return false;
    Scene alone = scene;
    alone.mask = {}, alone.mask.*kind = true;
    const auto keys = nn::allowed_keys(attention_options(alone).mask, static_cast<int>(allowed.size()), S);
    for (std::size_t t = 0; t < allowed.size(); ++t)
      if (base::intersect(allowed[t], keys[t]).size() < allowed[t].size()) return true;
    return false;
  };
  if (masks(&MaskSet::causal)) say("causal mask");
  if (masks(&MaskSet::window)) say("window mask of radius " + base::with_commas(scene.window));
  if (masks(&MaskSet::valid_length)) say("only the first " + base::with_commas(scene.valid_length) + " keys");
  if (scene.temperature != 1) say("temperature " + base::compact(scene.temperature));
  if (!scene.scale && layer.scale != 1) say("scores not scaled");
  return words;
}

base::Status change_opened(const Scene& scene, const OtherModel& other, base::Parallel& parallel,
                           Results& results) {
  const nn::NetworkLayer& shape = shown_layer_of(other, scene);
  const std::string changed = changes_of_layer(scene, shape, results.attention.allowed, results.attention.S);
  if (changed.empty()) return {};
  const auto output = opened_output_weights(other, results.opened->layer);
  if (!output) return base::Error{output.error()};
  OpenedLayer reported = *results.opened;
  reported.changed = changed;
  results.opened = std::make_shared<const OpenedLayer>(std::move(reported));
  nn::AttentionTrace& trace = results.attention;
  const nn::AttentionOptions wanted = attention_options(scene);
  const auto keys = nn::allowed_keys(wanted.mask, trace.T, trace.S);
  for (std::size_t t = 0; t < keys.size(); ++t) trace.allowed[t] = base::intersect(trace.allowed[t], keys[t]);
  nn::AttentionOptions& options = results.options;
  options.mask = wanted.mask, options.temperature = scene.temperature;
  if (!scene.scale) options.divide_by_sqrt_d_k = false, options.custom_scale = 1;
  trace.scale = static_cast<float>((scene.scale ? shape.scale : 1) / scene.temperature);
  attend_again(parallel, trace);
  nn::linear(trace.context, output->w_o, output->b_o, parallel, trace.output);
  return {};
}

}  // namespace headlight::scene
