#include <string_view>

#include "pages/head_bench/head_bench.h"
#include "pages/opened_attention.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/layer_input.h"
#include "scene/saved_attention.h"

namespace headlight::scene {

std::vector<Table> bench_tables();
std::span<const QuantityInfo> bench_quantities();

namespace {

PageUses uses(const Scene& scene) {
  const bool saved = saved_attention(scene) != nullptr, layer = scene.bench.from == BenchFrom::layer || saved;
  // Of a model of another program the layers are chosen on the card of the maps.
  return {.model = layer ? PageUses::Model::layer : PageUses::Model::stack,
          .positions = !other_model(scene) && !saved,  // a model of another program brings its own
          .scores = layer && !saved,                   // the stack has scores of its own
          .pins = true};
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress& progress, Results& results) {
  results.bench = compute_bench(scene, results, parallel, progress);
}

double work(const Scene& scene, int tokens) {
  if (const auto other = shown_other_model(scene)) {
    if (scene.bench.from == BenchFrom::layer) return 0;
    Scene layer = scene;  // a pass for the layer of A, another for that of B
    layer.weights_layer = scene.bench.layer_a;
    const double a = opened_work(layer, *other, tokens);
    layer.weights_layer = scene.bench.layer_b;
    return a + opened_work(layer, *other, tokens);
  }
  return work_before(scene, tokens);  // the model's layers before, once more
}

/// A model that was opened has no other seed.
const char* heading(const Field& field, const Scene& scene) {
  const std::string_view name = field.name;
  const bool seeds = name == "bench_other_seed" || name == "bench_seed_b";
  return seeds && shown_other_model(scene) ? "" : nullptr;
}

}  // namespace

const PageRoom head_bench_room{
    .page = Page::bench,
    .group = PageGroup::explore,
    .title = "Compare",
    .about = "compare two heads; switch heads off",
    .uses = uses,
    .heading = heading,
    .compute = compute,
    .work = work,
    .tables = bench_tables,
    .quantities = bench_quantities,
};

}  // namespace headlight::scene
