// Numbers of a scene by name, and claims about them: what lets the words of a lesson say numbers that are
// computed, and a task be checked.
//
//   quantity entropy head=2                     a name, and arguments where the defaults are not meant
//   claim    entropy head=2 < 0.5               a quantity, one of < > =, and a number or another quantity
//
// "=" with a written number holds to its last decimal: 0.401 stands for 0.4005 … 0.4015. Between two
// quantities it holds to one part in a million. `docs/lessons.md` lists every quantity. Tested in
// tests/scene/lesson_test.cpp.
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

struct Quantity;
struct QuantityInfo {
  const char* name;
  const char* label;      // a noun in words of the field, for people: "Mean entropy of a row"
  base::NumberForm form;  // how it is written where nobody says otherwise
  const char* arguments;  // their names, separated by blanks
  const char* help;       // one line
  double (*value)(const Quantity& quantity, const QuantitySource& from);
  const char* unit = "";  // "bits", "MiB"; empty: a plain number
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

/// Those of a page, or of all, as a table: name, page, label, unit, arguments, what it is; a line each with
/// tabs between, or as JSON.
std::string describe_quantities(std::optional<Page> page, bool as_json);

/// The page whose quantity it is.
Page page_of(const QuantityInfo& info);

base::Result<Quantity> parse_quantity(std::string_view text);
/// Of an attention's quantity without a value: the argument that names what is not there, "query 5: the
/// sentence has 3 tokens, 0 to 2"; empty: it is not that.
std::string not_there(const Quantity& quantity, const QuantitySource& from);

/// NaN where the scene has no such number: another page is open, or there is no such head.
double quantity_value(const Quantity& quantity, const QuantitySource& from);

/// For pages (kit/page_input.h): value, form, label and unit. What was parsed once is kept, for each thread;
/// a name that does not exist is a mistake of the program.
NamedNumber read_quantity(std::string_view text, const QuantitySource& from);

/// "Tokens: 6 tokens", a line for each quantity of the page that takes no argument and has a value; labels of
/// other pages' quantities never.
std::string quantity_lines(Page page, const QuantitySource& from);

/// A number as a person wrote it: "0.401", "61,343", "−1.5", "40 %".
struct WrittenNumber {
  std::string text;
  double value = 0;  // 0.4 for "40 %"
  int decimals = 0;  // behind the point, as written
  bool percent = false, grouped = false;
};
base::Result<WrittenNumber> parse_number(std::string_view text);
/// Another value written in the same way.
std::string written_like(double value, const WrittenNumber& number);
/// The same number as far as it is written.
bool agrees(double value, const WrittenNumber& number);

enum class Relation { below, above, equal };
struct Claim {
  Quantity left;
  Relation relation = Relation::equal;
  std::optional<WrittenNumber> number;  // or:
  std::optional<Quantity> right;
};
base::Result<Claim> parse_claim(std::string_view text);
/// False where a quantity has no value.
bool holds(const Claim& claim, const QuantitySource& from);

}  // namespace headlight::scene
