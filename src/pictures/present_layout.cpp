#include "pictures/present_layout.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "draw/both_canvas.h"
#include "draw/pick_canvas.h"

namespace headlight::app {

namespace {

using draw::Box;

constexpr float largest_type = 2.2f;  // times `least`: titles may be larger, a card of few words is not

struct Drawn {
  std::optional<Box> card;  // where it is on the page; none: it is not there
  int letters = 0, left_out = 0, cut = 0;
};

std::optional<Box> box_of(const std::string& card, const draw::PickCanvas& page) {
  for (const auto& panel : page.panels()) {
    if (panel.name == card && panel.box.w > 1 && panel.box.h > 1) return panel.box;
  }
  return std::nullopt;
}

/// The page in this area, with its words as large as `layout.placing` has them: they move the cards.
Drawn drawn(const std::string& card, const DrawCards& draw, const CardLayout& layout, draw::Canvas& measure) {
  draw::PickCanvas nothing({-2e6f, -2e6f}, measure);
  PresentCanvas canvas(nothing, layout.placing);
  draw::PickCanvas pick({-2e6f, -2e6f}, canvas);
  draw::BothCanvas both(canvas, pick);
  draw(both, layout.page, layout.column);
  canvas.finish();
  return {box_of(card, pick), canvas.letters(), canvas.left_out(), canvas.cut()};
}

/// Where the card is in this area with words of the page's own size; which of them find room is not looked
/// at.
std::optional<Box> whereabouts(const std::string& card, const DrawCards& draw, const CardLayout& layout,
                               draw::Canvas& measure) {
  draw::PickCanvas nothing({-2e6f, -2e6f}, measure);
  PresentCanvas canvas(nothing, {});
  draw::PickCanvas pick({-2e6f, -2e6f}, canvas);
  draw::BothCanvas both(canvas, pick);
  draw(both, layout.page, layout.column);
  return box_of(card, pick);
}

/// In the middle of the room, as large as it has room for.
Placing placed(Box card, Box room, float least) {
  Placing out;
  out.part = card;
  out.scale = std::min({room.w / card.w, room.h / card.h, largest_type * least / 12});
  out.shift = {room.centre().x - card.centre().x * out.scale, room.centre().y - card.centre().y * out.scale};
  out.least = least / out.scale;
  return out;
}

struct Settled {
  CardLayout layout;
  Drawn drawn;
};

/// How large words are depends on how large the card is drawn, and where the card is depends on how large the
/// words of all cards are. `layout.placing` is where to begin; the result is a placing at which the page has
/// the card exactly there. None: the card is not on the page, or nowhere comes to rest.
std::optional<Settled> settled(const std::string& card, const DrawCards& draw, CardLayout layout, Box room,
                               float least, draw::Canvas& measure) {
  constexpr int most_turns = 10;
  float slack = 1.02f;  // times: words may be a little larger than they must be
  for (int turn = 0; turn < most_turns; ++turn) {
    const Drawn now = drawn(card, draw, layout, measure);
    if (!now.card) return std::nullopt;
    if (*now.card == layout.placing.part) return Settled{layout, now};
    Placing next = placed(*now.card, room, least);
    const float had = layout.placing.least;
    if (had >= next.least && had <= slack * next.least) next.least = had;
    layout.placing = next;
    slack += 0.08f;
  }
  return std::nullopt;
}

double how_good(const Settled& seen, Box room, int most_letters) {
  constexpr double out_cost = 3, cut_cost = 0.9, absent_cost = 0.5, empty_cost = 0.35;
  const Placing& at = seen.layout.placing;
  const double kept =
      static_cast<double>(seen.drawn.letters) / std::max(1, seen.drawn.letters + seen.drawn.left_out);
  const auto filled = static_cast<double>(at.part.w * at.scale / room.w * (at.part.h * at.scale / room.h));
  return std::pow(std::max(kept, 0.05), out_cost) * std::pow(cut_cost, seen.drawn.cut) *
         std::pow(std::max(1, seen.drawn.letters) / static_cast<double>(std::max(1, most_letters)),
                  absent_cost) *
         std::pow(std::clamp(filled, 0.01, 1.0), empty_cost);
}

}  // namespace

CardLayout placed_again(const std::string& card, const DrawCards& draw, const CardLayout& before, Box room,
                        float least, draw::Canvas& measure) {
  if (before.page.w <= 0) return {};
  const std::optional<Settled> again = settled(card, draw, before, room, least, measure);
  return again ? again->layout : CardLayout{};
}

CardLayout present_layout(const std::string& card, const DrawCards& draw, Box room, float least,
                          draw::Canvas& measure) {
  constexpr std::size_t most_settled = 12;  // of the areas that promise most
  std::vector<Settled> found;
  std::vector<Box> cards;
  int most_letters = 1;
  const float shape = room.h / std::max(1.f, room.w);
  for (const bool column : {true, false}) {
    for (const float width : {1500.f, 1200.f, 1000.f, 860.f, 740.f, 640.f, 540.f, 460.f}) {
      for (const float height : {width * shape + 32, 1000.f, 700.f, 500.f, 380.f}) {
        CardLayout layout{{0, 0, width, height}, column, {}};
        const std::optional<Box> at = whereabouts(card, draw, layout, measure);
        // Most pages have no other card without the column, many none for another height.
        if (!at || std::find(cards.begin(), cards.end(), *at) != cards.end()) continue;
        cards.push_back(*at);
        layout.placing = placed(*at, room, least);
        const Drawn large = drawn(card, draw, layout, measure);
        if (!large.card) continue;
        most_letters = std::max(most_letters, large.letters);
        found.push_back({layout, large});
      }
    }
  }
  const auto good = [&](const Settled& one) { return how_good(one, room, most_letters); };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Settled& one, const Settled& other) { return good(one) > good(other); });
  CardLayout best;
  double best_score = 0;
  std::size_t settled_so_far = 0;
  for (const Settled& one : found) {
    const std::optional<Settled> rest = settled(card, draw, one.layout, room, least, measure);
    if (!rest) continue;
    if (const double score = good(*rest); score > best_score) best = rest->layout, best_score = score;
    if (++settled_so_far == most_settled) break;
  }
  return best;
}

}  // namespace headlight::app
