#include "scene/bench.h"

#include <algorithm>
#include <cmath>

#include "scene/layer_input.h"
#include "scene/results.h"

namespace headlight::scene {

namespace {

using std::size_t;

// What fits into a few milliseconds: weights of a second layer, multiplications in double.
constexpr double most_second_weights = 1 << 20;
constexpr double most_multiplications = 24e6;

/// A head's map of the other layer, and what it is for.
struct OtherLayer {
  nn::Matrix map;  // [T, S]
  nn::HeadRoles roles;
};

std::vector<int> token_ids(const Results& results) {
  std::vector<int> ids;
  for (const nn::Token& token : results.tokens) ids.push_back(token.id);
  return ids;
}

nn::Matrix plane_of(const nn::Matrix& weights, int head) {
  nn::Matrix out(weights.rows(), weights.cols());
  if (!out.empty()) std::copy_n(weights.plane(head), out.size(), out.data());
  return out;
}

OtherLayer other_layer(Scene scene, int seed, const Results& results, int head, base::Parallel& parallel) {
  scene.seed = seed;
  const nn::Matrix x = joined(layer_input(scene, results.tokens, parallel));
  nn::AttentionTrace trace;
  nn::attention_forward(x, x, *layer_weights(scene), results.options, parallel, trace);
  return {plane_of(trace.weights, head),
          nn::head_roles(trace, token_ids(results))[static_cast<size_t>(head)]};
}

/// A − B, their cosine and where they differ most.
void compare(const float* a, BenchResults& out) {
  const nn::Matrix& b = out.map_b;
  out.difference.resize(b.rows(), b.cols());
  double dot = 0, aa = 0, bb = 0;
  for (int query = 0; query < b.rows(); ++query) {
    for (int key = 0; key < b.cols(); ++key) {
      const size_t i = static_cast<size_t>(query) * static_cast<size_t>(b.cols()) + static_cast<size_t>(key);
      const float apart = a[i] - b.data()[i];
      out.difference.data()[i] = apart;
      if (std::abs(apart) > out.largest)
        out.largest = std::abs(apart), out.largest_query = query, out.largest_key = key;
      const double x = static_cast<double>(a[i]), y = static_cast<double>(b.data()[i]);
      dot += x * y, aa += x * x, bb += y * y;
    }
  }
  out.cosine = aa > 0 && bb > 0 ? dot / std::sqrt(aa * bb) : 0;
}

void switch_off(const Scene& scene, const Results& results, base::Parallel& parallel, BenchResults& out) {
  const nn::AttentionTrace& trace = results.attention;
  const auto weights = layer_weights(scene);
  out.on.assign(static_cast<size_t>(trace.heads), 1);
  bool any_off = false;
  for (const int head : scene.bench.off) {
    if (head < 1 || head > trace.heads) continue;
    out.on[static_cast<size_t>(head - 1)] = 0;
    any_off = true;
  }
  const double D = trace.output.cols();
  if (trace.T * D * trace.context.cols() <= most_multiplications)
    out.effects = nn::head_effects(trace, *weights);
  const nn::Matrix less = any_off ? nn::output_with_heads(trace, *weights, out.on, parallel) : nn::Matrix();
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
  out.share = whole > 0 ? std::sqrt(changed / whole) : 0;
}

}  // namespace

std::shared_ptr<const BenchResults> compute_bench(const Scene& scene, const Results& results,
                                                  base::Parallel& parallel) {
  auto out = std::make_shared<BenchResults>();
  const nn::AttentionTrace& trace = results.attention;
  const int H = trace.heads;
  if (trace.T == 0 || H == 0) return out;
  out->a = std::clamp(scene.bench.a, 1, H) - 1, out->b = std::clamp(scene.bench.b, 1, H) - 1;
  const std::vector<int> ids = token_ids(results);
  out->roles = nn::head_roles(trace, ids);
  out->repeats = nn::distinct_tokens(results.tokens) < trace.T;

  const double T = trace.T;
  const bool fits = H * T * T <= most_second_weights;
  out->too_large = scene.bench.other_seed && !fits;
  out->other_seed = scene.bench.other_seed && fits;
  if (out->other_seed) {
    OtherLayer other = other_layer(scene, scene.bench.seed_b, results, out->b, parallel);
    out->map_b = std::move(other.map), out->role_b = other.roles;
  } else {
    out->map_b = plane_of(trace.weights, out->b);
    out->role_b = out->roles[static_cast<size_t>(out->b)];
  }
  compare(trace.weights.plane(out->a), *out);

  if (0.5 * H * H * T * T <= most_multiplications) {
    out->similarity = nn::head_similarity(trace, parallel);
    out->similarity_f32.resize(H, H);
    for (size_t i = 0; i < out->similarity.size(); ++i)
      out->similarity_f32.data()[i] = static_cast<float>(out->similarity.data()[i]);
  }
  switch_off(scene, results, parallel, *out);
  return out;
}

}  // namespace headlight::scene
