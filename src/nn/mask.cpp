#include "nn/mask.h"

#include <algorithm>

#include "base/check.h"

namespace headlight::nn {

namespace {

/// Returns i + offset clamped to [0, S], whatever numbers the user typed.
int key_at(int i, long long offset, int S) {
  return static_cast<int>(std::clamp<long long>(static_cast<long long>(i) + offset, 0, S));
}

}  // namespace

std::vector<base::Interval> allowed_keys(const MaskSpec& mask, int T, int S) {
  HEADLIGHT_CHECK_OP(T, >=, 0);
  HEADLIGHT_CHECK_OP(S, >=, 0);
  std::vector<base::Interval> allowed(static_cast<std::size_t>(T));
  const int length = std::clamp(mask.valid_length.value_or(S), 0, S);
  for (int i = 0; i < T; ++i) {
    base::Interval keys{0, length};
    if (mask.causal) keys.end = std::min(keys.end, key_at(i, static_cast<long long>(S) - T + 1, S));
    if (mask.window_left) keys.begin = key_at(i, -static_cast<long long>(*mask.window_left), S);
    if (mask.window_right)
      keys.end = std::min(keys.end, key_at(i, static_cast<long long>(*mask.window_right) + 1, S));
    keys.end = std::max(keys.end, keys.begin);
    allowed[static_cast<std::size_t>(i)] = keys;
  }
  return allowed;
}

}  // namespace headlight::nn
