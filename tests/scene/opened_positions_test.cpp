// The positions of other people’s models, their tables and the clocks of RoPE: against the golden hidden
// states of the reference data and the models' own queries.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/opened_model.h"
#include "network/network.h"
#include "opened_families.h"
#include "pages/compute.h"
#include "scene/other_model.h"
#include "scene/own_positions.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {
namespace {

using nlohmann::json;
using std::size_t;

/// A hidden state that enters the first layer is embedding plus row of P: for one token in two places the
/// golden states differ by what the rows of P differ by.
TEST(OpenedPositions, TheTableOfPositionsIsTheModels) {
  base::Parallel parallel(2);
  int tables = 0, compared = 0;
  for (const std::string& family : tests::families()) {
    const json all = tests::manifest(family);
    for (const json& one : tests::plain_cases(all)) {
      Scene scene = tests::scene_with(tests::path_of(family, all["variants"][0]), one["input_ids"]);
      scene.page = Page::position;
      const auto other = shown_other_model(scene);
      const nn::Network& net = other->model->network;
      if (net.positions != nn::PositionKind::table) continue;
      SCOPED_TRACE(family);
      const auto results = compute_now(scene, parallel, nullptr);
      const PositionResults& p = results->position;
      ASSERT_EQ(p.source, PositionSource::table) << p.about;
      EXPECT_TRUE(p.omega.empty());
      EXPECT_EQ(p.p.cols(),
                net.positions == nn::PositionKind::table ? other->model->weights.positions.cols : 0);
      ++tables;
      if (net.embedding_norm ||
          !one["expected"][all["variants"][0]["expected"].get<std::string>()].contains("hidden_states"))
        continue;
      const tests::Array states = tests::golden(family, all, one, "hidden_states");
      const int T = static_cast<int>(scene.token_ids.size()), D = states.dim(2);
      for (int a = 0; a < T; ++a) {
        for (int b = a + 1; b < T; ++b) {
          if (scene.token_ids[static_cast<size_t>(a)] != scene.token_ids[static_cast<size_t>(b)]) continue;
          for (int c = 0; c < D; ++c) {
            const double apart =
                states.values[static_cast<size_t>(a * D + c)] - states.values[static_cast<size_t>(b * D + c)];
            ASSERT_NEAR(static_cast<double>(p.p.at(a, c)) - static_cast<double>(p.p.at(b, c)), apart, 1e-5);
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GE(tables, 5);
  EXPECT_GT(compared, 50);
}

/// The clocks of RoPE: queries of the first layer, turned back by the P that is shown, are the same for equal
/// tokens wherever they stand. Only the model's own frequencies do that, whatever their scaling.
TEST(OpenedPositions, TheClocksOfRopeTurnAsTheModelDoes) {
  base::Parallel parallel(2);
  int clocks = 0, compared = 0;
  for (const std::string& family : tests::families()) {
    const json all = tests::manifest(family);
    for (const json& one : tests::plain_cases(all)) {
      SCOPED_TRACE(family + " " + one["id"].get<std::string>());
      Scene scene = tests::scene_with(tests::path_of(family, all["variants"][0]), one["input_ids"]);
      scene.page = Page::position;
      const nn::Network& net = shown_other_model(scene)->model->network;
      if (net.rope.rotary_dim == 0) continue;
      ++clocks;
      const auto results = compute_now(scene, parallel, nullptr);
      const PositionResults& p = results->position;
      ASSERT_EQ(p.source, PositionSource::rope);
      EXPECT_NE(p.about.find("RoPE"), std::string::npos);
      ASSERT_EQ(p.p.cols(), net.rope.rotary_dim);
      EXPECT_LT(p.worst_rotation_residual, 1e-5);
      const nn::AttentionTrace& trace = results->attention;
      const bool next = net.rope.pairs == nn::RopePairs::interleaved;
      const int pairs = net.rope.rotary_dim / 2, T = trace.T;
      const double factor =
          net.rope.scaling.kind == nn::RopeScalingKind::yarn ? net.rope.scaling.attention_factor : 1;
      const auto turned_back = [&](int t) {
        std::vector<double> out(trace.query(0, t), trace.query(0, t) + trace.d_k);
        for (int j = 0; j < pairs; ++j) {
          const auto sine = static_cast<double>(p.p.at(t, 2 * j)),
                     cosine = static_cast<double>(p.p.at(t, 2 * j + 1));
          double &a = out[static_cast<size_t>(next ? 2 * j : j)],
                 &b = out[static_cast<size_t>(next ? 2 * j + 1 : j + pairs)];
          const double left = a, right = b;
          a = (left * cosine + right * sine) / factor, b = (right * cosine - left * sine) / factor;
        }
        return out;
      };
      for (int a = 0; a < T; ++a) {
        for (int b = a + 1; b < T; ++b) {
          if (scene.token_ids[static_cast<size_t>(a)] != scene.token_ids[static_cast<size_t>(b)]) continue;
          const auto x = turned_back(a), y = turned_back(b);
          for (int c = 0; c < trace.d_k; ++c)
            ASSERT_NEAR(x[static_cast<size_t>(c)], y[static_cast<size_t>(c)], 2e-4) << a << " " << b;
          ++compared;
        }
      }
    }
  }
  EXPECT_GE(clocks, 8);
  EXPECT_GT(compared, 10);
}

/// The columns that nobody has chosen turn over the positions on view; those that somebody has are left.
TEST(OpenedPositions, TheFirstColumnsOfRopeTurn) {
  int replaced = 0;
  for (const std::string& family : tests::families()) {
    SCOPED_TRACE(family);
    const json all = tests::manifest(family);
    const auto cases = tests::plain_cases(all);
    if (cases.empty()) continue;
    Scene scene = tests::scene_with(tests::path_of(family, all["variants"][0]), cases.front()["input_ids"]);
    scene.page = Page::position;
    scene.positions.columns = Scene().positions.columns;
    repair(scene);
    const auto other = shown_other_model(scene);
    const auto omega = own_frequencies(*other, scene.positions.count);
    if (own_positions(*other).source != PositionSource::rope) continue;
    ASSERT_TRUE(omega);
    double fastest = 0;
    for (const int column : scene.positions.columns) {
      ASSERT_LT(column, own_positions(*other).columns);
      fastest = std::max(fastest, (*omega)[static_cast<std::size_t>(column / 2)]);
    }
    EXPECT_GE(fastest * (scene.positions.count - 1), 1) << "flat lines";
    replaced += scene.positions.columns != Scene().positions.columns;
    const IndexList first = scene.positions.columns;
    repair(scene);
    EXPECT_EQ(scene.positions.columns, first) << "what is in order is not repaired";
    scene.positions.columns = {static_cast<int>(own_positions(*other).columns) - 1};
    const IndexList chosen = scene.positions.columns;
    repair(scene);
    EXPECT_EQ(scene.positions.columns, chosen) << "chosen";
  }
  EXPECT_GT(replaced, 0);
}

}  // namespace
}  // namespace headlight::scene
