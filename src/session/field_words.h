// A setting as users call it. Labels repeat from page to page: a setting that only one page has is named
// together with the page. Tested in tests/app/palette_test.cpp.
#pragma once

#include <string>

#include "scene/scene.h"

namespace headlight::app {

/// "closeness (Memory)", "temperature".
std::string field_words(const scene::Field& field);

/// The settings that differ between two scenes: "heads", "query, key", "closeness (Memory)"; for more than
/// three, "9 settings".
std::string changed_words(const scene::Scene& a, const scene::Scene& b);

}  // namespace headlight::app
