// Models of other programs: attention, small pictures, predictions and the logit lens equal the golden
// numbers of the reference data, layer by layer, and the opened cell multiplies out to them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "models/opened_model.h"
#include "network/network.h"
#include "nn/explain.h"
#include "nn/head_roles.h"
#include "opened_families.h"
#include "pages/compute.h"
#include "pages/model/atlas.h"
#include "pages/opened_attention.h"

namespace headlight::scene::other_model_test {
namespace {

using nlohmann::json;
using tests::families;
using tests::manifest;
using tests::path_of;
using tests::ReferenceData;
using tests::scene_with;

const ReferenceData& data() {
  return ReferenceData::instance();
}

std::vector<int> results_ids(const Results& results) {
  std::vector<int> ids;
  for (const nn::Token& token : results.tokens) ids.push_back(token.piece);
  return ids;
}

/// The steps that the opened cell shows, one after the other.
double weight_by_steps(const nn::CellTrace& cell) {
  if (!cell.allowed) return 0;
  double score = 0;
  for (const double product : cell.products) score += product;
  score /= cell.divisor;
  if (cell.cap > 0) score = cell.cap * std::tanh(score / cell.cap);
  score += cell.add;
  return std::exp(score - cell.row_max) / cell.row_sum;
}

/// check(family, variant, set of expected arrays, case) for every case of one short sentence without padding.
template <class Check>
void for_each_case(Check&& check) {
  for (const std::string& family : families()) {
    const json all = manifest(family), variant = all["variants"][0];
    const std::string set = variant["expected"];
    for (const json& one : all["cases"]) {
      if (one["input_ids"][0].is_array() || one["input_ids"].size() > 24 || !one["expected"].contains(set))
        continue;
      if (one.contains("attention_mask") && one["attention_mask"].dump().find('0') != std::string::npos)
        continue;
      SCOPED_TRACE(family + " " + one["id"].get<std::string>());
      check(family, variant, set, one);
    }
  }
}

TEST(OtherModel, TheAttentionOfEveryFamilyIsThatOfTheReference) {
  base::Parallel parallel(1);
  int compared = 0;
  double worst = 0;
  for_each_case([&](const std::string& family, const json& variant, const std::string& set, const json& one) {
    const json entry = one["expected"][set]["attentions"];
    const tests::Array golden =
        data().array(data().models() + family + "/" + entry["file"].get<std::string>());
    const double atol = entry["tol_f32"]["atol"], rtol = entry["tol_f32"]["rtol"];
    Scene scene = scene_with(path_of(family, variant), one["input_ids"]);
    const auto other = shown_other_model(scene);
    ASSERT_TRUE(other);
    const int L = golden.dim(0), H = golden.dim(1), T = golden.dim(2);
    ASSERT_EQ(layers_of(*other), L);
    for (int l = 0; l < L; ++l) {
      scene.weights_layer = l + 1;
      const auto results = compute_now(scene, parallel, nullptr);
      ASSERT_EQ(results->failure, "");
      ASSERT_TRUE(results->opened);
      EXPECT_EQ(results->opened->layer, l);
      const nn::AttentionTrace& trace = results->attention;
      ASSERT_EQ(trace.heads, H);
      ASSERT_EQ(trace.T, T);
      const nn::Matrix scores = nn::attention_scores(trace, results->options.pairs, parallel);
      for (int h = 0; h < H; ++h) {
        for (int i = 0; i < T; ++i) {
          for (int j = 0; j < T; ++j) {
            const double wanted = golden.values[static_cast<std::size_t>(((l * H + h) * T + i) * T + j)];
            const double tolerance = atol + rtol * std::abs(wanted);
            const auto shown = static_cast<double>(trace.weights.at(h, i, j));
            worst = std::max(worst, std::abs(shown - wanted) / tolerance);
            ASSERT_NEAR(shown, wanted, tolerance);
            const nn::CellTrace cell = nn::explain_cell(trace, results->options, h, i, j);
            ASSERT_NEAR(cell.weight, wanted, tolerance);
            ASSERT_NEAR(static_cast<double>(scores.at(h, i, j)), cell.score,
                        1e-4 * (1 + std::abs(cell.score)));
            ASSERT_NEAR(weight_by_steps(cell), wanted, tolerance);
            ++compared;
          }
        }
        // Head-by-head context is Σ weight · v, and the entropy that of the golden rows.
        const nn::CellTrace cell = nn::explain_cell(trace, results->options, h, T - 1, 0);
        for (int c = 0; c < trace.d_v; ++c)
          ASSERT_NEAR(cell.context[static_cast<std::size_t>(c)],
                      static_cast<double>(trace.context.at(T - 1, h * trace.d_v + c)), 1e-4);
        double bits = 0;
        for (int i = 0; i < T; ++i) {
          for (int j = 0; j < T; ++j) {
            const double p = golden.values[static_cast<std::size_t>(((l * H + h) * T + i) * T + j)];
            if (p > 0) bits -= p * std::log2(p) / T;
          }
        }
        EXPECT_NEAR(results->heads[static_cast<std::size_t>(h)].entropy_bits, bits, 1e-3);
      }
    }
  });
  EXPECT_GT(compared, 1000);
  std::printf("%d weights, at most %.0f %% of a tolerance\n", compared, 100 * worst);
}

/// What is held beside the file grows by what a page shows, and is gone with the model; the weights are no
/// part.
TEST(OtherModel, MemoryBesideTheFileIsThatOfWhatIsShown) {
  base::Parallel parallel(1);
  const json all = manifest("models/llama"), variant = all["variants"][0], one = all["cases"][0];
  Scene scene = scene_with(path_of("models/llama", variant), one["input_ids"]);
  forget_opened();
  const auto attention = compute_now(scene, parallel, nullptr);
  ASSERT_EQ(attention->failure, "");
  const double first = opened_bytes(*attention);
  const nn::AttentionTrace& trace = attention->attention;
  const std::size_t T = one["input_ids"].size(), H = static_cast<std::size_t>(trace.heads),
                    maps = trace.weights.size() + trace.scores.size();
  EXPECT_EQ(trace.weights.size(), H * T * T);
  // The attention, and the layer that is kept with what it was computed from.
  EXPECT_GE(first, 2.0 * 4 * static_cast<double>(maps));
  EXPECT_LT(first, 3.0 * 4 *
                       static_cast<double>(maps + 2 * T * T +
                                           8 * T * static_cast<std::size_t>(trace.heads * trace.d_k) +
                                           8 * T * static_cast<std::size_t>(attention->x.cols())));
  scene.page = Page::model;
  const auto model = compute_now(scene, parallel, nullptr);
  ASSERT_TRUE(model->own);
  EXPECT_GE(model->own->bytes(), 4.0 * static_cast<double>(2 * H * T * T)) << "every head of two layers";
  EXPECT_GT(opened_bytes(*model), first + model->own->bytes()) << "and the hidden states";
  scene.page = Page::block;
  const auto block = compute_now(scene, parallel, nullptr);
  ASSERT_TRUE(block->own);
  EXPECT_GT(block->own->bytes(), 4.0 * static_cast<double>(T * static_cast<std::size_t>(block->x.cols())));
  forget_opened();
  EXPECT_LT(opened_bytes(*attention), first) << "of the picture alone, which is still there";
}

/// The Model page has every head of every layer at once: its small pictures are the golden weights, and its
/// measures those of the golden weights.
TEST(OtherModel, TheAtlasOfEveryFamilyIsThatOfTheReference) {
  base::Parallel parallel(2);
  int compared = 0;
  for_each_case([&](const std::string& family, const json& variant, const std::string& set, const json& one) {
    const json entry = one["expected"][set]["attentions"];
    const tests::Array golden =
        data().array(data().models() + family + "/" + entry["file"].get<std::string>());
    const double tolerance = entry["tol_f32"]["atol"].get<double>() + entry["tol_f32"]["rtol"].get<double>();
    Scene scene = scene_with(path_of(family, variant), one["input_ids"]);
    scene.page = Page::model;
    const auto results = compute_now(scene, parallel, nullptr);
    const auto* own = results->own_as<AtlasResults>();
    ASSERT_TRUE(own);
    ASSERT_EQ(own->problem, "");
    const Atlas& atlas = *own->atlas;
    const int L = golden.dim(0), H = golden.dim(1), T = golden.dim(2);
    ASSERT_EQ(atlas.layers(), L);
    ASSERT_EQ(atlas.tiles.side, T) << "so short a text has a pixel for each weight";
    std::vector<int> ids;
    for (const nn::Token& token : results->tokens) ids.push_back(token.id);
    for (int l = 0; l < L; ++l) {
      ASSERT_EQ(atlas.heads(l), H);
      for (int h = 0; h < H; ++h) {
        const float* pixels = atlas.tiles.tile(l, h);
        const std::size_t size = static_cast<std::size_t>(T) * static_cast<std::size_t>(T),
                          at = static_cast<std::size_t>(l * H + h) * size;
        const std::vector<double> wanted(golden.values.begin() + static_cast<std::ptrdiff_t>(at),
                                         golden.values.begin() + static_cast<std::ptrdiff_t>(at + size));
        double bits = 0;
        for (std::size_t i = 0; i < size; ++i) {
          ASSERT_NEAR(static_cast<double>(pixels[i]), wanted[i], tolerance);
          if (wanted[i] > 0) bits -= wanted[i] * std::log2(wanted[i]) / T;
          ++compared;
        }
        const nn::HeadRoles roles = nn::head_roles(wanted, ids);
        const HeadMeasure& measure = atlas.of({l, h});
        const auto same = [&](double a, double b, const char* name) {
          EXPECT_EQ(std::isnan(a), std::isnan(b)) << name;
          if (!std::isnan(b)) {
            EXPECT_NEAR(a, b, T * tolerance) << name;
          }
        };
        same(measure.score(ModelScore::previous), roles.previous, "previous");
        same(measure.score(ModelScore::first), roles.first, "first");
        same(measure.score(ModelScore::itself), roles.diagonal, "itself");
        same(measure.score(ModelScore::same_token), roles.same_token, "same token");
        same(measure.score(ModelScore::induction), roles.induction, "induction");
        EXPECT_NEAR(measure.score(ModelScore::entropy), bits, 1e-3);
      }
    }
  });
  EXPECT_GT(compared, 1000);
}

/// What comes next, from the golden logits in double: the ten, the token that follows, its rank and loss, at
/// any temperature; and the logit lens ends at the prediction.
TEST(OtherModel, PredictionsOfEveryFamilyAreThoseOfTheReference) {
  base::Parallel parallel(2);
  int causal = 0, masked = 0, silent = 0;
  for_each_case([&](const std::string& family, const json& variant, const std::string& set, const json& one) {
    const std::vector<int> ids = one["input_ids"];
    const int T = static_cast<int>(ids.size());
    Scene scene = scene_with(path_of(family, variant), ids);
    scene.page = Page::model, scene.query = {T / 2}, scene.model.temperature = 0.7;
    const auto results = compute_now(scene, parallel, nullptr);
    const Predictions& p = results->own_as<AtlasResults>()->predictions;
    const json& expected = one["expected"][set];
    const char* const logits = expected.contains("mlm_logits") ? "mlm_logits" : "logits";
    if (!expected.contains(logits)) {
      EXPECT_NE(p.none, "");
      ++silent;
      return;
    }
    ASSERT_EQ(p.none, "");
    const json entry = expected[logits];
    const tests::Array golden =
        data().array(data().models() + family + "/" + entry["file"].get<std::string>());
    const int V = golden.dim(golden.rank() - 1);
    ASSERT_EQ(p.vocabulary, V);
    const auto softmax_at = [&](int t) {
      std::vector<double> row(golden.values.begin() + static_cast<std::ptrdiff_t>(t) * V,
                              golden.values.begin() + static_cast<std::ptrdiff_t>(t + 1) * V);
      const double most = *std::max_element(row.begin(), row.end());
      double sum = 0;
      for (double& x : row) x = std::exp((x - most) / 0.7), sum += x;
      for (double& x : row) x /= sum;
      return row;
    };
    const std::vector<double> at = softmax_at(T / 2);
    std::vector<double> sorted = at;
    std::sort(sorted.rbegin(), sorted.rend());
    EXPECT_EQ(p.position, T / 2);
    ASSERT_EQ(p.top.size(), static_cast<std::size_t>(most_predicted));
    for (std::size_t rank = 0; rank < p.top.size(); ++rank) {
      EXPECT_NEAR(p.top[rank].probability, sorted[rank], 2e-3);
      EXPECT_NEAR(p.top[rank].probability, at[static_cast<std::size_t>(p.top[rank].id)], 2e-3);
    }
    ASSERT_EQ(p.lens.size(), static_cast<std::size_t>(results->opened->layers) + 1);
    EXPECT_EQ(p.lens.back().top.front().id, p.top.front().id);
    EXPECT_EQ(p.lens.back().top.front().probability, p.top.front().probability);
    if (!p.causal) {
      ++masked;
      EXPECT_TRUE(p.followers.empty());
      return;
    }
    ++causal;
    ASSERT_EQ(p.followers.size(), static_cast<std::size_t>(T - 1));
    for (const nn::Follower& f : p.followers) {
      EXPECT_EQ(f.next, ids[static_cast<std::size_t>(f.position) + 1]);
      const double wanted = softmax_at(f.position)[static_cast<std::size_t>(f.next)];
      EXPECT_NEAR(f.probability, wanted, 2e-3);
      EXPECT_NEAR(f.loss, -std::log(wanted), 2e-2);
    }
  });
  EXPECT_GT(causal, 5);
  EXPECT_GT(masked, 0);
  std::printf("%d causal, %d masked, %d without a head\n", causal, masked, silent);
}

/// The lens by another way: the hidden states of a pass, and the same network cut off after each layer.
TEST(OtherModel, TheLogitLensIsTheNetworkCutOff) {
  base::Parallel parallel(1);
  for (const char* family : {"tiny-gpt2", "models/llama", "models/gemma2", "models/opt"}) {
    SCOPED_TRACE(family);
    const json all = manifest(family), one = all["cases"][0];
    if (one["input_ids"][0].is_array()) continue;
    const std::vector<int> ids = one["input_ids"];
    Scene scene = scene_with(path_of(family, all["variants"][0]), ids);
    scene.page = Page::model, scene.query = {0};
    const auto other = shown_other_model(scene);
    ASSERT_TRUE(other);
    const auto results = compute_now(scene, parallel, nullptr);
    const Predictions& p = results->own_as<AtlasResults>()->predictions;
    ASSERT_EQ(p.none, "");
    for (int layers = 0; layers <= layers_of(*other); ++layers) {
      nn::Network network = other->model->network;
      nn::NetworkWeights weights = other->model->weights;
      network.layers.resize(static_cast<std::size_t>(layers)),
          weights.layers.resize(static_cast<std::size_t>(layers));
      nn::NetworkTrace pass;
      ASSERT_TRUE(nn::network_forward(network, weights, {.ids = results_ids(*results)}, parallel, pass));
      const auto top = nn::ranking(pass.logits.row(0), 0, 1);
      ASSERT_TRUE(top);
      EXPECT_EQ(p.lens[static_cast<std::size_t>(layers)].top[0].id, top->top[0].id) << layers;
      EXPECT_NEAR(p.lens[static_cast<std::size_t>(layers)].top[0].probability, top->top[0].probability, 1e-6)
          << layers;
      const auto next = nn::follower(pass.logits.row(0), 0, results_ids(*results)[1]);
      const auto& truth = p.lens[static_cast<std::size_t>(layers)].truth;
      ASSERT_TRUE(next && truth);
      EXPECT_EQ(truth->rank, next->rank) << layers;
      EXPECT_NEAR(truth->probability, next->probability, 1e-6) << layers;
      EXPECT_NEAR(truth->loss, next->loss, 1e-4) << layers;
    }
  }
}

/// The stages of every family in words that the page needs: scale, soft cap, window, grouped queries, RoPE.
TEST(OtherModel, WhatTheLayerDoesIsSaid) {
  base::Parallel parallel(1);
  const auto opened = [&](const char* family) {
    const json all = manifest(family), one = all["cases"][0];
    return compute_now(scene_with(path_of(family, all["variants"][0]), one["input_ids"]), parallel, nullptr)
        ->opened;
  };
  const auto llama = opened("models/llama"), gemma = opened("models/gemma2"), neo = opened("models/gpt_neo"),
             bert = opened("tiny-bert"), qwen = opened("models/qwen3");
  EXPECT_GT(llama->rotary, 0);
  EXPECT_LT(llama->kv_heads, manifest("models/llama")["config"]["num_attention_heads"].get<int>());
  EXPECT_GT(gemma->cap, 0);
  EXPECT_GT(gemma->window, 0) << "layer 0 of Gemma 2 has the window";
  EXPECT_EQ(neo->scale, 1);
  EXPECT_FALSE(bert->causal);
  EXPECT_TRUE(bert->bias);
  EXPECT_TRUE(qwen->qk_norm);
}

}  // namespace
}  // namespace headlight::scene::other_model_test
