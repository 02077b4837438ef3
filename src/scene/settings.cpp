#include "scene/settings.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/words.h"
#include "dumps/dump.h"
#include "models/opened_model.h"
#include "scene/choice_of.h"
#include "scene/field_values.h"
#include "scene/layer_input.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/trained_model.h"

namespace headlight::scene {

std::string unknown_setting(std::string_view name) {
  const std::string suggestion = did_you_mean(name, setting_names());
  return "unknown setting " + in_quotes(name) +
         (suggestion.empty() ? ". `headlight fields` lists them all." : suggestion);
}

namespace {

/// "1, 2, 4 or 8"
std::string choice(const std::vector<int>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out += i + 1 < numbers.size() ? ", " : " or ";
    out += number_text(numbers[i]);
  }
  return out;
}

void drop_duplicates_keeping_last(IndexList& list) {
  IndexList kept;
  for (auto i = list.rbegin(); i != list.rend(); ++i) {
    if (std::find(kept.begin(), kept.end(), *i) == kept.end()) kept.push_back(*i);
  }
  list.assign(kept.rbegin(), kept.rend());
}

void sort_without_duplicates(IndexList& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

void keep_between(IndexList& list, int low, int high) {
  list.erase(std::remove_if(list.begin(), list.end(), [=](int i) { return i < low || i > high; }),
             list.end());
}

/// Clamps a value to its own range, whatever the other fields are.
struct IntoRange {
  void operator()(const Field& field, int& value) const {
    value = std::clamp(value, static_cast<int>(field.min), static_cast<int>(field.max));
  }
  void operator()(const Field& field, double& value) const {
    if (std::isnan(value)) value = std::clamp(1.0, field.min, field.max);
    value = std::clamp(value, field.min, field.max);
  }
  void operator()(const Field& field, IndexList& list) const {
    if (may_be_automatic(field) && is_automatic(list)) return;
    keep_between(list, static_cast<int>(field.min), static_cast<int>(field.max));
    list.erase(std::remove_if(list.begin(), list.end(), [&](int i) { return stands_for_none(field, i); }),
               list.end());
    if (list.size() > longest_list)
      list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(longest_list));
  }
  void operator()(const Field&, std::string& text) const {
    if (text.size() <= longest_text) return;
    std::size_t end = longest_text;  // does not cut a character in two
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
  }
  template <class T>
  void operator()(const Field&, T&) const {}
};

/// Applies the settings that a trained model gives; does nothing without one.
void obey_model(Scene& scene) {
  const auto model = model_of(scene);
  if (!model || !*model) return;
  if (const OtherModel* other = (*model)->other.get()) {
    scene.weights_layer = std::min(scene.weights_layer, layers_of(*other));
    scene.cost.d = other->model->network.width, scene.cost.layers = layers_of(*other);
    scene.cost.heads = shown_layer_of(*other, scene).heads;
    list_fields(scene.cost, IntoRange{});  // the model may be larger than any setting
    return;
  }
  if (const dumps::Dump* saved = (*model)->saved.get()) {
    scene.weights_layer = std::min(scene.weights_layer, saved->shape.layers);
    scene.saved_sequence = std::min(scene.saved_sequence, saved->shape.batch - 1);
    return;
  }
  const nn::ModelConfig& config = (*model)->config;
  scene.d_model = config.d_model, scene.heads = config.heads;
  scene.weights_layer = std::min(scene.weights_layer, config.layers);
  if (scene.position == Position::sinusoidal_concat) scene.position = Position::sinusoidal;
  scene.block.layers = config.layers, scene.block.causal = config.causal;
  scene.block.norm = config.norm == nn::NormPlace::pre    ? BlockNorm::pre
                     : config.norm == nn::NormPlace::post ? BlockNorm::post
                                                          : BlockNorm::none;
  scene.block.residual = config.residual, scene.block.feed_forward = config.feed_forward;
  scene.block.activation = config.activation == nn::Activation::relu       ? BlockActivation::relu
                           : config.activation == nn::Activation::gelu_erf ? BlockActivation::gelu
                                                                           : BlockActivation::gelu_tanh;
  // The nearest value that the setting can have.
  scene.block.widen = static_cast<int>(std::lround(expansion_factor(config)));
  if (memory_reads_head(config)) scene.memory.width = config.d_model / config.heads;
  fields(scene, IntoRange{});  // a model from a file may be larger than any setting
}

/// "random", the name of an included model, or a path: sets weights and weights_file at once.
base::Status set_model(Scene& scene, std::string_view text) {
  Scene next = scene;
  if (text == "random") {
    next.weights = WeightsSource::random;
  } else if (text.empty()) {
    return base::Error{"model: expected random, the name of an included model, a folder or a file"};
  } else {
    next.weights = is_included_model(text) ? WeightsSource::trained : WeightsSource::file;
    if (const base::Status path = set_field(next, "weights_file=" + std::string(text)); !path) return path;
  }
  scene = std::move(next);
  return {};
}

/// A file of saved attention: sets the same two at once.
base::Status set_attention(Scene& scene, std::string_view text) {
  if (text.empty()) return base::Error{"attention: expected a file: .npy, .npz, .safetensors or .pt"};
  Scene next = scene;
  next.weights = WeightsSource::file;
  if (const base::Status path = set_field(next, "weights_file=" + std::string(text)); !path) return path;
  scene = std::move(next);
  return {};
}

}  // namespace

base::Status set_field(Scene& scene, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    return base::Error{in_quotes(assignment) + " is not name=value, such as heads=8"};
  }
  const std::string_view name = assignment.substr(0, equals), text = assignment.substr(equals + 1);
  if (name == "model") return set_model(scene, text);
  if (name == "attention") return set_attention(scene, text);
  const Setting* setting = find_setting(name);
  if (!setting) return base::Error{unknown_setting(name)};
  if (const base::Status read = setting->read(scene, text); !read)
    return base::Error{std::string(name) + ": " + read.error()};
  return {};
}

base::Result<Scene> with_fields(Scene scene, std::string_view assignments) {
  // Where the assignment that begins at `at` ends.
  const auto end_of = [&](std::size_t at) {
    for (std::size_t end = assignments.find(';', at); end != std::string_view::npos;
         end = assignments.find(';', end + 1)) {
      const std::size_t equals =
          std::min(assignments.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", end + 1),
                   assignments.size());
      if (assignments.substr(equals, 1) == "=" && find_setting(assignments.substr(end + 1, equals - end - 1)))
        return end;
    }
    return assignments.size();
  };
  for (std::size_t at = 0; at < assignments.size();) {
    const std::size_t end = end_of(at);
    if (const base::Status set = set_field(scene, assignments.substr(at, end - at)); !set)
      return base::Error{set.error()};
    at = end + 1;
  }
  return scene;
}

std::vector<Given> chosen_in(const Scene& scene) {
  static const Scene usual, written = written_defaults();
  std::vector<Given> out;
  for (const Setting& one : settings()) {
    if (one.type != Setting::Type::text && !one.same(scene, usual) && !one.same(scene, written))
      out.emplace_back(one.field.name, one.text(scene));
  }
  return out;
}

std::string get_field(const Scene& scene, std::string_view name) {
  const Setting* setting = find_setting(name);
  return setting ? setting->text(scene) : std::string();
}

std::string value_in_words(const Scene& scene, std::string_view name) {
  if (const auto other = shown_other_model(scene)) {
    if (name == "d_model") return number_text(other->model->network.width);
    if (name == "heads") return number_text(shown_layer_of(*other, scene).heads);
  }
  if (const auto saved = shown_saved_attention(scene)) {
    if (name == "d_model") return "none";
    if (name == "heads") return number_text(saved->shape.heads);
  }
  const Setting* setting = find_setting(name);
  if (!setting) return {};
  const auto number_of = setting->field.model_number;
  const auto model = number_of ? usable_model(scene) : nullptr;
  return model ? number_text(std::round(number_of(model->config) * 1000) / 1000) : setting->text(scene);
}

namespace {

/// Keeps the bytes of all maps within 64 bits, even at the longest length.
int most_sequences(const CostSettings& cost) {
  constexpr int most_maps = 1 << 27;
  return std::max(1, most_maps / (cost.heads * cost.layers));
}

}  // namespace

base::Status check(const Scene& scene) {
  const std::vector<int> allowed = divisors(scene.d_model);
  if (std::find(allowed.begin(), allowed.end(), scene.heads) == allowed.end()) {
    return base::Error{"heads must divide d_model (" + number_text(scene.d_model) + "): " + choice(allowed) +
                       ", not " + number_text(scene.heads)};
  }
  if (const int most = most_sequences(scene.cost); scene.cost.batch > most) {
    return base::Error{"cost_batch: at most " + number_text(most) + " sequences of " +
                       number_text(scene.cost.heads) + " heads and " + number_text(scene.cost.layers) +
                       " layers are counted"};
  }
  return {};
}

base::Status check_heads(const Scene& scene) {
  const int heads = heads_to_show(scene);
  for (const int head : scene.head) {
    if (head > heads) {
      return base::Error{"head: " + number_text(head) + " is out of range: there are " + number_text(heads) +
                         " heads (0 shows all)"};
    }
  }
  return {};
}

namespace {

/// "2 layers (counted from 1) and 1 sequence (counted from 0)"
std::string sizes_of(const dumps::Dump& saved) {
  return base::counted(saved.shape.layers, "layer") + " (counted from 1) and " +
         base::counted(saved.shape.batch, "sequence") + " (counted from 0)";
}

}  // namespace

std::string kept_by_model(const Scene& before, const Scene& wanted) {
  if (wanted.weights == WeightsSource::random) return {};
  Scene given = wanted;
  fields(given, IntoRange{});
  const Scene requested = given;
  obey_model(given);
  if (given == requested) return {};
  std::string words, has;
  bool set_by_model = false;
  for (const Setting& one : settings()) {
    if (one.same(given, requested) || one.same(before, wanted)) continue;
    const char* name = one.field.name;
    if (chooses_of_model(name))
      has = choice_of(wanted, wanted, name);
    else
      set_by_model = true;
    words += (words.empty() ? "" : ", ") + std::string(name) + " stays " + value_in_words(given, name);
  }
  if (words.empty()) return words;
  if (const auto saved = saved_attention(wanted))
    return words + ": the file of saved attention has " + sizes_of(*saved);
  return words + (has.empty() ? "" : ": " + has) +
         (set_by_model ? ": set by the trained model; change it with weights=random" : "");
}

bool given_by_model(const Scene& scene, std::string_view name) {
  const Setting* setting = find_setting(name);
  if (!setting || setting->field.given_by == 0) return false;
  const auto model = model_of(scene);
  if (!model || !*model) return false;
  const auto by = [&](unsigned which) { return (setting->field.given_by & which) != 0; };
  if ((*model)->saved) return by(shown_model) && shows_saved_attention(scene.page);
  if ((*model)->other) return by(opened_model) || (by(shown_model) && shows_other_models(scene.page));
  return by(own_model) || (by(own_head) && memory_reads_head((*model)->config));
}

void repair(Scene& scene) {
  fields(scene, IntoRange{});
  repair(scene.training);
  repair(scene.encoder_decoder);
  obey_model(scene);
  scene.cost.batch = std::min(scene.cost.batch, most_sequences(scene.cost));
  const std::vector<int> allowed = divisors(scene.d_model);
  const int wanted = scene.heads;
  scene.heads = *std::min_element(allowed.begin(), allowed.end(), [wanted](int a, int b) {
    return std::abs(a - wanted) < std::abs(b - wanted);
  });
  keep_between(scene.head, 1, heads_to_show(scene));
  sort_without_duplicates(scene.head);
  if (scene.head.size() < 2 ||
      std::find(scene.head.begin(), scene.head.end(), scene.cell_head) == scene.head.end())
    scene.cell_head = 0;
  drop_duplicates_keeping_last(scene.query);
  repair_positions(scene);
}

}  // namespace headlight::scene
