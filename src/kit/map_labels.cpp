#include "kit/map_labels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "draw/turned.h"
#include "kit/label_words.h"
#include "kit/page_input.h"
#include "kit/plot.h"
#include "kit/words.h"

namespace headlight::views {

namespace {

constexpr float least_label = 12;    // the smallest size of a flat label
constexpr float low_room = 60;       // where slanted words would be higher, shortened ones may lie flat
constexpr float wide_pitch = 48;     // least pitch at which words that are much too long get an ellipsis
constexpr float line_room = 13;      // from one label to the next in a column
constexpr float slanted_room = 15;   // the same for slanted labels,
constexpr float apart_room = 21;     // and where only some items are named, which need not be so close
constexpr float sparse_room = 22;    // the same where only some items are named
constexpr float numbered_pitch = 6;  // below this, a row of labels has numbers instead of names
constexpr float highest_row = 90, most_of_words = 1.7f;  // room for whole words, in the usual one
constexpr float most_of_chosen = 2;                      // room of a chosen label, in that of the others,
constexpr float numbered_row = 17,                       // where rows are too low, and columns too narrow,
    numbered_column = 36;                                // for the numbers that it would take the room of
constexpr float from_edge = 4;  // units between cells and the labels of their columns

/// Above narrow columns the words are steeper, so that none touches the next one, or the dots under it.
constexpr float steep = 65, clear_of_dots = 1.5f;  // degrees; least distance of words in their size, else
struct Slant {
  explicit Slant(float turn)
      : sine(std::sin(turn * std::numbers::pi_v<float> / 180)),
        cosine(std::cos(turn * std::numbers::pi_v<float> / 180)) {}
  float sine, cosine;
};

float down_room(const Pen& pen, const TokenAxis& axis) {
  if (on_paper(pen) && axis.pitch >= label::least_on_paper) return std::min(axis.pitch, line_room);
  return label::enlarged(pen, axis.pitch < label::enlarged(pen, numbered_pitch) ? sparse_room : line_room);
}
/// Returns the least distance of two labels in a column that do not touch.
float down_taken(const Pen& pen, const TokenAxis& axis) {
  return std::min(down_room(pen, axis), label::enlarged(pen, line_room));
}
/// Returns the length of axis that a slanted label takes.
float room_of_slanted(const Pen& pen, const TokenAxis& axis) {
  return label::enlarged(pen, label::sparse(pen, axis) ? apart_room : slanted_room);
}

float slanted_taken(const Pen& pen) {
  return label::enlarged(pen, 19);
}

/// Returns the size of slanted labels. On paper they are as small as their columns, or as every second one.
constexpr float least_slanted = 7.5f, slanted_part = 0.8f;  // units; of the distance of two labels
float printed_room(const TokenAxis& axis) {
  return std::max(axis.pitch, least_slanted / slanted_part);
}
float slanted_size(const Pen& pen, const TokenAxis& axis, float size) {
  if (!on_paper(pen) || label::sparse(pen, axis)) return size;
  const float apart = axis.pitch * static_cast<float>(label_step(axis.pitch, printed_room(axis)));
  return std::min(size, std::floor(2 * slanted_part * apart) / 2);
}

/// Returns the least length of axis from one slanted label to the next.
float slanted_apart(const Pen& pen, const TokenAxis& axis) {
  return on_paper(pen) && !label::sparse(pen, axis) ? std::min(slanted_room, printed_room(axis))
                                                    : room_of_slanted(pen, axis);
}

bool unknown(const AxisNames& names, const TokenAxis& axis, int token) {
  if (!names.tokens || (axis.role == Role::key && other_keys(*names.tokens))) return false;
  return unknown_token(*names.tokens, token);
}

/// Returns the items to label, the important ones first. `room` is the distance of regular labels, which may
/// be more than the length `taken` of axis that a label covers: an important one replaces only those.
std::vector<int> chosen_items(const AxisNames& names, const TokenAxis& axis, float room, float taken = 1e9f) {
  taken = std::min(taken, room);
  std::vector<int> items;
  auto want = [&](int token) {
    if (token < 0) return;
    if (axis.order.empty()) {
      if (token >= axis.first && token < axis.last) items.push_back(token);
      return;
    }
    for (int i = axis.first; i < axis.last; ++i) {
      if (axis.token(i) == token) items.push_back(i);
    }
  };
  if (axis.pitch < room) {
    want(names.chosen);
    want(names.hovered);
    for (int token : names.pinned) want(token);
  }
  const int step = label_step(axis.pitch, room);
  const int begin = (axis.first + step - 1) / step * step;
  std::vector<int> kept;
  for (int item : items) {
    const bool clear = std::none_of(kept.begin(), kept.end(), [&](int other) {
      return std::abs(static_cast<float>(item - other)) * axis.pitch < taken;
    });
    if (clear) kept.push_back(item);
  }
  const std::size_t important = kept.size();
  for (int item = begin; item < axis.last; item += step) {
    bool clear = true;
    for (std::size_t i = 0; i < important && clear; ++i)
      clear = std::abs(static_cast<float>(item - kept[i])) * axis.pitch >= taken;
    if (clear) kept.push_back(item);
  }
  return kept;
}

float middle_of(const TokenAxis& axis, int item) {
  const float a = axis.start + static_cast<float>(item) * axis.pitch;
  return (std::max(a, axis.low) + std::min(a + axis.pitch, axis.high)) / 2;
}

Mark token_mark(const AxisNames& names, const TokenAxis& axis, int item, Box area) {
  Mark mark;
  if (!names.tokens) return mark;
  mark.part = axis.role == Role::query ? Part::query_token : Part::key_token;
  (axis.role == Role::query ? mark.query : mark.key) = axis.token(item);
  mark.area = area;
  return mark;
}

/// The labels of a row, and their widths at size 1. Widths are measured in the style of the chosen item, so
/// that no label moves when another item is chosen.
struct FlatWords {
  std::vector<int> items;
  std::vector<float> middles, wide;
  float apart = 6;  // gap between labels; enlarged with the text
};

FlatWords flat_words(const Pen& pen, const AxisNames& names, const TokenAxis& axis, float size) {
  FlatWords out;
  out.apart = label::enlarged(pen, out.apart);
  for (int item = axis.first; item < axis.last; ++item) {
    const float middle = middle_of(axis, item);
    if (middle < axis.low || middle > axis.high) continue;
    const TextStyle style = strong_style(pen.theme.text, size);
    out.items.push_back(item), out.middles.push_back(middle);
    out.wide.push_back(pen.canvas.text_width(label::label_of(pen, names, axis, item), style) / size);
  }
  return out;
}

/// Horizontal labels in a row, as near to the middles of their columns as possible without overlap.
struct FlatRow {
  std::vector<float> middles;  // of the labels
  float moved = 0;             // largest distance of a label from its column's middle; infinite: no room
};

/// Minimises the squared distances, keeping the order and the edges, by isotonic regression in O(n). `most`
/// is the width that labels are cut to.
FlatRow flat_row(const FlatWords& words, const TokenAxis& axis, float size, float most) {
  FlatRow out;
  const std::size_t count = words.items.size();
  if (count == 0) return out;
  const auto wide = [&](std::size_t n) { return std::min(most, words.wide[n] * size); };
  std::vector<float> after;  // the least distance of each label from the first
  struct Block {
    float sum = 0;
    std::size_t count = 0;
    float mean() const { return sum / static_cast<float>(count); }
  };
  std::vector<Block> blocks;
  for (std::size_t n = 0; n < count; ++n) {
    after.push_back(n == 0 ? 0 : after.back() + (wide(n - 1) + wide(n)) / 2 + words.apart);
    blocks.push_back({words.middles[n] - after[n], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum, blocks.back().count += last.count;
    }
  }
  const float least = axis.low + wide(0) / 2, end = axis.high - wide(count - 1) / 2 - after.back();
  if (least > end + 0.5f && count > 1) {
    out.moved = std::numeric_limits<float>::infinity();
    return out;
  }
  for (const Block& block : blocks) {
    for (std::size_t n = 0; n < block.count; ++n) {
      const std::size_t at = out.middles.size();
      out.middles.push_back(std::max(least, std::min(end, block.mean())) + after[at]);
      out.moved = std::max(out.moved, std::abs(out.middles.back() - words.middles[at]));
    }
  }
  return out;
}

/// Is enough left of the words that are cut to `most`?
bool cut_well(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const FlatWords& words,
              float size, float most) {
  std::vector<int> cut;
  for (std::size_t n = 0; n < words.items.size(); ++n) {
    const float wide = words.wide[n] * size;
    if (most < 0.5f * wide) return false;
    if (wide > most) cut.push_back(words.items[n]);
  }
  return cut.empty() || label::cut_well(pen, names, axis, cut, size, most);
}

/// Sets the size and the maximum width with which the labels fit horizontally; leaves the size 0 when they
/// cannot. Long words are cut only where columns are wide, and never on paper or on a slide, which have no
/// tooltip for the rest.
void lie_flat(const Pen& pen, const AxisNames& names, const TokenAxis& axis, RowPlan& plan) {
  const float far = 0.35f * axis.pitch, size = label::size_at(pen, axis.pitch),
              small = std::min(size, least_label);
  const FlatWords words = flat_words(pen, names, axis, size);
  const bool cuts = !pen.canvas.plain() && axis.pitch >= wide_pitch;
  for (const float most : {1e9f, 1.5f * axis.pitch}) {
    if (most < 1e9f && !cuts) break;
    for (const float one : {size, small}) {
      if (!cut_well(pen, names, axis, words, one, most)) continue;
      if (flat_row(words, axis, one, most).moved <= far) {
        plan.flat_size = one, plan.flat_most = most;
        return;
      }
      if (small == size) break;
    }
  }
}

/// The same for shortened words in columns of any width, where slanted ones would be too high. False: they do
/// not fit.
bool shortened_flat(const Pen& pen, const AxisNames& names, const TokenAxis& axis, float size,
                    RowPlan& plan) {
  const float one = std::min(size, least_label), far = 0.35f * axis.pitch;
  const FlatWords words = flat_words(pen, names, axis, one);
  for (const float part : {1.5f, 1.25f, 1.f}) {
    const float cut = part * axis.pitch - words.apart;
    if (!cut_well(pen, names, axis, words, one, cut) || flat_row(words, axis, one, cut).moved > far) continue;
    plan.flat_size = one, plan.flat_most = cut;
    return true;
  }
  return false;
}

/// Draws one horizontal label with its middle at `at`.
void flat_label(const Pen& pen, const AxisNames& names, const TokenAxis& axis, int item, Point at,
                const RowPlan& plan) {
  TextStyle style = label::style_of(pen, names, axis, item);
  if (!plan.numbers) style.size = plan.flat_size;
  const std::string words =
      plan.numbers ? std::to_string(axis.token(item)) : label::label_of(pen, names, axis, item);
  const float half = std::max(axis.pitch, line_room) / 2, height = style.size + 6;
  pen.canvas.mark(
      token_mark(names, axis, item, {middle_of(axis, item) - half, at.y - height / 2, 2 * half, height}));
  const float width =
      put(pen, at, words, aligned(style, Align::centre), plan.numbers ? 40.f : plan.flat_most);
  if (!plan.numbers && unknown(names, axis, axis.token(item)))
    mark_unknown(pen, {at.x - width / 2, at.y}, width, style.size);
}

/// Draws one slanted label. Above the cells it begins at the middle of its column; below them it ends there.
/// Its mark has no area, so that only its letters are hit.
void slanted_label(const Pen& pen, const AxisNames& names, const TokenAxis& axis, int item,
                   const std::string& words, const RowPlace& place) {
  TextStyle style = label::style_of(pen, names, axis, item);
  style.size = place.plan.turned_size, style.turn = place.plan.turn;
  style.align = place.below ? Align::right : Align::left;
  const float half = std::max(style.size, pen.canvas.least_text()) / 2;
  const float corner = half * Slant(style.turn).cosine;  // from the middle of its end to the nearest corner
  const Point at{middle_of(axis, item),
                 place.below ? place.edge + from_edge + corner : place.edge - from_edge - corner};
  pen.canvas.mark(token_mark(names, axis, item, {}));
  const float width = put(pen, at, words, style, place.plan.room);
  if (unknown(names, axis, axis.token(item)) && !label::sparse(pen, axis))  // sparse: no room for the dots
    mark_unknown(pen, draw::turned(at, place.below ? -width : 0, 0, style.turn), width, style.size,
                 style.turn);
}

/// Names as many columns as have room for whole words that lie flat, where slanted ones would be too high.
void thin_out(const Pen& pen, const AxisNames& names, const TokenAxis& axis, RowPlan& plan) {
  plan.flat_size = std::min(label::size_at(pen, axis.pitch), least_label);
  const FlatWords words = flat_words(pen, names, axis, plan.flat_size);
  const int count = axis.last - axis.first;
  for (int step = 2;; step = label_step(1, static_cast<float>(step + 1))) {
    plan.thinned = static_cast<float>(step) * axis.pitch;
    bool clear = true;
    for (std::size_t n = 0; n < words.items.size() && clear; ++n) {
      const std::size_t next = n + static_cast<std::size_t>(step);
      clear = words.items[n] % step != 0 || next >= words.items.size() ||
              (words.wide[n] + words.wide[next]) / 2 * plan.flat_size + words.apart <= plan.thinned;
    }
    if (clear || step >= count) return;
  }
}

/// Draws such a row: the important words first, then those that do not touch them.
void thinned_row(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const RowPlan& plan,
                 float y) {
  std::vector<std::pair<float, float>> taken;
  std::vector<int> items = chosen_items(names, axis, plan.thinned - axis.pitch / 2, axis.pitch);
  const std::size_t regular = items.size();
  // Where slanted words give way to flat ones, every other column that has room is named too.
  for (int item = axis.first; item < axis.last && names.flat; ++item) items.push_back(item);
  for (std::size_t n = 0; n < items.size(); ++n) {
    const int item = items[n];
    const float apart = label::enlarged(pen, n < regular ? 6 : 10);
    const float middle = middle_of(axis, item);
    if (middle < axis.low || middle > axis.high) continue;
    const float wide = pen.canvas.text_width(label::label_of(pen, names, axis, item),
                                             strong_style(pen.theme.text, plan.flat_size));
    const float left = std::max(axis.low, std::min(middle - wide / 2, axis.high + 2 - wide)),
                right = left + wide;
    if (std::any_of(taken.begin(), taken.end(), [&](const std::pair<float, float>& one) {
          return left < one.second + apart && right > one.first - apart;
        }))
      continue;
    taken.emplace_back(left, right);
    flat_label(pen, names, axis, item, {left + wide / 2, y}, plan);
    pen.canvas.mark({});
  }
}

}  // namespace

AxisNames names_of(const Sheet& sheet, Role role) {
  const Selection& s = sheet.selection;
  AxisNames out;
  out.tokens = &sheet.in;
  out.chosen = role == Role::query ? s.detail_query : s.key;
  out.hovered = role == Role::query ? s.hover_query : s.hover_key;
  if (role == Role::query) out.pinned = s.queries;
  return out;
}

float column_width(const Pen& pen, const AxisNames& names, const TokenAxis& axis, float most) {
  float width = 0, chosen = 0;
  const std::vector<int> items = chosen_items(names, axis, down_room(pen, axis), down_taken(pen, axis));
  for (const int item : items) {
    const float wide = pen.canvas.text_width(label::label_of(pen, names, axis, item),
                                             label::style_of(pen, names, axis, item));
    width = std::max(width, wide);
    if (axis.token(item) == names.chosen && axis.pitch < numbered_row) chosen = wide;
  }
  if (width <= most) return std::ceil(width);
  // The chosen label is not cut where the others are, unless it would take the place of the map or its
  // numbers; of the others enough is left.
  const float least =
      pen.canvas.plain() ? 0 : label::least_room(pen, names, axis, items, label::size_at(pen, axis.pitch));
  return std::min(std::ceil(width), std::max({most, std::min(std::ceil(chosen), most_of_chosen * most),
                                              std::min(least, most_of_words * most)}));
}

RowPlan plan_row(const Pen& pen, const AxisNames& names, const TokenAxis& axis, float most) {
  RowPlan plan;
  float size = label::size_on(pen, axis.pitch);
  plan.height = size + 4;
  plan.numbers = axis.pitch < label::enlarged(pen, numbered_pitch);
  if (plan.numbers) return plan;
  if (!label::sparse(pen, axis)) {
    lie_flat(pen, names, axis, plan);
    if (plan.flat_size > 0) return plan;
  }
  if (names.flat) {
    thin_out(pen, names, axis, plan);
    return plan;
  }
  plan.turned_size = slanted_size(pen, axis, size);
  size = plan.turned_size;
  const TextStyle style = strong_style(pen.theme.text, size);
  AxisNames still = names;  // the row has one height wherever the pointer is
  still.hovered = -1;
  const std::vector<int> items = chosen_items(
      still, axis, label::sparse(pen, axis) ? room_of_slanted(pen, axis) : 1.f, slanted_taken(pen));
  float longest = 0;
  for (int item : items)
    longest = std::max(longest, pen.canvas.text_width(label::label_of(pen, names, axis, item), style));
  const float apart = axis.pitch * static_cast<float>(label_step(axis.pitch, slanted_apart(pen, axis)));
  const float turn = apart < clear_of_dots * size ? steep : draw::slanted;
  const Slant slant(turn);
  const auto upright = [&](float length) { return length * slant.sine + size * slant.cosine; };
  float high = most, least = 3 * size;
  if (upright(longest) > most && !pen.canvas.plain()) {
    // Whole words may be somewhat higher. Else shortened horizontal ones are the lesser evil, then slanted
    // ones of which enough is left, then fewer of them.
    const float more = std::max(most, std::min(highest_row, most_of_words * most));
    least = label::least_room(pen, names, axis, items, size);
    if (upright(longest) > more) {
      if (most < low_room && !label::sparse(pen, axis) && shortened_flat(pen, names, axis, size, plan))
        return plan;
      if (upright(least) > more) {
        thin_out(pen, names, axis, plan);
        return plan;
      }
    }
    high = upright(longest) > more ? std::max(most, upright(least)) : more;
  }
  plan.turn = turn;
  const float room = (high - size * slant.cosine) / slant.sine;
  float chosen = 0;  // it is not cut, as in a column
  for (int item : items) {
    if (axis.token(item) == names.chosen && axis.pitch < numbered_column)
      chosen = std::ceil(pen.canvas.text_width(label::label_of(pen, names, axis, item), style)) + 1;
  }
  const float usual = (most - size * slant.cosine) / slant.sine;
  plan.room =
      std::max(std::min(std::ceil(longest) + 1, least),
               std::min(std::ceil(longest) + 1, std::max(room, std::min(chosen, most_of_chosen * usual))));
  plan.cut = longest > plan.room;
  plan.height = std::ceil(plan.room * slant.sine + size * slant.cosine);
  for (int item : items) {
    const float reach =
        std::min(plan.room, pen.canvas.text_width(label::label_of(pen, names, axis, item), style)) *
            slant.cosine +
        size / 2 * slant.sine;
    plan.beyond_high = std::max(plan.beyond_high, middle_of(axis, item) + reach - axis.high);
    plan.beyond_low = std::max(plan.beyond_low, axis.low - middle_of(axis, item) + reach);
  }
  return plan;
}

void labels_down(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const ColumnPlace& place) {
  const std::vector<int> items = chosen_items(names, axis, down_room(pen, axis), down_taken(pen, axis));
  const std::vector<std::string> labels =
      label::shown(pen, names, axis, items, std::vector<float>(items.size(), place.room));
  for (std::size_t i = 0; i < items.size(); ++i) {
    const int item = items[i];
    const float y = middle_of(axis, item);
    const float half = std::max(axis.pitch, line_room) / 2;
    if (y < axis.low || y > axis.high) continue;
    const Box area{place.left_aligned ? place.x : place.x - place.room, y - half, place.room, 2 * half};
    pen.canvas.mark(token_mark(names, axis, item, area));
    const TextStyle style = label::style_of(pen, names, axis, item);
    const float width = put(pen, {place.x, y}, labels[i],
                            aligned(style, place.left_aligned ? Align::left : Align::right), place.room);
    if (unknown(names, axis, axis.token(item)))
      mark_unknown(pen, {place.left_aligned ? place.x : place.x - width, y}, width, style.size);
    pen.canvas.mark({});
  }
}

void labels_across(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const RowPlace& place) {
  const RowPlan& plan = place.plan;
  const float y =
      place.below ? place.edge + from_edge + plan.height / 2 : place.edge - from_edge - plan.height / 2;
  if (plan.thinned > 0) return thinned_row(pen, names, axis, plan, y);
  if (plan.turn == 0 && !plan.numbers) {
    const FlatWords words = flat_words(pen, names, axis, plan.flat_size);  // cells may have moved since
    const FlatRow row = flat_row(words, axis, plan.flat_size, plan.flat_most);
    for (std::size_t n = 0; n < row.middles.size(); ++n) {
      flat_label(pen, names, axis, words.items[n], {row.middles[n], y}, plan);
      pen.canvas.mark({});
    }
    return;
  }
  const float taken = plan.numbers ? label::enlarged(pen, 34) : slanted_apart(pen, axis);
  // Numbers of three digits, or slanted lines, touch only at a shorter distance than they usually have.
  const float touching = plan.numbers ? label::enlarged(pen, 26) : slanted_taken(pen);
  const std::vector<int> items = chosen_items(names, axis, taken, touching);
  // Cells may have moved since the row was planned, and other items are named then.
  std::vector<float> rooms(items.size(), plan.room);
  bool cut = plan.cut;
  const Slant slant(plan.turn);
  for (std::size_t n = 0; n < items.size() && plan.turn != 0; ++n) {
    // The last ones have less room where the area of the map ends.
    constexpr float slack = 6;
    const float most =
        (place.end + slack - middle_of(axis, items[n]) - plan.turned_size / 2 * slant.sine) / slant.cosine;
    if (!place.below && !pen.canvas.plain()) rooms[n] = std::min(most, plan.room);
    TextStyle style = label::style_of(pen, names, axis, items[n]);
    style.size = plan.turned_size;
    cut = cut || pen.canvas.text_width(label::label_of(pen, names, axis, items[n]), style) > rooms[n];
  }
  const std::vector<std::string> labels =
      cut ? label::shown(pen, names, axis, items, rooms, plan.turned_size) : std::vector<std::string>();
  for (std::size_t n = 0; n < items.size(); ++n) {
    const float x = middle_of(axis, items[n]);
    if (x < axis.low || x > axis.high) continue;
    if (plan.numbers) {
      flat_label(pen, names, axis, items[n], {x, y}, plan);
    } else {
      slanted_label(pen, names, axis, items[n], cut ? labels[n] : label::label_of(pen, names, axis, items[n]),
                    place);
    }
    pen.canvas.mark({});
  }
}

void labels_down(const Sheet& sheet, const TokenAxis& axis, const ColumnPlace& place) {
  labels_down(sheet.pen, names_of(sheet, axis.role), axis, place);
}
RowPlan plan_row(const Sheet& sheet, const TokenAxis& axis, float most) {
  return plan_row(sheet.pen, names_of(sheet, axis.role), axis, most);
}
void labels_across(const Sheet& sheet, const TokenAxis& axis, const RowPlace& place) {
  labels_across(sheet.pen, names_of(sheet, axis.role), axis, place);
}
float column_width(const Sheet& sheet, const TokenAxis& axis, float most) {
  return column_width(sheet.pen, names_of(sheet, axis.role), axis, most);
}

}  // namespace headlight::views
