#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "attention_fixture.h"
#include "page_checks.h"
#include "pages/attention/view/marginals.h"

namespace headlight::views::attention_marginals_test {
namespace {

draw::RecordCanvas drawn(AttentionFixture& page, float width = 1280, float height = 800) {
  draw::RecordCanvas canvas;
  attention_page(canvas, {0, 0, width, height}, page.input());
  return canvas;
}

const draw::RecordCanvas::Map& large_map(const draw::RecordCanvas& canvas) {
  return *std::max_element(canvas.maps.begin(), canvas.maps.end(), [](const auto& a, const auto& b) {
    return a.box.w * a.box.h < b.box.w * b.box.h;
  });
}

bool wrote(const draw::RecordCanvas& canvas, const std::string& words) {
  return std::any_of(canvas.texts.begin(), canvas.texts.end(),
                     [&](const auto& t) { return t.words == words; });
}

/// The number that stands at `y` to the right of the map, or at `x` below it.
const draw::RecordCanvas::Text* beside(const draw::RecordCanvas& canvas, draw::Box map, float y) {
  for (const auto& text : canvas.texts)
    if (text.style.font == draw::Font::mono && text.at.x > map.right() && text.at.x < map.right() + 110 &&
        std::abs(text.at.y - y) < 1)
      return &text;
  return nullptr;
}
const draw::RecordCanvas::Text* below(const draw::RecordCanvas& canvas, draw::Box map, float x) {
  for (const auto& text : canvas.texts)
    if (text.style.font == draw::Font::mono && text.at.y > map.bottom() && text.at.y < map.bottom() + 75 &&
        std::abs(text.at.x - x) < 1)
      return &text;
  return nullptr;
}

TEST(Marginals, RowsHaveTheirEntropyAndColumnsWhatTheyReceive) {
  AttentionFixture page;
  page.scene.head = {2};
  page.open(1, 1, 3);
  const draw::RecordCanvas canvas = drawn(page);
  const draw::Box map = large_map(canvas).box;
  const draw::Theme theme = draw::theme(true);
  for (int i = 0; i < 6; ++i) {
    const float part = (static_cast<float>(i) + 0.5f) / 6;
    const auto* entropy = beside(canvas, map, map.y + map.h * part);
    const auto* received = below(canvas, map, map.x + map.w * part);
    ASSERT_TRUE(entropy && received) << i;
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(entropy->words, fixed(page.results.heads[1].row_entropy_bits[at], 2));
    EXPECT_EQ(received->words, fixed(page.results.head_received[1][at], 2));
    EXPECT_EQ(entropy->style.color, i == 1 ? theme.text : theme.dim);
    EXPECT_EQ(received->style.color, i == 3 ? theme.text : theme.dim);
  }
  EXPECT_TRUE(wrote(canvas, "entropy, bits"));
}

TEST(Marginals, BarsBelowGrowWithTheHeightOfTheMap) {
  const auto longest = [](float height) {
    AttentionFixture page;
    const draw::RecordCanvas canvas = page.record(1340, height);
    const draw::Box map = large_map(canvas).box;
    float out = 0;
    for (const std::string& line : canvas.lines) {
      draw::Box b;
      if (std::sscanf(line.c_str(), "rect %f %f %f %f", &b.x, &b.y, &b.w, &b.h) == 4 &&
          std::abs(b.y - map.bottom() - 6) < 0.2f && b.x >= map.x && b.right() <= map.right())
        out = std::max(out, b.h);
    }
    return out;
  };
  EXPECT_GE(longest(560), 25);
  EXPECT_NEAR(longest(1200), 48, 0.5f);
}

TEST(Marginals, TurnedRoundTheyChangePlaces) {
  AttentionFixture page;
  page.scene.head = {1};
  page.scene.query_axis = scene::QueryAxis::columns;
  const draw::RecordCanvas canvas = drawn(page);
  const draw::Box map = large_map(canvas).box;
  const auto* first = beside(canvas, map, map.y + map.h / 12);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->words, fixed(page.results.head_received[0][0], 2));
  const auto* last = below(canvas, map, map.x + map.w * 11 / 12);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->words, fixed(page.results.heads[0].row_entropy_bits[5], 2));
}

TEST(Marginals, OfAllHeadsAreThoseOfTheirMeanAndTheLargestHasNoEntropy) {
  AttentionFixture page;
  page.scene.combine = scene::Combine::mean;
  draw::RecordCanvas canvas = drawn(page);
  draw::Box map = large_map(canvas).box;
  ASSERT_TRUE(beside(canvas, map, map.y + map.h / 12));
  EXPECT_EQ(beside(canvas, map, map.y + map.h / 12)->words, fixed(page.results.mean_entropy_bits[0], 2));
  page.scene.combine = scene::Combine::max;
  canvas = drawn(page);
  map = large_map(canvas).box;
  EXPECT_FALSE(wrote(canvas, "entropy, bits"));
  ASSERT_TRUE(below(canvas, map, map.x + map.w / 12));
  EXPECT_EQ(below(canvas, map, map.x + map.w / 12)->words, fixed(page.results.max_received[0], 2));
  page.scene.head = {1, 3};
  EXPECT_FALSE(wrote(drawn(page), "entropy, bits")) << "compared heads have none";
}

TEST(Marginals, OfSmallCellsAreALineAndTheNumbersOfThePinnedPair) {
  AttentionFixture page({.tokens = 150});
  page.scene.head = {1};
  page.open(0, 1, 70);
  page.scene.key = 70;
  const draw::RecordCanvas canvas = drawn(page);
  const draw::Box map = large_map(canvas).box;
  int numbers = 0, lines = 0;
  for (const auto& text : canvas.texts)
    numbers += text.style.font == draw::Font::mono && text.at.x > map.right() &&
                       text.at.x < map.right() + 110 && text.at.y > map.y && text.at.y < map.bottom()
                   ? 1
                   : 0;
  for (const std::string& line : canvas.lines) lines += line.rfind("polyline", 0) == 0 ? 1 : 0;
  EXPECT_EQ(numbers, 1);
  EXPECT_GE(lines, 2);
  EXPECT_TRUE(wrote(canvas, fixed(page.results.head_received[0][70], 2)));
}

/// A low page has no captions beside which the entropy could be named; its name covers nothing all the same.
TEST(Marginals, OfALowPageHaveANameThatCoversNoOther) {
  int named = 0;
  for (float height = 200; height <= 420; height += 10) {
    AttentionFixture page;
    page.scene.head = {2};
    page.results.remarks = {
        "a remark that is long enough for the whole width of a page that is as narrow as this"};
    page.open(1, 1, 3);
    const draw::RecordCanvas canvas = drawn(page, 576, height);
    for (const auto& name : canvas.texts) {
      if (!name.words.starts_with("bi")) continue;  // "bits", which the recorder's wide letters may cut
      ++named;
      for (const auto& text : canvas.texts) {
        const bool apart = text.box.x >= name.box.right() || text.box.right() <= name.box.x ||
                           text.box.y >= name.box.bottom() || text.box.bottom() <= name.box.y;
        EXPECT_TRUE(apart || &text == &name) << height << ": " << text.words;
      }
    }
  }
  EXPECT_GT(named, 3);
}

TEST(Marginals, ANarrowPageHasNone) {
  AttentionFixture page;
  page.scene.head = {1};
  EXPECT_FALSE(wrote(drawn(page, 400, 700), "entropy, bits"));
}

TEST(StrongestKeys, AreNamedWhereTheMapCannotNameThem) {
  AttentionFixture page({.tokens = 150});
  page.scene.head = {1};
  page.scene.query = {7};
  const nn::Matrix& weights = page.results.attention.weights;
  std::vector<int> order;
  for (int k = 0; k < 150; ++k) order.push_back(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return weights.at(0, 7, a) > weights.at(0, 7, b); });
  const draw::RecordCanvas canvas = drawn(page, 1600, 1000);
  std::string message;
  for (const auto& text : canvas.texts)
    if (text.words.find(" attends most to ") != std::string::npos) message = text.words;
  for (int i = 0; i < 5; ++i) {
    const int key = order[static_cast<std::size_t>(i)];
    EXPECT_NE(message.find(quoted_token(page.input(), key) + " " + std::to_string(key) + ": "),
              std::string::npos)
        << key << " in " << message;
  }
  // The sorted list has them in that order, each with its weight.
  page.scene.attention.bars_sorted = true;
  const draw::RecordCanvas list = drawn(page, 1600, 1000);
  float y = 0;
  for (int i = 0; i < 5; ++i) {
    const int key = order[static_cast<std::size_t>(i)];
    float at = -1;
    for (const auto& text : list.texts)
      if (text.words == std::to_string(key) && text.style.font == draw::Font::mono) at = text.at.y;
    EXPECT_GT(at, y) << key;
    y = at;
  }
  AttentionFixture few({.tokens = 100});
  few.scene.head = {1};
  const draw::RecordCanvas short_one = drawn(few, 1600, 1000);
  for (const auto& text : short_one.texts) EXPECT_EQ(text.words.find(" attends most to "), std::string::npos);
}

}  // namespace
}  // namespace headlight::views::attention_marginals_test
