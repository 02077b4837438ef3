// Compare and Cost of other people’s models, and what the scene changes of a layer: against the golden
// attention of the reference data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/opened_model.h"
#include "network/network.h"
#include "nn/explain.h"
#include "nn/head_roles.h"
#include "opened_families.h"
#include "pages/compare/compare.h"
#include "pages/compute.h"
#include "pages/cost/cost.h"
#include "pages/opened_attention.h"
#include "scene/other_model.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {
namespace {

using nlohmann::json;
using std::size_t;
using tests::at;
using tests::each_family;

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

}  // namespace
}  // namespace headlight::scene
