// Numbers as the pages write them: one place for every form that a number takes on screen. Tested in
// tests/views/attention_text_test.cpp.
#pragma once

#include <string>

namespace headlight::views {

/// `value` with so many decimals and a true minus sign; "NaN", "∞", "−∞"; never "−0.00".
std::string fixed(double value, int decimals);
/// About so many significant digits, exponent when small or large: "1.2e−08".
std::string brief(double value, int digits = 2);
/// A weight: fixed(), but one that is not zero is never written as zero: "0.00021", "2.1e−05".
std::string weight_text(double weight, int decimals = 3);
/// The same where there is room for so many decimals only: "<.001" for what they cannot show.
std::string weight_in_cell(double weight, int decimals);
/// Positive above zero with a plus: "+0.123", "−0.123", "0.000".
std::string signed_text(double value, int decimals);
/// "1,024".
std::string with_commas(long long value);
/// A number that is a rounding error or a small difference: "0", "1.2e−07".
std::string residual_text(double value);
/// "2e−07", one digit.
std::string residual_words(double residual);
/// "512 B", "1.5 KiB", "64 GiB", "16 TiB": at most three digits before the unit changes.
std::string byte_words(double bytes);
/// "0.13", "5.9", "128": milliseconds in three digits at most.
std::string ms_words(double ms);
/// The next of 1, 2, 2.5, 3, 4, 5, 6, 8 · 10^n that is no smaller; 1 for what is not positive.
double nice_ceiling(double value);

}  // namespace headlight::views
