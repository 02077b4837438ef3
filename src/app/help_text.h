// The mathematics of each page's panels: what is computed, what the letters mean, who wrote it down first.
// Words only; help_card.cpp shows them. Tested in tests/app/palette_test.cpp.
#pragma once

#include <span>

#include "scene/scene.h"

namespace headlight::app {

struct HelpEntry {
  const char* panel;     // what it is called on the page
  const char* equation;  // lines separated by '\n'
  const char* meaning;   // the letters, and what to look at
  const char* source;
};

/// In the order of the page's panels; never empty.
std::span<const HelpEntry> help_of(scene::Page page);
/// Those of the Memory page, in help_memory.cpp.
std::span<const HelpEntry> memory_help();

}  // namespace headlight::app
