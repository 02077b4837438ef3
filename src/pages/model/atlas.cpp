#include "pages/model/atlas.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "models/opened_model.h"
#include "network/network.h"
#include "pages/opened_attention.h"
#include "pages/quantity_values.h"
#include "pages/role_tokens.h"
#include "pages/saved_attention.h"
#include "scene/layer_input.h"
#include "scene/model_stack.h"
#include "scene/other_model.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

using std::size_t;

/// Mean over the queries that attend to some key. NaN: there is none, or a weight is not finite.
double mean_entropy(const nn::Matrix& weights, int head) {
  double sum = 0;
  int queries = 0;
  for (int t = 0; t < weights.rows(); ++t) {
    const std::span<const float> row = weights.row(head, t);
    if (!std::all_of(row.begin(), row.end(), [](float weight) { return std::isfinite(weight); }))
      return std::numeric_limits<double>::quiet_NaN();
    if (std::none_of(row.begin(), row.end(), [](float weight) { return weight != 0; })) continue;
    sum += entropy_bits(row.data(), weights.cols());
    ++queries;
  }
  return queries > 0 ? sum / queries : std::numeric_limits<double>::quiet_NaN();
}

constexpr double no_score = std::numeric_limits<double>::quiet_NaN();
constexpr nn::HeadRoles no_roles{no_score, no_score, no_score, no_score, no_score, no_score};

std::vector<int> token_ids(const Results& results) {
  return role_ids(results, static_cast<int>(results.tokens.size()));
}

/// Mean of log₂ of the number of allowed keys, over the queries that have any; no intervals: all keys are
/// allowed.
double most_entropy(std::span<const base::Interval> keys, int cols) {
  if (keys.empty()) return std::log2(std::max(1, cols));
  double sum = 0;
  int queries = 0;
  for (const base::Interval& allowed : keys) {
    if (allowed.end <= allowed.begin) continue;
    sum += std::log2(allowed.end - allowed.begin), ++queries;
  }
  return queries > 0 ? sum / queries : 0;
}

/// An atlas, and the maps that it compares.
struct Growing {
  Atlas& atlas;
  AlikeMaps maps = {};
  void begin(int T, int S, int heads) { atlas.tiles.begin(T, S, heads), maps.begin(heads, T, S); }
};

void add_layer(const nn::Matrix& weights, std::span<const base::Interval> keys, std::span<const int> ids,
               base::Parallel& parallel, Growing& growing) {
  Atlas& atlas = growing.atlas;
  atlas.tiles.add(weights, keys, parallel);
  growing.maps.add(weights);
  if (!keys.empty()) {
    atlas.attends.resize(keys.size(), 0);
    for (size_t t = 0; t < keys.size(); ++t) atlas.attends[t] |= keys[t].begin < keys[t].end;
  }
  std::vector<HeadMeasure>& measures = atlas.measures.emplace_back(static_cast<size_t>(weights.depth()));
  // Roles are positions in one line of tokens: then `ids` belong to the queries and to the keys.
  const bool one_line = static_cast<int>(ids.size()) == weights.cols();
  const std::vector<nn::HeadRoles> roles = one_line ? nn::head_roles(weights, ids, parallel)
                                                    : std::vector<nn::HeadRoles>(measures.size(), no_roles);
  atlas.uniform.push_back(
      {one_line ? nn::uniform_roles(keys, ids) : no_roles, most_entropy(keys, weights.cols())});
  parallel.run(weights.depth(), [&](int head) {
    measures[static_cast<size_t>(head)] = {roles[static_cast<size_t>(head)], mean_entropy(weights, head)};
  });
}

/// The number of queries that have a key of each kind; `ids` as in add_layer().
std::array<int, model_scores> queries_with_key(std::span<const int> ids, int queries,
                                               std::span<const std::uint8_t> attends) {
  std::array<int, model_scores> out{};
  const auto of = [&](ModelScore score) -> int& { return out[static_cast<size_t>(score)]; };
  const auto counts = [&](int query) { return attends.empty() || attends[static_cast<size_t>(query)] != 0; };
  for (int i = 0; i < queries; ++i) of(ModelScore::entropy) += counts(i);
  const int T = static_cast<int>(ids.size());
  for (int i = 0; i < T; ++i) of(ModelScore::itself) += counts(i);
  for (int i = 1; i < T; ++i) of(ModelScore::previous) += counts(i);
  of(ModelScore::first) = of(ModelScore::previous);
  std::map<int, int> last, count;
  for (const int id : ids) ++count[id];
  for (int i = 0; i < T; ++i) {
    const int id = ids[static_cast<size_t>(i)];
    of(ModelScore::same_token) += counts(i) && count[id] > 1;
    const auto before = last.find(id);
    of(ModelScore::induction) += counts(i) && before != last.end() && before->second + 1 < i;
    last[id] = i;
  }
  return out;
}

/// Sets what is known only after all layers; `ids` as in add_layer().
void finish(Growing& growing, std::span<const int> ids, base::Parallel& parallel) {
  Atlas& atlas = growing.atlas;
  atlas.alike = growing.maps.finish(parallel);
  atlas.one_line = !ids.empty() || atlas.tiles.T == 0;
  atlas.queries = queries_with_key(ids, atlas.tiles.T, atlas.attends);
  atlas.counts = atlas.tiles.counts();
  std::vector<HeadPlace> all;
  for (int layer = 0; layer < atlas.layers(); ++layer) {
    for (int head = 0; head < atlas.heads(layer); ++head) all.push_back({layer, head});
  }
  for (int s = 0; s < model_scores; ++s) {
    const auto score = static_cast<ModelScore>(s);
    std::vector<HeadPlace>& ranked = atlas.ranked[static_cast<size_t>(s)];
    ranked = all;
    const auto key = [&](HeadPlace at) {
      const double value = atlas.of(at).score(score);
      if (std::isnan(value)) return std::numeric_limits<double>::infinity();
      return score == ModelScore::entropy ? value : -value;
    };
    std::stable_sort(ranked.begin(), ranked.end(), [&](HeadPlace a, HeadPlace b) { return key(a) < key(b); });
  }
}

/// The last run of a model of another program, with its model and tokens; or the atlas of saved attention.
struct KeptRun {
  std::mutex mutex;
  std::weak_ptr<const models::OpenedModel> model;
  std::vector<int> pieces;
  std::weak_ptr<const dumps::Dump> dump;
  int sequence = 0;
  ModelRun run;
};
KeptRun& kept_run() {
  static KeptRun kept;
  return kept;
}

/// Larger hidden states are not kept.
constexpr double most_state_bytes = 1 << 28;

base::Result<ModelRun> run_of_other(const OtherModel& other, base::Parallel& parallel,
                                    const Progress& progress, const Results& results) {
  std::vector<int> pieces;
  for (const nn::Token& token : results.tokens) pieces.push_back(token.piece);
  KeptRun& kept = kept_run();
  {
    const std::lock_guard lock(kept.mutex);
    if (kept.run.atlas && kept.model.lock() == other.model && kept.pieces == pieces) return kept.run;
  }
  auto atlas = std::make_shared<Atlas>();
  const nn::Network& network = other.model->network;
  const std::vector<int> ids = token_ids(results);
  const int T = static_cast<int>(pieces.size());
  int heads = 0;
  for (const nn::NetworkLayer& layer : network.layers) heads += layer.heads;
  atlas->trained_tokens = network.trained_tokens;
  Growing growing{*atlas};
  growing.begin(T, T, heads);
  nn::NetworkKeeps keeps{.attentions = false, .states = true, .projections = false, .logits = false};
  keeps.states = nn::trace_bytes(network, T, keeps) <= most_state_bytes;
  keeps.watch = [&](int layer, const nn::Matrix& weights) {
    const nn::NetworkLayer& shape = network.layers[static_cast<size_t>(layer)];
    add_layer(weights, keys_of_queries(network, shape, T), ids, parallel, growing);
  };
  nn::NetworkTrace pass;
  bool wanted = true;
  const base::Status done =
      nn::network_forward(network, other.model->weights, {.ids = pieces}, parallel, pass, keeps,
                          [&](float part) { return wanted = !progress || progress(part); });
  if (!wanted) return base::Error{given_up};
  if (!done) return base::Error{other.model->path.string() + ": " + done.error()};
  finish(growing, ids, parallel);
  ModelRun run{std::move(atlas), std::make_shared<const HiddenStates>(std::move(pass.states))};
  keep_states(other, pieces, run.states);
  const std::lock_guard lock(kept.mutex);
  kept.model = other.model, kept.pieces = std::move(pieces), kept.run = run, kept.dump.reset();
  return run;
}

base::Result<ModelRun> run_of_saved(const Scene& scene, const std::shared_ptr<const dumps::Dump>& dump,
                                    base::Parallel& parallel, const Progress& progress,
                                    const Results& results) {
  const int sequence = shown_sequence(*dump, scene);
  KeptRun& kept = kept_run();
  {
    const std::lock_guard lock(kept.mutex);
    if (kept.run.atlas && kept.dump.lock() == dump && kept.sequence == sequence) return kept.run;
  }
  auto atlas = std::make_shared<Atlas>();
  const int layers = dump->shape.layers;
  const std::vector<int> ids = results.key_tokens.empty() ? token_ids(results) : std::vector<int>();
  Growing growing{*atlas};
  growing.begin(dump->shape.queries, dump->shape.keys, layers * dump->shape.heads);
  for (int l = 0; l < layers; ++l) {
    const auto part = [&](float done) {
      return !progress || progress((static_cast<float>(l) + done) / static_cast<float>(layers));
    };
    const auto layer = saved_layer(*dump, l, sequence, part);
    if (!layer) return base::Error{layer.error()};
    add_layer(layer->weights, layer->allowed, ids, parallel, growing);
  }
  finish(growing, ids, parallel);
  ModelRun run{std::move(atlas), std::make_shared<const HiddenStates>()};
  const std::lock_guard lock(kept.mutex);
  kept.model.reset(), kept.dump = dump, kept.sequence = sequence, kept.run = run;
  return run;
}

/// Visits every layer of a Headlight model as the scene would show it. False: cancelled, or `visit` returned
/// false.
bool visit_own_layers(const Scene& scene, const TrainedModel& model, base::Parallel& parallel,
                      const Progress& progress, const Results& results,
                      const std::function<bool(int layer, const nn::AttentionTrace& trace)>& visit) {
  const int T = results.attention.T, layers = model.config.layers, shown = shown_layer(scene, model);
  const std::shared_ptr<const nn::PairMask> pairs = model_pairs(model, T);
  const nn::AttentionOptions trained = model_options(model.config, pairs.get());
  nn::Matrix x = stack_input(scene, results.tokens, parallel);
  nn::AttentionTrace trace;
  for (int l = 0; l < layers; ++l) {
    if (progress && !progress(static_cast<float>(l) / static_cast<float>(layers))) return false;
    const nn::AttentionTrace* layer = &results.attention;
    if (l != shown) {
      const nn::Matrix read = as_read(model, l, x);
      nn::attention_forward(read, read, model.weights.stack.layers[static_cast<size_t>(l)].attention,
                            results.options, parallel, trace);
      layer = &trace;
    }
    if (!visit(l, *layer)) return false;
    if (l + 1 < layers) x = through_layer(model, l, x, trained, parallel);
  }
  return true;
}

}  // namespace

void forget_model_run() {
  KeptRun& kept = kept_run();
  const std::lock_guard lock(kept.mutex);
  kept.model.reset(), kept.dump.reset(), kept.pieces.clear(), kept.run = {};
}

base::Result<ModelRun> compute_atlas(const Scene& scene, base::Parallel& parallel, const Progress& progress,
                                     const Results& results) {
  const auto none = std::make_shared<const HiddenStates>();
  if (results.attention.T == 0) return ModelRun{std::make_shared<const Atlas>(), none};
  if (const auto other = shown_other_model(scene)) return run_of_other(*other, parallel, progress, results);
  if (const auto saved = shown_saved_attention(scene))
    return run_of_saved(scene, saved, parallel, progress, results);
  auto atlas = std::make_shared<Atlas>();
  const std::vector<int> ids = token_ids(results);
  const auto model = usable_model(scene);
  const int T = results.attention.T,
            layers = model ? static_cast<int>(model->weights.stack.layers.size()) : 1;
  Growing growing{*atlas};
  growing.begin(T, T, layers * results.attention.heads);
  if (model) {
    const auto add = [&](int, const nn::AttentionTrace& trace) {
      add_layer(trace.weights, trace.allowed, ids, parallel, growing);
      return true;
    };
    if (!visit_own_layers(scene, *model, parallel, progress, results, add)) return base::Error{given_up};
  } else {
    add_layer(results.attention.weights, results.attention.allowed, ids, parallel, growing);
  }
  finish(growing, ids, parallel);
  return ModelRun{std::move(atlas), none};
}

base::Status for_each_layer(const Scene& scene, base::Parallel& parallel, const Progress& progress,
                            const Results& results,
                            const std::function<base::Status(int layer, const nn::Matrix& weights)>& visit,
                            std::span<const std::uint8_t> visible) {
  base::Status status;
  bool wanted = true;
  if (const auto other = shown_other_model(scene)) {
    std::vector<int> pieces;
    for (const nn::Token& token : results.tokens) pieces.push_back(token.piece);
    pieces = with_padding(*other, std::move(pieces), visible);
    nn::NetworkKeeps keeps{.attentions = false, .states = false, .projections = false, .logits = false};
    keeps.watch = [&](int layer, const nn::Matrix& weights) {
      if (status) status = visit(layer, weights);
    };
    nn::NetworkTrace pass;
    const base::Status done = nn::network_forward(
        other->model->network, other->model->weights, {.ids = pieces, .visible = visible}, parallel, pass,
        keeps, [&](float part) { return wanted = status && (!progress || progress(part)); });
    if (!status) return status;
    if (!wanted) return base::Error{given_up};
    return done ? done : base::Status(base::Error{other->model->path.string() + ": " + done.error()});
  }
  if (const auto saved = shown_saved_attention(scene)) {
    const int layers = saved->shape.layers;
    for (int l = 0; l < layers && status; ++l) {
      if (progress && !progress(static_cast<float>(l) / static_cast<float>(layers)))
        return base::Error{given_up};
      const auto layer = saved_layer(*saved, l, shown_sequence(*saved, scene), nullptr);
      status = layer ? visit(l, layer->weights) : base::Status(base::Error{layer.error()});
    }
    return status;
  }
  if (const auto model = usable_model(scene)) {
    const auto one = [&](int layer, const nn::AttentionTrace& trace) {
      status = visit(layer, trace.weights);
      return static_cast<bool>(status);
    };
    wanted = visit_own_layers(scene, *model, parallel, progress, results, one);
    return !status || wanted ? status : base::Status(base::Error{given_up});
  }
  return visit(0, results.attention.weights);
}

namespace {

double run_work(const Scene& scene, int tokens) {
  // Reading the weights takes as long as computing this many tokens; a weight with its exponential, picture
  // and measures.
  constexpr double fewest_tokens = 24, weight = 1000, measured = 300, product = 2, compared = 10;
  const double T = tokens;
  const auto alike = [&](double heads) { return compared * alike_work(heads, T, T); };
  if (const auto other = shown_other_model(scene)) {
    double maps = 0, heads = 0;
    for (const nn::NetworkLayer& layer : other->model->network.layers)
      maps += layer.heads * T * T, heads += layer.heads;
    const double head = static_cast<double>(other->model->network.vocabulary) * other->model->network.width;
    return (other->model->parameters + head) * (T + fewest_tokens) + weight * maps + alike(heads);
  }
  if (const auto saved = shown_saved_attention(scene)) {
    const auto& shape = saved->shape;
    return shape.layers * saved_work(*saved) +
           compared * alike_work(double(shape.layers) * shape.heads, shape.queries, shape.keys);
  }
  const auto model = usable_model(scene);
  if (!model) return measured * T * T * scene.heads + alike(scene.heads);
  const double D = model->config.d_model, inner = model->config.feed_forward ? model->config.d_ff : 0;
  return model->config.layers * (product * (T + fewest_tokens) * (8 * D * D + 2 * D * inner) +
                                 2 * weight * T * T * scene.heads) +
         alike(model->config.layers * scene.heads);
}

}  // namespace

double atlas_work(const Scene& scene, int tokens) {
  return run_work(scene, tokens) + check_work(scene);
}

}  // namespace headlight::scene
