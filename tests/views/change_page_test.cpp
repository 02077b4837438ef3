#include "pages/attention/view/change_page.h"

#include <gtest/gtest.h>

#include "attention_fixture.h"
#include "kit/page_input.h"
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
  EXPECT_EQ(map.map, draw::Colormap::signed_weight);
  EXPECT_EQ(map.lo, -map.hi) << "no change is white";
  EXPECT_GE(map.hi, 0.25f);
  const std::string words = change_words(in, moved_row(6));
  EXPECT_NE(words.find("−0.25"), std::string::npos) << words;
  EXPECT_NE(words.find("4.2 %"), std::string::npos) << words;
  int numbers = 0;
  for (const auto& text : canvas.texts)
    numbers += text.style.font == draw::Font::mono && (text.words == "−0.25" || text.words == "0.20");
  EXPECT_EQ(numbers, 2);
}

TEST(ChangePage, WhatIsMaskedOnBothSidesHasNoNumberWhicheverWayQueriesRun) {
  AttentionFixture page;
  scene::MapChange change = moved_row(6);
  for (int q = 0; q < 6; ++q) {
    change.before.push_back({0, q + 1}), change.after.push_back({0, q + 1}),
        change.allowed.push_back({0, q + 1});
  }
  change.map.at(2, 3) = 0;  // masked, as all that comes after the query
  for (const auto axis : {scene::QueryAxis::rows, scene::QueryAxis::columns}) {
    page.scene.query_axis = axis;
    draw::RecordCanvas canvas;
    const views::PageInput in{.scene = page.scene,
                              .results = page.results,
                              .cell = nullptr,
                              .hover = nullptr,
                              .theme = draw::theme(true)};
    const draw::Box area{0, 0, 1100, 760};
    test::expect_texts_apart(canvas, area, change_page(canvas, area, in, change));
    int zeros = 0;
    draw::Point moved{};
    for (const auto& text : canvas.texts) {
      zeros += text.words == "0.000" || text.words == "0.00";
      if (text.words == "0.20") moved = text.at;
    }
    EXPECT_EQ(zeros, 0) << "pairs that did not change have no number";
    EXPECT_TRUE(says(canvas, "masked before and after"));
    const draw::RecordCanvas::Map& map = canvas.maps.front();
    EXPECT_EQ(map.map.transposed, axis == scene::QueryAxis::columns);
    EXPECT_EQ(map.map.allowed.size(), 6u);
    // Query 2, key 1 lies where the picture has it.
    const float wide = map.box.w / 6, high = map.box.h / 6;
    const bool down = axis == scene::QueryAxis::rows;
    EXPECT_NEAR(moved.x, map.box.x + wide * (down ? 1.5f : 2.5f), 1);
    EXPECT_NEAR(moved.y, map.box.y + high * (down ? 2.5f : 1.5f), 1);
  }
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
  none.problem = "before, there were 5 tokens, now there are 6";
  draw::RecordCanvas empty;
  change_page(empty, area, in, none);
  EXPECT_TRUE(empty.maps.empty());
  EXPECT_EQ(change_words(in, none), none.problem);
}

}  // namespace
}  // namespace headlight::views
