// The Presets page with its examples, and with numbers that none of them has.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "draw/pick_canvas.h"
#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/presets/presets.h"
#include "pages/presets/view/page.h"
#include "quantities.h"
#include "support/computed_scene.h"

namespace headlight::views {
namespace {

using draw::Part;
using scene::Preset;
using scene::PresetLine;
using scene::Verdict;
using test::says;

/// The page with the examples as they are computed.
struct Page {
  scene::Scene scene = scene::page_scene(scene::Page::presets);
  scene::Results results = scene::known_results(scene);
  float needed = 0;

  const std::vector<Preset>& presets() const { return results.own_as<scene::PresetsResults>()->presets; }
  /// Opens the first example that is like this.
  template <class Like>
  const Preset& open(Like like) {
    const auto found = std::find_if(presets().begin(), presets().end(), like);
    EXPECT_NE(found, presets().end());
    scene.presets.shown = static_cast<int>(found - presets().begin()) + 1;
    return *found;
  }
  PageInput input() {
    return with_numbers({scene, results, nullptr, nullptr, draw::theme(true), true, {}, -1, -1});
  }
  draw::RecordCanvas record(float width, float height) {
    draw::RecordCanvas canvas;
    needed = presets_page(canvas, {0, 0, width, height}, input());
    return canvas;
  }
};

TEST(PresetsPage, NoTextCoversAnotherAtAnySize) {
  Page page;
  for (int shown = 1; shown <= scene::number_of_presets; ++shown) {
    page.scene.presets.shown = shown;
    for (const auto& [width, height] :
         {std::pair{640.f, 360.f}, {1050.f, 590.f}, {1340.f, 850.f}, {2400.f, 1400.f}}) {
      const draw::RecordCanvas canvas = page.record(width, height);
      EXPECT_EQ(test::text_trouble(canvas, width, page.needed), "") << shown << " at " << width;
    }
  }
}

TEST(PresetsPage, ATickOrACrossIsAlsoAWord) {
  Page page;
  const auto has_line = [](bool agrees) {
    return [agrees](const PresetLine& line) {
      return line.agrees == agrees && line.kind == scene::PresetKind::printed && !line.here.empty();
    };
  };
  page.open([&](const Preset& one) {
    return std::any_of(one.lines.begin(), one.lines.end(), has_line(true)) &&
           std::any_of(one.lines.begin(), one.lines.end(), has_line(false));
  });
  const draw::RecordCanvas canvas = page.record(1340, 850);
  EXPECT_TRUE(says(canvas, "agrees"));
  EXPECT_TRUE(says(canvas, "differs"));
  EXPECT_TRUE(says(canvas, "contradiction"));
  const scene::PresetsResults& r = *page.results.own_as<scene::PresetsResults>();
  EXPECT_TRUE(says(canvas, std::to_string(r.agreeing) + " agree"));
  EXPECT_TRUE(says(canvas, std::to_string(r.contradictions) + " contradictions"));
  const Preset& apart = page.open([&](const Preset& one) {
    return one.gap > 0 && std::any_of(one.lines.begin(), one.lines.end(),
                                      [](const PresetLine& line) { return line.agrees && line.gap > 1e-6; });
  });
  EXPECT_TRUE(says(page.record(1340, 850), "difference ")) << apart.title;
}

/// A narrow list leaves the verdicts to their signs before it cuts a name.
TEST(PresetsPage, NoNameOfTheListIsCut) {
  for (const float width : {1003.f, 1340.f, 1700.f}) {
    Page page;
    const draw::RecordCanvas canvas = page.record(width, 850);
    const auto written = [&](const std::string& words) {
      return std::any_of(canvas.texts.begin(), canvas.texts.end(),
                         [&](const auto& text) { return text.words == words; });
    };
    for (const Preset& preset : page.results.own_as<scene::PresetsResults>()->presets)
      EXPECT_TRUE(written(preset.title)) << preset.title << " at " << width;
  }
}

/// What the program computes twice from one formula is no check, and does not look like one.
TEST(PresetsPage, AFormulaIsNoAgreement) {
  Page page;
  page.open([](const Preset& one) { return one.verdict == Verdict::formula; });
  const draw::RecordCanvas canvas =
      page.record(1700, 1400);  // a list in one column, wide enough for verdicts in words
  // The list of all examples says "agrees" once for each of them, and no row of this one does.
  const auto count = [&](const char* words) {
    return std::count_if(canvas.texts.begin(), canvas.texts.end(),
                         [&](const auto& text) { return text.words == words; });
  };
  const scene::PresetsResults& r = *page.results.own_as<scene::PresetsResults>();
  EXPECT_GT(count("same formula"), 0);
  EXPECT_EQ(count("formula"), r.formulas + count("same formula"));  // in the list, and beside its numbers
  EXPECT_EQ(count("agrees"), r.agreeing);
  EXPECT_EQ(count("differs"), r.differing);
  EXPECT_THAT(presets_words(page.input()), ::testing::HasSubstr("no printed number"));
}

/// Points of numbers that belong together are below each other, with fewer decimals too and with signs.
TEST(PresetsPage, NumbersOfBothRowsLineUp) {
  Page page;
  auto r = std::make_shared<scene::PresetsResults>(*page.results.own_as<scene::PresetsResults>());
  r->presets[3].lines[0].printed = "0.39  −0.2  12.39", r->presets[3].lines[0].here = "0.401  0.198  2.401";
  page.results.own = r;
  page.scene.presets.shown = 4;
  const draw::RecordCanvas canvas = page.record(1340, 850);
  EXPECT_TRUE(says(canvas, "0.39   −0.2    12.39"));
  EXPECT_TRUE(says(canvas, "0.401   0.198   2.401"));
}

TEST(PresetsPage, WhatWasNotComputedSaysSo) {
  Page page;
  auto r = std::make_shared<scene::PresetsResults>(*page.results.own_as<scene::PresetsResults>());
  r->presets[8].lines[0].here.clear();
  page.results.own = r;
  page.scene.presets.shown = 9;
  EXPECT_TRUE(says(page.record(1340, 850), "not computed on this page"));
}

TEST(PresetsPage, OneClickOpensTheSceneAndEveryExampleCanBeReached) {
  Page page;
  page.scene.presets.shown = 7;
  const draw::RecordCanvas canvas = page.record(1340, 850);
  std::set<std::string> names;
  int examples = 0;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part != Part::control) continue;
    EXPECT_TRUE(names.insert(mark.name).second) << mark.name;
    examples += mark.set.rfind("presets_shown=", 0) == 0;
    if (mark.name == "open scene") {
      EXPECT_EQ(mark.set, page.presets()[6].set);
    }
  }
  EXPECT_TRUE(names.count("open scene"));
  // Each once in the list; and those that contradict something, in the list of contradictions.
  EXPECT_EQ(examples,
            scene::number_of_presets + page.results.own_as<scene::PresetsResults>()->contradictions);
  EXPECT_THAT(presets_words(page.input()), ::testing::HasSubstr(page.presets()[6].title));
}

/// The list and the example have a screen of the window, the contradictions the next one: nothing is cut.
TEST(PresetsPage, TheContradictionsHaveAScreenOfTheirOwn) {
  // Windows of 1600 × 1000 and 1920 × 1080, without the question above the page; lower ones with the letters
  // of the screen are in tests/app/whole_pages_test.cpp.
  for (const auto& [width, height] : {std::pair{1536.f, 812.f}, {1856.f, 892.f}}) {
    SCOPED_TRACE(width);
    Page page;
    draw::RecordCanvas canvas;
    draw::PickCanvas pick({-1e6f, -1e6f}, canvas);
    presets_page(pick, {0, 0, width, height}, page.input());
    const auto card = [&](const char* name) {
      for (const auto& panel : pick.panels())
        if (panel.name == name) return panel.box;
      return draw::Box{};
    };
    EXPECT_LE(card("list").bottom(), height);
    EXPECT_LE(card("preset").bottom(), height);
    EXPECT_GE(card("contradictions").y, height);
    EXPECT_GT(card("contradictions").h, 0.8f * height);
  }
}

/// The signs of the list stand beside their words wherever the list is.
TEST(PresetsPage, TheSignsAreExplained) {
  Page page;
  for (const auto& [width, height] :
       {std::pair{640.f, 360.f}, {1050.f, 590.f}, {1340.f, 850.f}, {2400.f, 1400.f}}) {
    const draw::RecordCanvas canvas = page.record(width, height);
    for (const char* words : {"7 agree", "21 contradictions", "10 formulas", "1 differs"})
      EXPECT_TRUE(says(canvas, words)) << words << " at " << width;
    for (const char* name : {"agrees", "contradiction", "formula", "differs"}) {
      EXPECT_TRUE(std::any_of(canvas.marks.begin(), canvas.marks.end(), [&](const draw::Mark& mark) {
        return mark.name == std::string("legend ") + name && !mark.note.empty();
      })) << name;
    }
  }
}

TEST(PresetsPage, EmptyAndSmallPagesDoNotFail) {
  Page page;
  for (const auto& [width, height] : {std::pair{0.f, 0.f}, {200.f, 100.f}}) page.record(width, height);
  page.results.own = nullptr;
  EXPECT_TRUE(says(page.record(1050, 590), "References"));
  EXPECT_EQ(presets_words(page.input()), "");
}

}  // namespace
}  // namespace headlight::views
