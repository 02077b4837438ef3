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
  visit(Field{"block_encdec_step", "Decoding step",
              "target token to decode; beyond the last, the last is used", g, 1, most_letters + 1},
        s.step);
  visit(Field{"block_encdec_word", "Word",
              "0: the letters of the sentence; 1 and above: words held out from training", g, 0, 256, false,
              true},
        s.word);
  visit(Field{"block_encdec_training", "Training steps",
              "weight updates before the word is decoded; 0: random weights", g, 0, encoder_decoder_steps,
              false, true},
        s.training);
  visit(Field{"block_encdec_positions", "Positions", "positional encoding of the encoder and the decoder", g,
              0, 0, false, true},
        s.positions);
  visit(Field{"block_encdec_heads", "Heads", "heads of each attention: 1, 2 or 4 (3 becomes 2)", g, 1, 4,
              false, true},
        s.heads);
  visit(Field{"block_encdec_layers", "Layers", "layers of the encoder and of the decoder", g, 1, 3, false,
              true},
        s.layers);
  visit(Field{"block_encdec_seed", "Seed", "determines the initial weights and the training words", g, 0,
              9999, false, true},
        s.seed);
  visit(Field{"block_encdec_layer", "Encoder–decoder layer shown", "counted from 1", Group::none, 1, 3},
        s.layer);
  visit(Field{"block_encdec_head", "Encoder–decoder head shown", "counted from 1", Group::none, 1, 4},
        s.head);
}
/// Makes the settings possible: the heads must divide the width.
inline void repair(EncoderDecoderSettings& settings) {
  if (settings.heads == 3) settings.heads = 2;
}

}  // namespace headlight::scene
