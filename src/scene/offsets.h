// Attention as a convolution whose kernel depends on the content: the weights of a query, read by the offset
// j − i of the key, are the kernel that it slides over the values. A convolution has one kernel for all
// positions; two queries of attention have two (Kamper, Self-attention and transformers: each head is similar
// to a kernel). Small enough to be in line. Tested in tests/scene/offsets_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "base/interval.h"
#include "scene/pinned.h"

namespace headlight::scene {

/// The pinned query that is asked, held to T tokens; without one the first.
inline int asked_query(const Scene& scene, int T) {
  return std::max(0, pinned(scene, T, T).asked);
}

/// The query beside `asked` of T: the scene's own, else the one that was pinned before, else the next; −1:
/// there is no other.
inline int other_query(const Scene& scene, int asked, int T) {
  if (asked < 0 || T < 2) return -1;
  if (scene.other_query >= 0 && scene.other_query < T && scene.other_query != asked) return scene.other_query;
  const Pinned there = pinned(scene, T, T);
  for (auto one = there.queries.rbegin(); one != there.queries.rend(); ++one) {
    if (*one != asked) return *one;
  }
  return asked + 1 < T ? asked + 1 : asked - 1;
}

/// Where two kernels differ most, among the offsets at which both have a key.
struct KernelDifference {
  int offset = 0;
  double difference = 0;  // |weight of query i − weight of query j|
};

/// To three decimals, as they are shown.
inline bool same_kernel(const KernelDifference& difference) {
  return difference.difference < 5e-4;
}

/// Where a mask leaves the two queries different numbers of keys, their weights differ even where every score
/// is the same: how many it leaves. Empty: as many.
inline std::string mask_words(const base::Interval& a, const base::Interval& b) {
  if (a.size() == b.size()) return {};
  return "The mask leaves them " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
         (b.size() == 1 ? " key" : " keys") +
         " to attend to: this alone makes their weights differ, whatever the content.";
}

/// `a` are the weights [S] of query i, `b` those of query j. A convolution would give 0.
inline KernelDifference kernel_difference(std::span<const float> a, int i, std::span<const float> b, int j) {
  KernelDifference found;
  const int S = static_cast<int>(std::min(a.size(), b.size()));
  for (int offset = -std::min(i, j); offset < S - std::max(i, j); ++offset) {
    const double difference = std::abs(static_cast<double>(a[static_cast<std::size_t>(i + offset)]) -
                                       static_cast<double>(b[static_cast<std::size_t>(j + offset)]));
    if (difference > found.difference) found = {offset, difference};
  }
  return found;
}

}  // namespace headlight::scene
