// The Order page's results against other ways of computing them.
#include "pages/order/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pages/quantities.h"
#include "scene/layer_input.h"
#include "scene/mask_and_order.h"
#include "scene/settings.h"
#include "scene/shown.h"
#include "scene/trained_model.h"
#include "support/computed_scene.h"
#include "support/sanitized.h"

namespace headlight::scene::order_test {
namespace {

std::string words(int count) {
  static const char* some[] = {"the", "cat", "sat", "on", "a", "mat", "and", "slept"};
  std::string out;
  for (int i = 0; i < count; ++i) out += (i > 0 ? " " : "") + std::string(some[i * 5 % 8]);
  return out;
}

TEST(Order, AListThatIsNoPermutationIsTheIdentity) {
  EXPECT_EQ(order_of({}, 3), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(order_of({0, 1}, 3), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(order_of({0, 1, 1}, 3), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(order_of({0, 1, 3}, 3), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(order_of({2, 0, 1}, 3), (std::vector<int>{2, 0, 1}));
}

/// Words that are typed or deleted leave the others where they are.
TEST(Order, AListFollowsTheLengthOfTheSentence) {
  const IndexList list = OrderSettings{}.permutation;
  EXPECT_EQ(order_of(list, 6), (std::vector<int>{0, 5, 2, 3, 4, 1}));
  EXPECT_EQ(order_of(list, 8), (std::vector<int>{0, 5, 2, 3, 4, 1, 6, 7}));
  EXPECT_EQ(order_of(list, 3), (std::vector<int>{0, 2, 1}));
  EXPECT_EQ(order_of(list, 2), (std::vector<int>{0, 1}));
  EXPECT_EQ(order_of({0, 1}, 2), (std::vector<int>{0, 1}));
  EXPECT_EQ(order_of({0, 4, 1}, 2), (std::vector<int>{0, 1}));
  EXPECT_EQ(order_of(list, 1), (std::vector<int>{0}));
  EXPECT_EQ(order_of(list, 0), (std::vector<int>{}));
}

/// Two words that are the same unknown token to the model would show rows that stay as they are.
TEST(Order, ThePageOpensWithTwoTokensThatTheModelKnows) {
  Scene scene;
  scene.page = Page::order, scene.weights = WeightsSource::trained, scene.weights_file = "small-english";
  adopt_model(scene);
  scene.sentence = "the gave dog a boy bone";
  repair(scene);
  const auto results = computed(scene);
  const auto* order = results->own_as<scene::OrderResults>();
  ASSERT_TRUE(order);
  ASSERT_TRUE(results->unknown(1) && results->unknown(5)) << "which the default list exchanges";
  EXPECT_FALSE(order->identity);
  for (int position = 0; position < 6; ++position) {
    const int token = order->order[static_cast<std::size_t>(position)];
    if (token == position) continue;
    EXPECT_FALSE(results->unknown(token)) << token;
    EXPECT_NE(results->tokens[static_cast<std::size_t>(token)].id,
              results->tokens[static_cast<std::size_t>(position)].id);
  }
  // A list that names another order is that order.
  scene.order.permutation = {0, 5, 2, 3, 1, 4};
  EXPECT_EQ(computed(scene)->own_as<scene::OrderResults>()->order, (std::vector<int>{0, 5, 2, 3, 1, 4}));
  // So is the same list where somebody made it: it has an order before it. The scene's file keeps it.
  scene.order.permutation = OrderSettings{}.permutation, scene.order.from = {0, 1, 2, 3, 4, 5};
  const auto read = from_json(to_json(scene), "x");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(computed(*read)->own_as<scene::OrderResults>()->order, (std::vector<int>{0, 5, 2, 3, 4, 1}));
}

/// The page answers its question before anything is set: two tokens have other positions, in a sentence of
/// any length but the shortest. A file that names no order shows the original one.
TEST(Order, ThePageOpensWithRowsThatMove) {
  Scene scene;
  scene.page = Page::order;
  for (const int tokens : {2, 3, 6, 40}) {
    scene.sentence = words(tokens);
    const auto results = computed(scene);
    EXPECT_FALSE(results->own_as<scene::OrderResults>()->identity) << tokens;
    EXPECT_GT(results->own_as<scene::OrderResults>()->float32.output, 0.01) << tokens;
  }
  scene.order.permutation = written_defaults().order.permutation;
  EXPECT_TRUE(computed(scene)->own_as<scene::OrderResults>()->identity);
}

TEST(Order, TheInputIsThatOfTheForwardPass) {
  for (const char* position : {"none", "sinusoidal", "sinusoidal_concat"}) {
    const Scene scene = page_scene(
        Page::order, {std::string("position=") + position, "position_scale=0.7", "position_offset=3"});
    const auto results = computed(scene);
    base::Parallel parallel(1);
    const nn::Matrix x = joined(layer_input(scene, results->tokens, parallel));
    ASSERT_EQ(x.size(), results->x.size());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x.data()[i], results->x.data()[i]) << position;
    EXPECT_EQ(layer_weights(scene)->w_q.rows(), x.cols());
  }
}

// The reordered sentence typed in is another way to the same outputs.
TEST(Order, TheMovedOutputsAreThoseOfTheSentenceTypedInThatOrder) {
  for (const char* position : {"none", "sinusoidal"}) {
    const std::string set = std::string("position=") + position;
    const auto moved = computed(page_scene(Page::order, {set, "order_permutation=5,0,3,2,1,4"}));
    const auto typed = computed(page_scene(Page::order, {set, "sentence=mat the on sat cat the"}));
    ASSERT_NE(moved->own_as<scene::OrderResults>(), nullptr);
    const nn::Matrix& a = moved->own_as<scene::OrderResults>()->moved;
    const nn::Matrix& b = typed->attention.output;
    ASSERT_EQ(a.rows(), 6);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.data()[i], b.data()[i]);
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_EQ(moved->own_as<scene::OrderResults>()->original.data()[i], moved->attention.output.data()[i]);
  }
}

TEST(Order, WithoutPositionsRowsOnlyChangeSeats) {
  for (const char* order : {"0,5,2,3,4,1", "5,0,3,2,1,4", "5,4,3,2,1,0"}) {
    const auto results =
        computed(page_scene(Page::order, {"position=none", std::string("order_permutation=") + order}));
    const OrderResults& r = *results->own_as<scene::OrderResults>();
    EXPECT_FALSE(r.identity);
    EXPECT_LT(r.float32.output, 2e-6);
    EXPECT_LT(r.float32.weights, 1e-6);
    ASSERT_TRUE(r.has_double);
    EXPECT_LT(r.float64.output, 1e-14);
    EXPECT_LT(r.float64.weights, 1e-14);
    EXPECT_GT(r.float32.largest, 0.1);
  }
}

TEST(Order, PositionsAndMasksBreakIt) {
  const auto with = computed(page_scene(Page::order, {"order_permutation=0,5,2,3,4,1"}));
  EXPECT_GT(with->own_as<scene::OrderResults>()->float32.output, 0.1);
  EXPECT_NEAR(with->own_as<scene::OrderResults>()->float32.output,
              with->own_as<scene::OrderResults>()->float64.output, 1e-5);
  EXPECT_FALSE(with->own_as<scene::OrderResults>()->mask_knows_order);
  const auto masked =
      computed(page_scene(Page::order, {"position=none", "mask=causal", "order_permutation=0,5,2,3,4,1"}));
  EXPECT_GT(masked->own_as<scene::OrderResults>()->float32.output, 0.1);
  EXPECT_TRUE(masked->own_as<scene::OrderResults>()->mask_knows_order);
  const auto none = computed(page_scene(Page::order, {"position_scale=0", "order_permutation=0,5,2,3,4,1"}));
  EXPECT_LT(none->own_as<scene::OrderResults>()->float32.output, 2e-6);
}

/// A mask is a cause where it lets a token read others in this order, and only there; as typed, where some
/// order would. The weights say the same: without positions they move along just where the mask is no cause.
TEST(Order, AMaskIsNamedWhereItLetsATokenReadOthers) {
  struct Case {
    const char *mask, *reach, *order;
    bool cause;
  };
  for (const Case& c : {Case{"mask=window", "window=0", "5,4,3,2,1,0", false},
                        Case{"mask=window", "window=0", "0,1,2,3,4,5", false},
                        Case{"mask=window", "window=1", "5,4,3,2,1,0", false},
                        Case{"mask=window", "window=1", "1,0,2,3,4,5", true},
                        Case{"mask=window", "window=1", "0,1,2,3,4,5", true},
                        Case{"mask=valid_length", "valid_length=3", "2,1,0,3,4,5", false},
                        Case{"mask=valid_length", "valid_length=3", "3,1,2,0,4,5", true},
                        Case{"mask=valid_length", "valid_length=0", "5,4,3,2,1,0", false},
                        Case{"mask=causal", "window=0", "1,0,2,3,4,5", true}}) {
    const std::string name = std::string(c.mask) + " " + c.reach + " " + c.order;
    const auto results = computed(page_scene(
        Page::order, {"position=none", c.mask, c.reach, std::string("order_permutation=") + c.order}));
    EXPECT_EQ(results->own_as<scene::OrderResults>()->mask_knows_order, c.cause) << name;
    if (results->own_as<scene::OrderResults>()->identity) continue;
    EXPECT_EQ(results->own_as<scene::OrderResults>()->float32.weights > 1e-5, c.cause) << name;
  }
}

/// That one permutation changes nothing does not show that none does.
TEST(Order, AMaskMayNoticeOnePermutationAndNotAnother) {
  const auto difference = [](const char* order) {
    return computed(page_scene(Page::order, {"position=none", "mask=valid_length", "valid_length=4",
                                             std::string("order_permutation=") + order}))
        ->own_as<scene::OrderResults>()
        ->float32.output;
  };
  EXPECT_LT(difference("1,0,2,3,4,5"), 1e-5) << "every query keeps its keys";
  EXPECT_GT(difference("5,1,2,3,4,0"), 0.1);
  const auto equal = [](const char* setting) {
    return computed(page_scene(Page::order, {"sentence=the the the", setting, "order_permutation=2,0,1"}))
        ->own_as<scene::OrderResults>()
        ->float32.output;
  };
  EXPECT_LT(equal("position=none"), 1e-5);
  EXPECT_GT(equal("position=sinusoidal"), 1e-3) << "equal tokens at other positions differ";
}

TEST(Order, EachRowsDifferenceIsThatOfItsToken) {
  const auto results = computed(page_scene(Page::order, {"order_permutation=3,1,4,0,5,2"}));
  const OrderResults& r = *results->own_as<scene::OrderResults>();
  double worst = 0;
  for (int position = 0; position < 6; ++position) {
    double apart = 0;
    for (int c = 0; c < 32; ++c)
      apart = std::max(
          apart,
          std::abs(static_cast<double>(r.moved.at(position, c)) -
                   static_cast<double>(r.original.at(r.order[static_cast<std::size_t>(position)], c))));
    EXPECT_EQ(r.float32.rows[static_cast<std::size_t>(position)], apart);
    worst = std::max(worst, apart);
  }
  EXPECT_EQ(r.float32.output, worst);
}

TEST(Order, ShufflesAreDeterministicPermutationsThatChangeTheOrder) {
  Scene scene = page_scene(Page::order);
  std::vector<IndexList> seen;
  for (int i = 0; i < 5; ++i) {
    const auto results = computed(scene);
    const OrderResults& r = *results->own_as<scene::OrderResults>();
    EXPECT_NE(r.next, r.order);
    IndexList sorted = r.next;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, (IndexList{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(computed(scene)->own_as<scene::OrderResults>()->next, r.next);
    EXPECT_EQ(r.reversed, IndexList(r.order.rbegin(), r.order.rend()));
    scene.order.permutation = r.next;
    seen.push_back(r.next);
  }
  EXPECT_NE(seen[0], seen[1]);
  scene.order.permutation = {};
  scene.seed = 8;
  EXPECT_NE(computed(scene)->own_as<scene::OrderResults>()->next, seen[0]);
}

TEST(Order, ABagOfWordsCountsTheSameInEveryOrder) {
  const auto results = computed(page_scene(Page::order, {"order_permutation=5,0,3,2,1,4"}));
  const auto& bag = results->own_as<scene::OrderResults>()->bag;
  ASSERT_EQ(bag.size(), 5u);
  EXPECT_EQ(bag[0].token, 0);
  EXPECT_EQ(bag[0].original, 2);
  for (const auto& count : bag) EXPECT_EQ(count.original, count.moved);
  const QuantitySource scope{results->scene, *results, nullptr, nullptr};
  const auto times = [&](int token) {
    return read_quantity("order_count token=" + std::to_string(token), scope).value;
  };
  EXPECT_EQ(times(0), 2);
  EXPECT_EQ(times(4), 2) << "the same word";
  EXPECT_EQ(times(5), 1);
  EXPECT_TRUE(std::isnan(times(6)));
}

// The four parts, once more by plain loops over x, p and the columns of the head.
TEST(Order, TheFourPartsAreWhatTheEquationSays) {
  for (const char* position : {"none", "sinusoidal", "sinusoidal_concat"}) {
    const Scene scene = page_scene(Page::order, {std::string("position=") + position, "temperature=0.5"});
    const auto results = computed(scene);
    const OrderParts& parts = results->own_as<scene::OrderResults>()->parts;
    ASSERT_EQ(parts.tokens, 6);
    EXPECT_NEAR(parts.factor, 1 / (0.5 * std::sqrt(8.0)), 1e-7);
    EXPECT_LT(parts.residual, 1e-5);
    base::Parallel parallel(1);
    const LayerInput input = layer_input(scene, results->tokens, parallel);
    const auto weights = layer_weights(scene);
    const auto project = [&](const nn::Matrix& x, const nn::Matrix& w, int t, int column) {
      double sum = 0;
      for (int c = 0; c < x.cols(); ++c)
        sum += static_cast<double>(x.at(t, c)) * static_cast<double>(w.at(c, column));
      return sum;
    };
    for (const int head : {0, 3}) {
      double span = 0;
      for (int which = 0; which < 4; ++which) {
        for (int i = 0; i < 6; ++i) {
          for (int j = 0; j < 6; ++j) {
            double sum = 0;
            for (int c = head * 8; c < head * 8 + 8; ++c)
              sum += project(which < 2 ? input.content : input.position, weights->w_q, i, c) *
                     project(which % 2 == 0 ? input.content : input.position, weights->w_k, j, c);
            EXPECT_NEAR(parts.part[which].at(head, i, j), sum, 1e-12);
            EXPECT_EQ(parts.map[which].at(head, i, j), static_cast<float>(parts.part[which].at(head, i, j)));
            span = std::max(span, std::abs(parts.part[which].at(head, i, j)));
          }
        }
      }
      EXPECT_EQ(parts.span[static_cast<std::size_t>(head)], span);
    }
  }
}

TEST(Order, PartsAddUpToTheScoreOfTheOpenedCell) {
  Scene scene = page_scene(Page::order);
  scene.head = {3}, scene.query = {2}, scene.key = 5;
  const auto results = computed(scene);
  const auto cell = explain_pinned(scene, *results);
  const OrderParts& parts = results->own_as<scene::OrderResults>()->parts;
  double sum = 0;
  for (int which = 0; which < parts.count; ++which) sum += parts.part[which].at(2, 2, 5);
  EXPECT_NEAR(sum, cell->dot, 1e-5);
  EXPECT_NEAR(sum * parts.factor, cell->score, 1e-5);
  EXPECT_NEAR(parts.dot.at(2, 2, 5), cell->dot, 1e-12);
}

TEST(Order, PositionsAloneAreTheSameForEverySentence) {
  const auto a = computed(page_scene(Page::order)),
             b = computed(page_scene(Page::order, {"sentence=one two three four five six"}));
  for (std::size_t i = 0; i < a->own_as<scene::OrderResults>()->parts.part[3].size(); ++i)
    EXPECT_EQ(a->own_as<scene::OrderResults>()->parts.part[3].data()[i],
              b->own_as<scene::OrderResults>()->parts.part[3].data()[i]);
}

TEST(Order, AnyNumberOfTokens) {
  for (const int count : {0, 1, 2, 3, 64, 500, 1500}) {
    if (tests::sanitized && count > 64) continue;
    const auto results =
        computed(page_scene(Page::order, {"sentence=" + words(count), "heads=32", "order_permutation="}));
    ASSERT_NE(results->own_as<scene::OrderResults>(), nullptr);
    const OrderResults& r = *results->own_as<scene::OrderResults>();
    EXPECT_LE(r.tokens, count);
    EXPECT_EQ(r.moved.rows(), r.tokens);
    EXPECT_EQ(r.tokens == 0, count == 0);
    EXPECT_EQ(r.float32.output, 0) << count;  // as typed, however many of the tokens are used
  }
}

TEST(Order, ManyTokensAreCut) {
  const auto results = computed(page_scene(Page::order, {"sentence=" + words(500), "position=none"}));
  EXPECT_GT(results->own_as<scene::OrderResults>()->parts.tokens, 50);
  EXPECT_LT(results->own_as<scene::OrderResults>()->parts.tokens, 500);
}

}  // namespace
}  // namespace headlight::scene::order_test
