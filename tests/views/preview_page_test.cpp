// The newest words while they are computed: they are there, the old map is pale, and nothing covers anything.
#include "pages/attention/view/preview_page.h"

#include <gtest/gtest.h>

#include "kit/page_input.h"
#include "scene/preview.h"
#include "views/attention_fixture.h"

namespace headlight::views {
namespace {

scene::Preview newest(int tokens, int heads) {
  scene::Preview preview;
  preview.version = std::uint64_t(1) << 63;
  for (int i = 0; i < tokens; ++i) {
    nn::Token token;
    token.text = i + 1 == tokens ? "newest" : "word";
    preview.tokens.push_back(token);
  }
  preview.tokens_in_sentence = preview.tokens.size();
  preview.query = tokens - 1;
  preview.allowed = {0, tokens};
  preview.rows = nn::Matrix(heads, tokens);
  for (int head = 0; head < heads; ++head) {
    for (int key = 0; key < tokens; ++key)
      preview.rows.at(head, key) =
          2.f * static_cast<float>(key + 1) / static_cast<float>(tokens * (tokens + 1));
  }
  return preview;
}

struct Drawn {
  draw::RecordCanvas canvas;
  float height = 0;
};

Drawn draw_preview(AttentionFixture& fixture, const scene::Preview& preview, float width, float height) {
  PageInput in = fixture.input();
  in.preview = &preview, in.busy = 0.43f;
  Drawn drawn;
  drawn.height = attention_page(drawn.canvas, {0, 0, width, height}, in);
  return drawn;
}

TEST(PreviewPage, TheNewestWordsAndTheirRowShowAndTheOldMapIsPale) {
  AttentionFixture fixture;
  const scene::Preview preview = newest(5000, 4);
  const Drawn drawn = draw_preview(fixture, preview, 1340, 850);
  EXPECT_TRUE(says(drawn.canvas, "newest"));
  EXPECT_TRUE(says(drawn.canvas, "What does “newest” attend to?"));
  EXPECT_TRUE(says(drawn.canvas, "strongest key: “newest” 4999, 0.0004"));
  EXPECT_TRUE(says(drawn.canvas, "computing 43 %"));
  EXPECT_TRUE(says(drawn.canvas, "previous sentence, 6 tokens"));
  EXPECT_FALSE(says(drawn.canvas, "cat")) << "a word of the sentence before";
  EXPECT_EQ(drawn.canvas.maps.size(), 5u);  // a strip for each head, and the old map
  EXPECT_LT(drawn.canvas.lines.size(), 1500u) << "keys share a unit of the screen";
}

TEST(PreviewPage, TheMapOfTheHeadsOnShowTakesThePlaceOfTheOldOne) {
  AttentionFixture fixture;
  const scene::Preview preview = newest(40, 4);
  scene::EarlyMap early;
  early.version = 77, early.heads = {2};
  early.weights = nn::Matrix(40, 40);
  PageInput in = fixture.input();
  in.preview = &preview, in.early_map = &early, in.busy = 0.43f;
  draw::RecordCanvas canvas;
  attention_page(canvas, {0, 0, 1340, 850}, in);
  EXPECT_TRUE(says(canvas, "head 3, for the current sentence; computing 43 %"));
  EXPECT_FALSE(says(canvas, "previous sentence, 6 tokens"));
  ASSERT_EQ(canvas.maps.size(), 5u);
  EXPECT_EQ(std::count_if(canvas.maps.begin(), canvas.maps.end(),
                          [](const auto& map) { return map.map.rows == 40 && map.map.version == 77; }),
            1);
  early.heads = {2, 0};
  draw::RecordCanvas two;
  attention_page(two, {0, 0, 1340, 850}, in);
  EXPECT_TRUE(says(two, "mean over 2 heads, for the current sentence; computing 43 %"));
}

TEST(PreviewPage, ThereMayBeNoRowAndNothingFromBefore) {
  AttentionFixture fixture(Case{.tokens = 0});
  scene::Preview preview = newest(12, 4);
  preview.rows = {};
  preview.why = "layer 2 needs the layers before it for every token";
  const Drawn drawn = draw_preview(fixture, preview, 1340, 850);
  EXPECT_TRUE(says(drawn.canvas, "newest"));
  EXPECT_TRUE(says(drawn.canvas, "layer 2 needs the layers before it"));
  EXPECT_TRUE(drawn.canvas.maps.empty());
}

TEST(PreviewPage, NothingLeavesThePageAndNoTextCoversAnother) {
  for (const int heads : {1, 4, 12, 64}) {
    for (const auto& [width, height] :
         {std::pair{640.f, 360.f}, {1050.f, 590.f}, {1340.f, 850.f}, {2400.f, 1400.f}}) {
      for (const bool row : {true, false}) {
        AttentionFixture fixture(Case{.heads = heads});
        fixture.scene.heads = heads;
        scene::Preview preview = newest(300, heads);
        if (!row) preview.rows = {}, preview.why = "layer 2 needs the layers before it for every token";
        const Drawn drawn = draw_preview(fixture, preview, width, height);
        const auto& texts = drawn.canvas.texts;
        for (std::size_t i = 0; i < texts.size(); ++i) {
          const draw::Box a = texts[i].box;
          EXPECT_TRUE(a.x >= -0.5f && a.right() <= width + 0.5f && a.bottom() <= drawn.height + 0.5f)
              << texts[i].words << " at " << width << " with " << heads;
          for (std::size_t j = i + 1; j < texts.size(); ++j) {
            const draw::Box b = texts[j].box;
            constexpr float slack = 1.5f;
            EXPECT_FALSE(a.x + slack < b.right() && b.x + slack < a.right() && a.y + slack < b.bottom() &&
                         b.y + slack < a.bottom())
                << '"' << texts[i].words << "\" and \"" << texts[j].words << "\" at " << width << " with "
                << heads;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace headlight::views
