#include <memory>

#include "pages/model/atlas.h"
#include "pages/opened_attention.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/trained_model.h"

namespace headlight::scene {

std::vector<Table> model_tables();
std::span<const QuantityInfo> model_quantities();

namespace {

PageUses uses(const Scene& scene) {
  // A model of another program brings its positions, its scale and its mask.
  const bool free = !other_model(scene);
  return {.model = PageUses::Model::layer, .positions = free, .scores = free, .pins = true};
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress& progress, Results& results) {
  auto out = std::make_shared<AtlasResults>();
  auto atlas = compute_atlas(scene, parallel, progress, results);
  if (!atlas && atlas.error() == given_up) return;
  out->atlas = atlas ? *atlas : std::make_shared<const Atlas>();
  if (!atlas) out->problem = atlas.error();
  results.own = std::move(out);
}

}  // namespace

const PageRoom model_room{
    .page = Page::model,
    .group = PageGroup::explore,
    .title = "Model",
    .about = "the attention of every head of every layer, and what each head attends to",
    .uses = uses,
    .compute = compute,
    .work = atlas_work,
    .tables = model_tables,
    .quantities = model_quantities,
};

}  // namespace headlight::scene
