// The Softmax page: one row of scores, and every step from them to the weights, in double precision. Tested
// in tests/scene/softmax_test.cpp.
//
//   w_i = exp(s_i/τ − m) / Σ_j exp(s_j/τ − m),   m = max_j s_j/τ,   H = −Σ w_i log₂ w_i
//
// Bridle, Probabilistic Interpretation of Feedforward Classification Network Outputs, 1990; the temperature
// comes from Boltzmann's distribution. H: Shannon 1948.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pages/softmax/settings.h"
#include "scene/results.h"

namespace headlight::scene {

/// The row for n scores at one temperature.
struct SoftmaxRow {
  std::vector<double> scaled;        // [n] s/τ
  double largest = 0;                // m
  std::vector<double> exponentials;  // [n] exp(s/τ − m), the largest is 1
  double sum = 0;                    // of the exponentials
  std::vector<double> weights;       // [n]
  double entropy_bits = 0;
};
SoftmaxRow softmax_row(std::span<const double> scores, double temperature);

struct SoftmaxResults final : PageResults {
  std::string problem;  // what is wrong with the text of the scores; then the example's scores are used
  std::vector<double> scores;  // [n]
  double temperature = 1;
  SoftmaxRow row;
  struct Point {
    double temperature, entropy_bits, largest_weight;
  };
  std::vector<Point> curve;  // over the temperature, 0.01 … 100, evenly on a logarithmic axis
};

}  // namespace headlight::scene
