// What is pinned and is not there has one answer.
#include "scene/pinned.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pages/block/encoder_decoder.h"
#include "pages/compute.h"
#include "pages/missing.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "scene/detail_query.h"
#include "scene/layer_input.h"
#include "scene/settings.h"
#include "scene/shown.h"
#include "scene/trained_model.h"

namespace headlight::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Scene with(std::vector<int> queries, int key) {
  Scene scene;
  scene.sentence = "a b c";
  scene.query = std::move(queries), scene.key = key;
  return scene;
}

TEST(Pinned, WithoutAChoiceTheQueryOfALongSentenceHasManyKeys) {
  Scene scene;
  EXPECT_TRUE(is_automatic(scene.query));
  EXPECT_EQ(pinned(scene, 13, 13).detail_query, 1);
  EXPECT_EQ(pinned(scene, 40, 40).detail_query, 1);
  EXPECT_THAT(pinned(scene, 120, 120).queries, ElementsAre(119));
  EXPECT_EQ(pinned(scene, 1, 1).detail_query, 0);
  EXPECT_EQ(pinned(scene, 0, 0).detail_query, -1);
  scene.page = Page::model;
  EXPECT_EQ(pinned(scene, 13, 13).detail_query, 12) << "the page shows what follows the sentence";
  scene.page = Page::attention;
  scene.mask.valid_length = true, scene.valid_length = 50;
  EXPECT_EQ(pinned(scene, 120, 120).detail_query, 49) << "the padding attends to keys, but has no meaning";
  scene.query = {1};
  EXPECT_EQ(pinned(scene, 120, 120).detail_query, 1) << "a choice stays";
  scene.query = {};
  EXPECT_EQ(pinned(scene, 120, 120).detail_query, -1) << "no query is pinned";
  scene.query = automatic_choice();
  choose_shown_query(scene, 120);
  EXPECT_THAT(scene.query, ElementsAre(49));
}

TEST(Pinned, IsWhatThereIsElseTheLast) {
  EXPECT_THAT(pinned(with({0, 2}, 1), 3, 3).queries, ElementsAre(0, 2));
  EXPECT_EQ(pinned(with({0, 2}, 1), 3, 3).detail_query, 2);
  EXPECT_EQ(pinned(with({0, 2}, 1), 3, 3).key, 1);
  EXPECT_THAT(pinned(with({1, 5}, 9), 3, 3).queries, ElementsAre(1));
  EXPECT_EQ(pinned(with({1, 5}, 9), 3, 3).key, 2);
  EXPECT_THAT(pinned(with({7, 5}, -1), 3, 3).queries, ElementsAre(2));
  EXPECT_EQ(pinned(with({7, 5}, -1), 3, 3).key, -1);
  EXPECT_THAT(pinned(with({1, 2, 1}, -1), 3, 3).queries, ElementsAre(2, 1)) << "each once, the last asked";
  EXPECT_THAT(pinned(with({}, 1), 3, 3).queries, IsEmpty());
  EXPECT_EQ(pinned(with({}, 1), 3, 3).detail_query, -1);
  EXPECT_EQ(pinned(with({0}, 0), 0, 0).detail_query, -1);
  EXPECT_EQ(pinned(with({0}, 0), 0, 0).key, -1);
}

/// A sentence that is longer than what the page takes: what was told before it was cut is not told again.
TEST(Pinned, WhatIsMissingIsSaidOnceWithOneCount) {
  Results results;
  results.scene = with({1, 2, 7}, 9);
  results.tokens = {{.text = "a"}, {.text = "b"}};
  results.tokens_in_sentence = 3;
  results.attention.S = 2;
  EXPECT_THAT(what_is_missing(results.scene),
              ElementsAre("query 7: the sentence has 3 tokens, 0 to 2; it is left out",
                          "key 9: the sentence has 3 tokens, 0 to 2; 2 is used instead"));
  EXPECT_THAT(found_missing(results),
              ElementsAre("query 2: the first 2 tokens of the sentence are used, 0 to 1; it is left out"));
}

/// The first head is in the place of one that does not exist where a page shows one of the shared heads; all
/// are where it combines them; a page that shows none says nothing, nor of queries and keys.
TEST(Pinned, AHeadThatDoesNotExistIsSaidWhereHeadsAreShown) {
  const std::vector<Given> given = {{"head", "77"}};
  const std::string there = "head 77: there are 4 heads, 1 to 4; ", first = "1 is used instead";
  std::string all, one, none;
  for (const PageRoom* const room : rooms()) {
    Scene scene = with({9}, 8);
    scene.page = room->page;
    repair(scene);
    const auto lines = what_is_missing(scene, given);
    const auto has = [&](const std::string& start) {
      return std::count_if(lines.begin(), lines.end(),
                           [&](const auto& line) { return line.starts_with(start); });
    };
    EXPECT_EQ(has("query 9"), room->uses(scene).pins) << room->title;
    EXPECT_EQ(has("key 8"), room->uses(scene).pins) << room->title;
    std::string& reported = has(there + "it is left out, and all are shown") ? all
                            : has(there + first)                             ? one
                                                                             : none;
    reported += std::string(room->title) + " ";
    if (&reported == &none) EXPECT_EQ(has("head"), 0) << room->title;
  }
  EXPECT_EQ(all, "Attention ");
  EXPECT_EQ(one, "Model Order ");
  EXPECT_EQ(none, "Compare Positions Variants Block Softmax Worked example References Training Cost Memory ");
  Scene scene = with({}, -1);
  scene.page = Page::memory, scene.weights = WeightsSource::trained, scene.weights_file = "small-english";
  repair(scene);
  EXPECT_THAT(what_is_missing(scene, given), ElementsAre("head 77: there are 4 heads, 1 to 4; " + first));
  const auto message = [](const char* value) {
    const std::vector<Given> heads = {{"head", value}};
    return what_is_missing(Scene(), heads);
  };
  EXPECT_THAT(message("5"),
              ElementsAre("head 5: there are 4 heads, 1 to 4; it is left out, and all are shown"));
  EXPECT_THAT(message("2,7,9"), ElementsAre("head 7, 9: there are 4 heads, 1 to 4; they are left out"));
  EXPECT_THAT(message("4"), IsEmpty());
}

/// Heads and layers that a page is asked to choose, of its own settings.
TEST(Pinned, WhatAPageIsAskedToChooseAndDoesNotHaveIsSaid) {
  Scene scene = with({}, -1);
  scene.page = Page::compare, scene.compare.a = 9, scene.compare.b = 4, scene.compare.off = {2, 6, 7};
  EXPECT_THAT(what_is_missing(scene),
              ElementsAre("bench_a 9: there are 4 heads, 1 to 4; 4 is used instead",
                          "bench_off 6, 7: there are 4 heads, 1 to 4; they are left out"));
  scene.compare.from = CompareFrom::stack, scene.compare.a = 1, scene.compare.off = {};
  scene.compare.layer_b = 40;
  EXPECT_THAT(what_is_missing(scene),
              ElementsAre("bench_layer_b 40: there are 6 layers, 1 to 6; 6 is used instead"));
  scene.page = Page::variants, scene.variants.head = 5;
  EXPECT_THAT(what_is_missing(scene),
              ElementsAre("variants_head 5: there are 4 heads, 1 to 4; 4 is used instead"));
  scene.page = Page::block, scene.block.head = 77, scene.block.layer = 7;
  EXPECT_EQ(what_is_missing(scene).size(), 2u);
  scene.page = Page::attention, scene.attention.other_query = 3;
  EXPECT_THAT(what_is_missing(scene),
              ElementsAre("other_query 3: the sentence has 3 tokens, 0 to 2; 2 is used instead"));
  scene.page = Page::memory, scene.sentence = "a b c";
  EXPECT_THAT(what_is_missing(scene), IsEmpty()) << "5 is the default and chooses nothing";
  const std::vector<Given> given = {{"memory_step", "5"}};
  EXPECT_THAT(what_is_missing(scene, given),
              ElementsAre("memory_step 5: the sentence has 3 tokens, 1 to 3; 3 is used instead"));
  scene.memory.step = 9;
  EXPECT_THAT(what_is_missing(scene),
              ElementsAre("memory_step 9: the sentence has 3 tokens, 1 to 3; 3 is used instead"));
  scene.page = Page::training, scene.training.run = 6, scene.training.layer = 5, scene.training.head = 9;
  EXPECT_THAT(what_is_missing(scene),
              ElementsAre("training_run 6: there are 2 runs, 1 to 2; 2 is used instead",
                          "training_layer 5: there are 2 layers, 1 to 2; 2 is used instead",
                          "training_head 9: there are 4 heads, 1 to 4; 4 is used instead"));
  scene.training = {}, scene.training.task = TrainingTask::two_relations, scene.training.example = -1;
  EXPECT_THAT(what_is_missing(scene),
              ElementsAre("training_example -1: there are 1,000 examples, 0 to 999; 0 is used instead"));
  for (const PageRoom* room : rooms()) {
    Scene usual;
    usual.page = room->page;
    EXPECT_THAT(what_is_missing(usual), IsEmpty()) << word(usual.page);
  }
}

/// How many steps a word takes is known when it is decoded.
TEST(Pinned, ADecodingStepThatIsNotThereIsSaidWithTheResults) {
  Scene scene;
  scene.page = Page::block, scene.block.model = BlockModel::encoder_decoder, scene.sentence = "abc";
  scene.encoder_decoder.training = 300, scene.encoder_decoder.step = 8, scene.encoder_decoder.head = 4;
  EXPECT_THAT(what_is_missing(scene),
              ElementsAre("block_encdec_head 4: there are 2 heads, 1 to 2; 2 is used instead"));
  base::Parallel parallel(2);
  const auto results = compute_now(scene, parallel, nullptr);
  ASSERT_LT(results->own_as<EncoderDecoderResults>()->decoded.size(), 8u);
  const std::string last = std::to_string(results->own_as<EncoderDecoderResults>()->decoded.size());
  EXPECT_THAT(found_missing(*results),
              ElementsAre("block_encdec_step 8: there are " + last + " decoding steps, 1 to " + last + "; " +
                          last + " is used instead"));
  EXPECT_EQ(what_is_missing(scene, {}, results.get()).size(), 2u);
}

/// A layer of the model, in whatever order it is assigned: what the model has, and no advice to leave it.
TEST(Pinned, ALayerThatTheModelDoesNotHaveIsSaidByWhatItHas) {
  Scene scene;
  ASSERT_TRUE(set_field(scene, "model=small-english"));
  adopt_model(scene);
  Scene wanted = scene;
  wanted.weights_layer = 7;
  EXPECT_EQ(kept_by_model(scene, wanted), "weights_layer stays 2: there are 2 layers, 1 to 2");
  wanted.heads = 2;
  EXPECT_THAT(kept_by_model(scene, wanted),
              HasSubstr("there are 2 layers, 1 to 2: set by the trained model"));
  repair(wanted);
  EXPECT_EQ(repaired_to(wanted, "weights_layer", "7"),
            "weights_layer 7: there are 2 layers, 1 to 2; 2 is used instead");
}

/// An argument that does not exist has a reason on the pages with settings of their own, too.
TEST(Pinned, AnArgumentThatDoesNotExistHasAReason) {
  const auto why = [](Page page, const char* name) {
    Scene scene;
    scene.page = page;
    base::Parallel parallel(1);
    const auto results = compute_now(scene, parallel, nullptr);
    return not_there(*parse_quantity(name), {scene, *results});
  };
  EXPECT_EQ(why(Page::compare, "previous head=9"), "head 9: there are 4 heads, 1 to 4");
  EXPECT_EQ(why(Page::compare, "similarity a=1 b=9"), "head 9: there are 4 heads, 1 to 4");
  EXPECT_EQ(why(Page::compare, "previous head=2"), "");
  EXPECT_EQ(why(Page::attention, "output_difference a=0 b=40"),
            "token 40: the sentence has 6 tokens, 0 to 5");
  EXPECT_EQ(why(Page::position, "p_dot a=0 b=999"), "row 999: there are 60 rows, 0 to 59");
  EXPECT_EQ(why(Page::variants, "dots_variance d=5"),
            "there is no width d = 5; there are 1, 2, 4, 8, 16, 32, 64, 128, 256, 512");
  EXPECT_EQ(why(Page::cost, "previous head=2"), "");
}

/// Of several that do not exist the first is told, with what there is.
TEST(Pinned, TwoArgumentsThatDoNotExistHaveAReason) {
  base::Parallel parallel(1);
  const auto why = [&](Page page, const std::string& name, const char* set = "seed=1") {
    Scene scene;
    scene.page = page;
    EXPECT_TRUE(set_field(scene, set));
    const auto results = compute_now(scene, parallel, nullptr);
    return not_there(*parse_quantity(name), {scene, *results});
  };
  const std::string heads = "head 9: there are 4 heads, 1 to 4", rows = "row 9: there are 3 rows, 0 to 2";
  EXPECT_EQ(why(Page::position, "p row=99 col=99"), "row 99: there are 60 rows, 0 to 59");
  EXPECT_EQ(why(Page::worked, "worked_q row=9 col=9"), rows);
  EXPECT_EQ(why(Page::worked, "worked_q row=0 col=9"), "column 9: there are 2 columns, 0 to 1");
  EXPECT_EQ(why(Page::compare, "similarity a=9 b=7"), heads);
  EXPECT_EQ(why(Page::compare, "similarity a=1 b=9"), heads);
  EXPECT_EQ(why(Page::attention, "map_difference a=9 b=8"), heads);
  EXPECT_EQ(why(Page::attention, "output_difference a=9 b=9"), "token 9: the sentence has 6 tokens, 0 to 5");
  EXPECT_EQ(why(Page::attention, "output token=9 col=99"), "token 9: the sentence has 6 tokens, 0 to 5");
  EXPECT_EQ(why(Page::order, "order_xx head=9 query=9 key=9"), heads);
  EXPECT_EQ(why(Page::order, "order_xx head=1 query=9 key=9"), "query 9: the sentence has 6 tokens, 0 to 5");
  EXPECT_EQ(why(Page::block, "block_head_weight layer=9 head=9 query=0 key=0"),
            "layer 9: there are 6 layers, 1 to 6");
  EXPECT_EQ(why(Page::model, "model_previous layer=99 head=99"), "layer 99: there is 1 layer");
  EXPECT_EQ(why(Page::order, "order_xx head=1 query=0 key=0"), "");
}

/// The numbers that exist may begin below zero, or have a reason of their own.
TEST(Pinned, TheNumbersThatExistAreToldWhole) {
  base::Parallel parallel(1);
  const auto reason = [&](std::vector<const char*> sets, const char* name) {
    Scene scene;
    for (const char* set : sets) EXPECT_TRUE(set_field(scene, set)) << set;
    if (scene.weights == WeightsSource::trained) adopt_model(scene);
    const auto results = compute_now(scene, parallel, nullptr);
    return why_no_value(*parse_quantity(name), {scene, *results});
  };
  EXPECT_EQ(reason({"page=bench"}, "offset_weight head=1 offset=99"),
            "offset 99: there are 11 offsets, −5 to 5");
  EXPECT_EQ(reason({"page=memory", "memory_step=5"}, "read_back_sum token=5"),
            "token 5: it is not yet written at memory_step 5");
  EXPECT_EQ(reason({"page=memory", "memory_step=5"}, "read_back_sum token=9"),
            "token 9: the sentence has 6 tokens, 0 to 5");
  // “the” is written twice; both tokens have the error of their common key.
  Scene scene;
  scene.page = Page::memory, scene.sentence = "the cat the dog", scene.memory.step = 4;
  scene.position = Position::none;
  const auto results = compute_now(scene, parallel, nullptr);
  const auto value = [&](const char* name) {
    return quantity_value(*parse_quantity(name), {scene, *results});
  };
  EXPECT_EQ(value("read_back_times token=0"), 2);
  EXPECT_EQ(value("read_back_times token=2"), 2);
  EXPECT_EQ(value("read_back_sum token=0"), value("read_back_sum token=2"));
  const std::vector<const char*> words = {"page=model", "model=small-english", "sentence=the cat sat"};
  EXPECT_EQ(reason(words, "model_loss query=2"), "query 2: no token follows it");
  EXPECT_EQ(reason(words, "model_loss query=9"), "query 9: the sentence has 3 tokens, 0 to 2");
}

TEST(Pinned, TheTokensThatAreUsedAreToldInOneForm) {
  EXPECT_EQ((TokensThere{0, 0}.words()), "the sentence has no tokens");
  EXPECT_EQ((TokensThere{1, 1}.words()), "the sentence has 1 token");
  EXPECT_EQ((TokensThere{6, 6}.words(1)), "the sentence has 6 tokens, 1 to 6");
  EXPECT_EQ((TokensThere{1, 3}.words()), "the first token of the sentence is used");
  EXPECT_EQ((TokensThere{11, 13}.words()), "the first 11 tokens of the sentence are used, 0 to 10");
  // A long sentence is cut where the results cut it, before there are results.
  Scene scene;
  scene.heads = 32, scene.d_model = 32, scene.sentence.clear();
  for (int i = 0; i <= max_tokens(32); ++i) scene.sentence += "a ";
  EXPECT_EQ(tokens_there(scene).used, max_tokens(32));
  EXPECT_EQ(tokens_there(scene).in_sentence, max_tokens(32) + 1);
}

/// One form of what queries, keys and tokens there are, whatever the argument is called.
TEST(Pinned, TheSameTokensAreToldInTheSameWords) {
  base::Parallel parallel(1);
  const Scene scene;
  const auto results = compute_now(scene, parallel, nullptr);
  for (const char* name :
       {"hidden_share query=77", "kernel_difference query=0 other=77", "received key=77"}) {
    EXPECT_THAT(not_there(*parse_quantity(name), {scene, *results}),
                HasSubstr("77: the sentence has 6 tokens, 0 to 5"))
        << name;
  }
}

/// Only a quantity that needs two tokens lacks the second one.
TEST(Pinned, OneTokenIsTheReasonOnlyWhereTwoAreNeeded) {
  base::Parallel parallel(1);
  for (const PageRoom* room : rooms()) {
    if (!room->quantities) continue;
    Scene scene;
    scene.page = room->page;
    if (room->uses(scene).trains) continue;
    scene.sentence = "a b c";
    const auto three = compute_now(scene, parallel, nullptr);
    Scene short_one = scene;
    short_one.sentence = "a";
    const auto few = compute_now(short_one, parallel, nullptr);
    for (const QuantityInfo& info : room->quantities()) {
      const Quantity quantity{&info, {}};
      if (!std::isnan(quantity_value(quantity, {short_one, *few}))) continue;
      const bool reported =
          why_no_value(quantity, {short_one, *few}).find("its sentence has") != std::string::npos;
      EXPECT_EQ(reported, !std::isnan(quantity_value(quantity, {scene, *three})))
          << word(room->page) << " " << info.name;
    }
  }
}

TEST(Pinned, TheFirstHeadIsOneThatIsThere) {
  Scene scene;
  EXPECT_EQ(first_head(scene, 4), 0);
  scene.head = {3, 1};
  EXPECT_EQ(first_head(scene, 4), 2);
  scene.head = {9, 2};
  EXPECT_EQ(first_head(scene, 4), 1);
  scene.head = {9};
  EXPECT_EQ(first_head(scene, 4), 0);
  EXPECT_EQ(first_head(scene, 0), -1);
}

/// Every number of the pages that pin, and the opened cell, for what is not there and for what takes its
/// place.
TEST(Pinned, ThereIsOneAnswerToAQueryThatIsNotThere) {
  base::Parallel parallel(1);
  for (const Page page : {Page::attention, Page::order, Page::variants, Page::memory, Page::compare}) {
    Scene beyond = with({8, 5}, 7), there = with({2}, 2);
    beyond.page = there.page = page;
    const auto a = compute_now(beyond, parallel, nullptr), b = compute_now(there, parallel, nullptr);
    const auto cell_a = explain_pinned(beyond, *a), cell_b = explain_pinned(there, *b);
    ASSERT_TRUE(cell_a && cell_b);
    EXPECT_EQ(cell_a->query, cell_b->query);
    EXPECT_EQ(cell_a->key, cell_b->key);
    EXPECT_EQ(cell_a->weight, cell_b->weight);
    EXPECT_EQ(detail_query_of(beyond, 3), 2);
    EXPECT_EQ(other_query(beyond, 2, 3), other_query(there, 2, 3));
    int numbers = 0;
    for (const QuantityInfo& info : quantities()) {
      const Quantity quantity{&info, {}};
      const double of_a = quantity_value(quantity, {beyond, *a}),
                   of_b = quantity_value(quantity, {there, *b});
      if (std::isnan(of_a) && std::isnan(of_b)) continue;
      EXPECT_EQ(of_a, of_b) << info.name;
      ++numbers;
    }
    EXPECT_GT(numbers, 20);
  }
}

}  // namespace
}  // namespace headlight::scene
