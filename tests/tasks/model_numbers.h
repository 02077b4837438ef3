// All numbers of a model, one after the other.
#pragma once

#include <string>
#include <vector>

#include "train/model.h"

namespace headlight::tests {

inline std::vector<float> numbers(const nn::ModelWeights& weights) {
  std::vector<float> all;
  nn::tensors(weights, [&](const std::string&, const nn::Matrix& m) {
    all.insert(all.end(), m.values().begin(), m.values().end());
  });
  return all;
}

}  // namespace headlight::tests
