// How a setting is told in the panel of settings and on the chips that open it: its heading, its words, the
// values that mean something. Tested in tests/app/ui_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "scene/results.h"
#include "scene/scene.h"

namespace headlight::app {

inline bool named(const scene::Field& field, std::string_view name) {
  return field.name == name;
}

/// Do the weights come from a model, and not from the seed?
inline bool of_model(const scene::Scene& scene) {
  return scene.weights != scene::WeightsSource::random;
}

/// The heading under which a field stands on the open page; empty where the panel does not show it there.
std::string heading_of(const scene::Field& field, const scene::Scene& scene);

/// The largest value that means something in this scene, within the field's own range.
double useful_max(const scene::Field& field, const scene::Scene& scene, const scene::Results& results);

/// How an enumeration's word is written on a button: its own words, else itself with spaces.
std::string button_word(std::string_view word);

/// Whose width, heads and layers a model gives, also on a page that computes nothing of it, as Cost does.
std::string sizes_given_by(const scene::Scene& scene, const scene::Results& results);

}  // namespace headlight::app
