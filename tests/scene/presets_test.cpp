#include "scene/presets.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <set>

#include "scene/compute.h"
#include "scene/settings.h"

namespace headlight::scene {
namespace {

const PresetsResults& presets() {
  static const std::shared_ptr<const PresetsResults> kept = [] {
    base::Parallel parallel(1);
    Scene scene;
    scene.page = Page::presets;
    return compute(scene, parallel, nullptr)->presets;
  }();
  return *kept;
}

const Preset& titled(const std::string& part) {
  for (const Preset& preset : presets().presets) {
    if (preset.title.find(part) != std::string::npos) return preset;
  }
  ADD_FAILURE() << part;
  return presets().presets.front();
}

std::vector<double> numbers(std::string text) {
  for (std::size_t at = 0; (at = text.find("−")) != std::string::npos;) text.replace(at, 3, "-");
  std::vector<double> out;
  const char* at = text.c_str();
  for (char* end = nullptr;; at = end) {
    const double value = std::strtod(at, &end);
    if (end == at) return out;
    out.push_back(value);
  }
}

/// Assignments are cut at a ';' that a name and '=' follow.
std::vector<std::string> assignments(const std::string& set) {
  std::vector<std::string> out(1);
  for (std::size_t at = 0; at < set.size(); ++at) {
    if (set[at] == ';') {
      const std::size_t name = set.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", at + 1);
      if (name != std::string::npos && name > at + 1 && set[name] == '=') {
        out.emplace_back();
        continue;
      }
    }
    out.back() += set[at];
  }
  return out;
}

TEST(Presets, AllAreThereAndNoneOfOursDiffers) {
  const PresetsResults& r = presets();
  EXPECT_EQ(r.presets.size(), static_cast<std::size_t>(number_of_presets));
  EXPECT_EQ(r.differing, 0);
  EXPECT_EQ(r.contradictions, 5);
  EXPECT_EQ(r.agreeing, number_of_presets - 5);
  std::set<std::string> titles;
  for (const Preset& p : r.presets) {
    EXPECT_TRUE(titles.insert(p.title).second) << p.title;
    EXPECT_FALSE(p.source.empty());
    EXPECT_FALSE(p.lines.empty());
    EXPECT_EQ(p.short_word.empty(), p.verdict == Verdict::agrees) << p.title;
  }
}

TEST(Presets, EveryVerdictFollowsFromTheNumbersShown) {
  for (const Preset& p : presets().presets) {
    for (const PresetLine& line : p.lines) {
      const auto printed = numbers(line.printed), here = numbers(line.here);
      if (printed.empty() || printed.size() != here.size() || p.title.find("variance") != std::string::npos)
        continue;
      // Half a unit of the last printed decimal, and as much again for the rounding of ours.
      const std::size_t point = line.printed.find('.');
      const std::size_t end = line.printed.find(' ', point);
      const double decimals = point == std::string::npos
                                  ? 0
                                  : static_cast<double>(std::min(end, line.printed.size()) - point - 1);
      const double unit = point == std::string::npos ? 0 : std::pow(10.0, -decimals);
      bool close = true;
      for (std::size_t n = 0; n < printed.size(); ++n)
        close = close && std::abs(printed[n] - here[n]) <= unit * 1.01 + 1e-9;
      EXPECT_EQ(line.agrees, close) << p.title << ": " << line.what << " " << line.printed << " / "
                                    << line.here;
    }
  }
}

TEST(Presets, TheProseOfTheWorkedExampleGetsItsCross) {
  const Preset& p = titled("Worked example");
  EXPECT_EQ(p.verdict, Verdict::contradiction);
  for (const PresetLine& line : p.lines) EXPECT_EQ(line.agrees, line.by == "printed") << line.what;
  EXPECT_EQ(p.lines[3].here, "0.401  0.198  0.401");
  EXPECT_THAT(p.short_word, ::testing::HasSubstr("0.39 0.22 0.39"));
}

TEST(Presets, NearZeroIsNotNearZero) {
  const Preset& p = titled("Two relations");
  EXPECT_EQ(p.verdict, Verdict::contradiction);
  EXPECT_THAT(p.short_word, ::testing::HasSubstr("0.3196"));
  EXPECT_TRUE(p.lines[0].here.empty());  // nothing is trained here, and nothing pretends to be
  EXPECT_FALSE(p.lines[2].agrees);
}

TEST(Presets, TheFrequencyIndexStartsAtZero) {
  const Preset& p = titled("frequency index");
  EXPECT_TRUE(p.lines[0].agrees);
  EXPECT_FALSE(p.lines[1].agrees);
  EXPECT_NEAR(numbers(p.lines[0].here)[0], std::sin(1.0), 1e-6);
}

TEST(Presets, AnagramsHaveTheSameRows) {
  const Preset& p = titled("Anagrams");
  EXPECT_EQ(p.verdict, Verdict::agrees);
  EXPECT_EQ(p.lines.back().here, "True");
}

TEST(Presets, EverySceneOpens) {
  base::Parallel parallel(1);
  for (const Preset& p : presets().presets) {
    Scene scene;
    scene.d_model = 21, scene.heads = 7, scene.head = {7}, scene.query = {3};
    scene.worked.x = "nothing";
    for (const std::string& assignment : assignments(p.set)) {
      const base::Status status = set_field(scene, assignment);
      EXPECT_TRUE(status) << p.title << ": " << status.error();
    }
    EXPECT_NE(scene.page, Page::presets) << p.title;
    repair(scene);
    ASSERT_TRUE(check(scene)) << p.title;
    const auto results = compute(scene, parallel, nullptr);
    ASSERT_NE(results, nullptr);
    if (scene.page == Page::worked) {
      EXPECT_EQ(results->worked->problem, "");
    }
  }
}

}  // namespace
}  // namespace headlight::scene
