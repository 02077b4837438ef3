// A table or a quantity without a value has a reason, which is true of the scene.
#include "pages/no_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pages/compute.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "scene/settings.h"

namespace headlight::scene::no_numbers_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Shown {
  Scene scene;
  std::shared_ptr<const Results> results;
};

Shown shown(Page page, const std::vector<std::string>& sets) {
  Shown out;
  out.scene.page = page;
  for (const std::string& set : sets) EXPECT_TRUE(set_field(out.scene, set)) << set;
  repair(out.scene);
  base::Parallel parallel(1);
  out.results = compute_now(out.scene, parallel, nullptr);
  return out;
}

std::string why_table(const char* name, const Shown& of) {
  base::Parallel parallel(1);
  const TableSource source{of.scene, *of.results, parallel};
  return numbers_of(*find_table(name), source) ? "" : why_no_numbers(*find_table(name), source);
}

std::string why(const char* quantity, const Shown& of) {
  return why_no_value(*parse_quantity(quantity), {of.scene, *of.results});
}

/// Of every page, with its first scene, a trained model, no sentence, one token, and the encoder–decoder.
TEST(NoNumbers, EveryTableAndQuantityWithoutAValueHasAReason) {
  const std::vector<std::string> scenes[] = {{},
                                             {"weights=trained", "weights_file=small-english"},
                                             {"sentence="},
                                             {"sentence=the"},
                                             {"block_model=encoder_decoder"}};
  base::Parallel parallel(1);
  for (const PageRoom* const room : rooms()) {
    for (const std::vector<std::string>& sets : scenes) {
      if (sets.size() == 1 && sets[0].starts_with("block_") && room->page != Page::block) continue;
      const Shown of = shown(room->page, sets);
      const std::string where = std::string(room->title) + (sets.empty() ? "" : " " + sets.back()) + ": ";
      for (const Table* const table : tables_behind(room->page, {})) {
        const TableSource source{of.scene, *of.results, parallel};
        if (std::string_view(table->name).starts_with("training_") || numbers_of(*table, source)) continue;
        const std::string reason = why_no_numbers(*table, source);
        EXPECT_THAT(reason, testing::StartsWith(": ")) << where << table->name;
        EXPECT_THAT(reason, Not(HasSubstr("with the present settings"))) << where << table->name;
      }
      for (const QuantityInfo& info :
           room->quantities ? room->quantities() : std::span<const QuantityInfo>()) {
        const auto quantity = parse_quantity(info.name);
        const QuantitySource source{of.scene, *of.results};
        if (!quantity || !std::isnan(quantity_value(*quantity, source))) continue;
        const std::string reason = why_no_value(*quantity, source);
        EXPECT_NE(reason, "") << where << info.name;
        EXPECT_THAT(reason, Not(HasSubstr("the quantity is"))) << where << info.name;
        EXPECT_THAT(reason, Not(HasSubstr("with the present settings"))) << where << info.name;
      }
    }
  }
}

TEST(NoNumbers, TheReasonIsThatOfTheDescription) {
  const Shown model = shown(Page::model, {});
  const std::string learned =
      "random weights have learned nothing to predict: choose a trained model, or open one";
  EXPECT_EQ(why_table("next_tokens", model), ": " + learned);
  EXPECT_EQ(why_table("token_losses", model), ": " + learned);
  EXPECT_EQ(why_table("logit_lens_ranks", model), ": " + learned);
  EXPECT_EQ(why("model_drawn_tokens", model), learned);
  EXPECT_EQ(why("model_component", model), "it needs model_detail=components");
  EXPECT_EQ(why_table("qk_plane", model), ": it needs model_detail=plane");
  EXPECT_EQ(why("model_check", model), "nothing is compared: model_beside names no file");
  EXPECT_EQ(why_table("hidden", shown(Page::attention, {})),
            ": shown_tokens and hide_special hide no token, and least_weight is 0");
  const Shown block = shown(Page::block, {});
  EXPECT_EQ(why_table("encdec_cross", block), ": it needs block_model=encoder_decoder");
  EXPECT_EQ(why_table("block_stages", block), ": it needs a model from another program");
  EXPECT_EQ(why_table("block_stage", block),
            ": it needs block_stage=x or another stage of the layer: the weights are not a stage");
  const Shown variants = shown(Page::variants, {});
  EXPECT_EQ(why_table("variants_a_buckets", variants), ": it needs variants_a_position=t5");
  EXPECT_EQ(why("variant_slope side=b", variants), "it needs variants_b_position=alibi");
  EXPECT_EQ(why("order_rotation", shown(Page::order, {})), "it needs a model from another program with RoPE");
}

TEST(NoNumbers, ALengthThatThereIsNotIsToldWithThoseThatThereAre) {
  const Shown memory = shown(Page::memory, {});
  EXPECT_THAT(why("linear_error T=3", memory), HasSubstr("there is no length T = 3; there are 4, 8, 16"));
  const Shown cost = shown(Page::cost, {});
  EXPECT_THAT(why("map_mib T=3", cost), HasSubstr("there is no length T = 3; there are "));
}

/// What the list of quantities says of an argument that is left out is what is computed.
TEST(NoNumbers, AnArgumentThatIsLeftOutHasTheListedDefault) {
  int seen = 0;
  for (const PageRoom* const room : rooms()) {
    if (!room->quantities) continue;
    const Shown of = shown(room->page, {});
    const QuantitySource source{of.scene, *of.results};
    const auto table = nlohmann::json::parse(describe_quantities(room->page, true));
    for (const auto& one : table) {
      const std::string name = one["name"];
      for (const auto& argument : one["takes"]) {
        if (argument.contains("required")) EXPECT_FALSE(parse_quantity(name)) << name;
        if (!argument.contains("default")) continue;
        ++seen;
        const auto& word = argument["default"];
        const std::string message = word.is_string() ? word.get<std::string>() : word.dump();
        const auto with = parse_quantity(name + " " + std::string(argument["name"]) + "=" + message);
        ASSERT_TRUE(with) << with.error();
        const double left_out = quantity_value(*parse_quantity(name), source),
                     put = quantity_value(*with, source);
        EXPECT_TRUE(left_out == put || (std::isnan(left_out) && std::isnan(put)))
            << with->text() << " " << left_out << " " << put;
      }
    }
  }
  EXPECT_GT(seen, 30);
  EXPECT_THAT(parse_quantity("setting").error(), HasSubstr("setting: name is missing"));
}

/// The number of the first query and of the first key is the first one that has a value.
TEST(NoNumbers, TokensAreCountedFromTheListedNumber) {
  int seen = 0;
  const auto check = [&seen](Page page, const std::vector<std::string>& sets) {
    const Shown of = shown(page, sets);
    const QuantitySource source{of.scene, *of.results};
    for (const auto& one : nlohmann::json::parse(describe_quantities(page, true))) {
      for (const auto& argument : one["takes"]) {
        if (argument["name"] != "query" && argument["name"] != "key") continue;
        const auto value_of = [&](int number) {
          const auto quantity = parse_quantity(std::string(one["name"]) + " " +
                                               std::string(argument["name"]) + "=" + std::to_string(number));
          return quantity ? quantity_value(*quantity, source) : std::nan("");
        };
        const int first = argument["from"];
        if (std::isnan(value_of(first)) && std::isnan(value_of(first + 1))) continue;  // needs other settings
        ++seen;
        EXPECT_TRUE(std::isnan(value_of(first - 1))) << one["name"] << " " << argument["name"];
        if (!std::isnan(value_of(first))) continue;
        const std::string why =
            why_no_value(*parse_quantity(std::string(one["name"]) + " " + std::string(argument["name"]) +
                                         "=" + std::to_string(first)),
                         source);
        EXPECT_THAT(why, Not(HasSubstr("there are"))) << one["name"];  // it exists
      }
    }
  };
  for (const PageRoom* const room : rooms()) {
    if (room->quantities) check(room->page, {});
  }
  check(Page::block, {"block_model=encoder_decoder", "block_encdec_training=0"});
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace headlight::scene::no_numbers_test
