// Arcs: over one line of words; above it what the pinned word attends to, below it which queries attend to
// it, as thick as the weight; a weight on itself is a ring; long sentences keep the strongest, which is said.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>

#include "kit/beam.h"
#include "pages/attention/view/arcs_labels.h"
#include "views/attention_fixture.h"

namespace headlight::views::attention_arcs_test {
namespace {

AttentionFixture arcs(Case what = {}) {
  AttentionFixture f(what);
  f.scene.attention.view = scene::AttentionView::arcs;
  f.scene.head = {1};
  return f;
}

/// The words of the picture, by token.
std::map<int, draw::Box> words(const draw::RecordCanvas& canvas, const draw::Box& inside) {
  std::map<int, draw::Box> out;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part == draw::Part::query_token && inside.has(mark.area.centre())) out[mark.query] = mark.area;
  }
  return out;
}
draw::Box ground(const draw::RecordCanvas& canvas) {
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.name == "arcs" && mark.part == draw::Part::cell) return mark.area;
  }
  return {};
}

TEST(AttentionArcs, WordsStandInOneLineInTheirOrder) {
  AttentionFixture f = arcs();
  const draw::RecordCanvas canvas = f.record(1050, 590);
  const auto line = words(canvas, ground(canvas));
  ASSERT_EQ(line.size(), 6u);
  for (int token = 1; token < 6; ++token) {
    EXPECT_FLOAT_EQ(line.at(token).y, line.at(token - 1).y);
    EXPECT_GE(line.at(token).x, line.at(token - 1).right() - 1);
  }
  EXPECT_TRUE(
      says(canvas, "An arc is as thick as its weight. Not drawn: weights below 0.01, rings of other words."));
}

TEST(AttentionArcs, WordsDoNotMoveUnderThePointer) {
  for (const int tokens : {6, 120}) {
    for (const auto shown :
         {scene::ArcsShown::both, scene::ArcsShown::attends_to, scene::ArcsShown::attended_by}) {
      for (const bool pinned : {true, false}) {
        AttentionFixture f = arcs({tokens, 2, 2, false, {}});
        f.scene.attention.arcs = shown;
        f.scene.query = pinned ? scene::IndexList{2} : scene::IndexList{};
        f.scene.key = -1;
        const auto places = [&f] {
          const draw::RecordCanvas canvas = f.record(1050, 590);
          std::vector<std::pair<float, float>> out;
          for (const auto& [token, box] : words(canvas, ground(canvas)))
            out.push_back({box.centre().x, box.centre().y});
          return out;
        };
        f.hovering = false;
        const auto at_rest = places();
        ASSERT_FALSE(at_rest.empty());
        f.hovering = true;
        f.hover.mark.part = draw::Part::query_token;
        for (const int token : {0, 3, tokens - 1}) {
          f.hover.mark.query = token;
          EXPECT_EQ(places(), at_rest) << "token " << token << " of " << tokens << ", pinned " << pinned;
        }
      }
    }
  }
}

TEST(AttentionArcs, EveryWeightFromAHundredthOnIsDrawnAndTheirSidesAreChosen) {
  AttentionFixture f = arcs();
  std::set<std::pair<int, int>> expected;
  for (int query = 0; query < 6; ++query) {
    for (int key = 0; key < 6; ++key) {
      // Rings of other words would hide the feet of the arcs.
      if (query == key && query != 1) continue;
      if (f.results.attention.weights.at(0, query, key) >= 0.01f) expected.insert({query, key});
    }
  }
  EXPECT_EQ(pairs(f.record(1050, 590)), expected);
  // Below the words: only the queries that attend to the pinned word.
  f.scene.attention.arcs = scene::ArcsShown::attended_by;
  std::set<std::pair<int, int>> below;
  for (int query = 0; query < 6; ++query) {
    if (query != 1 && f.results.attention.weights.at(0, query, 1) >= 0.01f) below.insert({query, 1});
  }
  EXPECT_GE(below.size(), 2u);
  EXPECT_EQ(pairs(f.record(1050, 590)), below);
  EXPECT_EQ(control(f.record(1050, 590), "arcs attends to").set, "arcs=attends_to");
}

TEST(AttentionArcs, TheStrongestSaysItsWeight) {
  AttentionFixture f = arcs();
  const draw::RecordCanvas canvas = f.record(1050, 590);
  float most = 0;
  for (int key = 0; key < 6; ++key) {
    if (key != 1) most = std::max(most, f.results.attention.weights.at(0, 1, key));
  }
  EXPECT_GE(times_said(canvas, fixed(static_cast<double>(most), 2)), 2) << "on the arc and in its bar";
}

/// The weights in a field of their own, which are written large where there is room.
std::vector<std::string> emphasized(const draw::RecordCanvas& canvas) {
  std::vector<std::string> out;
  for (const auto& text : canvas.texts) {
    if (text.style.font == draw::Font::mono && text.style.size == 18) out.push_back(text.words);
  }
  return out;
}

TEST(AttentionArcs, ThePinnedPairSaysItsWeightAndWithoutOneTheStrongestDoes) {
  using Words = std::vector<std::string>;
  AttentionFixture f = arcs();
  float* row = f.results.attention.weights.row(0, 1).data();
  const std::array<float, 6> weights{0.11f, 0.2f, 0.42f, 0.13f, 0.135f, 0.005f};
  std::copy(weights.begin(), weights.end(), row);
  f.scene.query = {1}, f.scene.key = -1;
  EXPECT_EQ(emphasized(f.record(1050, 590)), Words{"0.42"}) << "no key is pinned";
  for (int key = 0; key < 6; ++key) {
    f.scene.key = key;
    const std::string words = fixed(static_cast<double>(weights[static_cast<std::size_t>(key)]), 2);
    const Words found = emphasized(f.record(1050, 590));
    ASSERT_EQ(found.size(), 1u) << key;
    EXPECT_TRUE(found[0].starts_with(words) || (key == 5 && found[0] == "0.005")) << found[0];
  }
  f.scene.key = 3;
  f.hovering = true;
  f.hover.mark.part = draw::Part::cell, f.hover.mark.query = 1, f.hover.mark.key = 0;
  EXPECT_EQ(emphasized(f.record(1050, 590)), Words{"0.11"}) << "the pair under the pointer";
}

float apart(const draw::Box& box, draw::Point p) {
  return std::hypot(std::max({box.x - p.x, p.x - box.right(), 0.f}),
                    std::max({box.y - p.y, p.y - box.bottom(), 0.f}));
}
/// From a box to what is drawn between two points.
float apart(const draw::Box& box, draw::Point a, draw::Point b) {
  float least = 1e9f;
  for (int i = 0; i <= 8; ++i) {
    const float t = static_cast<float>(i) / 8;
    least = std::min(least, apart(box, {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}));
  }
  return least;
}

/// How far a box is from the lit arc or ring of each pair, which alone is opaque.
std::map<std::pair<int, int>, float> from_lit(const draw::RecordCanvas& canvas, const draw::Box& box) {
  std::map<std::pair<int, int>, float> out;
  std::pair<int, int> pair{-1, -1};
  for (const std::string& line : canvas.lines) {
    std::istringstream in(line);
    std::string kind, color;
    in >> kind;
    if (kind == "mark") {
      int part = 0, head = 0;
      in >> part >> head >> pair.first >> pair.second;
      if (part != static_cast<int>(draw::Part::cell) || line.find(" name ") != std::string::npos)
        pair = {-1, -1};
    }
    if (pair.first < 0) continue;
    const auto take = [&](float away) {
      const auto found = out.try_emplace(pair, away).first;
      found->second = std::min(found->second, away);
    };
    if (kind == "polygon") {
      std::vector<draw::Point> points;
      in >> color;
      for (draw::Point p; in >> p.x >> p.y;) points.push_back(p);
      if (color.substr(6) != "ff" || points.empty()) continue;
      for (std::size_t i = 0; i < points.size(); ++i)
        take(apart(box, points[i], points[(i + 1) % points.size()]));
    } else if (kind == "ring") {
      float x = 0, y = 0, radius = 0, width = 0;
      in >> x >> y >> radius >> color >> width;
      if (color.substr(6) == "ff") take(std::max(0.f, apart(box, {x, y}) - radius - width / 2));
    }
  }
  return out;
}

/// The weights on the arcs, with their grounds; but the largest, which has a field of its own.
std::vector<draw::RecordCanvas::Text> labels(const draw::RecordCanvas& canvas) {
  std::vector<draw::RecordCanvas::Text> out;
  for (const auto& text : canvas.texts) {
    if (text.style.font == draw::Font::mono && text.style.size == word_size &&
        text.style.align == draw::Align::centre && ground(canvas).has(text.at)) {
      out.push_back(text);
      out.back().box = {text.at.x - text.box.w / 2 - 3, text.at.y - 7, text.box.w + 6, 14};
    }
  }
  return out;
}

TEST(AttentionArcs, AWeightIsNearerToItsOwnArcThanToEveryOther) {
  int seen = 0;
  for (const int tokens : {6, 14}) {
    for (int query = 0; query < tokens; ++query) {
      AttentionFixture f = arcs({tokens, 1, 8, false, {}});
      f.scene.query = {query}, f.scene.key = -1;
      // Arcs of one foot, one inside the other, of all widths; no two weights are written alike.
      for (int other = 0; other < tokens; ++other) {
        const auto n = static_cast<float>(other + 1);
        f.results.attention.weights.at(0, query, other) = 0.03f * n;
        f.results.attention.weights.at(0, other, query) = other == query ? 0.03f * n : 0.5f - 0.031f * n;
      }
      const draw::RecordCanvas canvas = f.record(1050, 590);
      std::vector<draw::Box> boxes;
      const std::string largest = fixed(0.03 * tokens, 2);  // in a field on its arc
      for (const auto& label : labels(canvas)) {
        if (label.words == largest) continue;
        const auto away = from_lit(canvas, label.box);
        ASSERT_GE(away.size(), 2u);
        const auto nearest = std::min_element(away.begin(), away.end(), [](const auto& a, const auto& b) {
                               return a.second < b.second;
                             })->first;
        EXPECT_EQ(
            fixed(static_cast<double>(f.results.attention.weights.at(0, nearest.first, nearest.second)), 2),
            label.words)
            << "query " << query << " of " << tokens;
        for (const draw::Box& box : boxes)
          EXPECT_TRUE(label.box.x >= box.right() || box.x >= label.box.right() ||
                      label.box.y >= box.bottom() || box.y >= label.box.bottom());
        boxes.push_back(label.box);
        ++seen;
      }
    }
  }
  EXPECT_GE(seen, 40) << "most arcs have room for their weight";
}

TEST(AttentionArcs, WhereThereIsNoRoomTheSmallerWeightIsLeftOut) {
  const auto arc = [](float wide, float high) {
    return arc_path({100 + wide / 2, 300}, wide / 2, -high, 3.14159265f, 0);
  };
  ArcLabels places({0, 0, 400, 300});
  places.add(arc(200, 150), 1), places.add(arc(206, 154), 1);
  const std::size_t between = places.add(arc(203, 152), 1), alone = places.add(arc(60, 40), 1);
  EXPECT_FALSE(places.place(between, 30, 14)) << "every place is nearer to its neighbours";
  EXPECT_FALSE(places.place(alone, 401, 14)) << "wider than the picture";
  const auto first = places.place(alone, 30, 14), second = places.place(alone, 30, 14);
  ASSERT_TRUE(first);
  EXPECT_NEAR(first->centre().x, 130, 1) << "at its top";
  EXPECT_LE(first->bottom(), 260);
  EXPECT_TRUE(!second || second->x >= first->right() || first->x >= second->right() ||
              second->y >= first->bottom() || first->y >= second->bottom());
}

TEST(AttentionArcs, AWeightOnItselfIsARingOverTheWord) {
  AttentionFixture f = arcs();
  for (float& weight : f.results.attention.weights.values()) weight = 0;
  f.results.attention.weights.at(0, 1, 1) = 0.5f;
  const draw::RecordCanvas canvas = f.record(1050, 590);
  const auto line = words(canvas, ground(canvas));
  float x, y, radius, width;
  char color[16];
  bool found = false;
  for (const std::string& shape : canvas.lines) {
    if (std::sscanf(shape.c_str(), "ring %f %f %f %15s %f", &x, &y, &radius, color, &width) != 5) continue;
    if (std::abs(width - 13) > 0.1f) continue;
    found = true;
    EXPECT_NEAR(x, line.at(1).centre().x, 0.2);
    EXPECT_LT(y, line.at(1).y);
  }
  EXPECT_TRUE(found) << "as thick as 26 times the weight";
}

TEST(AttentionArcs, LongSentencesKeepThePinnedWordAndItsStrongestKeysAndSaySo) {
  AttentionFixture f = arcs({400, 1, 2, false, {}});
  f.scene.query = {70};
  float* row = f.results.attention.weights.row(0, 70).data();
  std::fill(row, row + 400, 0.001f);
  row[5] = 0.4f, row[300] = 0.3f;
  const draw::RecordCanvas canvas = f.record(1500, 800);
  const auto line = words(canvas, ground(canvas));
  EXPECT_LE(line.size(), 26u);
  for (const int token : {5, 69, 70, 71, 300}) EXPECT_TRUE(line.count(token)) << token;
  EXPECT_TRUE(says(canvas, "of 400 tokens: "));
  EXPECT_TRUE(pairs(canvas).count({70, 300}));
}

/// The slanted texts of the picture.
std::vector<draw::RecordCanvas::Text> slanted(const draw::RecordCanvas& canvas) {
  std::vector<draw::RecordCanvas::Text> out;
  for (const auto& text : canvas.texts) {
    EXPECT_NE(text.style.turn, draw::upwards) << text.words;
    if (text.style.turn == draw::slanted && ground(canvas).has(text.at)) out.push_back(text);
  }
  return out;
}

TEST(AttentionArcs, WordsThatDoNotFitAreSlantedAndNoneTouchesAnother) {
  for (const float wide : {460.f, 700.f, 1500.f}) {
    AttentionFixture f = arcs({40, 1, 2, false, {}});
    f.scene.query = {17};
    const draw::RecordCanvas canvas = f.record(wide, 500);
    std::vector<draw::RecordCanvas::Text> labels = slanted(canvas);
    if (wide > 1400) {
      EXPECT_EQ(labels.size(), 40u) << "there is room for all";
    }
    ASSERT_GE(labels.size(), 8u);
    const draw::Color query = draw::theme(f.scene.theme == scene::ThemeName::dark).query;
    std::sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) { return a.at.x < b.at.x; });
    for (std::size_t i = 1; i < labels.size(); ++i)
      EXPECT_GE((labels[i].at.x - labels[i - 1].at.x) * 0.766f, labels[i].style.size)
          << labels[i].words << " in " << wide;
    EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [&](const auto& label) {
      return label.style.color == query;
    })) << "the chosen word is always named";
  }
}

/// 40 words, of which some have no room: all queries attend to the chosen one.
AttentionFixture narrow_arcs() {
  AttentionFixture f = arcs({40, 1, 2, false, {}});
  f.scene.query = {17}, f.scene.key = -1;
  for (int query = 0; query < 40; ++query) f.results.attention.weights.at(0, query, 17) = 0.2f;
  return f;
}

TEST(AttentionArcs, AWordWithoutRoomForItsLettersCanBePointedAt) {
  AttentionFixture f = narrow_arcs();
  const draw::RecordCanvas canvas = f.record(700, 640);
  ASSERT_LT(slanted(canvas).size(), 40u) << "some words are not written";
  const auto line = words(canvas, ground(canvas));
  ASSERT_EQ(line.size(), 40u);
  for (const auto& [token, box] : line) {
    EXPECT_GT(box.w, 1) << token;
    EXPECT_GT(box.h, 10) << token;
    if (token > 0) {
      EXPECT_GE(box.x, line.at(token - 1).right() - 0.01f) << token;
    }
    const draw::Hit hit = f.pick(box.centre(), 700, 640);
    EXPECT_EQ(hit.mark.part, draw::Part::query_token);
    EXPECT_EQ(hit.mark.query, token);
  }
  std::vector<int> order;  // in which the Tab key meets them
  for (const auto& target : f.targets) {
    const draw::Mark& mark = target.mark;
    if (mark.part == draw::Part::query_token && ground(canvas).has(mark.area.centre()) && order.size() < 40)
      order.push_back(mark.query);
  }
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 40u);
  // Further down the letters of a word are the word, also where they are below other columns.
  for (const auto& label : slanted(canvas)) {
    const draw::Point in_word{label.at.x - 15 * 0.643f, label.at.y + 15 * 0.766f};
    const draw::Hit hit = f.pick(in_word, 700, 640);
    ASSERT_EQ(hit.mark.part, draw::Part::query_token) << label.words;
    EXPECT_NEAR(line.at(hit.mark.query).centre().x, label.at.x + 12 * 0.45f * 0.643f, 0.5) << label.words;
  }
}

TEST(AttentionArcs, ALineLeadsFromEveryColumnToTheFootOfItsArcBelow) {
  AttentionFixture f = narrow_arcs();
  const draw::RecordCanvas canvas = f.record(700, 640);
  const auto line = words(canvas, ground(canvas));
  ASSERT_EQ(line.size(), 40u);
  std::set<int> written, led;
  std::set<long> feet;
  int token = -1;
  for (const std::string& shape : canvas.lines) {
    int part = 0, head = 0;
    draw::Point from, to;
    if (std::sscanf(shape.c_str(), "mark %d %d %d", &part, &head, &token) == 3) {
      if (part != static_cast<int>(draw::Part::query_token)) token = -1;
    } else if (token >= 0 &&
               std::sscanf(shape.c_str(), "line %f %f %f %f", &from.x, &from.y, &to.x, &to.y) == 4) {
      const draw::Box& column = line.at(token);
      EXPECT_GT(to.y, column.bottom()) << token;
      feet.insert(std::lround(10 * to.y));
      // On the slanted line through the top of the column.
      EXPECT_NEAR((column.centre().x - from.x) * (to.y - column.y),
                  (column.centre().x - to.x) * (from.y - column.y), 20)
          << token;
      if (std::abs(from.y - column.y) > 0.1f) written.insert(token);
      led.insert(token);
    }
  }
  EXPECT_EQ(led.size(), 40u);
  EXPECT_EQ(feet.size(), 1u) << "all feet are in one line";
  EXPECT_LT(written.size(), 40u) << "from the top where nothing is written";
}

TEST(AttentionArcs, WordsOfALongSentenceLieFlat) {
  AttentionFixture f = arcs({120, 1, 2, false, {}});
  f.scene.query = {60};
  const draw::RecordCanvas canvas = f.record(1050, 590);
  EXPECT_TRUE(slanted(canvas).empty());
  EXPECT_GE(words(canvas, ground(canvas)).size(), 9u);
}

TEST(AttentionArcs, ThePointerFindsAWordAndAnArc) {
  AttentionFixture f = arcs();
  const draw::RecordCanvas canvas = f.record(1050, 590);
  const auto line = words(canvas, ground(canvas));
  const draw::Hit word = f.pick(line.at(4).centre(), 1050, 590);
  EXPECT_EQ(word.mark.part, draw::Part::query_token);
  EXPECT_EQ(word.mark.query, 4);
  const draw::Hit nothing = f.pick({ground(canvas).x + 3, ground(canvas).y + 3}, 1050, 590);
  EXPECT_EQ(nothing.mark.name, "arcs") << "the wheel zooms everywhere";
}

}  // namespace
}  // namespace headlight::views::attention_arcs_test
