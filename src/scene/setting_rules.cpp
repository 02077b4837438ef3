#include "scene/setting_rules.h"

#include <algorithm>

#include "scene/results.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

bool of_model(const Scene& scene) {
  return scene.weights != WeightsSource::random;
}

bool with_positions(const Scene& scene) {
  return scene.position != Position::none;
}

bool with_special_tokens(const Scene& scene) {
  return scene.weights == WeightsSource::file;
}

int layers_to_choose(const Scene& scene, const Results& results) {
  if (results.opened && of_model(scene)) return results.opened->layers;
  return results.model && of_model(scene) ? results.model->config.layers : scene.block.layers;
}

Range useful_layers(const Field& field, const Scene& scene, const Results& results) {
  return {field.min, static_cast<double>(layers_to_choose(scene, results))};
}

Range useful_heads(const Field& field, const Scene&, const Results& results) {
  return {field.min, results.attention.heads > 0 ? static_cast<double>(results.attention.heads) : field.max};
}

Range useful_sequences(const Field& field, const Scene&, const Results& results) {
  return {field.min, results.opened ? std::max(1.0, results.opened->sequences - 1.0) : field.max};
}

Range useful_tokens(const Field& field, const Scene&, const Results& results) {
  constexpr double fewest = 4;
  return {field.min, std::clamp(static_cast<double>(results.attention.T), fewest, field.max)};
}

Range useful_seeds(const Field& field, const Scene&, const Results&) {
  return {field.min, 99};  // each of them can be chosen with a slider
}

std::vector<int> possible_heads(const Scene& scene) {
  return divisors(scene.d_model);
}

std::vector<int> divisors(int n) {
  std::vector<int> found;
  for (int i = 1; i <= n; ++i) {
    if (n % i == 0) found.push_back(i);
  }
  return found;
}

bool offers_position(int word, const Scene& scene, const Results& results) {
  const bool concatenates = static_cast<Position>(word) == Position::sinusoidal_concat;
  return !concatenates || !results.model || !of_model(scene);
}

}  // namespace headlight::scene
