// What is there to choose from, for the lines about numbers that do not exist. settings_missing.cpp has it.
#pragma once

#include <string>
#include <string_view>

#include "scene/scene.h"

namespace headlight::scene {

/// What there is of what a number chooses in `requested`; empty: the number chooses nothing that can be
/// counted.
std::string choice_of(const Scene& scene, const Scene& requested, std::string_view name);

}  // namespace headlight::scene
