// The Block page of another program's model, as it is computed for every family of the reference data: it
// fits at every size, its controls are real, every stage is drawn, and what it says is in the results.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/numbers.h"
#include "draw/record_canvas.h"
#include "page_checks.h"
#include "pages/block/opened.h"
#include "pages/block/view/opened_view.h"
#include "pages/block/view/page.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "quantities.h"
#include "scene/settings.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "support/whole_model.h"

namespace headlight::views {
namespace {

using draw::Box;
using nlohmann::json;
using tests::ReferenceData;

struct Opened {
  std::string name;
  scene::Scene scene;
  std::shared_ptr<const scene::Results> results;
  const scene::OpenedBlock& block() const { return *results->own_as<scene::OpenedBlock>(); }
  PageInput input() const {
    return with_numbers({scene, *results, nullptr, nullptr, draw::theme(true), true, {}});
  }
};

/// Of each family the first and the last layer, each on a few tokens.
const std::vector<Opened>& opened() {
  static const tests::ScratchFolder folder;
  static const std::vector<Opened> all = [] {
    base::Parallel parallel(1);
    const ReferenceData& data = ReferenceData::instance();
    std::vector<std::string> names = {"tiny-gpt2", "tiny-bert"};
    for (const std::string& one : data.folders(data.models() + "models")) names.push_back("models/" + one);
    std::vector<Opened> out;
    for (const std::string& name : names) {
      const std::string root = data.models() + name;
      if (!data.bytes(root + "/manifest.json")) continue;
      const json variant = data.json(root + "/manifest.json")["variants"][0];
      const std::string path = tests::whole_model(name, variant["dir"], folder.path()).string();
      for (const int layer : {1, 4096}) {
        scene::Scene scene;
        EXPECT_TRUE(scene::set_field(scene, "model=" + path));
        scene.page = scene::Page::block, scene.token_ids = {5, 17, 9, 5, 17, 2, 11},
        scene.weights_layer = layer;
        scene::repair(scene);
        auto results = scene::compute_now(scene, parallel, nullptr);
        EXPECT_EQ(results->failure, "") << name;
        out.push_back({name + " layer " + std::to_string(scene.weights_layer), scene, std::move(results)});
      }
    }
    return out;
  }();
  return all;
}

struct Size {
  float w, h;
};
constexpr Size sizes[] = {{1206, 600}, {1526, 880}, {640, 360}, {480, 700}, {2400, 1400}, {910, 600}};

TEST(OpenedBlockPage, FitsAtEverySizeWithEveryStage) {
  if (opened().empty()) HEADLIGHT_LACKS("models");
  for (const Opened& one : opened()) {
    for (const Size size : sizes) {
      SCOPED_TRACE(one.name + " at " + std::to_string(size.w));
      draw::RecordCanvas canvas;
      const Box area{100, 50, size.w, size.h};
      const float height = block_page(canvas, area, one.input());
      EXPECT_GE(height, size.h);
      test::expect_texts_apart(canvas, area, height);
      test::expect_controls_real(canvas, area, height);
      std::vector<Box> pictures;
      for (const auto& map : canvas.maps) {
        EXPECT_GT(map.box.w, 3);
        EXPECT_GT(map.box.h, 3);
        EXPECT_GE(map.box.x, area.x);
        EXPECT_LE(map.box.right(), area.right());
        for (const Box& other : pictures)
          EXPECT_FALSE(map.box.x < other.right() - 0.5f && other.x < map.box.right() - 0.5f &&
                       map.box.y < other.bottom() - 0.5f && other.y < map.box.bottom() - 0.5f)
              << "two pictures overlap";
        pictures.push_back(map.box);
      }
      // Every stage but the sum that x is, and those of the embedding whose last one is x.
      for (const scene::OpenedStage& stage : one.block().list) {
        const bool is_x = stage.stage < nn::NetworkStage::input && &stage + 1 < &one.block().list.back() &&
                          (&stage + 1)->stage == nn::NetworkStage::input;
        EXPECT_EQ(test::marked(canvas, std::string("stage ") + scene::word(stage.shown)) != nullptr, !is_x)
            << stage.title;
      }
      EXPECT_TRUE(test::marked(canvas, "stage weights"));
      EXPECT_EQ(test::marked(canvas, "previous layer") != nullptr, one.block().layer > 0);
      EXPECT_EQ(test::marked(canvas, "next layer") != nullptr, one.block().layer + 1 < one.block().layers);
    }
  }
}

TEST(OpenedBlockPage, AStageIsShownLargeAndPointedAt) {
  if (opened().empty()) HEADLIGHT_LACKS("models");
  for (const Opened& one : opened()) {
    SCOPED_TRACE(one.name);
    for (const scene::OpenedStage& stage : one.block().list) {
      Opened shown = one;
      shown.scene.block.shown = stage.shown;
      draw::RecordCanvas canvas;
      block_page(canvas, {0, 0, 1206, 600}, shown.input());
      ASSERT_TRUE(test::marked(canvas, "large stage")) << stage.title;
      const nn::Matrix& m = one.block().values(stage);
      draw::Hit hit;
      hit.mark = *test::marked(canvas, "large stage");
      hit.map = {0, 0, 10, 10};
      hit.cell = {static_cast<float>(m.cols()) - 0.5f, 1.5f};
      const std::string note = block_tooltip(shown.input(), hit);
      EXPECT_NE(note.find(fixed(static_cast<double>(m.at(1, m.cols() - 1)), 4)), std::string::npos) << note;
      EXPECT_NE(note.find(stage.formula), std::string::npos) << note;
      EXPECT_NE(note.find("token 1 "), std::string::npos) << note;
    }
    // A stage that this layer has not: the weights.
    Opened other = one;
    other.scene.block.shown = scene::BlockShown::bypass;
    if (one.block().find(scene::BlockShown::bypass)) continue;
    draw::RecordCanvas canvas;
    block_page(canvas, {0, 0, 1206, 600}, other.input());
    EXPECT_TRUE(test::marked(canvas, "block map"));
  }
}

TEST(OpenedBlockPage, SaysItsNumbersAndItsPlan) {
  if (opened().empty()) HEADLIGHT_LACKS("models");
  std::set<std::string> plans;
  for (const Opened& one : opened()) {
    SCOPED_TRACE(one.name);
    const PageInput in = one.input();
    const std::string words = plain::describe_block(in, 3);
    plans.insert(plan_words(one.block()));
    EXPECT_NE(words.find(plan_words(one.block())), std::string::npos);
    for (const scene::OpenedStage& stage : one.block().list) {
      EXPECT_NE(words.find(stage.title), std::string::npos);
      EXPECT_NE(words.find(base::written(stage.rms, base::significant(3))), std::string::npos);
    }
    for (const auto& stage : one.block().stream) EXPECT_NE(words.find(stage.stage), std::string::npos);
    EXPECT_NE(block_words(in).find("layer " + std::to_string(one.block().layer + 1)), std::string::npos);
    // From what this layer gets to what it gives, not to the end of the model.
    const auto norm = [&](int stage) {
      return base::fixed(in.value(quantity("stream_norm", {{"stage", stage}})), 2);
    };
    EXPECT_NE(block_words(in).find("norm of a token " + norm(one.block().layer) + " → " +
                                   norm(one.block().layer + 1)),
              std::string::npos)
        << block_words(in);
  }
  EXPECT_EQ(plans.size(), 5u);
}

TEST(OpenedBlockPage, WithoutTokensItSaysWhatToDo) {
  if (opened().empty()) HEADLIGHT_LACKS("models");
  Opened none = opened().front();
  scene::Results results = *none.results;
  auto block = std::make_shared<scene::OpenedBlock>();
  block->problem = "model.safetensors: it has changed";
  results.own = block;
  none.results = std::make_shared<const scene::Results>(results);
  draw::RecordCanvas canvas;
  EXPECT_EQ(block_page(canvas, {0, 0, 1206, 600}, none.input()), 600);
  EXPECT_EQ(test::times_said(canvas, block->problem), 1);
}

}  // namespace
}  // namespace headlight::views
