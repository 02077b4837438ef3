// Measures of saved weights without q, k and v: entropies, roles of heads, differences. All in double from
// the stored numbers. Tested in tests/dumps/measures_test.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "dumps/dump.h"
#include "nn/head_roles.h"

namespace headlight::dumps {

/// Returns −Σ w log2 w of a row, in bits; 0 for a row that is all 0. The row is not normalized to sum to one.
double entropy_bits(std::span<const double> row);

/// Returns equal numbers for equal tokens, [T], as nn::head_roles() expects. If no tokens are known, all
/// numbers differ.
std::vector<int> token_numbers(const TokenLists& tokens, int sequence);

/// Where two maps [rows, keys] of a head differ most.
struct Difference {
  double difference = 0;  // |a − b|
  int query = 0, key = 0;
  double a = 0, b = 0;
};
Difference largest_difference(std::span<const double> a, std::span<const double> b, int keys);

/// Returns how large a difference between two runs of the same attention can be from rounding, if one is
/// computed in this type: 0.0001 (float32, float64), 0.01 (float16), 0.05 (bfloat16).
double run_rounding(const std::string& type);
/// The same if one is only stored in this type: half a unit in the last place for weights from 0.5 to 1.
double storage_rounding(const std::string& type);

}  // namespace headlight::dumps
