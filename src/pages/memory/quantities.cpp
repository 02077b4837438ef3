// The quantities of the page: its numbers by name.
#include <cmath>

#include "nn/hopfield.h"
#include "pages/memory/binary.h"
#include "pages/memory/experiments.h"
#include "pages/memory/memory.h"
#include "pages/memory/sizes.h"
#include "pages/quantity_values.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;

using S = const QuantitySource&;

template <class Pick>
double sentence(S s, Pick pick) {
  const auto* r = s.own<MemoryResults>();
  return r && r->sentence ? static_cast<double>(pick(*r->sentence)) : no_value;
}

template <class Pick>
double retrieval(S s, Pick pick) {
  const auto* r = s.own<MemoryResults>();
  return r ? static_cast<double>(pick(r->retrieval)) : no_value;
}

double landscape(S s, double StoredPatterns::*member) {
  const auto* r = s.own<MemoryResults>();
  return r && r->stored && !r->stored->landscape.empty() ? (*r->stored).*member : no_value;
}

const ReadBack* read_back_of(Q q, S s) {
  const auto* r = s.own<MemoryResults>();
  if (!r || !r->sentence || r->read_back.empty()) return nullptr;
  const int token = q.number("token", r->read_back.front().token);
  if (token < 0 || token >= r->step) return nullptr;
  // Tokens with the same key share an entry.
  const nn::Matrix& keys = r->sentence->unit_k;
  const auto found = std::ranges::find_if(r->read_back, [&](const ReadBack& one) {
    return std::ranges::equal(keys.row(one.token), keys.row(token));
  });
  return found == r->read_back.end() ? nullptr : &*found;
}

/// The error at the length in the argument; null: it was not computed.
const LinearError* error_at(Q q, S s) {
  const auto* r = s.own<MemoryResults>();
  if (!r || !r->experiments) return nullptr;
  for (const LinearError& one : r->experiments->errors) {
    if (one.T == q.number("T", 64)) return &one;
  }
  return nullptr;
}

/// The influence at the distance in the argument; null: it was not computed.
const Influence* influence_at(Q q, S s) {
  const auto* r = s.own<MemoryResults>();
  if (!r || !r->experiments) return nullptr;
  for (const Influence& one : r->experiments->influence) {
    if (one.distance == q.number("distance", 1)) return &one;
  }
  return nullptr;
}

template <class Pick>
double bits(S s, Pick pick) {
  const auto* r = s.own<MemoryResults>();
  return r && r->binary ? static_cast<double>(pick(*r->binary)) : no_value;
}

/// The value after an update, by default after the last one.
double after(Q q, const std::vector<double>& values) {
  return entry(values, q.number("update", static_cast<int>(values.size()) - 1));
}

double feature_error(Q q, S s) {
  const auto* r = s.own<MemoryResults>();
  if (!r || !r->sizes) return no_value;
  const SizeErrors& all = *r->sizes;
  const int m = q.number("m", all.m);
  if (m == all.m) return all.at_m;
  for (const SizeError& one : all.sizes) {
    if (one.size == m) return one.features;
  }
  return no_value;
}

double keys_error(Q q, S s) {
  if (!s.own<MemoryResults>() || !s.own<MemoryResults>()->sizes) return no_value;
  const SizeErrors& all = *s.own<MemoryResults>()->sizes;
  const int r = q.number("r", all.r);
  if (r == all.r) return all.at_r;
  for (const SizeError& one : all.sizes) {
    if (one.size == r) return one.keys;
  }
  return no_value;
}

/// Nothing without dimensions, and beyond what a double can hold.
double capacity(Q q, double patterns) {
  return q.number("d", 64) >= 1 && std::isfinite(patterns) ? patterns : no_value;
}

/// The factor that remains at the step on show of the write this many steps before.
double kept(Q q, S s) {
  const auto* r = s.own<MemoryResults>();
  if (!r) return no_value;
  const auto& terms = r->recurrence;
  const int distance = q.number("distance", static_cast<int>(terms.size()) - 1);
  if (distance < 0 || static_cast<std::size_t>(distance) >= terms.size()) return no_value;
  return terms[terms.size() - 1 - static_cast<std::size_t>(distance)].kept;
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"linear_weight", "Weight of linear attention", decimals(4), "query key", "a weight of linear attention",
     [](Q q, S s) {
       return sentence(s,
                       [&](auto& r) { return element(r.linear, q.number("query", 0), q.number("key", 0)); });
     }},
    {"softmax_weight", "Weight of softmax attention", decimals(4), "query key",
     "the same for softmax attention",
     [](Q q, S s) {
       return sentence(s,
                       [&](auto& r) { return element(r.softmax, q.number("query", 0), q.number("key", 0)); });
     }},
    {"linear_sharpness", "Mean largest weight, linear attention", decimals(2), "",
     "mean largest weight of a row of linear attention",
     [](Q, S s) { return sentence(s, [](auto& r) { return r.sharpness_linear; }); }},
    {"softmax_sharpness", "Mean largest weight, softmax attention", decimals(2), "",
     "the same for softmax attention",
     [](Q, S s) { return sentence(s, [](auto& r) { return r.sharpness_softmax; }); }},
    {"linear_difference", "Largest difference between linear and softmax outputs", decimals(2), "",
     "largest difference between the outputs of linear and softmax attention",
     [](Q, S s) { return sentence(s, [](auto& r) { return r.largest_difference; }); }},
    {"fast_residual", "Largest difference between fast weights and linear attention", significant(2), "",
     "largest difference between reading the fast weights and the sums of linear attention, decay included",
     [](Q, S s) { return sentence(s, [](auto& r) { return r.fast_residual; }); }},
    {"fast_width", "Rows of the fast weight matrix", whole_form, "",
     "rows of the fast weight matrix: the head width",
     [](Q, S s) { return sentence(s, [](auto& r) { return r.v.cols(); }); }},
    {"fast_features", "Columns of the fast weight matrix", whole_form, "",
     "columns of the fast weight matrix: components of φ(k)",
     [](Q, S s) { return sentence(s, [](auto& r) { return r.phi_k.cols(); }); }},
    {"fast_denominator", "Denominator of linear attention", decimals(2), "",
     "the sum of φ(q)·φ(k) over the keys up to the current step, by which linear attention divides",
     [](Q, S s) {
       const auto* r = s.own<MemoryResults>();
       if (!r || !r->sentence) return no_value;
       return element(r->sentence->denominator, 0, r->step - 1);
     }},
    {"decay_kept", "Share of a write that is kept", significant(3), "distance",
     "γ^distance: share of a write that remains this many steps later; by default, of the first write at the "
     "current step",
     kept},
    {"read_back_sum", "Error of reading back, sum rule", decimals(2), "token",
     "sum rule, φ(k) of length 1: error of the value read at a token’s key, relative to the value written "
     "last",
     [](Q q, S s) { return read_back_of(q, s) ? read_back_of(q, s)->sum : no_value; }},
    {"read_back_delta", "Error of reading back, delta rule", decimals(2), "token",
     "delta rule, φ(k) of length 1: the same error",
     [](Q q, S s) { return read_back_of(q, s) ? read_back_of(q, s)->delta : no_value; }},
    {"read_back_times", "Times a key was written", whole_form, "token", "how often a token’s key was written",
     [](Q q, S s) { return read_back_of(q, s) ? double(read_back_of(q, s)->times) : no_value; }},
    {"linear_error", "Relative error of linear attention, φ = elu + 1", significant(3), "T",
     "relative error of linear attention, φ = elu + 1, on one draw of q, k and v; T = 4 … 256",
     [](Q q, S s) { return error_at(q, s) ? error_at(q, s)->elu1 : no_value; }},
    {"linear_error_identity", "Relative error of linear attention, φ = identity", significant(3), "T",
     "the same with φ = identity",
     [](Q q, S s) { return error_at(q, s) ? error_at(q, s)->identity : no_value; }},
    {"random_feature_error", "Relative error with random features", significant(3), "m",
     "the same at T = 64 with m random features, mean of 16 draws of ω; m = 1, 2, 4 … 256, or the scene’s",
     feature_error},
    {"projected_error", "Relative error with projected keys", significant(3), "r",
     "relative error of softmax attention over r projected keys of 64; r = 1, 2, 4 … 64, or the scene’s",
     keys_error},
    {"recurrence_influence", "Influence through a recurrence", significant(3), "distance",
     "influence of the state this many steps earlier on the last one; 0 … 31",
     [](Q q, S s) { return influence_at(q, s) ? influence_at(q, s)->recurrence : no_value; }},
    {"attention_influence", "Influence through attention", significant(3), "distance",
     "mean weight on the key this many positions earlier",
     [](Q q, S s) { return influence_at(q, s) ? influence_at(q, s)->attention : no_value; }},
    {"recovered_at", "Update that recovers the pattern", whole_form, "",
     "updates until the probe is within a tenth of its pattern; −1 if never",
     [](Q, S s) { return retrieval(s, [](auto& r) { return r.recovered_at; }); }},
    {"nearest_pattern", "Nearest pattern", whole_form, "",
     "the pattern nearest to the end of the retrieval, counted from 1",
     [](Q, S s) { return retrieval(s, [](auto& r) { return r.nearest + 1; }); }},
    {"spread", "Patterns that share the weight", decimals(1), "",
     "effective number of patterns that share the weight at the end",
     [](Q, S s) { return retrieval(s, [](auto& r) { return r.effective; }); }},
    {"update_is_attention", "Largest difference between an update and attention", significant(2), "",
     "largest difference between one update and one row of attention",
     [](Q, S s) { return retrieval(s, [](auto& r) { return r.attention_residual; }); }},
    {"energy", "Energy", decimals(3), "update", "energy of the probe after this many updates",
     [](Q q, S s) {
       return retrieval(s, [&](auto& r) { return element(r.trace.energy, q.number("update", 0), 0); });
     }},
    {"pattern_weight", "Weight on a pattern", decimals(4), "update pattern",
     "weight on a pattern (from 1) in an update (from 1)",
     [](Q q, S s) {
       return retrieval(s, [&](auto& r) {
         return element(r.weights, q.number("update", 1) - 1, q.number("pattern", 1) - 1);
       });
     }},
    {"noisy_probes", "Noisy probes", whole_form, "", "number of probes, each a pattern plus noise",
     [](Q, S s) {
       const auto* r = s.own<MemoryResults>();
       return r && r->stored ? double(r->stored->probes) : no_value;
     }},
    {"noisy_recovered", "Noisy probes that recover their pattern", whole_form, "",
     "noisy probes that recover their pattern",
     [](Q, S s) {
       const auto* r = s.own<MemoryResults>();
       return r && r->stored ? double(r->stored->recovered) : no_value;
     }},
    {"binary_overlap", "Overlap with pattern 1", decimals(2), "update",
     "network of 1982: overlap with pattern 1 after this many updates; by default at the end",
     [](Q q, S s) { return bits(s, [&](auto& r) { return after(q, r.trace.overlap); }); }},
    {"binary_energy", "Energy of the binary network", decimals(3), "update",
     "network of 1982: energy after this many updates; by default at the end",
     [](Q q, S s) { return bits(s, [&](auto& r) { return after(q, r.trace.energy); }); }},
    {"binary_wrong", "Wrong bits", whole_form, "", "bits that differ from pattern 1 at the end",
     [](Q, S s) { return bits(s, [](auto& r) { return r.wrong; }); }},
    {"binary_settled", "Last update that changes a bit", whole_form, "",
     "the last update that changed a bit; 0 if none did",
     [](Q, S s) { return bits(s, [](auto& r) { return r.last_flip; }); }},
    {"binary_recovered", "Binary probes that recover their pattern", whole_form, "",
     "number of the 100 probes that end with an overlap of 0.9 or more with their pattern",
     [](Q, S s) { return bits(s, [](auto& r) { return r.recovered; }); }},
    {"binary_load", "Patterns per bit", significant(2), "", "patterns per bit, N/D",
     [](Q, S s) { return bits(s, [](auto& r) { return double(r.patterns) / r.bits; }); }},
    {"capacity_1982", "Capacity, 0.14 d", significant(3), "d", "0.14 d",
     [](Q q, S) { return capacity(q, nn::hopfield_capacity_1982(q.number("d", 64))); }},
    {"capacity_2017", "Capacity, 2^(d/2)", significant(3), "d", "2^(d/2)",
     [](Q q, S) { return capacity(q, nn::hopfield_capacity_2017(q.number("d", 64))); }},
    {"capacity_2020", "Capacity, exponential in d", significant(3), "d",
     "√p c^((d−1)/4) with β = 1, K = 3, p = 0.001",
     [](Q q, S) { return capacity(q, nn::hopfield_capacity_2020(q.number("d", 64), {})); }},
    {"memory_writes", "Writes", whole_form, "", "tokens written to the fast weights up to the current step",
     [](Q, S s) {
       const auto* r = s.own<MemoryResults>();
       return r && r->sentence ? double(r->step) : no_value;
     }},
    {"delta_residual", "float32 error of the delta rule", significant(2), "",
     "largest |y of the delta rule in float32 − in double|",
     [](Q, S s) { return sentence(s, [](auto& r) { return r.delta_residual; }); }},
    {"final_distance", "Distance to the nearest pattern", decimals(2), "",
     "distance to the nearest pattern at the end, relative to its norm",
     [](Q, S s) {
       return retrieval(s,
                        [](auto& r) { return entry(r.distance, static_cast<int>(r.distance.size()) - 1); });
     }},
    {"lowest_energy", "Lowest energy of the landscape", decimals(2), "", "only with two dimensions",
     [](Q, S s) { return landscape(s, &StoredPatterns::lowest); }},
    {"highest_energy", "Highest energy of the landscape", decimals(2), "", "only with two dimensions",
     [](Q, S s) { return landscape(s, &StoredPatterns::highest); }},
    {"binary_probes", "Binary probes", whole_form, "",
     "number of probes, each a pattern with the same number of bits flipped",
     [](Q, S s) { return bits(s, [](auto& r) { return r.probes; }); }},
    {"size_error", "Relative error of linear attention, φ = elu + 1, T = 64", significant(2), "",
     "error on the same q, k and v as random features and projected keys",
     [](Q, S s) {
       const auto* r = s.own<MemoryResults>();
       return r && r->sizes ? r->sizes->elu1 : no_value;
     }},
};

}  // namespace

std::string memory_why_none(const Quantity& quantity, const QuantitySource& from) {
  const auto* r = from.own<MemoryResults>();
  const int token = quantity.number("token", -1);
  if (!r || !r->sentence || token < r->step || token >= r->sentence->v.rows()) return {};
  return "token " + std::to_string(token) + ": it is not yet written at memory_step " +
         std::to_string(r->step);
}

std::span<const QuantityInfo> memory_quantities() {
  return list;
}

}  // namespace headlight::scene
