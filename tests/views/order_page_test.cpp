// The Order page: what it says is what was computed, at every size.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "kit/verdict.h"
#include "order_fixture.h"
#include "pages/order/view/cards.h"

namespace headlight::views::order_page_test {
namespace {

using draw::Part;

TEST(OrderPage, NothingOverlapsOrLeaves) {
  for (const int tokens : {1, 2, 6, 22, 100, 500}) {
    for (const int heads : {1, 4, 32}) {
      if (tokens > 100 && heads > 4) continue;
      const Case what{tokens, heads, 8, tokens == 22, {}};
      for (const Positions positions : {Positions::none, Positions::added}) {
        OrderFixture f(what, OrderFixture(what).order().reversed, positions);
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

TEST(OrderPage, TheFirstScreenIsComplete) {
  OrderFixture f({}, anagram, Positions::added);
  EXPECT_EQ(f.draw_at(1880, 1250).needed, 1250);
  EXPECT_GT(f.draw_at(1340, 850).needed, 850) << "the maps would leave the rows half of the page";
}

TEST(OrderPage, ControlsNameFieldsThatExist) {
  OrderFixture f({}, anagram, Positions::added);
  EXPECT_EQ(unknown_fields(f.draw_at(1340, 850).canvas), "");
}

TEST(OrderPage, EverySeatHoldsTheTokenOfTheOrder) {
  OrderFixture f({}, anagram);
  const Drawn page = f.draw_at(1340, 850);
  std::vector<draw::Mark> slots;
  for (const draw::Mark& mark : page.canvas.marks) {
    if (mark.part == Part::slot) slots.push_back(mark);
  }
  ASSERT_EQ(slots.size(), 6u);
  for (std::size_t position = 0; position < 6; ++position) {
    EXPECT_EQ(slots[position].query, static_cast<int>(position));
    EXPECT_EQ(slots[position].head, 6);
    EXPECT_EQ(slots[position].set, "order_permutation");
    const std::string word = token_label(f.input(), anagram[position]);
    bool found = false;
    for (const auto& text : page.canvas.texts)
      found |= text.words == word && slots[position].area.has(text.box.centre());
    EXPECT_TRUE(found) << word;
  }
}

TEST(OrderPage, AStripThatDoesNotFitScrollsAndShowsThatMoreFollows) {
  OrderFixture f({60, 1, 8, false, {}});
  PageInput in = f.input();
  const auto seen = [&] {
    const Drawn page = drawn(order_page, in, 1050, 500);
    std::pair<int, int> out{1000, -1};
    bool before = false, after = false;
    for (const draw::Mark& mark : page.canvas.marks) {
      if (mark.part == Part::slot) out = {std::min(out.first, mark.query), std::max(out.second, mark.query)};
      before |= mark.name == "tokens before", after |= mark.name == "tokens after";
    }
    const int count = f.order().tokens;
    EXPECT_EQ(before, out.first > 0);
    EXPECT_EQ(after, out.second + 1 < count);
    EXPECT_EQ(layout_trouble(page, 1050), "") << "from " << out.first;
    return out;
  };
  const int count = f.order().tokens;
  f.scene.query = {0}, f.scene.key = -1;
  const auto start = seen();
  EXPECT_EQ(start.first, 0);
  ASSERT_LT(start.second + 1, count) << "the strip is longer than the card";
  for (const int query : {start.second, start.second + 1, count - 2}) {
    f.scene.query = {query};
    EXPECT_LE(seen().first, query);
    EXPECT_GE(seen().second, query) << "the chosen token is on view";
  }
  f.scene.query = {0};
  in.first_slot = 7;
  EXPECT_EQ(seen().first, 7) << "scrolled";
  in.first_slot = 1000;
  const auto end = seen();
  EXPECT_EQ(end.second, count - 1);
  EXPECT_GE(end.second - end.first, 5) << "the end of the strip is full";
}

TEST(OrderPage, ADraggedTokenIsUnderThePointerAndABarShowsWhereItGoes) {
  OrderFixture f({}, anagram);
  PageInput in = f.input();
  const Drawn before = drawn(order_page, in, 1340, 850);
  const auto positions = [](const Drawn& page) {
    std::vector<draw::Box> out;
    for (const draw::Mark& mark : page.canvas.marks) {
      if (mark.part == Part::slot) out.push_back(mark.area);
    }
    return out;
  };
  const std::vector<draw::Box> boxes = positions(before);
  in.dragged_slot = 1, in.drop_slot = 4, in.dragged_at = {500, 300};
  const Drawn page = drawn(order_page, in, 1340, 850);
  EXPECT_EQ(positions(page), boxes) << "nothing moves until it is let go";
  const std::string word = token_label(in, anagram[1]);
  EXPECT_EQ(page.canvas.texts.back().words, std::to_string(anagram[1])) << "over everything";
  EXPECT_EQ(page.canvas.texts[page.canvas.texts.size() - 2].words, word);
  EXPECT_LT(std::abs(page.canvas.texts.back().box.y - 300), 15);
  // The bar: three units wide, behind position 4, and in front of it when the token comes from the right.
  const auto bar_at = [&](const Drawn& drawing, float x) {
    int found = 0;
    for (const std::string& line : drawing.canvas.lines) {
      float left = 0, top = 0, width = 0, height = 0;
      if (std::sscanf(line.c_str(), "rect %f %f %f %f", &left, &top, &width, &height) == 4 && width == 3 &&
          height > 30 && std::abs(left + 1.5f - x) < 0.2f)
        ++found;
    }
    return found;
  };
  EXPECT_EQ(bar_at(page, (boxes[4].right() + boxes[5].x) / 2), 1);
  in.dragged_slot = 5;
  EXPECT_EQ(bar_at(drawn(order_page, in, 1340, 850), (boxes[3].right() + boxes[4].x) / 2), 1);
  in.drop_slot = 5;  // where it is
  EXPECT_EQ(bar_at(drawn(order_page, in, 1340, 850), (boxes[4].right() + boxes[5].x) / 2), 0);
}

TEST(OrderPage, EveryRowSaysHowFarItIsFromItsOldSelf) {
  OrderFixture f({}, anagram, Positions::added);
  const Drawn page = f.draw_at(1340, 850);
  for (int position = 0; position < 6; ++position) {
    const auto moved = f.order().moved.row(position),
               own = f.order().original.row(anagram[static_cast<std::size_t>(position)]);
    double largest = 0;
    for (std::size_t c = 0; c < moved.size(); ++c)
      largest = std::max(largest, std::abs(static_cast<double>(moved[c]) - static_cast<double>(own[c])));
    EXPECT_GE(times_said(page.canvas, fixed(largest, 3)), 1) << position << ": " << largest;
  }
}

TEST(OrderPage, ABagOfWordsCountsEachWord) {
  OrderFixture f({.sentence = "the cat the the on cat"}, anagram);
  const Drawn page = f.draw_at(1340, 850);
  for (const char* count : {"×3", "×2", "×1"})
    EXPECT_EQ(times_said(page.canvas, count), 2) << "as typed and permuted";
}

TEST(OrderPage, WordsFollowTheNumbers) {
  const auto verdict = [](OrderFixture& f) {
    draw::RecordCanvas canvas;
    const PageInput in = f.input();
    const Selection selection = select(in);
    const Sheet sheet{Pen{canvas, in.theme, nullptr}, in, selection};
    return order_verdict(OrderView(sheet, f.order()));
  };
  OrderFixture one({1, 4, 8, false, {}});
  EXPECT_EQ(verdict(one).title, "One token has only one order");
  OrderFixture typed;
  EXPECT_EQ(verdict(typed).sign, Verdict::open);
  OrderFixture same({}, anagram);
  EXPECT_EQ(verdict(same).sign, Verdict::open);
  EXPECT_EQ(verdict(same).title.rfind("No: ", 0), 0u);
  same.results.scene.position = scene::Position::sinusoidal;
  EXPECT_EQ(verdict(same).title.rfind("Not in this order: ", 0), 0u) << "another one may change the rows";
  Case equal;
  equal.sentence = "the the the the the the";
  OrderFixture alike(equal, anagram);
  EXPECT_EQ(verdict(alike).title, "No: all tokens are equal");
  OrderFixture apart(equal, anagram, Positions::added);
  EXPECT_EQ(verdict(apart).title.find("equal"), std::string::npos) << "positions still differ";
  equal.mask = {.window = true, .valid_length = true}, equal.window = 1, equal.valid_length = 3;
  OrderFixture without_keys(equal, anagram);
  EXPECT_NE(verdict(without_keys).title, "No: all tokens are equal")
      << "a mask leaves one of them without keys";
  EXPECT_NE(verdict(without_keys).title, "No: every key is masked") << "there are outputs";
  equal.valid_length = 0;
  OrderFixture nothing(equal, anagram, Positions::added);
  EXPECT_EQ(verdict(nothing).title, "No: every key is masked");
  EXPECT_TRUE(position_causes(nothing.input(), nothing.order()).empty()) << "nothing can change what is 0";
  OrderFixture broken({}, anagram, Positions::added);
  EXPECT_EQ(verdict(broken).sign, Verdict::open);
  EXPECT_EQ(verdict(broken).title.rfind("Yes: ", 0), 0u);
  EXPECT_NE(verdict(broken).words.find(brief(broken.order().float32.output, 3)), std::string::npos);
  EXPECT_NE(verdict(broken).words.find("position"), std::string::npos);
  EXPECT_EQ(verdict(broken).words.find("mask"), std::string::npos);
  OrderFixture masked({.mask = {.causal = true}}, anagram);
  EXPECT_EQ(verdict(masked).title.rfind("Yes: ", 0), 0u);
  EXPECT_NE(verdict(masked).words.find("mask"), std::string::npos);
  EXPECT_EQ(verdict(masked).words.find("another encoding"), std::string::npos);
}

/// The causes are those that the results have, each alone and together; nothing else is blamed.
TEST(OrderPage, TheCauseIsNamed) {
  const auto words_of = [](const char* model, Positions positions, bool mask, bool typed) {
    Case what{.mask = {.causal = mask}, .sentence = "the cat sat on the mat"};
    if (*model) what.settings = {"weights=trained", std::string("weights_file=") + model};
    OrderFixture f(what, {}, positions);
    if (!typed) f = OrderFixture(what, f.order().reversed, positions);
    EXPECT_EQ(f.order().identity, typed);
    EXPECT_EQ(f.order().relative_positions, std::string(model) == "dictionary");
    draw::RecordCanvas canvas;
    const PageInput in = f.input();
    const Selection selection = select(in);
    const Sheet sheet{Pen{canvas, in.theme, nullptr}, in, selection};
    return order_verdict(OrderView(sheet, f.order())).words;
  };
  const auto has = [](const std::string& words, const char* part) {
    return words.find(part) != std::string::npos;
  };
  for (const bool typed : {false, true}) {
    const char* encoding = typed ? "its encoding" : "gets another encoding";
    const char* masked = typed ? "may attend to" : "mask";
    for (const Positions positions : {Positions::none, Positions::added}) {
      const bool added = positions == Positions::added;
      for (const bool mask : {false, true}) {
        const std::string words = words_of("", positions, mask, typed);
        EXPECT_EQ(has(words, masked), mask) << words;
        EXPECT_EQ(has(words, encoding), added) << words;
      }
    }
    // Of a model that turns its queries and keys: it has a causal mask in this layer, too.
    const std::string turned = words_of("dictionary", Positions::none, true, typed);
    EXPECT_TRUE(has(turned, masked)) << turned;
    EXPECT_TRUE(has(turned, encoding)) << turned;
  }
  OrderFixture deeper({.settings = {"weights=trained", "weights_layer=2", "mask=none"}}, anagram);
  draw::RecordCanvas canvas;
  const PageInput in = deeper.input();
  const Selection selection = select(in);
  const Sheet sheet{Pen{canvas, in.theme, nullptr}, in, selection};
  EXPECT_TRUE(
      has(order_verdict(OrderView(sheet, deeper.order())).words, "the causal masks of earlier layers"));
}

/// Where double sees a difference that is no rounding, a small one is a difference.
TEST(OrderPage, ASmallDifferenceIsNoRounding) {
  OrderFixture f({}, anagram);
  f.results.scene.position = scene::Position::sinusoidal;
  auto r = std::make_shared<scene::OrderResults>(f.order());
  r->float64.output = r->float32.output;
  f.results.own = r;
  EXPECT_TRUE(says(f.draw_at(1340, 850).canvas, "Yes: the rows change"));
  EXPECT_FALSE(says(f.draw_at(1340, 850).canvas, "rounding"));
}

TEST(OrderPage, TitlesAreSpelledAsTheTokensAre) {
  OrderFixture f({}, anagram);
  f.results.scene.tokenizer = scene::Tokenizer::chars;  // but a model made words of it
  EXPECT_TRUE(says(f.draw_at(1900, 850).canvas, "“the on"));
  f.results.tokens_are = nn::VocabularyKind::chars;
  EXPECT_FALSE(says(f.draw_at(1900, 850).canvas, "“the on"));
  EXPECT_TRUE(says(f.draw_at(700, 850).canvas, "New order")) << "the beginnings of both may be the same";
}

TEST(OrderPage, ResidualsArePrintedInBothPrecisions) {
  OrderFixture f({}, anagram);
  const double single = f.order().float32.output, twin = f.order().float64.output;
  ASSERT_GT(single, 1e3 * twin) << "float32 rounds more";
  ASSERT_GT(twin, 0);
  const Drawn page = f.draw_at(1340, 850);
  EXPECT_TRUE(says(page.canvas, "max |A(πX) − πA(X)| = " + brief(single, 3)));
  EXPECT_EQ(times_said(page.canvas, brief(twin, 3)), 1);
  EXPECT_NE(order_words(f.input()).find(brief(twin, 3)), std::string::npos);
  EXPECT_NE(order_words(f.input()).find("double"), std::string::npos);
  OrderFixture many({200, 2, 8, false, {}});
  EXPECT_EQ(order_words(many.input()).find("double"), std::string::npos) << "not computed";
}

TEST(OrderPage, BothMapsShareOneScaleAndLinesJoinTheirRows) {
  OrderFixture f({}, anagram, Positions::added);
  const Drawn page = f.draw_at(1340, 850);
  const auto left = largest_map(page.canvas, f.order().original.data()),
             right = largest_map(page.canvas, f.order().moved.data());
  ASSERT_GT(left.box.w, 100);
  EXPECT_EQ(left.box.w, right.box.w);
  EXPECT_EQ(left.map.lo, right.map.lo);
  EXPECT_EQ(left.map.hi, -left.map.lo);
  float largest = 0;
  for (const nn::Matrix* m : {&f.order().original, &f.order().moved}) {
    for (const float value : m->values()) largest = std::max(largest, std::abs(value));
  }
  EXPECT_EQ(left.map.hi, static_cast<float>(nice_ceiling(static_cast<double>(largest))));
  int curves = 0;
  for (const std::string& line : page.canvas.lines) curves += line.rfind("curve", 0) == 0 ? 1 : 0;
  EXPECT_EQ(curves, 6);
}

TEST(OrderPage, RowsMoveFromTheirOldSeatsToTheirNewOnes) {
  OrderFixture f({}, anagram);
  f.scene.order.from = {0, 1, 2, 3, 4, 5};
  const auto row_at = [&](int position, float transition) {
    PageInput in = f.input();
    in.transition = transition;
    const Drawn page = drawn(order_page, in, 1340, 850);
    return largest_map(page.canvas, f.order().moved.row(position).data()).box;
  };
  const draw::Box whole = row_at(0, 1);  // at rest the rows are one map
  const float pitch = whole.h / 6;
  EXPECT_NEAR(row_at(0, 0).y, whole.y + 5 * pitch, 0.01f);  // "mat" comes from position 5
  EXPECT_NEAR(row_at(0, 0.999999f).y, whole.y, 0.01f);
  const float middle = row_at(0, 0.5f).y;
  EXPECT_NEAR(middle, whole.y + 2.5f * pitch, 0.01f);
  // A new order starts from the one that is shown.
  const draw::Mark shuffle = control(f.draw_at(1340, 850).canvas, "shuffle");
  EXPECT_NE(shuffle.set.find(";order_from=5,0,3,2,1,4;order_step=1"), std::string::npos);
}

TEST(OrderPage, TooltipsSayTheNumbers) {
  OrderFixture f({}, anagram, Positions::added);
  draw::Hit hit;
  hit.mark.part = Part::cell, hit.mark.query = 2, hit.mark.key = 4;
  const std::string words = order_tooltip(f.input(), hit);
  for (int which = 0; which < f.order().parts.count; ++which)
    EXPECT_NE(words.find(signed_text(f.order().parts.part[which].at(0, 2, 4) * f.order().parts.factor, 3)),
              std::string::npos)
        << words;
  hit.mark = {};
  hit.mark.part = Part::query_token, hit.mark.query = 0, hit.mark.name = "moved row";
  hit.mark.area = {0, 0, 320, 10};
  hit.at = {75, 5};  // column 7; token 0 sits in position 1
  EXPECT_NE(order_tooltip(f.input(), hit).find(fixed(static_cast<double>(f.order().moved.at(1, 7)), 4)),
            std::string::npos);
}

/// The row of a single token is in the middle of its card, which says why nothing changes.
TEST(OrderPage, OneTokenLeavesNoHalfOfItsCardEmpty) {
  OrderFixture s({.tokens = 1});
  const Drawn page = s.draw_at(1340, 850);
  EXPECT_TRUE(test::says(page.canvas, "Type a second word to permute the tokens"));
  float highest = 0;
  for (const auto& map : page.canvas.maps)
    if (map.map.rows == 1) highest = std::max(highest, map.box.h);
  EXPECT_GT(highest, 150);
}

TEST(OrderPage, AnEmptySentenceInvites) {
  OrderFixture f({0, 4, 8, false, {}});
  EXPECT_TRUE(says(f.draw_at(1050, 590).canvas, "Type a sentence"));
  EXPECT_EQ(order_words(f.input()), "");
  OrderFixture waiting;
  waiting.results.own = nullptr;
  EXPECT_TRUE(says(waiting.draw_at(1050, 590).canvas, "being computed"));
}

}  // namespace
}  // namespace headlight::views::order_page_test
