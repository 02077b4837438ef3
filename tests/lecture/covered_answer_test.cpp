// While a step covers its answer, no door of the window shows it: in every shipped lesson, by keys and by
// what is drawn.
#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <fstream>
#include <map>
#include <set>

#include "app/program.h"
#include "draw/both_canvas.h"
#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "pictures/pages.h"
#include "support/lesson_models.h"
#include "teach/view/lesson_panel.h"

namespace headlight::app {
namespace {

using screen::Key;
using testing::HasSubstr;
using testing::Not;

class CoveredAnswer : public tests::ProgramTest {
 protected:
  ~CoveredAnswer() override {
    if (!keep_going_) return;
    shell_.reset();
    kept() = {std::move(session_), now_};
  }
  static void TearDownTestSuite() { kept() = {}; }

  /// The session of the lessons, with what the test before this one trained in it.
  void start_lessons() {
    keep_going_ = true;
    if (!kept().session) return start({});
    session_ = std::move(kept().session), now_ = kept().now;
    session_->restore({}, now_);
    session_->update(now_);
    session_->wait();
    shell_ = std::make_unique<Shell>(*session_, input_, screen_.textures, DeskStart{});
    shell_->ui().recorder = &recorder_;
    pilot_.frames(3);
  }

  LessonPlayer& player() { return shell_->lessons().player(); }

  /// All that is drawn outside the covers, on the page and in the lesson's panel.
  std::string drawn() {
    draw::RecordCanvas page;
    draw::PickCanvas pick({-1, -1}, page);
    const draw::Box area{0, 0, 1050, 1000};
    const PageOverlay overlay = shell_->lessons().overlay(now_);
    views::PageInput in = page_input(*session_, draw::theme(true));
    keep_covered(in, overlay);
    page_info(scene().page).view.draw(pick, area, in);
    page = {};
    draw::BothCanvas both(page, pick);
    page_info(scene().page).view.draw(both, area, in);
    const nn::AttentionTrace& trace = session_->results().attention;
    const OverlayBoxes boxes = overlay_boxes(overlay, {pick.targets(), pick.panels(), trace.T, trace.S});
    // The other cells of a map of which a part is covered may have the same number by chance.
    std::vector<draw::Box> maps;
    for (const auto& target : pick.targets()) {
      const bool in_part = std::any_of(boxes.plates.begin(), boxes.plates.end(),
                                       [&](const auto& plate) { return target.box.has(plate.centre()); });
      if (target.mark.part == draw::Part::cell && target.mark.name.empty() && in_part)
        maps.push_back(target.box);
    }
    std::string all;
    for (const auto& text : page.texts) {
      const draw::Point at = text.box.centre();
      const bool away = boxes.focus.w > 0 && !boxes.focus.has(at);
      const bool cell = std::any_of(maps.begin(), maps.end(), [&](const auto& map) { return map.has(at); });
      if (!away && !cell && !boxes.covers_point(at)) all += text.words + "\n";
    }
    for (const auto& paragraph : shell_->lessons().picture(now_).reveal) {
      for (const auto& run : paragraph) all += run.text + "\n";
    }
    return all;
  }

  /// The computed numbers of the answer that the step does not say before it.
  std::set<std::string> answers() {
    std::string message;
    const scene::LessonStep& step = player().current();
    for (const auto& words : step.words) message += words + "\n";
    message += step.predict->ask;
    // Numbers of the answer that the class may see before it.
    static const std::map<std::string, std::string> known = {
        {"The memory wall", "1,024"},                   // one of the lengths of the table, too
        {"Switch a head off", "0.268 0.195"},           // with all heads, from an earlier step
        {"Does this head end definitions?", "0.255"}};  // with all heads
    if (const auto at = known.find(step.title); at != known.end()) message += at->second;
    std::set<std::string> out;
    for (const std::string& words : step.reveal) {
      for (const auto& run : player().runs(words)) {
        if (run.counts && run.text.size() >= 4 && message.find(run.text) == std::string::npos)
          out.insert(run.text);
      }
    }
    return out;
  }

  void expect_covered(const std::string& where) {
    EXPECT_TRUE(player().covered()) << where;
    EXPECT_EQ(clipboard_, "nothing") << where;
    for (const char* name : {"palette/query", "export/format", "exporting/format", "top/sentence"})
      EXPECT_FALSE(pilot_.on_screen(name)) << where << ": " << name;
    EXPECT_FALSE(shell_->presenter().open()) << where;
    EXPECT_EQ(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel), false)
        << where;
    for (const std::string& answer : answers()) EXPECT_THAT(drawn(), Not(HasSubstr(answer))) << where;
  }

 private:
  struct Kept {
    std::unique_ptr<Session> session;
    double now = 0;
  };
  static Kept& kept() {
    static Kept kept;
    return kept;
  }
  bool keep_going_ = false;
};

TEST_F(CoveredAnswer, OfEveryLessonIsBehindNoDoor) {
  start_lessons();
  int steps = 0;
  for (const LessonEntry& entry : list_lessons({})) {
    if (!tests::can_be_played(entry)) continue;
    shell_->lessons().open(entry.name, now_);
    for (int step = 0; step < player().steps(); ++step) {
      if (!player().lesson().steps[static_cast<std::size_t>(step)].predict) continue;
      player().go(step, now_);
      session_->update(now_);
      session_->wait();
      pilot_.frames(2);
      ++steps;
      clipboard_ = "nothing";
      const std::string where = entry.name + ", step " + std::to_string(step + 1);
      const scene::Scene shown = scene();
      expect_covered(where);
      pilot_.key(Key::k, screen::ctrl_only);
      pilot_.key(Key::e, screen::ctrl_only);
      pilot_.key(Key::r, screen::ctrl_shift);
      pilot_.key(Key::f5);
      pilot_.key(Key::page_down, screen::ctrl_only);
      pilot_.key(Key::m);
      pilot_.key(Key::escape);
      pilot_.frames(2);
      expect_covered(where);
      EXPECT_EQ(scene(), shown) << where;
      EXPECT_THAT(session_->message(), HasSubstr("Space")) << where;
      EXPECT_THAT(session_->message(), HasSubstr("leave the lesson")) << where;
      pilot_.key(Key::space);
      EXPECT_FALSE(player().covered()) << where;
      pilot_.frames(1);
      EXPECT_EQ(session_->message(), "") << where << ": nothing is covered any more";
    }
  }
  EXPECT_GT(steps, 20);
}

/// In the smallest window too: what a step asks, with its field or its choices, is on view before anything
/// scrolls.
TEST_F(CoveredAnswer, WhatIsAskedIsOnViewInEveryLesson) {
  start_lessons();
  constexpr float width = 640, height = 360, of_control = 58;
  int predictions = 0, questions = 0;
  for (const LessonEntry& entry : list_lessons({})) {
    if (!tests::can_be_played(entry)) continue;
    shell_->lessons().open(entry.name, now_);
    for (int step = 0; step < player().steps(); ++step) {
      const scene::LessonStep& asks = player().lesson().steps[static_cast<std::size_t>(step)];
      if (!asks.predict && !asks.question) continue;
      player().go(step, now_);
      session_->update(now_);
      session_->wait();
      views::LessonPanel panel = shell_->lessons().picture(now_);
      panel.controls = of_control * static_cast<float>(asks.controls.size());
      draw::RecordCanvas canvas;
      const views::LessonPlaces places = views::lesson_panel(
          {canvas, draw::theme(true)}, {0, 0, views::lesson_panel_width(width), height}, panel);
      const draw::Box above{0, places.words.y, width, places.shown};
      std::string seen;
      for (const auto& text : canvas.texts) {
        const float middle = text.box.centre().y;
        const bool stays = middle > places.stays.y && middle < places.stays.bottom();
        if (stays || (middle > above.y && middle < above.bottom())) seen += text.words;
      }
      const auto on_view = [&](const views::Runs& runs) {
        std::string words;
        for (const auto& run : runs) words += run.text;
        const auto close = [](std::string& all) { std::erase(all, ' '); };
        close(words), close(seen);
        EXPECT_THAT(seen, HasSubstr(words)) << entry.name << ", step " << step + 1;
      };
      EXPECT_GE(places.shown, 24) << entry.name << ", step " << step + 1;
      if (panel.covered) {
        ++predictions;
        on_view(panel.predict);
        draw::RecordCanvas cover;
        OverlayBoxes boxes;
        boxes.covers = {{0, 0, 340, 700}};
        paint_overlay(cover, boxes, shell_->lessons().overlay(now_), {0, 0, 340, 700}, {0, 0, 340, 350},
                      draw::theme(true));
        ASSERT_EQ(cover.texts.size(), 1u) << "the question stands beside the page, once";
        EXPECT_EQ(cover.texts[0].words, "?");
        EXPECT_LT(cover.texts[0].box.bottom(), 350);
        EXPECT_GT(places.guess.h, 0) << entry.name << ", step " << step + 1;
      } else if (!panel.question.empty()) {
        ++questions;
        on_view(panel.question);
        for (const views::Runs& choice : panel.choices) on_view(choice);
      }
    }
  }
  EXPECT_GT(predictions, 20);
  EXPECT_GT(questions, 8);
}

/// The list of lessons has a picture of one step of each: no picture shows the number of an answer.
TEST_F(CoveredAnswer, OfNoLessonIsInItsPictureInTheList) {
  start_lessons();
  for (const LessonEntry& entry : list_lessons({})) {
    if (!tests::can_be_played(entry)) continue;
    EXPECT_FALSE(entry.covered) << entry.name;
    std::set<std::string> covered;
    shell_->lessons().open(entry.name, now_);
    for (int step = 0; step < player().steps(); ++step) {
      if (!player().lesson().steps[static_cast<std::size_t>(step)].predict) continue;
      player().go(step, now_);
      session_->update(now_);
      session_->wait();
      covered.merge(answers());
    }
    player().leave(now_);
    session_->restore(entry.shown, now_);
    session_->update(now_);
    session_->wait();
    draw::RecordCanvas page;
    draw::PickCanvas pick({-1, -1}, page);
    draw::BothCanvas both(page, pick);
    page_info(scene().page).view.draw(both, {0, 0, 1050, 1000}, page_input(*session_, draw::theme(true)));
    ASSERT_NE(entry.card, "") << entry.name;
    int cards = 0;
    for (const auto& panel : pick.panels()) {
      if (panel.name != entry.card) continue;
      ++cards;
      for (const auto& text : page.texts) {
        // Shorter numbers are the same by chance.
        constexpr std::size_t three_decimals = 5;
        if (panel.box.has(text.at) && text.words.size() >= three_decimals)
          EXPECT_EQ(covered.count(text.words), 0U) << entry.name << ": " << text.words;
      }
    }
    EXPECT_EQ(cards, 1) << entry.name << " has no card " << entry.card;
  }
}

/// A lesson of the user's own has no marked picture, and may have no step without a covered answer.
TEST_F(CoveredAnswer, ALessonOfOnesOwnHasAPictureWithoutOne) {
  const auto write = [&](const std::string& more) {
    std::ofstream(folder_ / "own.json") << R"({"headlight_lesson": 1, "title": "Own", "steps": [
      {"title": "One", "scene": {"query": [2]}, "predict": {"ask": "?", "hide": ["card map"]},
       "focus": ["card map"]},
      {"title": "Two", "focus": ["card map"]})" +
                                               more + "]}";
    return list_lessons(folder_.path()).back();
  };
  LessonEntry entry = write("");
  ASSERT_EQ(entry.name, "own");
  EXPECT_TRUE(entry.covered) << "the second step has the same map";
  entry = write(R"(, {"title": "Three", "scene": {"mask": "causal"}, "focus": ["card map"]})");
  EXPECT_FALSE(entry.covered);
  EXPECT_TRUE(entry.shown.mask.causal);
  // Training, which comes last, has such a step as well.
  std::ofstream(folder_ / "own.json") << R"({"headlight_lesson": 1, "title": "Own", "steps": [
    {"title": "One", "scene": {"page": "training"}, "predict": {"ask": "?", "hide": ["card loss"]}},
    {"title": "Two", "scene": {"training_batch": 8}}]})";
  entry = list_lessons(folder_.path()).back();
  ASSERT_EQ(entry.problem, "");
  EXPECT_FALSE(entry.covered);
  EXPECT_EQ(entry.shown.page, scene::Page::training);
  EXPECT_EQ(entry.shown, scene::lesson_scenes(open_lesson("own", folder_.path())->lesson, {})[1]);
}

/// A whole page has tabs at its end; what is said of a covered answer stands below them.
TEST_F(CoveredAnswer, TheMessageIsBelowTheWholePage) {
  std::ofstream(folder_ / "own.json") << R"({"headlight_lesson": 1, "title": "Own", "steps": [
    {"title": "One", "scene": {"query": [2]}, "predict": {"ask": "?", "hide": ["card map"]}}]})";
  start({});
  shell_->lessons().folder = folder_.path();
  shell_->lessons().open("own", now_);
  session_->wait();
  for (const auto& [width, height] : {std::pair{1280, 720}, {640, 360}}) {
    width_ = width, height_ = height;
    pilot_.frames(4);
    pilot_.key(Key::escape);
    pilot_.frames(2);
    const ImGuiWindow *page = ImGui::FindWindowByName("page"), *toast = ImGui::FindWindowByName("toast");
    ASSERT_TRUE(page && toast && toast->Active);
    EXPECT_GE(toast->Pos.y, page->Pos.y + page->Size.y);
    EXPECT_LE(toast->Pos.y + toast->Size.y, static_cast<float>(height));
  }
}

/// Find selects words of the sentence, which shows their weights.
TEST_F(CoveredAnswer, FindOffersNoWordBeforeIt) {
  std::ofstream(folder_ / "own.json") << R"({"headlight_lesson": 1, "title": "Own", "steps": [
    {"title": "One", "scene": {"sentence": "one street"}, "predict": {"ask": "?", "hide": ["card map"]},
     "reveal": "shown"}]})";
  start({});
  shell_->lessons().folder = folder_.path();
  shell_->lessons().open("own", now_);
  session_->wait();
  pilot_.frames(3);
  const auto words = [&] {
    int count = 0;
    for (const PaletteEntry& entry : shell_->desk().more_entries()) count += entry.token.empty() ? 0 : 1;
    return count;
  };
  ASSERT_TRUE(player().covered());
  EXPECT_EQ(words(), 0);
  pilot_.key(Key::space);
  ASSERT_FALSE(player().covered());
  EXPECT_EQ(words(), 4) << "two words, as query and as key";
}

/// A lesson of the user's own may cover the map alone and show the whole page.
TEST_F(CoveredAnswer, CardsWithTheSameWeightsAreCoveredTogether) {
  std::ofstream(folder_ / "own.json") << R"({"headlight_lesson": 1, "title": "Own", "steps": [
    {"title": "One", "scene": {"query": [2], "key": 1}, "predict": {"ask": "?", "hide": ["card map"]},
     "reveal": "{0.17 = weight head=1 query=2 key=1}"}]})";
  start({});
  shell_->lessons().folder = folder_.path();
  shell_->lessons().open("own", now_);
  session_->wait();
  for (const auto& [width, height] : {std::pair{1600, 1000}, {1280, 720}}) {
    width_ = width, height_ = height;
    pilot_.frames(20);
    ASSERT_TRUE(player().covered());
    EXPECT_TRUE(shell_->page().not_on_page().empty());
    const std::string answer = player().runs(player().current().reveal.front()).front().text;
    EXPECT_THAT(drawn(), Not(HasSubstr(answer)));
    for (const char* name : {"page/copy latex", "page/head 2"}) {
      if (!pilot_.on_screen(name)) continue;
      const scene::Scene before = scene();
      clipboard_ = "nothing";
      (void)pilot_.click(name);  // it may be out of sight
      EXPECT_EQ(clipboard_, "nothing");
      EXPECT_EQ(scene(), before);
    }
  }
  pilot_.key(Key::space);
  pilot_.key(Key::escape);
  EXPECT_TRUE(player().exploring());
}

}  // namespace
}  // namespace headlight::app
