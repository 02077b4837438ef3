#include "nn/relative.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "nn/linear.h"
#include "nn/reference_variants.h"

namespace headlight::nn {

namespace {

using std::size_t;

/// Calls set(index, distance) for all T + S − 1 distances.
template <class F>
void each_distance(int T, int S, int first_query, F&& set) {
  for (int at = 0; at < T + S - 1; ++at) set(at, at - (T - 1) - first_query);
}

int clipped(int distance, int clip) {
  return std::clamp(distance, -clip, clip) + clip;
}

int clip_of(const Matrix& table) {
  HEADLIGHT_CHECK_OP(table.rows() % 2, ==, 1);
  return (table.rows() - 1) / 2;
}

/// Sums the weights of a row by the clipped distance of their keys: out[c] += weight[j].
template <class E>
void sum_by_distance(const E* weight, int S, int query, int clip, std::vector<E>& out) {
  std::fill(out.begin(), out.end(), E(0));
  for (int j = 0; j < S; ++j) out[static_cast<size_t>(clipped(j - query, clip))] += weight[j];
}

/// add[head, i, j] += q_i · rel_k[c] · scale for all pairs.
template <class E>
void add_key_part(const Tensor<E>& q, int heads, const Matrix& rel_k, E scale, int first_query,
                  base::Parallel& parallel, Tensor<E>& add) {
  const int d = q.cols() / heads, clip = clip_of(rel_k), S = add.cols(), T = add.rows();
  HEADLIGHT_CHECK_OP(rel_k.cols(), ==, d);
  parallel.run(T, [&](int i) {
    std::vector<E> products(static_cast<size_t>(rel_k.rows()));
    for (int head = 0; head < heads; ++head) {
      const E* query = q.row(i).data() + head * d;
      for (int c = 0; c < rel_k.rows(); ++c) {
        const float* key = rel_k.row(c).data();
        E dot = 0;
        for (int n = 0; n < d; ++n) dot += query[n] * static_cast<E>(key[n]);
        products[static_cast<size_t>(c)] = dot * scale;
      }
      E* row = add.row(head, i).data();
      for (int j = 0; j < S; ++j) {
        row[j] += products[static_cast<size_t>(clipped(j - i - first_query, clip))];
      }
    }
  });
}

/// context[i] += Σ_j weights[head, i, j] · rel_v[c].
template <class E>
void add_value_part(const Tensor<E>& weights, const Matrix& rel_v, int first_query, base::Parallel& parallel,
                    Tensor<E>& context) {
  const int heads = weights.depth(), d = context.cols() / heads, clip = clip_of(rel_v), S = weights.cols();
  HEADLIGHT_CHECK_OP(rel_v.cols(), ==, d);
  parallel.run(weights.rows(), [&](int i) {
    std::vector<E> mass(static_cast<size_t>(rel_v.rows()));
    for (int head = 0; head < heads; ++head) {
      sum_by_distance(weights.row(head, i).data(), S, i + first_query, clip, mass);
      E* row = context.row(i).data() + head * d;
      for (int c = 0; c < rel_v.rows(); ++c) {
        const float* value = rel_v.row(c).data();
        for (int n = 0; n < d; ++n) row[n] += mass[static_cast<size_t>(c)] * static_cast<E>(value[n]);
      }
    }
  });
}

/// Copies the caller's added numbers to every head.
template <class E>
void start_from(const PairMask* given, Tensor<E>& add) {
  add.fill(E(0));
  if (given == nullptr || given->add.empty()) return;
  const size_t plane = static_cast<size_t>(add.rows()) * static_cast<size_t>(add.cols());
  for (int head = 0; head < add.depth(); ++head) {
    std::copy_n(given->add.plane(given->add.depth() == 1 ? 0 : head), plane, add.plane(head));
  }
}

}  // namespace

int t5_bucket(const T5Buckets& buckets, int relative) {
  int count = buckets.count, first = 0, distance = 0;
  if (buckets.bidirectional) {
    count /= 2;
    if (relative > 0) first = count;
    distance = std::abs(relative);
  } else {
    distance = std::max(0, -relative);
  }
  const int exact = count / 2;
  HEADLIGHT_CHECK_OP(exact, >=, 1);
  HEADLIGHT_CHECK_OP(buckets.max_distance, >, exact);
  if (distance < exact) return first + distance;
  const double part = std::log(static_cast<double>(distance) / exact) /
                      std::log(static_cast<double>(buckets.max_distance) / exact);
  return first + std::min(count - 1, exact + static_cast<int>(part * (count - exact)));
}

Matrix t5_bias(const T5Buckets& buckets, const Matrix& table, int T, int S, int first_query) {
  HEADLIGHT_CHECK_OP(table.rows(), ==, buckets.count);
  Matrix bias(table.cols(), std::max(0, T + S - 1));
  each_distance(T, S, first_query, [&](int at, int distance) {
    const int bucket = t5_bucket(buckets, distance);
    for (int head = 0; head < table.cols(); ++head) bias.at(head, at) = table.at(bucket, head);
  });
  return bias;
}

std::vector<double> alibi_slopes(int heads) {
  HEADLIGHT_CHECK_OP(heads, >=, 1);
  int power = 1;
  while (2 * power <= heads) power *= 2;
  std::vector<double> slopes;
  for (int n = 0; n < power; ++n) slopes.push_back(std::exp2(-8.0 * (n + 1) / power));
  for (int n = 0; static_cast<int>(slopes.size()) < heads; n += 2) {
    slopes.push_back(std::exp2(-8.0 * (n + 1) / (2 * power)));
  }
  return slopes;
}

template <class E>
Tensor<E> alibi_bias(int heads, int T, int S, int first_query) {
  const std::vector<double> slopes = alibi_slopes(heads);
  Tensor<E> bias(heads, std::max(0, T + S - 1));
  each_distance(T, S, first_query, [&](int at, int distance) {
    for (int head = 0; head < heads; ++head) {
      bias.at(head, at) = static_cast<E>(-slopes[static_cast<size_t>(head)] * std::abs(distance));
    }
  });
  return bias;
}

template <class E>
Tensor<E> spread(const Tensor<E>& by_distance, int T, int S) {
  HEADLIGHT_CHECK_OP(by_distance.cols(), ==, std::max(0, T + S - 1));
  Tensor<E> out;
  out.resize(by_distance.rows(), T, S);
  for (int head = 0; head < out.depth(); ++head) {
    for (int i = 0; i < T; ++i) {
      std::copy_n(by_distance.row(head).data() + (T - 1 - i), static_cast<size_t>(S),
                  out.row(head, i).data());
    }
  }
  return out;
}

Matrix shaw_bias(const Matrix& q, int heads, const Matrix& rel_k, float scale, int S, int first_query,
                 base::Parallel& parallel) {
  Matrix add(heads, q.rows(), S);
  add_key_part(q, heads, rel_k, scale, first_query, parallel, add);
  return add;
}

void add_shaw_values(const Matrix& weights, const Matrix& rel_v, int first_query, base::Parallel& parallel,
                     Matrix& context) {
  add_value_part(weights, rel_v, first_query, parallel, context);
}

void shaw_attention_forward(const Matrix& x, const Matrix& x_kv, const AttentionWeights& weights,
                            const ShawTables& tables, const AttentionOptions& options,
                            base::Parallel& parallel, PairMask& pairs, AttentionTrace& trace) {
  linear(x, weights.w_q, weights.b_q, parallel, trace.q);
  linear(x_kv, weights.w_k, weights.b_k, parallel, trace.k);
  linear(x_kv, weights.w_v, weights.b_v, parallel, trace.v);
  const int H = options.heads, T = x.rows(), S = x_kv.rows(), first_query = S - T;
  HEADLIGHT_CHECK(options.pairs != &pairs);
  pairs.allow = options.pairs != nullptr ? options.pairs->allow : Tensor<std::uint8_t>();
  pairs.add.resize(H, T, S);
  start_from(options.pairs, pairs.add);
  if (!tables.rel_k.empty()) {
    const double width = static_cast<double>(trace.q.cols()) / H;
    const double scale = options.divide_by_sqrt_d_k ? 1 / std::sqrt(width) : options.custom_scale;
    add_key_part(trace.q, H, tables.rel_k, static_cast<float>(scale / options.temperature), first_query,
                 parallel, pairs.add);
  }
  AttentionOptions with_pairs = options;
  with_pairs.pairs = &pairs;
  attention_from_qkv(with_pairs, parallel, trace);
  if (!tables.rel_v.empty()) {
    add_value_part(trace.weights, tables.rel_v, first_query, parallel, trace.context);
  }
  if (weights.w_o.empty()) {
    trace.output = trace.context;
  } else {
    linear(trace.context, weights.w_o, weights.b_o, parallel, trace.output);
  }
}

template <class E>
base::Result<Tensor<E>> add_learned_positions(const Tensor<E>& x, const Matrix& table, long offset) {
  HEADLIGHT_CHECK_OP(x.cols(), ==, table.cols());
  if (offset < 0 || offset > table.rows() - static_cast<long>(x.rows())) {
    return base::Error{"learned positions " + std::to_string(offset) + " to " +
                       std::to_string(offset + x.rows() - 1) + " are needed, but the table has rows 0 to " +
                       std::to_string(table.rows() - 1) + "; shorten the text or change the offset"};
  }
  Tensor<E> out = x;
  for (int i = 0; i < x.rows(); ++i) {
    const float* position = table.row(static_cast<int>(offset) + i).data();
    E* row = out.row(i).data();
    for (int c = 0; c < x.cols(); ++c) row[c] += static_cast<E>(position[c]);
  }
  return out;
}

template Tensor<float> alibi_bias(int, int, int, int);
template Tensor<double> alibi_bias(int, int, int, int);
template Tensor<float> spread(const Tensor<float>&, int, int);
template Tensor<double> spread(const Tensor<double>&, int, int);
template base::Result<Tensor<float>> add_learned_positions(const Tensor<float>&, const Matrix&, long);
template base::Result<Tensor<double>> add_learned_positions(const Tensor<double>&, const Matrix&, long);

}  // namespace headlight::nn
