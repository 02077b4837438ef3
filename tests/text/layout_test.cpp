#include "text/layout.h"

#include <gtest/gtest.h>
#include <hb.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/utf8.h"
#include "text/samples.h"

namespace headlight::text {
namespace {

using draw::Font;

class Layout : public testing::Test {
 protected:
  const Line& line(std::string_view words, Font font = Font::sans) { return typesetter.line(words, font); }
  float width(std::string_view words, Font font = Font::sans) { return line(words, font).width; }
  std::vector<CharacterSpan> spans(std::string_view words) { return spans_of(words, line(words)); }
  const Face& face(const Glyph& glyph) const { return typesetter.faces()[glyph.face]; }
  std::set<unsigned> indices(std::string_view words) {
    std::set<unsigned> out;
    for (const Glyph& glyph : line(words).glyphs) out.insert(glyph.index);
    return out;
  }
  /// True when some font of this computer has what the words need.
  bool has(char32_t c) {
    Faces faces;
    return faces.find(c, Font::sans) != Faces::none;
  }

  Typesetter typesetter;
};

TEST_F(Layout, CapitalsAreKernedAndFiguresOfTheMonospacedFontAreNot) {
  EXPECT_LT(width("AV"), width("A") + width("V") - 0.02f);
  EXPECT_LT(width("To", Font::semibold), width("T", Font::semibold) + width("o", Font::semibold) - 0.02f);
  for (const char* digits : {"0", "1", "7", "-", ".", " "})
    EXPECT_NEAR(width(digits, Font::mono), 0.6f, 1e-6) << digits;
  EXPECT_NEAR(width("-0.17", Font::mono), 3, 1e-5);
}

TEST_F(Layout, LatinTakesNoLigatures) {
  for (const Font font : {Font::sans, Font::semibold, Font::mono}) {
    for (const char* words : {"fi", "ffl", "->", "!=", "==", "=>", "3x4", "(c)", "www", "/*"}) {
      const Line& set = line(words, font);
      ASSERT_EQ(set.glyphs.size(), std::string_view(words).size()) << words;
      for (std::size_t i = 0; i < set.glyphs.size(); ++i) {
        const Glyph& glyph = set.glyphs[i];
        EXPECT_EQ(glyph.index, typesetter.faces().glyph(glyph.face, static_cast<char32_t>(words[i])))
            << words << " shows what it does not have";
      }
    }
  }
}

TEST_F(Layout, GlyphsCoverTheBytesOfTheLineOnce) {
  for (const tests::Sample& sample : tests::text_samples) {
    const std::string_view words = sample.words;
    std::set<std::pair<std::uint32_t, std::uint32_t>> clusters;
    for (const Glyph& glyph : line(words).glyphs) {
      EXPECT_LT(glyph.from, glyph.to) << sample.name;
      EXPECT_LE(glyph.to, words.size()) << sample.name;
      EXPECT_TRUE(std::isfinite(glyph.x) && std::isfinite(glyph.y) && glyph.advance >= 0) << sample.name;
      EXPECT_NE(glyph.index, 0u) << sample.name << ": a glyph that its font lacks";
      clusters.insert({glyph.from, glyph.to});
    }
    std::uint32_t end = 0;
    for (const auto& [from, to] : clusters) {
      EXPECT_GE(from, end) << sample.name << ": two clusters share bytes";
      end = to;
    }
    float advances = 0;
    for (const Glyph& glyph : line(words).glyphs) advances += glyph.advance;
    EXPECT_NEAR(advances, line(words).width, 1e-4) << sample.name;
  }
}

TEST_F(Layout, AccentsAndJoinersTakeNoRoom) {
  EXPECT_FLOAT_EQ(width("e\u0301"), width("e"));
  EXPECT_FLOAT_EQ(width("a\u200Db\uFE0F"), width("ab"));
  EXPECT_FLOAT_EQ(width("\u2068ab\u2069"), width("ab"));
  EXPECT_EQ(line("e\u0301").glyphs.size(), 1u) << "Inter has the letter with its accent";
}

TEST_F(Layout, MarksStandOnTheLetterThatTheyBelongTo) {
  // No font has these as one glyph. Inter has no anchors for them, DejaVu has.
  for (const char* words : {"x\u0301", "X\u0301", "\u05D0\u05B8"}) {
    const Line& set = line(words);
    ASSERT_EQ(set.glyphs.size(), 2u) << words;
    const Glyph base = set.glyphs[set.glyphs[0].leftwards], mark = set.glyphs[!set.glyphs[0].leftwards];
    EXPECT_EQ(mark.advance, 0) << words;
    EXPECT_EQ(mark.from, base.from) << words;
    hb_glyph_extents_t ink;
    ASSERT_TRUE(hb_font_get_glyph_extents(face(mark).shaping, mark.index, &ink));
    const float middle =
        mark.x + (static_cast<float>(ink.x_bearing) + static_cast<float>(ink.width) / 2) / face(mark).units;
    EXPECT_NEAR(middle, base.x + base.advance / 2, 0.15f) << words;
  }
  EXPECT_GT(line("X\u0301").glyphs[1].y, line("x\u0301").glyphs[1].y) << "higher on a capital";
  EXPECT_GT(line("x\u0301\u0301").glyphs[2].y, line("x\u0301").glyphs[1].y) << "and on another accent";
}

TEST_F(Layout, AMarkOfAnotherFaceIsCentredOnItsBase) {
  // U+FFFD stands for the mark, which no font has a glyph for, over "a" of Inter.
  const Line& set = line("a\U0001E8D0");
  ASSERT_GE(set.glyphs.size(), 2u);
  EXPECT_EQ(set.glyphs[1].advance, 0);
  EXPECT_FLOAT_EQ(set.width, width("a"));
}

TEST_F(Layout, HebrewRunsFromRightToLeft) {
  const Line& set = line("אב");
  ASSERT_EQ(set.glyphs.size(), 2u);
  EXPECT_EQ(set.glyphs[0].from, 2u) << "the last letter stands at the left";
  EXPECT_TRUE(set.glyphs[0].leftwards);
  EXPECT_EQ(set.glyphs[0].x, 0);
  const Line& mixed = line("ab אב 12");
  EXPECT_LT(mixed.glyphs[0].from, mixed.glyphs[3].from);
}

TEST_F(Layout, ArabicLettersJoin) {
  // Alone, at the beginning, in the middle and at the end of a word a letter has four glyphs.
  const Line alone = line("ب");
  const Line word = line("ببب");
  ASSERT_EQ(alone.glyphs.size(), 1u);
  ASSERT_EQ(word.glyphs.size(), 3u);
  std::set<unsigned> forms = {alone.glyphs[0].index};
  for (const Glyph& glyph : word.glyphs) forms.insert(glyph.index);
  EXPECT_EQ(forms.size(), 4u);
  EXPECT_EQ(line("لا").glyphs.size(), 1u) << "lam and alef are one glyph";
  EXPECT_EQ(line("ب\u200Cب").glyphs[1].index, alone.glyphs[0].index)
      << "a non-joiner between two letters parts them: the first one is alone";
}

TEST_F(Layout, DevanagariConjunctsAreFewerGlyphsThanCodePoints) {
  if (!has(U'क')) GTEST_SKIP() << "no font of this computer has Devanagari";
  const std::string_view words = "क्षि";  // ka, virama, ssa, vowel sign i
  const Line& set = line(words);
  EXPECT_LT(set.glyphs.size(), base::to_utf32(words).size());
  EXPECT_EQ(set.glyphs.front().from, 0u);
  // The vowel sign is written last and stands first.
  const Line& syllable = line("कि");
  ASSERT_EQ(syllable.glyphs.size(), 2u);
  EXPECT_EQ(syllable.glyphs[1].index, line("क").glyphs[0].index);
}

TEST_F(Layout, ThaiMarksTakeNoRoomAndStackUp) {
  if (!has(U'ก')) GTEST_SKIP() << "no font of this computer has Thai";
  EXPECT_FLOAT_EQ(width("กี่"), width("ก"));
  // The tone mark is higher where a vowel is below it.
  const auto tone = [&](const char* words) { return Glyph(line(words).glyphs.back()); };
  const Glyph low = tone("ก่"), high = tone("กี่");
  EXPECT_TRUE(low.index != high.index || low.y < high.y);
}

TEST_F(Layout, EmojiSequencesAreOnePicture) {
  if (!face(line("😀").glyphs[0]).coloured)
    GTEST_SKIP() << "this computer has no colour font that FreeType draws";
  const float one = width("😀");
  EXPECT_GT(one, 1);
  for (const char* words : {"🇩🇪", "👩‍👩‍👧", "👍🏽", "🏳️‍🌈", "❤️", "1️⃣"}) {
    const Line& set = line(words);
    EXPECT_EQ(set.glyphs.size(), 1u) << words;
    EXPECT_TRUE(face(set.glyphs[0]).coloured) << words;
    EXPECT_EQ(set.glyphs[0].to, std::string_view(words).size()) << words;
    EXPECT_FLOAT_EQ(set.width, one) << words;
  }
  EXPECT_EQ(line("🇩🇪🇫🇷").glyphs.size(), 2u);
}

TEST_F(Layout, WhatNoFontHasIsTheReplacementCharacter) {
  const Glyph replacement = line("\uFFFD").glyphs[0];
  for (const char* words : {"\xF4\x8F\xBF\xBD", "\xFF"}) {
    const Line& set = line(words);
    ASSERT_EQ(set.glyphs.size(), 1u);
    EXPECT_EQ(set.glyphs[0].face, replacement.face);
    EXPECT_EQ(set.glyphs[0].index, replacement.index);
  }
  EXPECT_EQ(line("\n").glyphs[0].index, line("␊").glyphs[0].index);
  EXPECT_EQ(shown_words("a\n\xFF"), "a␊\uFFFD");
  EXPECT_TRUE(line("").glyphs.empty());
  EXPECT_EQ(line("").width, 0);
}

TEST_F(Layout, SpansTouchAndEndAtTheWidth) {
  for (const tests::Sample& sample : tests::text_samples) {
    const std::string_view words = sample.words;
    const auto all = spans(words);
    ASSERT_EQ(all.size(), base::to_utf32(words).size()) << sample.name;
    std::vector<CharacterSpan> wide;
    for (const CharacterSpan& span : all) {
      if (span.right > span.left) wide.push_back(span);
    }
    std::sort(wide.begin(), wide.end(), [](auto& a, auto& b) { return a.left < b.left; });
    float end = 0;
    for (const CharacterSpan& span : wide) {
      EXPECT_NEAR(span.left, end, 1e-4) << sample.name;
      end = span.right;
    }
    EXPECT_NEAR(end, line(words).width, 1e-4) << sample.name;
  }
}

TEST_F(Layout, ALigatureIsDividedAmongItsCharacters) {
  const auto arabic = spans("لا");
  ASSERT_EQ(arabic.size(), 2u);
  EXPECT_NEAR(arabic[0].right - arabic[0].left, arabic[1].right - arabic[1].left, 1e-6);
  EXPECT_GT(arabic[0].left, arabic[1].left);
  EXPECT_TRUE(arabic[0].leftwards && arabic[1].leftwards);
  const auto family = spans("a👩‍👩‍👧b");
  EXPECT_GT(family[1].right, family[1].left);
  for (std::size_t i = 2; i < 6; ++i) EXPECT_EQ(family[i].left, family[i].right);
  EXPECT_FLOAT_EQ(family[6].left, family[1].right);
}

TEST_F(Layout, WhatIsRememberedHasABound) {
  std::string words;
  for (int i = 0; i < 30'000; ++i) {
    words = "line " + std::to_string(i);
    line(words);
    ASSERT_LE(typesetter.glyphs_kept(), Typesetter::most_glyphs);
  }
  EXPECT_GT(typesetter.glyphs_kept(), Typesetter::most_glyphs / 4);
  const Line fresh = Typesetter().line(words, Font::sans);
  EXPECT_EQ(line(words).width, fresh.width);
}

TEST_F(Layout, OneLineInTwoFontsIsTwoLines) {
  const float sans = width("cat"), semibold = width("cat", Font::semibold);
  EXPECT_GT(semibold, sans);
  EXPECT_EQ(width("cat"), sans);
}

}  // namespace
}  // namespace headlight::text
