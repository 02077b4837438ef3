#include "pages/controls.h"

#include <cctype>

#include "models/opened_model.h"
#include "scene/named_number.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

/// The room of the page that the setting belongs to; null: pages share it.
const PageRoom* own_room(const Field& field) {
  const auto page = own_page(field);
  return page ? &room_of(*page) : nullptr;
}

/// Does the model or saved attention in its place have this setting?
bool of_what_is_shown(const Field& field, const Scene& scene) {
  if (field.of_saved && !field.of_saved_batch) return true;
  const auto saved = shown_saved_attention(scene);
  return field.of_saved_batch ? saved && saved->shape.batch >= 2 : !saved;
}

/// The heading of a group; null: none where pages do not use what the group is about.
const char* heading_of_group(const Field& field, const PageRoom& room, const PageUses& uses) {
  switch (field.group) {
    case Group::none:  // the file of the model
    case Group::model: {
      const bool layer = uses.model == PageUses::Model::layer;
      return uses.model == PageUses::Model::none || (field.of_layer && !layer) ? nullptr : "model";
    }
    case Group::position:
      return uses.positions ? "position" : nullptr;
    case Group::scores:
      return uses.scores ? "mask and scores" : nullptr;
    case Group::shown:
      return "shown";
    case Group::encoding:
      return "encoding";
    case Group::motion:
      return "motion";
    case Group::own:
      return room.title;
    case Group::interface:
      break;
  }
  return nullptr;
}

}  // namespace

std::string heading_of(const Field& field, const Scene& scene) {
  if (field.group == Group::interface) return {};
  if (field.group == Group::none && field.names != TextNames::model) return {};
  const PageRoom& room = room_of(scene.page);
  const PageRoom* const own = own_room(field);
  if (own && own != &room) return {};
  if (const char* heading = room.heading ? room.heading(field, scene) : nullptr) return heading;
  const char* const heading = heading_of_group(field, room, room.uses(scene));
  if (!heading || (field.applies && !field.applies(scene)) || !of_what_is_shown(field, scene)) return {};
  std::string words = heading;
  words.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(words.front())));
  return words;
}

std::vector<int> possible_numbers(const Field& field, const QuantitySource& from) {
  if (field.possible) return field.possible(from.scene);
  const PageRoom* const own = own_room(field);
  return own && own->possible ? own->possible(field, from) : std::vector<int>();
}

Range useful_range(const Field& field, const Scene& scene, const Results& results) {
  if (const PageRoom* const own = own_room(field); own && own->useful) {
    if (const auto range = own->useful(field, scene, results)) return *range;
  }
  return field.useful ? field.useful(field, scene, results) : Range{field.min, field.max};
}

bool offers(const Field& field, int word, const Scene& scene, const Results& results) {
  const PageRoom* const own = own_room(field);
  if (own && own->offers && !own->offers(field, word, scene)) return false;
  return !field.offers || field.offers(word, scene, results);
}

std::string problem_of(const Field& field, const Results& results) {
  if (field.names == TextNames::model) return results.weights_problem;
  const PageRoom* const own = own_room(field);
  return own && own->problem ? own->problem(field, results) : std::string();
}

bool fixed_by_model(const Field& field, const Scene& scene) {
  if (field.of_random && room_of(scene.page).uses(scene).seed) return false;
  return given_by_model(scene, field.name);
}

std::string sizes_given_by(const Scene& scene, const Results& results) {
  const auto other = results.opened ? nullptr : other_model(scene);
  if (other) return other->model->name;
  // Its sizes are listed beside it. A family in parentheses that is cut off is left out.
  std::string name = results.weights_source.substr(0, results.weights_source.find(','));
  const std::size_t family = name.rfind(" (");
  if (family != std::string::npos && name.find(')', family) == std::string::npos) name.resize(family);
  return name;
}

}  // namespace headlight::scene
