#include "pages/order/order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "nn/linear.h"
#include "nn/order.h"
#include "nn/random.h"
#include "nn/reference.h"
#include "nn/reference_variants.h"
#include "scene/field_values.h"
#include "scene/layer_input.h"
#include "scene/mask_and_order.h"
#include "scene/results.h"

namespace headlight::scene {

namespace {

using std::size_t;

// Limits for the page, in weights of all heads or in multiplications; tokens beyond them are left out. They
// take a few milliseconds with a layer of random weights; the earlier layers of a model take longer, see
// order_work().
constexpr double most_weights = 1 << 19;
constexpr double most_double_weights = 1 << 16;
constexpr double most_multiplications = 26e6;                               // for the parts, in double
constexpr double most_shuffled_multiplications = most_multiplications / 4;  // for the shuffled parts
constexpr double most_compared = 39e6;                                      // for both orders, in double
constexpr double most_forward = 250e6;                                      // for one order, in float32

/// The largest n <= T with H·n² within `weights` and products(n) within `multiplications`, but at least 2.
template <class Products>
int count_within(int T, int heads, double weights, double multiplications, Products&& products) {
  const auto fits = [&](double n) { return heads * n * n <= weights && products(n) <= multiplications; };
  int n = T;
  while (n > 2 && !fits(n)) n = n > 64 ? n - n / 16 : n - 1;
  return n;
}

/// Multiplications for one order of n tokens, from the embedding on.
double products_of_order(const Scene& scene, double n) {
  const double D = scene.d_model;
  return n * ((3 * input_width(scene) + D) * D + 2 * n * D) + products_before(scene, n);
}

/// The number of tokens, out of T, that are permuted.
int permuted_tokens(const Scene& scene, int T) {
  const int n = count_within(T, scene.heads, most_weights, most_forward,
                             [&](double count) { return products_of_order(scene, count); });
  return std::min(n, static_cast<int>(longest_list));
}

bool compares_in_double(const Scene& scene, double n) {
  return scene.heads * n * n <= most_double_weights && 2 * products_of_order(scene, n) <= most_compared;
}

/// Multiplications for the parts of n tokens' scores.
double products_of_parts(const Scene& scene, double n) {
  const double D = scene.d_model;
  return n * (4 * input_width(scene) * D + 5 * n * D);
}

/// The number of tokens, out of T, whose scores are split into parts.
int tokens_in_parts(const Scene& scene, int T) {
  return count_within(T, scene.heads, most_weights / 2, most_multiplications,
                      [&](double n) { return products_of_parts(scene, n); });
}

/// Are they also split with shuffled projections?
bool shuffles(const Scene& scene, double n) {
  return products_of_parts(scene, n) <= most_shuffled_multiplications;
}

/// The larger of two magnitudes; NaN if one is NaN. std::max would ignore NaN, and outputs that are NaN would
/// seem to agree.
double larger(double a, double b) {
  return std::isnan(a) || b <= a ? a : b;
}

/// A fixed order that differs from `order`, if there is another one.
IndexList next_order(const std::vector<int>& order, int seed) {
  const int n = static_cast<int>(order.size());
  IndexList next(order.size());
  std::iota(next.begin(), next.end(), 0);
  if (n < 2) return next;
  std::string words;
  for (const int i : order) words += std::to_string(i) + ' ';
  const nn::Random random(static_cast<std::uint64_t>(seed), nn::hash_text(words.data(), words.size()));
  for (int i = n; i > 1; --i) {
    const std::uint32_t j = random.below(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(i));
    std::swap(next[static_cast<size_t>(i - 1)], next[j]);
  }
  if (next == order) std::rotate(next.begin(), next.begin() + 1, next.end());
  return next;
}

void count_tokens_in(const std::vector<nn::Token>& tokens, OrderResults& out) {
  std::vector<int> row(static_cast<size_t>(nn::distinct_tokens(tokens)), -1);
  const auto entry = [&](int token) -> OrderResults::Count& {
    int& at = row[static_cast<size_t>(tokens[static_cast<size_t>(token)].id)];
    if (at < 0) {
      at = static_cast<int>(out.bag.size());
      out.bag.push_back({token, 0, 0});
    }
    return out.bag[static_cast<size_t>(at)];
  };
  for (int t = 0; t < out.tokens; ++t) ++entry(t).original;
  for (const int token : out.order) ++entry(token).moved;
}

void take_parts(nn::ScoreParts parts, OrderParts& out) {
  out.part[0] = std::move(parts.content_content), out.part[1] = std::move(parts.content_position);
  out.part[2] = std::move(parts.position_content), out.part[3] = std::move(parts.position_position);
  out.part[4] = std::move(parts.rotation);
  out.count = out.part[4].empty() ? 4 : 5;
}

void split_scores(const Results& results, const LayerInput& whole, const nn::AttentionWeights& weights,
                  OrderParts& out) {
  const nn::AttentionTrace& trace = results.attention;
  const LayerInput input = linear_parts(whole);
  out.tokens = tokens_in_parts(results.scene, trace.T);
  const int n = out.tokens;
  nn::AttentionOptions bare = results.options;
  bare.divide_by_sqrt_d_k = false, bare.custom_scale = 1, bare.temperature = 1;
  const nn::Matrix content = nn::first_rows(input.content, n), position = nn::first_rows(input.position, n);
  take_parts(nn::split_scores(content, position, weights, bare), out);
  complete_parts(trace, out);
  nn::AttentionWeights other;
  other.w_q = weights.w_q, other.w_k = weights.w_k, other.b_q = weights.b_q, other.b_k = weights.b_k;
  if (!shuffles(results.scene, n) || !shuffle_projections(trace.heads, other)) return;
  OrderParts shuffled;
  take_parts(nn::split_scores(content, position, other, bare), shuffled);
  shuffled.tokens = n;
  keep_shuffled(trace, std::move(shuffled), out);
}

/// The words as typed and permuted, run through the layers up to the one on show.
struct Orders {
  const Scene& scene;
  std::vector<nn::Token> typed, permuted;  // [n]
};

/// Compares the two orders in double, unless that takes too long.
void compare_in_double(const Orders& orders, const nn::AttentionWeights& weights,
                       const nn::AttentionOptions& options, base::Parallel& parallel, OrderResults& out) {
  if (!compares_in_double(orders.scene, out.tokens)) return;
  const nn::MatrixF64 straight = layer_input_f64(orders.scene, orders.typed, parallel),
                      moved = layer_input_f64(orders.scene, orders.permuted, parallel);
  out.float64 = order_residual(nn::attention_forward_f64(straight, straight, weights, options),
                               nn::attention_forward_f64(moved, moved, weights, options), out.order);
  out.has_double = true;
}

bool rows_are_equal(const nn::Matrix& m) {
  double apart = 0, largest = 0;
  for (int r = 0; r < m.rows(); ++r) {
    for (int c = 0; c < m.cols(); ++c) {
      const double value = static_cast<double>(m.at(r, c));
      apart = larger(apart, std::abs(value - static_cast<double>(m.at(0, c))));
      largest = larger(largest, std::abs(value));
    }
  }
  return apart <= 1e-5 * largest;
}

/// Sets what makes the result depend on position: which positions, which masks.
void name_causes(const Scene& scene, const TrainedModel* model, const nn::AttentionTrace& trace,
                 OrderResults& out) {
  out.mask_knows_order = out.identity ? mask_depends_on_position(trace.allowed, out.tokens)
                                      : reads_others(trace.allowed, out.order);
  if (!model) return;
  using P = nn::ModelPositions;
  const P own = model->config.positions;
  out.layer = shown_layer(scene, *model) + 1;
  out.learned_positions = own == P::learned;
  out.relative_positions = own == P::t5 || own == P::alibi || own == P::rope;
  out.mask_before = out.layer > 1 && model->config.causal && out.tokens > 1;
  out.mask_knows_order = out.mask_knows_order || out.mask_before;
}

}  // namespace

template <class Trace>
OrderResidual order_residual(const Trace& original, const Trace& moved, const std::vector<int>& order) {
  OrderResidual out;
  const int n = static_cast<int>(order.size());
  for (const auto value : original.output.values())
    out.largest = larger(out.largest, std::abs(static_cast<double>(value)));
  for (int position = 0; position < n; ++position) {
    const int token = order[static_cast<size_t>(position)];
    double row = 0;
    const auto got = moved.output.row(position), wanted = original.output.row(token);
    for (size_t c = 0; c < got.size(); ++c)
      row = larger(row, std::abs(static_cast<double>(got[c]) - static_cast<double>(wanted[c])));
    out.rows.push_back(row);
    out.output = larger(out.output, row);
    for (int head = 0; head < moved.weights.depth(); ++head) {
      const auto weight = moved.weights.row(head, position), from = original.weights.row(head, token);
      for (size_t s = 0; s < weight.size(); ++s) {
        const double apart =
            static_cast<double>(weight[s]) - static_cast<double>(from[static_cast<size_t>(order[s])]);
        out.weights = larger(out.weights, std::abs(apart));
      }
    }
  }
  return out;
}

template OrderResidual order_residual(const nn::AttentionTrace&, const nn::AttentionTrace&,
                                      const std::vector<int>&);
template OrderResidual order_residual(const nn::AttentionTraceF64&, const nn::AttentionTraceF64&,
                                      const std::vector<int>&);

namespace {

/// Sets `map` and `span` from `part`.
void take_maps(int heads, OrderParts& out) {
  const int n = out.tokens;
  out.span.assign(static_cast<size_t>(heads), 0);
  for (int which = 0; which < out.count; ++which) {
    out.map[which].resize(heads, n, n);
    for (int head = 0; head < heads; ++head) {
      double& span = out.span[static_cast<size_t>(head)];
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const double value = out.part[which].row(head, i)[static_cast<size_t>(j)];
          out.map[which].row(head, i)[static_cast<size_t>(j)] = static_cast<float>(value);
          if (std::abs(value) <= std::numeric_limits<float>::max()) span = std::max(span, std::abs(value));
        }
      }
    }
  }
}

}  // namespace

void keep_shuffled(const nn::AttentionTrace& trace, OrderParts shuffled, OrderParts& out) {
  out.shuffled = part_shares({shuffled.part, static_cast<size_t>(shuffled.count)}, trace);
  take_maps(trace.heads, shuffled);
  for (int which = 0; which < shuffled.count; ++which)
    out.shuffled_map[which] = std::move(shuffled.map[which]);
  out.shuffled_span = std::move(shuffled.span);
}

void complete_parts(const nn::AttentionTrace& trace, OrderParts& out) {
  const int n = out.tokens, H = trace.heads;
  out.factor = static_cast<double>(trace.scale);
  for (int t = 0; t < n && t < static_cast<int>(trace.allowed.size()); ++t)
    out.allowed.push_back(base::intersect({0, n}, trace.allowed[static_cast<size_t>(t)]));
  out.dot.resize(H, n, n);
  take_maps(H, out);
  for (int head = 0; head < H; ++head) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double together = 0;
        for (int which = 0; which < out.count; ++which)
          together += out.part[which].row(head, i)[static_cast<size_t>(j)];
        double dot = 0;
        const float *q = trace.query(head, i), *k = trace.key(head, j);
        for (int c = 0; c < trace.d_k; ++c) dot += static_cast<double>(q[c]) * static_cast<double>(k[c]);
        out.dot.row(head, i)[static_cast<size_t>(j)] = dot;
        out.residual = larger(out.residual, std::abs(together - dot));
      }
    }
  }
  out.shares = part_shares({out.part, static_cast<size_t>(out.count)}, trace);
}

std::vector<int> opening_order(const Scene& scene, const Results& results, int n) {
  std::vector<int> order = order_of(scene.order.permutation, n);
  if (!opens(scene.order)) return order;
  if (n == 2) return {1, 0};  // the list exchanges words further on
  if (results.known.empty()) return order;
  std::vector<int> typed(static_cast<size_t>(n));
  std::iota(typed.begin(), typed.end(), 0);
  const auto at = std::mismatch(order.begin(), order.end(), typed.begin()).first;
  if (at == order.end() || !results.unknown(*at) || !results.unknown(static_cast<int>(at - order.begin())))
    return order;
  // Two tokens that the model knows, and that differ: the second one and the next other, if there are such.
  const auto id = [&](int token) { return results.tokens[static_cast<std::size_t>(token)].id; };
  for (int first = n > 2 ? 1 : 0; first < n; ++first) {
    for (int other = n - 1; other > first; --other) {
      if (results.unknown(first) || results.unknown(other) || id(first) == id(other)) continue;
      std::swap(typed[static_cast<size_t>(first)], typed[static_cast<size_t>(other)]);
      return typed;
    }
  }
  return order;
}

void begin_order(const Scene& scene, const Results& results, int n, OrderResults& out) {
  out.tokens = n;
  out.order = opening_order(scene, results, n);
  out.identity = std::is_sorted(out.order.begin(), out.order.end());
  out.next = next_order(out.order, scene.seed);
  out.reversed.assign(out.order.rbegin(), out.order.rend());
  count_tokens_in(results.tokens, out);
}

std::shared_ptr<const OrderResults> compute_order(const Scene& scene, const Results& results,
                                                  base::Parallel& parallel) {
  auto out = std::make_shared<OrderResults>();
  const nn::AttentionTrace& trace = results.attention;
  if (trace.T == 0) return out;
  const auto model = usable_model(scene);
  const int before = model ? shown_layer(scene, *model) : 0;
  const int n = permuted_tokens(scene, trace.T);
  begin_order(scene, results, n, *out);
  name_causes(scene, model.get(), trace, *out);

  const auto weights = layer_weights(scene);
  std::shared_ptr<const nn::PairMask> pairs;
  const nn::AttentionOptions options = layer_options(scene, n, pairs);
  Orders orders{scene, {results.tokens.begin(), results.tokens.begin() + n}, {}};
  for (const int token : out->order) orders.permuted.push_back(orders.typed[static_cast<size_t>(token)]);

  LayerInput typed, permuted;
  if (before == 0) {  // the words move, the positions stay; the same as embedding them again
    const LayerInput whole = layer_input(scene, results.tokens, parallel);
    split_scores(results, whole, *weights, out->parts);
    typed = whole;
    typed.content = nn::first_rows(whole.content, n), typed.position = nn::first_rows(whole.position, n);
    permuted = typed;
    permuted.content = nn::permuted_rows(typed.content, std::span<const int>(out->order));
  } else {
    out->parts.mixed = true;
    typed = layer_input(scene, orders.typed, parallel),
    permuted = layer_input(scene, orders.permuted, parallel);
  }
  const nn::Matrix moved_x = joined(permuted);
  nn::AttentionTrace moved, cut;
  nn::attention_forward(moved_x, moved_x, *weights, options, parallel, moved);
  const nn::AttentionTrace* original = &trace;
  if (n < trace.T) {
    const nn::Matrix x = joined(typed);
    nn::attention_forward(x, x, *weights, options, parallel, cut);
    original = &cut;
  }
  out->float32 = order_residual(*original, moved, out->order);
  out->original = original->output, out->moved = moved.output;
  out->rows_equal = rows_are_equal(out->original);
  out->no_keys = std::all_of(original->allowed.begin(), original->allowed.end(),
                             [](const base::Interval& keys) { return keys.begin >= keys.end; });
  compare_in_double(orders, *weights, options, parallel, *out);
  return out;
}

double order_work(const Scene& scene, int tokens) {
  // Measured: a multiplication in double; a weight that is computed and compared.
  constexpr double in_double = 20, weight = 300, weight_in_double = 1000;
  if (tokens == 0) return 0;
  const double n = permuted_tokens(scene, tokens), weights = scene.heads * n * n;
  // The words as typed and permuted, through the layers before and the one shown.
  double sum = 2 * (work_before(scene, n) + products_of_order(scene, n) + weight * weights);
  if (compares_in_double(scene, n))
    sum += 2 * (in_double * products_of_order(scene, n) + weight_in_double * weights);
  if (products_before(scene, 1) > 0) return sum;
  const double parts = tokens_in_parts(scene, tokens);
  const double once =
      in_double * products_of_parts(scene, parts) + weight_in_double * scene.heads * parts * parts;
  return sum + (shuffles(scene, parts) ? 2 : 1) * once;
}

}  // namespace headlight::scene
