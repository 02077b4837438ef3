// Numbers of a scene by name, and claims about them. With them the text of a lesson contains computed
// numbers, and the program checks the reader's tasks.
//
//   quantity entropy head=2                     a name, and arguments where the defaults are not meant
//   claim    entropy head=2 < 0.5               a quantity, one of < > =, and a number or another quantity
//
// "=" with a written number holds to its last decimal: 0.401 means 0.4005 … 0.4015. Between two quantities
// it holds to one part in a million. `docs/lessons.md` lists every quantity. Tested in
// tests/scene/lesson_quantities_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/result.h"
#include "pages/training/training.h"
#include "scene/named_number.h"
#include "scene/results.h"

namespace headlight::scene {

struct ArgumentInfo;  // page.h
struct Quantity;
struct QuantityInfo {
  const char* name;
  const char* label;      // a noun in terms of the field, for people: "Mean entropy of a row"
  base::NumberForm form;  // how it is written unless the caller asks for another form
  const char* arguments;  // their names, separated by blanks
  const char* help;       // one line
  double (*value)(const Quantity& quantity, const QuantitySource& from);
  const char* unit = "";  // "bits", "MiB"; empty: a plain number
  int first_token = 0;    // the number of the first query and of the first key
};

struct Quantity {
  const QuantityInfo* info = nullptr;
  std::vector<std::pair<std::string, std::string>> arguments;
  int number(std::string_view name, int fallback) const;
  std::string_view word(std::string_view name, std::string_view fallback) const;
  std::string text() const;  // as it is written
};

/// All of them, in the order of the documentation.
std::span<const QuantityInfo> quantities();

/// The quantities of a page, or of all pages, as JSON or as lines with tabs between name, page, label,
/// unit, arguments and help.
std::string describe_quantities(std::optional<Page> page, bool as_json);

/// The page that the quantity belongs to.
Page page_of(const QuantityInfo& info);

/// Null: the argument takes a number of what its name says.
const ArgumentInfo* argument_info(const QuantityInfo& quantity, std::string_view argument);

/// An error for an unknown name, an unknown or repeated argument, and a word that the argument does not take.
base::Result<Quantity> parse_quantity(std::string_view text);
/// Why a quantity has no value, if an argument names something that does not exist: "query 5: the sentence
/// has 3 tokens, 0 to 2", "run 3: there are 2 runs, 1 to 2". Empty: that is not the reason.
std::string not_there(const Quantity& quantity, const QuantitySource& from);

/// The same as a question that costs little.
bool names_nothing(const Quantity& quantity, const QuantitySource& from);
/// Why a quantity has no value in this scene: not_there(), the page that is not open, a sentence that is too
/// short, else what the quantity is a number of.
std::string why_no_value(const Quantity& quantity, const QuantitySource& from);

/// NaN when the scene has no such number: another page is open, or there is no such head.
double quantity_value(const Quantity& quantity, const QuantitySource& from);

/// For pages (kit/page_input.h): value, form, label and unit. Each thread keeps what it parsed. A name that
/// does not exist is an error of the program.
NamedNumber read_quantity(std::string_view text, const QuantitySource& from);

/// "Tokens: 6 tokens": a line for each quantity of this page that takes no argument and has a value.
std::string quantity_lines(Page page, const QuantitySource& from);

/// A number as a person or a page wrote it: "0.401", "61,343", "−1.5", "+0.19", "40 %", "2.4e−07".
struct WrittenNumber {
  std::string text;
  double value = 0;  // 0.4 for "40 %"
  int decimals = 0;  // after the decimal point, as written
  int power = 0;     // −7 for "2.4e−07"
  bool percent = false, grouped = false, with_power = false, with_plus = false;
  double unit() const;  // of its last digit: 1e-08 for "2.4e−07", 0.01 for "40 %"
};
base::Result<WrittenNumber> parse_number(std::string_view text);
/// Another value, written in the same form.
std::string written_like(double value, const WrittenNumber& number);
/// True when the value rounds to the number, or is within a millionth of where it would.
bool agrees(double value, const WrittenNumber& number);

enum class Relation { below, above, equal };
struct Claim {
  Quantity left;
  Relation relation = Relation::equal;
  std::optional<WrittenNumber> number;  // or:
  std::optional<Quantity> right;
};
base::Result<Claim> parse_claim(std::string_view text);
/// False when a quantity has no value.
bool holds(const Claim& claim, const QuantitySource& from);

}  // namespace headlight::scene
