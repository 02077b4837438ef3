// Conversions for one value of each type that a field may have: to text, from text, and into its range.
// settings.cpp and settings_json.cpp share them. An error is the part behind the field's name: `0 is out of
// range; expected 0.01 to 100`.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scene/nearest.h"
#include "scene/setting.h"

namespace headlight::scene {

/// The shortest text that parses to the same number; whole numbers have no exponent.
std::string number_text(double value);
std::string number_text(int value);

std::string range_text(const Field& field);  // "0.01 to 100"

inline constexpr std::size_t longest_list = 4096;
/// Most bytes of a text: more than a hundred for each token that is ever shown.
inline constexpr std::size_t longest_text = std::size_t(5) << 18;
inline constexpr const char* mask_words[] = {"none", "causal", "window", "valid_length"};

/// True for head=0 (all heads) and query=-1 (no query): both mean the empty list.
bool stands_for_none(const Field& field, int index);
/// The text of automatic_choice().
inline constexpr const char* automatic_word = "auto";
/// Can the list be automatic_choice()?
bool may_be_automatic(const Field& field);

base::Result<bool> parse_bool(std::string_view text);
base::Result<int> parse_int(const Field& field, std::string_view text);
base::Result<double> parse_double(const Field& field, std::string_view text);
base::Result<MaskSet> parse_mask(std::string_view text);
base::Result<IndexList> parse_list(const Field& field, std::string_view text);
/// Accepts any bytes, up to longest_text of them.
base::Result<std::string> parse_text(std::string_view text);

base::Result<int> in_range(const Field& field, long long value);
base::Result<double> in_range(const Field& field, double value);
/// Each number must be in range; the word for "none" cannot be combined with other numbers.
base::Result<IndexList> in_range(const Field& field, const std::vector<long long>& values);

std::string mask_text(MaskSet mask);
std::string list_text(const Field& field, const IndexList& list);

/// "a, b, c"
std::string joined(const std::vector<std::string>& parts, const char* separator = ", ");

/// The index of a word. The error for a page says that there is no such page.
base::Result<int> parse_word(std::string_view text, std::span<const char* const> list);

inline base::Result<bool> parse_value(const Field&, std::string_view text, const bool*) {
  return parse_bool(text);
}
inline base::Result<int> parse_value(const Field& f, std::string_view text, const int*) {
  return parse_int(f, text);
}
inline base::Result<double> parse_value(const Field& f, std::string_view text, const double*) {
  return parse_double(f, text);
}
inline base::Result<MaskSet> parse_value(const Field&, std::string_view text, const MaskSet*) {
  return parse_mask(text);
}
inline base::Result<IndexList> parse_value(const Field& f, std::string_view text, const IndexList*) {
  return parse_list(f, text);
}
inline base::Result<std::string> parse_value(const Field&, std::string_view text, const std::string*) {
  return parse_text(text);
}

inline std::string value_text(const Field&, const Word& value) {
  return value.text();
}
inline std::string value_text(const Field&, bool value) {
  return value ? "true" : "false";
}
inline std::string value_text(const Field&, int value) {
  return number_text(value);
}
inline std::string value_text(const Field&, double value) {
  return number_text(value);
}
inline std::string value_text(const Field&, MaskSet value) {
  return mask_text(value);
}
inline std::string value_text(const Field& f, const IndexList& value) {
  return list_text(f, value);
}
inline std::string value_text(const Field&, const std::string& value) {
  return value;
}

}  // namespace headlight::scene
