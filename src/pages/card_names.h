// Names of cards that had another one in an earlier version: lessons and commands that name them by it are
// understood as before. Tested in tests/scene/lesson_test.cpp and tests/command/command_line_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace headlight::scene {

/// The name that a card has now, of any that it has had; other names are returned as they are.
std::string card_name_now(std::string_view name);

/// The same of what a lesson outlines, shows or hides: "card NAME", or something else.
std::string place_name_now(std::string_view place);

}  // namespace headlight::scene
