#include "pages/cost/cost.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "models/opened_model.h"
#include "nn/attention.h"
#include "nn/random.h"
#include "nn/tiled.h"
#include "scene/other_model.h"
#include "scene/results.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

using nn::Architecture;
using nn::LayerSize;
using std::uint64_t;

std::atomic<bool> tiles_checked{false};

constexpr uint64_t most_counted = 250000;  // multiplications noted one by one: under a millisecond or two

/// The largest length and width at which the loops are quick; the larger one is halved in turn.
LayerSize countable(Architecture architecture, LayerSize size) {
  while (nn::cost_of(architecture, size).whole() > most_counted) {
    int& longer = size.n >= size.d ? size.n : size.d;
    longer = (longer + 1) / 2;
  }
  return size;
}

CountedLayer counted(Architecture architecture, const LayerSize& size) {
  CountedLayer layer;
  layer.cost = nn::cost_of(architecture, size);
  layer.counted_at = countable(architecture, size);
  const nn::CountedCost run = nn::count_by_running(architecture, layer.counted_at);
  const nn::LayerCost formula = nn::cost_of(architecture, layer.counted_at);
  layer.by_running = run.total(), layer.by_formula = formula.multiplications;
  layer.whole_by_running = run.whole(), layer.whole_by_formula = formula.whole();
  return layer;
}

CountedHeads counted_heads(const LayerSize& size, int heads) {
  CountedHeads counted;
  counted.one = nn::heads_cost(size, 1), counted.many = nn::heads_cost(size, heads);
  counted.counted_at = countable(Architecture::self_attention, size);
  counted.one_by_running = nn::count_heads_by_running(counted.counted_at, 1);
  counted.many_by_running = nn::count_heads_by_running(counted.counted_at, heads);
  counted.by_formula = nn::heads_cost(counted.counted_at, heads).multiplications;
  return counted;
}

/// Layers of a plain convolution until its receptive field contains both positions.
int layers_to_meet(int distance, int k) {
  if (k == 1) return 0;
  int layers = 0;
  while (nn::receptive_field(layers, k) < distance + 1) ++layers;
  return layers;
}

int bytes_of(CostBytes bytes) {
  return 1 << static_cast<int>(bytes);
}

/// The longest T with T² · per_cell ≤ bytes.
uint64_t longest_within(uint64_t bytes, uint64_t per_cell) {
  auto T = static_cast<uint64_t>(std::sqrt(static_cast<double>(bytes) / static_cast<double>(per_cell)));
  while (T > 0 && T * T * per_cell > bytes) --T;
  while ((T + 1) * (T + 1) * per_cell <= bytes) ++T;
  return T;
}

void fill_memory(const CostSettings& s, CostResults& results) {
  const auto batch = static_cast<uint64_t>(s.batch),
             heads = static_cast<uint64_t>(results.heads.many.heads),  // at most d, as in the table
      layers = static_cast<uint64_t>(s.layers), bytes = static_cast<uint64_t>(bytes_of(s.bytes)),
             d = static_cast<uint64_t>(s.d);
  for (uint64_t T = 512; T <= 131072; T *= 2) {
    results.memory.push_back({T, nn::attention_map_bytes(T, 1, 1, 1, bytes),
                              nn::attention_map_bytes(T, batch, heads, layers, bytes),
                              batch * layers * T * (d + 2 * heads) * bytes});
  }
  constexpr int sizes[] = {8, 24, 80};  // a small graphics card, a large one, the source's A100
  for (std::size_t i = 0; i < results.walls.size(); ++i) {
    results.walls[i] = {sizes[i], longest_within(static_cast<uint64_t>(sizes[i]) << 30,
                                                 nn::attention_map_bytes(1, batch, heads, layers, bytes))};
  }
}

nn::Matrix normal_matrix(int rows, int cols, uint64_t stream) {
  nn::Matrix m(rows, cols);
  nn::Random(2017, stream).normals(0, m.values());
  return m;
}

TiledCheck check_tiles(base::Parallel& parallel) {
  TiledCheck check;
  check.T = 768, check.d = 64, check.heads = 2;  // a whole tile of keys and a part of another
  nn::TiledOptions options;
  options.attention.heads = check.heads;
  nn::AttentionTrace dense;
  nn::TiledTrace tiled;
  dense.q = tiled.q = normal_matrix(check.T, check.d, 1);
  dense.k = tiled.k = normal_matrix(check.T, check.d, 2);
  dense.v = tiled.v = normal_matrix(check.T, check.d, 3);
  nn::attention_from_qkv(options.attention, parallel, dense);
  nn::tiled_attention(options, parallel, tiled);
  for (std::size_t i = 0; i < dense.output.size(); ++i) {
    const double difference = std::abs(static_cast<double>(dense.output.data()[i]) - tiled.output.data()[i]);
    check.largest_difference = std::max(check.largest_difference, difference);
  }
  check.dense_bytes = (dense.weights.size() + dense.output.size()) * sizeof(float);
  check.tiled_bytes = (tiled.output.size() + tiled.row_max.size() + tiled.row_sum.size()) * sizeof(float);
  return check;
}

double clock_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

std::shared_ptr<const CostResults> compute_cost(const Scene& scene, const Results&,
                                                base::Parallel& parallel) {
  const CostSettings& s = scene.cost;
  auto results = std::make_shared<CostResults>();
  if (const auto other = other_model(scene)) {
    results->model = other->model->name;
    const std::vector<nn::NetworkLayer>& all = other->model->network.layers;
    for (const nn::NetworkLayer& layer : all) {
      results->shared_keys |= layer.kv_heads < layer.heads;
      results->layers_differ |= layer.heads * layer.head_dim != all.front().heads * all.front().head_dim;
    }
  }
  const auto side = static_cast<nn::KernelSide>(s.kernel);
  const LayerSize size{s.n, s.d, s.k, side};
  results->positions = std::min(s.n, most_path_positions);
  results->from = std::min(s.from, results->positions - 1);
  results->to = std::min(s.to, results->positions - 1);
  for (std::size_t a = 0; a < cost_architectures; ++a) {
    const auto architecture = static_cast<Architecture>(a);
    results->layers[a] = counted(architecture, size);
    results->paths[a] =
        nn::hop_chain(architecture, {results->positions, s.d, s.k, side}, results->from, results->to);
  }
  results->heads = counted_heads(size, s.heads);
  for (int n = 1; n <= 131072; n *= 2) {
    GrowthRow row{n, {}};
    for (std::size_t a = 0; a < row.whole.size(); ++a)
      row.whole[a] = nn::cost_of(static_cast<Architecture>(a), {n, s.d, s.k, side}).whole();
    results->growth.push_back(row);
  }
  // An output depends on inputs up to `left` positions before it: information moves that far to the right.
  const nn::KernelReach reach = nn::kernel_reach(s.k, side);
  results->reach = results->to > results->from ? reach.left : reach.right;
  results->layers_to_meet = layers_to_meet(std::abs(results->to - results->from), s.k);
  results->receptive_field = nn::receptive_field(results->layers_to_meet, s.k);
  fill_memory(s, *results);
  // It depends on no setting, so it runs only once.
  static const TiledCheck check = check_tiles(parallel);
  tiles_checked = true;
  results->check = check;
  return results;
}

double cost_work() {
  return tiles_checked ? 2e7 : 1.1e9;
}

std::vector<int> lengths_to_measure(int d) {
  constexpr double most = 6e8;  // multiplications in T steps of the recurrence: well under a second
  std::vector<int> lengths;
  for (int T = 16; T <= 4096; T *= 2) {
    if (2.0 * T * d * d <= most) lengths.push_back(T);
  }
  return lengths;
}

CostTime fastest_run(const std::function<double()>& clock, const std::function<bool()>& keep_going,
                     const std::function<void()>& run) {
  if (!keep_going()) return {};
  run();  // warms up buffers and caches
  CostTime time;
  for (double total = 0;
       time.runs < least_cost_runs || (total < enough_cost_ms && time.runs < most_cost_runs);) {
    if (!keep_going()) return {};
    const double start = clock();
    run();
    const double took = clock() - start;
    time.ms = time.runs == 0 ? took : std::min(time.ms, took);
    total += took, ++time.runs;
  }
  return time;
}

CostMeasurement measure_cost(int T, int d, base::Parallel& parallel,
                             const std::function<bool()>& keep_going) {
  CostMeasurement m;
  m.T = T;
  const nn::Matrix x = normal_matrix(T, d, 1);
  const nn::RecurrenceWeights weights = nn::random_recurrence_weights(d, d, 2017);
  nn::Matrix h;
  m.recurrence = fastest_run(clock_ms, keep_going, [&] { nn::recurrence(x, weights, h); });

  nn::TiledOptions options;
  nn::AttentionTrace dense;
  nn::TiledTrace tiled;
  dense.q = tiled.q = normal_matrix(T, d, 2);
  dense.k = tiled.k = normal_matrix(T, d, 3);
  dense.v = tiled.v = normal_matrix(T, d, 4);
  m.attention =
      fastest_run(clock_ms, keep_going, [&] { nn::attention_from_qkv(options.attention, parallel, dense); });
  m.tiled = fastest_run(clock_ms, keep_going, [&] { nn::tiled_attention(options, parallel, tiled); });
  return m;
}

}  // namespace headlight::scene
