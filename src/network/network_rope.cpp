#include <algorithm>
#include <cmath>
#include <numbers>

#include "network/network_parts.h"

namespace headlight::nn {

namespace {

using std::size_t;

constexpr double two_pi = 2 * std::numbers::pi;

double llama3(const RopeScaling& s, double f) {
  const double wavelength = two_pi / f;
  if (wavelength < s.original / s.high_freq_factor) return f;
  if (wavelength > s.original / s.low_freq_factor) return f / s.factor;
  const double t = (s.original / wavelength - s.low_freq_factor) / (s.high_freq_factor - s.low_freq_factor);
  return (1 - t) * f / s.factor + t * f;
}

/// The ramp of yarn: 0 where a frequency is kept, 1 where it is divided.
class YarnRamp {
 public:
  YarnRamp(const NetworkRope& rope) {
    const double r = rope.rotary_dim;
    const auto pair_that_turns = [&](double times) {
      return r * std::log(rope.scaling.original / (two_pi * times)) / (2 * std::log(rope.base));
    };
    low_ = std::max(std::floor(pair_that_turns(rope.scaling.beta_fast)), 0.0);
    high_ = std::min(std::ceil(pair_that_turns(rope.scaling.beta_slow)), r - 1);
    if (low_ == high_) high_ += 0.001;
  }
  double at(int j) const { return std::clamp((j - low_) / (high_ - low_), 0.0, 1.0); }

 private:
  double low_, high_;
};

}  // namespace

std::vector<double> rope_frequencies(const NetworkRope& rope, int T) {
  const RopeScaling& s = rope.scaling;
  const double r = rope.rotary_dim;
  double base = rope.base;
  if (s.kind == RopeScalingKind::dynamic && T > s.original && r > 2)
    base *= std::pow(s.factor * T / s.original - s.factor + 1, r / (r - 2));
  std::vector<double> f(static_cast<size_t>(rope.rotary_dim / 2));
  for (size_t j = 0; j < f.size(); ++j) {
    f[j] = std::pow(base, -2 * static_cast<double>(j) / r);
    if (s.kind == RopeScalingKind::linear) f[j] /= s.factor;
    if (s.kind == RopeScalingKind::llama3) f[j] = llama3(s, f[j]);
  }
  if (s.kind == RopeScalingKind::yarn) {
    const YarnRamp ramp(rope);
    for (size_t j = 0; j < f.size(); ++j) {
      const double divided = ramp.at(static_cast<int>(j));
      f[j] = f[j] / s.factor * divided + f[j] * (1 - divided);
    }
  }
  return f;
}

RopeTurns rope_turns(const NetworkRope& rope, int first, int T, int length) {
  RopeTurns turns;
  if (rope.rotary_dim == 0) return turns;
  const std::vector<double> f = rope_frequencies(rope, length);
  const double factor = rope.scaling.kind == RopeScalingKind::yarn ? rope.scaling.attention_factor : 1;
  const int pairs = rope.rotary_dim / 2;
  turns.cosine.resize(T, pairs), turns.sine.resize(T, pairs);
  for (int t = 0; t < T; ++t) {
    float *cosine = turns.cosine.row(t).data(), *sine = turns.sine.row(t).data();
    for (int j = 0; j < pairs; ++j) {
      const double angle = (first + t) * f[static_cast<size_t>(j)];
      cosine[j] = static_cast<float>(std::cos(angle) * factor);
      sine[j] = static_cast<float>(std::sin(angle) * factor);
    }
  }
  return turns;
}

void turn(const NetworkRope& rope, const RopeTurns& turns, int heads, Matrix& x) {
  if (rope.rotary_dim == 0) return;
  const int d = x.cols() / heads, pairs = rope.rotary_dim / 2;
  HEADLIGHT_CHECK_OP(rope.rotary_dim, <=, d);
  const int step = rope.pairs == RopePairs::interleaved ? 2 : 1;
  const int across = rope.pairs == RopePairs::interleaved ? 1 : pairs;
  for (int t = 0; t < x.rows(); ++t) {
    const float *cosine = turns.cosine.row(t).data(), *sine = turns.sine.row(t).data();
    for (int head = 0; head < heads; ++head) {
      float* a = x.row(t).data() + head * d;
      for (int j = 0; j < pairs; ++j, a += step) {
        const float left = a[0], right = a[across];
        a[0] = left * cosine[j] - right * sine[j];
        a[across] = left * sine[j] + right * cosine[j];
      }
    }
  }
}

}  // namespace headlight::nn
