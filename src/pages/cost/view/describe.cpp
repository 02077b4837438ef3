// The page in words.
#include <cmath>

#include "base/one_line.h"
#include "base/words.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "pages/cost/cost.h"
#include "pages/cost/view/page.h"
#include "pages/cost/view/sheet.h"

namespace headlight::views::plain {

namespace {

/// Where the loops were run, when that was at a smaller size than the one that is set.
std::string counted_at(const nn::LayerSize& size, const scene::CostSettings& settings) {
  if (size.n == settings.n && size.d == settings.d) return {};
  return " at n = " + base::with_commas(size.n) + ", d = " + std::to_string(size.d);
}

/// Where fewer heads are counted than are set.
std::string heads_lowered(const scene::CostSettings& settings, int heads) {
  if (heads == settings.heads) return {};
  return std::to_string(settings.heads) + " heads are selected; a head has at least one component, so " +
         base::counted(heads, "head") + (heads == 1 ? " is" : " are") +
         " counted at d = " + std::to_string(settings.d) + ", here and below\n";
}

}  // namespace

std::string describe_cost(const PageInput& in, int) {
  if (!in.own<scene::CostResults>()) return {};
  const scene::CostResults& r = *in.own<scene::CostResults>();
  std::string out = "n = " + base::with_commas(in.scene.cost.n) + ", d = " + std::to_string(in.scene.cost.d) +
                    ", k = " + std::to_string(in.scene.cost.k) +
                    (in.scene.cost.kernel == scene::CostKernel::one_sided ? ", one-sided" : ", centred") +
                    " kernels" + (r.model.empty() ? "" : "; " + base::one_line(of_model_words(r))) + "\n\n";
  std::vector<std::vector<std::string>> rows{{"layer", "leading term", "multiply-adds", "with projections",
                                              "FLOP of the layer", "sequential", "counted twice",
                                              "maximum path length", "grows as",
                                              std::to_string(r.from) + " → " + std::to_string(r.to)}};
  for (int i = 0; i < scene::cost_architectures; ++i) {
    const auto architecture = static_cast<nn::Architecture>(i);
    const scene::CountedLayer& layer = r.of(architecture);
    const auto path = [](int hops) { return hops == 0 ? "no path" : base::counted(hops, "hop"); };
    const auto of_layer = [&](const char* name) {
      return in.text(std::string(name) + " of=" + scene::word_of(architecture));
    };
    static constexpr const char* growth[] = {"O(1)", "O(n)", "O(n/k)", "O(log_k n)", "O(1)"};
    rows.push_back(
        {scene::name_of(architecture), of_layer("operations"), of_layer("multiplications"),
         of_layer("layer_multiplications"), of_layer("layer_flop"), of_layer("steps"),
         (layer.agrees() ? "agrees" : "differs") + counted_at(layer.counted_at, in.results.scene.cost),
         in.results.scene.cost.n == 1 ? "0 hops" : path(layer.cost.longest_path), growth[i],
         r.from == r.to ? "0 hops" : path(static_cast<int>(r.path(architecture).size()))});
  }
  out += table(rows);
  const scene::CountedHeads& heads = r.heads;
  out += base::counted(heads.many.heads, "head") + " of width " + std::to_string(heads.many.narrowest) +
         (heads.many.widest > heads.many.narrowest ? " and " + std::to_string(heads.many.widest) : "") +
         " instead of one of " + std::to_string(in.results.scene.cost.d) + ": " +
         in.text("heads_multiplications") + " multiply-adds, one head " +
         in.text("one_head_multiplications") + "; exponentials " + in.text("heads_exponentials") + " and " +
         in.text("one_head_exponentials") +
         "\nlinear attention is counted in one head; in h heads 2 n d²/h\n" +
         heads_lowered(in.results.scene.cost, heads.many.heads) + "\n";
  rows = {{"n", "convolution", "recurrence", "linear attention", "self-attention"}};
  for (const scene::GrowthRow& row : r.growth) {
    using nn::Architecture;
    std::vector<std::string> words{base::with_commas(row.n)};
    for (const Architecture of : {Architecture::convolution, Architecture::recurrence,
                                  Architecture::linear_attention, Architecture::self_attention})
      words.push_back(base::with_commas(static_cast<long long>(row.whole[static_cast<std::size_t>(of)])));
    rows.push_back(std::move(words));
  }
  if (rows.size() > 1)
    out += "multiply-adds of the whole layer, d = " + std::to_string(in.results.scene.cost.d) +
           ", k = " + std::to_string(in.results.scene.cost.k) + "\n" + table(rows) + "\n";
  const scene::CostSettings& counted = in.results.scene.cost;
  out += "bytes of the maps, with B = " + std::to_string(counted.batch) +
         ", h = " + std::to_string(heads.many.heads) + ", L = " + std::to_string(counted.layers) + ", " +
         base::counted(1 << static_cast<int>(counted.bytes), "byte") + " per value\n";
  rows = {
      {"n", "one map", "all maps", "tiled attention keeps, d = " + std::to_string(in.results.scene.cost.d)}};
  for (const scene::MemoryRow& row : r.memory)
    rows.push_back({base::with_commas(static_cast<long long>(row.T)),
                    base::with_commas(static_cast<long long>(row.one_map)),
                    base::with_commas(static_cast<long long>(row.all_maps)),
                    base::with_commas(static_cast<long long>(row.tiled))});
  out += table(rows);
  for (const scene::MemoryWall& wall : r.walls)
    out += "  " + std::to_string(wall.gib) + " GiB holds the maps of at most " +
           in.text(quantity("longest_in_gib", {{"gib", wall.gib}})) + " tokens\n";
  out += "\ntiled attention differs from dense by at most " + in.text("tiled_difference") + "\n";
  if (in.measured && !in.measured->rows.empty()) {
    rows = {{"n", "recurrence ms", "attention ms", "tiled ms"}};
    for (const scene::CostMeasurement& m : in.measured->rows)
      rows.push_back({base::with_commas(m.T), base::brief(m.recurrence.ms, 3), base::brief(m.attention.ms, 3),
                      base::brief(m.tiled.ms, 3)});
    out +=
        "\nmeasured here: self-attention from given q, k and v, without its four projections; the recurrence "
        "with both its matrices\n" +
        table(rows);
  }
  return out;
}

}  // namespace headlight::views::plain
