// Every number with a fraction on a screen has a name: it is a quantity, an element of a table, a setting, a
// tick of an axis, or what a source prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <regex>
#include <set>
#include <sstream>

#include "open_cases.h"
#include "pages/cost/cost.h"
#include "pages/presets/presets.h"
#include "pages/worked/worked.h"
#include "quantity_places.h"
#include "scene/setting.h"

namespace headlight::app {
namespace {

using scene::Page;
using scene::QuantityInfo;
using scene::Scene;

/// Values that a page derives from its numbers to end an axis, or from two settings.
std::vector<double> derived(const OpenCase& open) {
  const Doors& doors = *open.doors;
  const Scene& scene = doors.scene;
  std::vector<double> out;
  if (scene.page ==
      Page::order) {  // the bar of the opened pair runs from the negative parts to the positive ones
    double below = 0, above = 0;
    for (const char* part : {"order_xx", "order_xp", "order_px", "order_pp", "order_rotation"}) {
      const double value = doors.quantity(part);
      if (value < 0) below += value;
      if (value > 0) above += value;
    }
    out = {below, above};
    for (int part = 1; part <= 5; ++part) {  // and one scale for all parts of the head
      const double largest = doors.quantity("order_part_largest part=" + std::to_string(part));
      if (!std::isnan(largest)) out.insert(out.end(), {largest, -largest});
    }
  } else if (scene.page == Page::memory) {
    out = {scene.memory.beta * std::sqrt(scene.memory.dimension)};
  } else if (scene.page == Page::position) {  // an angle in turns
    for (const double omega : doors.results->position.omega)
      out.push_back(std::abs(scene.positions.delta * omega) / (2 * std::numbers::pi));
  } else if (scene.page == Page::worked) {
    out = {doors.quantity("worked_sqrt_d_k")};
    if (doors.results->own_as<scene::WorkedResults>()) {  // what the source prints
      for (const scene::WorkedPrinted& line : doors.results->own_as<scene::WorkedResults>()->printed)
        out.insert(out.end(), line.numbers.begin(), line.numbers.end());
    }
  } else if (scene.page == Page::cost) {  // milliseconds that a source prints, and their ratio
    for (const auto& [recurrence, attention] :
         {std::pair{0.13, 0.08}, {0.37, 0.09}, {1.43, 0.21}, {5.92, 2.19}})
      out.insert(out.end(), {recurrence, attention, recurrence / attention});
    const double ratio = doors.quantity("layer_multiplications of=attention") /
                         doors.quantity("layer_multiplications of=recurrence");
    out.insert(out.end(), {ratio, 1 / ratio});  // a sentence says the larger one
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// What the sources print, and what the presets say of it, number by number.
std::set<std::string> numbers_of_sources(const Doors& doors) {
  std::set<std::string> out;
  if (!doors.results->own_as<scene::PresetsResults>()) return out;
  const auto add = [&](const std::string& words) {
    for (const WrittenAs& number : written_numbers(words)) out.insert(number.text);
  };
  for (const scene::Preset& preset : doors.results->own_as<scene::PresetsResults>()->presets) {
    for (const std::string& words : {preset.title, preset.source, preset.remark, preset.short_word})
      add(words);
    for (const scene::PresetLine& line : preset.lines) add(line.what), add(line.printed), add(line.here);
  }
  return out;
}

std::vector<double> settings_of(const Scene& scene) {
  std::vector<double> out;
  scene::fields(scene, [&](const scene::Field&, const auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, double>) out.push_back(value);
  });
  for (const WrittenAs& number : written_numbers(scene.softmax.scores, true))
    out.push_back(number.readings.front().value);
  std::sort(out.begin(), out.end());
  return out;
}

/// Along an axis places go as the values, or as their logarithms: three numbers of one line tell.
bool is_tick(const Screen& screen, const Screen::Text& text, double value) {
  if (!text.drawn) return false;
  for (const bool across : {true, false}) {
    std::vector<std::pair<double, double>> line;  // place, value
    for (const Screen::Text& other : screen.texts) {
      if (&other == &text || !other.drawn || other.where != text.where ||
          other.style.size != text.style.size || other.style.align != text.style.align)
        continue;
      const float beside = across ? other.at.y - text.at.y : other.at.x - text.at.x;
      if (std::abs(beside) > 0.01f) continue;
      const auto numbers = written_numbers(other.words, true);
      if (numbers.size() != 1 || numbers[0].at != 0) continue;
      line.emplace_back(static_cast<double>(across ? other.at.x : other.at.y),
                        numbers[0].readings.front().value);
    }
    const double place = static_cast<double>(across ? text.at.x : text.at.y);
    for (const bool logarithmic : {false, true}) {
      const auto on = [logarithmic](double v) { return logarithmic ? std::log(v) : v; };
      if (logarithmic && value <= 0) continue;
      for (std::size_t i = 0; i < line.size(); ++i) {
        for (std::size_t j = i + 1; j < line.size(); ++j) {
          const auto& [from, low] = line[i];
          const auto& [to, high] = line[j];
          if (from == to || low == high || from == place || to == place) continue;
          if (logarithmic && (low <= 0 || high <= 0)) continue;
          const double expected = on(low) + (place - from) / (to - from) * (on(high) - on(low));
          if (std::abs(expected - on(value)) < 0.01 * std::abs(on(high) - on(low))) return true;
        }
      }
    }
  }
  return false;
}

/// The end of an axis that has no third number: 0 stands in line with it, and no rounder number is smaller.
bool ends_an_axis(const Screen& screen, const Screen::Text& text, double value) {
  if (!text.drawn || base::nice_ceiling(std::abs(value)) > std::abs(value) * (1 + 1e-9)) return false;
  return std::any_of(screen.texts.begin(), screen.texts.end(), [&](const Screen::Text& other) {
    const bool in_line = std::abs(other.at.x - text.at.x) < 0.01f || std::abs(other.at.y - text.at.y) < 0.01f;
    return other.drawn && in_line && other.card == text.card && other.words == "0" &&
           other.style.size == text.style.size;
  });
}

/// The scale of a map of the same card.
bool ends_a_scale(const Screen& screen, const Screen::Text& text, const WrittenAs& number) {
  return std::any_of(screen.maps.begin(), screen.maps.end(), [&](const Screen::Map& map) {
    if (map.card != text.card) return false;
    return number.stands_for(static_cast<double>(map.map.hi)) ||
           number.stands_for(static_cast<double>(map.map.lo));
  });
}

/// Every number with a fraction or an exponent on a screen is a quantity, an element of a table, a setting, a
/// tick, or what a source prints.
TEST_P(QuantityDoors, NoNumberOnTheScreenIsNameless) {
  const std::string page(scene::word(GetParam()));
  std::vector<const scene::Table*> tables;
  for (const scene::Table& table : scene::tables()) {
    if (table.page == GetParam() || table.page == Page::attention || table.page == Page::position)
      tables.push_back(&table);
  }
  for (const OpenCase& open : cases_of(GetParam())) {
    SCOPED_TRACE(open.one.name);
    const Doors& doors = *open.doors;
    std::set<std::string> named = numbers_of_sources(doors);
    for (const scene::StatedNumber& message : open.screen.stated) {
      for (const WrittenAs& number : written_numbers(message.words)) named.insert(number.text);
    }
    const std::vector<double> settings = settings_of(doors.scene), own = derived(open);
    std::map<std::string, std::vector<double>> of_cards;  // of the tables behind each card; "": of all
    const auto elements_behind = [&](const std::string& card) -> const std::vector<double>& {
      const auto known = of_cards.find(card);
      if (known != of_cards.end()) return known->second;
      std::vector<const scene::Table*> behind =
          card.empty() ? tables : scene::tables_behind(GetParam(), card);
      for (const CardNumbers& also : card_numbers()) {
        if (page != also.page || card != also.card) continue;
        std::istringstream names(also.tables);
        for (std::string name; names >> name;) {
          if (name == "*") behind.insert(behind.end(), tables.begin(), tables.end());
          if (name != "*") behind.push_back(scene::find_table(name));
        }
      }
      return of_cards[card] = elements_of(doors, behind.empty() ? tables : behind, true);
    };
    std::set<std::string> reported;
    for (const Screen::Text& text : open.screen.texts) {
      const std::vector<WrittenAs> numbers = written_numbers(text.words);
      if (numbers.empty()) continue;
      const std::vector<double>& elements = elements_behind(text.card);
      std::vector<std::pair<std::size_t, std::size_t>> excepted;
      for (const WrittenAs& number : numbers) {
        if (std::string_view(text.words).substr(number.end).starts_with("…")) continue;  // cut off
        if (named.contains(number.text) || among(elements, number) || among(settings, number) ||
            among(own, number))
          continue;
        if (number.at == 0 && (ends_a_scale(open.screen, text, number) ||
                               is_tick(open.screen, text, number.readings.front().value) ||
                               ends_an_axis(open.screen, text, number.readings.front().value)))
          continue;
        if (excepted.empty()) {
          excepted.emplace_back(0, 0);
          for (const Nameless& one : nameless()) {
            if (*one.page && page != one.page) continue;
            const std::regex pattern(one.words);
            for (std::sregex_iterator at(text.words.begin(), text.words.end(), pattern), end; at != end;
                 ++at) {
              const auto from = static_cast<std::size_t>(at->position());
              excepted.emplace_back(from, from + static_cast<std::size_t>(at->length()));
            }
          }
        }
        const bool excused = std::any_of(excepted.begin(), excepted.end(), [&](const auto& span) {
          return span.first <= number.at && number.end <= span.second;
        });
        if (!excused && reported.insert(number.text + text.where).second)
          ADD_FAILURE() << number.text << " of “" << text.words << "” (" << text.where << ") has no name";
      }
    }
  }
}

}  // namespace
}  // namespace headlight::app
