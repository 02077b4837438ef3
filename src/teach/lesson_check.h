// What of a step does not hold in its scene, each at its place in the step's texts, with the text that would:
// `headlight lesson FILE --check` while somebody types. And a number of the page as words of a lesson. Tested
// in tests/scene/lesson_draft_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "teach/lesson.h"

namespace headlight::scene {

/// Which text of a step.
enum class StepText { title, words, reveal, predict, question, choice, why, task, until, fact, picture };

struct Finding {
  StepText text = StepText::title;
  int index = 0;                 // of the paragraphs, choices or claims, from 0
  std::size_t from = 0, to = 0;  // bytes of that text
  std::string number;    // as the words have it; empty: a claim, the picture, or text that is no words
  std::string message;   // one line
  std::string better;    // in place of those bytes it would hold; empty: nobody knows
  bool unknown = false;  // it can only be told once a run was trained
};

/// None: every number and claim holds, those behind a prediction, too, and the task is not done before it is
/// tried.
std::vector<Finding> findings(const LessonStep& step, const QuantitySource& from);
/// The same, a line each, of what is said; of a task, which its goal may have before, nothing.
std::vector<std::string> untrue(const LessonStep& step, const QuantitySource& from);

/// The text that a finding is about; null for the picture.
std::string* text_of(LessonStep& step, const Finding& finding);

/// "{0.97 = weight head=1 query=8 key=1}": the quantity now, with the arguments that the selection gives it,
/// so that it stays the same number. Empty where the scene has no such number.
std::string number_in_words(std::string_view quantity, const QuantitySource& from);
/// "weight head=1 query=8 key=1 = 0.97": the same as a claim.
std::string number_as_claim(std::string_view quantity, const QuantitySource& from);

}  // namespace headlight::scene
