// docs/coverage.md against the program's own lists: every place that it names is there, every number that a
// preset repeats is named, and every preset, page and lesson has a row. The checker itself is tested with
// rows that are wrong.
#include <gmock/gmock.h>

#include "app/coverage_rows.h"
#include "io/files.h"
#include "kit/verdict.h"
#include "pages/presets/presets.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "pages/training/training.h"
#include "pictures/pages.h"
#include "scene/results.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "session/lesson_library.h"

namespace headlight {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::coverage_problems;
using tests::CoveragePlaces;

/// The words of a step in which a number stands as {0.401 = …} or {0.401}.
std::vector<std::vector<std::string>> numbers_in(const scene::LessonStep& step) {
  std::string all = step.title;
  for (const auto* words : {&step.words, &step.reveal}) {
    for (const std::string& one : *words) all += '\n' + one;
  }
  if (step.predict) all += '\n' + step.predict->ask;
  if (step.question) all += '\n' + step.question->ask + '\n' + step.question->why;
  if (step.task) all += '\n' + step.task->ask;
  std::vector<std::string> numbers;
  for (std::size_t at = 0; (at = all.find('{', at)) != std::string::npos; ++at) {
    const std::size_t end = all.find_first_of(" }", at);
    if (end != std::string::npos) numbers.push_back(all.substr(at + 1, end - at - 1));
  }
  return {numbers};
}

void add_lessons(CoveragePlaces& out) {
  for (const app::LessonEntry& entry : app::list_lessons({})) {
    const auto lesson = app::read_lesson(entry.name, {});
    ASSERT_TRUE(lesson) << lesson.error();
    const std::string name = "lesson " + entry.name;
    out.names.insert(name);
    int number = 0;
    for (const scene::LessonStep& step : lesson->lesson.steps) {
      const std::string place = name + "/" + std::to_string(++number);
      out.names.insert(place);
      out.printed[place] = numbers_in(step);
    }
  }
}

void add_presets(CoveragePlaces& out) {
  base::Parallel parallel(1);
  const auto presets = scene::compute_presets(scene::Scene{}, scene::Results{}, parallel);
  for (const scene::Preset& preset : presets->presets) {
    const std::string name = "preset " + preset.title;
    out.names.insert(name);
    if (preset.verdict == scene::Verdict::contradiction) out.contradictions.insert(name);
    for (const scene::PresetLine& line : preset.lines) {
      if (line.kind == scene::PresetKind::printed) out.printed[name].push_back(tests::words_of(line.printed));
    }
  }
}

CoveragePlaces of_the_program() {
  CoveragePlaces out;
  int n = 0;
  for (const char* page : scene::Words<scene::Page>::list) {
    out.names.insert("page " + std::string(page));
    for (const views::HelpEntry& entry : app::page_info(static_cast<scene::Page>(n++)).view.help())
      out.names.insert("help " + std::string(page) + "/" + entry.panel);
  }
  // Tested in figure_pages_test.cpp: what a table says it is behind is a card, and every card has a table.
  for (const scene::Table& table : scene::tables()) {
    out.names.insert("export " + std::string(table.name));
    for (const std::string& card : tests::words_of(table.panels))
      out.names.insert("card " + std::string(scene::word(table.page)) + "/" + card);
  }
  scene::Scene scene;
  scene::fields(scene, [&](const scene::Field& field, const auto&) {
    out.names.insert("field " + std::string(field.name));
  });
  for (const scene::QuantityInfo& info : scene::quantities())
    out.names.insert("quantity " + std::string(info.name));
  for (const char* task : scene::Words<scene::TrainingTask>::list)
    out.names.insert("task " + std::string(task));
  for (const char* model : scene::included_models()) out.names.insert("model " + std::string(model));
  add_lessons(out);
  add_presets(out);
  out.settable = [](const std::string& assignment) {
    scene::Scene changed;
    return bool(scene::set_field(changed, assignment));
  };
  return out;
}

const std::vector<std::string>& sources() {
  static const std::vector<std::string> all = {
      "Self-Attention and Positional Encoding, slides", "Self-Attention and Positional Encoding, section",
      "Self-Attention, Multi-Head, Positional Encodings", "Self-attention and transformers, a lecture note",
      "Self-Attention, chapter 39"};
  return all;
}

TEST(Coverage, EveryPlaceIsThereAndNothingIsLeftOut) {
  const auto text = io::read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/docs/coverage.md", 1 << 20);
  ASSERT_TRUE(text) << text.error();
  EXPECT_THAT(coverage_problems(*text, sources(), of_the_program()), IsEmpty());
  EXPECT_GT(tests::coverage_rows(*text).size(), 200u);
}

TEST(Coverage, TheListsOfTheProgramAreWhole) {
  const CoveragePlaces places = of_the_program();
  for (const char* name :
       {"page attention", "card attention/map", "card position/same-arc", "preset Memory wall",
        "lesson clocks", "lesson clocks/3", "task reverse", "export w_q", "field position_offset",
        "quantity row_sum", "help memory/Linear attention", "model pronouns-free"})
    EXPECT_TRUE(places.names.count(name)) << name;
  EXPECT_FALSE(places.contradictions.empty());
  EXPECT_TRUE(places.settable("mask=causal"));
  EXPECT_FALSE(places.settable("mask=casual"));
}

/// The checker on a table of one row, with a program of three places.
std::vector<std::string> problems_of(const std::string& row) {
  CoveragePlaces places;
  places.names = {"card worked/flow", "preset Sum", "quantity row_sum"};
  places.settable = [](const std::string& assignment) { return assignment == "mask=causal"; };
  places.printed["preset Sum"] = {{"0.5", "0.25", "0.25"}};
  places.contradictions = {};
  const std::string sum = "| 1 | number | weights | `preset Sum prints 0.5 0.25 0.25` |\n";
  return coverage_problems("## A\n\n| place | kind | what | where |\n|---|---|---|---|\n" + sum + row + "\n",
                           {"A"}, places);
}

TEST(CoverageChecker, AcceptsWhatIsThere) {
  EXPECT_THAT(problems_of("| 2 | formula | a row | `card worked/flow`, `quantity row_sum` |"), IsEmpty());
  EXPECT_THAT(problems_of("| 2 | formula | mask | `field mask=causal` |"), IsEmpty());
  EXPECT_THAT(problems_of("| 2 | number | one of them | `preset Sum prints 0.25 0.25` |"), IsEmpty());
  EXPECT_THAT(problems_of("| 2 | number | price | `nothing`: prices are not computed here |"), IsEmpty());
}

TEST(CoverageChecker, FindsAPlaceThatIsNotThere) {
  EXPECT_THAT(problems_of("| 2 | formula | a row | `card worked/flaw` |"),
              ElementsAre("line 6: there is no `card worked/flaw`"));
  EXPECT_THAT(problems_of("| 2 | formula | mask | `field mask=casual` |"),
              ElementsAre("line 6: there is no `field mask=casual`"));
  EXPECT_THAT(problems_of("| 2 | formula | a row | card worked/flow |"),
              ElementsAre("line 6: no place is named"));
}

TEST(CoverageChecker, FindsNumbersThatAreNotThere) {
  EXPECT_THAT(problems_of("| 2 | number | weights | `preset Sum prints 0.5 0.3` |"),
              ElementsAre("line 6: `preset Sum` has no 0.5 0.3"));
  EXPECT_THAT(problems_of("| 2 | number | a sum | `quantity row_sum prints 1` |"),
              ElementsAre("line 6: `quantity row_sum` has no 1"));
  CoveragePlaces places;
  places.names = {"preset Sum"};
  places.printed["preset Sum"] = {{"0.5", "0.25"}, {"“near", "zero”"}};
  EXPECT_THAT(
      coverage_problems("## A\n| p | k | w | w |\n|---|---|---|---|\n| 1 | number | w | `preset Sum` |\n",
                        {"A"}, places),
      ElementsAre("no row has the numbers 0.5 0.25 of `preset Sum`"));
}

TEST(CoverageChecker, NothingNeedsAReason) {
  EXPECT_THAT(problems_of("| 2 | number | price | `nothing` |"), ElementsAre(HasSubstr("needs a reason")));
  EXPECT_THAT(problems_of("| 2 | number | price | `nothing`: later |"),
              ElementsAre(HasSubstr("needs a reason")));
}

TEST(CoverageChecker, FindsBrokenRowsAndMissingSources) {
  EXPECT_THAT(problems_of("| 2 | thing | a row | `card worked/flow` |"), ElementsAre(HasSubstr("no kind")));
  EXPECT_THAT(problems_of("| 2 | formula | `card worked/flow` |").size(), 3u);
  EXPECT_THAT(coverage_problems("", {"A"}, {}), ElementsAre("no rows for the source “A”"));
}

TEST(CoverageChecker, FindsWhatOfTheProgramHasNoRow) {
  CoveragePlaces places;
  places.names = {"preset Sum",      "preset Says",  "lesson clocks",
                  "lesson clocks/1", "lesson order", "field mask"};
  places.contradictions = {"preset Says"};
  const std::string head = "## A\n| p | k | w | w |\n|---|---|---|---|\n";
  EXPECT_THAT(
      coverage_problems(head + "| 1 | statement | x | contradicted by `preset Sum`, `lesson clocks/1` |\n",
                        {"A"}, places),
      ElementsAre("line 4: `preset Sum` contradicts nothing", "no row names `lesson order`",
                  "no row names `preset Says`", "no statement is “contradicted by `preset Says`”"));
}

}  // namespace
}  // namespace headlight
