// The parts of a quantity: its arguments, its key, and numbers as a person writes them.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/trimmed.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/quantity_values.h"
#include "scene/field_values.h"
#include "scene/nearest.h"
#include "scene/shown.h"

namespace headlight::scene {

namespace {

/// "−61343.5" as "−61,343.5".
std::string group_thousands(std::string digits) {
  std::size_t end = std::min(digits.find('.'), digits.size());
  const std::string_view minus = "−";
  const std::size_t begin = digits.starts_with(minus) ? minus.size() : 0;
  while (end > begin + 3) digits.insert(end -= 3, ",");
  return digits;
}

}  // namespace

int Quantity::number(std::string_view name, int fallback) const {
  const std::string_view found = word(name, "");
  return found.empty() ? fallback : std::atoi(std::string(found).c_str());
}

std::string_view Quantity::word(std::string_view name, std::string_view fallback) const {
  for (const auto& [key, value] : arguments) {
    if (key == name) return value;
  }
  return fallback;
}

std::string Quantity::text() const {
  std::string out = info->name;
  for (const auto& [name, value] : arguments) out += " " + name + "=" + value;
  return out;
}

double WrittenNumber::unit() const {
  return std::pow(10.0, power - decimals) / (percent ? 100 : 1);
}

base::Result<WrittenNumber> parse_number(std::string_view text) {
  text = base::trimmed(text);
  WrittenNumber number;
  number.text = std::string(text);
  const base::Error wrong{"expected a number, such as 0.401, 61,343, 40 % or 2.4e−07, found " +
                          in_quotes(number.text)};
  std::string digits;
  const auto minus = [&text] {
    for (const std::string_view sign : {"−", "-"}) {
      if (!text.starts_with(sign)) continue;
      text.remove_prefix(sign.size());
      return true;
    }
    return false;
  };
  const auto plus = [&text] {
    const bool found = text.starts_with('+');
    if (found) text.remove_prefix(1);
    return found;
  };
  if (minus()) {
    digits = "-";
  } else {
    number.with_plus = plus();
  }
  if (text.ends_with('%')) {
    number.percent = true;
    text = base::trimmed(text.substr(0, text.size() - 1));
    if (text.ends_with("\u00a0")) text.remove_suffix(2);
  }
  bool point = false, any = false;
  while (!text.empty() && text.front() != 'e') {
    const char c = text.front();
    text.remove_prefix(1);
    if (c >= '0' && c <= '9') {
      digits += c, any = true, number.decimals += point ? 1 : 0;
    } else if (c == '.' && !point) {
      digits += c, point = true;
    } else if (c == ',' && any && !point) {
      number.grouped = true;
    } else {
      return wrong;
    }
  }
  if (!any || digits.size() > 20) return wrong;
  if (!text.empty()) {
    text.remove_prefix(1);
    number.with_power = true;
    const bool negative = minus();
    if (!negative) (void)plus();
    if (text.empty() || text.size() > 3 || text.find_first_not_of("0123456789") != std::string_view::npos)
      return wrong;
    number.power = std::atoi(std::string(text).c_str()) * (negative ? -1 : 1);
    digits += "e" + std::to_string(number.power);
  }
  number.value = std::strtod(digits.c_str(), nullptr) / (number.percent ? 100 : 1);
  // What is beyond a double would agree with anything.
  if (!std::isfinite(number.value) || !std::isnormal(number.unit())) return wrong;
  return number;
}

std::string written_like(double value, const WrittenNumber& number) {
  if (std::isnan(value)) return base::written(value, whole_form);
  if (std::isinf(value)) return base::fixed(value, 0);
  if (number.percent) value *= 100;
  std::string text = number.with_power  ? (value == 0 ? "0" : base::brief(value, number.decimals + 1))
                     : number.with_plus ? base::signed_text(value, number.decimals)
                                        : base::fixed(value, number.decimals);
  if (number.grouped) text = group_thousands(text);
  return text + (number.percent ? "\u00a0%" : "");  // unlike base::percent, no line breaks before the sign
}

bool agrees(double value, const WrittenNumber& number) {
  // Float32 results differ slightly from a value that was rounded by hand.
  return std::abs(value - number.value) <= 0.5 * number.unit() + 1e-6 * std::abs(value);
}

int key_of(const Quantity& f, const QuantitySource& s) {
  const nn::AttentionTrace& trace = s.results.attention;
  if (!f.word("key", "").empty()) return std::max(-1, f.number("key", -1));
  if (const int chosen = pinned(s.scene, trace.T, trace.S).key; chosen >= 0) return chosen;
  const int head = head_of(f, s), query = query_of(f, s);
  if (head < 0 || head >= trace.heads || query < 0 || query >= trace.T) return -1;
  // For the selected head the open key; for another head the key with its largest weight.
  if (f.word("head", "").empty()) return opened_key(s.scene, s.results, query);
  const auto row = trace.weights.row(head, query);
  return static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
}

double entropy_bits(const float* row, int count) {
  double bits = 0;
  for (int k = 0; k < count; ++k) {
    const double w = static_cast<double>(row[k]);
    if (w > 0) bits -= w * std::log2(w);
  }
  return bits;
}

std::optional<FramedCell> framed_pair(const Scene& scene, const Results& results) {
  const auto cell = explain_pinned(scene, results);
  if (!cell) return std::nullopt;
  return FramedCell{cell->heads.size() <= 1 ? cell->head : -1, cell->query, cell->key};
}

}  // namespace headlight::scene
