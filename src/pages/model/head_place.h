// A head of a model.
#pragma once

namespace headlight::scene {

/// Both counted from 0.
struct HeadPlace {
  int layer = 0, head = 0;
  bool operator==(const HeadPlace&) const = default;
};

}  // namespace headlight::scene
