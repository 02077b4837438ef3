// A setting as a person calls it. Labels repeat from page to page: a setting that one page alone has is told
// together with the page. Tested in tests/app/palette_test.cpp.
#pragma once

#include <string>

#include "scene/scene.h"

namespace headlight::app {

/// "closeness (Memory)", "temperature".
std::string field_words(const scene::Field& field);

/// What changed from one scene to the other: "heads", "query, key", "closeness (Memory)"; beyond three,
/// "9 settings".
std::string changed_words(const scene::Scene& a, const scene::Scene& b);

}  // namespace headlight::app
