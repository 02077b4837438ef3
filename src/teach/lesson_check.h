// The problems of a step in its scene, each with its place in the step's texts and a correct text, for
// `headlight lesson FILE --check` and the lesson editor. And a number of the page as words of a lesson.
// Tested in tests/scene/lesson_draft_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "teach/lesson.h"

namespace headlight::scene {

/// The texts of a step.
enum class StepText { title, words, reveal, predict, question, choice, why, task, until, fact, picture };

struct Finding {
  StepText text = StepText::title;
  int index = 0;                 // index of the paragraph, choice or claim, from 0
  std::size_t from = 0, to = 0;  // bytes of that text
  std::string number;    // as the words have it; empty: a claim, the picture, or text that cannot be parsed
  std::string message;   // one line
  std::string better;    // a right replacement for those bytes; empty: unknown
  bool unknown = false;  // it can be checked only after a run was trained
};

/// Empty if every number and claim holds, those behind a prediction included, and the task can be done and is
/// not done before it is tried.
/// `given`: what the lesson gives to settings up to this step, given_until(); without it, what the step
/// gives.
std::vector<Finding> findings(const LessonStep& step, std::span<const Given> given,
                              const QuantitySource& from);
std::vector<Finding> findings(const LessonStep& step, const QuantitySource& from);
/// The same problems, one line each.
std::vector<std::string> untrue(const LessonStep& step, std::span<const Given> given,
                                const QuantitySource& from);
std::vector<std::string> untrue(const LessonStep& step, const QuantitySource& from);

/// The text of a finding; null for the picture.
std::string* text_of(LessonStep& step, const Finding& finding);

/// "{0.97 = weight head=1 query=8 key=1}": the current value of the quantity, with the arguments of the
/// selection, so that it remains the same number. Empty if the scene has no such number.
std::string number_in_words(std::string_view quantity, const QuantitySource& from);
/// "weight head=1 query=8 key=1 = 0.97": the same as a claim.
std::string number_as_claim(std::string_view quantity, const QuantitySource& from);

}  // namespace headlight::scene
