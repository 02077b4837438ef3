// A scene of the Order page with its results, and its drawing.
#pragma once

#include <string>
#include <vector>

#include "kit/page_input.h"
#include "lab_fixture.h"
#include "pages/order/order.h"
#include "pages/order/view/page.h"

namespace headlight::views::order_page_test {

/// With positions the rows of another order change; without, and without a mask, they do not.
enum class Positions { none, added };

struct OrderFixture : AttentionFixture {
  explicit OrderFixture(const Case& what = {}, const std::vector<int>& order = {},
                        Positions positions = Positions::none)
      : AttentionFixture(with_order(what, order, positions)) {
    scene.head = {1};
  }
  static Case with_order(Case what, const std::vector<int>& order, Positions positions) {
    what.page = scene::Page::order;
    std::string list;
    for (const int token : order) list += (list.empty() ? "" : ",") + std::to_string(token);
    what.settings.push_back("order_permutation=" + list);
    what.settings.push_back(positions == Positions::added ? "position=sinusoidal" : "position=none");
    return what;
  }
  Drawn draw_at(float width, float height) { return drawn(order_page, input(), width, height); }
  const scene::OrderResults& order() const { return *results.own_as<scene::OrderResults>(); }
};

inline const std::vector<int> anagram = {5, 0, 3, 2, 1, 4};

struct Size {
  float width, height;
};
inline constexpr Size sizes[] = {{640, 360},  {1050, 590},  {1340, 850},
                                 {1536, 960}, {2400, 1400}, {3600, 2000}};

}  // namespace headlight::views::order_page_test
