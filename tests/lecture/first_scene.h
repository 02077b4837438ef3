// The scene of the first start, and its two sentences.
#pragma once

#include <string>

#include "scene/scene.h"
#include "scene/trained_model.h"

namespace headlight::app {

inline constexpr const char* tired = "the animal did not cross the street because it was too tired";
inline constexpr const char* wide = "the animal did not cross the street because it was too wide";

inline scene::Scene first_scene_of(const std::string& sentence = tired) {
  std::string unused;
  scene::Scene scene = scene::first_scene(unused);
  scene.sentence = sentence;
  return scene;
}

}  // namespace headlight::app
