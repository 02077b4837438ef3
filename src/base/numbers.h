// Numbers as text: every form that a number takes, on screen, in descriptions and in lessons. Tested in
// tests/base/numbers_test.cpp, tests/scene/quantity_text_test.cpp and tests/views/attention_text_test.cpp.
#pragma once

#include <string>

namespace headlight::base {

/// `value` with so many decimals and a true minus sign; "NaN", "∞", "−∞"; never "−0.00".
std::string fixed(double value, int decimals);
/// About so many significant digits, exponent when small or large: "1.2e−08".
std::string brief(double value, int digits);
/// A weight: fixed(), but one that is not zero is never written as zero: "0.00021", "2.1e−05".
std::string weight_text(double weight, int decimals = 3);
/// A mean of weights, one below the other in tables: three decimals, "<0.001" for what they cannot show.
std::string mean_weight_text(double weight);
/// weight_text() where there is room for so many decimals only: "<0.001" for what they cannot show.
std::string weight_in_cell(double weight, int decimals);
/// Positive above zero with a plus: "+0.123", "−0.123", "0.000".
std::string signed_text(double value, int decimals);
/// "1,024".
std::string with_commas(long long value);
/// A number that is a rounding error or a small difference: "0", "1.2e−07".
std::string residual_text(double value);
/// "512 B", "1.5 KiB", "64 GiB", "16 TiB": at most three digits before the unit changes.
std::string byte_words(double bytes);
/// "0.13", "5.9", "128": milliseconds in three digits at most.
std::string ms_words(double ms);
/// "1.8e−4": powers of ten without a leading zero, of a value ≠ 0, with so many digits at most.
std::string power_text(double value, int digits);
/// "340 MB", "1.2 GB", as files and downloads are counted; megabytes with so many decimals.
std::string megabyte_words(double bytes, int decimals = 0);
/// What a program reads: with the hyphen for a minus sign, "NaN" and "∞" as they are.
std::string with_hyphen(std::string number);
/// The next of 1, 2, 2.5, 3, 4, 5, 6, 8 · 10^n that is no smaller; 1 for what is not positive.
double nice_ceiling(double value);

/// A whole number as such, others in three decimals or fewer digits: "3", "10,000", "0.125", "1234.5",
/// "1.2e+07".
std::string compact(double value);
/// A length or a duration: "6.3", "99.9", then whole numbers, "62,832".
std::string length_words(double value);
/// A loss: "0.1234", "12.345", "123.4".
std::string loss_words(double loss);

/// How a number is written: each style is one of the functions above.
enum class NumberStyle : unsigned char {
  decimals,     // fixed()
  weight,       // weight_text()
  significant,  // brief()
  rounding,     // residual_text()
  with_sign,    // signed_text()
  percent,      // of 100 times the value, fixed(), and " %"; like a weight never zero unless it is zero
  count,        // a whole number, with_commas()
  compact,      // compact()
  length,       // length_words()
  loss,         // loss_words()
};
struct NumberForm {
  NumberStyle style = NumberStyle::significant;
  int digits = 3;  // decimals, or significant digits; `rounding` and those from `count` on have none
};
constexpr NumberForm decimals(int digits) {
  return {NumberStyle::decimals, digits};
}
constexpr NumberForm significant(int digits) {
  return {NumberStyle::significant, digits};
}
constexpr NumberForm percent(int digits) {
  return {NumberStyle::percent, digits};
}
constexpr NumberForm with_sign(int digits) {
  return {NumberStyle::with_sign, digits};
}
constexpr NumberForm weight_form(int digits = 3) {
  return {NumberStyle::weight, digits};
}
inline constexpr NumberForm rounding_form{NumberStyle::rounding, 2}, whole_form{NumberStyle::count, 0};
inline constexpr NumberForm compact_form{NumberStyle::compact, 0}, length_form{NumberStyle::length, 0},
    loss_form{NumberStyle::loss, 0};

/// "–" for NaN: there is no such number.
std::string written(double value, NumberForm form);

}  // namespace headlight::base
