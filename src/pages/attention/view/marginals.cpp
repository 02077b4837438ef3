#include "pages/attention/view/marginals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "kit/area_name.h"
#include "kit/weight_bar.h"
#include "pages/attention/view/words.h"
#include "scene/hidden_tokens.h"
#include "scene/marginals.h"

namespace headlight::views {

namespace {

constexpr float gap = 12, bar_length = 48, number_width = 40;  // at the right
// Below, where a high map has longer bars; a bar is clear of its number.
constexpr float bar_height = 18, most_bar_height = 48, number_height = 18, gap_below = 6;
constexpr float numbers_from = 12;  // least cell size for a bar and a number each
constexpr float marginal_width = 420, marginal_height = 340;
constexpr float numbered_width = 640, short_bar = 24;  // in less width, bars have no numbers

scene::Marginals marginals_of(const Sheet& sheet) {
  const Selection& s = sheet.selection;
  return scene::marginals_on_show(sheet.in.scene, sheet.in.results, s.heads, s.kind == HeadsShown::all);
}

/// The values along one axis.
struct Edge {
  std::span<const double> values;
  double largest = 0;
  int pinned = -1;
  const char* quantity;
  const char* argument;
};

Edge edge_of(const Sheet& sheet, Role role) {
  const scene::Marginals all = marginals_of(sheet);
  const Selection& s = sheet.selection;
  Edge out = role == Role::query ? Edge{all.entropy_bits, 0, s.detail_query, "map_row_entropy", "query"}
                                 : Edge{all.received, 0, s.key, "received", "key"};
  for (const double value : out.values)
    if (std::isfinite(value)) out.largest = std::max(out.largest, value);
  return out;
}

std::string number_of(const Sheet& sheet, const Edge& edge, int item) {
  const double value = edge.values[static_cast<std::size_t>(item)];
  std::string words = std::isfinite(value) ? fixed(value, 2) : "–";
  if (sheet.in.stated) sheet.in.noted(quantity(edge.quantity, {{edge.argument, item}}), value, words);
  return words;
}

float part_of(const Edge& edge, int item) {
  const double value = edge.values[static_cast<std::size_t>(item)];
  return edge.largest > 0 && std::isfinite(value) ? static_cast<float>(value / edge.largest) : 0.f;
}

/// Calls point(position along the axis, fraction of the largest) for the items on view, at most once for each
/// unit. Of several items in a unit, it takes the largest.
template <class Each>
void profile(const TokenAxis& axis, const Edge& edge, Each point) {
  const int together = std::max(1, static_cast<int>(std::ceil(1.f / axis.pitch)));
  for (int item = axis.first; item < axis.last; item += together) {
    float most = 0;
    const int end = std::min(axis.last, item + together);
    for (int one = item; one < end; ++one) most = std::max(most, part_of(edge, one));
    const float at =
        axis.start + (static_cast<float>(item) + static_cast<float>(end - item) / 2) * axis.pitch;
    point(std::clamp(at, axis.low, axis.high), most);
  }
}

/// Draws bars that grow away from the cells, at most `length` long: to the right if `down`, else downwards.
void strip(const Sheet& sheet, const TokenAxis& axis, Point from, float length, bool down) {
  const Edge edge = edge_of(sheet, axis.role);
  draw::Canvas& canvas = sheet.pen.canvas;
  const draw::Theme& theme = sheet.theme();
  const bool each = axis.pitch >= numbers_from;
  const auto bar = [&](float at, float thick, float part, draw::Color color) {
    const float long_side = std::max(1.f, part * length);
    canvas.rect(
        down ? Box{from.x, at - thick / 2, long_side, thick} : Box{at - thick / 2, from.y, thick, long_side},
        color, 1);
  };
  const auto number = [&](int item, float at, bool pinned) {
    if (down && length < bar_length) return;
    const auto style = mono_style(pinned ? theme.text : theme.dim, small_size);
    const std::string words = number_of(sheet, edge, item);
    if (down) {
      canvas.text({from.x + length + number_width, at}, words, aligned(style, Align::right));
    } else {
      const float half = canvas.text_width(words, style) / 2;
      canvas.text({std::clamp(at, axis.low + half, std::max(axis.low + half, axis.high - half)),
                   from.y + length + number_height / 2},
                  words, aligned(style, Align::centre));
    }
  };
  const auto on_view = [&](int item) {
    const float at = axis.start + (static_cast<float>(item) + 0.5f) * axis.pitch;
    return item >= axis.first && item < axis.last && at >= axis.low && at <= axis.high ? at : -1.f;
  };
  if (!each) {
    std::vector<Point> line;
    profile(axis, edge, [&](float at, float part) {
      line.push_back(down ? Point{from.x + part * length, at} : Point{at, from.y + part * length});
    });
    canvas.polyline(line, {theme.dim, 1});
  } else {
    const bool numbers = down || axis.pitch >= canvas.text_width("0.00", mono_style({}, small_size)) + 4;
    const float thick = std::min(8.f, axis.pitch * 0.5f);
    for (int item = axis.first; item < axis.last; ++item) {
      const float at = on_view(item);
      if (at < 0) continue;
      const bool pinned = item == edge.pinned;
      bar(at, down ? thick : std::min(24.f, axis.pitch * 0.5f), part_of(edge, item),
          pinned ? theme.text : theme.dim);
      if (numbers || pinned) number(item, at, pinned);
    }
    return;
  }
  if (edge.pinned < 0 || edge.pinned >= static_cast<int>(edge.values.size())) return;
  if (const float at = on_view(edge.pinned); at >= 0) {
    bar(at, 3, part_of(edge, edge.pinned), theme.text);
    number(edge.pinned, at, true);
  }
}

const char* words_of(Role role) {
  return role == Role::query ? "entropy, bits" : "received from all queries";
}

std::string quantity_of(Role role) {
  return quantity(role == Role::query ? "map_row_entropy" : "received",
                  {{role == Role::query ? "query" : "key", 0}});
}

}  // namespace

float marginal_left(const Sheet& sheet, const MarginalRoom& room) {
  if (room.below <= 0) return 0;
  const bool down = sheet.in.scene.query_axis == scene::QueryAxis::rows;
  constexpr float apart = 9;  // from the words to the cells
  return apart + 1 + sheet.pen.canvas.text_width(down ? "received" : "entropy,", words_style({}, small_size));
}

MarginalRoom marginal_room(const Sheet& sheet, Box area) {
  const scene::Marginals all = marginals_of(sheet);
  const bool down = sheet.in.scene.query_axis == scene::QueryAxis::rows;
  const std::size_t T = static_cast<std::size_t>(sheet.trace().T),
                    S = static_cast<std::size_t>(sheet.trace().S);
  const bool entropy = all.entropy_bits.size() == T, received = all.received.size() == S;
  MarginalRoom out;
  if (on_slide(sheet.pen)) return out;  // a slide has no room beside the map
  if (area.w >= marginal_width && (down ? entropy : received))
    out.right = gap + (area.w < numbered_width ? short_bar : bar_length + number_width);
  // A square map's height follows from its width, so the width decides for both edges.
  const bool high = sheet.pen.canvas.parts().square ? area.w >= marginal_width : area.h >= marginal_height;
  if (high && (down ? received : entropy)) {
    constexpr float of_map = 0.08f;
    const float bars = sheet.pen.canvas.plain() ? bar_height : std::floor(of_map * area.h);
    out.below = gap_below + std::clamp(bars, bar_height, most_bar_height) + number_height;
  }
  return out;
}

void draw_marginals(const Sheet& sheet, Box cells, const TokenAxis& rows, const TokenAxis& cols,
                    const MarginalRoom& room, Point corner) {
  const draw::TextStyle quiet = words_style(sheet.theme().dim, small_size);
  if (room.right > 0) {
    const float x = cells.right() + gap, wide = room.right - gap;
    const bool numbered = wide > bar_length, entropy = rows.role == Role::query;
    put(sheet.pen, {x, corner.y},
        numbered  ? entropy ? "entropy, bits" : "received"
        : entropy ? "bits"
                  : "sum",
        quiet, wide);
    explains_mark(sheet.pen, quantity_of(rows.role), {x, corner.y - 8, wide, 16});
    strip(sheet, rows, {x, cells.y}, numbered ? bar_length : wide, true);
    name_area(sheet.pen, sheet.in, "beside the map", {x - 3, cells.y, wide + 6, cells.h});
  }
  if (room.below > 0) {
    const float y = cells.bottom() + gap_below, wide = cells.x - 9 - corner.x;
    float line = y + 6;
    const bool room_for_all = sheet.pen.canvas.text_width("from all queries", quiet) <= wide;
    const char* label = cols.role == Role::key && !room_for_all ? "received" : words_of(cols.role);
    for (const std::string& words : wrap(sheet.pen, label, quiet, wide, 2)) {
      put(sheet.pen, {cells.x - 9, line}, words, aligned(quiet, Align::right), wide);
      line += 14;
    }
    explains_mark(sheet.pen, quantity_of(cols.role), {cells.x - 9 - wide, y, wide, line - y});
    strip(sheet, cols, {cells.x, y}, room.below - gap_below - number_height, false);
    name_area(sheet.pen, sheet.in, "below the map", {cells.x, y - 1, cells.w, room.below - gap_below + 2});
  }
}

std::vector<int> strongest_keys(const Sheet& sheet, int query, std::span<const float> row, std::size_t most) {
  std::vector<int> keys;
  const scene::HiddenTokens hidden = scene::hidden_tokens(sheet.in.scene, sheet.in.results);
  const auto least = static_cast<float>(sheet.in.scene.attention.least_weight);
  for (int key = 0; key < static_cast<int>(row.size()); ++key) {
    const float weight = row[static_cast<std::size_t>(key)];
    if (may_read(sheet.trace(), query, key) && std::isfinite(weight) && weight >= least && !hidden.key(key))
      keys.push_back(key);
  }
  most = std::min(most, keys.size());
  const auto stronger = [&](int a, int b) {
    const float x = row[static_cast<std::size_t>(a)], y = row[static_cast<std::size_t>(b)];
    return x != y ? x > y : a < b;
  };
  std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(most), keys.end(), stronger);
  keys.resize(most);
  return keys;
}

std::string strongest_words(const Sheet& sheet, float width) {
  const Selection& s = sheet.selection;
  if (s.detail_query < 0 || sheet.trace().S < named_keys_from || reads_nothing(sheet.trace(), s.detail_query))
    return {};
  std::vector<float> room;
  const std::span<const float> row = combined_row(sheet, s.detail_query, room);
  const int decimals = weight_decimals(shown_scale(sheet).end);
  const draw::TextStyle style = words_style(sheet.theme().text);
  std::string out;
  for (const int key : strongest_keys(sheet, s.detail_query, row, 5)) {
    const std::string one = quoted_key(sheet.in, key) + " " + std::to_string(key) + ": " +
                            weight_text(static_cast<double>(row[static_cast<std::size_t>(key)]), decimals);
    // On a slide, the line at its foot names the query.
    const std::string start = on_slide(sheet.pen)
                                  ? std::string("Strongest keys: ")
                                  : token_in_words(sheet.in, s.detail_query) + " attends most to ";
    const std::string longer = out.empty() ? start + one : out + " · " + one;
    if (!out.empty() && sheet.pen.canvas.text_width(longer, style) > width) break;
    out = longer;
  }
  return out;
}

}  // namespace headlight::views
