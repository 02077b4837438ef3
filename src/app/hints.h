// A short hint at the first visit of a page. A closed hint never comes back: closed hints are listed in the
// state folder. Tested in tests/app/palette_test.cpp and hints_test.cpp.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "scene/scene.h"

namespace headlight::app {

class Hints {
 public:
  /// Closed hints are read from `file` and written to it. With an empty path there are no hints, as in
  /// pictures that are made without a window.
  explicit Hints(std::filesystem::path file = {});

  /// The hint of the open page; null when there is none, or when it was closed.
  const char* shown(const scene::Scene& scene) const;
  void close(scene::Page page);
  void all_again();

 private:
  void write() const;

  std::filesystem::path file_;
  std::set<std::string> closed_;
};

}  // namespace headlight::app
