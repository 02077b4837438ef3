#include "session/setting_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "models/opened_model.h"
#include "pages/block/encoder_decoder.h"
#include "pages/page.h"
#include "scene/other_model.h"
#include "scene/own_positions.h"
#include "scene/saved_attention.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

using scene::Field;
using scene::Group;
using scene::Scene;

/// The number of layers to choose from: the model's, or that of random weights.
int layers_of(const Scene& scene, const scene::Results& results) {
  if (results.opened && of_model(scene)) return results.opened->layers;
  return results.model && of_model(scene) ? results.model->config.layers : scene.block.layers;
}

}  // namespace

std::string heading_of(const Field& field, const Scene& scene) {
  const bool file = named(field, "weights_file");
  if ((field.group == Group::none && !file) || field.group == Group::interface) return {};
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
      if (const auto saved = scene::shown_saved_attention(scene)) {
        if (named(field, "d_model") || named(field, "seed") || named(field, "heads")) return {};
        if (named(field, "saved_sequence") && saved->shape.batch < 2) return {};
      } else if (named(field, "saved_sequence")) {
        return {};
      }
      if (named(field, "weights_layer") && (!of_model(scene) || uses.model != Model::layer)) return {};
      return "model";
    case Group::position:
      if (!uses.positions) return {};
      return !named(field, "position") && scene.position == scene::Position::none ? "" : "position";
    case Group::scores:
      if (!uses.scores) return {};
      if (named(field, "window") && !scene.mask.window) return {};
      if (named(field, "valid_length") && !scene.mask.valid_length) return {};
      return "mask and scores";
    case Group::shown:
      if (!uses.large_map &&
          (named(field, "least_weight") || named(field, "hide_special") || named(field, "shown_tokens")))
        return {};
      return "shown";
    case Group::encoding:
      return "encoding";
    case Group::motion:
      return "motion";
    default: {  // a page's own settings are under its title
      std::string title = room.title;
      title.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(title.front())));
      return title;
    }
  }
}

double useful_max(const Field& field, const Scene& scene, const scene::Results& results) {
  const int tokens = results.attention.T;
  if (named(field, "block_layer") || named(field, "weights_layer")) return layers_of(scene, results);
  if (named(field, "saved_sequence") && results.opened) return std::max(1, results.opened->sequences - 1);
  const auto* r = results.own_as<scene::EncoderDecoderResults>();
  if (named(field, "block_encdec_step") && r)
    return std::max<double>(1, static_cast<double>(r->decoded.size()));
  if (named(field, "position_index")) return scene.position_offset + scene.positions - 1;
  if (named(field, "position_delta")) return std::max(1, scene.positions - 1);
  if (named(field, "position_pair")) return std::max(1, scene::position_columns(scene) / 2 - 1);
  if (named(field, "window") || named(field, "valid_length"))
    return std::clamp(tokens, 4, static_cast<int>(field.max));
  if (named(field, "memory_step")) return std::max<double>(2, static_cast<double>(results.tokens.size()));
  if (named(field, "seed")) return 99;
  return field.max;
}

std::string button_word(std::string_view word) {
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
    if (word == from) return std::string(to);
  }
  std::string words(word);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string sizes_given_by(const scene::Scene& scene, const scene::Results& results) {
  const auto other = results.opened ? nullptr : scene::other_model(scene);
  if (other) return other->model->name;
  return results.weights_source.substr(0,
                                       results.weights_source.find(','));  // its sizes are listed beside it
}

}  // namespace headlight::app
