#include "views/change_page.h"

#include <gtest/gtest.h>

#include "attention_fixture.h"
#include "page_checks.h"

namespace headlight::views {
namespace {

/// After minus before, made by hand: one query moves, the others do not.
scene::MapChange moved_row(int tokens) {
  scene::MapChange change;
  change.map = nn::Matrix(tokens, tokens);
  change.map.at(2, 0) = -0.25f, change.map.at(2, 1) = 0.2f, change.map.at(2, 3) = 0.05f;
  change.moved = 0.25 / tokens;
  change.largest = 0.25f, change.query = 2, change.key = 0;
  return change;
}

TEST(ChangePage, SaysWhatMovedAndColoursBothSignsOnOneScale) {
  AttentionFixture page;
  draw::RecordCanvas canvas;
  const views::PageInput in{.scene = page.scene,
                            .results = page.results,
                            .cell = nullptr,
                            .hover = nullptr,
                            .theme = draw::theme(true)};
  const draw::Box area{0, 0, 1100, 760};
  const float height = change_page(canvas, area, in, moved_row(6));
  test::expect_texts_apart(canvas, area, height);
  ASSERT_GE(canvas.maps.size(), 1u);
  const draw::Heatmap& map = canvas.maps.front().map;
  EXPECT_EQ(map.map, draw::Colormap::diverging);
  EXPECT_EQ(map.lo, -map.hi) << "no change is white";
  EXPECT_GE(map.hi, 0.25f);
  const std::string words = change_words(in, moved_row(6));
  EXPECT_NE(words.find("−0.250"), std::string::npos) << words;
  EXPECT_NE(words.find("4.2 %"), std::string::npos) << words;
  int numbers = 0;
  for (const auto& text : canvas.texts) numbers += text.words == "−0.250" || text.words == "0.200";
  EXPECT_EQ(numbers, 2);
}

TEST(ChangePage, ManyTokensStayReadableAndAProblemIsSaid) {
  AttentionFixture many({.tokens = 60});
  draw::RecordCanvas canvas;
  const draw::Box area{0, 0, 900, 560};
  const views::PageInput in{.scene = many.scene,
                            .results = many.results,
                            .cell = nullptr,
                            .hover = nullptr,
                            .theme = draw::theme(false)};
  const float height = change_page(canvas, area, in, moved_row(60));
  test::expect_texts_apart(canvas, area, height);
  scene::MapChange none;
  none.problem = "before there were 5 tokens, now there are 6";
  draw::RecordCanvas empty;
  change_page(empty, area, in, none);
  EXPECT_TRUE(empty.maps.empty());
  EXPECT_EQ(change_words(in, none), none.problem);
}

}  // namespace
}  // namespace headlight::views
