#include "pages/softmax/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight::scene {

SoftmaxRow softmax_row(std::span<const double> scores, double temperature) {
  SoftmaxRow row;
  for (const double score : scores) row.scaled.push_back(score / temperature);
  row.largest = *std::max_element(row.scaled.begin(), row.scaled.end());
  for (const double scaled : row.scaled) {
    row.exponentials.push_back(std::exp(scaled - row.largest));
    row.sum += row.exponentials.back();
  }
  for (const double exponential : row.exponentials) {
    const double weight = exponential / row.sum;
    row.weights.push_back(weight);
    if (weight > 0) row.entropy_bits -= weight * std::log2(weight);
  }
  return row;
}

}  // namespace headlight::scene
