// Where everything of the Variants page stands: at every size nothing overlaps and nothing is lost, its
// controls set real fields, its colour bars stand under their maps.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/variants/view/page.h"
#include "pages/variants/view/view.h"
#include "variants_scene.h"

namespace headlight::views {
namespace {

using draw::Box;
using scene::VariantMask;
using scene::VariantPosition;
using scene::VariantSide;
using test::scenes;
using test::Size;
using test::sizes;
using test::VariantsScene;

TEST(VariantsPage, NoTextOverlapsAnotherAndNoneLeavesTheArea) {
  for (const VariantsScene& s : scenes()) {
    for (const Size size : sizes) {
      SCOPED_TRACE(test::name(s, size));
      draw::RecordCanvas canvas;
      const Box area{100, 50, size.w, size.h};
      const float height = variants_page(canvas, area, s.input());
      EXPECT_GE(height, size.h);
      test::expect_texts_apart(canvas, area, height, 2);
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
  // The last is a small window, in which the choices of each side are steps.
  for (const Size size : {Size{1340, 850}, Size{1050, 590}, Size{740, 360}}) {
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

TEST(VariantsPage, ItsNumbersStandBesideEachMap) {
  const VariantsScene s = scenes()[0];
  draw::RecordCanvas canvas;
  variants_page(canvas, {0, 0, 1536, 868}, s.input());
  std::vector<std::string> found;
  for (const auto& text : canvas.texts)
    if (text.words.find(" · entropy ") != std::string::npos) found.push_back(text.words);
  std::vector<std::string> expected;
  for (const auto* side : {&s.variants->a, &s.variants->b})
    expected.push_back("variance " + fixed(test::variance(side->scores), 2) + " · entropy " +
                       fixed(test::mean_entropy(side->weights), 2) + " bits");
  EXPECT_EQ(found, expected);
}

TEST(VariantsPage, TheCellsOfOneTokenAreLargeAndAlike) {
  const VariantsScene s(1, VariantSide{VariantMask::none, VariantPosition::rope, true},
                        VariantSide{VariantMask::none, VariantPosition::sinusoidal, true});
  for (const Size size : {Size{805, 428}, Size{1216, 616}, Size{2200, 1300}}) {
    draw::RecordCanvas canvas;
    variants_page(canvas, {0, 0, size.w, size.h}, s.input());
    std::vector<draw::Box> cells;
    for (const float* values :
         {s.variants->a.weights.data(), s.variants->b.weights.data(), s.variants->difference.weights.data()})
      for (const auto& map : canvas.maps)
        if (map.map.values == values) cells.push_back(map.box);
    ASSERT_EQ(cells.size(), 3u);
    for (const draw::Box& cell : cells) {
      EXPECT_NEAR(cell.w, cells[0].w, 2) << size.w;
      EXPECT_NEAR(cell.y, cells[0].y, 2) << size.w;
    }
    EXPECT_GE(cells[0].h, size.w > 2000 ? 200 : 100) << size.w;
  }
}

/// "b mask after" stands for "b mask causal" where a low window has steps instead of all choices.
bool in_steps(const std::set<std::string>& names, const std::string& wanted) {
  const std::string field = wanted.substr(0, wanted.rfind(' '));
  const auto steps = [&](const std::string& of) {
    return names.count(of + " before") > 0 && names.count(of + " after") > 0;
  };
  const bool preset = wanted.find(" or ") != std::string::npos || wanted.find(" and ") != std::string::npos;
  return steps(field) || (preset && steps("preset"));
}

TEST(VariantsPage, ControlsSetRealFieldsAndHaveNamesOfTheirOwn) {
  for (const VariantsScene& s : scenes()) {
    for (const Size size : sizes) {
      SCOPED_TRACE(test::name(s, size));
      draw::RecordCanvas canvas;
      variants_page(canvas, {0, 0, size.w, size.h}, s.input());
      std::set<std::string> names;
      for (const draw::Mark& mark : canvas.marks) {
        if (mark.part == draw::Part::control) {
          EXPECT_TRUE(names.insert(mark.name).second) << mark.name << " twice";
          std::istringstream parts(mark.set);
          for (std::string part; std::getline(parts, part, ';');)
            EXPECT_TRUE(test::sets_a_field(part)) << part;
        }
      }
      for (const char* wanted :
           {"causal or not", "√d_k on and off", "ALiBi or none", "RoPE or sinusoidal", "window and global",
            "a position rope", "b mask causal", "a raw", "shift 64"})
        EXPECT_TRUE(names.count(wanted) || in_steps(names, wanted)) << wanted;
    }
  }
}

TEST(VariantsPage, AControlOfSeveralLinesIsOneField) {
  for (const Size size : {Size{1010, 560}, Size{352, 230}, Size{1340, 850}}) {
    draw::RecordCanvas canvas;
    const VariantsScene s = scenes()[0];
    variants_page(canvas, {0, 0, size.w, size.h}, s.input());
    for (const std::string group : {"a position ", "a mask ", "b position ", "b mask "}) {
      std::map<float, std::pair<float, float>> lines;  // from … to, by the height at which they stand
      std::map<float, float> covered;
      for (const draw::Mark& mark : canvas.marks) {
        if (mark.name.compare(0, group.size(), group) != 0) continue;
        auto [line, first] = lines.try_emplace(mark.area.y, mark.area.x, mark.area.right());
        line->second.first = std::min(line->second.first, mark.area.x);
        line->second.second = std::max(line->second.second, mark.area.right());
        covered[mark.area.y] += mark.area.w;
      }
      ASSERT_FALSE(lines.empty());
      EXPECT_LE(lines.size(), 3u);
      for (const auto& [y, ends] : lines) {
        // No line is shorter than another, and there are no holes.
        EXPECT_NEAR(ends.first, lines.begin()->second.first, 0.01f) << group << size.w;
        EXPECT_NEAR(ends.second, lines.begin()->second.second, 0.01f) << group << size.w;
        EXPECT_NEAR(covered[y], ends.second - ends.first, 0.01f) << group << size.w;
      }
    }
  }
}

TEST(VariantsPage, ColourBarsStandUnderTheirMaps) {
  for (const int n : {0, 1}) {
    for (const Size size : sizes) {
      const VariantsScene s = scenes()[static_cast<std::size_t>(n)];
      draw::RecordCanvas canvas;
      variants_page(canvas, {0, 0, size.w, size.h}, s.input());
      for (const float* values : {s.variants->a.weights.data(), s.variants->b.weights.data(),
                                  s.variants->difference.weights.data(), s.variants->cross.weights.data()}) {
        Box cells, bar;
        float nearest = 1e9f;
        for (const auto& map : canvas.maps) {
          if (map.map.values == values) cells = map.box;
        }
        ASSERT_GT(cells.w, 0);
        for (const auto& map : canvas.maps) {
          if (map.map.cols != 256 || map.box.y < cells.bottom() - 1) continue;
          const float apart = std::abs(map.box.x - cells.x) + (map.box.y - cells.bottom());
          if (apart < nearest) nearest = apart, bar = map.box;
        }
        EXPECT_FLOAT_EQ(bar.x, cells.x) << size.w;
        EXPECT_LE(bar.y, cells.bottom() + 8) << size.w;
        EXPECT_LE(bar.right(), std::max(cells.right(), cells.x + 150) + 0.01f) << size.w;
      }
    }
  }
}

TEST(VariantsPage, WordsAreNotCutOnASmallWindow) {
  for (const Size size : {Size{1010, 560}, Size{352, 230}}) {
    for (const VariantPosition position :
         {VariantPosition::rope, VariantPosition::rope_half, VariantPosition::concat}) {
      VariantsScene s(2, VariantSide{VariantMask::none, position, true},
                      VariantSide{VariantMask::none, VariantPosition::sinusoidal, true});
      draw::RecordCanvas canvas;
      variants_page(canvas, {0, 0, size.w, size.h}, s.input());
      for (const auto& text : canvas.texts) {
        const std::size_t n = text.words.size();
        EXPECT_FALSE(n > 3 && text.words.substr(n - 3) == "…") << text.words << " at " << size.w;
      }
    }
  }
}

/// The foot of the clocks says how many of the pairs are there wherever some are left out, and only there.
TEST(VariantsPage, PairsThatAreLeftOutAreCounted) {
  for (const float height : {90.f, 140.f, 220.f, 600.f}) {
    const VariantsScene s(2, VariantSide{VariantMask::none, VariantPosition::rope, true},
                          VariantSide{VariantMask::none, VariantPosition::sinusoidal, true});
    draw::RecordCanvas canvas;
    const PageInput in = s.input();
    const VariantsView view(canvas, in);
    applied_card(view, {0, 0, 420, height}, WhichSide::a);
    std::set<std::string> pairs;
    for (const auto& text : canvas.texts)
      if (text.words.starts_with("pair ") && text.words.size() < 9) pairs.insert(text.words);
    const std::size_t all = view.results.a.omega.size();
    ASSERT_GT(all, 1u);
    const bool counted =
        test::says(canvas, std::to_string(pairs.size()) + " of " + std::to_string(all) + " pairs");
    EXPECT_EQ(counted, pairs.size() < all) << height;
    // None in the middle is left out where most of them are there.
    if (2 * pairs.size() > all)
      for (std::size_t j = 0; j < pairs.size(); ++j)
        EXPECT_EQ(pairs.count("pair " + std::to_string(j)), 1u) << height;
  }
}

TEST(VariantsPage, BarsOfDecodingStandOnAScaleThatIsWritten) {
  VariantsScene s = scenes()[0];
  s.variants->decoding.steps[2].context_residual = 1e-7;
  draw::RecordCanvas canvas;
  const PageInput in = s.input();
  const VariantsView view(canvas, in);
  decoding_card(view, {0, 0, 520, 400});
  Box low, high;
  for (const auto& text : canvas.texts) {
    if (text.words == "1e−9") low = text.box;
    if (text.words == "10") high = text.box;
  }
  ASSERT_GT(low.w, 0);
  ASSERT_GT(high.w, 0);
  // Token 1's residual with its offset forgotten, in decades above 10⁻⁹, of ten.
  const double forgotten = s.variants->decoding.steps[1].forgotten_residual;
  ASSERT_GT(forgotten, 1e-3);
  const auto part = static_cast<float>((std::log10(forgotten) + 9) / 10);
  const float whole = high.right() - low.x;
  float longest = 0;
  for (const std::string& line : canvas.lines) {
    std::istringstream words(line);
    std::string kind, color;
    float x = 0, y = 0, w = 0, h = 0;
    words >> kind >> x >> y >> w >> h;
    if (kind == "rect" && h == 4 && x == low.x && std::abs(w - part * whole) < 0.2f) longest = w;
  }
  EXPECT_GT(longest, 0);
}

/// In decades, residuals that are alike would have bars that are alike.
TEST(VariantsPage, BarsOfResidualsThatAreAlikeAreLinear) {
  VariantsScene s = scenes()[0];
  std::vector<scene::Decoding::Step>& steps = s.variants->decoding.steps;
  for (std::size_t t = 0; t < steps.size(); ++t)
    steps[t] = {.forgotten_residual = t == 1 ? 1.13 : t == 2 ? 0.565 : 0};
  draw::RecordCanvas canvas;
  const PageInput in = s.input();
  const VariantsView view(canvas, in);
  decoding_card(view, {0, 0, 520, 400});
  EXPECT_TRUE(test::says(canvas, "1.13"));
  EXPECT_FALSE(test::says(canvas, "1e−9"));
  std::vector<float> bars;
  for (const std::string& line : canvas.lines) {
    std::istringstream words(line);
    std::string kind;
    float x = 0, y = 0, w = 0, h = 0;
    words >> kind >> x >> y >> w >> h;
    if (kind == "rect" && h == 4 && w > 0) bars.push_back(w);
  }
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_NEAR(bars[0] / bars[1], 2, 0.02);
}

/// Where there is no room for all of the names of both sides, what they have in common goes first.
TEST(VariantsPage, NamesOfSidesKeepTheirDifference) {
  const VariantsScene s(6, VariantSide{VariantMask::none, VariantPosition::sinusoidal, true},
                        VariantSide{VariantMask::window_global, VariantPosition::sinusoidal, true});
  const PageInput in = s.input();
  for (const float width : {200.f, 260.f}) {
    draw::RecordCanvas canvas;
    const VariantsView view(canvas, in);
    for (const WhichSide side : {WhichSide::a, WhichSide::b})
      side_card(view, {0, 0, width, 400}, side, Choosers::all);
    EXPECT_FALSE(test::says(canvas, "sin/cos · no mask")) << width;
  }
}

TEST(VariantsPage, BothMapsSayTheirNumbersOrNone) {
  for (const VariantMask mask : {VariantMask::none, VariantMask::causal}) {
    const VariantsScene s(6, VariantSide{VariantMask::none, VariantPosition::sinusoidal, true},
                          VariantSide{mask, VariantPosition::sinusoidal, false});
    const PageInput in = s.input();
    draw::RecordCanvas canvas;
    const VariantsView view(canvas, in);
    for (const WhichSide side : {WhichSide::a, WhichSide::b})
      side_card(view, {0, 0, 560, 640}, side, Choosers::all);
    const auto message = std::count_if(canvas.texts.begin(), canvas.texts.end(),
                                       [](const auto& text) { return text.words.starts_with("variance "); });
    EXPECT_EQ(message, mask == VariantMask::none ? 2 : 0);
  }
}

/// Where all masks and positions would leave less than half of the cards to the maps, they are steps.
TEST(VariantsPage, TheMapsHaveMostOfTheirCards) {
  const VariantsScene s(13, VariantSide{VariantMask::none, VariantPosition::rope, true},
                        VariantSide{VariantMask::none, VariantPosition::sinusoidal, true});
  for (const Size size :
       {Size{740, 360}, Size{805, 428}, Size{1000, 500}, Size{1216, 540}, Size{1530, 850}}) {
    draw::RecordCanvas canvas;
    variants_page(canvas, {0, 0, size.w, size.h}, s.input());
    Box choosers;
    for (const draw::Mark& mark : canvas.marks) {
      if (!mark.name.starts_with("a position ") && !mark.name.starts_with("a mask ")) continue;
      const float top = choosers.h > 0 ? std::min(choosers.y, mark.area.y) : mark.area.y;
      choosers.h = std::max(choosers.bottom(), mark.area.bottom()) - top, choosers.y = top;
    }
    ASSERT_GT(choosers.h, 0);
    for (const float* values :
         {s.variants->a.weights.data(), s.variants->b.weights.data(), s.variants->difference.weights.data()})
      for (const auto& map : canvas.maps) {
        if (map.map.values != values) continue;
        EXPECT_GT(map.box.h, choosers.h) << size.w;
        EXPECT_GT(map.box.h, 0.36f * size.h) << size.w;  // of the page, with its buttons
        EXPECT_LT(map.box.bottom(), size.h) << size.w;
      }
  }
}

}  // namespace
}  // namespace headlight::views
