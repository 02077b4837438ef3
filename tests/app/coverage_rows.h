// docs/coverage.md as rows, and what is wrong with them. A row says where a thing of a source lives:
//
//   | 39.2.1 | number | the weights | `preset Worked example prints 0.401 0.198 0.401`, `card worked/flow` |
//
// A place is in backticks: a kind, a name, and for a preset or a step of a lesson the numbers that it
// repeats. `nothing` is followed by a colon and the reason. "contradicted by" stands before the places that
// show a statement to be wrong.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::tests {

struct CoverageRow {
  int line = 0;         // of the file, from 1
  std::string section;  // "## …" above it
  std::string place, kind, what, where;
};

/// One place of a row.
struct CoveragePlace {
  std::string name;                  // "preset Worked example"
  std::vector<std::string> numbers;  // as they are printed
  bool contradicts = false;          // it is among those after "contradicted by"
};

/// What there is in the program.
struct CoveragePlaces {
  std::set<std::string> names;                                  // "page attention", "lesson clocks/3", …
  std::function<bool(const std::string& assignment)> settable;  // for "field mask=causal"
  /// Of presets and steps: the lines or words in which numbers are looked for, each a list of words.
  std::map<std::string, std::vector<std::vector<std::string>>> printed;
  std::set<std::string> contradictions;  // presets that show a statement to be wrong
};

std::vector<std::string> words_of(std::string_view text);
/// The rows of all tables; the heading of a table and the line below it are none.
std::vector<CoverageRow> coverage_rows(std::string_view markdown);
std::vector<CoveragePlace> places_of(const CoverageRow& row);

/// One line for each thing that is wrong: with the file's lines first, then what of the program is missing.
std::vector<std::string> coverage_problems(std::string_view markdown,
                                           const std::vector<std::string>& sections,
                                           const CoveragePlaces& places);

}  // namespace headlight::tests
