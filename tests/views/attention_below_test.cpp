// Below the map: the matrices of the layer and the kernels over relative offsets.
#include <gtest/gtest.h>

#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/attention/view/below.h"
#include "pages/attention/view/words.h"
#include "views/attention_fixture.h"

namespace headlight::views {
namespace {

TEST(Matrices, EveryMatrixOpensAndClosesByItsTile) {
  AttentionFixture f;
  for (const char* name : {"x", "w_q", "w_k", "w_v", "w_o", "q", "k", "v", "concatenation", "output"}) {
    const draw::Mark tile = control(f.record(1300, 700), std::string("matrix ") + name);
    EXPECT_EQ(tile.set, std::string("matrix=") + name);
  }
  f.scene.attention.matrix = scene::LayerMatrix::q;
  const draw::RecordCanvas open = f.record(1300, 700);
  EXPECT_EQ(control(open, "matrix q").set, "matrix=none");
  EXPECT_EQ(control(open, "matrix k").set, "matrix=k");
}

TEST(Matrices, TheOpenedOneShowsTheNumbersOfTheHeadOnShow) {
  AttentionFixture f({4, 4, 4, false, {}});
  f.scene.attention.matrix = scene::LayerMatrix::k;
  f.scene.head = {3};
  f.open(2, 1, 2);
  const draw::RecordCanvas canvas = f.record(1300, 700);
  EXPECT_TRUE(says(canvas, "K, X W_K, the keys; head 3: columns 8–11"));
  for (int t = 0; t < 4; ++t) {
    for (int c = 8; c < 12; ++c) {
      const std::string number = fixed(static_cast<double>(f.results.attention.k.at(t, c)), 2);
      EXPECT_TRUE(times_said(canvas, number) > 0) << number;
    }
  }
  // Rows of W_O belong to a head, columns of the others; X and the output have no such part.
  f.scene.attention.matrix = scene::LayerMatrix::w_o;
  EXPECT_TRUE(says(f.record(1300, 700), "head 3: rows 8–11"));
  f.scene.attention.matrix = scene::LayerMatrix::output;
  EXPECT_FALSE(says(f.record(1300, 700), "head 3:"));
  // All heads: the whole matrix.
  f.scene.attention.matrix = scene::LayerMatrix::k, f.scene.head = {};
  EXPECT_FALSE(says(f.record(1300, 700), "columns 8–11"));
}

TEST(Matrices, TheElementUnderThePointerIsNamed) {
  AttentionFixture f;
  f.scene.attention.matrix = scene::LayerMatrix::v;
  f.pick({0, 0}, 1300, 700);
  draw::Box cells;
  for (const auto& target : f.targets) {
    if (target.mark.name == "matrix cells") cells = target.box;
  }
  ASSERT_GT(cells.w, 0);
  const draw::Point first{cells.x + 3, cells.y + 3};
  const draw::Hit hit = f.pick(first, 1300, 700);
  EXPECT_EQ(attention_tooltip(f.input(), hit),
            "V[0, 0] = " + fixed(static_cast<double>(f.results.attention.v.at(0, 0)), 4) + "\n“the”");
}

/// As attend_opened() has them: 4 query heads of 4 components on 2 key and value heads, which are repeated.
AttentionFixture opened_layer() {
  AttentionFixture f({4, 4, 4, false, {}});
  auto opened = std::make_shared<scene::OpenedLayer>();
  opened->kv_heads = 2, opened->width = 16, opened->rotary = 4;
  f.results.opened = opened, f.results.weights = nullptr;
  for (nn::Matrix* m : {&f.results.attention.k, &f.results.attention.v}) {
    for (int t = 0; t < 4; ++t) {
      for (const int head : {1, 3}) {
        for (int c = 0; c < 4; ++c) m->at(t, 4 * head + c) = m->at(t, 4 * (head - 1) + c);
      }
    }
  }
  return f;
}

TEST(Matrices, OfAnOpenedModelEveryTileSaysWhatTheModelHas) {
  AttentionFixture f = opened_layer();
  f.scene.attention.matrix = scene::LayerMatrix::k, f.scene.head = {4};
  const PageInput in = f.input();
  const Selection selection = select(in);
  draw::RecordCanvas canvas;
  draw_matrices(Sheet{Pen{canvas, in.theme}, in, selection}, {0, 0, 800, 520});
  EXPECT_EQ(times_said(canvas, "none"), 0) << "an opened model has its projections";
  // Q 4 × 16; K and V 4 × 8: two heads of four components.
  EXPECT_EQ(times_said(canvas, "4 × 8"), 2);
  EXPECT_EQ(times_said(canvas, "16 × 16"), 2) << "W_Q, W_O";
  EXPECT_EQ(times_said(canvas, "16 × 8"), 2) << "W_K, W_V";
  EXPECT_TRUE(says(canvas, "in the model’s file"));
  EXPECT_TRUE(says(canvas, "K, X W_K, the keys after RoPE; head 4 has head 2 of K: columns 4–7"));
  for (int t = 0; t < 4; ++t) {
    for (int c = 8; c < 12; ++c) {
      const std::string number = fixed(static_cast<double>(f.results.attention.k.at(t, c)), 2);
      EXPECT_TRUE(times_said(canvas, number) > 0) << number;
    }
  }
  // Under the pointer and in words: the same columns.
  f.pick({0, 0}, 1300, 900);
  draw::Box cells;
  for (const auto& target : f.targets) {
    if (target.mark.name == "matrix cells") cells = target.box;
  }
  ASSERT_GT(cells.w, 0);
  const draw::Hit hit = f.pick({cells.x + 3, cells.y + 3}, 1300, 900);
  EXPECT_EQ(attention_tooltip(f.input(), hit),
            "K[0, 4] = " + fixed(static_cast<double>(f.results.attention.k.at(0, 8)), 4) + "\n“the”");
  const std::string text = plain::describe_attention(f.input(), 3);
  EXPECT_NE(text.find("16 × 8"), std::string::npos);
  EXPECT_NE(text.find("4 × 8"), std::string::npos);
  EXPECT_NE(text.find("in the model’s file"), std::string::npos);
}

TEST(Kernels, TwoQueriesByOffset) {
  AttentionFixture f;
  f.scene.head = {1};
  f.scene.query = {2};
  f.scene.attention.other_query = 4;
  const draw::RecordCanvas canvas = f.record(1300, 700);
  EXPECT_TRUE(says(canvas, "query “" + f.results.tokens[2].text + "” 2"));
  EXPECT_TRUE(says(canvas, "query “" + f.results.tokens[4].text + "” 4"));
  // The weight of query 4 at offset −3 is that of key 1, under the pointer.
  const std::string want =
      "weight " + weight_text(static_cast<double>(f.results.attention.weights.at(0, 4, 1)), 2);
  bool message = false;
  for (const draw::Mark& mark : canvas.marks)
    message = message ||
              (mark.note.find("query “" + f.results.tokens[4].text + "” 4, ") == 0 &&
               mark.note.find("offset −3: key “" + f.results.tokens[1].text + "” 1") != std::string::npos &&
               mark.note.find(want) != std::string::npos);
  EXPECT_TRUE(message);
  // The largest difference among the offsets at which both have a key, by hand.
  double largest = 0;
  for (int offset = -2; offset <= 1; ++offset)
    largest =
        std::max(largest, std::abs(static_cast<double>(f.results.attention.weights.at(0, 2, 2 + offset)) -
                                   static_cast<double>(f.results.attention.weights.at(0, 4, 4 + offset))));
  std::string all;
  for (const auto& text : canvas.texts) all += text.words + " ";
  EXPECT_NE(all.find("by " + weight_text(largest) + " at offset"), std::string::npos) << all;
  EXPECT_EQ(control(canvas, "other query after").set, "other_query=5");
  EXPECT_EQ(control(canvas, "other query before").set, "other_query=3");
}

/// Of a masked key no weight is computed: its offset has a dash and no bar, and its note no number.
TEST(Kernels, AMaskedOffsetHasADashAndNoNumber) {
  AttentionFixture f({6, 4, 8, false, {.causal = true}});
  f.scene.head = {1};
  f.scene.query = {2};
  f.scene.attention.other_query = 4;
  const draw::RecordCanvas canvas = f.record(1300, 700);
  int masked = 0, weights = 0;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.note.find(", offset ") == std::string::npos) continue;
    const bool later = mark.note.find("offset +") != std::string::npos;
    const bool key_after = mark.note.find("masked") != std::string::npos;
    masked += key_after, weights += mark.note.find("weight ") != std::string::npos;
    EXPECT_FALSE(key_after && mark.note.find("weight ") != std::string::npos) << mark.note;
    if (later) {
      EXPECT_TRUE(key_after) << mark.note;
    }
  }
  EXPECT_EQ(masked, 3 + 1);  // of query 2 keys 3 to 5, of query 4 key 5
  EXPECT_EQ(weights, 3 + 5);
  EXPECT_EQ(test::times_said(canvas, "–"), 4);
  std::string all;
  for (const auto& text : canvas.texts) all += text.words + " ";
  EXPECT_NE(all.find("–: a masked key."), std::string::npos) << all;
}

/// Bars are weights, not roles: their colour is that of weights; only the asked query has its role's colour.
TEST(Kernels, BarsHaveTheColourOfWeights) {
  AttentionFixture f;
  f.scene.head = {1};
  f.scene.query = {2};
  const PageInput in = f.input();
  const Selection selection = select(in);
  draw::RecordCanvas canvas;
  const Sheet sheet{{canvas, in.theme, nullptr}, in, selection};
  draw_kernels(sheet, {0, 0, 800, 380});
  const auto hex = [](draw::Color c) {
    char out[16];
    std::snprintf(out, sizeof out, "%02x%02x%02x", c.r, c.g, c.b);
    return std::string(out);
  };
  for (const std::string& line : canvas.lines) {
    if (!line.starts_with("rect ")) continue;
    for (const draw::Color role : {in.theme.query, in.theme.key, in.theme.value})
      EXPECT_EQ(line.find(hex(role)), std::string::npos) << line;
  }
  for (const auto& text : canvas.texts) EXPECT_FALSE(text.style.color == in.theme.value) << text.words;
}

/// What has no room on the axis is said.
TEST(Kernels, OffsetsThatAreNotShownAreSaid) {
  for (const int tokens : {20, 90}) {
    AttentionFixture f({tokens, 1, 4, false, {}});
    f.scene.head = {1};
    f.scene.query = {5};
    const PageInput in = f.input();
    const Selection selection = select(in);
    draw::RecordCanvas canvas;
    const Sheet sheet{{canvas, in.theme, nullptr}, in, selection};
    draw_kernels(sheet, {0, 0, 1200, 380});
    std::string all;
    for (const auto& text : canvas.texts) all += text.words + " ";
    EXPECT_EQ(all.find("Shown: offsets ") != std::string::npos, tokens > 80) << all;
  }
}

/// Bars without room for their numbers have an axis, and the numbers of offsets do not touch.
TEST(Kernels, ManyOffsetsHaveAnAxisAndTheFramedBarItsWeight) {
  AttentionFixture f({120, 1, 4, false, {}});
  f.scene.head = {1};
  f.scene.query = {60};
  const PageInput in = f.input();
  const Selection selection = select(in);
  draw::RecordCanvas canvas;
  const Sheet sheet{{canvas, in.theme, nullptr}, in, selection};
  draw_kernels(sheet, {0, 0, 700, 380});
  int zeros = 0, weights = 0;
  std::vector<std::pair<float, std::string>> offsets;
  for (const auto& text : canvas.texts) {
    if (text.words == "0" && text.style.align == draw::Align::right) ++zeros;
    if (text.style.font == draw::Font::mono && text.words.starts_with("0.")) ++weights;
    if (text.words.starts_with("+")) offsets.push_back({text.at.x, text.words});
  }
  EXPECT_EQ(zeros, 2) << "each of the two has an axis from 0";
  EXPECT_GE(weights, 1) << "the framed bar";
  ASSERT_GT(offsets.size(), 3u);
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i].first > offsets[i - 1].first)
      EXPECT_GT(offsets[i].first - offsets[i - 1].first,
                canvas.text_width(offsets[i].second, words_style({}, small_size)) + 4);
  }
}

TEST(Kernels, EqualKernelsAreSaidToBeEqual) {
  AttentionFixture f;
  f.scene.head = {1};
  for (int t = 0; t < 6; ++t) {
    for (int s = 0; s < 6; ++s) f.results.attention.weights.at(0, t, s) = s == t - 1 ? 0.5f : 0.1f;
  }
  EXPECT_TRUE(says(f.record(1300, 700), "the weights are equal"));
}

TEST(Kernels, OneTokenHasNoOther) {
  AttentionFixture f({1, 2, 4, false, {}});
  EXPECT_TRUE(says(f.record(1300, 700), "two queries are needed"));
}

TEST(Below, TextsStayApartAtEverySize) {
  for (const auto matrix : {scene::LayerMatrix::none, scene::LayerMatrix::x, scene::LayerMatrix::w_o}) {
    for (const float width : {320.f, 480.f, 640.f, 900.f, 1300.f, 2400.f}) {
      for (const int tokens : {1, 6, 40}) {
        AttentionFixture f({tokens, 4, 8, tokens > 8, {}});
        f.scene.attention.matrix = matrix;
        draw::RecordCanvas canvas;
        const PageInput in = f.input();
        const Selection selection = select(in);
        const Sheet sheet{{canvas, in.theme, nullptr}, in, selection};
        const float height = width < 560 && matrix == scene::LayerMatrix::none ? 620.f : 520.f;
        draw_matrices(sheet, {0, 0, width, height});
        test::expect_texts_apart(canvas, {0, 0, width, height}, height);
        draw::RecordCanvas kernels;
        const Sheet other{{kernels, in.theme, nullptr}, in, selection};
        draw_kernels(other, {0, 0, width, 380});
        test::expect_texts_apart(kernels, {0, 0, width, 380}, 380);
      }
    }
  }
}

}  // namespace
}  // namespace headlight::views
