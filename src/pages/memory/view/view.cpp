#include "pages/memory/view/view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "draw/heatmap_raster.h"
#include "kit/cells.h"
#include "kit/plot.h"
#include "kit/weight_bar.h"
#include "pages/memory/memory.h"

namespace headlight::views {

double MemoryView::attention_beta() const {
  return 1 / std::sqrt(static_cast<double>(settings.dimension));
}

std::string MemoryView::head_words() const {
  const scene::SentenceMemory* memory = results.sentence.get();
  if (memory && memory->head > 0)
    return "layer " + std::to_string(memory->layer) + ", head " + std::to_string(memory->head) +
           " of the model";
  const std::string drawn = "a head drawn from seed " + std::to_string(in.results.scene.seed);
  return memory && in.results.model ? drawn + ", because the heads of the model are too wide for this page"
                                    : drawn;
}

Cells signed_cells(const float* values, int rows, int cols, float limit, std::string name) {
  Cells out;
  out.values = values, out.rows = rows, out.cols = cols;
  out.lo = -limit, out.hi = limit, out.map = draw::Colormap::signed_weight;
  out.name = std::move(name);
  return out;
}

int fitting_decimals(const MemoryView& view, draw::Point cell,
                     std::initializer_list<std::span<const float>> values) {
  // On paper and on slides, where text has other sizes, the numbers are those of every map.
  if (view.pen.canvas.plain() || cell.y < number_cell_height) return -1;
  const draw::TextStyle style = mono_style(view.theme().text);
  float lowest = 0, highest = 0;
  for (const std::span<const float> of : values) {
    for (const float value : of) lowest = std::min(lowest, value), highest = std::max(highest, value);
  }
  constexpr float apart = 1;  // beside the longest number, which few cells have
  for (int decimals = 2; decimals >= 0; --decimals) {
    const auto width = [&](float value) {
      return view.pen.canvas.text_width(fixed(static_cast<double>(value), decimals), style);
    };
    // Two decimals are written only where they leave air.
    const float air = decimals == 2 ? 10.f : apart;
    if (std::max(width(lowest), width(highest)) + air <= cell.x) return decimals;
  }
  return -1;
}

namespace {

/// The number of every cell, with the same decimals; smaller where neighbours would nearly touch.
void all_numbers(const MemoryView& view, Box box, const draw::Heatmap& map, int decimals) {
  const Point cell{box.w / static_cast<float>(map.cols), box.h / static_cast<float>(map.rows)};
  float size = word_size;
  if (view.in.alone && map.cols > 1) {
    constexpr float usual_apart = 8, least_size = 10;
    float widest = 0;
    for (int row = 0; row < map.rows; ++row) {
      for (int col = 0; col < map.cols; ++col) {
        const std::string words =
            fixed(static_cast<double>(map.values[row * map.row_stride + col]), decimals);
        widest = std::max(widest, view.pen.canvas.text_width(words, mono_style(view.theme().text)));
      }
    }
    if (widest > 0) size = std::clamp(size * (cell.x - usual_apart) / widest, least_size, word_size);
  }
  for (int row = 0; row < map.rows; ++row) {
    for (int col = 0; col < map.cols; ++col) {
      const float value = map.values[row * map.row_stride + col];
      const draw::Color ink = draw::readable_on(draw::color_of(view.theme(), map, value));
      put(view.pen,
          {box.x + cell.x * (static_cast<float>(col) + 0.5f),
           box.y + cell.y * (static_cast<float>(row) + 0.5f)},
          fixed(static_cast<double>(value), decimals), aligned(mono_style(ink, size), Align::centre));
    }
  }
}

/// The lines between the cells of a matrix of zeros, whose colour is that of the surface.
void zero_lattice(const MemoryView& view, Box box, const draw::Heatmap& map) {
  const draw::Stroke line{draw::faded(view.theme().border, 0.6f), 1};
  const auto rows = static_cast<float>(map.rows), cols = static_cast<float>(map.cols);
  for (float row = 0; row <= rows; ++row)
    view.pen.canvas.line({box.x, box.y + box.h * row / rows}, {box.right(), box.y + box.h * row / rows},
                         line);
  for (float col = 0; col <= cols; ++col)
    view.pen.canvas.line({box.x + box.w * col / cols, box.y}, {box.x + box.w * col / cols, box.bottom()},
                         line);
}

}  // namespace

void cells(const MemoryView& view, Box box, const Cells& what) {
  if (what.rows <= 0 || what.cols <= 0 || box.w < 2 || box.h < 2) return;
  std::vector<base::Interval> allowed;
  if (what.causal) {
    for (int r = 0; r < what.rows; ++r) allowed.push_back({0, std::min(r + 1, what.cols)});
  }
  const auto count = static_cast<std::size_t>(what.rows) * static_cast<std::size_t>(what.cols);
  draw::Heatmap map = heat_of({what.values, count}, what.rows, view.in.results.version);
  map.lo = what.lo, map.hi = what.hi, map.map = what.map;
  map.allowed = allowed, map.transposed = what.transposed;
  draw::Mark mark;
  if (!what.name.empty()) mark.part = Part::note, mark.name = what.name;
  draw_cells(view.pen, box, map, mark);
  const bool drawn_zero = !what.transposed && what.lo < 0 && largest_magnitude({what.values, count}) == 0;
  if (drawn_zero && box.w >= 8 * static_cast<float>(what.cols)) zero_lattice(view, box, map);
  if (what.decimals >= 0) return all_numbers(view, box, map, what.decimals);
  CellNumbers which;
  which.weights = what.map == draw::Colormap::weight;
  which.decimals = what.hi >= 10 && on_slide(view.pen) ? 1 : 2;
  if (what.hi >= 10) which.fewest_decimals = 0;
  if (what.on_slides >= 0 && on_slide(view.pen)) which.decimals = what.on_slides, which.fewest_decimals = -1;
  // In a signed map every cell has its number: one that rounds to 0 is written like an exact 0.
  const auto rows = static_cast<float>(what.rows), cols = static_cast<float>(what.cols);
  const draw::Point cell{box.w / (what.transposed ? rows : cols), box.h / (what.transposed ? cols : rows)};
  std::vector<float> written;
  if (!which.weights && numbers_fit(view.pen, cell)) {
    written.assign(what.values, what.values + count);
    const float least = 0.5f * std::pow(10.f, -static_cast<float>(which.decimals));
    for (float& value : written) value = std::abs(value) < least ? 0 : value;
    map.values = written.data();
  }
  cell_numbers(view.pen, box, map, which);
}

void cells_bar(const MemoryView& view, Box box, const Cells& what, const std::string& words,
               const std::string& short_words) {
  ColorBar bar;
  bar.map = what.map;
  bar.left = brief(static_cast<double>(what.lo), 4), bar.right = brief(static_cast<double>(what.hi), 4);
  bar.middle = words, bar.short_middle = short_words;
  if (what.beyond) {
    bar.right = "≥ " + bar.right;
    if (what.lo < 0) bar.left = "≤ " + bar.left;
  }
  color_bar(view.pen, {box.x, box.y, box.w, 8}, bar);
}

float signed_limit(float largest) {
  return static_cast<float>(nice_ceiling(static_cast<double>(largest)));
}

std::string assignment(const char* field, double value) {
  char out[96];
  std::snprintf(out, sizeof out, "%s=%.6g", field, value);
  return out;
}

void step_labels(const MemoryView& view, Box column, const std::string& control_prefix) {
  const int T = view.tokens();
  const float pitch = column.h / static_cast<float>(std::max(1, T));
  const int every = label_step(pitch, 14);
  const auto middle = [&](int t) {
    return std::clamp(column.y + (static_cast<float>(t) + 0.5f) * pitch, column.y + 7,
                      std::max(column.y + 7, column.bottom() - 7));
  };
  float last = -1e9f;
  for (int t = 0; t < T; ++t) {
    const bool now = t == view.step() - 1;
    // The current one always; of the others those that do not touch it.
    const float y = middle(t);
    if (!now && (t % every != 0 || std::abs(y - middle(view.step() - 1)) < 14 || y - last < 14)) continue;
    last = y;
    draw::Mark mark;
    mark.part = Part::control, mark.name = control_prefix + std::to_string(t + 1);
    mark.set = "memory_step=" + std::to_string(t + 1);
    mark.note = "make step " + std::to_string(t + 1) + " the current one";
    mark.area = {column.x, y - 7, column.w, 14};
    view.pen.canvas.mark(mark);
    const bool marked = now && marks_selection(view.pen);
    const draw::Color color = marked                     ? view.theme().query
                              : view.pen.over(mark.name) ? view.theme().text
                                                         : view.theme().dim;
    const draw::TextStyle style = literal(marked ? strong_style(color, word_size) : words_style(color));
    const std::string place = std::to_string(t);  // its position, as on every page
    std::string words = every > 1 ? view.token(t) + " " + place : view.token(t);
    if (const float room = column.w - 10; every > 1 && view.pen.canvas.text_width(words, style) > room) {
      const float number = view.pen.canvas.text_width(" " + place, style);
      const std::string token = draw::fit_text(view.pen.canvas, view.token(t), style, room - number);
      constexpr std::size_t few = std::string_view("ab…").size();  // bytes that name nothing
      words = token.size() <= few ? place : token + " " + place;
    }
    put(view.pen, {column.right() - 8, y}, words, aligned(style, Align::right), column.w - 10);
    view.pen.canvas.mark({});
  }
}

}  // namespace headlight::views
