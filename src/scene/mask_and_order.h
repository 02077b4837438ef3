// The order of the tokens that a list names; and does a mask depend on positions? The answer follows from the
// keys that it allows at each position, and from an order of the tokens. Small enough to be inline. Tested in
// tests/scene/order_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "base/interval.h"
#include "pages/order/settings.h"

namespace headlight::scene {

/// True if some order of the first n tokens makes the mask let a token attend to other tokens: the mask is
/// not all pairs, no pair, or each token itself. keys[i]: those allowed at position i. O(n).
inline bool mask_depends_on_position(std::span<const base::Interval> keys, int n) {
  bool all = true, own = true, none = true;
  for (int position = 0; position < n; ++position) {
    const base::Interval k = base::intersect(keys[static_cast<std::size_t>(position)], {0, n});
    all = all && k.size() == n;
    own = own && k.size() == 1 && k.begin == position;
    none = none && k.size() == 0;
  }
  return !all && !own && !none;
}

/// True if, in this order, the mask lets some token attend to other tokens than in the order that was typed.
/// `order`[i] is the token at position i. O(n²) at most.
inline bool reads_others(std::span<const base::Interval> keys, const std::vector<int>& order) {
  const int n = static_cast<int>(order.size());
  for (int position = 0; position < n; ++position) {
    const auto token = static_cast<std::size_t>(order[static_cast<std::size_t>(position)]);
    const base::Interval now = base::intersect(keys[static_cast<std::size_t>(position)], {0, n}),
                         typed = base::intersect(keys[token], {0, n});
    if (now.size() != typed.size()) return true;
    for (int key = now.begin; now.size() < n && key < now.end; ++key) {
      if (!typed.has(order[static_cast<std::size_t>(key)])) return true;
    }
  }
  return false;
}

/// The order of n tokens that a list stands for: its tokens below n, then those that it does not name;
/// 0 … n − 1 when it names one twice.
inline std::vector<int> order_of(const std::vector<int>& list, int n) {
  std::vector<int> order;
  std::vector<bool> named(static_cast<std::size_t>(n), false);
  for (const int token : list) {
    if (token < 0 || token >= n) continue;
    if (named[static_cast<std::size_t>(token)]) {  // twice: the original order
      order.clear();
      named.assign(named.size(), false);
      break;
    }
    named[static_cast<std::size_t>(token)] = true;
    order.push_back(token);
  }
  for (int token = 0; token < n; ++token) {
    if (!named[static_cast<std::size_t>(token)]) order.push_back(token);
  }
  return order;
}

}  // namespace headlight::scene
