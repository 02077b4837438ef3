// What the buttons of the Training page do. Tested in tests/session/train_job_test.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "session/session.h"

namespace headlight::app {

/// Where runs and their models are kept: "runs" beside the scene that saves itself, or in the temporary
/// folder when there is no such place.
std::filesystem::path runs_folder();

/// Does what a button of the name `name` says ("training start", "training pause", …); false for any other
/// name.
bool training_command(Session& session, const std::string& name, double now);

}  // namespace headlight::app
