// The settings of the encoder–decoder of the Block page, and their one list.
#pragma once

#include <concepts>
#include <type_traits>

#include "scene/field.h"

namespace headlight::scene {

enum class EncoderDecoderPositions { none, sinusoidal, learned };
template <>
struct Words<EncoderDecoderPositions> {
  static constexpr const char* list[] = {"none", "sinusoidal", "learned"};
  static constexpr const char* labels[] = {"none", "sin/cos", "learned"};
};

inline constexpr int encoder_decoder_steps = 800;  // a whole training run
inline constexpr int most_letters = 8;             // per word

struct EncoderDecoderSettings {
  int layers = 1, heads = 2;
  EncoderDecoderPositions positions = EncoderDecoderPositions::sinusoidal;
  int training = encoder_decoder_steps;
  int seed = 1;
  int word = 0;  // 0: the letters of the sentence; n: held-out word n
  // What is on show, counted from 1; a number beyond the last shows the last.
  int step = most_letters + 1, layer = 1, head = 1;
  bool operator==(const EncoderDecoderSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, EncoderDecoderSettings>
void list_fields(S& s, F&& visit) {
  constexpr Group g = Group::own;
  visit(Field{.name = "block_encdec_step",
              .label = "Decoding step",
              .help = "target token to decode; beyond the last, the last is used",
              .group = g,
              .min = 1,
              .max = most_letters + 1,
              .to_the_last = true},
        s.step);
  visit(Field{.name = "block_encdec_word",
              .label = "Word",
              .help = "0: the letters of the sentence; 1 and above: words held out from training",
              .group = g,
              .max = 256,
              .computes = true},
        s.word);
  visit(Field{.name = "block_encdec_training",
              .label = "Training steps",
              .help = "weight updates before the word is decoded; 0: random weights",
              .group = g,
              .max = encoder_decoder_steps,
              .computes = true},
        s.training);
  visit(Field{.name = "block_encdec_positions",
              .label = "Positions",
              .help = "positional encoding of the encoder and the decoder",
              .group = g,
              .computes = true},
        s.positions);
  visit(Field{.name = "block_encdec_heads",
              .label = "Heads",
              .help = "heads of each attention: 1, 2 or 4 (3 becomes 2)",
              .group = g,
              .min = 1,
              .max = 4,
              .computes = true},
        s.heads);
  visit(Field{.name = "block_encdec_layers",
              .label = "Layers",
              .help = "layers of the encoder and of the decoder",
              .group = g,
              .min = 1,
              .max = 3,
              .computes = true},
        s.layers);
  visit(Field{.name = "block_encdec_seed",
              .label = "Seed",
              .help = "determines the initial weights and the training words",
              .group = g,
              .max = 9999,
              .computes = true},
        s.seed);
  visit(Field{.name = "block_encdec_layer",
              .label = "Encoder–decoder layer shown",
              .help = "counted from 1",
              .min = 1,
              .max = 3},
        s.layer);
  visit(Field{.name = "block_encdec_head",
              .label = "Encoder–decoder head shown",
              .help = "counted from 1",
              .min = 1,
              .max = 4},
        s.head);
}
/// Makes the settings possible: the heads must divide the width.
inline void repair(EncoderDecoderSettings& settings) {
  if (settings.heads == 3) settings.heads = 2;
}

}  // namespace headlight::scene
