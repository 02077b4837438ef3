// The whole Position page: at every size nothing overlaps and nothing is lost; its controls set real fields;
// it is drawn as it was recorded. HEADLIGHT_UPDATE=1 writes the recordings anew.
#include <gmock/gmock.h>

#include <set>

#include "draw/no_canvas.h"
#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "page_checks.h"
#include "pages/position/view/page.h"
#include "position_scene.h"
#include "position_spy.h"

namespace headlight::views::position_page_test {
namespace {

using draw::Box;
using test::PositionScene;

struct Size {
  float w, h;
};
constexpr Size sizes[] = {{1340, 850}, {1050, 590},  {640, 360},   {480, 700},  {800, 600},
                          {960, 900},  {2400, 1400}, {3590, 2010}, {1700, 1000}};

std::vector<PositionScene> scenes() {
  std::vector<PositionScene> all;
  all.emplace_back(32, 60, 10, 5);
  all.emplace_back(32, 60, 59, 30);
  all.emplace_back(512, 1000, 700, -50);
  all.emplace_back(5, 3, 1, 1);
  all.emplace_back(1, 1, 0, 0);
  all.emplace_back(1024, 4096, 4095, -4000);
  all.emplace_back(64, 200, 3, -2, 1e6);
  all.emplace_back(33, 17, 16, -16, 1.5);
  for (std::size_t n = 0; n < all.size(); ++n) {
    all[n].scene.positions.step = 1 + static_cast<int>(n) % 3;
    if (n % 2 == 1) all[n].scene.theme = scene::ThemeName::light;
    if (n == 2 || n == 7) all[n].scene.positions.clock_speed = scene::ClockSpeed::logarithmic;
    if (n == 6) all[n].scene.positions.columns = {0, 1, 2, 3, 10, 11, 12, 13, 14, 15, 40, 41, 62, 63};
    all[n].scene.positions.pair = std::min(3, std::max(0, all[n].scene.d_model / 2 - 1));
  }
  for (const std::size_t n : {0, 2, 3, 4, 5, 7}) {
    all.push_back(all[n]);
    all.back().scene.positions.axis = scene::PAxis::across;
  }
  return all;
}

std::string name(const PositionScene& s, Size size) {
  std::ostringstream out;
  out << "d " << s.scene.d_model << ", " << s.scene.positions.count << " positions at " << size.w << " × "
      << size.h;
  return out.str();
}

TEST(PositionPage, NoTextOverlapsAnotherAndNoneLeavesTheArea) {
  for (const PositionScene& s : scenes()) {
    for (const Size size : sizes) {
      SCOPED_TRACE(name(s, size));
      draw::RecordCanvas canvas;
      const Box area{100, 50, size.w, size.h};
      const float height = position_page(canvas, area, s.input());
      test::expect_texts_apart(canvas, area, height, 1.5f);
    }
  }
}

TEST(PositionPage, MapsAndMarksStayInside) {
  for (const PositionScene& s : scenes()) {
    for (const Size size : sizes) {
      SCOPED_TRACE(name(s, size));
      draw::RecordCanvas canvas;
      const Box area{0, 0, size.w, size.h};
      const float height = position_page(canvas, area, s.input());
      EXPECT_GE(height, std::min(size.h, 1000.f) - 30);
      for (const auto& map : canvas.maps) {
        EXPECT_GT(map.box.w, 0);
        EXPECT_GT(map.box.h, 0);
        EXPECT_GE(map.box.x, 0);
        EXPECT_LE(map.box.right(), size.w);
        EXPECT_LE(map.box.bottom(), height);
        // P is blue in both views; the vectors of the card on concatenating have a sign.
        if (map.map.map == draw::Colormap::blues) continue;
        EXPECT_NE(map.map.values, s.results.position.p.data());
        EXPECT_EQ(map.map.map, draw::Colormap::signed_weight);
        EXPECT_EQ(map.map.view.h, 1);
      }
      for (const draw::Mark& mark : canvas.marks) {
        if (mark.area.w <= 0) continue;
        EXPECT_GE(mark.area.x, 0) << mark.name;
        EXPECT_LE(mark.area.right(), size.w + 0.01f) << mark.name;
        EXPECT_LE(mark.area.bottom(), height + 0.01f) << mark.name;
      }
    }
  }
}

TEST(PositionPage, TheMainCardsStandOnTheFirstScreen) {
  draw::RecordCanvas canvas;
  const PositionScene s(32, 60, 10, 5);
  const float height = position_page(canvas, {0, 0, 1340, 850}, s.input());
  EXPECT_GT(height, 850);
  const auto lowest = [&](const std::string& words) {
    for (const auto& text : canvas.texts) {
      if (text.words.find(words) != std::string::npos) return text.box.bottom();
    }
    return 1e9f;
  };
  for (const char* words : {"P, the whole matrix", "Columns 6–9", "λ 35,333", "holds to", "takes 10 → 15"})
    EXPECT_LT(lowest(words), 850) << words;
  for (const char* words :
       {"Why does P have many columns?", "Is every row unique?", "Positions in binary", "Same offset"})
    EXPECT_LT(lowest(words), height) << words;
}

TEST(PositionPage, ControlsSetRealFields) {
  EXPECT_FALSE(test::sets_a_field("clock_speed=fast"));
  EXPECT_FALSE(test::sets_a_field("position_colums=1"));
  for (const PositionScene& s : scenes()) {
    for (const Size size : sizes) {
      draw::RecordCanvas canvas;
      position_page(canvas, {0, 0, size.w, size.h}, s.input());
      std::set<std::string> names;
      for (const draw::Mark& mark : canvas.marks) {
        if (!mark.name.empty()) {
          EXPECT_TRUE(names.insert(mark.name).second) << mark.name << " twice";
        }
        if (mark.part != draw::Part::control) continue;
        EXPECT_FALSE(mark.name.empty());
        EXPECT_TRUE(test::sets_a_field(mark.set)) << mark.set;
      }
      EXPECT_TRUE(names.count("one sinusoid"));
      EXPECT_TRUE(names.count("position axis") || names.count("position axis of P"));
      if (s.scene.d_model > 1) {
        EXPECT_TRUE(names.count("run position"));
      }
    }
  }
}

TEST(PositionPage, WhatIsDrawnCanBePicked) {
  const PositionScene s(32, 60, 10, 5);
  draw::RecordCanvas canvas;
  const Box area{0, 0, 1340, 850};
  position_page(canvas, area, s.input());
  int tried = 0;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.area.w <= 0) continue;
    if (mark.part == draw::Part::position_axis || mark.name == "dot plot") continue;  // others lie over them
    draw::PickCanvas pick(mark.area.centre(), canvas);
    position_page(pick, area, s.input());
    EXPECT_EQ(pick.hit().mark, mark) << mark.name;
    EXPECT_FALSE(position_tooltip(s.input(), pick.hit()).empty()) << mark.name;
    ++tried;
  }
  EXPECT_GT(tried, 110);
  // A cell of P: its row and column.
  const auto& map = canvas.maps.front();
  const Box cell = draw::cell_box(map.box, map.map, 20, 42);
  draw::PickCanvas pick(cell.centre(), canvas);
  position_page(pick, area, s.input());
  EXPECT_EQ(pick.hit().mark.part, draw::Part::position_cell);
  EXPECT_EQ(pick.hit().mark.query, 42);
  EXPECT_EQ(pick.hit().mark.key, 20);
}

TEST(PositionPage, NothingComputedYet) {
  PositionScene s(32, 60, 10, 5);
  s.results.position = {};
  draw::RecordCanvas canvas;
  EXPECT_EQ(position_page(canvas, {0, 0, 800, 500}, s.input()), 500);
  ASSERT_FALSE(canvas.texts.empty());
  EXPECT_EQ(canvas.texts[0].words, "How does a position become a vector?");
  EXPECT_EQ(canvas.texts[1].words, "P is being computed");
}

TEST(PositionPage, ASceneAheadOfItsResultsIsDrawn) {
  // The controls already say d = 8 and position 3000; the results are those of before.
  PositionScene s(32, 60, 10, 5);
  s.scene.d_model = 8, s.scene.positions.index = 3000, s.scene.positions.pair = 400,
  s.scene.positions.delta = -2990;
  s.scene.positions.columns = {0, 900};
  for (int step = 1; step <= 3; ++step) {
    s.scene.positions.step = step;
    draw::RecordCanvas canvas;
    EXPECT_GT(position_page(canvas, {0, 0, 1340, 850}, s.input()), 850);
  }
}

TEST(PositionPage, AnyHoverIsDrawn) {
  // What lay under the pointer may come from an older, larger P.
  PositionScene s(5, 7, 3, 2);
  s.hovering = true;
  for (int part = 0; part <= static_cast<int>(draw::Part::note); ++part) {
    for (const int index : {-1, 0, 6, 4000}) {
      s.hover.mark.part = static_cast<draw::Part>(part);
      s.hover.mark.query = s.hover.mark.key = index;
      s.hover.mark.area = {0, 0, 100, 100}, s.hover.mark.from = 0, s.hover.mark.to = 9000;
      s.hover.at = {50, 50};
      for (const char* name : {"", "row i", "dot plot"}) {
        s.hover.mark.name = name;
        draw::RecordCanvas canvas;
        EXPECT_GT(position_page(canvas, {0, 0, 1340, 850}, s.input()), 850);
        for (const std::string& line : canvas.lines)
          EXPECT_EQ(line.find("NaN"), std::string::npos) << part << ", " << index << ": " << line;
        EXPECT_THAT(position_words(s.input()), testing::StartsWith("P is 7 × 5"));
        // P has five columns: only the first of these is there.
        const std::string tooltip = position_tooltip(s.input(), s.hover);
        const draw::Part pointed = s.hover.mark.part;
        if (pointed == draw::Part::position_cell || pointed == draw::Part::position_column)
          EXPECT_EQ(tooltip.empty(), index != 0) << part << ", " << index << ": " << tooltip;
      }
    }
  }
}

/// What is left to rounding is another number on another processor.
void unround(PositionScene& s) {
  s.results.position.worst_rotation_residual = 6.3e-8;
  auto concatenated = std::make_shared<scene::Concatenated>(*s.results.concatenated);
  concatenated->largest_difference = 1.2e-7;
  s.results.concatenated = concatenated;
}

/// Both have one axis: the same position is at the same x.
TEST(PositionPage, PIsOverTheWaveOfItsPair) {
  PositionScene s(32, 60, 10, 5);
  s.scene.positions.axis = scene::PAxis::across;
  for (const auto& [width, height] : {std::pair{592.f, 316.f},
                                      {752.f, 848.f},
                                      {1216.f, 562.f},
                                      {1216.f, 602.f},
                                      {1504.f, 866.f},
                                      {2184.f, 1274.f}}) {
    SCOPED_TRACE(width);
    draw::RecordCanvas canvas;
    PageInput in = s.input();
    in.compact = width < 900;
    const float needed = position_page(canvas, {0, 0, width, height}, in);
    const auto map = std::find_if(canvas.maps.begin(), canvas.maps.end(),
                                  [](const auto& one) { return one.map.transposed; });
    ASSERT_NE(map, canvas.maps.end());
    const auto axis = std::find_if(canvas.marks.begin(), canvas.marks.end(), [](const draw::Mark& mark) {
      return mark.part == draw::Part::position_axis;
    });
    ASSERT_NE(axis, canvas.marks.end());
    EXPECT_EQ(axis->area.x, map->box.x);
    EXPECT_EQ(axis->area.w, map->box.w);
    EXPECT_EQ(axis->from, -0.5f);
    EXPECT_EQ(axis->to, 59.5f);
    EXPECT_EQ(axis->area.y, map->box.y);
    const bool wave = height > 400;
    EXPECT_EQ(axis->area.bottom() > map->box.bottom() + 40, wave) << "a low card has no wave";
    EXPECT_EQ(test::says(canvas, "sine, column 6"), wave);
    EXPECT_EQ(test::says(canvas, "P over its waves"), wave);
    // Where they have no room beside the question, the words are short.
    const bool whole = test::says(canvas, "positions across");
    EXPECT_TRUE(whole || test::says(canvas, "across"));
    EXPECT_TRUE(test::says(canvas, "How does a position"));
    EXPECT_EQ(test::text_trouble(canvas, width, needed), "");
  }
}

/// The cards that a page names.
class Names final : public draw::NoCanvas {
 public:
  explicit Names(bool paper) : paper_(paper) {}
  void panel(Box /*box*/, std::string_view name, std::string_view /*title*/) override {
    all.emplace_back(name);
  }
  bool plain() const override { return paper_; }
  std::vector<std::string> all;

 private:
  bool paper_;
};

/// Beside the other cards their colours say it.
TEST(PositionPage, OnlyACardThatIsShownAloneSaysWhatItsFramesAre) {
  const PositionScene s(32, 60, 10, 5);
  PageInput in = s.input();
  for (const bool alone : {false, true}) {
    in.alone = alone;
    draw::RecordCanvas canvas;
    position_page(canvas, {0, 0, 1050, 1000}, in);
    const auto says = [&](const char* words) {
      return std::any_of(canvas.texts.begin(), canvas.texts.end(),
                         [&](const auto& text) { return text.words.find(words) != std::string::npos; });
    };
    EXPECT_EQ(says("Framed: i = 10, i + δ = 15"), alone);
    EXPECT_EQ(says("wavelengths from"), alone);
  }
}

TEST(PositionPage, NoTwoCardsHaveOneNameAndTheColumnsHaveACard) {
  for (const scene::PAxis axis : {scene::PAxis::down, scene::PAxis::across}) {
    for (const bool paper : {false, true}) {
      for (const Size size : sizes) {
        PositionScene s(32, 60, 10, 5);
        s.scene.positions.axis = axis;
        SCOPED_TRACE(name(s, size) + (paper ? " on paper" : " in a window"));
        Names canvas(paper);
        position_page(canvas, {0, 0, size.w, size.h}, s.input());
        const std::set<std::string> once(canvas.all.begin(), canvas.all.end());
        EXPECT_EQ(once.size(), canvas.all.size());
        EXPECT_EQ(once.count("columns"), 1u);
      }
    }
  }
}

/// The wave is drawn where P has rows, and not half a position beyond.
TEST(PositionPage, TheWaveEndsAtTheFirstAndTheLastPosition) {
  PositionScene s(32, 60, 10, 5);
  s.scene.positions.axis = scene::PAxis::across;
  test::SpyCanvas canvas;
  position_page(canvas, {0, 0, 1216, 602}, s.input());
  const draw::Mark* axis = canvas.marked(draw::Part::position_axis);
  ASSERT_TRUE(axis);
  const float half = axis->area.w / 60 / 2;
  int waves = 0;
  for (const auto& line : canvas.polylines) {
    if (line.size() < 20 || line.front().y < axis->area.y || line.front().y > axis->area.bottom()) continue;
    if (line.front().x > axis->area.right()) continue;
    EXPECT_NEAR(line.front().x, axis->area.x + half, 0.1f);
    EXPECT_NEAR(line.back().x, axis->area.right() - half, 0.1f);
    ++waves;
  }
  EXPECT_EQ(waves, 2);
}

TEST(PositionPage, AsRecorded) {
  draw::RecordCanvas canvas;
  PositionScene s(32, 60, 10, 5);
  unround(s);
  position_page(canvas, {0, 0, 1340, 850}, s.input());
  test::expect_recorded("position_dark.txt", canvas);
}

TEST(PositionPage, AsRecordedNarrowAndLight) {
  draw::RecordCanvas canvas;
  PositionScene s(5, 3, 2, 1);
  unround(s);
  s.scene.theme = scene::ThemeName::light, s.scene.positions.step = 2, s.scene.positions.pair = 1;
  s.scene.positions.columns = {0, 1, 4};
  PageInput in = s.input();
  in.compact = true;
  position_page(canvas, {0, 0, 640, 360}, in);
  test::expect_recorded("position_narrow_light.txt", canvas);
}

TEST(PositionPage, AsRecordedLogarithmic) {
  draw::RecordCanvas canvas;
  PositionScene s(128, 300, 290, 20);
  unround(s);
  s.scene.positions.clock_speed = scene::ClockSpeed::logarithmic, s.scene.positions.step = 1;
  s.scene.positions.columns = {20, 21};
  position_page(canvas, {0, 0, 1050, 590}, s.input());
  test::expect_recorded("position_logarithmic.txt", canvas);
}

}  // namespace
}  // namespace headlight::views::position_page_test
