// The Model page's heads of Headlight's own models and of random weights: every picture and every score is
// that of the layer as the Attention page shows it.
#include "pages/model/atlas.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/computed_scene.h"

namespace headlight::scene::atlas_test {
namespace {

const Atlas& atlas_of(const Results& results) {
  return *results.own_as<AtlasResults>()->atlas;
}

double number(const std::string& text, const Scene& scene, const Results& results) {
  const auto quantity = parse_quantity(text);
  EXPECT_TRUE(quantity) << text;
  return quantity_value(*quantity, {scene, results, nullptr});
}

/// Layer by layer the Attention page has these weights; pictures are their largest under each pixel.
void expect_attention(std::vector<std::string> assignments) {
  const Scene scene = page_scene(Page::model, assignments);
  const auto results = computed(scene);
  const Atlas& atlas = atlas_of(*results);
  ASSERT_GT(atlas.layers(), 0);
  assignments.push_back("weights_layer=1");
  for (int l = 0; l < atlas.layers(); ++l) {
    assignments.back() = "weights_layer=" + std::to_string(l + 1);
    const auto shown = computed(page_scene(Page::attention, assignments));
    const nn::AttentionTrace& trace = shown->attention;
    const int T = trace.T, side = atlas.tiles.side;
    ASSERT_EQ(atlas.tiles.T, T);
    ASSERT_EQ(side, std::min(T, most_tile_side(atlas.layers() * trace.heads)));
    ASSERT_EQ(atlas.heads(l), trace.heads);
    std::vector<int> ids;
    for (const nn::Token& token : shown->tokens) ids.push_back(token.id);
    const std::vector<nn::HeadRoles> roles = nn::head_roles(trace, ids);
    for (int h = 0; h < trace.heads; ++h) {
      nn::Matrix wanted(side, side);
      for (int q = 0; q < T; ++q) {
        for (int k = 0; k < T; ++k) {
          int row = 0, col = 0;
          while ((row + 1) * T / side <= q) ++row;
          while ((col + 1) * T / side <= k) ++col;
          wanted.at(row, col) = std::max(wanted.at(row, col), trace.weights.at(h, q, k));
        }
      }
      for (int i = 0; i < side * side; ++i)
        ASSERT_NEAR(atlas.tiles.tile(l, h)[i], wanted.data()[i], 2e-6f) << "layer " << l << ", head " << h;
      const HeadMeasure& measure = atlas.of({l, h});
      const nn::HeadRoles& wanted_roles = roles[static_cast<std::size_t>(h)];
      EXPECT_EQ(std::isnan(measure.roles.first), T == 1) << "of one token nothing comes before";
      if (T > 1) {
        EXPECT_NEAR(measure.roles.first, wanted_roles.first, 1e-5);
        EXPECT_NEAR(measure.roles.previous, wanted_roles.previous, 1e-5);
      }
      EXPECT_NEAR(measure.roles.diagonal, wanted_roles.diagonal, 1e-5);
      EXPECT_NEAR(measure.entropy_bits, shown->heads[static_cast<std::size_t>(h)].entropy_bits, 1e-4);
      const std::string at = " layer=" + std::to_string(l + 1) + " head=" + std::to_string(h + 1);
      EXPECT_EQ(number("model_itself" + at, scene, *results), measure.roles.diagonal);
      EXPECT_EQ(number("model_entropy" + at, scene, *results), measure.entropy_bits);
    }
  }
}

/// The head that comes first may have no more than uniform attention, which is then said.
TEST(Atlas, WhetherAHeadIsBeyondUniformAttention) {
  int with = 0, without = 0;
  for (const char* sentence : {"the animal did not cross the street because it was too tired",
                               "the cat sat on the mat", "the dog saw the dog"}) {
    for (const char* weights : {"pronouns-guided", "pronouns-free", "small-english"}) {
      const auto results = computed(
          page_scene(Page::model, {std::string("model=") + weights, std::string("sentence=") + sentence}));
      const Atlas& atlas = atlas_of(*results);
      for (int s = 0; s < model_scores; ++s) {
        const auto score = static_cast<ModelScore>(s);
        bool beyond = false;
        for (int layer = 0; layer < atlas.layers(); ++layer) {
          const double none = atlas.uniform[static_cast<std::size_t>(layer)].score(score);
          for (const HeadMeasure& head : atlas.measures[static_cast<std::size_t>(layer)])
            beyond |= score == ModelScore::entropy ? head.score(score) < none : head.score(score) > none;
        }
        EXPECT_EQ(atlas.beyond_uniform(score), beyond);
        ++(beyond ? with : without);
      }
    }
  }
  EXPECT_GT(with, 0);
  EXPECT_GT(without, 0) << "both happen";
}

TEST(Atlas, RandomWeightsHaveOneLayer) {
  expect_attention({});
  expect_attention({"mask=causal", "heads=8"});
  expect_attention({"sentence=one"});
  EXPECT_EQ(atlas_of(*computed(page_scene(Page::model, {}))).layers(), 1);
}

TEST(Atlas, EveryLayerOfAnIncludedModelIsThatOfTheAttentionPage) {
  expect_attention({"weights=trained"});
  expect_attention(
      {"model=pronouns-guided", "sentence=the animal did not cross the street because it was tired"});
  expect_attention({"weights=trained", "temperature=0.5", "weights_layer=2"});
}

TEST(Atlas, LongSentencesArePooled) {
  std::string words;
  for (int i = 0; i < 130; ++i) words += (i ? " w" : "w") + std::to_string(i % 17);
  expect_attention({"sentence=" + words, "mask=causal"});
  expect_attention({"sentence=" + words, "mask=window", "window=3"});
}

TEST(Atlas, AnEmptySentenceHasNoHeads) {
  const Scene scene = page_scene(Page::model, {"sentence="});
  const auto results = computed(scene);
  EXPECT_EQ(atlas_of(*results).layers(), 0);
  EXPECT_TRUE(std::isnan(number("model_heads", scene, *results)));
  EXPECT_TRUE(std::isnan(number("model_best", scene, *results)));
}

TEST(Atlas, AHeadWhoseQueriesAttendToNothingHasNoEntropy) {
  const Scene scene = page_scene(Page::model, {"mask=valid_length", "valid_length=0", "model_score=entropy"});
  const auto results = computed(scene);
  const Atlas& atlas = atlas_of(*results);
  ASSERT_EQ(atlas.layers(), 1);
  for (int h = 0; h < atlas.heads(0); ++h) EXPECT_TRUE(std::isnan(atlas.of({0, h}).entropy_bits));
  EXPECT_TRUE(std::isnan(number("model_best", scene, *results)));
}

/// By hand: log₂ of how many keys each query has.
TEST(Atlas, TheMostEntropyIsThatOfUniformAttentionOverTheAllowedKeys) {
  constexpr int T = 6;
  const std::string sentence = "sentence=the cat sat on the mat";
  const auto mean_of = [&](auto&& keys) {
    double sum = 0;
    for (int q = 0; q < T; ++q) sum += std::log2(static_cast<double>(keys(q)));
    return sum / T;
  };
  const auto most = [&](const std::vector<std::string>& sets) {
    const auto results = computed(page_scene(Page::model, sets));
    const Atlas& atlas = atlas_of(*results);
    EXPECT_EQ(atlas.uniform.size(), static_cast<std::size_t>(atlas.layers()));
    for (int l = 0; l < atlas.layers(); ++l) {
      for (int h = 0; h < atlas.heads(l); ++h)
        EXPECT_LE(atlas.of({l, h}).entropy_bits,
                  atlas.uniform[static_cast<std::size_t>(l)].entropy_bits + 1e-6);
    }
    return atlas.uniform.back().entropy_bits;
  };
  EXPECT_NEAR(most({sentence}), std::log2(6.0), 1e-12);
  EXPECT_NEAR(most({sentence, "mask=causal"}), mean_of([](int q) { return q + 1; }), 1e-12);
  EXPECT_NEAR(most({sentence, "weights=trained", "mask=causal"}), mean_of([](int q) { return q + 1; }),
              1e-12);
  EXPECT_NEAR(most({sentence, "mask=valid_length", "valid_length=3"}), std::log2(3.0), 1e-12);
}

/// By hand: of six tokens without a mask every key has 1/6; with the causal mask query q gives each of its
/// q + 1 keys as much. “the” is token 0 and 4.
TEST(Atlas, WhatUniformAttentionMeasuresIsTheShareOfOneKey) {
  const std::string sentence = "sentence=the cat sat on the mat";
  const auto value = [&](const char* name, const std::vector<std::string>& sets) {
    const Scene scene = page_scene(Page::model, sets);
    return number(name, scene, *computed(scene));
  };
  for (const char* name : {"model_uniform_previous", "model_uniform_first", "model_uniform_itself",
                           "model_uniform_same_token", "model_uniform_induction"})
    EXPECT_NEAR(value(name, {sentence}), 1.0 / 6, 1e-12) << name;
  const std::vector<std::string> causal{sentence, "mask=causal"};
  double before = 0, own = 0;
  for (int q = 0; q < 6; ++q) own += 1.0 / (q + 1) / 6, before += q > 0 ? 1.0 / (q + 1) / 5 : 0;
  EXPECT_NEAR(value("model_uniform_previous", causal), before, 1e-12);
  EXPECT_NEAR(value("model_uniform_first", causal), before, 1e-12);
  EXPECT_NEAR(value("model_uniform_itself", causal), own, 1e-12);
  EXPECT_NEAR(value("model_uniform_same_token", causal), 1.0 / 5 / 2, 1e-12);  // token 0 may not attend to 4
  EXPECT_NEAR(value("model_uniform_induction", causal), 1.0 / 5, 1e-12);
  EXPECT_TRUE(std::isnan(value("model_uniform_induction", {"sentence=a b c"})));
}

/// Between two heads of a sheet there are rows that are masked, so that no block of 16 rows has both.
TEST(Atlas, HeadsOfASheetAreApart) {
  base::Parallel parallel(1);
  for (const int T : {6, 47, 49, 85, 96, 130}) {
    HeadTiles tiles;
    tiles.begin(T, T, 40);
    nn::Matrix weights(40, T, T);
    for (std::size_t i = 0; i < weights.size(); ++i) weights.data()[i] = 1;
    tiles.add(weights, std::vector<base::Interval>(static_cast<std::size_t>(T), {0, T}), parallel);
    EXPECT_TRUE(T <= 48 || tiles.pitch % 16 == 0) << T;
    EXPECT_GE(tiles.pitch, tiles.side);
    for (int head : {0, 1, 31}) {
      for (int row = 0; row < tiles.pitch; ++row) {
        const auto allowed = tiles.allowed[0][static_cast<std::size_t>(head * tiles.pitch + row)];
        EXPECT_EQ(allowed.begin < allowed.end, row < tiles.side) << T << ", head " << head << ", row " << row;
      }
    }
    for (int head : {0, 31, 32, 39}) EXPECT_EQ(tiles.tile(0, head)[tiles.side * tiles.wide - 1], 1) << T;
  }
}

TEST(Atlas, AWeightThatIsNotFiniteStaysVisibleInThePicture) {
  constexpr int T = 130;
  base::Parallel parallel(2);
  nn::Matrix weights(1, T, T);
  for (std::size_t i = 0; i < weights.size(); ++i) weights.data()[i] = 0.25f;
  weights.at(0, 64, 65) = std::nanf("");
  HeadTiles tiles;
  tiles.begin(T, T, 100);
  tiles.add(weights, std::vector<base::Interval>(T, {0, T}), parallel);
  ASSERT_LT(tiles.side, T) << "weights share pixels";
  int broken = 0;
  for (int i = 0; i < tiles.side * tiles.side; ++i) broken += std::isnan(tiles.tile(0, 0)[i]);
  EXPECT_EQ(broken, 1);
}

TEST(Atlas, HeadsAreRankedByEachScore) {
  const Scene scene = page_scene(Page::model, {"weights=trained", "sentence=the cat sat on the mat"});
  const auto results = computed(scene);
  const Atlas& atlas = atlas_of(*results);
  for (int s = 0; s < model_scores; ++s) {
    const auto score = static_cast<ModelScore>(s);
    const std::vector<HeadPlace>& ranked = atlas.by(score);
    ASSERT_EQ(ranked.size(), static_cast<std::size_t>(atlas.all_heads()));
    for (std::size_t i = 1; i < ranked.size(); ++i) {
      const double a = atlas.of(ranked[i - 1]).score(score), b = atlas.of(ranked[i]).score(score);
      EXPECT_TRUE(score == ModelScore::entropy ? a <= b : a >= b) << s;
    }
    for (int l = 0; l < atlas.layers(); ++l) {
      for (int h = 0; h < atlas.heads(l); ++h)
        EXPECT_EQ(std::count(ranked.begin(), ranked.end(), HeadPlace{l, h}), 1);
    }
    Scene requested = scene;
    requested.model.score = score;
    EXPECT_EQ(number("model_best", requested, *results), atlas.of(ranked.front()).score(score));
    EXPECT_EQ(number("model_best_layer", requested, *results), ranked.front().layer + 1);
    EXPECT_EQ(number("model_best_head", requested, *results), ranked.front().head + 1);
  }
  EXPECT_EQ(number("model_heads", scene, *results), atlas.all_heads());
  EXPECT_EQ(number("model_layers", scene, *results), atlas.layers());
}

/// "the" occurs twice, so two scores are defined; without a repeated token they are not, and nobody is best.
TEST(Atlas, ScoresOfRepeatsNeedARepeat) {
  const Scene twice = page_scene(Page::model, {"sentence=the cat sat on the mat", "model_score=induction"}),
              once = page_scene(Page::model, {"sentence=the cat sat on a mat", "model_score=induction"});
  const auto repeated = computed(twice), distinct = computed(once);
  EXPECT_FALSE(std::isnan(number("model_induction", twice, *repeated)));
  EXPECT_FALSE(std::isnan(number("model_same_token", twice, *repeated)));
  EXPECT_TRUE(std::isnan(number("model_induction", once, *distinct)));
  EXPECT_TRUE(std::isnan(number("model_best", once, *distinct)));
  // Over how many queries each is a mean: both "the", the second alone; nothing to measure.
  EXPECT_EQ(atlas_of(*repeated).queries, (std::array<int, model_scores>{5, 5, 6, 2, 1, 6}));
  EXPECT_EQ(atlas_of(*distinct).queries, (std::array<int, model_scores>{5, 5, 6, 0, 0, 6}));
  EXPECT_EQ(number("model_score_queries", twice, *repeated), 1);
  EXPECT_EQ(number("model_score_queries", once, *distinct), 0);
  // Query 4 is the second "the": the key after the first one is 1.
  const auto weight = static_cast<double>(repeated->attention.weights.at(0, 4, 1));
  EXPECT_NEAR(number("model_induction head=1", twice, *repeated), weight, 1e-9);
}

TEST(Atlas, TablesHoldTheScoresAndThePictures) {
  const Scene scene = page_scene(Page::model, {"weights=trained"});
  const auto results = computed(scene);
  const Atlas& atlas = atlas_of(*results);
  base::Parallel parallel(1);
  const auto scores = numbers_of(*find_table("head_scores"), {scene, *results, parallel});
  ASSERT_TRUE(scores);
  const auto& table = std::get<io::TensorView<double>>(scores->tensor);
  const auto heads = static_cast<std::size_t>(atlas.all_heads());
  ASSERT_EQ(table.shape, (std::vector<std::size_t>{heads, 9}));
  for (std::size_t i = 0; i < heads; ++i) {
    const HeadPlace at{static_cast<int>(table.values[i * 9]) - 1,
                       static_cast<int>(table.values[i * 9 + 1]) - 1};
    EXPECT_EQ(table.values[i * 9 + 2], atlas.of(at).roles.previous);
    EXPECT_EQ(table.values[i * 9 + 8], atlas.of(at).entropy_bits);
  }
  const auto pictures = numbers_of(*find_table("head_pictures"), {scene, *results, parallel});
  ASSERT_TRUE(pictures);
  const auto& pixels = std::get<io::TensorView<float>>(pictures->tensor);
  const auto side = static_cast<std::size_t>(atlas.tiles.side);
  ASSERT_EQ(pixels.shape, (std::vector<std::size_t>{heads, side, side}));
  EXPECT_EQ(pixels.values[side * side], atlas.tiles.tile(0, 1)[0]);
}

}  // namespace
}  // namespace headlight::scene::atlas_test
