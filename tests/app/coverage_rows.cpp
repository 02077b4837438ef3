#include "app/coverage_rows.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace headlight::tests {

namespace {

const std::set<std::string> kinds = {"definition", "formula", "figure", "table",    "experiment",
                                     "exercise",   "number",  "code",   "statement"};

std::string trimmed(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

/// `part` occurs in `whole`, in its order and without gaps.
bool contains(const std::vector<std::string>& whole, const std::vector<std::string>& part) {
  return std::search(whole.begin(), whole.end(), part.begin(), part.end()) != whole.end();
}

/// Words and numbers without letters: "0.401", "−1e9", "2048"; not "True" or "“near”".
bool is_number(const std::string& word) {
  return std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; }) &&
         std::none_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
}

void check_nothing(const CoverageRow& row, const std::string& at, std::vector<std::string>& problems) {
  constexpr std::string_view sign = "`nothing`";
  const std::size_t found = row.where.find(sign);
  const std::string reason = trimmed(std::string_view(row.where).substr(found + sign.size()));
  if (reason.empty() || reason.front() != ':' || words_of(reason.substr(1)).size() < 4)
    problems.push_back(at + "`nothing` needs a reason behind a colon");
}

void check_place(const CoveragePlace& place, const CoveragePlaces& places, const std::string& at,
                 std::vector<std::string>& problems) {
  constexpr std::string_view field = "field ";
  const bool assigns = place.name.rfind(field, 0) == 0 && place.name.find('=') != std::string::npos;
  if (assigns ? !places.settable(place.name.substr(field.size())) : !places.names.count(place.name)) {
    problems.push_back(at + "there is no `" + place.name + "`");
    return;
  }
  if (place.contradicts && place.name.rfind("preset ", 0) == 0 && !places.contradictions.count(place.name))
    problems.push_back(at + "`" + place.name + "` contradicts nothing");
  if (place.numbers.empty()) return;
  const auto printed = places.printed.find(place.name);
  const bool there = printed != places.printed.end() &&
                     std::any_of(printed->second.begin(), printed->second.end(),
                                 [&](const auto& line) { return contains(line, place.numbers); });
  if (there) return;
  std::string numbers;
  for (const std::string& number : place.numbers) numbers += ' ' + number;
  problems.push_back(at + "`" + place.name + "` has no" + numbers);
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::vector<CoverageRow> coverage_rows(std::string_view markdown) {
  std::istringstream in{std::string(markdown)};
  std::vector<CoverageRow> rows;
  std::string section;
  bool in_table = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.rfind("## ", 0) == 0) section = trimmed(line.substr(3));
    if (line.empty() || line.front() != '|') {
      in_table = false;
      continue;
    }
    if (!in_table) {  // the heading; the line of dashes follows
      in_table = true;
      continue;
    }
    if (line.find_first_not_of("|-: ") == std::string::npos) continue;
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) cells.push_back(trimmed(cell));
    if (cells.size() != 4) cells.assign(4, "");
    rows.push_back({number, section, cells[0], cells[1], cells[2], cells[3]});
  }
  return rows;
}

std::vector<CoveragePlace> places_of(const CoverageRow& row) {
  std::vector<CoveragePlace> found;
  const std::size_t contradicted = row.where.find("contradicted by");
  std::size_t from = 0;
  while ((from = row.where.find('`', from)) != std::string::npos) {
    const std::size_t to = row.where.find('`', from + 1);
    if (to == std::string::npos) break;
    const std::string text = row.where.substr(from + 1, to - from - 1);
    constexpr std::string_view prints = " prints ";
    const std::size_t split = text.find(prints);
    CoveragePlace place{trimmed(text.substr(0, split)), {}, contradicted < from};
    if (split != std::string::npos) place.numbers = words_of(text.substr(split + prints.size()));
    found.push_back(place);
    from = to + 1;
  }
  return found;
}

std::vector<std::string> coverage_problems(std::string_view markdown,
                                           const std::vector<std::string>& sections,
                                           const CoveragePlaces& places) {
  std::vector<std::string> problems;
  std::set<std::string> used, contradicting, sections_found;
  std::map<std::string, std::vector<std::vector<std::string>>> repeated;
  for (const CoverageRow& row : coverage_rows(markdown)) {
    const std::string at = "line " + std::to_string(row.line) + ": ";
    sections_found.insert(row.section);
    if (row.place.empty() || row.what.empty()) problems.push_back(at + "a cell is empty, or not four cells");
    if (!kinds.count(row.kind)) problems.push_back(at + "“" + row.kind + "” is no kind of thing");
    const std::vector<CoveragePlace> named = places_of(row);
    if (named.empty()) problems.push_back(at + "no place is named");
    for (const CoveragePlace& place : named) {
      if (place.name == "nothing") {
        check_nothing(row, at, problems);
        continue;
      }
      check_place(place, places, at, problems);
      used.insert(place.name);
      if (place.contradicts) contradicting.insert(place.name);
      if (!place.numbers.empty()) repeated[place.name].push_back(place.numbers);
    }
  }
  for (const std::string& section : sections) {
    if (!sections_found.count(section)) problems.push_back("no rows for the source “" + section + "”");
  }
  for (const std::string& name : places.names) {
    const std::string kind = name.substr(0, name.find(' '));
    const bool needed =
        kind == "preset" || kind == "page" || (kind == "lesson" && name.find('/') == name.npos);
    const bool by_a_step = kind == "lesson" && std::any_of(used.begin(), used.end(), [&](const auto& one) {
                             return one.rfind(name + "/", 0) == 0;
                           });
    if (needed && !by_a_step && !used.count(name)) problems.push_back("no row names `" + name + "`");
  }
  for (const std::string& name : places.contradictions) {
    if (!contradicting.count(name)) problems.push_back("no statement is “contradicted by `" + name + "`”");
  }
  for (const auto& [name, lines] : places.printed) {
    if (name.rfind("preset ", 0) != 0) continue;
    for (const auto& line : lines) {
      if (line.empty() || !std::all_of(line.begin(), line.end(), is_number)) continue;
      if (std::any_of(repeated[name].begin(), repeated[name].end(),
                      [&](const auto& numbers) { return contains(numbers, line); }))
        continue;
      std::string numbers;
      for (const std::string& number : line) numbers += ' ' + number;
      problems.push_back("no row has the numbers" + numbers + " of `" + name + "`");
    }
  }
  return problems;
}

}  // namespace headlight::tests
