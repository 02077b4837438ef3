// The whole page: its controls set real fields to real words, and small cases are drawn as recorded.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "page_checks.h"
#include "pages/attention/view/words.h"
#include "views/attention_fixture.h"

namespace headlight::views {
namespace {

/// Every field of the scene, with the words it may take (empty: not an enumeration; "true" and "false" for
/// flags).
std::map<std::string, std::set<std::string>> field_words() {
  std::map<std::string, std::set<std::string>> out;
  scene::Scene scene;
  scene::fields(scene, [&](const scene::Field& field, auto& member) {
    using T = std::remove_reference_t<decltype(member)>;
    auto& words = out[field.name];
    if constexpr (std::derived_from<T, scene::Word>) {
      for (const char* word : member.list()) words.insert(word);
    } else if constexpr (std::is_same_v<T, bool>) {
      words = {"true", "false"};
    }
  });
  return out;
}

/// Marks of every control the page can show.
std::vector<draw::Mark> all_controls() {
  std::vector<draw::Mark> out;
  for (const auto view :
       {scene::AttentionView::matrix, scene::AttentionView::ribbons, scene::AttentionView::arcs}) {
    for (const scene::IndexList& heads : {scene::IndexList{}, scene::IndexList{1}, scene::IndexList{1, 2}}) {
      AttentionFixture f;
      f.scene.attention.view = view, f.scene.head = heads;
      f.open(0, 1, 2);
      for (const float width : {640.f, 1050.f, 2400.f}) {
        for (const draw::Mark& mark : f.record(width, 590).marks) {
          if (mark.part == draw::Part::control) out.push_back(mark);
        }
      }
    }
  }
  return out;
}

TEST(AttentionPage, EveryControlSetsARealFieldToARealWord) {
  const auto fields = field_words();
  std::set<std::string> names;
  for (const draw::Mark& mark : all_controls()) {
    names.insert(mark.name);
    if (mark.set.empty()) {
      EXPECT_EQ(mark.name.rfind("copy ", 0), 0u) << mark.name;
      continue;
    }
    const std::size_t equals = mark.set.find('=');
    ASSERT_NE(equals, std::string::npos) << mark.set;
    const auto field = fields.find(mark.set.substr(0, equals));
    ASSERT_NE(field, fields.end()) << mark.set;
    const std::string value = mark.set.substr(equals + 1);
    const bool number = !value.empty() && value.find_first_not_of("-0123456789,") == std::string::npos;
    EXPECT_TRUE(field->second.empty() ? number : field->second.count(value) > 0) << mark.set;
  }
  for (const char* name : {"matrix",
                           "ribbons",
                           "arcs",
                           "beams all",
                           "beams chosen",
                           "arcs both",
                           "arcs attends to",
                           "arcs attended by",
                           "divide by √d_k",
                           "mean",
                           "max",
                           "queries as rows",
                           "queries as columns",
                           "bars in order",
                           "bars sorted",
                           "copy latex",
                           "copy numpy",
                           "matrix w_q",
                           "matrix output",
                           "other query after"})
    EXPECT_TRUE(names.count(name)) << name;
}

TEST(AttentionPage, AMapWithoutTheCardOfHeadsBesideItHasAChoiceOfHeads) {
  const auto chosen = [](float width, float height) {
    AttentionFixture f;
    f.scene.head = {1};
    f.open(0, 1, 2);
    std::map<std::string, std::string> out;
    for (const draw::Mark& mark : f.record(width, height).marks) {
      if (mark.part == draw::Part::control && mark.name.starts_with("map head ")) out[mark.name] = mark.set;
    }
    return out;
  };
  const std::map<std::string, std::string> narrow = chosen(880, 330);
  ASSERT_GE(narrow.size(), 2u);
  EXPECT_EQ(narrow.at("map head 2"), "head=2");
  EXPECT_EQ(narrow.at("map head 1"), "head=0") << "the one that is shown leads back to all";
  EXPECT_TRUE(chosen(1050, 590).empty()) << "each control stands once";
  EXPECT_TRUE(chosen(752, 848).empty()) << "the card of heads is on the same screen, below the map";
}

TEST(AttentionPage, TheChosenSegmentIsHitWhereItIsDrawn) {
  AttentionFixture f;
  f.pick({0, 0}, 1050, 590);
  int controls = 0;
  const auto targets = f.targets;
  for (const auto& target : targets) {
    if (target.mark.part != draw::Part::control) continue;
    EXPECT_EQ(f.pick(target.box.centre(), 1050, 590).mark.name, target.mark.name);
    ++controls;
  }
  EXPECT_GE(controls, 8);
}

TEST(AttentionPage, WhileBusyTheOldPictureStaysUnderAProgressLine) {
  AttentionFixture f;
  const draw::RecordCanvas calm = f.record(1050, 590);
  f.busy = 0.4f;
  const draw::RecordCanvas busy = f.record(1050, 590);
  std::vector<std::string> added = busy.lines;
  for (const std::string& line : calm.lines) {
    const auto same = std::find(added.begin(), added.end(), line);
    ASSERT_NE(same, added.end()) << "no longer drawn: " << line;
    added.erase(same);
  }
  ASSERT_EQ(added.size(), 2u);  // the line and the part that is done
  draw::Box line[2];
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(std::sscanf(added[static_cast<std::size_t>(i)].c_str(), "rect %f %f %f %f", &line[i].x,
                          &line[i].y, &line[i].w, &line[i].h),
              4)
        << added[static_cast<std::size_t>(i)];
  EXPECT_EQ(line[0].x, line[1].x);
  EXPECT_EQ(line[0].y, line[1].y);
  EXPECT_NEAR(line[1].w / line[0].w, 0.4f, 0.001f);
}

TEST(AttentionPage, ResultsOfAnOlderSceneAreDrawnWithoutComplaint) {
  AttentionFixture f({3, 2, 2, false, {}});
  f.scene.head = {7, 9};
  f.scene.query = {40, 2};
  f.scene.key = 88;
  f.hovering = true;
  f.hover.mark.part = draw::Part::cell;
  f.hover.mark.query = 500, f.hover.mark.key = 500;
  EXPECT_TRUE(says(f.record(1050, 590), "All 2 heads · mean"));
}

/// Weights of few digits, so that no rounding of exp() can change a recording.
void tidy(AttentionFixture& f) {
  nn::AttentionTrace& trace = f.results.attention;
  for (float& weight : trace.weights.values()) weight = std::round(weight * 64) / 64;
  for (float& weight : f.results.mean.values()) weight = std::round(weight * 64) / 64;
  for (float& weight : f.results.max.values()) weight = std::round(weight * 64) / 64;
  const auto round = [](nn::Matrix& m) {
    for (float& value : m.values()) value = std::round(value * 64) / 64;
  };
  for (nn::Matrix* m : {&trace.q, &trace.k, &trace.v, &trace.context, &trace.output, &f.results.x}) round(*m);
  auto weights = std::make_shared<nn::AttentionWeights>(*f.results.weights);
  for (nn::Matrix* m : {&weights->w_q, &weights->w_k, &weights->w_v, &weights->w_o}) round(*m);
  f.results.weights = weights;
  for (nn::HeadSummary& summary : f.results.heads)
    summary.entropy_bits = std::round(summary.entropy_bits * 4) / 4;
}

TEST(AttentionPage, OneHeadAsRecorded) {
  AttentionFixture f({4, 2, 2, false, {}});
  tidy(f);
  f.scene.head = {2};
  f.open(1, 1, 2);
  test::expect_recorded("attention_one_head.txt", f.record(1050, 590));
}

TEST(AttentionPage, MaskedAllHeadsInTheLightAsRecorded) {
  Case what{4, 3, 2, false, {}};
  what.mask.causal = true;
  AttentionFixture f(what);
  tidy(f);
  f.scene.theme = scene::ThemeName::light;
  test::expect_recorded("attention_all_masked.txt", f.record(1050, 590));
}

TEST(AttentionPage, RibbonsOnASmallPageAsRecorded) {
  AttentionFixture f({3, 2, 2, false, {}});
  tidy(f);
  f.scene.attention.view = scene::AttentionView::ribbons;
  f.scene.head = {1, 2};
  f.scene.query = {0, 2};
  f.compact = true;
  test::expect_recorded("attention_ribbons_small.txt", f.record(640, 360));
}

}  // namespace
}  // namespace headlight::views
