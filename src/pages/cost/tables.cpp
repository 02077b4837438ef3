// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <limits>

#include "pages/cost/cost.h"
#include "pages/table_parts.h"

namespace headlight::scene {

namespace {

Names architectures() {
  return {architecture_names.begin(), architecture_names.end()};
}

MaybeNumbers cost_table(const TableSource& s) {
  const auto* r = s.own<CostResults>();
  if (!r) return std::nullopt;
  Columns out{{"leading term", "multiply-adds", "projections", "multiply-adds of the whole layer",
               "FLOP of the whole layer", "sequential operations", "maximum path length",
               "counted by running", "by formula at that size"},
              {}};
  for (const CountedLayer& layer : r->layers) {
    const nn::LayerCost& cost = layer.cost;
    out.row(cost.leading, cost.multiplications, cost.projections, cost.whole(), 2 * cost.whole(),
            cost.sequential, cost.longest_path, layer.whole_by_running, layer.whole_by_formula);
  }
  return out.take("architecture", architectures());
}

MaybeNumbers cost_heads(const TableSource& s) {
  const auto* r = s.own<CostResults>();
  if (!r) return std::nullopt;
  Columns out{
      {"heads", "narrowest head", "widest head", "multiply-adds", "FLOP", "exponentials", "parameters"}, {}};
  for (const nn::HeadsCost* cost : {&r->heads.one, &r->heads.many})
    out.row(cost->heads, cost->narrowest, cost->widest, cost->multiplications, 2 * cost->multiplications,
            cost->exponentials, cost->parameters);
  return out.take("layer");
}

MaybeNumbers cost_growth(const TableSource& s) {
  const auto* r = s.own<CostResults>();
  if (!r) return std::nullopt;
  std::vector<double> values;
  Names lengths;
  for (const GrowthRow& row : r->growth) {
    lengths.push_back(std::to_string(row.n));
    for (const std::uint64_t whole : row.whole) values.push_back(static_cast<double>(whole));
  }
  return own(std::move(values), {lengths.size(), count(cost_architectures)}, {"n", "architecture"},
             {lengths, architectures()});
}

MaybeNumbers cost_paths(const TableSource& s) {
  const auto* r = s.own<CostResults>();
  if (!r) return std::nullopt;
  std::size_t longest = 0;
  for (const auto& path : r->paths) longest = std::max(longest, path.size());
  std::vector<double> values;
  for (const auto& path : r->paths) {
    for (std::size_t hop = 0; hop < longest; ++hop) {
      const bool there = hop < path.size();
      constexpr double none = std::numeric_limits<double>::quiet_NaN();
      values.push_back(there ? path[hop].layer : none);
      values.push_back(there ? path[hop].position : none);
    }
  }
  return own(std::move(values), {count(cost_architectures), longest, 2}, {"architecture", "hop", "quantity"},
             {architectures(), {}, {"layer", "position"}});
}

MaybeNumbers cost_memory(const TableSource& s) {
  const auto* r = s.own<CostResults>();
  if (!r) return std::nullopt;
  Columns out{{"n", "bytes of one map", "bytes of all maps", "bytes, tiled"}, {}};
  for (const MemoryRow& row : r->memory) out.row(row.T, row.one_map, row.all_maps, row.tiled);
  return out.take("length");
}

MaybeNumbers cost_walls(const TableSource& s) {
  const auto* r = s.own<CostResults>();
  if (!r) return std::nullopt;
  Columns out{{"GiB", "longest n"}, {}};
  for (const MemoryWall& wall : r->walls) out.row(wall.gib, wall.T);
  return out.take("wall");
}

MaybeNumbers cost_times(const TableSource& s) {
  if (!s.measured || s.measured->rows.empty()) return std::nullopt;
  Columns out{{"n", "recurrence ms", "self-attention ms", "tiled ms", "recurrence ÷ self-attention"}, {}};
  for (const CostMeasurement& row : s.measured->rows)
    out.row(row.T, row.recurrence.ms, row.attention.ms, row.tiled.ms, row.recurrence.ms / row.attention.ms);
  return out.take("length");
}

}  // namespace

std::vector<Table> cost_tables() {
  constexpr Page page = Page::cost;
  return {
      {"cost_table", page, "table", "multiply-adds, sequential operations and paths of one layer",
       cost_table},
      {"cost_heads", page, "table", "one head, and several of the same total width", cost_heads},
      {"cost_growth", page, "growth", "multiply-adds of the whole layers by length", cost_growth},
      {"cost_paths", page, "paths", "hops of the shortest path", cost_paths},
      {"cost_times", page, "times",
       "ms measured on this machine: --what cost_times measures them, a whole page needs --measure",
       cost_times},
      {"cost_memory", page, "memory", "bytes of the maps by length", cost_memory},
      {"cost_walls", page, "memory", "longest sequence that fits", cost_walls},
  };
}

}  // namespace headlight::scene
