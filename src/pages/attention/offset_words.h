// What is said of two queries whose weights are compared by offset (offsets.h computes the difference):
// whether they are the same, why they cannot be compared, and where a mask alone makes them differ. Tested in
// tests/scene/offsets_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "base/interval.h"

namespace headlight::scene {

/// Equal to three decimals, as they are shown; false when there is nothing to compare.
inline bool same_kernel(double difference) {
  return difference < 5e-4;
}

/// A row has weights if any weight is not 0: an allowed row sums to 1.
inline bool has_weights(std::span<const float> row) {
  return std::any_of(row.begin(), row.end(), [](float weight) { return weight != 0; });
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
              ? "The mask lets them attend to " + std::to_string(a.size()) + " and " +
                    std::to_string(b.size()) + (b.size() == 1 ? " key" : " keys")
              : "Of the shared offsets, the mask allows query " + std::to_string(i) + " " +
                    offset_words(of_a) + " and query " + std::to_string(j) + " " + offset_words(of_b)) +
         ", so their weights differ even with equal scores.";
}

}  // namespace headlight::scene
