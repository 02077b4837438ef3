// The settings that pages share: their names, words and ranges, in the order of the panel. Only setting.cpp
// includes this list. Tested in tests/scene/settings_test.cpp.
#pragma once

#include "scene/scene.h"
#include "scene/setting_rules.h"

namespace headlight::scene {

/// Calls visit(field, member) for every setting. Each is named once, here or beside its page's struct.
template <class F>
void list_fields(const Scene& s, F&& visit) {
  using G = Group;
  visit(Field{.name = "page", .label = "Page", .help = "the page that is open"}, s.page);
  visit(Field{.name = "sentence",
              .label = "Sentence",
              .help = "the typed text; the tokenizer splits it",
              .computes = true},
        s.sentence);
  visit(Field{.name = "tokenizer",
              .label = "Tokenizer",
              .help = "how the sentence is split into tokens",
              .also = "words characters letters split",
              .computes = true},
        s.tokenizer);
  visit(Field{.name = "token_ids",
              .label = "Token ids",
              .help = "ids that a model from another program gets instead of the sentence; -1 = the sentence",
              .min = -1,
              .max = 2147483647,
              .computes = true},
        s.token_ids);
  visit(Field{.name = "d_model",
              .label = "Model width d",
              .help = "components of each token’s vector",
              .group = G::model,
              .also = "width dimension embedding size",
              .min = 1,
              .max = 1024,
              .logarithmic = true,
              .computes = true,
              .given_by = own_model | shown_model,
              .of_saved = false},
        s.d_model);
  visit(Field{.name = "heads",
              .label = "Heads",
              .help = "attention heads; must divide d_model",
              .group = G::model,
              .min = 1,
              .max = 1024,
              .computes = true,
              .checked = true,
              .given_by = own_model | shown_model,
              .of_saved = false,
              .possible = possible_heads},
        s.heads);
  visit(Field{.name = "seed",
              .label = "Seed",
              .help = "determines the random embeddings and projections",
              .group = G::model,
              .max = 9999,
              .computes = true,
              .given_by = own_model | shown_model,
              .of_saved = false,
              .of_random = true,
              .useful = useful_seeds},
        s.seed);
  visit(Field{.name = "weights",
              .label = "Weights",
              .help = "random (from the seed), trained (an included model), or from a file",
              .group = G::model,
              .also = "random trained model file checkpoint",
              .computes = true,
              .labelled_by_heading = true},
        s.weights);
  visit(
      Field{.name = "weights_file",
            .label = "Model file",
            .help =
                "a model trained by Headlight, one from another program, saved attention, or the name of an "
                "included model: small-english (also when empty), pronouns-guided, pronouns-free, dictionary",
            .computes = true,
            .names = TextNames::model,
            .applies = of_model},
      s.weights_file);
  visit(Field{.name = "weights_layer",
              .label = "Layer",
              .help = "the layer of the model whose heads are shown",
              .group = G::model,
              .min = 1,
              .max = 4096,
              .computes = true,
              .of_layer = true,
              .applies = of_model,
              .useful = useful_layers},
        s.weights_layer);
  visit(Field{.name = "saved_sequence",
              .label = "Sequence",
              .help = "which sequence of a batch of saved attention, counted from 0",
              .group = G::model,
              .max = 1000000,
              .computes = true,
              .of_saved_batch = true,
              .useful = useful_sequences},
        s.saved_sequence);
  visit(Field{.name = "position",
              .label = "Positions",
              .help = "how position is encoded",
              .group = G::position,
              .also = "sinusoidal sine cosine clocks encoding wavelength",
              .computes = true,
              .labelled_by_heading = true,
              .offers = offers_position},
        s.position);
  visit(Field{.name = "position_scale",
              .label = "Strength",
              .help = "factor on the positional encoding",
              .group = G::position,
              .max = 4,
              .computes = true,
              .applies = with_positions},
        s.position_scale);
  visit(Field{.name = "position_offset",
              .label = "First position",
              .help = "position of the first token, and of the first row of P",
              .group = G::position,
              .max = 1000000,
              .logarithmic = true,
              .computes = true,
              .applies = with_positions},
        s.position_offset);
  visit(Field{.name = "position_base",
              .label = "Base",
              .help = "wavelengths start at 2π and stay below 2π times the base",
              .group = G::position,
              .min = 1.5,
              .max = 1000000,
              .logarithmic = true,
              .computes = true,
              .applies = with_positions},
        s.position_base);
  visit(Field{.name = "scale",
              .label = "Divide by √d_k",
              .help = "divide scores by the square root of the head width",
              .group = G::scores,
              .computes = true},
        s.scale);
  visit(Field{.name = "temperature",
              .label = "Temperature",
              .help = "divides the scores; lower is sharper",
              .group = G::scores,
              .also = "entropy sharp soft",
              .min = 0.01,
              .max = 100,
              .logarithmic = true,
              .computes = true},
        s.temperature);
  visit(Field{.name = "mask",
              .label = "Mask",
              .help = "which keys a query may attend to; masks combine",
              .group = G::scores,
              .also = "causal decoder padding future",
              .computes = true},
        s.mask);
  visit(Field{.name = "window",
              .label = "Window radius",
              .help = "keys on either side that the window mask allows",
              .group = G::scores,
              .max = 4096,
              .logarithmic = true,
              .computes = true,
              .applies = [](const Scene& scene) { return scene.mask.window; },
              .useful = useful_tokens},
        s.window);
  visit(Field{.name = "valid_length",
              .label = "Tokens before padding",
              .help = "keys that the padding mask (valid length) allows",
              .group = G::scores,
              .max = 4096,
              .logarithmic = true,
              .computes = true,
              .applies = [](const Scene& scene) { return scene.mask.valid_length; },
              .useful = useful_tokens},
        s.valid_length);
  visit(Field{.name = "head",
              .label = "Heads shown",
              .help = "heads on the large map, counted from 1; 0 = all",
              .max = 1024,
              .useful = useful_heads},
        s.head);
  visit(Field{.name = "combine",
              .label = "Combine heads by",
              .help = "how several heads become one map",
              .group = G::shown,
              .also = "average mean maximum largest all heads"},
        s.combine);
  visit(Field{.name = "query",
              .label = "Queries",
              .help = "pinned queries, counted from 0; the last one is shown in detail; auto = one is chosen",
              .min = -1,
              .max = 1000000},
        s.query);
  visit(Field{.name = "key",
              .label = "Key",
              .help = "pinned key, counted from 0; -1 = the strongest",
              .min = -1,
              .max = 1000000},
        s.key);
  visit(Field{.name = "cell_head",
              .label = "Head of the cell",
              .help = "which of several compared heads has its cell open; 0 = their mean or largest",
              .max = 1024},
        s.cell_head);
  visit(Field{.name = "query_axis",
              .label = "Query axis",
              .help = "queries as rows (down) or as columns (across)",
              .group = G::shown},
        s.query_axis);
  visit(Field{.name = "map_scale",
              .label = "Colour scale of weights",
              .help = "unit: from 0 to 1; auto: to the 99th percentile of the weights shown (above 128 "
                      "tokens, of the largest of each group), rounded up; "
                      "log: 10⁻⁴ to 1; "
                      "by_length: unit up to 64 tokens, auto beyond"},
        s.map_scale);
  visit(Field{.name = "cell_numbers",
              .label = "Numbers in cells",
              .help = "write each weight into its cell if it fits",
              .group = G::shown},
        s.cell_numbers);
  visit(Field{.name = "hide_special",
              .label = "Hide special tokens",
              .help = "tokens that the model’s tokenizer declares special, but not its mask and unknown "
                      "token, have no "
                      "rows and columns drawn; in saved attention [CLS], </s>, <|endoftext|> and the like",
              .group = G::shown,
              .applies = with_special_tokens},
        s.hide_special);
  visit(
      Field{.name = "shown_tokens",
            .label = "Token filter",
            .help =
                "only tokens that contain one of these texts, separated by spaces, are drawn; empty: all are",
            .group = G::shown},
      s.shown_tokens);
  of_pages(s, [&](const auto& own) { list_fields(own, visit); });
  visit(Field{.name = "theme",
              .label = "Theme",
              .help = "dark or light",
              .group = G::interface,
              .also = "dark light mode night bright color colour",
              .labelled_by_heading = true},
        s.theme);
  visit(Field{.name = "ramp",
              .label = "Colour ramp",
              .help = "Headlight’s own ramp, which starts at the panel’s colour, or viridis or cividis",
              .group = G::interface,
              .also = "colormap colour map viridis cividis palette gradient"},
        s.ramp);
  visit(Field{.name = "interface_scale",
              .label = "Interface scale",
              .help = "size of everything on screen",
              .group = G::interface,
              .also = "zoom size font text letters large larger bigger small smaller readable",
              .min = 0.5,
              .max = 3},
        s.interface_scale);
  visit(Field{.name = "reduced_motion",
              .label = "Reduced motion",
              .help = "no transitions and no automatic motion",
              .group = G::interface,
              .also = "accessibility still"},
        s.reduced_motion);
  visit(Field{.name = "colour_vision",
              .label = "Colour-blindness preview",
              .help = "shows the window as people with a colour-vision deficiency see it; off: as it is",
              .group = G::interface,
              .also = "color blind colour blind blindness daltonism accessibility"},
        s.colour_vision);
}

}  // namespace headlight::scene
