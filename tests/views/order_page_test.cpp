// The Order page: what it says is what was computed, at every size.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "kit/page_input.h"
#include "kit/verdict.h"
#include "lab_fixture.h"
#include "pages/order/order.h"
#include "pages/order/view/cards.h"
#include "pages/order/view/page.h"

namespace headlight::views::order_page_test {
namespace {

using draw::Part;

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

const std::vector<int> anagram = {5, 0, 3, 2, 1, 4};

struct Size {
  float width, height;
};
constexpr Size sizes[] = {{640, 360}, {1050, 590}, {1340, 850}, {1536, 960}, {2400, 1400}, {3600, 2000}};

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

/// Behind the first layer there is no sum of four; the card says so and leads to the layer that has one.
TEST(OrderPage, ADeeperLayerIsNotTakenApart) {
  OrderFixture f({.settings = {"weights=trained", "weights_layer=2"}}, anagram, Positions::added);
  ASSERT_TRUE(f.order().parts.mixed);
  for (const Size size : sizes) {
    const Drawn page = f.draw_at(size.width, size.height);
    EXPECT_EQ(layout_trouble(page, size.width), "") << size.width;
    EXPECT_TRUE(says(page.canvas, "In layer 2 they cannot be separated"));
    EXPECT_FALSE(says(page.canvas, "sum of the four"));
    EXPECT_EQ(control(page.canvas, "parts of layer 1").set, "weights_layer=1");
    EXPECT_TRUE(says(page.canvas, "layers 1 and 2"));
  }
  draw::Hit hit;
  hit.mark.part = Part::cell, hit.mark.query = 2, hit.mark.key = 4;
  EXPECT_EQ(order_tooltip(f.input(), hit), "");
}

TEST(OrderPage, MaskedScoresAreStriped) {
  OrderFixture f({.mask = {.causal = true}}, anagram, Positions::added);
  f.scene.query = {1}, f.scene.key = 4;
  const Drawn page = f.draw_at(1340, 850);
  for (int which = 0; which < f.order().parts.count; ++which) {
    const nn::Matrix& part = f.order().parts.map[which];
    const auto map = largest_map(page.canvas, part.plane(0));
    ASSERT_EQ(map.map.allowed.size(), 6u);
    for (int t = 0; t < 6; ++t) EXPECT_EQ(map.map.allowed[static_cast<std::size_t>(t)].end, t + 1);
  }
  EXPECT_TRUE(says(page.canvas, "masked"));
  EXPECT_TRUE(says(page.canvas, "not part of the softmax"));
  EXPECT_EQ(layout_trouble(page, 1340), "");
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

TEST(OrderPage, TheOpenedPairAddsUp) {
  OrderFixture f({}, anagram, Positions::added);
  f.scene.query = {3}, f.scene.key = 2, f.scene.head = {2};
  for (const bool divided : {false, true}) {
    f.scene.order.divided = divided;
    const Drawn page = f.draw_at(1340, 850);
    const double factor = divided ? f.order().parts.factor : 1;
    double sum = 0;
    for (int which = 0; which < f.order().parts.count; ++which) {
      const nn::MatrixF64& part = f.order().parts.part[which];
      sum += part.at(1, 3, 2) * factor;
      EXPECT_TRUE(says(page.canvas, signed_text(part.at(1, 3, 2) * factor, 3)));
    }
    EXPECT_GE(times_said(page.canvas, signed_text(sum, 3)), 2) << "sum and score";
    for (int which = 0; which < 4; ++which) {
      const auto map = largest_map(page.canvas, f.order().parts.map[which].plane(1));
      EXPECT_GT(map.box.w, 60);
      EXPECT_FLOAT_EQ(map.map.hi, static_cast<float>(f.order().parts.span[1]));
      EXPECT_FLOAT_EQ(map.map.lo, -map.map.hi);
    }
  }
}

TEST(OrderPage, ARotationHasAMapAndALineOfItsOwn) {
  OrderFixture f(
      {.settings = {"weights=trained", "weights_file=dictionary"}, .sentence = "the cat sat on the mat"},
      anagram);
  ASSERT_TRUE(f.order().relative_positions) << "RoPE";
  f.scene.query = {3}, f.scene.key = 2;
  const scene::OrderParts& parts = f.order().parts;
  ASSERT_EQ(parts.count, 5);
  for (const float width : {1340.f, 640.f}) {
    const Drawn page = f.draw_at(width, 850);
    EXPECT_TRUE(says(page.canvas, signed_text(parts.part[4].at(0, 3, 2) * parts.factor, 3)));
    EXPECT_TRUE(says(page.canvas, "rotation by j − i"));
    EXPECT_TRUE(says(page.canvas, "sum of the five"));
    EXPECT_TRUE(says(page.canvas, "none added")) << "its positions are in the scores";
    EXPECT_GT(largest_map(page.canvas, parts.map[4].plane(0)).box.w, 40);
    EXPECT_EQ(layout_trouble(page, width), "");
  }
}

TEST(OrderPage, SharesOfEveryHeadAreListedWhereTheyFit) {
  OrderFixture f({}, anagram, Positions::added);
  f.scene.query = {3}, f.scene.key = 2;
  const Drawn page = f.draw_at(2400, 1400);
  ASSERT_TRUE(says(page.canvas, "covariance ÷ variance, by head"));
  const PageInput in = f.input();
  for (int head = 1; head <= f.results.attention.heads; ++head) {
    for (int part = 1; part <= f.order().parts.count; ++part)
      EXPECT_TRUE(says(page.canvas, in.text("order_part_share part=" + std::to_string(part) +
                                            " head=" + std::to_string(head))));
    double sum = 0;
    for (const double share : f.order().parts.shares[static_cast<std::size_t>(head - 1)].part) sum += share;
    EXPECT_NEAR(sum, 1, 1e-9) << head;
  }
  EXPECT_FALSE(says(f.draw_at(640, 360).canvas, "by head"));
}

/// A step of a lesson leaves the trained weights out: what is shown is then all of the shuffled ones.
TEST(OrderPage, WithoutTheTrainedWeightsTheShuffledOnesAreShown) {
  OrderFixture f({}, anagram, Positions::added);
  f.scene.query = {3}, f.scene.key = 2;
  const std::vector<std::string> without = {"trained weights"};
  PageInput in = f.input();
  in.without = &without;
  const Drawn page = drawn(order_page, in, 2400, 1400);
  const scene::OrderParts& parts = f.order().parts;
  for (int part = 0; part < 4; ++part)
    EXPECT_GT(largest_map(page.canvas, parts.shuffled_map[part].plane(0)).box.w, 40) << part;
  EXPECT_FALSE(says(page.canvas, "sum of the four"));
  EXPECT_TRUE(says(page.canvas, "the score, q·k ÷ √8, entries of W_Q and W_K shuffled"));
  EXPECT_TRUE(says(page.canvas, "as they are")) << "random weights are not trained";
  EXPECT_TRUE(says(page.canvas, "variance of the scores in a row"));
  for (int head = 1; head <= f.results.attention.heads; ++head) {
    EXPECT_TRUE(says(page.canvas, in.text("shuffled_part_share part=4 head=" + std::to_string(head))));
    for (const char* name : {"order_offset_share", "shuffled_offset_share", "shuffled_variance"})
      EXPECT_TRUE(says(page.canvas, in.text(std::string(name) + " head=" + std::to_string(head)))) << name;
  }
  EXPECT_EQ(layout_trouble(page, 2400), "");
  draw::Hit cell;
  cell.mark.part = Part::cell, cell.mark.head = 0, cell.mark.query = 3, cell.mark.key = 2;
  cell.mark.note = "pp, the entries of W_Q and W_K are shuffled";
  char number[32];
  std::snprintf(number, sizeof number, "%.3f",
                std::abs(static_cast<double>(parts.shuffled_map[3].at(0, 3, 2)) * parts.factor));
  EXPECT_NE(order_tooltip(in, cell).find(number), std::string::npos) << order_tooltip(in, cell);
  EXPECT_TRUE(std::any_of(page.canvas.marks.begin(), page.canvas.marks.end(),
                          [&](const draw::Mark& mark) { return mark.note == cell.mark.note; }));
}

/// One table that has no room takes none from the others, and its numbers of the shown head are at the foot.
TEST(OrderPage, ATableWithoutRoomDoesNotTakeTheOthersWithIt) {
  OrderFixture f({}, anagram, Positions::added);
  f.scene.query = {3}, f.scene.key = 2, f.scene.order.divided = false;
  const std::vector<std::string> without = {"trained weights"};
  PageInput in = f.input();
  in.without = &without;
  const Drawn page = drawn(order_page, in, 1340, 850);
  EXPECT_TRUE(says(page.canvas, "shuffled: covariance"));
  EXPECT_TRUE(says(page.canvas, "variance of q·k in a row"));
  EXPECT_FALSE(says(page.canvas, "covariance ÷ variance: xx"));

  OrderFixture many(Case{6, 24, 8}, anagram, Positions::added);
  many.scene.query = {3}, many.scene.key = 2;
  PageInput in_many = many.input();
  in_many.without = &without;
  const Drawn low = drawn(order_page, in_many, 1340, 600);
  EXPECT_EQ(layout_trouble(low, 1340), "");
  EXPECT_FALSE(says(low.canvas, "shuffled: covariance"));
  EXPECT_TRUE(says(low.canvas, "covariance ÷ variance: xx"));
}

TEST(OrderPage, TheStackedBarIsAsLongAsItsParts) {
  OrderFixture f({}, anagram, Positions::added);
  f.scene.query = {3}, f.scene.key = 2;
  const Drawn page = f.draw_at(1340, 850);
  double per_unit = 0;
  for (int which = 0; which < 4; ++which) {
    const std::string name = std::string("part ") + part_names[which];
    for (const draw::Mark& mark : page.canvas.marks) {
      if (mark.name != name) continue;
      const double value = std::abs(f.order().parts.part[which].at(0, 3, 2)) * f.order().parts.factor;
      if (per_unit == 0) per_unit = static_cast<double>(mark.area.w) / value;
      EXPECT_NEAR(static_cast<double>(mark.area.w), value * per_unit, 0.05) << name;
    }
  }
  EXPECT_GT(per_unit, 0);
}

TEST(OrderPage, APairBeyondThePartsIsSaid) {
  OrderFixture f({400, 2, 8, false, {}});
  ASSERT_LT(f.order().parts.tokens, 390);
  f.scene.query = {390}, f.scene.key = 3;
  EXPECT_TRUE(says(f.draw_at(1340, 850).canvas,
                   "Only the first " + std::to_string(f.order().parts.tokens) + " tokens"));
  f.scene.query = {};
  EXPECT_TRUE(says(f.draw_at(1340, 850).canvas, "No pair is open"));
}

/// A mask has as many rows as the map it lies on, also where fewer tokens are split than there are.
TEST(OrderPage, TheMaskOfThePartsIsThatOfTheirTokens) {
  OrderFixture f({400, 2, 8, false, {.causal = true}});
  const int tokens = f.order().parts.tokens;
  ASSERT_LT(tokens, 390);
  f.scene.query = {40}, f.scene.key = 3;
  int masked = 0;
  for (const auto& map : f.draw_at(1340, 850).canvas.maps) {
    if (map.map.allowed.empty()) continue;
    ASSERT_EQ(map.map.allowed.size(), static_cast<std::size_t>(map.map.rows));
    for (const base::Interval& keys : map.map.allowed) EXPECT_LE(keys.end, map.map.cols);
    masked += map.map.rows == tokens ? 1 : 0;
  }
  EXPECT_EQ(masked, f.order().parts.count);
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
