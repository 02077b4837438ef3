// The encoder–decoder of the Block page: computed from the scene alone, whatever was computed before; what is
// said of it is in its tensors; every door has the same numbers.
#include "pages/block/encoder_decoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "pages/block/block.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/settings.h"

namespace headlight::scene {
namespace {

Scene scene_of(const std::vector<std::string>& settings) {
  Scene scene;
  scene.page = Page::block;
  scene.block.model = BlockModel::encoder_decoder;
  for (const std::string& setting : settings) {
    const base::Status status = set_field(scene, setting);
    EXPECT_TRUE(status) << setting;
  }
  repair(scene);
  return scene;
}

base::Parallel& one() {
  static base::Parallel parallel(1);
  return parallel;
}

std::shared_ptr<const Results> results_of(const std::vector<std::string>& settings) {
  return compute_now(scene_of(settings), one(), {});
}

std::shared_ptr<const EncoderDecoderResults> reversed(const std::vector<std::string>& settings) {
  const auto results = results_of(settings);
  return {results, results->own_as<EncoderDecoderResults>()};
}

bool same(const nn::Matrix& a, const nn::Matrix& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(EncoderDecoderScene, TheWordIsTheLettersOfTheSentence) {
  const auto results = results_of({"block_encdec_training=0", "sentence=Ab, c!"});
  EXPECT_EQ(results->own_as<BlockResults>(), nullptr);
  const EncoderDecoderResults& r = *results->own_as<EncoderDecoderResults>();
  EXPECT_EQ(r.source_names, (std::vector<std::string>{"a", "b", "c", "<end>"}));
  EXPECT_FALSE(r.more_letters);
  const auto longer = reversed({"block_encdec_training=0", "sentence=the cat sat on"});
  EXPECT_EQ(longer->n, most_letters);
  EXPECT_TRUE(longer->more_letters);
  const auto none = reversed({"block_encdec_training=0", "sentence=12 Ж"});
  EXPECT_EQ(none->n, 0);
  EXPECT_TRUE(none->cross.empty() && none->decoded.empty());
  EXPECT_EQ(none->score.words, 256);
  const auto held = reversed({"block_encdec_training=0", "block_encdec_word=3"});
  EXPECT_NE(held->source, longer->source);
}

TEST(EncoderDecoderScene, OnlyThePageThatShowsItComputesIt) {
  Scene scene = scene_of({"block_encdec_training=0"});
  EXPECT_NE(compute_now(scene, one(), {})->own_as<EncoderDecoderResults>(), nullptr);
  scene.block.model = BlockModel::stack;
  EXPECT_EQ(compute_now(scene, one(), {})->own_as<EncoderDecoderResults>(), nullptr);
  EXPECT_NE(compute_now(scene, one(), {})->own_as<BlockResults>(), nullptr);
  scene = scene_of({"page=attention"});
  EXPECT_EQ(compute_now(scene, one(), {})->own_as<EncoderDecoderResults>(), nullptr);
}

/// The rows are distributions, later target tokens have none of it, and the tokens are the likeliest ones.
TEST(EncoderDecoderScene, WhatIsShownIsTheModels) {
  const auto r = reversed({"block_encdec_training=60", "block_encdec_layers=2", "sentence=stream"});
  ASSERT_EQ(r->encoder.size(), 2u);
  const int T = static_cast<int>(r->decoded.size());
  ASSERT_EQ(r->target.size(), r->decoded.size());
  for (std::size_t l = 0; l < 2; ++l) {
    ASSERT_TRUE(r->encoder[l].rows() == 7 && r->encoder[l].cols() == 7);
    ASSERT_TRUE(r->masked[l].rows() == T && r->masked[l].cols() == T);
    ASSERT_TRUE(r->cross[l].rows() == T && r->cross[l].cols() == 7);
    for (const nn::Matrix* weights : {&r->encoder[l], &r->masked[l], &r->cross[l]}) {
      for (int h = 0; h < 2; ++h) {
        for (int t = 0; t < weights->rows(); ++t) {
          double sum = 0;
          for (int s = 0; s < weights->cols(); ++s) {
            sum += static_cast<double>(weights->at(h, t, s));
            if (weights == &r->masked[l] && s > t) {
              EXPECT_EQ(weights->at(h, t, s), 0);
            }
          }
          EXPECT_NEAR(sum, 1, 1e-5);
        }
      }
    }
  }
  for (int t = 0; t < T; ++t) {
    const auto& best = r->candidates[static_cast<std::size_t>(t)];
    EXPECT_EQ(best[0].token, r->decoded[static_cast<std::size_t>(t)]);
    EXPECT_GE(best[0].probability, best[1].probability);
    EXPECT_NEAR(best[0].probability, static_cast<double>(r->probabilities.at(t, best[0].token)), 1e-7);
    if (t > 0) {
      EXPECT_EQ(r->target[static_cast<std::size_t>(t)], r->decoded[static_cast<std::size_t>(t - 1)]);
    }
  }
}

/// Going on from a kept state, back to one, or from the start: the same bits, and the same as another thread
/// count's. Cancelled work is taken up again.
TEST(EncoderDecoderScene, ResultsDoNotDependOnWhatWasComputedBefore) {
  const auto steps = [](int n, base::Parallel& parallel) {
    const std::shared_ptr<const Results> results = compute_now(
        scene_of({"block_encdec_seed=3", "block_encdec_training=" + std::to_string(n)}), parallel, {});
    return std::shared_ptr<const EncoderDecoderResults>(results, results->own_as<EncoderDecoderResults>());
  };
  const auto first = steps(130, one());
  (void)steps(40, one()), (void)steps(230, one());
  const Scene other = scene_of({"block_encdec_seed=4", "block_encdec_training=20"});
  (void)compute_now(other, one(), {});  // its states take the place of those
  base::Parallel seven(7);
  int calls = 0;
  EXPECT_EQ(compute_encoder_decoder(scene_of({"block_encdec_seed=3", "block_encdec_training=130"}), seven,
                                    [&](float) { return ++calls < 50; }),
            nullptr);
  const auto again = steps(130, seven);
  EXPECT_TRUE(same(first->probabilities, again->probabilities));
  EXPECT_TRUE(same(first->cross[0], again->cross[0]));
  EXPECT_EQ(first->score.loss, again->score.loss);
  EXPECT_EQ(first->decoded, again->decoded);
}

TEST(EncoderDecoderScene, WorkIsWhatIsLeftToDo) {
  const auto work_of = [](int steps) {
    return encoder_decoder_work(
        scene_of({"block_encdec_seed=9", "block_encdec_training=" + std::to_string(steps)}));
  };
  EXPECT_GT(work_of(30), work_in_a_frame);
  (void)results_of({"block_encdec_seed=9", "block_encdec_training=30"});
  EXPECT_EQ(work_of(30), 0);
  EXPECT_LT(work_of(40), work_of(100));
}

TEST(EncoderDecoderScene, AWordSaysWhetherTrainingSeesIt) {
  int held_out = 0;
  for (const char* word : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"}) {
    const auto r = reversed({"block_encdec_training=0", std::string("sentence=") + word});
    held_out += r->held_out;
  }
  EXPECT_LE(held_out, 6) << "one in eight";
  EXPECT_TRUE(results_of({"block_encdec_training=0", "block_encdec_word=7"})
                  ->own_as<EncoderDecoderResults>()
                  ->held_out);
  EXPECT_NE(
      results_of({"block_encdec_training=0", "block_encdec_word=7"})->own_as<EncoderDecoderResults>()->source,
      results_of({"block_encdec_training=0", "block_encdec_word=8"})
          ->own_as<EncoderDecoderResults>()
          ->source);
}

double number(const char* text, const Results& results) {
  const auto quantity = parse_quantity(text);
  EXPECT_TRUE(quantity) << text;
  return quantity_value(*quantity, {results.scene, results, nullptr});
}

/// Trained: at least 99 % of the held-out words, and one number at every door.
TEST(EncoderDecoderScene, TrainedItWritesBackwardsAndEveryDoorSaysTheSame) {
  const auto results = results_of({"sentence=lantern"});
  const EncoderDecoderResults& r = *results->own_as<EncoderDecoderResults>();
  EXPECT_GE(r.score.exact, 254);
  EXPECT_TRUE(r.exact);
  EXPECT_EQ(r.right, 8);
  EXPECT_EQ(r.decoded_names, (std::vector<std::string>{"n", "r", "e", "t", "n", "a", "l", "<end>"}));
  EXPECT_EQ(r.mirrored(1), 7);
  EXPECT_EQ(r.mirrored(7), 1);
  EXPECT_EQ(r.mirrored(8), 0);
  for (int step = 1; step <= 8; ++step)
    EXPECT_EQ(r.expected(step), r.decoded[static_cast<std::size_t>(step - 1)]);
  EXPECT_EQ(r.expected(9), -1);
  EXPECT_EQ(number("encdec_exact", *results), r.score.exact / 256.0);
  EXPECT_EQ(number("encdec_mirrored layer=1 head=2", *results), r.score.mirrored[1].weight);
  EXPECT_EQ(number("encdec_cross_weight head=2 query=3 key=5", *results),
            static_cast<double>(r.cross[0].at(1, 2, 4)));
  EXPECT_EQ(number("encdec_probability step=3", *results), r.candidates[2][0].probability);
  EXPECT_TRUE(std::isnan(number("encdec_cross_weight head=2 query=30 key=5", *results)));
  EXPECT_TRUE(std::isnan(number("encdec_mirrored layer=4", *results)));
  int found = 0;
  for (const Table* table : tables_behind(Page::block, "encoder-decoder")) {
    const MaybeNumbers numbers = numbers_of(*table, {results->scene, *results, one(), nullptr, nullptr});
    ASSERT_TRUE(numbers) << table->name;
    ++found;
  }
  EXPECT_EQ(found, 3);
}

/// What the help says: heads differ, and the first of two layers assigns less weight to the mirrored position
/// than the second.
TEST(EncoderDecoderScene, OfTwoLayersTheLastHasTheMirrorAndOneHeadIsNoPerfectMirror) {
  const auto two = reversed({"block_encdec_layers=2", "block_encdec_seed=3"});
  ASSERT_EQ(two->score.mirrored.size(), 4u);
  EXPECT_GE(two->score.exact, 254);
  for (const std::size_t first : {0u, 1u}) {
    for (const std::size_t second : {2u, 3u})
      EXPECT_LT(two->score.mirrored[first].weight + 0.2, two->score.mirrored[second].weight);
  }
  const auto one_layer = reversed({"block_encdec_seed=3"});
  EXPECT_GE(one_layer->score.exact, 254);
  EXPECT_LT(one_layer->score.mirrored[0].largest, 0.95) << "exact words do not need every head";
  EXPECT_GT(one_layer->score.mirrored[1].largest, 0.95);
}

}  // namespace
}  // namespace headlight::scene
