// The stages of one layer of every family: they add up to the golden hidden states in the family's own order,
// they are those of a whole pass, and each is that of the layer written out once more in double.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <set>

#include "models/model_case.h"
#include "models/network_in_double.h"

namespace headlight::tests {
namespace {

using nn::BlockPlan;
using nn::NetworkStage;

struct Case {
  std::string name;
  const models::OpenedModel& model;
  std::vector<int> ids, types;
  std::vector<std::uint8_t> visible;
  nlohmann::json expected;
  const ModelData& data;
  nn::NetworkInput input() const { return {.ids = ids, .token_types = types, .visible = visible}; }
};

/// Every case of one text of the first variant of every family that the data have.
void for_each_case(const std::function<void(const Case&)>& run) {
  std::vector<std::string> folders = {"tiny-gpt2", "tiny-bert"};
  const ReferenceData& all = ReferenceData::instance();
  for (const std::string& family : all.folders(all.models() + "models"))
    folders.push_back("models/" + family);
  for (const std::string& name : folders) {
    const std::string folder = all.models() + name;
    if (!all.bytes(folder + "/manifest.json")) continue;
    const ModelData data(all.on_disk(folder));
    const nlohmann::json& variant = data.manifest.at("variants").front();
    const auto model = models::open_model(data.path(variant));
    ASSERT_TRUE(model) << model.error();
    for (const nlohmann::json& one : data.manifest.at("cases")) {
      const std::string set = variant.at("expected");
      if (!one.at("expected").contains(set) || one.at("input_ids").front().is_array()) continue;
      Case made{name + " " + one.at("id").get<std::string>(),
                **model,
                whole_numbers(one.at("input_ids")),
                {},
                {},
                one.at("expected").at(set),
                data};
      if (one.contains("token_type_ids")) made.types = whole_numbers(one.at("token_type_ids"));
      if (one.contains("attention_mask")) {
        for (const int seen : whole_numbers(one.at("attention_mask")))
          made.visible.push_back(static_cast<std::uint8_t>(seen));
      }
      SCOPED_TRACE(made.name);
      run(made);
    }
  }
}

nn::NetworkKeeps stages_of(int layer) {
  nn::NetworkKeeps keeps{.scores = true};
  keeps.parts = keeps.stages = true, keeps.layer = layer;
  return keeps;
}

std::vector<double> numbers(const nn::Matrix& m) {
  return {m.values().begin(), m.values().end()};
}

std::vector<double> plus(std::vector<double> a, const nn::Matrix& b) {
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) a[i] += static_cast<double>(b.data()[i]);
  return a;
}

/// Hidden state `index` of the golden array [L + 1, T, D].
std::vector<double> golden_state(const Array& all, int index) {
  const std::size_t each = static_cast<std::size_t>(all.dim(1)) * static_cast<std::size_t>(all.dim(2));
  const auto from = all.values.begin() + static_cast<std::ptrdiff_t>(each * static_cast<std::size_t>(index));
  return {from, from + static_cast<std::ptrdiff_t>(each)};
}

TEST(NetworkStages, AddUpToTheGoldenHiddenStates) {
  base::Parallel parallel(1);
  std::set<BlockPlan> plans;
  int layers = 0;
  for_each_case([&](const Case& c) {
    const nn::Network& net = c.model.network;
    const nlohmann::json& entry = c.expected.at("hidden_states");
    const Array golden = c.data.array(entry);
    plans.insert(net.plan);
    nn::NetworkTrace trace;
    for (int l = 0; l < static_cast<int>(net.layers.size()); ++l) {
      ASSERT_TRUE(nn::network_forward(net, c.model.weights, c.input(), parallel, trace, stages_of(l)));
      ++layers;
      const nn::NetworkStages& s = trace.stages;
      const auto of = [&](NetworkStage stage) -> const nn::Matrix& {
        EXPECT_TRUE(s.has(stage)) << static_cast<int>(stage);
        return s.of(stage);
      };
      const std::string where = c.name + " layer " + std::to_string(l);
      const std::vector<double> x = golden_state(golden, l);
      compare(where + " x", numbers(of(NetworkStage::input)), x, entry);
      std::vector<double> y;
      if (net.plan == BlockPlan::post) {
        compare(where + " x + attention", plus(x, of(NetworkStage::attention)),
                numbers(of(NetworkStage::sum_1)), entry);
        compare(where + " a + MLP", plus(numbers(of(NetworkStage::norm_1)), of(NetworkStage::down)),
                numbers(of(NetworkStage::sum_2)), entry);
        y = numbers(of(NetworkStage::norm_2));
      } else {
        const bool sandwich = net.plan == BlockPlan::sandwich;
        y = plus(x, of(sandwich ? NetworkStage::norm_1_after : NetworkStage::attention));
        const bool parallel_plan =
            net.plan == BlockPlan::parallel_one_norm || net.plan == BlockPlan::parallel_two_norms;
        EXPECT_EQ(s.has(NetworkStage::sum_1), !parallel_plan);
        EXPECT_EQ(s.has(NetworkStage::norm_2), net.plan != BlockPlan::parallel_one_norm);
        if (!parallel_plan) compare(where + " x + attention", numbers(of(NetworkStage::sum_1)), y, entry);
        y = plus(y, of(sandwich ? NetworkStage::norm_2_after : NetworkStage::down));
        compare(where + " sum", numbers(of(NetworkStage::sum_2)), y, entry);
      }
      const bool last = l + 1 == static_cast<int>(net.layers.size());
      if (!last || !net.final_norm) {
        compare(where + " y", y, golden_state(golden, l + 1), entry);
      } else {
        compare(where + " final norm", numbers(of(NetworkStage::final_norm)), golden_state(golden, l + 1),
                entry);
      }
      if (last && c.expected.contains("logits") && !c.model.weights.head.w.empty())
        compare(where + " logits", numbers(of(NetworkStage::logits)),
                c.data.array(c.expected.at("logits")).values, c.expected.at("logits"));
      // The golden weights times the values are the context.
      const Array weights = c.data.array(c.expected.at("attentions"));
      const nn::NetworkLayer& shape = net.layers[static_cast<std::size_t>(l)];
      const nn::Matrix &v = of(NetworkStage::v), &context = of(NetworkStage::context);
      const int T = static_cast<int>(c.ids.size()), d = shape.head_dim;
      for (int h = 0; h < shape.heads; ++h) {
        for (int t = 0; t < T; ++t) {
          for (int i = 0; i < d; ++i) {
            double sum = 0;
            for (int j = 0; j < T; ++j)
              sum += weights.values[static_cast<std::size_t>(((l * shape.heads + h) * T + t) * T + j)] *
                     static_cast<double>(v.at(j, h / (shape.heads / shape.kv_heads) * d + i));
            ASSERT_NEAR(static_cast<double>(context.at(t, h * d + i)), sum, 1e-3) << where;
          }
        }
      }
    }
  });
  if (layers == 0) GTEST_SKIP() << "no models in " << ReferenceData::instance().origin();
  EXPECT_EQ(plans.size(), 5u) << "a placement of the norms is not among them";
  std::printf("%d layers\n", layers);
}

/// A layer on its own, from a kept state, has the same bits as in the whole pass.
TEST(NetworkStages, OfALayerAloneAreThoseOfTheWholePass) {
  base::Parallel parallel(1);
  int compared = 0;
  for_each_case([&](const Case& c) {
    const nn::Network& net = c.model.network;
    nn::NetworkTrace whole, pass, alone;
    int seen = 0;
    nn::NetworkKeeps watched;
    std::vector<nn::Matrix> stream;
    watched.watch_stream = [&](int index, const nn::Matrix& x) {
      EXPECT_EQ(index, seen++);
      stream.push_back(x);
    };
    ASSERT_TRUE(nn::network_forward(net, c.model.weights, c.input(), parallel, whole, watched));
    ASSERT_EQ(seen, static_cast<int>(net.layers.size()) + (net.final_norm ? 2 : 1));
    EXPECT_EQ(numbers(stream.back()), numbers(whole.states.back()));
    for (int l = 0; l < static_cast<int>(net.layers.size()); ++l) {
      const nn::NetworkKeeps keeps = stages_of(l);
      ASSERT_TRUE(nn::network_forward(net, c.model.weights, c.input(), parallel, pass, keeps));
      ASSERT_TRUE(nn::network_layer(net, c.model.weights, c.input(),
                                    whole.states[static_cast<std::size_t>(l)], parallel, alone, keeps));
      const NetworkStage end = net.plan == BlockPlan::post ? NetworkStage::norm_2 : NetworkStage::sum_2;
      EXPECT_EQ(numbers(alone.stages.of(end)), numbers(stream[static_cast<std::size_t>(l) + 1]));
      EXPECT_EQ(numbers(alone.attentions[0]), numbers(whole.attentions[static_cast<std::size_t>(l)]));
      for (std::size_t stage = 0; stage < nn::network_stages; ++stage) {
        if (stage < static_cast<std::size_t>(NetworkStage::input)) continue;  // before layer 0
        ASSERT_EQ(numbers(alone.stages.all[stage]), numbers(pass.stages.all[stage])) << stage;
        ++compared;
      }
      // Without the embedding's steps there is no other layer.
      EXPECT_EQ(pass.stages.has(NetworkStage::embedding), l == 0);
      EXPECT_FALSE(alone.stages.has(NetworkStage::embedding));
    }
  });
  EXPECT_GT(compared, 0);
}

/// Every stage of every layer, and of the embedding, in double: all five placements of the norms.
TEST(NetworkStages, EachIsThatOfTheLayerInDouble) {
  base::Parallel parallel(1);
  std::set<BlockPlan> plans;
  std::set<std::size_t> had;
  double worst = 0;
  for_each_case([&](const Case& c) {
    const nn::Network& net = c.model.network;
    plans.insert(net.plan);
    nn::NetworkTrace trace;
    for (int l = 0; l < static_cast<int>(net.layers.size()); ++l) {
      ASSERT_TRUE(nn::network_forward(net, c.model.weights, c.input(), parallel, trace, stages_of(l)));
      const DoubleStages twin = stages_in_double(net, c.model.weights, c.input(), l, trace.stages);
      for (std::size_t stage = 0; stage < nn::network_stages; ++stage) {
        const std::vector<double> got = numbers(trace.stages.all[stage]);
        const std::vector<double>& wanted = twin[stage];
        ASSERT_EQ(got.size(), wanted.size()) << stage << " of layer " << l;
        if (got.empty()) continue;
        had.insert(stage);
        double largest = 0;
        for (const double value : wanted) largest = std::max(largest, std::fabs(value));
        for (std::size_t i = 0; i < got.size(); ++i) {
          const double off = std::fabs(got[i] - wanted[i]) / std::max(largest, 1e-3);
          worst = std::max(worst, off);
          ASSERT_LT(off, 2e-5) << "stage " << stage << " of layer " << l << ", element " << i;
        }
      }
    }
  });
  if (plans.empty()) GTEST_SKIP() << "no models in " << ReferenceData::instance().origin();
  EXPECT_EQ(plans.size(), 5u);
  EXPECT_GE(had.size(), nn::network_stages - 2) << "projected_in and bypass may be in no family";
  std::printf("%zu stages, off by at most %.1e of the largest\n", had.size(), worst);
}

}  // namespace
}  // namespace headlight::tests
