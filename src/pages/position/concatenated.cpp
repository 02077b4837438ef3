#include "pages/position/concatenated.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "nn/positional.h"
#include "nn/random.h"
#include "scene/field_values.h"
#include "scene/layer_input.h"
#include "scene/remembered.h"

namespace headlight::scene {

namespace {

constexpr std::uint64_t stream = 0x5B783B705D;  // "[x;p]"

Remembered<nn::Matrix>& last_weights() {
  static Remembered<nn::Matrix> weights;
  return weights;
}

std::string weights_key(const Scene& scene) {
  return number_text(scene.seed) + ' ' + number_text(scene.d_model);
}

/// W [2d, d] with variance 1/(2d).
std::shared_ptr<const nn::Matrix> weights(const Scene& scene) {
  return last_weights().get(weights_key(scene), [&] {
    const int d = scene.d_model;
    nn::Matrix w(2 * d, d);
    nn::Random(static_cast<std::uint64_t>(scene.seed), stream).normals(0, w.values());
    const auto scale = static_cast<float>(1 / std::sqrt(2.0 * d));
    for (float& value : w.values()) value *= scale;
    return w;
  });
}

/// out += x W[from …], one row, in float32.
void add_product(std::span<const float> x, const nn::Matrix& w, int from, std::span<float> out) {
  for (std::size_t r = 0; r < x.size(); ++r) {
    const float* row = w.row(from + static_cast<int>(r)).data();
    for (std::size_t c = 0; c < out.size(); ++c) out[c] += x[r] * row[c];
  }
}

}  // namespace

std::shared_ptr<const Concatenated> concatenate(const Scene& scene, const std::vector<nn::Token>& tokens,
                                                base::Parallel& parallel) {
  const int T = std::min(static_cast<int>(tokens.size()), most_concatenated), d = scene.d_model;
  if (T == 0) return nullptr;
  auto out = std::make_shared<Concatenated>();
  out->x = word_embeddings(scene, {tokens.begin(), tokens.begin() + T});
  nn::sinusoidal({T, d, scene.position_base, scene.position_offset}, parallel, out->p);
  const std::shared_ptr<const nn::Matrix> w = weights(scene);
  for (nn::Matrix* m : {&out->joined, &out->from_x, &out->from_p, &out->sum}) {
    m->resize(T, d);
    m->fill(0);
  }
  for (int t = 0; t < T; ++t) {
    add_product(out->x.row(t), *w, 0, out->joined.row(t));
    add_product(out->p.row(t), *w, d, out->joined.row(t));
    add_product(out->x.row(t), *w, 0, out->from_x.row(t));
    add_product(out->p.row(t), *w, d, out->from_p.row(t));
    for (int c = 0; c < d; ++c) {
      const float together = out->joined.at(t, c), apart = out->from_x.at(t, c) + out->from_p.at(t, c);
      out->sum.at(t, c) = apart;
      out->largest = std::max(out->largest, std::abs(static_cast<double>(together)));
      out->largest_difference = std::max(
          out->largest_difference, std::abs(static_cast<double>(together) - static_cast<double>(apart)));
    }
  }
  return out;
}

double concatenate_work(const Scene& scene) {
  constexpr double draw_cost = 600;
  const double elements = 2.0 * scene.d_model * scene.d_model;
  return elements * (2 * most_concatenated + (last_weights().find(weights_key(scene)) ? 0 : draw_cost));
}

}  // namespace headlight::scene
