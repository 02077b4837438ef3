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
#include "scene/nearest.h"
#include "scene/settings.h"

namespace headlight::scene {

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

/// What the number of an argument counts: "head" for `a` of similarity.
std::string noun_of(const QuantityInfo& quantity, std::string_view argument) {
  const ArgumentInfo* info = argument_info(quantity, argument);
  if (info && !info->noun.empty()) return std::string(info->noun);
  static constexpr std::pair<std::string_view, const char*> nouns[] = {
      {"col", "column"}, {"other", "query"}, {"d", "width d ="}, {"T", "length T ="}};
  for (const auto& [name, noun] : nouns) {
    if (argument == name) return noun;
  }
  return std::string(argument);
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

/// Has the quantity a value with another value of the argument, or without it?
bool has_value_otherwise(Quantity quantity, std::size_t argument, const QuantitySource& from) {
  for (const char* other : {"0", "1"}) {
    quantity.arguments[argument].second = other;
    if (!std::isnan(quantity_value(quantity, from))) return true;
  }
  quantity.arguments.erase(quantity.arguments.begin() + static_cast<std::ptrdiff_t>(argument));
  return !std::isnan(quantity_value(quantity, from));
}

/// "there are 4 heads, 1 to 4", found by asking; empty: what is asked for exists, but has no number. Nothing:
/// the numbers that the argument takes do not follow each other, or there are very many.
std::optional<std::string> what_it_takes(Quantity quantity, std::size_t argument,
                                         const QuantitySource& from) {
  constexpr int most = 1 << 20, most_asked = 64;
  const auto has = [&](int number) {
    quantity.arguments[argument].second = std::to_string(number);
    return !std::isnan(quantity_value(quantity, from));
  };
  const std::string name = quantity.arguments[argument].first, noun = noun_of(*quantity.info, name);
  const int asked = quantity.number(name.c_str(), 0);
  if (noun.ends_with('=') || noun.ends_with(" of")) return std::nullopt;
  const int first = has(0) ? 0 : 1;
  if (first == 1 && !has(1)) return std::nullopt;
  int last = first, none = first + 1;
  while (none < most && has(none)) last = none, none = 2 * none;
  while (none - last > 1) {
    const int middle = last + (none - last) / 2;
    (has(middle) ? last : none) = middle;
  }
  if (last >= most / 2) return std::nullopt;
  const int step = 1 + (last - first) / most_asked;
  if (asked >= first && asked <= last) return std::string();
  for (int number = first; number <= last; number += step) {
    if (!has(number)) return std::nullopt;
  }
  const ArgumentInfo* const info = argument_info(*quantity.info, name);
  const char* const nouns = info && info->nouns ? info->nouns : noun == "query" ? "queries" : nullptr;
  return what_exists(first, last - first + 1, noun.c_str(), nouns);
}

/// An argument names something that does not exist if the quantity has a value for another one. `but`: these
/// arguments are known to exist. `with_range`: the line has the numbers that exist, which costs many values.
std::string without_value(const Quantity& quantity, const QuantitySource& from, bool with_range,
                          std::initializer_list<std::string_view> but = {}) {
  if (quantity.arguments.empty() || !std::isnan(quantity_value(quantity, from))) return {};
  for (std::size_t i = 0; i < quantity.arguments.size(); ++i) {
    const auto& [name, words] = quantity.arguments[i];
    if (std::find(but.begin(), but.end(), name) != but.end()) continue;
    if (!whole_number(words) || !has_value_otherwise(quantity, i, from)) continue;
    const std::string noun = noun_of(*quantity.info, name);
    const auto takes = with_range ? what_it_takes(quantity, i, from) : std::nullopt;
    if (!takes) return "there is no " + noun + " " + words;
    if (takes->empty()) continue;  // it exists; the quantity says why it has no number
    return (noun.find(' ') == std::string::npos ? noun : name) + " " + words + ": " + *takes;
  }
  return {};
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
  return quantity;
}

namespace {

std::string not_there(const Quantity& quantity, const QuantitySource& from, bool with_range) {
  if (!quantity.info) return {};
  // Arguments of other pages count other things: layers of a run, patterns, steps of a decoder.
  if (!room_of(page_of(*quantity.info)).computed_for_all) return without_value(quantity, from, with_range);
  const nn::AttentionTrace& trace = from.results.attention;
  const int tokens = static_cast<int>(from.results.tokens.size());
  for (const auto& [name, words] : quantity.arguments) {
    const bool of_head = name == "head", of_query = name == "query", of_key = name == "key";
    if (!of_head && !of_query && !of_key) continue;
    const int first = of_head ? 1 : 0, count = of_head ? trace.heads : of_query ? trace.T : trace.S;
    const int value = quantity.number(name.c_str(), first);
    if (count == 0 || (value >= first && value < first + count)) continue;
    const std::string there = of_head           ? what_exists(first, count, "head")
                              : count == tokens ? "the sentence has " + base::counted(count, "token") +
                                                      (count > 1 ? ", 0 to " + std::to_string(count - 1) : "")
                              : of_query ? what_exists(0, count, "query", "queries")
                                         : what_exists(0, count, "key");
    return name + " " + words + ": " + there;
  }
  return without_value(quantity, from, with_range, {"head", "query", "key"});
}

}  // namespace

std::string not_there(const Quantity& quantity, const QuantitySource& from) {
  return not_there(quantity, from, true);
}

bool names_nothing(const Quantity& quantity, const QuantitySource& from) {
  return !not_there(quantity, from, false).empty();
}

std::string why_no_value(const Quantity& quantity, const QuantitySource& from) {
  if (!quantity.info) return {};
  if (std::string why = not_there(quantity, from); !why.empty()) return why;
  const PageRoom& room = room_of(page_of(*quantity.info));
  if (room.page != from.scene.page && !room.computed_for_all)
    return "it is a number of the page " + std::string(room.title);
  const PageUses uses = room.uses(from.scene);
  const std::size_t tokens = from.results.tokens.size();
  const bool few = uses.sentence && uses.model != PageUses::Model::none && tokens < 2;
  if (uses.trains && !from.training) return "no run is trained";
  return (few ? "its sentence has " + std::string(tokens == 0 ? "no tokens; " : "1 token; ")
              : std::string()) +
         "the quantity is “" + quantity.info->help + "”";
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
