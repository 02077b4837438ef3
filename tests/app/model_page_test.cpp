// The Model page as it is computed, drawn and clicked.
#include <gtest/gtest.h>

#include "app/gestures.h"
#include "app/pages.h"
#include "app/session.h"
#include "draw/both_canvas.h"
#include "draw/record_canvas.h"
#include "pages/model/atlas.h"
#include "scene/settings.h"
#include "views/page_checks.h"

namespace headlight::app {
namespace {

class ModelPageTest : public testing::Test {
 protected:
  void set(const std::vector<std::string>& assignments) {
    scene::Scene scene;
    scene.page = scene::Page::model;
    for (const std::string& assignment : assignments)
      ASSERT_TRUE(scene::set_field(scene, assignment)) << assignment;
    scene::repair(scene);
    session_.change(scene, "", 0);
    session_.wait();
  }
  float draw(draw::Canvas& canvas, float width, float height) {
    return page_info(scene::Page::model)
        .view.draw(canvas, {0, 0, width, height}, page_input(session_, draw::theme(true)));
  }
  Session session_{{.scene = {}, .autosave = {}}};
};

TEST_F(ModelPageTest, NoTextCoversAnotherAtAnySize) {
  const std::vector<std::vector<std::string>> cases = {
      {},
      {"weights=trained"},
      {"sentence=one"},
      {"sentence="},
      {"heads=32", "model_order=score"},
      {"weights=trained", "model_order=score", "model_score=entropy"},
      {"sentence=the cat sat on a mat", "model_score=induction"},
      {"weights=trained", "model_off=1.1"},
      {"weights=trained", "model_off=1.1 2.3:0.5 2.4", "model_top_k=5"},
      {"weights=trained", "model_off=9.9", "model_top_p=0.7"},
      {"model_detail=components"},
      {"weights=trained", "model_detail=components", "key=2"},
      {"model_detail=components", "query=-1"},
      {"weights=trained", "model_detail=plane"},
      {"model_detail=plane", "sentence=one"}};
  for (const auto& one : cases) {
    set(one);
    for (const auto& [width, height] :
         {std::pair{500.f, 400.f}, {1044.f, 588.f}, {1340.f, 850.f}, {2400.f, 1400.f}}) {
      draw::RecordCanvas canvas;
      const float needed = draw(canvas, width, height);
      EXPECT_EQ(views::test::text_trouble(canvas, width, needed), "")
          << (one.empty() ? "" : one.front()) << " at " << width;
    }
  }
}

/// A click chooses the layer and the head for all pages; on the chosen one it opens Attention.
TEST_F(ModelPageTest, EveryPictureChoosesItsHead) {
  set({"weights=trained"});
  const auto heads_on_page = [&] {
    std::vector<draw::Mark> marks;
    draw::RecordCanvas measure;
    draw::PickCanvas pick({-1, -1}, measure);
    draw(pick, 1044, 588);
    for (const auto& target : pick.targets())
      if (target.mark.name.starts_with("layer ")) marks.push_back(target.mark);
    return marks;
  };
  const scene::Atlas& atlas = *session_.results().own_as<scene::AtlasResults>()->atlas;
  const std::vector<draw::Mark> marks = heads_on_page();
  ASSERT_EQ(marks.size(), static_cast<std::size_t>(atlas.all_heads()));
  for (const draw::Mark& mark : marks) {
    draw::Hit hit;
    hit.mark = mark;
    const auto next = click(session_.scene(), session_.results(), hit, false);
    ASSERT_TRUE(next) << mark.name;
    if (next->page == scene::Page::attention) continue;  // the one that is chosen
    EXPECT_EQ(mark.name,
              "layer " + std::to_string(next->weights_layer) + " head " + std::to_string(next->head.front()));
  }
  draw::Hit last;
  last.mark = marks.back();
  session_.change(*click(session_.scene(), session_.results(), last, false), "", 0);
  session_.wait();
  EXPECT_EQ(session_.scene().weights_layer, atlas.layers());
  EXPECT_EQ(session_.scene().page, scene::Page::model);
  last.mark = heads_on_page().back();
  const auto opened = click(session_.scene(), session_.results(), last, false);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->page, scene::Page::attention);
  EXPECT_EQ(opened->weights_layer, session_.scene().weights_layer);
  EXPECT_EQ(opened->head, session_.scene().head);
}

/// Every factor of the chosen head can be pressed, and the predictions follow.
TEST_F(ModelPageTest, HeadsAreSwitchedOffAndScaled) {
  set({"weights=trained", "weights_layer=2", "head=3"});
  const auto press = [&](const std::string& name) {
    draw::RecordCanvas measure;
    draw::PickCanvas pick({-1, -1}, measure);
    draw(pick, 1200, 700);
    for (const auto& target : pick.targets()) {
      if (target.mark.name != name) continue;
      draw::Hit hit;
      hit.mark = target.mark;
      const auto next = click(session_.scene(), session_.results(), hit, false);
      ASSERT_TRUE(next) << name;
      session_.change(*next, "", 0);
      session_.wait();
      return;
    }
    FAIL() << name << " is not on the page";
  };
  const auto predictions = [&]() -> const scene::Predictions& {
    return session_.results().own_as<scene::AtlasResults>()->predictions;
  };
  press("output off");
  EXPECT_EQ(session_.scene().model.off, "2.3");
  ASSERT_TRUE(predictions().changed);
  EXPECT_EQ(predictions().changed->heads, (std::vector<nn::HeadFactor>{{1, 2, 0}}));
  press("layer 1 head 2"), press("output ×1.5");
  EXPECT_EQ(session_.scene().model.off, "2.3 1.2:1.5");
  EXPECT_EQ(predictions().changed->heads.size(), 2u);
  press("output ×1");
  EXPECT_EQ(session_.scene().model.off, "2.3");
  press("all heads on");
  EXPECT_EQ(session_.scene().model.off, "");
  EXPECT_FALSE(predictions().changed);
}

/// By score the first picture is the head that comes first.
TEST_F(ModelPageTest, TheOrderFollowsTheScore) {
  for (const char* score : {"previous", "first", "itself", "entropy"}) {
    set({"weights=trained", "model_order=score", std::string("model_score=") + score});
    draw::RecordCanvas measure;
    draw::PickCanvas pick({-1, -1}, measure);
    draw(pick, 1044, 588);
    const auto* own = session_.results().own_as<scene::AtlasResults>();
    const std::vector<scene::HeadPlace>& ranked = own->atlas->by(session_.scene().model.score);
    std::size_t place = 0;
    for (const auto& target : pick.targets()) {
      if (!target.mark.name.starts_with("layer ")) continue;
      ASSERT_LT(place, ranked.size());
      EXPECT_EQ(target.mark.name, "layer " + std::to_string(ranked[place].layer + 1) + " head " +
                                      std::to_string(ranked[place].head + 1));
      ++place;
    }
    EXPECT_EQ(place, ranked.size());
  }
}

}  // namespace
}  // namespace headlight::app
