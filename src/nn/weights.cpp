#include "nn/weights.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "nn/random.h"

namespace headlight::nn {

namespace {

Matrix xavier(int fan_in, int fan_out, std::uint64_t seed, std::uint64_t stream) {
  Matrix w;
  w.resize(fan_in, fan_out);
  const Random random(seed, stream);
  const double a = std::sqrt(6.0 / (static_cast<double>(fan_in) + fan_out));
  std::vector<double> u(static_cast<std::size_t>(fan_out));
  for (int r = 0; r < fan_in; ++r) {
    random.uniforms(static_cast<std::uint64_t>(r) << 32, u);  // each row has its own 2^32 numbers
    const std::span<float> row = w.row(r);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = static_cast<float>(a * (2 * u[c] - 1));
  }
  return w;
}

}  // namespace

Matrix embed(const std::vector<Token>& tokens, int d_model, std::uint64_t seed) {
  HEADLIGHT_CHECK_OP(d_model, >=, 1);
  Matrix x;
  x.resize(static_cast<int>(tokens.size()), d_model);
  std::vector<int> first_row(static_cast<std::size_t>(distinct_tokens(tokens)), -1);
  for (int t = 0; t < x.rows(); ++t) {
    const Token& token = tokens[static_cast<std::size_t>(t)];
    int& first = first_row[static_cast<std::size_t>(token.id)];
    if (first >= 0) {
      const std::span<const float> same = x.row(first);
      std::copy(same.begin(), same.end(), x.row(t).begin());
      continue;
    }
    first = t;
    Random(seed, hash_text(token.text.data(), token.text.size())).normals(0, x.row(t));
  }
  return x;
}

AttentionWeights random_attention_weights(int d_in, int d_model, std::uint64_t seed) {
  HEADLIGHT_CHECK_OP(d_in, >=, 1);
  HEADLIGHT_CHECK_OP(d_model, >=, 1);
  AttentionWeights weights;
  weights.w_q = xavier(d_in, d_model, seed, 1);
  weights.w_k = xavier(d_in, d_model, seed, 2);
  weights.w_v = xavier(d_in, d_model, seed, 3);
  weights.w_o = xavier(d_model, d_model, seed, 4);
  return weights;
}

}  // namespace headlight::nn
