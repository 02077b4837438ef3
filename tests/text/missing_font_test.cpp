#include "text/missing_font.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/layout.h"

namespace headlight::text {
namespace {

using testing::HasSubstr;

// Which fonts a computer has differs; no font has characters that nobody has assigned.
TEST(MissingFont, TheFirstCharacterThatNoFontHasIsFound) {
  Faces faces;
  EXPECT_EQ(without_font("the cat → “mat”, naïve Ω", faces), 0u);
  EXPECT_EQ(without_font("", faces), 0u);
  EXPECT_EQ(without_font("a\tb\u200D", faces), 0u) << "controls have pictures, joiners show nothing";
  EXPECT_EQ(without_font("the \U000DFFFD cat \U000DFFFE", faces), 0xDFFFDu);
  EXPECT_EQ(without_font("a\xFFz", faces), 0u) << "what is not well-formed has a picture, too";
}

TEST(MissingFont, ItIsWhatTheLineDrawsAsReplacement) {
  Typesetter typesetter;
  for (const std::string words : {"猫が", "ภาษา", "the cat", "नमस्ते", "\U000DFFFD"}) {
    const Line& line = typesetter.line(words, draw::Font::sans);
    const unsigned replacement =
        typesetter.faces().glyph(typesetter.faces().widest(), base::replacement_character);
    bool replaced = false;
    for (const Glyph& glyph : line.glyphs)
      replaced |= glyph.face == typesetter.faces().widest() && glyph.index == replacement;
    EXPECT_EQ(!typesetter.missing_font(words).empty(), replaced) << words;
  }
}

TEST(MissingFont, TheLineNamesTheScriptAndThePackage) {
  EXPECT_EQ(font_advice(0), "");
  EXPECT_EQ(
      font_advice(U'猫'),
      "No font on this computer has Chinese characters: install fonts-noto-cjk, then start Headlight again.");
  EXPECT_THAT(font_advice(U'が'), HasSubstr("Japanese kana: install fonts-noto-cjk"));
  EXPECT_THAT(font_advice(U'한'), HasSubstr("Korean Hangul: install fonts-noto-cjk"));
  EXPECT_THAT(font_advice(U'。'), HasSubstr("install fonts-noto-cjk"));
  EXPECT_THAT(font_advice(U'ส'), HasSubstr("Thai: install fonts-noto-core"));
  EXPECT_THAT(font_advice(U'န'), HasSubstr("Burmese: install fonts-noto-core"));
  EXPECT_THAT(font_advice(0x1F98A), HasSubstr("emoji: install fonts-noto-color-emoji"));
  EXPECT_EQ(font_advice(0xDFFFD), "No font on this computer has some of these characters.");
}

}  // namespace
}  // namespace headlight::text
