#pragma once

#include <algorithm>

namespace headlight::base {

/// The integers begin, begin + 1, …, end - 1; empty when end <= begin.
struct Interval {
  int begin = 0;
  int end = 0;
  bool has(int i) const { return i >= begin && i < end; }
  int size() const { return std::max(0, end - begin); }
  bool operator==(const Interval&) const = default;
};

inline Interval intersect(Interval a, Interval b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

}  // namespace headlight::base
