// The whole page: its controls set real fields to real words, and small cases are drawn as recorded.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "views/attention_fixture.h"
#include "views/attention_words.h"

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
    if constexpr (scene::Worded<T>) {
      for (const char* word : scene::Words<T>::list) words.insert(word);
    } else if constexpr (std::is_same_v<T, bool>) {
      words = {"true", "false"};
    }
  });
  return out;
}

/// Marks of every control the page can show.
std::vector<draw::Mark> all_controls() {
  std::vector<draw::Mark> out;
  for (const auto view : {scene::AttentionView::matrix, scene::AttentionView::ribbons}) {
    for (const scene::IndexList& heads : {scene::IndexList{}, scene::IndexList{1}, scene::IndexList{1, 2}}) {
      AttentionFixture f;
      f.scene.attention_view = view, f.scene.head = heads;
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
    EXPECT_TRUE(field->second.count(mark.set.substr(equals + 1))) << mark.set;
  }
  for (const char* name : {"matrix", "ribbons", "mean", "max", "queries as rows", "queries as columns",
                           "bars in order", "bars sorted", "copy latex", "copy numpy"})
    EXPECT_TRUE(names.count(name)) << name;
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
  EXPECT_EQ(busy.lines.size(), calm.lines.size() + 2);
  EXPECT_EQ(busy.texts.size(), calm.texts.size());
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

/// A drawing line by line against tests/views/recordings/NAME.txt; HEADLIGHT_UPDATE=1 writes it anew.
void compare(const draw::RecordCanvas& canvas, const std::string& name) {
  const std::string path = std::string(HEADLIGHT_SOURCE_DIR) + "/tests/views/recordings/" + name + ".txt";
  if (std::getenv("HEADLIGHT_UPDATE")) {
    std::ofstream out(path);
    for (const std::string& line : canvas.lines) out << line << '\n';
    return;
  }
  std::ifstream in(path);
  ASSERT_TRUE(in) << path << " is missing: run with HEADLIGHT_UPDATE=1 and look at what was drawn";
  std::ostringstream drawn;
  for (const std::string& line : canvas.lines) drawn << line << '\n';
  std::istringstream lines(drawn.str());
  std::string recorded, now;
  for (int number = 1;; ++number) {
    const bool more_recorded = static_cast<bool>(std::getline(in, recorded));
    const bool more_now = static_cast<bool>(std::getline(lines, now));
    if (!more_recorded && !more_now) return;
    ASSERT_EQ(more_now ? now : "(end)", more_recorded ? recorded : "(end)") << path << ":" << number;
  }
}

/// Weights of few digits, so that no rounding of exp() can change a recording.
void tidy(AttentionFixture& f) {
  nn::AttentionTrace& trace = f.results.attention;
  for (float& weight : trace.weights.values()) weight = std::round(weight * 64) / 64;
  for (float& weight : f.results.mean.values()) weight = std::round(weight * 64) / 64;
  for (float& weight : f.results.max.values()) weight = std::round(weight * 64) / 64;
  for (nn::HeadSummary& summary : f.results.heads)
    summary.entropy_bits = std::round(summary.entropy_bits * 4) / 4;
}

TEST(AttentionPage, OneHeadAsRecorded) {
  AttentionFixture f({4, 2, 2, false, {}});
  tidy(f);
  f.scene.head = {2};
  f.open(1, 1, 2);
  compare(f.record(1050, 590), "attention_one_head");
}

TEST(AttentionPage, MaskedAllHeadsInTheLightAsRecorded) {
  Case what{4, 3, 2, false, {}};
  what.mask.causal = true;
  AttentionFixture f(what);
  tidy(f);
  f.scene.theme = scene::ThemeName::light;
  compare(f.record(1050, 590), "attention_all_masked");
}

TEST(AttentionPage, RibbonsOnASmallPageAsRecorded) {
  AttentionFixture f({3, 2, 2, false, {}});
  tidy(f);
  f.scene.attention_view = scene::AttentionView::ribbons;
  f.scene.head = {1, 2};
  f.scene.query = {0, 2};
  compare(f.record(640, 360), "attention_ribbons_small");
}

}  // namespace
}  // namespace headlight::views
