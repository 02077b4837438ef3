#include "dumps/measures.h"

#include <cmath>
#include <limits>
#include <unordered_map>

namespace headlight::dumps {

double entropy_bits(std::span<const double> row) {
  double sum = 0;
  for (const double w : row) sum -= w > 0 ? w * std::log2(w) : 0;
  return sum == 0 ? 0 : sum;  // never −0
}

std::vector<int> token_numbers(const TokenLists& tokens, int sequence) {
  std::unordered_map<std::string, int> known;
  std::vector<int> out;
  for (const std::string& token : tokens.key.at(static_cast<std::size_t>(sequence)))
    out.push_back(known.emplace(token, static_cast<int>(known.size())).first->second);
  return out;
}

Difference largest_difference(std::span<const double> a, std::span<const double> b, int keys) {
  HEADLIGHT_CHECK_OP(a.size(), ==, b.size());
  Difference out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double difference = std::fabs(a[i] - b[i]);
    if (!std::isfinite(difference))
      difference = std::numeric_limits<double>::infinity();  // NaN is not equal to any number
    if (difference > out.difference) out.difference = difference, at = i;
  }
  if (a.empty()) return out;
  out.query = static_cast<int>(at / static_cast<std::size_t>(keys));
  out.key = static_cast<int>(at % static_cast<std::size_t>(keys));
  out.a = a[at], out.b = b[at];
  return out;
}

double run_rounding(const std::string& type) {
  return type.find("bfloat16") != std::string::npos  ? 0.05
         : type.find("float16") != std::string::npos ? 0.01
                                                     : 1e-4;
}

double storage_rounding(const std::string& type) {
  return type == "bfloat16" ? 0x1p-9 : type == "float16" ? 0x1p-12 : type == "float32" ? 0x1p-25 : 0x1p-54;
}

}  // namespace headlight::dumps
