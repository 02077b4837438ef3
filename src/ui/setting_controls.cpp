#include "ui/setting_controls.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include "pages/controls.h"
#include "scene/named_number.h"
#include "scene/other_model.h"
#include "scene/setting_rules.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "session/model_list.h"
#include "ui/scene_chips.h"

namespace headlight::app {

using scene::Field;
using screen::Response;

namespace {

/// The default value of a number.
double default_of(const Field& field) {
  static const scene::Scene scene;
  return scene::find_setting(field.name)->visit(scene, [](const auto& value) -> double {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) return value;
    return 0;
  });
}

/// The step of the picture, which is the kept one nearest to a step that a file or a lesson names.
double nearest_kept(const std::vector<int>& numbers, double step) {
  if (step < 0) return -1;
  const auto nearer = [step](int a, int b) { return std::abs(a - step) < std::abs(b - step); };
  return *std::min_element(numbers.begin() + 1, numbers.end(), nearer);
}

std::string spaced(std::string words) {
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace

std::string_view word_for(const Field& field, double value) {
  if (field.below_zero && value < 0) return field.below_zero;
  return field.at_zero && value == 0 ? field.at_zero : "";
}

void SettingControls::note(const Field& field, const Response& response) {
  if (response.changed) changed_ = field.name, active_ = response.active;
}

void SettingControls::finish(double now) {
  if (!changed_.empty()) session_.change(std::move(next), active_ ? changed_ : "", now);
}

bool SettingControls::given(const Field& field) const {
  return (results().model || results().opened || scene::other_model(before())) &&
         scene::fixed_by_model(field, before());
}

std::string SettingControls::given_words(const Field& field) const {
  if (field.of_random) return {};
  return std::string(field.label) + " " + spaced(scene::value_in_words(before(), field.name));
}

Response SettingControls::reported(const Field& field) {
  const std::string help = "given by " + scene::sizes_given_by(before(), results());
  const std::string shown = field.of_random ? "–" : spaced(scene::value_in_words(before(), field.name));
  double unused = 0;
  ui_.slider({.label = field.label, .help = help, .shown = shown, .enabled = false}, unused);
  if (field.of_random) {
    ui_.paragraph(help, 12);
    ui_.gap(8);
  }
  return {};
}

Response SettingControls::control(const Field& field, bool& value) {
  return ui_.toggle(field.label, value, field.help);
}

Response SettingControls::control(const Field& field, int& value) {
  return number(field, value);
}

Response SettingControls::control(const Field& field, double& value) {
  return number(field, value);
}

template <class N>
Response SettingControls::number(const Field& field, N& value) {
  const scene::Range range = scene::useful_range(field, before(), results());
  const std::vector<int> possible =
      scene::possible_numbers(field, {before(), results(), session_.training().latest().get()});
  N shown = field.to_the_last ? std::min(value, static_cast<N>(range.max)) : value;
  if (!field.possible && !possible.empty()) shown = static_cast<N>(nearest_kept(possible, shown));
  const Response response = ui_.slider({.label = field.label,
                                        .min = range.min,
                                        // A typed value beyond the useful range stays reachable.
                                        .max = std::max(range.max, static_cast<double>(shown)),
                                        .logarithmic = field.logarithmic,
                                        .integer = std::same_as<N, int>,
                                        .allowed = possible,
                                        .fallback = default_of(field),
                                        .help = field.help,
                                        .shown = word_for(field, value),
                                        .beside = beside_},
                                       shown);
  if (response.changed) value = shown;
  return response;
}

Response SettingControls::control(const Field& field, scene::SettableWord& value) {
  constexpr std::size_t most_side_by_side = 4;
  if (value.list().size() > most_side_by_side || field.long_words) return chips(field, value);
  std::vector<std::string> labels;
  std::vector<int> offered;
  for (int i = 0; i < static_cast<int>(value.list().size()); ++i) {
    if (!scene::offers(field, i, before(), results())) continue;
    labels.push_back(value.label(i)), offered.push_back(i);
  }
  // The chip names the model's own encoding; the choice here is added to it.
  if (const std::string own = value.is<scene::Position>() ? model_position(results()) : ""; !own.empty())
    ui_.paragraph(own + ", the model’s own; added to the embeddings:", 12);
  int index = static_cast<int>(std::find(offered.begin(), offered.end(), value.index()) - offered.begin());
  const std::vector<std::string_view> options(labels.begin(), labels.end());
  const std::string_view label = field.labelled_by_heading ? "" : field.label;
  const Response response = ui_.segmented({.name = field.name, .options = options, .label = label}, index);
  if (response.changed) value.set(offered[static_cast<std::size_t>(index)]);
  return response;
}

Response SettingControls::chips(const Field& field, scene::SettableWord& value) {
  ui_.label(field.label, 13);
  ui_.begin_flow(6);
  Response all;
  for (int i = 0; i < static_cast<int>(value.list().size()); ++i) {
    if (!scene::offers(field, i, before(), results())) continue;
    bool chosen = value.index() == i;
    const std::string label = value.label(i), name = std::string(field.name) + ' ' + label;
    if (ui_.chip({.label = label, .help = field.help, .name = name}, chosen).changed && chosen)
      value.set(i), all.changed = true;
  }
  ui_.end_flow();
  return all;
}

Response SettingControls::control(const Field&, scene::MaskSet& value) {
  ui_.begin_flow(6);
  Response all;
  bool none = value == scene::MaskSet{};
  if (ui_.chip({.label = "none", .help = "every query may attend to every key", .name = "mask none"}, none)
          .changed &&
      none) {
    value = {}, all.changed = true;
  }
  struct Part {
    const char *label, *help, *name;
    bool& on;
  };
  for (const Part& part :
       {Part{"causal", "no key after the query", "mask causal", value.causal},
        Part{"window", "only keys near the query", "mask window", value.window},
        Part{"valid", "only the first keys: the rest is padding", "mask valid_length", value.valid_length}})
    all.changed |= ui_.chip({.label = part.label, .help = part.help, .name = part.name}, part.on).changed;
  ui_.end_flow();
  return all;
}

Response SettingControls::control(const Field& field, scene::IndexList& value) {
  if (!field.useful) return {};
  const scene::Range range = scene::useful_range(field, before(), results());
  if (range.max > scene::most_chips) return {};
  ui_.label(field.label, 13);
  ui_.begin_flow(6);
  Response all;
  for (int i = std::max(1, static_cast<int>(range.min)); i <= static_cast<int>(range.max); ++i) {
    const std::string label = std::to_string(i), name = std::string(field.name) + ' ' + label;
    bool chosen = std::find(value.begin(), value.end(), i) != value.end();
    if (ui_.chip({.label = label, .help = field.help, .name = name}, chosen).changed)
      value = {i}, all.changed = true;
  }
  ui_.end_flow();
  return all;
}

Response SettingControls::included_models(std::string& value) {
  ui_.begin_flow(6);
  Response all;
  const std::string now = value.empty() ? scene::included_models()[0] : value;
  for (const char* name : scene::included_models()) {
    bool chosen = now == name;
    const std::string control = std::string("model ") + name;
    if (!ui_.chip({.label = name, .help = "included in the program", .name = control}, chosen).changed ||
        !chosen)
      continue;
    value = name, all.changed = true;
    for (const std::string& one : included_model_settings(name)) (void)scene::set_field(next, one);
  }
  ui_.end_flow();
  return all;
}

Response SettingControls::control(const Field& field, std::string& value) {
  if (field.names == scene::TextNames::model && before().weights == scene::WeightsSource::trained)
    return included_models(value);
  ui_.label(field.label, 13);
  const std::string problem = scene::problem_of(field, results());
  const Response response = ui_.text_field(
      {.name = field.name, .help = field.help, .height = 32, .size = 13, .problem = !problem.empty()}, value);
  if (!problem.empty()) ui_.problem(problem);
  if (session_.ask_for_file) ask_for_file(field);
  return response;
}

/// The button below a text that names a file.
void SettingControls::ask_for_file(const Field& field) {
  switch (field.names) {
    case scene::TextNames::nothing:
    case scene::TextNames::text:  // the Training page asks for it
      return;
    case scene::TextNames::model:
      if (ui_.button({.label = "Choose a file…",
                      .help = "a model that Headlight trained, or one from another program: a folder, "
                              ".safetensors, ckpt.pt, .bin; or saved attention: .npz, .npy, .safetensors, "
                              ".pt"}))
        session_.ask_for_file({.title = "Show the weights of a model, or saved attention",
                               .ending = ".safetensors .pt .bin .npz .npy"});
      return;
    case scene::TextNames::saved_attention:
      if (ui_.button({.label = "Choose a run…",
                      .help = "saved attention, from a run of your own: .npz, .npy, .safetensors, .pt"}))
        session_.ask_for_file({.title = "Compare with saved attention",
                               .ending = ".npz .npy .safetensors .pt",
                               .setting = field.name});
      return;
  }
}

}  // namespace headlight::app
