#include "pages/opened_attention.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>

#include "models/opened_model.h"
#include "network/network.h"
#include "scene/layer_input.h"

namespace headlight::scene {

namespace {

using nn::Matrix;
using std::size_t;

/// [T, H_kv·d] to [T, H·d]: repeats for each query head the part that it uses.
Matrix for_each_head(Matrix stored, const nn::NetworkLayer& layer) {
  if (layer.kv_heads == layer.heads) return stored;
  Matrix out(stored.rows(), layer.heads * layer.head_dim);
  const auto d = static_cast<size_t>(layer.head_dim);
  for (int t = 0; t < out.rows(); ++t) {
    for (int head = 0; head < layer.heads; ++head) {
      const auto from = static_cast<size_t>(head / (layer.heads / layer.kv_heads)) * d;
      std::copy_n(stored.row(t).data() + from, d, out.row(t).data() + static_cast<size_t>(head) * d);
    }
  }
  return out;
}

std::shared_ptr<const OpenedLayer> described(const OtherModel& other, int index, std::span<const int> ids) {
  const models::OpenedModel& model = *other.model;
  const nn::Network& network = model.network;
  const nn::NetworkLayer& layer = network.layers[static_cast<size_t>(index)];
  OpenedLayer out;
  out.name = model.name, out.family = model.family;
  out.layer = index, out.layers = layers_of(other);
  out.kv_heads = layer.kv_heads, out.width = network.width;
  out.scale = layer.scale, out.cap = network.score_cap;
  out.causal = network.causal, out.window = network.causal ? layer.window : 0;
  out.rotary = network.rope.rotary_dim,
  out.bias = !model.weights.layers[static_cast<size_t>(index)].q.b.empty();
  out.qk_norm = network.qk_norm != nn::NormKind::none;
  out.tokenizer = other.tokenizer != nullptr;
  const std::vector<int> types = nn::token_types_of(network, ids);
  if (const auto one = std::find(types.begin(), types.end(), 1); one != types.end())
    out.second = static_cast<int>(one - types.begin());
  return std::make_shared<const OpenedLayer>(std::move(out));
}

/// What a pass keeps in order to show one layer.
nn::NetworkKeeps kept(int layer) {
  nn::NetworkKeeps keeps{
      .attentions = true, .scores = true, .states = false, .projections = true, .logits = false};
  keeps.parts = true, keeps.layer = layer;
  return keeps;
}

/// A layer that was computed, with its model and ids. The last ones are kept, so that choosing another
/// head, or another token on a page whose results depend on it, does not run the model again. Large ones
/// are not kept.
struct KeptPass {
  std::weak_ptr<const models::OpenedModel> model;
  std::vector<int> ids;
  int layer = -1;
  std::shared_ptr<const OpenedPass> pass;
};
struct KeptPasses {
  std::mutex mutex;
  std::vector<KeptPass> list;  // the newest first
};
KeptPasses& kept_passes() {
  static KeptPasses kept;
  return kept;
}
constexpr size_t most_kept_weights = 1 << 24;
constexpr size_t most_kept = 4;  // two layers of each of two pictures side by side

std::shared_ptr<const OpenedPass> find_kept(const OtherModel& other, std::span<const int> ids, int layer) {
  KeptPasses& kept = kept_passes();
  const std::lock_guard lock(kept.mutex);
  for (auto at = kept.list.begin(); at != kept.list.end(); ++at) {
    if (at->layer != layer || !std::equal(ids.begin(), ids.end(), at->ids.begin(), at->ids.end()) ||
        at->model.lock() != other.model)
      continue;
    std::rotate(kept.list.begin(), at, at + 1);
    return kept.list.front().pass;
  }
  return nullptr;
}

void keep(const OtherModel& other, std::span<const int> ids, int layer,
          const std::shared_ptr<const OpenedPass>& pass) {
  if (pass->trace.weights.size() > most_kept_weights) return;
  KeptPasses& kept = kept_passes();
  const std::lock_guard lock(kept.mutex);
  kept.list.insert(kept.list.begin(), {other.model, {ids.begin(), ids.end()}, layer, pass});
  if (kept.list.size() > most_kept) kept.list.pop_back();
}

/// The input of layer 0, … [T, D], of as many layers as are known.
using LayerInputs = std::vector<std::shared_ptr<const Matrix>>;

/// The inputs for the last text: another layer begins at the nearest one.
struct KeptStates {
  std::mutex mutex;
  std::weak_ptr<const models::OpenedModel> model;
  std::vector<int> ids;
  LayerInputs inputs;
};
KeptStates& kept_states() {
  static KeptStates kept;
  return kept;
}
constexpr double most_state_bytes = 1 << 28;

LayerInputs find_inputs(const OtherModel& other, std::span<const int> ids) {
  KeptStates& kept = kept_states();
  const std::lock_guard lock(kept.mutex);
  if (kept.model.lock() != other.model ||
      !std::equal(ids.begin(), ids.end(), kept.ids.begin(), kept.ids.end()))
    return {};
  return kept.inputs;
}

void keep(const OtherModel& other, std::span<const int> ids, LayerInputs inputs) {
  KeptStates& kept = kept_states();
  const std::lock_guard lock(kept.mutex);
  const bool same = kept.model.lock() == other.model &&
                    std::equal(ids.begin(), ids.end(), kept.ids.begin(), kept.ids.end());
  if (same && kept.inputs.size() >= inputs.size()) return;
  kept.model = other.model, kept.ids.assign(ids.begin(), ids.end()), kept.inputs = std::move(inputs);
}

int most_used(const OtherModel& other, const nn::NetworkLayer& layer) {
  const int fit = max_tokens(layer.heads) / 2;  // scores beside the weights
  const int table = other.model->network.most_tokens;
  return table > 0 ? std::min(table, fit) : fit;
}

/// Runs the model up to the layer.
base::Status run_layer(const OtherModel& other, int index, std::span<const int> ids, base::Parallel& parallel,
                       const Progress& progress, OpenedPass& out) {
  const models::OpenedModel& model = *other.model;
  const nn::NetworkLayer& layer = model.network.layers[static_cast<size_t>(index)];
  const auto start = std::chrono::steady_clock::now();
  nn::NetworkTrace pass;
  const auto keep_going = [&](float part) { return !progress || progress(0.7f * part); };
  LayerInputs inputs = find_inputs(other, ids);
  const double bytes = 4.0 * static_cast<double>(ids.size()) * model.network.width * (index + 2);
  const bool fits = bytes <= most_state_bytes;
  if (!fits && static_cast<int>(inputs.size()) <= index) inputs.clear();  // there is no input to begin at
  nn::NetworkKeeps keeps = kept(index);
  keeps.watch_stream = [&](int at, const Matrix& x) {
    if (fits && at == static_cast<int>(inputs.size())) inputs.push_back(std::make_shared<const Matrix>(x));
  };
  base::Status done;
  if (inputs.empty()) {
    bool wanted = true;
    done = nn::network_forward(model.network, model.weights, {.ids = ids}, parallel, pass, keeps,
                               [&](float part) { return wanted = keep_going(part); });
    if (!wanted) return base::Error{given_up};
  } else {
    const int first = std::min(index, static_cast<int>(inputs.size()) - 1);
    for (int l = first; done && l <= index; ++l) {
      if (!keep_going(static_cast<float>(l - first) / static_cast<float>(index + 1 - first)))
        return base::Error{given_up};
      nn::NetworkKeeps through =
          l < index
              ? nn::NetworkKeeps{.attentions = false, .states = false, .projections = false, .logits = false}
              : keeps;
      through.layer = l, through.watch_stream = keeps.watch_stream;
      const std::shared_ptr<const Matrix> x = inputs[static_cast<size_t>(l)];
      done = nn::network_layer(model.network, model.weights, {.ids = ids}, *x, parallel, pass, through);
    }
  }
  if (!done) return base::Error{model.path.string() + ": " + done.error()};
  keep(other, ids, std::move(inputs));
  out.forward_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  out.x = std::move(pass.inputs.front());
  nn::AttentionTrace& trace = out.trace;
  trace.T = pass.T, trace.S = pass.S, trace.heads = layer.heads;
  trace.d_k = trace.d_v = layer.head_dim;
  trace.scale = static_cast<float>(layer.scale),
  trace.score_cap = static_cast<float>(model.network.score_cap);
  trace.q = std::move(pass.q.front());
  trace.k = for_each_head(std::move(pass.k.front()), layer);
  trace.v = for_each_head(std::move(pass.v.front()), layer);
  trace.weights = std::move(pass.attentions.front());
  trace.context = std::move(pass.contexts.front());
  trace.output = std::move(pass.outputs.front());
  trace.allowed = keys_of_queries(model.network, layer, trace.T);
  sum_rows(pass.scores.front(), parallel, trace);
  return {};
}

/// Reads a matrix [out, in] as [in, out], or a vector [n, 1] as a row.
base::Status transposed(const nn::TensorRef& from, Matrix& to) {
  to.resize(from.cols, from.rows);
  if (from.cols == 1) return nn::read_rows(from, 0, from.rows, to.data());
  if (from.col_step != 1) return nn::read_columns(from, 0, from.cols, to.data());
  Matrix stored(from.rows, from.cols);
  const base::Status read = nn::read_rows(from, 0, from.rows, stored.data());
  for (int r = 0; read && r < from.rows; ++r)
    for (int c = 0; c < from.cols; ++c) to.at(c, r) = stored.at(r, c);
  return read;
}

}  // namespace

std::vector<base::Interval> keys_of_queries(const nn::Network& network, const nn::NetworkLayer& layer,
                                            int T) {
  std::vector<base::Interval> out;
  for (int t = 0; t < T; ++t) {
    const int begin = network.causal && layer.window > 0 ? std::max(0, t - layer.window + 1) : 0;
    out.push_back({begin, network.causal ? t + 1 : T});
  }
  return out;
}

void sum_rows(const Matrix& scores, base::Parallel& parallel, nn::AttentionTrace& trace) {
  trace.row_max.resize(trace.heads, trace.T);
  trace.row_sum.resize(trace.heads, trace.T);
  parallel.run(trace.heads, [&](int head) {
    for (int t = 0; t < trace.T; ++t) {
      const base::Interval keys = trace.allowed[static_cast<size_t>(t)];
      const float* row = scores.row(head, t).data();
      const float max = keys.size() > 0 ? *std::max_element(row + keys.begin, row + keys.end) : 0.f;
      float sum = 0;
      for (int s = keys.begin; s < keys.end; ++s) sum += std::exp(row[s] - max);
      trace.row_max.at(head, t) = max, trace.row_sum.at(head, t) = sum;
    }
  });
}

void keep_states(const OtherModel& other, std::span<const int> ids,
                 std::shared_ptr<const std::vector<Matrix>> states) {
  LayerInputs inputs;
  for (size_t l = 0; l + 1 < states->size(); ++l) inputs.emplace_back(states, &(*states)[l]);
  keep(other, ids, std::move(inputs));
}

namespace {

double bytes_of(const Matrix& matrix) {
  return static_cast<double>(matrix.values().size_bytes());
}

double bytes_of(const nn::AttentionTrace& trace) {
  double all = 0;
  for (const Matrix* each : {&trace.q, &trace.k, &trace.v, &trace.scores, &trace.weights, &trace.row_max,
                             &trace.row_sum, &trace.context, &trace.output})
    all += bytes_of(*each);
  return all;
}

}  // namespace

double opened_bytes(const Results& results) {
  double all =
      bytes_of(results.attention) + bytes_of(results.x) + bytes_of(results.mean) + bytes_of(results.max);
  if (results.own) all += results.own->bytes();
  {
    KeptStates& states = kept_states();
    const std::lock_guard lock(states.mutex);
    for (const auto& input : states.inputs) all += input ? bytes_of(*input) : 0;
  }
  KeptPasses& kept = kept_passes();
  const std::lock_guard lock(kept.mutex);
  for (const KeptPass& one : kept.list) all += bytes_of(one.pass->x) + bytes_of(one.pass->trace);
  return all;
}

void forget_opened_layer() {
  {
    KeptStates& states = kept_states();
    const std::lock_guard lock(states.mutex);
    states.model.reset(), states.ids.clear(), states.inputs.clear();
  }
  KeptPasses& kept = kept_passes();
  const std::lock_guard lock(kept.mutex);
  kept.list.clear();
}

base::Result<std::shared_ptr<const OpenedPass>> opened_pass(const OtherModel& other, int layer,
                                                            std::span<const int> ids,
                                                            base::Parallel& parallel,
                                                            const Progress& progress) {
  if (auto known = find_kept(other, ids, layer)) return known;
  auto pass = std::make_shared<OpenedPass>();
  if (const base::Status done = run_layer(other, layer, ids, parallel, progress, *pass); !done)
    return base::Error{done.error()};
  keep(other, ids, layer, pass);
  return std::shared_ptr<const OpenedPass>(std::move(pass));
}

std::vector<int> opened_ids(const std::vector<nn::Token>& tokens) {
  std::vector<int> ids;
  for (const nn::Token& token : tokens) ids.push_back(token.piece);
  return ids;
}

base::Result<nn::AttentionWeights> opened_output_weights(const OtherModel& other, int layer) {
  const models::OpenedModel& model = *other.model;
  const nn::LinearRef& o = model.weights.layers[static_cast<size_t>(layer)].o;
  nn::AttentionWeights out;
  base::Status read = transposed(o.w, out.w_o);
  if (read && !o.b.empty()) read = transposed(o.b, out.b_o);
  if (!read) return base::Error{model.path.string() + ": " + read.error()};
  return out;
}

base::Result<nn::AttentionWeights> opened_score_weights(const OtherModel& other, int layer) {
  const models::OpenedModel& model = *other.model;
  const nn::NetworkLayer& shape = model.network.layers[static_cast<size_t>(layer)];
  const nn::NetworkLayerWeights& w = model.weights.layers[static_cast<size_t>(layer)];
  nn::AttentionWeights out;
  base::Status read = transposed(w.q.w, out.w_q);
  if (read) read = transposed(w.k.w, out.w_k);
  if (read && !w.q.b.empty()) read = transposed(w.q.b, out.b_q);
  if (read && !w.k.b.empty()) read = transposed(w.k.b, out.b_k);
  if (!read) return base::Error{model.path.string() + ": " + read.error()};
  out.w_k = for_each_head(std::move(out.w_k), shape);
  if (!out.b_k.empty()) out.b_k = for_each_head(std::move(out.b_k), shape);
  return out;
}

int most_opened_tokens(const OtherModel& other, const Scene& scene) {
  return most_used(other, shown_layer_of(other, scene));
}

base::Status attend_opened(const Scene& scene, const OtherModel& other, base::Parallel& parallel,
                           const Progress& progress, Results& results) {
  const models::OpenedModel& model = *other.model;
  const int index = shown_layer(other, scene);
  const nn::NetworkLayer& layer = shown_layer_of(other, scene);
  auto tokens = tokens_for(other, scene.sentence, scene.token_ids);
  if (!tokens) return base::Error{tokens.error()};
  results.tokens_in_sentence = tokens->size();
  if (const auto most = static_cast<size_t>(most_used(other, layer)); tokens->size() > most)
    tokens->resize(most);
  results.tokens = std::move(*tokens);
  const std::vector<int> ids = opened_ids(results.tokens);
  const auto pass = opened_pass(other, index, ids, parallel, progress);
  if (!pass) return base::Error{pass.error()};
  results.x = (*pass)->x, results.attention = (*pass)->trace, results.forward_ms = (*pass)->forward_ms;
  results.tokens_are = nn::VocabularyKind::pieces;
  results.opened = described(other, index, ids);
  results.weights_source = model.name + " (" + model.family + ")";
  results.weights = nullptr, results.pairs = nullptr;
  results.options = {};
  results.options.heads = layer.heads;
  results.options.divide_by_sqrt_d_k = std::abs(layer.scale * std::sqrt(layer.head_dim) - 1) < 1e-9;
  results.options.custom_scale = layer.scale;
  return {};
}

double opened_work(const Scene& scene, const OtherModel& other, int tokens) {
  // Reading the weights takes as long as computing this many tokens; `weight` is the cost of an attention
  // weight, as in work().
  constexpr double fewest_tokens = 24, weight = 800;
  const int index = shown_layer(other, scene);
  const double T = std::min(tokens, most_used(other, shown_layer_of(other, scene)));
  const double part = static_cast<double>(index + 1) / layers_of(other);
  double maps = 0;
  for (int l = 0; l <= index; ++l) maps += other.model->network.layers[static_cast<size_t>(l)].heads * T * T;
  return other.model->parameters * part * (T + fewest_tokens) + weight * maps;
}

}  // namespace headlight::scene
