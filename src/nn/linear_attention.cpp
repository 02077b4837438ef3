#include "nn/linear_attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight::nn {

namespace {

template <class E>
E dot(const E* a, const E* b, int n) {
  E sum = 0;
  for (int c = 0; c < n; ++c) sum += a[c] * b[c];
  return sum;
}

/// The matrix that is written: Wᵀ [d_k, d_v], so that both loops run over adjacent values.
template <class E>
class Memory {
 public:
  Memory(int d_v, int d_k) : transposed_(d_k, d_v) {}

  /// W += a v φᵀ
  void write(E a, const E* v, const E* phi) {
    for (int r = 0; r < transposed_.rows(); ++r) {
      E* row = transposed_.row(r).data();
      const E factor = a * phi[r];
      for (int c = 0; c < transposed_.cols(); ++c) row[c] += factor * v[c];
    }
  }

  /// W = γ W
  void fade(E decay) {
    if (decay == E(1)) return;
    for (E& value : transposed_.values()) value *= decay;
  }

  /// out = W φ
  void read(const E* phi, E* out) const {
    std::fill_n(out, transposed_.cols(), E(0));
    for (int r = 0; r < transposed_.rows(); ++r) {
      const E* row = transposed_.row(r).data();
      for (int c = 0; c < transposed_.cols(); ++c) out[c] += phi[r] * row[c];
    }
  }

  /// Copies W to [d_v, d_k].
  void copy_to(E* w) const {
    for (int c = 0; c < transposed_.cols(); ++c) {
      for (int r = 0; r < transposed_.rows(); ++r) *w++ = transposed_.row(r)[static_cast<std::size_t>(c)];
    }
  }

 private:
  Tensor<E> transposed_;
};

template <class E>
void check_shapes(const Tensor<E>& q, const Tensor<E>& k, const Tensor<E>& v, bool causal) {
  HEADLIGHT_CHECK_OP(q.cols(), ==, k.cols());
  HEADLIGHT_CHECK_OP(k.rows(), ==, v.rows());
  if (causal) HEADLIGHT_CHECK_OP(q.rows(), ==, k.rows());
}

}  // namespace

template <class E>
Tensor<E> features(Feature feature, const Tensor<E>& x) {
  Tensor<E> phi = x;
  if (feature == Feature::elu1) {
    for (E& value : phi.values()) value = value > 0 ? value + 1 : std::exp(value);
  } else if (feature == Feature::unit) {
    for (int r = 0; r < phi.rows(); ++r) {
      const E norm = std::sqrt(dot(x.row(r).data(), x.row(r).data(), x.cols()));
      if (norm == 0) continue;
      for (E& value : phi.row(r)) value /= norm;
    }
  }
  return phi;
}

template <class E>
LinearAttentionTrace<E> linear_attention(const Tensor<E>& q, const Tensor<E>& k, const Tensor<E>& v,
                                         const LinearAttentionOptions& options) {
  check_shapes(q, k, v, options.causal);
  HEADLIGHT_CHECK(options.decay == 1 || options.causal);
  const int T = q.rows(), S = k.rows(), d_k = q.cols(), d_v = v.cols();
  const E decay = static_cast<E>(options.decay);
  LinearAttentionTrace<E> trace;
  trace.phi_q = features(options.feature, q);
  trace.phi_k = features(options.feature, k);
  Memory<E> memory(d_v, d_k);
  trace.z = Tensor<E>(1, d_k);
  trace.denominator = Tensor<E>(1, T);
  trace.output = Tensor<E>(T, d_v);
  const auto write = [&](int j) {
    const E* phi = trace.phi_k.row(j).data();
    memory.fade(decay);
    memory.write(E(1), v.row(j).data(), phi);
    if (options.decay != 1) {
      for (E& value : trace.z.values()) value *= decay;
    }
    for (int c = 0; c < d_k; ++c) trace.z.data()[c] += phi[c];
  };
  if (!options.causal) {
    for (int j = 0; j < S; ++j) write(j);
  }
  for (int i = 0; i < T; ++i) {
    if (options.causal) write(i);
    const E* phi = trace.phi_q.row(i).data();
    E* out = trace.output.row(i).data();
    memory.read(phi, out);
    const E denominator = dot(trace.z.data(), phi, d_k);
    trace.denominator.data()[i] = denominator;
    if (!options.normalise) continue;
    for (int c = 0; c < d_v; ++c) out[c] = denominator == 0 ? E(0) : out[c] / denominator;
  }
  trace.state = Tensor<E>(d_v, d_k);
  memory.copy_to(trace.state.data());
  return trace;
}

template <class E>
LinearAttentionMap<E> linear_attention_map(const Tensor<E>& q, const Tensor<E>& k, const Tensor<E>& v,
                                           const LinearAttentionOptions& options) {
  check_shapes(q, k, v, options.causal);
  HEADLIGHT_CHECK(options.decay == 1 || options.causal);
  const int T = q.rows(), S = k.rows();
  const Tensor<E> phi_q = features(options.feature, q), phi_k = features(options.feature, k);
  LinearAttentionMap<E> map;
  map.weights = Tensor<E>(T, S);
  map.output = Tensor<E>(T, v.cols());
  for (int i = 0; i < T; ++i) {
    E* weight = map.weights.row(i).data();
    const int end = options.causal ? i + 1 : S;
    E sum = 0;
    for (int j = 0; j < end; ++j) {
      weight[j] = dot(phi_q.row(i).data(), phi_k.row(j).data(), q.cols());
      if (options.decay != 1) weight[j] *= static_cast<E>(std::pow(options.decay, i - j));
      sum += weight[j];
    }
    E* out = map.output.row(i).data();
    for (int j = 0; j < end; ++j) {
      if (options.normalise) weight[j] = sum == 0 ? E(0) : weight[j] / sum;
      const E* value = v.row(j).data();
      for (int c = 0; c < v.cols(); ++c) out[c] += weight[j] * value[c];
    }
  }
  return map;
}

template <class E>
FastWeightTrace<E> fast_weights(const Tensor<E>& q, const Tensor<E>& k, const Tensor<E>& v,
                                const FastWeightOptions& options) {
  check_shapes(q, k, v, true);
  const int T = q.rows(), d_k = q.cols(), d_v = v.cols();
  FastWeightTrace<E> trace;
  trace.phi_q = features(options.feature, q);
  trace.phi_k = features(options.feature, k);
  trace.found = Tensor<E>(T, d_v);
  trace.y = Tensor<E>(T, d_v);
  trace.states = Tensor<E>(options.keep_states ? T : 1, d_v, d_k);
  Memory<E> memory(d_v, d_k);
  std::vector<E> change(static_cast<std::size_t>(d_v));
  for (int t = 0; t < T; ++t) {
    const E* key = trace.phi_k.row(t).data();
    E* found = trace.found.row(t).data();
    memory.fade(static_cast<E>(options.decay));
    memory.read(key, found);
    const E* value = v.row(t).data();
    for (int c = 0; c < d_v; ++c) {
      change[static_cast<std::size_t>(c)] = options.rule == WriteRule::delta ? value[c] - found[c] : value[c];
    }
    memory.write(static_cast<E>(options.beta), change.data(), key);
    memory.read(trace.phi_q.row(t).data(), trace.y.row(t).data());
    if (options.keep_states) memory.copy_to(trace.states.plane(t));
  }
  if (!options.keep_states) memory.copy_to(trace.states.data());
  return trace;
}

template <class E>
double fast_weight_residual(const Tensor<E>& q, const Tensor<E>& k, const Tensor<E>& v, Feature feature,
                            double decay) {
  FastWeightOptions written;
  written.feature = feature;
  written.keep_states = false;
  written.decay = decay;
  LinearAttentionOptions summed;
  summed.feature = feature, summed.causal = true, summed.normalise = false, summed.decay = decay;
  const Tensor<E> a = fast_weights(q, k, v, written).y, b = linear_attention_map(q, k, v, summed).output;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest =
        std::max(largest, std::fabs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i])));
  }
  return largest;
}

#define HEADLIGHT_FOR_ELEMENT(E)                                                                            \
  template Tensor<E> features(Feature, const Tensor<E>&);                                                   \
  template LinearAttentionTrace<E> linear_attention(const Tensor<E>&, const Tensor<E>&, const Tensor<E>&,   \
                                                    const LinearAttentionOptions&);                         \
  template LinearAttentionMap<E> linear_attention_map(const Tensor<E>&, const Tensor<E>&, const Tensor<E>&, \
                                                      const LinearAttentionOptions&);                       \
  template FastWeightTrace<E> fast_weights(const Tensor<E>&, const Tensor<E>&, const Tensor<E>&,            \
                                           const FastWeightOptions&);                                       \
  template double fast_weight_residual(const Tensor<E>&, const Tensor<E>&, const Tensor<E>&, Feature, double)

HEADLIGHT_FOR_ELEMENT(float);
HEADLIGHT_FOR_ELEMENT(double);
#undef HEADLIGHT_FOR_ELEMENT

}  // namespace headlight::nn
