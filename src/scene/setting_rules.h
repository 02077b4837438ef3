// What the controls of the settings that pages share depend on: in which scenes they have an effect, which
// numbers make a difference, which words can be chosen. shared_settings.h gives them to the fields. Tested in
// tests/scene/controls_test.cpp.
#pragma once

#include <vector>

#include "scene/field.h"

namespace headlight::scene {

/// True if the weights come from a model, and not from the seed.
bool of_model(const Scene& scene);
bool with_positions(const Scene& scene);
/// True if the tokens can be those of another program’s tokenizer, some of which are special.
bool with_special_tokens(const Scene& scene);

/// The number of layers to choose from: the model's, or that of random weights.
int layers_to_choose(const Scene& scene, const Results& results);

Range useful_layers(const Field& field, const Scene& scene, const Results& results);
Range useful_heads(const Field& field, const Scene& scene, const Results& results);
Range useful_sequences(const Field& field, const Scene& scene, const Results& results);
Range useful_tokens(const Field& field, const Scene& scene, const Results& results);
Range useful_seeds(const Field& field, const Scene& scene, const Results& results);

std::vector<int> possible_heads(const Scene& scene);

/// A model has no separate width for positions: they cannot be concatenated.
bool offers_position(int word, const Scene& scene, const Results& results);

}  // namespace headlight::scene
