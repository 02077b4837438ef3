#include "pages/position/microscope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "models/opened_model.h"
#include "scene/own_positions.h"
#include "scene/remembered.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

// The multiplications for distances between rows that take about 5 ms. Below, measured in multiplications of
// the forward pass: the cost of one of them, and the other cost of an element of P.
constexpr double nearest_in_a_frame = 3e7;
constexpr double distance_cost = 10, element_cost = 300;

double nearest_work(const Scene& scene) {
  return double(scene.positions.count) * scene.positions.count * position_columns(scene);
}

Remembered<PositionResults>& last() {
  static Remembered<PositionResults> results;
  return results;
}

/// A different number for each opened model, because an address may be used again.
int number_of(const std::shared_ptr<const models::OpenedModel>& model) {
  static std::mutex mutex;
  static std::weak_ptr<const models::OpenedModel> newest;
  static int number = 0;
  const std::lock_guard lock(mutex);
  if (newest.lock() != model) newest = model, ++number;
  return number;
}

std::string key_of(const Scene& scene, int tokens) {
  std::string key;
  for (const char* name : {"d_model", "position_base", "positions", "position_offset"})
    key += get_field(scene, name) + ' ';
  if (const auto other = shown_other_model(scene)) {
    key += "model " + std::to_string(number_of(other->model));
    // Only this scaling depends on the length of the input.
    if (other->model->network.rope.scaling.kind == nn::RopeScalingKind::dynamic)
      key += ", tokens " + std::to_string(tokens);
  }
  return key;
}

/// Sines and cosines of `positions` positions, from `first` on.
void fill_waves(const std::vector<double>& omega, int positions, int first, nn::Matrix& p) {
  p.resize(positions, 2 * static_cast<int>(omega.size()));
  for (int row = 0; row < positions; ++row) {
    for (std::size_t j = 0; j < omega.size(); ++j) {
      const double angle = (first + row) * omega[j];
      p.at(row, 2 * static_cast<int>(j)) = static_cast<float>(std::sin(angle));
      p.at(row, 2 * static_cast<int>(j) + 1) = static_cast<float>(std::cos(angle));
    }
  }
}

/// Sets the P of the model; the error says why there is none.
base::Status take_own(const Scene& scene, const OtherModel& model, int tokens, PositionResults& results) {
  const OwnPositions own = own_positions(model);
  results.source = own.source, results.about = positions_in_words(model, tokens);
  results.first = scene.position_offset;
  if (own.source == PositionSource::table) {
    if (own.rows < 1) return base::Error{model.model->path.string() + ": its table of positions has no row"};
    results.first = std::min(results.first, own.rows - 1);
    auto table = own_table(model, results.first, std::min(scene.positions.count, own.rows - results.first));
    if (!table) return base::Error{table.error()};
    results.p = std::move(*table);
    results.largest = 0;
    for (const float value : results.p.values()) results.largest = std::max(results.largest, std::abs(value));
    if (!(results.largest > 0)) results.largest = 1;
    return {};
  }
  auto omega = own_frequencies(model, tokens);
  if (!omega) return base::Error{omega.error()};
  results.omega = std::move(*omega);
  if (own.source != PositionSource::none)
    fill_waves(results.omega, scene.positions.count, results.first, results.p);
  return {};
}

/// Measures everything except the rotation, which also depends on δ.
void measure(const Scene& scene, int tokens, base::Parallel& parallel, PositionResults& results) {
  results.source = PositionSource::scene, results.about.clear(), results.largest = 1;
  results.omega.clear(), results.p.resize(0, 0), results.dot_from_index.clear();
  if (const auto other = shown_other_model(scene)) {
    if (const base::Status taken = take_own(scene, *other, tokens, results); !taken) {
      results.source = PositionSource::none, results.about = taken.error();
      results.omega.clear(), results.p.resize(0, 0);
    }
  } else {
    results.first = scene.position_offset;
    nn::sinusoidal({scene.positions.count, scene.d_model, scene.position_base, scene.position_offset},
                   parallel, results.p);
    results.omega = nn::frequencies(scene.d_model, scene.position_base);
  }
  if (results.p.rows() > 0) results.dot_from_index = nn::dot_by_distance(results.p, 0);
  results.nearest.clear();
  results.closest_a = results.closest_b = -1;
  results.closest_distance = 0, results.as_close = 0;
}

void find_closest(PositionResults& results) {
  // Rounding of sines and cosines to float32 changes equal distances by up to this much.
  constexpr double of_distance = 1e-5, of_element = 1.2e-7;
  double least = std::numeric_limits<double>::infinity();
  for (const nn::NearestRow& row : results.nearest) {
    if (row.row >= 0) least = std::min(least, row.distance);
  }
  const double rounding =
      std::max(of_distance * least,
               results.waves() ? of_element * std::sqrt(static_cast<double>(results.p.cols())) : 0.0);
  results.as_close = 0;
  // The first of the equally close pairs is named.
  for (int i = 0; i < static_cast<int>(results.nearest.size()); ++i) {
    const nn::NearestRow& row = results.nearest[static_cast<std::size_t>(i)];
    if (row.row < 0 || row.distance > least + rounding) continue;
    ++results.as_close;
    if (results.closest_a >= 0) continue;
    results.closest_a = std::min(i, row.row);
    results.closest_b = std::max(i, row.row);
    results.closest_distance = least;
  }
}

}  // namespace

bool look_at_positions(const Scene& scene, int tokens, base::Parallel& parallel, const Progress& progress,
                       PositionResults& results) {
  const std::string key = key_of(scene, tokens);
  const bool find_nearest = progress || nearest_work(scene) <= nearest_in_a_frame;
  const std::shared_ptr<const PositionResults> known = last().find(key);
  if (known && (!known->nearest.empty() || !find_nearest)) {
    results = *known;
  } else {
    measure(scene, tokens, parallel, results);
    if (progress && !progress(0.85f)) return false;
    if (find_nearest && results.p.rows() > 0) {
      results.nearest = nn::nearest_rows(results.p, parallel);
      find_closest(results);
    }
    last().keep(key, std::make_shared<const PositionResults>(results));
  }
  results.worst_rotation_residual = 0;
  for (int pair = 0; results.waves() && 2 * pair + 1 < results.p.cols(); ++pair) {
    const double omega = results.omega[static_cast<std::size_t>(pair)];
    const double residual = nn::rotation_residual(results.p, scene.positions.delta, omega, pair);
    results.worst_rotation_residual = std::max(results.worst_rotation_residual, residual);
  }
  return true;
}

double position_work(const Scene& scene) {
  const double elements = double(scene.positions.count) * position_columns(scene);
  const std::shared_ptr<const PositionResults> known = last().find(key_of(scene, 0));
  const bool nearest_known = known && !known->nearest.empty();
  return element_cost * elements + (nearest_known ? 0 : distance_cost * nearest_work(scene));
}

}  // namespace headlight::scene
