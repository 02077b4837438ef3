// The Compare page's results against other ways of computing them, and its roles on heads that are known.
#include "pages/compare/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pages/block/block.h"
#include "scene/layer_input.h"
#include "scene/settings.h"
#include "support/computed_scene.h"

namespace headlight::scene {
namespace {

/// A layer of one head whose weights are given; what the roles read.
Results synthetic(const std::vector<std::vector<float>>& weights, const std::vector<std::string>& words) {
  Results results;
  const int n = static_cast<int>(words.size());
  nn::AttentionTrace& trace = results.attention;
  trace.T = trace.S = n, trace.heads = 1, trace.d_k = trace.d_v = 2;
  trace.weights = nn::Matrix(1, n, n), trace.row_sum = nn::Matrix(1, n), trace.row_max = nn::Matrix(1, n);
  for (int i = 0; i < n; ++i) {
    trace.row_sum.at(0, i) = 1;
    for (int j = 0; j < n; ++j)
      trace.weights.at(0, i, j) = weights[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    nn::Token token;
    token.text = words[static_cast<std::size_t>(i)];
    token.id = static_cast<int>(std::find(words.begin(), words.end(), token.text) - words.begin());
    results.tokens.push_back(token);
  }
  return results;
}

nn::HeadRoles roles_of(const Results& results) {
  std::vector<int> ids;
  for (const nn::Token& token : results.tokens) ids.push_back(token.id);
  return nn::head_roles(results.attention, ids).front();
}

using Rows = std::vector<std::vector<float>>;

Rows looking_at(int n, int (*key)(int)) {
  Rows rows(static_cast<std::size_t>(n), std::vector<float>(static_cast<std::size_t>(n), 0.f));
  for (int i = 0; i < n; ++i) rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(key(i))] = 1;
  return rows;
}

const std::vector<std::string> six = {"the", "cat", "sat", "on", "the", "mat"};

TEST(Roles, PerfectHeadsScoreOne) {
  EXPECT_DOUBLE_EQ(roles_of(synthetic(looking_at(6, [](int i) { return std::max(0, i - 1); }), six)).previous,
                   1);
  EXPECT_DOUBLE_EQ(roles_of(synthetic(looking_at(6, [](int i) { return std::min(5, i + 1); }), six)).next, 1);
  EXPECT_DOUBLE_EQ(roles_of(synthetic(looking_at(6, [](int) { return 0; }), six)).first, 1);
  EXPECT_DOUBLE_EQ(roles_of(synthetic(looking_at(6, [](int i) { return i; }), six)).diagonal, 1);
  EXPECT_DOUBLE_EQ(
      roles_of(synthetic(looking_at(6, [](int i) { return i == 0   ? 4
                                                          : i == 4 ? 0
                                                                   : i; }), six)).same_token,
      1);
}

TEST(Roles, PerfectHeadsScoreNothingElsewhere) {
  const nn::HeadRoles itself = roles_of(synthetic(looking_at(6, [](int i) { return i; }), six));
  EXPECT_EQ(itself.previous, 0);
  EXPECT_EQ(itself.next, 0);
  EXPECT_EQ(itself.same_token, 0);
  EXPECT_EQ(itself.first, 0);  // the first query, which is its own first token, does not count
}

TEST(Roles, AHeadThatLooksEverywhereAlikeScoresOneOverN) {
  const nn::HeadRoles roles = roles_of(synthetic(Rows(6, std::vector<float>(6, 1 / 6.f)), six));
  for (const double value : {roles.previous, roles.next, roles.first, roles.diagonal, roles.same_token})
    EXPECT_NEAR(value, 1.0 / 6, 1e-7);
}

TEST(Roles, WhatIsNotDefinedIsNoNumber) {
  const nn::HeadRoles one = roles_of(synthetic({{1.f}}, {"cat"}));
  EXPECT_TRUE(std::isnan(one.previous));
  EXPECT_TRUE(std::isnan(one.next));
  EXPECT_TRUE(std::isnan(one.same_token));
  EXPECT_EQ(one.diagonal, 1);
}

TEST(Compare, UnknownWordsAreNotTheSameToken) {
  const auto same = [](const std::string& sentence) {
    const auto results = computed(page_scene(Page::compare, {"model=small-english", "sentence=" + sentence}));
    EXPECT_TRUE(results->unknown(1) && results->unknown(2)) << sentence;
    return results->own_as<CompareResults>()->uniform.same_token;
  };
  EXPECT_TRUE(std::isnan(same("the qwert zuiop is old .")));
  EXPECT_GT(same("the qwert qwert is old ."), 0);
}

TEST(Compare, TheDifferenceIsTakenCellByCell) {
  const auto results = computed(page_scene(Page::compare, {"bench_a=2", "bench_b=4"}));
  const CompareResults& r = *results->own_as<CompareResults>();
  EXPECT_EQ(r.a, 1);
  EXPECT_EQ(r.b, 3);
  float largest = 0;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const float a = results->attention.weights.at(1, i, j), b = results->attention.weights.at(3, i, j);
      EXPECT_EQ(r.map_b.at(i, j), b);
      EXPECT_EQ(r.difference.at(i, j), a - b);
      largest = std::max(largest, std::abs(a - b));
    }
  }
  EXPECT_EQ(r.largest, largest);
  EXPECT_EQ(std::abs(r.difference.at(r.largest_query, r.largest_key)), largest);
  EXPECT_NEAR(r.cosine, r.similarity.at(1, 3), 1e-12);
  EXPECT_FALSE(r.other_seed);
}

TEST(Compare, AHeadAgainstItself) {
  const auto results = computed(page_scene(Page::compare, {"bench_a=3", "bench_b=3"}));
  EXPECT_EQ(results->own_as<CompareResults>()->largest, 0);
  EXPECT_NEAR(results->own_as<CompareResults>()->cosine, 1, 1e-12);
}

/// Maps of zeros have no cosine, and of an output of 0 there is no share.
TEST(Compare, WithoutWeightsThereIsNoCosineAndNoShare) {
  const auto results =
      computed(page_scene(Page::compare, {"mask=valid_length", "valid_length=0", "bench_off=1"}));
  const CompareResults& r = *results->own_as<CompareResults>();
  EXPECT_TRUE(std::isnan(r.cosine));
  EXPECT_TRUE(std::isnan(r.similarity.at(0, 1)));
  EXPECT_TRUE(std::isnan(r.similarity_f32.at(0, 0)));
  EXPECT_EQ(r.largest, 0);
  EXPECT_TRUE(std::isnan(r.share));
  EXPECT_TRUE(std::isnan(r.effects[0].share));
}

TEST(Compare, HeadsThatAreNotThereAreTheLastOne) {
  const auto results = computed(page_scene(Page::compare, {"bench_a=1024", "bench_b=9"}));
  EXPECT_EQ(results->own_as<CompareResults>()->a, 3);
  EXPECT_EQ(results->own_as<CompareResults>()->b, 3);
}

TEST(Compare, AHeadOfAnotherSeedIsTheHeadOfThatScene) {
  const auto results =
      computed(page_scene(Page::compare, {"bench_b=3", "bench_other_seed=true", "bench_seed_b=21"}));
  const auto other = computed(page_scene(Page::compare, {"seed=21"}));
  ASSERT_TRUE(results->own_as<CompareResults>()->other_seed);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j)
      EXPECT_EQ(results->own_as<CompareResults>()->map_b.at(i, j), other->attention.weights.at(2, i, j));
  }
  EXPECT_EQ(results->own_as<CompareResults>()->role_b.previous,
            other->own_as<CompareResults>()->roles[2].previous);
}

TEST(Compare, CosinesAreThoseOfTheMapsAsVectors) {
  const auto results = computed(page_scene(Page::compare));
  const CompareResults& r = *results->own_as<CompareResults>();
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      double dot = 0, aa = 0, bb = 0;
      for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
          const double x = static_cast<double>(results->attention.weights.at(a, i, j)),
                       y = static_cast<double>(results->attention.weights.at(b, i, j));
          dot += x * y, aa += x * x, bb += y * y;
        }
      }
      EXPECT_NEAR(r.similarity.at(a, b), dot / std::sqrt(aa * bb), 1e-12);
      EXPECT_EQ(r.similarity_f32.at(a, b), static_cast<float>(r.similarity.at(a, b)));
    }
  }
}

/// The output with heads off, from the context and W_O by plain loops, in double.
double output_without(const Results& results, const std::vector<int>& off, int t, int column) {
  const auto weights = layer_weights(results.scene);
  const nn::AttentionTrace& trace = results.attention;
  double sum = 0;
  for (int c = 0; c < trace.context.cols(); ++c) {
    if (std::find(off.begin(), off.end(), c / trace.d_v + 1) != off.end()) continue;
    sum += static_cast<double>(trace.context.at(t, c)) * static_cast<double>(weights->w_o.at(c, column));
  }
  return sum;
}

TEST(Compare, SwitchingHeadsOffChangesTheOutputByWhatTheyAdded) {
  for (const std::vector<int>& off : {std::vector<int>{2}, {1, 4}, {1, 2, 3, 4}}) {
    std::string list;
    for (const int head : off) list += (list.empty() ? "" : ",") + std::to_string(head);
    const auto results = computed(page_scene(Page::compare, {"bench_off=" + list}));
    const CompareResults& r = *results->own_as<CompareResults>();
    double changed = 0, whole = 0;
    for (int t = 0; t < 6; ++t) {
      double change = 0, norm = 0;
      for (int c = 0; c < 32; ++c) {
        const double all = output_without(*results, {}, t, c), less = output_without(*results, off, t, c);
        change += (all - less) * (all - less), norm += all * all;
      }
      EXPECT_NEAR(r.token_change[static_cast<std::size_t>(t)], std::sqrt(change), 1e-5);
      EXPECT_NEAR(r.token_norm[static_cast<std::size_t>(t)], std::sqrt(norm), 1e-5);
      changed += change, whole += norm;
    }
    EXPECT_NEAR(r.change, std::sqrt(changed), 1e-5);
    EXPECT_NEAR(r.share, std::sqrt(changed / whole), 1e-6);
    if (off.size() == 1) {
      EXPECT_NEAR(r.share, r.effects[static_cast<std::size_t>(off[0] - 1)].share, 1e-6);
    }
    if (off.size() == 4) {
      EXPECT_NEAR(r.share, 1, 1e-6);
    }
  }
}

/// The stack as the Block page has it, for the same settings.
std::shared_ptr<Results> block_page(const Scene& scene) {
  Scene block = scene;
  block.page = Page::block;
  return computed(block);
}

TEST(CompareStack, AHeadIsThatOfTheBlockPagesLayer) {
  for (const std::vector<std::string>& settings :
       {std::vector<std::string>{}, {"block_causal=true", "block_norm=post", "block_init=normal"}}) {
    std::vector<std::string> all = {"bench_from=stack", "bench_layer_a=2", "bench_layer_b=5", "bench_a=3",
                                    "bench_b=4"};
    all.insert(all.end(), settings.begin(), settings.end());
    const Scene scene = page_scene(Page::compare, all);
    const auto results = computed(scene), block = block_page(scene);
    const CompareResults& r = *results->own_as<CompareResults>();
    ASSERT_NE(r.stack, nullptr);
    EXPECT_EQ(r.layer_a, 1);
    EXPECT_EQ(r.layer_b, 4);
    const auto weight = [&](std::size_t layer, int head, int i, int j) {
      return block->own_as<BlockResults>()->trace.layers[layer].attention.weights.at(head, i, j);
    };
    double dot = 0, aa = 0, bb = 0;
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        EXPECT_EQ(r.stack->trace.layers[1].attention.weights.at(2, i, j), weight(1, 2, i, j));
        EXPECT_EQ(r.map_b.at(i, j), weight(4, 3, i, j));
        EXPECT_EQ(r.difference.at(i, j), weight(1, 2, i, j) - weight(4, 3, i, j));
        const double x = static_cast<double>(weight(1, 2, i, j)), y = static_cast<double>(weight(4, 3, i, j));
        dot += x * y, aa += x * x, bb += y * y;
      }
    }
    EXPECT_NEAR(r.cosine, dot / std::sqrt(aa * bb), 1e-12);
    EXPECT_GT(r.largest, 0);
  }
}

TEST(CompareStack, CosinesAreOfTheHeadsOfOneLayerWithThoseOfTheOther) {
  for (const int layer_b : {2, 6}) {
    const auto results = computed(
        page_scene(Page::compare, {"bench_from=stack", "bench_layer_a=2",
                                   "bench_layer_b=" + std::to_string(layer_b), "bench_a=2", "bench_b=3"}));
    const CompareResults& r = *results->own_as<CompareResults>();
    const auto& layers = r.stack->trace.layers;
    const nn::Matrix &a = layers[1].attention.weights,
                     &b = layers[static_cast<std::size_t>(layer_b - 1)].attention.weights;
    for (int h = 0; h < 4; ++h) {
      for (int g = 0; g < 4; ++g) {
        // Of vectors of length 1, from how far apart they are: 1 − |x − y|² / 2.
        double aa = 0, bb = 0, apart = 0;
        for (int i = 0; i < 36; ++i) {
          const double x = static_cast<double>(a.at(h, i / 6, i % 6)),
                       y = static_cast<double>(b.at(g, i / 6, i % 6));
          aa += x * x, bb += y * y;
        }
        for (int i = 0; i < 36; ++i) {
          const double x = static_cast<double>(a.at(h, i / 6, i % 6)) / std::sqrt(aa),
                       y = static_cast<double>(b.at(g, i / 6, i % 6)) / std::sqrt(bb);
          apart += (x - y) * (x - y);
        }
        EXPECT_NEAR(r.similarity.at(h, g), 1 - apart / 2, 1e-12);
        EXPECT_EQ(r.similarity_f32.at(h, g), static_cast<float>(r.similarity.at(h, g)));
      }
    }
    EXPECT_NEAR(r.cosine, r.similarity.at(1, 2), 1e-12);
  }
}

TEST(CompareStack, RolesAreThoseOfLayerA) {
  const auto results = computed(
      page_scene(Page::compare, {"bench_from=stack", "bench_layer_a=4", "bench_layer_b=1", "bench_b=3"}));
  const CompareResults& r = *results->own_as<CompareResults>();
  const auto previous = [&](std::size_t layer, int head) {
    double sum = 0;
    for (int i = 1; i < 6; ++i)
      sum += static_cast<double>(r.stack->trace.layers[layer].attention.weights.at(head, i, i - 1));
    return sum / 5;
  };
  ASSERT_EQ(r.roles.size(), 4u);
  for (int head = 0; head < 4; ++head)
    EXPECT_NEAR(r.roles[static_cast<std::size_t>(head)].previous, previous(3, head), 1e-12);
  EXPECT_NEAR(r.role_b.previous, previous(0, 2), 1e-12);
  EXPECT_TRUE(r.repeats);
}

TEST(CompareStack, HeadsAreSwitchedOffInTheAttentionOfLayerA) {
  const auto results = computed(page_scene(
      Page::compare, {"bench_from=stack", "bench_layer_a=3", "bench_off=1,4", "block_init=normal"}));
  const CompareResults& r = *results->own_as<CompareResults>();
  const nn::AttentionTrace& trace = r.stack->trace.layers[2].attention;
  const nn::AttentionWeights& weights = stack_weights(results->scene, *r.stack)->layers[2].attention;
  double changed = 0, whole = 0;
  for (int t = 0; t < 6; ++t) {
    for (int column = 0; column < 32; ++column) {
      double all = weights.b_o.empty() ? 0 : static_cast<double>(weights.b_o.at(0, column)), lost = 0;
      for (int c = 0; c < 32; ++c) {
        const double part =
            static_cast<double>(trace.context.at(t, c)) * static_cast<double>(weights.w_o.at(c, column));
        all += part;
        if (c / 8 == 0 || c / 8 == 3) lost += part;
      }
      changed += lost * lost, whole += all * all;
    }
  }
  EXPECT_GT(changed, 0);
  EXPECT_NEAR(r.share, std::sqrt(changed / whole), 1e-5);
  EXPECT_NEAR(r.change, std::sqrt(changed), 1e-5 * std::sqrt(whole));
}

TEST(CompareStack, AHeadOfAnotherSeedIsTheHeadOfThatStack) {
  const auto results = computed(page_scene(Page::compare, {"bench_from=stack", "bench_layer_b=5", "bench_b=3",
                                                           "bench_other_seed=true", "bench_seed_b=21"}));
  const auto other = block_page(page_scene(Page::compare, {"seed=21"}));
  ASSERT_TRUE(results->own_as<CompareResults>()->other_seed);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j)
      EXPECT_EQ(results->own_as<CompareResults>()->map_b.at(i, j),
                other->own_as<BlockResults>()->trace.layers[4].attention.weights.at(2, i, j));
  }
}

TEST(CompareStack, LayersThatAreNotThereAreTheLastOne) {
  const auto results = computed(page_scene(
      Page::compare, {"bench_from=stack", "block_layers=3", "bench_layer_a=12", "bench_layer_b=1"}));
  EXPECT_EQ(results->own_as<CompareResults>()->layer_a, 2);
  EXPECT_EQ(results->own_as<CompareResults>()->layer_b, 0);
}

TEST(CompareStack, OneLayerKnowsNoStack) {
  const auto plain = computed(page_scene(Page::compare)),
             other = computed(
                 page_scene(Page::compare, {"bench_layer_a=4", "bench_layer_b=6", "block_layers=9"}));
  EXPECT_EQ(plain->own_as<CompareResults>()->stack, nullptr);
  EXPECT_EQ(other->own_as<CompareResults>()->layer_a, 0);
  EXPECT_EQ(other->own_as<CompareResults>()->layer_b, 0);
  EXPECT_EQ(plain->own_as<CompareResults>()->cosine, other->own_as<CompareResults>()->cosine);
}

TEST(CompareStack, AnyNumberOfTokens) {
  for (const int tokens : {0, 1, 2, 500}) {
    for (const int heads : {1, 4, 32}) {
      std::string sentence;
      for (int i = 0; i < tokens; ++i) sentence += i % 3 ? "cat " : "the ";
      const auto results = computed(page_scene(
          Page::compare, {"sentence=" + sentence, "heads=" + std::to_string(heads), "bench_from=stack",
                          "bench_layer_b=12", "bench_off=1", "bench_other_seed=true"}));
      const CompareResults& r = *results->own_as<CompareResults>();
      if (tokens == 0) {
        EXPECT_EQ(r.stack, nullptr);
        continue;
      }
      const int T = r.stack->T;
      EXPECT_EQ(T + r.stack->tokens_left_out, tokens);
      EXPECT_EQ(r.token_change.size(), static_cast<std::size_t>(T));
      EXPECT_EQ(r.difference.rows(), T);
      EXPECT_EQ(r.roles.size(), static_cast<std::size_t>(heads));
      EXPECT_EQ(r.repeats, tokens > 2);
    }
  }
}

TEST(Compare, AllOnChangesNothing) {
  const auto results = computed(page_scene(Page::compare));
  EXPECT_EQ(results->own_as<CompareResults>()->change, 0);
  EXPECT_EQ(results->own_as<CompareResults>()->share, 0);
  // A head that is not there is not switched off.
  EXPECT_EQ(computed(page_scene(Page::compare, {"bench_off=9"}))->own_as<CompareResults>()->share, 0);
}

TEST(Compare, AnyNumberOfTokensAndHeads) {
  for (const int tokens : {0, 1, 2, 500}) {
    for (const int heads : {1, 32, 512}) {
      std::string sentence;
      for (int i = 0; i < tokens; ++i) sentence += i % 3 ? "cat " : "the ";
      if (tokens == 500 && heads == 512)
        continue;  // 128 million weights: the forward pass alone takes seconds
      const auto results = computed(
          page_scene(Page::compare, {"sentence=" + sentence, "d_model=512", "heads=" + std::to_string(heads),
                                     "bench_off=1", "bench_other_seed=true"}));
      ASSERT_NE(results->own_as<CompareResults>(), nullptr);
      const CompareResults& r = *results->own_as<CompareResults>();
      EXPECT_EQ(r.token_change.size(), static_cast<std::size_t>(tokens));
      EXPECT_EQ(r.repeats, tokens > 2);
      if (tokens > 0) {
        EXPECT_EQ(r.roles.size(), static_cast<std::size_t>(heads));
      }
      if (tokens == 2) {
        EXPECT_GT(r.share, 0);
      }
    }
  }
}

/// The pairs that differ most are the largest entries of |A − B|, each once, the largest first.
TEST(Compare, ThePairsThatDifferMost) {
  for (const char* mask : {"none", "causal"}) {
    const auto results = computed(page_scene(Page::compare, {std::string("mask=") + mask}));
    const CompareResults& r = *results->own_as<CompareResults>();
    std::vector<float> all(r.difference.data(), r.difference.data() + r.difference.size());
    for (float& one : all) one = std::abs(one);
    std::sort(all.rbegin(), all.rend());
    ASSERT_EQ(r.apart.size(), most_pairs_apart);
    for (std::size_t i = 0; i < r.apart.size(); ++i) {
      EXPECT_EQ(std::abs(r.apart[i].difference), all[i]);
      EXPECT_EQ(r.apart[i].difference, r.difference.at(r.apart[i].query, r.apart[i].key));
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_FALSE(r.apart[i].query == r.apart[j].query && r.apart[i].key == r.apart[j].key);
    }
    EXPECT_EQ(r.apart.front().query, r.largest_query);
    EXPECT_EQ(r.apart.front().key, r.largest_key);
  }
}

TEST(Compare, EqualHeadsHaveNoPairThatDiffers) {
  const auto results = computed(page_scene(Page::compare, {"bench_a=2", "bench_b=2"}));
  EXPECT_TRUE(results->own_as<CompareResults>()->apart.empty());
}

}  // namespace
}  // namespace headlight::scene
