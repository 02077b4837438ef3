#include "pictures/present_layout.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "draw/both_canvas.h"
#include "draw/no_canvas.h"

namespace headlight::app {

namespace {

using draw::Box;

constexpr float largest_scale = 2.2f;  // times `least`, of what the page writes at 12 units
constexpr float largest_type = 1.35f;  // times `least`: not larger than the finding of the slide

struct Drawn {
  std::optional<Box> card;  // where it is on the page; none: it is not there
  int letters = 0, left_out = 0, cut = 0;
  SlideHead head = {};
  Box ink = {};
};

/// Where the card is on the page; nothing is drawn.
class CardPlace : public draw::NoCanvas {
 public:
  CardPlace(const std::string& card, draw::Canvas& measure) : NoCanvas(measure), card_(card) {}
  const std::optional<Box>& box() const { return box_; }
  void panel(Box box, std::string_view name, std::string_view) override {
    if (!box_ && name == card_ && box.w > 1 && box.h > 1) box_ = box;
  }

 private:
  const std::string& card_;
  std::optional<Box> box_;
};

/// The same of a slide whose words have the page's own size: which of them find room is not looked at.
class SlidePlace final : public CardPlace {
 public:
  using CardPlace::CardPlace;
  bool takes_head(std::string_view, std::string_view, std::string_view) override { return true; }
  draw::FigureParts parts() const override { return {.title = false}; }
  bool plain() const override { return true; }
};

/// The page in this area, with its words as large as `layout.placing` has them: they move the cards.
Drawn drawn(const std::string& card, const DrawCards& draw, const CardLayout& layout, draw::Canvas& measure) {
  draw::NoCanvas nothing(measure);
  PresentCanvas canvas(nothing, layout.placing);
  CardPlace place(card, measure);
  draw::BothCanvas both(canvas, place);
  draw(both, layout.page, layout.column);
  canvas.finish();
  return {place.box(), canvas.letters(), canvas.left_out(), canvas.cut(), canvas.head_of(card), canvas.ink()};
}

std::optional<Box> whereabouts(const std::string& card, const DrawCards& draw, const CardLayout& layout,
                               draw::Canvas& measure, CardPlaces& known) {
  const auto [at, first] = known.try_emplace({layout.column, layout.page.w, layout.page.h});
  if (!first) return at->second;
  SlidePlace place(card, measure);
  draw(place, layout.page, layout.column);
  return at->second = place.box();
}

/// What is drawn of the card is in the middle of the room, as large as it has room for.
Placing placed(Box card, Box ink, Box room, float least) {
  if (ink.w <= 0 || ink.h <= 0) ink = card;
  Placing out;
  out.part = card;
  out.scale = std::min({room.w / ink.w, room.h / ink.h, largest_scale * least / 12});
  out.shift = {room.centre().x - ink.centre().x * out.scale, room.centre().y - ink.centre().y * out.scale};
  out.least = least / out.scale;
  out.most = largest_type * least / out.scale;
  return out;
}

struct StableLayout {
  CardLayout layout;
  Drawn drawn;
};

/// How large words are depends on how large the card is drawn, and where the card is depends on how large the
/// words of all cards are. `layout.placing` is where to begin; the result is a placing at which the page has
/// the card exactly there. None: the card is not on the page, or nowhere comes to rest.
std::optional<StableLayout> stable_layout(const std::string& card, const DrawCards& draw, CardLayout layout,
                                          Box room, float least, draw::Canvas& measure) {
  constexpr int most_turns = 10;
  constexpr float close = 0.94f;  // of the scale that it has room for
  float slack = 1.02f;            // times: words may be a little larger than they must be
  layout.room = room;
  for (int turn = 0; turn < most_turns; ++turn) {
    const Drawn now = drawn(card, draw, layout, measure);
    if (!now.card) return std::nullopt;
    Placing next = placed(*now.card, now.ink, room, least);
    Placing& at = layout.placing;
    if (*now.card == at.part && at.scale <= next.scale * 1.0005f && at.scale >= close * next.scale) {
      next.scale = at.scale, next.least = at.least, next.most = at.most;
      next.shift = {room.centre().x - now.ink.centre().x * at.scale,
                    room.centre().y - now.ink.centre().y * at.scale};
      at = next;
      layout.head = now.head, layout.ink = now.ink;
      layout.letters = now.letters;
      return StableLayout{layout, now};
    }
    // From the second half on smaller than there is room for: words that grow with it leave less.
    if (turn >= most_turns / 2 && *now.card == at.part) {
      next.scale = std::min(next.scale, at.scale) * 0.99f;
      next.least = least / next.scale, next.most = largest_type * least / next.scale;
    }
    const float had = at.least;
    if (had >= next.least && had <= slack * next.least) next.least = had;
    at = next;
    slack += 0.08f;
  }
  return std::nullopt;
}

double how_good(const StableLayout& seen, Box room, int most_letters) {
  constexpr double out_cost = 3, cut_cost = 0.9, absent_cost = 0.5, empty_cost = 0.35;
  const Placing& at = seen.layout.placing;
  const double kept =
      static_cast<double>(seen.drawn.letters) / std::max(1, seen.drawn.letters + seen.drawn.left_out);
  const Box& ink = seen.drawn.ink;
  const auto filled = static_cast<double>(ink.w * at.scale / room.w * (ink.h * at.scale / room.h));
  return std::pow(std::max(kept, 0.05), out_cost) * std::pow(cut_cost, seen.drawn.cut) *
         std::pow(std::max(1, seen.drawn.letters) / static_cast<double>(std::max(1, most_letters)),
                  absent_cost) *
         std::pow(std::clamp(filled, 0.01, 1.0), empty_cost);
}

}  // namespace

CardLayout placed_again(const std::string& card, const DrawCards& draw, const CardLayout& before, float least,
                        draw::Canvas& measure) {
  if (before.page.w <= 0) return {};
  const std::optional<StableLayout> again = stable_layout(card, draw, before, before.room, least, measure);
  return again ? again->layout : CardLayout{};
}

CardLayout present_layout(const std::string& card, const DrawCards& draw, Box room, float least,
                          draw::Canvas& measure, CardPlaces& known) {
  constexpr std::size_t most_stable = 12;  // of the areas that promise most
  std::vector<StableLayout> found;
  std::vector<Box> cards;
  int most_letters = 1;
  const float shape = room.h / std::max(1.f, room.w);
  for (const bool column : {true, false}) {
    for (const float width : {1500.f, 1200.f, 1000.f, 860.f, 740.f, 640.f, 540.f, 460.f}) {
      for (const float height : {width * shape + 32, 1000.f, 700.f, 500.f, 380.f}) {
        CardLayout layout{.page = {0, 0, width, height}, .column = column, .room = room};
        const std::optional<Box> at = whereabouts(card, draw, layout, measure, known);
        // Most pages have no other card without the column, many none for another height.
        if (!at || std::find(cards.begin(), cards.end(), *at) != cards.end()) continue;
        cards.push_back(*at);
        layout.placing = placed(*at, {}, room, least);
        const Drawn large = drawn(card, draw, layout, measure);
        if (!large.card) continue;
        layout.placing = placed(*large.card, large.ink, room, least);
        most_letters = std::max(most_letters, large.letters);
        found.push_back({layout, large});
      }
    }
  }
  const auto good = [&](const StableLayout& one) { return how_good(one, room, most_letters); };
  std::stable_sort(found.begin(), found.end(), [&](const StableLayout& one, const StableLayout& other) {
    return good(one) > good(other);
  });
  CardLayout best;
  double best_score = 0;
  std::size_t stable_so_far = 0;
  for (const StableLayout& one : found) {
    const std::optional<StableLayout> rest = stable_layout(card, draw, one.layout, room, least, measure);
    if (!rest) continue;
    if (const double score = good(*rest); score > best_score) best = rest->layout, best_score = score;
    if (++stable_so_far == most_stable) break;
  }
  return best;
}

}  // namespace headlight::app
