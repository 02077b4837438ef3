#include "ui/page_screens.h"

#include <algorithm>

#include "kit/card.h"

namespace headlight::app {

namespace {

constexpr float least_filled = 0.6f;  // minimum share of the first screen that is filled

struct Row {
  float top = 0, bottom = 0, largest = 0;  // largest: area of its largest card, in square units
  std::string card, title;                 // of the largest card
  std::vector<std::string> cards;          // all
};

/// Groups cards whose heights overlap, from top to bottom.
std::vector<Row> rows_of(std::span<const draw::PickCanvas::Panel> cards) {
  std::vector<const draw::PickCanvas::Panel*> ordered;
  for (const auto& card : cards) {
    if (card.box.w > 0 && card.box.h > 0) ordered.push_back(&card);
  }
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto* a, const auto* b) { return a->box.y < b->box.y; });
  std::vector<Row> rows;
  for (const auto* card : ordered) {
    const draw::Box& box = card->box;
    if (rows.empty() || box.y >= rows.back().bottom - 1) rows.push_back({box.y, box.bottom(), 0, "", "", {}});
    Row& row = rows.back();
    row.cards.push_back(card->name);
    row.bottom = std::max(row.bottom, box.bottom());
    constexpr float rounding = 1.01f;  // of cards of equal size, the first one names the row
    if (box.w * box.h > row.largest * rounding)
      row.largest = box.w * box.h, row.card = card->name, row.title = card->title;
  }
  return rows;
}

}  // namespace

std::vector<PageScreen> page_screens(std::span<const draw::PickCanvas::Panel> cards, float room,
                                     float question) {
  std::vector<PageScreen> screens;
  float largest = 0;
  for (const Row& row : rows_of(cards)) {
    const bool first = screens.empty();
    // A low card at the beginning of the page stays with the next row, even if that is higher than the
    // window.
    const bool filled =
        screens.size() > 1 || (!first && screens.back().bottom - screens.back().top >= least_filled * room);
    const float high = screens.size() > 1 ? room - question : room;
    if (first || (row.bottom + views::card_gap - screens.back().top > high && filled)) {
      screens.push_back(
          {first ? 0 : row.top - views::card_gap, row.bottom, row.card, row.title, {row.card}, row.cards});
      largest = row.largest;
      continue;
    }
    PageScreen& screen = screens.back();
    screen.bottom = row.bottom;
    screen.rows.push_back(row.card);
    screen.cards.insert(screen.cards.end(), row.cards.begin(), row.cards.end());
    if (row.largest > largest) largest = row.largest, screen.card = row.card, screen.title = row.title;
  }
  return screens;
}

float fitting_size(const CardsOf& cards, draw::Box room, std::string_view hero, float least) {
  constexpr float step = 0.07f, clear = 6;  // units that are left below the card
  constexpr float far_too_high = 1.5f;      // times the room: smaller words would show little more
  for (float size = 1;; size -= step) {
    size = std::max(size, least);
    const draw::Box area{0, 0, room.w / size, room.h / size};
    float bottom = 0;
    const std::vector<draw::PickCanvas::Panel> laid = cards(area);
    if (hero.empty()) {
      const std::vector<PageScreen> screens = page_screens(laid, area.h);
      const auto first = std::find_if(laid.begin(), laid.end(), [&](const auto& card) {
        return !screens.empty() && card.name == screens.front().card;
      });
      if (first != laid.end()) bottom = first->box.bottom();
    }
    for (const auto& card : laid) {
      if (!hero.empty() && card.name == hero) bottom = std::max(bottom, card.box.bottom());
    }
    if (bottom + clear <= area.h) return size;
    if (size <= least) return bottom > far_too_high * area.h ? 1 : size;
  }
}

std::string screen_name(const PageScreen& screen, std::span<const views::TabName> tabs, std::string_view page,
                        bool both) {
  const auto words_of = [&](std::string_view card) {
    const auto tab =
        std::find_if(tabs.begin(), tabs.end(), [&](const views::TabName& one) { return one.card == card; });
    return tab == tabs.end() ? std::string_view() : tab->words;
  };
  if (both && screen.top > 0 && screen.rows.size() == 2) {
    const std::string_view one = words_of(screen.rows[0]), two = words_of(screen.rows[1]);
    if (!one.empty() && !two.empty() && one != two) return std::string(one) + " · " + std::string(two);
  }
  if (const std::string_view words = words_of(screen.card); !words.empty()) return std::string(words);
  constexpr std::ptrdiff_t most_blanks = 2;
  const bool is_short = std::count(screen.title.begin(), screen.title.end(), ' ') <= most_blanks;
  return screen.title.empty() || !is_short ? std::string(page) : screen.title;
}

std::string all_names(const PageScreen& screen, std::span<const views::TabName> tabs, std::string_view page) {
  std::vector<std::string_view> named;
  std::string out = screen_name(screen, tabs, page);
  named.push_back(out);
  for (const std::string& card : screen.cards) {
    const auto tab =
        std::find_if(tabs.begin(), tabs.end(), [&](const views::TabName& one) { return one.card == card; });
    if (tab != tabs.end() && std::find(named.begin(), named.end(), tab->words) == named.end())
      named.push_back(tab->words);
  }
  std::string all(named.front());
  for (std::size_t i = 1; i < named.size(); ++i) all += " · " + std::string(named[i]);
  return all;
}

std::string card_name(std::string_view card, std::span<const views::TabName> tabs) {
  for (const views::TabName& tab : tabs) {
    if (tab.card != card) continue;
    const auto alike = std::count_if(tabs.begin(), tabs.end(),
                                     [&](const views::TabName& one) { return one.words == tab.words; });
    if (alike == 1) return std::string(tab.words);
  }
  return std::string(card);
}

std::vector<std::string> cards_alone(const PageScreen& screen,
                                     std::span<const draw::PickCanvas::Panel> cards) {
  constexpr std::size_t legible = 2;  // cards beside each other
  std::vector<std::string> names;
  for (const auto& card : cards) {
    const draw::Box& box = card.box;
    const bool here = box.w > 0 && box.h > 0 && box.y >= screen.top && box.y < screen.bottom;
    const bool part_of_another = std::any_of(cards.begin(), cards.end(), [&](const auto& other) {
      const draw::Box& around = other.box;
      return around.w * around.h > box.w * box.h && box.x >= around.x && box.right() <= around.right() &&
             box.y >= around.y && box.bottom() <= around.bottom();
    });
    const bool known = std::find(names.begin(), names.end(), card.name) != names.end();
    if (here && !part_of_another && !known && !card.name.empty()) names.push_back(card.name);
  }
  return names.size() > legible ? screen.rows : names;
}

int screen_at(std::span<const PageScreen> screens, float y) {
  int found = 0;
  for (std::size_t i = 1; i < screens.size(); ++i) {
    if (y >= screens[i].top) found = static_cast<int>(i);
  }
  return found;
}

}  // namespace headlight::app
