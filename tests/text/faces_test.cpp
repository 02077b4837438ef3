#include "text/faces.h"

#include <gtest/gtest.h>

namespace headlight::text {
namespace {

using draw::Font;

TEST(Faces, AnUnknownCharacterIsInNone) {
  Faces faces;
  EXPECT_EQ(faces.find(0x10FFFD, Font::sans), Faces::none);
  EXPECT_NE(faces.find(0xFFFD, Font::mono), Faces::none);
}

TEST(Faces, MathematicsIsInTheProgramsOwnFonts) {
  Faces faces;
  for (const char32_t c : std::u32string(U"√∑ᵀ∇∈⟨⟩‖₀ⱼδω·→…✓")) {
    for (const Font font : {Font::sans, Font::semibold, Font::mono}) {
      const int face = faces.find(c, font);
      ASSERT_NE(face, Faces::none) << std::hex << static_cast<unsigned>(c);
      EXPECT_LT(face, 5) << std::hex << static_cast<unsigned>(c);
    }
  }
}

TEST(Faces, ACharacterAndItsMarksAreOfOneFace) {
  Faces faces;
  const int inter = faces.find(U'a', Font::sans), dejavu = faces.widest();
  EXPECT_EQ(faces[inter].family, "Inter");
  EXPECT_EQ(faces.find(std::u32string_view(U"e\u0301"), Font::sans), inter);
  const std::u32string mark = U"a\u05B8";  // a Hebrew vowel, which Inter lacks
  ASSERT_EQ(faces.glyph(inter, mark[1]), 0u);
  EXPECT_EQ(faces.find(mark, Font::sans), dejavu);
  EXPECT_EQ(faces.find(std::u32string_view(U"a\u200D"), Font::sans), inter) << "a joiner needs no glyph";
}

TEST(Faces, VariationSelectorsChooseBetweenPictureAndText) {
  Faces faces;
  const int picture = faces.find(U'😀', Font::sans);
  if (!faces[picture].coloured) GTEST_SKIP() << "this computer has no colour font that FreeType draws";
  EXPECT_FALSE(faces[faces.find(U'❤', Font::sans)].coloured);
  EXPECT_TRUE(faces[faces.find(std::u32string_view(U"❤\uFE0F"), Font::sans)].coloured);
  EXPECT_FALSE(faces[faces.find(std::u32string_view(U"😀\uFE0E"), Font::sans)].coloured);
}

}  // namespace
}  // namespace headlight::text
