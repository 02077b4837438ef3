// The Compare page: what it says is what was computed, at every size and for many heads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compare_fixture.h"
#include "draw/both_canvas.h"
#include "kit/page_input.h"
#include "kit/sides.h"
#include "kit/weight_bar.h"
#include "pages/block/block.h"
#include "pages/compare/compare.h"
#include "pages/compare/view/cards.h"
#include "pages/compare/view/page.h"

namespace headlight::views::compare_page_test {
namespace {

using draw::Part;

/// Returns the number in these words, of which it must be a rounding, in units of its last decimal.
long long read_number(const std::string& words, double value, int decimals) {
  const double read = std::stod(base::with_hyphen(words));
  EXPECT_LE(std::abs(read - value), 0.5001 * std::pow(10.0, -decimals)) << words;
  return std::llround(read * std::pow(10.0, decimals));
}

/// The numbers of the opened cell, A and B each in the colour that its side has in A − B: roundings of what
/// was computed, with the decimals of the cells. Where the reader cannot subtract them, A − B says that it is
/// another rounding.
void expect_numbers(const draw::RecordCanvas& canvas, double a, double b) {
  const draw::Theme theme = draw::theme(true);
  const auto after = [&](const std::string& before, draw::Color color) {
    for (std::size_t i = 1; i < canvas.texts.size(); ++i) {  // a number is drawn before its name
      const auto &name = canvas.texts[i], &number = canvas.texts[i - 1];
      if (name.words == before && name.style.color == color && number.style.font == draw::Font::mono)
        return number.words;
    }
    ADD_FAILURE() << before;
    return std::string("0.00");
  };
  const std::string words = after("A", side_color(theme, WhichSide::a));
  const int decimals = static_cast<int>(words.size() - words.find('.') - 1);
  EXPECT_GE(decimals, 2);
  EXPECT_LE(decimals, 5);
  std::string apart = after("A − B", theme.text);
  constexpr std::string_view about = "≈ ";
  const bool rounded = apart.starts_with(about);
  if (rounded) apart = apart.substr(about.size());
  const long long of_words =
      read_number(words, a, decimals) - read_number(after("B", side_color(theme, WhichSide::b)), b, decimals);
  EXPECT_EQ(of_words != read_number(apart, a - b, decimals), rounded) << a << " − " << b;
}

TEST(ComparePage, TwoNumbersAndTheirDifferenceAreWrittenSoThatOneCanSubtract) {
  EXPECT_EQ(decimals_to_subtract(0.72, 0.11, 2), 2);
  EXPECT_EQ(decimals_to_subtract(0.4652, 0.2728, 2), 3) << "0.47 − 0.27 is not 0.19";
  EXPECT_EQ(decimals_to_subtract(0.516, 0.722, 2), 3) << "0.52 − 0.72 is not −0.21";
  EXPECT_EQ(decimals_to_subtract(1, 0, 2), 2);
  EXPECT_EQ(decimals_to_subtract(std::nan(""), 0.5, 2), 2);
  int more = 0;
  for (int i = 0; i < 1000; ++i) {
    const double a = i * 0.000917, b = i * 0.000613;
    const int places = decimals_to_subtract(a, b, 2);
    more += places > 2;
    EXPECT_EQ(read_number(fixed(a, places), a, places) - read_number(fixed(b, places), b, places),
              read_number(signed_text(a - b, places), a - b, places));
  }
  EXPECT_GT(more, 100);
}

TEST(ComparePage, NothingOverlapsOrLeaves) {
  for (const int tokens : {1, 2, 6, 22, 100, 500}) {
    for (const int heads : {1, 4, 12, 32, 256}) {
      if (tokens > 22 && heads > 12) continue;
      for (const bool off : {false, true}) {
        CompareFixture f({tokens, heads, 2, tokens == 22, {}}, 0, 2,
                         off ? std::vector<int>{0, heads - 1} : std::vector<int>{});
        for (const Size size : sizes) {
          const Drawn page = f.draw_at(size.width, size.height);
          EXPECT_EQ(layout_trouble(page, size.width), "")
              << tokens << " tokens, " << heads << " heads, " << size.width << "×" << size.height;
          EXPECT_GE(page.needed, size.height);
        }
      }
    }
  }
}

TEST(ComparePage, NothingOverlapsOrLeavesWithAStack) {
  int tokens_left_out = 0, layers_left_out = 0;
  for (const int tokens : {1, 2, 6, 22, 140}) {
    for (const int heads : {1, 4, 12, 32, 160}) {
      for (const int layers : {1, 6, 12}) {
        if ((tokens > 22 && heads > 4) || (tokens > 6 && heads > 32)) continue;
        CompareFixture f({tokens, heads, 2, false, {}}, 0, 2, {0}, {layers, layers - 1, 0});
        tokens_left_out += f.compared().stack->tokens_left_out > 0;
        layers_left_out += f.compared().stack->layers_left_out > 0;
        for (const Size size : sizes) {
          const Drawn page = f.draw_at(size.width, size.height);
          EXPECT_EQ(layout_trouble(page, size.width), "")
              << tokens << " tokens, " << heads << " heads, " << layers << " layers, " << size.width << "×"
              << size.height;
        }
      }
    }
  }
  EXPECT_GT(tokens_left_out, 0);
  EXPECT_GT(layers_left_out, 0);
}

TEST(ComparePage, LayersOfAStackAreChosen) {
  CompareFixture f({}, 1, 3, {2});
  EXPECT_EQ(control(f.draw_at(1340, 850).canvas, "heads of the stack").set, "bench_from=stack");
  CompareFixture stack({}, 1, 3, {2}, {6, 1, 4});
  for (const Size size : {Size{1340, 850}, Size{640, 360}})
    EXPECT_EQ(unknown_fields(stack.draw_at(size.width, size.height).canvas), "");
  const Drawn page = stack.draw_at(1340, 850);
  EXPECT_EQ(control(page.canvas, "layer A 1").set, "bench_layer_a=1");
  EXPECT_EQ(control(page.canvas, "layer B 6").set, "bench_layer_b=6");
  EXPECT_EQ(control(page.canvas, "A 4").set, "bench_a=4");
  EXPECT_EQ(control(page.canvas, "row B 3").set, "bench_b=3;bench_layer_b=2");
  EXPECT_EQ(control(page.canvas, "heads of the attention layer").set, "bench_from=layer");
  const draw::Mark pair = control(page.canvas, "pair 3,2");
  EXPECT_EQ(pair.set, "bench_a=3;bench_b=2;bench_other_seed=false");
  EXPECT_NE(pair.note.find("layer 2 head 3 and layer 5 head 2"), std::string::npos);
  EXPECT_TRUE(says(page.canvas, "What does each head of layer 2 attend to?"));
  EXPECT_TRUE(says(page.canvas, "Switch heads of layer 2 off"));
  EXPECT_NE(compare_words(stack.input()).find("A is layer 2 head 2, B is layer 5 head 4"), std::string::npos);
  // Many layers: the chosen one and the way to its neighbours.
  CompareFixture many({}, 1, 3, {2}, {12, 3, 4});
  EXPECT_EQ(control(many.draw_at(1340, 850).canvas, "layer A after").set, "bench_layer_a=5");
}

TEST(ComparePage, TheMapsOfAStackAreThoseOfItsLayers) {
  CompareFixture f({}, 2, 3, {}, {6, 1, 4});
  const Drawn page = f.draw_at(1340, 850);
  EXPECT_GT(largest_map(page.canvas, f.weights_of(1).plane(2)).box.w, 100);
  EXPECT_GT(largest_map(page.canvas, f.compared().map_b.data()).box.w, 100);
  f.scene.query = {4}, f.scene.key = 1;
  const double a = static_cast<double>(f.weight(1, 2, 4, 1)), b = static_cast<double>(f.weight(4, 3, 4, 1));
  expect_numbers(f.draw_at(1340, 850).canvas, a, b);
  // The stack's own mask: a later key is not read.
  draw::Hit hit;
  hit.mark.part = Part::cell, hit.mark.query = 1, hit.mark.key = 4;
  EXPECT_NE(compare_tooltip(f.input(), hit).find("masked"), std::string::npos);
  // A token that the stack does not read cannot be asked for.
  CompareFixture most({150, 4, 2, false, {}}, 2, 3, {}, {2, 0, 1});
  const int T = most.compared().stack->T;
  ASSERT_LT(T, 150);
  most.scene.query = {149}, most.scene.key = 149;
  EXPECT_TRUE(says(most.draw_at(1340, 850).canvas, "the first " + std::to_string(T) + " of 150 tokens"));
}

TEST(ComparePage, TheMapsAreWholeOnTheFirstScreenAndHaveMostOfIt) {
  for (const auto& [w, h] : {std::pair{1216.f, 602.f}, {1340.f, 850.f}, {1536.f, 882.f}}) {
    CompareFixture f;
    draw::RecordCanvas canvas;
    draw::PickCanvas pick({-1e6f, -1e6f}, canvas);
    compare_page(pick, {0, 0, w, h}, f.input());
    const auto card = std::find_if(pick.panels().begin(), pick.panels().end(),
                                   [](const auto& panel) { return panel.name == "maps"; });
    ASSERT_NE(card, pick.panels().end());
    EXPECT_LE(card->box.bottom(), h);
    EXPECT_GT(card->box.w * card->box.h, 0.55f * w * h);
  }
}

/// The page of a window that is 2560 or 3840 wide: every card is on its first screen.
TEST(ComparePage, ALargeWindowHasAllCardsAtOnce) {
  for (const int heads : {1, 4, 8, 12}) {
    for (const float width : {1640.f, 1940.f}) {
      CompareFixture f({10, heads, 2, false, {}}, 0, 1);
      draw::RecordCanvas canvas;
      draw::PickCanvas pick({-1e6f, -1e6f}, canvas);
      EXPECT_EQ(compare_page(pick, {0, 0, width, 1010}, f.input()), 1010) << heads << " heads";
      std::vector<std::string> names;
      for (const auto& panel : pick.panels()) {
        names.push_back(panel.name);
        EXPECT_LE(panel.box.bottom(), 1010) << panel.name << " of " << heads << " heads";
      }
      EXPECT_EQ(names, (std::vector<std::string>{"maps", "similarity", "roles", "apart", "off"}));
      // Every head can be switched.
      const Drawn page = f.draw_at(width, 1010);
      for (int head = 1; head <= heads; ++head)
        EXPECT_FALSE(control(page.canvas, "switch " + std::to_string(head)).set.empty());
      EXPECT_EQ(layout_trouble(page, width), "") << heads << " heads";
    }
  }
}

TEST(ComparePage, ControlsNameFieldsThatExist) {
  EXPECT_EQ(unknown_fields(CompareFixture({}, 1, 3, {2}).draw_at(1340, 850).canvas), "");
}

TEST(ComparePage, TheThreeMapsAreAndTheirScales) {
  CompareFixture f({}, 2, 3);
  const Drawn page = f.draw_at(1340, 850);
  const auto a = largest_map(page.canvas, f.results.attention.weights.plane(2)),
             b = largest_map(page.canvas, f.compared().map_b.data()),
             d = largest_map(page.canvas, f.compared().difference.data());
  for (const auto* map : {&a, &b}) {
    EXPECT_GT(map->box.w, 100);
    EXPECT_EQ(map->map.lo, 0);
    EXPECT_EQ(map->map.hi, 1);
  }
  EXPECT_EQ(a.box.w, d.box.w);
  EXPECT_EQ(d.map.lo, -1);
  EXPECT_EQ(d.map.hi, 1);
  EXPECT_EQ(d.map.map, draw::Colormap::signed_weight);
}

TEST(ComparePage, ADifferenceThatIsRoundedOtherwiseSaysSo) {
  EXPECT_EQ(difference_text(0.72, 0.11, 2), "+0.61");
  EXPECT_EQ(difference_text(0.4652, 0.2728, 2), "≈ +0.19") << "beside 0.47 and 0.27";
  EXPECT_EQ(difference_text(0.516, 0.722, 2), "≈ −0.21") << "beside 0.52 and 0.72";
  EXPECT_EQ(difference_text(0.5, 0.5, 2), "0.00");
}

/// Also where the line has room for few digits: a difference that one cannot subtract says so on every pair
/// of this row.
TEST(ComparePage, NumbersOfANarrowWindowAreRoundingsAndSayWhereTheyCannotBeSubtracted) {
  CompareFixture f({120, 4, 2, false, {}}, 0, 1);
  int used = 0;
  for (int key = 0; key < 120; ++key) {
    f.scene.query = {119}, f.scene.key = key;
    const double a = static_cast<double>(f.results.attention.weights.at(0, 119, key)),
                 b = static_cast<double>(f.results.attention.weights.at(1, 119, key));
    if (std::min(a, b) < 0.0006) continue;  // a smaller weight has more digits than the others
    expect_numbers(f.draw_at(592, 316).canvas, a, b);
    ++used;
  }
  EXPECT_GT(used, 20);
}

TEST(ComparePage, TheNumbersOfTheOpenedCellAreWritten) {
  CompareFixture f({}, 2, 3);
  const auto expect = [&](int query, int key) {
    const double a = static_cast<double>(f.results.attention.weights.at(2, query, key)),
                 b = static_cast<double>(f.results.attention.weights.at(3, query, key));
    expect_numbers(f.draw_at(1340, 850).canvas, a, b);
  };
  const auto apart = [&](int query, int key) {
    const nn::Matrix& weights = f.results.attention.weights;
    return std::abs(weights.at(2, query, key) - weights.at(3, query, key));
  };
  int query = 0, key = 0, of_query = 0;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      if (apart(i, j) > apart(query, key)) query = i, key = j;
    }
    if (apart(4, i) > apart(4, of_query)) of_query = i;
  }
  f.scene.key = -1, f.scene.query = {};
  expect(query, key);
  f.scene.query = {4};  // of a pinned query, where its row differs most
  expect(4, of_query);
  f.scene.query = {4}, f.scene.key = 1;
  expect(4, 1);
  f.hovering = true;
  f.hover.mark.part = Part::cell, f.hover.mark.query = 5, f.hover.mark.key = 0;
  expect(5, 0);
  draw::Hit hit = f.hover;
  const double a = static_cast<double>(f.results.attention.weights.at(2, 5, 0));
  EXPECT_NE(compare_tooltip(f.input(), hit).find(" · A " + fixed(a, 2)), std::string::npos);
}

TEST(ComparePage, ACardThatIsAloneIsAsHighAsItsRoom) {
  CompareFixture f;
  const auto maps = [&](bool alone, float width, float height) {
    PageInput in = f.input();
    in.alone = alone;
    const Drawn page = drawn(compare_page, in, width, height);
    return std::pair(largest_map(page.canvas, f.results.attention.weights.plane(0)).box,
                     largest_map(page.canvas, f.compared().difference.data()).box);
  };
  const auto [a, apart] = maps(true, 780, 760);
  EXPECT_GT(apart.y, a.bottom());
  EXPECT_GT(apart.bottom(), 600);
  const auto [beside, apart_beside] = maps(false, 780, 760);
  EXPECT_EQ(apart_beside.y, beside.y) << "among other cards the three are in a row";
}

TEST(ComparePage, ACellOfTheSimilarityPinsThePair) {
  CompareFixture f;
  const Drawn page = f.draw_at(1340, 850);
  const draw::Mark mark = control(page.canvas, "pair 3,2");
  EXPECT_EQ(mark.set, "bench_a=3;bench_b=2;bench_other_seed=false");
  EXPECT_NE(mark.note.find(fixed(f.compared().similarity.at(2, 1), 2)), std::string::npos);
  EXPECT_TRUE(says(page.canvas, fixed(f.compared().similarity.at(0, 2), 2)));
}

/// Where its card is low and wide, as at 1600 × 1000, the bar is beside the table.
TEST(ComparePage, TheCellsOfTheSimilarityFillALowCard) {
  CompareFixture f;
  draw::RecordCanvas canvas;
  draw::PickCanvas pick({-1e6f, -1e6f}, canvas);
  draw::BothCanvas both(pick, canvas);
  compare_page(both, {0, 0, 1536, 882}, f.input());
  const auto card = std::find_if(pick.panels().begin(), pick.panels().end(),
                                 [](const auto& panel) { return panel.name == "similarity"; });
  ASSERT_NE(card, pick.panels().end());
  const draw::Box first = control(canvas, "pair 1,1").area, last = control(canvas, "pair 4,4").area;
  EXPECT_GE(first.h, 20);
  EXPECT_GT(last.right() - first.x, 0.5f * card->box.w);
  EXPECT_LE(last.bottom(), card->box.bottom() - card_padding + 1);
}

/// A difference that the numbers do not show is not called the largest.
TEST(ComparePage, ARowThatIsTheSameInBothHeadsIsSaid) {
  CompareFixture same({}, 0, 0), other({}, 0, 1);
  EXPECT_TRUE(says(same.draw_at(1800, 1200).canvas, "the row is the same in both heads"));
  EXPECT_FALSE(says(same.draw_at(1800, 1200).canvas, "the largest difference"));
  EXPECT_FALSE(says(other.draw_at(1800, 1200).canvas, "the row is the same in both heads"));
}

/// Without weights there is no cosine, no share and no cell where the maps differ most.
TEST(ComparePage, WhatIsNotDefinedIsSaid) {
  CompareFixture f({.mask = {.valid_length = true}, .valid_length = 0}, 0, 1, {0});
  const Drawn page = f.draw_at(2400, 1400);
  EXPECT_TRUE(says(page.canvas, "cosine of the two maps – (a map without weights has none)"));
  EXPECT_FALSE(says(page.canvas, "the largest difference"));
  EXPECT_TRUE(says(page.canvas, "1 head is off: with all of them the output is 0"));
  EXPECT_FALSE(says(page.canvas, "NaN"));
}

TEST(ComparePage, WhatWasNotComputedIsSaid) {
  CompareFixture f({600, 16, 2, false, {}});
  ASSERT_TRUE(f.compared().similarity.empty());
  EXPECT_TRUE(says(f.draw_at(1340, 850).canvas, "Not computed"));
  EXPECT_FALSE(says(f.draw_at(1340, 850).canvas, "another seed is not computed"));
  f = CompareFixture({.tokens = 600, .heads = 16, .d_k = 2, .settings = {"bench_other_seed=true"}});
  EXPECT_TRUE(says(f.draw_at(1340, 850).canvas, "another seed is not computed"));
  CompareFixture empty({0, 4, 8, false, {}});
  EXPECT_TRUE(says(empty.draw_at(1050, 590).canvas, "Type a sentence"));
}

TEST(ComparePage, AHeadOfAnotherSeedIsCalledByIt) {
  CompareFixture f({.settings = {"bench_other_seed=true", "bench_seed_b=21", "seed=7"}}, 0, 2);
  EXPECT_NE(compare_words(f.input()).find("A is head 1, seed 7, B is head 3, seed 21"), std::string::npos);
}

}  // namespace
}  // namespace headlight::views::compare_page_test
