#include "pages/variants/variants.h"

#include <algorithm>
#include <cmath>

#include "nn/positional.h"
#include "pages/variants/cards.h"
#include "pages/variants/model.h"
#include "scene/layer_input.h"
#include "scene/remembered.h"
#include "scene/results.h"

namespace headlight::scene {

namespace {

using std::size_t;

/// Limit of the multiplications for all shifts of one side, so that moving the slider stays within a frame.
constexpr double sweep_budget = 2e7;
constexpr int coarse_step = 8;

/// The interval of keys that each row may attend to; empty if the keys of some row are not one interval.
std::vector<base::Interval> runs_of(const std::vector<std::uint8_t>& allow, int T) {
  std::vector<base::Interval> out;
  for (int i = 0; i < T; ++i) {
    const std::uint8_t* row = allow.data() + static_cast<size_t>(i) * static_cast<size_t>(T);
    base::Interval run;
    while (run.begin < T && !row[run.begin]) ++run.begin;
    run.end = run.begin;
    while (run.end < T && row[run.end]) ++run.end;
    if (std::find(row + run.end, row + T, std::uint8_t(1)) != row + T) return {};
    if (run.size() == 0) run = {};
    out.push_back(run);
  }
  return out;
}

/// Counts only allowed pairs: the zeros of a sparse mask say nothing about the size of the weights.
nn::WeightCounts counts_of(const nn::Matrix& map, const std::vector<std::uint8_t>& allow,
                           const std::vector<base::Interval>& intervals) {
  const int T = map.rows();
  nn::WeightCounts counts = nn::count_weights(map.data(), T, T, intervals);
  if (!intervals.empty()) return counts;
  const int side = nn::cells_in_count(T), across = (T + side - 1) / side;
  std::vector<std::uint8_t> some(static_cast<size_t>(across) * static_cast<size_t>(across), 0);
  for (int q = 0; q < T; ++q)
    for (int k = 0; k < T; ++k)
      if (allow[static_cast<size_t>(q) * static_cast<size_t>(T) + static_cast<size_t>(k)] != 0)
        some[static_cast<size_t>(q / side) * static_cast<size_t>(across) + static_cast<size_t>(k / side)] = 1;
  const auto masked = static_cast<std::uint64_t>(std::count(some.begin(), some.end(), std::uint8_t(0)));
  counts.in.front() -= std::min(masked, counts.in.front());
  return counts;
}

void sum_up(VariantSideResults& side) {
  side.counts = counts_of(side.weights, side.allow, side.intervals);
  side.entropy_bits = mean_entropy_bits(side.weights);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < side.allow.size(); ++i) {
    if (!side.allow[i]) continue;
    const double score = static_cast<double>(side.scores.data()[i]);
    side.largest = std::max(side.largest, static_cast<double>(side.weights.data()[i]));
    side.score_magnitude = std::max(side.score_magnitude, std::abs(score));
    sum += score, squares += score * score;
    ++side.allowed;
  }
  if (side.allowed == 0) side.score_variance = std::nan("");
  if (side.allowed == 0) return;
  const double n = static_cast<double>(side.allowed), mean = sum / n;
  side.score_variance = std::max(0.0, squares / n - mean * mean);
}

ShiftPoint compare(const VariantSideResults& side, const nn::AttentionTrace& shifted, int shift) {
  // This runs for each shift, so it uses plain pointers and no branch per pair.
  const std::uint8_t* allow = side.allow.data();
  const float *scores = side.scores.data(), *weights = side.weights.data();
  const float *moved_scores = shifted.scores.data(), *moved_weights = shifted.weights.data();
  float score = 0, weight = 0;
  for (size_t i = 0; i < side.allow.size(); ++i) {
    const float apart = std::abs(scores[i] - moved_scores[i]);
    score = std::max(score, allow[i] ? apart : 0.f);
    weight = std::max(weight, std::abs(weights[i] - moved_weights[i]));  // masked weights are 0 in both
  }
  return {shift, static_cast<double>(score), static_cast<double>(weight)};
}

/// Shift 0, the shifts that fit the budget, and the scene's own. The head is `d` wide, rows are d_in wide.
std::vector<int> shifts_for(const Scene& scene, double T, double d, double d_in) {
  // Each shift also runs the layers before again.
  const double once = products_before(scene, T) + T * d_in * 3 * d + T * T * (2 * d + 30);
  const int step = once * most_shift <= sweep_budget                 ? 1
                   : once * most_shift / coarse_step <= sweep_budget ? coarse_step
                                                                     : most_shift + 1;
  std::vector<int> out;
  for (int shift = 0; shift <= most_shift; ++shift) {
    if (shift % step == 0 || shift == scene.variants.shift) out.push_back(shift);
  }
  return out;
}

void compare_shifts(const Scene& scene, const VariantModel& model, const nn::PairMask& pairs,
                    VariantSideResults& side) {
  const nn::Matrix& w_q = model.weights().w_q;
  for (const int shift : shifts_for(scene, model.tokens(), w_q.cols(), w_q.rows())) {
    if (shift == 0) {  // the sentence itself
      side.shifts.push_back({});
      continue;
    }
    const base::Result<nn::AttentionTrace> shifted = model.run(shift, pairs);
    if (!shifted) {
      if (shift == scene.variants.shift) side.shift_error = shifted.error();
      continue;
    }
    side.shifts.push_back(compare(side, *shifted, shift));
    if (shift == scene.variants.shift) side.shift = side.shifts.back();
  }
}

/// Sets what the scheme adds or rotates, for the pictures.
void describe(const Scene& scene, const VariantModel& model, const nn::Matrix& q, VariantSideResults& side) {
  const int T = model.tokens();
  if (side.settings.position == VariantPosition::shaw) {
    side.clip = scene.variants.clip;
    side.bias = model.shaw_bias(q, T, 0);
    side.by_clipped = model.by_clipped_distance(q);
    return;
  }
  side.bias = model.bias(T, T, 0);
  if (base::Result<nn::Matrix> rows = model.position_rows(T, 0)) side.p = std::move(*rows);
  if (base::Result<nn::Matrix> rows = model.position_rows(T, scene.variants.shift))
    side.p_shifted = std::move(*rows);
  side.rotary_dim = model.rotary_dim();
  if (side.rotary_dim > 0) side.omega = nn::frequencies(side.rotary_dim, model.rope(0).base);
  if (side.settings.position == VariantPosition::alibi) side.slopes = nn::alibi_slopes(scene.heads);
  if (side.settings.position != VariantPosition::t5) return;
  const nn::T5Buckets buckets = model.buckets();
  side.bucket_count = buckets.count;
  side.max_distance = buckets.max_distance;
  side.bidirectional = buckets.bidirectional;
  side.bucket_bias.assign(static_cast<size_t>(buckets.count), 0);
  const int reach = buckets.max_distance;
  // The same function as for the scores gives the bias of each distance.
  const nn::Matrix by_distance = model.bias(1, reach + 1, 0), behind = model.bias(1, reach + 1, reach);
  for (int distance = -reach; distance <= reach; ++distance) {
    const int bucket = nn::t5_bucket(buckets, distance);
    side.bucket.push_back(bucket);
    side.bucket_bias[static_cast<size_t>(bucket)] =
        distance >= 0 ? by_distance.at(0, distance) : behind.at(0, reach + distance);
  }
}

VariantSideResults compute_side(const Scene& scene, const VariantSide& settings, const VariantModel& model) {
  VariantSideResults side;
  side.settings = settings;
  side.table_rows = model.table_rows();
  const int T = model.tokens();
  nn::PairMask pairs;
  pairs.allow = allowed_pairs(scene, settings.mask, T);
  pairs.add = model.bias(T, T, 0);
  base::Result<nn::AttentionTrace> trace = model.run(0, pairs);
  if (!trace) {
    side.error = trace.error();
    return side;
  }
  side.weights = std::move(trace->weights);
  side.scores = std::move(trace->scores);
  side.allow.assign(pairs.allow.values().begin(), pairs.allow.values().end());
  side.intervals = runs_of(side.allow, T);
  sum_up(side);
  describe(scene, model, trace->q, side);
  compare_shifts(scene, model, pairs, side);
  return side;
}

VariantDifference subtract(const VariantSideResults& a, const VariantSideResults& b, int T) {
  VariantDifference out;
  if (!a.error.empty() || !b.error.empty()) return out;
  out.weights.resize(T, T);
  out.allow.resize(a.allow.size());
  int rows = 0;
  for (int i = 0; i < T; ++i) {
    double row = 0, of_a = 0, of_b = 0;
    for (int j = 0; j < T; ++j) {
      const size_t at = static_cast<size_t>(i) * static_cast<size_t>(T) + static_cast<size_t>(j);
      const float change = a.weights.data()[at] - b.weights.data()[at];
      out.weights.data()[at] = change;
      out.allow[at] = a.allow[at] | b.allow[at];
      const double size = static_cast<double>(std::abs(change));
      of_a += static_cast<double>(a.weights.data()[at]), of_b += static_cast<double>(b.weights.data()[at]);
      row += size / 2;
      if (size > out.largest) out.largest = size, out.query = i, out.key = j;
    }
    if (of_a > 0 && of_b > 0) out.moved += row, ++rows;
  }
  out.moved = rows > 0 ? out.moved / rows : std::nan("");
  const double rounding = std::min(1e-6, 1e-3 * out.largest);
  for (int i = 0; i < T && out.largest > 0; ++i) {
    int alike = 0;
    for (const float change : out.weights.row(i))
      alike += static_cast<double>(std::abs(change)) >= out.largest - rounding;
    out.places += alike, out.rows += alike > 0;
  }
  out.intervals = runs_of(out.allow, T);
  out.counts = counts_of(out.weights, out.allow, out.intervals);
  return out;
}

}  // namespace

std::shared_ptr<const VariantsResults> compute_variants(const Scene& scene, const Results& results,
                                                        base::Parallel& parallel,
                                                        const std::function<bool(float)>& progress) {
  const auto keep_going = [&](float done) { return !progress || progress(done); };
  auto out = std::make_shared<VariantsResults>();
  out->heads = scene.heads;
  out->d_k = scene.d_model / scene.heads;
  out->head = std::clamp(scene.variants.head, 1, scene.heads) - 1;
  out->dots = dot_products(scene.seed);
  if (const auto model = usable_model(scene)) {
    out->layer = shown_layer(scene, *model) + 1;
    out->own = own_position(model->config);
    out->own_causal = model->config.causal;
  }

  std::vector<nn::Token> tokens = results.tokens;
  tokens.resize(std::min(tokens.size(), size_t(most_variant_tokens)));
  out->T = static_cast<int>(tokens.size());

  const PlainHead plain{scene, out->head, parallel};
  out->plain_position = plain_position(scene);
  const auto first = [&tokens](int most) {
    return std::vector<nn::Token>(tokens.begin(),
                                  tokens.begin() + std::min<std::ptrdiff_t>(most, std::ssize(tokens)));
  };
  const std::string& second = scene.variants.sentence_kv;
  out->batch = attend_batch(plain, first(most_batch_tokens), split_as(scene, second, most_batch_tokens),
                            out->batch_width);
  int unknown = 0;
  const std::vector<nn::Token> keys = split_as(scene, second, most_cross_tokens, &unknown);
  out->cross = attend_across(plain, first(most_cross_tokens), keys);
  out->cross.unknown = unknown;
  if (tokens.empty()) return out;
  if (!keep_going(0.1f)) return nullptr;

  const nn::Matrix embedded = word_embeddings(scene, tokens);
  const VariantModel a(scene, scene.variants.a, out->head, embedded, parallel);
  const VariantModel b(scene, scene.variants.b, out->head, embedded, parallel);
  out->a = compute_side(scene, scene.variants.a, a);
  if (!keep_going(0.4f)) return nullptr;
  out->b = compute_side(scene, scene.variants.b, b);
  if (!keep_going(0.7f)) return nullptr;
  out->difference = subtract(out->a, out->b, out->T);
  out->decoding = decode(a, parallel);
  return out;
}

namespace {

/// The cost of the layers before the head: for the batch (each sentence padded and alone), for
/// cross-attention, and for decoding (all tokens at once, token by token correctly, and with the offset
/// forgotten).
double further_work_before(const Scene& scene, double T) {
  if (work_before(scene, T) == 0) return 0;
  const auto second = static_cast<double>(
      split_as(scene, scene.variants.sentence_kv, std::max(most_cross_tokens, most_batch_tokens)).size());
  const auto run = [&](double count) { return work_before(scene, count); };
  const double width = std::min<double>(std::max(T, second), most_batch_tokens);
  const double decoded = std::min<double>(T, most_decoded_tokens);
  return 4 * run(width) + run(std::min<double>(T, most_cross_tokens)) + run(second) + run(decoded) +
         2 * decoded * run(1);
}

}  // namespace

double variants_work(const Scene& scene, int tokens) {
  // Measured, in the unit of work(): a random number; an element of a head's weights that is copied, or read
  // for a single token; a multiplication; a pair of tokens, once and for each run of a shift.
  constexpr double draw = 600, dots = 9e8, element = 50, product = 4, pair = 2000, pair_again = 300;
  const VariantsSettings& s = scene.variants;
  const double T = std::min(tokens, most_variant_tokens), D = scene.d_model, d = D / scene.heads;
  const double copies = 9 + 2 * std::min<double>(T, most_decoded_tokens);  // of a head's weights
  const double before = work_before(scene, T);
  double sum = (dot_products_kept(scene.seed) ? 0 : dots) + draw * D * (T + 4 * most_cross_tokens) +
               further_work_before(scene, T);
  for (const VariantSide* side : {&s.a, &s.b}) {
    const int d_in = variant_input_width(scene, *side);
    const bool shared = side == &s.b && d_in == variant_input_width(scene, s.a);  // drawn once
    if (!variant_weights_kept(scene, d_in) && !shared) sum += draw * (3.0 * d_in + D) * D;
    if (side->position == VariantPosition::learned) sum += draw * s.table_rows * D;
    if (side->position == VariantPosition::shaw) sum += draw * 2 * (2 * s.clip + 1) * d;
    const auto runs = static_cast<double>(shifts_for(scene, T, d, d_in).size());
    sum += element * 3 * d_in * d * copies / 2 + pair * T * T +
           runs * (before + product * 3 * T * d_in * d + T * T * (product * d + pair_again));
  }
  return sum;
}

}  // namespace headlight::scene
