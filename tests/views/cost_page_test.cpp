// The Cost page: it fits at every size, its controls are real, its numbers are those of the results.
#include "views/cost_page.h"

#include <gtest/gtest.h>

#include "cost_fixture.h"
#include "page_checks.h"
#include "views/cost_sheet.h"

namespace headlight::views {
namespace {

using draw::Box;
using test::CostScene;
using test::says;

struct Size {
  float w, h;
};
constexpr Size sizes[] = {{1340, 850}, {1050, 590},  {640, 360},  {480, 700},
                          {960, 900},  {2400, 1400}, {3590, 2010}};
const std::set<std::string> acted_on = {"measure times", "stop measuring"};

std::vector<CostScene> scenes() {
  std::vector<CostScene> all;
  all.emplace_back();
  scene::CostSettings s;
  s.n = 131072, s.d = 1024, s.k = 15, s.from = 0, s.to = 11, s.batch = 1024, s.heads = s.layers = 128;
  s.bytes = scene::CostBytes::four;
  all.emplace_back(s), all.back().measure(9, false);
  s = {}, s.n = s.d = s.k = 1, s.batch = s.heads = s.layers = 1, s.bytes = scene::CostBytes::one;
  all.emplace_back(s), all.back().measure(0, true);
  s = {}, s.convolution = scene::CostConvolution::dilated, s.from = 8, s.to = 1;
  all.emplace_back(s), all.back().measure(4, true);
  all.back().scene.theme = scene::ThemeName::light;
  return all;
}

TEST(CostPage, FitsAtEverySize) {
  for (const CostScene& s : scenes()) {
    for (const Size size : sizes) {
      SCOPED_TRACE(std::to_string(s.scene.cost.n) + " at " + std::to_string(size.w));
      draw::RecordCanvas canvas;
      const Box area{100, 50, size.w, size.h};
      const float height = cost_page(canvas, area, s.input());
      EXPECT_GE(height, size.h);
      test::expect_texts_apart(canvas, area, height);
      test::expect_controls_real(canvas, area, height, acted_on);
    }
  }
}

TEST(CostPage, TheFirstScreenHoldsEverything) {
  draw::RecordCanvas canvas;
  EXPECT_EQ(cost_page(canvas, {0, 0, 1340, 850}, CostScene().input()), 850);
}

TEST(CostPage, SaysTheNumbers) {
  draw::RecordCanvas canvas;
  CostScene s;
  s.measure(9, false);
  cost_page(canvas, {0, 0, 1340, 850}, s.input());
  // Operations, counts, both paths of a convolution, hops.
  for (const char* words : {"122,880", "40,960", "6,400", "81,920", "12,800", "3.33", "2.10", "n/k ¹",
                            "logₖ n ²", "7 layers", "7 steps", "1 hop", "6.4 times fewer"})
    EXPECT_TRUE(says(canvas, words)) << words;
  // The source's memory table, as printed.
  for (const char* words : {"0.5", "0.2", "8.0", "4.0", "128.0", "64.0", "2,048.0", "1,024.0", "32,768.0",
                            "16,384.0", "T ≤ 9,158"})
    EXPECT_TRUE(says(canvas, words)) << words;
  // The printed times are there, and called another machine's.
  for (const char* words : {"0.13", "1.43", "5.92", "2.19", "1.7×", "6.8×", "another machine"})
    EXPECT_TRUE(says(canvas, words)) << words;
  EXPECT_TRUE(says(canvas, "6.96"));  // 0.0017 · 4096 ms, measured
  EXPECT_FALSE(says(canvas, "nothing is measured yet"));
}

TEST(CostPage, ThePrintedRatiosFollowFromThePrintedTimes) {
  const double rnn[] = {0.13, 0.37, 1.43, 5.92}, attention[] = {0.08, 0.09, 0.21, 2.19},
               ratio[] = {1.7, 4.4, 6.8, 2.7};
  for (int i = 0; i < 4; ++i) {
    EXPECT_LE((rnn[i] - 0.005) / (attention[i] + 0.005), ratio[i] + 0.05);
    EXPECT_GE((rnn[i] + 0.005) / (attention[i] - 0.005), ratio[i] - 0.05);
  }
}

TEST(CostPage, OffersToMeasureAndToStop) {
  const auto control = [](const CostScene& s) {
    draw::RecordCanvas canvas;
    cost_page(canvas, {0, 0, 1340, 850}, s.input());
    std::string found;
    for (const draw::Mark& mark : canvas.marks) {
      if (acted_on.count(mark.name)) found += mark.name;
    }
    return found;
  };
  CostScene s;
  EXPECT_EQ(control(s), "measure times");
  s.measure(3, true);
  EXPECT_EQ(control(s), "stop measuring");
  s.measure(9, false);
  EXPECT_EQ(control(s), "measure times");
}

TEST(CostPage, APathThatDoesNotExistIsCalledThat) {
  scene::CostSettings settings;
  settings.from = 8, settings.to = 1;
  draw::RecordCanvas canvas;
  cost_page(canvas, {0, 0, 1340, 850}, CostScene(settings).input());
  EXPECT_TRUE(says(canvas, "no path"));
  EXPECT_TRUE(says(canvas, "it reads from the left only"));
}

TEST(CostPage, ACountThatDisagreesHasACross) {
  CostScene s;
  auto wrong = std::make_shared<scene::CostResults>(*s.results.cost);
  wrong->layers[0].by_running = 12801;
  s.results.cost = wrong;
  draw::RecordCanvas canvas;
  cost_page(canvas, {0, 0, 1340, 850}, s.input());
  EXPECT_TRUE(says(canvas, "12,801"));
  EXPECT_TRUE(says(canvas, "≠ 12,800"));
}

TEST(CostPage, WordsForBytesAndTimes) {
  EXPECT_EQ(byte_words(512), "512 B");
  EXPECT_EQ(byte_words(1536), "1.50 KiB");
  EXPECT_EQ(byte_words(64.0 * (1 << 30)), "64 GiB");
  EXPECT_EQ(byte_words(16384.0 * (1 << 30)), "16 TiB");
  EXPECT_EQ(ms_words(0.0814), "0.081");
  EXPECT_EQ(ms_words(5.92), "5.92");
  EXPECT_EQ(ms_words(164.3), "164");
}

TEST(CostPage, LogarithmicAxesPutPowersAtEqualDistances) {
  const LogPlot plot{{100, 50, 300, 200}, 16, 4096, 0.01, 100};
  EXPECT_FLOAT_EQ(plot.x(16), 100);
  EXPECT_FLOAT_EQ(plot.x(256), 250);
  EXPECT_FLOAT_EQ(plot.x(4096), 400);
  EXPECT_FLOAT_EQ(plot.y(1), 150);
  EXPECT_FLOAT_EQ(plot.y(0), 250);
}

TEST(CostPage, NothingComputedYet) {
  CostScene s;
  s.results.cost = nullptr;
  draw::RecordCanvas canvas;
  EXPECT_EQ(cost_page(canvas, {0, 0, 800, 500}, s.input()), 500);
  EXPECT_TRUE(says(canvas, "being counted"));
  EXPECT_EQ(cost_words(s.input()), "");
}

}  // namespace
}  // namespace headlight::views
