#include "pages/block/opened.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "models/opened_model.h"
#include "pages/opened_attention.h"

namespace headlight::scene {

const char* activation_name(nn::NetworkActivation activation) {
  switch (activation) {
    case nn::NetworkActivation::relu:
      return "ReLU";
    case nn::NetworkActivation::gelu_erf:
      return "GELU";
    case nn::NetworkActivation::gelu_tanh:
      return "GELU (tanh)";
    case nn::NetworkActivation::gelu_quick:
      return "GELU (sigmoid)";
    case nn::NetworkActivation::silu:
      return "SiLU";
    case nn::NetworkActivation::tanh:
      return "tanh";
  }
  return "";
}

namespace {

using nn::BlockPlan;
using nn::Matrix;
using nn::NetworkStage;
using std::size_t;

/// "GELU(up), tanh form" from "GELU (tanh)".
std::string applied(const std::string& activation, const std::string& to) {
  const size_t form = activation.find(" (");
  if (form == std::string::npos) return activation + "(" + to + ")";
  return activation.substr(0, form) + "(" + to + "), " +
         activation.substr(form + 2, activation.size() - form - 3) + " form";
}

/// A stage in words, for this network and layer.
struct StageWords {
  BlockShown shown;
  std::string title, formula;
};

class Namer {
 public:
  /// `around`: the residual stream is projected where it bypasses attention.
  Namer(const nn::Network& net, int layer, bool around) : net_(net), layer_(layer), around_(around) {}

  StageWords words(NetworkStage stage) const {
    using S = NetworkStage;
    using B = BlockShown;
    const bool post = net_.plan == BlockPlan::post, parallel = is_parallel();
    const bool sandwich = net_.plan == BlockPlan::sandwich;
    const std::string act = activation_name(net_.activation);
    switch (stage) {
      case S::embedding:
        return {B::embedding, "embedding", "rows of E"};
      case S::projected_in:
        return {B::projected_in, "projected", "E[id] W_in"};
      case S::scaled:
        return {B::scaled, "scaled", "E[id] √D"};
      case S::with_positions:
        return {B::with_positions, "+ positions", "+ p_t"};
      case S::with_types:
        return {B::with_types, "+ types", "+ token types"};
      case S::embedding_norm:
        return {B::embedding_norm, "norm", "N₀"};
      case S::input:
        return {B::x, "x", layer_ == 0 ? "input of layer 1" : "output of layer " + std::to_string(layer_)};
      case S::norm_1:
        return {B::norm_1,
                post                                        ? "norm 1: a"
                : net_.plan == BlockPlan::parallel_one_norm ? "norm"
                                                            : "norm 1",
                post ? "a = N₁(x + attn x)" : "N₁ x"};
      case S::q:
        return {B::q, "q", "W_Q" + of_input()};
      case S::k:
        return {B::k, "k", "W_K" + of_input()};
      case S::v:
        return {B::v, "v", "W_V" + of_input()};
      case S::q_norm:
        return {B::q_norm, "q norm", "norm of each head of q"};
      case S::k_norm:
        return {B::k_norm, "k norm", "norm of each head of k"};
      case S::q_rope:
        return {B::q_rope, "q RoPE", "q rotated by its position"};
      case S::k_rope:
        return {B::k_rope, "k RoPE", "k rotated by its position"};
      case S::context:
        return {B::context, "context", "Σ α v, heads side by side"};
      case S::attention:
        return {B::attention, "attention", "W_O context"};
      case S::norm_1_after:
        return {B::norm_1_after, "post-norm 1", "N₁′(attn)"};
      case S::bypass:
        return {B::bypass, "projected x", "W_R x"};
      case S::sum_1:
        return {B::sum_1,
                post      ? "+ x"
                : around_ ? "+ W_R x: a"
                          : "+ x: a",
                post       ? "x + attn x"
                : sandwich ? "a = x + N₁′(attn(N₁ x))"
                : around_  ? "a = W_R x + attn(N₁ x)"
                           : "a = x + attn(N₁ x)"};
      case S::norm_2:
        return {B::norm_2, post ? "norm 2: y" : "norm 2",
                post       ? "y = N₂(a + mlp a)"
                : parallel ? "N₂ x"
                           : "N₂ a"};
      case S::gate:
        return {B::gate, "gate", "W_gate" + of_mlp_input()};
      case S::gate_activated:
        return {B::gate_activated, act, applied(act, "gate")};
      case S::up:
        return {B::up, "up", "W_up" + of_mlp_input()};
      case S::hidden:
        return {B::hidden, net_.gated ? "product" : act,
                net_.gated ? "up ∘ " + applied(act, "gate") : applied(act, "up")};
      case S::down:
        return {B::feed_forward, "MLP", "W_down " + std::string(net_.gated ? "product" : "hidden")};
      case S::norm_2_after:
        return {B::norm_2_after, "post-norm 2", "N₂′(mlp)"};
      case S::sum_2:
        return {B::sum_2,
                post       ? "+ a"
                : parallel ? "y"
                           : "+ a: y",
                post       ? "a + mlp a"
                : parallel ? net_.plan == BlockPlan::parallel_one_norm ? "y = x + attn(N x) + mlp(N x)"
                                                                       : "y = x + attn(N₁ x) + mlp(N₂ x)"
                : sandwich ? "y = a + N₂′(mlp(N₂ a))"
                           : "y = a + mlp(N₂ a)"};
      case S::final_norm:
        return {B::final_norm, "final norm", "N_f y"};
      case S::logits:
        return {B::logits, "logits",
                net_.logit_cap > 0 ? "capped scores of the vocabulary" : "scores of the vocabulary"};
    }
    return {B::weights, "", ""};
  }

 private:
  bool is_parallel() const {
    return net_.plan == BlockPlan::parallel_one_norm || net_.plan == BlockPlan::parallel_two_norms;
  }
  std::string of_input() const {
    return net_.plan == BlockPlan::post ? " x" : net_.plan == BlockPlan::parallel_one_norm ? " N x" : " N₁ x";
  }
  std::string of_mlp_input() const {
    return net_.plan == BlockPlan::post                 ? " a"
           : net_.plan == BlockPlan::parallel_one_norm  ? " N x"
           : net_.plan == BlockPlan::parallel_two_norms ? " N₂ x"
                                                        : " N₂ a";
  }

  const nn::Network& net_;
  int layer_;
  bool around_;
};

/// The stages in the order of computation: with post-norm a norm follows its sum.
std::vector<NetworkStage> in_order(BlockPlan plan) {
  std::vector<NetworkStage> out;
  for (size_t i = 0; i < nn::network_stages; ++i) out.push_back(static_cast<NetworkStage>(i));
  if (plan != BlockPlan::post) return out;
  const auto move_behind = [&](NetworkStage norm, NetworkStage sum) {
    std::erase(out, norm);
    out.insert(std::find(out.begin(), out.end(), sum) + 1, norm);
  };
  move_behind(NetworkStage::norm_1, NetworkStage::sum_1);
  move_behind(NetworkStage::norm_2, NetworkStage::sum_2);
  return out;
}

/// Leaves out numbers that are not finite, and counts them.
void measure(const Matrix& m, OpenedStage& stage, size_t& nonfinite) {
  double sum = 0;
  for (int t = 0; t < m.rows(); ++t) {
    double squares = 0;
    for (const float value : m.row(t)) {
      const auto x = static_cast<double>(value);
      if (!std::isfinite(x)) {
        ++nonfinite;
        continue;
      }
      squares += x * x;
      stage.largest = std::max(stage.largest, std::abs(x));
    }
    sum += std::sqrt(squares / m.cols());
  }
  stage.rms = sum / m.rows();
}

nn::StageStatistics statistics(std::string name, const Matrix& x) {
  nn::StageStatistics out{std::move(name), 0, 0, 0};
  const double cols = x.cols(), rows = x.rows();
  for (int t = 0; t < x.rows(); ++t) {
    double sum = 0, squares = 0;
    for (const float value : x.row(t)) {
      sum += static_cast<double>(value);
      squares += static_cast<double>(value) * static_cast<double>(value);
    }
    out.mean += sum / cols / rows;
    out.variance += (squares / cols - sum / cols * (sum / cols)) / rows;
    out.norm += std::sqrt(squares) / rows;
  }
  return out;
}

/// The residual stream of one text through all layers.
struct Stream {
  std::vector<nn::StageStatistics> statistics;
  std::vector<Matrix> states;  // the input of each layer, the last output; empty: too large to keep
};
struct KeptStream {
  std::mutex mutex;
  std::weak_ptr<const models::OpenedModel> model;
  std::vector<int> ids;
  std::shared_ptr<const Stream> stream;
};
KeptStream& kept_stream() {
  static KeptStream kept;
  return kept;
}
constexpr double most_state_bytes = 1 << 28;

using StreamResult = base::Result<std::shared_ptr<const Stream>>;

StreamResult stream_of(const OtherModel& other, const std::vector<int>& ids, base::Parallel& parallel,
                       const Progress& progress) {
  KeptStream& kept = kept_stream();
  {
    const std::lock_guard lock(kept.mutex);
    if (kept.stream && kept.model.lock() == other.model && kept.ids == ids) return kept.stream;
  }
  const nn::Network& network = other.model->network;
  const auto layers = static_cast<int>(network.layers.size());
  auto stream = std::make_shared<Stream>();
  nn::NetworkKeeps keeps{.attentions = false, .states = true, .projections = false, .logits = false};
  keeps.states = nn::trace_bytes(network, static_cast<int>(ids.size()), keeps) <= most_state_bytes;
  keeps.watch_stream = [&](int index, const Matrix& x) {
    stream->statistics.push_back(statistics(index == 0        ? "input"
                                            : index <= layers ? "layer " + std::to_string(index)
                                                              : "final norm",
                                            x));
  };
  nn::NetworkTrace pass;
  bool wanted = true;
  const base::Status done =
      nn::network_forward(network, other.model->weights, {.ids = ids}, parallel, pass, keeps,
                          [&](float part) { return wanted = !progress || progress(part); });
  if (!wanted) return base::Error{given_up};
  if (!done) return base::Error{other.model->path.string() + ": " + done.error()};
  stream->states = std::move(pass.states);
  keep_states(other, ids, {stream, &stream->states});
  const std::lock_guard lock(kept.mutex);
  kept.model = other.model, kept.ids = ids, kept.stream = stream;
  return kept.stream;
}

/// More logits than these are not kept.
constexpr double most_logits = 1 << 24;

base::Status run_stages(const OtherModel& other, const Stream& stream, const std::vector<int>& ids, int layer,
                        base::Parallel& parallel, const Progress& progress, nn::NetworkTrace& pass,
                        std::string& logits_note) {
  const models::OpenedModel& model = *other.model;
  nn::NetworkKeeps keeps{.attentions = false, .states = false, .projections = false, .logits = false};
  keeps.layer = layer, keeps.stages = true;
  const bool last = layer + 1 == static_cast<int>(model.network.layers.size());
  const bool head = last && !model.weights.head.w.empty();
  keeps.logits = head && static_cast<double>(ids.size()) * model.network.vocabulary <= most_logits;
  if (head && !keeps.logits)
    logits_note = "logits: more than 16 million numbers are not shown; the Model page has the predictions";
  bool wanted = true;
  const bool from_state = layer > 0 && !stream.states.empty();
  const base::Status done =
      from_state ? nn::network_layer(model.network, model.weights, {.ids = ids},
                                     stream.states[static_cast<size_t>(layer)], parallel, pass, keeps)
                 : nn::network_forward(model.network, model.weights, {.ids = ids}, parallel, pass, keeps,
                                       [&](float part) { return wanted = !progress || progress(part); });
  if (!wanted) return base::Error{given_up};
  if (!done) return base::Error{model.path.string() + ": " + done.error()};
  return {};
}

}  // namespace

base::Result<std::shared_ptr<const OpenedBlock>> compute_opened_block(const OtherModel& other,
                                                                      const Results& results,
                                                                      base::Parallel& parallel,
                                                                      const Progress& progress) {
  auto out = std::make_shared<OpenedBlock>();
  if (!results.opened || results.attention.T == 0) return std::shared_ptr<const OpenedBlock>(out);
  const nn::Network& network = other.model->network;
  out->layer = results.opened->layer, out->layers = results.opened->layers;
  out->plan = network.plan, out->gated = network.gated, out->final_norm = network.final_norm;
  std::vector<int> ids;
  for (const nn::Token& token : results.tokens) ids.push_back(token.piece);
  constexpr float stream_share = 0.7f;
  const auto part = [&](float from, float share) -> Progress {
    if (!progress) return {};
    return [&progress, from, share](float done) { return progress(from + share * done); };
  };
  const StreamResult stream = stream_of(other, ids, parallel, part(0, stream_share));
  if (!stream) return base::Error{stream.error()};
  out->stream = (*stream)->statistics;
  nn::NetworkTrace pass;
  if (const base::Status done = run_stages(other, **stream, ids, out->layer, parallel,
                                           part(stream_share, 1 - stream_share), pass, out->logits_note);
      !done)
    return base::Error{done.error()};
  out->stages = std::move(pass.stages);
  const Namer names(network, out->layer, out->stages.has(NetworkStage::bypass));
  for (const NetworkStage stage : in_order(network.plan)) {
    if (!out->stages.has(stage)) continue;
    const StageWords words = names.words(stage);
    OpenedStage one{stage, words.shown, words.title, words.formula, 0, 0};
    measure(out->stages.of(stage), one, out->nonfinite);
    // The last step of the embedding is the input of layer 1.
    if (stage == NetworkStage::input && !out->list.empty()) one.title += ": " + out->list.back().title;
    out->list.push_back(std::move(one));
  }
  out->tiles.begin(results.attention.T, results.attention.T, results.attention.heads);
  out->tiles.add(results.attention.weights, results.attention.allowed, parallel);
  out->counts = out->tiles.counts();
  for (const float weight : results.attention.weights.values())
    out->largest_weight = std::max(out->largest_weight, static_cast<double>(weight));
  return std::shared_ptr<const OpenedBlock>(std::move(out));
}

double opened_block_work(const Scene& scene, const OtherModel& other, int tokens) {
  // Reading the weights takes as long as computing this many tokens; a weight of the attention; an element of
  // a stage.
  constexpr double fewest_tokens = 24, weight = 800, element = 30;
  const nn::Network& network = other.model->network;
  const double T = tokens;
  double maps = 0;
  for (const nn::NetworkLayer& layer : network.layers) maps += layer.heads * T * T;
  const double layers = static_cast<double>(network.layers.size()),
               head = shown_layer(other, scene) + 1 == static_cast<int>(layers)
                          ? static_cast<double>(network.vocabulary) * network.width
                          : 0;
  return (other.model->parameters * (1 + 1 / layers) + head) * (T + fewest_tokens) + weight * maps +
         element * T * (10.0 * network.width + 4.0 * network.mlp_width);
}

void forget_opened_block() {
  KeptStream& kept = kept_stream();
  const std::lock_guard lock(kept.mutex);
  kept.model.reset(), kept.ids.clear(), kept.stream = nullptr;
}

}  // namespace headlight::scene
