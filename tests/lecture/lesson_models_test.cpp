// Lessons that need a model: what they say where its folder is missing, and that it is found once it is
// there.
#include <gmock/gmock.h>

#include <cstdlib>
#include <optional>

#include "played_lessons.h"
#include "scene/settings.h"
#include "session/lesson_player.h"
#include "support/scratch_folder.h"

namespace headlight::app::lesson_test {
namespace {

using scene::Scene;
using testing::HasSubstr;
using testing::IsEmpty;

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

}  // namespace
}  // namespace headlight::app::lesson_test
