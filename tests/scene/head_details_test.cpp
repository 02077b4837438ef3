// q·k component by component, and the plane of queries and keys, against the trace of the attention.
#include "pages/model/head_details.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/opened_model.h"
#include "network/network.h"
#include "nn/principal_plane.h"
#include "pages/compute.h"
#include "pages/model/atlas.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/opened_families.h"
#include "scene/other_model.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene::head_details_test {
namespace {

struct Shown {
  Scene scene;
  std::shared_ptr<Results> results;
  const HeadDetails& details() const { return results->own_as<AtlasResults>()->details; }
  double number(const std::string& text) const {
    const auto quantity = parse_quantity(text);
    EXPECT_TRUE(quantity) << text;
    return quantity_value(*quantity, {scene, *results, nullptr});
  }
};

Shown shown(const std::vector<std::string>& assignments) {
  Shown out;
  out.scene.page = Page::model;
  for (const std::string& assignment : assignments)
    EXPECT_TRUE(set_field(out.scene, assignment)) << assignment;
  repair(out.scene);
  base::Parallel parallel(2);
  out.results = compute_now(out.scene, parallel, {});
  return out;
}

TEST(HeadDetails, ComponentsAddUpToTheProductAndAreSorted) {
  for (const char* weights : {"weights=random", "weights=trained", "model=dictionary"}) {
    SCOPED_TRACE(weights);
    const Shown s = shown({weights, "model_detail=components", "query=3", "key=1"});
    const nn::AttentionTrace& trace = s.results->attention;
    ASSERT_EQ(s.details().query, 3);
    ASSERT_EQ(s.details().components.size(), static_cast<std::size_t>(trace.heads));
    for (int head = 0; head < trace.heads; ++head) {
      const HeadComponents& c = s.details().components[static_cast<std::size_t>(head)];
      EXPECT_EQ(c.key, 1);
      ASSERT_EQ(c.products.rows(), trace.S);
      std::vector<int> order = c.order;
      std::sort(order.begin(), order.end());
      for (int i = 0; i < trace.d_k; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
      double largest = 0;
      for (int key = 0; key < trace.S; ++key) {
        double sum = 0;
        for (int i = 0; i < trace.d_k; ++i) {
          const int component = c.order[static_cast<std::size_t>(i)];
          EXPECT_EQ(c.products.at(key, i), trace.query(head, 3)[component] * trace.key(head, key)[component]);
          sum += static_cast<double>(c.products.at(key, i));
          largest = std::max(largest, std::abs(static_cast<double>(c.products.at(key, i))));
          if (i > 0 && key == 1) {
            EXPECT_GE(c.products.at(key, i - 1), c.products.at(key, i));
          }
        }
        const std::string at = " head=" + std::to_string(head + 1) + " query=3 key=" + std::to_string(key);
        EXPECT_NEAR(sum, s.number("dot" + at), 1e-4 * (1 + std::abs(sum)));
      }
      const std::string of = " head=" + std::to_string(head + 1);
      EXPECT_EQ(s.number("model_component_limit" + of), largest);
      EXPECT_EQ(s.number("model_component rank=1" + of), static_cast<double>(c.products.at(1, 0)));
      EXPECT_EQ(s.number("model_component rank=1 key=0" + of), static_cast<double>(c.products.at(0, 0)));
      EXPECT_EQ(s.number("model_component_index rank=1" + of), c.order[0]);
    }
    EXPECT_TRUE(std::isnan(s.number("model_component rank=1 head=99")));
    EXPECT_TRUE(s.details().planes.empty());
  }
}

TEST(HeadDetails, TheOpenedKeyIsThePinnedOneOrTheStrongest) {
  const Shown pinned_key = shown({"model_detail=components", "query=2", "key=4"}),
              strongest = shown({"model_detail=components", "query=2"}),
              none = shown({"model_detail=components", "query=-1"});
  EXPECT_EQ(pinned_key.number("model_component_key head=2"), 4);
  EXPECT_EQ(strongest.number("model_component_key head=2"), strongest.number("strongest head=2 query=2"));
  EXPECT_NE(key(pinned_key.scene), key(strongest.scene)) << "another key is another result";
  EXPECT_TRUE(none.details().components.empty());
  const Scene weights = shown({"query=2", "key=4"}).scene, without = shown({"query=2"}).scene;
  EXPECT_EQ(key(weights), key(without)) << "the weights alone do not depend on the key";
}

/// Half of a head is turned with the other half; in Phi the second half of the components is not turned.
TEST(HeadDetails, ComponentsThatRopeTurnsHaveTheirPairAndItsTurn) {
  for (const char* family : {"models/llama", "models/phi"}) {
    SCOPED_TRACE(family);
    const nlohmann::json all = tests::manifest(family);
    const auto cases = tests::plain_cases(all);
    ASSERT_FALSE(cases.empty());
    Shown s;
    s.scene = tests::scene_with(tests::path_of(family, all["variants"][0]),
                                cases.front()["input_ids"].get<std::vector<int>>());
    s.scene.page = Page::model, s.scene.query = {1}, s.scene.model.detail = ModelDetail::components;
    repair(s.scene);
    base::Parallel parallel(2);
    s.results = compute_now(s.scene, parallel, {});
    ASSERT_FALSE(s.details().components.empty());
    const nn::NetworkRope& rope = shown_other_model(s.scene)->model->network.rope;
    ASSERT_GT(rope.rotary_dim, 0);
    ASSERT_EQ(rope.pairs, nn::RopePairs::half);
    ASSERT_EQ(rope.scaling.kind, nn::RopeScalingKind::none);
    int turned = 0, still = 0;
    for (int rank = 1; rank <= s.results->attention.d_k; ++rank) {
      const std::string of = " rank=" + std::to_string(rank) + " head=1";
      const int component = static_cast<int>(s.number("model_component_index" + of));
      if (component >= rope.rotary_dim) {
        EXPECT_TRUE(std::isnan(s.number("model_component_pair" + of)));
        EXPECT_TRUE(std::isnan(s.number("model_component_turn" + of)));
        ++still;
        continue;
      }
      const int pair = component % (rope.rotary_dim / 2);
      EXPECT_EQ(s.number("model_component_pair" + of), pair);
      EXPECT_NEAR(s.number("model_component_turn" + of), std::pow(rope.base, -2.0 * pair / rope.rotary_dim),
                  1e-12);
      ++turned;
    }
    EXPECT_EQ(turned, rope.rotary_dim);
    EXPECT_EQ(still, s.results->attention.d_k - rope.rotary_dim);
  }
  EXPECT_TRUE(shown({"model_detail=components", "query=1"}).details().turned.empty()) << "no rotation";
}

TEST(HeadDetails, ThePlaneHoldsQueriesAndKeysOfTheHead) {
  const Shown s = shown({"weights=trained", "model_detail=plane"});
  const nn::AttentionTrace& trace = s.results->attention;
  ASSERT_EQ(s.details().planes.size(), static_cast<std::size_t>(trace.heads));
  for (int head = 0; head < trace.heads; ++head) {
    nn::MatrixF64 all(trace.T + trace.S, trace.d_k);
    for (int i = 0; i < trace.T + trace.S; ++i) {
      const float* from = i < trace.T ? trace.query(head, i) : trace.key(head, i - trace.T);
      for (int c = 0; c < trace.d_k; ++c) all.at(i, c) = static_cast<double>(from[c]);
    }
    const nn::PrincipalPlane wanted = nn::principal_plane(all);
    const HeadPlane& plane = s.details().planes[static_cast<std::size_t>(head)];
    for (int t = 0; t < trace.T; ++t) {
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_EQ(plane.queries[static_cast<std::size_t>(t)][c],
                  static_cast<float>(wanted.points.at(t, static_cast<int>(c))));
        EXPECT_EQ(plane.keys[static_cast<std::size_t>(t)][c],
                  static_cast<float>(wanted.points.at(trace.T + t, static_cast<int>(c))));
      }
    }
    const std::string of = " head=" + std::to_string(head + 1);
    EXPECT_EQ(s.number("model_plane_share axis=1" + of), wanted.share[0]);
    EXPECT_EQ(s.number("model_plane_share axis=2" + of), wanted.share[1]);
    EXPECT_GT(wanted.share[0], wanted.share[1]);
  }
  EXPECT_TRUE(std::isnan(s.number("model_plane_share axis=3")));
  base::Parallel parallel(1);
  EXPECT_TRUE(numbers_of(*find_table("qk_plane"), {s.scene, *s.results, parallel}));
  EXPECT_FALSE(numbers_of(*find_table("qk_components"), {s.scene, *s.results, parallel}));
}

}  // namespace
}  // namespace headlight::scene::head_details_test
