// Heads switched off or scaled: what the page says of the predictions then, against the double-precision twin
// whose rows of W_O are multiplied, and against networks whose W_O in the file is another one.
#include "pages/model/heads_off.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "model_page.h"
#include "models/opened_model.h"
#include "network/network.h"
#include "pages/compute.h"
#include "pages/model/atlas.h"
#include "pages/model/changed_run.h"
#include "pages/quantities.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/reference_data.h"
#include "support/reference_model.h"
#include "support/scratch_folder.h"
#include "support/whole_model.h"

namespace headlight::scene::heads_off_test {
namespace {

using tests::ModelPage;
using tests::on_model_page;

using nlohmann::json;
using tests::ReferenceData;

double probability(const double* logits, int V, int id, double temperature) {
  double most = logits[0], sum = 0;
  for (int v = 0; v < V; ++v) most = std::max(most, logits[v]);
  for (int v = 0; v < V; ++v) sum += std::exp((logits[v] - most) / temperature);
  return std::exp((logits[id] - most) / temperature) / sum;
}

TEST(HeadsOff, TheTextIsReadAndWritten) {
  const std::vector<int> heads{4, 4, 2};
  const auto read = heads_off(" 2.4, 3.1:0.5\t2.4:2 1.1:1", heads);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, (std::vector<nn::HeadFactor>{{1, 3, 2}, {2, 0, 0.5}})) << "the last word of a head counts";
  EXPECT_TRUE(heads_off("", heads)->empty());
  EXPECT_EQ(with_head_factor("", 2, 4, 0), "2.4");
  EXPECT_EQ(with_head_factor("2.4 3.1:0.5", 2, 4, 1), "3.1:0.5");
  EXPECT_EQ(with_head_factor("2.4 3.1:0.5", 2, 4, 1.5), "3.1:0.5 2.4:1.5");
  EXPECT_EQ(head_factor("2.4 3.1:0.5", 3, 1), 0.5);
  EXPECT_EQ(head_factor("2.4 3.1:0.5", 2, 4), 0);
  EXPECT_EQ(head_factor("2.4 3.1:0.5", 1, 1), 1);
  const auto why = [&](const char* text) {
    const auto wrong = heads_off(text, heads);
    EXPECT_FALSE(wrong) << text;
    return wrong ? std::string() : wrong.error();
  };
  for (const char* text :
       {"x", "2", "2.", ".4", "2.4:", "2.4:x", "0.1", "2.-1", "2.4:nan", "2.4:inf", "2.4.1", "99999999999.1"})
    EXPECT_NE(why(text).find("is not a head; write layer.head"), std::string::npos) << text;
  EXPECT_EQ(why("4.1"), "model_off 4.1: there are 3 layers, 1 to 3");
  EXPECT_EQ(why("3.3"), "model_off 3.3: in layer 3 there are 2 heads, 1 to 2");
  EXPECT_NE(why("2.4:2.5").find("out of range; expected 0 to 2"), std::string::npos);
}

/// Headlight's own models: probabilities, losses and their changes are those of the twin in double precision.
TEST(HeadsOff, PredictionsAreThoseOfTheTwinWithOtherRowsOfWO) {
  const auto model = *model_at("");
  const nn::ModelConfig& config = model->config;
  const int V = config.vocabulary, d = config.d_model / config.heads;
  for (const std::string& off : {std::string("1.1"), std::string("2.3"), std::string("1.2 2.1:0.5 2.4:2")}) {
    SCOPED_TRACE(off);
    const ModelPage c =
        on_model_page({"weights=trained", "query=3", "model_temperature=0.8", "model_off=" + off});
    const Predictions& p = c.predictions();
    ASSERT_EQ(p.none, "");
    ASSERT_TRUE(p.changed) << p.change_problem;
    nn::Batch batch;
    batch.B = 1, batch.T = static_cast<int>(c.results->tokens.size());
    for (const nn::Token& token : c.results->tokens) batch.tokens.push_back(token.piece);
    nn::ModelWeightsF64 twin = nn::widened(model->weights);
    nn::MatrixF64 before, after;
    nn::model_f64(config, twin, batch, &before, nullptr);
    const std::vector<nn::HeadFactor> factors = *heads_off(off, heads_of_layers(*model));
    for (const nn::HeadFactor& one : factors) {
      nn::MatrixF64& w_o = twin.layers[static_cast<std::size_t>(one.layer)].attention.w_o;
      for (int row = one.head * d; row < (one.head + 1) * d; ++row) {
        for (double& value : w_o.row(row)) value *= one.factor;
      }
    }
    nn::model_f64(config, twin, batch, &after, nullptr);
    double moved = 0;
    for (std::size_t i = 0; i < p.top.size(); ++i) {
      const std::string rank = " rank=" + std::to_string(i + 1);
      const double was = probability(before.row(3).data(), V, p.top[i].id, 0.8),
                   is = probability(after.row(3).data(), V, p.top[i].id, 0.8);
      EXPECT_NEAR(c.number("model_next_probability" + rank), was, 2e-5);
      EXPECT_NEAR(c.number("model_after_probability" + rank), is, 2e-5);
      EXPECT_NEAR(c.number("model_after_change" + rank), is - was, 4e-5);
      EXPECT_NEAR(c.number("model_after_top" + rank),
                  probability(after.row(3).data(), V, p.changed->top[i].id, 0.8), 2e-5);
      moved = std::max(moved, std::abs(is - was));
    }
    EXPECT_GT(moved, 1e-3) << "the heads do something here";
    double sum = 0;
    for (int t = 0; t + 1 < batch.T; ++t) {
      const int next = batch.tokens[static_cast<std::size_t>(t) + 1];
      const double was = -std::log(probability(before.row(t).data(), V, next, 0.8)),
                   is = -std::log(probability(after.row(t).data(), V, next, 0.8));
      const std::string at = " query=" + std::to_string(t);
      EXPECT_NEAR(c.number("model_loss" + at), was, 2e-4);
      EXPECT_NEAR(c.number("model_after_loss" + at), is, 2e-4);
      EXPECT_NEAR(c.number("model_after_loss_change" + at), is - was, 4e-4);
      sum += is / (batch.T - 1);
    }
    EXPECT_NEAR(c.number("model_after_mean_loss"), sum, 2e-4);
    EXPECT_NEAR(c.number("model_after_mean_loss_change"), sum - c.number("model_mean_loss"), 2e-4);
  }
}

TEST(HeadsOff, NothingChangesWhereNoHeadDoes) {
  for (const char* off : {"", "1.1:1"}) {
    const ModelPage c = on_model_page({"weights=trained", std::string("model_off=") + off});
    EXPECT_FALSE(c.predictions().changed);
    EXPECT_EQ(c.number("model_off_heads"), 0);
    EXPECT_TRUE(std::isnan(c.number("model_after_mean_loss")));
  }
  const ModelPage wrong = on_model_page({"weights=trained", "model_off=7.1"});
  EXPECT_EQ(wrong.predictions().none, "") << "the model still predicts";
  EXPECT_EQ(wrong.predictions().change_problem, "model_off 7.1: there are 2 layers, 1 to 2");
}

/// Numbers in memory as the weights of a network.
class Memory : public nn::WeightBytes {
 public:
  explicit Memory(nn::Matrix values) : values_(std::move(values)) {}
  base::Status read(std::uint64_t begin, std::size_t bytes, std::byte* to) const override {
    std::memcpy(to, reinterpret_cast<const std::byte*>(values_.data()) + begin, bytes);
    return {};
  }
  const std::string& name() const override { return name_; }

 private:
  nn::Matrix values_;
  std::string name_ = "memory";
};

/// The opened model with other columns of W_O: nothing of the code under test is used for it.
nn::NetworkWeights with_other_w_o(const models::OpenedModel& model,
                                  const std::vector<nn::HeadFactor>& factors) {
  nn::NetworkWeights out = model.weights;
  for (const nn::HeadFactor& one : factors) {
    nn::TensorRef& w = out.layers[static_cast<std::size_t>(one.layer)].o.w;
    nn::Matrix values(w.rows, w.cols);
    if (w.col_step == 1) {
      EXPECT_TRUE(nn::read_rows(w, 0, w.rows, values.data()));
    } else {
      nn::Matrix columns(w.cols, w.rows);
      EXPECT_TRUE(nn::read_columns(w, 0, w.cols, columns.data()));
      for (int r = 0; r < w.rows; ++r) {
        for (int c = 0; c < w.cols; ++c) values.at(r, c) = columns.at(c, r);
      }
    }
    const int d = model.network.layers[static_cast<std::size_t>(one.layer)].head_dim;
    for (int r = 0; r < w.rows; ++r) {
      for (int c = one.head * d; c < (one.head + 1) * d; ++c)
        values.at(r, c) *= static_cast<float>(one.factor);
    }
    const int rows = w.rows, cols = w.cols;
    w = {};
    w.bytes = std::make_shared<const Memory>(std::move(values)), w.name = "w_o";
    w.rows = rows, w.cols = cols, w.row_step = cols, w.col_step = 1;
  }
  return out;
}

TEST(HeadsOff, AModelOfEveryFamilyPredictsAsIfItsFileHadAnotherWO) {
  const ReferenceData& data = ReferenceData::instance();
  const tests::ScratchFolder folder;
  std::vector<std::string> families = {"tiny-gpt2", "tiny-bert"};
  for (const std::string& one : data.folders(data.models() + "models")) families.push_back("models/" + one);
  base::Parallel parallel(2);
  int causal = 0, masked = 0;
  for (const std::string& family : families) {
    if (!data.bytes(data.models() + family + "/manifest.json")) continue;
    SCOPED_TRACE(family);
    const json manifest = data.json(data.models() + family + "/manifest.json");
    json one;
    for (const json& each : manifest["cases"]) {
      if (one.is_null() && !each["input_ids"][0].is_array() && each["input_ids"].size() >= 3 &&
          each["input_ids"].size() <= 24)
        one = each;
    }
    if (one.is_null()) continue;
    const std::vector<int> ids = one["input_ids"];
    const int T = static_cast<int>(ids.size());
    Scene scene;
    const std::string path =
        tests::whole_model(family, manifest["variants"][0]["dir"], folder.path()).string();
    ASSERT_TRUE(set_field(scene, "model=" + path));
    scene.token_ids = ids, scene.page = Page::model, scene.query = {T / 2};
    repair(scene);
    const auto other = shown_other_model(scene);
    ASSERT_TRUE(other);
    const std::vector<int> heads = heads_of_layers(*other);
    const int last = static_cast<int>(heads.size());
    scene.model.off = "1.1 " + std::to_string(last) + "." + std::to_string(heads.back()) + ":0.5";
    const ModelPage c = on_model_page(scene);
    const Predictions& p = c.predictions();
    if (!p.none.empty()) continue;  // no head over a vocabulary
    ASSERT_TRUE(p.changed) << p.change_problem;
    nn::NetworkTrace trace;
    ASSERT_TRUE(nn::network_forward(other->model->network,
                                    with_other_w_o(*other->model, *heads_off(scene.model.off, heads)),
                                    {.ids = ids}, parallel, trace));
    const auto wanted = [&](int t, int id) {
      std::vector<double> row;
      for (const float logit : trace.logits.row(t)) row.push_back(static_cast<double>(logit));
      return probability(row.data(), trace.logits.cols(), id, 1);
    };
    for (std::size_t i = 0; i < p.top.size(); ++i)
      EXPECT_NEAR(c.number("model_after_probability rank=" + std::to_string(i + 1)),
                  wanted(T / 2, p.top[i].id), 1e-5);
    if (other->model->network.causal) {
      ++causal;
      for (int t = 0; t + 1 < T; ++t)
        EXPECT_NEAR(c.number("model_after_loss query=" + std::to_string(t)),
                    -std::log(wanted(t, ids[static_cast<std::size_t>(t) + 1])), 1e-3);
    } else {
      ++masked;
    }
    // With a cache, token by token, the same.
    if (!nn::has_steps(other->model->network)) continue;
    nn::NetworkCache cache;
    cache.factors = *heads_off(scene.model.off, heads);
    nn::NetworkTrace step;
    for (int t = 0; t < T; ++t) {
      ASSERT_TRUE(nn::network_step(other->model->network, other->model->weights,
                                   std::span(ids).subspan(static_cast<std::size_t>(t), 1), parallel, cache,
                                   step));
      for (int v = 0; v < step.logits.cols(); ++v)
        ASSERT_NEAR(step.logits.at(0, v), trace.logits.at(t, v),
                    2e-3f + 1e-4f * std::abs(trace.logits.at(t, v)))
            << t;
    }
  }
  EXPECT_GT(causal, 3);
  EXPECT_GT(masked, 0);
}

/// top-k and top-p: what can be drawn, with which probability, and what is cut.
TEST(HeadsOff, WhatCanBeDrawnIsThatOfTheCutDistribution) {
  const ModelPage whole = on_model_page({"weights=trained", "query=2"});
  EXPECT_EQ(whole.number("model_drawn_tokens"), whole.predictions().vocabulary);
  EXPECT_NEAR(whole.number("model_drawn_kept"), 1, 1e-12);
  EXPECT_DOUBLE_EQ(whole.number("model_drawn_probability rank=2"),
                   whole.number("model_next_probability rank=2"));
  const ModelPage cut = on_model_page({"weights=trained", "query=2", "model_top_k=3"});
  EXPECT_EQ(cut.number("model_drawn_tokens"), 3);
  double kept = 0;
  for (int rank = 1; rank <= 3; ++rank)
    kept += whole.number("model_next_probability rank=" + std::to_string(rank));
  EXPECT_NEAR(cut.number("model_drawn_kept"), kept, 1e-12);
  EXPECT_NEAR(cut.number("model_drawn_probability"), whole.number("model_next_probability") / kept, 1e-12);
  EXPECT_EQ(cut.number("model_drawn_probability rank=4"), 0);
  EXPECT_EQ(cut.number("model_next_probability rank=4"), whole.number("model_next_probability rank=4"));
  // Of the changed model where heads are off.
  const ModelPage off = on_model_page({"weights=trained", "query=2", "model_top_k=2", "model_off=1.1"});
  const double two = off.number("model_after_top") + off.number("model_after_top rank=2");
  EXPECT_NEAR(off.number("model_drawn_probability rank=2"), off.number("model_after_top rank=2") / two,
              1e-12);
}

/// Every mask token of a masked model has its most probable tokens.
TEST(HeadsOff, EveryMaskHasItsTokens) {
  const ReferenceData& data = ReferenceData::instance();
  const tests::ScratchFolder folder;
  const json manifest = data.json(data.models() + "tiny-bert/manifest.json");
  Scene scene;
  ASSERT_TRUE(set_field(
      scene,
      "model=" + tests::whole_model("tiny-bert", manifest["variants"][0]["dir"], folder.path()).string()));
  scene.sentence = "the [MASK] sat on the [MASK]", scene.page = Page::model, scene.query = {0};
  repair(scene);
  const auto other = shown_other_model(scene);
  ASSERT_TRUE(other);
  if (!mask_token(*other)) GTEST_SKIP() << "this tokenizer has no mask";
  const ModelPage c = on_model_page(scene);
  const Predictions& p = c.predictions();
  ASSERT_EQ(p.none, "");
  ASSERT_EQ(p.masks.size(), 2u);
  for (std::size_t m = 0; m < p.masks.size(); ++m) {
    EXPECT_EQ(c.results->tokens[static_cast<std::size_t>(p.masks[m].position)].piece, *mask_token(*other));
    Scene there = scene;
    there.query = {p.masks[m].position};
    const ModelPage pinned_there = on_model_page(there);
    for (int rank = 1; rank <= 3; ++rank) {
      const std::string at = " rank=" + std::to_string(rank);
      EXPECT_EQ(c.number("model_mask_probability mask=" + std::to_string(m + 1) + at),
                pinned_there.number("model_next_probability" + at));
    }
  }
}

}  // namespace
}  // namespace headlight::scene::heads_off_test
