// The table of quantities, for people and for programs.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/whole_number.h"

namespace headlight::scene {

namespace {

/// What an argument is where it is left out, if that is the same in every scene and for all quantities of its
/// page that have it. The others take the head, query, key, layer … on show.
struct FixedDefault {
  Page page;
  std::string_view argument;
  const char* word;  // a number, or one of its words
};
constexpr FixedDefault fixed_defaults[] = {
    {Page::attention, "col", "0"},  {Page::attention, "token", "0"},   {Page::block, "stage", "0"},
    {Page::cost, "T", "512"},       {Page::cost, "gib", "80"},         {Page::compare, "a", "1"},
    {Page::compare, "b", "2"},      {Page::compare, "offset", "0"},    {Page::memory, "T", "64"},
    {Page::memory, "d", "64"},      {Page::memory, "pattern", "1"},    {Page::model, "axis", "1"},
    {Page::model, "mask", "1"},     {Page::model, "rank", "1"},        {Page::order, "position", "0"},
    {Page::order, "token", "0"},    {Page::position, "a", "0"},        {Page::position, "b", "1"},
    {Page::position, "col", "0"},   {Page::softmax, "key", "0"},       {Page::training, "run", "1"},
    {Page::variants, "d", "1"},     {Page::variants, "distance", "0"}, {Page::variants, "key", "0"},
    {Page::variants, "query", "0"}, {Page::variants, "sentence", "1"}, {Page::variants, "side", "a"}};

/// Of each argument its name, what its number counts, the words it takes and its fixed default.
nlohmann::ordered_json arguments_of(const QuantityInfo& info) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
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
    for (const FixedDefault& fixed : fixed_defaults) {
      if (fixed.page != page_of(info) || fixed.argument != name) continue;
      if (words || !whole_number(fixed.word))
        one["default"] = fixed.word;
      else
        one["default"] = std::stoi(fixed.word);
    }
    // Heads and layers are counted from 1, tokens from 0; how many there are depends on the scene.
    const bool of_pair = std::string_view(info.name).starts_with("encdec_");  // whose tokens count from 1
    if ((name == "head" && !room_of(page_of(info)).uses(Scene()).trains) || name == "rank") one["from"] = 1;
    if (name == "query" || name == "key") one["from"] = of_pair ? 1 : 0;
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
