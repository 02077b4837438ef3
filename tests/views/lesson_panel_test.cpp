// The panel of a lesson at every size: nothing overlaps, nothing is cut, type grows with the panel.
#include "teach/view/lesson_panel.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "draw/record_canvas.h"
#include "teach/view/lesson_text.h"

namespace headlight::views {
namespace {

using draw::Box;
using scene::Emphasis;

Runs plain(const std::string& words) {
  return {{.text = words}};
}

LessonPanel full() {
  LessonPanel panel;
  panel.heading = "lesson 4 · why order needs help";
  panel.title = plain("Shuffle the words. The answers do not change.");
  panel.sentence = "the cat sat on the mat";
  panel.words = {{{.text = "Without positions self-attention is "},
                  {.text = "permutation-equivariant", .emphasis = Emphasis::bold},
                  {.text = ": move a token and its output row moves with it, by "},
                  {.text = "0.000", .counts = true},
                  {.text = "."}},
                 {{.text = "Divide by "},
                  {.text = "√d", .maths = true},
                  {.text = "k", .maths = true, .script = -1},
                  {.text = " and press "},
                  {.text = "sin/cos", .emphasis = Emphasis::button},
                  {.text = " now."}}};
  panel.question = plain("Which of the two is larger?");
  panel.choices = {plain("the first one"), plain("the second one"), plain("they are the same")};
  panel.task = plain("turn the positions on and watch the rows part.");
  panel.notes = "Say that the softmax of a row does not care in which order its keys are summed.";
  panel.step = 3, panel.steps = 9;
  return panel;
}

struct Drawn {
  draw::RecordCanvas canvas;
  LessonPlaces places;
};
Drawn drawn(const LessonPanel& panel, float width, float height) {
  Drawn out;
  out.places = lesson_panel({out.canvas, draw::theme(false)}, {0, 0, width, height}, panel);
  return out;
}

/// Words that cross each other or the panel's edges. What is scrolled lies under the clip: not counted.
std::string trouble(const Drawn& page, float width, float height) {
  std::string out;
  const auto& texts = page.canvas.texts;
  const float top = page.places.words.y, bottom = page.places.words.bottom();
  const bool scrolls = page.places.needed > page.places.words.h;
  // “more” scrolls by no more than was shown, but it does scroll.
  EXPECT_LE(page.places.shown, page.places.words.h + 0.01f);
  EXPECT_GT(page.places.shown, 0);
  EXPECT_EQ(scrolls,
            std::any_of(texts.begin(), texts.end(), [](const auto& t) { return t.words == "↓ more"; }));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Box a = texts[i].box;
    if (texts[i].words == "↓ more") continue;  // lies over the words that it stands for
    if (a.x < 0 || a.right() > width + 1 || a.y < 0 || (!scrolls && a.bottom() > height + 1))
      out += "\"" + texts[i].words + "\" leaves the panel\n";
    if (texts[i].words.find("…") != std::string::npos) out += "\"" + texts[i].words + "\" is cut\n";
    if (scrolls && (a.bottom() > bottom || a.y < top)) continue;
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      const Box b = texts[j].box;
      if (texts[j].words == "↓ more") continue;
      if (scrolls && (b.bottom() > bottom || b.y < top)) continue;
      if (a.x + 1.5f < b.right() && b.x + 1.5f < a.right() && a.y + 1.5f < b.bottom() &&
          b.y + 1.5f < a.bottom())
        out += "\"" + texts[i].words + "\" crosses \"" + texts[j].words + "\"\n";
    }
  }
  return out;
}

/// The lesson's name takes no room that the step needs; a step that scrolls anyway keeps it.
TEST(LessonPanel, AStepComesBeforeTheNameOfItsLesson) {
  LessonPanel panel;
  panel.heading = "lesson 4 · why order needs help";
  panel.title = plain("Shuffle the words");
  panel.step = 3, panel.steps = 9;
  const auto says = [](const Drawn& page, const std::string& words) {
    return std::any_of(page.canvas.texts.begin(), page.canvas.texts.end(),
                       [&](const auto& text) { return text.words.find(words) != std::string::npos; });
  };
  int shorter = 0, none = 0, scrolling = 0;
  for (int sentences = 1; sentences < 40; ++sentences) {
    panel.words.push_back(plain("Without positions an output row moves with its token."));
    const Drawn page = drawn(panel, 224, 360);
    const bool name = says(page, "HELP"), number = says(page, "LESSON 4");
    if (says(page, "↓ more")) {
      ++scrolling;
      EXPECT_TRUE(name) << sentences;
    } else {
      shorter += number && !name, none += !number;
    }
  }
  EXPECT_GT(shorter + none, 0);
  EXPECT_GT(scrolling, 0);
}

TEST(LessonPanel, NothingOverlapsAndNothingIsCutAtAnySize) {
  LessonPanel panel = full();
  for (const bool notes : {false, true}) {
    for (const int chosen : {-1, 0, 1}) {
      for (const bool covered : {false, true}) {
        panel.notes_shown = notes, panel.chosen = chosen, panel.why = plain("Because of that.");
        panel.predict = plain("What happens to the rows?"), panel.covered = covered;
        if (!covered) panel.reveal = {plain("They move with their tokens.")};
        panel.controls = covered ? 0 : 70;
        // Window widths and heights in units: 3840×2160 at scale 1, 1600×1000 at 1 and 2, 1280×720 at 1, and
        // the smallest that a scale of 2 leaves.
        for (const auto& [width, height] : {std::pair{3840.f, 2160.f},
                                            {1600.f, 1000.f},
                                            {1280.f, 720.f},
                                            {1067.f, 667.f},
                                            {800.f, 500.f},
                                            {640.f, 400.f}}) {
          const float wide = lesson_panel_width(width);
          EXPECT_LT(wide, width * 0.51f);
          EXPECT_EQ(trouble(drawn(panel, wide, height), wide, height), "")
              << width << " × " << height << (notes ? " notes" : "") << (covered ? " covered" : "");
        }
      }
    }
  }
}

TEST(LessonPanel, TypeIsLargeAndGrowsWithTheRoom) {
  const auto largest = [](const Drawn& page) {
    float size = 0;
    for (const auto& text : page.canvas.texts) size = std::max(size, text.style.size);
    return size;
  };
  LessonPanel panel = full();
  panel.question.clear(), panel.task.clear();
  const float at_1600 = largest(drawn(panel, lesson_panel_width(1600), 1000));
  EXPECT_GT(at_1600, 36);
  EXPECT_GT(largest(drawn(panel, lesson_panel_width(2400), 1500)), at_1600);
  // More words in the same room: smaller, but all of them are there.
  for (int i = 0; i < 5; ++i) panel.words.push_back(panel.words[0]);
  const Drawn crowded = drawn(panel, lesson_panel_width(1600), 1000);
  EXPECT_LT(largest(crowded), at_1600);
  EXPECT_LE(crowded.places.needed, crowded.places.words.h);
}

TEST(LessonPanel, NotesAreASheetOfTheirOwnBelowTheWords) {
  LessonPanel panel = full();
  panel.question.clear(), panel.task.clear();
  const auto find = [](const Drawn& page, const std::string& words) {
    const auto& texts = page.canvas.texts;
    const auto found =
        std::find_if(texts.begin(), texts.end(), [&](const auto& t) { return t.words == words; });
    return found == texts.end() ? Box{} : found->box;
  };
  const float width = lesson_panel_width(1600);
  const Drawn without = drawn(panel, width, 1000);
  EXPECT_EQ(find(without, "NOTES FOR THE LECTURER").w, 0);
  panel.notes_shown = true;
  const Drawn with = drawn(panel, width, 1000);
  const Box heading = find(with, "NOTES FOR THE LECTURER");
  ASSERT_GT(heading.w, 0);
  // What everybody reads stays where it was, and as large.
  EXPECT_EQ(find(with, "Shuffle").y, find(without, "Shuffle").y);
  EXPECT_EQ(with.places.needed, without.places.needed);
  EXPECT_GT(heading.y, with.places.words.y + with.places.needed);
  // Beside "hide notes" there may be no room for the word "step".
  EXPECT_LT(heading.y, std::max(find(with, "step 4 of 9").y, find(with, "4 of 9").y));
}

/// Of a window of 640x360: the sheet would lie over the choices.
TEST(LessonPanel, InALowWindowNotesStandInThePlaceOfTheWords) {
  LessonPanel panel = full();
  panel.task.clear();
  panel.notes_shown = true;
  const float width = lesson_panel_width(640);
  const Drawn page = drawn(panel, width, 360);
  const auto& texts = page.canvas.texts;
  const auto find = [&](const std::string& begin) {
    const auto found = std::find_if(texts.begin(), texts.end(),
                                    [&](const auto& text) { return text.words.starts_with(begin); });
    return found == texts.end() ? Box{} : found->box;
  };
  const Box notes = find("NOTES"), choice = find("first"), last = find("same");
  ASSERT_GT(notes.w, 0);
  ASSERT_GT(choice.w, 0);
  ASSERT_GT(last.w, 0);
  EXPECT_EQ(find("Shuffle").w, 0) << "the words come back with N";
  EXPECT_LT(notes.bottom(), choice.y);
  const Box requested = page.places.stays.h > 0 ? page.places.stays : page.places.words;
  EXPECT_LE(last.bottom(), requested.bottom());
  EXPECT_EQ(trouble(page, width, 360), "");
}

TEST(LessonPanel, EverythingThatActsHasANameAndStepsHaveDots) {
  LessonPanel panel = full();
  panel.predict = plain("what?"), panel.covered = true;
  draw::RecordCanvas measure;
  draw::PickCanvas pick({-1, -1}, measure);
  lesson_panel({pick, draw::theme(true)}, {0, 0, 700, 1000}, panel);
  std::vector<std::string> names;
  for (const auto& target : pick.targets()) names.push_back(target.mark.name);
  for (const char* name : {"next step", "previous step", "explore", "notes", "leave lesson", "reveal",
                           "choice 1", "choice 3", "step 1", "step 9"}) {
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  }
  EXPECT_EQ(std::count(names.begin(), names.end(), "step 10"), 0);
}

/// The way out is always there, in the same words in every step, also while a lesson is tried that is
/// written.
TEST(LessonPanel, ItsFootIsTheSameInEveryStepAndHasAWayOut) {
  for (const float width : {435.f, 545.f, 700.f, 1305.f}) {
    for (const bool trying : {false, true}) {
      std::vector<std::string> first;
      for (int step = 0; step < 13; ++step) {
        LessonPanel panel = full();
        panel.step = step, panel.steps = 13, panel.trying = trying;
        if (step % 2 == 0) panel.notes.clear();
        const Drawn page = drawn(panel, width, 720);
        std::vector<std::string> words;
        float foot = 0;
        for (const auto& text : page.canvas.texts)
          if (text.words.find(" of 13") != std::string::npos) foot = text.at.y;
        ASSERT_GT(foot, 0);
        for (const auto& text : page.canvas.texts) {
          const bool notes = text.words == "N" || text.words == "notes";
          if (text.at.y == foot && !notes && text.words.find(" of 13") == std::string::npos)
            words.push_back(text.words);
        }
        if (step == 0) first = words;
        EXPECT_EQ(words, first) << "step " << step << " at " << width;
      }
      const bool out = std::any_of(first.begin(), first.end(), [&](const std::string& words) {
        return trying ? words.find("edit") != std::string::npos : words == "leave";
      });
      EXPECT_TRUE(out) << width << (trying ? ", while it is written" : "");
    }
  }
}

TEST(LessonPanel, TheQuestionStaysBesideItsAnswer) {
  LessonPanel panel = full();
  panel.question.clear(), panel.task.clear();
  panel.predict = plain("what?"), panel.covered = true;
  const auto at = [&](const std::string& words) {
    const Drawn page = drawn(panel, 545, 1000);
    for (const auto& text : page.canvas.texts)
      if (text.words == words) return text.box.y;
    return -1.f;
  };
  EXPECT_GT(at("what?"), 0);
  EXPECT_LT(at("that"), 0);
  const float before = at("what?");
  panel.covered = false, panel.reveal = {plain("that")};
  EXPECT_EQ(at("what?"), before);
  EXPECT_GT(at("that"), before);
  EXPECT_LT(at("reveals it"), 0);
}

TEST(LessonPanel, APredictionHasRoomUntilItStandsBesideTheAnswer) {
  LessonPanel panel = full();
  panel.question.clear(), panel.task.clear();
  EXPECT_EQ(drawn(panel, 545, 1000).places.guess.h, 0);
  panel.predict = plain("what?"), panel.covered = true, panel.guess = "two words";
  for (const draw::Box size : {draw::Box{0, 0, 300, 500}, {0, 0, 545, 1000}, {0, 0, 1300, 2000}}) {
    panel.covered = true;
    const Drawn page = drawn(panel, size.w, size.h);
    const Box field = page.places.guess;
    EXPECT_GE(field.h, 28);
    for (const auto& text : page.canvas.texts)
      EXPECT_FALSE(text.box.y + 1 < field.bottom() && field.y + 1 < text.box.bottom()) << text.words;
    panel.covered = false;
    const Drawn after = drawn(panel, size.w, size.h);
    EXPECT_EQ(after.places.guess.h, 0);
    std::string all;
    for (const auto& text : after.canvas.texts) all += text.words + " ";
    EXPECT_NE(all.find("Your prediction: two words"), std::string::npos) << all;
  }
  panel.covered = true, panel.hall = true;  // the class writes on paper
  EXPECT_EQ(drawn(panel, 545, 1000).places.guess.h, 0);
}

TEST(LessonPanel, AnswersShowWhichIsRightOnlyWhenOneIsChosen) {
  LessonPanel panel = full();
  panel.answer = 2, panel.why = plain("reason");
  const auto says = [&](const std::string& words) {
    const Drawn page = drawn(panel, 545, 1000);
    return std::any_of(page.canvas.texts.begin(), page.canvas.texts.end(),
                       [&](const auto& text) { return text.words == words; });
  };
  EXPECT_FALSE(says("✓"));
  EXPECT_FALSE(says("reason"));
  panel.chosen = 0;
  EXPECT_TRUE(says("✓"));
  EXPECT_TRUE(says("×"));
  EXPECT_TRUE(says("reason"));
  panel.chosen = 2;
  EXPECT_FALSE(says("×"));
}

TEST(LessonText, WrapsAtBlanksKeepsMarksWithTheirSignsAndShiftsScripts) {
  draw::RecordCanvas canvas;
  const Pen pen{canvas, draw::theme(true)};
  const Runs runs = {{.text = "one two "},
                     {.text = "three", .emphasis = Emphasis::key},
                     {.text = ", four "},
                     {.text = "x", .maths = true},
                     {.text = "k", .maths = true, .script = -1},
                     {.text = "2", .maths = true, .script = 1}};
  const LessonText look{.size = 20, .leading = 1.5f, .color = draw::rgb(0xffffff)};
  EXPECT_EQ(lesson_text(pen, {0, 0, 1000, 0}, runs, look, false), 30);
  EXPECT_TRUE(canvas.texts.empty());
  EXPECT_EQ(lesson_text(pen, {0, 0, 80, 0}, runs, look), 120);
  const auto find = [&](const std::string& words) {
    return *std::find_if(canvas.texts.begin(), canvas.texts.end(),
                         [&](const auto& t) { return t.words == words; });
  };
  EXPECT_EQ(find("three").style.color, draw::theme(true).key);
  EXPECT_EQ(find(",").at.y, find("three").at.y);  // the comma stays with its word
  EXPECT_GT(find("k").at.y, find("x").at.y);
  EXPECT_LT(find("2").at.y, find("x").at.y);
  EXPECT_LT(find("k").style.size, find("x").style.size);
  // A number keeps its unit: both go to the next line.
  draw::RecordCanvas narrow;
  const Runs share = {{.text = "less than "}, {.text = "1 %", .counts = true}};
  lesson_text({narrow, draw::theme(true)}, {0, 0, 110, 0}, share, look);
  ASSERT_EQ(narrow.texts.back().words, "1 %");
  EXPECT_GT(narrow.texts.back().at.y, narrow.texts.front().at.y);
}

}  // namespace
}  // namespace headlight::views
