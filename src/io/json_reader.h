// The one reader of JSON: scenes, lessons, what models and runs say of themselves, the headers of
// safetensors. Nothing else in src parses JSON or takes a number out of it (tests/structure holds that). A
// file of the world may be anything: depth, size and number of values are bounded while it is read, so that
// neither the stack nor the memory fills, and the time is linear in its size. Errors are one line that names
// the file and the place. Tested in tests/io/json_reader_test.cpp.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace headlight::io {

using Json = nlohmann::ordered_json;  // members in the order of the file; a look-up is linear in their number

/// What a text ought to be, and what no honest one exceeds.
struct JsonKind {
  const char* name;                   // "scene", "lesson": "not a whole scene: …"
  int deepest = 4;                    // objects and lists inside each other
  std::size_t most_bytes = 1u << 20;  // of the text
  std::size_t most_values = 100'000;  // members, elements and names, all of them
  bool file = false;                  // it fills a file of its own
};

/// The value that the text is. Names that an object has twice are an error.
base::Result<Json> read_json(std::string_view text, const std::string& origin, const JsonKind& kind);
/// The same where only an object will do.
base::Result<Json> read_json_object(std::string_view text, const std::string& origin, const JsonKind& kind);

/// The values of these members of the outermost object as they are written in the text, which may be large:
/// nothing is built and nothing but the brackets is checked. Empty: there is no such member, or the brackets
/// do not match. Names written with escapes are not found. O(text).
std::vector<std::string_view> members_of(std::string_view text, std::span<const std::string_view> names);

/// The member, or null where there is none or `json` is no object.
const Json* member(const Json& json, std::string_view name);

/// A whole number in [low, high]; 8.0 counts as 8. Nothing when it is none or lies outside.
std::optional<std::int64_t> whole_number(const Json& json, std::int64_t low, std::int64_t high);
/// A finite number in [low, high].
std::optional<double> finite_number(const Json& json, double low, double high);

/// What stands there, for "expected …, found …": short whatever it is.
std::string found(const Json& json);

}  // namespace headlight::io
