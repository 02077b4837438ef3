// Scenes as JSON, and the table of fields.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "io/json_reader.h"
#include "scene/field_values.h"
#include "scene/scene_json.h"
#include "scene/settings.h"

namespace headlight::scene {

namespace {

using io::found;
using io::Json;

constexpr int format_version = 1;
constexpr double any_number = std::numeric_limits<double>::max();
constexpr const char* version_name = "headlight";
// JSON holds well-formed text only. A text of other bytes (a sentence, the path of a file) is stored as it
// reads and, beside it as "sentence_bytes", byte for byte in hexadecimal.
constexpr const char* bytes_suffix = "_bytes";

std::string to_hex(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

base::Result<std::string> from_hex(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
    if (high < 0 || low < 0) return base::Error{"not hexadecimal"};
    out += static_cast<char>(high * 16 + low);
  }
  if (text.size() % 2 != 0) return base::Error{"not hexadecimal"};
  return out;
}

Json value_json(const std::string& value) {
  return base::well_formed(value);
}
Json value_json(bool value) {
  return value;
}
Json value_json(int value) {
  return value;
}
Json value_json(double value) {
  return value;
}
Json value_json(const IndexList& value) {
  return is_automatic(value) ? Json() : Json(value);
}
Json value_json(MaskSet value) {
  return mask_text(value);
}
Json value_json(const Word& value) {
  return value.text();
}

base::Error expected(const char* what, const Json& json) {
  return {std::string("expected ") + what + ", found " + found(json)};
}

/// Whole numbers may be written as 8 or 8.0; a number that no long long holds is clamped to ±9e15, which is
/// beyond every range.
bool read_whole(const Json& json, long long& value) {
  constexpr double furthest = 9e15;
  if (const auto whole =
          io::whole_number(json, -static_cast<std::int64_t>(furthest), static_cast<std::int64_t>(furthest))) {
    value = *whole;
    return true;
  }
  const std::optional<double> number = io::finite_number(json, -any_number, any_number);
  if (!number || *number != std::trunc(*number)) return false;
  value = static_cast<long long>(std::clamp(*number, -furthest, furthest));
  return true;
}

base::Result<std::string> parse_json(const Field&, const Json& json, const std::string*) {
  if (!json.is_string()) return expected("text", json);
  return json.get<std::string>();  // its length is checked once its bytes are known
}
base::Result<bool> parse_json(const Field&, const Json& json, const bool*) {
  if (!json.is_boolean()) return expected("true or false", json);
  return json.get<bool>();
}
base::Result<int> parse_json(const Field& field, const Json& json, const int*) {
  long long value = 0;
  if (!read_whole(json, value)) return expected(("a whole number, " + range_text(field)).c_str(), json);
  return in_range(field, value);
}
base::Result<double> parse_json(const Field& field, const Json& json, const double*) {
  const std::optional<double> number = io::finite_number(json, -any_number, any_number);
  if (!number) return expected(("a number, " + range_text(field)).c_str(), json);
  return in_range(field, *number);
}
base::Result<MaskSet> parse_json(const Field&, const Json& json, const MaskSet*) {
  if (!json.is_string()) return expected("text such as \"causal+window\"", json);
  return parse_mask(json.get_ref<const std::string&>());
}
base::Result<IndexList> parse_json(const Field& field, const Json& json, const IndexList*) {
  std::vector<long long> values;
  if (may_be_automatic(field) && (json.is_null() || json == automatic_word)) return automatic_choice();
  if (!json.is_array() && !json.is_number())
    return expected("a list of whole numbers, such as [0, 5, 10]", json);
  // begin() of a number is the number itself.
  for (const Json& item : json) {
    long long value = 0;
    if (!read_whole(item, value)) return expected("a list of whole numbers, such as [0, 5, 10]", item);
    values.push_back(value);
  }
  return in_range(field, values);
}
base::Result<int> parse_json(const Json& json, std::span<const char* const> words) {
  if (!json.is_string()) return expected(("one of " + joined({words.begin(), words.end()})).c_str(), json);
  return parse_word(json.get_ref<const std::string&>(), words);
}

base::Status check_version(const Json& json) {
  if (!json.contains(version_name)) return {};
  const Json& version = json[version_name];
  if (!io::whole_number(version, 1, std::numeric_limits<int>::max()))
    return expected("the version 1", version);
  if (!io::whole_number(version, 1, format_version)) {
    return base::Error{"the file has version " + version.dump() +
                       ", but this program reads version 1: open it with a newer Headlight"};
  }
  return {};
}

/// An error is the part behind the field's name.
base::Status read_json(const Setting& setting, const Json& json, Scene& scene) {
  return setting.visit(scene, [&](auto& value) -> base::Status {
    if constexpr (std::same_as<std::decay_t<decltype(value)>, SettableWord>) {
      const base::Result<int> index = parse_json(json, value.list());
      if (!index) return base::Error{index.error()};
      value.set(*index);
    } else {
      auto read = parse_json(setting.field, json, &value);
      if (!read) return base::Error{read.error()};
      value = std::move(*read);
    }
    return {};
  });
}

/// Uses the bytes only if they still read like the text; a text edited by hand wins.
base::Status take_bytes(const Json& json, const char* name, std::string& text) {
  const auto hex = json.find(std::string(name) + bytes_suffix);
  if (hex == json.end()) return {};
  if (!hex->is_string()) return expected("hexadecimal digits", *hex);
  const base::Result<std::string> bytes = from_hex(hex->get_ref<const std::string&>());
  if (!bytes) return expected("hexadecimal digits, two for each byte", *hex);
  if (!json.contains(name) || base::well_formed(*bytes) == text) text = *bytes;
  return {};
}

}  // namespace

Scene written_defaults() {
  Scene scene;
  scene.order.permutation = {};
  scene.query = {1};
  return scene;
}

Json as_json(const Scene& scene) {
  Json json;
  json[version_name] = format_version;
  fields(scene, [&](const Field& field, const auto& member) { json[field.name] = value_json(member); });
  fields(scene, [&](const Field& field, const auto& member) {
    if constexpr (std::same_as<std::decay_t<decltype(member)>, std::string>) {
      if (base::well_formed(member) != member) json[std::string(field.name) + bytes_suffix] = to_hex(member);
    }
  });
  return json;
}

std::string to_json(const Scene& scene) {
  return as_json(scene).dump(2) + "\n";
}

base::Result<Scene> from_json(std::string_view text, const std::string& origin) {
  const base::Result<Json> json = io::read_json_object(text, origin, scene_kind);
  if (!json) return base::Error{json.error()};
  if (const base::Status version = check_version(*json); !version) {
    return base::Error{origin + ": " + version_name + ": " + version.error()};
  }
  Scene scene = written_defaults();
  std::string error;
  std::vector<std::string> names;
  for (const Setting& one : settings()) {
    const Field& field = one.field;
    names.emplace_back(field.name);
    const auto item = json->find(field.name);
    if (item != json->end() && error.empty()) {
      if (const base::Status read = read_json(one, *item, scene); !read)
        error = std::string(field.name) + ": " + read.error();
    }
    one.visit(scene, [&](auto& member) {
      if constexpr (std::same_as<std::decay_t<decltype(member)>, std::string>) {
        names.push_back(field.name + std::string(bytes_suffix));
        if (const base::Status bytes = take_bytes(*json, field.name, member); error.empty() && !bytes)
          error = names.back() + ": " + bytes.error();
        if (const auto fits = parse_text(member); error.empty() && !fits)
          error = std::string(field.name) + ": " + fits.error();
      }
    });
  }
  if (!error.empty()) return base::Error{origin + ": " + error};
  for (const auto& item : json->items()) {
    const std::string& name = item.key();
    if (name == version_name) continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return base::Error{origin + ": unknown setting " + in_quotes(name) + did_you_mean(name, names)};
    }
  }
  if (const base::Status rules = check(scene); !rules) return base::Error{origin + ": " + rules.error()};
  return scene;
}

}  // namespace headlight::scene
