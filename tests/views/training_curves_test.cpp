// The plots of the Training page: curves, lengths and removed heads lie where the snapshot's numbers say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <set>
#include <sstream>

#include "page_checks.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"
#include "training_fixture.h"

namespace headlight::views::test::training_curves_test {
namespace {

/// Points of the first polyline with this colour and width.
std::vector<draw::Point> polyline(const draw::RecordCanvas& canvas, draw::Color color,
                                  const std::string& width, std::string* stroke = nullptr) {
  char hex[16];
  std::snprintf(hex, sizeof hex, "%02x%02x%02xff %s", color.r, color.g, color.b, width.c_str());
  const std::string start = std::string("polyline ") + hex;
  for (const std::string& line : canvas.lines) {
    if (line.rfind(start, 0) != 0) continue;
    std::istringstream in(line.substr(start.size()));
    std::string word;
    std::vector<float> numbers;
    while (in >> word) {
      if (word == "dash") {
        in >> word;
        if (stroke) *stroke = word;
      } else {
        numbers.push_back(std::strtof(word.c_str(), nullptr));
      }
    }
    std::vector<draw::Point> points;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) points.push_back({numbers[i], numbers[i + 1]});
    return points;
  }
  return {};
}

/// In a wide card the scores stand beside the losses and the numbers beside both, so that all are high.
TEST(TrainingCurves, AWideCardHasItsPlotsSideBySide) {
  const TrainingScene s{TrainingCase{}};
  const auto place = [&](float width, const std::string& words) {
    draw::RecordCanvas canvas;
    const PageInput in = s.input();
    training_curves_card(TrainingView(canvas, in), {0, 0, width, 330});
    for (const auto& text : canvas.texts)
      if (text.words == words) return text.at;
    return draw::Point{-1, -1};
  };
  for (const float width : {2000.f, 2150.f}) {
    const draw::Point loss = place(width, "loss, nats"), score = place(width, "exact match, %"),
                      held = place(width, "held-out");
    EXPECT_GT(loss.x, 0);
    EXPECT_NEAR(loss.y, score.y, 12) << width;
    EXPECT_GT(score.x, width * 0.4f);
    EXPECT_GT(held.x, score.x);
    EXPECT_LT(held.y, 100);
  }
  const draw::Point loss = place(1300, "loss, nats"), score = place(1300, "exact match, %");
  EXPECT_GT(score.y, loss.y + 50) << "below each other";
}

TEST(TrainingCurves, CurvesLieWhereTheNumbersSay) {
  for (const TrainingScene& s : {TrainingScene(TrainingCase{}), trained()}) {
    const Page drawn = page(s);
    ASSERT_EQ(s.snapshot->runs.size(), 2u);
    for (int r = 0; r < 2; ++r) {
      const auto& curve = s.snapshot->runs[static_cast<std::size_t>(r)].validation;
      const auto points = polyline(drawn.canvas, run_color(s.input().theme, r), "2.2");
      ASSERT_EQ(points.size(), curve.size());
      // A straight map from steps to x and from losses to y, fixed by two of the points.
      const std::size_t a = 0, b = curve.size() - 1;
      const double per_step =
          static_cast<double>(points[b].x - points[a].x) / (curve[b].step - curve[a].step);
      const double per_loss = static_cast<double>(points[b].y - points[a].y) /
                              static_cast<double>(curve[b].value - curve[a].value);
      EXPECT_LT(per_loss, 0);  // upwards
      for (std::size_t i = 0; i < curve.size(); ++i) {
        EXPECT_NEAR(static_cast<double>(points[i].x),
                    static_cast<double>(points[a].x) + per_step * (curve[i].step - curve[a].step), 0.25);
        EXPECT_NEAR(static_cast<double>(points[i].y),
                    static_cast<double>(points[a].y) +
                        per_loss * static_cast<double>(curve[i].value - curve[a].value),
                    0.25);
      }
    }
  }
}

/// Held-out loss goes up again: the lowest is marked where the numbers say, and a click shows the nearest
/// kept step.
TEST(TrainingCurves, TheLowestHeldOutLossIsAClickAway) {
  TrainingScene s(TrainingCase{});
  auto& curve = s.change().runs[0].validation;
  ASSERT_GT(curve.size(), 12u);
  for (std::size_t i = 8; i < curve.size(); ++i)
    curve[i].value = curve[7].value + 0.05f * static_cast<float>(i - 7);
  float lowest = curve[0].value;
  int step = 0;
  for (const auto& point : curve)
    if (point.value < lowest) lowest = point.value, step = point.step;
  const Page drawn = page(s);
  const draw::Mark mark = control(drawn.canvas, "lowest held-out loss");
  EXPECT_TRUE(says(drawn.canvas,
                   "lowest " + loss_words(static_cast<double>(lowest)) + " at step " + std::to_string(step)));
  EXPECT_TRUE(says(page(s, 480, 900).canvas, "lowest " + loss_words(static_cast<double>(lowest))))
      << "the tooltip has the step";
  const auto& film = s.snapshot->runs[0].film;
  int nearest = film.front().step;
  for (const auto& frame : film)
    if (std::abs(frame.step - step) < std::abs(nearest - step)) nearest = frame.step;
  EXPECT_EQ(mark.set, "training_shown_step=" + std::to_string(nearest));
  const auto points = polyline(drawn.canvas, run_color(s.input().theme, 0), "2.2");
  const auto at = std::find_if(points.begin(), points.end(), [&](draw::Point p) {
    return std::all_of(points.begin(), points.end(), [&](draw::Point q) { return q.y <= p.y; });
  });
  ASSERT_NE(at, points.end());
  EXPECT_TRUE(mark.area.has(*at));
  // While the run goes on and the latest is the lowest, nothing got worse, and nothing is marked.
  curve.back().value = 0.0001f;
  const Page falling = page(s);
  EXPECT_EQ(control(falling.canvas, "lowest held-out loss").part, draw::Part::none);
  s.change().state = scene::TrainingState::finished;
  const Page ended = page(s);
  EXPECT_EQ(control(ended.canvas, "lowest held-out loss").set, "training_shown_step=-1");
}

TEST(TrainingCurves, LengthsLieWhereTheNumbersSay) {
  TrainingScene s(TrainingCase{});
  s.scene.training.plot = scene::TrainingPlot::lengths;
  for (std::size_t r = 0; r < 2; ++r) {
    scene::RunSnapshot& run = s.snapshot->runs[r];
    run.config.context = 12;
    run.lengths = {{6, 0.25 + 0.5 * static_cast<double>(r), 1.5, true},
                   {12, 0.875, 0.0625, true},
                   {24, 0.125, 3.25, true},
                   {48, 0, 0, r == 0}};
  }
  const Page drawn = page(s);
  for (int r = 0; r < 2; ++r) {
    const auto points = polyline(drawn.canvas, run_color(s.input().theme, r), "2.2");
    ASSERT_EQ(points.size(), r == 0 ? 4u : 3u);  // a length without positions has no point
    const auto& lengths = s.snapshot->runs[static_cast<std::size_t>(r)].lengths;
    // Doublings are equally far apart; a score of 1 is as far above 0 for both runs.
    EXPECT_NEAR(points[1].x - points[0].x, points[2].x - points[1].x, 0.25f);
    const float high = (points[0].y - points[1].y) / static_cast<float>(lengths[1].score - lengths[0].score);
    EXPECT_GT(high, 20);
    EXPECT_NEAR((points[2].y - points[1].y) / static_cast<float>(lengths[1].score - lengths[2].score), high,
                0.5f);
  }
  EXPECT_TRUE(says(drawn.canvas, "75.0"));
  EXPECT_TRUE(says(drawn.canvas, "no rows"));
  EXPECT_TRUE(says(drawn.canvas, "trained"));
  s.snapshot->runs[0].lengths.clear(), s.snapshot->runs[1].lengths.clear();
  EXPECT_TRUE(says(page(s).canvas, "Not measured yet"));
}

TEST(TrainingCurves, HeadsRemovedLieWhereTheNumbersSay) {
  TrainingScene s(TrainingCase{.layers = 1, .heads = 3});
  s.scene.training.plot = scene::TrainingPlot::pruning;
  EXPECT_TRUE(says(page(s).canvas, "Not measured yet"));
  for (scene::RunSnapshot& run : s.snapshot->runs)
    run.pruning = {480,
                   0.9375,
                   0.25,
                   {{0, 0, 0.125, 2}, {0, 1, 0.5, 1}, {0, 2, 0.875, 0.5}},
                   {{0, 2, 0.875, 0.5}, {0, 1, 0.25, 1.5}, {0, 0, 0.0625, 3}}};
  const Page drawn = page(s);
  const auto points = polyline(drawn.canvas, run_color(s.input().theme, 0), "2.2");
  ASSERT_EQ(points.size(), 4u);  // with every head, then after each that is removed
  const double scores[] = {0.9375, 0.875, 0.25, 0.0625};
  const float per_score = (points[3].y - points[0].y) / static_cast<float>(scores[0] - scores[3]);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(points[i].y, points[0].y + per_score * static_cast<float>(scores[0] - scores[i]), 0.5f);
    EXPECT_NEAR(points[i].x, points[0].x + (points[3].x - points[0].x) * static_cast<float>(i) / 3, 0.5f);
  }
  int bars = 0;
  for (const draw::Mark& mark : drawn.canvas.marks) {
    if (mark.name.rfind("without ", 0) != 0 || mark.note.find("loss") == std::string::npos) continue;
    ++bars;
    const char* score = bars == 1 ? "93.8 %" : bars == 2 ? "12.5 %" : bars == 3 ? "50.0 %" : "87.5 %";
    EXPECT_NE(mark.note.find(score), std::string::npos) << mark.note;
  }
  EXPECT_EQ(bars, 4);
  EXPECT_TRUE(says(drawn.canvas, "layer.head: 1.3, 1.2, 1.1"));
}

TEST(TrainingCurves, RunsDifferInMoreThanColour) {
  TrainingScene s = relations();
  const Page drawn = page(s);
  std::set<std::string> dashes;
  for (int r = 0; r < 4; ++r) {
    std::string dash = "solid";
    EXPECT_FALSE(polyline(drawn.canvas, run_color(s.input().theme, r), "2.2", &dash).empty());
    EXPECT_TRUE(dashes.insert(dash).second) << dash;
  }
  std::set<std::string> shapes;
  for (int r = 0; r < 4; ++r) {
    draw::RecordCanvas canvas;
    run_marker({canvas, s.input().theme}, {50, 50}, r);
    const std::string& last = canvas.lines.back();
    shapes.insert(last.substr(0, last.find(' ')) + std::to_string(std::count(last.begin(), last.end(), ' ')));
  }
  EXPECT_EQ(shapes.size(), 4u);
}

TEST(TrainingCurves, ANumberThatIsNoneBreaksTheLine) {
  const TrainingScene s = failed();
  for (const std::string& line : page(s).canvas.lines) {
    if (line.rfind("polyline", 0) == 0 || line.rfind("rect", 0) == 0 || line.rfind("circle", 0) == 0) {
      EXPECT_EQ(line.find("nan"), std::string::npos) << line;
    }
  }
}

/// Whatever a snapshot holds, the picture is of its own size.
TEST(TrainingCurves, CurvesOfAnyNumbersAreDrawnWithinTheirPlot) {
  const std::size_t honest = page(TrainingScene(TrainingCase{})).canvas.lines.size();
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN(),
                  most = std::numeric_limits<float>::max();
  for (const int step : {-1'000'000'000, std::numeric_limits<int>::min(), -1, 5}) {
    for (const float value : {-most, most, inf, nan, 1e-45f, -1.f}) {
      TrainingScene s(TrainingCase{});
      for (scene::RunSnapshot& run : s.snapshot->runs) {
        for (auto* curve : {&run.loss, &run.validation, &run.score}) {
          if (curve->empty()) continue;
          curve->front() = {step, value, value, value};
          (*curve)[curve->size() / 2] = {step, value, -value, value};
        }
      }
      const Page drawn = page(s);
      EXPECT_LT(drawn.canvas.lines.size(), 2 * honest) << step << " " << value;
      for (const std::string& line : drawn.canvas.lines) {
        if (line.rfind("polyline", 0) != 0) continue;
        std::istringstream in(line.substr(line.find(' ', 10)));
        for (double number = 0; in >> number;) EXPECT_LT(number, 1e6) << line;
      }
    }
  }
}

}  // namespace
}  // namespace headlight::views::test::training_curves_test
