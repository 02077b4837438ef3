#include "pages/memory/memory.h"

#include <algorithm>
#include <cmath>

#include "nn/attention.h"
#include "nn/linear.h"
#include "nn/positional.h"
#include "nn/random_features.h"
#include "nn/weights.h"
#include "pages/memory/binary.h"
#include "pages/memory/experiments.h"
#include "pages/memory/sizes.h"
#include "pages/variants/model.h"
#include "scene/field_values.h"
#include "scene/layer_input.h"
#include "scene/map_scale.h"
#include "scene/model_stack.h"
#include "scene/pinned.h"
#include "scene/remembered.h"
#include "scene/results.h"

namespace headlight::scene {

namespace {

constexpr double position_base = 10000;
constexpr std::uint64_t direction_stream = 0x464541;  // for the ω of random features

std::vector<nn::Token> tokens_of(const Results& results) {
  const auto most = std::min(results.tokens.size(), static_cast<std::size_t>(most_memory_tokens));
  return {results.tokens.begin(), results.tokens.begin() + static_cast<std::ptrdiff_t>(most)};
}

float largest(const nn::Matrix& m) {
  float most = 0;
  for (float value : m.values()) {
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  }
  return most;
}

nn::Matrix minus(const nn::Matrix& a, const nn::Matrix& b) {
  nn::Matrix out = a;
  for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] -= b.data()[i];
  return out;
}

double mean_row_maximum(const nn::Matrix& weights) {
  double sum = 0;
  for (int r = 0; r < weights.rows(); ++r) {
    const auto row = weights.row(r);
    sum += static_cast<double>(*std::max_element(row.begin(), row.begin() + r + 1));
  }
  return sum / weights.rows();
}

nn::MatrixF64 in_double(const nn::Matrix& m) {
  nn::MatrixF64 out(m.rows(), m.cols());
  for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] = static_cast<double>(m.data()[i]);
  return out;
}

/// What the rule writes at token t: v, or with the delta rule v minus the value that it found.
std::vector<float> factor(const SentenceMemory& memory, MemoryWrite rule, int t) {
  const auto value = memory.v.row(t);
  std::vector<float> out(value.begin(), value.end());
  if (rule == MemoryWrite::delta) {
    const auto found = memory.delta.found.row(t);
    for (std::size_t c = 0; c < out.size(); ++c) out[c] -= found[c];
  }
  return out;
}

nn::Matrix outer(std::span<const float> left, std::span<const float> right) {
  nn::Matrix out(static_cast<int>(left.size()), static_cast<int>(right.size()));
  for (int r = 0; r < out.rows(); ++r) {
    for (int c = 0; c < out.cols(); ++c)
      out.at(r, c) = left[static_cast<std::size_t>(r)] * right[static_cast<std::size_t>(c)];
  }
  return out;
}

/// The model whose head the page uses; null: the head is drawn.
std::shared_ptr<const TrainedModel> memory_model(const Scene& scene) {
  const auto model = usable_model(scene);
  return model && memory_reads_head(model->config) ? model : nullptr;
}

int memory_head(const Scene& scene) {
  return first_head(scene, scene.heads) + 1;
}

void project(const Scene& scene, const Results& results, base::Parallel& parallel, SentenceMemory& memory) {
  const auto seed = static_cast<std::uint64_t>(scene.seed);
  const std::vector<nn::Token> tokens = tokens_of(results);
  memory.model = memory_model(scene);
  nn::Matrix words, places;
  nn::AttentionWeights weights;
  if (memory.model) {
    memory.head = memory_head(scene), memory.layer = shown_layer(scene, *memory.model) + 1;
    places = joined(layer_input(scene, tokens, parallel));
    words = memory.layer > 1 ? places : as_read(*memory.model, 0, word_embeddings(scene, tokens));
    weights = head_weights(*layer_weights(scene), scene.heads, memory.head - 1);
  } else {
    words = nn::embed(tokens, scene.d_model, seed);
    nn::sinusoidal({words.rows(), scene.d_model, position_base, 0}, parallel, places);
    for (std::size_t i = 0; i < places.size(); ++i) places.data()[i] += words.data()[i];
    weights = nn::random_attention_weights(scene.d_model, scene.memory.width, seed);
  }
  nn::linear(words, weights.w_q, weights.b_q, parallel, memory.q);
  nn::linear(words, weights.w_k, weights.b_k, parallel, memory.k);
  nn::linear(places, weights.w_v, weights.b_v, parallel, memory.v);
}

/// Applies φ to queries and keys.
void map_features(const Scene& scene, SentenceMemory& memory) {
  if (scene.memory.feature != MemoryFeature::random) {
    const nn::Feature feature =
        scene.memory.feature == MemoryFeature::elu1 ? nn::Feature::elu1 : nn::Feature::identity;
    memory.phi_q = nn::features(feature, memory.q), memory.phi_k = nn::features(feature, memory.k);
    return;
  }
  const nn::Matrix directions = nn::random_directions(
      scene.memory.features, memory.q.cols(), static_cast<std::uint64_t>(scene.seed), direction_stream);
  memory.phi_q = nn::random_features(memory.q, directions);
  memory.phi_k = nn::random_features(memory.k, directions);
}

void attend(base::Parallel& parallel, SentenceMemory& memory) {
  nn::AttentionOptions softmax;
  softmax.mask.causal = true;
  nn::AttentionTrace trace;
  trace.q = memory.q, trace.k = memory.k, trace.v = memory.v;
  nn::attention_from_qkv(softmax, parallel, trace);
  memory.softmax = std::move(trace.weights);
  memory.softmax_output = std::move(trace.output);

  const nn::LinearAttentionOptions linear{
      .feature = nn::Feature::identity, .causal = true, .normalise = true};
  nn::LinearAttentionMap<float> map = nn::linear_attention_map(memory.phi_q, memory.phi_k, memory.v, linear);
  memory.linear = std::move(map.weights);
  memory.linear_output = std::move(map.output);
  memory.denominator = nn::linear_attention(memory.phi_q, memory.phi_k, memory.v, linear).denominator;

  memory.sharpness_linear = mean_row_maximum(memory.linear);
  memory.sharpness_softmax = mean_row_maximum(memory.softmax);
  memory.largest_linear = largest(memory.linear);
  if (const int T = memory.q.rows();
      T > unit_scale_tokens) {  // else a few large weights leave the rest black
    std::vector<base::Interval> read;
    for (int t = 0; t < T; ++t) read.push_back({0, t + 1});
    nn::WeightCounts both = nn::count_weights(memory.softmax.data(), T, T, read, &parallel);
    both += nn::count_weights(memory.linear.data(), T, T, read, &parallel);
    memory.weights_end = both.end();
  }
  memory.weight_difference = minus(memory.linear, memory.softmax);
  memory.output_difference = minus(memory.linear_output, memory.softmax_output);
  memory.largest_difference = static_cast<double>(largest(memory.output_difference));
}

void write_fast_weights(const double decay, SentenceMemory& memory) {
  constexpr nn::Feature as_it_is = nn::Feature::identity, unit = nn::Feature::unit;
  memory.decay = decay;
  memory.sum = nn::fast_weights(memory.phi_q, memory.phi_k, memory.v, {.feature = as_it_is, .decay = decay});
  memory.fast_residual = nn::fast_weight_residual(memory.phi_q, memory.phi_k, memory.v, as_it_is, decay);
  memory.unit_sum = nn::fast_weights(memory.phi_q, memory.phi_k, memory.v, {.feature = unit, .decay = decay});
  const nn::FastWeightOptions replace{.feature = unit, .rule = nn::WriteRule::delta, .decay = decay};
  memory.delta = nn::fast_weights(memory.phi_q, memory.phi_k, memory.v, replace);
  memory.unit_q = memory.delta.phi_q, memory.unit_k = memory.delta.phi_k;
  const nn::FastWeightTrace<double> twin =
      nn::fast_weights(in_double(memory.phi_q), in_double(memory.phi_k), in_double(memory.v), replace);
  for (std::size_t i = 0; i < twin.y.size(); ++i) {
    memory.delta_residual = std::max(
        memory.delta_residual, std::abs(static_cast<double>(memory.delta.y.data()[i]) - twin.y.data()[i]));
  }
  // All steps share one scale, so that colours can be compared while the step changes.
  memory.largest_state[0] = largest(memory.sum.states),
  memory.largest_state[1] = largest(memory.delta.states);
  memory.largest_vector[0] = std::max({largest(memory.phi_q), largest(memory.phi_k), largest(memory.v)});
  memory.largest_vector[1] = std::max({largest(memory.unit_q), largest(memory.unit_k), largest(memory.v)});
  for (const MemoryWrite rule : {MemoryWrite::sum, MemoryWrite::delta}) {
    const auto index = static_cast<std::size_t>(rule);
    const nn::Matrix& keys = rule == MemoryWrite::sum ? memory.phi_k : memory.unit_k;
    for (int t = 0; t < keys.rows(); ++t) {
      float value = 0, key = 0;
      for (float c : factor(memory, rule, t)) value = std::max(value, std::abs(c));
      for (float c : keys.row(t)) key = std::max(key, std::abs(c));
      memory.largest_vector[index] = std::max(memory.largest_vector[index], value);
      memory.largest_state[index] = std::max(memory.largest_state[index], value * key);
    }
  }
}

std::string sentence_key(const Scene& scene, const Results& results) {
  std::string key = std::to_string(scene.seed) + ' ' + std::to_string(scene.d_model) + ' ' +
                    std::to_string(scene.memory.width) + ' ' + word(scene.memory.feature) + ' ' +
                    number_text(scene.memory.decay);
  if (scene.memory.feature == MemoryFeature::random) key += ' ' + std::to_string(scene.memory.features);
  // The kept memory owns its model, so no other model can have the same address.
  if (const auto model = memory_model(scene)) {
    const auto address = reinterpret_cast<std::uintptr_t>(model.get());
    key += " model " + std::to_string(address) + ' ' + std::to_string(scene.weights_layer) + ' ' +
           std::to_string(memory_head(scene)) + ' ' + word(scene.position) + ' ' +
           number_text(scene.position_scale) + ' ' + number_text(scene.position_base) + ' ' +
           std::to_string(scene.position_offset);
  }
  for (const nn::Token& token : tokens_of(results))
    key += ' ' + std::to_string(token.text.size()) + ' ' + token.text;
  return key;
}

/// γ W_(t−1), 0 before the first step.
nn::Matrix kept_of(const SentenceMemory& memory, MemoryWrite rule, int t) {
  const nn::Matrix& states = rule == MemoryWrite::sum ? memory.sum.states : memory.delta.states;
  nn::Matrix out(states.rows(), states.cols());
  for (std::size_t i = 0; t > 0 && i < out.size(); ++i)
    out.data()[i] = static_cast<float>(memory.decay) * states.plane(t - 1)[i];
  return out;
}

std::vector<RecurrenceTerm> terms_of(const SentenceMemory& memory, int t) {
  const auto query = memory.phi_q.row(t);
  std::vector<RecurrenceTerm> out;
  for (int s = 0; s <= t; ++s) {
    const auto key = memory.phi_k.row(s);
    RecurrenceTerm term{std::pow(memory.decay, t - s), 0};
    for (std::size_t c = 0; c < key.size(); ++c)
      term.similarity += static_cast<double>(query[c]) * static_cast<double>(key[c]);
    out.push_back(term);
  }
  return out;
}

/// ‖W φ − v‖ / ‖v‖ of a float32 state, summed in double.
double retrieval_error(const float* state, std::span<const float> phi, std::span<const float> value) {
  double off = 0, whole = 0;
  for (std::size_t r = 0; r < value.size(); ++r) {
    double read = 0;
    for (std::size_t c = 0; c < phi.size(); ++c)
      read += static_cast<double>(state[r * phi.size() + c]) * static_cast<double>(phi[c]);
    const double want = static_cast<double>(value[r]);
    off += (read - want) * (read - want);
    whole += want * want;
  }
  return whole > 0 ? std::sqrt(off / whole) : std::sqrt(off);
}

std::string patterns_key(const Scene& scene) {
  const MemorySettings& s = scene.memory;
  char out[160];
  std::snprintf(out, sizeof out, "%d %d %d %.17g %.17g %.17g", scene.seed, s.patterns, s.dimension, s.beta,
                s.noise, s.closeness);
  return out;
}

}  // namespace

SentenceMemory remember_sentence(const Scene& scene, const Results& results, base::Parallel& parallel) {
  SentenceMemory memory;
  project(scene, results, parallel, memory);
  map_features(scene, memory);
  attend(parallel, memory);
  write_fast_weights(scene.memory.decay, memory);
  return memory;
}

std::vector<ReadBack> read_back(const SentenceMemory& memory, int step) {
  std::vector<ReadBack> all;
  for (int t = 0; t < step; ++t) {
    const auto key = memory.unit_k.row(t);
    const auto same_key = [&](const ReadBack& entry) {
      return std::ranges::equal(memory.unit_k.row(entry.token), key);
    };
    auto entry = std::ranges::find_if(all, same_key);
    if (entry == all.end()) entry = all.insert(entry, {.token = t, .times = 0});
    entry->token = t, ++entry->times;
  }
  for (ReadBack& entry : all) {
    const auto key = memory.unit_k.row(entry.token), value = memory.v.row(entry.token);
    entry.sum = retrieval_error(memory.unit_sum.states.plane(step - 1), key, value);
    entry.delta = retrieval_error(memory.delta.states.plane(step - 1), key, value);
  }
  return all;
}

std::shared_ptr<const MemoryResults> compute_memory(const Scene& scene, const Results& results,
                                                    base::Parallel& parallel) {
  static Remembered<SentenceMemory> last_sentence;
  static Remembered<StoredPatterns> last_patterns;
  static Remembered<MemoryExperiments> last_experiments;
  static Remembered<SizeErrors> last_sizes;
  static Remembered<BinaryRetrieval> last_bits;
  auto out = std::make_shared<MemoryResults>();
  if (!results.tokens.empty()) {
    out->sentence = last_sentence.get(sentence_key(scene, results),
                                      [&] { return remember_sentence(scene, results, parallel); });
    const SentenceMemory& memory = *out->sentence;
    out->step = std::clamp(scene.memory.step, 1, memory.q.rows());
    const MemoryWrite rule = scene.memory.write;
    out->value = factor(memory, rule, out->step - 1);
    out->written =
        outer(out->value, (rule == MemoryWrite::sum ? memory.phi_k : memory.unit_k).row(out->step - 1));
    if (memory.decay != 1) out->kept = kept_of(memory, rule, out->step - 1);
    out->read_back = read_back(memory, out->step);
    out->recurrence = terms_of(memory, out->step - 1);
  }
  out->stored = last_patterns.get(patterns_key(scene), [&] { return store_patterns(scene); });
  out->retrieval = retrieve(scene, *out->stored, parallel);
  out->experiments =
      last_experiments.get(std::to_string(scene.seed) + ' ' + std::to_string(scene.memory.width),
                           [&] { return memory_experiments(scene); });
  const MemorySettings& s = scene.memory;
  const auto key_of = [&](std::initializer_list<int> numbers) {
    std::string key = std::to_string(scene.seed);
    for (const int number : numbers) key += ' ' + std::to_string(number);
    return key;
  };
  out->sizes = last_sizes.get(key_of({s.width, s.features, s.keys}), [&] { return memory_sizes(scene); });
  out->binary = last_bits.get(key_of({s.patterns, s.bits, s.flips}), [&] { return retrieve_bits(scene); });
  for (const int d : {scene.memory.dimension, 10, 16, 50, 64})
    out->capacity.push_back(
        {d, nn::hopfield_capacity_1982(d), nn::hopfield_capacity_2017(d), nn::hopfield_capacity_2020(d, {})});
  return out;
}

}  // namespace headlight::scene
