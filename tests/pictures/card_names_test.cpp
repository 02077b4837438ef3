// A card that a page can have is known before anything is computed.
#include "pictures/card_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/render.h"
#include "pages/page.h"
#include "scene/settings.h"

namespace headlight::app::card_names_test {
namespace {

using testing::HasSubstr;

/// Those of many scenes: of trained models, the encoder–decoder, whole stacks, several sides and details.
TEST(CardNames, EveryCardOfEverySceneIsKnown) {
  const std::vector<std::string> scenes[] = {
      {},
      {"weights=trained", "weights_file=small-english"},
      {"block_model=encoder_decoder"},
      {"bench_from=stack"},
      {"sentence="},
      {"sentence=a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s "
       "t"},
      {"memory_error_over=size", "memory_network=binary"},
      {"weights=trained", "weights_file=small-english", "model_detail=components", "model_off=1.1"}};
  for (const scene::PageRoom* const room : scene::rooms()) {
    const std::vector<std::string> known = cards_possible(room->page);
    for (const auto& sets : scenes) {
      scene::Scene scene;
      scene.page = room->page;
      for (const std::string& set : sets) ASSERT_TRUE(set_field(scene, set)) << set;
      scene::repair(scene);
      std::istringstream lines(list_panels(scene, {.page = room->page}));
      for (std::string line; std::getline(lines, line);) {
        const std::string name = line.substr(0, line.find('\t'));
        EXPECT_THAT(known, testing::Contains(name))
            << room->title << " " << (sets.empty() ? "" : sets.back());
      }
    }
  }
}

TEST(CardNames, AnUnknownCardIsAnsweredWithThoseThatThereAre) {
  EXPECT_EQ(unknown_card(scene::Page::attention, ""), "");
  EXPECT_EQ(unknown_card(scene::Page::attention, "map"), "");
  EXPECT_EQ(
      unknown_card(scene::Page::attention, "mapp"),
      "the page attention has no card \"mapp\"; it has heads, map, bars, cell, matrices, kernels. Did you "
      "mean \"map\"?");
  EXPECT_THAT(unknown_card(scene::Page::block, "map"), "");
  EXPECT_THAT(unknown_card(scene::Page::block, "zzz"), HasSubstr("encoder-decoder"));
}

}  // namespace
}  // namespace headlight::app::card_names_test
