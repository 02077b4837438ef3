#include "nn/head_roles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "nn/linear.h"

namespace headlight::nn {

namespace {

using std::size_t;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Mean of the values taken; NaN without any.
struct Mean {
  double sum = 0;
  int count = 0;
  void take(double value) { sum += value, ++count; }
  double value() const { return count == 0 ? nan : sum / count; }
};

/// Returns head_n W_O for this head alone, [T, D_out].
MatrixF64 contribution(const AttentionTrace& trace, const AttentionWeights& weights, int head) {
  const int d = trace.d_v;
  const bool joined = weights.w_o.empty();
  MatrixF64 out(trace.T, joined ? d : weights.w_o.cols());
  for (int t = 0; t < trace.T; ++t) {
    const float* context = trace.context.row(t).data() + static_cast<size_t>(head) * static_cast<size_t>(d);
    double* row = out.row(t).data();
    for (int c = 0; c < d; ++c) {
      const double value = static_cast<double>(context[c]);
      if (joined) {
        row[c] = value;
        continue;
      }
      const float* w = weights.w_o.row(head * d + c).data();
      for (int n = 0; n < out.cols(); ++n) row[n] += value * static_cast<double>(w[n]);
    }
  }
  return out;
}

/// Returns the last earlier position of each token; −1: none.
std::vector<int> last_places(std::span<const int> tokens) {
  std::map<int, int> seen;
  std::vector<int> out;
  for (size_t i = 0; i < tokens.size(); ++i) {
    int& place = seen.try_emplace(tokens[i], -1).first->second;
    out.push_back(place);
    place = static_cast<int>(i);
  }
  return out;
}

/// `reads(i)`: query i may attend to a key; `row(i)`: its weights [T].
template <class Reads, class Row>
HeadRoles roles_of(std::span<const int> tokens, Reads reads, Row row) {
  Mean previous, next, first, diagonal, same, induction;
  const int T = static_cast<int>(tokens.size());
  const std::vector<int> before = last_places(tokens);
  for (int i = 0; i < T; ++i) {
    if (!reads(i)) continue;
    const auto* weight = row(i);
    diagonal.take(static_cast<double>(weight[i]));
    if (i > 0) previous.take(static_cast<double>(weight[i - 1]));
    if (i > 0) first.take(static_cast<double>(weight[0]));
    if (i + 1 < T) next.take(static_cast<double>(weight[i + 1]));
    double elsewhere = 0;
    bool any = false;
    for (int j = 0; j < T; ++j) {
      if (j == i || tokens[static_cast<size_t>(j)] != tokens[static_cast<size_t>(i)]) continue;
      elsewhere += static_cast<double>(weight[j]);
      any = true;
    }
    if (any) same.take(elsewhere);
    const int after = before[static_cast<size_t>(i)] + 1;
    if (after > 0 && after < i) induction.take(static_cast<double>(weight[after]));
  }
  return {previous.value(), next.value(), first.value(), diagonal.value(), same.value(), induction.value()};
}

double squares(const MatrixF64& m) {
  double sum = 0;
  for (double value : m.values()) sum += value * value;
  return sum;
}

}  // namespace

std::vector<HeadRoles> head_roles(const AttentionTrace& trace, std::span<const int> tokens) {
  HEADLIGHT_CHECK_OP(trace.T, ==, trace.S);
  HEADLIGHT_CHECK_OP(tokens.size(), ==, static_cast<size_t>(trace.T));
  std::vector<HeadRoles> roles;
  for (int head = 0; head < trace.heads; ++head) {
    roles.push_back(roles_of(
        tokens, [&](int i) { return trace.row_sum.at(head, i) != 0; },
        [&](int i) { return trace.weights.row(head, i).data(); }));
  }
  return roles;
}

std::vector<HeadRoles> head_roles(const Matrix& weights, std::span<const int> tokens,
                                  base::Parallel& parallel) {
  const int T = static_cast<int>(tokens.size());
  HEADLIGHT_CHECK_OP(weights.rows(), ==, T);
  HEADLIGHT_CHECK_OP(weights.cols(), ==, T);
  std::vector<HeadRoles> roles(static_cast<size_t>(weights.depth()));
  parallel.run(weights.depth(), [&](int head) {
    const auto row = [&](int i) { return weights.row(head, i).data(); };
    const auto any = [](float weight) { return weight != 0; };
    roles[static_cast<size_t>(head)] = roles_of(
        tokens, [&](int i) { return std::any_of(row(i), row(i) + T, any); }, row);
  });
  return roles;
}

HeadRoles head_roles(std::span<const double> map, std::span<const int> tokens) {
  const size_t T = tokens.size();
  HEADLIGHT_CHECK_OP(map.size(), ==, T * T);
  const auto row = [&](int i) { return map.data() + static_cast<size_t>(i) * T; };
  const auto any = [](double weight) { return weight != 0; };
  return roles_of(
      tokens, [&](int i) { return std::any_of(row(i), row(i) + T, any); }, row);
}

HeadRoles uniform_roles(std::span<const base::Interval> allowed, std::span<const int> tokens) {
  const int T = static_cast<int>(tokens.size());
  const auto keys = [&](int i) {
    return allowed.empty() ? base::Interval{0, T} : allowed[static_cast<size_t>(i)];
  };
  std::vector<double> row(tokens.size());
  return roles_of(
      tokens, [&](int i) { return keys(i).size() > 0; },
      [&](int i) {
        const base::Interval may = keys(i);
        for (int j = 0; j < T; ++j) row[static_cast<size_t>(j)] = may.has(j) ? 1.0 / may.size() : 0;
        return row.data();
      });
}

MatrixF64 head_similarity(const AttentionTrace& trace, base::Parallel& parallel) {
  const int H = trace.heads;
  const size_t plane = static_cast<size_t>(trace.T) * static_cast<size_t>(trace.S);
  MatrixF64 dots(H, H);
  parallel.run(H * H, [&](int task) {
    const int a = task / H, b = task % H;
    if (b < a) return;
    const float *x = trace.weights.plane(a), *y = trace.weights.plane(b);
    double dot = 0;
    for (size_t i = 0; i < plane; ++i) dot += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    dots.at(a, b) = dot;
    dots.at(b, a) = dot;
  });
  MatrixF64 cosine(H, H);
  for (int a = 0; a < H; ++a) {
    for (int b = 0; b < H; ++b) {
      const double norms = std::sqrt(dots.at(a, a) * dots.at(b, b));
      cosine.at(a, b) = norms == 0 ? nan : dots.at(a, b) / norms;
    }
  }
  return cosine;
}

MatrixF64 head_similarity(const AttentionTrace& a, const AttentionTrace& b, base::Parallel& parallel) {
  HEADLIGHT_CHECK_OP(a.T, ==, b.T);
  HEADLIGHT_CHECK_OP(a.S, ==, b.S);
  const size_t plane = static_cast<size_t>(a.T) * static_cast<size_t>(a.S);
  const auto dot = [&](const float* x, const float* y) {
    double sum = 0;
    for (size_t i = 0; i < plane; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    return sum;
  };
  std::vector<double> squares_of_b;
  for (int head = 0; head < b.heads; ++head)
    squares_of_b.push_back(dot(b.weights.plane(head), b.weights.plane(head)));
  MatrixF64 cosine(a.heads, b.heads);
  parallel.run(a.heads, [&](int head) {
    const float* x = a.weights.plane(head);
    const double square = dot(x, x);
    for (int other = 0; other < b.heads; ++other) {
      const double norms = std::sqrt(square * squares_of_b[static_cast<size_t>(other)]);
      cosine.at(head, other) = norms == 0 ? nan : dot(x, b.weights.plane(other)) / norms;
    }
  });
  return cosine;
}

std::vector<HeadEffect> head_effects(const AttentionTrace& trace, const AttentionWeights& weights) {
  std::vector<HeadEffect> effects;
  MatrixF64 total;
  double joined = 0;
  for (int head = 0; head < trace.heads; ++head) {
    const MatrixF64 part = contribution(trace, weights, head);
    const double square = squares(part);
    joined += square;
    effects.push_back({std::sqrt(square), 0});
    if (total.empty()) total = MatrixF64(part.rows(), part.cols());
    for (size_t i = 0; i < part.size(); ++i) total.data()[i] += part.data()[i];
  }
  // The bias belongs to no head, but it is part of the output that each head is compared with.
  for (int t = 0; !weights.b_o.empty() && t < total.rows(); ++t) {
    for (int c = 0; c < total.cols(); ++c)
      total.at(t, c) += static_cast<double>(weights.b_o.data()[static_cast<size_t>(c)]);
  }
  const double norm = std::sqrt(weights.w_o.empty() ? joined : squares(total));
  for (HeadEffect& effect : effects) effect.share = norm == 0 ? nan : effect.change / norm;
  return effects;
}

Matrix output_with_heads(const AttentionTrace& trace, const AttentionWeights& weights,
                         std::span<const unsigned char> on, base::Parallel& parallel) {
  HEADLIGHT_CHECK_OP(on.size(), ==, static_cast<size_t>(trace.heads));
  Matrix context = trace.context;
  for (int t = 0; t < trace.T; ++t) {
    for (int head = 0; head < trace.heads; ++head) {
      if (on[static_cast<size_t>(head)] != 0) continue;
      std::fill_n(context.row(t).data() + static_cast<size_t>(head) * static_cast<size_t>(trace.d_v),
                  static_cast<size_t>(trace.d_v), 0.0f);
    }
  }
  if (weights.w_o.empty()) return context;
  Matrix output;
  linear(context, weights.w_o, weights.b_o, parallel, output);
  return output;
}

}  // namespace headlight::nn
