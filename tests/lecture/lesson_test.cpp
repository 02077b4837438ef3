// Lessons played by script: every shipped lesson forwards and back, its numbers and claims against its
// scenes; exploring and coming back; recording; the user's own scene kept.
#include <gmock/gmock.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "app/render.h"
#include "base/embedded.h"
#include "draw/record_canvas.h"
#include "io/files.h"
#include "kit/page_input.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "scene/store.h"
#include "session/lesson_player.h"
#include "support/lesson_models.h"
#include "support/scratch_folder.h"
#include "ui/page_overlay.h"

namespace headlight::app::lesson_test {
namespace {

using scene::Scene;
using testing::HasSubstr;
using testing::IsEmpty;

/// Those whose model is here.
std::vector<std::string> shipped() {
  std::vector<std::string> names;
  for (const LessonEntry& entry : list_lessons({})) {
    if (tests::can_be_played(entry)) names.push_back(entry.name);
  }
  return names;
}

OpenedLesson opened(const std::string& name) {
  auto lesson = open_lesson(name, {});
  EXPECT_TRUE(lesson) << (lesson ? "" : lesson.error());
  return std::move(*lesson);
}

OpenedLesson small_lesson() {
  auto lesson =
      scene::lesson_from_json(R"({"headlight_lesson": 1, "title": "T", "scene": {"heads": 2}, "steps": [
      {"title": "1"},
      {"title": "2", "scene": {"d_model": 30, "heads": 3}, "predict": {"ask": "?", "hide": ["card map"]}},
      {"title": "3", "scene": {"page": "position"}, "question": {"ask": "?", "choices": ["a", "b"], "answer": 1}},
      {"title": "4", "scene": {"page": "attention"},
       "task": {"ask": "do", "until": ["setting name=temperature < 0.5"]}}]})",
                              "small.json");
  EXPECT_TRUE(lesson) << (lesson ? "" : lesson.error());
  return {std::move(*lesson), {}};
}

class Player : public testing::Test {
 protected:
  Session session_{{.scene = {}, .autosave = {}}};
  LessonPlayer player_{session_};
};

TEST_F(Player, TheLessonsComeInTheirOrder) {
  const auto lessons = list_lessons({});
  ASSERT_EQ(lessons.size(), 14u);
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    EXPECT_EQ(lessons[i].number, static_cast<int>(i) + 1);
    EXPECT_THAT(lessons[i].problem, IsEmpty());
    EXPECT_FALSE(lessons[i].about.empty());
  }
}

TEST_F(Player, ForwardsAndBackEveryStepHasExactlyItsScene) {
  for (const std::string& name : shipped()) {
    player_.start(opened(name), 0);
    const std::vector<Scene> scenes = scene::lesson_scenes(player_.lesson(), session_.scene());
    double now = 0;
    const auto at = [&](int step) {
      EXPECT_EQ(player_.step(), step) << name;
      EXPECT_EQ(session_.scene(), scenes[static_cast<std::size_t>(step)])
          << name << " step " << step + 1 << ": "
          << scene::difference(session_.scene(), scenes[static_cast<std::size_t>(step)]);
      // Somebody plays with it before going on.
      Scene played = session_.scene();
      played.d_model = 30, played.heads = 5, played.query = {3}, played.temperature = 7,
      played.worked.row = 1;
      session_.change(played, "", now += 1);
      session_.update(now);
    };
    for (int step = 0; step < player_.steps(); ++step) at(step), player_.next(now += 1);
    for (int step = player_.steps() - 1; step >= 0; --step) {
      player_.go(step, now += 1);
      at(step);
    }
  }
}

class WithoutModels : public testing::Test {
 protected:
  static constexpr const char* names_[] = {"HEADLIGHT_MODELS", "XDG_DATA_HOME", "XDG_STATE_HOME"};
  WithoutModels() {
    for (const char* name : names_) {
      const char* old = std::getenv(name);
      before_.push_back(old ? std::optional<std::string>(old) : std::nullopt);
      ::setenv(name, folder_.path().c_str(), 1);
    }
  }
  ~WithoutModels() override {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (before_[i]) {
        ::setenv(names_[i], before_[i]->c_str(), 1);
      } else {
        ::unsetenv(names_[i]);
      }
    }
  }

  tests::ScratchFolder folder_;
  std::vector<std::optional<std::string>> before_;
};

/// A model that is not here: the list and the one step say so, no number is called wrong, and a copy keeps
/// all.
TEST_F(WithoutModels, ALessonOfAMissingModelSaysWhatIsMissing) {
  int lack = 0;
  for (const LessonEntry& entry : list_lessons({})) {
    const auto whole = read_lesson(entry.name, {});
    ASSERT_TRUE(whole) << whole.error();
    EXPECT_EQ(entry.missing.empty(), !whole->lesson.needs) << entry.name;
    if (entry.missing.empty()) continue;
    ++lack;
    EXPECT_THAT(entry.missing, HasSubstr("\"" + whole->lesson.needs->name + "\""));
    EXPECT_EQ(entry.steps, static_cast<int>(whole->lesson.steps.size()));
    EXPECT_GT(entry.steps, 1);
    EXPECT_THAT(entry.problem, IsEmpty());
    EXPECT_EQ(entry.shown, scene::written_defaults());
    Session session({.scene = {}, .autosave = {}});
    LessonPlayer player(session);
    player.start(opened(entry.name), 0, 5);
    ASSERT_EQ(player.steps(), 1);
    player.settle();
    EXPECT_THAT(player.untrue(), IsEmpty());
    std::string words;
    for (const std::string& paragraph : player.current().words) {
      for (const auto& run : player.runs(paragraph)) words += run.text;
      words += "\n";
    }
    EXPECT_THAT(words, HasSubstr("The folder " + whole->lesson.needs->name + " was not found"));
    EXPECT_THAT(words, HasSubstr((folder_ / "headlight/models").string()));
    const auto copy = lesson_to_write(entry.name, folder_.path());
    ASSERT_TRUE(copy) << copy.error();
    EXPECT_EQ(copy->lesson.steps, whole->lesson.steps);
    EXPECT_EQ(copy->lesson.needs, whole->lesson.needs);
  }
  EXPECT_GE(lack, 1);
}

/// The folder that was put into its place is found without a new start.
TEST_F(WithoutModels, AModelThatArrivesIsFound) {
  EXPECT_FALSE(opened("learned-clocks").entry.missing.empty());
  std::filesystem::create_directories(folder_ / "headlight/models/use-lite");
  const OpenedLesson there = opened("learned-clocks");
  EXPECT_THAT(there.entry.missing, IsEmpty());
  EXPECT_GT(there.lesson.steps.size(), 1u);
  for (const Scene& scene : scene::lesson_scenes(there.lesson, Scene{}))
    EXPECT_EQ(scene.weights_file, (folder_ / "headlight/models/use-lite").string());
  for (const LessonEntry& entry : list_lessons({})) EXPECT_THAT(entry.missing, IsEmpty()) << entry.name;
}

/// What it says holds in every case, or the test says that nothing was tried.
TEST_F(Player, TheLessonOfTheSentenceEncoder) {
  OpenedLesson lesson = opened("learned-clocks");
  if (!lesson.entry.missing.empty()) GTEST_SKIP() << "lesson learned-clocks " << lesson.entry.missing;
  player_.start(std::move(lesson), 0);
  EXPECT_GT(player_.steps(), 10);
  for (int step = 0; step < player_.steps(); ++step) {
    player_.go(step, step);
    player_.settle();
    EXPECT_EQ(session_.results().opened != nullptr, true) << step + 1;
    EXPECT_THAT(player_.untrue(), IsEmpty()) << "step " << step + 1;
  }
}

/// Digits that stand outside of braces and of mathematics: a number that nobody checks.
std::string loose_digits(const std::string& words) {
  bool braces = false, maths = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == '$') maths = !maths;
    if (words[i] == '{') braces = true;
    if (words[i] == '}') braces = false;
    const bool of_a_name = i > 0 && std::isalpha(static_cast<unsigned char>(words[i - 1]));  // T5
    if (!braces && !maths && !of_a_name && std::isdigit(static_cast<unsigned char>(words[i])))
      return words.substr(i, 20);
  }
  return {};
}

/// A number that is rounded has the digits of its quantity, as on the page and in its description. Excepted
/// are shares in whole per cent, weights, which have the digits of the map beside them, and powers of ten.
std::string other_digits(const scene::Claim& claim, const scene::QuantitySource& from) {
  static const std::set<std::string> excepted = {"setting", "weight",        "map_weight",
                                                 "largest", "capacity_2017", "capacity_2020"};
  const double value = scene::quantity_value(claim.left, from);
  if (!claim.number || claim.relation != scene::Relation::equal || std::isnan(value)) return {};
  const scene::QuantityInfo& info = *claim.left.info;
  const bool exact = std::abs(value - claim.number->value) <= 1e-6 * std::max(1.0, std::abs(value));
  if (exact || excepted.contains(info.name)) return {};
  if (claim.number->percent && info.form.style != base::NumberStyle::percent) return {};
  std::string own = base::written(value, info.form), told = claim.number->text;
  if (own.starts_with('+')) own.erase(0, 1);
  if (info.form.style == base::NumberStyle::significant)  // 1.70 is written as 1.7
    while (told.find('.') < told.size() - 1 && told.ends_with('0')) told.pop_back();
  return own == told ? "" : claim.left.text() + " is " + own + ", not " + claim.number->text;
}

TEST_F(Player, EveryNumberOfEveryLessonIsThatOfItsScene) {
  int numbers = 0, claims = 0;
  for (const std::string& name : shipped()) {
    player_.start(opened(name), 0);
    for (int step = 0; step < player_.steps(); ++step) {
      player_.go(step, step);
      player_.settle();
      EXPECT_THAT(player_.untrue(), IsEmpty()) << name << ", step " << step + 1;
      const scene::LessonStep& s = player_.current();
      claims += static_cast<int>(s.facts.size());
      std::vector<std::string> words = s.words;
      words.insert(words.end(), s.reveal.begin(), s.reveal.end());
      words.push_back(s.title);
      if (s.task) words.push_back(s.task->ask);
      if (s.predict) words.push_back(s.predict->ask);
      if (s.question) words.push_back(s.question->ask), words.push_back(s.question->why);
      for (const std::string& one : words) {
        EXPECT_EQ(loose_digits(one), "") << name << ", step " << step + 1 << ": a number that is not checked";
        const auto parts = scene::parse_words(one);
        ASSERT_TRUE(parts);
        for (const auto& part : *parts) {
          if (!part.number || !part.number->claim) continue;
          ++numbers;
          EXPECT_EQ(other_digits(*part.number->claim, {session_.scene(), session_.results(), nullptr}), "")
              << name << ", step " << step + 1;
        }
      }
    }
  }
  EXPECT_GT(numbers, 150);
  EXPECT_GT(claims, 60);
}

TEST_F(Player, NoTaskIsDoneBeforeItIsTried) {
  for (const std::string& name : shipped()) {
    player_.start(opened(name), 0);
    for (int step = 0; step < player_.steps(); ++step) {
      player_.go(step, step);
      session_.update(step);
      // A run is not started by itself.
      if (session_.scene().page != scene::Page::training) session_.wait();
      player_.update();
      EXPECT_FALSE(player_.task_done()) << name << ", step " << step + 1;
    }
  }
}

TEST_F(Player, WhatIsHiddenOrOutlinedIsOnThePage) {
  for (const std::string& name : shipped()) {
    player_.start(opened(name), 0);
    for (int step = 0; step < player_.steps(); ++step) {
      player_.go(step, step);
      session_.update(step);
      session_.wait();
      for (const float width : {500.f, 1050.f, 1700.f}) {
        const views::PageInput in = page_input(session_, draw::theme(true));
        draw::RecordCanvas measure;
        draw::PickCanvas pick({-1, -1}, measure);
        page_info(session_.scene().page).view.draw(pick, {0, 0, width, 900}, in);
        PageOverlay overlay;
        overlay.highlight = player_.current().highlight, overlay.focus = player_.current().focus;
        if (player_.current().predict) overlay.hide = player_.current().predict->hide;
        const auto& trace = session_.results().attention;
        EXPECT_THAT(overlay_boxes(overlay, {pick.targets(), pick.panels(), trace.T, trace.S}).missing,
                    IsEmpty())
            << name << ", step " << step + 1 << ", width " << width;
      }
    }
  }
}

TEST_F(Player, ExploringChangesTheSceneAndComingBackRestoresIt) {
  player_.start(small_lesson(), 1);
  player_.go(1, 2);
  const Scene exact = session_.scene();
  player_.explore(3);
  EXPECT_TRUE(player_.exploring());
  EXPECT_FALSE(player_.covered());
  Scene next = session_.scene();
  next.page = scene::Page::cost, next.d_model = 64, next.heads = 64, next.sentence = "else";
  session_.change(next, "", 4);
  session_.update(4);
  player_.come_back(5);
  EXPECT_TRUE(player_.playing());
  EXPECT_EQ(player_.step(), 1);
  EXPECT_EQ(session_.scene(), exact);
  EXPECT_TRUE(player_.covered());
}

TEST_F(Player, WhatWasAskedForBeforeDoesNotComeIntoAStep) {
  player_.start(small_lesson(), 1);
  // 5 heads do not divide 32: there are 4, and 5 once the width is 30. A step says 3.
  Scene next = session_.scene();
  next.heads = 5;
  session_.change(next, "heads", 2);
  player_.next(3);
  EXPECT_EQ(session_.scene().heads, 3);
  EXPECT_EQ(session_.scene().d_model, 30);
}

TEST_F(Player, RevealAnswersAndTasksAreKept) {
  player_.start(small_lesson(), 0);
  EXPECT_FALSE(player_.reveal(0));
  player_.next(1);
  EXPECT_TRUE(player_.covered());
  EXPECT_TRUE(player_.reveal(1));
  EXPECT_FALSE(player_.covered());
  EXPECT_FALSE(player_.reveal(1));
  player_.next(2);
  player_.choose(7);
  EXPECT_EQ(player_.chosen(), -1);
  player_.choose(1);
  player_.choose(0);  // the first answer counts
  EXPECT_EQ(player_.chosen(), 1);
  player_.next(3);
  player_.update();
  EXPECT_FALSE(player_.task_done());
  Scene next = session_.scene();
  next.temperature = 0.4;
  session_.change(next, "", 4);
  session_.update(4);
  player_.update();
  EXPECT_TRUE(player_.task_done());
  player_.next(5);  // there is none
  EXPECT_EQ(player_.step(), 3);
  player_.go(0, 6);
  player_.previous(6);
  EXPECT_EQ(player_.step(), 0);
  player_.go(1, 7);
  EXPECT_FALSE(player_.covered());
  player_.go(3, 8);
  EXPECT_TRUE(player_.task_done());
  EXPECT_EQ(session_.scene().temperature, 1);
  // After a restart of the program too; a lesson that has changed takes what fits.
  std::vector<StepAnswer> kept = player_.answers();
  player_.leave(9);
  kept[0].revealed = true, kept[0].chosen = 1, kept.resize(kept.size() + 2);
  player_.start(small_lesson(), 10);
  player_.bring_back(kept);
  kept[0] = {}, kept.resize(kept.size() - 2);
  EXPECT_EQ(player_.answers(), kept);
  player_.go(1, 11);
  EXPECT_FALSE(player_.covered());
}

TEST_F(Player, TransitionsAreShortAndCanBeSwitchedOff) {
  player_.start(small_lesson(), 10);
  EXPECT_LT(player_.appeared(10), 0.01f);
  EXPECT_GT(player_.appeared(10.1), 0.2f);
  EXPECT_EQ(player_.appeared(10.3), 1);
  EXPECT_GE(LessonPlayer::transition_seconds, 0.15);
  EXPECT_LE(LessonPlayer::transition_seconds, 0.3);
  Scene still = session_.scene();
  still.reduced_motion = true;
  session_.change(still, "", 11);
  player_.next(20);
  EXPECT_EQ(player_.appeared(20), 1);
  EXPECT_TRUE(session_.scene().reduced_motion);
}

TEST_F(Player, TheLookOfTheInterfaceStaysTheReaders) {
  player_.start(small_lesson(), 0);
  Scene next = session_.scene();
  next.theme = scene::ThemeName::light, next.interface_scale = 2;
  session_.change(next, "", 1);
  for (int step = 0; step < player_.steps(); ++step) {
    player_.go(step, step + 2);
    EXPECT_EQ(session_.scene().theme, scene::ThemeName::light);
    EXPECT_EQ(session_.scene().interface_scale, 2);
  }
}

TEST(LessonSession, OnesOwnSceneIsKeptAndComesBack) {
  tests::ScratchFolder folder;
  const auto file = folder / "scene.json";
  Scene own;
  own.sentence = "my own words";
  own.heads = 8;
  {
    Session session({.scene = own, .autosave = file});
    LessonPlayer player(session);
    player.start(small_lesson(), 1);
    Scene next = session.scene();
    next.seed = 99;
    session.change(next, "", 2);
    session.update(60);  // it is time to save
    EXPECT_TRUE(session.save(60));
  }
  auto kept = scene::load(file);
  ASSERT_TRUE(kept) << kept.error();
  EXPECT_EQ(kept->sentence, "my own words");
  EXPECT_EQ(kept->heads, 8);
  {
    Session session({.scene = own, .autosave = file});
    LessonPlayer player(session);
    player.start(small_lesson(), 1);
    player.start(small_lesson(), 2);  // another lesson: still the same own scene
    player.explore(3);
    player.leave(4);
    EXPECT_EQ(session.scene(), own);
    EXPECT_FALSE(player.open());
  }
}

TEST(Recording, ViewsBecomeStepsThatShowExactlyWhatWasSeen) {
  tests::ScratchFolder folder;
  std::vector<Scene> views;
  Scene view;
  view.sentence = "a {b} $c$ [query: d]";
  view.heads = 8;
  views.push_back(view);
  view.page = scene::Page::memory, view.memory.beta = 0.3;
  views.push_back(view);
  view.page = scene::Page::attention, view.heads = 2, view.temperature = 0.5, view.query = {}, view.head = {};
  views.push_back(view);
  std::filesystem::path path;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto added = add_view(
        {.lesson = "Mine & \"yours\"", .title = i == 1 ? "" : "a [b] {c} $d$ **e**", .words = "50 % of {x}"},
        views[i], folder.path() / "lessons");
    ASSERT_TRUE(added) << added.error();
    EXPECT_EQ(added->step, static_cast<int>(i) + 1);
    path = added->path;
  }
  EXPECT_EQ(path.filename(), "mine-yours.json");
  auto lesson = open_lesson(path.string(), {});
  ASSERT_TRUE(lesson) << lesson.error();
  EXPECT_EQ(lesson->lesson.title, "Mine & \"yours\"");
  Session session({.scene = {}, .autosave = {}});
  LessonPlayer player(session);
  player.start(std::move(*lesson), 0);
  ASSERT_EQ(player.steps(), 3);
  for (int step : {0, 1, 2, 1, 0, 2}) {
    player.go(step, 1);
    EXPECT_EQ(session.scene(), views[static_cast<std::size_t>(step)])
        << scene::difference(session.scene(), views[static_cast<std::size_t>(step)]);
  }
  EXPECT_THAT(player.current().controls, testing::ElementsAre("heads", "temperature"));
  std::string words;
  for (const auto& run : player.runs(player.current().words.front())) words += run.text;
  EXPECT_EQ(words, "50 % of {x}");
  const auto found = list_lessons(folder.path() / "lessons");
  ASSERT_EQ(found.size(), list_lessons({}).size() + 1);
  EXPECT_EQ(found.back().name, "mine-yours");
  EXPECT_TRUE(open_lesson("mine-yours", folder.path() / "lessons"));
}

TEST(Recording, AFileThatCannotBeReadIsNotWrittenOver) {
  tests::ScratchFolder folder;
  std::ofstream(folder / "my-lesson.json") << "{\"headlight_lesson\": 1, \"title\": \"half";
  const auto added = add_view({}, {}, folder.path());
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error(), HasSubstr("my-lesson.json: invalid JSON"));
  const auto text = io::read_file(folder / "my-lesson.json", 1000);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("half"));
  const auto list = list_lessons(folder.path());
  EXPECT_THAT(list.back().problem, HasSubstr("invalid JSON"));
}

TEST(Library, NamesAreUnderstoodAndSuggested) {
  EXPECT_TRUE(open_lesson("clocks", {}));
  EXPECT_TRUE(open_lesson("5", {}));
  const auto wrong = open_lesson("clokcs", {});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error(), "no lesson \"clokcs\". Did you mean \"clocks\"?");
  EXPECT_THAT(open_lesson("no/such.json", {}).error(), HasSubstr("no/such.json"));
  EXPECT_EQ(file_name_of("  The Clocks!  "), "the-clocks");
  EXPECT_EQ(file_name_of("../../etc"), "etc");
  EXPECT_EQ(file_name_of("!?"), "lesson");
}

TEST(Overlay, FindsThingsByTheirNames) {
  draw::RecordCanvas measure;
  draw::PickCanvas pick({-1, -1}, measure);
  pick.panel({0, 0, 100, 50}, "map", "Head 1 · attention weights");
  pick.mark({.part = draw::Part::head, .head = 1, .area = {5, 5, 10, 10}});
  pick.mark({.part = draw::Part::cell, .head = 0});
  pick.heatmap({100, 100, 120, 240}, {});
  pick.mark({.part = draw::Part::control, .name = "matrix", .area = {1, 2, 3, 4}});
  const PageThings page{pick.targets(), pick.panels(), 6, 3, false};
  const PageThings turned{pick.targets(), pick.panels(), 6, 3, true};
  EXPECT_EQ(boxes_of("card map", page), (std::vector<draw::Box>{{0, 0, 100, 50}}));
  EXPECT_EQ(boxes_of("card Attention", page).size(), 1u);
  EXPECT_EQ(boxes_of("head 2", page), (std::vector<draw::Box>{{5, 5, 10, 10}}));
  EXPECT_EQ(boxes_of("matrix", page), (std::vector<draw::Box>{{1, 2, 3, 4}}));
  EXPECT_EQ(boxes_of("row 2", page), (std::vector<draw::Box>{{100, 180, 120, 40}}));
  EXPECT_EQ(boxes_of("column 2", page), (std::vector<draw::Box>{{180, 100, 40, 240}}));
  EXPECT_EQ(boxes_of("cell 2 1", page), (std::vector<draw::Box>{{140, 180, 40, 40}}));
  EXPECT_EQ(boxes_of("cell 2 1", turned), (std::vector<draw::Box>{{140, 180, 20, 80}}));
  EXPECT_THAT(boxes_of("row 6", page), IsEmpty());
  EXPECT_THAT(boxes_of("nothing", page), IsEmpty());
  PageOverlay overlay;
  overlay.hide = {"card map"}, overlay.highlight = {"head 2", "nothing"};
  const OverlayBoxes boxes = overlay_boxes(overlay, page);
  EXPECT_TRUE(boxes.covers_point({50, 20}));
  EXPECT_FALSE(boxes.covers_point({150, 20}));
  EXPECT_THAT(boxes.missing, testing::ElementsAre("nothing"));
}

/// As it stands in a table.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

TEST(Documentation, ListsEveryQuantity) {
  const auto text = io::read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/docs/lessons.md", 1 << 20);
  ASSERT_TRUE(text);
  for (const scene::QuantityInfo& info : scene::quantities())
    EXPECT_THAT(*text, HasSubstr("\n| `" + std::string(info.name) + "` | " + escaped(info.label) + " | " +
                                 info.unit + " | " + info.arguments + " | " + escaped(info.help) + " |\n"));
}

/// The list of cards is that of the program, page by page.
TEST(Documentation, NamesEveryCard) {
  const auto text = io::read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/docs/lessons.md", 1 << 20);
  ASSERT_TRUE(text);
  const std::size_t from = text->find("The cards: ");
  ASSERT_NE(from, std::string::npos);
  std::stringstream pages(text->substr(from, text->find("\n\n", from) - from));
  std::string entry;
  int page = 0;
  for (; std::getline(pages, entry, ';'); ++page) {
    std::set<std::string> named, there;
    for (std::size_t at = entry.find('`'); at != std::string::npos; at = entry.find('`', at + 1)) {
      const std::size_t end = entry.find('`', at + 1);
      const std::string name = entry.substr(at + 1, end - at - 1);
      if (name.find('=') != std::string::npos) break;  // what follows is there with that setting
      named.insert(name);
      at = end;
    }
    scene::Scene scene;
    RenderOptions options;
    scene.page = options.page = static_cast<scene::Page>(page);
    std::stringstream panels(list_panels(scene, options));
    for (std::string panel; std::getline(panels, panel);) there.insert(panel.substr(0, panel.find('\t')));
    EXPECT_EQ(named, there) << word(scene.page);
  }
  EXPECT_EQ(page, static_cast<int>(std::size(scene::Words<scene::Page>::list)));
}

}  // namespace
}  // namespace headlight::app::lesson_test
