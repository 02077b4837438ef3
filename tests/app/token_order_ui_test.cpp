// Tokens of the Order page, moved by the pointer and by the arrows.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "program.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "session/gestures.h"

namespace headlight::app::token_order_ui_test {
namespace {

using scene::Scene;
using screen::Key;

class TokenOrder : public tests::ProgramTest {
 protected:
  TokenOrder() {
    start_.page = scene::Page::order, start_.order.permutation = {};
    start(start_);
  }
  Scene start_;
};

TEST_F(TokenOrder, ATokenIsDraggedToAnotherPosition) {
  const auto& items = recorder_.items;
  const auto position = [&](int n) {
    return items.find("page/order_permutation " + std::to_string(n) + ",-1");
  };
  ASSERT_NE(position(0), items.end()) << pilot_.inventory();
  ASSERT_NE(position(5), items.end());
  const auto middle = [](const screen::Recorder::Item& item) {
    return ImVec2((item.from.x + item.to.x) / 2, (item.from.y + item.to.y) / 2);
  };
  const ImVec2 from = middle(position(0)->second), to = middle(position(5)->second);
  input_.mouse_move(from.x, from.y);
  pilot_.frames(3);
  input_.mouse_button(0, true);
  pilot_.frames(3);
  for (int i = 1; i <= 10; ++i) {
    const float t = static_cast<float>(i) / 10;
    input_.mouse_move(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t);
    pilot_.frames(2);
  }
  input_.mouse_button(0, false);
  pilot_.frames(5);
  EXPECT_EQ(scene::get_field(scene(), "order_permutation"), "1,2,3,4,5,0");
  pilot_.key(Key::z, screen::ctrl_only);
  EXPECT_EQ(scene::get_field(scene(), "order_permutation"), scene::get_field(start_, "order_permutation"));
}

/// An order that happens to be the list that the page opens with is still the user's.
TEST_F(TokenOrder, AnOrderLikeTheOpeningOneRemainsTheUsers) {
  Scene scene = start_;
  scene.weights = scene::WeightsSource::trained, scene.weights_file = "small-english";
  scene::adopt_model(scene);
  scene.sentence = "the gave dog a boy bone";  // two words that the model does not know are at 1 and 5
  scene.order.permutation = scene::OrderSettings{}.permutation;
  start(scene);
  const auto order = [&] { return shown_order(session_->results()); };
  const std::vector<int> opening = order(), wanted = scene.order.permutation;
  ASSERT_NE(opening, wanted) << "the page opens with another exchange";
  for (int position = 0; position < 6; ++position) {
    const auto now = order();
    const auto from =
        std::find(now.begin(), now.end(), wanted[static_cast<std::size_t>(position)]) - now.begin();
    if (from == position) continue;
    draw::Mark mark{.part = draw::Part::slot, .set = "order_permutation"};
    mark.query = static_cast<int>(from);
    auto next = reorder(session_->scene(), mark, position, 6, now);
    ASSERT_TRUE(next);
    session_->change(std::move(*next), "", 0);
    session_->wait();
    pilot_.frames(3);
  }
  EXPECT_EQ(order(), wanted);
  EXPECT_EQ(session_->scene().order.permutation, wanted);
  pilot_.key(Key::z, screen::ctrl_only);
  session_->wait();
  EXPECT_NE(order(), wanted);
}

TEST_F(TokenOrder, ATokenGoesInWhereTheBarIsAndAlsoBesideThePositions) {
  const auto position = [&](int n) {
    return recorder_.items.at("page/order_permutation " + std::to_string(n) + ",-1");
  };
  const screen::Recorder::Item first = position(1), last = position(5);
  const float line = (first.from.y + first.to.y) / 2;
  input_.mouse_move((first.from.x + first.to.x) / 2, line);
  pilot_.frames(3);
  input_.mouse_button(0, true);
  pilot_.frames(3);
  for (const float x : {last.to.x - 60, last.to.x + 12}) input_.mouse_move(x, line + 10), pilot_.frames(3);
  input_.mouse_button(0, false);
  pilot_.frames(5);
  EXPECT_EQ(scene::get_field(scene(), "order_permutation"), "0,2,3,4,5,1");
}

TEST_F(TokenOrder, ArrowsMoveATokenAndTheFocusGoesAlong) {
  const auto tab_to = [&](const std::string& order) {
    for (int i = 0; i < 60; ++i) {
      pilot_.key(Key::tab);
      pilot_.key(Key::right, screen::ctrl_only);
      if (scene::get_field(scene(), "order_permutation") == order) return true;
      if (scene() != start_) pilot_.key(Key::z, screen::ctrl_only);
    }
    return false;
  };
  ASSERT_TRUE(tab_to("1,0,2,3,4,5"));
  pilot_.key(Key::down, screen::ctrl_only);
  pilot_.key(Key::right, screen::ctrl_only);
  EXPECT_EQ(scene::get_field(scene(), "order_permutation"), "1,2,3,0,4,5");
  pilot_.key(Key::end, screen::ctrl_only);
  EXPECT_EQ(scene::get_field(scene(), "order_permutation"), "1,2,3,4,5,0");
  pilot_.key(Key::right, screen::ctrl_only);  // it is the last one
  pilot_.key(Key::left, screen::ctrl_only);
  EXPECT_EQ(scene::get_field(scene(), "order_permutation"), "1,2,3,4,0,5");
  EXPECT_EQ(scene().query, start_.query) << "the pins stay where they are";
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_EQ(scene().query, scene::IndexList{0}) << "the token that was moved";
  EXPECT_TRUE(shell_->ui().focus.presses()) << "and it keeps the ring";
  pilot_.key(Key::enter);
  pilot_.frames(3);
  EXPECT_NE(scene().query, scene::IndexList{0}) << "so that the next key reaches it";
}

/// As on every other strip: a click chooses the query, and the arrows walk on from there in the shown order.
TEST_F(TokenOrder, AClickChoosesTheQueryAndArrowsWalkTheTokens) {
  Scene scene = start_;
  scene.order.permutation = {0, 5, 2, 3, 4, 1}, scene.query = {0}, scene.key = -1;
  start(scene);
  const auto position = [](int n) { return "page/order_permutation " + std::to_string(n) + ",-1"; };
  done(pilot_.click(position(1)));
  EXPECT_EQ(this->scene().query, scene::IndexList{5}) << "the token there, not the position";
  EXPECT_EQ(this->scene().order.permutation, scene.order.permutation);
  pilot_.key(Key::right);
  pilot_.key(Key::right);
  EXPECT_EQ(this->scene().query, scene::IndexList{3});
  pilot_.key(Key::left);
  EXPECT_EQ(this->scene().query, scene::IndexList{2});
  pilot_.key(Key::home);
  EXPECT_EQ(this->scene().query, scene::IndexList{0});
  pilot_.key(Key::end);
  pilot_.key(Key::right);
  EXPECT_EQ(this->scene().query, scene::IndexList{1}) << "it is the last one";
  EXPECT_EQ(this->scene().order.permutation, scene.order.permutation) << "nothing moved";
  pilot_.key(Key::left, screen::ctrl_only);
  EXPECT_EQ(this->scene().order.permutation, (scene::IndexList{0, 5, 2, 3, 1, 4}));
  EXPECT_EQ(this->scene().query, scene::IndexList{1});
  done(pilot_.click(position(4)));
  EXPECT_TRUE(this->scene().query.empty()) << "a second click on the same token";
}

/// A sentence whose strip of tokens does not fit.
class LongTokenOrder : public tests::ProgramTest {
 protected:
  LongTokenOrder() {
    scene::Scene scene;
    scene.page = scene::Page::order, scene.order.permutation = {}, scene.query = {0};
    scene.sentence = words("w");
    start(scene);
  }
  static std::string words(const std::string& word) {
    std::string out;
    for (int i = 0; i < 80; ++i) out += (i ? " " : "") + word + std::to_string(i);
    return out;
  }
  static std::string position(int n) { return "page/order_permutation " + std::to_string(n) + ",-1"; }
  /// The first and the last position on view.
  std::pair<int, int> seen() {
    pilot_.frames(3);
    std::pair<int, int> out{1000, -1};
    for (int n = 0; n < 80; ++n) {
      if (pilot_.on_screen(position(n))) out = {std::min(out.first, n), n};
    }
    return out;
  }
  void change(const scene::Scene& next) {
    session_->change(next, "", now_);
    session_->wait();
    pilot_.frames(3);
  }
};

TEST_F(LongTokenOrder, FractionsOfTheWheelAddUpAndAnEndDoesNotTurnThePage) {
  const auto [first, last] = seen();
  ASSERT_EQ(first, 0);
  ASSERT_LT(last, 79) << "the strip is longer than the card";
  for (int i = 0; i < 10; ++i) done(pilot_.wheel(position(3), -0.1f));
  EXPECT_EQ(seen().first, 2) << "as far as one whole step";
  done(pilot_.wheel(position(4), -1));
  EXPECT_EQ(seen().first, 4);
  for (int i = 0; i < 5; ++i) done(pilot_.wheel(position(6), 1));
  EXPECT_EQ(seen().first, 0);
  const float line = shell_->page().first_line();
  for (int i = 0; i < 60; ++i) {
    const auto [from, to] = seen();
    if (to == 79) break;
    done(pilot_.wheel(position((from + to) / 2), -3));
  }
  const auto end = seen();
  ASSERT_EQ(end.second, 79);
  pilot_.frames(60);
  done(pilot_.wheel(position(78), -3));
  EXPECT_EQ(seen(), end);
  EXPECT_EQ(shell_->page().screen(), 0);
  EXPECT_EQ(shell_->page().first_line(), line);
}

TEST_F(LongTokenOrder, TheButtonsAtItsEndsStayUnderThePointer) {
  const auto box = [&](const char* name) {
    const auto found = recorder_.items.find(std::string("page/") + name);
    return found == recorder_.items.end() ? screen::Recorder::Item{} : found->second;
  };
  const screen::Recorder::Item after = box("tokens after");
  ASSERT_GT(after.to.x, after.from.x);
  done(pilot_.click("page/tokens after"));
  const screen::Recorder::Item before = box("tokens before");
  ASSERT_GT(before.to.x, before.from.x);
  input_.mouse_move((after.from.x + after.to.x) / 2, (after.from.y + after.to.y) / 2);
  int clicks = 0;
  for (; seen().second < 79 && clicks < 40; ++clicks) {
    for (const auto& [name, there] : {std::pair("tokens after", after), std::pair("tokens before", before)}) {
      EXPECT_EQ(box(name).from.x, there.from.x) << name << ' ' << clicks;
      EXPECT_EQ(box(name).from.y, there.from.y) << name << ' ' << clicks;
      EXPECT_EQ(box(name).to.x, there.to.x) << name << ' ' << clicks;
    }
    input_.mouse_button(0, true);
    pilot_.frames(2);
    input_.mouse_button(0, false);
    pilot_.frames(3);
  }
  EXPECT_EQ(seen().second, 79) << "the same place scrolls to the end";
  const scene::Scene end = scene();
  input_.mouse_button(0, true);
  pilot_.frames(2);
  input_.mouse_button(0, false);
  pilot_.frames(3);
  EXPECT_EQ(scene(), end) << "and then does nothing";
}

TEST_F(LongTokenOrder, AClickDoesNotScroll) {
  done(pilot_.wheel(position(3), -2));
  const auto on_view = seen();
  ASSERT_GT(on_view.first, 0);
  const int middle = (on_view.first + on_view.second) / 2;
  done(pilot_.click(position(middle)));
  EXPECT_EQ(scene().query, scene::IndexList{middle});
  EXPECT_EQ(seen(), on_view);
  pilot_.key(Key::right);
  EXPECT_EQ(scene().query, scene::IndexList{middle + 1});
  EXPECT_EQ(seen(), on_view);
  for (int i = middle + 1; i < on_view.second + 3; ++i) pilot_.key(Key::right), pilot_.frames(4);
  EXPECT_EQ(scene().query, scene::IndexList{on_view.second + 3});
  EXPECT_GE(seen().second, on_view.second + 3) << "the focus goes along";
}

TEST_F(LongTokenOrder, AnotherSentenceOrOrderBeginsWithTheChosenToken) {
  const auto scroll = [&] {
    for (int i = 0; i < 3; ++i) done(pilot_.wheel(position(seen().first + 3), -2));
    EXPECT_EQ(seen().first, 12);
  };
  const scene::Scene before = scene();
  scroll();
  scene::Scene next = before;
  next.sentence = words("v");
  change(next);
  EXPECT_EQ(seen().first, 0);
  scroll();
  pilot_.key(Key::z, screen::ctrl_only);
  session_->wait();
  EXPECT_EQ(scene().sentence, before.sentence);
  EXPECT_EQ(seen().first, 0);
  scroll();
  next = before, next.order.permutation = {1, 0};
  for (int i = 2; i < 80; ++i) next.order.permutation.push_back(i);
  change(next);
  EXPECT_EQ(seen().first, 0);
  scroll();
  next.page = scene::Page::softmax;
  change(next);
  next.page = scene::Page::order;
  change(next);
  EXPECT_EQ(seen().first, 0);
}

TEST_F(LongTokenOrder, TheFocusGoesAlongBeyondTheEdgesOfTheStrip) {
  const auto order = [&] { return shown_order(session_->results()); };
  for (int i = 0; i < 60 && scene().order.permutation.empty(); ++i) {
    pilot_.key(Key::tab);
    pilot_.key(Key::end, screen::ctrl_only);
    session_->wait();
    pilot_.frames(4);
  }
  ASSERT_FALSE(order().empty());
  ASSERT_EQ(order().back(), 0) << "the first token went to the end";
  EXPECT_EQ(seen().second, 79);
  const auto press = [&](Key key) {
    pilot_.key(key, screen::ctrl_only);
    session_->wait();
    pilot_.frames(4);
  };
  const auto at = [&] {
    const auto now = order();
    return static_cast<int>(std::find(now.begin(), now.end(), 0) - now.begin());
  };
  press(Key::left);
  EXPECT_EQ(at(), 78);
  press(Key::home);
  EXPECT_EQ(at(), 0);
  EXPECT_EQ(seen().first, 0);
  const int last = seen().second;
  for (int i = 1; i <= last + 3; ++i) {
    press(Key::right);
    ASSERT_EQ(at(), i) << "the focus is with the token";
    EXPECT_LE(seen().first, i);
    EXPECT_GE(seen().second, i);
  }
}

}  // namespace
}  // namespace headlight::app::token_order_ui_test
