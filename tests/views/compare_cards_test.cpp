// The cards of the Compare page on roles and on heads that are switched off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "compare_fixture.h"
#include "kit/page_input.h"
#include "pages/compare/view/cards.h"

namespace headlight::views::compare_page_test {
namespace {

using draw::Part;

/// The card of switched heads has a screen of its own below the first one, and is no higher than it.
TEST(ComparePage, TheSwitchedHeadsFitTheirScreen) {
  for (const int heads : {4, 12, 24, 32}) {
    CompareFixture f({6, heads, 2, false, {}});
    for (const Size size : {Size{1200, 560}, Size{1200, 850}, Size{900, 560}, Size{1900, 1000}}) {
      draw::RecordCanvas measure;
      draw::PickCanvas pick({-1e6f, -1e6f}, measure);
      compare_page(pick, {0, 0, size.width, size.height}, f.input());
      for (const auto& card : pick.panels()) {
        if (card.name == "off")
          EXPECT_LE(card.box.h, size.height) << heads << " heads, " << size.width << "×" << size.height;
      }
    }
  }
}

/// What is furthest above uniform attention, not what is largest: several keys together, or one that every
/// head of this mask attends to, are large by themselves.
TEST(ComparePage, ARoleIsNamedOnlyWithItsNumberAndOnlyAboveUniform) {
  const double none = std::nan("");
  nn::HeadRoles uniform = {0.2, 0.2, 0.2, 0.2, 0.6};
  EXPECT_EQ(strongest_role(uniform, {0.94, 0.1, 0.2, 0.3, none}), "previous token 0.940, uniform 0.200");
  EXPECT_EQ(strongest_role(uniform, {0.1, 0.2, 0.3, 0.4, 0.5}), "itself 0.400, uniform 0.200");
  EXPECT_EQ(strongest_role(uniform, {0.2, 0.2, 0.2, 0.2, 0.6}), "no target far above uniform");
  EXPECT_EQ(strongest_role(uniform, {0.1, 0.0, 0.2, 0.1, none}), "no target far above uniform");
  EXPECT_EQ(strongest_role(uniform, {0.1, 0.0, 0.2, 0.1, none}, false), "no target far above uniform");
  uniform = {0.1, 0.1, 0.1, 0.1, none};
  EXPECT_EQ(strongest_role(uniform, {0.1, 0.1, 0.111, 0.1, none}), "no target far above uniform");
  EXPECT_EQ(strongest_role(uniform, {0.1, 0.1, 0.2, 0.1, none}), "first token 0.200, uniform 0.100");
  uniform = {none, none, none, 0.5, none};
  EXPECT_EQ(strongest_role(uniform, {none, none, none, 1, none}), "itself 1.000, uniform 0.500");
  uniform = {none, none, none, 1, none};
  EXPECT_EQ(strongest_role(uniform, {none, none, none, 1, none}), "itself 1.000, the only key");
  EXPECT_EQ(strongest_role(uniform, {none, none, none, 1, none}, false), "itself 1.000");
  uniform = {none, none, none, none, none};
  EXPECT_EQ(strongest_role(uniform, {none, none, none, none, none}), "");
  EXPECT_EQ(mean_weight_text(0.0042), "0.004");
  EXPECT_EQ(mean_weight_text(0.0962), "0.096");
  EXPECT_EQ(mean_weight_text(0.00012), "<0.001");
}

TEST(ComparePage, TheTableHoldsEveryRoleOfEveryHead) {
  CompareFixture f;
  Drawn page = f.draw_at(1340, 850);
  for (const nn::HeadRoles& roles : f.compared().roles) {
    for (int i = 0; i < role_count; ++i) {
      const double value = roles.*role_column(i).value;
      EXPECT_TRUE(says(page.canvas, std::isnan(value) ? "–" : mean_weight_text(value)));
    }
    EXPECT_TRUE(says(page.canvas, strongest_role(f.compared().uniform, roles, false)));
  }
  // What the mask leaves no weight is no measurement of a head.
  EXPECT_FALSE(says(page.canvas, "masked"));
  CompareFixture causal({.mask = {.causal = true}});
  ASSERT_EQ(causal.compared().uniform.next, 0);
  page = causal.draw_at(1340, 850);
  EXPECT_TRUE(says(page.canvas, "masked"));
  EXPECT_FALSE(says(page.canvas, mean_weight_text(0)));
}

TEST(ComparePage, HeadsAreSwitchedOffAndOnAgain) {
  CompareFixture f({}, 0, 1, {1, 3});
  const Drawn page = f.draw_at(1340, 850);
  EXPECT_EQ(control(page.canvas, "switch 1").set, "bench_off=1,2,4");
  EXPECT_EQ(control(page.canvas, "switch 2").set, "bench_off=4");
  EXPECT_EQ(control(page.canvas, "all off").set, "bench_off=1,2,3,4");
  EXPECT_EQ(control(page.canvas, "all on").set, "bench_off=");
  // Against the layer without them: its other heads' columns through W_O.
  const nn::AttentionTrace& trace = f.results.attention;
  double changed = 0, whole = 0;
  for (int t = 0; t < trace.T; ++t) {
    for (int c = 0; c < trace.output.cols(); ++c) {
      double lost = 0;
      for (const int head : {1, 3}) {
        for (int v = head * trace.d_v; v < (head + 1) * trace.d_v; ++v)
          lost += static_cast<double>(trace.context.at(t, v)) *
                  static_cast<double>(f.results.weights->w_o.at(v, c));
      }
      changed += lost * lost;
      whole += static_cast<double>(trace.output.at(t, c)) * static_cast<double>(trace.output.at(t, c));
    }
  }
  EXPECT_TRUE(says(page.canvas, "2 heads are off: the output changes by " +
                                    fixed(std::sqrt(changed / whole), 3) + " of its norm"));
  EXPECT_TRUE(says(page.canvas, fixed(std::sqrt(changed), 3) + " in all"));
  for (const nn::HeadEffect& effect : f.compared().effects)
    EXPECT_TRUE(says(page.canvas, fixed(effect.share, 3)));
}

TEST(ComparePage, BarsOfManyTokensHaveNumbersAndWholeUnits) {
  Case what;
  what.tokens = 120;
  CompareFixture f(what, 0, 1, {1});
  const Drawn page = f.draw_at(1340, 3000);
  int bars = 0;
  for (std::size_t i = 0; i < page.canvas.lines.size(); ++i) {
    const std::string& line = page.canvas.lines[i];
    if (line.find("token change ") == std::string::npos || i + 1 >= page.canvas.lines.size()) continue;
    draw::Box box;
    if (std::sscanf(page.canvas.lines[i + 1].c_str(), "rect %f %f %f %f", &box.x, &box.y, &box.w, &box.h) !=
        4)
      continue;
    ++bars;
    EXPECT_EQ(box.x, std::round(box.x));
    EXPECT_EQ(box.w, std::round(box.w));
  }
  EXPECT_EQ(bars, 120);
}

TEST(ComparePage, OfManyHeadsThoseThatAreMissedMost) {
  CompareFixture f({6, 256, 2, false, {}}, 200, 7);
  const PageInput in = f.input();
  draw::RecordCanvas canvas;
  const Selection selection = select(in);
  const Sheet sheet{Pen{canvas, in.theme, nullptr}, in, selection};
  const CompareView view(sheet, f.compared());
  const std::vector<int> listed = listed_heads(view, most_listed_heads);
  ASSERT_EQ(listed.size(), static_cast<std::size_t>(most_listed_heads));
  EXPECT_TRUE(std::is_sorted(listed.begin(), listed.end()));
  EXPECT_TRUE(std::count(listed.begin(), listed.end(), 200));
  EXPECT_TRUE(std::count(listed.begin(), listed.end(), 7));
  double least = 1e9, most = 0;
  for (int head = 0; head < 256; ++head) {
    const double change = f.compared().effects[static_cast<std::size_t>(head)].change;
    const bool in_list = std::count(listed.begin(), listed.end(), head) > 0;
    if (in_list && head != 200 && head != 7) least = std::min(least, change);
    if (!in_list) most = std::max(most, change);
  }
  EXPECT_GE(least, most);
}

draw::Box card_box(CompareFixture& f, Size size, std::string_view name) {
  draw::RecordCanvas measure;
  draw::PickCanvas pick({-1e6f, -1e6f}, measure);
  compare_page(pick, {0, 0, size.width, size.height}, f.input());
  for (const auto& card : pick.panels()) {
    if (card.name == name) return card.box;
  }
  return {};
}

/// The card has a row for each pair, whose mark pins it; it is on the first screen of the default window.
TEST(ComparePage, ThePairsThatDifferMostCanBePinned) {
  CompareFixture f;
  const Size window{1536, 882};
  const draw::Box card = card_box(f, window, "apart");
  ASSERT_GT(card.w, 300);
  EXPECT_LE(card.bottom(), window.height);
  draw::RecordCanvas measure;
  const auto hit_at = [&](int rank) {
    draw::PickCanvas whole({-1e6f, -1e6f}, measure);
    compare_page(whole, {0, 0, window.width, window.height}, f.input());
    for (const auto& target : whole.targets()) {
      if (target.mark.name != "differs " + std::to_string(rank)) continue;
      draw::PickCanvas pick(target.mark.area.centre(), measure);
      compare_page(pick, {0, 0, window.width, window.height}, f.input());
      return pick.hit();
    }
    return draw::Hit{};
  };
  const std::vector<scene::PairApart>& pairs = f.compared().apart;
  ASSERT_EQ(pairs.size(), scene::most_pairs_apart);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const draw::Mark mark = hit_at(static_cast<int>(i) + 1).mark;
    EXPECT_EQ(mark.part, Part::cell);
    EXPECT_EQ(mark.query, pairs[i].query);
    EXPECT_EQ(mark.key, pairs[i].key);
    EXPECT_TRUE(says(f.draw_at(window.width, window.height).canvas,
                     signed_text(static_cast<double>(pairs[i].difference), 2)));
  }
}

TEST(ComparePage, EqualHeadsSayThatNoPairDiffers) {
  CompareFixture two;
  EXPECT_NE(compare_finding(two.input(), "apart").find("differ most at"), std::string::npos);
  CompareFixture one_head({}, 1, 1);
  EXPECT_NE(compare_finding(one_head.input(), "apart").find("have the same weights"), std::string::npos);
  EXPECT_TRUE(says(CompareFixture({}, 1, 1).draw_at(1536, 882).canvas, "A and B have the same weights"));
  Case one;
  one.tokens = 1;
  EXPECT_TRUE(says(CompareFixture(one).draw_at(1536, 882).canvas, "One token attends only to itself"));
}

/// In the default window the card of roles is narrow: it has both sides of every target, whole.
TEST(ComparePage, ANarrowCardOfRolesHasBothSides) {
  CompareFixture f({}, 1, 3);
  const Drawn page = f.draw_at(1536, 882);
  EXPECT_TRUE(says(page.canvas, "What do A and B attend to?"));
  const draw::Box maps = card_box(f, {1536, 882}, "maps");  // a long word is shortened there
  for (const std::string& line : page.canvas.lines) {
    float x = 0, y = 0;
    if (std::sscanf(line.c_str(), "text %f %f", &x, &y) == 2 && y > maps.bottom())
      EXPECT_EQ(line.find("…"), std::string::npos) << line;
  }
  for (int i = 0; i < role_count; ++i) {
    EXPECT_TRUE(says(page.canvas, role_column(i).name));
    for (const int head : {1, 3}) {
      const double value = f.compared().roles[static_cast<std::size_t>(head)].*role_column(i).value;
      EXPECT_TRUE(says(page.canvas, std::isnan(value) ? "–" : mean_weight_text(value)));
    }
  }
}

}  // namespace
}  // namespace headlight::views::compare_page_test
