#include "ui/settings_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "models/opened_model.h"
#include "pages/page.h"
#include "pages/training/training.h"
#include "pages/worked/worked.h"
#include "pictures/pages.h"
#include "scene/other_model.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "session/model_list.h"
#include "session/setting_words.h"

namespace headlight::app {

namespace {

using scene::Field;
using scene::Group;
using scene::Scene;

/// Scrolls to the next item if it is not visible.
void bring_into_view(const screen::Ui& ui) {
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
  const float here = ImGui::GetCursorScreenPos().y;
  if (here < top || here + ui.px(48) > bottom) ImGui::SetScrollHereY(0.5f);
}

/// One control for each field; `next` has the changed value, and `label` names the drag that the change
/// belongs to.
struct Controls {
  screen::Ui& ui;
  const Scene& before;
  Scene& next;
  const scene::Results& results;
  const std::function<void(const char* title, const char* ending, const char* setting)>& ask_for_file;
  float beside = 0;         // units of labels to the left of their tracks; 0: labels are above the tracks
  std::string wanted = {};  // a field to scroll into view
  std::span<const char* const> on_cards = {};  // fields whose control is on a card
  std::string changed = {};                    // name of the field, empty = none
  bool active = false;                         // it is being dragged or typed into
  std::string last_heading = {}, given = {};

  template <class V>
  void operator()(const Field& field, V& value) {
    const bool on_card =
        std::find(on_cards.begin(), on_cards.end(), std::string_view(field.name)) != on_cards.end();
    if (on_card) return;
    const std::string heading = heading_of(field, before);
    if (heading.empty()) return;
    if (heading != last_heading) {
      tell_given();
      if (!last_heading.empty()) ui.gap(10);
      ui.label(base::capital(heading), 14, draw::Font::semibold);
      ui.gap(2);
      last_heading = heading;
    }
    if (wanted == field.name) bring_into_view(ui);
    if (given_by_model(field)) {
      if (named(field, "seed")) return;
      std::string words = scene::told_value(before, field.name);
      std::replace(words.begin(), words.end(), '_', ' ');
      given += (given.empty() ? "" : " · ") + std::string(field.label) + " " + words;
      return;
    }
    show(field, value);
  }

  /// Settings that the model gives are listed on one line, and have no control.
  void tell_given() {
    if (given.empty()) return;
    ui.paragraph(given + ", given by " + sizes_given_by(before, results), 12);
    given.clear();
  }

  template <class V>
  void show(const Field& field, V& value) {
    const screen::Response response = given_by_model(field) ? told(field) : control(field, value);
    if (response.changed) changed = field.name, active = response.active;
  }

  /// The default value of a number.
  static double default_of(const Field& field) {
    static const Scene scene;
    return scene::find_setting(field.name)->visit(scene, [](const auto& value) -> double {
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) return value;
      return 0;
    });
  }

  screen::Response control(const Field& field, bool& value) {
    return ui.toggle(field.label, value, field.help);
  }

  template <class N>
  requires(std::same_as<N, int> || std::same_as<N, double>) screen::Response
      control(const Field& field, N& value) {
    std::vector<int> allowed;
    if (named(field, "heads")) allowed = scene::divisors(before.d_model);
    double max = useful_max(field, before, results), min = field.min;
    if (named(field, "position_delta")) min = -max;
    if (named(field, "position_index")) min = before.position_offset;
    // A typed value beyond the useful range stays reachable; but beyond the last layer, the last one is
    // shown.
    const bool to_the_last = named(field, "block_layer") || named(field, "block_encdec_step");
    N shown = to_the_last ? std::min(value, static_cast<N>(max)) : value;
    max = std::max(max, static_cast<double>(shown));
    const bool of_no_step = named(field, "training_shown_step") && value < 0;
    const screen::Response response = ui.slider({.label = field.label,
                                                 .min = min,
                                                 .max = max,
                                                 .logarithmic = field.logarithmic,
                                                 .integer = std::same_as<N, int>,
                                                 .allowed = allowed,
                                                 .fallback = default_of(field),
                                                 .help = field.help,
                                                 .shown = of_no_step ? "latest" : "",
                                                 .beside = beside},
                                                shown);
    if (response.changed) value = shown;
    return response;
  }

  screen::Response control(const Field& field, scene::SettableWord& value) {
    std::vector<std::string> words;
    for (const char* word : value.list()) words.push_back(button_word(word));
    std::vector<std::string_view> options(words.begin(), words.end());
    // A model has no separate width for positions: concat is not offered.
    if (value.is<scene::Position>() && results.model && of_model(before)) options.pop_back();
    // The chip names the model's own encoding; the choice here is added to it.
    if (const std::string own = value.is<scene::Position>() ? model_position(results) : ""; !own.empty())
      ui.paragraph(own + ", the model’s own; added to the embeddings:", 12);
    int index = value.index();
    constexpr std::size_t most_side_by_side = 4;  // more do not fit beside each other
    if (options.size() > most_side_by_side || value.is<nn::Activation>() ||
        value.is<scene::BlockActivation>())
      return chips(field, options, value);
    const screen::Response response =
        ui.segmented({.name = field.name, .options = options, .label = labelled(field)}, index);
    if (response.changed) value.set(index);
    return response;
  }

  /// A choice of one of many words, over several lines.
  screen::Response chips(const Field& field, const std::vector<std::string_view>& options,
                         scene::SettableWord& value) {
    ui.label(field.label, 13);
    ui.begin_flow(6);
    screen::Response all;
    for (std::size_t i = 0; i < options.size(); ++i) {
      if (value.is<scene::TrainingCompare>()) {
        scene::TrainingSettings possible = before.training;  // an identical run beside it is not offered
        possible.compare = static_cast<scene::TrainingCompare>(i);
        scene::repair(possible);
        if (possible.compare != static_cast<scene::TrainingCompare>(i)) continue;
      }
      bool chosen = static_cast<std::size_t>(value.index()) == i;
      const std::string label(options[i]), name = std::string(field.name) + ' ' + label;
      if (ui.chip({.label = label, .help = field.help, .name = name}, chosen).changed && chosen)
        value.set(static_cast<int>(i)), all.changed = true;
    }
    ui.end_flow();
    return all;
  }

  screen::Response control(const Field&, scene::MaskSet& value) {
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
    all.changed |= ui.chip({.label = "valid",
                            .help = "only the first keys: the rest is padding",
                            .name = "mask valid_length"},
                           value.valid_length)
                       .changed;
    ui.end_flow();
    return all;
  }

  /// A choice of the included models; none is selected while a run's weights are used.
  screen::Response included(std::string& value) {
    ui.begin_flow(6);
    screen::Response all;
    const std::string now = value.empty() ? scene::included_models()[0] : value;
    for (const char* name : scene::included_models()) {
      bool chosen = now == name;
      if (ui.chip({.label = name, .help = "comes with the program", .name = std::string("model ") + name},
                  chosen)
              .changed &&
          chosen) {
        value = name, all.changed = true;
        for (const std::string& one : included_model_settings(name)) (void)scene::set_field(next, one);
      }
    }
    ui.end_flow();
    return all;
  }

  screen::Response control(const Field& field, std::string& value) {
    if (named(field, "weights_file") && before.weights == scene::WeightsSource::trained)
      return included(value);
    ui.label(field.label, 13);
    const std::string problem = problem_of(field);
    const screen::Response response = ui.text_field(
        {.name = field.name, .help = field.help, .height = 32, .size = 13, .problem = !problem.empty()},
        value);
    if (!problem.empty()) ui.problem(problem);
    if (named(field, "weights_file") && ask_for_file &&
        ui.button({.label = "Choose a file…",
                   .help =
                       "a model that Headlight trained, or one from another program: a folder, .safetensors, "
                       "ckpt.pt, .bin; or saved attention: .npz, .npy, .safetensors, .pt"}))
      ask_for_file("Show the weights of a model, or saved attention", ".safetensors .pt .bin .npz .npy", "");
    if (named(field, "model_beside") && ask_for_file &&
        ui.button({.label = "Choose a run…",
                   .help = "saved attention, from a run of your own: .npz, .npy, .safetensors, .pt"}))
      ask_for_file("Compare with saved attention", ".npz .npy .safetensors .pt", field.name);
    return response;
  }
  screen::Response control(const Field&, scene::IndexList&) { return {}; }

 private:
  /// True if the model gives this setting, such as the layer's sizes: it is shown, not set.
  bool given_by_model(const Field& field) const {
    const bool drawn =
        std::string_view(field.name) == "seed" && scene::room_of(before.page).uses(before).seed;
    return (results.model || results.opened || scene::other_model(before)) && !drawn &&
           scene::given_by_model(before, field.name);
  }

  screen::Response told(const Field& field) {
    const std::string help = "given by " + sizes_given_by(before, results);
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

  /// Why the value of a text field has no effect.
  std::string problem_of(const Field& field) const {
    if (named(field, "weights_file")) return results.weights_problem;
    const auto* r = results.own_as<scene::WorkedResults>();
    if (r && named(field, r->problem_field)) return r->problem;
    return {};
  }

  static std::string_view labelled(const Field& field) {
    // The heading already has this label.
    const bool said = named(field, "position") || named(field, "weights") || named(field, "theme");
    return said ? std::string_view() : std::string_view(field.label);
  }
};

/// The button at the right of the first heading, on the same line.
void pin_button(screen::Ui& ui, ScenePanel& panel) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = panel.pinned() ? 66 : 40;
  ImGui::SetCursorScreenPos({at.x + ImGui::GetContentRegionAvail().x - ui.px(width), at.y - ui.px(4)});
  if (ui.button({.label = panel.pinned() ? "Pinned" : "Pin",
                 .help = panel.pinned() ? "stays open; press to let it go with the weights and with Esc"
                                        : "keeps the panel open",
                 .name = "pin",
                 .quiet = !panel.pinned(),
                 .width = width}))
    panel.pin();
  ImGui::SetCursorScreenPos(at);
}

}  // namespace

void settings_panel(screen::Ui& ui, draw::Box pixels, ScenePanel& panel, Session& session, double now) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(12));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.f, std::floor(ui.scale())));
  const bool shown = ui.begin_panel("settings", pixels, ui.theme().panel, 16);
  ImGui::PopStyleVar(2);
  if (shown) {
    pin_button(ui, panel);
    Scene next = session.scene();
    Controls controls{.ui = ui,
                      .before = session.scene(),
                      .next = next,
                      .results = session.results(),
                      .ask_for_file = session.ask_for_file,
                      .beside = 104,
                      .wanted = panel.take_wanted(),
                      .on_cards = page_info(session.scene().page).view.on_cards};
    scene::fields(next, [&](const Field& field, auto& value) { controls(field, value); });
    controls.tell_given();
    if (!controls.changed.empty())
      session.change(std::move(next), controls.active ? controls.changed : "", now);
    ui.gap(4);
  }
  ui.end_panel();
}

namespace {

/// Draws controls without headings; `show_each(controls, next)` selects them.
template <class ShowEach>
void plain_controls(screen::Ui& ui, Session& session, double now, ShowEach show_each) {
  Scene next = session.scene();
  Controls controls{.ui = ui,
                    .before = session.scene(),
                    .next = next,
                    .results = session.results(),
                    .ask_for_file = session.ask_for_file};
  show_each(controls, next);
  if (!controls.changed.empty())
    session.change(std::move(next), controls.active ? controls.changed : "", now);
}

}  // namespace

void interface_controls(screen::Ui& ui, Session& session, double now) {
  plain_controls(ui, session, now, [](Controls& controls, Scene& next) {
    scene::fields(next, [&](const Field& field, auto& value) {
      if (field.group == Group::interface) controls.show(field, value);
    });
  });
}

void lesson_controls(screen::Ui& ui, const std::vector<std::string>& names, Session& session, double now) {
  plain_controls(ui, session, now, [&](Controls& controls, Scene& next) {
    for (const std::string& name : names) {
      if (const scene::Setting* one = scene::find_setting(name))
        one->visit(next, [&](auto& value) { controls.show(one->field, value); });
    }
  });
}

}  // namespace headlight::app
