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

Scene walk_film(const Scene& scene, const scene::TrainingSnapshot& shown, Arrow key) {
  Scene next = scene;
  if (shown.runs.empty()) return next;
  const int runs = static_cast<int>(shown.runs.size());
  const scene::RunSnapshot& run =
      shown.runs[static_cast<std::size_t>(std::clamp(scene.training.run, 1, runs) - 1)];
  const int frames = static_cast<int>(run.film.size());
  if (key == Arrow::left || key == Arrow::right) {
    if (frames == 0) return next;
    const int at = scene::shown_frame(run.film, scene.training.shown_step);
    const int to = std::clamp(at + (key == Arrow::right ? 1 : -1), 0, frames - 1);
    next.training.shown_step = to + 1 == frames ? -1 : run.film[static_cast<std::size_t>(to)].step;
    return next;
  }
  const int layers = std::max(1, run.config.layers), heads = std::max(1, run.config.heads);
  const int layer = std::clamp(scene.training.layer, 1, layers),
            head = std::clamp(scene.training.head, 1, heads);
  const int to =
      std::clamp((layer - 1) * heads + head - 1 + (key == Arrow::down ? 1 : -1), 0, layers * heads - 1);
  next.training.layer = to / heads + 1, next.training.head = to % heads + 1;
  return next;
}

}  // namespace

Walked walked_on(const Scene& scene, std::string_view card) {
  const scene::PageUses uses = scene::room_of(scene.page).uses(scene);
  if (uses.trains && card == "film") return Walked::film;
  return (uses.large_map && card == "heads") || (uses.pins && card == "atlas") ? Walked::heads
                                                                               : Walked::cells;
}

Scene slide_arrow(const Scene& scene, const scene::Results& results, const scene::TrainingSnapshot* run,
                  std::string_view card, Arrow key) {
  const int by = key == Arrow::down || key == Arrow::right ? 1 : -1;
  const bool across = key == Arrow::left || key == Arrow::right;
  switch (walked_on(scene, card)) {
    case Walked::heads:
      return across ? walk_tokens(scene, results, by) : walk_heads(scene, results.attention.heads, by);
    case Walked::film:
      return run ? walk_film(scene, *run, key) : scene;
    case Walked::cells:
      break;
  }
  return arrow(scene, results, key);
}

}  // namespace headlight::app
