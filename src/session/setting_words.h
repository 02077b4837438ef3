// The text of a setting in the settings panel and on the chips that open it: its heading, its words, the
// range of useful values. Tested in tests/app/ui_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "scene/results.h"
#include "scene/scene.h"

namespace headlight::app {

inline bool named(const scene::Field& field, std::string_view name) {
  return field.name == name;
}

/// True if the weights come from a model, and not from the seed.
inline bool of_model(const scene::Scene& scene) {
  return scene.weights != scene::WeightsSource::random;
}

/// The heading of a field on the open page; empty if the panel does not show it there.
std::string heading_of(const scene::Field& field, const scene::Scene& scene);

/// The largest useful value in this scene, within the field's own range.
double useful_max(const scene::Field& field, const scene::Scene& scene, const scene::Results& results);

/// The label of an enumeration's word on a button: a special one, else the word itself with spaces.
std::string button_word(std::string_view word);

/// The model that gives width, heads and layers, also on a page that computes nothing with it, such as Cost.
std::string sizes_given_by(const scene::Scene& scene, const scene::Results& results);

}  // namespace headlight::app
