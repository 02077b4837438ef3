// What the Cost page shows: the formulas' numbers as printed in the sources, the counts, the walls, the
// check.
#include "scene/cost.h"

#include <gtest/gtest.h>

#include <chrono>

#include "scene/compute.h"
#include "scene/settings.h"

namespace headlight::scene {
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
    double stacked, dilated;
  };
  for (const Known& known :
       {Known{10, 64, 3, 6400, 40960, 122880, 3.3333333333333335, 2.095903274289385},
        Known{64, 64, 3, 262144, 262144, 786432, 21.333333333333332, 3.785578521428744},
        Known{512, 64, 3, 16777216, 2097152, 6291456, 170.66666666666666, 5.678367782143116},
        Known{1024, 512, 5, 536870912, 268435456, 1342177280, 204.8, 4.306765580733931}}) {
    const auto r = results_of({"cost_n=" + std::to_string(known.n), "cost_d=" + std::to_string(known.d),
                               "cost_k=" + std::to_string(known.k)});
    EXPECT_EQ(r->of(Architecture::self_attention).cost.leading, known.attention);
    EXPECT_EQ(r->of(Architecture::recurrence).cost.leading, known.recurrence);
    EXPECT_EQ(r->of(Architecture::convolution).cost.leading, known.convolution);
    EXPECT_NEAR(r->of(Architecture::convolution).cost.longest_path, known.stacked, 1e-12 * known.stacked);
    EXPECT_NEAR(r->of(Architecture::dilated_convolution).cost.longest_path, known.dilated, 1e-11);
    EXPECT_EQ(r->of(Architecture::recurrence).cost.sequential, static_cast<std::uint64_t>(known.n));
    EXPECT_EQ(r->of(Architecture::recurrence).cost.longest_path, known.n);
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
    EXPECT_GT(layer.by_running, 10000u);
    EXPECT_LE(layer.by_running, 150000u);
  }
}

TEST(Cost, PathsHaveTheirHops) {
  const auto hops = [](const std::vector<std::string>& settings, Architecture a) {
    return results_of(settings)->path(a).size();
  };
  EXPECT_EQ(hops({"cost_from=1", "cost_to=8"}, Architecture::self_attention), 1u);
  EXPECT_EQ(hops({"cost_from=1", "cost_to=8"}, Architecture::recurrence), 7u);
  EXPECT_EQ(hops({"cost_from=1", "cost_to=8"}, Architecture::convolution), 7u);
  EXPECT_EQ(hops({"cost_from=1", "cost_to=8", "cost_k=5"}, Architecture::convolution), 4u);  // 2 + 2 + 2 + 1
  EXPECT_EQ(hops({"cost_from=0", "cost_to=8"}, Architecture::dilated_convolution), 2u);      // 2·1 + 2·3
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
  ASSERT_EQ(r->memory.size(), 5u);
  const double mib[] = {0.5, 8, 128, 2048, 32768}, gib[] = {0.25, 4, 64, 1024, 16384};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(static_cast<double>(r->memory[i].one_map) / (1 << 20), mib[i]);
    EXPECT_EQ(static_cast<double>(r->memory[i].all_maps) / (1 << 30), gib[i]);
  }
  EXPECT_EQ(r->memory[0].T, 512u);
  EXPECT_EQ(r->memory[4].T, 131072u);
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
  EXPECT_EQ(check.dense_bytes, 4u * 2 * 768 * 768);
  EXPECT_EQ(check.tiled_bytes, 4u * 768 * (64 + 2 * 2));  // bytes · T · (d + 2h), as in MemoryRow::tiled
}

TEST(Cost, BothEndsOfEveryFieldAreQuick) {
  Scene scene;
  std::vector<std::string> ends;
  fields(scene.cost, [&](const Field& field, auto& value) {
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
  EXPECT_GT(m.recurrence_ms, 0);
  EXPECT_GT(m.attention_ms, 0);
  EXPECT_GT(m.tiled_ms, 0);
  EXPECT_EQ(measure_cost(64, 16, parallel, [] { return false; }).recurrence_ms, 0);
}

TEST(Cost, OnlyItsOwnPageComputesIt) {
  base::Parallel parallel(1);
  Scene scene;
  EXPECT_EQ(compute(scene, parallel, {})->cost, nullptr);
  scene.page = Page::cost;
  EXPECT_NE(compute(scene, parallel, {})->cost, nullptr);
  scene.sentence.clear();
  EXPECT_NE(compute(scene, parallel, {})->cost, nullptr);
}

}  // namespace
}  // namespace headlight::scene
