// The repairs of the two relations, in words. Tested in tests/scene/training_parts_test.cpp.
#pragma once

#include <string>
#include <utility>

#include "pages/training/training.h"

namespace headlight::scene {

/// "all repairs", "no repairs", "repaired: place codes, contents".
inline std::string repairs_words(const TrainingSettings& s) {
  if (s.repair_places && s.repair_bias && s.repair_contents && s.repair_width) return "all repairs";
  std::string out;
  for (const auto& [on, word] : {std::pair{s.repair_places, "position codes"},
                                 {s.repair_bias, "query bias"},
                                 {s.repair_contents, "contents"},
                                 {s.repair_width, "width"}}) {
    if (on) out += (out.empty() ? "repaired: " : ", ") + std::string(word);
  }
  return out.empty() ? "no repairs" : out;
}

}  // namespace headlight::scene
