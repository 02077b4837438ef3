// What the Variants page says of shifts, of its cards and of the cell under the pointer.
#include <gtest/gtest.h>

#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "kit/selection.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/page.h"
#include "pages/variants/view/view.h"
#include "variants_scene.h"

namespace headlight::views {
namespace {

using test::scenes;
using test::VariantsScene;

TEST(VariantsPage, ShiftsInWords) {
  scene::VariantSideResults side;
  side.score_magnitude = 3;
  side.settings.position = scene::VariantPosition::rope;
  EXPECT_EQ(shift_words(side, 0), "not shifted");
  EXPECT_EQ(shift_words(side, 8), "scores do not change at all");
  side.shift.score_change = 2.4e-7;
  EXPECT_EQ(shift_words(side, 8), "scores do not change except for rounding, 2.4e−07");
  side.shift.score_change = 2.9e-5;  // of scores up to 3 in float32
  EXPECT_EQ(shift_words(side, 8), "scores do not change except for rounding, 2.9e−05");
  side.settings.position = scene::VariantPosition::sinusoidal;
  EXPECT_EQ(shift_words(side, 8), "scores change by up to 2.9e−05")
      << "however weak, it is added to the tokens";
  side.settings.position = scene::VariantPosition::rope;
  side.shift.score_change = 3.1e-5;
  EXPECT_EQ(shift_words(side, 8), "scores change by up to 3.1e−05");
  side.shift.score_change = 2.126;
  EXPECT_EQ(shift_words(side, 8), "scores change by up to 2.13");
  side.shift_error = "there is no row 10";
  EXPECT_EQ(shift_words(side, 8), "positions not available: there is no row 10");
}

/// The batch and the second sentence have settings of their own, which are said whatever A and B have.
TEST(VariantsPage, CardsThatAreNeitherANorBSayWhatTheyAreComputedWith) {
  const VariantsScene s(4, VariantSide{VariantMask::causal, VariantPosition::rope, true},
                        VariantSide{VariantMask::causal, VariantPosition::alibi, true});
  draw::RecordCanvas canvas;
  variants_page(canvas, {0, 0, 1216, 600}, s.input());
  std::string all;
  for (const auto& text : canvas.texts) all += text.words + " ";
  std::size_t message = 0;
  for (std::size_t at = all.find("not A or B: sin/cos"); at != std::string::npos;
       at = all.find("not A or B: sin/cos", at + 1))
    ++message;
  EXPECT_EQ(message, 2u) << all;
}

TEST(VariantsPage, CellsOfTheOtherMapsSayTheirWeight) {
  const VariantsScene s = scenes()[0];
  const scene::VariantsResults& v = *s.variants;
  draw::Hit hit;
  hit.mark.part = draw::Part::note, hit.mark.query = 1, hit.mark.key = 0;
  for (std::size_t n = 0; n < 2; ++n) {
    ASSERT_GT(v.batch[n].length, 1);
    hit.mark.name = "batch " + std::to_string(n + 1);
    const std::string words = variants_tooltip(s.input(), hit);
    EXPECT_EQ(words, "“" + v.batch[n].tokens[1].text + "” → “" + v.batch[n].tokens[0].text + "”\nweight " +
                         weight_text(static_cast<double>(v.batch[n].weights.at(1, 0)), 3));
  }
  const std::size_t n = v.batch[0].length < v.batch_width ? 0 : 1;
  ASSERT_LT(v.batch[n].length, v.batch_width);
  hit.mark.name = "batch " + std::to_string(n + 1), hit.mark.key = v.batch[n].length;
  EXPECT_EQ(variants_tooltip(s.input(), hit),
            "“" + v.batch[n].tokens[1].text + "” → “pad”\nmasked: the weight is exactly 0");
  ASSERT_FALSE(v.cross.keys.empty());
  hit.mark.name = "cross", hit.mark.key = 0;
  EXPECT_EQ(variants_tooltip(s.input(), hit),
            "“" + v.cross.queries[1].text + "” → “" + v.cross.keys[0].text + "”\nweight " +
                weight_text(static_cast<double>(v.cross.weights.at(1, 0)), 3));
  hit.mark.key = 4000;
  EXPECT_EQ(variants_tooltip(s.input(), hit), "");
}

TEST(VariantsPage, ACellSaysWhatBothSidesMakeOfIt) {
  VariantsScene s = scenes()[1];
  draw::RecordCanvas canvas;
  s.hovering = true;
  s.hover.mark.part = draw::Part::cell, s.hover.mark.query = 4, s.hover.mark.key = 2;
  const scene::VariantsResults& v = *s.variants;
  const std::string words = variants_tooltip(s.input(), s.hover);
  EXPECT_NE(words.find(pair_in_words(s.input(), 4, 2)), std::string::npos);
  // With the decimals of the cells beside it.
  const std::string weight = fixed(static_cast<double>(v.a.weights.at(4, 2)), 2);
  EXPECT_NE(words.find("A weight " + weight + ","), std::string::npos) << words;
  EXPECT_NE(words.find("score " + fixed(static_cast<double>(v.a.scores.at(4, 2)), 3)), std::string::npos);
  EXPECT_NE(words.find("B masked, weight exactly 0"), std::string::npos);
  EXPECT_NE(words.find("A − B +" + weight), std::string::npos) << words;
  EXPECT_NE(variants_words(s.input()).find("“cat” 4"), std::string::npos);
}

}  // namespace
}  // namespace headlight::views
