#include "scene/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scene/nearest.h"

namespace headlight::scene {

using Json = nlohmann::ordered_json;

std::string found(const Json& json) {
  if (json.is_string()) return in_quotes(json.get_ref<const std::string&>());
  if (json.is_array()) return "a list";
  if (json.is_object()) return "an object";
  return json.dump();
}

base::Result<Json> parse_object(std::string_view text, const std::string& origin, const std::string& what,
                                int deepest) {
  const std::string is_none = origin + ": not a " + what + ": ";
  Json json;
  bool too_deep = false;
  const auto keep = [&](int depth, Json::parse_event_t, Json&) {
    too_deep |= depth > deepest;
    return depth <= deepest;
  };
  try {
    json = Json::parse(text, keep);
  } catch (const nlohmann::json::parse_error& error) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
      return base::Error{origin + ": the file is empty; a " + what + " has to be written there first"};
    if (error.byte > text.size())
      return base::Error{origin + ": not a whole " + what + ": the JSON ends in the middle"};
    const std::string_view before = text.substr(0, error.byte > 0 ? error.byte - 1 : 0);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    return base::Error{origin + ": not JSON at line " + std::to_string(line) + ", column " +
                       std::to_string(column)};
  } catch (const nlohmann::json::exception&) {  // a number that no double holds
    return base::Error{is_none + "a number in it is too large"};
  }
  if (too_deep) return base::Error{is_none + "it nests deeper than a " + what + " can"};
  if (!json.is_object()) return base::Error{is_none + "expected a JSON object, found " + found(json)};
  return json;
}

}  // namespace headlight::scene
