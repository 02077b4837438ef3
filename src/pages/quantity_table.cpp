// The table of quantities, for people and for programs.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/whole_number.h"

namespace headlight::scene {

namespace {

/// Of each argument its name, what its number counts, the words it takes and its fixed default.
nlohmann::ordered_json arguments_of(const QuantityInfo& info) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  const PageRoom& room = room_of(page_of(info));
  std::string_view rest = info.arguments;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string name(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    nlohmann::ordered_json one = {{"name", name}};
    const ArgumentInfo* const about = argument_info(info, name);
    const bool words = about && !about->words.empty(), any = about && about->any_word;
    if (about && !about->noun.empty()) one["counts"] = std::string(about->noun);
    if (words) one["choices"] = std::vector<std::string>(about->words.begin(), about->words.end());
    if (any) one["required"] = true;
    for (const ArgumentDefault& fixed : room.defaults) {
      if (fixed.argument != name) continue;
      if (words || !whole_number(fixed.word))
        one["default"] = fixed.word;
      else
        one["default"] = std::stoi(fixed.word);
    }
    // Heads and layers are counted from 1; how many there are depends on the scene.
    if ((name == "head" && !room.uses(Scene()).trains) || name == "rank") one["from"] = 1;
    if (name == "query" || name == "key") one["from"] = info.first_token;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

std::string describe_quantities(std::optional<Page> page, bool as_json) {
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  std::string text;
  for (const PageRoom* room : rooms()) {
    if (!room->quantities || (page && *page != room->page)) continue;
    for (const QuantityInfo& info : room->quantities()) {
      table.push_back({{"name", info.name},
                       {"page", word(room->page)},
                       {"label", info.label},
                       {"unit", info.unit},
                       {"arguments", info.arguments},
                       {"takes", arguments_of(info)},
                       {"help", info.help}});
      const auto shown = [](const char* word) { return std::string(*word ? word : "-") + "\t"; };
      text += shown(info.name) + shown(word(room->page)) + shown(info.label) + shown(info.unit) +
              shown(info.arguments) + info.help + "\n";
    }
  }
  return as_json ? table.dump(2) + "\n" : text;
}

std::string quantity_lines(Page page, const QuantitySource& from) {
  const PageRoom& room = room_of(page);
  if (!room.quantities) return {};
  std::string lines;
  for (const QuantityInfo& info : room.quantities()) {
    if (*info.arguments) continue;
    const double value = info.value({&info, {}}, from);
    if (std::isnan(value)) continue;
    std::string unit = info.unit;
    if (value == 1 && unit.size() > 1 && unit.find(' ') == std::string::npos && unit.back() == 's')
      unit.pop_back();  // "1 layer"
    lines += "  " + std::string(info.label) + ": " + base::written(value, info.form) +
             (unit.empty() ? "" : " ") + unit + "\n";
  }
  return lines;
}

}  // namespace headlight::scene
