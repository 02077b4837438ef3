#include "pictures/card_names.h"

#include <algorithm>

#include "base/parallel.h"
#include "draw/theme.h"
#include "figure/figure.h"
#include "pages/compute.h"
#include "pages/tables.h"
#include "pictures/pages.h"
#include "scene/nearest.h"
#include "scene/settings.h"

namespace headlight::app {

std::vector<std::string> cards_possible(scene::Page page) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  };
  const PageInfo& info = page_info(page);
  scene::Scene scene;
  scene.page = page;
  base::Parallel parallel(1);
  const auto results = scene::compute_now(scene, parallel, nullptr);
  const draw::Theme& theme = draw::theme(true);
  const views::PageInput in{
      .scene = scene, .results = *results, .cell = nullptr, .hover = nullptr, .theme = theme, .map_view = {}};
  for (const figure::Panel& panel : figure::panels_of([&](draw::Canvas& canvas) {
         info.view.draw(canvas, {0, 0, 1600, 1000}, in);
       }))
    add(panel.name);
  // Cards of other settings: they have numbers, a tab, a frame, or are no slides.
  for (const scene::Table* table : scene::tables_behind(page, {})) {
    std::string_view rest = table->panels;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      add(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  if (info.room.frame) {
    for (std::string_view card : info.room.frame->cards) add(card.substr(card.find(' ') + 1));
  }
  for (const views::TabName& tab : info.view.tabs) add(tab.card);
  for (const auto& list : {info.view.without_sentence, info.view.no_slides}) {
    for (const std::string_view card : list) add(card);
  }
  add(info.view.hero);
  return names;
}

std::string no_such_card(scene::Page page, std::string_view card, std::span<const std::string> cards) {
  const std::string where = "the page " + std::string(scene::word(page));
  if (cards.empty()) return where + " shows no cards now: it needs a sentence that it can compute";
  std::string all;
  for (const std::string& name : cards) all += (all.empty() ? "" : ", ") + name;
  return where + " has no card " + scene::in_quotes(card) + "; it has " + all +
         scene::did_you_mean(card, {cards.begin(), cards.end()});
}

std::string unknown_card(scene::Page page, std::string_view card) {
  if (card.empty()) return {};
  const std::vector<std::string> cards = cards_possible(page);
  return std::find(cards.begin(), cards.end(), card) == cards.end() ? no_such_card(page, card, cards)
                                                                    : std::string();
}

}  // namespace headlight::app
