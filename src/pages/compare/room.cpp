#include <string_view>

#include "pages/compare/compare.h"
#include "pages/opened_attention.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/layer_input.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"

namespace headlight::scene {

std::vector<Table> compare_tables();
std::span<const QuantityInfo> compare_quantities();

namespace {

PageUses uses(const Scene& scene) {
  const bool saved = saved_attention(scene) != nullptr,
             layer = scene.compare.from == CompareFrom::layer || saved;
  // For a model of another program, the card of the maps chooses the layers.
  return {.model = layer ? PageUses::Model::layer : PageUses::Model::stack,
          .positions = !other_model(scene) && !saved,  // a model of another program has its own
          .scores = layer && !saved,                   // the stack has scores of its own
          .pins = true};
}

void compute(const Scene& scene, base::Parallel& parallel, const Progress& progress, Results& results) {
  results.own = compute_compare(scene, results, parallel, progress);
}

double work(const Scene& scene, int tokens) {
  if (const auto other = shown_other_model(scene)) {
    if (scene.compare.from == CompareFrom::layer) return 0;
    Scene layer = scene;  // one pass for the layer of A, another for the layer of B
    layer.weights_layer = scene.compare.layer_a;
    const double a = opened_work(layer, *other, tokens);
    layer.weights_layer = scene.compare.layer_b;
    return a + opened_work(layer, *other, tokens);
  }
  return work_before(scene, tokens);  // the model's earlier layers run once more
}

std::vector<ChosenOf> chooses(const Scene& scene, const Results*) {
  const int heads = heads_to_show(scene);
  std::vector<ChosenOf> out = {
      {"bench_a", 1, heads, "head"}, {"bench_b", 1, heads, "head"}, {"bench_off", 1, heads, "head"}};
  if (scene.compare.from == CompareFrom::layer) return out;
  int layers = scene.block.layers;
  if (const auto other = shown_other_model(scene)) layers = layers_of(*other);
  if (const auto saved = shown_saved_attention(scene)) layers = saved->shape.layers;
  out.push_back({"bench_layer_a", 1, layers, "layer"});
  out.push_back({"bench_layer_b", 1, layers, "layer"});
  return out;
}

/// An opened model has no other seed, and the seed of B is of use where B has one of its own.
const char* heading(const Field& field, const Scene& scene) {
  const std::string_view name = field.name;
  const bool seeds = name == "bench_other_seed" || name == "bench_seed_b";
  const bool unused = name == "bench_seed_b" && !scene.compare.other_seed;
  return unused || (seeds && shown_other_model(scene)) ? "" : nullptr;
}

constexpr ArgumentInfo arguments[] = {{.name = "a", .noun = "head"}, {.name = "b", .noun = "head"}};

constexpr const char* of_pairs[] = {"previous",    "previous_even",          "next",
                                    "first",       "bench_difference_query", "bench_difference_key",
                                    "bench_apart", "bench_apart_query",      "bench_apart_key"};

constexpr ArgumentDefault defaults[] = {{"a", "1"}, {"b", "2"}, {"offset", "0"}, {"rank", "1"}};

std::string why_none(const Quantity& quantity, const QuantitySource& from) {
  const auto* r = from.own<CompareResults>();
  if (!std::string_view(quantity.info->name).starts_with("bench_apart") || !r) return {};
  return from.results.attention.T > 1 ? r->no_pairs : std::string();  // of_pairs tells of one token
}

}  // namespace

const PageRoom compare_room{
    .page = Page::compare,
    .group = PageGroup::explore,
    .title = "Compare",
    .about = "compare two heads; switch heads off",
    .uses = uses,
    .heading = heading,
    .compute = compute,
    .work = work,
    .tables = compare_tables,
    .quantities = compare_quantities,
    .arguments = arguments,
    .defaults = defaults,
    .why_none = why_none,
    .of_pairs = of_pairs,
    .chooses = chooses,
};

}  // namespace headlight::scene
