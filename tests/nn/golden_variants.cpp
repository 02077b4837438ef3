// Families of the reference data beyond plain attention: positions inside attention, sparse patterns, linear
// attention, fast weights and Hopfield networks.
#include "nn/golden_attention.h"
#include "nn/golden_families.h"
#include "nn/hopfield.h"
#include "nn/linear_attention.h"
#include "nn/reference_variants.h"
#include "nn/relative.h"
#include "nn/rope.h"
#include "support/oracles.h"

namespace headlight::tests {

namespace {

using nn::Matrix;
using nn::MatrixF64;

/// The same computation in float32 and in double, each compared with its own bound.
template <class F>
void in_both(F&& run) {
  run(float{}, Precision::f32);
  run(double{}, Precision::f64);
}

/// Item `batch` of an array as float32, or in double.
template <class E>
nn::Tensor<E> item(const Array& array, int batch = 0) {
  if constexpr (std::is_same_v<E, float>) {
    return matrix(array, batch);
  } else {
    return matrix_f64(array, batch);
  }
}

/// Item `batch` of [B, H, T, d] as [T, H·d].
template <class E>
nn::Tensor<E> heads_beside(const Array& array, int batch) {
  const int H = array.dim(1), T = array.dim(2), d = array.dim(3);
  nn::Tensor<E> out(T, H * d);
  for (int head = 0; head < H; ++head) {
    for (int t = 0; t < T; ++t) {
      for (int c = 0; c < d; ++c) {
        const auto at = static_cast<std::size_t>(((batch * H + head) * T + t) * d + c);
        out.at(t, head * d + c) = static_cast<E>(array.values[at]);
      }
    }
  }
  return out;
}

void pos_learned(GoldenCase& c) {
  const Array x = c.input("x");
  const Matrix table = matrix(c.weight("table"));
  const long offset = c.params().at("offset");
  for (int batch = 0; batch < x.dim(0); ++batch) {
    in_both([&](auto element, Precision precision) {
      const auto in = item<decltype(element)>(x, batch);
      const auto out = nn::add_learned_positions(in, table, offset);
      ASSERT_TRUE(out) << c.id() << ": " << out.error();
      c.compare("output", flat(*out), precision, batch, x.dim(0));
      const long past = table.rows() - in.rows() + 1;
      const auto beyond = nn::add_learned_positions(in, table, past);
      ASSERT_FALSE(beyond) << c.id() << ": position " << past << " is past the table";
      EXPECT_NE(beyond.error().find("0 to " + std::to_string(table.rows() - 1)), std::string::npos);
    });
  }
}

nn::T5Buckets t5_of(const GoldenCase& c) {
  nn::T5Buckets buckets;
  buckets.bidirectional = c.params().at("bidirectional");
  buckets.count = c.params().at("num_buckets");
  buckets.max_distance = c.params().at("max_distance");
  return buckets;
}

void t5_bucket(GoldenCase& c) {
  std::vector<double> got;
  for (double relative : c.input("relative").values) {
    got.push_back(nn::t5_bucket(t5_of(c), static_cast<int>(relative)));
  }
  c.compare("bucket", got, Precision::f64);
}

/// Attention with a bias by distance; the float32 path on PairMask::add, the twin with the bias in double.
void attention_with_bias(GoldenCase& c, const Matrix& bias, const MatrixF64& bias_f64) {
  const Array x = c.input("x"), x_kv = c.has_input("x_kv") ? c.input("x_kv") : x;
  const nn::AttentionWeights weights = weights_of(c);
  const int batches = x.dim(0), T = x.dim(1), S = x_kv.dim(1);
  nn::PairMask pairs;
  pairs.add = nn::spread(bias, T, S);
  const MatrixF64 add_f64 = nn::spread(bias_f64, T, S);
  c.compare("bias", flat(pairs.add), Precision::f32);
  c.compare("bias", flat(add_f64), Precision::f64);
  for (int batch = 0; batch < batches; ++batch) {
    nn::AttentionOptions options = options_of(c);
    set_mask(c, batch, T, S, options.mask, pairs);
    options.pairs = &pairs;
    const Matrix queries = matrix(x, batch), keys = matrix(x_kv, batch);
    nn::AttentionTrace trace;
    nn::attention_forward(queries, keys, weights, options, threads(), trace);
    compare_trace(c, trace, options.heads, Precision::f32, batch, batches);
    const nn::AttentionTraceF64 twin =
        nn::biased_attention_forward_f64(nn::widened(queries), nn::widened(keys), weights, options, add_f64);
    compare_trace(c, twin, options.heads, Precision::f64, batch, batches);
  }
}

void t5_attention(GoldenCase& c) {
  const Array x = c.input("x"), x_kv = c.has_input("x_kv") ? c.input("x_kv") : x;
  const Matrix bias = nn::t5_bias(t5_of(c), matrix(c.weight("table")), x.dim(1), x_kv.dim(1));
  attention_with_bias(c, bias, nn::widened(bias));
}

void alibi_slopes(GoldenCase& c) {
  for (int heads : c.params().at("heads").get<std::vector<int>>()) {
    c.compare("slopes_" + std::to_string(heads), nn::alibi_slopes(heads), Precision::f64);
  }
}

void alibi_attention(GoldenCase& c) {
  const int T = c.params().at("T"), heads = c.params().at("heads");
  c.compare("slopes", nn::alibi_slopes(heads), Precision::f64);
  attention_with_bias(c, nn::alibi_bias<float>(heads, T, T), nn::alibi_bias<double>(heads, T, T));
}

nn::RopeSpec rope_of(const GoldenCase& c) {
  nn::RopeSpec spec;
  const std::string convention = c.params().at("convention");
  spec.pairs = convention == "half" ? nn::RopePairs::half : nn::RopePairs::interleaved;
  spec.rotary_dim = c.params().at("rotary_dim");
  spec.base = c.params().at("base");
  spec.offset = c.params().value("offset", 0L);
  return spec;
}

void rope(GoldenCase& c) {
  const Array x = c.input("x");
  for (int batch = 0; batch < x.dim(0); ++batch) {
    in_both([&](auto element, Precision precision) {
      auto turned = heads_beside<decltype(element)>(x, batch);
      nn::rotate(rope_of(c), x.dim(1), turned);
      c.compare("output", heads_first(turned, x.dim(1)), precision, batch, x.dim(0));
    });
  }
}

void rope_attention(GoldenCase& c) {
  const Array x = c.input("x");
  const nn::AttentionWeights weights = weights_of(c);
  for (int batch = 0; batch < x.dim(0); ++batch) {
    nn::AttentionOptions options = options_of(c);
    nn::PairMask pairs;
    set_mask(c, batch, x.dim(1), x.dim(1), options.mask, pairs);
    const Matrix in = matrix(x, batch);
    nn::AttentionTrace trace;
    nn::rope_attention_forward(in, in, weights, options, rope_of(c), threads(), trace);
    compare_trace(c, trace, options.heads, Precision::f32, batch, x.dim(0));
    const MatrixF64 in_f64 = nn::widened(in);
    nn::AttentionOptions turned = options;
    turned.rope = rope_of(c);
    const nn::AttentionTraceF64 twin = nn::attention_forward_f64(in_f64, in_f64, weights, turned);
    compare_trace(c, twin, options.heads, Precision::f64, batch, x.dim(0));
  }
}

void rope_relative(GoldenCase& c) {
  const Array pairs = c.input("pairs");
  in_both([&](auto element, Precision precision) {
    using E = decltype(element);
    std::vector<double> got;
    for (int n = 0; n < pairs.dim(0); ++n) {
      nn::Tensor<E> q = item<E>(c.input("q")), k = item<E>(c.input("k"));
      nn::rotate(rope_of(c), 1, q, static_cast<long>(pairs.values[static_cast<std::size_t>(2 * n)]));
      nn::rotate(rope_of(c), 1, k, static_cast<long>(pairs.values[static_cast<std::size_t>(2 * n + 1)]));
      E dot = 0;
      for (std::size_t i = 0; i < q.size(); ++i) dot += q.data()[i] * k.data()[i];
      got.push_back(static_cast<double>(dot));
    }
    c.compare("dot", got, precision);
  });
}

void relative_shaw(GoldenCase& c) {
  const Array x = c.input("x");
  const nn::AttentionWeights weights = weights_of(c);
  const nn::ShawTables tables{matrix(c.weight("rel_k")), matrix(c.weight("rel_v"))};
  for (int batch = 0; batch < x.dim(0); ++batch) {
    nn::AttentionOptions options = options_of(c);
    nn::PairMask pairs;
    const Matrix in = matrix(x, batch);
    nn::AttentionTrace trace;
    nn::shaw_attention_forward(in, in, weights, tables, options, threads(), pairs, trace);
    compare_trace(c, trace, options.heads, Precision::f32, batch, x.dim(0));
    const MatrixF64 in_f64 = nn::widened(in);
    compare_trace(c, nn::shaw_attention_forward_f64(in_f64, in_f64, weights, tables, options), options.heads,
                  Precision::f64, batch, x.dim(0));
  }
}

nn::Feature feature_of(const GoldenCase& c) {
  return c.params().at("feature") == "elu1" ? nn::Feature::elu1 : nn::Feature::identity;
}

void linear_attention(GoldenCase& c) {
  const Array q = c.input("q"), k = c.input("k"), v = c.input("v");
  nn::LinearAttentionOptions options;
  options.feature = feature_of(c);
  options.causal = c.params().at("causal");
  options.normalise = c.params().at("normalise");
  for (int batch = 0; batch < q.dim(0); ++batch) {
    in_both([&](auto element, Precision precision) {
      using E = decltype(element);
      const auto in_q = item<E>(q, batch), in_k = item<E>(k, batch), in_v = item<E>(v, batch);
      const nn::LinearAttentionTrace<E> trace = nn::linear_attention(in_q, in_k, in_v, options);
      const auto compare = [&](const char* name, const nn::Tensor<E>& got) {
        if (c.expects(name)) c.compare(name, flat(got), precision, batch, q.dim(0));
      };
      compare("phi_q", trace.phi_q);
      compare("phi_k", trace.phi_k);
      compare("state", trace.state);
      compare("z", trace.z);
      compare("denominator", trace.denominator);
      compare("output", trace.output);
      compare("output", nn::linear_attention_map(in_q, in_k, in_v, options).output);
    });
  }
}

void fast_weights(GoldenCase& c) {
  nn::FastWeightOptions options;
  options.feature = feature_of(c);
  in_both([&](auto element, Precision precision) {
    using E = decltype(element);
    const nn::FastWeightTrace<E> trace =
        nn::fast_weights(item<E>(c.input("q")), item<E>(c.input("k")), item<E>(c.input("v")), options);
    c.compare("states", flat(trace.states), precision);
    c.compare("y", flat(trace.y), precision);
  });
}

void hopfield(GoldenCase& c) {
  in_both([&](auto element, Precision precision) {
    using E = decltype(element);
    const nn::HopfieldTrace<E> trace = nn::hopfield(item<E>(c.input("patterns")), item<E>(c.input("probes")),
                                                    c.params().at("beta"), c.params().at("steps"));
    c.compare("states", flat(trace.states), precision);
    c.compare("weights", flat(trace.weights), precision);
    c.compare("energy", flat(trace.energy), precision);
    c.compare("energy_without_constants", flat(trace.energy_without_constants), precision);
  });
}

/// One Hopfield step from each query retrieves from the keys; attention reads the values with its weights.
void hopfield_attention(GoldenCase& c) {
  const double beta = c.params().at("beta");
  in_both([&](auto element, Precision precision) {
    using E = decltype(element);
    const nn::HopfieldTrace<E> trace = nn::hopfield(item<E>(c.input("k")), item<E>(c.input("q")), beta, 1);
    c.compare("weights", flat(trace.weights), precision);
    const std::vector<double> states = flat(trace.states);
    c.compare("retrieved", {states.begin() + static_cast<long>(states.size() / 2), states.end()}, precision);
  });
  nn::AttentionOptions options;
  options.divide_by_sqrt_d_k = false;
  options.custom_scale = beta;
  nn::AttentionTrace trace;
  trace.q = matrix(c.input("q")), trace.k = matrix(c.input("k")), trace.v = matrix(c.input("v"));
  const nn::AttentionTraceF64 twin = nn::attention_from_qkv_f64(trace.q, trace.k, trace.v, options);
  nn::attention_from_qkv(options, threads(), trace);
  for (const char* name : {"weights", "output"}) {
    const bool map = std::string(name) == "weights";
    c.compare(name, flat(map ? trace.weights : trace.output), Precision::f32);
    c.compare(name, flat(map ? twin.weights : twin.output), Precision::f64);
  }
}

void sparse(GoldenCase& c) {
  const Array x = c.input("x");
  const nn::AttentionWeights weights = weights_of(c);
  const int T = x.dim(1);
  for (int batch = 0; batch < x.dim(0); ++batch) {
    nn::AttentionOptions options = options_of(c);
    nn::PairMask pairs;
    set_mask(c, batch, T, T, options.mask, pairs);
    options.pairs = &pairs;
    if (c.expects("mask")) c.compare("mask", flat(pairs.allow), Precision::f64);
    const Matrix in = matrix(x, batch);
    nn::AttentionTrace trace;
    nn::attention_forward(in, in, weights, options, threads(), trace);
    compare_trace(c, trace, options.heads, Precision::f32, batch, x.dim(0));
    compare_trace(c, nn::attention_forward_f64(in, in, weights, options), options.heads, Precision::f64,
                  batch, x.dim(0));
  }
}

}  // namespace

const std::vector<Family>& variant_families() {
  static const std::vector<Family> list = {
      {"pos_learned", "", pos_learned},
      {"t5_bucket", "", t5_bucket},
      {"t5_attention", "", t5_attention},
      {"alibi_slopes", "", alibi_slopes},
      {"alibi_attention", "", alibi_attention},
      {"rope", "", rope},
      {"rope_attention", "", rope_attention},
      {"rope_relative", "", rope_relative},
      {"relative_shaw", "", relative_shaw},
      {"sparse", "", sparse},
      {"linear_attention", "", linear_attention},
      {"fast_weights", "", fast_weights},
      {"hopfield", "", hopfield},
      {"hopfield_attention", "", hopfield_attention},
  };
  return list;
}

}  // namespace headlight::tests
