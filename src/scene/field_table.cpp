// The table of fields, for people and for programs.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/words.h"
#include "scene/field_values.h"
#include "scene/settings.h"

namespace headlight::scene {

namespace {

struct Kind {
  const char* type;
  bool ranged = false;
  std::vector<std::string> values;
};

Kind kind(const std::string&) {
  return {"text", false, {}};
}
Kind kind(bool) {
  return {"bool", false, {"true", "false"}};
}
Kind kind(int) {
  return {"int", true, {}};
}
Kind kind(double) {
  return {"number", true, {}};
}
Kind kind(const IndexList&) {
  return {"list", true, {}};
}
Kind kind(MaskSet) {
  return {"set", false, {std::begin(mask_words), std::end(mask_words)}};
}
Kind kind(const Word& word) {
  return {"word", false, {word.list().begin(), word.list().end()}};
}

}  // namespace

std::string describe_fields(bool as_json) {
  struct Row {
    std::string name, takes, standard, help;
  };
  std::vector<Row> rows = {{"name", "takes", "default", ""}};
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  const Scene defaults;
  fields(defaults, [&](const Field& field, const auto& member) {
    const Kind k = kind(member);
    const std::string standard = value_text(field, member);
    nlohmann::ordered_json row;
    row["name"] = field.name;
    row["type"] = k.type;
    row["min"] = k.ranged ? nlohmann::ordered_json(field.min) : nlohmann::ordered_json();
    row["max"] = k.ranged ? nlohmann::ordered_json(field.max) : nlohmann::ordered_json();
    row["default"] = standard;
    row["values"] = k.values;
    row["help"] = field.help;
    table.push_back(row);
    std::string takes = k.ranged ? range_text(field) : joined(k.values, " | ");
    if (std::string_view(k.type) == "list") takes = "list of " + takes;
    if (std::string_view(k.type) == "set")
      takes = "none, or " + joined({k.values.begin() + 1, k.values.end()}, " + ");
    if (takes.empty()) takes = k.type;
    rows.push_back({field.name, takes, standard.size() > 24 ? in_quotes(standard) : standard, field.help});
  });
  if (as_json) return table.dump(2) + "\n";
  std::size_t name = 0, takes = 0, standard = 0;
  for (const Row& row : rows) {
    name = std::max(name, base::characters(row.name));
    takes = std::max(takes, base::characters(row.takes));
    standard = std::max(standard, base::characters(row.standard));
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line = base::padded(row.name, name + 2) + base::padded(row.takes, takes + 2) +
                       base::padded(row.standard, standard + 2) + row.help;
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace headlight::scene
