// The Cost page: it fits at every size, its controls are real, its numbers are those of the results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "cost_fixture.h"
#include "kit/curve.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/cost/cost.h"
#include "pages/cost/view/page.h"
#include "pages/cost/view/sheet.h"
#include "position_spy.h"

namespace headlight::views::cost_page_test {
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

TEST(CostPage, SaysWhatAStandardLayerLeavesOutOfAModel) {
  scene::CostResults results;
  EXPECT_EQ(of_model_words(results), "");
  results.model = "llama";
  const std::string plain = of_model_words(results);
  EXPECT_EQ(plain, "a standard layer with the width, heads and layers of llama");
  results.shared_keys = true;
  EXPECT_EQ(of_model_words(results), plain + ", whose heads share keys and values");
  results.layers_differ = true;
  EXPECT_EQ(of_model_words(results),
            plain + ", whose heads share keys and values, whose layers differ in width");
  results.shared_keys = false;
  EXPECT_EQ(of_model_words(results), plain + ", whose layers differ in width");
}

TEST(CostPage, AWideScreenHoldsEverythingAndALargeOneHasTheTablesOnItsSecond) {
  draw::RecordCanvas canvas;
  for (const float width : {1500.f, 1640.f})
    EXPECT_EQ(cost_page(canvas, {0, 0, width, 1300}, CostScene().input()), 1300);
  const float both = cost_page(canvas, {0, 0, 2400, 1300}, CostScene().input());
  EXPECT_GT(both, 1.9f * 1300);
  EXPECT_LE(both, 2 * 1300);
}

TEST(CostPage, ALowerOneGivesItsFirstScreenToTheCurves) {
  draw::RecordCanvas canvas;
  for (const float width : {1500.f, 1640.f, 1856.f})
    EXPECT_GT(cost_page(canvas, {0, 0, width, 860}, CostScene().input()), 860);
}

/// The length is n as in its setting: in every card, in the notes, in the description and in what is
/// exported.
TEST(CostPage, OneLetterIsTheLength) {
  CostScene s;
  s.measure(9, false);
  draw::RecordCanvas canvas;
  cost_page(canvas, {0, 0, 1640, 900}, s.input());
  std::string all;
  for (const auto& text : canvas.texts) all += text.words + "\n";
  for (const draw::Mark& mark : canvas.marks) all += mark.note + "\n";
  all += plain::describe_cost(s.input(), 1);
  for (const char* other : {"length T", "T = ", "T × T", "T²", "\nT\n", "T ≤", "  T  "})
    EXPECT_EQ(all.find(other), std::string::npos) << other;
  for (const char* ours : {"length n", "all n × n maps", "n² · bytes", "GiB holds n ≤ ", "n = 512\n"})
    EXPECT_NE(all.find(ours), std::string::npos) << ours;
}

TEST(CostPage, SaysTheNumbers) {
  draw::RecordCanvas canvas;
  CostScene s;
  s.measure(9, false);
  cost_page(canvas, {0, 0, 1340, 850}, s.input());
  // Operations, counts, both paths of a convolution, hops.
  for (const char* words : {"122,880", "40,960", "6,400", "81,920", "12,800", "stacked", "dilated", "n − 1",
                            "7 layers", "7 steps", "1 hop", "6.4 times that", "2.2 times those"})
    EXPECT_TRUE(says(canvas, words)) << words;
  // The source's memory table, T = 512, 2,048 … 131,072, one map and all of them; and the lengths between.
  for (const char* words : {"512 KiB", "256 MiB", "8 MiB", "4 GiB", "128 MiB", "64 GiB", "2 GiB", "1 TiB",
                            "32 GiB", "16 TiB", "n ≤ 9,158", "65,536"})
    EXPECT_TRUE(says(canvas, words)) << words;
  // The printed times are there, and called another machine's.
  for (const char* words : {"0.13", "1.43", "5.92", "2.19", "1.7×", "6.8×", "another machine"})
    EXPECT_TRUE(says(canvas, words)) << words;
  // The whole layer with its projections, 2 n² d + 4 n d²; linear attention, 6 n d²; 16 heads.
  for (const char* words : {"176,640", "245,760", "in 16 heads", "Linear attention", "2 n² d + 4 n d²"})
    EXPECT_TRUE(says(canvas, words)) << words;
  EXPECT_TRUE(says(canvas, "6.96"));  // 0.0017 · 4096 ms, measured
  EXPECT_FALSE(says(canvas, "not measured yet"));
}

std::string everything(const draw::RecordCanvas& canvas) {
  std::string all;
  for (const auto& text : canvas.texts) all += text.words + " ";
  return all;
}

/// The cells right of `first` on the first line of the table where it stands.
std::vector<std::string> line_of(const draw::RecordCanvas& canvas, const std::string& first) {
  std::vector<std::string> cells;
  for (const auto& start : canvas.texts) {
    const bool cell = start.style.font == draw::Font::mono || first == "source";  // no number of an axis
    if (start.words != first || !cell || !cells.empty()) continue;
    for (const auto& text : canvas.texts) {
      if (text.at.y == start.at.y && text.at.x > start.at.x) cells.push_back(text.words);
    }
  }
  return cells;
}

TEST(CostPage, TheTableOfTimesHoldsEveryCurveAndTheirRatio) {
  CostScene s;
  s.measure(9, false);
  using Cells = std::vector<std::string>;
  for (const float w : {1340.f, 1010.f, 960.f, 352.f}) {
    SCOPED_TRACE(w);
    draw::RecordCanvas canvas;
    const PageInput in = s.input();
    const CostSheet sheet{
        {canvas, in.theme, nullptr}, in, *s.results.own_as<scene::CostResults>(), s.scene.cost};
    cost_times_card(sheet, {0, 0, w > 900 ? (w - 36) / 2 : w - 24, w > 900 ? 404.f : 640.f});
    // 0.0017 · T, 4 · 10⁻⁶ · T² and 4.4 · 10⁻⁶ · T² ms; the first over the second.
    EXPECT_EQ(line_of(canvas, "256"), (Cells{"0.44", "0.26", "0.29", "1.7×"}));
    EXPECT_EQ(line_of(canvas, "4,096"), (Cells{"6.96", "67.1", "73.8", "0.1×"}));
    EXPECT_EQ(line_of(canvas, "source"), (Cells{"0.13", "0.08", "1.6×"}));
    const std::string all = everything(canvas);
    for (const char* name : {"recurrence", "self-attention", "the same, tiled", "pale, rings: source",
                             "ratio", "the fastest of 23 to 33 runs"})
      EXPECT_NE(all.find(name), std::string::npos) << name;
    // What each time is the fastest of, under the pointer.
    const bool message = std::any_of(canvas.marks.begin(), canvas.marks.end(), [](const draw::Mark& mark) {
      return mark.note.find("recurrence 0.027 ms, fastest of 31") != std::string::npos;
    });
    EXPECT_TRUE(message);
  }
}

/// Whoever does not tell the colours apart tells the lines by their dashes: no two of one plot have the same.
TEST(CostPage, CurvesOfOnePlotDifferInMoreThanTheirColour) {
  std::set<float> dashes;
  const auto all = {nn::Architecture::self_attention, nn::Architecture::convolution,
                    nn::Architecture::linear_attention, nn::Architecture::recurrence};
  for (const nn::Architecture one : all) dashes.insert(series_dash(layer_place(one)));
  EXPECT_EQ(dashes.size(), all.size());
  EXPECT_NE(series_dash(tiled_place), series_dash(layer_place(nn::Architecture::self_attention)));
  EXPECT_NE(series_dash(tiled_place), series_dash(layer_place(nn::Architecture::recurrence)));
}

TEST(Plot, EightSeriesDifferInDashOrMark) {
  std::set<std::string> looks;
  const draw::Theme theme = draw::theme(true);
  for (int place = 0; place < 8; ++place) {
    draw::RecordCanvas canvas;
    series_mark(Pen{canvas, theme, nullptr}, {0, 0}, theme.text, place);
    std::string look = std::to_string(series_dash(place));
    for (const std::string& line : canvas.lines) look += "\n" + line;
    looks.insert(look);
  }
  EXPECT_EQ(looks.size(), 8u);
}

TEST(CostPage, SaysHowFarAMeasurementIs) {
  CostScene s;
  s.measure(4, true);
  draw::RecordCanvas canvas;
  cost_page(canvas, {0, 0, 1340, 850}, s.input());
  EXPECT_TRUE(says(canvas, "4 of 9 lengths are done, about 3 s left"));
  s.measure(0, false);
  draw::RecordCanvas stopped;
  cost_page(stopped, {0, 0, 1340, 850}, s.input());
  EXPECT_TRUE(says(stopped, "stopped before the first measurement"));
}

TEST(CostPage, SaysWhatEachNumberCounts) {
  draw::RecordCanvas canvas;
  cost_page(canvas, {0, 0, 1340, 850}, CostScene().input());
  const std::string all = everything(canvas);
  for (const char* words :
       {"hence the factor 2", "= 2 n d²", "4 n d²", "One multiply-add is two FLOP",
        "1,600 exponentials in 16 heads, 100 in one", "1 position per layer, so 7 positions need 7 layers",
        "depends on both ends after 4 layers: 1\u00a0+\u00a04·(k\u00a0−\u00a01)\u00a0=\u00a09\u00a0≥\u00a08 "
        "positions",
        "The maximum path length, over all 10 positions, is 9: O(n/k)"})
    EXPECT_NE(all.find(words), std::string::npos) << words;
  scene::CostSettings dilated;
  dilated.convolution = scene::CostConvolution::dilated, dilated.kernel = scene::CostKernel::one_sided;
  const CostScene s(dilated);
  draw::RecordCanvas other;
  cost_page(other, {0, 0, 1340, 850}, s.input());
  for (const char* words :
       {"has gaps of 3 to the power l, so 7 positions need 2 layers",
        "The maximum path length, over all 10 positions, is 3: O(logₖ n)", "gaps 1, 3, 9 …"})
    EXPECT_NE(everything(other).find(words), std::string::npos) << words;
}

/// Stacked and dilated kernels are drawn with the same geometry: the lines that enter one unit of the first
/// layer come from both sides, or from the unit itself and what is before it.
TEST(CostPage, OneSwitchMovesTheKernelsOfBothKinds) {
  for (const scene::CostConvolution kind :
       {scene::CostConvolution::stacked, scene::CostConvolution::dilated}) {
    for (const scene::CostKernel kernel : {scene::CostKernel::centred, scene::CostKernel::one_sided}) {
      scene::CostSettings settings;
      settings.convolution = kind, settings.kernel = kernel;
      const CostScene s(settings);
      test::SpyCanvas canvas;
      const PageInput in = s.input();
      cost_paths_card(
          {{canvas, in.theme, nullptr}, in, *s.results.own_as<scene::CostResults>(), s.scene.cost},
          {0, 0, 900, 420});
      // The convolution is the leftmost network: its lines upwards lean to the right, to the left or not.
      int right = 0, left = 0;
      for (const auto& line : canvas.lines) {
        if (line.a.x > 280 || line.b.x > 280 || line.stroke.width > 1 || line.a.y - line.b.y < 20) continue;
        right += line.b.x > line.a.x + 1, left += line.b.x < line.a.x - 1;
      }
      EXPECT_GT(right, 5);
      EXPECT_EQ(left > 0, kernel == scene::CostKernel::centred);
    }
  }
}

TEST(CostPage, TheCurvesHoldTheNumbersOfEveryLength) {
  draw::RecordCanvas canvas;
  cost_page(canvas, {0, 0, 1340, 850}, CostScene().input());
  const bool message = std::any_of(canvas.marks.begin(), canvas.marks.end(), [](const draw::Mark& mark) {
    return mark.name == "growth 64" && mark.note.find("linear attention 1,572,864") != std::string::npos &&
           mark.note.find("self-attention 1,572,864") != std::string::npos;  // they meet at n = d
  });
  EXPECT_TRUE(message);
  EXPECT_TRUE(says(canvas, "Cost by length"));
}

TEST(CostPage, NoNumberIsCutHoweverLargeOrNarrow) {
  scene::CostSettings s;
  s.n = 131072, s.d = 1024, s.k = 15, s.batch = 1024, s.heads = s.layers = 128;
  for (const scene::CostSettings& settings : {scene::CostSettings{}, s}) {
    for (const Size size : {Size{1340, 850}, Size{1010, 560}, Size{352, 230}}) {
      CostScene scene(settings);
      scene.measure(9, false);
      draw::RecordCanvas canvas;
      cost_page(canvas, {0, 0, size.w, size.h}, scene.input());
      for (const auto& text : canvas.texts) {
        const bool number = !text.words.empty() && std::isdigit(static_cast<unsigned char>(text.words[0]));
        EXPECT_FALSE(number && text.words.find("…") != std::string::npos) << text.words << " at " << size.w;
      }
    }
  }
  // Counted at a smaller size, which is said, and the longest path in whole numbers.
  s.k = 3;
  draw::RecordCanvas large;
  cost_page(large, {0, 0, 1044, 560}, CostScene(s).input());
  for (const char* words : {"at a smaller size", "131,071", "17"}) EXPECT_TRUE(says(large, words)) << words;
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true), nullptr};
  put_number(pen, {0, 0}, 122880, mono_style({}, 14), 200);
  put_number(pen, {0, 0}, 15.0 * 131072 * 1024 * 1024, mono_style({}, 14), 70);
  put_number(pen, {0, 0}, 9.997e11, mono_style({}, 14), 70);
  EXPECT_EQ(canvas.texts[0].words, "122,880");
  EXPECT_EQ(canvas.texts[1].words, "2.06·10¹²");
  EXPECT_EQ(canvas.texts[2].words, "1.00·10¹²");
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
  EXPECT_TRUE(says(canvas, "only from left to right"));
}

TEST(CostPage, ACountThatDisagreesHasACross) {
  CostScene s;
  auto wrong = std::make_shared<scene::CostResults>(*s.results.own_as<scene::CostResults>());
  wrong->layers[0].by_running = 12801;
  s.results.own = wrong;
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
  const Plot plot = log_plot({100, 50, 300, 200}, 16, 4096, 0.01, 100);
  EXPECT_FLOAT_EQ(plot.x(16), 100);
  EXPECT_FLOAT_EQ(plot.x(256), 250);
  EXPECT_FLOAT_EQ(plot.x(4096), 400);
  EXPECT_FLOAT_EQ(plot.y(1), 150);
  EXPECT_FLOAT_EQ(plot.y(0), 250);
}

TEST(CostPage, NothingComputedYet) {
  CostScene s;
  s.results.own = nullptr;
  draw::RecordCanvas canvas;
  EXPECT_EQ(cost_page(canvas, {0, 0, 800, 500}, s.input()), 500);
  EXPECT_TRUE(says(canvas, "Counting the costs"));
  EXPECT_EQ(cost_words(s.input()), "");
}

}  // namespace
}  // namespace headlight::views::cost_page_test
