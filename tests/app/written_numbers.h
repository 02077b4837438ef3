// Numbers in words, as the program writes them, and what each may stand for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::app {

struct WrittenAs {
  std::string text;             // "−0.36", "1.2e−07"
  std::size_t at = 0, end = 0;  // its place in the words
  struct Reading {
    double value = 0, tolerance = 0;  // half a unit of the last decimal
  };
  std::vector<Reading> readings;  // "12.5 %" is 0.125; "50.9°" may be of an angle in radians, too
  bool stands_for(double value) const {
    return std::any_of(readings.begin(), readings.end(),
                       [value](const Reading& one) { return std::abs(value - one.value) <= one.tolerance; });
  }
};

inline bool takes(std::string_view& words, std::string_view start) {
  if (!words.starts_with(start)) return false;
  words.remove_prefix(start.size());
  return true;
}

/// The power of ten behind "·10": "⁻⁷".
inline int raised(std::string_view words) {
  constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const int sign = takes(words, "⁻") ? -1 : 1;
  int power = 0;
  for (bool more = true; more;) {
    more = false;
    for (int digit = 0; digit < 10 && !more; ++digit) {
      if (takes(words, digits[digit])) power = 10 * power + digit, more = true;
    }
  }
  return sign * power;
}

/// Those with a fraction or an exponent; with `whole`, whole numbers, too.
inline std::vector<WrittenAs> written_numbers(const std::string& words, bool whole = false) {
  static const std::regex fraction(
      "(?:−|\\+)?[0-9][0-9,]*\\.[0-9]+(?:e(?:−|\\+)?[0-9]+)?|(?:−)?[0-9]e(?:−|\\+)?[0-9]+");
  static const std::regex any("(?:−|\\+)?[0-9][0-9,]*(?:\\.[0-9]+)?(?:e(?:−|\\+)?[0-9]+)?");
  std::vector<WrittenAs> out;
  for (std::sregex_iterator found(words.begin(), words.end(), whole ? any : fraction), end; found != end;
       ++found) {
    WrittenAs number;
    number.text = found->str();
    number.at = static_cast<std::size_t>(found->position()), number.end = number.at + number.text.size();
    std::string plain;
    for (std::string_view rest = number.text; !rest.empty();) {
      if (takes(rest, "−")) {
        plain += '-';
      } else {
        if (rest[0] != ',') plain += rest[0];
        rest.remove_prefix(1);
      }
    }
    const double value = std::strtod(plain.c_str(), nullptr);
    const std::size_t exponent = std::min(plain.find('e'), plain.size()), point = plain.find('.');
    const double decimals = point == std::string::npos ? 0 : static_cast<double>(exponent - point - 1);
    const double power = exponent < plain.size() ? std::atof(plain.c_str() + exponent + 1) : 0;
    // A float beside its double may lie on the other side of a half.
    const double unit = 0.5 * std::pow(10.0, power - decimals), tolerance = unit * 1.002;
    std::string_view rest = std::string_view(words).substr(number.end);
    const auto times = [&](double factor) {
      number.readings.push_back({value * factor, tolerance * factor});
    };
    if (rest.starts_with(" %") || rest.starts_with("\u00a0%")) {
      times(0.01);
    } else if (takes(rest, "·10")) {
      times(std::pow(10.0, raised(rest)));
    } else {
      times(1);
      if (rest.starts_with("°")) times(std::numbers::pi / 180);
      double bytes = 1;
      for (const char* unit_of_bytes : {" KiB", " MiB", " GiB", " TiB"}) {
        bytes *= 1024;
        if (rest.starts_with(unit_of_bytes)) times(bytes);
      }
    }
    out.push_back(std::move(number));
  }
  return out;
}

}  // namespace headlight::app
