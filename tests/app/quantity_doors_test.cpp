// Every number of every page through every door: the export, a lesson's words, the description, and all that
// the page writes on its picture, under the pointer, in the status line and on slides.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <regex>
#include <set>
#include <sstream>

#include "command/commands.h"
#include "pages/cost/cost.h"
#include "pages/order/order.h"
#include "pages/presets/presets.h"
#include "pages/worked/worked.h"
#include "quantity_cases.h"
#include "quantity_places.h"
#include "scene/setting.h"
#include "screen_reader.h"
#include "teach/lesson_words.h"
#include "written_numbers.h"

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

/// Times of no machine in particular.
std::shared_ptr<const scene::CostMeasurements> some_times(int d) {
  auto times = std::make_shared<scene::CostMeasurements>();
  times->d = d, times->lengths = 3;
  times->rows = {{16, {0.123, 5}, {0.0456, 5}, {0.0789, 5}},
                 {32, {0.223, 5}, {0.1456, 5}, {0.1789, 5}},
                 {64, {0.423, 5}, {0.3456, 5}, {0.2789, 5}}};
  return times;
}

/// A case with its doors open.
struct OpenCase {
  NumberCase one;
  std::unique_ptr<Doors> doors;
  Screen screen;
};

/// Of a page, computed and read once for the program.
const std::vector<OpenCase>& cases_of(Page page) {
  static std::map<Page, std::vector<OpenCase>> all;
  const auto known = all.find(page);
  if (known != all.end()) return known->second;
  std::vector<OpenCase>& out = all[page];
  const views::PageView& view = page_info(page).view;
  for (NumberCase& one : number_cases(page)) {
    OpenCase open{std::move(one), nullptr, {}};
    open.doors = std::make_unique<Doors>(open.one.scene);
    EXPECT_EQ(open.doors->results->failure, "") << open.one.name;
    if (open.one.measured) open.doors->measured = some_times(open.one.scene.cost.d);
    const views::PageInput in = open.doors->input();
    read_page(open.screen, view, in, {0, 0, 2400, 1800});
    read_page(open.screen, view, in, {0, 0, 1216, 602});
    if (open.one.slides) read_page(open.screen, view, in, {0, 0, 560, 900});
    if (open.one.slides) read_slides(open.screen, view, in);
    out.push_back(std::move(open));
  }
  return out;
}

/// The name alone, and with a few values of each argument.
std::vector<std::string> asked_for(const QuantityInfo& info, const Doors& doors) {
  std::vector<std::string> out = {info.name};
  std::istringstream arguments(info.arguments);
  const int T = static_cast<int>(doors.results->tokens.size()), heads = doors.results->attention.heads;
  for (std::string argument; arguments >> argument;) {
    std::vector<std::string> values;
    if (argument == "head") {
      for (int head = 1; head <= std::min(heads, 8); ++head) values.push_back(std::to_string(head));
    } else if (argument == "query" || argument == "key") {
      values = {"0", std::to_string(std::max(0, T - 1))};
    } else if (const scene::ArgumentInfo* words = scene::argument_info(info, argument);
               words && (words->any_word || !words->words.empty())) {
      values.assign(words->words.begin(), words->words.end());
    } else if (argument == "d") {
      values = {"16", "64"};
    } else if (argument == "T") {
      values = {"64", "512"};
    } else {
      values = {"1", "2"};
    }
    const std::vector<std::string> before = out;
    for (const std::string& text : before) {
      for (const std::string& value : values) out.push_back(text + " " + argument + "=" + value);
    }
  }
  return out;
}

void through_export(const std::string& text, double value, Doors& doors) {
  Scene asked = doors.scene;
  // "entropy": the table of all heads has the name alone.
  const auto tables = tables_meant({scene::find_table(text) ? "quantity " + text : text, ""}, asked);
  ASSERT_TRUE(tables) << tables.error();
  EXPECT_EQ(asked.page, doors.scene.page) << text;
  const std::vector<double> numbers = doors.exported(*tables->front());
  if (std::isnan(value)) {
    EXPECT_THAT(numbers, testing::IsEmpty()) << text;
  } else {
    EXPECT_THAT(numbers, testing::ElementsAre(value)) << text;
  }
}

void through_a_lesson(const std::string& text, double value, base::NumberForm form, const Doors& doors) {
  const bool percent = form.style == base::NumberStyle::percent;
  const bool decimals = form.style == base::NumberStyle::decimals || percent;
  const int digits = decimals ? form.digits : 3;
  const std::string like = base::fixed(0, digits) + (percent ? " %" : "");
  const auto words = scene::parse_words("It is {" + like + " = " + text + "}.");
  ASSERT_TRUE(words) << words.error();
  const scene::QuantitySource source = doors.source();
  std::string said;
  for (const scene::WordRun& run : word_runs(*words, &source)) said += run.text;
  std::string number = std::isnan(value) ? like
                       : percent         ? base::fixed(100 * value, digits) + " %"
                                         : base::fixed(value, digits);
  if (const std::size_t sign = number.find(" %"); sign != std::string::npos)
    number.replace(sign, 1, "\u00a0");  // no line ends there
  if (std::isnan(value) && percent) number = like;
  if (std::isnan(value) && !not_there(*scene::parse_quantity(text), source).empty()) number = "–";
  EXPECT_EQ(said, "It is " + number + ".") << text;
}

/// The elements of the tables of a page, sorted; with the largest magnitude of each, which ends its colour
/// bar.
std::vector<double> elements_of(const Doors& doors, const std::vector<const scene::Table*>& tables,
                                bool with_largest) {
  std::vector<double> out;
  for (const scene::Table* table : tables) {
    double largest = 0;
    for (const double value : doors.exported(*table)) {
      if (!std::isfinite(value)) continue;
      out.push_back(value), largest = std::max(largest, std::abs(value));
    }
    if (with_largest) out.push_back(largest), out.push_back(-largest);
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool among(const std::vector<double>& sorted, double value, double tolerance) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), value - tolerance);
  return at != sorted.end() && *at <= value + tolerance;
}

bool among(const std::vector<double>& sorted, const WrittenAs& number) {
  return std::any_of(number.readings.begin(), number.readings.end(),
                     [&](const WrittenAs::Reading& one) { return among(sorted, one.value, one.tolerance); });
}

/// "[0, 0] = #" as a regular expression: '#' is captured, '*' is anything on one line.
std::regex pattern_of(std::string_view words) {
  std::string out;
  for (const char c : words) {
    if (c == '#') {
      out += "((?:−|\\+)?[0-9][0-9.,]*(?:e(?:−|\\+)?[0-9]+)?)";
    } else if (c == '*') {
      out += "[^\\n]*?";
    } else {
      if (std::string_view("[](){}.+?^$|\\").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return std::regex(out + "(?![0-9])");
}

bool is_at(std::string_view where, std::string_view wanted) {
  return wanted.ends_with('*') ? where.starts_with(wanted.substr(0, wanted.size() - 1)) : where == wanted;
}

class QuantityDoors : public testing::TestWithParam<Page> {};

TEST_P(QuantityDoors, AreTheSameAtEveryDoor) {
  std::map<std::string, int> had;  // with a value, how often
  for (const OpenCase& open : cases_of(GetParam())) {
    SCOPED_TRACE(open.one.name);
    Doors& doors = *open.doors;
    const std::string described = doors.described();
    const views::PageInput in = doors.input();
    for (const QuantityInfo& info : page_info(GetParam()).room.quantities()) {
      had[info.name] += 0;
      for (const std::string& text : asked_for(info, doors)) {
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

/// What a page writes of a quantity is its value, and stands on the screen.
TEST_P(QuantityDoors, AreOnTheScreenAsElsewhere) {
  std::set<std::string> noted;
  std::map<const NumberPlace*, int> found;
  std::map<std::string, const NotNoted*> unnoted;
  std::vector<const NumberPlace*> places;
  for (const QuantityInfo& info : page_info(GetParam()).room.quantities()) {
    for (const NotNoted& one : not_noted())
      if (std::string_view(one.quantity) == info.name) unnoted[info.name] = &one;
    for (const NumberPlace& one : number_places()) {
      const std::string_view name = one.quantity;
      if (name.substr(0, name.find(' ')) == info.name) places.push_back(&one);
    }
  }
  for (const OpenCase& open : cases_of(GetParam())) {
    SCOPED_TRACE(open.one.name);
    const Doors& doors = *open.doors;
    const std::string words = open.screen.words();
    for (const scene::SaidNumber& number : open.screen.said) {
      const double value = doors.quantity(number.quantity);
      EXPECT_TRUE(number.value == value || (std::isnan(value) && std::isnan(number.value)))
          << number.quantity << ": noted " << number.value << ", elsewhere " << value;
      if (number.words.empty() || std::isnan(value)) continue;
      EXPECT_NE(words.find(number.words), std::string::npos)
          << number.quantity << " is noted as " << number.words << ", which no text has";
      noted.insert(number.quantity.substr(0, number.quantity.find(' ')));
    }
    for (const NumberPlace* place : places) {
      const double value = doors.quantity(place->quantity);
      if (std::isnan(value)) continue;
      const std::regex pattern = pattern_of(place->words);
      for (const Screen::Text& text : open.screen.texts) {
        std::smatch match;
        if (!is_at(text.where, place->where) || !std::regex_search(text.words, match, pattern)) continue;
        const auto at = static_cast<std::size_t>(match.position(1));
        for (const WrittenAs& number : written_numbers(text.words, true)) {
          if (number.at > at || number.end <= at) continue;
          EXPECT_TRUE(number.stands_for(value))
              << place->quantity << " is " << value << ", and " << text.where << " says " << text.words;
          ++found[place];
        }
      }
    }
    for (const auto& [name, one] : unnoted) {
      if (!*one->tables) continue;
      std::vector<const scene::Table*> tables;
      std::istringstream names(one->tables);
      for (std::string table; names >> table;) {
        tables.push_back(scene::find_table(table));
        ASSERT_NE(tables.back(), nullptr) << table;
      }
      const std::vector<double> elements = elements_of(doors, tables, false);
      for (const QuantityInfo& info : page_info(GetParam()).room.quantities()) {
        if (name != info.name) continue;
        for (const std::string& text : asked_for(info, doors)) {
          if (one->alone && text.find(' ') != std::string::npos) continue;
          const double value = doors.quantity(text), rounding = 1e-12 * std::abs(value);
          EXPECT_TRUE(std::isnan(value) || among(elements, value, rounding) ||
                      among(elements, -value, rounding))
              << text << " is " << value << ", which is not in " << one->tables;
        }
      }
    }
  }
  for (const QuantityInfo& info : page_info(GetParam()).room.quantities()) {
    const bool stated = unnoted.contains(info.name);
    bool placed = false;
    for (const NumberPlace* place : places) {
      const std::string_view name = place->quantity;
      if (name.substr(0, name.find(' ')) != info.name) continue;
      placed = true;
      EXPECT_GT(found[place], 0) << "no text of " << place->where << " has " << place->quantity << " as "
                                 << place->words;
    }
    EXPECT_EQ(noted.contains(info.name) + stated + (placed && !noted.contains(info.name)), 1)
        << info.name << (noted.contains(info.name) ? " is noted" : " is not noted on any screen") << ", "
        << (stated ? "stated as missing" : "not stated as missing") << ", " << (placed ? "has" : "has no")
        << " place in quantity_places.cpp";
  }
}

/// The number of digits belongs to the quantity: pictures, tooltips, the status line and the description
/// write it alike, or quantity_places.cpp says why not.
TEST_P(QuantityDoors, HaveTheSameDigitsAtEveryDoor) {
  std::map<std::string_view, int> others;
  std::set<std::string> told;
  const auto excused = [&](std::string_view name) {
    const auto found = std::find_if(other_forms().begin(), other_forms().end(),
                                    [&](const OtherForm& one) { return name == one.quantity; });
    if (found == other_forms().end()) return false;
    ++others[name];
    return true;
  };
  for (const OpenCase& open : cases_of(GetParam())) {
    SCOPED_TRACE(open.one.name);
    std::vector<scene::SaidNumber> all = open.screen.said;
    views::PageInput in = open.doors->input();
    in.said = &all;
    describe_page(in, 5);
    for (const scene::SaidNumber& said : all) {
      if (said.words.empty() || std::isnan(said.value)) continue;
      const auto quantity = scene::parse_quantity(said.quantity);
      ASSERT_TRUE(quantity) << quantity.error();
      const std::string own = base::written(said.value, quantity->info->form);
      if (said.words.find(own) != std::string::npos || excused(quantity->info->name)) continue;
      // "<.001", in a column.
      const base::NumberForm form = quantity->info->form;
      if (form.style == base::NumberStyle::weight &&
          said.words == base::weight_in_cell(said.value, form.digits))
        continue;
      if (told.insert(std::string(quantity->info->name) + said.words.substr(0, 1)).second)
        ADD_FAILURE() << said.quantity << " is " << own << " and is written as " << said.words;
    }
  }
  for (const NumberPlace& place : number_places()) {
    const auto quantity = scene::parse_quantity(place.quantity);
    if (!quantity || page_of(*quantity->info) != GetParam()) continue;
    const std::regex pattern = pattern_of(place.words);
    for (const OpenCase& open : cases_of(GetParam())) {
      const double value = open.doors->quantity(place.quantity);
      if (std::isnan(value)) continue;
      const std::string own = base::written(value, quantity->info->form);
      for (const Screen::Text& text : open.screen.texts) {
        std::smatch match;
        if (!is_at(text.where, place.where) || !std::regex_search(text.words, match, pattern)) continue;
        std::string words = match[1].str();
        while (words.ends_with(',') || words.ends_with('.')) words.pop_back();
        if (own.starts_with(words) && (own.size() == words.size() || own.substr(words.size()) == " %"))
          continue;
        if (excused(quantity->info->name)) continue;
        if (told.insert(std::string(place.quantity) + place.where).second)
          ADD_FAILURE() << place.quantity << " is " << own << " and " << text.where << " has " << words;
      }
    }
  }
  for (const QuantityInfo& info : page_info(GetParam()).room.quantities()) {
    for (const OtherForm& one : other_forms())
      EXPECT_TRUE(info.name != std::string_view(one.quantity) || others.contains(info.name))
          << info.name << " is never written in another form";
  }
}

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
      out.push_back(std::abs(scene.position_delta * omega) / (2 * std::numbers::pi));
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
    for (const scene::SaidNumber& said : open.screen.said) {
      for (const WrittenAs& number : written_numbers(said.words)) named.insert(number.text);
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
    std::set<std::string> told;
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
        if (!excused && told.insert(number.text + text.where).second)
          ADD_FAILURE() << number.text << " of “" << text.words << "” (" << text.where << ") has no name";
      }
    }
  }
}

/// A cell with its number.
struct NumberedCell {
  int row = 0, col = 0;
  double value = 0;
};

/// Has a table these numbers in these places? Heads may stand beside each other in a row of the card, and one
/// behind the other in the table; and a card may have a row or a column of a table as a matrix.
template <class E>
bool has_cells(const io::TensorView<E>& tensor, const Screen::Map& map,
               const std::vector<NumberedCell>& cells) {
  const std::size_t axes = tensor.shape.size(), size = tensor.values.size();
  if (axes == 0 || size == 0) return false;
  const auto rows = static_cast<std::size_t>(map.map.rows), cols = static_cast<std::size_t>(map.map.cols);
  const auto all = [&](auto place) {
    return std::all_of(cells.begin(), cells.end(), [&](const NumberedCell& cell) {
      const auto value = static_cast<double>(
          tensor.values[place(static_cast<std::size_t>(cell.row), static_cast<std::size_t>(cell.col))]);
      return std::abs(value - cell.value) <= 1e-5 * std::max(1.0, std::abs(value));
    });
  };
  const std::size_t last = tensor.shape[axes - 1], before = axes > 1 ? tensor.shape[axes - 2] : 1;
  if (before == rows && last == cols) {
    for (std::size_t plane = 0; plane < size; plane += rows * cols) {
      if (all([&](std::size_t row, std::size_t col) { return plane + row * cols + col; })) return true;
    }
  }
  if (axes == 4 && before == rows && tensor.shape[1] * last == cols &&
      all([&](std::size_t row, std::size_t col) { return (col / last * rows + row) * last + col % last; }))
    return true;
  const std::size_t many = rows * cols;
  for (std::size_t column = 0; size / last == many && column < last; ++column) {
    if (all([&](std::size_t row, std::size_t col) { return (row * cols + col) * last + column; }))
      return true;
  }
  for (std::size_t start = 0; last == many && start < size; start += last) {
    if (all([&](std::size_t row, std::size_t col) { return start + row * cols + col; })) return true;
  }
  return false;
}

/// A number in a cell is that of the cell, and the export has it in the same row and column.
TEST_P(QuantityDoors, ACellHasItsOwnNumber) {
  int numbers_in_cells = 0;
  for (const OpenCase& open : cases_of(GetParam())) {
    SCOPED_TRACE(open.one.name);
    const auto& order = open.doors->results->own_as<scene::OrderResults>();
    const double factor = order ? scene::written_factor(open.one.scene.order.divided, *order) : 1;
    std::map<int, std::vector<NumberedCell>> cells;
    for (const Screen::Text& text : open.screen.texts) {
      if (text.map < 0) continue;
      const Screen::Map& map = open.screen.maps[static_cast<std::size_t>(text.map)];
      const auto numbers = written_numbers(text.words);
      if (numbers.size() != 1 || numbers[0].text != text.words) continue;
      if (text.row >= map.map.rows || text.col >= map.map.cols) continue;
      const double value = static_cast<double>(map.at(text.row, text.col)) * factor;
      EXPECT_TRUE(numbers[0].stands_for(value)) << text.where << ": the cell " << text.row << ", " << text.col
                                                << " is " << value << " and says " << text.words;
      cells[text.map].push_back({text.row, text.col, value});
      ++numbers_in_cells;
    }
    std::vector<scene::MaybeNumbers> tables;
    for (const scene::Table& table : scene::tables()) {
      if (cells.empty()) break;
      if (table.page == GetParam() || table.page == Page::attention)
        tables.push_back(open.doors->numbers(table));
    }
    for (const auto& map_and_cells : cells) {
      const std::vector<NumberedCell>& numbered = map_and_cells.second;
      const Screen::Map& map = open.screen.maps[static_cast<std::size_t>(map_and_cells.first)];
      const bool found = std::any_of(tables.begin(), tables.end(), [&](const scene::MaybeNumbers& table) {
        return table && std::visit([&](const auto& tensor) { return has_cells(tensor, map, numbered); },
                                   table->tensor);
      });
      EXPECT_TRUE(found) << "no table has the " << map.map.rows << " × " << map.map.cols << " numbers of "
                         << map.card;
    }
  }
  RecordProperty("numbers_in_cells", numbers_in_cells);
}

std::vector<Page> pages_with_quantities() {
  std::vector<Page> out;
  for (const PageInfo& page : pages()) {
    if (page.room.quantities) out.push_back(page.page());
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Pages, QuantityDoors, testing::ValuesIn(pages_with_quantities()),
                         [](const auto& info) { return std::string(scene::word(info.param)); });

}  // namespace
}  // namespace headlight::app
