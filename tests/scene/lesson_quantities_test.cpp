// Numbers that lessons name: as they are written, computed again by plain loops, and every one has a value
// somewhere.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "lesson_results.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "teach/lesson.h"

namespace headlight::scene::lesson_test {
namespace {

double value(const std::string& name, const Scene& scene, const Results& results) {
  const auto parsed = parse_quantity(name);
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error());
  return parsed ? quantity_value(*parsed, {scene, results}) : std::nan("");
}

TEST(Figures, WrittenNumbersHoldToTheirLastDecimal) {
  const auto number = parse_number("0.401");
  ASSERT_TRUE(number);
  EXPECT_TRUE(agrees(0.4013, *number));
  EXPECT_FALSE(agrees(0.4016, *number));
  EXPECT_TRUE(agrees(61343.4, *parse_number("61,343")));
  EXPECT_FALSE(agrees(61342.4, *parse_number("61,343")));
  EXPECT_TRUE(agrees(-0.206, *parse_number("−0.21")));
  EXPECT_TRUE(agrees(0.124, *parse_number("12 %")));
  EXPECT_FALSE(agrees(0.126, *parse_number("12 %")));
  EXPECT_EQ(written_like(1234567.8, *parse_number("1,000.0")), "1,234,567.8");
  EXPECT_EQ(written_like(-0.0001, *parse_number("0.00")), "0.00");
  EXPECT_EQ(written_like(-1.5, *parse_number("0.0")), "−1.5");
  for (const char* small : {"2.4e−07", "2.4e-07", "2.4e-7"}) {
    EXPECT_TRUE(agrees(2.37e-7, *parse_number(small)));
    EXPECT_FALSE(agrees(2.5e-7, *parse_number(small)));
    EXPECT_FALSE(agrees(-2.4e-7, *parse_number(small)));
    EXPECT_EQ(written_like(3.14e-8, *parse_number(small)), "3.1e−08");
    EXPECT_EQ(written_like(0, *parse_number(small)), "0");
  }
  EXPECT_FALSE(agrees(2.4e-7, *parse_number("0.0000009"))) << "however small both are";
  EXPECT_TRUE(agrees(0.192, *parse_number("+0.19")));
  EXPECT_EQ(written_like(0.26, *parse_number("+0.1")), "+0.3");
  EXPECT_EQ(written_like(-0.25, *parse_number("+0.11")), "−0.25");
  for (const char* wrong : {"", "a", "1.2.3", "--1", "+-1", "%", "1 2", ".", "e5", "1e", "1e-", "1e1234",
                            "1e999", "1e-999", "1e5.0"})
    EXPECT_FALSE(parse_number(wrong)) << wrong;
}

TEST(Figures, AreWhatTheyAreCalled) {
  Scene scene;
  scene.heads = 2, scene.mask.causal = true;
  const auto results = results_of(scene);
  const nn::AttentionTrace& t = results->attention;
  // Again by plain loops in double, from q and k.
  for (int head = 0; head < 2; ++head) {
    double entropy = 0, largest = 0;
    for (int q = 0; q < t.T; ++q) {
      std::vector<double> e;
      double sum = 0;
      for (int k = 0; k <= q; ++k) {
        double dot = 0;
        for (int c = 0; c < t.d_k; ++c) {
          dot += static_cast<double>(t.q.at(q, head * t.d_k + c)) *
                 static_cast<double>(t.k.at(k, head * t.d_k + c));
        }
        const std::string at =
            " head=" + std::to_string(head + 1) + " query=" + std::to_string(q) + " key=" + std::to_string(k);
        EXPECT_NEAR(value("dot" + at, scene, *results), dot, 1e-9);
        EXPECT_NEAR(value("score" + at, scene, *results), dot / std::sqrt(16.0), 1e-5);
        e.push_back(std::exp(dot / std::sqrt(16.0)));
        sum += e.back();
      }
      double row = 0;
      for (std::size_t k = 0; k < e.size(); ++k) {
        const std::string at =
            " head=" + std::to_string(head + 1) + " query=" + std::to_string(q) + " key=" + std::to_string(k);
        const double weight = e[k] / sum;
        EXPECT_NEAR(value("weight" + at, scene, *results), weight, 1e-6);
        row -= weight * std::log2(weight), largest = std::max(largest, weight);
      }
      entropy += row / t.T;
      const std::string at = " head=" + std::to_string(head + 1) + " query=" + std::to_string(q);
      EXPECT_NEAR(value("row_entropy" + at, scene, *results), row, 1e-5);
      EXPECT_NEAR(value("row_sum" + at, scene, *results), 1, 1e-6);
      EXPECT_EQ(value("strongest" + at, scene, *results),
                static_cast<double>(std::max_element(e.begin(), e.end()) - e.begin()));
      EXPECT_EQ(value("readable query=" + std::to_string(q), scene, *results), q + 1);
    }
    const std::string at = " head=" + std::to_string(head + 1);
    EXPECT_NEAR(value("entropy" + at, scene, *results), entropy, 1e-5);
    EXPECT_NEAR(value("largest" + at, scene, *results), largest, 1e-6);
    EXPECT_EQ(value("largest_later" + at, scene, *results), 0);
  }
  EXPECT_EQ(value("d_k", scene, *results), 16);
  EXPECT_TRUE(std::isnan(value("weight head=3", scene, *results)));
  EXPECT_TRUE(std::isnan(value("weight query=6", scene, *results)));
  EXPECT_TRUE(std::isnan(value("worked_x", scene, *results)));
  EXPECT_EQ(value("setting name=heads", scene, *results), 2);
  EXPECT_EQ(value("setting name=scale", scene, *results), 1);
  EXPECT_FALSE(parse_quantity("setting name=sentence")) << "it is not a number";
  EXPECT_FALSE(parse_quantity("setting name=hed"));
  Scene small = scene;
  small.training.rate = 3e-4;  // as text it has an exponent
  EXPECT_EQ(value("setting name=training_rate", small, *results), 3e-4);
}

/// A lesson that was written when an argument had another name has the same number.
TEST(Figures, ArgumentsAreKnownByTheirEarlierNames) {
  const auto before = parse_quantity("order_row seat=2");
  ASSERT_TRUE(before) << before.error();
  EXPECT_EQ(before->text(), "order_row position=2");
  EXPECT_EQ(parse_quantity("order_row saet=2").error(),
            "order_row: unknown argument \"saet\"; this quantity takes position");
}

TEST(Figures, OfPositionsFollowTheFormula) {
  Scene scene;
  scene.page = Page::position;
  const auto results = results_of(scene);
  for (int j : {0, 3, 15}) {
    const double omega = std::pow(10000.0, -2.0 * j / 32);
    const std::string pair = " pair=" + std::to_string(j);
    EXPECT_NEAR(value("omega" + pair, scene, *results), omega, 1e-12);
    EXPECT_NEAR(value("wavelength" + pair, scene, *results), 2 * std::numbers::pi / omega, 1e-7);
    EXPECT_NEAR(value("turns" + pair, scene, *results), 59 * omega / (2 * std::numbers::pi), 1e-9);
    EXPECT_NEAR(value("rotation_cos" + pair, scene, *results), std::cos(5 * omega), 1e-12);
    EXPECT_NEAR(value("p row=7 col=" + std::to_string(2 * j), scene, *results), std::sin(7 * omega), 1e-6);
  }
  double distance = 0, product = 0;
  for (int j = 0; j < 16; ++j) {
    const double omega = std::pow(10000.0, -2.0 * j / 32);
    distance += std::pow(std::sin(3 * omega) - std::sin(9 * omega), 2) +
                std::pow(std::cos(3 * omega) - std::cos(9 * omega), 2);
    product += std::cos(6 * omega);
  }
  EXPECT_NEAR(value("p_distance a=3 b=9", scene, *results), std::sqrt(distance), 1e-5);
  EXPECT_NEAR(value("p_dot a=3 b=9", scene, *results), product, 1e-5);
}

/// The encoder-decoder, hardly trained.
const Scene& writing_backwards() {
  static const Scene scene = [] {
    Scene made;
    made.page = Page::block;
    made.block.model = BlockModel::encoder_decoder;
    made.encoder_decoder.training = 5;
    return made;
  }();
  return scene;
}

TEST(Figures, EveryOneHasAHomeAndANameOfItsOwn) {
  std::vector<std::string> names;
  for (const QuantityInfo& info : quantities()) names.emplace_back(info.name);
  EXPECT_GT(names.size(), 90u);
  for (const std::string& name : names) EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  // On its own page each has a value, wherever it is asked for without arguments.
  for (const QuantityInfo& info : quantities()) {
    bool somewhere = std::string(info.name) == "setting" || std::string(info.name) == "memory_row";
    for (std::size_t page = 0; page < std::size(Words<Page>::list) && !somewhere; ++page) {
      static std::vector<std::shared_ptr<const Results>> made(std::size(Words<Page>::list));
      Scene scene;
      scene.page = static_cast<Page>(page);
      scene.variants.a.position = VariantPosition::alibi;
      scene.block.head = 1;
      if (!made[page]) made[page] = results_of(scene);
      const auto quantity = parse_quantity(info.name);
      ASSERT_TRUE(quantity);
      somewhere = !std::isnan(quantity_value(*quantity, {scene, *made[page]}));
    }
    if (!somewhere) {  // of the model of pronouns that a newcomer meets
      std::string unused;
      static const Scene first = first_scene(unused);
      static const std::shared_ptr<const Results> results = results_of(first);
      somewhere = !std::isnan(quantity_value(*parse_quantity(info.name), {first, *results}));
    }
    if (!somewhere) {  // of the other model of the Block page
      static const std::shared_ptr<const Results> results = results_of(writing_backwards());
      somewhere = !std::isnan(quantity_value(*parse_quantity(info.name), {writing_backwards(), *results}));
    }
    if (!somewhere) {  // of the Model page with a language model, at a token that another one follows
      static const Scene predicting = [] {
        Scene made;
        made.page = Page::model, made.weights = WeightsSource::trained, made.query = {1};
        repair(made);
        return made;
      }();
      static const std::shared_ptr<const Results> results = results_of(predicting);
      somewhere = !std::isnan(quantity_value(*parse_quantity(info.name), {predicting, *results}));
    }
    if (!somewhere) {  // with a stage of the block shown large
      static const Scene staged = [] {
        Scene made;
        made.page = Page::block, made.block.shown = BlockShown::hidden;
        return made;
      }();
      static const std::shared_ptr<const Results> results = results_of(staged);
      somewhere = !std::isnan(quantity_value(*parse_quantity(info.name), {staged, *results}));
    }
    if (!somewhere) {  // with some tokens hidden
      static const Scene filtered = [] {
        Scene made;
        made.shown_tokens = "cat mat";
        return made;
      }();
      static const std::shared_ptr<const Results> results = results_of(filtered);
      somewhere = !std::isnan(quantity_value(*parse_quantity(info.name), {filtered, *results}));
    }
    for (const ModelDetail detail : {ModelDetail::components, ModelDetail::plane}) {  // with a head off
      static std::map<ModelDetail, std::shared_ptr<const Results>> made;
      Scene off;
      off.page = Page::model, off.weights = WeightsSource::trained, off.query = {1};
      off.model.off = "1.1", off.model.detail = detail;
      repair(off);
      if (!made[detail]) made[detail] = results_of(off);
      somewhere = somewhere || !std::isnan(quantity_value(*parse_quantity(info.name), {off, *made[detail]}));
    }
    const std::string name = info.name;
    // Only what a user opens has it: predictions_test.cpp, check_test.cpp, saved_attention_test.cpp,
    // head_details_test.cpp,
    // opened_block_test.cpp.
    static const std::set<std::string> of_opened = {"keys",
                                                    "model_mask_probability",
                                                    "model_component_pair",
                                                    "model_component_turn",
                                                    "block_stage_rms",
                                                    "layer_largest_weight",
                                                    "block_head_entropy"};
    const bool opened = of_opened.contains(name) || name.starts_with("model_check");
    const bool of_training = name.find("training") == 0 || name == "validation_loss" ||
                             name.find("lowest_validation_") == 0 || name == "chance_loss" ||
                             name == "label_score" || name == "repair_loss" || name.find("length_") == 0 ||
                             name.find("removed_") == 0;
    // Only Shaw's tables have it: variants_sides_test.cpp.
    const bool of_shaw = name == "variant_by_distance";
    // Only a model with a rotation has it: order_test.cpp.
    const bool of_rotation = name == "order_rotation";
    EXPECT_TRUE(somewhere || of_training || of_rotation || of_shaw || opened) << info.name;
  }
}

}  // namespace
}  // namespace headlight::scene::lesson_test
