// The Hopfield half of the Memory page: patterns, their landscape, and what a probe retrieves.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "nn/attention.h"
#include "nn/random.h"
#include "pages/memory/memory.h"
#include "scene/results.h"

namespace headlight::scene {

namespace {

constexpr int most_dimension = 64;  // every pattern draws this many numbers and uses the first ones
constexpr int noisy_probes = 100;
constexpr int contour_levels = 11;
constexpr double moved_too_little = 1e-6;

nn::Random stream(const Scene& scene, std::string_view name) {
  return {static_cast<std::uint64_t>(scene.seed), nn::hash_text(name.data(), name.size())};
}

void to_length(std::span<double> vector, double length) {
  double square = 0;
  for (double value : vector) square += value * value;
  if (square == 0) return;
  for (double& value : vector) value *= length / std::sqrt(square);
}

/// Patterns on a sphere of radius √D, as in the theorem on capacity. In two dimensions each is drawn from its
/// own part of the circle, so that a few patterns do not coincide by chance.
nn::MatrixF64 draw_patterns(const Scene& scene) {
  const int N = scene.memory.patterns, D = scene.memory.dimension;
  const nn::Random random = stream(scene, "memory patterns");
  const double radius = std::sqrt(static_cast<double>(D));
  nn::MatrixF64 patterns(N, D);
  for (int n = 0; n < N; ++n) {
    const auto first = static_cast<std::uint64_t>(n) * most_dimension;
    if (D == 2) {
      const double turn = (n + 0.5 * random.uniform(first)) / N + random.uniform(most_dimension * 64);
      patterns.at(n, 0) = radius * std::cos(2 * std::numbers::pi * turn);
      patterns.at(n, 1) = radius * std::sin(2 * std::numbers::pi * turn);
      continue;
    }
    for (int c = 0; c < D; ++c)
      patterns.at(n, c) = static_cast<double>(random.normal(first + static_cast<std::uint64_t>(c)));
    to_length(patterns.row(n), radius);
  }
  const double closeness = scene.memory.closeness;
  for (int c = 0; c < D; ++c)
    patterns.at(1, c) = closeness * patterns.at(0, c) + (1 - closeness) * patterns.at(1, c);
  to_length(patterns.row(1), radius);
  return patterns;
}

double distance(std::span<const double> a, std::span<const double> b) {
  double square = 0;
  for (std::size_t c = 0; c < a.size(); ++c) square += (a[c] - b[c]) * (a[c] - b[c]);
  return std::sqrt(square);
}

nn::MatrixF64 noisy(const Scene& scene, const nn::MatrixF64& patterns, int count) {
  const nn::Random random = stream(scene, "memory noise");
  const int D = patterns.cols();
  nn::MatrixF64 probes(count, D);
  for (int m = 0; m < count; ++m) {
    for (int c = 0; c < D; ++c) {
      const auto index = static_cast<std::uint64_t>(m * most_dimension + c);
      probes.at(m, c) = patterns.at(m % patterns.rows(), c) +
                        scene.memory.noise * static_cast<double>(random.normal(index));
    }
  }
  return probes;
}

void count_recovered(const Scene& scene, StoredPatterns& stored) {
  const nn::MatrixF64 probes = noisy(scene, stored.patterns, noisy_probes);
  const auto trace = nn::hopfield(stored.patterns, probes, scene.memory.beta, recovery_updates);
  const double radius = recovery_radius * std::sqrt(static_cast<double>(stored.patterns.cols()));
  stored.probes = noisy_probes;
  for (int m = 0; m < noisy_probes; ++m) {
    const auto own = stored.patterns.row(m % stored.patterns.rows());
    if (distance(trace.states.row(recovery_updates, m), own) < radius) ++stored.recovered;
  }
}

using ContourPoint = std::array<float, 2>;
using ContourPiece = std::array<ContourPoint, 2>;

/// A corner of a cell; crossing() returns where the level is crossed between two of them.
struct Corner {
  float x = 0, y = 0, energy = 0;
};
ContourPoint crossing(Corner a, Corner b, float level) {
  if (b.x < a.x || b.y < a.y) std::swap(a, b);  // the same point, to the last bit, for both cells at an edge
  const float t = (level - a.energy) / (b.energy - a.energy);
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/// Marching squares in one cell: joins the crossed edges in pairs, in order around the cell.
void cross_cell(const std::array<Corner, 4>& corners, float level, std::vector<ContourPiece>& pieces) {
  std::array<ContourPoint, 4> points{};
  std::size_t count = 0;
  for (std::size_t e = 0; e < 4; ++e) {
    const Corner &a = corners[e], &b = corners[(e + 1) % 4];
    if ((a.energy < level) != (b.energy < level)) points[count++] = crossing(a, b, level);
  }
  for (std::size_t p = 0; p + 1 < count; p += 2) pieces.push_back({points[p], points[p + 1]});
}

/// Joins pieces that share an end into one line.
void join_pieces(const std::vector<ContourPiece>& pieces, std::vector<Contour>& lines) {
  using End = std::pair<ContourPoint, std::size_t>;
  std::vector<End> ends;  // sorted; two pieces end at most points, one on the border
  for (std::size_t i = 0; i < pieces.size(); ++i)
    for (const ContourPoint& end : pieces[i]) ends.emplace_back(end, i);
  std::sort(ends.begin(), ends.end());
  std::vector<bool> used(pieces.size(), false);
  const auto extend = [&](Contour& line) {
    for (bool found = true; found;) {
      found = false;
      auto next = std::lower_bound(ends.begin(), ends.end(), End{line.back(), 0});
      for (; next != ends.end() && next->first == line.back() && !found; ++next) {
        if (used[next->second]) continue;
        const ContourPiece& piece = pieces[next->second];
        used[next->second] = found = true;
        line.push_back(piece[0] == line.back() ? piece[1] : piece[0]);
      }
    }
  };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (used[i]) continue;
    used[i] = true;
    Contour line{pieces[i][0], pieces[i][1]};
    extend(line);
    std::reverse(line.begin(), line.end());
    extend(line);
    lines.push_back(std::move(line));
  }
}

void draw_landscape(const Scene& scene, StoredPatterns& stored) {
  const int N = scene.memory.patterns;
  const int side = N <= 16 ? 128 : N <= 32 ? 96 : 72;  // a few milliseconds
  const double reach = memory_reach;
  const nn::MatrixF64 energy = nn::hopfield_landscape(stored.patterns_f32, scene.memory.beta,
                                                      {-reach, reach, -reach, reach}, side, side);
  stored.landscape = nn::Matrix(side, side);
  for (std::size_t i = 0; i < energy.size(); ++i)
    stored.landscape.data()[i] = static_cast<float>(energy.data()[i]);
  const auto [low, high] = std::minmax_element(energy.values().begin(), energy.values().end());
  stored.lowest = *low, stored.highest = *high;

  const auto place = [&](int n) { return static_cast<float>(reach * (2.0 * n / (side - 1) - 1)); };
  for (int n = 1; n <= contour_levels; ++n) {
    // The levels are closer together near the minimum, where they tell patterns apart.
    const double share = static_cast<double>(n) / (contour_levels + 1);
    const auto level = static_cast<float>(*low + (*high - *low) * share * share);
    std::vector<ContourPiece> pieces;
    for (int r = 0; r + 1 < side; ++r) {
      for (int c = 0; c + 1 < side; ++c) {
        const auto corner = [&](int row, int col) {
          return Corner{place(col), -place(row), stored.landscape.at(row, col)};
        };
        cross_cell({corner(r, c), corner(r, c + 1), corner(r + 1, c + 1), corner(r + 1, c)}, level, pieces);
      }
    }
    join_pieces(pieces, stored.contours);
  }
}

/// Converts the first plane.
nn::Matrix in_float(const nn::MatrixF64& m) {
  nn::Matrix out(m.rows(), m.cols());
  for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] = static_cast<float>(m.data()[i]);
  return out;
}

/// Attends with the probe as the query, the patterns as keys and values, and β instead of 1/√d_k.
void attend(const Scene& scene, const StoredPatterns& stored, base::Parallel& parallel, Retrieval& out) {
  nn::AttentionOptions options;
  options.divide_by_sqrt_d_k = false;
  options.custom_scale = scene.memory.beta;
  nn::AttentionTrace trace;
  trace.q = in_float(out.trace.states);  // the probe is the first state
  trace.k = trace.v = stored.patterns_f32;
  nn::attention_from_qkv(options, parallel, trace);
  out.one_step = std::move(trace.output);
  for (int c = 0; c < stored.patterns.cols(); ++c) {
    const double off = static_cast<double>(out.one_step.at(0, c)) - out.trace.states.at(1, 0, c);
    out.attention_residual = std::max(out.attention_residual, std::abs(off));
  }
}

}  // namespace

StoredPatterns store_patterns(const Scene& scene) {
  StoredPatterns stored;
  stored.patterns = draw_patterns(scene);
  stored.patterns_f32 = in_float(stored.patterns);
  count_recovered(scene, stored);
  if (scene.memory.dimension == 2) draw_landscape(scene, stored);
  return stored;
}

Retrieval retrieve(const Scene& scene, const StoredPatterns& stored, base::Parallel& parallel) {
  const nn::MatrixF64& patterns = stored.patterns;
  nn::MatrixF64 probe = noisy(scene, patterns, 1);  // a noisy copy of pattern 1
  if (patterns.cols() == 2) probe.at(0, 0) = scene.memory.probe_x, probe.at(0, 1) = scene.memory.probe_y;

  Retrieval out;
  out.trace = nn::hopfield(patterns, probe, scene.memory.beta, memory_updates);
  const auto state = [&](int step) { return std::as_const(out.trace.states).row(step, 0); };
  for (int n = 1; n < patterns.rows(); ++n) {
    if (distance(state(memory_updates), patterns.row(n)) <
        distance(state(memory_updates), patterns.row(out.nearest)))
      out.nearest = n;
  }
  const double length = std::sqrt(static_cast<double>(patterns.cols()));
  for (int step = 0; step <= memory_updates; ++step) {
    out.distance.push_back(distance(state(step), patterns.row(out.nearest)) / length);
    if (out.recovered_at < 0 && out.distance.back() < recovery_radius) out.recovered_at = step;
    if (step > 0 && out.settled_at < 0 && distance(state(step), state(step - 1)) < moved_too_little)
      out.settled_at = step;
  }
  out.weights = nn::Matrix(memory_updates, patterns.rows());
  for (std::size_t i = 0; i < out.weights.size(); ++i)
    out.weights.data()[i] = static_cast<float>(out.trace.weights.data()[i]);
  out.comparison = nn::Matrix(memory_updates + 2, patterns.cols());
  for (int row = 0; row < memory_updates + 2; ++row) {
    const auto from = row == 0 ? patterns.row(out.nearest) : state(row - 1);
    for (int c = 0; c < patterns.cols(); ++c)
      out.comparison.at(row, c) = static_cast<float>(from[static_cast<std::size_t>(c)]);
  }
  double squares = 0;
  for (const double weight : std::as_const(out.trace.weights).row(memory_updates - 1, 0))
    squares += weight * weight;
  out.effective = 1 / squares;
  attend(scene, stored, parallel, out);
  return out;
}

}  // namespace headlight::scene
