// The panel that all maps are: its names, its numbers, its mask and what is selected look the same whatever
// page fills it.
#include "kit/matrix_panel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>

#include "draw/heatmap_raster.h"
#include "draw/theme.h"
#include "page_checks.h"

namespace headlight::views::matrix_panel_test {
namespace {

constexpr int T = 13;
const std::vector<std::string> words = {"the",     "animal", "does", "not", "cross", "the", "street",
                                        "because", "it",     "is",   "too", "tired", "."};

struct Drawn {
  draw::RecordCanvas canvas;
  MatrixPlace place;
};

class Panel {
 public:
  Panel() {
    for (int q = 0; q < T; ++q) {
      for (int k = 0; k < T; ++k) values_.push_back(k > q ? 0.f : static_cast<float>(k + 1) / 16);
      causal_.push_back({0, q + 1});
    }
    panel.values = values_.data(), panel.rows = panel.cols = T;
    panel.row_names = panel.col_names = words;
    panel.allowed = causal_;
    panel.most_cell = 200;
  }
  Drawn draw(draw::Box area, bool dark = true) const {
    Drawn out;
    out.place = draw_matrix_panel({out.canvas, draw::theme(dark)}, area, panel);
    return out;
  }
  MatrixPanel panel;

 private:
  std::vector<float> values_;
  std::vector<base::Interval> causal_;
};

/// The names above the cells, from left to right.
std::vector<draw::RecordCanvas::Text> names_above(const Drawn& drawn) {
  std::vector<draw::RecordCanvas::Text> out;
  for (const auto& text : drawn.canvas.texts) {
    const bool above = text.at.y < drawn.place.cells.y && text.at.x > drawn.place.cells.x - 1;
    if (above && text.style.font != draw::Font::mono) out.push_back(text);
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.at.x < b.at.x; });
  return out;
}

int numbers(const Drawn& drawn) {
  int count = 0;
  for (const auto& text : drawn.canvas.texts) count += text.style.font == draw::Font::mono ? 1 : 0;
  return count;
}

const draw::RecordCanvas::Text* find(const Drawn& drawn, const std::string& what) {
  for (const auto& text : drawn.canvas.texts) {
    if (text.words == what) return &text;
  }
  return nullptr;
}

TEST(MatrixPanel, NumbersStandInCellsThatHoldThem) {
  const Panel p;
  const Drawn large = p.draw({0, 0, 900, 600});
  EXPECT_GE(large.place.cells.w / T, number_cell_width);
  EXPECT_EQ(numbers(large), T * (T + 1) / 2) << "none where it is masked";
  const Drawn small = p.draw({0, 0, 400, 400});
  EXPECT_LT(small.place.cells.w / T, number_cell_width);
  EXPECT_EQ(numbers(small), 0);
  // Low cells that are wide enough have theirs: 36 × 17 at the least.
  const Drawn low = p.draw({0, 0, 640, 270});
  EXPECT_GE(low.place.cells.h / T, number_cell_height);
  EXPECT_LT(low.place.cells.h / T, 20);
  EXPECT_EQ(numbers(low), T * (T + 1) / 2);
}

TEST(MatrixPanel, NearZeroHasNoNumberAndSmallOnesAreMuted) {
  Panel p;
  const std::vector<float> row = {0.004f, 0.02f, 0.5f};
  p.panel.values = row.data(), p.panel.rows = 1, p.panel.cols = 3, p.panel.allowed = {};
  const Drawn drawn = p.draw({0, 0, 500, 200});
  ASSERT_EQ(numbers(drawn), 2);
  ASSERT_NE(find(drawn, "0.02"), nullptr);
  EXPECT_EQ(find(drawn, "0.02")->style.color, draw::theme(true).dim);
  EXPECT_NE(find(drawn, "0.50")->style.color, draw::theme(true).dim);
}

TEST(MatrixPanel, NamesLieFlatAndSlantOnlyAboveNarrowColumns) {
  const Panel p;
  for (const float wide : {1000.f, 700.f, 500.f, 340.f, 240.f}) {
    const Drawn drawn = p.draw({0, 0, wide, 500});
    const float pitch = drawn.place.cols.pitch;
    const auto* longest = find(drawn, "because");
    ASSERT_NE(longest, nullptr);
    std::set<float> turns;
    for (const auto& text : drawn.canvas.texts) {
      if (text.box.bottom() <= drawn.place.cells.y && text.words.find('y') == std::string::npos)
        turns.insert(text.style.turn);
    }
    const bool narrow = pitch < 0.5f * 7 * 0.58f * 11;
    EXPECT_EQ(turns.count(draw::upwards), 0u) << "never sideways";
    if (narrow) {
      EXPECT_GT(*turns.rbegin(), 0) << wide;
    }
    if (pitch > 48) {
      EXPECT_EQ(*turns.rbegin(), 0) << wide;
    }
    test::expect_texts_apart(drawn.canvas, {0, 0, wide, 500}, 500);
  }
}

TEST(MatrixPanel, TheMaskIsOneGroundWithItsNameOnce) {
  const Panel p;
  const Drawn drawn = p.draw({0, 0, 900, 600});
  EXPECT_TRUE(drawn.place.mask_named);
  const auto* name = find(drawn, "the future: masked");
  ASSERT_NE(name, nullptr);
  EXPECT_TRUE(drawn.place.cells.has({name->box.x, name->box.y}));
  EXPECT_TRUE(drawn.place.cells.has({name->box.right(), name->box.bottom()}));
  // It lies on masked cells only.
  const auto& map = drawn.canvas.maps.front();
  for (const float x : {name->box.x, name->box.right()}) {
    const draw::Point cell = draw::cell_at(map.box, map.map, {x, name->box.centre().y});
    EXPECT_GT(static_cast<int>(cell.x), static_cast<int>(cell.y));
  }
  Panel none;
  none.panel.allowed = {};
  EXPECT_FALSE(none.draw({0, 0, 900, 600}).place.mask_named);
  Panel padded;
  const std::vector<base::Interval> seven(T, base::Interval{0, 7});
  padded.panel.allowed = seven;
  EXPECT_NE(find(padded.draw({0, 0, 900, 600}), "padding: masked"), nullptr);
  Panel windowed;
  std::vector<base::Interval> four;
  for (int q = 0; q < T; ++q) four.push_back({std::max(0, q - 3), q + 1});
  windowed.panel.allowed = four;
  EXPECT_NE(find(windowed.draw({0, 0, 900, 600}), "masked: the future, and keys before the last 4"), nullptr);
  EXPECT_NE(find(windowed.draw({0, 0, 300, 600}), "masked"), nullptr) << "where that is too long";
  four[2] = {1, 3};  // not what a window leaves
  windowed.panel.allowed = four;
  EXPECT_NE(find(windowed.draw({0, 0, 900, 600}), "masked"), nullptr);
  Panel tiny;
  EXPECT_FALSE(tiny.draw({0, 0, 120, 120}).place.mask_named) << "no room for it";
}

TEST(MatrixPanel, TheLinesOfTheKeyDoNotStrikeTheMaskOut) {
  for (int key = 0; key < T; ++key) {
    Panel p;
    p.panel.query = T - 1, p.panel.key = key;
    const Drawn drawn = p.draw({0, 0, 900, 600});
    const auto* name = find(drawn, "the future: masked");
    if (!name) continue;
    const draw::Box column = draw::cell_box(drawn.place.cells, drawn.canvas.maps.front().map, key, 0);
    EXPECT_TRUE(name->box.right() < column.x || name->box.x > column.right()) << key;
  }
}

TEST(MatrixPanel, WhatIsSelectedLooksTheSameTurnedRound) {
  for (const bool transposed : {false, true}) {
    Panel p;
    p.panel.query = 8, p.panel.key = 1, p.panel.transposed = transposed;
    p.panel.hover_query = 4, p.panel.hover_key = 2;
    const Drawn drawn = p.draw({0, 0, 900, 700});
    const auto& map = drawn.canvas.maps.front();
    const auto cell = [&](int query, int key) {
      return draw::cell_box(map.box, map.map, transposed ? query : key, transposed ? key : query);
    };
    const auto framed = [&](draw::Box box, const char* color) {
      int count = 0;
      for (const std::string& line : drawn.canvas.lines) {
        draw::Box b;
        char c[16] = {};
        if (std::sscanf(line.c_str(), "frame %f %f %f %f %9s", &b.x, &b.y, &b.w, &b.h, c) != 5) continue;
        count += std::string(c) == color && std::abs(b.x - box.x) < 0.11f && std::abs(b.y - box.y) < 0.11f &&
                         std::abs(b.w - box.w) < 0.11f && std::abs(b.h - box.h) < 0.11f
                     ? 1
                     : 0;
      }
      return count;
    };
    const draw::Box first = cell(8, 0), last = cell(8, 8);
    const draw::Box row{first.x, first.y, last.right() - first.x, last.bottom() - first.y};
    EXPECT_EQ(framed(row.inset(-1), "f0647cff"), 1) << "the row, as far as its keys go";
    EXPECT_EQ(framed(cell(8, 1).inset(-1.5f), "eceef4ff"), 1) << "the cell in the colour of text";
    EXPECT_EQ(framed(cell(8, 1).inset(1), "12151dff"), 1) << "with a keyline of the surface";
    EXPECT_EQ(framed(cell(4, 2), "eceef4bf"), 1) << "what is under the pointer";
    int lines = 0;
    for (const std::string& line : drawn.canvas.lines)
      lines += line.rfind("line ", 0) == 0 && line.find("4c9dfbff") != std::string::npos ? 1 : 0;
    EXPECT_EQ(lines, 2) << "down the column of the key";
    const auto coloured = [&](const char* what, draw::Color color) {
      int count = 0;
      for (const auto& text : drawn.canvas.texts) count += text.words == what && text.style.color == color;
      return count;
    };
    EXPECT_EQ(coloured("it", draw::theme(true).query), 1) << "of the two, the one that is the query";
    EXPECT_EQ(coloured("animal", draw::theme(true).key), 1);
  }
}

/// Where the labels of the rows have positions, slanted ones of columns do too.
TEST(MatrixPanel, BothEdgesHavePositionsOrNeither) {
  const auto positions = [](float height) {
    Panel p;
    const Drawn drawn = p.draw({0, 0, 330, height});
    std::pair<int, int> out;  // of columns with a position, and without
    for (const auto& text : names_above(drawn))
      if (text.style.turn != 0) ++(std::isdigit(text.words.back()) ? out.first : out.second);
    return out;
  };
  const auto [placed, bare] = positions(190);
  EXPECT_GT(placed, 3);
  EXPECT_EQ(bare, 0);
  EXPECT_EQ(positions(420).first, 0);
}

/// What is drawn of the map lies in its clip, 3 beyond the cells: the wide frame of a small cell does too.
TEST(MatrixPanel, TheFrameOfASmallCellIsClosedAtTheEdges) {
  constexpr int many = 120;
  const std::vector<float> values(many * many, 0.1f);
  for (const bool transposed : {false, true}) {
    for (const auto& [query, key] :
         {std::pair{many - 1, many - 1}, std::pair{0, 0}, std::pair{many - 1, 0}}) {
      Panel p;
      p.panel.values = values.data(), p.panel.rows = p.panel.cols = many;
      p.panel.row_names = p.panel.col_names = {}, p.panel.allowed = {};
      p.panel.query = query, p.panel.key = key, p.panel.transposed = transposed;
      const Drawn drawn = p.draw({0, 0, 300, 220});
      const draw::Box within = drawn.place.cells.inset(-3);
      int frames = 0;
      for (const std::string& line : drawn.canvas.lines) {
        draw::Box b;
        char color[16] = {};
        if (std::sscanf(line.c_str(), "frame %f %f %f %f %9s", &b.x, &b.y, &b.w, &b.h, color) != 5) continue;
        if (std::string(color) != "eceef4ff") continue;
        ++frames;
        EXPECT_GE(b.x - 1.3f, within.x) << line;
        EXPECT_GE(b.y - 1.3f, within.y) << line;
        EXPECT_LE(b.right() + 1.3f, within.right()) << line;
        EXPECT_LE(b.bottom() + 1.3f, within.bottom()) << line;
      }
      EXPECT_EQ(frames, 1);
    }
  }
}

/// Of a map with many tokens only some are named, each with its position. A number needs no other number.
TEST(MatrixPanel, NamesThatAreNumbersHaveNoPosition) {
  Panel p;
  constexpr int many = 64;
  const std::vector<float> values(many * many, 0.5f);
  p.panel.values = values.data(), p.panel.rows = p.panel.cols = many, p.panel.allowed = {};
  p.panel.tokens = nullptr, p.panel.query = p.panel.key = -1;
  for (int i = 1; i <= many; ++i) p.panel.row_names.push_back(std::to_string(i));
  p.panel.col_names = p.panel.row_names;
  const auto with_blank = [](const Drawn& drawn) {
    return std::count_if(drawn.canvas.texts.begin(), drawn.canvas.texts.end(), [](const auto& text) {
      return !text.words.empty() && std::isdigit(static_cast<unsigned char>(text.words[0])) &&
             text.words.find(' ') != std::string::npos;
    });
  };
  EXPECT_GT(with_blank(p.draw({0, 0, 500, 400})), 0) << "tokens that are digits";
  p.panel.row_numbers = p.panel.col_numbers = true;
  EXPECT_EQ(with_blank(p.draw({0, 0, 500, 400})), 0);
}

TEST(MatrixPanel, ScoresHaveTheDecimalsThatFitTheirSize) {
  Panel p;
  const std::vector<float> row = {-3.14159f, 0.001f, 2};
  p.panel.values = row.data(), p.panel.rows = 1, p.panel.cols = 3, p.panel.allowed = {};
  p.panel.lo = -4, p.panel.hi = 4, p.panel.weights = false;
  p.panel.map = draw::Colormap::signed_weight;
  const Drawn two = p.draw({0, 0, 500, 200});
  EXPECT_NE(find(two, "−3.14"), nullptr);
  EXPECT_EQ(numbers(two), 2) << "none where it would be zero and the score is not";
  p.panel.factor = 10;
  EXPECT_NE(find(p.draw({0, 0, 500, 200}), "−31.4"), nullptr);
}

TEST(MatrixPanel, LargeScoresStayInTheirCells) {
  Panel p;
  const std::vector<float> row(T, -4321.f);
  p.panel.values = row.data(), p.panel.rows = 1, p.panel.allowed = {};
  p.panel.lo = -5000, p.panel.hi = 5000, p.panel.weights = false;
  p.panel.map = draw::Colormap::signed_weight;
  for (const float wide : {560.f, 640.f, 900.f}) {
    const Drawn drawn = p.draw({0, 0, wide, 200});
    for (const auto& text : drawn.canvas.texts) {
      if (text.style.font != draw::Font::mono) continue;
      EXPECT_LE(text.box.w, drawn.place.cols.pitch) << wide;
    }
    if (drawn.place.cols.pitch >= 41) {
      EXPECT_EQ(numbers(drawn), T) << wide;
    }
  }
}

/// Is there a rectangle of this colour, nearly in this box?
bool covered(const Drawn& drawn, draw::Box box, const std::string& color) {
  return std::any_of(drawn.canvas.lines.begin(), drawn.canvas.lines.end(), [&](const std::string& line) {
    draw::Box b;
    char c[16] = {};
    return std::sscanf(line.c_str(), "rect %f %f %f %f %9s", &b.x, &b.y, &b.w, &b.h, c) == 5 && c == color &&
           std::abs(b.x - box.x) < 0.2f && std::abs(b.y - box.y) < 0.2f && std::abs(b.w - box.w) < 0.2f &&
           std::abs(b.h - box.h) < 0.2f;
  });
}

TEST(MatrixPanel, WhatIsLeftOutIsBlankAndHasNoNumber) {
  constexpr int hidden_query = 5, hidden_key = 3;
  for (const bool transposed : {false, true}) {
    Panel p;
    p.panel.transposed = transposed;
    p.panel.hidden.queries.assign(T, 0), p.panel.hidden.keys.assign(T, 0);
    p.panel.hidden.queries[hidden_query] = p.panel.hidden.keys[hidden_key] = 1;
    p.panel.least = 0.2f;  // keys 0, 1 and 2
    const Drawn drawn = p.draw({0, 0, 900, 600});
    int expected = 0;
    for (int q = 0; q < T; ++q) {
      for (int k = 4; k <= q && q != hidden_query; ++k) ++expected;
    }
    EXPECT_EQ(numbers(drawn), expected);
    const auto& map = drawn.canvas.maps.front();
    const auto cell = [&](int query, int key) {
      return draw::cell_box(map.box, map.map, transposed ? query : key, transposed ? key : query);
    };
    const auto line = [](draw::Box a, draw::Box b) {
      return draw::Box{a.x, a.y, b.right() - a.x, b.bottom() - a.y};
    };
    EXPECT_TRUE(covered(drawn, line(cell(hidden_query, 0), cell(hidden_query, T - 1)), "12151dff"));
    EXPECT_TRUE(covered(drawn, line(cell(0, hidden_key), cell(T - 1, hidden_key)), "12151dff"));
    const draw::Color zero = draw::color_of(draw::theme(true), map.map, 0);
    char named[16];
    std::snprintf(named, sizeof named, "%02x%02x%02xff", zero.r, zero.g, zero.b);
    EXPECT_TRUE(covered(drawn, cell(9, 1).inset(0.5f), named)) << "as if it were 0";
    EXPECT_FALSE(covered(drawn, cell(9, 4).inset(0.5f), named));
    EXPECT_FALSE(covered(drawn, cell(0, 1).inset(0.5f), named)) << "masked cells stay masked";
    p.panel.view = {2, 2, 6, 6};  // of a part, as of the whole
    int on_view = 0;
    for (int q = 2; q < 8; ++q) {
      for (int k = 4; k <= q && q != hidden_query; ++k) ++on_view;
    }
    EXPECT_EQ(numbers(p.draw({0, 0, 900, 600})), on_view);
  }
}

TEST(MatrixPanel, ARectangleHasNamesOfItsOwnAlongEachEdge) {
  const std::vector<float> values = {0.1f, 0.2f, 0.3f, 0.25f, 0.15f, 0.5f, 0.1f, 0.1f, 0.2f, 0.1f};
  for (const bool transposed : {false, true}) {
    Panel p;
    p.panel.values = values.data(), p.panel.rows = 2, p.panel.cols = 5, p.panel.allowed = {};
    p.panel.row_names = {"le", "chat"}, p.panel.col_names = {"a", "cat", "sat", "right", "here"};
    p.panel.transposed = transposed;
    p.panel.query = 1, p.panel.key = 4;
    const Drawn drawn = p.draw({0, 0, 700, 500});
    EXPECT_EQ(drawn.place.rows.last, transposed ? 5 : 2);
    EXPECT_EQ(drawn.place.cols.last, transposed ? 2 : 5);
    EXPECT_EQ(numbers(drawn), 10);
    const auto down = [&](const char* name) {
      const auto* text = find(drawn, name);
      return text && text->box.right() < drawn.place.cells.x && text->box.y > drawn.place.cells.y - 1;
    };
    const auto across = [&](const char* name) {
      const auto* text = find(drawn, name);
      return text && text->box.bottom() <= drawn.place.cells.y + 1;
    };
    for (const char* query : {"le", "chat"}) EXPECT_TRUE(transposed ? across(query) : down(query)) << query;
    for (const char* key : {"a", "cat", "sat", "right", "here"})
      EXPECT_TRUE(transposed ? down(key) : across(key)) << key;
    EXPECT_EQ(find(drawn, "chat")->style.color, draw::theme(true).query);
    EXPECT_EQ(find(drawn, "here")->style.color, draw::theme(true).key);
    test::expect_texts_apart(drawn.canvas, {0, 0, 700, 500}, 500);
  }
}

TEST(MatrixPanel, NothingIsDrawnWhereThereIsNoRoom) {
  const Panel p;
  EXPECT_TRUE(p.draw({0, 0, 20, 20}).canvas.lines.empty());
  Panel none;
  none.panel.rows = 0;
  EXPECT_TRUE(none.draw({0, 0, 400, 400}).canvas.lines.empty());
}

/// Whatever the width: all names lie flat in one size, whole, apart and over their own columns, or all slant.
TEST(MatrixPanel, NamesOfColumnsAreWholeAndApartOrSlant) {
  int flat = 0, slanted = 0, moved = 0;
  for (float width = 260; width <= 1200; width += 7) {
    Panel p;
    p.panel.across.clear(), p.panel.down.clear();
    const Drawn drawn = p.draw({0, 0, width, 700});
    const auto names = names_above(drawn);
    ASSERT_EQ(names.size(), words.size()) << width;
    const float pitch = drawn.place.cells.w / static_cast<float>(T);
    for (std::size_t n = 0; n < names.size(); ++n) {
      EXPECT_EQ(names[n].style.turn, names[0].style.turn) << width;
      EXPECT_EQ(names[n].style.size, names[0].style.size) << width;
      EXPECT_EQ(names[n].words, words[n]) << width;
      if (names[n].style.turn != 0) continue;
      const float middle = drawn.place.cells.x + (static_cast<float>(n) + 0.5f) * pitch;
      EXPECT_LE(std::abs(names[n].box.centre().x - middle), 0.36f * pitch) << words[n] << " at " << width;
      moved += std::abs(names[n].box.centre().x - middle) > 1;
      if (n == 0) continue;
      EXPECT_GE(names[n].box.x - names[n - 1].box.right(), 5) << words[n] << " at " << width;
    }
    ++(names[0].style.turn == 0 ? flat : slanted);
  }
  EXPECT_GT(flat, 20);
  EXPECT_GT(slanted, 5);
  EXPECT_GT(moved, 5) << "no word was moved aside for a longer one";
}

}  // namespace
}  // namespace headlight::views::matrix_panel_test
