// Numbers as text, tokens as labels, and the parts of a card.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "draw/record_canvas.h"
#include "kit/card.h"
#include "kit/plot.h"

namespace headlight::views {
namespace {

TEST(AttentionCard, NumbersHaveATrueMinusAndNoNegativeZero) {
  EXPECT_EQ(fixed(-1.884, 3), "−1.884");
  EXPECT_EQ(fixed(-0.0001, 2), "0.00");
  EXPECT_EQ(fixed(0.7071, 2), "0.71");
  EXPECT_EQ(fixed(std::nan(""), 2), "NaN");
  EXPECT_EQ(fixed(-std::numeric_limits<double>::infinity(), 2), "−∞");
  EXPECT_EQ(brief(1.23e-8, 2), "1.2e−08");
  EXPECT_EQ(brief(0, 2), "0");
}

TEST(AttentionCard, NumbersAreThoseOfPrintf) {
  const auto plain = [](std::string words) {
    for (std::size_t at; (at = words.find("−")) != std::string::npos;) words.replace(at, 3, "-");
    return words;
  };
  std::mt19937_64 random(1);
  char wanted[400];
  for (int i = 0; i < 20000; ++i) {
    double value = std::ldexp(static_cast<double>(random()) - 0x1p63, -static_cast<int>(random() % 90));
    if (i % 3 == 0) value = static_cast<double>(static_cast<float>(value));
    if (i % 5 == 0) value = std::round(value * 8) / 8;  // a half is rounded to even
    const int digits = static_cast<int>(random() % 7);
    std::snprintf(wanted, sizeof wanted, "%.*f", digits, value);
    if (std::string_view(wanted).find_first_not_of("-0.") != std::string_view::npos) {
      ASSERT_EQ(plain(fixed(value, digits)), wanted);
    }
    std::snprintf(wanted, sizeof wanted, "%.*g", digits, value);
    ASSERT_EQ(plain(brief(value, digits)), wanted);
  }
  std::snprintf(wanted, sizeof wanted, "%.2f", std::numeric_limits<double>::max());
  EXPECT_EQ(fixed(std::numeric_limits<double>::max(), 2), wanted);
}

TEST(FillScreens, RowsOfLaterScreensFillThemAndTheFirstOneStays) {
  const draw::Theme theme = draw::theme(true);
  draw::RecordCanvas canvas;
  const auto filled = [&](std::vector<float> rows, float room, float question = 0) {
    fill_screens({canvas, theme}, rows, room, question);
    return rows;
  };
  using Rows = std::vector<float>;
  EXPECT_EQ(filled({300, 200}, 600), (Rows{300, 200}));  // one screen
  EXPECT_EQ(filled({500, 300}, 600), (Rows{500, 600}));  // twice as high at most
  EXPECT_EQ(filled({500, 400}, 600), (Rows{500, 600}));
  EXPECT_EQ(filled({500, 100}, 600), (Rows{500, 200}));
  EXPECT_EQ(filled({500, 300, 200}, 616), (Rows{500, 360, 240}));  // two rows share a screen
  EXPECT_EQ(filled({500, 700}, 600), (Rows{500, 700}));            // higher than the screen: it scrolls
  // The question is above the later screens alone.
  EXPECT_EQ(filled({300, 284}, 600, 44), (Rows{300, 284}));
  EXPECT_EQ(filled({500, 300}, 600, 44), (Rows{500, 556}));
  EXPECT_EQ(filled({}, 600), Rows{});
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    Rows rows(2 + random() % 5);
    for (float& row : rows) row = 100 + static_cast<float>(random() % 500);
    const float room = 400 + static_cast<float>(random() % 600);
    const Rows after = filled(rows, room);
    // The same rows are on the same screens.
    const auto screens = [&](const Rows& of) {
      std::vector<std::size_t> begins;
      float sum = 0;
      for (std::size_t r = 0; r < of.size(); ++r) {
        const bool fits = r > 0 && sum + card_gap + of[r] <= room + 0.5f;
        if (!fits)
          begins.push_back(r), sum = of[r];
        else
          sum += card_gap + of[r];
      }
      return begins;
    };
    EXPECT_EQ(screens(rows), screens(after));
    for (std::size_t r = 0; r < rows.size(); ++r) EXPECT_GE(after[r], std::floor(rows[r]));
  }
}

TEST(AttentionCard, ANumberIsNeverShortened) {
  const draw::Theme theme = draw::theme(true);
  for (const char* number : {"122,880", "−0.465", "100.0 %", "1.23·10⁹", "+0.27", "≥ 0.2"}) {
    for (float width = 2; width < 80; width += 1) {
      draw::RecordCanvas canvas;
      put({canvas, theme}, {0, 20}, number, mono_style(theme.text), width);
      if (canvas.texts.empty()) continue;
      EXPECT_EQ(canvas.texts[0].words, number) << width;
      EXPECT_LE(canvas.texts[0].box.w, width + 0.01f) << number;
    }
  }
  draw::RecordCanvas canvas;  // words are
  put({canvas, theme}, {0, 20}, "4 heads of the layer", words_style(theme.text), 40);
  ASSERT_EQ(canvas.texts.size(), 1u);
  EXPECT_NE(canvas.texts[0].words.find("…"), std::string::npos);
}

TEST(AttentionCard, AnAxisEndsAtARoundNumberThatIsLargeEnough) {
  for (double value : {1e-7, 0.011, 0.2, 0.201, 0.707, 0.81, 1.0, 37.0}) {
    const double top = nice_ceiling(value);
    EXPECT_GE(top, value * (1 - 1e-9));
    EXPECT_LE(top, value * 2);
  }
  EXPECT_EQ(nice_ceiling(0), 1);
  EXPECT_EQ(nice_ceiling(std::nan("")), 1);
}

TEST(AttentionCard, AWeightThatIsNotZeroIsNeverWrittenAsZero) {
  EXPECT_EQ(weight_text(0), "0.000");
  EXPECT_EQ(weight_text(0.0005), "0.001");
  EXPECT_EQ(weight_text(0.000211), "0.00021");
  EXPECT_EQ(weight_text(2.1e-7), "2.1e−07");
  EXPECT_EQ(weight_text(0.465), "0.465");
  EXPECT_EQ(weight_in_cell(0.000211, 3), "<0.001");
  EXPECT_EQ(weight_in_cell(0.000211, 2), "<0.01");
  EXPECT_EQ(weight_in_cell(-0.000211, 2), ">−0.01");
  EXPECT_EQ(weight_in_cell(0, 2), "0.00");
  EXPECT_EQ(weight_in_cell(1, 2), "1.00");
}

TEST(AttentionCard, LabelsKeepTheirDistance) {
  for (float pitch : {0.05f, 0.7f, 3.f, 12.f, 40.f}) {
    const int step = label_step(pitch, 14);
    EXPECT_GE(static_cast<float>(step) * pitch, 14 - 1e-3f);
    EXPECT_TRUE(step == 1 || static_cast<float>(step) * pitch <= 14 * 2.6f);
  }
}

TEST(AttentionCard, InvisibleTokensBecomeVisible) {
  EXPECT_EQ(shown_token(" "), "␣");
  EXPECT_EQ(shown_token(""), "·");
  EXPECT_EQ(shown_token("\n"), "↵");
  EXPECT_EQ(shown_token("\r\n"), "↵");
  EXPECT_EQ(shown_token("\t"), "⇥");
  EXPECT_EQ(shown_token("né"), "né");
  EXPECT_EQ(shown_token("\xff"), "\xEF\xBF\xBD");
}

TEST(AttentionCard, ALongSubtitleTakesTwoLinesOfAboutOneLength) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true), nullptr};
  const draw::TextStyle style = words_style(pen.theme.dim);
  const std::string words = "one row of the matrix is a probability distribution (sum 1.000)";
  EXPECT_EQ(wrap(pen, words, style, 1000, 2), std::vector<std::string>{words});
  const auto lines = wrap(pen, words, style, 300, 2);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0] + " " + lines[1], words);
  for (const std::string& line : lines) EXPECT_LE(canvas.text_width(line, style), 300);
}

TEST(AttentionCard, WhatIsShownInsteadHasAsFewLinesAsHoldIt) {
  const draw::Theme theme = draw::theme(true);
  const std::string words =
      "This page shows the typed sentence with random weights, seed 7: dump.npz holds no model. Open its "
      "model, or choose Attention, Model or Compare.";
  for (const float width : {640.f, 1216.f, 2000.f}) {
    draw::RecordCanvas canvas;
    draw::Box body{0, 0, width, 500};
    instead_line(Pen{canvas, theme}, body, words);
    std::string message;
    for (const auto& text : canvas.texts) {
      message += (message.empty() ? "" : " ") + text.words;
      EXPECT_GE(text.style.size, 14);
      EXPECT_LE(text.box.right(), width);
      EXPECT_LT(text.box.bottom(), body.y);
    }
    EXPECT_EQ(message, words);
    if (width == 2000) {
      EXPECT_EQ(canvas.texts.size(), 1u);
    }
    EXPECT_FLOAT_EQ(body.bottom(), 500);
  }
  draw::RecordCanvas canvas;
  draw::Box body{0, 0, 1000, 500};
  instead_line(Pen{canvas, theme}, body, "");
  EXPECT_TRUE(canvas.texts.empty());
  EXPECT_FLOAT_EQ(body.h, 500);
}

TEST(AttentionCard, SegmentsMeasureAsTheyAreDrawn) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(false), nullptr};
  const std::array<Choice, 2> choices{Choice{"Matrix", "attention_view=matrix", "matrix", true, {}},
                                      Choice{"Ribbons", "attention_view=ribbons", "ribbons", false, {}}};
  const draw::Box box = segmented(pen, {500, 20}, choices);
  EXPECT_FLOAT_EQ(box.w, segmented_width(pen, choices));
  EXPECT_FLOAT_EQ(box.right(), 500);
  ASSERT_EQ(canvas.marks.size(), 2u);
  EXPECT_EQ(canvas.marks[1].set, "attention_view=ribbons");
  EXPECT_GE(canvas.marks[0].area.x, box.x);
  EXPECT_LE(canvas.marks[1].area.right(), box.right());
}

TEST(AttentionCard, TheProgressLineFollowsTheFraction) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true), nullptr};
  progress_line(pen, {0, 0, 220, 100}, -1);
  EXPECT_TRUE(canvas.lines.empty());
  progress_line(pen, {0, 0, 220, 100}, 0.5f);
  ASSERT_EQ(canvas.lines.size(), 2u);
  EXPECT_EQ(canvas.lines[1].rfind("rect 12.0 0.0 98.0 2.0", 0), 0u) << canvas.lines[1];
}

TEST(Quotes, WordsFromRightToLeftAreIsolated) {
  EXPECT_EQ(in_quotes("cat"), "“cat”");
  EXPECT_EQ(in_quotes("猫 😀 é"), "“猫 😀 é”");
  EXPECT_EQ(in_quotes("שלום"), "“\u2068שלום\u2069”");
  EXPECT_EQ(isolated("x مرحبا"), "\u2068x مرحبا\u2069");
  EXPECT_EQ(isolated(""), "");
}

}  // namespace
}  // namespace headlight::views
