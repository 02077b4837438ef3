// Whatever the page shows and however large it is: no text covers another, none leaves the page, and every
// control has a name of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "scene/trained_model.h"
#include "views/attention_fixture.h"

namespace headlight::views::attention_layout_test {
namespace {

struct Size {
  float width, height;
};
constexpr Size sizes[] = {{640, 360}, {1050, 590}, {1340, 850}, {2400, 1400}, {3600, 2000}};

/// Overlap beyond what rounding and the recorder's fixed widths explain.
bool collide(const draw::RecordCanvas::Text& one, const draw::RecordCanvas::Text& other) {
  constexpr float slack = 1.5f;
  if (one.style.turn != 0 || other.style.turn != 0) return draw::overlap(one.corners, other.corners, slack);
  const draw::Box &a = one.box, &b = other.box;
  return a.x + slack < b.right() && b.x + slack < a.right() && a.y + slack < b.bottom() &&
         b.y + slack < a.bottom();
}

/// Texts that cross each other, or the edges of the page, in words.
std::string trouble(const draw::RecordCanvas& canvas, float width, float height) {
  std::string out;
  for (std::size_t i = 0; i < canvas.texts.size(); ++i) {
    const auto& a = canvas.texts[i];
    if (a.box.x < -0.5f || a.box.y < -0.5f || a.box.right() > width + 0.5f || a.box.bottom() > height + 0.5f)
      out += "\"" + a.words + "\" leaves the page\n";
    for (std::size_t j = i + 1; j < canvas.texts.size(); ++j) {
      const auto& b = canvas.texts[j];
      if (collide(a, b))
        out += "\"" + a.words + "\" and \"" + b.words + "\" at " + std::to_string(a.box.x) + " " +
               std::to_string(a.box.y) + "\n";
      if (out.size() > 600) return out;
    }
  }
  return out;
}

struct Setting {
  const char* name;
  void (*set)(AttentionFixture&);
};
const Setting settings[] = {
    {"all heads", [](AttentionFixture&) {}},
    {"max", [](AttentionFixture& f) { f.scene.combine = scene::Combine::max; }},
    {"one head", [](AttentionFixture& f) { f.scene.head = {1}; }},
    {"compared",
     [](AttentionFixture& f) {
       f.scene.head = {1, f.results.attention.heads};
     }},
    {"many compared", [](AttentionFixture& f) { f.scene.head = {1, 2, 3, 4, 5, 6, 7}; }},
    {"beams", [](AttentionFixture& f) { f.scene.attention.view = scene::AttentionView::ribbons; }},
    {"arcs", [](AttentionFixture& f) { f.scene.attention.view = scene::AttentionView::arcs; }},
    {"arcs of one",
     [](AttentionFixture& f) {
       f.scene.attention.view = scene::AttentionView::arcs;
       f.scene.head = {1};
     }},
    {"beams of one",
     [](AttentionFixture& f) {
       f.scene.attention.view = scene::AttentionView::ribbons;
       f.scene.head = {1};
     }},
    {"columns", [](AttentionFixture& f) { f.scene.query_axis = scene::QueryAxis::columns; }},
    {"sorted", [](AttentionFixture& f) { f.scene.attention.bars_sorted = true; }},
    {"five queries",
     [](AttentionFixture& f) {
       f.scene.query = {0, 5, 10, 15, 21};
     }},
    {"no query", [](AttentionFixture& f) { f.scene.query = {}; }},
    {"zoomed",
     [](AttentionFixture& f) {
       f.view = {1.3f, 0.6f, 3.2f, 2.8f};
     }},
};

void check(const Case& what) {
  for (const Setting& setting : settings) {
    AttentionFixture f(what);
    setting.set(f);
    if (!f.scene.query.empty())
      f.open(0, scene::pinned(f.scene, what.tokens, what.tokens).detail_query, what.tokens / 2);
    for (const Size size : sizes) {
      const draw::RecordCanvas canvas = f.record(size.width, size.height);
      EXPECT_EQ(trouble(canvas, size.width, f.needed), "")
          << setting.name << ", " << what.tokens << " tokens, " << what.heads << " heads, " << size.width
          << "×" << size.height;
      EXPECT_GE(f.needed, size.height);
      std::set<std::string> names;
      for (const draw::Mark& mark : canvas.marks) {
        if (mark.part != draw::Part::control) continue;
        EXPECT_FALSE(mark.name.empty());
        EXPECT_TRUE(names.insert(mark.name).second) << mark.name << " twice";
      }
    }
  }
}

TEST(AttentionLayout, OneToken) {
  check({1, 4, 8, false, {}});
}
TEST(AttentionLayout, SixWords) {
  check({6, 4, 8, false, {}});
}
TEST(AttentionLayout, TwentyTwoCharacters) {
  check({22, 4, 8, true, {}});
}
TEST(AttentionLayout, HundredWords) {
  check({100, 4, 8, false, {}});
}
TEST(AttentionLayout, FiveHundredWords) {
  check({500, 2, 4, false, {}});
}
TEST(AttentionLayout, OneHeadOfWidthOne) {
  check({6, 1, 1, false, {}});
}
TEST(AttentionLayout, TwelveHeads) {
  check({6, 12, 4, false, {}});
}
TEST(AttentionLayout, ThirtyTwoHeads) {
  check({6, 32, 2, false, {}});
}
TEST(AttentionLayout, ThousandHeads) {
  check({3, 1024, 1, false, {}});
}
TEST(AttentionLayout, WideHeads) {
  check({6, 1, 300, false, {}});
}
TEST(AttentionLayout, Causal) {
  check({.mask = {.causal = true}});
}
TEST(AttentionLayout, NothingMayBeRead) {
  check({.mask = {.valid_length = true}, .valid_length = 0});
}

TEST(AttentionLayout, AtTheLargestAndSmallestOfPages) {
  AttentionFixture f;
  for (const Size size :
       {Size{200, 150}, Size{1, 1}, Size{0, 0}, Size{900, 100}, Size{7680, 4320}, Size{900, 4320}}) {
    const draw::RecordCanvas canvas = f.record(size.width, size.height);
    EXPECT_GE(f.needed, size.height);
    for (const std::string& line : canvas.lines)
      EXPECT_EQ(line.find("NaN"), std::string::npos) << size.width << ": " << line;
    if (size.width < 200) continue;
    ASSERT_FALSE(canvas.maps.empty()) << size.width;
    for (const auto& map : canvas.maps) EXPECT_TRUE(map.box.w > 0 && map.box.h > 0) << size.width;
    if (size.width < 600) continue;  // the program's window is never as small
    EXPECT_EQ(trouble(canvas, size.width, f.needed), "") << size.width;
    EXPECT_GT(canvas.texts.size(), 20u) << size.width;
  }
}

TEST(AttentionLayout, ALowPageNamesEveryTokenOfASentenceBesideTheMap) {
  AttentionFixture f({.sentence = "the animal does not cross the street because it is too tired."});
  f.scene.head = {3}, f.scene.query = {8};
  f.open(2, 8, 1);
  f.compact = true;
  for (const Size size : {Size{617, 378}, Size{600, 384}}) {
    const draw::RecordCanvas canvas = f.record(size.width, size.height);
    const auto map =
        std::max_element(canvas.maps.begin(), canvas.maps.end(),
                         [](const auto& a, const auto& b) { return a.box.w * a.box.h < b.box.w * b.box.h; });
    ASSERT_NE(map, canvas.maps.end());
    EXPECT_GT(map->box.w, size.width / 2) << "it uses the room";
    int rows = 0;
    for (const auto& text : canvas.texts) {
      const float y = text.box.centre().y;
      rows += text.box.right() < map->box.x && y > map->box.y && y < map->box.bottom();
      const bool beside =
          text.box.y > map->box.y && text.box.y < map->box.bottom() && text.box.right() < map->box.x;
      EXPECT_TRUE(!beside || text.words.find("…") == std::string::npos) << text.words;
    }
    EXPECT_EQ(rows, 13);
  }
}

/// Where the choice of the axes has no room beside the question, it takes no height from the map.
TEST(AttentionLayout, TheChoiceOfTheAxesIsInTheRowOfTheColours) {
  AttentionFixture f({.sentence = "the animal did not cross the street because it was too tired today"});
  f.scene.head = {1};
  f.open(0, 1, 6);
  f.compact = true;
  const draw::RecordCanvas canvas = f.record(752, 430);
  const auto middle_of = [&](const char* words) {
    const auto at = std::find_if(canvas.texts.begin(), canvas.texts.end(),
                                 [&](const auto& text) { return text.words == words; });
    return at == canvas.texts.end() ? -1.f : at->box.centre().y;
  };
  ASSERT_GT(middle_of("query →"), 100);
  EXPECT_NEAR(middle_of("query →"), middle_of("log"), 0.5f);
}

TEST(AttentionLayout, AnEmptySentenceInvites) {
  AttentionFixture f({0, 4, 8, false, {}});
  const draw::RecordCanvas canvas = f.record(1050, 590);
  EXPECT_TRUE(says(canvas, "Type a sentence"));
  EXPECT_TRUE(canvas.maps.empty());
  EXPECT_EQ(f.needed, 590);
  // The first picture of a model is on its way: a sentence is there.
  f.busy = 0.4f;
  const draw::RecordCanvas waiting = f.record(1050, 590);
  EXPECT_TRUE(says(waiting, "The attention is being computed"));
  EXPECT_FALSE(says(waiting, "Type a sentence"));
}

TEST(AttentionLayout, TheMapHasMostOfTheFirstScreen) {
  AttentionFixture f({6, 4, 8, false, {}});
  for (const bool column : {true, false}) {
    f.column = column;
    // A window of 1280 × 720, beside the column of cards or the panel of settings: 55 % of all of it.
    draw::RecordCanvas canvas;
    draw::PickCanvas pick({-1e6f, -1e6f}, canvas);
    attention_page(pick, {0, 0, column ? 1216.f : 920.f, 588}, f.input());
    const auto card = std::find_if(pick.panels().begin(), pick.panels().end(),
                                   [](const auto& panel) { return panel.name == "map"; });
    ASSERT_NE(card, pick.panels().end());
    EXPECT_EQ(card->box, (draw::Box{16, 8, 888, 572})) << "it stays where it is";
    EXPECT_GT(card->box.w * card->box.h, 0.55f * 1280 * 720);
    EXPECT_EQ(card->title, "What does “on” attend to?");
  }
}

TEST(AttentionLayout, TokensThatWereNotComputedAreCounted) {
  AttentionFixture f;
  f.results.tokens_in_sentence = 30;
  EXPECT_TRUE(says(f.record(1050, 590), "24 tokens not computed"));
}

/// A model of several layers: the card of the heads has the choice of the layer.
TEST(AttentionLayout, TheLayerIsChosenOnTheCardOfItsHeads) {
  AttentionFixture f({.settings = {"weights=trained", "weights_layer=2"}});
  ASSERT_GT(f.results.model->config.layers, 1);
  for (const Size size : sizes) {
    SCOPED_TRACE(size.width);
    const draw::RecordCanvas canvas = f.record(size.width, size.height);
    EXPECT_EQ(control(canvas, "heads layer 1").set, "weights_layer=1");
    EXPECT_EQ(control(canvas, "heads layer 2").set, "weights_layer=2");
    EXPECT_TRUE(says(canvas, "layer 1")) << "the first one says what is chosen";
    EXPECT_FALSE(says(canvas, "heads of layer")) << "it is not said twice";
    EXPECT_EQ(trouble(canvas, size.width, f.needed), "");
  }
  // Where not all of them fit, the chosen one is between arrows; the first follows the last.
  auto opened = std::make_shared<scene::OpenedLayer>();
  opened->layer = 11, opened->layers = 12;
  f.results.opened = opened;
  for (const Size size : sizes) {
    SCOPED_TRACE(size.width);
    const draw::RecordCanvas canvas = f.record(size.width, size.height);
    EXPECT_TRUE(says(canvas, "12 of 12"));
    EXPECT_EQ(control(canvas, "heads layer before").set, "weights_layer=11");
    EXPECT_EQ(control(canvas, "heads layer after").set, "weights_layer=1");
  }
  AttentionFixture random;
  EXPECT_EQ(control(random.record(1340, 850), "heads layer 1").part, draw::Part::none);
}

/// A long word of the question is shortened, and the choice of the axis stays where it is.
TEST(AttentionLayout, ALongWordOfTheQuestionLeavesTheAxesTheirPlace) {
  const auto axis = [](const std::string& word, draw::RecordCanvas& canvas) {
    AttentionFixture f({.tokens = 3, .sentence = "the " + word + " sat"});
    canvas = f.record(1216, 588);
    return control(canvas, "queries as rows").area;
  };
  draw::RecordCanvas few, many;
  const std::string word = "antidisestablishmentarianistically";
  const draw::Box beside = axis("cat", few), long_one = axis(word, many);
  ASSERT_GT(beside.w, 0);
  EXPECT_EQ(long_one, beside);
  EXPECT_TRUE(says(few, "“cat”"));
  EXPECT_TRUE(says(many, "“antid"));
  const auto note = std::find_if(many.marks.begin(), many.marks.end(),
                                 [](const draw::Mark& mark) { return mark.name == "question"; });
  ASSERT_NE(note, many.marks.end());
  EXPECT_EQ(note->note, "What does “" + word + "” attend to?") << "its tooltip has the whole word";
}

TEST(AttentionLayout, EveryHeadHasItsTileAndEntropy) {
  AttentionFixture f({6, 12, 4, false, {}});
  const draw::RecordCanvas canvas = f.record(1340, 850);
  std::set<int> heads;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part == draw::Part::head) heads.insert(mark.head);
  }
  EXPECT_EQ(heads.size(), 12u);
  for (const nn::HeadSummary& summary : f.results.heads)
    EXPECT_TRUE(says(canvas, fixed(summary.entropy_bits, 2)));
}

// In a small window, which has no room for 32 entropies; the card says where they are.
TEST(AttentionLayout, ManyHeadsHaveTheirNumbers) {
  for (const int heads : {8, 24, 32}) {
    AttentionFixture f({6, heads, 2, false, {}});
    const draw::RecordCanvas canvas = f.record(1216, 546);
    std::set<std::string> words;
    for (const auto& text : canvas.texts) words.insert(text.words);
    for (int head = 1; head <= heads; ++head)
      EXPECT_TRUE(words.contains(std::to_string(head))) << head << " of " << heads;
    EXPECT_TRUE(says(canvas, "mean") || says(canvas, "entropy: point at one")) << heads;
  }
}

TEST(AttentionLayout, ATileIsHitAsItsHead) {
  AttentionFixture f;
  f.pick({0, 0}, 1050, 590);
  for (const auto& target : f.targets) {
    if (target.mark.part != draw::Part::head) continue;
    EXPECT_EQ(f.pick(target.box.centre(), 1050, 590).mark.head, target.mark.head);
  }
}

}  // namespace
}  // namespace headlight::views::attention_layout_test
