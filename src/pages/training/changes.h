// How the settings of a run change while it is trained: its learning rate at any step, and every setting that
// leaves the shape of the network as it is where the run goes on as a new one. Tested in
// tests/scene/training_changes_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pages/training/settings.h"
#include "pages/training/training.h"

namespace headlight::scene {

/// The names of the settings that train another run. Settings of what is shown do not count.
std::vector<std::string_view> trained_differences(const TrainingSettings& run,
                                                  const TrainingSettings& chosen);

/// True if they differ in the learning rate alone: a run takes it over at its next step.
bool differ_in_rate_alone(const TrainingSettings& run, const TrainingSettings& chosen);

/// Why a run at `step` cannot go on with the chosen settings: "Heads changes the network"; empty: it can.
std::string why_restart(const TrainingSettings& run, const TrainingSettings& chosen, int step);

/// The change from one to the other, after `step` steps.
TrainingChange change_between(int step, bool forked, const TrainingSettings& before,
                              const TrainingSettings& after);

/// True for a change of the learning rate alone.
bool of_rate_alone(const TrainingChange& change);

/// Makes the settings those before the change. An error: the settings are not those after it, or a value
/// cannot be read.
base::Status take_back(const TrainingChange& change, TrainingSettings& settings);

/// The first step of a run that went on from another one; else 0.
int first_step_of(const std::vector<TrainingChange>& changes);
/// Where a run was forked last, and with what: "from step 126, learning rate 0.001"; empty: nowhere.
std::string origin_words(const std::vector<TrainingChange>& changes);
/// "learning rate 0.01": the setting of this name.
std::string setting_words(std::string_view name, const TrainingSettings& settings);
/// Every change in words: "learning rate 0.003 → 0.001 after step 126"; forked runs say "from step".
std::string changes_words(const std::vector<TrainingChange>& changes);

}  // namespace headlight::scene
