// Cards, tables and arguments of quantities that had another name in an earlier version. Lessons and commands
// may still use that name. Tested in tests/scene/lesson_test.cpp, lesson_quantities_test.cpp and
// tests/command/command_export_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace headlight::scene {

/// The present name of a card, from its present or an earlier name. Returns other names as they are.
std::string card_name_now(std::string_view name);

/// The same for a table of numbers, and for an argument of a quantity.
std::string table_name_now(std::string_view name);
std::string argument_name_now(std::string_view name);

/// The same for the name of what a lesson outlines, shows or hides: "card NAME", or something else.
std::string place_name_now(std::string_view place);

}  // namespace headlight::scene
