// The scenes in which pages are read number by number: together they turn on all that a page can show.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace headlight::app {

struct NumberCase {
  std::string name;
  scene::Scene scene;
  bool measured = false;  // with times of a machine, as the Cost page has them after a while
  bool slides = false;    // its cards are read one by one, too
};
std::vector<NumberCase> number_cases(scene::Page page);

}  // namespace headlight::app
