// What a person does in a window, for window_faults_test.cpp.
#pragma once

#include <filesystem>
#include <ostream>
#include <span>

#include "faults/interface.h"

namespace headlight::faults {

/// Something a person does; what is needed for it is there before a call may fail.
struct Act {
  const char* name;
  /// Files that only this act needs, beside those of every act; null: none.
  void (*fill)(const std::filesystem::path& folder);
  void (*prepare)(Interface&, const std::filesystem::path& folder);
  void (*act)(Interface&, const std::filesystem::path& folder);
  /// What was to be reached is there. Where it is not, something was said.
  bool (*done)(Interface&, const std::filesystem::path& folder);

  bool exports() const;  // one file
};
inline void PrintTo(const Act& act, std::ostream* out) {
  *out << act.name;
}
std::span<const Act> acts();

/// The scene has another seed.
void change(Interface& it, int seed);

/// Frames until the models that are on their way have come, and the trainer has nothing to do.
void until_quiet(Interface& it);

}  // namespace headlight::faults
