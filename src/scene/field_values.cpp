#include "scene/field_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "base/trimmed.h"

namespace headlight::scene {

namespace {

/// Splits at every separator; "" gives one empty part.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(base::trimmed(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

/// Parses a whole number that fills the text; `too_large` is set when the digits are valid but no long long
/// holds it.
bool read_whole(std::string_view text, long long& value, bool& too_large) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  too_large = code == std::errc::result_out_of_range;
  return (code == std::errc() || too_large) && end == text.data() + text.size() && !text.empty();
}

base::Error out_of_range(const Field& field, std::string_view value) {
  return {std::string(value) + " is out of range; expected " + range_text(field)};
}

}  // namespace

std::string number_text(double value) {
  char text[32];
  const bool whole = std::abs(value) < 1e15 && value == std::trunc(value);
  const char* end = whole ? std::to_chars(text, text + sizeof text, static_cast<long long>(value)).ptr
                          : std::to_chars(text, text + sizeof text, value).ptr;
  return std::string(static_cast<const char*>(text), end);
}

std::string number_text(int value) {
  return std::to_string(value);
}

std::string range_text(const Field& field) {
  return number_text(field.min) + " to " + number_text(field.max);
}

std::string joined(const std::vector<std::string>& parts, const char* separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) out += (i > 0 ? separator : "") + parts[i];
  return out;
}

base::Result<int> parse_word(std::string_view text, std::span<const char* const> list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (text == list[i]) return static_cast<int>(i);
  }
  const bool page = list.data() == Words<Page>::list;
  if (page) {
    const auto* named = std::find(std::begin(Words<Page>::also), std::end(Words<Page>::also), text);
    if (named != std::end(Words<Page>::also)) return static_cast<int>(named - std::begin(Words<Page>::also));
  }
  if (list.data() == Words<ColorVision>::list && text == "full") return 0;  // as files before called “off”
  return base::Error{unknown_word(page ? "page" : "value", text, {list.begin(), list.end()})};
}

bool stands_for_none(const Field& field, int index) {
  const std::string_view name = field.name;
  return (name == "head" && index == 0) || ((name == "query" || name == "token_ids") && index == -1);
}

bool may_be_automatic(const Field& field) {
  return std::string_view(field.name) == "query";
}

base::Result<bool> parse_bool(std::string_view text) {
  const std::string_view value = base::trimmed(text);
  for (const char* yes : {"true", "on", "1", "yes"}) {
    if (value == yes) return true;
  }
  for (const char* no : {"false", "off", "0", "no"}) {
    if (value == no) return false;
  }
  return base::Error{in_quotes(text) + " is not a truth value; expected true or false"};
}

base::Result<int> in_range(const Field& field, long long value) {
  if (static_cast<double>(value) < field.min || static_cast<double>(value) > field.max) {
    return out_of_range(field, std::to_string(value));
  }
  return static_cast<int>(value);
}

base::Result<double> in_range(const Field& field, double value) {
  if (!(value >= field.min && value <= field.max)) return out_of_range(field, number_text(value));
  return value;
}

base::Result<IndexList> in_range(const Field& field, const std::vector<long long>& values) {
  if (values.size() > longest_list) {
    return base::Error{std::to_string(values.size()) + " numbers are too many; the limit is " +
                       std::to_string(longest_list)};
  }
  IndexList list;
  for (const long long value : values) {
    const base::Result<int> index = in_range(field, value);
    if (!index) return base::Error{index.error()};
    if (stands_for_none(field, *index)) {
      if (values.size() == 1) return IndexList{};
      return base::Error{number_text(*index) + " cannot be combined with other values"};
    }
    list.push_back(*index);
  }
  return list;
}

base::Result<int> parse_int(const Field& field, std::string_view text) {
  long long value = 0;
  bool too_large = false;
  if (!read_whole(base::trimmed(text), value, too_large)) {
    return base::Error{in_quotes(text) + " is not a whole number; expected " + range_text(field)};
  }
  if (too_large) return out_of_range(field, in_quotes(base::trimmed(text)));
  return in_range(field, value);
}

base::Result<double> parse_double(const Field& field, std::string_view text) {
  std::string_view digits = base::trimmed(text);
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || end != digits.data() + digits.size() || code == std::errc::invalid_argument) {
    return base::Error{in_quotes(text) + " is not a number; expected " + range_text(field)};
  }
  if (code == std::errc::result_out_of_range) return out_of_range(field, in_quotes(base::trimmed(text)));
  return in_range(field, value);
}

base::Result<MaskSet> parse_mask(std::string_view text) {
  MaskSet mask;
  if (base::trimmed(text) == "none") return mask;
  for (const std::string_view part : split(text, '+')) {
    if (part == "causal") {
      mask.causal = true;
    } else if (part == "window") {
      mask.window = true;
    } else if (part == "valid_length") {
      mask.valid_length = true;
    } else if (part == "none") {
      return base::Error{"none cannot be combined with other masks, in " + in_quotes(text)};
    } else {
      const std::vector<std::string> all(std::begin(mask_words), std::end(mask_words));
      return base::Error{unknown_word("mask", part, all) +
                         (nearest(part, all).empty() ? ", joined by +" : "")};
    }
  }
  return mask;
}

base::Result<IndexList> parse_list(const Field& field, std::string_view text) {
  std::vector<long long> values;
  if (base::trimmed(text).empty()) return IndexList{};
  if (may_be_automatic(field) && base::trimmed(text) == automatic_word) return automatic_choice();
  for (const std::string_view part : split(text, ',')) {
    bool too_large = false;
    long long value = 0;
    if (!read_whole(part, value, too_large)) {
      return base::Error{in_quotes(text) + " is not a list of whole numbers; expected for example 0,5,10"};
    }
    if (too_large) return out_of_range(field, in_quotes(part));
    values.push_back(value);
  }
  return in_range(field, values);
}

base::Result<std::string> parse_text(std::string_view text) {
  if (text.size() > longest_text) {
    return base::Error{std::to_string(text.size()) + " bytes of text are too many; the limit is " +
                       std::to_string(longest_text) + "; shorten the text"};
  }
  return std::string(text);
}

std::string mask_text(MaskSet mask) {
  std::vector<std::string> parts;
  if (mask.causal) parts.push_back("causal");
  if (mask.window) parts.push_back("window");
  if (mask.valid_length) parts.push_back("valid_length");
  return parts.empty() ? "none" : joined(parts, "+");
}

std::string list_text(const Field& field, const IndexList& list) {
  if (is_automatic(list)) return automatic_word;
  for (const int none : {0, -1}) {
    if (list.empty() && stands_for_none(field, none)) return number_text(none);
  }
  std::string out;
  for (const int index : list) out += (out.empty() ? "" : ",") + number_text(index);
  return out;
}

}  // namespace headlight::scene
