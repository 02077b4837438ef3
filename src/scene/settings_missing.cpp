// What a setting asks for and does not exist, in one line.
#include <algorithm>
#include <utility>

#include "base/numbers.h"
#include "base/words.h"
#include "dumps/dump.h"
#include "scene/choice_of.h"
#include "scene/field_values.h"
#include "scene/layer_input.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

std::string what_exists(int first, int count, const char* noun, const char* nouns) {
  return std::string("there ") + (count == 1 ? "is " : "are ") +
         base::counted(count, noun, nouns ? std::string_view(nouns) : std::string_view()) +
         (count > 1 ? ", " + base::fixed(first, 0) + " to " + base::fixed(first + count - 1, 0) : "");
}

std::string missing_line(std::string_view name, const std::vector<int>& missing, const std::string& exists,
                         const std::string& instead) {
  std::string line(name);
  for (std::size_t i = 0; i < missing.size(); ++i) line += (i == 0 ? " " : ", ") + number_text(missing[i]);
  const bool one = missing.size() == 1;
  return line + ": " + exists + "; " +
         (instead.empty() ? (one ? "it is left out" : "they are left out") : instead + " is used instead");
}

std::string choice_of(const Scene& scene, const Scene& requested, std::string_view name) {
  if (name == "cell_head") return what_exists(1, heads_to_show(scene), "head");
  if (std::string there = positions_there(scene, requested, name); !there.empty()) return there;
  if (name == "heads") return "it must divide d_model, " + number_text(scene.d_model);
  const auto model = model_of(scene);
  if (!model || !*model) return {};
  const dumps::Dump* const saved = (*model)->saved.get();
  if (name == "saved_sequence" && saved) return what_exists(0, saved->shape.batch, "sequence");
  if (name != "weights_layer") return {};
  return what_exists(1,
                     saved             ? saved->shape.layers
                     : (*model)->other ? layers_of(*(*model)->other)
                                       : (*model)->config.layers,
                     "layer");
}

bool chooses_of_model(std::string_view name) {
  return name == "weights_layer" || name == "saved_sequence";
}

std::string repaired_to(const Scene& scene, std::string_view name, const std::string& value) {
  const Setting* const setting = find_setting(name);
  if (!setting) return {};
  using Type = Setting::Type;
  if (setting->type != Type::list && setting->type != Type::integer && setting->type != Type::number)
    return {};
  Scene requested = scene;
  if (!set_field(requested, std::string(name) + "=" + value)) return {};
  if (setting->type == Type::list) return columns_left_out(scene, requested, name);
  if (setting->same(requested, scene)) return {};
  std::string exists = choice_of(scene, requested, name);
  if (name == "cell_head" && requested.cell_head <= heads_to_show(scene))
    exists = "it is not one of several heads that are shown";
  if (exists.empty() && given_by_model(scene, name)) exists = "the model gives this setting";
  std::string instead = setting->text(scene);
  if (instead.starts_with('-')) instead.replace(0, 1, "−");
  return std::string(name) + " " + setting->text(requested) + ": " + exists + (exists.empty() ? "" : "; ") +
         (name == "cell_head" ? "it is left out" : instead + " is used instead");
}

}  // namespace headlight::scene
