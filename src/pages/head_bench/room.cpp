#include "pages/head_bench/head_bench.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/layer_input.h"

namespace headlight::scene {

std::vector<Table> bench_tables();
std::span<const QuantityInfo> bench_quantities();

namespace {

PageUses uses(const Scene& scene) {
  const bool layer = scene.bench.from == BenchFrom::layer;
  return {.model = layer ? PageUses::Model::layer : PageUses::Model::stack,
          .positions = true,
          .scores = layer,  // the stack has scores of its own
          .pins = true};
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress&, Results& results) {
  results.bench = compute_bench(scene, results, parallel);
}

double work(const Scene& scene, int tokens) {
  return work_before(scene, tokens);  // the model's layers before, once more
}

}  // namespace

const PageRoom head_bench_room{
    .page = Page::bench,
    .group = PageGroup::explore,
    .title = "Compare",
    .about = "compare two heads; switch heads off",
    .uses = uses,
    .compute = compute,
    .work = work,
    .tables = bench_tables,
    .quantities = bench_quantities,
};

}  // namespace headlight::scene
