#include "scene/compute.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "nn/weights.h"
#include "scene/field_values.h"
#include "scene/microscope.h"
#include "scene/remembered.h"
#include "scene/settings.h"

namespace headlight::scene {

namespace {

constexpr int most_tokens = 8192;
constexpr double most_weights = double(1 << 30) / sizeof(float);  // 1 GiB over all heads
// Measured, in multiplications of the forward pass: what a random number costs, and what each weight costs
// outside of it (its exponential, the entropy, the score variance, mean and maximum).
constexpr double draw_cost = 600, weight_cost = 800;

std::vector<nn::Token> split(const Scene& scene) {
  return scene.tokenizer == Tokenizer::chars ? nn::split_chars(scene.sentence)
                                             : nn::split_words(scene.sentence);
}

int input_width(const Scene& scene) {
  return scene.position == Position::sinusoidal_concat ? 2 * scene.d_model : scene.d_model;
}

Remembered<nn::AttentionWeights>& last_weights() {
  static Remembered<nn::AttentionWeights> weights;
  return weights;
}

std::string weights_key(const Scene& scene) {
  return number_text(scene.seed) + ' ' + number_text(input_width(scene)) + ' ' + number_text(scene.d_model);
}

std::shared_ptr<const nn::AttentionWeights> weights_for(const Scene& scene) {
  return last_weights().get(weights_key(scene), [&] {
    return nn::random_attention_weights(input_width(scene), scene.d_model,
                                        static_cast<std::uint64_t>(scene.seed));
  });
}

std::shared_ptr<const nn::Matrix> embeddings_for(const Scene& scene, const std::vector<nn::Token>& tokens) {
  static Remembered<nn::Matrix> last;
  std::string key = number_text(scene.seed) + ' ' + number_text(scene.d_model);
  for (const nn::Token& token : tokens) key += ' ' + std::to_string(token.text.size()) + ' ' + token.text;
  return last.get(key,
                  [&] { return nn::embed(tokens, scene.d_model, static_cast<std::uint64_t>(scene.seed)); });
}

/// x [T, D_in]: the embeddings, with scale·P added or set behind them.
void add_positions(const Scene& scene, const nn::Matrix& embedded, base::Parallel& parallel, nn::Matrix& x) {
  const int T = embedded.rows(), d = scene.d_model, width = input_width(scene);
  x.resize(T, width);
  nn::Matrix p;
  if (scene.position != Position::none) {
    nn::sinusoidal({T, d, scene.position_base, scene.position_offset}, parallel, p);
  }
  const auto scale = static_cast<float>(scene.position_scale);
  for (int t = 0; t < T; ++t) {
    const float* from = embedded.row(t).data();
    float* to = x.row(t).data();
    std::copy_n(from, d, to);
    if (scene.position == Position::none) continue;
    const float* row = p.row(t).data();
    if (scene.position == Position::sinusoidal) {
      for (int c = 0; c < d; ++c) to[c] += scale * row[c];
    } else {
      for (int c = 0; c < d; ++c) to[d + c] = scale * row[c];
    }
  }
}

/// The results of no tokens: every tensor empty, as many heads as the scene says.
void clear_attention(const Scene& scene, Results& results) {
  results.x.resize(0, input_width(scene));
  results.attention = {};
  results.attention.heads = scene.heads;
  results.attention.d_k = results.attention.d_v = scene.d_model / scene.heads;
  results.heads.assign(static_cast<std::size_t>(scene.heads), {});
  results.mean.resize(0, 0);
  results.max.resize(0, 0);
  results.nonfinite = 0;
  results.forward_ms = 0;
}

std::vector<int> all_heads(int heads) {
  std::vector<int> all(static_cast<std::size_t>(heads));
  for (int h = 0; h < heads; ++h) all[static_cast<std::size_t>(h)] = h;
  return all;
}

/// Forward pass and its summaries; false when cancelled.
bool attend(const Scene& scene, base::Parallel& parallel, const Progress& progress, Results& results) {
  auto goes_on = [&](float done) { return !progress || progress(done); };
  add_positions(scene, *embeddings_for(scene, results.tokens), parallel, results.x);
  const auto weights = weights_for(scene);
  if (!goes_on(0.1f)) return false;

  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  nn::attention_forward(results.x, results.x, *weights, results.options, parallel, results.attention);
  results.forward_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  if (!goes_on(0.5f)) return false;

  results.heads = nn::summarize_heads(results.attention, parallel);
  if (!goes_on(0.7f)) return false;
  results.mean = nn::mean_of_heads(results.attention, all_heads(scene.heads));
  results.max = nn::max_of_heads(results.attention, all_heads(scene.heads));
  results.nonfinite = nn::count_nonfinite(results.attention);
  return goes_on(0.8f);
}

/// What only the open page needs.
void compute_page(const Scene& scene, base::Parallel& parallel, Results& results) {
  results.worked = scene.page == Page::worked ? compute_worked(scene, results, parallel) : nullptr;
  results.order = scene.page == Page::order ? compute_order(scene, results, parallel) : nullptr;
  results.variants = scene.page == Page::variants ? compute_variants(scene, results, parallel) : nullptr;
  results.memory = scene.page == Page::memory ? compute_memory(scene, results, parallel) : nullptr;
  results.cost = scene.page == Page::cost ? compute_cost(scene, results, parallel) : nullptr;
  results.block = scene.page == Page::block ? compute_block(scene, results, parallel) : nullptr;
  results.bench = scene.page == Page::bench ? compute_bench(scene, results, parallel) : nullptr;
  results.presets = scene.page == Page::presets ? compute_presets(scene, results, parallel) : nullptr;
}

}  // namespace

nn::AttentionOptions attention_options(const Scene& scene) {
  nn::AttentionOptions options;
  options.heads = scene.heads;
  options.divide_by_sqrt_d_k = scene.scale;
  options.temperature = static_cast<float>(scene.temperature);
  options.mask.causal = scene.mask.causal;
  if (scene.mask.window) options.mask.window_left = options.mask.window_right = scene.window;
  if (scene.mask.valid_length) options.mask.valid_length = scene.valid_length;
  return options;
}

std::shared_ptr<Results> compute(const Scene& scene, base::Parallel& parallel, const Progress& progress,
                                 std::shared_ptr<Results> reuse) {
  HEADLIGHT_CHECK(check(scene));
  static std::atomic<std::uint64_t> versions{0};
  // Buffers that somebody else still looks at are left alone.
  std::shared_ptr<Results> results = reuse.use_count() == 1 ? std::move(reuse) : std::make_shared<Results>();
  results->version = ++versions;
  results->scene = scene;
  results->options = attention_options(scene);
  results->weights_source = "random weights, seed " + std::to_string(scene.seed);
  results->tokens = split(scene);
  results->tokens_in_sentence = results->tokens.size();
  const auto most = static_cast<std::size_t>(max_tokens(scene.heads));
  if (results->tokens.size() > most) results->tokens.resize(most);
  if (progress && !progress(0)) return nullptr;

  if (results->tokens.empty()) {
    clear_attention(scene, *results);
  } else if (!attend(scene, parallel, progress, *results)) {
    return nullptr;
  }
  if (!look_at_positions(scene, parallel, progress, results->position)) return nullptr;
  compute_page(scene, parallel, *results);
  if (progress && !progress(1)) return nullptr;
  return results;
}

std::string key(const Scene& scene) {
  // Attention and Position are served by every Results; the other pages by their own.
  const bool shared = scene.page == Page::attention || scene.page == Page::position;
  std::string text = shared ? "" : std::string("page=") + word(scene.page) + ' ';
  fields(scene, [&](const Field& field, const auto&) {
    if (!field.computes) return;
    const std::string value = get_field(scene, field.name);
    text += field.name;
    text += '=' + std::to_string(value.size()) + ':' + value + ' ';
  });
  return text;
}

int max_tokens(int heads) {
  HEADLIGHT_CHECK_OP(heads, >=, 1);
  const auto fit = static_cast<int>(std::sqrt(most_weights / heads));
  return std::min(fit, most_tokens);
}

double work(const Scene& scene, int tokens) {
  const double T = std::min(tokens, max_tokens(scene.heads)), d = scene.d_model, d_in = input_width(scene);
  const double elements = (3 * d_in + d) * d;
  const double drawn = last_weights().find(weights_key(scene)) ? 0 : draw_cost * elements;
  const double attended = 2 * T * T * d + weight_cost * T * T * scene.heads;
  return drawn + T * elements + attended + position_work(scene);
}

std::size_t count_tokens(const Scene& scene) {
  return split(scene).size();
}

std::shared_ptr<const nn::CellTrace> explain_pinned(const Scene& scene, const Results& results) {
  const nn::AttentionTrace& trace = results.attention;
  if (trace.T == 0 || scene.query.empty()) return nullptr;
  const int head = scene.head.empty() ? 0 : std::clamp(scene.head.front() - 1, 0, trace.heads - 1);
  const int query = std::clamp(scene.query.back(), 0, trace.T - 1);
  int opened = std::min(scene.key, trace.S - 1);
  if (opened < 0) {
    const std::span<const float> row = trace.weights.row(head, query);
    opened = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
  }
  return std::make_shared<nn::CellTrace>(nn::explain_cell(trace, results.options, head, query, opened));
}

}  // namespace headlight::scene
