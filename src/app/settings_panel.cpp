#include "app/settings_panel.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "nn/random.h"
#include "scene/settings.h"

namespace headlight::app {

namespace {

using scene::Field;
using scene::Group;
using scene::Scene;

bool named(const Field& field, const char* name) {
  return std::strcmp(field.name, name) == 0;
}

/// The pages that compute from the sentence by the shared model settings.
bool uses_model(scene::Page page) {
  using P = scene::Page;
  return page == P::attention || page == P::order || page == P::variants || page == P::memory ||
         page == P::block || page == P::bench;
}

/// The pages that show one layer of a model, not all of them.
bool shows_layer(const Scene& scene) {
  return uses_model(scene.page) && scene.page != scene::Page::block &&
         (scene.page != scene::Page::bench || scene.bench.from == scene::BenchFrom::layer);
}

bool of_model(const Scene& scene) {
  return scene.weights != scene::WeightsSource::random;
}

const char* model_section(const Field& field, const Scene& scene) {
  if (scene.page == scene::Page::position) return named(field, "d_model") ? "encoding" : nullptr;
  if (!uses_model(scene.page)) return nullptr;
  if (named(field, "heads") && scene.page == scene::Page::memory)
    return nullptr;  // it has one head of its own
  if (named(field, "weights_file") && scene.weights != scene::WeightsSource::file) return nullptr;
  if (named(field, "weights_layer") && (!of_model(scene) || !shows_layer(scene))) return nullptr;
  return "model";
}

/// The heading under which a field stands on the open page; null where it does not belong.
const char* section(const Field& field, const Scene& scene) {
  using P = scene::Page;
  const P page = scene.page;
  const bool on_position = page == P::position;
  if (named(field, "weights_file")) return model_section(field, scene);
  switch (field.group) {
    case Group::model:
      return model_section(field, scene);
    case Group::position:
      if (on_position) return named(field, "position_base") ? "encoding" : nullptr;
      if (page != P::attention && page != P::order && page != P::bench) return nullptr;
      if (!named(field, "position") && scene.position == scene::Position::none) return nullptr;
      return "position";
    case Group::scores:
      if (page != P::attention && (page != P::bench || scene.bench.from != scene::BenchFrom::layer))
        return nullptr;  // the stack has scores of its own
      if (named(field, "window") && !scene.mask.window) return nullptr;
      if (named(field, "valid_length") && !scene.mask.valid_length) return nullptr;
      return "scores";
    case Group::shown:
      return page == P::attention ? "shown" : nullptr;
    case Group::encoding:
      return on_position ? "encoding" : nullptr;
    case Group::motion:
      return on_position ? "motion" : nullptr;
    case Group::worked:
      return page == P::worked ? "worked example" : nullptr;
    case Group::order:
      return page == P::order ? "order" : nullptr;
    case Group::variants:
      return page == P::variants ? "variants" : nullptr;
    case Group::memory:
      if (named(field, "memory_width") && of_model(scene)) return nullptr;
      return page == P::memory ? "memory" : nullptr;
    case Group::cost:
      return page == P::cost ? "cost" : nullptr;
    case Group::block:
      // A model is what it is: only what is looked at can be chosen.
      if (of_model(scene) && !named(field, "block_layer")) return nullptr;
      return page == P::block ? "block" : nullptr;
    case Group::bench:
      return page == P::bench ? "head bench" : nullptr;
    case Group::presets:
      return page == P::presets ? "presets" : nullptr;
    case Group::training:
      // The task is chosen on the page.
      if (named(field, "training_task")) return nullptr;
      if (scene.training.task == scene::TrainingTask::two_relations && !named(field, "training_rate") &&
          !named(field, "training_steps") && !named(field, "training_batch") &&
          !named(field, "training_seed"))
        return nullptr;  // the toy has the shape that the sources give it
      if (scene.training.task != scene::TrainingTask::text &&
          (named(field, "training_unit") || named(field, "training_vocabulary")))
        return nullptr;
      return page == P::training ? "training" : nullptr;
    case Group::interface:
      return "interface";
    case Group::none:
      return nullptr;
  }
  return nullptr;
}

/// The largest value that means something in this scene, within the field's own range.
double useful_max(const Field& field, const Scene& scene, int tokens) {
  if (named(field, "position_index")) return scene.positions - 1;
  if (named(field, "position_delta")) return std::max(1, scene.positions - 1);
  if (named(field, "position_pair")) return std::max(1, scene.d_model / 2 - 1);
  if (named(field, "window") || named(field, "valid_length"))
    return std::clamp(tokens, 4, static_cast<int>(field.max));
  if (named(field, "seed")) return 99;
  return field.max;
}

/// How an enumeration's words read on a button.
std::string_view button_word(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> shorter{
      {{"sinusoidal", "sin/cos"},
       {"sinusoidal_concat", "concat"},
       {"logarithmic", "log"},
       {"valid_length", "valid"},
       {"elu1", "elu + 1"},
       {"two_relations", "two relations"},
       {"deuteranopia", "deutan"},
       {"protanopia", "protan"},
       {"tritanopia", "tritan"},
       {"one_head", "1 head"},
       {"no_positions", "no pos."}}};
  for (const auto& [from, to] : shorter) {
    if (word == from) return to;
  }
  return word;
}

/// The words in another order, by the scene's own generator: the n-th shuffle of a sentence is always the
/// same.
std::string shuffled(const std::string& sentence, int round) {
  std::vector<std::string> words;
  for (const nn::Token& token : nn::split_words(sentence))
    words.push_back(sentence.substr(token.begin, token.end - token.begin));
  const nn::Random random(static_cast<std::uint64_t>(round) + 1, nn::hash_text("shuffle", 7));
  for (std::size_t i = words.size(); i > 1; --i) {
    std::swap(words[i - 1], words[random.below(i, static_cast<std::uint32_t>(i))]);
  }
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// Things worth trying, one click each; true when one was clicked.
bool suggestions(screen::Ui& ui, Scene& next) {
  const Scene before = next;
  ui.header("try");
  ui.begin_flow(6);
  if (next.page == scene::Page::attention) {
    if (ui.button({.label = "the mat sat on the cat", .help = "the same words in another order"})) {
      next.sentence = "the mat sat on the cat";
    }
    if (ui.button({.label = "shuffle", .help = "the words in another order"}))
      next.sentence = shuffled(next.sentence, next.seed + static_cast<int>(next.sentence.size()));
    if (ui.button({.label = "one more head", .help = "the next divisor of d"})) {
      const std::vector<int> all = scene::divisors(next.d_model);
      const auto more = std::upper_bound(all.begin(), all.end(), next.heads);
      if (more != all.end()) next.heads = *more;
    }
    if (ui.button({.label = "another seed", .help = "other random embeddings and projections"}))
      next.seed = (next.seed + 1) % 10000;
    if (ui.button({.label = "22 characters",
                   .help = "five queries of one sentence, one head, as in the textbook figure"})) {
      next.sentence = "the cat sat on the mat";
      next.tokenizer = scene::Tokenizer::chars;
      next.query = {0, 5, 10, 15, 21};
      next.key = -1;
      next.head = {1};
    }
  } else {
    if (ui.button({.label = "columns 6–9, d = 32",
                   .help = "the textbook figure: four columns over 60 positions"})) {
      next.d_model = 32, next.positions = 60, next.position_base = 10000,
      next.position_columns = {6, 7, 8, 9};
    }
    if (ui.button({.label = "30 → 35", .help = "the same offset from another position"}))
      next.position_index = 30, next.position_delta = 5;
    if (ui.button(
            {.label = "a base that repeats", .help = "short wavelengths: rows come close to each other"}))
      next.position_base = 2;
  }
  ui.end_flow();
  return next != before;
}

/// One control for each field; what a control changed is in `next`, and `label` names the drag it belongs to.
struct Controls {
  screen::Ui& ui;
  const Scene& before;
  Scene& next;
  const scene::Results& results;
  std::string changed = {};  // name of the field, empty = none
  bool active = false;       // it is being dragged or typed into
  bool suggested = false;
  const char* last_section = "";

  template <class V>
  void operator()(const Field& field, V& value) {
    const char* part = section(field, before);
    if (!part) return;
    if (std::strcmp(part, last_section) != 0) {
      // What to try stands between what is computed and how it is shown.
      if (!suggested && (field.group == Group::shown || field.group == Group::interface) &&
          (before.page == scene::Page::attention || before.page == scene::Page::position)) {
        suggested = true;
        if (suggestions(ui, next)) changed = "try", active = false;
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
    const screen::Response response = control(field, value, fallback);
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
    if constexpr (std::same_as<N, int>) {
      if (given_by_model(field)) return told(field);
    }
    double max = useful_max(field, before, results.attention.T), min = field.min;
    if (named(field, "position_delta")) min = -max;
    max = std::max(max, static_cast<double>(value));  // what was typed beyond the useful stays reachable
    return ui.slider({.label = field.label,
                      .min = min,
                      .max = max,
                      .logarithmic = field.logarithmic,
                      .integer = std::same_as<N, int>,
                      .allowed = allowed,
                      .fallback = static_cast<double>(fallback),
                      .help = field.help},
                     value);
  }

  template <scene::Worded E>
  screen::Response control(const Field& field, E& value, E) {
    std::vector<std::string_view> options;
    for (const char* word : scene::Words<E>::list) options.push_back(button_word(word));
    int index = static_cast<int>(value);
    constexpr std::size_t most_side_by_side = 4;  // more do not fit beside each other
    if (options.size() > most_side_by_side) return chips(field, options, value);
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
    if (ui.chip({.label = "none", .help = "every query may read every key", .name = "mask none"}, none)
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

  screen::Response control(const Field& field, std::string& value, const std::string&) {
    ui.label(field.label, 13);
    const std::string problem = problem_of(field);
    const screen::Response response = ui.text_field(
        {.name = field.name, .help = field.help, .height = 32, .size = 13, .problem = !problem.empty()},
        value);
    if (!problem.empty()) ui.problem(problem);
    return response;
  }
  screen::Response control(const Field&, scene::IndexList&, const scene::IndexList&) { return {}; }

 private:
  /// The layer's sizes are the model's: told, not asked.
  bool given_by_model(const Field& field) const {
    const bool size = named(field, "d_model") || named(field, "heads") || named(field, "seed");
    return size && results.model && of_model(before);
  }

  screen::Response told(const Field& field) {
    const std::string help = std::string("given by ") + results.weights_source;
    const nn::AttentionTrace& trace = results.attention;
    std::string shown = "–";
    if (named(field, "d_model")) shown = std::to_string(trace.heads * trace.d_k);
    if (named(field, "heads")) shown = std::to_string(trace.heads);
    double unused = 0;
    ui.slider({.label = field.label, .help = help, .shown = shown, .enabled = false}, unused);
    if (named(field, "seed")) ui.paragraph(help, 12);
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
    Controls controls{.ui = ui, .before = session.scene(), .next = next, .results = session.results()};
    scene::fields(next, [&](const Field& field, auto& value) { controls(field, value); });
    if (!controls.changed.empty())
      session.change(std::move(next), controls.active ? controls.changed : "", now);
    ui.gap(12);
  }
  ui.end_panel();
}

void lesson_controls(screen::Ui& ui, const std::vector<std::string>& names, Session& session, double now) {
  Scene next = session.scene();
  Controls controls{.ui = ui, .before = session.scene(), .next = next, .results = session.results()};
  for (const std::string& name : names) {
    scene::fields(next, [&](const Field& field, auto& value) {
      if (name == field.name) controls.show(field, value);
    });
  }
  if (!controls.changed.empty())
    session.change(std::move(next), controls.active ? controls.changed : "", now);
}

}  // namespace headlight::app
