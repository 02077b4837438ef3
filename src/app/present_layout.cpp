#include "app/present_layout.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "draw/pick_canvas.h"

namespace headlight::app {

namespace {

using draw::Box;

constexpr float largest_type = 2.2f;  // times `least`: titles may be larger, a card of few words is not

/// Where the card is when the page is laid out for this area.
std::optional<Box> card_in(const std::string& card, const DrawCards& draw, Box area, bool column,
                           draw::Canvas& measure) {
  draw::PickCanvas pick({-2e6f, -2e6f}, measure);
  PresentCanvas canvas(pick, {});
  draw(canvas, area, column);
  for (const auto& panel : pick.panels()) {
    if (panel.name == card && panel.box.w > 1 && panel.box.h > 1) return panel.box;
  }
  return std::nullopt;
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

struct Seen {
  CardLayout layout;
  int letters = 0, left_out = 0, cut = 0;
};

double how_good(const Seen& seen, Box room, int most_letters) {
  constexpr double out_cost = 3, cut_cost = 0.9, absent_cost = 0.5, empty_cost = 0.35;
  const Placing& at = seen.layout.placing;
  const double kept = static_cast<double>(seen.letters) / std::max(1, seen.letters + seen.left_out);
  const auto filled = static_cast<double>(at.part.w * at.scale / room.w * (at.part.h * at.scale / room.h));
  return std::pow(std::max(kept, 0.05), out_cost) * std::pow(cut_cost, seen.cut) *
         std::pow(std::max(1, seen.letters) / static_cast<double>(std::max(1, most_letters)), absent_cost) *
         std::pow(std::clamp(filled, 0.01, 1.0), empty_cost);
}

}  // namespace

CardLayout placed_again(const std::string& card, const DrawCards& draw, const CardLayout& before, Box room,
                        float least, draw::Canvas& measure) {
  CardLayout out = before;
  const std::optional<Box> box =
      before.page.w > 0 ? card_in(card, draw, before.page, before.column, measure) : std::nullopt;
  if (!box) return {};
  out.placing = placed(*box, room, least);
  return out;
}

CardLayout present_layout(const std::string& card, const DrawCards& draw, Box room, float least,
                          draw::Canvas& measure) {
  std::vector<Seen> found;
  std::vector<Box> cards;
  int most_letters = 1;
  const float shape = room.h / std::max(1.f, room.w);
  for (const bool column : {true, false}) {
    for (const float width : {1500.f, 1200.f, 1000.f, 860.f, 740.f, 640.f, 540.f, 460.f}) {
      for (const float height : {width * shape + 32, 1000.f, 700.f, 500.f, 380.f}) {
        const CardLayout asked{{0, 0, width, height}, column, {}, false};
        const CardLayout layout = placed_again(card, draw, asked, room, least, measure);
        // Most pages have no other card without the column, many none for another height.
        if (layout.page.w <= 0 || std::find(cards.begin(), cards.end(), layout.placing.part) != cards.end())
          continue;
        cards.push_back(layout.placing.part);
        draw::PickCanvas pick({-2e6f, -2e6f}, measure);
        PresentCanvas canvas(pick, layout.placing);
        draw(canvas, layout.page, column);
        canvas.finish();
        found.push_back({layout, canvas.letters(), canvas.left_out(), canvas.cut()});
        found.back().layout.sparse = canvas.left_out() > 0;
        most_letters = std::max(most_letters, canvas.letters());
      }
    }
  }
  CardLayout best;
  double best_score = 0;
  for (const Seen& seen : found) {
    if (const double score = how_good(seen, room, most_letters); score > best_score)
      best = seen.layout, best_score = score;
  }
  return best;
}

}  // namespace headlight::app
