// The Presets page on made-up examples.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/presets/presets.h"
#include "pages/presets/view/page.h"
#include "quantities.h"

namespace headlight::views {
namespace {

using draw::Part;
using scene::Preset;
using scene::PresetLine;
using scene::Verdict;
using test::says;

struct Page {
  scene::Scene scene;
  scene::Results results;
  float needed = 0;

  Page() {
    auto r = std::make_shared<scene::PresetsResults>();
    for (int n = 0; n < scene::number_of_presets; ++n) {
      Preset p;
      p.title = "Example number " + std::to_string(n + 1) + " with a rather long title";
      p.source = "A chapter, 39." + std::to_string(n);
      p.set = "page=position;d_model=" + std::to_string(n + 1);
      for (int l = 0; l <= n % 11; ++l)
        p.lines.push_back(
            {n % 5 == 1 ? scene::PresetKind::formula : scene::PresetKind::printed,
             "weights, row " + std::to_string(l), "printed",
             "0.401  0.198  0.401  −0.167  0.206  −0.364  0.091  −0.065",
             l == 1 && n % 4 == 0 ? "" : "0.401  0.198  0.401  −0.167  0.206  −0.364  0.091  −0.065", 0.0004,
             !(n == 3 && l == 1)});
      p.remark =
          "What is printed is right, and the program agrees with it; the prose names other numbers, which no "
          "softmax of these scores gives.";
      if (n % 5 == 4)
        p.verdict = Verdict::contradiction, p.short_word = "prose says 0.39, its code prints 0.401";
      if (n == 3) p.verdict = Verdict::differs;
      if (n % 5 == 1) p.verdict = Verdict::formula;
      r->formulas += p.verdict == Verdict::formula, r->agreeing += p.verdict == Verdict::agrees,
          r->contradictions += p.verdict == Verdict::contradiction,
          r->differing += p.verdict == Verdict::differs;
      r->presets.push_back(p);
    }
    results.own = r;
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
  for (int shown : {1, 4, 5, 11, scene::number_of_presets}) {
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
  page.scene.presets.shown = 4;
  const draw::RecordCanvas canvas = page.record(1340, 850);
  EXPECT_TRUE(says(canvas, "agrees"));
  EXPECT_TRUE(says(canvas, "differs"));
  EXPECT_TRUE(says(canvas, "contradiction"));
  EXPECT_TRUE(says(canvas, std::to_string(page.results.own_as<scene::PresetsResults>()->agreeing) +
                               " agree, " +
                               std::to_string(page.results.own_as<scene::PresetsResults>()->contradictions)));
  page.scene.presets.shown = 5;
  EXPECT_TRUE(says(page.record(1340, 850), "difference 0.0004"));
}

/// What the program computes twice from one formula is no check, and does not look like one.
TEST(PresetsPage, AFormulaIsNoAgreement) {
  Page page;
  page.scene.presets.shown = 2;
  const draw::RecordCanvas canvas = page.record(1340, 850);
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
  page.scene.presets.shown = 9;  // its second line has no number of ours
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
      EXPECT_EQ(mark.set, "page=position;d_model=7");
    }
  }
  EXPECT_TRUE(names.count("open scene"));
  EXPECT_EQ(examples, scene::number_of_presets + 7);
  EXPECT_THAT(presets_words(page.input()), ::testing::HasSubstr("Example number 7"));
}

TEST(PresetsPage, EmptyAndSmallPagesDoNotFail) {
  Page page;
  for (const auto& [width, height] : {std::pair{0.f, 0.f}, {200.f, 100.f}}) page.record(width, height);
  page.results.own = nullptr;
  EXPECT_TRUE(says(page.record(1050, 590), "Presets"));
  EXPECT_EQ(presets_words(page.input()), "");
}

}  // namespace
}  // namespace headlight::views
