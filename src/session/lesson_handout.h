// A whole lesson as text for paper: what each step says and asks, with the numbers of its scene, the text
// that Space reveals, the right answers, and the lecturer's notes. The Markdown is also readable as plain
// text. Tested in tests/lecture/lesson_handout_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "session/lesson_player.h"
#include "teach/lesson_words.h"

namespace headlight::app {

/// A paragraph: **bold** and `buttons` are marked; indices and powers are written as x_k, x_{2j}, x^2.
std::string handout_words(const std::vector<scene::WordRun>& runs);

/// `player` has the lesson open and is at its last step afterwards. Cost: every step is computed; a run that
/// a step shows is trained to its end.
std::string handout(LessonPlayer& player);

}  // namespace headlight::app
