// Cards in columns. In a wide window, cards that would be on a page's later screens are placed beside its
// first cards, in one or two columns. Tested in tests/app/whole_pages_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "kit/card.h"

namespace headlight::views {

/// The least width of a page with such columns: that of a window 2560 wide without its rail and settings.
inline constexpr float columns_from = 2100, side_column = 400;

/// One of `count` equal columns of `box`.
inline draw::Box column_of(draw::Box box, int index, int count) {
  const float w = (box.w - card_gap * static_cast<float>(count - 1)) / static_cast<float>(count);
  return {box.x + static_cast<float>(index) * (w + card_gap), box.y, w, box.h};
}

/// Cuts the top `height` or left `width` from `rest`, together with the gap after it, and returns it.
inline Box take_top(Box& rest, float height) {
  const Box taken = rest.cut_top(height);
  rest.cut_top(card_gap);
  return taken;
}
inline Box take_left(Box& rest, float width) {
  const Box taken = rest.cut_left(width);
  rest.cut_left(card_gap);
  return taken;
}

/// Returns `part` of the height or width `whole`, less the gap to the neighbour.
inline float part_of(float whole, float part) {
  return std::round((whole - card_gap) * part);
}

/// Returns the width of the column of cards beside a main picture that fills the window, on a page `width`
/// units wide inside its margins. The settings panel, which takes the column's place, is as wide.
inline float picture_column(float width) {
  // In a low window the picture is what the column leaves: there it is a little narrower.
  constexpr float share = 0.3f, less = 75, least = 264, most = 376;
  return std::round(std::clamp(width * share - less, least, most));
}

/// Returns the width of the column of supporting cards beside the first picture of a page with this area,
/// without the question above it; 0 in a low window, where the picture needs the whole width to have most of
/// the window.
inline float support_width(Box area) {
  constexpr float low = 640;
  return area.h < low ? 0 : std::round(std::clamp(area.w * 0.25f, 296.f, 376.f));
}

/// Places cards one below the other from the top of `rest`, however far down they reach.
class Stack {
 public:
  explicit Stack(Box rest) : left_(rest.x), width_(rest.w), y_(rest.y) {}
  Box next(float height) {
    const Box box{left_, y_, width_, height};
    skip(height + card_gap);
    return box;
  }
  void skip(float height) { y_ += height; }
  float y() const { return y_; }  // the top of the next card

 private:
  float left_, width_, y_;
};

struct ColumnCard {
  float least = 0;  // minimum height in a column; the cards share what is left
  std::function<void(draw::Box)> draw;
};

/// Draws `cards` one below the other from the top of `rest`, each with its least height; returns the lower
/// edge of the last.
inline float below_each_other(Box rest, std::span<const ColumnCard> cards) {
  for (const ColumnCard& one : cards) one.draw(take_top(rest, one.least));
  return rest.y - card_gap;
}

/// Returns how many of `cards` go into the first of two columns, so that the columns are as even as possible.
inline std::size_t even_split(std::span<const ColumnCard> cards) {
  const auto high = [&](std::size_t from, std::size_t end) {
    float sum = -card_gap;
    for (std::size_t i = from; i < end; ++i) sum += cards[i].least + card_gap;
    return sum;
  };
  std::size_t best = 1;
  const auto higher = [&](std::size_t at) { return std::max(high(0, at), high(at, cards.size())); };
  for (std::size_t at = 2; at < cards.size(); ++at) {
    if (higher(at) < higher(best)) best = at;
  }
  return best;
}

/// Draws `cards` at the right of `rest`, which is as high as the window, and cuts their room from it. Uses
/// one column, or two when one is too low. Returns false and draws nothing when the page is too narrow or too
/// low.
inline bool in_columns(draw::Box& rest, std::span<const ColumnCard> cards) {
  if (rest.w + 2 * card_gap < columns_from || cards.empty()) return false;
  const auto room_left = [&](std::span<const ColumnCard> column) {
    float left = rest.h + card_gap;
    for (const ColumnCard& one : column) left -= one.least + card_gap;
    return left;
  };
  const auto one_column = [&](std::span<const ColumnCard> column) {
    const float left = room_left(column);
    const float all = std::accumulate(column.begin(), column.end(), 0.f,
                                      [](float sum, const ColumnCard& one) { return sum + one.least; });
    draw::Box place = rest.cut_right(side_column);
    rest.cut_right(card_gap);
    for (const ColumnCard& one : column) {
      one.draw(place.cut_top(one.least + left * one.least / all));
      place.cut_top(card_gap);
    }
  };
  if (room_left(cards) >= 0) {
    one_column(cards);
    return true;
  }
  if (cards.size() < 2) return false;
  const std::size_t split = even_split(cards);
  if (std::min(room_left(cards.first(split)), room_left(cards.subspan(split))) < 0) return false;
  one_column(cards.subspan(split));
  one_column(cards.first(split));
  return true;
}

}  // namespace headlight::views
