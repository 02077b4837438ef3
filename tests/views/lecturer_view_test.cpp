// The lecturer's window at every size: nothing overlaps, nothing leaves it, everything can be read, and what
// is long scrolls.
#include "teach/view/lecturer_view.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "draw/record_canvas.h"

namespace headlight::views {
namespace {

using draw::Box;

Runs message(const std::string& words) {
  return {{.text = words}};
}

LecturerView lecture() {
  LecturerView view;
  view.slide.heading = "Lesson 4 · why order needs help";
  view.slide.title = message("Shuffle the words. The answers do not change.");
  view.slide.words = {
      message("Without positions self-attention is permutation-equivariant: move a token and its "
              "output row moves with it."),
      message("Divide by the root of d and compare.")};
  view.slide.notes = "Have someone prove it on the board.\nThen ask who needs the order.";
  view.slide.step = 3, view.slide.steps = 9;
  for (int i = 1; i <= 9; ++i) view.titles.push_back("The title of step " + std::to_string(i));
  view.clock = "14:05", view.seconds = 245;
  return view;
}

struct Shown {
  draw::RecordCanvas canvas;
  LecturerPlaces places;
};
Shown shown(const LecturerView& view, float width, float height, bool dark = true) {
  Shown out;
  out.places = lecturer_view({out.canvas, draw::theme(dark)}, {0, 0, width, height}, view);
  return out;
}

std::vector<std::string> marks_of(const LecturerView& view, float width = 1280, float height = 720) {
  std::vector<std::string> out;
  for (const draw::Mark& mark : shown(view, width, height).canvas.marks) out.push_back(mark.name);
  return out;
}

bool has_text(const Shown& page, const std::string& words) {
  return std::any_of(page.canvas.texts.begin(), page.canvas.texts.end(),
                     [&](const auto& text) { return text.words == words; });
}

bool meet(const Box& a, const Box& b, float by = 1.5f) {
  return a.x + by < b.right() && b.x + by < a.right() && a.y + by < b.bottom() && b.y + by < a.bottom();
}
bool within(const Box& inner, const Box& outer) {
  return inner.x >= outer.x - 0.5f && inner.right() <= outer.right() + 0.5f && inner.y >= outer.y - 0.5f &&
         inner.bottom() <= outer.bottom() + 0.5f;
}

/// What is wrong with the picture. Notes and words that are scrolled away lie under their clip.
std::string trouble_of(const Shown& page, float width, float height) {
  std::string out;
  const Box window{0, 0, width, height};
  const LecturerPlaces& places = page.places;
  std::vector<Box> boxes;
  std::vector<std::string> words;
  for (const auto& text : page.canvas.texts) {
    if (text.style.size < least_lecturer_type) out += "\"" + text.words + "\" is too small\n";
    if (text.words == "↓ more") continue;  // lies over the words that it stands for
    const bool in_words = text.at.x >= places.words.x && text.at.x < places.words.right();
    if (in_words && places.needed > places.words.h && !within(text.box, places.words) &&
        text.box.bottom() > places.words.y)
      continue;
    if (!within(text.box, window)) out += "\"" + text.words + "\" leaves the window\n";
    if (text.words.find("…") != std::string::npos) out += "\"" + text.words + "\" is cut\n";
    boxes.push_back(text.box), words.push_back(text.words);
  }
  for (const auto& [box, name] : {std::pair{places.slide, "the slide"}, {places.next, "the next slide"}}) {
    if (box.h <= 0) continue;
    if (!within(box, window)) out += std::string(name) + " leaves the window\n";
    boxes.push_back(box), words.push_back(name);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j)
      if (meet(boxes[i], boxes[j])) out += "\"" + words[i] + "\" crosses \"" + words[j] + "\"\n";
  }
  for (const draw::Mark& mark : page.canvas.marks)
    if (mark.area.w > 0 && !mark.name.starts_with("choice ") && !within(mark.area, window))
      out += mark.name + " leaves the window\n";
  return out;
}

constexpr std::pair<float, float> sizes[] = {{960, 600},   {1024, 768},  {1280, 720},
                                             {1600, 1000}, {1920, 1080}, {3840, 2160}};

/// As long a text as wanted, of words that can be found again.
std::string long_notes(int words) {
  std::string out;
  for (int i = 0; i < words; ++i) out += (i > 0 ? " word" : "word") + std::to_string(i);
  return out;
}

TEST(LecturerView, NothingOverlapsAndEverythingCanBeReadAtAnySize) {
  for (const auto& [width, height] : sizes) {
    for (int kind = 0; kind < 7; ++kind) {
      LecturerView view = lecture();
      if (kind == 1) view.slide.notes.clear();
      if (kind == 2) view.slide.notes = long_notes(400);
      if (kind == 3)
        view.slide.predict = message("What happens?"), view.slide.covered = true,
        view.answer = {message("They move.")};
      if (kind == 4) {
        view.slide.question = message("Which of the two is larger?");
        view.slide.choices = {message("the first"), message("the second"), message("they are the same")};
        view.slide.answer = 1, view.controls = 80, view.reset = true;
      }
      if (kind == 5) view.slide.step = 8, view.slide.next_lesson = "Clocks", view.swaps = true;
      if (kind == 6) view.exploring = view.swaps = true, view.seconds = 36000, view.slide_aspect = 16.f / 9;
      const Shown page = shown(view, width, height, kind % 2 == 0);
      EXPECT_EQ(trouble_of(page, width, height), "") << width << " × " << height << ", " << kind;
      EXPECT_EQ(page.places.next.h > 0, kind != 5);
      EXPECT_NEAR(page.places.slide.w, page.places.slide.h * view.slide_aspect, 0.5f);
    }
  }
}

TEST(LecturerView, EverythingThatActsHasAName) {
  LecturerView view = lecture();
  view.swaps = true;
  view.slide.predict = message("What?"), view.slide.covered = true;
  view.slide.question = message("Which?"), view.slide.choices = {message("a"), message("b")};
  auto names = marks_of(view);
  for (const char* name : {"next step", "previous step", "reveal", "swap screens", "close", "reset clock",
                           "choice 1", "choice 2", "step 1", "step 4", "step 9"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  view.slide.covered = view.swaps = false;
  view.slide.step = 8, view.slide.next_lesson = "Clocks";
  names = marks_of(view);
  EXPECT_THAT(names, testing::Contains("next lesson"));
  for (const char* name : {"reveal", "swap screens", "more", "back"})
    EXPECT_THAT(names, testing::Not(testing::Contains(name))) << name;
  view.exploring = true;
  names = marks_of(view);
  EXPECT_THAT(names, testing::Contains("back"));
  for (const char* name : {"explore", "next step", "next lesson"})
    EXPECT_THAT(names, testing::Not(testing::Contains(name))) << name;
}

TEST(LecturerView, NotesAreTheLargestWordsAndLongOnesScroll) {
  LecturerView view = lecture();
  const auto size_of = [&](const Shown& page, const std::string& word) {
    for (const auto& text : page.canvas.texts)
      if (text.words == word) return text.style.size;
    return 0.f;
  };
  view.slide.notes = "remarkable";
  const Shown short_one = shown(view, 1920, 1080);
  EXPECT_GT(size_of(short_one, "remarkable"), 40);
  EXPECT_GT(size_of(short_one, "remarkable"), 1.3f * size_of(short_one, "permutation-equivariant:"));
  EXPECT_LE(short_one.places.needed, short_one.places.words.h);
  for (const auto& [width, height] : sizes) {
    view.slide.notes = long_notes(500), view.scroll = 0;
    const Shown top = shown(view, width, height);
    ASSERT_GT(top.places.needed, top.places.words.h);
    EXPECT_GE(size_of(top, "word0"), 18);
    EXPECT_TRUE(has_text(top, "↓ more"));
    const auto visible = [](const Shown& page, const std::string& word) {
      return std::any_of(page.canvas.texts.begin(), page.canvas.texts.end(), [&](const auto& text) {
        return text.words == word && within(text.box, page.places.words);
      });
    };
    EXPECT_TRUE(visible(top, "word0"));
    EXPECT_FALSE(visible(top, "word499"));
    // Every word comes by on the way down, and the end is the end.
    std::vector<bool> seen(500);
    for (view.scroll = 0; view.scroll < top.places.needed; view.scroll += top.places.words.h * 0.8f) {
      const Shown page = shown(view, width, height);
      for (int i = 0; i < 500; ++i)
        if (visible(page, "word" + std::to_string(i))) seen[static_cast<std::size_t>(i)] = true;
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0) << width;
    view.scroll = top.places.needed - top.places.words.h;
    EXPECT_FALSE(has_text(shown(view, width, height), "↓ more"));
  }
}

TEST(LecturerView, AStepWithoutNotesSaysSo) {
  LecturerView view = lecture();
  const auto all = [](const Shown& page) {
    std::string out;
    for (const auto& text : page.canvas.texts) out += text.words + ' ';
    return out;
  };
  EXPECT_THAT(all(shown(view, 1280, 720)), testing::HasSubstr("NOTES"));
  view.slide.notes.clear();
  const std::string without = all(shown(view, 1280, 720));
  EXPECT_THAT(without, testing::HasSubstr("This step has no notes."));
  EXPECT_THAT(without, testing::Not(testing::HasSubstr("NOTES")));
}

TEST(LecturerView, TheCurrentStepIsInViewAmongAHundred) {
  LecturerView view = lecture();
  view.titles.clear();
  for (int i = 1; i <= 100; ++i) view.titles.push_back("title " + std::to_string(i));
  view.slide.steps = 100;
  for (const auto& [width, height] : sizes) {
    view.list_scroll = -1;
    for (const int step : {0, 1, 30, 98, 99}) {
      view.slide.step = step;
      EXPECT_THAT(marks_of(view, width, height), testing::Contains("step " + std::to_string(step + 1)));
    }
    view.slide.step = 99, view.list_scroll = 0;
    EXPECT_THAT(marks_of(view, width, height), testing::Contains("step 1"));
    EXPECT_EQ(trouble_of(shown(view, width, height), width, height), "");
  }
}

TEST(LecturerView, TheAnswerIsThereBeforeTheClassSeesIt) {
  LecturerView view = lecture();
  view.slide.predict = message("What happens?"), view.slide.covered = true;
  view.answer = {message("Everything.")};
  view.slide.question = message("Which?"), view.slide.choices = {message("a"), message("b")},
  view.slide.answer = 1;
  const Shown covered = shown(view, 1280, 720);
  EXPECT_TRUE(has_text(covered, "Everything."));
  EXPECT_TRUE(has_text(covered, "COVERED UNTIL SPACE"));
  EXPECT_TRUE(has_text(covered, "✓"));
  view.slide.covered = false;
  EXPECT_FALSE(has_text(shown(view, 1280, 720), "COVERED UNTIL SPACE"));
}

TEST(LecturerView, TheClockIsAnArgument) {
  EXPECT_EQ(elapsed_words(0), "0:00");
  EXPECT_EQ(elapsed_words(65), "1:05");
  EXPECT_EQ(elapsed_words(3599), "59:59");
  EXPECT_EQ(elapsed_words(3600), "1:00:00");
  EXPECT_EQ(elapsed_words(-3), "0:00");
  LecturerView view = lecture();
  const Shown page = shown(view, 1280, 720);
  EXPECT_TRUE(has_text(page, "4:05"));
  EXPECT_TRUE(has_text(page, "14:05"));
  EXPECT_TRUE(has_text(page, "since the lesson began"));
  view.reset = true, view.seconds = 3;
  EXPECT_TRUE(has_text(shown(view, 1280, 720), "0:03"));
  EXPECT_TRUE(has_text(shown(view, 1280, 720), "since the reset"));
}

/// The other side of it: the first window shows the class nothing of all that.
TEST(LecturerView, TheSlideHasNothingOfTheLecturers) {
  LessonPanel slide = lecture().slide;
  slide.notes_shown = true, slide.hall = true;
  slide.predict = message("What happens?"), slide.covered = true;
  slide.question = message("Which?"), slide.choices = {message("a"), message("b")};
  slide.next_lesson = "Clocks";
  draw::RecordCanvas canvas;
  lesson_panel({canvas, draw::theme(true)}, {0, 0, 545, 1000}, slide);
  std::string all;
  for (const auto& text : canvas.texts) all += text.words + ' ';
  EXPECT_THAT(all, testing::HasSubstr("Shuffle"));
  EXPECT_THAT(all, testing::HasSubstr("happens?"));
  for (const char* words : {"NOTES", "board", "reveals", "step 4", "Esc", "leave", "Next lesson", "←"})
    EXPECT_THAT(all, testing::Not(testing::HasSubstr(words))) << words;
  for (const draw::Mark& mark : canvas.marks)
    EXPECT_TRUE(mark.name.empty() || mark.name.starts_with("choice ") || mark.name == "more") << mark.name;
}

}  // namespace
}  // namespace headlight::views
