// What the control of a setting is on the open page: under which heading, with which numbers and words, and
// what is wrong with its value. The page decides first (its PageRoom), then the setting itself (its Field).
// The panel of settings, chips, lessons and the palette ask here. Tested in tests/scene/controls_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "pages/page.h"

namespace headlight::scene {

/// The heading of a field on the open page; empty if the panel does not show it there.
std::string heading_of(const Field& field, const Scene& scene);

/// The numbers that make a difference in this scene, within the field's own range.
Range useful_range(const Field& field, const Scene& scene, const Results& results);

/// The only numbers that the field can have, in order; empty: all in its range.
std::vector<int> possible_numbers(const Field& field, const QuantitySource& from);

/// A list of numbers is chosen by chips up to this one.
constexpr double most_chips = 32;

/// Can the word with this index be chosen in this scene?
bool offers(const Field& field, int word, const Scene& scene, const Results& results);

/// Why the text of a field is not used, in one line; empty: it is.
std::string problem_of(const Field& field, const Results& results);

/// True if a model gives this setting on the open page, so that it is shown but cannot be changed. A page may
/// draw something from the seed all the same.
bool fixed_by_model(const Field& field, const Scene& scene);

/// The model that gives width, heads and layers, also on a page that computes nothing with it, such as Cost.
std::string sizes_given_by(const Scene& scene, const Results& results);

}  // namespace headlight::scene
