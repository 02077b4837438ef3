// The toy of two relations against the reference data: one gradient, three steps, and the 400 steps of the
// sources from their own batches.
#include <gtest/gtest.h>

#include <cmath>

#include "nn/golden_case.h"
#include "train/optimizer.h"
#include "train/two_relations.h"

namespace headlight::tests {
namespace {

using nn::Matrix;
using nn::MatrixF64;

template <class E>
nn::Tensor<E> tensor(const Array& array) {
  if constexpr (std::is_same_v<E, double>) {
    return matrix_f64(array);
  } else {
    return matrix(array);
  }
}

template <class E>
constexpr Precision precision = std::is_same_v<E, double> ? Precision::f64 : Precision::f32;

/// Step `step` of [steps, B, 4, 4] and [steps, B]; a single step is [B, 4, 4] and [B].
nn::TwoRelationsBatch batch_of(const Array& x, const Array& plant, int step) {
  nn::TwoRelationsBatch batch;
  batch.B = plant.shape.back();
  batch.x = Matrix(batch.B * 4, 4);
  for (std::size_t i = 0; i < batch.x.size(); ++i) {
    batch.x.data()[i] = static_cast<float>(x.values.at(static_cast<std::size_t>(step) * batch.x.size() + i));
  }
  for (int b = 0; b < batch.B; ++b) {
    batch.planted.push_back(static_cast<int>(plant.values.at(static_cast<std::size_t>(step * batch.B + b))));
  }
  return batch;
}

template <class E>
void run_gradient(GoldenCase& c) {
  nn::TwoRelationsSetup setup;
  setup.heads = c.params().at("heads");
  const nn::TwoRelationsWeightsOf<E> weights{tensor<E>(c.weight("w_q")), tensor<E>(c.weight("w_k")), {}};
  nn::TwoRelationsWeightsOf<E> gradients;
  nn::Tensor<E> maps;
  const double loss =
      nn::two_relations_loss(setup, weights, batch_of(c.input("x"), c.input("plant"), 0), maps, &gradients);
  c.compare("weights", flat(maps), precision<E>);
  c.compare("loss", {loss}, precision<E>);
  c.compare("grad_w_q", flat(gradients.w_q), precision<E>);
  c.compare("grad_w_k", flat(gradients.w_k), precision<E>);
}

template <class E>
void run_steps(GoldenCase& c) {
  nn::TwoRelationsSetup setup;
  setup.heads = c.params().at("heads");
  const double rate = c.params().at("lr");
  const double decay =
      c.params().at("optimizer") == "adamw" ? c.params().at("weight_decay").get<double>() : 0;
  nn::TwoRelationsWeightsOf<E> weights{tensor<E>(c.weight("w_q")), tensor<E>(c.weight("w_k")), {}}, m, v,
      gradients;
  std::vector<double> losses, w_q, w_k;
  nn::Tensor<E> maps;
  for (int step = 0; step < c.params().at("steps").get<int>(); ++step) {
    losses.push_back(nn::two_relations_loss(setup, weights, batch_of(c.input("x"), c.input("plant"), step),
                                            maps, &gradients));
    for (nn::Tensor<E>* w : {&weights.w_q, &weights.w_k}) {
      for (E& value : w->values()) value = static_cast<E>(static_cast<double>(value) * (1 - rate * decay));
    }
    nn::two_relations_update(rate, step + 1, gradients, m, v, weights);
    for (const double value : flat(weights.w_q)) w_q.push_back(value);
    for (const double value : flat(weights.w_k)) w_k.push_back(value);
  }
  c.compare("losses", losses, precision<E>);
  c.compare("steps_w_q", w_q, precision<E>);
  c.compare("steps_w_k", w_k, precision<E>);
}

/// Runs every case of a family; skips by name when the data holds none.
void for_each_case(const std::string& family, void (*run)(GoldenCase&)) {
  const auto bytes = ReferenceData::instance().bytes("gradients/manifest.json");
  if (!bytes) GTEST_SKIP() << "no gradients in " << ReferenceData::instance().origin();
  const nlohmann::json manifest = nlohmann::json::parse(*bytes);
  int cases = 0;
  for (const nlohmann::json& description : manifest.at("cases")) {
    if (description.at("family") != family) continue;
    GoldenCase c(description, "gradients");
    run(c);
    c.check_complete();
    ++cases;
  }
  if (cases == 0) GTEST_SKIP() << "no case of " << family << " in " << ReferenceData::instance().origin();
  std::printf("%s: %d cases\n", family.c_str(), cases);
}

TEST(GoldenTwoRelations, Gradients) {
  for_each_case("two_relation_grad", [](GoldenCase& c) { run_gradient<float>(c), run_gradient<double>(c); });
}

TEST(GoldenTwoRelations, Steps) {
  for_each_case("two_relation_steps", [](GoldenCase& c) { run_steps<float>(c), run_steps<double>(c); });
}

// The printed numbers of the sources.

struct SeedRun {
  std::vector<double> losses;
  std::vector<double> w_q, w_k;
};

template <class E>
SeedRun run_seed(const nlohmann::json& inputs, const std::string& name) {
  const ReferenceData& data = ReferenceData::instance();
  const nlohmann::json& files = inputs.at(name);
  const Array content = data.array(files.at("content")), plant = data.array(files.at("plant"));
  nn::TwoRelationsSetup setup;
  setup.heads = name == "one_head" ? 1 : 2;
  nn::TwoRelationsWeightsOf<E> weights{
      tensor<E>(data.array(files.at("w_q"))), tensor<E>(data.array(files.at("w_k"))), {}},
      m, v, gradients;
  SeedRun run;
  nn::Tensor<E> maps;
  nn::TwoRelationsBatch batch;
  batch.B = plant.shape.back();
  for (int step = 0; step < plant.shape.front(); ++step) {
    batch.x = Matrix(batch.B * 4, 4);
    batch.planted.clear();
    for (int b = 0; b < batch.B; ++b) {
      const auto item = static_cast<std::size_t>(step * batch.B + b);
      batch.planted.push_back(static_cast<int>(plant.values.at(item)));
      for (int t = 0; t < 4; ++t) {
        const std::size_t at = (item * 4 + static_cast<std::size_t>(t)) * 2;
        batch.x.at(b * 4 + t, 0) = static_cast<float>(content.values.at(at));
        batch.x.at(b * 4 + t, 1) = static_cast<float>(content.values.at(at + 1));
        if (t < 2) batch.x.at(b * 4 + t, 2 + t) = 1;
      }
    }
    run.losses.push_back(nn::two_relations_loss(setup, weights, batch, maps, &gradients));
    nn::two_relations_update(5e-3, step + 1, gradients, m, v, weights);
  }
  run.w_q = flat(weights.w_q), run.w_k = flat(weights.w_k);
  return run;
}

double largest_difference(const std::vector<double>& got, const Array& want) {
  EXPECT_EQ(got.size(), want.values.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(got.size(), want.values.size()); ++i) {
    largest = std::max(largest, std::fabs(got[i] - want.values[i]));
  }
  return largest;
}

TEST(GoldenTwoRelations, TheSourcesPrintTheseLosses) {
  const ReferenceData& data = ReferenceData::instance();
  const nlohmann::json seeds = data.json("seeds.json");
  for (const nlohmann::json& entry : seeds.at("cases")) {
    if (entry.at("id") != "two-relation-toy") continue;
    if (!data.bytes(entry["inputs"]["one_head"]["content"].get<std::string>())) {
      GTEST_SKIP() << "the batches of the sources are not in " << data.origin();
    }
    const nlohmann::json &tolerance = entry.at("tolerance"), &expected = entry.at("expected");
    const std::pair<const char*, const char*> names[] = {{"one_head", "1-head"}, {"two_heads", "2-heads"}};
    for (const auto& [name, printed] : names) {
      const SeedRun f64 = run_seed<double>(entry.at("inputs"), name);
      const SeedRun f32 = run_seed<float>(entry.at("inputs"), name);
      const Array losses = data.array(expected.at(name).at("losses"));
      EXPECT_LE(largest_difference(f64.losses, losses), tolerance.at("losses_atol").get<double>()) << name;
      EXPECT_LE(largest_difference(f32.losses, losses), tolerance.at("losses_atol_f32").get<double>())
          << name;
      const double atol = tolerance.at("final_weights_atol_f32");
      EXPECT_LE(largest_difference(f32.w_q, data.array(expected.at(name).at("final_w_q"))), atol) << name;
      EXPECT_LE(largest_difference(f32.w_k, data.array(expected.at(name).at("final_w_k"))), atol) << name;
      const double last = entry.at("printed").at("final").at(printed);
      EXPECT_EQ(std::round(f32.losses.back() * 1e4), std::round(last * 1e4)) << name;
    }
    return;
  }
  GTEST_SKIP() << "no two-relation-toy in " << data.origin();
}

}  // namespace
}  // namespace headlight::tests
