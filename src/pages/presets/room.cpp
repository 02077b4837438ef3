#include "pages/page.h"
#include "pages/presets/presets.h"
#include "pages/quantities.h"
#include "pages/tables.h"

namespace headlight::scene {

std::vector<Table> presets_tables();
std::span<const QuantityInfo> presets_quantities();

namespace {

PageUses uses(const Scene&) {
  return {.sentence = false};
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress&, Results& results) {
  results.own = compute_presets(scene, results, parallel);
}

}  // namespace

const PageRoom presets_room{
    .page = Page::presets,
    .group = PageGroup::learn,
    .title = "References",
    .about = "examples of the sources, each with a verdict",
    .uses = uses,
    .chips = {},
    .compute = compute,
    .tables = presets_tables,
    .quantities = presets_quantities,
};

}  // namespace headlight::scene
