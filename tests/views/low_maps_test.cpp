// The maps of Compare and Variants, which compare three: in low windows most of the height is theirs, and
// those of a long sentence have one scale.
#include <gtest/gtest.h>

#include <algorithm>

#include "draw/record_canvas.h"
#include "lab_fixture.h"
#include "pages/compare/compare.h"
#include "pages/compare/view/page.h"
#include "variants_scene.h"

namespace headlight::views::low_maps_test {
namespace {

const std::string long_sentence = "the animal did not cross the street because it was too tired today";

/// The area that a page has in a window of 640 × 360, and of 853 × 480.
struct Low {
  float w, h, least;  // the least height of the maps
};

float height_of(const draw::RecordCanvas& canvas, const float* values) {
  for (const auto& map : canvas.maps)
    if (map.map.values == values) return map.box.h;
  ADD_FAILURE() << "no map";
  return 0;
}

/// Words that are not flat, above `bottom`.
int slanted(const draw::RecordCanvas& canvas, float bottom) {
  return static_cast<int>(std::count_if(canvas.texts.begin(), canvas.texts.end(), [&](const auto& text) {
    return text.style.turn != 0 && text.box.bottom() < bottom;
  }));
}

TEST(LowMaps, CompareGivesThemTheHeightOfTheCard) {
  for (const int tokens : {13, 30}) {
    for (const Low low : {Low{592, 316, 150}, Low{805, 396, 180}}) {
      Case what;
      what.page = scene::Page::compare;
      what.sentence = tokens == 13 ? long_sentence : long_sentence + " " + long_sentence + " and it slept";
      AttentionFixture f(what);
      PageInput in = f.input();
      in.compact = true;
      const Drawn page = drawn(compare_page, in, low.w, low.h);
      const auto& compared = *f.results.own_as<scene::CompareResults>();
      const float* const maps[] = {f.results.attention.weights.plane(compared.a), compared.map_b.data(),
                                   compared.difference.data()};
      for (const float* values : maps) EXPECT_GE(height_of(page.canvas, values), low.least) << low.w;
      EXPECT_EQ(slanted(page.canvas, low.h), 0);
      EXPECT_EQ(test::text_trouble(page.canvas, low.w, page.needed), "");
    }
  }
}

TEST(LowMaps, VariantsGiveThemTheHeightOfTheCard) {
  for (const int tokens : {13, 30}) {
    for (const Low low : {Low{592, 316, 120}, Low{805, 396, 135}}) {
      using P = scene::VariantPosition;
      scene::Scene scene = test::variants_scene(tokens, {{}, P::rope, true}, {{}, P::sinusoidal, true});
      if (tokens == 13) scene.sentence = long_sentence;
      const test::VariantsScene s(scene);
      draw::RecordCanvas canvas;
      variants_page(canvas, {0, 0, low.w, low.h}, s.input());
      for (const float* values : {s.variants->a.weights.data(), s.variants->b.weights.data(),
                                  s.variants->difference.weights.data()})
        EXPECT_GE(height_of(canvas, values), low.least) << low.w;
    }
  }
}

TEST(LowMaps, VariantsOfALongSentenceHaveOneEnd) {
  using P = scene::VariantPosition;
  using M = scene::VariantMask;
  for (const M mask : {M::none, M::causal}) {
    const test::VariantsScene s(500, {mask, P::rope, true}, {M::none, P::alibi, true});
    draw::RecordCanvas canvas;
    variants_page(canvas, {0, 0, 1340, 850}, s.input());
    std::vector<float> ends;
    for (const auto& map : canvas.maps) {
      if (map.map.values != s.variants->a.weights.data() && map.map.values != s.variants->b.weights.data() &&
          map.map.values != s.variants->difference.weights.data())
        continue;
      ends.push_back(map.map.hi);
      EXPECT_TRUE(map.map.lo == 0 || map.map.lo == -map.map.hi);
    }
    ASSERT_EQ(ends.size(), 3u);
    EXPECT_EQ(ends[0], ends[1]);
    EXPECT_EQ(ends[0], ends[2]) << "A − B";
  }
}

/// The choices of B end before the title beside them, also with layers to choose.
TEST(LowMaps, TheChoicesOfAStackHaveRoom) {
  Case what;
  what.page = scene::Page::compare, what.sentence = long_sentence;
  what.settings = {"bench_from=stack", "block_layers=6"};
  AttentionFixture f(what);
  PageInput in = f.input();
  in.compact = true;
  const Drawn page = drawn(compare_page, in, 592, 316);
  float title = 0, right = 0;
  for (const auto& text : page.canvas.texts)
    if (text.words == "A − B" && title == 0) title = text.box.x;
  for (const draw::Mark& mark : page.canvas.marks)
    if (mark.set.starts_with("bench_layer_b=")) right = std::max(right, mark.area.right());
  ASSERT_GT(right, 0);
  EXPECT_LE(right + 8, title);
}

TEST(LowMaps, BothVariantsHaveTheSameChoices) {
  using P = scene::VariantPosition;
  using M = scene::VariantMask;
  for (const M mask : {M::none, M::window_global}) {
    const test::VariantsScene s(13, {M::causal, P::rope_half, true}, {mask, P::sinusoidal, true});
    for (const float width : {592.f, 805.f}) {
      draw::RecordCanvas canvas;
      variants_page(canvas, {0, 0, width, 396}, s.input());
      const auto choices = [&](const char* field) {
        return std::count_if(canvas.marks.begin(), canvas.marks.end(),
                             [&](const draw::Mark& mark) { return mark.set.starts_with(field); });
      };
      EXPECT_GE(choices("variants_a_scale="), 1) << width;
      EXPECT_EQ(choices("variants_a_scale="), choices("variants_b_scale=")) << width;
    }
  }
}

/// The bars are too short for the name of the scale and the share beyond its end.
TEST(LowMaps, WhatIsBeyondTheEndOfOneScaleIsSaidOnce) {
  const auto message = [](const draw::RecordCanvas& canvas) {
    return std::count_if(canvas.texts.begin(), canvas.texts.end(), [](const auto& text) {
      return text.words.find("share the last colour") != std::string::npos;
    });
  };
  Case what;
  what.page = scene::Page::compare, what.tokens = 120;
  AttentionFixture f(what);
  using P = scene::VariantPosition;
  scene::Scene scene = test::variants_scene(1, {{}, P::rope, true}, {{}, P::sinusoidal, true});
  scene.sentence.clear();
  for (int n = 0; n < 9; ++n) scene.sentence += long_sentence + " ";
  const test::VariantsScene s(scene);
  for (const auto& [w, h] : {std::pair{1216.f, 560.f}, {2400.f, 1300.f}}) {
    EXPECT_EQ(message(drawn(compare_page, f.input(), w, h).canvas), 1) << w;
    draw::RecordCanvas canvas;
    variants_page(canvas, {0, 0, w, h}, s.input());
    EXPECT_EQ(message(canvas), 1) << w;
  }
}

}  // namespace
}  // namespace headlight::views::low_maps_test
