// What the pages write of their quantities on the picture, under the pointer, in the status line and on
// slides: the same value, in the same form, and in cells that of the cell.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "open_cases.h"
#include "pages/order/order.h"
#include "quantity_places.h"

namespace headlight::app {
namespace {

using scene::Page;
using scene::QuantityInfo;
using scene::Scene;

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
    for (const scene::StatedNumber& number : open.screen.stated) {
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
        for (const std::string& text : requested(info, doors)) {
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
  std::set<std::string> reported;
  const auto excused = [&](std::string_view name) {
    const auto found = std::find_if(other_forms().begin(), other_forms().end(),
                                    [&](const OtherForm& one) { return name == one.quantity; });
    if (found == other_forms().end()) return false;
    ++others[name];
    return true;
  };
  for (const OpenCase& open : cases_of(GetParam())) {
    SCOPED_TRACE(open.one.name);
    std::vector<scene::StatedNumber> all = open.screen.stated;
    views::PageInput in = open.doors->input();
    in.stated = &all;
    describe_page(in, 5);
    for (const scene::StatedNumber& stated : all) {
      if (stated.words.empty() || std::isnan(stated.value)) continue;
      const auto quantity = scene::parse_quantity(stated.quantity);
      ASSERT_TRUE(quantity) << quantity.error();
      const std::string own = base::written(stated.value, quantity->info->form);
      if (stated.words.find(own) != std::string::npos || excused(quantity->info->name)) continue;
      // "<.001", in a column.
      const base::NumberForm form = quantity->info->form;
      if (form.style == base::NumberStyle::weight &&
          stated.words == base::weight_in_cell(stated.value, form.digits))
        continue;
      if (reported.insert(std::string(quantity->info->name) + stated.words.substr(0, 1)).second)
        ADD_FAILURE() << stated.quantity << " is " << own << " and is written as " << stated.words;
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
        if (reported.insert(std::string(place.quantity) + place.where).second)
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
  // The parts of all heads one below the other.
  if (last == cols && size == rows * cols &&
      all([&](std::size_t row, std::size_t col) { return row * cols + col; }))
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

}  // namespace
}  // namespace headlight::app
