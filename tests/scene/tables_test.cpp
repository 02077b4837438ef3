#include "pages/tables.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "learn/training_run.h"
#include "pages/block/block.h"
#include "pages/compute.h"
#include "pages/order/order.h"
#include "pages/quantities.h"
#include "pages/training/training.h"
#include "scene/settings.h"

namespace headlight::scene {
namespace {

/// A scene's results, and what is read from them.
struct Computed {
  explicit Computed(Scene wanted)
      : scene(std::move(wanted)), results(compute_now(scene, parallel, nullptr)) {}
  MaybeNumbers numbers(const char* name) {
    const Table* table = find_table(name);
    EXPECT_NE(table, nullptr) << name;
    return numbers_of(*table, {scene, *results, parallel, training.get()});
  }
  /// As doubles; fails when there are none.
  std::vector<double> values(const char* name, std::vector<std::size_t> shape) {
    const MaybeNumbers made = numbers(name);
    EXPECT_TRUE(made) << name;
    std::vector<double> out;
    if (!made) return out;
    std::visit(
        [&](const auto& tensor) {
          EXPECT_EQ(tensor.shape, shape) << name;
          EXPECT_EQ(tensor.name, name);
          out.assign(tensor.values.begin(), tensor.values.end());
        },
        made->tensor);
    return out;
  }
  base::Parallel parallel{1};
  Scene scene;
  std::shared_ptr<const Results> results;
  std::shared_ptr<const TrainingSnapshot> training;
};

Scene on(Page page) {
  Scene scene;
  scene.page = page;
  return scene;
}

TEST(Tables, NamesAreUniqueAndSayWhatTheyAre) {
  std::set<std::string> names;
  for (const Table& table : tables()) {
    EXPECT_TRUE(names.insert(table.name).second) << table.name;
    EXPECT_STRNE(table.about, "") << table.name;
    EXPECT_EQ(find_table(table.name), &table);
  }
  EXPECT_EQ(find_table("weigths"), nullptr);
}

/// The numbers agree with their shape, axes and labels.
void check_shape(const Table& table, const Numbers& numbers) {
  std::visit(
      [&](const auto& tensor) {
        std::size_t size = 1;
        for (const std::size_t n : tensor.shape) size *= n;
        EXPECT_EQ(size, tensor.values.size()) << table.name;
        EXPECT_EQ(tensor.axes.size(), tensor.shape.size()) << table.name;
        for (std::size_t axis = 0; axis < numbers.labels.size(); ++axis) {
          if (!numbers.labels[axis].empty()) {
            EXPECT_EQ(numbers.labels[axis].size(), tensor.shape[axis]) << table.name << " axis " << axis;
          }
        }
      },
      numbers.tensor);
}

TEST(Tables, EveryOneHasItsShapeAxesAndLabels) {
  for (const char* word : Words<Page>::list) {
    Scene scene;
    for (const Table& table : tables()) {
      if (std::string(scene::word(table.page)) == word) scene.page = table.page;
    }
    scene.variants.a.position = scene.variants.b.position = VariantPosition::shaw;  // with its own tables
    if (scene.page == Page::attention) scene.attention.least_weight = 0.05;  // some weights are left out
    if (scene.page == Page::model) {                                         // random weights predict nothing
      scene.weights = WeightsSource::trained;
      scene.model.off = "1.1", scene.model.detail = ModelDetail::components;
      repair(scene);
    }
    Scene other =
        scene;  // the Block page has two models, with tables of their own; a head is shown in two ways
    other.block.model = BlockModel::encoder_decoder, other.encoder_decoder.training = 5;
    other.model.detail = ModelDetail::plane;
    const bool two = scene.page == Page::block || scene.page == Page::model;
    Computed computed(scene), of_other(two ? other : scene);
    std::vector<std::unique_ptr<Computed>> of_schemes;  // each scheme of positions has a table of its own
    for (const auto position : {VariantPosition::rope, VariantPosition::t5, VariantPosition::alibi}) {
      if (scene.page != Page::variants) continue;
      other.variants.a.position = other.variants.b.position = position;
      of_schemes.push_back(std::make_unique<Computed>(other));
    }
    std::vector<std::string> missing;
    int all = 0;
    for (const Table* table : tables_behind(scene.page, {})) {
      ++all;
      MaybeNumbers numbers = computed.numbers(table->name);
      if (!numbers) numbers = of_other.numbers(table->name);
      for (const auto& one : of_schemes) {
        if (!numbers) numbers = one->numbers(table->name);
      }
      if (!numbers) {
        missing.emplace_back(table->name);
        continue;
      }
      check_shape(*table, *numbers);
    }
    EXPECT_GT(all, 0) << word;
    // Nothing is trained, measured or opened here; everything else is there by default.
    static const std::vector<std::string> elsewhere = {"head_differences", "block_stages", "block_stage",
                                                       "cost_times"};
    if (scene.page != Page::training) {
      EXPECT_THAT(missing, testing::IsSubsetOf(elsewhere)) << word;
    }
  }
}

TEST(Tables, WithoutTokensATableIsMissingOrHasNumbers) {
  int missing = 0, there = 0;
  for (const Table& table : tables()) {
    Scene scene = on(table.page);
    scene.sentence = "";
    Computed computed(scene);
    const MaybeNumbers numbers = computed.numbers(table.name);
    ++(numbers ? there : missing);
    if (!numbers) continue;
    check_shape(table, *numbers);
    std::visit(
        [&](const auto& tensor) { EXPECT_THAT(tensor.shape, testing::Each(testing::Gt(0u))) << table.name; },
        numbers->tensor);
  }
  EXPECT_GT(missing, 0);
  EXPECT_GT(there, 0);
}

TEST(Tables, TheMapIsTheHeadsOnShow) {
  Scene scene = on(Page::attention);
  scene.head = {2};
  scene.query = {3, 1};
  Computed one(scene);
  const nn::AttentionTrace& trace = one.results->attention;
  const std::vector<double> map = one.values("map", {6, 6}), rows = one.values("rows", {2, 6});
  for (int q = 0; q < 6; ++q) {
    for (int k = 0; k < 6; ++k)
      EXPECT_EQ(map[static_cast<std::size_t>(q * 6 + k)], double(trace.weights.at(1, q, k)));
  }
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(rows[k], map[3 * 6 + k]);
    EXPECT_EQ(rows[6 + k], map[6 + k]);
  }
  scene.head = {};
  Computed all(scene);
  const std::vector<double> mean = all.values("map", {6, 6});
  for (int q = 0; q < 6; ++q) {
    for (int k = 0; k < 6; ++k) {
      double sum = 0;
      for (int h = 0; h < 4; ++h) sum += double(all.results->attention.weights.at(h, q, k));
      EXPECT_NEAR(mean[static_cast<std::size_t>(q * 6 + k)], sum / 4, 1e-7);
    }
  }
}

TEST(Tables, TheCellIsItsArithmetic) {
  Computed computed(on(Page::attention));
  const std::vector<double> cell = computed.values("cell", {3, 8}),
                            steps = computed.values("arithmetic", {17});
  double dot = 0;
  for (std::size_t c = 0; c < 8; ++c) {
    EXPECT_NEAR(cell[16 + c], cell[c] * cell[8 + c], 1e-12);
    dot += cell[16 + c];
  }
  EXPECT_NEAR(steps[3], dot, 1e-9);
  EXPECT_NEAR(steps[6], dot / std::sqrt(8.0), 1e-9);
  EXPECT_NEAR(steps[11], std::exp(steps[6] - steps[8]) / steps[10], 1e-9);
}

TEST(Tables, PositionsAreSinesAndTheirTurnsHold) {
  Scene scene = on(Page::position);
  scene.positions.index = 7;
  scene.positions.delta = 3;
  Computed computed(scene);
  const std::vector<double> p = computed.values("positions", {60, 32}),
                            clocks = computed.values("clocks", {16, 4}),
                            rotated = computed.values("rotated", {3, 2}),
                            bits = computed.values("bits", {60, 6});
  for (std::size_t j = 0; j < 16; ++j) {
    const double omega = std::pow(10000.0, -2.0 * double(j) / 32);
    EXPECT_NEAR(clocks[4 * j], omega, 1e-12);
    EXPECT_NEAR(p[7 * 32 + 2 * j], std::sin(7 * omega), 1e-6);
    EXPECT_NEAR(std::cos(clocks[4 * j + 2]), std::cos(7 * omega), 1e-9);
  }
  EXPECT_NEAR(rotated[2], rotated[4], 1e-6) << "R(δ) p(i) is p(i + δ)";
  EXPECT_NEAR(rotated[3], rotated[5], 1e-6);
  for (std::size_t row = 0; row < 60; ++row) {
    double value = 0;
    for (std::size_t bit = 0; bit < 6; ++bit) value = 2 * value + bits[row * 6 + bit];
    EXPECT_EQ(value, double(row));
  }
}

/// X W_Q = Q head by head, and the concatenation times W_O is the output: what is exported is one
/// computation.
TEST(Tables, TheMatricesOfTheLayerMakeOneAnother) {
  Scene scene = on(Page::attention);
  scene.d_model = 12, scene.heads = 3;
  for (const Position position : {Position::sinusoidal, Position::sinusoidal_concat}) {
    scene.position = position;
    Computed computed(scene);
    const std::size_t in = position == Position::sinusoidal ? 12 : 24;
    const std::vector<double> x = computed.values("x", {6, in});
    for (const auto& [matrix, made] : {std::pair{"w_q", "q"}, {"w_k", "k"}, {"w_v", "v"}}) {
      const std::vector<double> w = computed.values(matrix, {1, 3, in, 4}),
                                q = computed.values(made, {1, 3, 6, 4});
      for (std::size_t h = 0; h < 3; ++h) {
        for (std::size_t t = 0; t < 6; ++t) {
          for (std::size_t c = 0; c < 4; ++c) {
            double sum = 0;
            for (std::size_t r = 0; r < in; ++r) sum += x[t * in + r] * w[(h * in + r) * 4 + c];
            EXPECT_NEAR(q[(h * 6 + t) * 4 + c], sum, 1e-5) << made;
          }
        }
      }
    }
    const std::vector<double> context = computed.values("concatenation", {6, 12}),
                              w_o = computed.values("w_o", {1, 3, 4, 12}),
                              out = computed.values("output", {6, 12});
    for (std::size_t t = 0; t < 6; ++t) {
      for (std::size_t c = 0; c < 12; ++c) {
        double sum = 0;
        for (std::size_t r = 0; r < 12; ++r) sum += context[t * 12 + r] * w_o[r * 12 + c];
        EXPECT_NEAR(out[t * 12 + c], sum, 1e-5);
      }
    }
  }
}

/// Rows from a chosen first position, as exact as float32 is.
TEST(Tables, PositionsBeginWhereTheOffsetSays) {
  for (const int first : {0, 7, 4096, 99'999, 1'000'000}) {
    Scene scene = on(Page::position);
    scene.position_offset = first, scene.positions.count = 5;
    Computed computed(scene);
    const std::vector<double> p = computed.values("positions", {5, 32});
    for (std::size_t row = 0; row < 5; ++row) {
      for (std::size_t j = 0; j < 16; ++j) {
        const long double angle = (first + static_cast<long double>(row)) *
                                  std::pow(10000.0L, -2 * static_cast<long double>(j) / 32);
        EXPECT_NEAR(p[row * 32 + 2 * j], static_cast<double>(std::sin(angle)), 2e-7) << first << ' ' << j;
        EXPECT_NEAR(p[row * 32 + 2 * j + 1], static_cast<double>(std::cos(angle)), 2e-7);
      }
    }
  }
}

TEST(Tables, PartsOfScoresAddUp) {
  Computed computed(on(Page::order));
  const std::vector<double> parts = computed.values("order_parts", {4, 4, 6, 6});
  const nn::MatrixF64& dot = computed.results->own_as<OrderResults>()->parts.dot;
  const double factor = computed.results->own_as<OrderResults>()->parts.factor;
  EXPECT_NEAR(factor, 1 / std::sqrt(8.0), 1e-7);
  for (int h = 0; h < 4; ++h) {
    for (int q = 0; q < 6; ++q) {
      for (int k = 0; k < 6; ++k) {
        double sum = 0;
        for (int part = 0; part < 4; ++part)
          sum += parts[static_cast<std::size_t>(((part * 4 + h) * 6 + q) * 6 + k)];
        EXPECT_NEAR(sum, dot.at(h, q, k) * factor, 1e-4);
      }
    }
  }
}

TEST(Tables, DifferencesAreDifferences) {
  Computed variants(on(Page::variants));
  const std::vector<double> a = variants.values("variants_a_weights", {6, 6}),
                            b = variants.values("variants_b_weights", {6, 6}),
                            difference = variants.values("variants_difference", {6, 6});
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(difference[i], a[i] - b[i], 1e-7);
  Computed compared(on(Page::compare));
  const std::vector<double> one = compared.values("bench_a", {6, 6}),
                            other = compared.values("bench_b", {6, 6}),
                            between = compared.values("bench_difference", {6, 6});
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(between[i], one[i] - other[i], 1e-7);
}

TEST(Tables, CurvesOfARunEndInNothingWhereTheyAreShorter) {
  Scene scene = on(Page::training);
  Computed computed(scene);
  auto snapshot = std::make_shared<TrainingSnapshot>();
  snapshot->runs.resize(2);
  snapshot->runs[0].name = "one", snapshot->runs[1].name = "two";
  snapshot->runs[0].loss = {{1, 2.f, 1.f, 3.f}, {5, 1.f, 0.5f, 1.5f}};
  snapshot->runs[1].loss = {{1, 4.f, 4.f, 4.f}};
  computed.training = snapshot;
  const std::vector<double> loss = computed.values("training_loss", {2, 2, 4});
  EXPECT_THAT(std::vector<double>(loss.begin(), loss.begin() + 8),
              testing::ElementsAre(1, 2, 1, 3, 5, 1, 0.5, 1.5));
  EXPECT_EQ(loss[9], 4);
  EXPECT_TRUE(std::isnan(loss[12]));
}

double quantity_of(const std::string& text, const Computed& computed) {
  return quantity_value(*parse_quantity(text), {computed.scene, *computed.results, computed.training.get()});
}

/// The picture reads BlockResults; the export and the quantities give the same numbers, whichever of the two
/// stacks is the scene's own.
TEST(Tables, DepthIsTheSameAtEveryDoor) {
  for (const bool residual : {true, false}) {
    Scene scene = on(Page::block);
    scene.block.residual = residual, scene.block.layers = 3;
    Computed computed(scene);
    const std::vector<double> exported = computed.values("block_depth", {2, 4, 3});
    const BlockResults& r = *computed.results->own_as<BlockResults>();
    for (std::size_t l = 0; l < 4; ++l) {
      for (const bool with : {true, false}) {
        const nn::DepthStatistics& f = (with == residual ? r.depth : r.other_depth)[l];
        const std::string at =
            " layer=" + std::to_string(l) + (with ? " residuals=with" : " residuals=without");
        const double* row = exported.data() + (with ? 0 : 12) + 3 * l;
        EXPECT_EQ(row[0], f.similarity);
        EXPECT_EQ(row[1], f.spread);
        EXPECT_EQ(row[2], f.gradient);
        EXPECT_EQ(quantity_of("depth_cosine" + at, computed), f.similarity);
        EXPECT_EQ(quantity_of("depth_spread" + at, computed), f.spread);
        EXPECT_EQ(quantity_of("depth_gradient" + at, computed), f.gradient);
      }
    }
    EXPECT_EQ(quantity_of("depth_cosine", computed), r.depth.back().similarity);
    EXPECT_LT(quantity_of("depth_gradient residuals=without layer=0", computed),
              quantity_of("depth_gradient residuals=with layer=0", computed));
    EXPECT_TRUE(std::isnan(quantity_of("depth_cosine layer=4", computed)));
  }
}

TEST(Tables, LengthsAndRemovedHeadsAreTheSameAtEveryDoor) {
  Scene scene = on(Page::training);
  TrainingSettings& t = scene.training;
  t.task = TrainingTask::reverse, t.steps = 12, t.batch = 2, t.d_model = 16, t.heads = 2, t.layers = 1;
  t.length = 8, t.plot = TrainingPlot::pruning;
  t.positions = TrainingPositions::learned, t.compare = TrainingCompare::no_positions;
  Computed computed(scene);
  auto run = start_training(t, computed.parallel);
  ASSERT_TRUE(run) << run.error();
  (*run)->look({.plot = t.plot}, computed.parallel);
  while ((*run)->advance(computed.parallel)) {
  }
  auto snapshot = std::make_shared<TrainingSnapshot>();
  (*run)->fill(*snapshot);
  computed.training = snapshot;
  ASSERT_EQ(snapshot->runs.size(), 2u);
  const std::size_t count = snapshot->runs[0].lengths.size();
  ASSERT_GT(count, 4u);
  const std::vector<double> lengths = computed.values("training_lengths", {2, count, 3}),
                            removed = computed.values("training_heads_removed", {2, 3, 4}),
                            in_turn = computed.values("training_removed_in_turn", {2, 3, 4});
  bool some_impossible = false;
  for (std::size_t r = 0; r < 2; ++r) {
    const RunSnapshot& one = snapshot->runs[r];
    const std::string of = " run=" + std::to_string(r + 1);
    for (std::size_t i = 0; i < count; ++i) {
      const LengthPoint& p = one.lengths[i];
      const double* row = lengths.data() + 3 * (r * count + i);
      const std::string at = of + " length=" + std::to_string(p.length);
      EXPECT_EQ(row[0], p.length);
      some_impossible = some_impossible || !p.possible;
      if (p.possible) {
        EXPECT_EQ(row[1], p.score);
        EXPECT_EQ(row[2], p.loss);
        EXPECT_EQ(quantity_of("length_score" + at, computed), p.score);
        EXPECT_EQ(quantity_of("length_loss" + at, computed), p.loss);
      } else {
        EXPECT_TRUE(std::isnan(row[1]) && std::isnan(quantity_of("length_score" + at, computed)));
      }
    }
    EXPECT_EQ(quantity_of("removed_score" + of, computed), one.pruning.score);
    EXPECT_EQ(quantity_of("removed_in_turn_score removed=0" + of, computed), one.pruning.score);
    for (std::size_t i = 0; i <= 2; ++i) {
      const double *row = removed.data() + 4 * (3 * r + i), *turn = in_turn.data() + 4 * (3 * r + i);
      if (i == 0) {
        EXPECT_EQ(row[2], one.pruning.score);
        EXPECT_EQ(turn[3], one.pruning.loss);
        continue;
      }
      const PrunedHead &p = one.pruning.alone[i - 1], &g = one.pruning.greedy[i - 1];
      EXPECT_THAT(std::vector<double>(row, row + 4),
                  testing::ElementsAre(p.layer + 1, p.head + 1, p.score, p.loss));
      EXPECT_THAT(std::vector<double>(turn, turn + 4),
                  testing::ElementsAre(g.layer + 1, g.head + 1, g.score, g.loss));
      EXPECT_EQ(quantity_of("removed_score layer=1 head=" + std::to_string(p.head + 1) + of, computed),
                p.score);
      EXPECT_EQ(quantity_of("removed_in_turn_score removed=" + std::to_string(i) + of, computed), g.score);
    }
  }
  EXPECT_TRUE(some_impossible);  // a table of learned positions ends
  EXPECT_TRUE(std::isnan(quantity_of("removed_score layer=2 head=1", computed)));
  computed.training = nullptr;
  EXPECT_FALSE(computed.numbers("training_lengths"));
}

}  // namespace
}  // namespace headlight::scene
