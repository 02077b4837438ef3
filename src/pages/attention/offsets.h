// Attention as a convolution whose kernel depends on the content: the weights of a query, indexed by the
// offset j − i of the key, are the kernel that is applied to the values. A convolution has one kernel for all
// positions; in attention every query has its own (Kamper, Self-attention and transformers: each head is
// similar to a kernel). Small enough to be inline. Tested in tests/scene/offsets_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "base/interval.h"
#include "scene/pinned.h"

namespace headlight::scene {

/// The last pinned query, limited to T tokens; the first query when none is pinned.
inline int asked_query(const Scene& scene, int T) {
  return std::max(0, pinned(scene, T, T).asked);
}

/// The query that is compared with `asked`, among T: the scene's own, else the one pinned before it, else the
/// next; −1: there is no other query.
inline int other_query(const Scene& scene, int asked, int T) {
  if (asked < 0 || T < 2) return -1;
  if (scene.other_query >= 0 && scene.other_query < T && scene.other_query != asked) return scene.other_query;
  const Pinned there = pinned(scene, T, T);
  for (auto one = there.queries.rbegin(); one != there.queries.rend(); ++one) {
    if (*one != asked) return *one;
  }
  return asked + 1 < T ? asked + 1 : asked - 1;
}

/// The offset at which two kernels differ most, among those for which the sentence has a key for both
/// queries. NaN when there is nothing to compare: a query without weights, or weights that are not finite.
struct KernelDifference {
  int offset = 0;
  double difference = 0;  // |weight of query i − weight of query j|
};

/// Equal to three decimals, as they are shown; false when there is nothing to compare.
inline bool same_kernel(double difference) {
  return difference < 5e-4;
}

/// A row has weights if any weight is not 0: an allowed row sums to 1.
inline bool has_weights(std::span<const float> row) {
  return std::any_of(row.begin(), row.end(), [](float weight) { return weight != 0; });
}

/// Compares the weights `a` [S] of query i with the weights `b` of query j. For a convolution the difference
/// is 0.
inline KernelDifference kernel_difference(std::span<const float> a, int i, std::span<const float> b, int j) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (!has_weights(a) || !has_weights(b)) return {0, none};
  KernelDifference found;
  const int S = static_cast<int>(std::min(a.size(), b.size()));
  for (int offset = -std::min(i, j); offset < S - std::max(i, j); ++offset) {
    const double difference = std::abs(static_cast<double>(a[static_cast<std::size_t>(i + offset)]) -
                                       static_cast<double>(b[static_cast<std::size_t>(j + offset)]));
    if (!std::isfinite(difference)) return {0, none};
    if (difference > found.difference) found = {offset, difference};
  }
  return found;
}

/// Why the kernels of queries i and j, with this difference, cannot be compared; empty: they can.
inline std::string not_compared(std::span<const float> a, int i, std::span<const float> b, int j,
                                double difference) {
  const bool has_a = has_weights(a), has_b = has_weights(b);
  if (!has_a && !has_b) return "Neither query has weights to compare: every key is masked.";
  if (!has_a || !has_b)
    return "Query " + std::to_string(has_a ? j : i) + " has no weights to compare: every key is masked.";
  if (std::isnan(difference)) return "Some weights are not finite and cannot be compared.";
  return {};
}

/// "−5 … −4", "+1", "none".
inline std::string offset_words(const base::Interval& offsets) {
  const auto one = [](int offset) {
    return (offset < 0 ? "−" : offset > 0 ? "+" : "") + std::to_string(std::abs(offset));
  };
  if (offsets.size() == 0) return "none";
  return one(offsets.begin) + (offsets.size() == 1 ? "" : " … " + one(offsets.end - 1));
}

/// Says when a mask allows queries i and j different offsets or different numbers of keys, among the offsets
/// at which the sentence has a key for both: then their weights differ even if all scores are equal. `a` and
/// `b` are their allowed keys, out of S. Empty: it does not.
inline std::string masks_in_words(const base::Interval& a, int i, const base::Interval& b, int j, int S) {
  const base::Interval both{-std::min(i, j), S - std::max(i, j)};
  const base::Interval of_a = base::intersect({a.begin - i, a.end - i}, both),
                       of_b = base::intersect({b.begin - j, b.end - j}, both);
  const bool same_offsets = of_a == of_b || (of_a.size() == 0 && of_b.size() == 0);
  if (same_offsets && a.size() == b.size()) return {};
  return (same_offsets
              ? "The mask allows them " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                    (b.size() == 1 ? " key" : " keys") + " to attend to"
              : "Of the shared offsets, the mask allows query " + std::to_string(i) + " " +
                    offset_words(of_a) + " and query " + std::to_string(j) + " " + offset_words(of_b)) +
         ", so their weights differ even with equal scores.";
}

}  // namespace headlight::scene
