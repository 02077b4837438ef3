#include "pages/position/microscope.h"

#include <algorithm>
#include <limits>

#include "scene/remembered.h"
#include "scene/settings.h"

namespace headlight::scene {

namespace {

// Distances between rows, in multiplications, that take about 5 ms; measured, in multiplications of the
// forward pass: what one of them costs, and what an element of P costs otherwise.
constexpr double nearest_in_a_frame = 3e7;
constexpr double distance_cost = 10, element_cost = 300;

double nearest_work(const Scene& scene) {
  return double(scene.positions) * scene.positions * scene.d_model;
}

Remembered<PositionResults>& last() {
  static Remembered<PositionResults> results;
  return results;
}

std::string key_of(const Scene& scene) {
  std::string key;
  for (const char* name : {"d_model", "position_base", "positions", "position_offset"})
    key += get_field(scene, name) + ' ';
  return key;
}

/// Everything but the rotation, which depends on δ too.
void measure(const Scene& scene, base::Parallel& parallel, PositionResults& results) {
  results.first = scene.position_offset;
  nn::sinusoidal({scene.positions, scene.d_model, scene.position_base, scene.position_offset}, parallel,
                 results.p);
  results.omega = nn::frequencies(scene.d_model, scene.position_base);
  results.dot_from_index = nn::dot_by_distance(results.p, 0);
  results.nearest.clear();
  results.closest_a = results.closest_b = -1;
  results.closest_distance = 0;
}

void find_closest(PositionResults& results) {
  constexpr double rounding = 1 + 1e-5;  // equal distances differ by that much in float32
  double least = std::numeric_limits<double>::infinity();
  for (const nn::NearestRow& row : results.nearest) {
    if (row.row >= 0) least = std::min(least, row.distance);
  }
  results.as_close = 0;
  // Of rows that are equally close the first pair is named.
  for (int i = 0; i < static_cast<int>(results.nearest.size()); ++i) {
    const nn::NearestRow& row = results.nearest[static_cast<std::size_t>(i)];
    if (row.row < 0 || row.distance > least * rounding) continue;
    ++results.as_close;
    if (results.closest_a >= 0) continue;
    results.closest_a = std::min(i, row.row);
    results.closest_b = std::max(i, row.row);
    results.closest_distance = least;
  }
}

}  // namespace

bool look_at_positions(const Scene& scene, base::Parallel& parallel, const Progress& progress,
                       PositionResults& results) {
  const std::string key = key_of(scene);
  const bool find_nearest = progress || nearest_work(scene) <= nearest_in_a_frame;
  const std::shared_ptr<const PositionResults> known = last().find(key);
  if (known && (!known->nearest.empty() || !find_nearest)) {
    results = *known;
  } else {
    measure(scene, parallel, results);
    if (progress && !progress(0.85f)) return false;
    if (find_nearest) {
      results.nearest = nn::nearest_rows(results.p, parallel);
      find_closest(results);
    }
    last().keep(key, std::make_shared<const PositionResults>(results));
  }
  results.worst_rotation_residual = 0;
  for (int pair = 0; 2 * pair + 1 < scene.d_model; ++pair) {
    const double omega = results.omega[static_cast<std::size_t>(pair)];
    const double residual = nn::rotation_residual(results.p, scene.position_delta, omega, pair);
    results.worst_rotation_residual = std::max(results.worst_rotation_residual, residual);
  }
  return true;
}

double position_work(const Scene& scene) {
  const double elements = double(scene.positions) * scene.d_model;
  const std::shared_ptr<const PositionResults> known = last().find(key_of(scene));
  const bool nearest_known = known && !known->nearest.empty();
  return element_cost * elements + (nearest_known ? 0 : distance_cost * nearest_work(scene));
}

}  // namespace headlight::scene
