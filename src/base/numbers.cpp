#include "base/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace headlight::base {

namespace {

std::string true_minus(const char* digits) {
  std::string out;
  for (const char* c = digits; *c; ++c) {
    if (*c == '-') {
      out += "−";
    } else {
      out += *c;
    }
  }
  return out;
}

/// As printf writes it, in a third of the time; the end of what was written, with room for one more.
template <std::size_t size>
char* digits_of(char (&out)[size], double value, std::chars_format format, int precision) {
  return std::to_chars(out, out + size - 1, value, format, precision).ptr;
}

}  // namespace

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  char out[400];  // the largest double has 309 digits before the point
  *digits_of(out, value, std::chars_format::fixed, decimals) = '\0';
  bool zero = true;
  for (const char* c = out; *c; ++c) zero = zero && (*c == '-' || *c == '0' || *c == '.');
  return true_minus(zero && out[0] == '-' ? out + 1 : out);
}

std::string brief(double value, int digits) {
  if (!std::isfinite(value)) return fixed(value, 0);
  char out[64];
  *digits_of(out, value, std::chars_format::general, digits) = '\0';
  return true_minus(out);
}

namespace {

bool written_as_zero(double value, int decimals) {
  return value != 0 && std::abs(value) < 0.5 * std::pow(10.0, -decimals);
}

}  // namespace

std::string weight_text(double weight, int decimals) {
  return written_as_zero(weight, decimals) ? brief(weight, 2) : fixed(weight, decimals);
}

std::string weight_in_cell(double weight, int decimals) {
  if (!written_as_zero(weight, decimals)) return fixed(weight, decimals);
  return (weight > 0 ? "<" : ">−") + fixed(std::pow(10.0, -decimals), decimals);
}

std::string mean_weight_text(double weight) {
  return weight_in_cell(weight, 3);
}

std::string signed_text(double value, int decimals) {
  const std::string out = fixed(value, decimals);
  const bool zero = out.find_first_of("123456789") == std::string::npos;
  return value > 0 && !zero ? "+" + out : out;
}

std::string with_commas(long long value) {
  std::string digits = std::to_string(std::abs(value)), out;
  for (std::size_t n = 0; n < digits.size(); ++n) {
    if (n > 0 && (digits.size() - n) % 3 == 0) out += ',';
    out += digits[n];
  }
  return value < 0 ? "−" + out : out;
}

std::string residual_text(double value) {
  return value == 0 ? "0" : brief(value, 2);
}

std::string byte_words(double bytes) {
  static constexpr std::array<const char*, 7> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) bytes /= 1024, ++unit;
  const bool whole = bytes == std::floor(bytes);
  return fixed(bytes, whole || bytes >= 100 ? 0 : bytes >= 10 ? 1 : 2) + " " + units[unit];
}

std::string power_text(double value, int digits) {
  char out[64];
  *digits_of(out, value, std::chars_format::scientific, std::max(0, digits - 1)) = '\0';
  std::string words = out;
  if (const std::size_t zero = words.find("e-0"); zero != std::string::npos) words.erase(zero + 2, 1);
  if (const std::size_t even = words.find(".0e"); even != std::string::npos) words.erase(even, 2);
  return true_minus(words.c_str());
}

std::string megabyte_words(double bytes, int decimals) {
  return bytes < 1e9 ? fixed(bytes / 1e6, decimals) + " MB" : fixed(bytes / 1e9, 1) + " GB";
}

std::string with_hyphen(std::string number) {
  static const std::string minus = "−";
  for (std::size_t at = 0; (at = number.find(minus, at)) != std::string::npos;)
    number.replace(at, minus.size(), "-");
  return number;
}

std::string ms_words(double ms) {
  return fixed(ms, ms < 0.1 ? 3 : ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

double nice_ceiling(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  // A colour scale is a float: the largest one has no rounder number above it.
  constexpr double most = std::numeric_limits<float>::max();
  if (value <= most && value > most / 10) return most;
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  for (double step : {1.0, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (value <= step * decade * (1 + 1e-9)) return step * decade;
  }
  return 10 * decade;
}

std::string compact(double value) {
  if (!std::isfinite(value)) return fixed(value, 0);
  const double size = std::abs(value);
  if (value == std::round(value) && size < 1e9) return with_commas(std::llround(value));
  if (size >= 1e5 || size < 0.0005) return brief(value, 2);
  return fixed(value, size >= 1000 ? 1 : 3);
}

std::string length_words(double value) {
  if (!(value < 1e15)) return fixed(value, 0);
  return value < 99.95 ? fixed(value, 1) : with_commas(std::llround(value));
}

std::string loss_words(double loss) {
  return fixed(loss, loss >= 100 ? 1 : loss >= 10 ? 3 : 4);
}

std::string written(double value, NumberForm form) {
  if (std::isnan(value)) return "–";
  switch (form.style) {
    case NumberStyle::decimals:
      return fixed(value, form.digits);
    case NumberStyle::weight:
      return weight_text(value, form.digits);
    case NumberStyle::significant:
      return brief(value, form.digits);
    case NumberStyle::rounding:
      return residual_text(value);
    case NumberStyle::with_sign:
      return signed_text(value, form.digits);
    case NumberStyle::percent:
      return (written_as_zero(100 * value, form.digits) ? brief(100 * value, 2)
                                                        : fixed(100 * value, form.digits)) +
             " %";
    case NumberStyle::count:
      // A long long holds every whole number that a double tells apart, and more.
      return std::abs(value) < 9e15 ? with_commas(std::llround(value)) : fixed(value, 0);
    case NumberStyle::compact:
      return compact(value);
    case NumberStyle::length:
      return length_words(value);
    case NumberStyle::loss:
      return loss_words(value);
  }
  return {};
}

}  // namespace headlight::base
