// The attention on show beside a saved run: the differences that were put into it come back with their
// places, and so does the first layer that rounding does not explain; what cannot be compared is one line.
#include "pages/model/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "dumps/comparison.h"
#include "dumps/saved.h"
#include "models/opened_model.h"
#include "network/network.h"
#include "pages/compute.h"
#include "pages/model/atlas.h"
#include "pages/quantities.h"
#include "scene/model_file.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "support/whole_model.h"

namespace headlight::scene {
namespace {

using nlohmann::json;
using tests::ReferenceData;

class CheckTest : public testing::Test {
 protected:
  std::string write(const std::vector<int>& shape, const std::vector<double>& values,
                    const std::string& name) {
    std::ofstream(folder_ / name, std::ios::binary)
        << tests::npy_of(shape, std::vector<float>(values.begin(), values.end()));
    return (folder_ / name).string();
  }
  std::shared_ptr<Results> compared(Scene scene, const std::string& beside) {
    scene.page = Page::model, scene.model.beside = beside;
    repair(scene);
    scene_ = scene;
    return compute_now(scene, parallel_, nullptr);
  }
  static const Check& check_of(const Results& results) {
    const auto* own = results.own_as<AtlasResults>();
    EXPECT_TRUE(own && own->check);
    return *own->check;
  }
  double value(const std::string& name, const Results& results) const {
    return read_quantity(name, {scene_, results, nullptr, nullptr}).value;
  }

  tests::ScratchFolder folder_;
  base::Parallel parallel_{1};
  Scene scene_;
};

TEST_F(CheckTest, TwoSavedRuns) {
  // Two layers of two heads of 2 × 2.
  const std::vector<double> a = {1, 0, 0.5, 0.5, 0.25, 0.75, 1, 0, 0.5, 0.5, 1, 0, 0, 1, 0.5, 0.5};
  std::vector<double> b = a;
  b[9] = 0.5 - 3e-5, b[8] = 0.5 + 3e-5;  // layer 2, head 1, query 0: rounding
  Scene scene;
  ASSERT_TRUE(set_field(scene, "attention=" + write({2, 1, 2, 2, 2}, a, "a.npy")));
  auto results = compared(scene, write({2, 1, 2, 2, 2}, b, "b.npy"));
  EXPECT_EQ(check_of(*results).problem, "");
  EXPECT_EQ(check_of(*results).first_beyond, -1);
  EXPECT_NEAR(value("model_check_largest", *results), 3e-5, 1e-7);
  EXPECT_TRUE(std::isnan(value("model_check_first_layer", *results)));
  b[14] = 0.75, b[15] = 0.25;  // layer 2, head 2, query 1
  results = compared(scene, write({2, 1, 2, 2, 2}, b, "c.npy"));
  EXPECT_NEAR(value("model_check_largest", *results), 0.25, 1e-7);
  EXPECT_EQ(value("model_check_layer", *results), 2);
  EXPECT_EQ(value("model_check_head", *results), 2);
  EXPECT_EQ(value("model_check_query", *results), 1);
  EXPECT_EQ(value("model_check_first_layer", *results), 2);
  EXPECT_EQ(value("model_check layer=1 head=1", *results), 0);
  EXPECT_EQ(check_of(*results).largest.a, 0.5);
  EXPECT_EQ(check_of(*results).largest.b, 0.75);
  // Another shape, no attention, no file.
  EXPECT_NE(check_of(*compared(scene, write({1, 2, 2}, {1, 0, 1, 0}, "d.npy"))).problem.find("compared"),
            std::string::npos);
  EXPECT_NE(check_of(*compared(scene, (folder_ / "absent.npy").string())).problem.find("absent.npy"),
            std::string::npos);
  EXPECT_EQ(compared(scene, "")->own_as<AtlasResults>()->check, nullptr);
}

TEST_F(CheckTest, AModelBesideItsOwnRun) {
  const ReferenceData& data = ReferenceData::instance();
  const std::string folder = data.models() + "tiny-gpt2";
  const json manifest = data.json(folder + "/manifest.json"), variant = manifest["variants"][0],
             one = manifest["cases"][0];
  const tests::Array golden = data.array(
      folder + "/" +
      one["expected"][variant["expected"].get<std::string>()]["attentions"]["file"].get<std::string>());
  const std::string path = tests::whole_model("tiny-gpt2", variant["dir"], folder_.path()).string();
  Scene scene;
  ASSERT_TRUE(set_field(scene, "model=" + path));
  scene.token_ids = one["input_ids"].get<std::vector<int>>();
  const std::vector<int> shape = {golden.dim(0), 1, golden.dim(1), golden.dim(2), golden.dim(3)};
  auto results = compared(scene, write(shape, golden.values, "own.npy"));
  EXPECT_EQ(check_of(*results).problem, "");
  EXPECT_EQ(check_of(*results).first_beyond, -1);
  EXPECT_LT(value("model_check_largest", *results), 2e-5);
  // The last layer is another one.
  std::vector<double> other = golden.values;
  const auto T = static_cast<std::size_t>(golden.dim(3));
  std::swap(other[other.size() - 1], other[other.size() - T]);
  results = compared(scene, write(shape, other, "other.npy"));
  EXPECT_EQ(value("model_check_first_layer", *results), golden.dim(0));
  EXPECT_EQ(value("model_check_head", *results), golden.dim(1));
  EXPECT_EQ(value("model_check_query", *results), golden.dim(2) - 1);
  scene.token_ids.pop_back();
  EXPECT_NE(check_of(*compared(scene, (folder_ / "own.npy").string())).problem.find("positions"),
            std::string::npos);
}

/// A pair of sentences: what is behind the first [SEP] has the second type, however the text was given.
TEST_F(CheckTest, APairOfSentencesBesideItsOwnRun) {
  const ReferenceData& data = ReferenceData::instance();
  const std::string folder = data.models() + "tiny-bert";
  const json manifest = data.json(folder + "/manifest.json"), variant = manifest["variants"][0];
  const std::string set = variant["expected"];
  Scene scene;
  ASSERT_TRUE(
      set_field(scene, "model=" + tests::whole_model("tiny-bert", variant["dir"], folder_.path()).string()));
  int pairs = 0;
  for (const json& one : manifest["cases"]) {
    if (!one["expected"].contains(set) || one["input_ids"][0].is_array() || one["text_pair"].is_null())
      continue;
    SCOPED_TRACE(one["id"].get<std::string>());
    ++pairs;
    const tests::Array golden =
        data.array(folder + "/" + one["expected"][set]["attentions"]["file"].get<std::string>());
    const std::string beside = write({golden.dim(0), 1, golden.dim(1), golden.dim(2), golden.dim(3)},
                                     golden.values, one["id"].get<std::string>() + ".npy");
    Scene by_ids = scene, typed = scene;
    by_ids.token_ids = one["input_ids"].get<std::vector<int>>();
    typed.sentence = one["text"].get<std::string>() + " [SEP] " + one["text_pair"].get<std::string>();
    for (const Scene& given : {by_ids, typed}) {
      const auto results = compared(given, beside);
      EXPECT_EQ(check_of(*results).problem, "");
      EXPECT_EQ(check_of(*results).first_beyond, -1);
      EXPECT_LT(value("model_check_largest", *results), 3e-5);
      const std::vector<int> types = one["token_type_ids"];
      EXPECT_EQ(results->opened->second, std::find(types.begin(), types.end(), 1) - types.begin());
    }
  }
  EXPECT_GT(pairs, 0);
}

/// A shorter text of a saved batch is filled up at its end: the golden weights, with three positions more
/// that no query attends to, and whose own queries attend to the text. What the model computes leaves them
/// out, too.
TEST_F(CheckTest, PaddingOfABatchIsLeftOut) {
  const ReferenceData& data = ReferenceData::instance();
  for (const char* family : {"models/distilbert", "tiny-gpt2"}) {
    SCOPED_TRACE(family);
    const std::string folder = data.models() + family;
    const json manifest = data.json(folder + "/manifest.json"), variant = manifest["variants"][0],
               one = manifest["cases"][0];
    const tests::Array golden = data.array(
        folder + "/" +
        one["expected"][variant["expected"].get<std::string>()]["attentions"]["file"].get<std::string>());
    const int maps = golden.dim(0) * golden.dim(1), T = golden.dim(3), padding = 3, all = T + padding;
    std::vector<double> filled;
    for (int map = 0; map < maps; ++map) {
      for (int row = 0; row < all; ++row) {
        const auto from = golden.values.begin() + (map * T + std::min(row, T - 1)) * T;
        filled.insert(filled.end(), from, from + T);
        filled.insert(filled.end(), padding, 0);
      }
    }
    Scene scene;
    ASSERT_TRUE(
        set_field(scene, "model=" + tests::whole_model(family, variant["dir"], folder_.path()).string()));
    scene.token_ids = one["input_ids"].get<std::vector<int>>();
    scene.token_ids.insert(scene.token_ids.end(), padding, 0);
    const std::vector<int> shape = {golden.dim(0), 1, golden.dim(1), all, all};
    const auto results = compared(scene, write(shape, filled, "filled.npy"));
    const Check& check = check_of(*results);
    EXPECT_EQ(check.problem, "");
    EXPECT_EQ(check.first_beyond, -1);
    EXPECT_LT(check.largest.difference, 2e-5);
    EXPECT_EQ(
        check.left_out,
        "3 positions of padding are left out; here they are masked, in the maps of the page they are not");
    // The text alone is laid beside its positions.
    scene.token_ids.resize(static_cast<std::size_t>(T));
    const auto alone = compared(scene, (folder_ / "filled.npy").string());
    const Check& text = check_of(*alone);
    EXPECT_EQ(text.problem, "");
    EXPECT_EQ(text.first_beyond, -1);
    EXPECT_LT(text.largest.difference, 2e-5);
    EXPECT_EQ(text.left_out, "3 positions of padding are left out");
    scene.token_ids.pop_back();
    EXPECT_NE(check_of(*compared(scene, (folder_ / "filled.npy").string())).problem.find("positions"),
              std::string::npos);
  }
}

/// Of a text without its padding at the start, a difference has the place of the tokens on show.
TEST_F(CheckTest, PlacesAreThoseOfTheTokensOnShow) {
  const ReferenceData& data = ReferenceData::instance();
  const std::string folder = data.models() + "tiny-gpt2";
  const json manifest = data.json(folder + "/manifest.json"), variant = manifest["variants"][0],
             one = manifest["cases"][0];
  const std::string path = tests::whole_model("tiny-gpt2", variant["dir"], folder_.path()).string();
  Scene scene;
  ASSERT_TRUE(set_field(scene, "model=" + path));
  scene.token_ids = one["input_ids"].get<std::vector<int>>();
  const auto other = shown_other_model(scene);
  ASSERT_TRUE(other);
  const int T = static_cast<int>(scene.token_ids.size()), padding = 2, all = T + padding;
  std::vector<std::uint8_t> visible(static_cast<std::size_t>(all), 1);
  visible[0] = visible[1] = 0;
  const std::vector<int> ids = with_padding(*other, scene.token_ids, visible);
  ASSERT_EQ(ids.size(), visible.size());
  nn::NetworkTrace trace;
  ASSERT_TRUE(nn::network_forward(other->model->network, other->model->weights,
                                  {.ids = ids, .visible = visible}, parallel_, trace));
  const int L = layers_of(*other), H = trace.attentions.front().depth();
  std::vector<double> saved;
  for (const nn::Matrix& layer : trace.attentions) {
    for (int map = 0; map < H; ++map) {
      for (int i = 0; i < all; ++i) {
        for (int j = 0; j < all; ++j)
          saved.push_back(i < padding ? 1.0 / all : static_cast<double>(layer.at(map, i, j)));
      }
    }
  }
  auto results = compared(scene, write({L, 1, H, all, all}, saved, "start.npy"));
  EXPECT_EQ(check_of(*results).problem, "");
  EXPECT_EQ(check_of(*results).first_beyond, -1);
  EXPECT_EQ(check_of(*results).left_out, "2 positions of padding are left out");
  // The last query's weights of the first and the last token exchanged.
  std::swap(saved[saved.size() - 1], saved[saved.size() - static_cast<std::size_t>(T)]);
  results = compared(scene, write({L, 1, H, all, all}, saved, "other.npy"));
  EXPECT_EQ(value("model_check_query", *results), T - 1);
  EXPECT_EQ(check_of(*results).largest.key % (T - 1), 0);
  EXPECT_EQ(value("model_check_first_layer", *results), L);
}

/// Filled up at its start: the queries there have nothing to attend to, and are spread over all keys.
TEST_F(CheckTest, PaddingMayBeAtTheStartAndACausalMaskIsNone) {
  const double third = 1.0 / 3;
  const auto visible = [&](const std::vector<double>& weights, int T, const char* name) {
    const auto loaded = load_model(write({1, 1, T, T}, weights, name));
    EXPECT_TRUE(loaded) << loaded.error();
    const auto positions = dumps::visible_positions(*(*loaded)->saved, 0);
    EXPECT_TRUE(positions);
    return std::vector<int>(positions->begin(), positions->end());
  };
  EXPECT_EQ(visible({third, third, third, 0, 1, 0, 0, 0.25, 0.75}, 3, "start.npy"), (std::vector{0, 1, 1}));
  EXPECT_EQ(visible({0.5, 0.5, 0, 0.25, 0.75, 0, 0.5, 0.5, 0}, 3, "end.npy"), (std::vector{1, 1, 0}));
  EXPECT_EQ(visible({1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5}, 3, "causal.npy"), std::vector<int>());
  // Two texts one behind the other in one row are no padding: the first ones attend as they like.
  EXPECT_EQ(visible({0.25, 0.75, 0, 0, 0.75, 0.25, 0, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.75}, 4, "packed.npy"),
            std::vector<int>());
}

}  // namespace
}  // namespace headlight::scene
