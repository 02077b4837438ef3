// Every quantity of every page through every door: the export, a lesson's words, the description, and the
// tables that have it as an element.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "command/commands.h"
#include "open_cases.h"
#include "quantity_places.h"
#include "teach/lesson_words.h"

namespace headlight::app {
namespace {

using scene::Page;
using scene::QuantityInfo;
using scene::Scene;

/// Those that have a value in none of the cases, and why.
const std::map<std::string, std::string>& without_value() {
  static const std::map<std::string, std::string> all = {{"setting", "has one for its argument alone"}};
  return all;
}

void through_export(const std::string& text, double value, Doors& doors) {
  Scene requested = doors.scene;
  // "entropy": the table of all heads has the name alone.
  const auto tables = tables_meant({scene::find_table(text) ? "quantity " + text : text, ""}, requested);
  ASSERT_TRUE(tables) << tables.error();
  EXPECT_EQ(requested.page, doors.scene.page) << text;
  const std::vector<double> numbers = doors.exported(*tables->front());
  if (std::isnan(value)) {
    EXPECT_THAT(numbers, testing::IsEmpty()) << text;
  } else {
    EXPECT_THAT(numbers, testing::ElementsAre(value)) << text;
  }
}

/// A lesson says the number as the page writes it, and `--check` takes it; neither the next number nor the
/// one with the other sign.
void through_a_lesson(const std::string& text, double value, base::NumberForm form, const Doors& doors) {
  const scene::QuantitySource source = doors.source();
  const auto message = [&](const std::string& number) {
    const auto words = scene::parse_words("It is {" + number + " = " + text + "}.");
    EXPECT_TRUE(words) << words.error();
    std::string out;
    if (words)
      for (const scene::WordRun& run : word_runs(*words, &source)) out += run.text;
    return out;
  };
  if (std::isnan(value)) {
    const bool exists = not_there(*scene::parse_quantity(text), source).empty();
    EXPECT_EQ(message("0.000"), exists ? "It is 0.000." : "It is –.") << text;
    return;
  }
  const std::string usual = base::written(value, form);
  if (std::isinf(value)) return;  // no lesson can write it
  std::string words = "It is " + usual + ".";
  if (const std::size_t sign = words.find(" %"); sign != std::string::npos)
    words.replace(sign, 1, "\u00a0");  // no line ends there
  EXPECT_EQ(message(usual), words) << text;
  auto claim = scene::parse_claim(text + " = " + usual);
  ASSERT_TRUE(claim) << claim.error();
  EXPECT_TRUE(holds(*claim, source)) << text << " is " << value << " and is written as " << usual;
  const double number = claim->number->value, unit = claim->number->unit();
  if (unit < 2e-6 * std::abs(value)) return;  // more digits than a claim compares
  for (const double other : {number + 2 * unit, number - 2 * unit, -number}) {
    if (other == number) continue;
    claim->number->value = other;
    EXPECT_FALSE(holds(*claim, source)) << text << " is " << value << ", not " << other;
  }
}

TEST_P(QuantityDoors, AreTheSameAtEveryDoor) {
  std::map<std::string, int> had;  // with a value, how often
  for (const OpenCase& open : cases_of(GetParam())) {
    SCOPED_TRACE(open.one.name);
    Doors& doors = *open.doors;
    const std::string described = doors.described();
    const views::PageInput in = doors.input();
    for (const QuantityInfo& info : page_info(GetParam()).room.quantities()) {
      had[info.name] += 0;
      for (const std::string& text : requested(info, doors)) {
        if (text.starts_with("setting")) continue;  // a setting is no result
        const double value = doors.quantity(text);
        had[info.name] += std::isnan(value) ? 0 : 1;
        through_export(text, value, doors);
        through_a_lesson(text, value, info.form, doors);
        EXPECT_EQ(in.text(text), base::written(value, info.form)) << text;
        if (text.find(' ') != std::string::npos || *info.arguments) continue;
        const std::string line = "\n  " + std::string(info.label) + ": ";
        std::string unit = *info.unit ? " " + std::string(info.unit) : "";
        if (std::isnan(value)) {
          EXPECT_THAT(described, testing::Not(testing::HasSubstr(line)));
        } else {
          if (value == 1 && unit.size() > 2 && unit.ends_with('s') && unit.find(' ', 1) == std::string::npos)
            unit.pop_back();  // "1 layer"
          EXPECT_THAT(described, testing::HasSubstr(line + base::written(value, info.form) + unit + "\n"));
        }
      }
    }
  }
  for (const auto& [name, times] : had) {
    EXPECT_EQ(times == 0, without_value().contains(name))
        << name << " has a value in " << times << " cases" << (times == 0 ? ": which case has one?" : "");
  }
}

/// A word that an argument does not take is refused where a quantity is named: by the export, a lesson's
/// number and its claim. A number below the first one is nobody's.
TEST_P(QuantityDoors, RefuseWhatAnArgumentDoesNotTake) {
  const auto& cases = cases_of(GetParam());
  for (const QuantityInfo& info : page_info(GetParam()).room.quantities()) {
    std::istringstream arguments(info.arguments);
    for (std::string argument; arguments >> argument;) {
      const scene::ArgumentInfo* known = scene::argument_info(info, argument);
      const std::string name = info.name + (" " + argument) + "=";
      if (known && known->any_word) continue;
      const auto wrong = scene::parse_quantity(name + "zzz");
      EXPECT_FALSE(wrong) << name;
      EXPECT_THAT(wrong.error(), testing::HasSubstr("expected")) << name;
      EXPECT_FALSE(scene::parse_claim(name + "zzz > 0")) << name;
      Scene scene = cases.front().doors->scene;
      EXPECT_FALSE(tables_meant({"quantity " + name + "zzz", ""}, scene)) << name;
      const std::string value = known && !known->words.empty() ? known->words[0] : "1";
      EXPECT_FALSE(scene::parse_quantity(name + value + " " + argument + "=" + value)) << name << " twice";
      static const std::set<std::string> signed_arguments = {"distance", "offset", "delta", "shift"};
      if ((known && !known->words.empty()) || signed_arguments.contains(argument)) continue;
      for (const OpenCase& open : cases)
        EXPECT_TRUE(std::isnan(open.doors->quantity(name + "-3"))) << name << "-3, " << open.one.name;
    }
  }
}

/// An element by its place; NaN: there is none.
double element_of(const scene::Numbers& numbers, std::string_view place) {
  return std::visit(
      [&](const auto& tensor) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        std::size_t at = 0, axis = 0;
        for (std::string_view rest = place;; ++axis) {
          const std::size_t end = std::min(rest.find('|'), rest.size());
          const std::string word(rest.substr(0, end));
          if (axis >= tensor.shape.size()) return none;
          std::size_t index = tensor.shape[axis];
          if (axis < numbers.labels.size()) {
            const auto& names = numbers.labels[axis];
            const auto named = std::find(names.begin(), names.end(), word);
            if (named != names.end()) index = static_cast<std::size_t>(named - names.begin());
          }
          if (index == tensor.shape[axis] && word.find_first_not_of("0123456789") == std::string::npos)
            index = static_cast<std::size_t>(std::atoi(word.c_str()));
          if (index >= tensor.shape[axis]) return none;
          at = at * tensor.shape[axis] + index;
          if (end == rest.size()) break;
          rest.remove_prefix(end + 1);
        }
        return axis + 1 == tensor.shape.size() ? static_cast<double>(tensor.values[at]) : none;
      },
      numbers.tensor);
}

/// A quantity that is an element of a table is that element.
TEST_P(QuantityDoors, AreTheElementsOfTheirTables) {
  std::map<const NumberElement*, int> compared;
  for (const NumberElement& one : number_elements()) {
    const scene::Table* table = scene::find_table(one.table);
    ASSERT_NE(table, nullptr) << one.table;
    if (table->page != GetParam()) continue;
    compared[&one] = 0;
    for (const OpenCase& open : cases_of(GetParam())) {
      const double value = open.doors->quantity(one.quantity);
      const scene::MaybeNumbers numbers = open.doors->numbers(*table);
      // The table is of the open cell; alone, the name is of the head on the map.
      const bool another = std::string_view(one.table) == "arithmetic" &&
                           (open.one.scene.cell_head > 0 || open.one.scene.head.size() != 1);
      if (std::isnan(value) || !numbers || another) continue;
      const double element = element_of(*numbers, one.place);
      if (std::isnan(element)) continue;  // a table of another shape
      // Scores are exported in float32.
      const double tolerance = std::string_view(one.table) == "scores" ? 1e-5 * std::max(1.0, std::abs(value))
                                                                       : 1e-7 * std::abs(value);
      EXPECT_NEAR(value, element, tolerance)
          << one.quantity << " beside " << one.place << " of " << one.table << ", " << open.one.name;
      ++compared[&one];
    }
  }
  for (const auto& [one, times] : compared)
    EXPECT_GT(times, 0) << one->quantity << " was compared in no case";
}

}  // namespace
}  // namespace headlight::app
