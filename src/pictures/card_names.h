// Which cards can a page have, and what is said of a card that it does not have? Commands that name a card
// and the check of lessons ask here, so that each tells the same. Tested in
// tests/pictures/card_names_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pages/list.h"
#include "scene/scene.h"

namespace headlight::app {

/// The names of the cards that the page can have, whatever the scene: those of its default scene first, in
/// their order. Cost: computes that scene and lays the page out.
std::vector<std::string> cards_possible(scene::Page page);

/// "the page attention has no card “zzz”; it has heads, map, …", with the nearest name if there is one.
std::string no_such_card(scene::Page page, std::string_view card, std::span<const std::string> cards);

/// no_such_card() if the page can have no card of this name, whatever the scene; empty: it can, or there is
/// no name.
std::string unknown_card(scene::Page page, std::string_view card);

}  // namespace headlight::app
