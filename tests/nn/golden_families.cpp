#include "nn/golden_families.h"

#include <algorithm>

#include "nn/golden_attention.h"
#include "nn/positional.h"
#include "nn/reference.h"
#include "support/oracles.h"

namespace headlight::tests {

namespace {

using nn::Matrix;
using nn::MatrixF64;

/// Row by row, 1 where a query reads nothing.
template <class E>
std::vector<double> rows_of_zeros(const nn::Tensor<E>& weights) {
  std::vector<double> out;
  for (int n = 0; n < weights.depth(); ++n) {
    for (int r = 0; r < weights.rows(); ++r) {
      const auto row = weights.row(n, r);
      out.push_back(std::all_of(row.begin(), row.end(), [](E a) { return a == 0; }) ? 1 : 0);
    }
  }
  return out;
}

/// Attention from x and weights; every batch item by itself, in float32 and in double.
void attention(GoldenCase& c) {
  const Array x = c.input("x"), x_kv = c.has_input("x_kv") ? c.input("x_kv") : x;
  const nn::AttentionWeights weights = weights_of(c);
  const int batches = x.dim(0), T = x.dim(1), S = x_kv.dim(1);
  for (int batch = 0; batch < batches; ++batch) {
    nn::AttentionOptions options = options_of(c);
    nn::PairMask pairs;
    set_mask(c, batch, T, S, options.mask, pairs);
    if (!pairs.allow.empty() || !pairs.add.empty()) options.pairs = &pairs;
    const Matrix queries = matrix(x, batch), keys = matrix(x_kv, batch);
    nn::AttentionTrace trace;
    nn::attention_forward(queries, keys, weights, options, threads(), trace);
    compare_trace(c, trace, options.heads, Precision::f32, batch, batches);
    const nn::AttentionTraceF64 twin = nn::attention_forward_f64(queries, keys, weights, options);
    compare_trace(c, twin, options.heads, Precision::f64, batch, batches);
    if (c.expects("blocked_rows")) {
      c.compare("blocked_rows", rows_of_zeros(trace.weights), Precision::f32, batch, batches);
      c.compare("blocked_rows", rows_of_zeros(twin.weights), Precision::f64, batch, batches);
    }
  }
}

/// Attention from given q, k, v.
void run_from_qkv(GoldenCase& c, const Array& q, const Array& k, const Array& v) {
  const int batches = q.rank() == 3 ? q.dim(0) : 1;
  for (int batch = 0; batch < batches; ++batch) {
    nn::AttentionTrace trace;
    trace.q = matrix(q, batch), trace.k = matrix(k, batch), trace.v = matrix(v, batch);
    nn::AttentionOptions options;
    options.keep_scores = true;
    if (c.params().contains("scaling")) options = options_of(c);
    nn::PairMask pairs;
    set_mask(c, batch, trace.q.rows(), trace.k.rows(), options.mask, pairs);
    if (!pairs.allow.empty() || !pairs.add.empty()) options.pairs = &pairs;
    const nn::AttentionTraceF64 twin = nn::attention_from_qkv_f64(trace.q, trace.k, trace.v, options);
    nn::attention_from_qkv(options, threads(), trace);
    const auto compare = [&](const char* name, const Matrix& fast, const MatrixF64& exact) {
      if (!c.expects(name)) return;
      c.compare(name, flat(fast), Precision::f32, batch, batches);
      c.compare(name, flat(exact), Precision::f64, batch, batches);
    };
    compare("scores", trace.scores, twin.scores);
    compare("weights", trace.weights, twin.weights);
    compare("output", trace.output, twin.output);
  }
}

void sdpa(GoldenCase& c) {
  run_from_qkv(c, c.input("q"), c.input("k"), c.input("v"));
}

/// The last rows alone, over all keys, are the last rows of the whole.
void causal_cache(GoldenCase& c) {
  attention(c);
  const Array x = c.input("x");
  const int T = x.dim(1), fresh = c.params().at("new_tokens");
  for (int batch = 0; batch < x.dim(0); ++batch) {
    const Matrix all = matrix(x, batch);
    Matrix last(fresh, all.cols());
    std::copy_n(all.row(T - fresh).data(), last.size(), last.data());
    nn::AttentionOptions options = options_of(c);
    options.mask.causal = true;
    nn::AttentionTrace trace;
    nn::attention_forward(last, all, weights_of(c), options, threads(), trace);
    const nn::AttentionTraceF64 twin = nn::attention_forward_f64(last, all, weights_of(c), options);
    c.compare("new_output", flat(trace.output), Precision::f32, batch, x.dim(0));
    c.compare("new_weights", flat(trace.weights), Precision::f32, batch, x.dim(0));
    c.compare("new_output", flat(twin.output), Precision::f64, batch, x.dim(0));
    c.compare("new_weights", flat(twin.weights), Precision::f64, batch, x.dim(0));
  }
}

nn::PositionalSpec positional_spec(const GoldenCase& c, int length, int width) {
  nn::PositionalSpec spec;
  spec.length = length;
  spec.width = width;
  spec.base = c.params().value("base", 10000.0);
  spec.offset = c.params().value("offset", 0L);
  return spec;
}

Matrix sinusoidal_f32(const nn::PositionalSpec& spec) {
  Matrix p;
  nn::sinusoidal(spec, threads(), p);
  return p;
}

template <class E>
nn::Tensor<E> sum(nn::Tensor<E> x, const nn::Tensor<E>& p) {
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] += p.data()[i];
  return x;
}

void pos_sinusoid(GoldenCase& c) {
  const Array x = c.input("x");
  const nn::PositionalSpec spec = positional_spec(c, x.dim(1), x.dim(2));
  const Matrix p = sinusoidal_f32(spec);
  const MatrixF64 p_f64 = nn::sinusoidal_f64(spec);
  c.compare("p", flat(p), Precision::f32);
  c.compare("p", flat(p_f64), Precision::f64);
  for (int batch = 0; batch < x.dim(0); ++batch) {
    c.compare("output", flat(sum(matrix(x, batch), p)), Precision::f32, batch, x.dim(0));
    c.compare("output", flat(sum(matrix_f64(x, batch), p_f64)), Precision::f64, batch, x.dim(0));
  }
}

void pos_sinusoid_far(GoldenCase& c) {
  const Array positions = c.input("positions");
  std::vector<double> p, p_f64;
  for (double position : positions.values) {
    nn::PositionalSpec spec = positional_spec(c, 1, c.params().at("d_model"));
    spec.offset = static_cast<long>(position);
    const std::vector<double> row = flat(sinusoidal_f32(spec)), row_f64 = flat(nn::sinusoidal_f64(spec));
    p.insert(p.end(), row.begin(), row.end());
    p_f64.insert(p_f64.end(), row_f64.begin(), row_f64.end());
  }
  c.compare("p", p, Precision::f32);
  c.compare("p", p_f64, Precision::f64);
}

void pos_concat(GoldenCase& c) {
  const Array x = c.input("x");
  const nn::PositionalSpec spec = positional_spec(c, x.dim(1), c.params().at("d_pos"));
  const Matrix p = sinusoidal_f32(spec);
  const MatrixF64 p_f64 = nn::sinusoidal_f64(spec);
  for (int batch = 0; batch < x.dim(0); ++batch) {
    const MatrixF64 content = matrix_f64(x, batch);
    std::vector<double> joined, joined_f64;
    for (int t = 0; t < spec.length; ++t) {
      for (std::vector<double>* row : {&joined, &joined_f64})
        row->insert(row->end(), content.row(t).begin(), content.row(t).end());
      joined.insert(joined.end(), p.row(t).begin(), p.row(t).end());
      joined_f64.insert(joined_f64.end(), p_f64.row(t).begin(), p_f64.row(t).end());
    }
    c.compare("output", joined, Precision::f32, batch, x.dim(0));
    c.compare("output", joined_f64, Precision::f64, batch, x.dim(0));
  }
}

void sinusoid_rotation(GoldenCase& c) {
  const Array triples = c.input("triples");
  const int d = c.params().at("d_model");
  const std::vector<double> omega = nn::frequencies(d, c.params().at("base"));
  std::vector<double> from, to, from_f32, to_f32, matrices, turned;
  for (int n = 0; n < triples.dim(0); ++n) {
    const auto at = [&](int k) {
      return static_cast<int>(triples.values[static_cast<std::size_t>(3 * n + k)]);
    };
    const int i = at(0), delta = at(1), j = at(2);
    nn::PositionalSpec spec = positional_spec(c, 1, d);
    const auto pair = [&](int position, std::vector<double>& f64, std::vector<double>& f32) {
      spec.offset = position;
      const MatrixF64 row = nn::sinusoidal_f64(spec);
      const Matrix row_f32 = sinusoidal_f32(spec);
      for (int column : {2 * j, 2 * j + 1}) {
        f64.push_back(row.at(0, column));
        f32.push_back(static_cast<double>(row_f32.at(0, column)));
      }
    };
    pair(i, from, from_f32);
    pair(i + delta, to, to_f32);
    const nn::Rotation r = nn::rotation(delta, omega[static_cast<std::size_t>(j)]);
    for (const auto& row : r) {
      matrices.insert(matrices.end(), row.begin(), row.end());
      turned.push_back(row[0] * from[from.size() - 2] + row[1] * from.back());
    }
  }
  c.compare("from", from, Precision::f64);
  c.compare("to", to, Precision::f64);
  c.compare("to", turned, Precision::f64);  // R(δ ω) p(i) = p(i + δ)
  c.compare("from", from_f32, Precision::f32);
  c.compare("to", to_f32, Precision::f32);
  c.compare("matrix", matrices, Precision::f64);
}

void softmax(GoldenCase& c) {
  const Array x = c.input("x");
  const Matrix in = matrix(x);
  Matrix y(in.rows(), in.cols());
  nn::softmax_rows(in.data(), y.data(), in.rows(), in.cols(), threads());
  c.compare("y", flat(y), Precision::f32);
  c.compare("y", flat(nn::softmax_rows_f64(in)), Precision::f64);
}

/// attention(x[perm]) against attention(x); with positions, those stay where they are while the tokens move.
void permutation(GoldenCase& c) {
  const Array perm = c.input("perm"), x = c.input("x");
  const Matrix tokens = matrix(x);
  const int T = tokens.rows(), d = tokens.cols();
  Matrix moved(T, d);
  for (int t = 0; t < T; ++t) {
    const auto from = tokens.row(static_cast<int>(perm.values[static_cast<std::size_t>(t)]));
    std::copy(from.begin(), from.end(), moved.row(t).begin());
  }
  const bool positions = c.params().value("sinusoid_added", false);
  const nn::PositionalSpec spec = positional_spec(c, T, d);
  const nn::AttentionOptions options = options_of(c);
  const nn::AttentionWeights weights = weights_of(c);
  const auto run = [&](const Matrix& order, const char* output, const char* map) {
    Matrix in = order;
    MatrixF64 in_f64(T, d);
    std::copy_n(order.data(), order.size(), in_f64.data());
    if (positions) in = sum(in, sinusoidal_f32(spec)), in_f64 = sum(in_f64, nn::sinusoidal_f64(spec));
    nn::AttentionTrace trace;
    nn::attention_forward(in, in, weights, options, threads(), trace);
    const nn::AttentionTraceF64 twin = nn::attention_forward_f64(in_f64, in_f64, weights, options);
    c.compare(output, flat(trace.output), Precision::f32);
    c.compare(map, flat(trace.weights), Precision::f32);
    c.compare(output, flat(twin.output), Precision::f64);
    c.compare(map, flat(twin.weights), Precision::f64);
  };
  run(tokens, "output", "weights");
  run(moved, "output_of_permuted", "weights_of_permuted");
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> list = [] {
    std::vector<Family> all = {
        {"sdpa", "", sdpa},
        {"sdpa_stability", "", sdpa},
        {"single_head", "", attention},
        {"mha", "", attention},
        {"mask_causal", "", attention},
        {"mask_padding", "", attention},
        {"mask_padding_2d", "", attention},
        {"mask_causal_padding", "", attention},
        {"mask_window", "", attention},
        {"mask_explicit", "", attention},
        {"mask_additive", "", attention},
        {"mask_fully_blocked", "", attention},
        {"cross", "", attention},
        {"cross_padding", "", attention},
        {"causal_cache", "", causal_cache},
        {"dropout_inference", "", attention},
        {"permutation", "", permutation},
        {"softmax", "", softmax},
        {"pos_sinusoid", "", pos_sinusoid},
        {"pos_sinusoid_far", "", pos_sinusoid_far},
        {"pos_concat", "", pos_concat},
        {"sinusoid_rotation", "", sinusoid_rotation},
    };
    for (const auto* more : {&variant_families(), &block_families()}) {
      all.insert(all.end(), more->begin(), more->end());
    }
    return all;
  }();
  return list;
}

}  // namespace headlight::tests
