// What the help card says about a panel. Each page's words are in its view/help.cpp.
#pragma once

#include <span>

namespace headlight::views {

struct HelpEntry {
  const char* panel;     // what it is called on the page
  const char* equation;  // lines separated by '\n'
  const char* meaning;   // explains the symbols, and what to look at
  const char* source;
};

}  // namespace headlight::views
