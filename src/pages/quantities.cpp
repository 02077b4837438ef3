#include "pages/quantities.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <unordered_map>

#include "base/check.h"
#include "base/trimmed.h"
#include "base/words.h"
#include "pages/earlier_names.h"
#include "pages/page.h"
#include "pages/whole_number.h"
#include "scene/nearest.h"
#include "scene/settings.h"

namespace headlight::scene {

bool whole_number(const std::string& text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  return text.size() > sign && text.size() < 10 &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(sign), text.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out;
  while (!(text = base::trimmed(text)).empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  for (const QuantityInfo& info : quantities()) names.emplace_back(info.name);
  return names;
}

/// Why the argument does not take this value; empty: it takes it.
std::string not_taken(const QuantityInfo& quantity, std::string_view argument, const std::string& value) {
  const ArgumentInfo* info = argument_info(quantity, argument);
  if (info && info->any_word) return info->refuses ? info->refuses(value) : std::string();
  if (!info || info->words.empty())
    return whole_number(value) ? std::string() : "expected a whole number, found " + in_quotes(value);
  const std::vector<std::string> words(info->words.begin(), info->words.end());
  if (std::find(words.begin(), words.end(), value) != words.end()) return {};
  std::string known;
  for (std::size_t i = 0; i < words.size(); ++i)
    known += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  return "expected " + known + ", found " + in_quotes(value) + did_you_mean(value, words);
}

/// A quantity and the room of its page.
struct Place {
  const QuantityInfo* info = nullptr;
  const PageRoom* room = nullptr;
};

/// Empty for an unknown name.
Place place_of(std::string_view name) {
  static const std::unordered_map<std::string_view, Place> all = [] {
    std::unordered_map<std::string_view, Place> made;
    for (const PageRoom* room : rooms()) {
      if (!room->quantities) continue;
      for (const QuantityInfo& info : room->quantities()) made[info.name] = {&info, room};
    }
    return made;
  }();
  const auto found = all.find(name);
  return found != all.end() ? found->second : Place();
}

}  // namespace

std::span<const QuantityInfo> quantities() {
  static const std::vector<QuantityInfo> all = [] {
    std::vector<QuantityInfo> list;
    for (const PageRoom* room : rooms()) {
      if (!room->quantities) continue;
      const auto of_page = room->quantities();
      list.insert(list.end(), of_page.begin(), of_page.end());
    }
    return list;
  }();
  return all;
}

Page page_of(const QuantityInfo& info) {
  return place_of(info.name).room->page;
}

const ArgumentInfo* argument_info(const QuantityInfo& quantity, std::string_view argument) {
  for (const ArgumentInfo& one : room_of(page_of(quantity)).arguments) {
    if (one.name == argument && (one.quantity.empty() || one.quantity == quantity.name)) return &one;
  }
  return nullptr;
}

base::Result<Quantity> parse_quantity(std::string_view text) {
  const std::vector<std::string> parts = split(text);
  if (parts.empty()) return base::Error{"expected a quantity, such as \"entropy head=2\", found nothing"};
  Quantity quantity;
  quantity.info = place_of(parts[0]).info;
  if (!quantity.info)
    return base::Error{"unknown quantity " + in_quotes(parts[0]) + did_you_mean(parts[0], quantity_names())};
  const std::vector<std::string> known = split(quantity.info->arguments);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    std::string name = parts[i].substr(0, equals);
    const auto is_known = [&] { return std::find(known.begin(), known.end(), name) != known.end(); };
    if (equals == std::string::npos || equals + 1 == parts[i].size())
      return base::Error{parts[0] + ": expected name=value, found " + in_quotes(parts[i])};
    if (!is_known()) name = argument_name_now(name);
    if (!is_known()) {
      return base::Error{parts[0] + ": unknown argument " + in_quotes(parts[i].substr(0, equals)) +
                         (known.empty() ? "; this quantity takes none"
                                        : "; this quantity takes " + std::string(quantity.info->arguments))};
    }
    std::string value = parts[i].substr(equals + 1);
    if (const std::string why = not_taken(*quantity.info, name, value); !why.empty())
      return base::Error{parts[0] + ": " + name + ": " + why};
    if (!quantity.word(name, "").empty()) return base::Error{parts[0] + ": " + name + " is given twice"};
    quantity.arguments.emplace_back(name, std::move(value));
  }
  for (const std::string& name : known) {
    const ArgumentInfo* const info = argument_info(*quantity.info, name);
    if (info && info->any_word && quantity.word(name, "").empty())
      return base::Error{parts[0] + ": " + name + " is missing"};
  }
  return quantity;
}

double quantity_value(const Quantity& quantity, const QuantitySource& from) {
  return quantity.info ? quantity.info->value(quantity, from) : std::numeric_limits<double>::quiet_NaN();
}

namespace {

struct Hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

}  // namespace

NamedNumber read_quantity(std::string_view text, const QuantitySource& from) {
  // A page asks for the same few quantities in every frame, and figures are drawn by their own threads.
  thread_local std::unordered_map<std::string, Quantity, Hash, std::equal_to<>> parsed;
  constexpr std::size_t most = 4096;
  auto found = parsed.find(text);
  if (found == parsed.end()) {
    const base::Result<Quantity> quantity = parse_quantity(text);
    if (!quantity) base::check_failed(__FILE__, __LINE__, "a quantity of a page", quantity.error());
    if (parsed.size() == most) parsed.clear();
    found = parsed.emplace(text, *quantity).first;
  }
  const QuantityInfo& info = *found->second.info;
  return {info.value(found->second, from), info.form, info.label, info.unit, info.help};
}

base::Result<Claim> parse_claim(std::string_view text) {
  // There are blanks around the sign of a relation, but not around the "=" of an argument.
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
  const std::string_view rest = base::trimmed(text.substr(at + 3));
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
                          : std::abs(left - right) <= 1e-6 * std::max(std::abs(left), std::abs(right));
  }
  return false;
}

}  // namespace headlight::scene
