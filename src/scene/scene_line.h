// A scene as one line of text, for a chat or a slide: "headlight1:", then base64url (RFC 4648, section 5,
// without padding) of the zlib-compressed JSON of the fields that differ from the defaults. The defaults are
// written_defaults(), a part of the format: a field that the line leaves out has the default of the program
// that opens it. Tested in tests/scene/scene_line_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "scene/scene.h"

namespace headlight::scene {

/// Files are named without their folders (named_files.h).
std::string to_line(const Scene& scene);

/// True if the text contains such a line.
bool has_line(std::string_view text);

/// The scene of the first line in `text`, which may be surrounded by other words and may have been broken by
/// a mail program. Errors are one line: no such line, letters missing or changed, an unknown field.
base::Result<Scene> from_line(std::string_view text);

}  // namespace headlight::scene
