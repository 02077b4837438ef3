// Every family of models of other programs on every page: computed, drawn, described, and every quantity and
// table at the doors, as for Headlight's own models.
#include <gmock/gmock.h>

#include <cmath>
#include <regex>

#include "../scene/opened_families.h"
#include "doors.h"
#include "pages/controls.h"
#include "pages/cost/cost.h"
#include "scene/trained_model.h"

namespace headlight::app {
namespace {

using nlohmann::json;
using scene::Page;
using scene::Scene;

std::vector<Scene> scenes_of(const std::string& family) {
  const json all = tests::manifest(family);
  const auto cases = tests::plain_cases(all);
  if (cases.empty()) return {};
  Scene first = tests::scene_with(tests::path_of(family, all["variants"][0]), cases.front()["input_ids"]);
  Scene last = first;
  last.weights_layer = 4096, last.compare.from = scene::CompareFrom::stack, last.compare.layer_b = 4096;
  last.compare.off = {2}, last.order.permutation = {1, 0}, last.head = {}, last.temperature = 2;
  for (int t = 2; t < static_cast<int>(last.token_ids.size()); ++t) last.order.permutation.push_back(t);
  repair(last);
  return {first, last};
}

void draw(const Doors& doors, draw::Box box) {
  draw::RecordCanvas canvas;
  const float bottom = page_info(doors.scene.page).view.draw(canvas, box, doors.input());
  EXPECT_TRUE(std::isfinite(bottom));
  EXPECT_FALSE(canvas.texts.empty());
}

/// Nothing that is shown may be no number where the model has one.
TEST(OpenedPages, EveryFamilyOnEveryPageThroughEveryDoor) {
  int families = 0;
  for (const std::string& family : tests::families()) {
    const auto scenes = scenes_of(family);
    families += scenes.empty() ? 0 : 1;
    for (Scene scene : scenes) {
      for (const PageInfo& page : pages()) {
        if (page.page() == Page::training) continue;  // trains a model of its own
        scene.page = page.page();
        repair(scene);
        SCOPED_TRACE(family + ", " + word(scene.page) + ", layer " + std::to_string(scene.weights_layer));
        Doors doors(scene);
        EXPECT_EQ(doors.results->failure, "");
        const bool shown = scene::shows_other_models(scene.page);
        EXPECT_EQ(doors.results->opened != nullptr, shown);
        const std::string described = doors.described();
        EXPECT_FALSE(described.empty());
        if (scene.page == Page::attention) {
          EXPECT_THAT(described, testing::HasSubstr(
                                     "layer " + std::to_string(doors.results->opened->layer + 1) + " of "));
        }
        draw(doors, {0, 0, 1216, 602});
        draw(doors, {0, 0, 1536, 882});
        draw(doors, {0, 0, 480, 602});
        if (!page.room.quantities) continue;
        for (const scene::QuantityInfo& info : page.room.quantities()) {
          if (*info.arguments || std::string(info.name).starts_with("setting")) continue;
          const double value = doors.quantity(info.name);
          const std::string line = "\n  " + std::string(info.label) + ": ";
          if (std::isnan(value)) {
            EXPECT_THAT(described, testing::Not(testing::HasSubstr(line)));
          } else {
            EXPECT_THAT(described, testing::HasSubstr(line + base::written(value, info.form)));
          }
        }
        if (!page.room.tables || !shown) continue;
        for (const scene::Table& table : page.room.tables()) {
          SCOPED_TRACE(table.name);
          if (doors.numbers(table)) EXPECT_FALSE(doors.exported(table).empty());
        }
      }
    }
  }
  EXPECT_GE(families, 15);
}

/// A learned table has no frequencies: no clock is drawn, and the strip says why.
TEST(OpenedPages, PositionsSayWhatDoesNotApply) {
  const auto words_on = [](const std::string& family) {
    Scene scene = scenes_of(family).front();
    scene.page = Page::position;
    Doors doors(scene);
    draw::RecordCanvas canvas;
    page_info(Page::position).view.draw(canvas, {0, 0, 1216, 602}, doors.input());
    int clocks = 0;
    for (const draw::Mark& mark : canvas.marks) clocks += mark.part == draw::Part::clock ? 1 : 0;
    return std::pair{clocks, doors.described()};
  };
  const auto [none, table] = words_on("tiny-gpt2");
  EXPECT_EQ(none, 0);
  EXPECT_THAT(table, testing::HasSubstr("learned table"));
  EXPECT_THAT(table, testing::Not(testing::HasSubstr("radians per position")));
  const auto [clocks, rope] = words_on("models/llama3-rope");
  EXPECT_GT(clocks, 0);
  EXPECT_THAT(rope, testing::HasSubstr("llama3 scaling"));
}

/// Random weights give no width: the panel beside the Cost page names the model that does.
TEST(OpenedPages, TheSizesOnTheCostPageAreSaidToBeTheModels) {
  Scene scene = scenes_of("tiny-gpt2").front();
  scene.page = Page::cost;
  repair(scene);
  const Doors doors(scene);
  const std::string giver = sizes_given_by(scene, *doors.results);
  EXPECT_EQ(giver, doors.results->own_as<scene::CostResults>()->model);
  EXPECT_THAT(giver, testing::Not(testing::HasSubstr("random")));
  EXPECT_THAT(sizes_given_by(Scene{}, *doors.results), testing::HasSubstr("random weights"));
}

/// What is changed of a layer is said, and one click takes it back.
TEST(OpenedPages, ChangesAreSaidAndReset) {
  std::vector<Scene> masked;  // of a model that attends to all tokens
  for (const char* family : {"tiny-bert", "models/distilbert"})
    if (masked.empty()) masked = scenes_of(family);
  ASSERT_FALSE(masked.empty());
  Scene scene = masked.front();
  scene.mask.causal = true, scene.temperature = 3;
  Doors doors(scene);
  EXPECT_THAT(doors.described(),
              testing::HasSubstr("changed, not the model’s own: causal mask, temperature 3"));
  draw::RecordCanvas canvas;
  page_info(Page::attention).view.draw(canvas, {0, 0, 1216, 602}, doors.input());
  std::string set;
  for (const draw::Mark& mark : canvas.marks)
    if (mark.name == "the model’s own") set = mark.set;
  ASSERT_FALSE(set.empty());
  std::istringstream parts(set);
  for (std::string one; std::getline(parts, one, ';');) ASSERT_TRUE(scene::set_field(scene, one)) << one;
  EXPECT_EQ(scene, masked.front());
}

}  // namespace
}  // namespace headlight::app
