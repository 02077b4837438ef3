#include <algorithm>
#include <array>
#include <cmath>

#include "kit/cells.h"
#include "kit/plot.h"
#include "pages/position/view/cards.h"

namespace headlight::views {

namespace {

constexpr float largest_cell = 72;  // a P of few cells does not fill the card with single colours
constexpr float header_height = 9;  // the strip above the map where columns are chosen

struct Map {
  Box box;
  float cell_w = 0, cell_h = 0;
  int first = 0;  // position of the first row
  float middle(int position) const { return box.y + (static_cast<float>(position - first) + 0.5f) * cell_h; }
  Box row(int position, float least = 3) const {
    const float h = std::max(cell_h, least);
    const float y = middle(position) - h / 2;
    return {box.x, std::clamp(y, box.y, std::max(box.y, box.bottom() - h)), box.w, h};
  }
  Box columns(int from, int count) const {
    return {box.x + static_cast<float>(from) * cell_w, box.y, static_cast<float>(count) * cell_w, box.h};
  }
};

void scale_bar(const Pen& pen, Box bar, float largest) {
  static const std::array<float, 128> ramp = [] {
    std::array<float, 128> values{};
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = 1 - static_cast<float>(n) / 127.f;
    return values;
  }();
  draw::Heatmap map = heat_of(ramp, 128, 1);
  map.map = draw::Colormap::blues, map.gaps = false;
  draw_cells(pen, bar, map);
  const draw::TextStyle style = words_style(pen.theme.dim, small_size);
  const std::string end = largest == 1 ? "1" : brief(static_cast<double>(largest), 2);
  pen.canvas.text({bar.right() + 6, bar.y + 5}, end, style);
  if (bar.h >= 50) pen.canvas.text({bar.right() + 6, bar.centre().y}, "0", style);
  if (bar.h >= 26) pen.canvas.text({bar.right() + 6, bar.bottom() - 5}, "−" + end, style);
}

/// The strip above the map: a plotted column has its colour; a click adds it or takes it away. Where columns
/// are narrow, several share one place and the plotted or first one of them answers.
void column_header(const PositionView& view, const Map& map) {
  const Box strip{map.box.x, map.box.y - header_height - 2, map.box.w, header_height};
  view.canvas().rect(strip, view.theme().field, 2);
  const int together = std::max(1, static_cast<int>(std::ceil(4 / map.cell_w)));
  for (int first = 0; first < view.cols; first += together) {
    const int count = std::min(together, view.cols - first);
    Box place = map.columns(first, count);
    place.y = strip.y, place.h = strip.h;
    draw::Mark mark;
    mark.part = Part::position_column, mark.key = first, mark.area = place;
    int slot = -1;
    for (std::size_t n = 0; n < view.columns.size(); ++n) {
      if (view.columns[n] >= first && view.columns[n] < first + count) slot = static_cast<int>(n);
    }
    if (slot >= 0) mark.key = view.columns[static_cast<std::size_t>(slot)];
    view.canvas().mark(mark);
    if (slot >= 0 && marks_selection(view.pen)) {
      view.canvas().rect(place.w > 6 ? Box{place.x + 1, place.y, place.w - 2, place.h} : place,
                         view.colors[static_cast<std::size_t>(slot)], place.w > 6 ? 2.f : 0.f);
    } else if (view.lit_column == mark.key) {
      view.canvas().rect(place, view.theme().field_hover, 2);
    }
  }
  view.canvas().mark({});
}

/// On dark cells only a light line is seen, on light cells only a dark one: both, side by side.
void two_tone_frame(const PositionView& view, Box box, float width) {
  const draw::Color ink = view.theme().text;
  view.canvas().frame(box.inset(-width + 0.5f), {ink, width}, 1);
  view.canvas().frame(box.inset(0.5f), {draw::faded(draw::readable_on(ink), 0.55f), 1}, 0);
}

/// Runs of plotted columns, framed over the whole height.
void plotted_frames(const PositionView& view, const Map& map) {
  std::vector<int> columns = view.columns;
  std::sort(columns.begin(), columns.end());
  for (std::size_t n = 0; n < columns.size();) {
    std::size_t end = n + 1;
    while (end < columns.size() && columns[end] == columns[end - 1] + 1) ++end;
    two_tone_frame(view, map.columns(columns[n], columns[end - 1] - columns[n] + 1), 1.5f);
    n = end;
  }
}

/// A frame around a row, with a halo that sets it apart from any cell; the row itself stays uncovered.
void row_frame(const PositionView& view, const Map& map, int row, draw::Color color) {
  const Box box = map.row(row, 4).inset(-2);
  const Box outer{box.x - 2, box.y, box.w + 4, box.h};
  view.canvas().frame(outer.inset(-1), {draw::faded(view.theme().panel, 0.85f), 1}, 3);
  view.canvas().frame(outer, {color, 2}, 2);
}

void lit_cells(const PositionView& view, const Map& map) {
  if (view.lit_pair >= 0) two_tone_frame(view, map.columns(2 * view.lit_pair, 2), 2.5f);
  if (view.lit_column >= 0) two_tone_frame(view, map.columns(view.lit_column, 1), 2);
  if (view.lit_row >= 0) two_tone_frame(view, map.row(view.lit_row), 1.5f);
}

/// Labels of rows at the left: the two positions in their colours, round numbers where there is room.
void row_labels(const PositionView& view, const Map& map) {
  struct Label {
    float y;
    int row;
    draw::Color color;
    bool strong;
  };
  std::vector<Label> labels;
  constexpr float apart = 13;
  const bool marked = marks_selection(view.pen);
  if (marked && view.has(view.i)) labels.push_back({map.middle(view.i), view.i, view.theme().key, true});
  if (marked && view.delta != 0 && view.has(view.ahead())) {
    float y = map.middle(view.ahead());
    if (!labels.empty() && std::abs(y - labels[0].y) < apart)
      y = labels[0].y + (view.delta > 0 ? apart : -apart);
    if (y > map.box.y - apart && y < map.box.bottom() + apart / 2)
      labels.push_back({y, view.ahead(), view.theme().offset, true});
  }
  for (const int tick : whole_ticks(view.rows - 1, map.box.h - map.cell_h, 24)) {
    const int row = view.first + tick;
    const float y = map.middle(row);
    const bool free = std::all_of(labels.begin(), labels.end(), [&](const Label& other) {
      return !other.strong || std::abs(other.y - y) >= apart;
    });
    if (free) labels.push_back({y, row, view.theme().dim, false});
  }
  for (const Label& label : labels) {
    const draw::TextStyle style =
        label.strong ? strong_style(label.color, small_size) : words_style(label.color, small_size);
    view.canvas().text({map.box.x - 9, label.y}, std::to_string(label.row), aligned(style, Align::right));
  }
}

/// Places to the left of the rows, to choose and to drag a position; several rows share one where they are
/// low.
void row_handles(const PositionView& view, const Map& map, float gutter) {
  const int together = std::max(1, static_cast<int>(std::ceil(3 / map.cell_h)));
  for (int first = 0; first < view.rows; first += together) {
    const int count = std::min(together, view.rows - first);
    draw::Mark mark;
    mark.part = Part::position_row, mark.query = view.first + first;
    mark.area = {map.box.x - gutter, map.box.y + static_cast<float>(first) * map.cell_h, gutter,
                 static_cast<float>(count) * map.cell_h};
    mark.from = static_cast<float>(view.first + first),
    mark.to = static_cast<float>(view.first + first + count);
    view.canvas().mark(mark);
  }
  view.canvas().mark({});
}

}  // namespace

draw::Heatmap p_heat(const PositionView& view, float limit) {
  draw::Heatmap heat = with_signs(heat_of(view.results.p, view.in.results.version), limit);
  heat.map = draw::Colormap::blues;
  return heat;
}

void draw_p_cells(const PositionView& view, Box box, const draw::Heatmap& heat) {
  draw::Mark cells;
  cells.part = Part::position_cell;
  draw_cells(view.pen, box, heat, cells);
}

CardHead p_map_head(const PositionView& view, bool with_wave) {
  if (p_across(view))
    return {with_wave ? "P over its waves" : "P, the whole matrix",
            "Rows: pairs of dimensions · Columns: positions"};
  return {view.waves() ? "P, the whole matrix" : "P, the learned table",
          "Rows: positions · Columns: dimensions"};
}

namespace {

/// What the frames are, for a card that is shown alone: on the page, other cards have their colours and
/// names.
std::string frames_in_words(const PositionView& view) {
  if (p_across(view) || !marks_selection(view.pen)) return {};
  std::string out;
  if (view.has(view.i)) out = "i = " + std::to_string(view.i);
  if (view.delta != 0 && view.has(view.ahead()))
    out += (out.empty() ? "i + δ = " : ", i + δ = ") + std::to_string(view.ahead());
  if (!view.columns.empty()) {
    std::vector<int> columns = view.columns;
    std::sort(columns.begin(), columns.end());
    const bool run = columns.back() - columns.front() + 1 == static_cast<int>(columns.size());
    std::string names;
    for (const int column : columns) names += (names.empty() ? "" : ", ") + std::to_string(column);
    if (run && columns.size() > 2)
      names = std::to_string(columns.front()) + " to " + std::to_string(columns.back());
    out += (out.empty() ? "" : " and ") + (columns.size() > 1 ? "columns " + names : "column " + names);
  }
  return out.empty() ? out : "Framed: " + out;
}

/// The shortest and the longest wavelength.
std::string wavelengths_of_p(const PositionView& view) {
  return "wavelengths from " + view.in.text(quantity("wavelength", {{"pair", 0}})) + " to " +
         view.in.text(quantity("wavelength", {{"pair", view.pairs - 1}})) + " positions";
}

}  // namespace

void p_map_card(const PositionView& view, Box box) {
  constexpr float head = 46, foot_line = 18;
  const bool with_wave = room_for_wave(view, box.h - 2 * card_padding - head);
  CardHead words = p_map_head(view, with_wave);
  const bool alone = view.in.alone && view.waves() && view.pairs > 1;
  if (alone) words.subtitle += " · " + wavelengths_of_p(view);
  Box inside = card(view.pen, box, words, "p");
  if (const std::string frames = alone ? frames_in_words(view) : ""; !frames.empty()) {
    const Box foot = inside.cut_bottom(foot_line);
    put(view.pen, {foot.x, foot.centre().y}, frames, words_style(view.theme().dim, small_size), foot.w);
  }
  if (p_across(view)) return p_over_waves(view, inside, with_wave, false);
  p_map(view, inside);
}

void p_map(const PositionView& view, Box inside) {
  const float gutter =
      std::max(view.rows > 1000 ? 38.f : 30.f,
               16 + view.canvas().text_width(std::to_string(view.last()), strong_style({}, small_size)));
  inside.cut_left(gutter), inside.cut_top(header_height + 4), inside.cut_bottom(18);
  inside.cut_right(view.results.largest == 1 ? 34.f : 52.f);
  if (inside.w < 4 || inside.h < 4) return;
  float w = std::min(inside.w, largest_cell * static_cast<float>(view.cols));
  float h = std::min(inside.h, largest_cell * static_cast<float>(view.rows));
  if (view.canvas().parts().square) {
    const float widest = w / static_cast<float>(view.cols);
    view.canvas().spare(inside.h - widest * static_cast<float>(view.rows));
    const float side = std::min(widest, h / static_cast<float>(view.rows));
    w = side * static_cast<float>(view.cols), h = side * static_cast<float>(view.rows);
  }
  const Map map{{inside.x, inside.y, w, h},
                w / static_cast<float>(view.cols),
                h / static_cast<float>(view.rows),
                view.first};

  draw::Heatmap heat = p_heat(view, view.results.largest);
  heat.gaps = std::min(map.cell_w, map.cell_h) >= 20;  // a wave stays one
  draw_p_cells(view, map.box, heat);
  CellNumbers elements;
  elements.weights = false;
  cell_numbers(view.pen, map.box, heat, elements);
  column_header(view, map);
  const bool marked = marks_selection(view.pen);
  if (marked) plotted_frames(view, map);
  if (marked && view.delta != 0 && view.has(view.ahead()))
    row_frame(view, map, view.ahead(), view.theme().offset);
  if (marked && view.has(view.i)) {
    draw::Mark grip;
    grip.part = Part::position_row, grip.query = view.i, grip.name = "row i";
    grip.area = map.row(view.i, 6);
    grip.from = static_cast<float>(view.first) + (grip.area.y - map.box.y) / map.cell_h;
    grip.to = static_cast<float>(view.first) + (grip.area.bottom() - map.box.y) / map.cell_h;
    view.canvas().mark(grip);
    view.canvas().mark({});
    row_frame(view, map, view.i, view.theme().key);
  }
  lit_cells(view, map);
  row_handles(view, map, gutter);
  row_labels(view, map);

  const draw::TextStyle style = aligned(words_style(view.theme().dim, small_size), Align::centre);
  for (const int col : binary_ticks(view.cols - 1, map.box.w - map.cell_w, 34)) {
    const float x = map.box.x + (static_cast<float>(col) + 0.5f) * map.cell_w;
    view.canvas().text({x, map.box.bottom() + 12}, std::to_string(col), style);
  }
  scale_bar(view.pen, {map.box.right() + 12, map.box.y, 8, std::max(26.f, std::min(map.box.h, inside.h))},
            view.results.largest);
}

}  // namespace headlight::views
