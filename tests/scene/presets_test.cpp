#include "pages/presets/presets.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "pages/compute.h"
#include "pages/worked/worked.h"
#include "scene/settings.h"

namespace headlight::scene {
namespace {

const PresetsResults& presets() {
  static const std::shared_ptr<const Results> kept = [] {
    base::Parallel parallel(1);
    Scene scene;
    scene.page = Page::presets;
    return compute_now(scene, parallel, nullptr);
  }();
  return *kept->own_as<PresetsResults>();
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

TEST(Presets, AllAreThereAndOnlyATrainedModelDiffers) {
  const PresetsResults& r = presets();
  EXPECT_EQ(r.presets.size(), static_cast<std::size_t>(number_of_presets));
  EXPECT_EQ(r.differing, 1);
  EXPECT_EQ(r.contradictions, 21);
  EXPECT_EQ(r.formulas, 10);
  EXPECT_EQ(r.agreeing, number_of_presets - 21 - 10 - 1);
  std::set<std::string> titles;
  for (const Preset& p : r.presets) {
    EXPECT_TRUE(titles.insert(p.title).second) << p.title;
    EXPECT_FALSE(p.source.empty());
    EXPECT_FALSE(p.lines.empty());
    EXPECT_EQ(p.short_word.empty(), p.verdict != Verdict::contradiction) << p.title;
    // Where nothing is printed there is nothing to agree with.
    const bool any_printed = std::any_of(p.lines.begin(), p.lines.end(), [](const PresetLine& line) {
      return line.kind == PresetKind::printed;
    });
    if (p.verdict == Verdict::agrees) {
      EXPECT_TRUE(any_printed) << p.title;
    } else if (p.verdict == Verdict::formula) {
      EXPECT_FALSE(any_printed) << p.title;
    }
    for (const PresetLine& line : p.lines) {
      const bool formula = line.by.find("formula") != std::string::npos && line.by.find("its formula, ") != 0;
      if (formula) {
        EXPECT_EQ(line.kind, PresetKind::formula) << p.title << ": " << line.what;
      }
    }
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
  for (const PresetLine& line : p.lines) {
    const bool further = line.what.find("1.29") != std::string::npos;
    EXPECT_EQ(line.agrees, line.by == "printed" || further) << line.what << " " << line.here;
  }
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

/// The numbers of what sources say in words, once more by hand.
TEST(Presets, WhatIsSaidInWordsStandsBesideItsNumber) {
  EXPECT_THAT(titled("Same complexity").lines[1].here, ::testing::HasSubstr("4,096, n·d = 32,768"));
  EXPECT_THAT(titled("Path length of").lines[0].here, ::testing::HasSubstr("170.7, counted 511 layers"));
  EXPECT_THAT(titled("Path length of").lines[1].here,
              ::testing::HasSubstr("5.7, counted 9 layers with centred kernels and 6 with one-sided ones"));
  // Each growth is right for its own kind of convolution; what no source says is which kind it means.
  EXPECT_TRUE(titled("Path length of").lines[0].agrees && titled("Path length").lines[1].agrees);
  EXPECT_EQ(titled("Path length of").lines[2].what, "which kind is meant");
  EXPECT_FALSE(titled("Path length of").lines[2].agrees);
  EXPECT_THAT(titled("Lengths that were").lines[0].here,
              ::testing::HasSubstr("1.17 apart of 60 positions, 1.17"));
  EXPECT_THAT(titled("a divisor").lines[1].here, ::testing::HasSubstr("628.3"));
  EXPECT_THAT(titled("One sine").lines[0].here,
              ::testing::HasSubstr("10 positions; sin at 8 and 10 is 0.985  0.985"));
  EXPECT_EQ(titled("One sine").lines[1].here, "36 positions");
  EXPECT_EQ(numbers(titled("Twenty years").lines[0].here)[0], 30);
  EXPECT_THAT(titled("exp(").lines[0].here, ::testing::HasSubstr("2.718  10.107"));
  EXPECT_THAT(titled("exp(").lines[1].here,
              ::testing::HasSubstr("0.422  0.155  0.422, φ = exp 0.351  0.227  0.422"));
  EXPECT_THAT(titled("space-efficient").lines[0].here,
              ::testing::HasSubstr("6 in binary, 1,024 as 32 floats"));
  for (const PresetLine& line : titled("regardless of depth").lines) EXPECT_FALSE(line.printed.empty());
  const auto scaled = numbers(titled("regardless of depth").lines[0].here);
  ASSERT_EQ(scaled.size(), 3u);
  for (const double variance : scaled) EXPECT_NEAR(variance, 1, 0.1);
}

/// Counted, permuted, masked and tiled once more.
TEST(Presets, WhatIsSaidOfTheLayerStandsBesideItsNumber) {
  using ::testing::HasSubstr;
  const Preset& products = titled("Just three");
  EXPECT_EQ(products.verdict, Verdict::contradiction);
  EXPECT_EQ(products.lines[0].here, "3: X W_V, Q Kᵀ, A V");
  EXPECT_TRUE(products.lines[0].agrees);
  EXPECT_EQ(products.lines[1].here, "5: X W_Q, X W_K, X W_V, Q Kᵀ, A V");
  EXPECT_EQ(products.lines[2].here, "6: those and W_O");

  const Preset& invariant = titled("Order-invariant");
  EXPECT_GT(numbers(invariant.lines[0].here)[0], 0.1);
  EXPECT_FALSE(invariant.lines[0].agrees);
  for (const std::size_t line : {1u, 2u}) {
    EXPECT_THAT(invariant.lines[line].here, HasSubstr("less than 0.00001"));
    EXPECT_TRUE(invariant.lines[line].agrees);
  }

  const Preset& depth = titled("Depth, order");
  EXPECT_THAT(depth.lines[0].here, HasSubstr("less than 0.00001 apart"));
  EXPECT_GT(numbers(depth.lines[1].here)[0], 0.1);
  EXPECT_GT(numbers(depth.lines[2].here)[0], 0.01);
  EXPECT_FALSE(depth.lines[1].agrees);

  // Row 1 of P: sin ω and cos ω side by side, and the sines alone.
  const Preset& smooth = titled("Smoothly");
  std::vector<double> neighbours, sines;
  for (const int d : {32, 128, 512}) {
    double side = 0, alone = 0;
    for (int j = 0; j < d / 2; ++j) {
      const double omega = std::pow(10000.0, -2.0 * j / d), next = std::pow(10000.0, -2.0 * (j + 1) / d);
      side = std::max(side, std::abs(std::sin(omega) - std::cos(omega)));
      if (j + 1 == d / 2) continue;
      side = std::max(side, std::abs(std::cos(omega) - std::sin(next)));
      alone = std::max(alone, std::abs(std::sin(omega) - std::sin(next)));
    }
    neighbours.push_back(side), sines.push_back(alone);
  }
  EXPECT_EQ(smooth.lines[1].here, "0  1  0  1  0  1");
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_NEAR(numbers(smooth.lines[2].here)[n], neighbours[n], 6e-4);
    EXPECT_NEAR(numbers(smooth.lines[3].here)[n], sines[n], 6e-4);
    EXPECT_NEAR(numbers(smooth.lines[0].here)[n],
                2 * std::sin(std::pow(10.0, -1.0 * static_cast<double>(n)) / 2), 6e-3);
  }
  EXPECT_FALSE(smooth.lines[2].agrees);

  const Preset& wall = titled("Must materialise");
  EXPECT_THAT(wall.lines[0].here, HasSubstr("1,048,576 for the weights; tiled"));  // 512² of 4 bytes
  EXPECT_THAT(wall.lines[1].here, HasSubstr("268,435,456 for the weights; tiled"));
  EXPECT_THAT(wall.lines[2].here, HasSubstr("less than 0.00001"));
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
    const auto results = compute_now(scene, parallel, nullptr);
    ASSERT_NE(results, nullptr);
    if (scene.page == Page::worked) {
      EXPECT_EQ(results->own_as<WorkedResults>()->problem, "");
    }
  }
}

}  // namespace
}  // namespace headlight::scene
