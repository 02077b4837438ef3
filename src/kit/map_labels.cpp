#include "kit/map_labels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include "base/words.h"
#include "draw/turned.h"
#include "kit/page_input.h"
#include "kit/plot.h"

namespace headlight::views {

namespace {

constexpr float least_label = 12;    // the smallest size of a flat label
constexpr float low_room = 60;       // where slanted words would be higher, shortened ones may lie flat
constexpr float wide_pitch = 48;     // least pitch at which words that are much too long get an ellipsis
constexpr float line_room = 13;      // from one label to the next in a column
constexpr float slanted_room = 15;   // the same for slanted labels,
constexpr float apart_room = 21;     // and where only some items are named, which need not be so close
constexpr float sparse_room = 22;    // the same where only some items are named
constexpr float sparse_pitch = 12;   // below this, not every item can be named
constexpr float numbered_pitch = 6;  // below this, a row of labels has numbers instead of names
constexpr float most_of_chosen = 2;  // room of a chosen label, in that of the others,
constexpr float numbered_row = 17,   // where rows are too low, and columns too narrow,
    numbered_column = 36;            // for the numbers that it would take the room of
constexpr float from_edge = 4;       // units between cells and the labels of their columns

const float slant_sine = std::sin(draw::slanted * std::numbers::pi_v<float> / 180),
            slant_cosine = std::cos(draw::slanted * std::numbers::pi_v<float> / 180);

float size_for(float pitch) {
  return pitch >= 26 ? title_size : small_size;
}
/// Is this a figure on paper? Labels may be smaller there than on a screen.
bool on_paper(const Pen& pen) {
  return pen.canvas.plain() && pen.canvas.least_text() <= 0;
}
constexpr float least_on_paper = 7.5f;
/// Returns the size of labels. On paper they are as small as their columns, so that all columns have one.
float size_at(const Pen& pen, float pitch) {
  const bool small = on_paper(pen) && pitch >= least_on_paper && pitch < size_for(pitch);
  return small ? std::floor(2 * pitch) / 2 : size_for(pitch);
}
/// Returns the size that labels are drawn with, which is enlarged on a slide.
float size_on(const Pen& pen, float pitch) {
  return std::max(size_at(pen, pitch), pen.canvas.least_text());
}
/// Scales room for text of 12 units to the text on a slide.
float enlarged(const Pen& pen, float room) {
  return room * std::max(1.f, pen.canvas.least_text() / 12);
}

bool sparse(const Pen& pen, const TokenAxis& axis) {
  return axis.pitch < (on_paper(pen) ? least_on_paper : enlarged(pen, sparse_pitch));
}
float down_room(const Pen& pen, const TokenAxis& axis) {
  if (on_paper(pen) && axis.pitch >= least_on_paper) return std::min(axis.pitch, line_room);
  return enlarged(pen, axis.pitch < enlarged(pen, numbered_pitch) ? sparse_room : line_room);
}
/// Returns the least distance of two labels in a column that do not touch.
float down_taken(const Pen& pen, const TokenAxis& axis) {
  return std::min(down_room(pen, axis), enlarged(pen, line_room));
}
/// Returns the length of axis that a slanted label takes.
float room_of_slanted(const Pen& pen, const TokenAxis& axis) {
  return enlarged(pen, sparse(pen, axis) ? apart_room : slanted_room);
}

float slanted_taken(const Pen& pen) {
  return enlarged(pen, 16);
}

/// Returns the size of slanted labels. On paper they are as small as their columns, or as every second one.
constexpr float least_slanted = 7.5f, slanted_part = 0.8f;  // units; of the distance of two labels
float printed_room(const TokenAxis& axis) {
  return std::max(axis.pitch, least_slanted / slanted_part);
}
float slanted_size(const Pen& pen, const TokenAxis& axis, float size) {
  if (!on_paper(pen) || sparse(pen, axis)) return size;
  const float apart = axis.pitch * static_cast<float>(label_step(axis.pitch, printed_room(axis)));
  return std::min(size, std::floor(2 * slanted_part * apart) / 2);
}

/// Returns the name of an item without its position.
std::string name_of(const AxisNames& names, const TokenAxis& axis, int item) {
  const int token = axis.token(item);
  if (!names.tokens && static_cast<std::size_t>(token) >= names.names.size()) return {};
  return !names.tokens            ? names.names[static_cast<std::size_t>(token)]
         : axis.role == Role::key ? key_label(*names.tokens, token)
                                  : token_label(*names.tokens, token);
}

/// Returns the label of an item. Where only some tokens are named, it includes the token's position.
std::string label_of(const Pen& pen, const AxisNames& names, const TokenAxis& axis, int item) {
  std::string words = name_of(names, axis, item);
  if (names.numbered || !sparse(pen, axis) || words.empty()) return words;
  const std::string number = std::to_string(axis.token(item));
  return words == number ? words : words + " " + number;
}

TextStyle style_of(const Pen& pen, const AxisNames& names, const TokenAxis& axis, int item) {
  const int token = axis.token(item);
  const float size = size_at(pen, axis.pitch);
  if (!marks_selection(pen)) return literal(words_style(pen.theme.dim, size));
  const bool query = axis.role == Role::query || token == names.own;
  const Color role = query ? pen.theme.query : pen.theme.key;
  if (token == names.chosen) return literal(strong_style(role, size));
  const bool pinned = std::find(names.pinned.begin(), names.pinned.end(), token) != names.pinned.end();
  if (pinned || token == names.own) return literal(words_style(role, size));
  return literal(words_style(token == names.hovered ? pen.theme.text : pen.theme.dim, size));
}

constexpr std::size_t least_letters = 2;  // that are left of a word; fewer say less than its position

/// Returns a word, shortened to `room` before its position: "boo… 500".
std::string numbered(const Pen& pen, const std::string& word, int token, const TextStyle& style, float room) {
  const std::string number = std::to_string(token);
  if (word == number) return word;
  const float left = room - pen.canvas.text_width(" " + number, style);
  const std::string shown = left > 0 ? draw::fit_text(pen.canvas, word, style, left) : "…";
  const bool cut = shown != word;
  return cut && base::characters(shown) < least_letters + 1 ? number : shown + " " + number;
}

/// Returns the labels of items as a column of this width has them. Only words are shortened, never
/// positions; different words that would look the same get their positions.
std::vector<std::string> column_labels(const Pen& pen, const AxisNames& names, const TokenAxis& axis,
                                       const std::vector<int>& items, float room) {
  std::vector<std::string> whole, shown;
  std::map<std::string, std::set<std::string>> alike;
  for (const int item : items) {
    const TextStyle style = style_of(pen, names, axis, item);
    whole.push_back(label_of(pen, names, axis, item));
    const bool fits = pen.canvas.plain() || names.numbered || whole.back().empty() ||
                      pen.canvas.text_width(whole.back(), style) <= room;
    if (fits)
      shown.push_back(whole.back());
    else if (sparse(pen, axis))
      shown.push_back(numbered(pen, name_of(names, axis, item), axis.token(item), style, room));
    else
      shown.push_back(draw::fit_text(pen.canvas, whole.back(), style, room));
    if (!fits) alike[shown.back()].insert(whole.back());
  }
  for (std::size_t i = 0; i < items.size() && !sparse(pen, axis); ++i) {
    const auto same = alike.find(shown[i]);
    if (shown[i] != whole[i] && same != alike.end() && same->second.size() > 1)
      shown[i] = numbered(pen, whole[i], axis.token(items[i]), style_of(pen, names, axis, items[i]), room);
  }
  return shown;
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
  out.apart = enlarged(pen, out.apart);
  for (int item = axis.first; item < axis.last; ++item) {
    const float middle = middle_of(axis, item);
    if (middle < axis.low || middle > axis.high) continue;
    const TextStyle style = strong_style(pen.theme.text, size);
    out.items.push_back(item), out.middles.push_back(middle);
    out.wide.push_back(pen.canvas.text_width(label_of(pen, names, axis, item), style) / size);
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

/// Does at least half of each word remain, and more than a letter, when words are cut to `most`?
bool cut_well(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const FlatWords& words,
              float size, float most) {
  const TextStyle style = strong_style(pen.theme.text, size);
  for (std::size_t n = 0; n < words.items.size(); ++n) {
    if (words.wide[n] * size <= most) continue;
    if (most < 0.5f * words.wide[n] * size) return false;
    const std::string shown =
        draw::fit_text(pen.canvas, label_of(pen, names, axis, words.items[n]), style, most);
    if (base::characters(shown) < least_letters + 1) return false;
  }
  return true;
}

/// Sets the size and the maximum width with which the labels fit horizontally; leaves the size 0 when they
/// cannot. Long words are cut only where columns are wide, and never on paper or on a slide, which have no
/// tooltip for the rest.
void lie_flat(const Pen& pen, const AxisNames& names, const TokenAxis& axis, RowPlan& plan) {
  const float far = 0.35f * axis.pitch, size = size_at(pen, axis.pitch), small = std::min(size, least_label);
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

/// Draws one horizontal label with its middle at `at`.
void flat_label(const Pen& pen, const AxisNames& names, const TokenAxis& axis, int item, Point at,
                const RowPlan& plan) {
  TextStyle style = style_of(pen, names, axis, item);
  if (!plan.numbers) style.size = plan.flat_size;
  const std::string words =
      plan.numbers ? std::to_string(axis.token(item)) : label_of(pen, names, axis, item);
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
                   const RowPlace& place) {
  TextStyle style = style_of(pen, names, axis, item);
  style.size = place.plan.turned_size, style.turn = place.plan.turn;
  style.align = place.below ? Align::right : Align::left;
  const float half = std::max(style.size, pen.canvas.least_text()) / 2;
  const float corner = half * slant_cosine;  // from the middle of its end to the nearest corner
  const Point at{middle_of(axis, item),
                 place.below ? place.edge + from_edge + corner : place.edge - from_edge - corner};
  pen.canvas.mark(token_mark(names, axis, item, {}));
  const float width = put(pen, at, label_of(pen, names, axis, item), style, place.plan.room);
  if (unknown(names, axis, axis.token(item)) && !sparse(pen, axis))  // sparse: no room for the dots
    mark_unknown(pen, draw::turned(at, place.below ? -width : 0, 0, style.turn), width, style.size,
                 style.turn);
}

}  // namespace

AxisNames names_of(const Sheet& sheet, Role role) {
  const Selection& s = sheet.selection;
  AxisNames out;
  out.tokens = &sheet.in;
  out.chosen = role == Role::query ? s.asked : s.key;
  out.hovered = role == Role::query ? s.hover_query : s.hover_key;
  if (role == Role::query) out.pinned = s.queries;
  return out;
}

float column_width(const Pen& pen, const AxisNames& names, const TokenAxis& axis, float most) {
  float width = 0, chosen = 0;
  for (int item : chosen_items(names, axis, down_room(pen, axis), down_taken(pen, axis))) {
    const float wide =
        pen.canvas.text_width(label_of(pen, names, axis, item), style_of(pen, names, axis, item));
    width = std::max(width, wide);
    if (axis.token(item) == names.chosen && axis.pitch < numbered_row) chosen = wide;
  }
  // The chosen label is not cut where the others are, unless it would take the place of the map or its
  // numbers.
  return std::min(std::ceil(width), std::max(most, std::min(std::ceil(chosen), most_of_chosen * most)));
}

RowPlan plan_row(const Pen& pen, const AxisNames& names, const TokenAxis& axis, float most) {
  RowPlan plan;
  float size = size_on(pen, axis.pitch);
  plan.height = size + 4;
  plan.numbers = axis.pitch < enlarged(pen, numbered_pitch);
  if (plan.numbers) return plan;
  if (!sparse(pen, axis)) {
    lie_flat(pen, names, axis, plan);
    if (plan.flat_size > 0) return plan;
  }
  plan.turned_size = slanted_size(pen, axis, size);
  size = plan.turned_size;
  const TextStyle style = strong_style(pen.theme.text, size);
  const std::vector<int> items =
      chosen_items(names, axis, sparse(pen, axis) ? room_of_slanted(pen, axis) : 1.f, slanted_taken(pen));
  float longest = 0;
  for (int item : items)
    longest = std::max(longest, pen.canvas.text_width(label_of(pen, names, axis, item), style));
  // Where slanted words would be too high, shortened horizontal ones are the lesser evil.
  const float upright = longest * slant_sine + size * slant_cosine;
  if (upright > most && most < low_room && !pen.canvas.plain() && !sparse(pen, axis)) {
    const float one = std::min(size, least_label), far = 0.35f * axis.pitch;
    const FlatWords words = flat_words(pen, names, axis, one);
    for (const float part : {1.5f, 1.25f, 1.f}) {
      const float cut = part * axis.pitch - words.apart;
      if (!cut_well(pen, names, axis, words, one, cut) || flat_row(words, axis, one, cut).moved > far)
        continue;
      plan.flat_size = one, plan.flat_most = cut;
      return plan;
    }
  }
  plan.turn = draw::slanted;
  const float room = (most - size * slant_cosine) / slant_sine;
  float chosen = 0;  // it is not cut, as in a column
  for (int item : items) {
    if (axis.token(item) == names.chosen && axis.pitch < numbered_column)
      chosen = std::ceil(pen.canvas.text_width(label_of(pen, names, axis, item), style)) + 1;
  }
  // Three letters and an ellipsis have room at least.
  const float least_room = std::min(std::ceil(longest) + 1, 3 * size);
  plan.room = std::max(
      least_room, std::min(std::ceil(longest) + 1, std::max(room, std::min(chosen, most_of_chosen * room))));
  plan.height = std::ceil(plan.room * slant_sine + size * slant_cosine);
  for (int item : items) {
    const float reach =
        std::min(plan.room, pen.canvas.text_width(label_of(pen, names, axis, item), style)) * slant_cosine +
        size / 2 * slant_sine;
    plan.beyond_high = std::max(plan.beyond_high, middle_of(axis, item) + reach - axis.high);
    plan.beyond_low = std::max(plan.beyond_low, axis.low - middle_of(axis, item) + reach);
  }
  return plan;
}

void labels_down(const Pen& pen, const AxisNames& names, const TokenAxis& axis, const ColumnPlace& place) {
  const std::vector<int> items = chosen_items(names, axis, down_room(pen, axis), down_taken(pen, axis));
  const std::vector<std::string> labels = column_labels(pen, names, axis, items, place.room);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const int item = items[i];
    const float y = middle_of(axis, item);
    const float half = std::max(axis.pitch, line_room) / 2;
    if (y < axis.low || y > axis.high) continue;
    const Box area{place.left_aligned ? place.x : place.x - place.room, y - half, place.room, 2 * half};
    pen.canvas.mark(token_mark(names, axis, item, area));
    const TextStyle style = style_of(pen, names, axis, item);
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
  if (plan.turn == 0 && !plan.numbers) {
    const FlatWords words = flat_words(pen, names, axis, plan.flat_size);  // cells may have moved since
    const FlatRow row = flat_row(words, axis, plan.flat_size, plan.flat_most);
    for (std::size_t n = 0; n < row.middles.size(); ++n) {
      flat_label(pen, names, axis, words.items[n], {row.middles[n], y}, plan);
      pen.canvas.mark({});
    }
    return;
  }
  const float taken = plan.numbers                          ? enlarged(pen, 34)
                      : on_paper(pen) && !sparse(pen, axis) ? std::min(slanted_room, printed_room(axis))
                                                            : room_of_slanted(pen, axis);
  // Numbers of three digits, or slanted lines, touch only at a shorter distance than they usually have.
  const float touching = plan.numbers ? enlarged(pen, 26) : slanted_taken(pen);
  for (int item : chosen_items(names, axis, taken, touching)) {
    const float x = middle_of(axis, item);
    if (x < axis.low || x > axis.high) continue;
    if (plan.numbers) {
      flat_label(pen, names, axis, item, {x, y}, plan);
    } else {
      slanted_label(pen, names, axis, item, place);
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
