#include "session/gestures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scene/shown.h"
#include "session/session.h"

namespace headlight::app {
namespace {

using draw::Hit;
using draw::Mark;
using draw::Part;
using scene::IndexList;
using scene::Scene;

scene::Results six_tokens() {
  scene::Results results;
  results.attention.T = results.attention.S = 6;
  results.attention.heads = 4;
  return results;
}

Scene clicked(const Scene& scene, Mark mark, bool extend = false) {
  Hit hit;
  hit.mark = std::move(mark);
  return click(scene, six_tokens(), hit, extend).value_or(scene);
}

TEST(ClickHead, SoloThenAllThenCompare) {
  Scene scene;
  scene = clicked(scene, {.part = Part::head, .head = 1});
  EXPECT_EQ(scene.head, (IndexList{2}));
  scene = clicked(scene, {.part = Part::head, .head = 3}, true);
  EXPECT_EQ(scene.head, (IndexList{2, 4}));
  scene = clicked(scene, {.part = Part::head, .head = 1}, true);
  EXPECT_EQ(scene.head, (IndexList{4}));
  scene = clicked(scene, {.part = Part::head, .head = 3});
  EXPECT_TRUE(scene.head.empty());
}

TEST(ClickToken, AskedThenFreedAndSeveralWithShift) {
  Scene scene;
  scene.query = {0};
  scene.key = 3;
  scene = clicked(scene, {.part = Part::query_token, .query = 4});
  EXPECT_EQ(scene.query, (IndexList{4}));
  EXPECT_EQ(scene.key, -1);
  scene = clicked(scene, {.part = Part::query_token, .query = 2}, true);
  EXPECT_EQ(scene.query, (IndexList{4, 2}));
  scene = clicked(scene, {.part = Part::query_token, .query = 4}, true);
  EXPECT_EQ(scene.query, (IndexList{2}));
  scene = clicked(scene, {.part = Part::query_token, .query = 2});
  EXPECT_TRUE(scene.query.empty());
}

TEST(ClickCell, PinsQueryAndKeyAndFreesTheKeyAgain) {
  Scene scene;
  const Mark cell{.part = Part::cell, .head = 0, .query = 3, .key = 5};
  scene = clicked(scene, cell);
  EXPECT_EQ(scene.query, (IndexList{3}));
  EXPECT_EQ(scene.key, 5);
  scene = clicked(scene, cell);
  EXPECT_EQ(scene.query, (IndexList{3}));
  EXPECT_EQ(scene.key, -1);
  scene = clicked(scene, {.part = Part::cell, .head = 0, .query = 1, .key = 2}, true);
  EXPECT_EQ(scene.query, (IndexList{3, 1}));
  EXPECT_EQ(scene.key, 2);
}

TEST(ClickCell, OfComparedHeadsOpensTheOneThatWasClicked) {
  Scene scene;
  scene.head = {1, 3};
  scene = clicked(scene, {.part = Part::cell, .head = 2, .query = 3, .key = 5});
  EXPECT_EQ(scene.cell_head, 3);
  EXPECT_EQ(scene.key, 5);
  // The same pair on the other map is another cell, not the same one again.
  scene = clicked(scene, {.part = Part::cell, .head = 0, .query = 3, .key = 5});
  EXPECT_EQ(scene.cell_head, 1);
  EXPECT_EQ(scene.key, 5);
  scene = clicked(scene, {.part = Part::cell, .head = 0, .query = 3, .key = 5});
  EXPECT_EQ(scene.key, -1);
  // A bar stands for all heads that are compared.
  scene = clicked(scene, {.part = Part::bar, .query = 3, .key = 2});
  EXPECT_EQ(scene.cell_head, 0);
  EXPECT_EQ(scene.key, 2);
  scene.head = {2};
  EXPECT_EQ(clicked(scene, {.part = Part::cell, .head = 1, .query = 3, .key = 5}).cell_head, 0);
}

TEST(ClickControl, MakesEveryAssignmentOrNone) {
  Scene scene;
  scene = clicked(scene, {.part = Part::control, .set = "attention_view=ribbons;bars_sorted=true"});
  EXPECT_EQ(scene.attention.view, scene::AttentionView::ribbons);
  EXPECT_TRUE(scene.attention.bars_sorted);
  scene = clicked(scene, {.part = Part::control, .set = "sentence=1,0;0,1;1,1;heads=8;seed=3"});
  EXPECT_EQ(scene.sentence, "1,0;0,1;1,1");
  EXPECT_EQ(scene.heads, 8);
  EXPECT_EQ(scene.seed, 3);
  const Scene same = clicked(scene, {.part = Part::control, .set = "bars_sorted=false;no_such_field=1"});
  EXPECT_EQ(same, scene);
}

TEST(ClickPosition, RowsColumnsAndClocks) {
  Scene scene;
  scene = clicked(scene, {.part = Part::position_cell, .query = 42, .key = 3});
  EXPECT_EQ(scene.positions.index, 42);
  scene = clicked(scene, {.part = Part::position_column, .key = 12});
  EXPECT_EQ(scene.positions.columns, (IndexList{6, 7, 8, 9, 12}));
  scene = clicked(scene, {.part = Part::position_column, .key = 7});
  EXPECT_EQ(scene.positions.columns, (IndexList{6, 8, 9, 12}));
  scene = clicked(scene, {.part = Part::clock, .key = 9});
  EXPECT_EQ(scene.positions.pair, 9);
}

/// With a first position P begins there; a heatmap counts its rows from 0, marks have positions.
TEST(ClickPosition, FromAFirstPositionOn) {
  Scene scene;
  scene.position_offset = 1000000, scene.positions.index = 1000010;
  EXPECT_EQ(clicked(scene, {.part = Part::position_cell, .query = 42, .key = 3}).positions.index, 1000042);
  EXPECT_EQ(clicked(scene, {.part = Part::position_row, .query = 1000007}).positions.index, 1000007);
  EXPECT_EQ(clicked(scene, {.part = Part::position_row, .query = 7}).positions.index, 1000000);
  scene.page = scene::Page::position;
  EXPECT_EQ(arrow(scene, six_tokens(), Arrow::right).positions.index, 1000011);
  scene.positions.index = 1000059;
  EXPECT_EQ(arrow(scene, six_tokens(), Arrow::right).positions.index, 1000059);
  const Mark axis{.part = Part::position_axis, .area = {100, 0, 590, 200}, .from = 1000000, .to = 1000059};
  EXPECT_EQ(drag(scene, axis, {300, 50})->positions.index, 1000020);
}

TEST(Drag, AnAxisMovesThePositionAndTheOffset) {
  Scene scene;
  const Mark axis{.part = Part::position_axis, .area = {100, 0, 590, 200}, .from = 0, .to = 59};
  EXPECT_EQ(drag(scene, axis, {300, 50})->positions.index, 20);
  EXPECT_EQ(drag(scene, axis, {-50, 50})->positions.index, 0);
  EXPECT_EQ(drag(scene, axis, {5000, 50})->positions.index, 59);
  Mark offset = axis;
  offset.part = Part::offset_axis;
  EXPECT_EQ(drag(scene, offset, {300, 50})->positions.delta, 10);  // i = 10
  EXPECT_FALSE(drag(scene, {.part = Part::head, .head = 1}, {300, 50}));
}

TEST(Number, IsReadAndReplacedInItsMatrix) {
  Scene scene;
  scene.sentence = "1,0;0.5,-2;3,4";  // any text field will do
  const Mark mark{.part = Part::number, .query = 1, .key = 1, .set = "sentence"};
  EXPECT_EQ(typed_at(scene, mark), "-2");
  EXPECT_EQ(with_typed(scene, mark, " 7.5 ")->sentence, "1,0;0.5, 7.5;3,4");
  for (const char* wrong : {"", "x", "1x", "1,x", "nan", "inf"})
    EXPECT_FALSE(with_typed(scene, mark, wrong)) << wrong;
  EXPECT_FALSE(with_typed(scene, {.part = Part::number, .query = 3, .key = 0, .set = "sentence"}, "1"));
}

TEST(Number, SeveralReplaceTheMatrix) {
  Scene scene;
  scene.sentence = "1,0;0.5,-2;3,4";
  const Mark mark{.part = Part::number, .query = 1, .key = 1, .set = "sentence"};
  for (const char* same : {"1,2;3,4", "1 2;3 4", "1 2\n3 4", "1, 2; 3, 4", "1 2 3 4", "1,2,3,4\n"})
    EXPECT_EQ(with_typed(scene, mark, same)->sentence, "1,2;3,4") << same;
  EXPECT_EQ(with_typed(scene, mark, "1 2 3")->sentence, "1,2,3") << "not in rows of two";
  EXPECT_FALSE(several_numbers("1"));
  EXPECT_FALSE(several_numbers("1 x"));
}

TEST(Slot, AClickAsksItsToken) {
  base::Parallel parallel(1);
  Scene scene;
  scene.page = scene::Page::order, scene.order.permutation = {0, 5, 2, 3, 4, 1}, scene.query = {0};
  const auto results = scene::compute_now(scene, parallel, nullptr);
  const draw::Hit hit{.mark = {.part = Part::slot, .query = 1, .set = "order_permutation"}};
  const auto chosen = click(scene, *results, hit, false);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->query, IndexList{5});
  EXPECT_EQ(click(scene, *results, hit, true)->query, (IndexList{0, 5}));
  EXPECT_TRUE(click(*chosen, *results, hit, false)->query.empty());
}

TEST(Text, IsTheSettingWhateverItHolds) {
  Scene scene;
  const Mark mark{.part = Part::text, .set = "variants_sentence_kv"};
  const auto next = with_typed(scene, mark, "a; d_model=8; b = c");
  ASSERT_TRUE(next);
  EXPECT_EQ(next->variants.sentence_kv, "a; d_model=8; b = c");
  EXPECT_EQ(next->d_model, scene.d_model);
  EXPECT_EQ(typed_at(*next, mark), "a; d_model=8; b = c");
  EXPECT_TRUE(with_typed(*next, mark, "")->variants.sentence_kv.empty());
  EXPECT_FALSE(with_typed(scene, {.part = Part::text, .set = "no such setting"}, "a"));
}

TEST(Plane, TheTwoFieldsFollowThePointerAndYGrowsUpwards) {
  Scene scene;
  const Mark mark{.part = Part::plane,
                  .set = "temperature,position_scale",
                  .area = {100, 100, 200, 200},
                  .from = 0,
                  .to = 4};
  const auto next = drag(scene, mark, {150, 150});
  ASSERT_TRUE(next);
  EXPECT_DOUBLE_EQ(next->temperature, 1);
  EXPECT_DOUBLE_EQ(next->position_scale, 3);
}

/// What moves is the query that the page shows as asked; pins beyond the sentence are left.
TEST(ArrowKeys, MoveTheAskedQueryThatIsShown) {
  base::Parallel parallel(1);
  for (const auto& [pins, after] :
       {std::pair<IndexList, IndexList>{{1, 99}, {2}}, {{1, 2, 1}, {2}}, {{99}, {5}}, {{0, 3}, {0, 4}}}) {
    Scene scene;
    scene.query = pins;
    const auto results = scene::compute_now(scene, parallel, nullptr);
    EXPECT_EQ(arrow(scene, *results, Arrow::down).query, after);
  }
}

TEST(Slot, AnEntryMovesAndTheOthersCloseRanks) {
  Scene scene;
  scene.query = {0, 1, 2, 3, 4};
  Mark mark{.part = Part::slot, .query = 1, .set = "query"};
  EXPECT_EQ(reorder(scene, mark, 3, 5)->query, (IndexList{0, 2, 3, 1, 4}));
  scene.query.clear();  // the identity
  EXPECT_EQ(reorder(scene, mark, 0, 5)->query, (IndexList{1, 0, 2, 3, 4}));
  EXPECT_FALSE(reorder(scene, mark, 5, 5));
  // A list for another number of tokens is completed, as it is shown.
  scene.query = {0, 5, 2, 3, 4, 1}, mark.query = 4;
  EXPECT_EQ(reorder(scene, mark, 1, 5)->query, (IndexList{0, 1, 2, 3, 4}));
  EXPECT_EQ(reorder(scene, mark, 0, 8)->query, (IndexList{4, 0, 5, 2, 3, 1, 6, 7}));
  // The page may open with another order than the default list names: a drag begins at what is shown.
  mark.set = "order_permutation", mark.query = 0;
  EXPECT_EQ(reorder(Scene{}, mark, 1, 3, {2, 1, 0})->order.permutation, (IndexList{1, 2, 0}));
}

TEST(HandDrag, TurnsByTheClocksOwnSpeedOverSeveralTurns) {
  Scene scene;
  scene.positions.index = 10;
  const double omega = 1;  // the first pair
  const draw::Point centre{50, 50};
  auto at = [&](double angle) {
    return draw::Point{50 + 30 * static_cast<float>(std::sin(angle)),
                       50 - 30 * static_cast<float>(std::cos(angle))};
  };
  HandDrag hand(scene, centre, omega, at(0.2));
  // Four whole turns clockwise in small steps: 8π positions further.
  for (int i = 1; i <= 80; ++i) scene = hand.move(scene, at(0.2 + i * 8 * std::numbers::pi / 80));
  EXPECT_EQ(scene.positions.index, 35);  // 10 + 25.13
  for (int i = 79; i >= 0; --i) scene = hand.move(scene, at(0.2 + i * 8 * std::numbers::pi / 80));
  EXPECT_EQ(scene.positions.index, 10);
}

TEST(Arrows, MoveThePinOnThePictureAndStopAtItsEdges) {
  const scene::Results results = six_tokens();
  Scene scene;
  scene.query = {2};
  scene.key = 3;
  EXPECT_EQ(arrow(scene, results, Arrow::down).query.back(), 3);
  EXPECT_EQ(arrow(scene, results, Arrow::right).key, 4);
  scene.query_axis = scene::QueryAxis::columns;
  EXPECT_EQ(arrow(scene, results, Arrow::down).key, 4);
  EXPECT_EQ(arrow(scene, results, Arrow::right).query.back(), 3);
  for (int i = 0; i < 10; ++i) scene = arrow(scene, results, Arrow::left);
  EXPECT_EQ(scene.query.back(), 0);
  for (int i = 0; i < 10; ++i) scene = arrow(scene, results, Arrow::down);
  EXPECT_EQ(scene.key, 5);
}

/// Without a pinned key the strongest one is framed: the first arrow leads from there to its neighbour.
TEST(Arrows, BeginAtTheKeyThatIsFramed) {
  Scene scene;
  Session session({.scene = scene});
  session.wait();
  const scene::Results& results = session.results();
  ASSERT_EQ(results.attention.S, 6);
  for (const int query : {0, 3, 5}) {
    scene.query = {query}, scene.key = -1;
    const int framed = scene::opened_key(scene, results, query);
    ASSERT_GE(framed, 0);
    EXPECT_EQ(arrow(scene, results, Arrow::right).key, std::min(framed + 1, 5));
    EXPECT_EQ(arrow(scene, results, Arrow::left).key, std::max(framed - 1, 0));
  }
}

TEST(Arrows, OnThePositionPageMoveThePositionAndThePair) {
  Scene scene;
  scene.page = scene::Page::position;
  EXPECT_EQ(arrow(scene, six_tokens(), Arrow::right).positions.index, 11);
  EXPECT_EQ(arrow(scene, six_tokens(), Arrow::down).positions.pair, 4);
  scene.positions.index = 0;
  scene.positions.pair = 0;
  EXPECT_EQ(arrow(scene, six_tokens(), Arrow::left).positions.index, 0);
  EXPECT_EQ(arrow(scene, six_tokens(), Arrow::up).positions.pair, 0);
}

TEST(HeadKeys, OneToNineAndAll) {
  Scene scene;
  EXPECT_EQ(head_key(scene, 3).head, (IndexList{3}));
  EXPECT_TRUE(head_key(head_key(scene, 3), 3).head.empty());
  EXPECT_TRUE(head_key(head_key(scene, 3), 0).head.empty());
  EXPECT_EQ(head_key(scene, 9), scene);  // there are four
}

TEST(Drag, ASliderSetsAPowerOfTen) {
  Mark mark;
  mark.part = draw::Part::plane, mark.set = "temperature = 10^", mark.area = {100, 50, 80, 16};
  mark.from = -1, mark.to = 1;
  EXPECT_DOUBLE_EQ(drag({}, mark, {140, 58})->temperature, 1);
  EXPECT_DOUBLE_EQ(drag({}, mark, {500, 58})->temperature, 10);
  EXPECT_DOUBLE_EQ(drag({}, mark, {0, 58})->temperature, 0.1);
  EXPECT_DOUBLE_EQ(drag({}, mark, {160, 58})->temperature, 3.2);
}

TEST(Slider, AKeyNeverMovesAValueTheOtherWay) {
  Mark mark;
  mark.part = draw::Part::plane, mark.set = "temperature = 10^", mark.area = {100, 50, 80, 16};
  mark.from = -1, mark.to = 1;
  Scene scene;
  const auto at = [&](double temperature, int steps) {
    scene.temperature = temperature;
    return step_slider(scene, mark, steps).value_or(scene).temperature;
  };
  EXPECT_DOUBLE_EQ(at(1, 1), 1.1);
  EXPECT_DOUBLE_EQ(at(1, -1), 0.89);
  EXPECT_DOUBLE_EQ(at(9.9, 1), 10);
  EXPECT_DOUBLE_EQ(at(10, 1), 10);
  EXPECT_DOUBLE_EQ(at(0.1, -1), 0.1);
  // Beyond the ends of the slider it only comes back.
  EXPECT_DOUBLE_EQ(at(50, 1), 50);
  EXPECT_DOUBLE_EQ(at(55.5, 1), 55.5);
  EXPECT_DOUBLE_EQ(at(50, -1), 45);
  EXPECT_DOUBLE_EQ(at(0.05, -1), 0.05);
  EXPECT_DOUBLE_EQ(at(0.05, 1), 0.056);
  for (double value = 0.01; value <= 100; value *= 1.037) {
    EXPECT_GE(at(value, 1), value);
    EXPECT_LE(at(value, -1), value);
  }
}

TEST(Slider, ADoubleClickBringsTheDefault) {
  Mark mark;
  mark.part = draw::Part::plane, mark.set = "temperature = 10^";
  Scene scene;
  scene.temperature = 50;
  const auto next = slider_default(scene, mark);
  ASSERT_TRUE(next);
  EXPECT_EQ(*next, Scene());
}

TEST(Drag, APointOfThePlaneBecomesARowOfAMatrix) {
  Scene scene;
  scene.worked.x = "1,0;0,1;1,1";
  draw::Mark mark;
  mark.part = draw::Part::plane;
  mark.area = {100, 50, 200, 200}, mark.from = -2, mark.to = 2, mark.query = 1;
  mark.set = "worked_x * 0.5 0 0 -1";
  const auto moved = drag(scene, mark, {250, 200});  // (1, −1)
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->worked.x, "1,0;0.5,1;1,1");
  const auto outside = drag(scene, mark, {9000, -9000});  // stays at the edge, (2, 2)
  ASSERT_TRUE(outside);
  EXPECT_EQ(outside->worked.x, "1,0;1,-2;1,1");
  mark.query = 3;
  EXPECT_FALSE(drag(scene, mark, {250, 200}));
  mark.query = 0, mark.set = "worked_x * 0.5 0 1";
  EXPECT_FALSE(drag(scene, mark, {250, 200}));
}

TEST(Drag, APointOfThePlaneBecomesTheOneNumberOfARow) {
  Scene scene;
  scene.softmax.scores = "2;1;0.5;-1";
  draw::Mark mark;
  mark.part = draw::Part::plane;
  mark.area = {100, 50, 40, 200}, mark.from = -4, mark.to = 4, mark.query = 2;
  mark.set = "softmax_scores * 0 1";
  const auto moved = drag(scene, mark, {110, 200});  // a quarter up from the bottom: −2
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->softmax.scores, "2;1;-2;-1");
  mark.query = 4;
  EXPECT_FALSE(drag(scene, mark, {110, 200}));
}

TEST(Release, FreesOneThingAtATime) {
  Scene scene;
  scene.head = {2};
  scene.query = {0, 3};
  scene.key = 1;
  scene = release(scene);
  EXPECT_EQ(scene.key, -1);
  scene = release(scene);
  EXPECT_EQ(scene.query, (IndexList{3}));
  scene = release(scene);
  EXPECT_TRUE(scene.query.empty());
  scene = release(scene);
  EXPECT_TRUE(scene.head.empty());
}

TEST(Zoom, KeepsTheCellUnderThePointerAndNeverLeavesThePicture) {
  const draw::Box whole{0, 0, 100, 80};
  draw::Box view;
  const draw::Point cell{30, 60};
  for (int i = 0; i < 20; ++i) {
    view = zoom(view, whole, cell, 1);
    const float across = (cell.x - view.x) / view.w, down = (cell.y - view.y) / view.h;
    EXPECT_NEAR(across, 0.3, 1e-3);
    EXPECT_NEAR(down, 0.75, 1e-3);
  }
  EXPECT_GE(view.w, 2);
  view = pan(view, whole, {1000, -1000});
  EXPECT_FLOAT_EQ(view.right(), 100);
  EXPECT_FLOAT_EQ(view.y, 0);
  for (int i = 0; i < 40; ++i) view = zoom(view, whole, cell, -1);
  EXPECT_EQ(view, draw::Box{});
}

TEST(Gestures, TheOverviewKeepsTheSizeOfThePartAndItsEdges) {
  const draw::Box whole{0, 0, 200, 100};
  EXPECT_EQ(view_at({}, whole, {0.5f, 0.5f}), (draw::Box{75, 37.5f, 50, 25}));
  EXPECT_EQ(view_at({10, 10, 20, 20}, whole, {0.5f, 0.5f}), (draw::Box{90, 40, 20, 20}));
  EXPECT_EQ(view_at({10, 10, 20, 20}, whole, {0, 1}), (draw::Box{0, 80, 20, 20}));
  EXPECT_EQ(view_at({10, 10, 20, 20}, whole, {-3, 7}), (draw::Box{0, 80, 20, 20}));
}

}  // namespace
}  // namespace headlight::app
