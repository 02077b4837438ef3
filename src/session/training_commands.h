// The actions of the Training page's buttons. Tested in tests/session/train_job_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "session/session.h"

namespace headlight::app {

/// The folder of runs and their models: "runs" beside the automatically saved scene, or in the temporary
/// folder when there is no such place.
std::filesystem::path runs_folder();

/// The only numbers that a setting may have in the present run: for the step shown, −1 (the newest) and the
/// steps that are kept of the run shown, in order. Empty: any in its range.
std::vector<int> kept_numbers(const scene::Field& field, const Session& session);

/// Does the action of the button `name` ("training start", "training pause", …); false for any other name.
bool training_command(Session& session, const std::string& name, double now);

}  // namespace headlight::app
