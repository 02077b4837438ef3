// Commands for a scene alone: open it in the window, describe it, or show, write and check a lesson. Each
// returns the program's exit status, and has printed its messages.
#pragma once

#include <string>

#include "command/words.h"

namespace headlight::app {

int open_window(const Words& words);

int describe_scene(const Words& words);

/// Prints an answer that does not depend on a scene, but checks the scene nevertheless: a wrong --set is
/// always an error.
int list(const Words& words, const std::string& text);
std::string page_names();

/// A step as a picture, the whole lesson as text, or a check of its statements.
int play_lesson(const Words& words);

}  // namespace headlight::app
