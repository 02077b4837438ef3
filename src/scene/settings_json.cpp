// Scenes as JSON, and the table of fields.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "scene/field_values.h"
#include "scene/json_text.h"
#include "scene/settings.h"

namespace headlight::scene {

namespace {

using Json = nlohmann::ordered_json;

constexpr int format_version = 1;
constexpr int deepest = 3;
constexpr const char* version_name = "headlight";
// JSON holds well-formed text only. A sentence of other bytes is stored as it reads, and byte for byte in
// hexadecimal beside it.
constexpr const char* bytes_name = "sentence_bytes";

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
  return value;
}
Json value_json(MaskSet value) {
  return mask_text(value);
}
template <Worded E>
Json value_json(E value) {
  return word(value);
}

base::Error expected(const char* what, const Json& json) {
  return {std::string("expected ") + what + ", found " + found(json)};
}

/// Whole numbers may be written as 8 or 8.0; one that no long long holds is drawn to its end, where no range
/// reaches.
bool read_whole(const Json& json, long long& value) {
  if (!json.is_number()) return false;
  const double number = json.get<double>();
  if (number != std::trunc(number)) return false;
  if (json.is_number_float() || std::abs(number) > 9e15) {
    value = static_cast<long long>(std::clamp(number, -9e15, 9e15));
  } else {
    value = json.get<long long>();
  }
  return true;
}

base::Result<std::string> parse_json(const Field&, const Json& json, const std::string*) {
  if (!json.is_string()) return expected("text", json);
  return json.get<std::string>();
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
  if (!json.is_number()) return expected(("a number, " + range_text(field)).c_str(), json);
  return in_range(field, json.get<double>());
}
base::Result<MaskSet> parse_json(const Field&, const Json& json, const MaskSet*) {
  if (!json.is_string()) return expected("text such as \"causal+window\"", json);
  return parse_mask(json.get_ref<const std::string&>());
}
base::Result<IndexList> parse_json(const Field& field, const Json& json, const IndexList*) {
  std::vector<long long> values;
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
template <Worded E>
base::Result<E> parse_json(const Field&, const Json& json, const E*) {
  if (!json.is_string()) return expected(("one of " + joined(words<E>())).c_str(), json);
  return parse_word<E>(json.get_ref<const std::string&>());
}

base::Status check_version(const Json& json) {
  if (!json.contains(version_name)) return {};
  const Json& version = json[version_name];
  if (!version.is_number_integer() || version < 1) return expected("the version 1", version);
  if (version > format_version) {
    return base::Error{
        "the file has version " + version.dump() +
        ", this program reads version 1; a newer Headlight wrote it, and only a newer one opens it"};
  }
  return {};
}

/// The bytes stand for the sentence only while they still read like it; a sentence edited by hand wins.
base::Status take_bytes(const Json& json, Scene& scene) {
  if (!json.contains(bytes_name)) return {};
  const Json& hex = json[bytes_name];
  if (!hex.is_string()) return expected("hexadecimal digits", hex);
  const base::Result<std::string> bytes = from_hex(hex.get_ref<const std::string&>());
  if (!bytes) return expected("hexadecimal digits, two for each byte", hex);
  if (!json.contains("sentence") || base::well_formed(*bytes) == scene.sentence) scene.sentence = *bytes;
  return {};
}

}  // namespace

std::string to_json(const Scene& scene) {
  Json json;
  json[version_name] = format_version;
  fields(scene, [&](const Field& field, const auto& member) { json[field.name] = value_json(member); });
  if (base::well_formed(scene.sentence) != scene.sentence) json[bytes_name] = to_hex(scene.sentence);
  return json.dump(2) + "\n";
}

base::Result<Scene> from_json(std::string_view text, const std::string& origin) {
  const base::Result<Json> json = parse_object(text, origin, "scene", deepest);
  if (!json) return base::Error{json.error()};
  if (const base::Status version = check_version(*json); !version) {
    return base::Error{origin + ": " + version_name + ": " + version.error()};
  }
  Scene scene;
  std::string error;
  std::vector<std::string> names;
  fields(scene, [&](const Field& field, auto& member) {
    names.emplace_back(field.name);
    const auto item = json->find(field.name);
    if (!error.empty() || item == json->end()) return;
    auto value = parse_json(field, *item, &member);
    if (value) {
      member = std::move(*value);
    } else {
      error = std::string(field.name) + ": " + value.error();
    }
  });
  if (!error.empty()) return base::Error{origin + ": " + error};
  for (const auto& item : json->items()) {
    const std::string& name = item.key();
    if (name == version_name || name == bytes_name) continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return base::Error{origin + ": unknown setting " + in_quotes(name) + did_you_mean(name, names)};
    }
  }
  if (const base::Status bytes = take_bytes(*json, scene); !bytes) {
    return base::Error{origin + ": " + bytes_name + ": " + bytes.error()};
  }
  if (const base::Status rules = check(scene); !rules) return base::Error{origin + ": " + rules.error()};
  return scene;
}

}  // namespace headlight::scene
