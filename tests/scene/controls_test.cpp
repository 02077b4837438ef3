// What the controls of settings are on each page: headings, numbers and words that make a difference, labels,
// and what is wrong with a text.
#include "pages/controls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "pages/block/encoder_decoder.h"
#include "pages/compute.h"
#include "pages/training/training.h"
#include "scene/named_number.h"
#include "scene/setting_rules.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {
namespace {

const Field& field(const char* name) {
  const Setting* const one = find_setting(name);
  EXPECT_TRUE(one) << name;
  return one->field;
}

std::shared_ptr<Results> results_of(Scene scene) {
  base::Parallel parallel(1);
  repair(scene);
  return compute_now(scene, parallel, nullptr);
}

Scene on(Page page) {
  Scene scene;
  scene.page = page;
  return scene;
}

TEST(Controls, ASettingIsUnderItsHeadingWhereItHasAnEffect) {
  Scene scene;
  EXPECT_EQ(heading_of(field("heads"), scene), "model");
  EXPECT_EQ(heading_of(field("weights_file"), scene), "");
  EXPECT_EQ(heading_of(field("weights_layer"), scene), "");
  EXPECT_EQ(heading_of(field("saved_sequence"), scene), "");
  EXPECT_EQ(heading_of(field("position_base"), scene), "position");
  EXPECT_EQ(heading_of(field("window"), scene), "");
  EXPECT_EQ(heading_of(field("theme"), scene), "");
  EXPECT_EQ(heading_of(field("head"), scene), "");
  EXPECT_EQ(heading_of(field("combine"), scene), "shown");
  scene.position = Position::none, scene.mask.window = true;
  EXPECT_EQ(heading_of(field("position"), scene), "position");
  EXPECT_EQ(heading_of(field("position_base"), scene), "");
  EXPECT_EQ(heading_of(field("window"), scene), "mask and scores");
  EXPECT_EQ(heading_of(field("valid_length"), scene), "");
  scene.weights = WeightsSource::trained;
  EXPECT_EQ(heading_of(field("weights_file"), scene), "model");
  EXPECT_EQ(heading_of(field("weights_layer"), scene), "model");
  // A page's own settings are under its title, and on no other page.
  EXPECT_EQ(heading_of(field("worked_x"), on(Page::worked)), "worked example");
  EXPECT_EQ(heading_of(field("worked_x"), scene), "");
  EXPECT_EQ(heading_of(field("combine"), on(Page::order)), "");
  // The Block page shows the whole stack: no layer of the model is chosen for it.
  EXPECT_EQ(heading_of(field("weights_layer"), on(Page::block)), "");
}

TEST(Controls, OnlyNumbersThatMakeADifferenceAreInTheRange) {
  const auto range = [](const char* name, const Scene& scene) {
    return useful_range(field(name), scene, *results_of(scene));
  };
  const auto expect = [&](const char* name, const Scene& scene, double min, double max) {
    const Range found = range(name, scene);
    EXPECT_EQ(found.min, min) << name;
    EXPECT_EQ(found.max, max) << name;
  };
  Scene scene = on(Page::position);
  scene.positions.count = 20, scene.position_offset = 100;
  expect("position_index", scene, 100, 119);
  expect("position_delta", scene, -19, 19);
  expect("position_pair", scene, 0, 15);  // of 32 columns
  Scene trained = on(Page::training);
  trained.training.steps = 1000;
  expect("training_shown_step", trained, -1, 1000);
  scene.positions.count = 1;
  expect("position_delta", scene, -1, 1);
  scene = Scene{};
  expect("window", scene, 0, 6);
  scene.sentence = "the cat";
  expect("valid_length", scene, 0, 4);
  expect("seed", scene, 0, 99);
  expect("position_scale", scene, 0, 4);
  scene.block.layers = 3;
  expect("block_layer", scene, 1, 3);
  expect("weights_layer", scene, 1, 3);
  scene = on(Page::memory);
  expect("memory_step", scene, 1, 6);
  scene = on(Page::block);
  scene.block.model = BlockModel::encoder_decoder, scene.encoder_decoder.training = 0;
  const auto results = results_of(scene);
  const auto* pair = results->own_as<EncoderDecoderResults>();
  ASSERT_TRUE(pair);
  EXPECT_EQ(useful_range(field("block_encdec_step"), scene, *results).max,
            std::max(1.0, static_cast<double>(pair->decoded.size())));
  EXPECT_EQ(field("heads").possible(Scene{}), divisors(Scene{}.d_model));
}

TEST(Controls, OnlyWordsThatMakeADifferenceAreOffered) {
  Scene scene = on(Page::training);
  const Field& compare = field("training_compare");
  const auto offered = [&](TrainingCompare word) {
    return offers(compare, static_cast<int>(word), scene, Results());
  };
  EXPECT_TRUE(offered(TrainingCompare::nothing));
  EXPECT_TRUE(offered(TrainingCompare::no_feed_forward));
  scene.training.feed_forward = false;
  EXPECT_FALSE(offered(TrainingCompare::no_feed_forward));
  // Positions are not concatenated where a model has no room for them.
  std::string unused;
  const Scene trained = first_scene(unused);
  const auto results = results_of(trained);
  ASSERT_TRUE(results->model);
  const int concat = static_cast<int>(Position::sinusoidal_concat);
  EXPECT_FALSE(offers(field("position"), concat, trained, *results));
  EXPECT_TRUE(offers(field("position"), concat, Scene{}, *results_of(Scene{})));
}

TEST(Controls, ATextThatIsNotUsedHasAReason) {
  Scene scene = on(Page::worked);
  scene.worked.w_v = "1,2;3";
  const auto results = results_of(scene);
  EXPECT_NE(problem_of(field("worked_w_v"), *results), "");
  EXPECT_EQ(problem_of(field("worked_x"), *results), "");
  EXPECT_EQ(problem_of(field("weights_file"), *results), results->weights_problem);
}

TEST(Controls, AModelGivesItsSizesAndThePageItsSeed) {
  std::string unused;
  Scene scene = first_scene(unused);
  EXPECT_TRUE(fixed_by_model(field("heads"), scene));
  EXPECT_TRUE(fixed_by_model(field("seed"), scene));
  EXPECT_FALSE(fixed_by_model(field("temperature"), scene));
  scene.page = Page::memory;  // draws its patterns
  EXPECT_FALSE(fixed_by_model(field("seed"), scene));
}

/// The step shown is the newest or one that is kept; without a run nothing is known of the kept ones.
TEST(Controls, OnlyKeptStepsOfTheRunOnShowArePossible) {
  Scene scene = on(Page::training);
  const auto results = results_of(scene);
  TrainingSnapshot snapshot;
  snapshot.runs.resize(2);
  snapshot.runs[1].film.resize(2);
  snapshot.runs[1].film[1].step = 40;
  const auto possible = [&](const char* name, const TrainingSnapshot* training) {
    return possible_numbers(field(name), {scene, *results, training});
  };
  EXPECT_EQ(possible("training_shown_step", &snapshot), std::vector<int>());
  scene.training.run = 2;
  EXPECT_EQ(possible("training_shown_step", &snapshot), (std::vector<int>{-1, 0, 40}));
  EXPECT_EQ(possible("training_shown_step", nullptr), std::vector<int>());
  EXPECT_EQ(possible("training_steps", &snapshot), std::vector<int>());
  EXPECT_EQ(possible("heads", &snapshot), field("heads").possible(scene));
}

TEST(Controls, WordsAreWrittenOnButtonsAsPeopleWriteThem) {
  const auto labels = [](const char* name) {
    std::string out;
    const Scene scene;
    find_setting(name)->visit(scene, [&](const auto& value) {
      if constexpr (requires { value.label(0); }) {
        for (int i = 0; i < static_cast<int>(value.list().size()); ++i)
          out += (i > 0 ? " | " : "") + value.label(i);
      }
    });
    return out;
  };
  EXPECT_EQ(labels("position"), "none | sin/cos | concat");
  EXPECT_EQ(labels("training_activation"), "ReLU | GELU, x Φ(x) | GELU, tanh");
  EXPECT_EQ(labels("block_norm"), "pre | post | none");
  EXPECT_EQ(labels("arcs"), "both | attends to | attended by");
  EXPECT_EQ(labels("block_init"), "Xavier | normal 0.02");
}

}  // namespace
}  // namespace headlight::scene
