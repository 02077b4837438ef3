// Words on a draw list: widths, order, and what reaches the pages. No OpenGL: the textures keep their bytes.
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "screen/text_painter.h"

namespace headlight::screen {
namespace {

using draw::Font;

/// Keeps what was uploaded.
class KeptTextures final : public Textures {
 public:
  struct Page {
    int width = 0;
    std::vector<std::uint8_t> rgba;
  };
  ImTextureID create_rgba(int width, int height) override {
    const auto id = reinterpret_cast<ImTextureID>(++last_);
    pages[id] = {width, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height * 4))};
    return id;
  }
  void update_rgba(ImTextureID id, int x, int y, int width, int height, const std::uint8_t* rgba,
                   int stride_pixels) override {
    Page& page = pages[id];
    for (int row = 0; row < height; ++row) {
      std::copy_n(rgba + row * stride_pixels * 4, width * 4,
                  &page.rgba[static_cast<std::size_t>(((y + row) * page.width + x) * 4)]);
    }
    ++updates;
  }
  void destroy(ImTextureID id) override { pages.erase(id); }

  std::map<ImTextureID, Page> pages;
  int updates = 0;

 private:
  std::intptr_t last_ = 0;
};

class Text : public testing::Test {
 protected:
  Text() : context(ImGui::CreateContext()), list(ImGui::GetDrawListSharedData()) { clear(); }
  ~Text() override { ImGui::DestroyContext(context); }

  void clear() {
    list._ResetForNewFrame();
    list.PushClipRect({-10000, -10000}, {10000, 10000});
    list.PushTextureID(nullptr);
  }
  /// Left edges of the glyphs drawn, in drawing order.
  std::vector<float> lefts() const {
    std::vector<float> out;
    for (int i = 0; i < list.VtxBuffer.Size; i += 4) out.push_back(list.VtxBuffer[i].pos.x);
    return out;
  }

  ImGuiContext* context;
  ImDrawList list;
  KeptTextures textures;
  TextPainter painter{textures};
};

TEST_F(Text, WidthGrowsWithEverySizeAndEveryLetter) {
  const float cat = painter.width("cat", Font::sans, 14);
  EXPECT_GT(cat, 3 * 4);
  EXPECT_LT(cat, 3 * 12);
  EXPECT_NEAR(painter.width("cat", Font::sans, 28), 2 * cat, 0.02);
  EXPECT_NEAR(painter.width("cat sat", Font::sans, 14), cat + painter.width(" sat", Font::sans, 14), 0.2)
      << "but for kerning across the space";
  EXPECT_EQ(painter.width("", Font::sans, 14), 0);
  EXPECT_GT(painter.width("cat", Font::semibold, 14), cat);
}

TEST_F(Text, FiguresOfTheMonospacedFontAreAllAsWide) {
  for (const char* digits : {"0", "1", "7", "-", ".", " "}) {
    EXPECT_NEAR(painter.width(digits, Font::mono, 13), 0.6f * 13, 0.01) << digits;
  }
}

TEST_F(Text, EveryCharacterHasRoomEvenWhereNoFontHasIt) {
  for (const char* words : {"猫", "😀", "ש", "ᵀ", "√", "𝑥", "\xF4\x8F\xBF\xBD", "\xFF", "\n", "\t"}) {
    EXPECT_GT(painter.width(words, Font::sans, 16), 3) << words;
    clear();
    painter.draw(list, 10, 20, words, Font::sans, 16, IM_COL32_WHITE);
    EXPECT_EQ(list.VtxBuffer.Size, 4) << words;
  }
}

TEST_F(Text, MarksAndJoinersTakeNoRoom) {
  EXPECT_FLOAT_EQ(painter.width("e\u0301", Font::sans, 16), painter.width("e", Font::sans, 16));
  EXPECT_FLOAT_EQ(painter.width("a\u200Db\uFE0F", Font::sans, 16), painter.width("ab", Font::sans, 16));
}

TEST_F(Text, HebrewRunsFromRightToLeft) {
  const auto spans = painter.spans("שלום", Font::sans, 16);
  ASSERT_EQ(spans.size(), 4u);
  for (int i = 1; i < 4; ++i) EXPECT_LT(spans[i].left, spans[i - 1].left);
  EXPECT_TRUE(spans[0].leftwards);
  EXPECT_NEAR(spans[0].right, painter.width("שלום", Font::sans, 16), 0.01);
}

TEST_F(Text, MixedLinesKeepTheirNumbers) {
  const auto spans = painter.spans("abc שלום 12", Font::sans, 16);
  EXPECT_LT(spans[0].left, spans[1].left);
  EXPECT_GT(spans[4].left, spans[5].left);
  EXPECT_FALSE(spans[0].leftwards);
  EXPECT_LT(spans[9].left, spans[10].left) << "the digits of a number keep their order";
}

TEST_F(Text, IsolatedWordsLeaveTheLineInItsOrderAndTakeNoRoom) {
  const std::string line = "“\u2068שלום\u2069” 0 → “cat” 3", plain = "“שלום” 0 → “cat” 3";
  EXPECT_NEAR(painter.width(line, Font::sans, 16),
              painter.width("“” 0 → “cat” 3", Font::sans, 16) + painter.width("שלום", Font::sans, 16), 1);
  // The first letter of the line is the quotation mark, and the word's own letters run to the left.
  const auto spans = painter.spans(line, Font::sans, 16);
  EXPECT_EQ(spans[0].left, 0);
  EXPECT_GT(spans[2].left, spans[5].left);
  EXPECT_GT(spans[9].left, spans[2].right) << "the number comes after the word";
  // Without isolates the whole line would run to the left.
  const auto turned = painter.spans(plain, Font::sans, 16);
  EXPECT_GT(turned[0].left, turned[4].left);
}

TEST_F(Text, SpansTouchAndEndAtTheWidth) {
  const auto spans = painter.spans("the cat", Font::sans, 14);
  ASSERT_EQ(spans.size(), 7u);
  EXPECT_EQ(spans[0].left, 0);
  for (std::size_t i = 1; i < spans.size(); ++i) EXPECT_NEAR(spans[i].left, spans[i - 1].right, 0.01);
  EXPECT_NEAR(spans.back().right, painter.width("the cat", Font::sans, 14), 0.01);
}

TEST_F(Text, GlyphsStandOnWholePixelsAndStepByQuarters) {
  painter.draw(list, 10.3f, 20.4f, "illi", Font::sans, 13, IM_COL32_WHITE);
  ASSERT_EQ(list.VtxBuffer.Size, 16);
  for (const ImDrawVert& vertex : list.VtxBuffer) {
    EXPECT_EQ(vertex.pos.x, std::round(vertex.pos.x));
    EXPECT_EQ(vertex.pos.y, std::round(vertex.pos.y));
  }
  // The same letter at two quarter steps is two pictures.
  clear();
  painter.draw(list, 10, 20, "i", Font::sans, 13, IM_COL32_WHITE);
  painter.draw(list, 10.5f, 20, "i", Font::sans, 13, IM_COL32_WHITE);
  EXPECT_NE(list.VtxBuffer[0].uv.x, list.VtxBuffer[4].uv.x);
}

TEST_F(Text, UpwardsIsAQuarterTurnAnticlockwise) {
  painter.draw(list, 50, 60, "AB", Font::sans, 20, IM_COL32_WHITE, true);
  ASSERT_EQ(list.VtxBuffer.Size, 8);
  EXPECT_LT(list.VtxBuffer[4].pos.y, list.VtxBuffer[0].pos.y) << "the second letter is above the first";
  for (const ImDrawVert& vertex : list.VtxBuffer) {
    EXPECT_LE(vertex.pos.x, 52) << "letters rise to the left of their baseline";
    EXPECT_GT(vertex.pos.x, 30);
    EXPECT_LE(vertex.pos.y, 61);
  }
}

TEST_F(Text, ManyDrawsOfOneSizeAreOneCommand) {
  for (int i = 0; i < 100; ++i) {
    painter.draw(list, static_cast<float>(i) * 7, 20, "0.12", Font::mono, 10, IM_COL32_WHITE);
  }
  int drawn = 0;
  for (const ImDrawCmd& command : list.CmdBuffer) drawn += command.ElemCount > 0;
  EXPECT_EQ(drawn, 1);
  EXPECT_EQ(list.VtxBuffer.Size, 100 * 4 * 4);
}

TEST_F(Text, WhatIsOutsideTheClipCostsNothing) {
  list.PushClipRect({0, 0}, {100, 100});
  painter.draw(list, 10, 500, "far below", Font::sans, 14, IM_COL32_WHITE);
  painter.draw(list, 500, 50, "far right", Font::sans, 14, IM_COL32_WHITE);
  painter.draw(list, NAN, 50, "nowhere", Font::sans, 14, IM_COL32_WHITE);
  EXPECT_EQ(list.VtxBuffer.Size, 0);
}

TEST_F(Text, UploadBringsInkOnceAndOnlyWhatChanged) {
  painter.draw(list, 10, 20, "ink", Font::sans, 14, IM_COL32_WHITE);
  painter.upload();
  ASSERT_EQ(textures.pages.size(), 1u);
  int inked = 0;
  const auto& rgba = textures.pages.begin()->second.rgba;
  for (std::size_t i = 3; i < rgba.size(); i += 4) inked += rgba[i] > 0;
  EXPECT_GT(inked, 30);
  const int before = textures.updates;
  painter.draw(list, 10, 20, "ink", Font::sans, 14, IM_COL32_WHITE);
  painter.upload();
  EXPECT_EQ(textures.updates, before);
}

TEST_F(Text, EmojiSequencesAreOnePicture) {
  painter.draw(list, 10, 50, "👩‍👩‍👧", Font::sans, 32, IM_COL32_WHITE);
  const int one = list.VtxBuffer.Size;
  clear();
  painter.draw(list, 10, 50, "😀", Font::sans, 32, IM_COL32_WHITE);
  EXPECT_EQ(one, list.VtxBuffer.Size);
}

TEST_F(Text, MarksAreDrawnAboveTheirLetters) {
  // "x" with an accent, which no font has as one glyph: two quads, the second one above the first.
  painter.draw(list, 10, 50, "x\u0301", Font::sans, 32, IM_COL32_WHITE);
  ASSERT_EQ(list.VtxBuffer.Size, 8);
  EXPECT_LE(list.VtxBuffer[6].pos.y, list.VtxBuffer[0].pos.y + 1) << "its bottom is at the letter's top";
  EXPECT_LT(list.VtxBuffer[4].pos.x, list.VtxBuffer[2].pos.x);
  EXPECT_GT(list.VtxBuffer[6].pos.x, list.VtxBuffer[0].pos.x);
}

TEST_F(Text, ManySizesDoNotKeepPagesForEver) {
  int most = 0;
  for (int frame = 0; frame < 150; ++frame) {
    clear();
    const float size = 20 + static_cast<float>(frame);
    painter.draw(list, 0, 50, "abcdefghijklmnopqrstuvwxyz", Font::sans, size, IM_COL32_WHITE);
    painter.upload();
    most = std::max(most, painter.pages());
  }
  EXPECT_GT(most, 3);
  EXPECT_LE(textures.pages.size(), 24u);
  // And it still draws.
  clear();
  painter.draw(list, 0, 50, "abc", Font::sans, 14, IM_COL32_WHITE);
  EXPECT_EQ(list.VtxBuffer.Size, 12);
}

TEST_F(Text, ShorteningKeepsWholeCharacters) {
  const std::string words = "the cat 👩‍👩‍👧 sat on the mat";
  const float all = painter.width(words, Font::sans, 14);
  EXPECT_EQ(painter.fit(words, Font::sans, 14, all + 1), words);
  for (float width = 20; width < all; width += 3) {
    const std::string shown = painter.fit(words, Font::sans, 14, width);
    EXPECT_LE(painter.width(shown, Font::sans, 14), width);
    ASSERT_GE(shown.size(), 3u);
    EXPECT_EQ(shown.substr(shown.size() - 3), "…");
    const std::string kept = shown.substr(0, shown.size() - 3);
    EXPECT_EQ(words.compare(0, kept.size(), kept), 0);
    EXPECT_FALSE(kept.size() > 8 && kept.size() < 8 + 18) << "the family is one character";
  }
  EXPECT_EQ(painter.fit(words, Font::sans, 14, 1), "");
}

TEST_F(Text, HugeTextIsDrawnEnlarged) {
  painter.draw(list, 0, 900, "W", Font::semibold, 1000, IM_COL32_WHITE);
  ASSERT_EQ(list.VtxBuffer.Size, 4);
  EXPECT_GT(list.VtxBuffer[1].pos.x - list.VtxBuffer[0].pos.x, 800);
  EXPECT_NEAR(painter.width("W", Font::semibold, 1000), 10 * painter.width("W", Font::semibold, 100), 10);
}

}  // namespace
}  // namespace headlight::screen
