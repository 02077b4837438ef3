#include "pages/quantities.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "scene/nearest.h"

namespace headlight::scene {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out;
  while (!(text = trimmed(text)).empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

bool whole_number(const std::string& text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  return text.size() > sign && text.size() < 10 &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(sign), text.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  for (const QuantityInfo& info : quantities()) names.emplace_back(info.name);
  return names;
}

/// "61343" as "61,343".
std::string group_thousands(std::string digits) {
  std::size_t end = std::min(digits.find('.'), digits.size());
  const std::size_t begin = digits.starts_with('-') ? 1 : 0;
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

std::span<const QuantityInfo> quantities() {
  static const std::vector<QuantityInfo> all = [] {
    std::vector<QuantityInfo> list;
    for (const auto part : {layer_figures(), page_figures(), memory_figures(), further_figures()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

base::Result<Quantity> parse_quantity(std::string_view text) {
  const std::vector<std::string> parts = split(text);
  if (parts.empty()) return base::Error{"expected a quantity, such as \"entropy head=2\", found nothing"};
  Quantity quantity;
  for (const QuantityInfo& info : quantities()) {
    if (parts[0] == info.name) quantity.info = &info;
  }
  if (!quantity.info)
    return base::Error{"unknown quantity " + in_quotes(parts[0]) + did_you_mean(parts[0], quantity_names())};
  const std::vector<std::string> known = split(quantity.info->arguments);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const std::string name = parts[i].substr(0, equals);
    if (equals == std::string::npos || equals + 1 == parts[i].size())
      return base::Error{parts[0] + ": expected name=value, found " + in_quotes(parts[i])};
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return base::Error{
          parts[0] + ": unknown argument " + in_quotes(name) +
          (known.empty() ? "; it takes none" : "; it takes " + std::string(quantity.info->arguments))};
    }
    std::string value = parts[i].substr(equals + 1);
    static const std::vector<std::string> words_only = {"side", "of", "name", "residuals"};
    if (std::find(words_only.begin(), words_only.end(), name) == words_only.end() && !whole_number(value))
      return base::Error{parts[0] + ": " + name + ": expected a whole number, found " + in_quotes(value)};
    quantity.arguments.emplace_back(name, std::move(value));
  }
  return quantity;
}

double quantity_value(const Quantity& quantity, const QuantitySource& from) {
  return quantity.info ? quantity.info->value(quantity, from) : std::numeric_limits<double>::quiet_NaN();
}

base::Result<WrittenNumber> parse_number(std::string_view text) {
  text = trimmed(text);
  WrittenNumber number;
  number.text = std::string(text);
  std::string digits;
  bool point = false, any = false, wrong = text.empty();
  if (text.starts_with("−")) {
    digits = "-", text.remove_prefix(std::string_view("−").size());
  } else if (text.starts_with('-')) {
    digits = "-", text.remove_prefix(1);
  }
  if (text.ends_with('%')) {
    number.percent = true;
    text = trimmed(text.substr(0, text.size() - 1));
    if (text.ends_with("\u00a0")) text.remove_suffix(2);
  }
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      digits += c, any = true, number.decimals += point ? 1 : 0;
    } else if (c == '.' && !point) {
      digits += c, point = true;
    } else if (c == ',' && any && !point) {
      number.grouped = true;
    } else {
      wrong = true;
    }
  }
  if (wrong || !any || digits.size() > 20)
    return base::Error{"expected a number, such as 0.401, 61,343 or 40 %, found " + in_quotes(number.text)};
  number.value = std::strtod(digits.c_str(), nullptr) / (number.percent ? 100 : 1);
  return number;
}

std::string written_like(double value, const WrittenNumber& number) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  char out[400];
  std::snprintf(out, sizeof out, "%.*f", number.decimals, value * (number.percent ? 100 : 1));
  std::string text = out;
  if (text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-')) text.erase(0, 1);
  if (number.grouped) text = group_thousands(text);
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text + (number.percent ? "\u00a0%" : "");
}

bool agrees(double value, const WrittenNumber& number) {
  const double unit = std::pow(10.0, -number.decimals) / (number.percent ? 100 : 1);
  // Float32 results lie a little beside the value that was rounded by hand.
  return std::abs(value - number.value) <= 0.5 * unit + 1e-6 * std::max(1.0, std::abs(value));
}

base::Result<Claim> parse_claim(std::string_view text) {
  // An argument's "=" has no blanks around it, a relation's has.
  std::size_t at = std::string_view::npos;
  Relation relation = Relation::equal;
  for (const auto& [sign, meaning] : {std::pair<std::string_view, Relation>{" < ", Relation::below},
                                      {" > ", Relation::above},
                                      {" = ", Relation::equal}}) {
    if (const std::size_t found = text.find(sign); found < at) at = found, relation = meaning;
  }
  if (at == std::string_view::npos) {
    return base::Error{"expected a claim, such as \"entropy head=2 < 0.5\", found " + in_quotes(text)};
  }
  Claim claim;
  claim.relation = relation;
  base::Result<Quantity> left = parse_quantity(text.substr(0, at));
  if (!left) return base::Error{left.error()};
  claim.left = std::move(*left);
  const std::string_view rest = trimmed(text.substr(at + 3));
  if (auto number = parse_number(rest)) {
    claim.number = std::move(*number);
  } else {
    base::Result<Quantity> right = parse_quantity(rest);
    if (!right) return base::Error{right.error()};
    claim.right = std::move(*right);
  }
  return claim;
}

bool holds(const Claim& claim, const QuantitySource& from) {
  const double left = quantity_value(claim.left, from);
  const double right = claim.number ? claim.number->value : quantity_value(*claim.right, from);
  if (std::isnan(left) || std::isnan(right)) return false;
  switch (claim.relation) {
    case Relation::below:
      return left < right;
    case Relation::above:
      return left > right;
    case Relation::equal:
      return claim.number ? agrees(left, *claim.number)
                          : std::abs(left - right) <= 1e-6 * std::max(1.0, std::abs(right));
  }
  return false;
}

int key_of(F f, S s) {
  const int given = f.number("key", pinned(s.scene, trace(s).T, trace(s).S).key);
  if (given >= 0) return given;
  const int head = head_of(f, s), query = query_of(f, s);
  if (!has_row(s, head, query)) return -1;
  // Of the selection the key that is open; of another head its own strongest one.
  if (f.word("head", "").empty()) return opened_key(s.scene, s.results, query);
  const auto row = trace(s).weights.row(head, query);
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

}  // namespace headlight::scene
