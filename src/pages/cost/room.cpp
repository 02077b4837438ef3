#include <algorithm>

#include "pages/cost/cost.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"

namespace headlight::scene {

std::vector<Table> cost_tables();
std::span<const QuantityInfo> cost_quantities();

namespace {

PageUses uses(const Scene&) {
  return {.sentence = false, .measures = true};
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress&, Results& results) {
  results.own = compute_cost(scene, results, parallel);
}

double work(const Scene&, int) {
  return cost_work();
}

std::vector<ChosenOf> chooses(const Scene& scene, const Results*) {
  const int drawn = std::min(scene.cost.n, most_path_positions);
  return {{"cost_from", 0, drawn, "position"}, {"cost_to", 0, drawn, "position"}};
}

constexpr ArgumentInfo arguments[] = {{.name = "of", .words = architecture_words},
                                      {.name = "gib", .noun = "memory in GiB of"}};

constexpr ArgumentDefault defaults[] = {{"T", "512"}, {"gib", "80"}};

}  // namespace

const PageRoom cost_room{
    .page = Page::cost,
    .group = PageGroup::theory,
    .title = "Cost",
    .about = "operations, steps, paths, bytes and measured time",
    .uses = uses,
    .chips = {"cost_n", "cost_d", "cost_heads", "cost_k"},
    .compute = compute,
    .work = work,
    .tables = cost_tables,
    .quantities = cost_quantities,
    .arguments = arguments,
    .defaults = defaults,
    .chooses = chooses,
};

}  // namespace headlight::scene
