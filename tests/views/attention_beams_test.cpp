// Beams: one for each weight that can be seen, as wide as it; a query's share one unit of height, a key's add
// up to what it receives; of long sentences the pinned query's neighbourhood, which is said.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "views/attention_fixture.h"

namespace headlight::views::attention_beams_test {
namespace {

AttentionFixture beams(Case what = {}) {
  AttentionFixture f(what);
  f.scene.attention.view = scene::AttentionView::ribbons;
  f.scene.head = {1};
  return f;
}

/// A beam of a query that is not lit.
struct Curve {
  int query, key;
  float ax, ay, bx, by, width;
};
std::vector<Curve> curves(const draw::RecordCanvas& canvas) {
  std::vector<Curve> out;
  int query = -1, key = -1;
  for (const std::string& line : canvas.lines) {
    int part, head;
    float n[8], width;
    char color[16];
    if (std::sscanf(line.c_str(), "mark %d %d %d %d", &part, &head, &query, &key) == 4) continue;
    if (std::sscanf(line.c_str(), "curve %f %f %f %f %f %f %f %f %15s %f", n, n + 1, n + 2, n + 3, n + 4,
                    n + 5, n + 6, n + 7, color, &width) == 10)
      out.push_back({query, key, n[0], n[1], n[6], n[7], width});
  }
  return out;
}

TEST(AttentionBeams, EveryWeightFromAHundredthOnHasOne) {
  AttentionFixture f = beams();
  std::set<std::pair<int, int>> expected;
  for (int query = 0; query < 6; ++query) {
    for (int key = 0; key < 6; ++key) {
      if (f.results.attention.weights.at(0, query, key) >= 0.01f) expected.insert({query, key});
    }
  }
  const draw::RecordCanvas canvas = f.record(1050, 590);
  EXPECT_EQ(pairs(canvas), expected);
  EXPECT_TRUE(says(canvas, "Beams below 0.01 are not drawn."));
}

TEST(AttentionBeams, WidthsOfAQueryShareOneUnitAndFollowEachOther) {
  AttentionFixture f = beams();
  f.scene.query = {};  // none is lit: each beam is one curve
  const std::vector<Curve> all = curves(f.record(1050, 590));
  ASSERT_FALSE(all.empty());
  const float unit =
      all.front().width / f.results.attention.weights.at(0, all.front().query, all.front().key);
  std::map<int, std::vector<Curve>> by_query, by_key;
  for (const Curve& one : all) {
    const float weight = f.results.attention.weights.at(0, one.query, one.key);
    EXPECT_NEAR(one.width, std::max(0.6f, unit * weight), 0.2f) << "as wide as the weight";
    by_query[one.query].push_back(one), by_key[one.key].push_back(one);
  }
  // In the order of the keys, without gaps but those of beams that are not drawn; and the same at the keys.
  for (auto& [query, list] : by_query) {
    for (std::size_t i = 1; i < list.size(); ++i) {
      const float apart = list[i].ay - list[i - 1].ay, touch = (list[i].width + list[i - 1].width) / 2;
      EXPECT_GT(list[i].key, list[i - 1].key);
      EXPECT_GE(apart, touch - 0.7f);
      EXPECT_LE(apart, touch + unit * 0.02f * 6 + 0.7f);
    }
    EXPECT_LE(list.back().ay - list.front().ay, unit + 0.2f) << "of one unit";
  }
  for (auto& [key, list] : by_key) {
    for (std::size_t i = 1; i < list.size(); ++i)
      EXPECT_GE(list[i].by - list[i - 1].by, (list[i].width + list[i - 1].width) / 2 - 0.7f);
    const auto received = static_cast<float>(f.results.head_received[0][static_cast<std::size_t>(key)]);
    EXPECT_LE(list.back().by - list.front().by, unit * received + 0.2f);
  }
}

TEST(AttentionBeams, KeysSayWhatTheyReceiveAndTheStrongestBeamItsWeight) {
  AttentionFixture f = beams();
  const draw::RecordCanvas canvas = f.record(1050, 590);
  EXPECT_TRUE(says(canvas, "received"));
  for (const double received : f.results.head_received[0])
    EXPECT_TRUE(says(canvas, fixed(received, 2))) << received;
  float most = 0;
  for (int key = 0; key < 6; ++key) most = std::max(most, f.results.attention.weights.at(0, 1, key));
  EXPECT_GE(times_said(canvas, fixed(static_cast<double>(most), 2)), 2) << "on the beam and in its bar";
  f.scene.attention.beams = scene::BeamsShown::chosen;
  const draw::RecordCanvas only = f.record(1050, 590);
  for (const auto& [query, key] : pairs(only)) EXPECT_EQ(query, 1);
  EXPECT_FALSE(says(only, "received"));
  for (int key = 0; key < 6; ++key)
    EXPECT_TRUE(says(only, fixed(static_cast<double>(f.results.attention.weights.at(0, 1, key)), 2)));
}

TEST(AttentionBeams, ManyTokensKeepThePinnedQueryAndTenNeighboursAndSaySo) {
  AttentionFixture f = beams({400, 1, 2, false, {}});
  f.scene.query = {7};
  const draw::RecordCanvas canvas = f.record(1050, 590);
  std::set<int> queries;
  int requested = 0;
  for (const auto& [query, key] : pairs(canvas)) queries.insert(query), requested += query == 7;
  EXPECT_LE(queries.size(), 11u);
  EXPECT_TRUE(queries.count(7));
  EXPECT_GE(requested, 5) << "its strongest ones, however small";
  EXPECT_TRUE(says(canvas, "Queries 2–12 of 400, around"));
}

TEST(AttentionBeams, MaskedPairsHaveNone) {
  Case what;
  what.mask.causal = true;
  AttentionFixture f = beams(what);
  for (const auto& [query, key] : pairs(f.record(1050, 590))) EXPECT_LE(key, query);
}

TEST(AttentionBeams, OfSeveralHeadsTheMeanIsStripedByHeadUpToEight) {
  AttentionFixture f = beams({4, 3, 2, false, {}});
  f.scene.head = {};
  const draw::RecordCanvas canvas = f.record(1050, 590);
  EXPECT_TRUE(says(canvas, "colour = head"));
  std::set<int> heads;
  float wide = 0;
  for (const draw::Mark& mark : canvas.marks) {
    if (mark.part == draw::Part::cell && mark.query == 1 && mark.name.empty()) heads.insert(mark.head);
  }
  EXPECT_EQ(heads, (std::set<int>{-1, 0, 1, 2})) << "the mean, and its stripes";
  for (const Curve& one : curves(canvas)) wide += one.query == 1 ? one.width : 0.f;
  float other = 0;
  for (const Curve& one : curves(canvas)) other += one.query == 2 ? one.width : 0.f;
  EXPECT_NEAR(wide, 2 * other, other * 0.16f)
      << "the mean has the unit of its query, and so have its stripes";
  f.scene.combine = scene::Combine::max;
  EXPECT_FALSE(says(f.record(1050, 590), "colour = head")) << "a largest weight is of one head";
  EXPECT_TRUE(says(f.record(1050, 590), "sum to more than 1"));
  AttentionFixture many = beams({4, 12, 2, false, {}});
  many.scene.head = {};
  const draw::RecordCanvas plain = many.record(1050, 590);
  EXPECT_FALSE(says(plain, "colour = head"));
  EXPECT_TRUE(says(plain, "All 12 heads · mean"));
  AttentionFixture alike = beams({4, 9, 2, false, {}});
  alike.scene.head = {1, 9};
  EXPECT_FALSE(says(alike.record(1050, 590), "colour = head")) << "the ninth has the colour of the first";
}

TEST(AttentionBeams, ThePointerFindsABeam) {
  AttentionFixture f = beams();
  for (float& weight : f.results.attention.weights.values()) weight = 0;
  f.results.attention.weights.at(0, 2, 1) = 1;
  const std::vector<Curve> all = curves(f.record(1050, 590));
  ASSERT_EQ(all.size(), 1u);
  const Curve& one = all.front();
  const draw::Hit hit = f.pick({(one.ax + one.bx) / 2, (one.ay + one.by) / 2}, 1050, 590);
  EXPECT_EQ(hit.mark.part, draw::Part::cell);
  EXPECT_EQ(hit.mark.query, 2);
  EXPECT_EQ(hit.mark.key, 1);
}

TEST(AttentionBeams, WhatIsNoNumberIsNoPlace) {
  for (const auto view : {scene::AttentionView::ribbons, scene::AttentionView::arcs}) {
    AttentionFixture f = beams();
    f.scene.attention.view = view;
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      f.results.attention.weights.at(0, 1, 2) = f.results.attention.weights.at(0, 3, 4) = bad;
      for (const std::string& line : f.record(1050, 590).lines) {
        if (line.rfind("text", 0) == 0 || line.rfind("mark", 0) == 0) continue;
        EXPECT_EQ(line.find("nan"), std::string::npos) << line;
        EXPECT_EQ(line.find("inf"), std::string::npos) << line;
      }
    }
  }
}

TEST(AttentionBeams, AZoomedMapZoomsThemAndSaysSo) {
  AttentionFixture f = beams();
  f.view = {1, 1, 3, 3};
  const draw::RecordCanvas canvas = f.record(1050, 590);
  for (const auto& [query, key] : pairs(canvas)) {
    EXPECT_TRUE(query >= 1 && query < 4) << query;
    EXPECT_TRUE(key >= 1 && key < 4) << key;
  }
  EXPECT_TRUE(says(canvas, "Zoomed: 3 of 6 queries."));
}

/// Lines of the picture that begin with a word.
std::vector<std::string> lines_of(const draw::RecordCanvas& canvas, const char* word) {
  std::vector<std::string> out;
  for (const std::string& line : canvas.lines) {
    if (line.rfind(word, 0) == 0) out.push_back(line);
  }
  return out;
}

TEST(AttentionBeams, TheBeamsOfAnotherQueryComeFromWhereThoseBeforeWere) {
  AttentionFixture f = beams();
  const auto row = [&](int query) {
    const std::span<const float> all = f.results.attention.weights.row(0, query);
    return std::vector<float>(all.begin(), all.end());
  };
  f.scene.query = {1};
  const draw::RecordCanvas before = f.record(1050, 590);
  f.scene.query = {3};
  const draw::RecordCanvas after = f.record(1050, 590);
  f.motion = {.part = 0, .query = 1, .row = row(1)};
  const draw::RecordCanvas start = f.record(1050, 590);
  f.motion.part = 0.5f;
  const draw::RecordCanvas half = f.record(1050, 590);
  f.motion.part = 1;
  const draw::RecordCanvas end = f.record(1050, 590);
  // The halo and the slices of the strongest beam come last.
  const std::string first_beam = lines_of(before, "polygon").back();
  EXPECT_EQ(lines_of(start, "polygon").back(), first_beam);
  EXPECT_NE(lines_of(half, "polygon").back(), first_beam);
  EXPECT_NE(lines_of(half, "polygon").back(), lines_of(after, "polygon").back());
  EXPECT_EQ(end.lines, after.lines);
  // Every number is the one of the end from the start, wherever it stands.
  const auto words = [](const draw::RecordCanvas& canvas) {
    std::multiset<std::string> out;
    for (const std::string& line : lines_of(canvas, "text")) out.insert(line.substr(line.find('"')));
    return out;
  };
  EXPECT_EQ(words(start), words(after));
  EXPECT_EQ(words(half), words(after));
  // What is under the pointer is lit at once.
  f.hovering = true;
  f.hover.mark.part = draw::Part::query_token, f.hover.mark.query = 4;
  const draw::RecordCanvas hovered = f.record(1050, 590);
  f.motion.part = 0;
  EXPECT_EQ(lines_of(f.record(1050, 590), "polygon"), lines_of(hovered, "polygon"));
}

}  // namespace
}  // namespace headlight::views::attention_beams_test
