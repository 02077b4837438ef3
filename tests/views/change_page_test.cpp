#include "pages/attention/view/change_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "attention_fixture.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/attention/map_change.h"

namespace headlight::views {
namespace {

/// What the positions of a scene change.
struct Change {
  explicit Change(Case what = {}) : after(what) {
    what.settings.push_back("position=none");
    const AttentionFixture before(what);
    change = scene::map_change(after.scene, before.results, after.results);
    const nn::Matrix &old = before.results.mean, &now = after.results.mean;  // all heads are on show
    for (int q = 0; q < now.rows(); ++q) {
      for (int k = 0; k < now.cols(); ++k) {
        const float apart = now.at(q, k) - old.at(q, k);
        moved += std::abs(static_cast<double>(apart)) / 2 / now.rows();
        if (std::abs(apart) > std::abs(largest)) largest = apart, query = q, key = k;
      }
    }
  }
  PageInput input(bool dark = true) {
    return {.scene = after.scene,
            .results = after.results,
            .cell = nullptr,
            .hover = nullptr,
            .theme = draw::theme(dark)};
  }
  AttentionFixture after;
  scene::MapChange change;
  double moved = 0;  // mean over the queries of half the differences
  float largest = 0;
  int query = 0, key = 0;
};

TEST(ChangePage, SaysWhatMovedAndColoursBothSignsOnOneScale) {
  Change c;
  draw::RecordCanvas canvas;
  const PageInput in = c.input();
  const draw::Box area{0, 0, 1100, 760};
  const float height = change_page(canvas, area, in, c.change);
  test::expect_texts_apart(canvas, area, height);
  ASSERT_GE(canvas.maps.size(), 1u);
  const draw::RecordCanvas::Map& map = canvas.maps.front();
  EXPECT_EQ(map.map.map, draw::Colormap::signed_weight);
  EXPECT_EQ(map.map.lo, -map.map.hi) << "no change is white";
  EXPECT_GE(map.map.hi, std::abs(c.largest));
  const std::string words = change_words(in, c.change);
  EXPECT_NE(words.find(fixed(static_cast<double>(c.largest), 2)), std::string::npos) << words;
  EXPECT_NE(words.find(fixed(100 * c.moved, 1) + " %"), std::string::npos) << words;
  int signs = 0;
  for (int q = 0; q < 6; ++q) {
    for (int k = 0; k < 6; ++k) {
      const float value = c.change.map.at(q, k);
      if (std::abs(value) < 0.005f) continue;  // what rounds to nothing has no number
      signs |= value < 0 ? 1 : 2;
      const draw::Box cell = draw::cell_box(map.box, map.map, k, q);
      EXPECT_TRUE(std::any_of(canvas.texts.begin(), canvas.texts.end(),
                              [&](const auto& text) {
                                return cell.has(text.at) &&
                                       text.words == fixed(static_cast<double>(value), 2);
                              }))
          << q << " " << k << " " << value;
    }
  }
  EXPECT_EQ(signs, 3);
}

TEST(ChangePage, WhatIsMaskedOnBothSidesHasNoNumberWhicheverWayQueriesRun) {
  Change c({.mask = {.causal = true}});
  ASSERT_EQ(c.change.map.at(0, 0), 0) << "the first query has one key";
  for (const auto axis : {scene::QueryAxis::rows, scene::QueryAxis::columns}) {
    c.after.scene.query_axis = axis;
    draw::RecordCanvas canvas;
    const draw::Box area{0, 0, 1100, 760};
    test::expect_texts_apart(canvas, area, change_page(canvas, area, c.input(), c.change));
    int zeros = 0;
    for (const auto& text : canvas.texts) zeros += text.words == "0.000" || text.words == "0.00";
    EXPECT_EQ(zeros, 0) << "pairs that did not change have no number";
    EXPECT_TRUE(says(canvas, "masked before and after"));
    const draw::RecordCanvas::Map& map = canvas.maps.front();
    EXPECT_EQ(map.map.transposed, axis == scene::QueryAxis::columns);
    EXPECT_EQ(map.map.allowed.size(), 6u);
    // The pair that changed most lies where the picture has it.
    const float wide = map.box.w / 6, high = map.box.h / 6;
    const bool down = axis == scene::QueryAxis::rows;
    const float x = map.box.x + wide * (static_cast<float>(down ? c.key : c.query) + 0.5f);
    const float y = map.box.y + high * (static_cast<float>(down ? c.query : c.key) + 0.5f);
    EXPECT_TRUE(std::any_of(canvas.texts.begin(), canvas.texts.end(),
                            [&](const auto& text) {
                              return text.words == fixed(static_cast<double>(c.largest), 2) &&
                                     std::abs(text.at.x - x) < 1 && std::abs(text.at.y - y) < 1;
                            }))
        << c.query << " " << c.key;
  }
}

TEST(ChangePage, ManyTokensStayReadableAndAProblemIsSaid) {
  Change many({.tokens = 60});
  draw::RecordCanvas canvas;
  const draw::Box area{0, 0, 900, 560};
  const PageInput in = many.input(false);
  const float height = change_page(canvas, area, in, many.change);
  test::expect_texts_apart(canvas, area, height);
  const AttentionFixture five({.tokens = 5}), six;
  const scene::MapChange none = scene::map_change(six.scene, five.results, six.results);
  EXPECT_NE(none.problem.find("5 tokens"), std::string::npos) << none.problem;
  draw::RecordCanvas empty;
  change_page(empty, area, in, none);
  EXPECT_TRUE(empty.maps.empty());
  EXPECT_EQ(change_words(in, none), none.problem);
}

}  // namespace
}  // namespace headlight::views
