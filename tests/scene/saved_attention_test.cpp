// A scene that names saved attention: on each page that shows it the weights are those of the file, what is
// measured of them is what the file's own measures say, and every table and quantity can be asked for; what
// is no attention is one line.
#include "scene/saved_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "dumps/measures.h"
#include "dumps/saved.h"
#include "pages/compare/compare.h"
#include "pages/compute.h"
#include "pages/model/atlas.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/saved_attention.h"
#include "pages/tables.h"
#include "scene/settings.h"
#include "scene/shown.h"
#include "scene/trained_model.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"

namespace headlight::scene {
namespace {

using nlohmann::json;
using tests::ReferenceData;

struct Case {
  std::string id;
  std::string path;
  bool sound = false;
};

/// Those that every reader has to take, and those that none may.
std::vector<Case> cases(bool sound) {
  const ReferenceData& data = ReferenceData::instance();
  std::vector<Case> out;
  if (!data.bytes("dumps/manifest.json")) return out;
  const auto folder = data.on_disk("dumps");
  const json manifest = data.json("dumps/manifest.json");
  for (const json& entry : manifest.at("cases")) {
    const std::string expected = entry.at("expect");
    if (expected != (sound ? "ok" : "error")) continue;
    out.push_back({entry.at("id"), (folder / entry.at("path").get<std::string>()).string(), sound});
  }
  return out;
}

Scene scene_of(const std::string& path, Page page = Page::attention) {
  Scene scene;
  scene.page = page;
  EXPECT_TRUE(set_field(scene, "attention=" + path));
  repair(scene);
  return scene;
}

double number(const std::string& name, const Scene& scene, const Results& results) {
  const auto cell = explain_pinned(scene, results);
  return read_quantity(name, {scene, results, nullptr, cell.get()}).value;
}

/// The map of a head as the file has it.
std::vector<double> stored(const dumps::Dump& dump, int layer, int head) {
  std::vector<double> map(static_cast<std::size_t>(dump.shape.queries) *
                          static_cast<std::size_t>(dump.shape.keys));
  EXPECT_TRUE(dump.rows(layer, 0, head, 0, dump.shape.queries, map));
  return map;
}

TEST(SavedAttention, EveryPageThatShowsItHasTheNumbersOfTheFile) {
  base::Parallel parallel(1);
  const std::vector<Case> sound = cases(true);
  ASSERT_GT(sound.size(), 15u);
  for (const Case& one : sound) {
    SCOPED_TRACE(one.id);
    Scene scene = scene_of(one.path);
    const auto dump = saved_attention(scene);
    ASSERT_TRUE(dump);
    for (int layer = 0; layer < dump->shape.layers; ++layer) {
      scene.weights_layer = layer + 1;
      const auto results = compute_now(scene, parallel, nullptr);
      ASSERT_EQ(results->failure, "");
      ASSERT_TRUE(results->opened && results->opened->saved);
      const nn::AttentionTrace& trace = results->attention;
      ASSERT_EQ(trace.T, dump->shape.queries);
      ASSERT_EQ(trace.S, dump->shape.keys);
      EXPECT_EQ(results->tokens.size(), static_cast<std::size_t>(trace.T));
      EXPECT_EQ(results->tokens_of_keys().size(), static_cast<std::size_t>(trace.S));
      EXPECT_EQ(results->tokens.front().text, dump->tokens.query[0].front());
      EXPECT_EQ(results->tokens_of_keys().back().text, dump->tokens.key[0].back());
      for (int head = 0; head < trace.heads; ++head) {
        const std::vector<double> map = stored(*dump, layer, head);
        double sum = 0;
        int readers = 0;
        for (int q = 0; q < trace.T; ++q) {
          const std::span<const double> row(map.data() + q * trace.S, static_cast<std::size_t>(trace.S));
          double received = 0;
          for (int k = 0; k < trace.S; ++k) {
            const double weight = row[static_cast<std::size_t>(k)];
            EXPECT_EQ(trace.weights.at(head, q, k), static_cast<float>(weight));
            // What the mask hides has no weight.
            if (!trace.allowed[static_cast<std::size_t>(q)].has(k)) {
              EXPECT_EQ(weight, 0);
            }
            received += weight;
          }
          if (received == 0) continue;
          ++readers;
          sum += dumps::entropy_bits(row);
        }
        const std::string at = " head=" + std::to_string(head + 1);
        EXPECT_NEAR(number("entropy" + at, scene, *results), readers > 0 ? sum / readers : NAN, 2e-5);
        EXPECT_NEAR(number("weight query=0 key=0" + at, scene, *results), map[0], 1e-7);
        EXPECT_EQ(std::isnan(number("dot query=0 key=0" + at, scene, *results)), !dump->computed);
        EXPECT_TRUE(std::isnan(number("value_share query=0 key=0" + at, scene, *results)));
        // q and k multiply out to the weights that are computed from them.
        if (dump->computed) {
          EXPECT_NEAR(number("weight_in_double query=0 key=0" + at, scene, *results), map[0], 2e-6);
        }
      }
    }
  }
}

TEST(SavedAttention, APageWithoutItSaysWhatItShowsWhyAndWhatToDo) {
  base::Parallel parallel(1);
  const auto all = cases(true);
  if (all.empty()) HEADLIGHT_LACKS("saved attention");
  const std::string file = std::filesystem::path(all.front().path).filename().string();
  for (const PageRoom* room : rooms()) {
    const Scene scene = scene_of(all.front().path, room->page);
    const auto results = compute_now(scene, parallel, nullptr);
    const bool reads = room->uses(scene).model != PageUses::Model::none;
    const bool says = !shows_saved_attention(room->page) && (reads || room->page == Page::position);
    EXPECT_EQ(!results->instead.empty(), says) << room->title;
    if (!says) continue;
    const std::string shown =
        reads ? "the typed sentence with random weights, seed 7" : "sinusoids of width 32";
    EXPECT_EQ(results->instead,
              "This page shows " + shown + ": " + file +
                  " holds no model. Open its model, or choose Attention, Model or Compare.");
    EXPECT_EQ(results->remarks.front(), results->instead) << room->title;
  }
}

TEST(SavedAttention, TheModelPageMeasuresEveryHead) {
  base::Parallel parallel(1);
  for (const Case& one : cases(true)) {
    SCOPED_TRACE(one.id);
    const Scene scene = scene_of(one.path, Page::model);
    const auto dump = saved_attention(scene);
    const auto results = compute_now(scene, parallel, nullptr);
    const auto* own = results->own_as<AtlasResults>();
    ASSERT_TRUE(own);
    EXPECT_EQ(own->problem, "");
    EXPECT_NE(own->predictions.none, "");
    ASSERT_EQ(own->atlas->layers(), dump->shape.layers);
    ASSERT_EQ(own->atlas->heads(0), dump->shape.heads);
    const bool square = dump->tokens.query[0] == dump->tokens.key[0];
    for (int layer = 0; layer < dump->shape.layers; ++layer) {
      for (int head = 0; head < dump->shape.heads; ++head) {
        const nn::HeadRoles& roles = own->atlas->of({layer, head}).roles;
        EXPECT_EQ(std::isnan(roles.first), !square || dump->shape.queries < 2);
        if (!square) continue;
        const nn::HeadRoles expected =
            nn::head_roles(stored(*dump, layer, head), dumps::token_numbers(dump->tokens, 0));
        for (const auto member : {&nn::HeadRoles::previous, &nn::HeadRoles::first, &nn::HeadRoles::diagonal,
                                  &nn::HeadRoles::same_token, &nn::HeadRoles::induction}) {
          if (std::isnan(expected.*member)) {
            EXPECT_TRUE(std::isnan(roles.*member));
          } else {
            EXPECT_NEAR(roles.*member, expected.*member, 1e-6);
          }
        }
      }
    }
  }
}

TEST(SavedAttention, TwoHeadsAreCompared) {
  base::Parallel parallel(1);
  for (const Case& one : cases(true)) {
    SCOPED_TRACE(one.id);
    Scene scene = scene_of(one.path, Page::compare);
    scene.compare.from = CompareFrom::stack, scene.compare.other_seed = true;  // neither belongs to it
    const auto dump = saved_attention(scene);
    const auto results = compute_now(scene, parallel, nullptr);
    ASSERT_TRUE(results->own_as<CompareResults>());
    const int b = std::min(scene.compare.b, dump->shape.heads) - 1;
    const std::vector<double> first = stored(*dump, 0, 0), second = stored(*dump, 0, b);
    const auto apart = dumps::largest_difference(first, second, dump->shape.keys);
    EXPECT_NEAR(results->own_as<CompareResults>()->largest, apart.difference, 1e-6);
    if (apart.difference > 0) {
      EXPECT_EQ(results->own_as<CompareResults>()->largest_query, apart.query);
      EXPECT_EQ(results->own_as<CompareResults>()->largest_key, apart.key);
    }
    EXPECT_TRUE(results->own_as<CompareResults>()->effects.empty());
  }
}

/// How many elements a table has, by its shape; its values must be as many.
std::size_t elements_of(const Numbers& numbers) {
  return std::visit(
      [](const auto& tensor) {
        std::size_t count = 1;
        for (const std::size_t n : tensor.shape) count *= n;
        EXPECT_EQ(tensor.values.size(), count) << tensor.name;
        return count;
      },
      numbers.tensor);
}

TEST(SavedAttention, EveryTableAndEveryQuantityCanBeAskedFor) {
  base::Parallel parallel(1);
  for (const Case& one : cases(true)) {
    SCOPED_TRACE(one.id);
    for (const PageRoom* room : rooms()) {
      if (room->uses(Scene{}).trains) continue;
      const Scene scene = scene_of(one.path, room->page);
      const auto results = compute_now(scene, parallel, nullptr);
      ASSERT_TRUE(results) << room->title;
      const bool shown = shows_saved_attention(room->page);
      EXPECT_EQ(results->opened != nullptr, shown) << room->title;
      if (room->tables) {
        for (const Table& table : room->tables()) {
          const MaybeNumbers numbers = numbers_of(table, {scene, *results, parallel});
          if (numbers) EXPECT_GT(elements_of(*numbers), 0u) << table.name;
        }
      }
      const auto cell = explain_pinned(scene, *results);
      EXPECT_NE(quantity_lines(room->page, {scene, *results, nullptr, cell.get()}), "") << room->title;
      if (shown || room->uses(scene).model == PageUses::Model::none) continue;
      EXPECT_NE(results->instead.find("holds no model"), std::string::npos) << room->title;
      EXPECT_EQ(std::count(results->remarks.begin(), results->remarks.end(), results->instead), 1)
          << room->title;
    }
  }
}

TEST(SavedAttention, WhatIsNoneIsOneLine) {
  const std::vector<Case> bad = cases(false);
  ASSERT_GT(bad.size(), 15u);
  for (const Case& one : bad) {
    SCOPED_TRACE(one.id);
    const auto model = model_at(one.path);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().find('\n'), std::string::npos);
    EXPECT_LT(model.error().size(), 600u);
    const Scene scene = scene_of(one.path);
    base::Parallel parallel(1);
    EXPECT_EQ(compute_now(scene, parallel, nullptr)->weights_problem, model.error());
  }
}

/// A file of our own: [L, B, H, T, S] in float32.
class OwnFile : public testing::Test {
 protected:
  void write(const std::vector<int>& shape, const std::vector<float>& values, const std::string& name) {
    std::ofstream(folder_ / name, std::ios::binary) << tests::npy_of(shape, values);
  }
  tests::ScratchFolder folder_;
  base::Parallel parallel_{1};
};

TEST_F(OwnFile, ASequenceOfABatchIsChosenAndHeldToThoseThatThereAre) {
  write({1, 2, 1, 2, 2}, {1, 0, 0.5f, 0.5f, 0.25f, 0.75f, 1, 0}, "BATCH.NPY");  // whatever the case
  Scene scene = scene_of((folder_ / "BATCH.NPY").string());
  EXPECT_EQ(number("weight head=1 query=0 key=0", scene, *compute_now(scene, parallel_, nullptr)), 1);
  const std::string before = key(scene);
  ASSERT_TRUE(set_field(scene, "saved_sequence=1"));
  EXPECT_NE(key(scene), before);
  EXPECT_EQ(number("weight head=1 query=0 key=0", scene, *compute_now(scene, parallel_, nullptr)), 0.25);
  scene.saved_sequence = 7;
  repair(scene);
  EXPECT_EQ(scene.saved_sequence, 1);
}

TEST_F(OwnFile, ALayerOrSequenceThatIsNotThereIsToldByWhatTheFileHas) {
  write({1, 2, 1, 2, 2}, {1, 0, 0.5f, 0.5f, 0.25f, 0.75f, 1, 0}, "batch.npy");
  const Scene before = scene_of((folder_ / "batch.npy").string());
  const auto message = [&](const std::string& assignment) {
    Scene wanted = before;
    EXPECT_TRUE(set_field(wanted, assignment));
    return kept_by_model(before, wanted);
  };
  EXPECT_EQ(message("saved_sequence=1"), "");
  EXPECT_EQ(message("weights_layer=9"),
            "weights_layer stays 1: the file of saved attention has 1 layer (counted from 1) and 2 sequences "
            "(counted from 0)");
  EXPECT_EQ(message("saved_sequence=3"),
            "saved_sequence stays 1: the file of saved attention has 1 layer (counted from 1) and 2 "
            "sequences (counted from 0)");
}

TEST_F(OwnFile, RowsThatDoNotSumToOneAreSaidAndLeftAsTheyAre) {
  write({1, 2, 2}, {0.5f, 0.25f, 0.5f, 0.5f}, "half.npy");
  const Scene scene = scene_of((folder_ / "half.npy").string());
  const auto results = compute_now(scene, parallel_, nullptr);
  ASSERT_EQ(results->attention.T, 2);
  EXPECT_EQ(number("row_sum head=1 query=0", scene, *results), 0.75);
  std::string all;
  for (const std::string& remark : results->remarks) all += remark + "\n";
  EXPECT_NE(all.find("0.75"), std::string::npos) << all;
}

TEST_F(OwnFile, LaterKeysWithoutWeightAreDrawnAsMaskedAndThatIsSaid) {
  write({1, 2, 2}, {1, 0, 0.5f, 0.5f}, "causal.npy");
  auto results = compute_now(scene_of((folder_ / "causal.npy").string()), parallel_, nullptr);
  EXPECT_EQ(results->attention.allowed[0].end, 1);
  ASSERT_FALSE(results->remarks.empty());
  EXPECT_NE(results->remarks.back().find("masked"), std::string::npos);
  write({1, 2, 2}, {0.5f, 0.5f, 1, 0}, "both.npy");
  results = compute_now(scene_of((folder_ / "both.npy").string()), parallel_, nullptr);
  EXPECT_EQ(results->attention.allowed[0].end, 2);
}

TEST_F(OwnFile, AFileThatShrinksIsAFailureAndNoEnd) {
  write({1, 2, 2}, {1, 0, 0.5f, 0.5f}, "cut.npy");
  const std::string path = (folder_ / "cut.npy").string();
  const auto model = model_at(path);
  ASSERT_TRUE(model);
  // 33 MiB are not kept in memory: what is read later is read from the file.
  const int T = 2048;
  std::vector<float> rows(static_cast<std::size_t>(T) * T * 3, 0.f);
  for (int i = 0; i < 3 * T; ++i) rows[static_cast<std::size_t>(i) * T] = 1;
  write({3, 1, T, T}, rows, "long.npy");
  const Scene scene = scene_of((folder_ / "long.npy").string());
  const auto dump = saved_attention(scene);
  ASSERT_TRUE(dump);
  std::filesystem::resize_file(folder_ / "long.npy", 4096);
  Results results;
  const base::Status read = attend_saved(scene, *dump, parallel_, nullptr, results);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().find("long.npy"), std::string::npos) << read.error();
}

}  // namespace
}  // namespace headlight::scene
