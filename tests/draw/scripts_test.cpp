#include "draw/scripts.h"

#include <gtest/gtest.h>

#include "draw/record_canvas.h"

namespace headlight::draw {
namespace {

using Pieces = std::vector<ScriptPiece>;

TEST(Scripts, IndicesAndExponentsAreFound) {
  EXPECT_EQ(script_pieces("Q = X W_Q,  K"), (Pieces{{"Q = X W", 0}, {"Q", -1}, {",  K", 0}}));
  EXPECT_EQ(script_pieces("÷ √d_k"), (Pieces{{"÷ √d", 0}, {"k", -1}}));
  EXPECT_EQ(script_pieces("‖y_softmax‖"), (Pieces{{"‖y", 0}, {"softmax", -1}, {"‖", 0}}));
  EXPECT_EQ(script_pieces("Σ_j α_j v_(i+o)"),
            (Pieces{{"Σ", 0}, {"j", -1}, {" α", 0}, {"j", -1}, {" v", 0}, {"i+o", -1}}));
  EXPECT_EQ(script_pieces("c^((d−1)/4)"), (Pieces{{"c", 0}, {"(d−1)/4", 1}}));
  EXPECT_EQ(script_pieces("f W_O^h"), (Pieces{{"f W", 0}, {"O", -1}, {"h", 1}}));
  EXPECT_EQ(script_pieces("A_i,i−1 (previous), A_ii, one"),
            (Pieces{{"A", 0}, {"i,i−1", -1}, {" (previous), A", 0}, {"ii", -1}, {", one", 0}}));
  EXPECT_EQ(script_pieces("φ(x)_i, max_j"), (Pieces{{"φ(x)", 0}, {"i", -1}, {", max", 0}, {"j", -1}}));
  EXPECT_EQ(script_pieces("v_(“a”) “d_k” x_1"), (Pieces{{"v", 0}, {"“a”", -1}, {" “d_k” x", 0}, {"1", -1}}));
  EXPECT_EQ(script_pieces("O(log_k T)"), (Pieces{{"O(log", 0}, {"k", -1}, {" T)", 0}}));
}

TEST(Scripts, NamesHaveNone) {
  for (const char* name : {"",
                           "small_english",
                           "a_b.json",
                           "h.0.attn.c_attn.weight",
                           "_x",
                           "x_",
                           "a__b",
                           "“d_k”",
                           "␣_x",
                           "2_3",
                           "model_entropy head=1",
                           "x_averylongname",
                           "v_(i",
                           "plain words",
                           "\"w_q\"",
                           "é_1",
                           "東_a",
                           "Größe_v",
                           "Grö_v",
                           "weights (2)_final",
                           "max_tokens",
                           "log_prob",
                           "’s_t",
                           "v_"}) {
    EXPECT_EQ(script_pieces(name), Pieces({{name, 0}})) << name;
  }
}

TEST(Scripts, AQuotationMayGoOnOnTheNextLine) {
  EXPECT_FALSE(open_quotation("W_Q x", false));
  EXPECT_TRUE(open_quotation("the token “x_1", false));
  EXPECT_TRUE(open_quotation("is long", true));
  EXPECT_FALSE(open_quotation("y_2” attends", true));
  EXPECT_FALSE(open_quotation("“a” and \"b\"", false));
}

/// The pieces follow each other on one line: an index below it and smaller, the whole where it is aligned.
TEST(Scripts, ArePlacedOnOneLine) {
  RecordCanvas canvas;
  TextStyle style{.size = 20, .align = Align::right};
  ASSERT_TRUE(text_in_pieces(canvas, {100, 50}, "W_Q x", style));
  ASSERT_EQ(canvas.texts.size(), 3u);
  const float whole = *width_in_pieces(canvas, "W_Q x", style);
  EXPECT_LT(whole, canvas.text_width("W_Q x", style));
  EXPECT_FLOAT_EQ(canvas.texts[0].at.x, 100 - whole);
  EXPECT_FLOAT_EQ(canvas.texts[0].at.y, 50);
  EXPECT_FLOAT_EQ(canvas.texts[1].style.size, 14);
  EXPECT_FLOAT_EQ(canvas.texts[1].at.y, 54);
  EXPECT_FLOAT_EQ(canvas.texts[2].at.y, 50);
  EXPECT_FLOAT_EQ(canvas.texts[2].at.x + canvas.text_width(" x", style), 100);
  style.literal = true;
  EXPECT_FALSE(text_in_pieces(canvas, {100, 50}, "W_Q x", style));
  EXPECT_FALSE(width_in_pieces(canvas, "W_Q x", style));
}

}  // namespace
}  // namespace headlight::draw
