#include "pages/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pages/block/block.h"
#include "pages/opened_attention.h"
#include "pages/role_tokens.h"
#include "scene/layer_input.h"
#include "scene/results.h"

namespace headlight::scene {

namespace {

using std::size_t;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Limits that take a few milliseconds: weights of a second layer, multiplications in double.
constexpr double most_second_weights = 1 << 20;
constexpr double most_multiplications = 24e6;

/// A head's map in the other layer, and its roles.
struct OtherLayer {
  nn::Matrix map;  // [T, S]
  nn::HeadRoles roles;
};

bool is_saved(const Results& results) {
  return results.opened && results.opened->saved;
}

/// The roles of saved heads, if queries and keys are one line of tokens; cross-attention has none.
std::vector<nn::HeadRoles> roles_of_saved(const Results& results, const std::vector<int>& ids,
                                          base::Parallel& parallel) {
  if (results.key_tokens.empty()) return nn::head_roles(results.attention.weights, ids, parallel);
  return std::vector<nn::HeadRoles>(static_cast<size_t>(results.attention.heads),
                                    {none, none, none, none, none, none});
}

bool any_twice(std::vector<int> ids) {
  std::sort(ids.begin(), ids.end());
  return std::adjacent_find(ids.begin(), ids.end()) != ids.end();
}

const nn::AttentionTrace& layer_of(const BlockResults& stack, int layer) {
  return stack.trace.layers[static_cast<size_t>(layer)].attention;
}

nn::Matrix plane_of(const nn::Matrix& weights, int head) {
  nn::Matrix out(weights.rows(), weights.cols());
  if (!out.empty()) std::copy_n(weights.plane(head), out.size(), out.data());
  return out;
}

/// Head B for the same tokens with another seed: in the one layer, or in the same layer of another stack.
OtherLayer other_layer(Scene scene, const Results& results, const CompareResults& compared,
                       base::Parallel& parallel) {
  scene.seed = scene.compare.seed_b;
  scene.weights = WeightsSource::random;  // a model has no other seed: it is compared with random heads
  const auto head_of = [&](const nn::AttentionTrace& trace) {
    return OtherLayer{plane_of(trace.weights, compared.b),
                      nn::head_roles(trace, role_ids(results, trace.T))[static_cast<size_t>(compared.b)]};
  };
  if (compared.stack) {
    return head_of(layer_of(*compute_stack(scene, stack_input(scene, results.tokens, parallel), parallel),
                            compared.layer_b));
  }
  const nn::Matrix x = joined(layer_input(scene, results.tokens, parallel));
  nn::AttentionTrace trace;
  nn::attention_forward(x, x, *layer_weights(scene), attention_options(scene), parallel, trace);
  return head_of(trace);
}

/// Puts a pair among those that differ most, if it is one of them.
void list_pair(PairApart pair, std::vector<PairApart>& apart) {
  const float size = std::abs(pair.difference);
  const auto at = std::find_if(apart.begin(), apart.end(),
                               [&](const PairApart& one) { return size > std::abs(one.difference); });
  apart.insert(at, pair);
  if (apart.size() > most_pairs_apart) apart.pop_back();
}

/// Why no pair of tokens differs.
const char* why_no_pairs(const CompareResults& results) {
  if (results.map_b.rows() == 1) return "one token attends only to itself";
  const auto values = [](const nn::Matrix& m) { return std::span(m.data(), m.size()); };
  const auto all = [](std::span<const float> of, auto is) { return std::all_of(of.begin(), of.end(), is); };
  if (!all(values(results.difference), [](float d) { return std::isfinite(d); }))
    return "a weight is not a finite number";
  return all(values(results.map_b), [](float w) { return w == 0; }) ? "every pair is masked"
                                                                    : "A and B have the same weights";
}

/// Sets A − B, the cosine of the maps, and where they differ most.
void compare(const float* a, CompareResults& out) {
  const nn::Matrix& b = out.map_b;
  out.difference.resize(b.rows(), b.cols());
  double dot = 0, aa = 0, bb = 0;
  out.largest_keys.assign(static_cast<size_t>(b.rows()), 0);
  float listed_from = 0;  // smaller differences are not listed
  for (int query = 0; query < b.rows(); ++query) {
    float of_query = 0;
    for (int key = 0; key < b.cols(); ++key) {
      const size_t i = static_cast<size_t>(query) * static_cast<size_t>(b.cols()) + static_cast<size_t>(key);
      const float apart = a[i] - b.data()[i];
      out.difference.data()[i] = apart;
      if (std::abs(apart) > of_query)
        of_query = std::abs(apart), out.largest_keys[static_cast<size_t>(query)] = key;
      if (std::abs(apart) > out.largest)
        out.largest = std::abs(apart), out.largest_query = query, out.largest_key = key;
      if (std::abs(apart) > listed_from) {
        list_pair({query, key, apart}, out.apart);
        if (out.apart.size() == most_pairs_apart) listed_from = std::abs(out.apart.back().difference);
      }
      const double x = static_cast<double>(a[i]), y = static_cast<double>(b.data()[i]);
      dot += x * y, aa += x * x, bb += y * y;
    }
  }
  const auto rounding = static_cast<float>(rounding_below(static_cast<double>(out.largest)));
  for (std::size_t i = 0; i < out.difference.size() && out.largest > 0; ++i)
    out.largest_pairs += std::abs(out.difference.data()[i]) >= out.largest - rounding;
  out.cosine = aa > 0 && bb > 0 ? dot / std::sqrt(aa * bb) : none;
  if (out.apart.empty()) out.no_pairs = why_no_pairs(out);
}

void switch_off(const Scene& scene, const nn::AttentionTrace& trace, const nn::AttentionWeights& weights,
                base::Parallel& parallel, CompareResults& out) {
  out.on.assign(static_cast<size_t>(trace.heads), 1);
  bool any_off = false;
  for (const int head : scene.compare.off) {
    if (head < 1 || head > trace.heads) continue;
    out.on[static_cast<size_t>(head - 1)] = 0;
    any_off = true;
  }
  const double D = trace.output.cols();
  if (trace.T * D * trace.context.cols() <= most_multiplications)
    out.effects = nn::head_effects(trace, weights);
  const nn::Matrix less = any_off ? nn::output_with_heads(trace, weights, out.on, parallel) : nn::Matrix();
  double changed = 0, whole = 0;
  for (int t = 0; t < trace.T; ++t) {
    double change = 0, norm = 0;
    const std::span<const float> row = trace.output.row(t);
    for (size_t c = 0; c < row.size(); ++c) {
      const double value = static_cast<double>(row[c]);
      norm += value * value;
      if (!any_off) continue;
      const double apart = value - static_cast<double>(less.row(t)[c]);
      change += apart * apart;
    }
    changed += change, whole += norm;
    out.token_change.push_back(std::sqrt(change));
    out.token_norm.push_back(std::sqrt(norm));
  }
  out.change = std::sqrt(changed);
  out.share = whole > 0 ? std::sqrt(changed / whole) : none;
}

/// Sets the layers of the model that A and B are in; false: `problem` says why it could not.
bool choose_layers(const Scene& scene, const OtherModel& other, const Results& results,
                   base::Parallel& parallel, const Progress& progress, CompareResults& out) {
  out.opened_layers = layers_of(other);
  const std::vector<int> ids = opened_ids(results.tokens);
  const auto layer = [&](int wanted) -> std::shared_ptr<const nn::AttentionTrace> {
    const auto pass =
        opened_pass(other, std::clamp(wanted, 1, out.opened_layers) - 1, ids, parallel, progress);
    if (!pass) {
      out.problem = pass.error();
      return nullptr;
    }
    return {*pass, &(*pass)->trace};
  };
  out.opened_a = layer(scene.compare.layer_a);
  if (out.opened_a) out.opened_b = layer(scene.compare.layer_b);
  if (!out.opened_b) out.opened_a = nullptr;
  return out.opened_a != nullptr;
}

}  // namespace

std::shared_ptr<const CompareResults> compute_compare(const Scene& scene, const Results& results,
                                                      base::Parallel& parallel, const Progress& progress) {
  auto out = std::make_shared<CompareResults>();
  if (results.attention.T == 0 || results.attention.heads == 0) return out;
  const bool saved = is_saved(results);  // weights alone: no stack, no other seed, nothing to switch off
  const auto other = results.opened && !saved ? shown_other_model(scene) : nullptr;
  if (scene.compare.from == CompareFrom::stack && !saved) {
    if (!other)
      out->stack = compute_stack(scene, stack_input(scene, results.tokens, parallel), parallel);
    else if (!choose_layers(scene, *other, results, parallel, progress, *out))
      return out;
    out->layer_a = std::clamp(scene.compare.layer_a, 1, out->layers()) - 1;
    out->layer_b = std::clamp(scene.compare.layer_b, 1, out->layers()) - 1;
  }
  const nn::AttentionTrace& trace = out->layer_of_a(results.attention);
  const nn::AttentionTrace& trace_b = out->opened_b ? *out->opened_b
                                      : out->stack  ? layer_of(*out->stack, out->layer_b)
                                                    : results.attention;
  const int H = trace.heads;
  out->a = std::clamp(scene.compare.a, 1, H) - 1, out->b = std::clamp(scene.compare.b, 1, trace_b.heads) - 1;
  const std::vector<int> ids = role_ids(results, trace.T);
  out->roles = saved ? roles_of_saved(results, ids, parallel) : nn::head_roles(trace, ids);
  const auto uniform = [&](const nn::AttentionTrace& of) {
    return of.T == of.S && results.key_tokens.empty() ? nn::uniform_roles(of.allowed, ids)
                                                      : nn::HeadRoles{none, none, none, none, none, none};
  };
  out->uniform = uniform(trace), out->uniform_b = uniform(trace_b);
  out->repeats = any_twice(ids);

  const double T = std::max(trace.T, trace.S);
  const bool seeds = scene.compare.other_seed && !other && !saved;  // an opened model has no other seed
  const bool fits = H * T * T <= most_second_weights;
  out->too_large = seeds && !fits;
  out->other_seed = seeds && fits;
  if (out->other_seed) {
    OtherLayer second = other_layer(scene, results, *out, parallel);
    out->map_b = std::move(second.map), out->role_b = second.roles;
  } else {
    out->map_b = plane_of(trace_b.weights, out->b);
    out->role_b = out->layer_a == out->layer_b ? out->roles[static_cast<size_t>(out->b)]
                                               : nn::head_roles(trace_b, ids)[static_cast<size_t>(out->b)];
  }
  compare(trace.weights.plane(out->a), *out);
  const auto count = [&](const float* values) {
    return nn::count_weights(values, trace.T, trace.S, trace.allowed, &parallel);
  };
  out->counts = count(trace.weights.plane(out->a));
  out->counts += count(out->map_b.data());
  out->counts += count(out->difference.data());

  const bool one_layer = out->layer_a == out->layer_b;
  if ((one_layer ? 0.5 : 1.0) * H * trace_b.heads * T * T <= most_multiplications) {
    out->similarity =
        one_layer ? nn::head_similarity(trace, parallel) : nn::head_similarity(trace, trace_b, parallel);
    out->similarity_f32.resize(H, trace_b.heads);
    for (size_t i = 0; i < out->similarity.size(); ++i)
      out->similarity_f32.data()[i] = static_cast<float>(out->similarity.data()[i]);
  }
  if (saved) {
    out->on.assign(static_cast<size_t>(H), 1);
  } else if (other) {
    const auto weights = opened_output_weights(*other, out->layered() ? out->layer_a : results.opened->layer);
    if (!weights) {
      auto failed = std::make_shared<CompareResults>();
      failed->problem = weights.error();
      return failed;
    }
    switch_off(scene, trace, *weights, parallel, *out);
  } else if (out->stack) {
    const auto weights = stack_weights(scene, *out->stack);
    switch_off(scene, trace, weights->layers[static_cast<size_t>(out->layer_a)].attention, parallel, *out);
  } else {
    switch_off(scene, trace, *layer_weights(scene), parallel, *out);
  }
  return out;
}

}  // namespace headlight::scene
