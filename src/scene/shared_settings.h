// The settings that pages share, with those of Attention and Position: their names, words and ranges, in the
// order of the panel. Only setting.cpp includes this list. Tested in tests/scene/settings_test.cpp.
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
              .min = 0.01,
              .max = 100,
              .logarithmic = true,
              .computes = true},
        s.temperature);
  visit(Field{.name = "mask",
              .label = "Mask",
              .help = "which keys a query may attend to; masks combine",
              .group = G::scores,
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
              .group = G::shown},
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
  visit(Field{.name = "attention_view",
              .label = "View",
              .help = "matrix: a map of cells; ribbons: beams from queries to keys; arcs: arcs over one line "
                      "of words"},
        s.attention_view);
  visit(Field{.name = "beams",
              .label = "Beams of",
              .help = "all: of all queries; chosen: of the pinned query alone"},
        s.beams);
  visit(Field{.name = "arcs",
              .label = "Arcs of the pinned word",
              .help = "attends_to: to its keys, above the words; attended_by: from the queries that attend "
                      "to it, below"},
        s.arcs);
  visit(Field{.name = "query_axis",
              .label = "Query axis",
              .help = "queries as rows (down) or as columns (across)",
              .group = G::shown},
        s.query_axis);
  visit(Field{.name = "map_scale",
              .label = "Colour scale of weights",
              .help = "unit: from 0 to 1; auto: to the 99th percentile of the weights shown, rounded up; "
                      "log: 10⁻⁴ to 1; "
                      "by_length: unit up to 64 tokens, auto beyond"},
        s.map_scale);
  visit(Field{.name = "cell_numbers",
              .label = "Numbers in cells",
              .help = "write each weight into its cell if it fits",
              .group = G::shown},
        s.cell_numbers);
  visit(Field{.name = "bars_sorted",
              .label = "Sorted bars",
              .help = "bars sorted by weight instead of by position"},
        s.bars_sorted);
  visit(Field{.name = "least_weight",
              .label = "Smallest weight drawn",
              .help = "smaller weights are not drawn; 0: all are drawn",
              .group = G::shown,
              .max = 1},
        s.least_weight);
  visit(Field{.name = "hide_special",
              .label = "Hide special tokens",
              .help = "tokens that the model’s tokenizer declares special, but not its mask and unknown "
                      "token, have no "
                      "rows and columns drawn; in saved attention [CLS], </s>, <|endoftext|> and the like",
              .group = G::shown},
        s.hide_special);
  visit(
      Field{.name = "shown_tokens",
            .label = "Token filter",
            .help =
                "only tokens that contain one of these texts, separated by spaces, are drawn; empty: all are",
            .group = G::shown},
      s.shown_tokens);
  visit(
      Field{.name = "matrix", .label = "Open matrix", .help = "matrix of the layer whose numbers are shown"},
      s.matrix);
  visit(
      Field{
          .name = "other_query",
          .label = "Other query",
          .help =
              "query whose weights by offset are compared, counted from 0; -1 = the next pinned or the next "
              "query",
          .min = -1,
          .max = 1000000},
      s.other_query);
  visit(Field{.name = "positions",
              .label = "Positions",
              .help = "rows of P",
              .group = G::encoding,
              .min = 1,
              .max = 4096,
              .logarithmic = true,
              .computes = true},
        s.positions);
  visit(Field{.name = "position_index",
              .label = "Position i",
              .help = "position that the clocks show, a row of P",
              .group = G::encoding,
              .max = 1004095},
        s.position_index);
  visit(Field{.name = "position_delta",
              .label = "Offset δ",
              .help = "distance from the position to the second one",
              .group = G::encoding,
              .min = -4095,
              .max = 4095,
              .computes = true},
        s.position_delta);
  visit(Field{.name = "position_columns", .label = "Columns", .help = "plotted columns of P", .max = 65535},
        s.position_columns);
  visit(Field{.name = "position_pair",
              .label = "Pair j",
              .help = "pair of columns, 2j and 2j + 1, whose rotation is shown",
              .group = G::encoding,
              .max = 32767},
        s.position_pair);
  visit(Field{.name = "position_step",
              .label = "Build-up",
              .help = "1 one sinusoid, 2 sine and cosine, 3 all frequencies",
              .min = 1,
              .max = 3},
        s.position_step);
  visit(Field{.name = "p_axis",
              .label = "Positions of P",
              .help = "down, as rows, beside the plotted columns; or across, above the wave of pair j"},
        s.p_axis);
  visit(Field{.name = "clock_speed",
              .label = "Clock speed",
              .help = "true speeds, or logarithmic speeds, which are not those of the encoding",
              .group = G::motion},
        s.clock_speed);
  visit(Field{.name = "play", .label = "Play", .help = "move the position continuously", .group = G::motion},
        s.play);
  visit(Field{.name = "play_speed",
              .label = "Speed",
              .help = "positions per second",
              .group = G::motion,
              .min = 0.25,
              .max = 60,
              .logarithmic = true},
        s.play_speed);
  of_pages(s, [&](const auto& own) { list_fields(own, visit); });
  visit(Field{.name = "theme",
              .label = "Theme",
              .help = "dark or light",
              .group = G::interface,
              .labelled_by_heading = true},
        s.theme);
  visit(Field{.name = "ramp",
              .label = "Colour ramp",
              .help = "Headlight’s own ramp, which starts at the panel’s colour, or viridis or cividis",
              .group = G::interface},
        s.ramp);
  visit(Field{.name = "interface_scale",
              .label = "Interface scale",
              .help = "size of everything on screen",
              .group = G::interface,
              .min = 0.5,
              .max = 3},
        s.interface_scale);
  visit(Field{.name = "reduced_motion",
              .label = "Reduced motion",
              .help = "no transitions and no automatic motion",
              .group = G::interface},
        s.reduced_motion);
  visit(Field{.name = "colour_vision",
              .label = "Colour-blindness preview",
              .help = "shows the window as people with a colour-vision deficiency see it; off: as it is",
              .group = G::interface},
        s.colour_vision);
}

}  // namespace headlight::scene
