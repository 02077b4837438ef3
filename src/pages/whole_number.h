// Is the argument of a quantity a whole number? For the two files that read such arguments; quantities.cpp
// has it.
#pragma once

#include <string>

namespace headlight::scene {

/// Digits, with a minus sign or without, of at most nine characters together.
bool whole_number(const std::string& text);

}  // namespace headlight::scene
