// Every page has a room, in the order of the list, and what the rooms say of settings holds together.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "pages/page.h"
#include "pages/page_that.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/saved_attention.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {
namespace {

TEST(Pages, EveryPageHasItsRoomInTheOrderOfTheList) {
  ASSERT_EQ(rooms().size(), std::size(Words<Page>::list));
  for (std::size_t i = 0; i < rooms().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(rooms()[i]->page), i) << rooms()[i]->title;
    EXPECT_EQ(&room_of(rooms()[i]->page), rooms()[i]);
    EXPECT_TRUE(rooms()[i]->title && *rooms()[i]->title && rooms()[i]->about && *rooms()[i]->about);
  }
}

TEST(Pages, PagesOfAGroupFollowEachOtherAndEveryGroupHasSome) {
  std::vector<PageGroup> met;
  for (const PageRoom* room : rooms()) {
    if (met.empty() || met.back() != room->group) met.push_back(room->group);
  }
  EXPECT_EQ(met, (std::vector{PageGroup::explore, PageGroup::learn, PageGroup::train, PageGroup::theory}));
  EXPECT_EQ(met.size(), static_cast<std::size_t>(page_groups));
}

/// A page is found by its use; what no page has opens the page of a new scene.
TEST(Pages, AUseLeadsToItsPage) {
  EXPECT_EQ(Scene().page, default_page);
  for (const auto use : {&PageUses::large_map, &PageUses::plays, &PageUses::trains, &PageUses::measures}) {
    const Page page = page_that(use);
    EXPECT_TRUE(room_of(page).uses({}).*use) << room_of(page).title;
  }
  EXPECT_NE(page_that(&PageUses::plays), page_that(&PageUses::trains));
  EXPECT_EQ(page_that(&PageUses::model_positions, {}), page_that(&PageUses::plays));
  EXPECT_TRUE(shows_other_models(default_page) && shows_saved_attention(default_page));
}

TEST(Pages, ChipsNameSettingsThatThePageCanShow) {
  const Scene scene;
  for (const PageRoom* room : rooms()) {
    for (const char* chip : room->chips) {
      if (chip == nullptr) continue;
      int found = 0;
      fields(scene, [&](const Field& field, const auto&) {
        if (std::string(field.name) != chip) return;
        const auto own = own_page(field);
        found += !own || *own == room->page || room->heading ? 1 : 0;
      });
      EXPECT_EQ(found, 1) << room->title << ": " << chip;
    }
  }
}

/// A table is behind a card of its own page, and no two tables or quantities have one name.
TEST(Pages, NamesAreUnique) {
  std::set<std::string> names;
  for (const PageRoom* room : rooms()) {
    if (!room->tables) continue;
    for (const Table& table : room->tables()) {
      EXPECT_EQ(table.page, room->page) << table.name;
      EXPECT_TRUE(names.insert(table.name).second) << table.name;
    }
  }
  std::set<std::string> numbers;
  for (const QuantityInfo& info : quantities()) EXPECT_TRUE(numbers.insert(info.name).second) << info.name;
  EXPECT_GT(numbers.size(), 150u);
}

TEST(Pages, AnOwnSettingBearsThePagesName) {
  const Scene scene;
  fields(scene, [](const Field& field, const auto&) {
    EXPECT_TRUE(field.group != Group::own || own_page(field)) << field.name;
    const auto own = own_page(field);
    const bool named = own && std::string(field.name).starts_with(std::string(word(*own)) + "_");
    const bool shown =
        field.group == Group::shown || field.group == Group::encoding || field.group == Group::motion;
    EXPECT_TRUE(!own || named || shown) << field.name;
  });
}

}  // namespace
}  // namespace headlight::scene
