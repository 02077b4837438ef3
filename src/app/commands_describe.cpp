#include "app/commands.h"
#include "app/describe.h"
#include "scene/compute.h"
#include "scene/settings.h"

namespace headlight::app {

std::string describe(const scene::Scene& scene, int keys, std::string& note) {
  base::Parallel parallel;
  scene::Scene whole = scene;
  scene::repair(whole);
  const std::shared_ptr<const scene::Results> results = scene::compute(whole, parallel, nullptr);
  const auto cell = scene::explain_pinned(whole, *results);
  note = shortened(*results);
  // A cell is told of when somebody pinned it; else it is only the strongest one.
  return describe_page({.scene = whole,
                        .results = *results,
                        .cell = whole.key >= 0 ? cell.get() : nullptr,
                        .hover = nullptr,
                        .theme = draw::theme(true)},
                       keys);
}

}  // namespace headlight::app
