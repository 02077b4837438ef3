// What is done with a scene alone: it is opened in the window, described, or a lesson of it is written and
// checked. Each returns the program's exit status, and has said what there is to say.
#pragma once

#include <string>

#include "command/words.h"

namespace headlight::app {

int open_window(const Words& words);

int describe_scene(const Words& words);

/// Answers that do not depend on a scene still check it: a wrong --set is wrong everywhere.
int list(const Words& words, const std::string& text);
std::string page_names();

/// A step as a picture, the whole lesson as text, or whether what it says holds.
int play_lesson(const Words& words);

}  // namespace headlight::app
