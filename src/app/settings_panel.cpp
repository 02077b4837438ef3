#include "app/settings_panel.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "app/suggestions.h"
#include "pages/block/encoder_decoder.h"
#include "pages/page.h"
#include "pages/training/training.h"
#include "pages/worked/worked.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

using scene::Field;
using scene::Group;
using scene::Scene;

bool named(const Field& field, const char* name) {
  return std::strcmp(field.name, name) == 0;
}

bool of_model(const Scene& scene) {
  return scene.weights != scene::WeightsSource::random;
}

/// The heading under which a field stands on the open page; empty where it does not belong.
std::string section(const Field& field, const Scene& scene) {
  if (field.group == Group::interface) return "interface";
  const bool file = named(field, "weights_file");
  if (field.group == Group::none && !file) return {};
  const scene::PageRoom& room = scene::room_of(scene.page);
  const auto own = scene::own_page(field);
  if (own && *own != scene.page) return {};
  if (const char* heading = room.heading ? room.heading(field, scene) : nullptr) return heading;
  const scene::PageUses uses = room.uses(scene);
  using Model = scene::PageUses::Model;
  switch (field.group) {
    case Group::model:
    case Group::none:
      if (uses.model == Model::none) return {};
      if (file && !of_model(scene)) return {};
      if (named(field, "weights_layer") && (!of_model(scene) || uses.model != Model::layer)) return {};
      return "model";
    case Group::position:
      if (!uses.positions) return {};
      return !named(field, "position") && scene.position == scene::Position::none ? "" : "position";
    case Group::scores:
      if (!uses.scores) return {};
      if (named(field, "window") && !scene.mask.window) return {};
      if (named(field, "valid_length") && !scene.mask.valid_length) return {};
      return "scores";
    case Group::shown:
      return "shown";
    case Group::encoding:
      return "encoding";
    case Group::motion:
      return "motion";
    default: {  // a page's own settings stand under its name
      std::string title = room.title;
      title.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(title.front())));
      return title;
    }
  }
}

/// How many layers there are to choose from: the model's, or those of random weights.
int layers_of(const Scene& scene, const scene::Results& results) {
  return results.model && of_model(scene) ? results.model->config.layers : scene.block.layers;
}

/// The largest value that means something in this scene, within the field's own range.
double useful_max(const Field& field, const Scene& scene, const scene::Results& results) {
  const int tokens = results.attention.T;
  if (named(field, "block_layer") || named(field, "weights_layer")) return layers_of(scene, results);
  if (named(field, "block_encdec_step") && results.encoder_decoder)
    return std::max<double>(1, static_cast<double>(results.encoder_decoder->decoded.size()));
  if (named(field, "position_index")) return scene.position_offset + scene.positions - 1;
  if (named(field, "position_delta")) return std::max(1, scene.positions - 1);
  if (named(field, "position_pair")) return std::max(1, scene.d_model / 2 - 1);
  if (named(field, "window") || named(field, "valid_length"))
    return std::clamp(tokens, 4, static_cast<int>(field.max));
  if (named(field, "seed")) return 99;
  return field.max;
}

/// How an enumeration's words read on a button.
std::string_view button_word(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 29> shorter{
      {{"sinusoidal", "sin/cos"},
       {"sinusoidal_concat", "concat"},
       {"logarithmic", "log"},
       {"valid_length", "valid"},
       {"elu1", "elu + 1"},
       {"two_relations", "two relations"},
       {"deuteranopia", "deutan"},
       {"protanopia", "protan"},
       {"tritanopia", "tritan"},
       {"encoder_decoder", "encoder–decoder"},
       {"one_head", "one head"},
       {"no_positions", "no positions"},
       {"one_sided", "one-sided"},
       {"no_guide", "no guide"},
       {"no_residuals", "no residuals"},
       {"no_norms", "no layer norms"},
       {"no_feed_forward", "no feed-forward"},
       {"no_dropout", "no dropout"},
       {"every_position", "every position"},
       {"gelu", "GELU"},
       {"relu", "ReLU"},
       {"gelu_erf", "GELU, x Φ(x)"},
       {"gelu_tanh", "GELU, tanh"},
       {"xavier", "Xavier"},
       {"normal", "normal 0.02"},
       {"t5", "T5"},
       {"alibi", "ALiBi"},
       {"rope", "RoPE"},
       {"interleaved", "2j, 2j + 1"}}};
  for (const auto& [from, to] : shorter) {
    if (word == from) return to;
  }
  return word;
}

/// One control for each field; what a control changed is in `next`, and `label` names the drag it belongs to.
struct Controls {
  screen::Ui& ui;
  const Scene& before;
  Scene& next;
  const scene::Results& results;
  const std::function<void(const char* title, const char* ending)>& ask_for_file;
  std::string changed = {};  // name of the field, empty = none
  bool active = false;       // it is being dragged or typed into
  bool suggested = false;
  std::string last_section;

  template <class V>
  void operator()(const Field& field, V& value) {
    const std::string part = section(field, before);
    if (part.empty()) return;
    if (part != last_section) {
      // What to try stands between what is computed and how it is shown.
      if (!suggested && (field.group == Group::shown || field.group == Group::interface) &&
          has_suggestions(before)) {
        suggested = true;
        if (suggestions(ui, next, results)) changed = "try", active = false;
      }
      ui.header(part);
      last_section = part;
    }
    show(field, value);
  }

  template <class V>
  void show(const Field& field, V& value) {
    V fallback{};
    scene::fields(default_scene(), [&](const Field& other, const auto& v) {
      if constexpr (std::is_same_v<std::decay_t<decltype(v)>, V>) {
        if (named(other, field.name)) fallback = v;
      }
    });
    const screen::Response response = given_by_model(field) ? told(field) : control(field, value, fallback);
    if (response.changed) changed = field.name, active = response.active;
  }

  static const Scene& default_scene() {
    static const Scene scene;
    return scene;
  }

  screen::Response control(const Field& field, bool& value, bool) {
    return ui.toggle(field.label, value, field.help);
  }

  template <class N>
  requires(std::same_as<N, int> || std::same_as<N, double>) screen::Response
      control(const Field& field, N& value, N fallback) {
    std::vector<int> allowed;
    if (named(field, "heads")) allowed = scene::divisors(before.d_model);
    double max = useful_max(field, before, results), min = field.min;
    if (named(field, "position_delta")) min = -max;
    if (named(field, "position_index")) min = before.position_offset;
    // What was typed beyond the useful stays reachable; but beyond the last layer, the last one is shown.
    const bool to_the_last = named(field, "block_layer") || named(field, "block_encdec_step");
    N shown = to_the_last ? std::min(value, static_cast<N>(max)) : value;
    max = std::max(max, static_cast<double>(shown));
    const screen::Response response = ui.slider({.label = field.label,
                                                 .min = min,
                                                 .max = max,
                                                 .logarithmic = field.logarithmic,
                                                 .integer = std::same_as<N, int>,
                                                 .allowed = allowed,
                                                 .fallback = static_cast<double>(fallback),
                                                 .help = field.help},
                                                shown);
    if (response.changed) value = shown;
    return response;
  }

  template <scene::Worded E>
  screen::Response control(const Field& field, E& value, E) {
    std::vector<std::string_view> options;
    for (const char* word : scene::Words<E>::list) options.push_back(button_word(word));
    if constexpr (std::same_as<E, scene::Position>) {
      // A model has no width beside its own for positions: concat is not offered.
      if (results.model && of_model(before)) options.pop_back();
    }
    int index = static_cast<int>(value);
    constexpr std::size_t most_side_by_side = 4;  // more do not fit beside each other
    if (options.size() > most_side_by_side || std::same_as<E, nn::Activation> ||
        std::same_as<E, scene::BlockActivation>)
      return chips(field, options, value);
    const screen::Response response =
        ui.segmented({.name = field.name, .options = options, .label = labelled(field)}, index);
    if (response.changed) value = static_cast<E>(index);
    return response;
  }

  /// One of many words, over several lines.
  template <class E>
  screen::Response chips(const Field& field, const std::vector<std::string_view>& options, E& value) {
    ui.label(field.label, 13);
    ui.begin_flow(6);
    screen::Response all;
    for (std::size_t i = 0; i < options.size(); ++i) {
      if constexpr (std::same_as<E, scene::TrainingCompare>) {
        scene::TrainingSettings possible = before.training;  // a run beside it that is the same is no choice
        possible.compare = static_cast<E>(i);
        scene::repair(possible);
        if (possible.compare != static_cast<E>(i)) continue;
      }
      bool chosen = static_cast<std::size_t>(value) == i;
      const std::string label(options[i]), name = std::string(field.name) + ' ' + label;
      if (ui.chip({.label = label, .help = field.help, .name = name}, chosen).changed && chosen)
        value = static_cast<E>(i), all.changed = true;
    }
    ui.end_flow();
    return all;
  }

  screen::Response control(const Field& field, scene::MaskSet& value, const scene::MaskSet&) {
    ui.label(field.label, 13);
    ui.begin_flow(6);
    screen::Response all;
    bool none = !value.causal && !value.window && !value.valid_length;
    if (ui.chip({.label = "none", .help = "every query may attend to every key", .name = "mask none"}, none)
            .changed &&
        none) {
      value = {}, all.changed = true;
    }
    all.changed |=
        ui.chip({.label = "causal", .help = "no key after the query", .name = "mask causal"}, value.causal)
            .changed;
    all.changed |=
        ui.chip({.label = "window", .help = "only keys near the query", .name = "mask window"}, value.window)
            .changed;
    all.changed |= ui.chip({.label = "valid length",
                            .help = "only the first keys: the rest is padding",
                            .name = "mask valid_length"},
                           value.valid_length)
                       .changed;
    ui.end_flow();
    return all;
  }

  /// Which of the models that come with the program; none of them while a run's weights are used.
  screen::Response included(std::string& value) {
    ui.label("included model", 13);
    ui.begin_flow(6);
    screen::Response all;
    const std::string now = value.empty() ? scene::included_models()[0] : value;
    for (const char* name : scene::included_models()) {
      bool chosen = now == name;
      if (ui.chip({.label = name, .help = "comes with the program", .name = std::string("model ") + name},
                  chosen)
              .changed &&
          chosen)
        value = name, all.changed = true;
    }
    ui.end_flow();
    return all;
  }

  screen::Response control(const Field& field, std::string& value, const std::string&) {
    if (named(field, "weights_file") && before.weights == scene::WeightsSource::trained)
      return included(value);
    ui.label(field.label, 13);
    const std::string problem = problem_of(field);
    const screen::Response response = ui.text_field(
        {.name = field.name, .help = field.help, .height = 32, .size = 13, .problem = !problem.empty()},
        value);
    if (!problem.empty()) ui.problem(problem);
    if (named(field, "weights_file") && ask_for_file &&
        ui.button({.label = "choose a file…", .help = "a model that Headlight trained, .safetensors"}))
      ask_for_file("Show the weights of a model", ".safetensors");
    return response;
  }
  screen::Response control(const Field&, scene::IndexList&, const scene::IndexList&) { return {}; }

 private:
  /// The layer's sizes are the model's: told, not asked.
  bool given_by_model(const Field& field) const {
    const bool drawn =
        std::string_view(field.name) == "seed" && scene::room_of(before.page).uses(before).seed;
    return results.model && !drawn && scene::given_by_model(before, field.name);
  }

  screen::Response told(const Field& field) {
    const std::string help = std::string("given by ") + results.weights_source;
    std::string shown = named(field, "seed") ? "–" : scene::told_value(before, field.name);
    std::replace(shown.begin(), shown.end(), '_', ' ');
    double unused = 0;
    ui.slider({.label = field.label, .help = help, .shown = shown, .enabled = false}, unused);
    if (named(field, "seed")) {
      ui.paragraph(help, 12);
      ui.gap(8);
    }
    return {};
  }

  /// Why what stands in a text field is not in effect.
  std::string problem_of(const Field& field) const {
    if (named(field, "weights_file")) return results.weights_problem;
    if (results.worked && named(field, results.worked->problem_field)) return results.worked->problem;
    return {};
  }

  static std::string_view labelled(const Field& field) {
    // The section's own heading already says it.
    return named(field, "position") ? std::string_view() : std::string_view(field.label);
  }
};

}  // namespace

void settings_panel(screen::Ui& ui, draw::Box pixels, Session& session, double now) {
  if (ui.begin_panel("settings", pixels, ui.theme().panel, 18)) {
    Scene next = session.scene();
    Controls controls{.ui = ui,
                      .before = session.scene(),
                      .next = next,
                      .results = session.results(),
                      .ask_for_file = session.ask_for_file};
    scene::fields(next, [&](const Field& field, auto& value) { controls(field, value); });
    if (!controls.changed.empty())
      session.change(std::move(next), controls.active ? controls.changed : "", now);
    ui.gap(12);
  }
  ui.end_panel();
}

void lesson_controls(screen::Ui& ui, const std::vector<std::string>& names, Session& session, double now) {
  Scene next = session.scene();
  Controls controls{.ui = ui,
                    .before = session.scene(),
                    .next = next,
                    .results = session.results(),
                    .ask_for_file = session.ask_for_file};
  for (const std::string& name : names) {
    scene::fields(next, [&](const Field& field, auto& value) {
      if (name == field.name) controls.show(field, value);
    });
  }
  if (!controls.changed.empty())
    session.change(std::move(next), controls.active ? controls.changed : "", now);
}

}  // namespace headlight::app
