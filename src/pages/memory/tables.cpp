// The tables of the page: the numbers behind its cards.
#include <algorithm>
#include <limits>

#include "pages/memory/binary.h"
#include "pages/memory/experiments.h"
#include "pages/memory/memory.h"
#include "pages/memory/sizes.h"
#include "pages/table_parts.h"

namespace headlight::scene {

namespace {

const SentenceMemory* sentence(const TableSource& s) {
  const auto* r = s.own<MemoryResults>();
  return r ? r->sentence.get() : nullptr;
}

Names memory_tokens(const TableSource& s) {
  return token_names(s.results.tokens, sentence(s)->q.rows());
}

template <nn::Matrix SentenceMemory::*member>
MaybeNumbers pairs_of(const TableSource& s) {
  if (!sentence(s)) return std::nullopt;
  return view(sentence(s)->*member, {"query", "key"}, {memory_tokens(s), memory_tokens(s)});
}

template <nn::Matrix SentenceMemory::*member>
MaybeNumbers rows_of(const TableSource& s) {
  if (!sentence(s)) return std::nullopt;
  return view(sentence(s)->*member, {"token", "column"}, {memory_tokens(s), {}});
}

bool writes_delta(const TableSource& s) {
  return s.results.scene.memory.write == MemoryWrite::delta;
}

const nn::FastWeightTrace<float>& written_by_rule(const TableSource& s) {
  return writes_delta(s) ? sentence(s)->delta : sentence(s)->sum;
}

/// The step on show, counted from 0; −1: none.
int step_shown(const TableSource& s) {
  const auto* r = s.own<MemoryResults>();
  if (!sentence(s) || r->step < 1) return -1;
  return std::min(r->step, written_by_rule(s).states.depth()) - 1;
}

MaybeNumbers state_of(const nn::FastWeightTrace<float>& trace, int step) {
  const std::size_t size = count(trace.states.rows()) * count(trace.states.cols());
  const float* from = trace.states.plane(step);
  return own(std::vector<float>(from, from + size), {count(trace.states.rows()), count(trace.states.cols())},
             {"row", "column"});
}

/// The matrix after the step on show.
MaybeNumbers state(const TableSource& s) {
  const int step = step_shown(s);
  if (step < 0) return std::nullopt;
  return state_of(written_by_rule(s), step);
}

/// The matrix before the step; with a decay, the part of it that the step keeps.
MaybeNumbers state_before(const TableSource& s) {
  const int step = step_shown(s);
  if (step < 0) return std::nullopt;
  const auto* r = s.own<MemoryResults>();
  if (!r->kept.empty()) return view(r->kept, {"row", "column"});
  if (step > 0) return state_of(written_by_rule(s), step - 1);
  const auto& states = written_by_rule(s).states;
  return own(std::vector<float>(count(states.rows()) * count(states.cols())),
             {count(states.rows()), count(states.cols())}, {"row", "column"});
}

/// The matrix of the sum rule after the last token.
MaybeNumbers last_state(const TableSource& s) {
  if (!sentence(s) || sentence(s)->q.rows() == 0) return std::nullopt;
  return state_of(sentence(s)->sum, sentence(s)->q.rows() - 1);
}

/// φ(k) and φ(q) of the step: unscaled, or at length 1 with the delta rule.
MaybeNumbers step_features(const TableSource& s) {
  const int step = step_shown(s);
  if (step < 0) return std::nullopt;
  const SentenceMemory& m = *sentence(s);
  const std::span<const float> key = (writes_delta(s) ? m.unit_k : m.phi_k).row(step),
                               query = (writes_delta(s) ? m.unit_q : m.phi_q).row(step);
  std::vector<float> values(key.begin(), key.end());
  values.insert(values.end(), query.begin(), query.end());
  return own(std::move(values), {2, key.size()}, {"vector", "component"}, {{"φ(k)", "φ(q)"}, {}});
}

/// What the step writes at its key, and what its query retrieves.
MaybeNumbers step_values(const TableSource& s) {
  const int step = step_shown(s);
  if (step < 0) return std::nullopt;
  const std::vector<float>& value = s.own<MemoryResults>()->value;
  const std::span<const float> read = written_by_rule(s).y.row(step);
  std::vector<float> values(value.begin(), value.end());
  values.insert(values.end(), read.begin(), read.end());
  return own(std::move(values), {2, value.size()}, {"vector", "component"},
             {{writes_delta(s) ? "v − W φ(k)" : "v", "y"}, {}});
}

MaybeNumbers lineage(const TableSource& s) {
  if (!sentence(s)) return std::nullopt;
  const SentenceMemory& m = *sentence(s);
  const auto T = static_cast<double>(m.q.rows()), d = static_cast<double>(m.q.cols());
  const auto values = static_cast<double>(m.v.cols());
  Columns out{{"rows", "columns", "largest difference"}, {}};
  out.row(T, d, 0), out.row(T, d, 0), out.row(T, values, 0), out.row(values, d, 0);
  out.row(T, values, m.fast_residual);
  return out.take(
      "1991", {"retrieval signal", "storage key", "storage value", "fast weight matrix", "the 1991 lookup"});
}

MaybeNumbers read_back(const TableSource& s) {
  if (!sentence(s)) return std::nullopt;
  Columns out{{"times written", "sum rule", "delta rule"}, {}};
  Names names;
  for (const ReadBack& r : s.own<MemoryResults>()->read_back) {
    out.row(r.times, r.sum, r.delta);
    names.push_back(s.results.tokens[count(r.token)].text);
  }
  return out.take("token", names);
}

MaybeNumbers states(const TableSource& s) {
  const auto* r = s.own<MemoryResults>();
  if (!r) return std::nullopt;
  const auto& states = r->retrieval.trace.states;
  return view(states, {"update", "component"});
}

MaybeNumbers settling(const TableSource& s) {
  if (!s.own<MemoryResults>()) return std::nullopt;
  const Retrieval& r = s.own<MemoryResults>()->retrieval;
  Columns out{{"energy", "distance to the nearest pattern"}, {}};
  for (std::size_t i = 0; i < r.distance.size(); ++i)
    out.row(r.trace.energy.at(static_cast<int>(i), 0), r.distance[i]);
  return out.take("update");
}

MaybeNumbers capacity(const TableSource& s) {
  const auto* r = s.own<MemoryResults>();
  if (!r) return std::nullopt;
  Columns out{{"d", "0.14 d (1982)", "2^(d/2) (2017)", "√p c^((d−1)/4) (2020)"}, {}};
  for (const Capacity& c : r->capacity) out.row(c.dimension, c.classical, c.binary, c.proven);
  return out.take("line");
}

MaybeNumbers linear_error(const TableSource& s) {
  const auto* r = s.own<MemoryResults>();
  if (!r || !r->experiments) return std::nullopt;
  Columns out{{"T", "elu + 1", "identity", "multiply-adds of softmax", "multiply-adds of linear"}, {}};
  for (const LinearError& one : r->experiments->errors)
    out.row(one.T, one.elu1, one.identity, one.softmax_cost, one.linear_cost);
  return out.take("length");
}

MaybeNumbers sizes(const TableSource& s) {
  if (!s.own<MemoryResults>() || !s.own<MemoryResults>()->sizes) return std::nullopt;
  const SizeErrors& all = *s.own<MemoryResults>()->sizes;
  Columns out{{"m or r", "m random features", "r projected keys"}, {}};
  for (const SizeError& one : all.sizes) out.row(one.size, one.features, one.keys);
  return out.take("size");
}

MaybeNumbers recurrence(const TableSource& s) {
  if (!sentence(s)) return std::nullopt;
  Columns out{{"γ^(t−s)", "φ(q_t)·φ(k_s)", "product"}, {}};
  Names names;
  for (const RecurrenceTerm& term : s.own<MemoryResults>()->recurrence) {
    names.push_back(s.results.tokens[names.size()].text);
    out.row(term.kept, term.similarity, term.kept * term.similarity);
  }
  return out.take("token", names);
}

const BinaryRetrieval* binary(const TableSource& s) {
  const auto* r = s.own<MemoryResults>();
  return r ? r->binary.get() : nullptr;
}

MaybeNumbers binary_settling(const TableSource& s) {
  if (!binary(s)) return std::nullopt;
  const nn::BinaryTrace& trace = binary(s)->trace;
  Columns out{{"energy", "overlap with pattern 1"}, {}};
  for (std::size_t i = 0; i < trace.energy.size(); ++i) out.row(trace.energy[i], trace.overlap[i]);
  return out.take("update");
}

MaybeNumbers influence(const TableSource& s) {
  const auto* r = s.own<MemoryResults>();
  if (!r || !r->experiments) return std::nullopt;
  Columns out{{"distance", "recurrence", "attention"}, {}};
  for (const Influence& one : r->experiments->influence) out.row(one.distance, one.recurrence, one.attention);
  return out.take("distance");
}

}  // namespace

std::vector<Table> memory_tables() {
  constexpr Page page = Page::memory;
  using M = SentenceMemory;
  return {
      {"memory_linear", page, "linear", "weights of linear attention", pairs_of<&M::linear>},
      {"memory_softmax", page, "linear", "weights of softmax attention", pairs_of<&M::softmax>},
      {"memory_weight_difference", page, "linear", "linear minus softmax", pairs_of<&M::weight_difference>},
      {"memory_linear_output", page, "linear", "outputs of linear attention", rows_of<&M::linear_output>},
      {"memory_softmax_output", page, "linear", "outputs of softmax attention", rows_of<&M::softmax_output>},
      {"memory_output_difference", page, "linear", "outputs: linear minus softmax",
       rows_of<&M::output_difference>},
      {"memory_state", page, "fast", "the fast weight matrix after the current step", state},
      {"memory_before", page, "fast", "that matrix before the step, and before its write; a decay is applied",
       state_before},
      {"memory_features", page, "fast", "φ(k) and φ(q) of the current step", step_features},
      {"memory_step", page, "fast", "the value that the current step writes, and the y at its query",
       step_values},
      {"memory_written", page, "fast", "the write of the current step",
       [](const TableSource& s) -> MaybeNumbers {
         if (!sentence(s)) return std::nullopt;
         return view(s.own<MemoryResults>()->written, {"row", "column"});
       }},
      {"memory_read_back", page, "fast", "‖W φ(k) − v‖ ÷ ‖v‖ of each value, φ(k) of length 1", read_back},
      {"memory_recurrence", page, "fast",
       "contribution of each token to y at the current step: γ^(t−s) (φ(q_t)·φ(k_s)) times its v, sum rule",
       recurrence},
      {"memory_states", page, "landscape retrieval", "the probe and the state after each update", states},
      {"memory_landscape", page, "landscape", "energy over the plane, row 0 at the top; d = 2 only",
       [](const TableSource& s) -> MaybeNumbers {
         const auto* r = s.own<MemoryResults>();
         if (!r || !r->stored || r->stored->landscape.empty()) return std::nullopt;
         return view(r->stored->landscape, {"row", "column"});
       }},
      {"memory_patterns", page, "landscape retrieval", "the stored patterns",
       [](const TableSource& s) -> MaybeNumbers {
         const auto* r = s.own<MemoryResults>();
         if (!r || !r->stored) return std::nullopt;
         return view(r->stored->patterns, {"pattern", "component"});
       }},
      {"memory_retrieval", page, "retrieval", "weight of every pattern in each update",
       [](const TableSource& s) -> MaybeNumbers {
         const auto* r = s.own<MemoryResults>();
         if (!r) return std::nullopt;
         return view(r->retrieval.weights, {"update", "pattern"});
       }},
      {"memory_error", page, "error",
       "error of linear against softmax attention by length, one draw per length", linear_error},
      {"memory_sizes", page, "error",
       "error against softmax attention with m random features, and over r projected keys; T = 64", sizes},
      {"memory_influence", page, "influence",
       "influence of an earlier token by its distance, mean of 16 draws", influence},
      {"memory_settling", page, "retrieval", "energy and distance after each update", settling},
      {"memory_binary", page, "retrieval", "network of 1982: energy and overlap after each update",
       binary_settling},
      {"memory_bits", page, "retrieval", "network of 1982: pattern 1, the probe and the final state",
       [](const TableSource& s) -> MaybeNumbers {
         if (!binary(s)) return std::nullopt;
         return view(binary(s)->states, {"state", "bit"}, {{"pattern 1", "probe", "final state"}, {}});
       }},
      {"memory_lineage", page, "lineage",
       "objects named in 1991 terms: shapes, and the difference between the two ways to y before the "
       "normaliser",
       lineage},
      {"memory_queries", page, "lineage", "queries of the sentence", rows_of<&M::q>},
      {"memory_keys", page, "lineage", "keys of the sentence", rows_of<&M::k>},
      {"memory_values", page, "lineage", "values of the sentence", rows_of<&M::v>},
      {"memory_last_state", page, "lineage", "the fast weight matrix of the sum rule after the last token",
       last_state},
      {"memory_capacity", page, "readings", "capacities by theorem or estimate", capacity},
  };
}

}  // namespace headlight::scene
