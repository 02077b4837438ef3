// What is unusual about the scores of the shown weights: every title, figure and description of them says it.
// Inline, as views need it and link nothing that computes. Tested in tests/pictures/describe_test.cpp.
#pragma once

#include <string>

#include "base/numbers.h"
#include "scene/results.h"

namespace headlight::scene {

/// Returns " · scores not divided by √d_k · temperature 2" with this separator before each part; empty: they
/// are divided by √d_k alone, or were not computed here.
inline std::string score_words(const Results& results, const std::string& separator) {
  if (results.attention.q.empty()) return {};  // saved weights
  std::string out;
  // An opened model has a scale of its own.
  if (!results.opened && !results.options.divide_by_sqrt_d_k) out += separator + "scores not divided by √d_k";
  if (results.options.temperature != 1)
    out += separator + "temperature " + base::brief(results.options.temperature, 3);
  return out;
}

}  // namespace headlight::scene
