#include "nn/block.h"

#include <algorithm>
#include <cmath>

#include "nn/random.h"

namespace headlight::nn {

namespace {

using std::size_t;

void attend(const Matrix& x, const AttentionWeights& weights, const AttentionOptions& options,
            base::Parallel& parallel, AttentionTrace& trace) {
  attention_forward(x, x, weights, options, parallel, trace);
}
void attend(const MatrixF64& x, const AttentionWeights& weights, const AttentionOptions& options,
            base::Parallel&, AttentionTraceF64& trace) {
  trace = attention_forward_f64(x, x, weights, options);
}

template <class E>
void add(const Tensor<E>& a, const Tensor<E>& b, Tensor<E>& sum) {
  HEADLIGHT_CHECK_OP(a.rows(), ==, b.rows());
  HEADLIGHT_CHECK_OP(a.cols(), ==, b.cols());
  sum.resize(a.rows(), a.cols());
  for (size_t i = 0; i < a.size(); ++i) sum.data()[i] = a.data()[i] + b.data()[i];
}

Matrix filled(int cols, float value) {
  Matrix m(1, cols);
  m.fill(value);
  return m;
}

/// The streams of random_attention_weights() are 1 … 4; a layer has 16 of its own.
Matrix random_weight(int rows, int cols, BlockInit init, double shrink, std::uint64_t seed,
                     std::uint64_t stream) {
  Matrix w(rows, cols);
  const Random random(seed, stream);
  std::vector<double> uniform(static_cast<size_t>(cols));
  for (int r = 0; r < rows; ++r) {
    const std::uint64_t first = static_cast<std::uint64_t>(r) << 32;
    const std::span<float> row = w.row(r);
    if (init == BlockInit::normal_0_02) {
      random.normals(first, row);
      for (float& value : row) value *= static_cast<float>(0.02 * shrink);
    } else {
      random.uniforms(first, uniform);
      const double a = std::sqrt(6.0 / (static_cast<double>(rows) + cols));
      for (size_t c = 0; c < row.size(); ++c) row[c] = static_cast<float>(a * (2 * uniform[c] - 1));
    }
  }
  return w;
}

template <class E>
StageStatistics statistics_of(std::string stage, const Tensor<E>& x) {
  StageStatistics s;
  s.stage = std::move(stage);
  for (int t = 0; t < x.rows(); ++t) {
    double mean = 0, square = 0, about_mean = 0;
    for (E value : x.row(t)) mean += static_cast<double>(value);
    mean /= x.cols();
    for (E value : x.row(t)) {
      const double v = static_cast<double>(value);
      square += v * v, about_mean += (v - mean) * (v - mean);
    }
    s.mean += mean / x.rows();
    s.variance += about_mean / x.cols() / x.rows();
    s.norm += std::sqrt(square) / x.rows();
  }
  return s;
}

}  // namespace

template <class E>
void layer_norm(const Tensor<E>& x, const Matrix& gamma, const Matrix& beta, double eps, Tensor<E>& y) {
  const int D = x.cols();
  HEADLIGHT_CHECK_OP(gamma.size(), ==, static_cast<size_t>(D));
  HEADLIGHT_CHECK_OP(beta.size(), ==, static_cast<size_t>(D));
  if (&y != &x) y.resize(x.rows(), D);
  for (int t = 0; t < x.rows(); ++t) {
    const E* in = x.row(t).data();
    E* out = y.row(t).data();
    E mean = 0, variance = 0;
    for (int c = 0; c < D; ++c) mean += in[c];
    mean /= static_cast<E>(D);
    for (int c = 0; c < D; ++c) variance += (in[c] - mean) * (in[c] - mean);
    variance /= static_cast<E>(D);
    const E inverse = 1 / std::sqrt(variance + static_cast<E>(eps));
    for (int c = 0; c < D; ++c) {
      out[c] = (in[c] - mean) * inverse * static_cast<E>(gamma.data()[c]) + static_cast<E>(beta.data()[c]);
    }
  }
}

template <class E>
void encoder_block(const Tensor<E>& x, const BlockWeights& w, const BlockOptions& options,
                   base::Parallel& parallel, BlockTrace<E>& trace) {
  const bool pre = options.norm == NormPlace::pre, post = options.norm == NormPlace::post;
  const auto norm = [&](bool here, const Tensor<E>& from, const Matrix& gamma, const Matrix& beta,
                        Tensor<E>& to) {
    if (here) {
      layer_norm(from, gamma, beta, options.eps, to);
    } else {
      to = from;
    }
  };
  const auto join = [&](const Tensor<E>& stream, const Tensor<E>& more, Tensor<E>& sum) {
    if (options.residual) {
      add(stream, more, sum);
    } else {
      sum = more;
    }
  };
  trace.input = x;
  norm(pre, x, w.ln1_g, w.ln1_b, trace.attention_input);
  attend(trace.attention_input, w.attention, options.attention, parallel, trace.attention);
  join(x, trace.attention.output, trace.attention_sum);
  norm(post, trace.attention_sum, w.ln1_g, w.ln1_b, trace.after_attention);
  if (!options.feed_forward) {
    for (Tensor<E>* stage :
         {&trace.ffn_input, &trace.hidden, &trace.activated, &trace.ffn_output, &trace.ffn_sum})
      *stage = Tensor<E>();
    trace.output = trace.after_attention;
    return;
  }
  norm(pre, trace.after_attention, w.ln2_g, w.ln2_b, trace.ffn_input);
  linear(trace.ffn_input, w.w_1, w.b_1, parallel, trace.hidden);
  activate(options.activation, trace.hidden, parallel, trace.activated);
  linear(trace.activated, w.w_2, w.b_2, parallel, trace.ffn_output);
  join(trace.after_attention, trace.ffn_output, trace.ffn_sum);
  norm(post, trace.ffn_sum, w.ln2_g, w.ln2_b, trace.output);
}

template <class E>
void encoder_stack(const Tensor<E>& x, const StackWeights& weights, const BlockOptions& options,
                   base::Parallel& parallel, StackTrace<E>& trace) {
  trace.layers.resize(weights.layers.size());
  for (size_t n = 0; n < weights.layers.size(); ++n) {
    encoder_block(n == 0 ? x : trace.layers[n - 1].output, weights.layers[n], options, parallel,
                  trace.layers[n]);
  }
  const Tensor<E>& last = trace.layers.empty() ? x : trace.layers.back().output;
  if (weights.lnf_g.empty()) {
    trace.output = last;
  } else {
    layer_norm(last, weights.lnf_g, weights.lnf_b, options.eps, trace.output);
  }
}

StackWeights random_stack_weights(int layers, int d_model, int d_ff, BlockInit init, bool final_norm,
                                  std::uint64_t seed) {
  HEADLIGHT_CHECK_OP(layers, >=, 0);
  HEADLIGHT_CHECK_OP(d_model, >=, 1);
  HEADLIGHT_CHECK_OP(d_ff, >=, 1);
  StackWeights stack;
  const double shrink = 1 / std::sqrt(2.0 * std::max(1, layers));
  for (int layer = 0; layer < layers; ++layer) {
    const auto draw = [&](std::uint64_t matrix, int rows, int cols, double scale = 1) {
      return random_weight(rows, cols, init, scale, seed, 16 * static_cast<std::uint64_t>(layer) + matrix);
    };
    BlockWeights w;
    w.attention.w_q = draw(1, d_model, d_model);
    w.attention.w_k = draw(2, d_model, d_model);
    w.attention.w_v = draw(3, d_model, d_model);
    w.attention.w_o = draw(4, d_model, d_model, shrink);
    w.w_1 = draw(5, d_model, d_ff);
    w.w_2 = draw(6, d_ff, d_model, shrink);
    for (Matrix* b :
         {&w.attention.b_q, &w.attention.b_k, &w.attention.b_v, &w.attention.b_o, &w.b_2, &w.ln1_b, &w.ln2_b})
      *b = Matrix(1, d_model);
    w.b_1 = Matrix(1, d_ff);
    w.ln1_g = filled(d_model, 1), w.ln2_g = filled(d_model, 1);
    stack.layers.push_back(std::move(w));
  }
  if (final_norm) stack.lnf_g = filled(d_model, 1), stack.lnf_b = Matrix(1, d_model);
  return stack;
}

template <class E>
std::vector<StageStatistics> residual_statistics(const StackTrace<E>& trace, bool final_norm) {
  std::vector<StageStatistics> stages;
  if (!trace.layers.empty()) stages.push_back(statistics_of("input", trace.layers[0].input));
  for (size_t n = 0; n < trace.layers.size(); ++n) {
    const std::string layer = "layer " + std::to_string(n + 1);
    stages.push_back(statistics_of(layer + " attention", trace.layers[n].after_attention));
    if (!trace.layers[n].ffn_sum.empty())
      stages.push_back(statistics_of(layer + " feed-forward", trace.layers[n].output));
  }
  if (final_norm) stages.push_back(statistics_of("final norm", trace.output));
  return stages;
}

#define HEADLIGHT_FOR_ELEMENT(E)                                                                           \
  template void layer_norm(const Tensor<E>&, const Matrix&, const Matrix&, double, Tensor<E>&);            \
  template void encoder_block(const Tensor<E>&, const BlockWeights&, const BlockOptions&, base::Parallel&, \
                              BlockTrace<E>&);                                                             \
  template void encoder_stack(const Tensor<E>&, const StackWeights&, const BlockOptions&, base::Parallel&, \
                              StackTrace<E>&);                                                             \
  template std::vector<StageStatistics> residual_statistics(const StackTrace<E>&, bool)

HEADLIGHT_FOR_ELEMENT(float);
HEADLIGHT_FOR_ELEMENT(double);
#undef HEADLIGHT_FOR_ELEMENT

}  // namespace headlight::nn
