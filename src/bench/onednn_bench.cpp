// The forward pass of attention_bench.cpp on oneDNN's primitives (batched matmul with strides, softmax), for
// comparison; names end in T/d/heads. OMP_NUM_THREADS sets oneDNN's number of threads.
#include <benchmark/benchmark.h>

#include <cmath>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

#include "nn/weights.h"

namespace headlight::nn {
namespace {

using Dims = dnnl::memory::dims;

struct Product {
  dnnl::matmul primitive{};
  dnnl::memory a, b, c;

  void run(dnnl::stream& stream) const {
    primitive.execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
  }
};

dnnl::memory view(const dnnl::engine& engine, const Dims& dims, const Dims& strides, Matrix& data) {
  return dnnl::memory({dims, dnnl::memory::data_type::f32, strides}, engine, data.data());
}

Product product(const dnnl::engine& engine, const dnnl::memory& a, const dnnl::memory& b,
                const dnnl::memory& c, float scale) {
  dnnl::primitive_attr attributes;
  if (scale != 1) attributes.set_output_scales(0, {scale});
  const dnnl::matmul::desc desc(a.get_desc(), b.get_desc(), c.get_desc());
  return {dnnl::matmul(dnnl::matmul::primitive_desc(desc, attributes, engine)), a, b, c};
}

void onednn(benchmark::State& state) {
  const auto T = static_cast<int>(state.range(0)), d = static_cast<int>(state.range(1)),
             heads = static_cast<int>(state.range(2));
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  AttentionWeights weights = random_attention_weights(d, d, 1);
  Matrix x(T, d), q(T, d), k(T, d), v(T, d), context(T, d), output(T, d), scores(heads, T, T);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = std::sin(static_cast<float>(i * i % 1009));

  const Dims flat{T, d}, square{d, d}, by_row{d, 1};
  auto matrix = [&](Matrix& m) { return view(engine, flat, by_row, m); };
  auto weight = [&](Matrix& m) { return view(engine, square, by_row, m); };
  const int width = d / heads;
  auto in_heads = [&](Matrix& m) { return view(engine, {heads, T, width}, {width, d, 1}, m); };
  const dnnl::memory keys = view(engine, {heads, width, T}, {width, 1, d}, k);
  const dnnl::memory square_scores = view(engine, {heads, T, T}, {T * T, T, 1}, scores);
  const std::vector<Product> before = {
      product(engine, matrix(x), weight(weights.w_q), matrix(q), 1),
      product(engine, matrix(x), weight(weights.w_k), matrix(k), 1),
      product(engine, matrix(x), weight(weights.w_v), matrix(v), 1),
      product(engine, in_heads(q), keys, square_scores, 1 / std::sqrt(static_cast<float>(width)))};
  const dnnl::softmax_forward::desc softmax_desc(dnnl::prop_kind::forward_inference, square_scores.get_desc(),
                                                 2);
  const dnnl::softmax_forward softmax(dnnl::softmax_forward::primitive_desc(softmax_desc, engine));
  const std::vector<Product> after = {
      product(engine, square_scores, in_heads(v), in_heads(context), 1),
      product(engine, matrix(context), weight(weights.w_o), matrix(output), 1)};
  for (auto _ : state) {
    for (const Product& step : before) step.run(stream);
    softmax.execute(stream, {{DNNL_ARG_SRC, square_scores}, {DNNL_ARG_DST, square_scores}});
    for (const Product& step : after) step.run(stream);
    stream.wait();
    benchmark::DoNotOptimize(output.data());
  }
}
BENCHMARK(onednn)
    ->Args({22, 32, 4})
    ->Args({64, 64, 4})
    ->Args({128, 128, 8})
    ->Args({256, 256, 8})
    ->Args({1024, 64, 1})
    ->Args({1024, 512, 8})
    ->Args({4096, 512, 8})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

}  // namespace
}  // namespace headlight::nn
