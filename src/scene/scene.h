// Everything a person can set, in one plain struct, and one list that names it. The list serves JSON, the
// command line
// (--set heads=8), the settings panel, equality, undo and the key under which results are computed. A setting
// is named once, here.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "pages/block/encoder_decoder_settings.h"
#include "pages/block/settings.h"
#include "pages/cost/settings.h"
#include "pages/head_bench/settings.h"
#include "pages/list.h"
#include "pages/memory/settings.h"
#include "pages/model/settings.h"
#include "pages/order/settings.h"
#include "pages/presets/settings.h"
#include "pages/softmax/settings.h"
#include "pages/training/settings.h"
#include "pages/variants/settings.h"
#include "pages/worked/settings.h"
#include "scene/field.h"

namespace headlight::scene {

#define HEADLIGHT_NAME(name, folder) name,
enum class Page { HEADLIGHT_PAGES(HEADLIGHT_NAME) };
#undef HEADLIGHT_NAME
enum class Tokenizer { chars, words };
enum class Position { none, sinusoidal, sinusoidal_concat };
enum class Combine { mean, max };
enum class AttentionView { matrix, ribbons, arcs };
/// Whose beams and which arcs are drawn: of all queries, or of the pinned one; to the keys of the pinned
/// word, from the queries that attend to it.
enum class BeamsShown { all, chosen };
enum class ArcsShown { both, attends_to, attended_by };
enum class QueryAxis { rows, columns };
/// A matrix of the layer that is shown large, with its numbers.
enum class LayerMatrix { none, x, w_q, w_k, w_v, q, k, v, concatenation, w_o, output };
enum class ClockSpeed { true_speed, logarithmic };
enum class ThemeName { dark, light };
/// How a weight becomes a colour: from 0 to 1; from 0 to where 1 % of the weights share the last colour; by
/// its logarithm from 10⁻⁴ to 1. by_length: up to 64 tokens as unit, of more as automatic.
enum class MapScale { by_length, unit, automatic, log };
enum class Ramp { headlight, viridis, cividis };
/// Where the layer's numbers come from: a seed, the model that the Training page made (or the one that comes
/// with the program), or a file.
enum class WeightsSource { random, trained, file };
/// The window as people with colour-blindness see it; a preview.
enum class ColourVision { full, deuteranopia, protanopia, tritanopia };

struct Scene {
  Page page = Page::attention;
  std::string sentence = "the cat sat on the mat";
  Tokenizer tokenizer = Tokenizer::words;
  IndexList token_ids;  // what a model of another program gets in place of the sentence; empty: the sentence

  int d_model = 32;
  int heads = 4;
  int seed = 7;
  WeightsSource weights = WeightsSource::random;
  std::string weights_file;  // safetensors, or an included model by name; with `trained` also the run that is
                             // used; empty: small-english
  int weights_layer = 1;     // of the model; whose heads the pages show
  int saved_sequence = 0;    // of saved attention: which one of the batch, 0-based

  Position position = Position::sinusoidal;
  double position_base = 10000;
  int position_offset = 0;
  double position_scale = 1;

  bool scale = true;
  double temperature = 1;
  MaskSet mask;
  int window = 2;
  int valid_length = 4;

  IndexList head = {1};  // 1-based, as the keys 1–9 and the titles; empty = all
  Combine combine = Combine::mean;
  IndexList query = {1};  // pinned queries, 0-based; the last one is the one that is asked
  int key = -1;           // pinned key, −1 = none: then the strongest key is opened
  int cell_head = 0;  // of several compared heads the one whose cell is open, 1-based; 0 = their combination
  AttentionView attention_view = AttentionView::matrix;
  BeamsShown beams = BeamsShown::all;
  ArcsShown arcs = ArcsShown::both;
  QueryAxis query_axis = QueryAxis::rows;
  MapScale map_scale = MapScale::by_length;
  bool cell_numbers = true;
  bool bars_sorted = false;
  double least_weight = 0;    // smaller ones are not drawn
  std::string shown_tokens;   // only tokens that contain one of these texts, apart by spaces; empty: all
  bool hide_special = false;  // those with nn::Token::special
  LayerMatrix matrix = LayerMatrix::none;
  int other_query = -1;  // whose weights by offset stand beside those of the asked query; −1 = the next one

  int positions = 60;
  int position_index = 10;
  int position_delta = 5;
  IndexList position_columns = {6, 7, 8, 9};
  int position_pair = 3;
  int position_step = 3;  // build-up: 1 one sinusoid, 2 sine and cosine, 3 all frequencies
  ClockSpeed clock_speed = ClockSpeed::true_speed;
  bool play = false;
  double play_speed = 5;  // positions per second

  // Each further page has settings of its own, in a header of its own.
  WorkedSettings worked;
  ModelPageSettings model;
  SoftmaxSettings softmax;
  OrderSettings order;
  VariantsSettings variants;
  MemorySettings memory;
  CostSettings cost;
  BlockSettings block;
  EncoderDecoderSettings encoder_decoder;
  BenchSettings bench;
  TrainingSettings training;
  PresetsSettings presets;

  ThemeName theme = ThemeName::dark;
  Ramp ramp = Ramp::headlight;
  double interface_scale = 1;
  bool reduced_motion = false;
  ColourVision colour_vision = ColourVision::full;

  bool operator==(const Scene&) const = default;
};

/// visit(field, member) for every field, in the order of the panel. S: Scene or const Scene.
template <class S, class F>
requires std::same_as<std::remove_const_t<S>, Scene>
void fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{"page", "Page", "the page that is open"}, s.page);
  visit(Field{"sentence", "Sentence", "the typed text; the tokenizer splits it", G::none, 0, 0, false, true},
        s.sentence);
  visit(Field{"tokenizer", "Tokenizer", "how the sentence is split into tokens", G::none, 0, 0, false, true},
        s.tokenizer);
  visit(Field{"token_ids", "Token ids",
              "ids that a model of another program gets instead of the sentence; -1 = the sentence", G::none,
              -1, 2147483647, false, true},
        s.token_ids);
  visit(Field{"d_model", "Model width d", "components of each token's vector", G::model, 1, 1024, true, true},
        s.d_model);
  visit(Field{"heads", "Heads", "attention heads; must divide d_model", G::model, 1, 1024, false, true},
        s.heads);
  visit(Field{"seed", "Seed", "determines the random embeddings and projections", G::model, 0, 9999, false,
              true},
        s.seed);
  visit(Field{"weights", "Weights", "random (from the seed), trained (an included model), or from a file",
              G::model, 0, 0, false, true},
        s.weights);
  visit(Field{"weights_file", "Model file",
              "a model trained by Headlight, one of another program, saved attention, or the name of an "
              "included model: small-english (also when empty), pronouns-guided, pronouns-free, dictionary",
              G::none, 0, 0, false, true},
        s.weights_file);
  visit(Field{"weights_layer", "Layer", "the layer of the model whose heads are shown", G::model, 1, 4096,
              false, true},
        s.weights_layer);
  visit(Field{"saved_sequence", "Sequence", "which sequence of a batch of saved attention, counted from 0",
              G::model, 0, 1000000, false, true},
        s.saved_sequence);
  visit(Field{"position", "Positions", "how position is encoded", G::position, 0, 0, false, true},
        s.position);
  visit(Field{"position_scale", "Strength", "factor on the positional encoding", G::position, 0, 4, false,
              true},
        s.position_scale);
  visit(Field{"position_offset", "First position", "position of the first token, and of the first row of P",
              G::position, 0, 1000000, true, true},
        s.position_offset);
  visit(Field{"position_base", "Base", "wavelengths start at 2π and stay below 2π times the base",
              G::position, 1.5, 1000000, true, true},
        s.position_base);
  visit(Field{"scale", "Divide by √d_k", "divide scores by the square root of the head width", G::scores, 0,
              0, false, true},
        s.scale);
  visit(Field{"temperature", "Temperature", "divides the scores; lower is sharper", G::scores, 0.01, 100,
              true, true},
        s.temperature);
  visit(
      Field{"mask", "Mask", "which keys a query may attend to; masks combine", G::scores, 0, 0, false, true},
      s.mask);
  visit(Field{"window", "Window radius", "keys on either side that the window mask allows", G::scores, 0,
              4096, true, true},
        s.window);
  visit(Field{"valid_length", "Tokens before padding", "keys that the valid-length mask allows", G::scores, 0,
              4096, true, true},
        s.valid_length);
  visit(Field{"head", "Heads shown", "heads on the large map, counted from 1; 0 = all", G::none, 0, 1024},
        s.head);
  visit(Field{"combine", "Combine heads by", "how several heads become one map", G::shown}, s.combine);
  visit(Field{"query", "Queries", "pinned queries, counted from 0; the last one is shown in detail", G::none,
              -1, 1000000},
        s.query);
  visit(Field{"key", "Key", "pinned key, counted from 0; -1 = the strongest", G::none, -1, 1000000}, s.key);
  visit(
      Field{"cell_head", "Head of the cell",
            "which of several compared heads has its cell open; 0 = their mean or largest", G::none, 0, 1024},
      s.cell_head);
  visit(
      Field{"attention_view", "View",
            "matrix: a map of cells; ribbons: beams from queries to keys; arcs: arcs over one line of words",
            G::none},
      s.attention_view);
  visit(Field{"beams", "Beams of", "all: of all queries; chosen: of the pinned query alone", G::none},
        s.beams);
  visit(
      Field{
          "arcs", "Arcs of the pinned word",
          "attends_to: to its keys, above the words; attended_by: from the queries that attend to it, below",
          G::none},
      s.arcs);
  visit(Field{"query_axis", "Query axis", "queries as rows (down) or as columns (across)", G::shown},
        s.query_axis);
  visit(
      Field{
          "map_scale", "Colour scale of weights",
          "unit: from 0 to 1; auto: to the 99th percentile of the weights shown, rounded up; log: 10⁻⁴ to 1; "
          "by_length: unit up to 64 tokens, auto beyond",
          G::none},
      s.map_scale);
  visit(Field{"cell_numbers", "Numbers in cells", "write each weight into its cell if it fits", G::shown},
        s.cell_numbers);
  visit(Field{"bars_sorted", "Sorted bars", "bars sorted by weight instead of by position", G::none},
        s.bars_sorted);
  visit(Field{"least_weight", "Least weight", "smaller weights are not drawn; 0 = all are", G::shown, 0, 1},
        s.least_weight);
  visit(
      Field{"hide_special", "Hide special tokens",
            "tokens that the model's tokenizer declares special, but not its mask and unknown token, have no "
            "rows and columns drawn; in saved attention [CLS], </s>, <|endoftext|> and the like",
            G::shown},
      s.hide_special);
  visit(
      Field{"shown_tokens", "Token filter",
            "only tokens that contain one of these texts are drawn, apart by spaces; empty = all", G::shown},
      s.shown_tokens);
  visit(Field{"matrix", "Open matrix", "matrix of the layer whose numbers are shown", G::none}, s.matrix);
  visit(Field{"other_query", "Other query",
              "query whose weights by offset are compared, counted from 0; -1 = the next pinned or the next "
              "query",
              G::none, -1, 1000000},
        s.other_query);
  visit(Field{"positions", "Positions", "rows of P", G::encoding, 1, 4096, true, true}, s.positions);
  visit(Field{"position_index", "Position i", "position that the clocks show, a row of P", G::encoding, 0,
              1004095},
        s.position_index);
  visit(Field{"position_delta", "Offset δ", "distance from the position to the second one", G::encoding,
              -4095, 4095, false, true},
        s.position_delta);
  visit(Field{"position_columns", "Columns", "plotted columns of P", G::none, 0, 65535}, s.position_columns);
  visit(Field{"position_pair", "Pair j", "pair of columns, 2j and 2j + 1, whose rotation is shown",
              G::encoding, 0, 32767},
        s.position_pair);
  visit(Field{"position_step", "Build-up", "1 one sinusoid, 2 sine and cosine, 3 all frequencies", G::none, 1,
              3},
        s.position_step);
  visit(Field{"clock_speed", "Clock speed",
              "true speeds, or logarithmic speeds, which are not those of the encoding", G::motion},
        s.clock_speed);
  visit(Field{"play", "Play", "move the position continuously", G::motion}, s.play);
  visit(Field{"play_speed", "Speed", "positions per second", G::motion, 0.25, 60, true}, s.play_speed);
  fields(s.worked, visit);
  fields(s.model, visit);
  fields(s.softmax, visit);
  fields(s.order, visit);
  fields(s.variants, visit);
  fields(s.memory, visit);
  fields(s.cost, visit);
  fields(s.block, visit);
  fields(s.encoder_decoder, visit);
  fields(s.bench, visit);
  fields(s.training, visit);
  fields(s.presets, visit);
  visit(Field{"theme", "Theme", "dark or light", G::interface}, s.theme);
  visit(
      Field{"ramp", "Colour ramp",
            "Headlight's own ramp, which starts at the panel's colour, or viridis or cividis", G::interface},
      s.ramp);
  visit(Field{"interface_scale", "Interface scale", "size of everything on screen", G::interface, 0.5, 3},
        s.interface_scale);
  visit(Field{"reduced_motion", "Reduced motion", "no transitions and no automatic motion", G::interface},
        s.reduced_motion);
  visit(Field{"colour_vision", "Colour-blindness preview",
              "shows the window as with a colour-vision deficiency", G::interface},
        s.colour_vision);
}

template <>
struct Words<Page> {
#define HEADLIGHT_WORD(name, folder) #name,
  static constexpr const char* list[] = {HEADLIGHT_PAGES(HEADLIGHT_WORD)};
#undef HEADLIGHT_WORD
};
template <>
struct Words<Tokenizer> {
  static constexpr const char* list[] = {"chars", "words"};
};
template <>
struct Words<Position> {
  static constexpr const char* list[] = {"none", "sinusoidal", "sinusoidal_concat"};
};
template <>
struct Words<Combine> {
  static constexpr const char* list[] = {"mean", "max"};
};
template <>
struct Words<AttentionView> {
  static constexpr const char* list[] = {"matrix", "ribbons", "arcs"};
};
template <>
struct Words<BeamsShown> {
  static constexpr const char* list[] = {"all", "chosen"};
};
template <>
struct Words<ArcsShown> {
  static constexpr const char* list[] = {"both", "attends_to", "attended_by"};
};
template <>
struct Words<QueryAxis> {
  static constexpr const char* list[] = {"rows", "columns"};
};
template <>
struct Words<LayerMatrix> {
  static constexpr const char* list[] = {"none", "x", "w_q",           "w_k", "w_v",   "q",
                                         "k",    "v", "concatenation", "w_o", "output"};
};
template <>
struct Words<ClockSpeed> {
  static constexpr const char* list[] = {"true", "logarithmic"};
};
template <>
struct Words<WeightsSource> {
  static constexpr const char* list[] = {"random", "trained", "file"};
};
template <>
struct Words<ColourVision> {
  static constexpr const char* list[] = {"full", "deuteranopia", "protanopia", "tritanopia"};
};
template <>
struct Words<MapScale> {
  static constexpr const char* list[] = {"by_length", "unit", "auto", "log"};
};
template <>
struct Words<Ramp> {
  static constexpr const char* list[] = {"headlight", "viridis", "cividis"};
};
template <>
struct Words<ThemeName> {
  static constexpr const char* list[] = {"dark", "light"};
};

}  // namespace headlight::scene
