// Settings of a run that are given by name, on the command line: those that the run does not take, and why.
// Tested in tests/scene/training_run_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pages/training/settings.h"

namespace headlight::scene {

/// Why a run of these settings has none of this name: "the task reverse has no such setting"; empty: it has.
inline std::string not_of_run(const TrainingSettings& settings, std::string_view name) {
  if (training_applies(settings, name)) return {};
  return std::string("the task ") + word(settings.task) +
         (name == "training_rope_pairs" ? ", without RoPE," : "") + " has no such setting";
}

/// The last of the assignments that chose another run to compare with than the repaired settings have, as
/// both runs would be the same; empty: none did.
inline std::string lost_comparison(const TrainingSettings& repaired,
                                   std::span<const std::string> assignments) {
  constexpr std::string_view compare = "training_compare=";
  for (auto set = assignments.rbegin(); set != assignments.rend(); ++set) {
    if (!set->starts_with(compare)) continue;
    return set->substr(compare.size()) == word(repaired.compare) ? std::string() : *set;
  }
  return {};
}

}  // namespace headlight::scene
