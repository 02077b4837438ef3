// The Softmax page as it is computed, drawn and dragged.
#include <gtest/gtest.h>

#include "draw/both_canvas.h"
#include "draw/record_canvas.h"
#include "pages/softmax/softmax.h"
#include "pictures/pages.h"
#include "session/gestures.h"
#include "session/session.h"
#include "views/page_checks.h"

namespace headlight::app {
namespace {

class SoftmaxPageTest : public testing::Test {
 protected:
  void set(const std::string& scores, double temperature = 1) {
    scene::Scene scene = session_.scene();
    scene.page = scene::Page::softmax;
    scene.softmax.scores = scores, scene.softmax.temperature = temperature;
    session_.change(scene, "", 0);
    session_.wait();
  }
  Session session_{{.scene = {}, .autosave = {}}};
};

TEST_F(SoftmaxPageTest, NoTextCoversAnotherAtAnySize) {
  for (const char* scores :
       {"1", "2;1;0.5;-1", "3;2;1;0;-1;-2;-3;5;4;2;1;7", "-9999;9999;12.345", "0;0;0;0;0;0;0;0;0", "x"}) {
    for (const double temperature : {0.01, 1.0, 100.0}) {
      set(scores, temperature);
      for (const auto& [width, height] :
           {std::pair{500.f, 400.f}, {1044.f, 588.f}, {1340.f, 850.f}, {2400.f, 1400.f}}) {
        draw::RecordCanvas canvas;
        const float needed =
            page_info(scene::Page::softmax)
                .view.draw(canvas, {0, 0, width, height}, page_input(session_, draw::theme(true)));
        EXPECT_EQ(views::test::text_trouble(canvas, width, needed), "") << scores << " at " << width;
      }
    }
  }
}

/// A column that is dragged to where its score stands stays; higher up its score and its weight are larger.
TEST_F(SoftmaxPageTest, EveryScoreIsDraggedByItsColumn) {
  set("2;1;0.5;-1");
  draw::RecordCanvas measure;
  draw::PickCanvas pick({-1, -1}, measure);
  page_info(scene::Page::softmax).view.draw(pick, {0, 0, 1044, 588}, page_input(session_, draw::theme(true)));
  int columns = 0, numbers = 0;
  for (const auto& target : pick.targets()) {
    numbers += target.mark.part == draw::Part::number;
    if (target.mark.part != draw::Part::plane || target.mark.query != columns) continue;
    const draw::Box area = target.mark.area;
    const auto top = drag(session_.scene(), target.mark, {area.centre().x, area.y});
    ASSERT_TRUE(top);
    const auto middle = drag(session_.scene(), target.mark, area.centre());
    ASSERT_TRUE(middle);
    const double before =
        session_.results().own_as<scene::SoftmaxResults>()->row.weights[static_cast<std::size_t>(columns)];
    Session moved({.scene = *top, .autosave = {}});
    moved.wait();
    const auto* after = moved.results().own_as<scene::SoftmaxResults>();
    ASSERT_TRUE(after);
    EXPECT_DOUBLE_EQ(after->scores[static_cast<std::size_t>(columns)], 4);
    EXPECT_GT(after->row.weights[static_cast<std::size_t>(columns)], before);
    EXPECT_NE(middle->softmax.scores, session_.scene().softmax.scores);
    ++columns;
  }
  EXPECT_EQ(columns, 4);
  EXPECT_EQ(numbers, 4);
}

}  // namespace
}  // namespace headlight::app
