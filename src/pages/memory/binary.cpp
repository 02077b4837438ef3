#include "pages/memory/binary.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scene/scene.h"

namespace headlight::scene {

namespace {

constexpr std::uint64_t pattern_stream = 0x313938, flip_stream = 0x313938 << 8;

std::vector<double> row_of(const nn::MatrixF64& patterns, int n) {
  const auto row = patterns.row(n);
  return {row.begin(), row.end()};
}

double overlap(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum / static_cast<double>(a.size());
}

}  // namespace

BinaryRetrieval retrieve_bits(const Scene& scene) {
  const auto seed = static_cast<std::uint64_t>(scene.seed);
  BinaryRetrieval out;
  out.bits = scene.memory.bits, out.patterns = scene.memory.patterns;
  out.flips = std::min(scene.memory.flips, out.bits);
  const nn::MatrixF64 patterns = nn::binary_patterns(out.patterns, out.bits, seed, pattern_stream);
  const nn::MatrixF64 weights = nn::hebbian_weights(patterns);

  out.probes = binary_probes;
  for (int m = 0; m < binary_probes; ++m) {
    const std::vector<double> own = row_of(patterns, m % out.patterns);
    const auto draw = static_cast<std::uint64_t>(m);
    const std::vector<double> probe = nn::with_flips(own, out.flips, seed, flip_stream + draw);
    nn::BinaryTrace trace = nn::binary_retrieval(weights, probe, own, seed * binary_probes + draw);
    out.mean_overlap += trace.overlap.back() / binary_probes;
    if (trace.overlap.back() >= binary_recovered_overlap) ++out.recovered;
    if (m > 0) continue;
    out.states = nn::Matrix(3, out.bits);  // the first one is shown
    for (int c = 0; c < out.bits; ++c) {
      const auto at = static_cast<std::size_t>(c);
      out.states.at(0, c) = static_cast<float>(own[at]);
      out.states.at(1, c) = static_cast<float>(probe[at]);
      out.states.at(2, c) = static_cast<float>(trace.state[at]);
    }
    out.trace = std::move(trace);
  }

  const nn::BinaryTrace& shown = out.trace;
  out.nearest_overlap = -2;
  for (int n = 0; n < out.patterns; ++n) {
    const double here = overlap(shown.state, row_of(patterns, n));
    if (here > out.nearest_overlap) out.nearest = n, out.nearest_overlap = here;
  }
  out.wrong = static_cast<int>(std::lround((1 - shown.overlap.back()) / 2 * out.bits));
  for (std::size_t update = 1; update < shown.overlap.size(); ++update) {
    if (shown.overlap[update] != shown.overlap[update - 1]) out.last_flip = static_cast<int>(update);
  }
  return out;
}

}  // namespace headlight::scene
