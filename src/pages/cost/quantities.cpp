// The quantities of the page: its numbers by name.
#include <algorithm>

#include "nn/cost.h"
#include "pages/cost/cost.h"
#include "pages/quantity_values.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;

using S = const QuantitySource&;

nn::Architecture architecture(Q q) {
  const auto& words = architecture_words;
  const auto found = std::find(words.begin(), words.end(), q.word("of", words.front()));
  return static_cast<nn::Architecture>(found == words.end() ? 0 : found - words.begin());
}

template <class Pick>
double cost(Q q, S s, Pick pick) {
  const auto* r = s.own<CostResults>();
  return r ? static_cast<double>(pick(r->of(architecture(q)))) : no_value;
}

const MemoryRow* memory_row(Q q, S s) {
  const auto* r = s.own<CostResults>();
  if (!r) return nullptr;
  for (const MemoryRow& row : r->memory) {
    if (row.T == static_cast<std::uint64_t>(q.number("T", 512))) return &row;
  }
  return nullptr;
}

constexpr double bytes_of_mib = 1024.0 * 1024.0, bytes_of_gib = bytes_of_mib * 1024;

template <class Pick>
double of_cost(S s, Pick pick) {
  const auto* r = s.own<CostResults>();
  return r ? static_cast<double>(pick(*r)) : no_value;
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"operations", "Leading term of the operations", whole_form, "of",
     "n²d, n d² or k n d²; for attention, recurrence, convolution, dilated or linear",
     [](Q q, S s) { return cost(q, s, [](auto& r) { return r.cost.leading; }); }},
    {"multiplications", "Multiply-adds without projections", whole_form, "of",
     "multiply-adds of the loops, without the projections",
     [](Q q, S s) { return cost(q, s, [](auto& r) { return r.cost.multiplications; }); }, "multiply-adds"},
    {"projections", "Multiply-adds of the projections", whole_form, "of",
     "multiply-adds by W_Q, W_K, W_V and W_O, 4 n d²; 0 for layers without them",
     [](Q q, S s) { return cost(q, s, [](auto& r) { return r.cost.projections; }); }, "multiply-adds"},
    {"layer_multiplications", "Multiply-adds of the layer", whole_form, "of",
     "multiply-adds of the whole layer",
     [](Q q, S s) { return cost(q, s, [](auto& r) { return r.cost.whole(); }); }, "multiply-adds"},
    {"layer_flop", "Floating-point operations of the layer", whole_form, "of",
     "floating-point operations of the whole layer, two for each multiply-add",
     [](Q q, S s) { return cost(q, s, [](auto& r) { return 2 * r.cost.whole(); }); }, "FLOP"},
    {"heads_multiplications", "Multiply-adds with all heads", whole_form, "",
     "multiply-adds of the whole layer with the selected number of heads",
     [](Q, S s) {
       const auto* r = s.own<CostResults>();
       return r ? double(r->heads.many.multiplications) : no_value;
     },
     "multiply-adds"},
    {"heads_exponentials", "Exponentials with all heads", whole_form, "",
     "exponentials of the softmax with all heads, h n²",
     [](Q, S s) {
       const auto* r = s.own<CostResults>();
       return r ? double(r->heads.many.exponentials) : no_value;
     }},
    {"one_head_exponentials", "Exponentials with one head", whole_form, "",
     "exponentials of the softmax with one head of the same total width, n²",
     [](Q, S s) {
       const auto* r = s.own<CostResults>();
       return r ? double(r->heads.one.exponentials) : no_value;
     }},
    {"counted_as_run", "Agreement of the formula with the loops", whole_form, "of",
     "1 if running the loops gives the count of the formula",
     [](Q q, S s) { return cost(q, s, [](auto& r) { return r.agrees() ? 1 : 0; }); }},
    {"steps", "Sequential operations", whole_form, "of", "operations that must run one after another",
     [](Q q, S s) { return cost(q, s, [](auto& r) { return r.cost.sequential; }); }, "steps"},
    {"longest_path", "Maximum path length", whole_form, "of",
     "the largest number of hops, steps or layers between two connected positions; 0 if none are connected",
     [](Q q, S s) { return cost(q, s, [](auto& r) { return r.cost.longest_path; }); }},
    {"hops", "Path length", whole_form, "of",
     "hops from the first selected position to the second; 0 if there is no path or they are the same",
     [](Q q, S s) {
       const auto* r = s.own<CostResults>();
       return r ? double(r->path(architecture(q)).size()) : no_value;
     },
     "hops"},
    {"layers_to_meet", "Convolution layers until both positions meet", whole_form, "",
     "stacked convolutions until one unit depends on both positions; none with k = 1",
     [](Q, S s) {
       const CostResults* r = s.own<CostResults>();
       const bool never = r && s.results.scene.cost.k == 1 && r->from != r->to;
       return r && !never ? double(r->layers_to_meet) : no_value;
     },
     "layers"},
    {"linear_operations", "Multiply-adds of linear attention, one head", whole_form, "",
     "multiply-adds of linear attention in one head, 2 n d²",
     [](Q, S s) {
       return double(nn::linear_attention_multiplications({s.scene.cost.n, s.scene.cost.d, s.scene.cost.k}));
     },
     "multiply-adds"},
    {"map_mib", "Memory of one map", significant(4), "T", "MiB of one map of T × T",
     [](Q q, S s) { return memory_row(q, s) ? double(memory_row(q, s)->one_map) / bytes_of_mib : no_value; },
     "MiB"},
    {"maps_gib", "Memory of the maps of all heads and layers", significant(4), "T",
     "GiB of the maps of all heads and layers",
     [](Q q, S s) { return memory_row(q, s) ? double(memory_row(q, s)->all_maps) / bytes_of_gib : no_value; },
     "GiB"},
    {"tiled_mib", "Memory of tiled attention", significant(4), "T",
     "MiB that tiled attention keeps instead of the maps",
     [](Q q, S s) { return memory_row(q, s) ? double(memory_row(q, s)->tiled) / bytes_of_mib : no_value; },
     "MiB"},
    {"longest_in_gib", "Longest sequence in memory", whole_form, "gib",
     "the longest sequence whose maps fit into 8, 24 or 80 GiB",
     [](Q q, S s) {
       const auto* r = s.own<CostResults>();
       if (!r) return no_value;
       for (const MemoryWall& wall : r->walls)
         if (wall.gib == q.number("gib", 80)) return double(wall.T);
       return no_value;
     },
     "tokens"},
    {"tiled_difference", "Largest difference between tiled and dense attention", rounding_form, "",
     "largest difference between tiled and dense attention, both run",
     [](Q, S s) {
       const auto* r = s.own<CostResults>();
       return r ? r->check.largest_difference : no_value;
     }},
    {"one_head_multiplications", "Multiply-adds with one head", whole_form, "",
     "multiply-adds of the whole layer with one head of the same total width",
     [](Q, S s) { return of_cost(s, [](auto& r) { return r.heads.one.multiplications; }); }, "multiply-adds"},
    {"heads_counted", "Heads counted", whole_form, "",
     "heads that are counted: the selected number, at most d",
     [](Q, S s) { return of_cost(s, [](auto& r) { return r.heads.many.heads; }); }},
    {"leading_ratio", "Ratio of the leading terms", significant(3), "",
     "leading terms of self-attention and a recurrence, the larger divided by the smaller",
     [](Q, S s) {
       return of_cost(s, [](auto& r) {
         const auto a = static_cast<double>(r.of(nn::Architecture::self_attention).cost.leading),
                    b = static_cast<double>(r.of(nn::Architecture::recurrence).cost.leading);
         return std::max(a, b) / std::min(a, b);
       });
     }},
    {"dense_bytes", "Memory of dense attention, as run", whole_form, "",
     "bytes of the weights and the output of dense attention when both were run",
     [](Q, S s) { return of_cost(s, [](auto& r) { return r.check.dense_bytes; }); }, "bytes"},
    {"tiled_bytes", "Memory of tiled attention, as run", whole_form, "",
     "bytes of the output and of two numbers per query and head that tiled attention kept when both were "
     "run",
     [](Q, S s) { return of_cost(s, [](auto& r) { return r.check.tiled_bytes; }); }, "bytes"},
};

}  // namespace

std::span<const QuantityInfo> cost_quantities() {
  return list;
}

}  // namespace headlight::scene
