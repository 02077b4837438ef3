// The repairs of the two relations, in words. Tested in tests/scene/training_relations_test.cpp and
// tests/views/training_cards_test.cpp.
#pragma once

#include <string>
#include <utility>

#include "pages/training/training.h"

namespace headlight::scene {

/// "all repairs", "no repairs", "repaired: position codes, contents".
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

/// The model that is repaired; what is changed follows.
inline constexpr const char* repaired_model =
    "repaired: the source’s model, which cannot reach a loss of 0 with two heads, ";

/// What "repaired" means for a run with these settings: "repaired: the source’s model, which cannot reach a
/// loss of 0 with two heads, changed by a code of its own for each position, a bias of the query".
inline std::string repaired_means(const TrainingSettings& s) {
  std::string out = std::string(repaired_model) + "changed by ";
  const std::size_t begins = out.size();
  for (const auto& [on, words] : {std::pair{s.repair_places, "a code of its own for each position"},
                                  {s.repair_bias, "a bias of the query"},
                                  {s.repair_contents, "four fixed contents in place of random ones"},
                                  {s.repair_width, "projections twice as wide"}}) {
    if (on) out += (out.size() > begins ? ", " : "") + std::string(words);
  }
  return out;
}

}  // namespace headlight::scene
