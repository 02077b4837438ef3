// Everything that a person can set, in one plain struct. setting.h has the one list that names it.
#pragma once

#include <string>
#include <vector>

#include "pages/attention/settings.h"
#include "pages/block/encoder_decoder_settings.h"
#include "pages/block/settings.h"
#include "pages/compare/settings.h"
#include "pages/cost/settings.h"
#include "pages/list.h"
#include "pages/memory/settings.h"
#include "pages/model/settings.h"
#include "pages/order/settings.h"
#include "pages/position/settings.h"
#include "pages/presets/settings.h"
#include "pages/softmax/settings.h"
#include "pages/training/settings.h"
#include "pages/variants/settings.h"
#include "pages/worked/settings.h"
#include "scene/field.h"

namespace headlight::scene {

#define HEADLIGHT_NAME(name, word, ...) name,
enum class Page { HEADLIGHT_PAGES(HEADLIGHT_NAME) };
#undef HEADLIGHT_NAME
/// The traits are in the page's row in the list of pages.
constexpr bool has_trait(Page page, unsigned trait) {
  using namespace page_traits;
#define HEADLIGHT_TRAITS(name, word, traits) (traits),
  constexpr unsigned of_pages[] = {HEADLIGHT_PAGES(HEADLIGHT_TRAITS)};
#undef HEADLIGHT_TRAITS
  return (of_pages[static_cast<unsigned>(page)] & trait) != 0;
}
enum class Tokenizer { chars, words };
enum class Position { none, sinusoidal, sinusoidal_concat };
enum class Combine { mean, max };
enum class QueryAxis { rows, columns };
enum class ThemeName { dark, light };
/// How a weight becomes a colour: from 0 to 1; from 0 to the weight above which 1 % of the weights share the
/// last colour; by its logarithm from 10⁻⁴ to 1. by_length: unit up to 64 tokens, automatic for more.
enum class MapScale { by_length, unit, automatic, log };
enum class Ramp { headlight, viridis, cividis };
/// Where the layer's numbers come from: a seed, the model that the Training page made (or the one included
/// with the program), or a file.
enum class WeightsSource { random, trained, file };
/// The window as people with colour-blindness see it; a preview.
enum class ColorVision { off, deuteranopia, protanopia, tritanopia };

/// Its own members are what several pages share: the sentence, the model, how positions are encoded, scores
/// and masks, what is pinned and how weights are drawn, the interface.
struct Scene {
  // Defined in scene.cpp: each is about 3 KB of code wherever a scene is copied or destroyed.
  Scene();
  Scene(const Scene&);
  Scene(Scene&&) noexcept;
  Scene& operator=(const Scene&);
  Scene& operator=(Scene&&) noexcept;
  ~Scene();

  Page page = Page::attention;
  std::string sentence = "the cat sat on the mat";
  Tokenizer tokenizer = Tokenizer::words;
  IndexList token_ids;  // what a model of another program gets instead of the sentence; empty: the sentence

  int d_model = 32;
  int heads = 4;
  int seed = 7;
  WeightsSource weights = WeightsSource::random;
  std::string weights_file;  // safetensors, or an included model by name; with `trained` also the run that is
                             // used; empty: small-english
  int weights_layer = 1;     // of the model: the layer whose heads the pages show
  int saved_sequence = 0;    // of saved attention: index in the batch, 0-based

  Position position = Position::sinusoidal;
  double position_base = 10000;
  int position_offset = 0;
  double position_scale = 1;

  bool scale = true;
  double temperature = 1;
  MaskSet mask;
  int window = 2;
  int valid_length = 4;

  IndexList head = {1};  // 1-based, like the keys 1–9 and the titles; empty = all
  Combine combine = Combine::mean;
  IndexList query = automatic_choice();  // pinned queries, 0-based; the last one is shown in detail
  int key = -1;                          // pinned key; −1 = none: then the strongest key is opened
  int cell_head = 0;  // of several compared heads, the one whose cell is open, 1-based; 0 = their combination
  QueryAxis query_axis = QueryAxis::rows;
  MapScale map_scale = MapScale::by_length;
  bool cell_numbers = true;
  std::string shown_tokens;   // only tokens that contain one of these texts, separated by spaces; empty: all
  bool hide_special = false;  // hides tokens with nn::Token::special

  // The settings of one page alone, in its own header.
  AttentionSettings attention;
  PositionSettings positions;  // `position` is how all pages encode positions
  WorkedSettings worked;
  ModelPageSettings model;
  SoftmaxSettings softmax;
  OrderSettings order;
  VariantsSettings variants;
  MemorySettings memory;
  CostSettings cost;
  BlockSettings block;
  EncoderDecoderSettings encoder_decoder;
  CompareSettings compare;
  TrainingSettings training;
  PresetsSettings presets;

  ThemeName theme = ThemeName::dark;
  Ramp ramp = Ramp::headlight;
  double interface_scale = 1;
  bool reduced_motion = false;
  ColorVision colour_vision = ColorVision::off;

  bool operator==(const Scene&) const = default;
};

/// Calls visit(settings) for the own settings of each page, in the order of the panel.
template <class F>
void of_pages(const Scene& s, F&& visit) {
  visit(s.attention);
  visit(s.positions);
  visit(s.worked);
  visit(s.model);
  visit(s.softmax);
  visit(s.order);
  visit(s.variants);
  visit(s.memory);
  visit(s.cost);
  visit(s.block);
  visit(s.encoder_decoder);
  visit(s.compare);
  visit(s.training);
  visit(s.presets);
}

template <>
struct Words<Page> {
#define HEADLIGHT_WORD(name, word, ...) #word,
  static constexpr const char* list[] = {HEADLIGHT_PAGES(HEADLIGHT_WORD)};
#undef HEADLIGHT_WORD
#define HEADLIGHT_ALSO(name, word, ...) #name,
  static constexpr const char* also[] = {HEADLIGHT_PAGES(HEADLIGHT_ALSO)};  // understood, never written
#undef HEADLIGHT_ALSO
};
template <>
struct Words<Tokenizer> {
  static constexpr const char* list[] = {"chars", "words"};
};
template <>
struct Words<Position> {
  static constexpr const char* list[] = {"none", "sinusoidal", "sinusoidal_concat"};
  static constexpr const char* labels[] = {"none", "sin/cos", "concat"};
};
template <>
struct Words<Combine> {
  static constexpr const char* list[] = {"mean", "max"};
};
template <>
struct Words<QueryAxis> {
  static constexpr const char* list[] = {"rows", "columns"};
};
template <>
struct Words<WeightsSource> {
  static constexpr const char* list[] = {"random", "trained", "file"};
};
template <>
struct Words<ColorVision> {
  static constexpr const char* list[] = {"off", "deuteranopia", "protanopia", "tritanopia"};
  static constexpr const char* labels[] = {"off", "deutan", "protan", "tritan"};
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
