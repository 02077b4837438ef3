// The only JSON reader: for scenes, lessons, the descriptions of models and runs, and the headers of
// safetensors. Nothing else in src parses JSON or takes a number out of it (tests/structure checks this). A
// file from outside may contain anything: depth, size and number of values are bounded while it is read, so
// that neither the stack nor the memory overflows, and the time is linear in its size. Errors are one line
// that names the file and the place. Tested in tests/io/json_reader_test.cpp.
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

/// What a text is expected to be, and limits that no valid text exceeds.
struct JsonKind {
  const char* name;                   // "scene", "lesson": "not a scene: …"
  int deepest = 4;                    // nested objects and lists
  std::size_t most_bytes = 1u << 20;  // of the text
  std::size_t most_values = 100'000;  // members, elements and names in total
  bool file = false;                  // the text is a whole file
};

/// Parses the text into a value. Duplicate names in an object are an error.
base::Result<Json> read_json(std::string_view text, const std::string& origin, const JsonKind& kind);
/// The same, if only an object is allowed.
base::Result<Json> read_json_object(std::string_view text, const std::string& origin, const JsonKind& kind);

/// Returns the values of these members of the outermost object as they are written in the text, which may be
/// large: no value is built, and only the brackets are checked. Empty: there is no such member, or the
/// brackets do not match. Names written with escapes are not found. O(text).
std::vector<std::string_view> members_of(std::string_view text, std::span<const std::string_view> names);

/// Returns the member, or null if there is none or `json` is not an object.
const Json* member(const Json& json, std::string_view name);

/// Returns a whole number in [low, high]; 8.0 counts as 8. Nothing if it is not a whole number or out of
/// range.
std::optional<std::int64_t> whole_number(const Json& json, std::int64_t low, std::int64_t high);
/// Returns a finite number in [low, high].
std::optional<double> finite_number(const Json& json, double low, double high);

/// Describes a value for "expected …, found …", always in a few words.
std::string found(const Json& json);

}  // namespace headlight::io
