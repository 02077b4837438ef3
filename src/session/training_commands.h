// The actions of the Training page's buttons. Tested in tests/session/train_job_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "session/session.h"

namespace headlight::app {

/// The folder of runs and their models: "runs" beside the automatically saved scene, or in the temporary
/// folder when there is no such place.
std::filesystem::path runs_folder();

/// Does the action of the button `name` ("training start", "training pause", …); false for any other name.
bool training_command(Session& session, const std::string& name, double now);

}  // namespace headlight::app
