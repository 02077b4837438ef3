// Views that are recorded as steps of a lesson, and the names by which lessons are found.
#include <gmock/gmock.h>

#include <fstream>

#include "io/files.h"
#include "scene/settings.h"
#include "session/lesson_player.h"
#include "support/scratch_folder.h"

namespace headlight::app::lesson_test {
namespace {

using scene::Scene;
using testing::HasSubstr;

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

TEST(Recording, ANewLessonIsNoStepOfAnotherOfTheSameTitle) {
  tests::ScratchFolder folder;
  const auto first = add_view({}, {}, folder.path());
  const auto second = add_view({.fresh = true}, {}, folder.path());
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->path, second->path);
  EXPECT_EQ(second->step, 1);
  const auto third = add_view({.file = second->path}, {}, folder.path());
  ASSERT_TRUE(third);
  EXPECT_EQ(third->path, second->path);
  EXPECT_EQ(third->step, 2);
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

}  // namespace
}  // namespace headlight::app::lesson_test
