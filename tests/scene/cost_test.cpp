// What the Cost page shows: the formulas' numbers as printed in the sources, the counts, the walls, the
// check.
#include "pages/cost/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>

#include "nn/attention.h"
#include "nn/random.h"
#include "nn/tiled.h"
#include "pages/compute.h"
#include "scene/settings.h"

namespace headlight::scene::cost_test {
namespace {

using nn::Architecture;

std::shared_ptr<const CostResults> results_of(const std::vector<std::string>& settings) {
  Scene scene;
  scene.page = Page::cost;
  for (const std::string& setting : settings) {
    const base::Status status = set_field(scene, setting);
    EXPECT_TRUE(status) << setting;
  }
  base::Parallel parallel(1);
  return compute_cost(scene, Results{}, parallel);
}

TEST(Cost, OperationsAndPathsAsTheTablesOfTheSourcesHaveThem) {
  struct Known {
    int n, d, k;
    std::uint64_t attention, recurrence, convolution;
    int stacked, dilated;  // layers between the two ends, centred kernels
  };
  for (const Known& known :
       {Known{10, 64, 3, 6400, 40960, 122880, 9, 4}, Known{64, 64, 3, 262144, 262144, 786432, 63, 6},
        Known{512, 64, 3, 16777216, 2097152, 6291456, 511, 9},
        Known{1024, 512, 5, 536870912, 268435456, 1342177280, 512, 7}}) {
    const auto r = results_of({"cost_n=" + std::to_string(known.n), "cost_d=" + std::to_string(known.d),
                               "cost_k=" + std::to_string(known.k)});
    EXPECT_EQ(r->of(Architecture::self_attention).cost.leading, known.attention);
    EXPECT_EQ(r->of(Architecture::recurrence).cost.leading, known.recurrence);
    EXPECT_EQ(r->of(Architecture::convolution).cost.leading, known.convolution);
    EXPECT_EQ(r->of(Architecture::convolution).cost.longest_path, known.stacked);
    EXPECT_EQ(r->of(Architecture::dilated_convolution).cost.longest_path, known.dilated);
    EXPECT_EQ(r->of(Architecture::recurrence).cost.sequential, static_cast<std::uint64_t>(known.n));
    EXPECT_EQ(r->of(Architecture::recurrence).cost.longest_path, known.n - 1);
    EXPECT_EQ(r->of(Architecture::self_attention).cost.longest_path, 1);
  }
}

TEST(Cost, TheLoopsMultiplyAsOftenAsTheFormulaSays) {
  const auto small = results_of({});
  for (const CountedLayer& layer : small->layers) {
    EXPECT_TRUE(layer.agrees()) << layer.by_running << " against " << layer.by_formula;
    EXPECT_EQ(layer.counted_at.n, 10);
    EXPECT_EQ(layer.counted_at.d, 64);
    EXPECT_EQ(layer.by_running, layer.cost.multiplications);
  }
  // Too large to be counted at its own size: a smaller one, which is said.
  const auto large = results_of({"cost_n=131072", "cost_d=1024", "cost_k=15"});
  for (const CountedLayer& layer : large->layers) {
    EXPECT_TRUE(layer.agrees());
    EXPECT_LT(layer.counted_at.n, 131072);
    EXPECT_GT(layer.whole_by_running, 10000u);
    EXPECT_LE(layer.whole_by_running, 250000u);
  }
}

TEST(Cost, HeadsAndCurves) {
  const auto r = results_of({"cost_heads=5"});  // 64 = 13 + 13 + 13 + 13 + 12
  EXPECT_TRUE(r->heads.agrees());
  EXPECT_EQ(r->heads.many.multiplications, r->of(Architecture::self_attention).cost.whole());
  EXPECT_EQ(r->heads.many.exponentials, 500u);
  EXPECT_EQ(r->heads.one.exponentials, 100u);
  // A head has at least one number: the maps are those of as many heads as the table counts.
  const auto lowered = results_of({"cost_heads=128", "cost_d=3"}),
             three = results_of({"cost_heads=3", "cost_d=3"});
  EXPECT_EQ(lowered->heads.many.heads, 3);
  for (std::size_t i = 0; i < three->memory.size(); ++i) {
    EXPECT_EQ(lowered->memory[i].all_maps, three->memory[i].all_maps);
    EXPECT_EQ(lowered->memory[i].tiled, three->memory[i].tiled);
  }
  EXPECT_EQ(lowered->walls[0].T, three->walls[0].T);
  ASSERT_EQ(r->growth.size(), 18u) << "every length that can be set has its place";
  EXPECT_EQ(r->growth.front().n, 1);
  for (const GrowthRow& row : r->growth) {
    const auto n = static_cast<std::uint64_t>(row.n);
    EXPECT_EQ(row.whole[0], 2 * n * n * 64 + 4 * n * 4096);
    EXPECT_EQ(row.whole[4], 6 * n * 4096);
    EXPECT_EQ(row.whole[0] == row.whole[4], row.n == 64) << "they meet at n = d";
  }
  EXPECT_EQ(r->growth.back().n, 131072);
}

TEST(Cost, PathsHaveTheirHops) {
  const auto hops = [](const std::vector<std::string>& settings, Architecture a) {
    return results_of(settings)->path(a).size();
  };
  EXPECT_EQ(hops({"cost_from=1", "cost_to=8"}, Architecture::self_attention), 1u);
  EXPECT_EQ(hops({"cost_from=1", "cost_to=8"}, Architecture::recurrence), 7u);
  EXPECT_EQ(hops({"cost_from=1", "cost_to=8"}, Architecture::convolution), 7u);
  EXPECT_EQ(hops({"cost_from=1", "cost_to=8", "cost_k=5"}, Architecture::convolution), 4u);  // 2 + 2 + 2 + 1
  EXPECT_EQ(hops({"cost_from=1", "cost_to=8"}, Architecture::linear_attention), 1u);
  // 1 + 2 + 4, and 2·1 + 2·3 with one-sided kernels, whose gaps are 1, 3, 9 …
  EXPECT_EQ(hops({"cost_from=1", "cost_to=8"}, Architecture::dilated_convolution), 3u);
  EXPECT_EQ(hops({"cost_kernel=one_sided", "cost_from=0", "cost_to=8"}, Architecture::dilated_convolution),
            2u);
  EXPECT_EQ(hops({"cost_kernel=one_sided", "cost_from=1", "cost_to=8"}, Architecture::convolution), 4u);
  EXPECT_EQ(hops({"cost_kernel=one_sided", "cost_from=8", "cost_to=1"}, Architecture::convolution), 0u);
  EXPECT_EQ(hops({"cost_from=8", "cost_to=1"}, Architecture::recurrence), 0u);
  EXPECT_EQ(hops({"cost_from=8", "cost_to=1"}, Architecture::self_attention), 1u);
  EXPECT_EQ(hops({"cost_from=3", "cost_to=3"}, Architecture::self_attention), 0u);
  // The book's example: x_1 and x_5 are within the receptive field of two layers with kernel 3.
  EXPECT_EQ(results_of({"cost_from=1", "cost_to=5"})->layers_to_meet, 2);
  EXPECT_EQ(results_of({"cost_k=1"})->layers_to_meet, 0);
  const auto longer = results_of({"cost_n=1000", "cost_from=0", "cost_to=11"});
  EXPECT_EQ(longer->positions, most_path_positions);
  const auto shorter = results_of({"cost_n=3", "cost_from=1", "cost_to=11"});
  EXPECT_EQ(shorter->positions, 3);
  EXPECT_EQ(shorter->to, 2);
}

TEST(Cost, TheMemoryWallIsThatOfTheSource) {
  const auto r = results_of({});
  ASSERT_EQ(r->memory.size(), 9u);
  // Every second row is printed in the source: T = 512, 2,048 … 131,072.
  const double mib[] = {0.5, 8, 128, 2048, 32768}, gib[] = {0.25, 4, 64, 1024, 16384};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(static_cast<double>(r->memory[2 * i].one_map) / (1 << 20), mib[i]);
    EXPECT_EQ(static_cast<double>(r->memory[2 * i].all_maps) / (1 << 30), gib[i]);
  }
  std::uint64_t T = 512;
  for (const MemoryRow& row : r->memory) {
    EXPECT_EQ(row.T, T);
    // d = 64 numbers of the output and two for each of 16 heads, two bytes each, in 32 layers.
    EXPECT_EQ(row.tiled, T * (64 + 32) * 2 * 32);
    T *= 2;
  }
  // B and the bytes are factors.
  const auto more = results_of({"cost_batch=3", "cost_bytes=4"});
  EXPECT_EQ(more->memory[2].all_maps, 6 * r->memory[2].all_maps);
  EXPECT_EQ(more->memory[2].tiled, 6 * r->memory[2].tiled);
}

TEST(Cost, WallsAreTheLongestThatFit) {
  for (const auto& settings : {std::vector<std::string>{},
                               {"cost_heads=1", "cost_layers=1", "cost_bytes=1"},
                               {"cost_batch=1024", "cost_heads=128", "cost_layers=128", "cost_bytes=4"}}) {
    const auto r = results_of(settings);
    const std::uint64_t cell = r->memory[0].all_maps / (512 * 512);
    for (const MemoryWall& wall : r->walls) {
      const std::uint64_t room = static_cast<std::uint64_t>(wall.gib) << 30;
      EXPECT_LE(wall.T * wall.T * cell, room);
      EXPECT_GT((wall.T + 1) * (wall.T + 1) * cell, room);
    }
  }
}

TEST(Cost, TiledAttentionIsExactAndKeepsWhatTheFormulaSays) {
  const TiledCheck check = results_of({})->check;
  EXPECT_GT(check.largest_difference, 0);  // another order of additions
  EXPECT_LT(check.largest_difference, 2e-6);
  EXPECT_EQ(check.dense_bytes, 4u * (2 * 768 * 768 + 768 * 64));  // weights and output
  EXPECT_EQ(check.tiled_bytes, 4u * 768 * (64 + 2 * 2));  // bytes · T · (d + 2h), as in MemoryRow::tiled
  // Both once more on the same numbers, the second head's last query.
  nn::AttentionTrace dense;
  nn::TiledTrace tiled;
  for (const auto& [matrix, other, stream] :
       {std::tuple{&dense.q, &tiled.q, 1}, {&dense.k, &tiled.k, 2}, {&dense.v, &tiled.v, 3}}) {
    matrix->resize(768, 64);
    nn::Random(2017, static_cast<std::uint64_t>(stream)).normals(0, matrix->values());
    *other = *matrix;
  }
  nn::TiledOptions options;
  options.attention.heads = 2;
  base::Parallel parallel(1);
  nn::attention_from_qkv(options.attention, parallel, dense);
  nn::tiled_attention(options, parallel, tiled);
  double largest = 0, off = 0;
  for (int t = 0; t < 768; ++t) {
    for (int h = 0; h < 2; ++h) {
      std::vector<double> sum(32);
      double total = 0;
      for (int s = 0; s < 768 && t % 97 == 0; ++s) {
        double dot = 0;
        for (int c = 0; c < 32; ++c)
          dot +=
              static_cast<double>(dense.q.at(t, 32 * h + c)) * static_cast<double>(dense.k.at(s, 32 * h + c));
        const double weight = std::exp(dot / std::sqrt(32.0));
        total += weight;
        for (int c = 0; c < 32; ++c)
          sum[static_cast<std::size_t>(c)] += weight * static_cast<double>(dense.v.at(s, 32 * h + c));
      }
      for (int c = 0; c < 32; ++c) {
        const double a = static_cast<double>(dense.output.at(t, 32 * h + c)),
                     b = static_cast<double>(tiled.output.at(t, 32 * h + c));
        largest = std::max(largest, std::abs(a - b));
        if (t % 97 == 0) off = std::max(off, std::abs(b - sum[static_cast<std::size_t>(c)] / total));
      }
    }
  }
  EXPECT_EQ(check.largest_difference, largest);
  EXPECT_LT(off, 2e-6);  // of the tiled one from plain loops in double precision
}

TEST(Cost, CountsItsOwnTime) {
  results_of({});
  EXPECT_LT(cost_work(), 0.1 * work_in_a_frame);  // the check of the tiles is made once
  Scene scene;
  const double elsewhere = work(scene, 6);
  scene.page = Page::cost;
  EXPECT_GT(work(scene, 6), elsewhere);
}

TEST(Cost, BothEndsOfEveryFieldAreQuick) {
  Scene scene;
  std::vector<std::string> ends;
  list_fields(scene.cost, [&](const Field& field, auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, int>) {
      ends.push_back(std::string(field.name) + "=" + std::to_string(static_cast<int>(field.min)));
      ends.push_back(std::string(field.name) + "=" + std::to_string(static_cast<int>(field.max)));
    }
  });
  ASSERT_GE(ends.size(), 16u);
  for (const std::string& end : ends) {
    const auto r = results_of({end});
    for (const CountedLayer& layer : r->layers) EXPECT_TRUE(layer.agrees()) << end;
    EXPECT_GE(r->positions, 1) << end;
  }
}

TEST(Cost, MeasuresEveryLengthThatDoesNotTakeSeconds) {
  EXPECT_EQ(lengths_to_measure(64), (std::vector<int>{16, 32, 64, 128, 256, 512, 1024, 2048, 4096}));
  EXPECT_LT(lengths_to_measure(1024).back(), 4096);
  base::Parallel parallel(1);
  const CostMeasurement m = measure_cost(64, 16, parallel, [] { return true; });
  EXPECT_EQ(m.T, 64);
  for (const CostTime& time : {m.recurrence, m.attention, m.tiled}) {
    EXPECT_GT(time.ms, 0);
    EXPECT_GE(time.runs, least_cost_runs);
    EXPECT_LE(time.runs, most_cost_runs);
  }
  const CostMeasurement stopped = measure_cost(64, 16, parallel, [] { return false; });
  EXPECT_EQ(stopped.recurrence.ms, 0);
  EXPECT_EQ(stopped.tiled.runs, 0);
}

/// A clock that only the runs move on.
CostTime timed(const std::vector<double>& took, int stop_after = 1000) {
  double now = 0;
  int runs = 0;
  return fastest_run([&] { return now; }, [&] { return runs <= stop_after; },
                     [&] { now += took[static_cast<std::size_t>(runs++) % took.size()]; });
}

TEST(Cost, ATimeIsTheFastestOfItsRunsWhateverTheOthersTook) {
  // The first run warms up and does not count. A busy machine makes some runs long; the result does not move.
  const CostTime quiet = timed({9, 20, 20, 20, 20, 20, 20}), busy = timed({9, 500, 20, 80, 3000, 900, 20});
  EXPECT_EQ(quiet.ms, 20);
  EXPECT_EQ(busy.ms, 20);
  EXPECT_EQ(quiet.runs, least_cost_runs);
  // Short ones are repeated until they took long enough together, and not for ever.
  EXPECT_EQ(timed({4}).runs, static_cast<int>(enough_cost_ms / 4));
  EXPECT_EQ(timed({0.001}).runs, most_cost_runs);
  EXPECT_NEAR(timed({0.001}).ms, 0.001, 1e-12);
  // Stopped half-way it says nothing rather than half the truth.
  EXPECT_EQ(timed({20}, 3).ms, 0);
  EXPECT_EQ(timed({20}, 3).runs, 0);
}

/// Layers, by following what each unit reads, until `to` or some unit knows of both; −1 = never. reads(to,
/// layer) says from where.
template <class Reads>
int layers_until(int n, Reads&& reads, const std::function<bool(const std::vector<std::set<int>>&)>& enough) {
  std::vector<std::set<int>> known(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) known[static_cast<std::size_t>(i)] = {i};
  for (int layer = 0; layer <= n; ++layer) {
    if (enough(known)) return layer;
    std::vector<std::set<int>> next(static_cast<std::size_t>(n));
    for (int to = 0; to < n; ++to) {
      for (const int from : reads(to, layer)) {
        if (from < 0 || from >= n) continue;
        const auto& what = known[static_cast<std::size_t>(from)];
        next[static_cast<std::size_t>(to)].insert(what.begin(), what.end());
      }
    }
    known = std::move(next);
  }
  return -1;
}

TEST(Cost, LayersAndMeetingsAreThoseOfTheNetworkItself) {
  for (const int k : {1, 2, 3, 4, 5, 15}) {
    for (int from = 0; from < 12; ++from) {
      for (const int to : {0, 3, 8, 11}) {
        SCOPED_TRACE("k " + std::to_string(k) + " from " + std::to_string(from) + " to " +
                     std::to_string(to));
        const auto r = results_of({"cost_n=12", "cost_k=" + std::to_string(k),
                                   "cost_from=" + std::to_string(from), "cost_to=" + std::to_string(to)});
        const auto stacked = [k](int at, int) {
          std::vector<int> reads;
          for (int tap = 0; tap < k; ++tap) reads.push_back(at - k / 2 + tap);
          return reads;
        };
        const auto dilated = [k](int at, int layer) {
          std::vector<int> reads;
          const double base = std::max(2, (k + 1) / 2);
          for (int tap = 0; tap < k; ++tap)
            reads.push_back(at + (tap - k / 2) * static_cast<int>(std::min(1000.0, std::pow(base, layer))));
          return reads;
        };
        const auto arrived = [&](const std::vector<std::set<int>>& known) {
          return known[static_cast<std::size_t>(to)].count(from) > 0;
        };
        const auto layers = [&](Architecture a, int want) {
          EXPECT_EQ(static_cast<int>(r->path(a).size()), std::max(0, want));
        };
        layers(Architecture::convolution, layers_until(12, stacked, arrived));
        layers(Architecture::dilated_convolution, layers_until(12, dilated, arrived));
        if (k == 1 || from == to) continue;
        // On a line without ends, where the unit that sees both is never outside.
        const int a = from + 24, b = to + 24;
        EXPECT_EQ(r->layers_to_meet, layers_until(60, stacked, [&](const std::vector<std::set<int>>& known) {
                    return std::any_of(known.begin(), known.end(),
                                       [&](const std::set<int>& s) { return s.count(a) && s.count(b); });
                  }));
        EXPECT_EQ(r->receptive_field, 1 + r->layers_to_meet * (k - 1));
        EXPECT_GE(r->receptive_field, std::abs(from - to) + 1);
        if (const std::size_t hops = r->path(Architecture::convolution).size(); hops > 0) {
          EXPECT_GE(r->reach * static_cast<int>(hops), std::abs(to - from));
          EXPECT_LT(r->reach * static_cast<int>(hops - 1), std::abs(to - from));
        }
      }
    }
  }
}

TEST(Cost, OnlyItsOwnPageComputesIt) {
  base::Parallel parallel(1);
  Scene scene;
  EXPECT_EQ(compute_now(scene, parallel, {})->own_as<scene::CostResults>(), nullptr);
  scene.page = Page::cost;
  EXPECT_NE(compute_now(scene, parallel, {})->own_as<scene::CostResults>(), nullptr);
  scene.sentence.clear();
  EXPECT_NE(compute_now(scene, parallel, {})->own_as<scene::CostResults>(), nullptr);
}

}  // namespace
}  // namespace headlight::scene::cost_test
