// A whole lesson as text for paper: what each step says and asks, with the numbers that its scene gives, what
// is behind Space, the right answers, and the lecturer's notes. Markdown that also reads as it is. Tested in
// tests/lecture/lesson_handout_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "session/lesson_player.h"
#include "teach/lesson_words.h"

namespace headlight::app {

/// A paragraph: **bold** and `buttons` are marked, indices and powers written as x_k, x_{2j}, x^2.
std::string handout_words(const std::vector<scene::WordRun>& runs);

/// `player` has the lesson open and stays at its last step. Cost: every step is computed; a run that a step
/// shows is trained to its end.
std::string handout(LessonPlayer& player);

}  // namespace headlight::app
