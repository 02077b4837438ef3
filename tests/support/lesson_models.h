// Lessons of models that are no part of the program: HEADLIGHT_MODELS names the folder that holds them; where
// nobody set it, ../shared/models beside the sources does. A test that plays lessons includes this, and says
// which of them it cannot play.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "session/lesson_library.h"

namespace headlight::tests {

/// Before anything looks for a model.
inline const bool models_are_named = [] {
  ::setenv("HEADLIGHT_MODELS", HEADLIGHT_SOURCE_DIR "/../shared/models", 0);
  return true;
}();

/// False, and said by name: the model of the lesson is not here.
inline bool can_be_played(const app::LessonEntry& entry) {
  if (entry.missing.empty()) return true;
  std::printf("skipped: lesson %s %s\n", entry.name.c_str(), entry.missing.c_str());
  return false;
}

}  // namespace headlight::tests
