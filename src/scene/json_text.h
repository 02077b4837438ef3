// Text to a JSON object: what scenes and lessons share. Errors are one line that names the file and the
// place. Tested in tests/scene/json_test.cpp and lesson_test.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace headlight::scene {

/// `what` it ought to be: "scene", "lesson". What nests deeper than `deepest` is left out while it is read,
/// so that it cannot fill the stack, and is an error.
base::Result<nlohmann::ordered_json> parse_object(std::string_view text, const std::string& origin,
                                                  const std::string& what, int deepest);

/// What stands there, for "expected …, found …".
std::string found(const nlohmann::ordered_json& json);

}  // namespace headlight::scene
