#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "pages/worked/worked.h"

namespace headlight::scene {

std::vector<Table> worked_tables();
std::span<const QuantityInfo> worked_quantities();

namespace {

PageUses uses(const Scene&) {
  return {.sentence = false};
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress&, Results& results) {
  results.worked = compute_worked(scene, results, parallel);
}

}  // namespace

const PageRoom worked_room{
    .page = Page::worked,
    .title = "Worked example",
    .about = "attention small enough to trace every number",
    .uses = uses,
    .compute = compute,
    .tables = worked_tables,
    .quantities = worked_quantities,
};

}  // namespace headlight::scene
