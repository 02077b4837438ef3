#include "session/slide_keys.h"

#include <algorithm>

#include "pages/page.h"
#include "scene/pinned.h"

namespace headlight::app {

namespace {

using scene::Scene;

/// The next or the previous head of the layer on show.
Scene walk_heads(const Scene& scene, int heads, int by) {
  Scene next = scene;
  if (heads < 1) return next;
  const int from = scene.head.empty() ? (by > 0 ? 0 : heads + 1) : scene.head.back();
  next.head = {std::clamp(from + by, 1, heads)};
  return next;
}

/// The next or the previous token as the query, whichever way the queries run in the map.
Scene walk_tokens(const Scene& scene, const scene::Results& results, int by) {
  Scene down = scene;
  down.query_axis = scene::QueryAxis::rows;
  down.attention.view = scene::AttentionView::matrix;
  Scene next = scene;
  next.query = arrow(down, results, by > 0 ? Arrow::down : Arrow::up).query;
  // The key stays among those that the mask allows the query.
  const nn::AttentionTrace& trace = results.attention;
  const scene::Pinned pins = scene::pinned(next, trace.T, trace.S);
  if (pins.detail_query < 0 || pins.key < 0 || pins.detail_query >= static_cast<int>(trace.allowed.size()))
    return next;
  const base::Interval keys = trace.allowed[static_cast<std::size_t>(pins.detail_query)];
  if (keys.size() > 0) next.key = std::clamp(pins.key, keys.begin, keys.end - 1);
  return next;
}

}  // namespace

const scene::SlideKeys* own_keys(const Scene& scene, std::string_view card) {
  const scene::SlideKeys* const keys = scene::room_of(scene.page).slide_keys;
  return keys && keys->card == card ? keys : nullptr;
}

bool walks_heads(const Scene& scene, std::string_view card) {
  const std::string_view heads = scene::room_of(scene.page).heads_card;
  return !heads.empty() && heads == card;
}

Scene slide_arrow(const Scene& scene, const scene::QuantitySource& from, std::string_view card, Arrow key) {
  const int by = key == Arrow::down || key == Arrow::right ? 1 : -1;
  const bool across = key == Arrow::left || key == Arrow::right;
  if (const scene::SlideKeys* const keys = own_keys(scene, card)) return keys->walk(scene, from, across, by);
  if (!walks_heads(scene, card)) return arrow(scene, from.results, key);
  return across ? walk_tokens(scene, from.results, by) : walk_heads(scene, from.results.attention.heads, by);
}

}  // namespace headlight::app
