// How long work reports its progress, and is told to stop.
#pragma once

#include <functional>

namespace headlight::scene {

/// Reports a fraction done, 0 … 1; returns false when the work is no longer wanted.
using Progress = std::function<bool(float)>;

}  // namespace headlight::scene
