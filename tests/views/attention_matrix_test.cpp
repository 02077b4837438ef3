// The matrix shows what was computed: the numbers in its cells, the cell under the pointer, the part on view.
#include <gtest/gtest.h>

#include <set>

#include "views/attention_fixture.h"

namespace headlight::views::attention_matrix_test {
namespace {

constexpr float width = 1340, height = 850;

AttentionFixture solo(Case what = {}) {
  AttentionFixture f(what);
  f.scene.head = {2};
  return f;
}

/// The numbers written inside the box of cell (col, row) of the picture.
std::vector<std::string> numbers_in(const draw::RecordCanvas& canvas, const draw::RecordCanvas::Map& map,
                                    int col, int row) {
  const draw::Box cell = draw::cell_box(map.box, map.map, col, row);
  std::vector<std::string> out;
  for (const auto& text : canvas.texts) {
    if (cell.has(text.box.centre())) out.push_back(text.words);
  }
  return out;
}

TEST(AttentionMatrix, EveryCellCarriesItsWeight) {
  AttentionFixture f = solo();
  const draw::RecordCanvas canvas = f.record(width, height);
  const auto map = largest_map(canvas, f.results.attention.weights.plane(1));
  ASSERT_GT(map.box.w, 300);
  for (int query = 0; query < 6; ++query) {
    for (int key = 0; key < 6; ++key) {
      const auto message = numbers_in(canvas, map, key, query);
      ASSERT_EQ(message.size(), 1u);
      EXPECT_EQ(message[0], fixed(static_cast<double>(f.results.attention.weights.at(1, query, key)), 2));
    }
  }
}

TEST(AttentionMatrix, TurnedRoundTheColumnsAreQueries) {
  AttentionFixture f = solo();
  f.scene.query_axis = scene::QueryAxis::columns;
  const draw::RecordCanvas canvas = f.record(width, height);
  const auto map = largest_map(canvas, f.results.attention.weights.plane(1));
  EXPECT_TRUE(map.map.transposed);
  EXPECT_EQ(numbers_in(canvas, map, 1, 4),
            std::vector<std::string>{fixed(static_cast<double>(f.results.attention.weights.at(1, 1, 4)), 2)});
  EXPECT_TRUE(says(canvas, "query →"));
  EXPECT_TRUE(says(canvas, "key ↓"));
}

TEST(AttentionMatrix, KeysOfTheirOwnHaveTheirNames) {
  AttentionFixture f = solo();
  for (const char* word : {"uno", "dos", "tres", "cinco", "seis", "siete"}) {
    nn::Token token;
    token.text = word;
    f.results.key_tokens.push_back(token);
  }
  for (const auto axis : {scene::QueryAxis::rows, scene::QueryAxis::columns}) {
    f.scene.query_axis = axis;
    const draw::RecordCanvas canvas = f.record(width, height);
    const auto map = largest_map(canvas, f.results.attention.weights.plane(1));
    int above = 0, beside = 0;
    for (const auto& text : canvas.texts) {
      if (text.words != "tres" && text.words != "cinco") continue;
      const float y = text.box.centre().y;
      above += y < map.box.y && y > map.box.y - 100;
      beside += text.box.right() < map.box.x && y > map.box.y && y < map.box.bottom();
    }
    EXPECT_EQ(above, axis == scene::QueryAxis::rows ? 2 : 0);
    EXPECT_EQ(beside, axis == scene::QueryAxis::rows ? 0 : 2);
  }
}

TEST(AttentionMatrix, HiddenTokensAndSmallWeightsHaveNoNumber) {
  for (const bool compared : {false, true}) {
    AttentionFixture f = solo();
    if (compared) f.scene.head = {2, 3};
    f.scene.shown_tokens = "cat mat on extraordinarily sat", f.scene.attention.least_weight = 0.1;
    const draw::RecordCanvas canvas = f.record(width, height);
    const auto map = largest_map(canvas, f.results.attention.weights.plane(1));
    int written = 0;
    for (int query = 0; query < 6; ++query) {
      for (int key = 0; key < 6; ++key) {
        const auto hidden = [&](int token) {
          return f.scene.shown_tokens.find(f.results.tokens[static_cast<std::size_t>(token)].text) ==
                 std::string::npos;
        };
        const float weight = f.results.attention.weights.at(1, query, key);
        const bool drawn = !hidden(query) && !hidden(key) && weight >= 0.1f;
        const std::size_t numbers = numbers_in(canvas, map, key, query).size();
        EXPECT_LE(numbers, drawn ? 1u : 0u) << query << " " << key;
        EXPECT_TRUE(compared || !drawn || numbers == 1) << query << " " << key;
        written += drawn;
      }
    }
    EXPECT_GT(written, 0);
    EXPECT_LT(written, 30);
  }
}

TEST(AttentionMatrix, AllHeadsShowTheirMeanOrTheirLargest) {
  AttentionFixture f;
  draw::RecordCanvas canvas = f.record(width, height);
  auto map = largest_map(canvas, f.results.mean.data());
  EXPECT_EQ(numbers_in(canvas, map, 3, 2),
            std::vector<std::string>{fixed(static_cast<double>(f.results.mean.at(2, 3)), 2)});
  EXPECT_TRUE(says(canvas, "All 4 heads · mean"));
  f.scene.combine = scene::Combine::max;
  canvas = f.record(width, height);
  map = largest_map(canvas, f.results.max.data());
  EXPECT_EQ(numbers_in(canvas, map, 3, 2),
            std::vector<std::string>{fixed(static_cast<double>(f.results.max.at(2, 3)), 2)});
  EXPECT_TRUE(says(canvas, "All 4 heads · max"));
}

TEST(AttentionMatrix, ComparedHeadsStandSideBySide) {
  AttentionFixture f;
  f.scene.head = {1, 3};
  const draw::RecordCanvas canvas = f.record(width, height);
  EXPECT_TRUE(says(canvas, "Heads 1, 3 · compared"));
  EXPECT_GT(largest_map(canvas, f.results.attention.weights.plane(0)).box.w, 200);
  EXPECT_GT(largest_map(canvas, f.results.attention.weights.plane(2)).box.w, 200);
  EXPECT_LT(largest_map(canvas, f.results.attention.weights.plane(1)).box.w, 200);
}

TEST(AttentionMatrix, NumbersCanBeSwitchedOff) {
  AttentionFixture f = solo();
  f.scene.cell_numbers = false;
  const draw::RecordCanvas canvas = f.record(width, height);
  EXPECT_TRUE(numbers_in(canvas, largest_map(canvas, f.results.attention.weights.plane(1)), 2, 2).empty());
}

TEST(AttentionMatrix, ThePointerFindsTheCellInBothOrientations) {
  for (const auto axis : {scene::QueryAxis::rows, scene::QueryAxis::columns}) {
    AttentionFixture f = solo();
    f.scene.query_axis = axis;
    const draw::RecordCanvas canvas = f.record(width, height);
    const auto map = largest_map(canvas, f.results.attention.weights.plane(1));
    for (int query = 0; query < 6; ++query) {
      for (int key = 0; key < 6; ++key) {
        const bool rows = axis == scene::QueryAxis::rows;
        const draw::Box cell = draw::cell_box(map.box, map.map, rows ? key : query, rows ? query : key);
        const draw::Hit hit = f.pick(cell.centre(), width, height);
        EXPECT_EQ(hit.mark.part, draw::Part::cell);
        EXPECT_EQ(hit.mark.head, 1);
        EXPECT_EQ(hit.mark.query, query);
        EXPECT_EQ(hit.mark.key, key);
      }
    }
  }
}

TEST(AttentionMatrix, ThePointerFindsTheCellOfAZoomedMap) {
  AttentionFixture f = solo();
  f.view = {2, 1, 3, 3};
  const draw::RecordCanvas canvas = f.record(width, height);
  const auto map = largest_map(canvas, f.results.attention.weights.plane(1));
  EXPECT_EQ(map.map.view, (draw::Box{2, 1, 3, 3}));
  const draw::Hit hit = f.pick(draw::cell_box(map.box, map.map, 4, 2).centre(), width, height);
  EXPECT_EQ(hit.mark.query, 2);
  EXPECT_EQ(hit.mark.key, 4);
}

TEST(AttentionMatrix, ZoomedOnlyTokensOnViewAreNamed) {
  AttentionFixture f = solo({30, 1, 2, false, {}});
  f.scene.head = {1};
  f.view = {10, 20, 4, 4};
  const draw::RecordCanvas canvas = f.record(width, height);
  const auto map = largest_map(canvas, f.results.attention.weights.plane(0));
  std::set<int> queries, keys;
  for (const draw::Mark& mark : canvas.marks) {
    // Numbers along the card of bars have no area.
    const bool in_map_card =
        mark.area.w > 0 && mark.area.right() <= map.box.right() + 20 && mark.area.y < map.box.bottom() + 40;
    if (mark.part == draw::Part::query_token && in_map_card) queries.insert(mark.query);
    if (mark.part == draw::Part::key_token && in_map_card) keys.insert(mark.key);
  }
  EXPECT_EQ(queries, (std::set<int>{20, 21, 22, 23}));
  EXPECT_EQ(keys, (std::set<int>{10, 11, 12, 13}));
}

TEST(AttentionMatrix, AViewFromALongerSentenceIsHeldInside) {
  AttentionFixture f = solo();
  f.view = {100, 200, 30, 30};
  const auto map = largest_map(f.record(width, height), f.results.attention.weights.plane(1));
  EXPECT_EQ(map.map.view, (draw::Box{0, 0, 6, 6}));
}

TEST(AttentionMatrix, MaskedCellsAreSaidOnlyWhereThereIsAMask) {
  EXPECT_FALSE(says(solo().record(width, height), "masked"));
  Case what;
  what.mask.causal = true;
  AttentionFixture f = solo(what);
  const draw::RecordCanvas canvas = f.record(width, height);
  EXPECT_EQ(times_said(canvas, "the future: masked"), 1);
  const auto map = largest_map(canvas, f.results.attention.weights.plane(1));
  ASSERT_EQ(map.map.allowed.size(), 6u);
  EXPECT_TRUE(numbers_in(canvas, map, 4, 2).empty()) << "a masked cell carries no number";
  Case wide;
  wide.mask.window = true, wide.window = 100;
  EXPECT_FALSE(says(solo(wide).record(width, height), "masked")) << "a mask that blocks nothing is not drawn";
}

TEST(AttentionMatrix, AQueryThatMayReadNothingSaysSo) {
  Case what;
  // Keys 0 to 2, at most one place away: of the last two queries none is left.
  what.mask = {.window = true, .valid_length = true}, what.window = 1, what.valid_length = 3;
  AttentionFixture f = solo(what);
  const draw::RecordCanvas canvas = f.record(width, height);
  const auto map = largest_map(canvas, f.results.attention.weights.plane(1));
  int rows = 0;
  for (const auto& text : canvas.texts)
    rows += text.words == "masked" && map.box.has(text.box.centre()) ? 1 : 0;
  EXPECT_EQ(rows, 2);
}

TEST(AttentionMatrix, TheWorkFollowsWhatIsOnViewNotTheSquareOfTheTokens) {
  AttentionFixture small = solo({64, 2, 2, false, {}}), large = solo({640, 2, 2, false, {}});
  small.scene.head = large.scene.head = {1};
  const std::size_t few = small.record(width, height).lines.size(),
                    many = large.record(width, height).lines.size();
  EXPECT_LT(many, 3 * few);
}

TEST(AttentionMatrix, AskedRowIsFramedInRed) {
  AttentionFixture f = solo();
  f.open(1, 1, 3);
  const draw::RecordCanvas canvas = f.record(width, height);
  const auto map = largest_map(canvas, f.results.attention.weights.plane(1));
  const draw::Box row = draw::cell_box(map.box, map.map, 0, 1);
  char wanted[80];
  std::snprintf(wanted, sizeof wanted, "frame %.1f %.1f", static_cast<double>(row.x - 1),
                static_cast<double>(row.y - 1));
  int found = 0;
  for (const std::string& line : canvas.lines)
    found += line.rfind(wanted, 0) == 0 && line.find("f0647cff") != std::string::npos ? 1 : 0;
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace headlight::views::attention_matrix_test
