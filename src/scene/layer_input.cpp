#include "scene/layer_input.h"

#include <algorithm>

#include "nn/positional.h"
#include "scene/field_values.h"
#include "scene/remembered.h"

namespace headlight::scene {

namespace {

int input_width(const Scene& scene) {
  return scene.position == Position::sinusoidal_concat ? 2 * scene.d_model : scene.d_model;
}

}  // namespace

LayerInput layer_input(const Scene& scene, const std::vector<nn::Token>& tokens, base::Parallel& parallel) {
  const int T = static_cast<int>(tokens.size()), d = scene.d_model, width = input_width(scene);
  LayerInput out{nn::Matrix(T, width), nn::Matrix(T, width)};
  if (T == 0) return out;
  const nn::Matrix embedded = nn::embed(tokens, d, static_cast<std::uint64_t>(scene.seed));
  for (int t = 0; t < T; ++t) std::copy_n(embedded.row(t).data(), d, out.content.row(t).data());
  if (scene.position == Position::none) return out;
  nn::Matrix p;
  nn::sinusoidal({T, d, scene.position_base, scene.position_offset}, parallel, p);
  const auto scale = static_cast<float>(scene.position_scale);
  for (int t = 0; t < T; ++t) {
    float* to = out.position.row(t).data() + (width - d);
    for (int c = 0; c < d; ++c) to[c] = scale * p.row(t)[static_cast<std::size_t>(c)];
  }
  return out;
}

nn::Matrix joined(const LayerInput& parts) {
  nn::Matrix x = parts.content;
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] += parts.position.data()[i];
  return x;
}

std::shared_ptr<const nn::AttentionWeights> layer_weights(const Scene& scene) {
  static Remembered<nn::AttentionWeights> last;
  const int width = input_width(scene);
  const std::string key =
      number_text(scene.seed) + ' ' + number_text(width) + ' ' + number_text(scene.d_model);
  return last.get(key, [&] {
    return nn::random_attention_weights(width, scene.d_model, static_cast<std::uint64_t>(scene.seed));
  });
}

}  // namespace headlight::scene
