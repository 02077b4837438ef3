// A short hint at the first visit of a page. Closed once, it never comes back: what was closed is kept in the
// state folder. Tested in tests/app/palette_test.cpp.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "scene/scene.h"

namespace headlight::app {

class Hints {
 public:
  /// What was closed is read from `file` and written there. An empty path: there are no hints, as in pictures
  /// made without a window.
  explicit Hints(std::filesystem::path file = {});

  /// For the open page; null when there is none, or when it was closed.
  const char* shown(const scene::Scene& scene) const;
  void close(scene::Page page);
  void all_again();

 private:
  void write() const;

  std::filesystem::path file_;
  std::set<std::string> closed_;
};

}  // namespace headlight::app
