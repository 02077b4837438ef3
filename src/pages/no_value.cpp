// Why a quantity has no value: an argument that names nothing, or what its page knows.
#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "pages/missing.h"
#include "pages/no_numbers.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/whole_number.h"
#include "scene/nearest.h"
#include "scene/settings.h"

namespace headlight::scene {

namespace {

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

/// Has the quantity a value with another value of the argument, or without it?
bool has_value_otherwise(Quantity quantity, std::size_t argument, const QuantitySource& from) {
  for (const char* other : {"0", "1"}) {
    quantity.arguments[argument].second = other;
    if (!std::isnan(quantity_value(quantity, from))) return true;
  }
  quantity.arguments.erase(quantity.arguments.begin() + static_cast<std::ptrdiff_t>(argument));
  return !std::isnan(quantity_value(quantity, from));
}

/// What the page of the quantity knows about a value that it does not have.
std::string known_reason(const Quantity& quantity, const QuantitySource& from) {
  const PageRoom& room = room_of(page_of(*quantity.info));
  if (!room.why_none || (room.page != from.scene.page && !room.computed_for_all)) return {};
  return std::isnan(quantity_value(quantity, from)) ? room.why_none(quantity, from) : std::string();
}

/// Is the reason about what an argument names? "query 9: no token follows it"
bool names_argument(const Quantity& quantity, std::string_view why) {
  return std::any_of(quantity.arguments.begin(), quantity.arguments.end(),
                     [&](const auto& one) { return why.starts_with(one.first + ' ' + one.second + ':'); });
}

/// What there are of `noun`: "there are 4 heads, 1 to 4"; of the tokens of the sentence tokens_there().
std::string what_there_is(const QuantitySource& from, int first, int count, const std::string& noun,
                          const char* nouns = nullptr) {
  const TokensThere tokens = tokens_there(from.results);
  const bool of_tokens = noun == "token" || noun == "query" || noun == "key";
  if (of_tokens && first == 0 && count == tokens.used && room_of(from.scene.page).uses(from.scene).sentence)
    return tokens.words();
  return what_exists(first, count, noun.c_str(), nouns ? nouns : noun == "query" ? "queries" : nullptr);
}

/// "there are 4 heads, 1 to 4", found by asking; empty: what is asked for exists, but has no number. Nothing:
/// the numbers that the argument takes do not follow each other, or there are very many.
std::optional<std::string> what_it_takes(Quantity quantity, std::size_t argument,
                                         const QuantitySource& from) {
  constexpr int most = 1 << 20, most_requested = 64;
  const auto has = [&](int number) {
    quantity.arguments[argument].second = std::to_string(number);
    // A reason of its own means that there is such a number.
    return !std::isnan(quantity_value(quantity, from)) || !known_reason(quantity, from).empty();
  };
  const std::string name = quantity.arguments[argument].first, noun = noun_of(*quantity.info, name);
  const int requested = quantity.number(name.c_str(), 0);
  if (noun.ends_with('=') || noun.ends_with(" of")) return std::nullopt;
  const int start = has(0) ? 0 : 1;
  if (start == 1 && !has(1)) return std::nullopt;
  // How far the numbers go up from the start, or down.
  const auto reach = [&](int sign) {
    int last = 0, none = 1;
    while (none < most && has(start + sign * none)) last = none, none = 2 * none;
    while (none - last > 1) {
      const int middle = last + (none - last) / 2;
      (has(start + sign * middle) ? last : none) = middle;
    }
    return last;
  };
  const int last = start + reach(1), first = start - (start == 0 ? reach(-1) : 0);
  if (last >= most / 2 || first <= -most / 2) return std::nullopt;
  const int step = 1 + (last - first) / most_requested;
  if (requested >= first && requested <= last) return std::string();
  for (int number = first; number <= last; number += step) {
    if (!has(number)) return std::nullopt;
  }
  const ArgumentInfo* const info = argument_info(*quantity.info, name);
  return what_there_is(from, first, last - first + 1, noun, info ? info->nouns : nullptr);
}

using Names = std::initializer_list<std::string_view>;

/// "; there are 8, 16, 32": the few numbers that an argument takes and that do not follow each other, found
/// by asking. Empty: none is found, or there are many.
std::string which_it_takes(Quantity quantity, std::size_t argument, const QuantitySource& from) {
  constexpr int each = 256, most = 1 << 22, most_reported = 16;
  std::string numbers;
  int reported = 0;
  const auto ask = [&](int number) {
    quantity.arguments[argument].second = std::to_string(number);
    if (std::isnan(quantity_value(quantity, from))) return;
    numbers += (reported++ == 0 ? "" : ", ") + std::to_string(number);
  };
  for (int number = 0; number <= each && reported <= most_reported; ++number) ask(number);
  // Longer lists have powers of two, and round numbers.
  std::vector<int> further;
  for (int power = 2 * each; power <= most; power *= 2) further.push_back(power);
  for (int round = 500; round <= 1'000'000; round *= 2) further.push_back(round);
  for (int round = 1000; round <= 1'000'000; round *= 10) further.push_back(round);
  std::sort(further.begin(), further.end());
  further.erase(std::unique(further.begin(), further.end()), further.end());
  for (const int number : further) {
    if (reported <= most_reported) ask(number);
  }
  return reported > 0 && reported <= most_reported
             ? "; there " + std::string(reported == 1 ? "is " : "are ") + numbers
             : "";
}

/// May the argument be one that does not exist? `but`: these arguments are known to exist.
bool may_not_exist(const Quantity& quantity, std::size_t argument, Names but) {
  const auto& [name, words] = quantity.arguments[argument];
  return whole_number(words) && std::find(but.begin(), but.end(), name) == but.end();
}

/// The line about an argument without which the quantity has a value; empty: what it names exists, and the
/// quantity says why it has no number.
std::string line_about(const Quantity& quantity, std::size_t argument, const QuantitySource& from,
                       bool with_range) {
  const auto& [name, words] = quantity.arguments[argument];
  const std::string noun = noun_of(*quantity.info, name);
  const auto takes = with_range ? what_it_takes(quantity, argument, from) : std::nullopt;
  if (!takes)
    return "there is no " + noun + " " + words + (with_range ? which_it_takes(quantity, argument, from) : "");
  if (takes->empty()) return {};
  return (noun.find(' ') == std::string::npos ? noun : name) + " " + words + ": " + *takes;
}

/// The line about the first of several arguments that do not exist: each is put back alone into a quantity in
/// which all of them exist.
std::string of_several(const Quantity& quantity, const QuantitySource& from, bool with_range, Names but) {
  Quantity without = quantity;
  std::erase_if(without.arguments, [&](const auto& one) {
    const auto at = std::find(quantity.arguments.begin(), quantity.arguments.end(), one);
    return may_not_exist(quantity, static_cast<std::size_t>(at - quantity.arguments.begin()), but);
  });
  if (without.arguments.size() + 2 > quantity.arguments.size()) return {};
  std::vector<Quantity> others = {without};
  for (const char* number : {"0", "1"}) {
    others.push_back(quantity);
    for (std::size_t i = 0; i < quantity.arguments.size(); ++i) {
      if (may_not_exist(quantity, i, but)) others.back().arguments[i].second = number;
    }
  }
  for (const Quantity& other : others) {
    if (std::isnan(quantity_value(other, from))) continue;
    for (std::size_t i = 0; i < quantity.arguments.size(); ++i) {
      if (!may_not_exist(quantity, i, but)) continue;
      Quantity alone = other;
      const auto& given = quantity.arguments[i];
      auto at = std::find_if(alone.arguments.begin(), alone.arguments.end(),
                             [&](const auto& one) { return one.first == given.first; });
      if (at == alone.arguments.end())
        at = alone.arguments.insert(at, given);
      else
        *at = given;
      if (!std::isnan(quantity_value(alone, from))) continue;
      std::string line =
          line_about(alone, static_cast<std::size_t>(at - alone.arguments.begin()), from, with_range);
      if (!line.empty()) return line;
    }
  }
  return {};
}

/// An argument names something that does not exist if the quantity has a value for another one. `but`: these
/// arguments are known to exist. `with_range`: the line has the numbers that exist, which costs many values.
std::string without_value(const Quantity& quantity, const QuantitySource& from, bool with_range,
                          Names but = {}) {
  if (quantity.arguments.empty() || !std::isnan(quantity_value(quantity, from))) return {};
  bool one_alone = false;
  for (std::size_t i = 0; i < quantity.arguments.size(); ++i) {
    if (!may_not_exist(quantity, i, but) || !has_value_otherwise(quantity, i, from)) continue;
    one_alone = true;
    if (std::string line = line_about(quantity, i, from, with_range); !line.empty()) return line;
  }
  return one_alone ? std::string() : of_several(quantity, from, with_range, but);
}

std::string not_there(const Quantity& quantity, const QuantitySource& from, bool with_range) {
  if (!quantity.info) return {};
  const std::string known = known_reason(quantity, from);
  if (names_argument(quantity, known)) return known;
  // Arguments of other pages count other things: layers of a run, patterns, steps of a decoder.
  if (!room_of(page_of(*quantity.info)).computed_for_all)
    return known.empty() ? without_value(quantity, from, with_range) : std::string();
  const nn::AttentionTrace& trace = from.results.attention;
  for (const auto& [name, words] : quantity.arguments) {
    const bool of_head = name == "head", of_query = name == "query", of_key = name == "key";
    if (!of_head && !of_query && !of_key) continue;
    const int first = of_head ? 1 : 0, count = of_head ? trace.heads : of_query ? trace.T : trace.S;
    const int value = quantity.number(name.c_str(), first);
    if (count == 0 || (value >= first && value < first + count)) continue;
    return name + " " + words + ": " + what_there_is(from, first, count, name);
  }
  return known.empty() ? without_value(quantity, from, with_range, {"head", "query", "key"}) : std::string();
}

bool all_differ(const std::vector<nn::Token>& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (tokens[i].text == tokens[j].text) return false;
    }
  }
  return true;
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
  if (std::string why = known_reason(quantity, from); !why.empty()) return why;
  const PageRoom& room = room_of(page_of(*quantity.info));
  if (room.page != from.scene.page && !room.computed_for_all)
    return "it is a number of the page " + std::string(room.title);
  const PageUses uses = room.uses(from.scene);
  const std::size_t tokens = from.results.tokens.size();
  const bool of_sentence = uses.sentence && uses.model != PageUses::Model::none;
  const bool of_pair = std::any_of(room.of_pairs.begin(), room.of_pairs.end(),
                                   [&](std::string_view name) { return name == quantity.info->name; });
  const bool few = of_sentence && (tokens == 0 || (tokens == 1 && of_pair));
  if (uses.trains && !from.training) return "no run is trained";
  if (few) return "its sentence has " + std::string(tokens == 0 ? "no tokens" : "1 token");
  if (uses.sentence && tokens == 0) return "its sentence has no tokens";
  const std::string_view name = quantity.info->name;
  const bool of_copies =
      name.find("same_token") != std::string_view::npos || name.find("induction") != std::string_view::npos;
  if (of_copies && uses.sentence && all_differ(from.results.tokens))
    return "no token of the sentence is repeated";
  return why_none_here(room.page, from.scene);
}

}  // namespace headlight::scene
