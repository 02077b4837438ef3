// A page as GoogleTest prints it: by the name that it has everywhere, not as bytes.
#pragma once

#include <ostream>

#include "scene/scene.h"

namespace headlight::scene {

inline void PrintTo(Page page, std::ostream* out) {
  *out << word(page);
}

}  // namespace headlight::scene
