// Compare, Order, Positions and Cost of models of other programs, and what the scene changes of a layer:
// against the golden attention and hidden states of the reference data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "models/opened_model.h"
#include "network/network.h"
#include "nn/explain.h"
#include "nn/head_roles.h"
#include "opened_families.h"
#include "pages/compare/compare.h"
#include "pages/compute.h"
#include "pages/cost/cost.h"
#include "pages/opened_attention.h"
#include "pages/order/order.h"
#include "pages/quantities.h"
#include "scene/other_model.h"
#include "scene/own_positions.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {
namespace {

using nlohmann::json;
using std::size_t;

/// One element [l, h, i, j] of golden attention.
double at(const tests::Array& all, int l, int h, int i, int j) {
  return all.values[static_cast<size_t>(((l * all.dim(1) + h) * all.dim(2) + i) * all.dim(3) + j)];
}

/// Visits each family with its first plain case.
template <class Visit>
void each_family(Visit visit) {
  int visited = 0;
  for (const std::string& family : tests::families()) {
    const json all = tests::manifest(family);
    const auto cases = tests::plain_cases(all);
    if (cases.empty()) continue;
    SCOPED_TRACE(family);
    const json& one = cases.front();
    Scene scene = tests::scene_with(tests::path_of(family, all["variants"][0]), one["input_ids"]);
    visit(family, all, one, scene);
    ++visited;
  }
  EXPECT_GE(visited, 15);
}

/// Heads of the first and of the last layer: their maps and the difference are those of the golden weights,
/// and so are their cosine and their roles.
TEST(OpenedPages, CompareShowsAnyTwoHeads) {
  base::Parallel parallel(2);
  each_family([&](const std::string& family, const json& all, const json& one, Scene& scene) {
    const tests::Array golden = tests::golden(family, all, one, "attentions");
    const double tolerance = tests::tolerance_of(all, one, "attentions");
    const int L = golden.dim(0), H = golden.dim(1), T = golden.dim(2);
    scene.page = Page::compare, scene.compare.from = CompareFrom::stack;
    scene.compare.layer_a = 1, scene.compare.layer_b = L, scene.compare.a = H, scene.compare.b = 1;
    const auto results = compute_now(scene, parallel, nullptr);
    const CompareResults& compared = *results->own_as<CompareResults>();
    ASSERT_EQ(compared.problem, "");
    ASSERT_EQ(compared.layers(), L);
    ASSERT_EQ(compared.map_b.rows(), T);
    double dot = 0, aa = 0, bb = 0, largest = 0;
    std::vector<double> map(static_cast<size_t>(T) * static_cast<size_t>(T));
    for (int i = 0; i < T; ++i) {
      for (int j = 0; j < T; ++j) {
        const double a = at(golden, 0, H - 1, i, j), b = at(golden, L - 1, 0, i, j);
        ASSERT_NEAR(static_cast<double>(compared.map_b.at(i, j)), b, tolerance);
        ASSERT_NEAR(static_cast<double>(compared.difference.at(i, j)), a - b, 2 * tolerance);
        dot += a * b, aa += a * a, bb += b * b, largest = std::max(largest, std::abs(a - b));
        map[static_cast<size_t>(i * T + j)] = a;
      }
    }
    EXPECT_NEAR(compared.cosine, dot / std::sqrt(aa * bb), 1e-3);
    EXPECT_NEAR(static_cast<double>(compared.largest), largest, 2 * tolerance);
    EXPECT_NEAR(compared.similarity.at(H - 1, 0), compared.cosine, 1e-6);
    std::vector<int> ids;
    for (const nn::Token& token : results->tokens) ids.push_back(token.id);
    const nn::HeadRoles roles = nn::head_roles(map, ids);
    EXPECT_NEAR(compared.roles[static_cast<size_t>(H - 1)].diagonal, roles.diagonal, T * tolerance);
    EXPECT_NEAR(compared.roles[static_cast<size_t>(H - 1)].previous, roles.previous, T * tolerance);
  });
}

/// What the output of a layer loses without a head is what that head adds to it: Σ_j a_ij v_j W_O, in double
/// from the golden weights. All heads and the bias together are the output of the model itself.
TEST(OpenedPages, HeadsSwitchedOffTakeWhatTheyAdd) {
  base::Parallel parallel(2);
  each_family([&](const std::string& family, const json& all, const json& one, Scene& scene) {
    const tests::Array golden = tests::golden(family, all, one, "attentions");
    scene.page = Page::compare, scene.compare.off = {1};
    const auto results = compute_now(scene, parallel, nullptr);
    const CompareResults& compared = *results->own_as<CompareResults>();
    ASSERT_EQ(compared.problem, "");
    const nn::AttentionTrace& trace = results->attention;
    const auto weights = opened_output_weights(*shown_other_model(scene), 0);
    ASSERT_TRUE(weights) << weights.error();
    double gone = 0, whole = 0;
    nn::MatrixF64 sum(trace.T, trace.output.cols());
    for (int h = 0; h < trace.heads; ++h) {
      for (int i = 0; i < trace.T; ++i) {
        for (int n = 0; n < trace.output.cols(); ++n) {
          double added = 0;
          for (int c = 0; c < trace.d_v; ++c) {
            double context = 0;
            for (int j = 0; j < trace.S; ++j)
              context += at(golden, 0, h, i, j) * static_cast<double>(trace.value(h, j)[c]);
            added += context * static_cast<double>(weights->w_o.at(h * trace.d_v + c, n));
          }
          sum.at(i, n) += added;
          if (h == 0) gone += added * added;
        }
      }
    }
    for (int i = 0; i < trace.T; ++i) {
      for (int n = 0; n < trace.output.cols(); ++n) {
        const double bias = weights->b_o.empty() ? 0 : static_cast<double>(weights->b_o.at(0, n));
        const auto output = static_cast<double>(trace.output.at(i, n));
        ASSERT_NEAR(sum.at(i, n) + bias, output, 1e-3 * (1 + std::abs(output)));
        whole += output * output;
      }
    }
    EXPECT_NEAR(compared.change, std::sqrt(gone), 1e-3 * (1 + std::sqrt(gone)));
    EXPECT_NEAR(compared.share, std::sqrt(gone / whole), 1e-3);
    EXPECT_NEAR(compared.effects[0].share, compared.share, 1e-4);
  });
}

/// The parts of every score add up to it: their softmax is the golden weight. And a token's content alone
/// knows nothing of its position.
TEST(OpenedPages, OrderSplitsTheScoresOfTheFirstLayer) {
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
TEST(OpenedPages, OrderRunsTheModelAgain) {
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

/// A hidden state that enters the first layer is embedding plus row of P: for one token in two places the
/// golden states differ by what the rows of P differ by.
TEST(OpenedPages, TheTableOfPositionsIsTheModels) {
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
TEST(OpenedPages, TheClocksOfRopeTurnAsTheModelDoes) {
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
TEST(OpenedPages, TheFirstColumnsOfRopeTurn) {
  int replaced = 0;
  for (const std::string& family : tests::families()) {
    SCOPED_TRACE(family);
    const json all = tests::manifest(family);
    const auto cases = tests::plain_cases(all);
    if (cases.empty()) continue;
    Scene scene = tests::scene_with(tests::path_of(family, all["variants"][0]), cases.front()["input_ids"]);
    scene.page = Page::position;
    scene.position_columns = Scene().position_columns;
    repair(scene);
    const auto other = shown_other_model(scene);
    const auto omega = own_frequencies(*other, scene.positions);
    if (own_positions(*other).source != PositionSource::rope) continue;
    ASSERT_TRUE(omega);
    double fastest = 0;
    for (const int column : scene.position_columns) {
      ASSERT_LT(column, own_positions(*other).columns);
      fastest = std::max(fastest, (*omega)[static_cast<std::size_t>(column / 2)]);
    }
    EXPECT_GE(fastest * (scene.positions - 1), 1) << "flat lines";
    replaced += scene.position_columns != Scene().position_columns;
    const IndexList first = scene.position_columns;
    repair(scene);
    EXPECT_EQ(scene.position_columns, first) << "what is in order is not repaired";
    scene.position_columns = {static_cast<int>(own_positions(*other).columns) - 1};
    const IndexList chosen = scene.position_columns;
    repair(scene);
    EXPECT_EQ(scene.position_columns, chosen) << "chosen";
  }
  EXPECT_GT(replaced, 0);
}

/// Masks renormalise the golden weights, a temperature raises them to a power; nothing set changes nothing.
TEST(OpenedPages, WhatTheSceneChangesOfALayer) {
  base::Parallel parallel(2);
  each_family([&](const std::string& family, const json& all, const json& one, Scene& scene) {
    const tests::Array golden = tests::golden(family, all, one, "attentions");
    const double tolerance = tests::tolerance_of(all, one, "attentions");
    const auto own = compute_now(scene, parallel, nullptr);
    EXPECT_EQ(own->opened->changed, "");
    EXPECT_TRUE(own->remarks.empty());
    const int H = golden.dim(1), T = golden.dim(2);
    scene.mask.causal = true, scene.mask.valid_length = true, scene.valid_length = 3, scene.temperature = 0.5;
    const bool capped = own->opened->cap > 0;
    if (capped) scene.temperature = 1;
    const auto changed = compute_now(scene, parallel, nullptr);
    // A mask is named only where it changes something.
    std::string named = other_model(scene)->model->network.causal || T == 1 ? "" : "causal mask";
    if (T > 3) named += (named.empty() ? "" : ", ") + std::string("only the first 3 keys");
    EXPECT_EQ(changed->opened->changed.find(named), 0U) << changed->opened->changed;
    ASSERT_EQ(changed->remarks.size(), changed->opened->changed.empty() ? 0U : 1U);
    if (!changed->remarks.empty()) {
      EXPECT_EQ(changed->remarks[0].find("changed, not the model’s own: "), 0U);
    }
    Scene harmless = scene;
    harmless.temperature = 1, harmless.mask = {}, harmless.mask.causal = harmless.mask.window = true;
    harmless.window = T;
    const bool masks = T > 1 && !other_model(scene)->model->network.causal;
    EXPECT_EQ(compute_now(harmless, parallel, nullptr)->opened->changed, masks ? "causal mask" : "");
    const nn::AttentionTrace& trace = changed->attention;
    for (int h = 0; h < H; ++h) {
      for (int i = 0; i < T; ++i) {
        const auto power = [&](int j) {
          const double w = at(golden, 0, h, i, j);
          return j > i || j >= 3 ? 0 : capped ? w : w * w;
        };
        double sum = 0;
        for (int j = 0; j < T; ++j) sum += power(j);
        if (sum < 1e-3) continue;  // a window may leave nothing of the first keys
        for (int j = 0; j < T; ++j) {
          const double shown = static_cast<double>(trace.weights.at(h, i, j));
          ASSERT_NEAR(shown, power(j) / sum, 4 * tolerance / sum + 1e-4) << h << " " << i << " " << j;
          const nn::CellTrace cell = nn::explain_cell(trace, changed->options, h, i, j);
          ASSERT_NEAR(cell.weight, shown, 1e-4);
        }
      }
    }
    // Back to the model's own.
    scene.mask = {}, scene.temperature = 1;
    const auto again = compute_now(scene, parallel, nullptr);
    for (size_t i = 0; i < again->attention.weights.size(); ++i)
      ASSERT_EQ(again->attention.weights.data()[i], own->attention.weights.data()[i]);
    for (size_t i = 0; i < again->attention.output.size(); ++i)
      ASSERT_EQ(again->attention.output.data()[i], own->attention.output.data()[i]);
  });
}

TEST(OpenedPages, CostHasTheSizesOfTheModel) {
  base::Parallel parallel(1);
  each_family([&](const std::string&, const json&, const json&, Scene& scene) {
    scene.page = Page::cost;
    repair(scene);
    const auto results = compute_now(scene, parallel, nullptr);
    const auto other = other_model(scene);
    EXPECT_EQ(results->own_as<CostResults>()->model, other->model->name);
    EXPECT_EQ(scene.cost.d, other->model->network.width);
    EXPECT_EQ(scene.cost.layers, layers_of(*other));
    EXPECT_EQ(results->own_as<CostResults>()->heads.many.heads, other->model->network.layers[0].heads);
    EXPECT_TRUE(given_by_model(scene, "cost_d"));
    EXPECT_FALSE(given_by_model(scene, "cost_n"));
  });
}

/// A trained encoder with sinusoids: how much of the scores of its first layer is position with position, and
/// at which offsets its heads have their weight, as the makers of the reference data measured it.
TEST(OpenedPages, TheSentenceEncoderComparesPositions) {
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
