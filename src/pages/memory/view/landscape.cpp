// Where retrieval runs: in two dimensions the energy as a landscape with the patterns, the probe that can be
// dragged, and the way of the state; in more the states as rows beside the pattern they end at.
#include <algorithm>
#include <array>
#include <cmath>

#include "kit/cells.h"
#include "kit/choices.h"
#include "kit/curve.h"
#include "pages/memory/memory.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

namespace {

constexpr double reach = scene::memory_reach;

/// Contours are thin lines of the colour that is read best on both ends of the map.
void contours(const MemoryView& view, const Plot& plot) {
  const draw::Stroke stroke{draw::faded(draw::rgb(0xffffff), 0.34f), 1};
  std::vector<PlotPoint> points;
  for (const scene::Contour& line : view.results.stored->contours) {
    points.clear();
    for (const auto& [x, y] : line) points.push_back({static_cast<double>(x), static_cast<double>(y)});
    curve(view.pen, plot, points, {stroke.color, stroke.width});
  }
}

void patterns(const MemoryView& view, const Plot& plot) {
  const nn::MatrixF64& x = view.results.stored->patterns;
  const Pen& pen = view.pen;
  const Point centre = plot.at(0, 0);
  for (int n = 0; n < x.rows(); ++n) {
    const Point at = plot.at(x.at(n, 0), x.at(n, 1));
    pen.canvas.circle(at, 5.5f, draw::rgb(0x0e1016));
    pen.canvas.circle(at, 4, draw::rgb(0xffffff));
    if (x.rows() > 12) continue;
    // Outside the circle of the patterns, so that the label of one does not lie in the well of another.
    const float away = std::max(1.f, std::hypot(at.x - centre.x, at.y - centre.y));
    const float apart = 7 + text_line(pen, 16) / 2;
    Point label{at.x + (at.x - centre.x) / away * apart, at.y + (at.y - centre.y) / away * apart};
    label.x = std::clamp(label.x, plot.box.x + 9, plot.box.right() - 9);
    label.y = std::clamp(label.y, plot.box.y + 8, plot.box.bottom() - 8);
    bool free = true;  // of the labels of close patterns only the first is written
    for (int before = 0; before < n; ++before) {
      const Point other = plot.at(x.at(before, 0), x.at(before, 1));
      free = free && std::hypot(other.x - at.x, other.y - at.y) > 22;
    }
    if (!free) continue;
    const std::string number = std::to_string(n + 1);
    const draw::TextStyle style = aligned(strong_style(pen.theme.text, small_size), Align::centre);
    const float around = std::max(text_line(pen, 16), pen.canvas.text_width(number, style) + 6) / 2;
    pen.canvas.circle(label, around, draw::faded(pen.theme.panel, 0.85f));
    pen.canvas.text(label, number, style);
  }
}

/// The states, joined; the probe is the large red one, the end a ring.
void path(const MemoryView& view, const Plot& plot) {
  const Pen& pen = view.pen;
  const nn::MatrixF64& states = view.results.retrieval.trace.states;
  std::vector<PlotPoint> way;
  for (int step = 0; step < states.depth(); ++step)
    way.push_back({states.at(step, 0, 0), states.at(step, 0, 1)});
  curve(pen, plot, way, {pen.theme.panel, 4.5f});
  curve(pen, plot, way, {pen.theme.text, 2.5f});
  std::vector<Point> points;
  for (const PlotPoint& at : way) points.push_back(plot.at(at.x, at.y));
  for (std::size_t n = 1; n < points.size(); ++n) {
    pen.canvas.circle(points[n], 4, pen.theme.panel);
    pen.canvas.circle(points[n], 2.8f, pen.theme.text);
  }
  pen.canvas.ring(points.back(), 9, {pen.theme.panel, 4});
  pen.canvas.ring(points.back(), 9, {pen.theme.text, 2});
  pen.canvas.circle(points.front(), 9, draw::rgb(0xffffff));
  pen.canvas.circle(points.front(), 7, view.theme().query);
}

void landscape(const MemoryView& view, Box inside) {
  const Pen& pen = view.pen;
  const scene::StoredPatterns& stored = *view.results.stored;
  const float ticks_high = text_line(view.pen, 18), gap = 6, bar_high = 24;  // under the map, at its foot
  inside.cut_bottom(ticks_high + gap + bar_high);
  const float side = std::max(40.f, std::min(inside.w - 30, inside.h));
  const Plot plot{{std::round(inside.x + 15 + (inside.w - side) / 2), inside.y, side, side},
                  -reach,
                  reach,
                  -reach,
                  reach};
  draw::Heatmap map = heat_of(stored.landscape, view.in.results.version);
  map.lo = static_cast<float>(stored.lowest), map.hi = static_cast<float>(stored.highest), map.gaps = false;

  draw::Mark mark;
  mark.part = draw::Part::plane, mark.name = "probe", mark.set = "memory_probe_x,memory_probe_y";
  mark.area = plot.box, mark.from = static_cast<float>(-reach), mark.to = static_cast<float>(reach);
  pen.canvas.mark(mark);
  draw_cells(pen, plot.box, map);
  pen.canvas.push_clip(plot.box);
  contours(view, plot);
  path(view, plot);
  patterns(view, plot);
  pen.canvas.pop_clip();
  pen.canvas.mark({});

  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  for (const int tick : {-2, -1, 0, 1, 2}) {
    const float x = std::clamp(plot.x(tick), plot.box.x + 7, plot.box.right() - 4);
    pen.canvas.text({x, plot.box.bottom() + ticks_high / 2}, fixed(tick, 0), aligned(quiet, Align::centre));
    const float y = std::clamp(plot.y(tick), plot.box.y + 6, plot.box.bottom() - 6);
    if (on_slide(pen) && tick == -2) continue;  // large words: in the corner is that of the other axis
    pen.canvas.text({plot.box.x - 7, y}, fixed(tick, 0), aligned(quiet, Align::right));
  }
  ColorBar bar;
  bar.left = view.in.text("lowest_energy"), bar.middle = "energy E(ξ)";
  bar.right = view.in.text("highest_energy");
  color_bar(pen, {plot.box.x, plot.box.bottom() + ticks_high + gap, plot.box.w, 8}, bar);
}

/// More than two dimensions have no landscape to look at: the numbers themselves.
void rows_of_states(const MemoryView& view, Box inside) {
  const Pen& pen = view.pen;
  const nn::Matrix& m = view.results.retrieval.comparison;
  const Box foot = inside.cut_bottom(24);
  inside.cut_bottom(8);
  const Box labels = inside.cut_left(86);
  const float limit = signed_limit(largest_magnitude(m.values()));
  const float pitch = (inside.h - 6) / static_cast<float>(m.rows());
  const Cells pattern = signed_cells(m.data(), 1, m.cols(), limit, "nearest pattern");
  cells(view, {inside.x, inside.y, inside.w, pitch}, pattern);
  const Box states{inside.x, inside.y + pitch + 6, inside.w, inside.h - pitch - 6};
  cells(view, states, signed_cells(m.row(1).data(), m.rows() - 1, m.cols(), limit, "state"));
  const auto label = [&](float y, const std::string& words, draw::Color color) {
    put(pen, {labels.right() - 8, y}, words, aligned(words_style(color, small_size), Align::right),
        labels.w - 8);
  };
  label(inside.y + pitch / 2, "pattern " + std::to_string(view.results.retrieval.nearest + 1),
        view.theme().text);
  const int every = label_step(pitch, 14);
  for (int row = 0; row + 1 < m.rows(); row += every) {
    label(states.y + (static_cast<float>(row) + 0.5f) * pitch,
          row == 0 ? "probe ξ" : "update " + std::to_string(row),
          row == 0 ? view.theme().query : view.theme().dim);
  }
  cells_bar(view, {inside.x, foot.y, std::min(inside.w, 240.f), 24}, pattern, "element");
}

/// Settings that show what the network can do, and cannot.
void experiments(const MemoryView& view, Box line) {
  const std::string start =
      "memory_network=continuous;memory_dimension=2;memory_patterns=6;memory_probe_x=0.2;memory_probe_y=0.7;";
  const std::vector<Choice> all = {
      {"retrieval", start + "memory_closeness=0;memory_beta=8", "preset retrieval", false,
       "β = 8: one pattern has nearly all the weight"},
      {"metastable", start + "memory_closeness=0.55;memory_beta=2", "preset metastable", false,
       "β = 2: the state settles between similar patterns"},
      {"close pair", start + "memory_closeness=0.85;memory_beta=8", "preset close", false,
       "pattern 2 is moved next to pattern 1"}};
  button_flow(view.pen, {line.x, line.bottom() - control_height}, line.w, all);
}

/// What the card is about, and the choice of the dimension, at the corner of `box`.
struct Head {
  CardHead words;
  std::array<Choice, 2> dimensions;
};
Head head_of(const MemoryView& view) {
  const bool plane = view.settings.dimension == 2;
  Head out{
      .words = {},
      .dimensions = {Choice{"d = 2", "memory_dimension=2", "two dimensions", plane,
                            "patterns in the plane: the energy is a landscape"},
                     Choice{"d = 32", "memory_dimension=32", "many dimensions", view.settings.dimension == 32,
                            "patterns with 32 components, shown as rows"}}};
  // A card that is shown alone has no retrieval card beside it, which writes this number.
  const std::string spread =
      view.in.alone ? "; at the end the weight is spread over " + view.in.text("spread") + " patterns" : "";
  out.words.title = plane ? "Energy landscape" : "States, d = " + std::to_string(view.settings.dimension);
  out.words.subtitle =
      plane ? in_window(view.pen, "drag the red probe; ") + "updates never raise E" + spread
            : "the probe is pattern 1 with noise " + brief(view.settings.noise, 2) + "; each row is a state";
  out.words.controls = segmented_width(view.pen, out.dimensions);
  return out;
}

void contents(const MemoryView& view, Box inside) {
  if (!view.pen.canvas.plain()) experiments(view, inside.cut_bottom(landscape_foot));
  if (view.settings.dimension == 2) {
    landscape(view, inside);
  } else {
    rows_of_states(view, inside);
  }
}

/// The width of the part of a card of this height that the square landscape fills.
float part_width(const MemoryView& view, Box box) {
  constexpr float head = 44, axis = 30, least = 400, least_retrieval = 380;
  const float below = landscape_foot + text_line(view.pen, 18) + 30;
  const float square = box.h - 2 * card_padding - head - below + axis + 2 * card_padding;
  return std::round(std::clamp(square, least, std::max(least, box.w - least_retrieval)));
}

}  // namespace

void memory_landscape_card(const MemoryView& view, Box box) {
  const Head head = head_of(view);
  const Box inside = card(view.pen, box, head.words, "landscape");
  segmented(view.pen, card_corner(box), head.dimensions);
  contents(view, inside);
}

void memory_landscape_and_retrieval(const MemoryView& view, Box box) {
  const Head head = head_of(view);
  card(view.pen, box, {.title = {}, .subtitle = {}, .called = head.words.title}, "landscape");
  Box left = box.cut_left(part_width(view, box));
  segmented(view.pen, card_corner(left), head.dimensions);
  left = left.inset(card_padding);
  card_head(view.pen, left, head.words);
  contents(view, left);
  memory_retrieval(view, box, MemoryPart::part);
}

}  // namespace headlight::views
