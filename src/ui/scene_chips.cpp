#include "ui/scene_chips.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <type_traits>

#include "base/numbers.h"
#include "base/words.h"
#include "models/opened_model.h"
#include "pages/controls.h"
#include "pictures/pages.h"
#include "scene/named_files.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

/// A short name of the weights; the panel and the status line have the full one.
std::string weights_words(const scene::Scene& scene, const scene::Results& results) {
  if (scene.weights == scene::WeightsSource::random) return "random weights";
  if (!results.instead.empty() && !results.model)  // the page does not show the opened model, and says so
    return results.weights_source.substr(0, results.weights_source.find(','));
  if (results.opened) return results.opened->name + " · layer " + std::to_string(results.opened->layer + 1);
  if (!results.model && !results.weights_problem.empty()) return "not used";
  if (!results.model && scene.weights == scene::WeightsSource::file)  // nothing is computed with it yet
    return std::filesystem::path(scene.weights_file).has_extension() ? scene::shown_name(scene.weights_file)
                                                                     : models::model_name(scene.weights_file);
  const auto& included = scene::included_models();
  const bool ours = std::find(included.begin(), included.end(), scene.weights_file) != included.end();
  if (scene.weights == scene::WeightsSource::trained && (scene.weights_file.empty() || ours))
    return scene.weights_file.empty() ? included[0] : scene.weights_file;
  if (!results.model) return scene::shown_name(scene.weights_file);
  // From "reverse, sinusoidal positions, step 147" to "reverse · step 147".
  const std::string_view whole = results.weights_source;
  std::string words(whole.substr(0, whole.find(',')));
  if (const auto step = whole.rfind(", step "); step != std::string_view::npos)
    words += " · " + std::string(whole.substr(step + 2));
  return words;
}

}  // namespace

std::string model_position(const scene::Results& results) {
  if (results.opened) return results.opened->rotary > 0 ? "RoPE" : "";
  if (!results.model) return {};
  switch (results.model->config.positions) {
    case nn::ModelPositions::learned:
      return "learned";
    case nn::ModelPositions::t5:
      return "T5";
    case nn::ModelPositions::alibi:
      return "ALiBi";
    case nn::ModelPositions::rope:
      return "RoPE";
    default:
      return {};
  }
}

namespace {

std::string mask_words(const scene::MaskSet& mask) {
  std::string out;
  for (const auto& [on, word] : {std::pair{mask.causal, "causal"}, std::pair{mask.window, "window"},
                                 std::pair{mask.valid_length, "valid"}})
    if (on) out += (out.empty() ? "" : " + ") + std::string(word);
  return out.empty() ? "none" : out;
}

template <class V>
std::string value_words(const V& value) {
  if constexpr (std::is_same_v<V, scene::MaskSet>) {
    return mask_words(value);
  } else if constexpr (std::is_same_v<V, bool>) {
    return value ? "on" : "off";
  } else if constexpr (std::is_same_v<V, int>) {
    return base::with_commas(value);
  } else if constexpr (std::is_same_v<V, double>) {
    return base::compact(value);
  } else if constexpr (std::same_as<V, scene::Word>) {
    return value.label();
  } else {
    return {};
  }
}

}  // namespace

std::vector<SceneChip> scene_chips(const scene::Scene& scene, const scene::Results& results,
                                   std::span<const std::string> cards) {
  constexpr std::size_t most = 3;
  const auto& named = scene::room_of(scene.page).chips;
  if (named[0] == nullptr) return {};
  const views::PageView& view = page_info(scene.page).view;
  std::vector<SceneChip> found(named.size(), SceneChip{"", "", ""});
  scene::fields(scene, [&](const scene::Field& field, const auto& value) {
    const std::string_view name = field.name;
    for (std::size_t i = 0; i < named.size() && named[i] != nullptr; ++i) {
      if (name != named[i] || heading_of(field, scene).empty()) continue;
      if (!views::changes_one_of(view, scene, name, cards)) continue;
      if (name == "weights") {
        found[i] = {named[i], "Model", weights_words(scene, results)};
      } else {
        const std::string_view label = field.label;
        const bool width = label.find("width") != std::string_view::npos;
        // An opened model has its own mask; this one is applied in addition.
        const bool added = name == "mask" && results.opened;
        const char* shorter = name == "position" ? "position"
                              : width            ? label.starts_with("Head") ? "head width" : "width"
                              : added            ? "added mask"
                                                 : field.label;
        const std::string own = name == "position" ? model_position(results) : "";
        found[i] = {named[i], base::capital(shorter), own.empty() ? value_words(value) : own};
      }
    }
  });
  std::erase_if(found, [](const SceneChip& chip) { return chip.label.empty(); });
  if (found.size() > most) found.resize(most, SceneChip{"", "", ""});
  if (found.empty()) found.push_back({"", "Settings", ""});
  return found;
}

}  // namespace headlight::app
