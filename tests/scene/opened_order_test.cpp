// The Order page of other people’s models: parts of the scores and permuted tokens, against the golden
// attention of the reference data; what a trained encoder with sinusoids compares, as its makers measured it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "models/opened_model.h"
#include "network/network.h"
#include "opened_families.h"
#include "pages/compute.h"
#include "pages/order/order.h"
#include "pages/quantities.h"
#include "scene/other_model.h"
#include "scene/trained_model.h"

namespace headlight::scene {
namespace {

using nlohmann::json;
using std::size_t;
using tests::at;
using tests::each_family;

/// The parts of every score add up to it: their softmax is the golden weight. And the part of the
/// contents alone does not depend on the positions.
TEST(OpenedOrder, OrderSplitsTheScoresOfTheFirstLayer) {
  base::Parallel parallel(2);
  int added = 0, turned = 0;
  each_family([&](const std::string& family, const json& all, const json& one, Scene& scene) {
    const tests::Array golden = tests::golden(family, all, one, "attentions");
    const double tolerance = tests::tolerance_of(all, one, "attentions");
    scene.page = Page::order;
    const auto results = compute_now(scene, parallel, nullptr);
    ASSERT_TRUE(results->own_as<OrderResults>());
    const OrderResults& order = *results->own_as<OrderResults>();
    ASSERT_EQ(order.problem, "");
    const OrderParts& parts = order.parts;
    const nn::AttentionTrace& trace = results->attention;
    const int T = trace.T;
    ASSERT_EQ(parts.tokens, T);
    const nn::Network& net = shown_other_model(scene)->model->network;
    EXPECT_EQ(parts.count, net.rope.rotary_dim > 0 ? 5 : 4);
    EXPECT_EQ(order.added, net.positions != nn::PositionKind::none);
    (order.added ? added : turned) += 1;
    const auto cap = static_cast<double>(trace.score_cap);
    for (int h = 0; h < trace.heads; ++h) {
      for (int i = 0; i < T; ++i) {
        const base::Interval keys = trace.allowed[static_cast<size_t>(i)];
        std::vector<double> score(static_cast<size_t>(T));
        double sum = 0;
        for (int j = keys.begin; j < keys.end; ++j) {
          double& s = score[static_cast<size_t>(j)];
          for (int part = 0; part < parts.count; ++part) s += parts.part[part].at(h, i, j);
          s *= net.layers[0].scale;
          if (cap > 0) s = cap * std::tanh(s / cap);
          sum += std::exp(s);
          for (int part = 1; part < 4 && !order.added; ++part) ASSERT_EQ(parts.part[part].at(h, i, j), 0);
        }
        for (int j = 0; j < T; ++j) {
          const double weight = keys.has(j) ? std::exp(score[static_cast<size_t>(j)]) / sum : 0;
          ASSERT_NEAR(weight, at(golden, 0, h, i, j), 2 * tolerance + 1e-5) << h << " " << i << " " << j;
        }
      }
    }
    // Without positions and without a mask before it, moved content is the same content.
    if (order.added) return;
    Scene moved = scene;
    std::vector<int> positions(static_cast<size_t>(T));
    std::iota(positions.rbegin(), positions.rend(), 0);
    for (size_t t = 0; t < positions.size(); ++t)
      moved.token_ids[t] = scene.token_ids[static_cast<size_t>(positions[t])];
    const auto again = compute_now(moved, parallel, nullptr);
    const nn::MatrixF64 &here = parts.part[0], &there = again->own_as<OrderResults>()->parts.part[0];
    for (int i = 0; i < T; ++i) {
      for (int j = 0; j < T; ++j) {
        const double want = here.at(0, positions[static_cast<size_t>(i)], positions[static_cast<size_t>(j)]);
        ASSERT_NEAR(there.at(0, i, j), want, 1e-9 * (1 + std::abs(want)));
      }
    }
  });
  EXPECT_GE(added, 5);
  EXPECT_GE(turned, 5);
}

/// Permuted tokens are the same model on other ids: the rows are compared with it.
TEST(OpenedOrder, OrderRunsTheModelAgain) {
  base::Parallel parallel(2);
  each_family([&](const std::string&, const json&, const json&, Scene& scene) {
    scene.page = Page::order;
    const auto other = shown_other_model(scene);
    for (const int layer : {1, layers_of(*other)}) {
      scene.weights_layer = layer;
      const int T = static_cast<int>(scene.token_ids.size());
      IndexList positions(static_cast<size_t>(T));
      std::iota(positions.begin(), positions.end(), 0);
      std::rotate(positions.begin(), positions.begin() + 1, positions.end());
      scene.order.permutation = positions;
      const auto results = compute_now(scene, parallel, nullptr);
      const OrderResults& order = *results->own_as<OrderResults>();
      ASSERT_EQ(order.problem, "");
      EXPECT_EQ(order.parts.mixed, layer > 1);
      Scene direct = scene;
      direct.page = Page::attention, direct.order.permutation.clear();
      for (int t = 0; t < T; ++t)
        direct.token_ids[static_cast<size_t>(t)] =
            scene.token_ids[static_cast<size_t>(positions[static_cast<size_t>(t)])];
      const auto wanted = compute_now(direct, parallel, nullptr);
      ASSERT_EQ(order.moved.size(), wanted->attention.output.size());
      double largest = 0;
      for (int t = 0; t < T; ++t) {
        for (int c = 0; c < order.moved.cols(); ++c) {
          ASSERT_EQ(order.moved.at(t, c), wanted->attention.output.at(t, c));
          const double apart =
              static_cast<double>(order.moved.at(t, c)) -
              static_cast<double>(results->attention.output.at(positions[static_cast<size_t>(t)], c));
          largest = std::max(largest, std::abs(apart));
        }
      }
      EXPECT_EQ(order.float32.output, largest);
    }
  });
}

/// A trained encoder with sinusoids: how much of the scores of its first layer is position with position, and
/// at which offsets its heads have their weight, as the makers of the reference data measured it.
TEST(OpenedOrder, TheSentenceEncoderComparesPositions) {
  const char* folder = std::getenv("HEADLIGHT_MODELS");
  const std::filesystem::path path =
      (folder && *folder ? std::filesystem::path(folder)
                         : std::filesystem::path(HEADLIGHT_SOURCE_DIR) / ".." / "shared" / "models") /
      "use-lite";
  if (!std::filesystem::exists(path / "manifest.json")) GTEST_SKIP() << "there is no " << path;
  std::ifstream file(path / "manifest.json");
  const json all = json::parse(file);
  base::Parallel parallel(2);
  // The reference rounds to three digits, and has what a bias adds as a fifth part: here it is content.
  constexpr double rounding = 6e-4, mean_rounding = 1.1e-3;
  const auto value = [](const std::string& text, const Scene& of, const Results& results) {
    return read_quantity(text, {of, results}).value;
  };
  std::vector<double> means(4, 0);
  for (const json& one : all["cases"]) {
    SCOPED_TRACE(one["text"].get<std::string>());
    Scene scene = tests::scene_with(path.string(), one["input_ids"]);
    scene.page = Page::order;
    const auto results = compute_now(scene, parallel, nullptr);
    ASSERT_EQ(results->own_as<OrderResults>()->parts.tokens, results->attention.T);
    for (int head = 1; head <= 4; ++head) {
      const json& known = one["layer0_shares"][static_cast<size_t>(head - 1)];
      const auto share = [&](int part) {
        return value("order_part_share part=" + std::to_string(part) + " head=" + std::to_string(head), scene,
                     *results);
      };
      EXPECT_NEAR(share(3), known[2].get<double>(), rounding) << head;
      EXPECT_NEAR(share(4), known[3].get<double>(), rounding) << head;
      EXPECT_NEAR(share(1) + share(2),
                  known[0].get<double>() + known[1].get<double>() + known[4].get<double>(), 3 * rounding)
          << head;
      EXPECT_NEAR(share(1) + share(2) + share(3) + share(4), 1, 1e-9) << head;
      EXPECT_GT(share(4), 0.5) << head;
      means[static_cast<size_t>(head - 1)] += share(4) / static_cast<double>(all["cases"].size());
      // Sentences with enough pairs at each offset tell trained projections from shuffled ones.
      const std::string which = " head=" + std::to_string(head);
      EXPECT_GT(value("order_offset_share" + which, scene, *results), 0.9) << head;
      if (results->attention.T > 6) {
        EXPECT_LT(value("shuffled_offset_share" + which, scene, *results), 0.6) << head;
      }
      EXPECT_LT(10 * value("shuffled_variance" + which, scene, *results),
                value("order_variance" + which, scene, *results))
          << head;
    }
  }
  for (size_t head = 0; head < 4; ++head)
    EXPECT_NEAR(means[head], all["facts"]["layer0_shares_mean_of_five"][head][3].get<double>(), mean_rounding)
        << head;

  // The mean weight at an offset, over the sentences of more than six tokens: the largest is at that of the
  // reference, and as large.
  for (int layer = 1; layer <= 2; ++layer) {
    for (int head = 1; head <= 4; ++head) {
      std::vector<double> mean(9, 0);
      int sentences = 0;
      for (const json& one : all["cases"]) {
        if (one["input_ids"].size() <= 6) continue;
        ++sentences;
        Scene scene = tests::scene_with(path.string(), one["input_ids"]);
        scene.page = Page::compare, scene.weights_layer = layer;
        const auto results = compute_now(scene, parallel, nullptr);
        const std::string which = " head=" + std::to_string(head);
        double largest = 0;
        for (int offset = -4; offset <= 4; ++offset) {
          const double weight =
              value("offset_weight offset=" + std::to_string(offset) + which, scene, *results);
          mean[static_cast<size_t>(offset + 4)] += weight;
          largest = std::max(largest, weight);
        }
        const int best = static_cast<int>(value("best_offset" + which, scene, *results));
        EXPECT_EQ(value("offset_weight offset=" + std::to_string(best) + which, scene, *results), largest);
        EXPECT_NEAR(value("offset_weight offset=-1" + which, scene, *results),
                    value("previous" + which, scene, *results), 1e-6);
        EXPECT_NEAR(value("offset_weight offset=1" + which, scene, *results),
                    value("next" + which, scene, *results), 1e-6);
      }
      ASSERT_GT(sentences, 0);
      const json& known =
          all["facts"]["best_offset"][static_cast<size_t>(layer - 1)][static_cast<size_t>(head - 1)];
      const auto best = std::max_element(mean.begin(), mean.end());
      EXPECT_EQ(best - mean.begin() - 4, known["offset"].get<int>()) << layer << "." << head;
      EXPECT_NEAR(*best / sentences, known["mean_weight"].get<double>(), rounding) << layer << "." << head;
    }
  }
  Scene scene = tests::scene_with(path.string(), all["cases"][0]["input_ids"]);
  scene.page = Page::position;
  const auto positions = compute_now(scene, parallel, nullptr);
  EXPECT_EQ(positions->position.source, PositionSource::sinusoid);
  EXPECT_EQ(positions->position.p.cols(), 256);
}

}  // namespace
}  // namespace headlight::scene
