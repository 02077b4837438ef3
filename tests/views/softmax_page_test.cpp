// The Softmax page: its bars have the heights of what was computed, at every size.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "page_checks.h"
#include "pages/softmax/softmax.h"
#include "pages/softmax/view/page.h"
#include "quantities.h"
#include "support/computed_scene.h"

namespace headlight::views::softmax_page_test {
namespace {

/// The page with the scores that it starts with.
draw::RecordCanvas record(float width, float height, std::vector<double>* exponentials,
                          std::vector<double>* weights) {
  const scene::Scene scene = scene::page_scene(scene::Page::softmax);
  const scene::Results results = scene::known_results(scene);
  const auto* r = results.own_as<scene::SoftmaxResults>();
  *exponentials = r->row.exponentials, *weights = r->row.weights;
  draw::RecordCanvas canvas;
  softmax_page(canvas, {0, 0, width, height},
               with_numbers({scene, results, nullptr, nullptr, draw::theme(true), true}));
  return canvas;
}

constexpr std::pair<float, float> sizes[] = {{592.f, 290.f},  {740.f, 400.f},  {789.f, 380.f},
                                             {1003.f, 580.f}, {1216.f, 600.f}, {1536.f, 880.f}};

TEST(SoftmaxPage, ExponentialsAndWeightsHaveOneScale) {
  for (const auto& [width, height] : sizes) {
    std::vector<double> exponentials, weights;
    const draw::RecordCanvas canvas = record(width, height, &exponentials, &weights);
    // The last bars drawn in the hero, in the order of the rows.
    std::vector<draw::Box> bars;
    bool hero = false;
    for (const std::string& line : canvas.lines) {
      std::istringstream words(line);
      std::string kind;
      draw::Box box;
      words >> kind;
      if (line.find("exp(s/τ − m)") != std::string::npos) hero = true;
      if (line.find("exp(s/τ − m) / Σ") != std::string::npos) hero = true;
      if (kind != "rect" || !hero || bars.size() == exponentials.size() + weights.size()) continue;
      words >> box.x >> box.y >> box.w >> box.h;
      bars.push_back(box);
    }
    ASSERT_EQ(bars.size(), exponentials.size() + weights.size()) << width;
    const double unit = static_cast<double>(bars.front().h) / exponentials.front();
    EXPECT_GT(unit, 20) << width << "×" << height;
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const double value = i < exponentials.size() ? exponentials[i] : weights[i - exponentials.size()];
      EXPECT_NEAR(static_cast<double>(bars[i].h), std::max(1.0, value * unit), 0.11) << width << " bar " << i;
    }
  }
}

/// A number of a score is inside the column that the score is dragged in, or outside it.
TEST(SoftmaxPage, NumbersOfScoresDoNotCrossTheEdgeOfTheirColumn) {
  for (const auto& [width, height] : sizes) {
    std::vector<double> exponentials, weights;
    const draw::RecordCanvas canvas = record(width, height, &exponentials, &weights);
    int columns = 0;
    for (const draw::Mark& column : canvas.marks) {
      if (column.part != draw::Part::plane || !column.name.starts_with("score ")) continue;
      ++columns;
      for (const draw::Mark& number : canvas.marks) {
        if (number.part != draw::Part::number || number.query != column.query) continue;
        const float middle = number.area.centre().y, half = 6;
        const bool inside = middle - half >= column.area.y && middle + half <= column.area.bottom();
        const bool outside = middle + half <= column.area.y || middle - half >= column.area.bottom();
        EXPECT_TRUE(inside || outside) << column.name << " at " << width << "×" << height;
      }
    }
    EXPECT_EQ(columns, 4);
  }
}

}  // namespace
}  // namespace headlight::views::softmax_page_test
