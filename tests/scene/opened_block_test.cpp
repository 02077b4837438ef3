// The Block page of another program's model: for every family its stages add up to the golden hidden states,
// layer by layer, as results, quantities and tables have them; and what is kept is not computed again.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "io/files.h"
#include "models/opened_model.h"
#include "pages/block/encoder_decoder.h"
#include "pages/block/opened.h"
#include "pages/compute.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/model_folders.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "support/whole_model.h"

namespace headlight::scene {
namespace {

using nlohmann::json;
using tests::ReferenceData;

const ReferenceData& reference() {
  return ReferenceData::instance();
}

/// A family with its first variant on disk and its first text.
struct Family {
  std::string name, path;
  json text, expected;
  tests::Array hidden;
  double atol = 0, rtol = 0;
};

std::vector<Family> opened_families() {
  static const tests::ScratchFolder folder;
  std::vector<std::string> names = {"tiny-gpt2", "tiny-bert"};
  for (const std::string& one : reference().folders(reference().models() + "models"))
    names.push_back("models/" + one);
  std::vector<Family> out;
  for (const std::string& name : names) {
    const std::string root = reference().models() + name;
    if (!reference().bytes(root + "/manifest.json")) continue;
    const json manifest = reference().json(root + "/manifest.json"), variant = manifest["variants"][0];
    for (const json& one : manifest["cases"]) {
      const std::string set = variant["expected"];
      if (one["input_ids"][0].is_array() || !one["expected"].contains(set)) continue;
      if (one.contains("attention_mask") && one["attention_mask"].dump().find('0') != std::string::npos)
        continue;
      const json entry = one["expected"][set]["hidden_states"];
      out.push_back({name, tests::whole_model(name, variant["dir"], folder.path()).string(), one,
                     one["expected"][set], reference().array(root + "/" + entry["file"].get<std::string>()),
                     entry["tol_f32"]["atol"], entry["tol_f32"]["rtol"]});
      break;
    }
  }
  return out;
}

Scene block_scene(const Family& family, int layer) {
  Scene scene;
  EXPECT_TRUE(set_field(scene, "model=" + family.path));
  scene.page = Page::block;
  scene.token_ids = family.text["input_ids"].get<std::vector<int>>();
  scene.weights_layer = layer + 1;
  repair(scene);
  return scene;
}

std::vector<double> of_table(const char* name, const Scene& scene, const Results& results,
                             base::Parallel& parallel) {
  const MaybeNumbers numbers = numbers_of(*find_table(name), {scene, results, parallel});
  std::vector<double> out;
  if (numbers)
    std::visit([&](const auto& t) { out.assign(t.values.begin(), t.values.end()); }, numbers->tensor);
  return out;
}

double number(const std::string& text, const Scene& scene, const Results& results) {
  return quantity_value(*parse_quantity(text), {scene, results});
}

TEST(OpenedBlock, EveryFamilyAddsUpToTheGoldenHiddenStates) {
  base::Parallel parallel(1);
  int layers = 0;
  std::set<std::string> stages;
  for (const Family& family : opened_families()) {
    SCOPED_TRACE(family.name);
    const int L = family.hidden.dim(0) - 1, T = family.hidden.dim(1), D = family.hidden.dim(2);
    const auto golden = [&](int state, int t, int c) {
      return family.hidden.values[static_cast<std::size_t>((state * T + t) * D + c)];
    };
    for (int l = 0; l < L; ++l) {
      const Scene scene = block_scene(family, l);
      const auto results = compute_now(scene, parallel, nullptr);
      ASSERT_EQ(results->failure, "");
      const auto* block = results->own_as<OpenedBlock>();
      ASSERT_TRUE(block);
      ASSERT_EQ(block->problem, "");
      ASSERT_EQ(block->layer, l);
      ++layers;
      const auto exported = [&](BlockShown shown) {
        Scene requested = scene;
        requested.block.shown = shown;
        stages.insert(word(shown));
        return of_table("block_stage", requested, *results, parallel);
      };
      const std::vector<double> x = exported(BlockShown::x);
      ASSERT_EQ(x.size(), static_cast<std::size_t>(T * D));
      const bool sandwich = block->plan == nn::BlockPlan::sandwich, post = block->plan == nn::BlockPlan::post;
      const std::vector<double> attended =
                                    exported(sandwich ? BlockShown::norm_1_after : BlockShown::attention),
                                mlp =
                                    exported(sandwich ? BlockShown::norm_2_after : BlockShown::feed_forward),
                                a = post ? exported(BlockShown::norm_1) : std::vector<double>(),
                                y = exported(post ? BlockShown::norm_2 : BlockShown::sum_2),
                                sum = exported(BlockShown::sum_2);
      const bool last = l + 1 == L;
      const std::vector<double> end = last && block->final_norm ? exported(BlockShown::final_norm) : y;
      for (int t = 0; t < T; ++t) {
        for (int c = 0; c < D; ++c) {
          const auto i = static_cast<std::size_t>(t * D + c);
          const auto near = [&](double got, double wanted) {
            ASSERT_NEAR(got, wanted, family.atol + family.rtol * std::abs(wanted) + 1e-5);
          };
          near(x[i], golden(l, t, c));
          if (post)
            near(a[i] + mlp[i], sum[i]);
          else
            near(x[i] + attended[i] + mlp[i], y[i]);
          near(end[i], golden(l + 1, t, c));
        }
      }
      // The map and its door are those of the layer's attention.
      EXPECT_EQ(of_table("block_weights", scene, *results, parallel).size(),
                results->attention.weights.size());
      EXPECT_EQ(number("block_head_weight head=1 query=1 key=0", scene, *results),
                static_cast<double>(results->attention.weights.at(0, 1, 0)));
      // Every stage has its size, at each door the same.
      const std::vector<double> sizes = of_table("block_stages", scene, *results, parallel);
      ASSERT_EQ(sizes.size(), 3 * block->list.size());
      for (std::size_t s = 0; s < block->list.size(); ++s) {
        const OpenedStage& one = block->list[s];
        stages.insert(word(one.shown));
        const std::string at = std::string(" of=") + word(one.shown);
        EXPECT_EQ(number("block_stage_rms" + at, scene, *results), sizes[3 * s + 1]);
        EXPECT_EQ(number("block_stage_largest" + at, scene, *results), sizes[3 * s + 2]);
        EXPECT_FALSE(one.title.empty());
        EXPECT_FALSE(one.formula.empty());
      }
      // The stream through all layers, from the golden states.
      for (int state = 0; state <= L; ++state) {
        if (state == L && block->final_norm) continue;
        double norm = 0;
        for (int t = 0; t < T; ++t) {
          double squares = 0;
          for (int c = 0; c < D; ++c) squares += golden(state, t, c) * golden(state, t, c);
          norm += std::sqrt(squares) / T;
        }
        EXPECT_NEAR(number("stream_norm stage=" + std::to_string(state), scene, *results), norm,
                    1e-4 * (1 + norm));
      }
      EXPECT_EQ(block->stream.size(), static_cast<std::size_t>(L + (block->final_norm ? 2 : 1)));
    }
  }
  if (layers == 0) HEADLIGHT_LACKS("models");
  EXPECT_GT(stages.size(), 24u);
  std::printf("%d layers, %zu stages by name\n", layers, stages.size());
}

/// Where a layer gives wider tokens than it takes, the stream is projected on its way around attention.
TEST(OpenedBlock, AProjectedStreamIsAStageOfItsOwn) {
  const auto model = find_model_folder("use-lite");
  if (!model) GTEST_SKIP() << "use-lite is not at hand";
  Scene scene;
  ASSERT_TRUE(set_field(scene, "model=" + model->string()));
  scene.page = Page::block, scene.sentence = "the cat sat on the mat", scene.weights_layer = 1;
  repair(scene);
  base::Parallel parallel(1);
  const auto results = compute_now(scene, parallel, nullptr);
  const auto* block = results->own_as<OpenedBlock>();
  ASSERT_TRUE(block);
  ASSERT_EQ(block->problem, "");
  using S = nn::NetworkStage;
  const OpenedStage *around = block->find(S::bypass), *sum = block->find(S::sum_1);
  ASSERT_TRUE(around && sum);
  EXPECT_EQ(around->formula, "W_R x");
  EXPECT_EQ(sum->formula, "a = W_R x + attn(N₁ x)");
  const nn::Matrix &projected = block->stages.of(S::bypass), &attended = block->stages.of(S::attention),
                   &a = block->stages.of(S::sum_1);
  ASSERT_NE(block->stages.of(S::input).cols(), a.cols());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a.data()[i], projected.data()[i] + attended.data()[i], 1e-4f);
  // The layer after it has nothing to project.
  scene.weights_layer = 2;
  const auto next = compute_now(scene, parallel, nullptr);
  ASSERT_TRUE(next->own_as<OpenedBlock>());
  EXPECT_FALSE(next->own_as<OpenedBlock>()->find(S::bypass));
  EXPECT_EQ(next->own_as<OpenedBlock>()->find(S::sum_1)->formula, "a = x + attn(N₁ x)");
}

TEST(OpenedBlock, AnotherLayerOfTheSameTextComesFromTheKeptStream) {
  base::Parallel parallel(1);
  const std::vector<Family> families = opened_families();
  if (families.empty()) HEADLIGHT_LACKS("models");
  const Family& family = families.front();
  const auto first = compute_now(block_scene(family, 0), parallel, nullptr);
  const auto second = compute_now(block_scene(family, 1), parallel, nullptr);
  const auto* kept = second->own_as<OpenedBlock>();
  forget_opened();
  const auto fresh = compute_now(block_scene(family, 1), parallel, nullptr);
  const auto* whole = fresh->own_as<OpenedBlock>();
  ASSERT_EQ(kept->list.size(), whole->list.size());
  for (std::size_t i = 0; i < kept->list.size(); ++i) {
    const auto a = kept->values(kept->list[i]).values(), b = whole->values(whole->list[i]).values();
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << kept->list[i].title;
  }
  // Layer 1 alone has the embedding's steps, the last one what follows.
  EXPECT_TRUE(first->own_as<OpenedBlock>()->find(BlockShown::embedding));
  EXPECT_FALSE(kept->find(BlockShown::embedding));
}

TEST(OpenedBlock, IsGivenUpAndWithoutTokensEmpty) {
  base::Parallel parallel(1);
  const std::vector<Family> families = opened_families();
  if (families.empty()) HEADLIGHT_LACKS("models");
  forget_opened();
  int calls = 0;
  EXPECT_FALSE(compute_now(block_scene(families.front(), 0), parallel, [&](float) { return ++calls < 4; }));
  Scene empty = block_scene(families.front(), 0);
  empty.token_ids.clear(), empty.sentence.clear();
  const auto results = compute_now(empty, parallel, nullptr);
  EXPECT_TRUE(results->tokens.empty());
  const auto* block = results->own_as<OpenedBlock>();
  EXPECT_TRUE(!block || block->list.empty());
}

TEST(OpenedBlock, TheEncoderDecoderIsItsOwnModel) {
  base::Parallel parallel(1);
  const std::vector<Family> families = opened_families();
  if (families.empty()) HEADLIGHT_LACKS("models");
  Scene scene = block_scene(families.front(), 0);
  scene.block.model = BlockModel::encoder_decoder;
  scene.encoder_decoder.training = 0;
  const auto results = compute_now(scene, parallel, nullptr);
  EXPECT_TRUE(results->own_as<EncoderDecoderResults>());
  EXPECT_FALSE(results->own_as<OpenedBlock>());
}

}  // namespace
}  // namespace headlight::scene
