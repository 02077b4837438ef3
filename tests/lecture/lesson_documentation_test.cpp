// docs/lessons.md lists every quantity and every card; every step of the included lessons has notes.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "app/render.h"
#include "io/files.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "teach/lesson.h"

namespace headlight::app::lesson_test {
namespace {

using testing::HasSubstr;

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
    scene.training.steps = 12, scene.training.batch = 8;  // the Training page has a run
    std::stringstream panels(list_panels(scene, options));
    for (std::string panel; std::getline(panels, panel);) there.insert(panel.substr(0, panel.find('\t')));
    EXPECT_EQ(named, there) << word(scene.page);
  }
  EXPECT_EQ(page, static_cast<int>(std::size(scene::Words<scene::Page>::list)));
}

/// From the files themselves, so that a lesson whose model is not here is among them.
TEST(Documentation, EveryStepOfTheIncludedLessonsHasNotes) {
  int lessons = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(HEADLIGHT_SOURCE_DIR) + "/assets/lessons")) {
    const auto text = io::read_file(file.path(), 1 << 20);
    ASSERT_TRUE(text) << file.path();
    const auto lesson = scene::lesson_from_json(*text, file.path().filename().string());
    ASSERT_TRUE(lesson) << lesson.error();
    for (const scene::LessonStep& step : lesson->steps)
      EXPECT_GE(step.notes.size(), 20u) << lesson->title << ": " << step.title;
    ++lessons;
  }
  EXPECT_GE(lessons, 14);
}

}  // namespace
}  // namespace headlight::app::lesson_test
