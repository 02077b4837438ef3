// The remark on the head of a model that was guided during training. A page that names the head as guided
// leaves it out. Inline, as views need it and link nothing that computes.
#pragma once

#include <string>

#include "base/numbers.h"
#include "scene/results.h"

namespace headlight::scene {

/// Returns "head 1 of layer 2 was guided during training (weight 0.3)".
inline std::string guide_remark(const GuidedHead& guide) {
  return "head " + std::to_string(guide.head + 1) + " of layer " + std::to_string(guide.layer + 1) +
         " was guided during training (weight " + base::brief(static_cast<double>(guide.weight), 6) + ")";
}

}  // namespace headlight::scene
