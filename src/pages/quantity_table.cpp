// The table of quantities, for people and for programs.
#include <cmath>
#include <nlohmann/json.hpp>

#include "pages/page.h"
#include "pages/quantities.h"

namespace headlight::scene {

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
