#include "nn/sparse.h"

#include <algorithm>
#include <cstdlib>

#include "nn/random.h"

namespace headlight::nn {

namespace {

class Pattern {
 public:
  Pattern(const SparseSpec& spec, int T)
      : spec_(spec), global_(static_cast<std::size_t>(T), 0), blocks_((T + spec.block - 1) / spec.block) {
    for (int token : spec.global_tokens) {
      if (token >= 0 && token < T) global_[static_cast<std::size_t>(token)] = 1;
    }
  }

  bool allows(int i, int j) const {
    const int distance = std::abs(i - j);
    switch (spec_.kind) {
      case SparseKind::dilated_window:
        return distance <= static_cast<long long>(spec_.reach) * spec_.dilation &&
               distance % spec_.dilation == 0;
      case SparseKind::window_global:
        return distance <= spec_.reach || is_global(i) || is_global(j);
      case SparseKind::block_local:
        return i / spec_.block == j / spec_.block;
      case SparseKind::strided_causal:
        return j <= i && (distance < spec_.stride || distance % spec_.stride == 0);
      case SparseKind::fixed_causal:
        return j <= i &&
               (i / spec_.stride == j / spec_.stride || j % spec_.stride >= spec_.stride - spec_.summary);
      case SparseKind::block_random:
        return block_on(i / spec_.block, j / spec_.block);
    }
    return false;
  }

 private:
  bool is_global(int i) const { return global_[static_cast<std::size_t>(i)] != 0; }
  bool block_on(int row, int col) const {
    if (row == col || row == 0 || col == 0) return true;
    const auto index = static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(blocks_) +
                       static_cast<std::uint64_t>(col);
    return random_.uniform(index) < spec_.density;
  }

  const SparseSpec& spec_;
  std::vector<std::uint8_t> global_;
  int blocks_;
  Random random_{spec_.seed, 0x5BA5};
};

}  // namespace

Tensor<std::uint8_t> sparse_pattern(const SparseSpec& spec, int T) {
  HEADLIGHT_CHECK_OP(spec.reach, >=, 0);
  HEADLIGHT_CHECK_OP(spec.dilation, >=, 1);
  HEADLIGHT_CHECK_OP(spec.block, >=, 1);
  HEADLIGHT_CHECK_OP(spec.stride, >=, 1);
  HEADLIGHT_CHECK_OP(spec.summary, >=, 0);
  const Pattern pattern(spec, T);
  Tensor<std::uint8_t> allow;
  allow.resize(1, T, T);
  for (int i = 0; i < T; ++i) {
    for (int j = 0; j < T; ++j) allow.row(i)[static_cast<std::size_t>(j)] = pattern.allows(i, j) ? 1 : 0;
  }
  return allow;
}

}  // namespace headlight::nn
