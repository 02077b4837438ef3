// The Variants page: at every size nothing overlaps and nothing is lost, its controls set real fields, and
// the numbers are those of the results.
#include "views/variants_page.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "variants_scene.h"
#include "views/variants_view.h"

namespace headlight::views {
namespace {

using draw::Box;
using scene::VariantMask;
using scene::VariantPosition;
using scene::VariantSide;
using test::VariantsScene;

struct Size {
  float w, h;
};
constexpr Size sizes[] = {{1340, 850}, {1050, 590}, {640, 360},   {480, 700},
                          {800, 600},  {940, 900},  {2400, 1400}, {3590, 2010}};

std::vector<VariantsScene> scenes() {
  using P = VariantPosition;
  using M = VariantMask;
  std::vector<VariantsScene> all;
  all.emplace_back(6, VariantSide{M::none, P::rope, true}, VariantSide{M::none, P::sinusoidal, true});
  all.emplace_back(6, VariantSide{M::causal, P::t5, true}, VariantSide{M::window_global, P::alibi, false});
  all.emplace_back(1, VariantSide{M::none, P::none, true}, VariantSide{M::none, P::learned, true});
  all.emplace_back(2, VariantSide{M::none, P::concat, true}, VariantSide{M::none, P::rope_half, true});
  all.emplace_back(23, VariantSide{M::window_global, P::alibi, true}, VariantSide{M::causal, P::t5, true},
                   32);
  all.emplace_back(70, VariantSide{M::window_global, P::rope, true},
                   VariantSide{M::none, P::sinusoidal, true});
  all.emplace_back(500, VariantSide{M::causal, P::learned, true}, VariantSide{M::window_global, P::t5, true});
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (n % 2 == 1) all[n].scene.theme = scene::ThemeName::light;
    if (n == 1) all[n].scene.query = {2}, all[n].scene.key = 1;
    if (n == 5) all[n].scene.query_axis = scene::QueryAxis::columns;
  }
  // A side that cannot be computed.
  all.emplace_back(6, VariantSide{M::none, P::learned, true}, VariantSide{M::causal, P::rope, true});
  scene::VariantsResults& failed = *all.back().variants;
  failed.a = {};
  failed.a.settings = {M::none, P::learned, true};
  failed.a.error = failed.decoding.error =
      "learned positions 0 to 5 are asked for, but the table has rows 0 to 4; shorten the text or change the "
      "offset";
  failed.difference = {};
  return all;
}

std::string name(const VariantsScene& s, Size size) {
  std::ostringstream out;
  out << s.variants->T << " tokens, " << side_name(s.variants->a.settings) << " at " << size.w << " × "
      << size.h;
  return out.str();
}

TEST(VariantsPage, NoTextOverlapsAnotherAndNoneLeavesTheArea) {
  for (const VariantsScene& s : scenes()) {
    for (const Size size : sizes) {
      SCOPED_TRACE(name(s, size));
      draw::RecordCanvas canvas;
      const Box area{100, 50, size.w, size.h};
      const float height = variants_page(canvas, area, s.input());
      EXPECT_GE(height, size.h);
      for (std::size_t a = 0; a < canvas.texts.size(); ++a) {
        const Box box = canvas.texts[a].box;
        EXPECT_GE(box.x, area.x) << canvas.texts[a].words;
        EXPECT_GE(box.y, area.y) << canvas.texts[a].words;
        EXPECT_LE(box.right(), area.right()) << canvas.texts[a].words;
        EXPECT_LE(box.bottom(), area.y + height) << canvas.texts[a].words;
        for (std::size_t b = a + 1; b < canvas.texts.size(); ++b) {
          const Box other = canvas.texts[b].box;
          const float across = std::min(box.right(), other.right()) - std::max(box.x, other.x);
          const float down = std::min(box.bottom(), other.bottom()) - std::max(box.y, other.y);
          EXPECT_FALSE(across > 0.5f && down > 2)
              << "\"" << canvas.texts[a].words << "\" and \"" << canvas.texts[b].words << "\" by " << across
              << ", " << down;
        }
      }
      for (const auto& map : canvas.maps) {
        EXPECT_GE(map.box.x, area.x);
        EXPECT_LE(map.box.right(), area.right() + 0.01f);
        EXPECT_LE(map.box.bottom(), area.y + height + 0.01f);
      }
      for (const draw::Mark& mark : canvas.marks) {
        if (mark.area.w <= 0) continue;
        EXPECT_GE(mark.area.x, area.x) << mark.name;
        EXPECT_LE(mark.area.right(), area.right() + 0.01f) << mark.name;
        EXPECT_LE(mark.area.bottom(), area.y + height + 0.01f) << mark.name;
      }
    }
  }
}

TEST(VariantsPage, BothSidesTheirDifferenceAndTheControlsStandOnTheFirstScreen) {
  for (const Size size : {Size{1340, 850}, Size{1050, 590}}) {
    draw::RecordCanvas canvas;
    const VariantsScene s = scenes()[0];
    variants_page(canvas, {0, 0, size.w, size.h}, s.input());
    for (const char* map : {"a", "b", "difference"}) {
      bool seen = false;
      for (const draw::Mark& mark : canvas.marks)
        seen = seen || (mark.part == draw::Part::cell && mark.name == map);
      EXPECT_TRUE(seen) << map;
    }
    int large = 0;
    for (const auto& map : canvas.maps)
      large += map.map.rows == 6 && map.map.cols == 6 && map.box.bottom() < size.h;
    EXPECT_GE(large, 3);
  }
}

/// Only says whether the field and the value exist.
bool names_a_field(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) return false;
  const std::string field = assignment.substr(0, equals), value = assignment.substr(equals + 1);
  bool right = false;
  scene::Scene scratch;
  scene::fields(scratch, [&](const scene::Field& f, auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if (f.name != field) return;
    if constexpr (scene::Worded<Member>) {
      for (const char* word : scene::Words<Member>::list) right = right || value == word;
    } else if constexpr (std::is_same_v<Member, bool>) {
      right = value == "true" || value == "false";
    } else if constexpr (std::is_same_v<Member, int> || std::is_same_v<Member, scene::IndexList>) {
      right = true;
      std::istringstream list(value);
      for (std::string item; std::getline(list, item, ',');) {
        const int number = std::atoi(item.c_str());
        right = right && std::to_string(number) == item && number >= f.min && number <= f.max;
      }
    }
  });
  return right;
}

TEST(VariantsPage, ControlsSetRealFieldsAndHaveNamesOfTheirOwn) {
  for (const VariantsScene& s : scenes()) {
    for (const Size size : sizes) {
      SCOPED_TRACE(name(s, size));
      draw::RecordCanvas canvas;
      variants_page(canvas, {0, 0, size.w, size.h}, s.input());
      std::set<std::string> names;
      for (const draw::Mark& mark : canvas.marks) {
        if (mark.part == draw::Part::control) {
          EXPECT_TRUE(names.insert(mark.name).second) << mark.name << " twice";
          std::istringstream parts(mark.set);
          for (std::string part; std::getline(parts, part, ';');) EXPECT_TRUE(names_a_field(part)) << part;
        }
      }
      for (const char* wanted : {"causal or not", "√d_k on and off", "ALiBi or none", "RoPE or sinusoidal",
                                 "window + global", "a position rope", "b mask causal", "a raw", "shift 64"})
        EXPECT_TRUE(names.count(wanted)) << wanted;
    }
  }
}

TEST(VariantsPage, ThePresetThatIsOnIsTheOneWhoseSettingsHold) {
  const VariantsScene s = scenes()[0];
  draw::RecordCanvas canvas;
  const PageInput input = s.input();
  const VariantsView view(canvas, input);
  int on = 0;
  for (const Choice& choice : compare_choices(view)) {
    on += choice.on;
    EXPECT_EQ(choice.on, choice.name == "RoPE or sinusoidal") << choice.name;
    if (choice.name == "swap A and B") {
      EXPECT_EQ(choice.set,
                "variants_a_mask=none;variants_a_position=sinusoidal;variants_a_scale=true;"
                "variants_b_mask=none;variants_b_position=rope;variants_b_scale=true");
    }
  }
  EXPECT_EQ(on, 1);
}

std::string all_words(const draw::RecordCanvas& canvas) {
  std::string out;
  for (const auto& text : canvas.texts) out += text.words + "\n";
  return out;
}

TEST(VariantsPage, TheCellsHoldTheWeightsAndTheirDifference) {
  const VariantsScene s = scenes()[1];  // masks on both sides
  draw::RecordCanvas canvas;
  variants_page(canvas, {0, 0, 1340, 850}, s.input());
  const auto written = [&](const char* mark_name, int map_index, const nn::Matrix& values,
                           const std::vector<std::uint8_t>& allow) {
    const auto& map = canvas.maps[static_cast<std::size_t>(map_index)];
    ASSERT_EQ(map.map.values, values.data()) << mark_name;
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        const draw::Point middle = draw::cell_box(map.box, map.map, j, i).centre();
        std::string words;
        for (const auto& text : canvas.texts) {
          if (std::abs(text.at.x - middle.x) < 1 && std::abs(text.at.y - middle.y) < 1) words = text.words;
        }
        const bool may = allow[static_cast<std::size_t>(i * 6 + j)] != 0;
        EXPECT_EQ(words, may ? fixed(static_cast<double>(values.at(i, j)), 2) : "")
            << mark_name << i << "," << j;
      }
    }
  };
  const auto index_of = [&](const float* values) {
    for (std::size_t n = 0; n < canvas.maps.size(); ++n) {
      if (canvas.maps[n].map.values == values) return static_cast<int>(n);
    }
    return 0;
  };
  written("a", index_of(s.variants->a.weights.data()), s.variants->a.weights, s.variants->a.allow);
  written("b", index_of(s.variants->b.weights.data()), s.variants->b.weights, s.variants->b.allow);
  written("difference", index_of(s.variants->difference.weights.data()), s.variants->difference.weights,
          s.variants->difference.allow);
}

TEST(VariantsPage, TheTableHoldsTheFiguresOfBothSides) {
  const VariantsScene s = scenes()[0];
  draw::RecordCanvas canvas;
  variants_page(canvas, {0, 0, 1340, 850}, s.input());
  const auto row = [&](const std::string& label) {
    std::vector<std::string> cells;
    float y = -1;
    for (const auto& text : canvas.texts) {
      if (text.words == label && y < 0) y = text.at.y;
      if (y >= 0 && text.at.y == y && text.words != label) cells.push_back(text.words);
    }
    return cells;
  };
  EXPECT_EQ(row("entropy, bit"), (std::vector<std::string>{"1.25", "2.50", "−1.25"}));
  EXPECT_EQ(row("largest weight"), (std::vector<std::string>{"0.438", "0.875", "−0.438"}));
  EXPECT_EQ(row("score variance"), (std::vector<std::string>{"2.50", "5.00", "−2.50"}));
  EXPECT_EQ(row("pairs allowed"), (std::vector<std::string>{"36", "36", "0"}));
  EXPECT_EQ(row("shift by 8"), (std::vector<std::string>{"2.4e−07", "0.28"}));
  const std::string words = all_words(canvas);
  EXPECT_NE(words.find("37.5 % of a row moves"), std::string::npos);
  EXPECT_NE(words.find("2.4e−07"), std::string::npos);
}

TEST(VariantsPage, ShiftsInWords) {
  scene::VariantSideResults side;
  side.score_magnitude = 3;
  EXPECT_EQ(shift_words(side, 0), "not shifted");
  EXPECT_EQ(shift_words(side, 8), "scores stay exactly the same");
  side.shift.score_change = 2.4e-7;
  EXPECT_EQ(shift_words(side, 8), "scores stay the same up to rounding, 2.4e−07");
  side.shift.score_change = 2.9e-5;  // of scores up to 3 in float32
  EXPECT_EQ(shift_words(side, 8), "scores stay the same up to rounding, 2.9e−05");
  side.shift.score_change = 3.1e-5;
  EXPECT_EQ(shift_words(side, 8), "scores change by up to 3.1e−05");
  side.shift.score_change = 2.126;
  EXPECT_EQ(shift_words(side, 8), "scores change by up to 2.13");
  side.shift_error = "there is no row 10";
  EXPECT_EQ(shift_words(side, 8), "no such positions: there is no row 10");
}

TEST(VariantsPage, WhatIsDrawnCanBePicked) {
  for (const int n : {0, 1}) {
    const VariantsScene s = scenes()[static_cast<std::size_t>(n)];
    draw::RecordCanvas canvas;
    const Box area{0, 0, 1340, 850};
    variants_page(canvas, area, s.input());
    int tried = 0;
    for (const draw::Mark& mark : canvas.marks) {
      if (mark.area.w <= 0) continue;
      draw::PickCanvas pick(mark.area.centre(), canvas);
      variants_page(pick, area, s.input());
      EXPECT_EQ(pick.hit().mark, mark) << mark.name;
      EXPECT_FALSE(variants_tooltip(s.input(), pick.hit()).empty()) << mark.name;
      ++tried;
    }
    EXPECT_GT(tried, 100);
  }
}

TEST(VariantsPage, ACellSaysWhatBothSidesMakeOfIt) {
  VariantsScene s = scenes()[1];
  draw::RecordCanvas canvas;
  s.hovering = true;
  s.hover.mark.part = draw::Part::cell, s.hover.mark.query = 4, s.hover.mark.key = 2;
  const scene::VariantsResults& v = *s.variants;
  const std::string words = variants_tooltip(s.input(), s.hover);
  EXPECT_NE(words.find("“cat” 4 → “antidisestablishmentarianism” 2"), std::string::npos);
  EXPECT_NE(words.find("A weight " + fixed(static_cast<double>(v.a.weights.at(4, 2)), 4)), std::string::npos);
  EXPECT_NE(words.find("score " + fixed(static_cast<double>(v.a.scores.at(4, 2)), 3)), std::string::npos);
  EXPECT_NE(words.find("B masked, weight exactly 0"), std::string::npos);
  EXPECT_NE(words.find("A − B +" + fixed(static_cast<double>(v.a.weights.at(4, 2)), 4)), std::string::npos);
  EXPECT_NE(variants_words(s.input()).find("“cat” 4"), std::string::npos);
}

TEST(VariantsPage, AnyHoverAndASceneAheadOfItsResultsAreDrawn) {
  VariantsScene s = scenes()[0];
  s.scene.query = {400}, s.scene.key = 300, s.scene.heads = 1, s.scene.variants.batch_lengths = {};
  s.scene.variants.shift = 64;
  s.hovering = true;
  for (int part = 0; part <= static_cast<int>(draw::Part::note); ++part) {
    for (const int index : {-1, 0, 5, 4000}) {
      s.hover.mark.part = static_cast<draw::Part>(part);
      s.hover.mark.query = s.hover.mark.key = index;
      draw::RecordCanvas canvas;
      EXPECT_GT(variants_page(canvas, {0, 0, 1340, 850}, s.input()), 850);
      variants_words(s.input());
      variants_tooltip(s.input(), s.hover);
    }
  }
}

TEST(VariantsPage, NothingToShow) {
  VariantsScene s = scenes()[0];
  s.results.variants = nullptr;
  draw::RecordCanvas canvas;
  EXPECT_EQ(variants_page(canvas, {0, 0, 800, 500}, s.input()), 500);
  EXPECT_EQ(canvas.texts[0].words, "The variants are being computed");
  const VariantsScene empty(0, {}, {});
  draw::RecordCanvas none;
  EXPECT_EQ(variants_page(none, {0, 0, 800, 500}, empty.input()), 500);
  EXPECT_EQ(none.texts[0].words, "Type a sentence");
}

TEST(VariantsMap, MaskedCellsAreStripedWhateverTheShapeOfTheMask) {
  const VariantsScene s = scenes()[1];  // A causal, B scattered
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true)};
  NamedMap map;
  map.values = s.variants->b.weights.data(), map.rows = map.cols = 6;
  map.allow = s.variants->b.allow;
  map.row_names = map.col_names = {"a", "b", "c", "d", "e", "f"};
  EXPECT_TRUE(has_masked(map));
  EXPECT_TRUE(can_stripe(map));
  const Box box = draw_named_map(pen, {0, 0, 400, 400}, map);
  // Each masked cell lies under a striped box, and no allowed one does.
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const float w = box.w / 6, h = box.h / 6;
      const draw::Point middle{box.x + (static_cast<float>(j) + 0.5f) * w,
                               box.y + (static_cast<float>(i) + 0.5f) * h};
      bool striped = false;
      for (const auto& drawn : canvas.maps)
        striped = striped || (drawn.map.rows == 1 && drawn.box.has(middle));
      EXPECT_EQ(striped, !s.variants->b.allow[static_cast<std::size_t>(i * 6 + j)]) << i << "," << j;
    }
  }
  std::vector<std::uint8_t> chequered(200 * 200);
  for (std::size_t i = 0; i < chequered.size(); ++i) chequered[i] = (i / 200 + i) % 2;
  map.rows = map.cols = 200, map.allow = chequered;
  EXPECT_FALSE(can_stripe(map));
}

}  // namespace
}  // namespace headlight::views
