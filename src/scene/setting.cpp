#include "scene/setting.h"

#include <algorithm>

#include "scene/field_values.h"

namespace headlight::scene {

namespace {

/// Calls visit(field, member) for every setting. Each is named once, here or beside its page's struct.
template <class F>
void list_fields(const Scene& s, F&& visit) {
  using G = Group;
  visit(Field{"page", "Page", "the page that is open"}, s.page);
  visit(Field{"sentence", "Sentence", "the typed text; the tokenizer splits it", G::none, 0, 0, false, true},
        s.sentence);
  visit(Field{"tokenizer", "Tokenizer", "how the sentence is split into tokens", G::none, 0, 0, false, true},
        s.tokenizer);
  visit(Field{"token_ids", "Token ids",
              "ids that a model from another program gets instead of the sentence; -1 = the sentence",
              G::none, -1, 2147483647, false, true},
        s.token_ids);
  visit(Field{"d_model", "Model width d", "components of each token’s vector", G::model, 1, 1024, true, true},
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
              "a model trained by Headlight, one from another program, saved attention, or the name of an "
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
  visit(Field{"valid_length", "Tokens before padding", "keys that the padding mask (valid length) allows",
              G::scores, 0, 4096, true, true},
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
  visit(Field{"least_weight", "Smallest weight drawn", "smaller weights are not drawn; 0: all are drawn",
              G::shown, 0, 1},
        s.least_weight);
  visit(
      Field{"hide_special", "Hide special tokens",
            "tokens that the model’s tokenizer declares special, but not its mask and unknown token, have no "
            "rows and columns drawn; in saved attention [CLS], </s>, <|endoftext|> and the like",
            G::shown},
      s.hide_special);
  visit(Field{"shown_tokens", "Token filter",
              "only tokens that contain one of these texts, separated by spaces, are drawn; empty: all are",
              G::shown},
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
  of_pages(s, [&](const auto& own) { list_fields(own, visit); });
  visit(Field{"theme", "Theme", "dark or light", G::interface}, s.theme);
  visit(
      Field{"ramp", "Colour ramp",
            "Headlight’s own ramp, which starts at the panel’s colour, or viridis or cividis", G::interface},
      s.ramp);
  visit(Field{"interface_scale", "Interface scale", "size of everything on screen", G::interface, 0.5, 3},
        s.interface_scale);
  visit(Field{"reduced_motion", "Reduced motion", "no transitions and no automatic motion", G::interface},
        s.reduced_motion);
  visit(
      Field{"colour_vision", "Colour-blindness preview",
            "shows the window as people with a colour-vision deficiency see it; off: as it is", G::interface},
      s.colour_vision);
}

/// The settings, and the range of those of the Training page.
struct All {
  std::vector<Setting> list;
  std::size_t training = 0, after_training = 0, offset_of_training = 0;
};

const All& all() {
  static const All found = [] {
    All out;
    const Scene scene;
    const char* const training = reinterpret_cast<const char*>(&scene.training);
    const auto add = [&](const Field& field, const auto& member) {
      const auto within = reinterpret_cast<const char*>(&member) - training;
      if (within >= 0 && static_cast<std::size_t>(within) < sizeof scene.training) {
        if (out.after_training == 0) out.training = out.list.size();
        out.after_training = out.list.size() + 1;
      }
      out.list.emplace_back(field, member, scene);
    };
    list_fields(scene, add);
    out.offset_of_training = static_cast<std::size_t>(training - reinterpret_cast<const char*>(&scene));
    return out;
  }();
  return found;
}

template <class T>
const T& as(const char* at) {
  return *reinterpret_cast<const T*>(at);
}

}  // namespace

std::span<const Setting> settings() {
  return all().list;
}

std::span<const Setting> training_settings() {
  const All& every = all();
  return settings().subspan(every.training, every.after_training - every.training);
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const Setting& one : settings()) names.emplace_back(one.field.name);
  return names;
}

const Setting* find_setting(std::string_view name) {
  for (const Setting& one : settings()) {
    if (name == one.field.name) return &one;
  }
  return nullptr;
}

std::size_t Setting::within_training() const {
  return offset_ - all().offset_of_training;
}

std::string Setting::text_at(const char* at) const {
  return visit_at(at, [&](const auto& value) { return value_text(field, value); });
}

base::Status Setting::read_at(char* at, std::string_view text) const {
  if (type == Type::word) {
    const base::Result<int> index = parse_word(text, words_->list);
    if (!index) return base::Error{index.error()};
    words_->put(at, *index);
    return {};
  }
  return visit_at(at, [&](auto& value) -> base::Status {
    if constexpr (!std::derived_from<std::decay_t<decltype(value)>, Word>) {
      auto read = parse_value(field, text, &value);
      if (!read) return base::Error{read.error()};
      value = std::move(*read);
    }
    return {};
  });
}

bool Setting::same_at(const char* a, const char* b) const {
  if (type == Type::word) return words_->index(a) == words_->index(b);
  return visit_at(a, [&](const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::derived_from<Value, Word>)
      return true;
    else
      return value == as<Value>(b);
  });
}

void Setting::copy_at(const char* from, char* to) const {
  if (type == Type::word) return words_->put(to, words_->index(from));
  visit_at(to, [&](auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (!std::derived_from<Value, Word>) value = as<Value>(from);
  });
}

}  // namespace headlight::scene
