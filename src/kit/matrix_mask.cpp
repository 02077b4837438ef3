#include "kit/matrix_mask.h"

#include <algorithm>
#include <cmath>

#include "draw/boxes.h"
#include "draw/heatmap_raster.h"

namespace headlight::views {

namespace {

constexpr float name_height = 18, name_margin = 8;

std::string mask_words(const MatrixPanel& panel) {
  bool causal = !panel.allowed.empty(), padding = causal;
  for (int q = 0; q < static_cast<int>(panel.allowed.size()) && (causal || padding); ++q) {
    const base::Interval keys = panel.allowed[static_cast<std::size_t>(q)];
    const int end = std::clamp(q + 1 + panel.cols - panel.rows, 0, panel.cols);
    causal = causal && (keys.size() == end) && (end == 0 || keys.begin == 0);
    padding = padding && keys.begin == 0 && keys.end == panel.allowed[0].end;
  }
  // With a window mask, each row has the last `window` keys up to its own position, or all of them when there
  // are fewer.
  int window = 0;
  bool windowed = !panel.allowed.empty() && !causal && !padding;
  for (const base::Interval& keys : panel.allowed) window = std::max(window, keys.size());
  for (int q = 0; q < static_cast<int>(panel.allowed.size()) && windowed; ++q) {
    const base::Interval keys = panel.allowed[static_cast<std::size_t>(q)];
    const int end = std::clamp(q + 1 + panel.cols - panel.rows, 0, panel.cols);
    windowed = keys.end == end && keys.size() == std::min(end, window);
  }
  if (windowed) return "masked: the future, and keys before the last " + std::to_string(window);
  return causal ? "the future: masked" : padding ? "padding: masked" : "masked";
}

/// Is this cell of the picture masked, and not blank because of a hidden token?
bool masked_at(const MaskedMap& map, int row, int col) {
  const int query = map.heat.transposed ? col : row, key = map.heat.transposed ? row : col;
  const scene::HiddenTokens& hidden = map.panel.hidden;
  return masked_cell(map.panel, query, key) && !hidden.query(query) && !hidden.key(key);
}

Box box_of(const MaskedMap& map, int query, int key) {
  return map.heat.transposed ? draw::cell_box(map.cells, map.heat, query, key)
                             : draw::cell_box(map.cells, map.heat, key, query);
}

struct Run {
  int from = 0, to = 0;  // columns, end exclusive
};

/// Returns the longest run of columns that are masked in all rows from `first` to `last` − 1.
Run longest_run(const MaskedMap& map, CellRange shown, int first, int last) {
  Run best, now;
  for (int col = shown.first_col; col <= shown.last_col; ++col) {
    bool masked = col < shown.last_col;
    for (int row = first; row < last && masked; ++row) masked = masked_at(map, row, col);
    if (masked) {
      if (now.to != col) now = {col, col};
      now.to = col + 1;
    } else if (now.to - now.from > best.to - best.from) {
      best = now;
    }
  }
  return best;
}

/// Writes "masked" into the row (or column) of each visible query without any key. Returns whether there is
/// one with room for it.
bool names_rows(const Pen& pen, const MaskedMap& map, CellRange shown) {
  const MatrixPanel& panel = map.panel;
  const bool turned = map.heat.transposed;
  const Box one = draw::cell_box(map.cells, map.heat, 0, 0);
  if ((turned ? one.w : one.h) < 13 || (turned ? map.cells.h : map.cells.w) < 60) return false;
  bool any = false;
  const int first = turned ? shown.first_col : shown.first_row,
            last = turned ? shown.last_col : shown.last_row;
  for (int query = first; query < last; ++query) {
    if (panel.allowed.empty() || panel.allowed[static_cast<std::size_t>(query)].size() > 0) continue;
    if (panel.hidden.query(query)) continue;
    any = true;
    const Box a = turned ? draw::cell_box(map.cells, map.heat, query, 0)
                         : draw::cell_box(map.cells, map.heat, 0, query);
    draw::TextStyle style = aligned(words_style(pen.theme.dim, small_size), Align::centre);
    style.turn = turned ? draw::upwards : 0;
    pen.canvas.text(
        turned ? Point{a.centre().x, map.cells.centre().y} : Point{map.cells.centre().x, a.centre().y},
        "masked", style);
  }
  return any;
}

}  // namespace

bool masked_cell(const MatrixPanel& panel, int query, int key) {
  if (!panel.allowed.empty()) return !panel.allowed[static_cast<std::size_t>(query)].has(key);
  return !panel.allow.empty() &&
         panel.allow[static_cast<std::size_t>(query) * static_cast<std::size_t>(panel.cols) +
                     static_cast<std::size_t>(key)] == 0;
}

bool left_out(const MatrixPanel& panel, int query, int key) {
  if (panel.hidden.query(query) || panel.hidden.key(key)) return true;
  return panel.least > 0 &&
         panel.values[static_cast<std::size_t>(query) * static_cast<std::size_t>(panel.cols) +
                      static_cast<std::size_t>(key)] < panel.least;
}

std::pair<int, int> keys_on(const MatrixPanel& panel, int query) {
  int first = 0, last = panel.cols - 1;
  if (!panel.allowed.empty()) {
    const base::Interval keys = panel.allowed[static_cast<std::size_t>(query)];
    return keys.size() > 0 ? std::pair{keys.begin, keys.end - 1} : std::pair{first, last};
  }
  while (first < last && masked_cell(panel, query, first)) ++first;
  while (last > first && masked_cell(panel, query, last)) --last;
  return first < last || !masked_cell(panel, query, first) ? std::pair{first, last}
                                                           : std::pair{0, panel.cols - 1};
}

bool has_masked(const MatrixPanel& panel) {
  if (!panel.allowed.empty())
    return std::any_of(panel.allowed.begin(), panel.allowed.end(),
                       [&](base::Interval keys) { return keys.size() < panel.cols; });
  return std::any_of(panel.allow.begin(), panel.allow.end(), [](std::uint8_t a) { return a == 0; });
}

bool can_mask(const MatrixPanel& panel) {
  if (!panel.allowed.empty() || panel.allow.empty()) return true;
  int runs = 0;
  for (std::size_t i = 0; i < panel.allow.size(); ++i) {
    const bool starts = i % static_cast<std::size_t>(panel.cols) == 0 || panel.allow[i - 1] != 0;
    if (panel.allow[i] == 0 && starts && ++runs > most_masked_runs) return false;
  }
  return true;
}

void draw_masked_runs(const Pen& pen, const MaskedMap& map) {
  const MatrixPanel& panel = map.panel;
  if (!panel.allowed.empty() || panel.allow.empty() || !can_mask(panel)) return;
  for (int row = 0; row < panel.rows; ++row) {
    for (int col = 0; col < panel.cols; ++col) {
      if (!masked_cell(panel, row, col)) continue;
      int end = col;
      while (end + 1 < panel.cols && masked_cell(panel, row, end + 1)) ++end;
      const Box a = box_of(map, row, col), b = box_of(map, row, end);
      const Box run = draw::common_part({a.x, a.y, b.right() - a.x, b.bottom() - a.y}, map.cells);
      if (run.w > 0 && run.h > 0) masked_area(pen, run);
      col = end;
    }
  }
}

void draw_left_out(const Pen& pen, const MaskedMap& map, CellRange shown) {
  const MatrixPanel& panel = map.panel;
  const scene::HiddenTokens& hidden = panel.hidden;
  const auto line = [&](Box a, Box b) {
    const Box seen = draw::common_part({a.x, a.y, b.right() - a.x, b.bottom() - a.y}, map.cells);
    if (seen.w > 0 && seen.h > 0) pen.canvas.rect(seen, pen.theme.panel);
  };
  for (int query = 0; query < panel.rows && hidden.any(); ++query) {
    if (hidden.query(query)) line(box_of(map, query, 0), box_of(map, query, panel.cols - 1));
  }
  for (int key = 0; key < panel.cols && hidden.any(); ++key) {
    if (hidden.key(key)) line(box_of(map, 0, key), box_of(map, panel.rows - 1, key));
  }
  const int rows = shown.last_row - shown.first_row, cols = shown.last_col - shown.first_col;
  if (!(panel.least > 0) || rows * cols > most_left_out) return;
  const draw::Color zero = draw::color_of(pen.theme, map.heat, 0);
  for (int row = shown.first_row; row < shown.last_row; ++row) {
    for (int col = shown.first_col; col < shown.last_col; ++col) {
      const int query = map.heat.transposed ? col : row, key = map.heat.transposed ? row : col;
      if (hidden.query(query) || hidden.key(key) || masked_cell(panel, query, key)) continue;
      if (!left_out(panel, query, key)) continue;
      const Box seen = draw::common_part(box_of(map, query, key), map.cells);
      if (seen.w > 0 && seen.h > 0)
        pen.canvas.rect(seen.inset(std::min(seen.w, seen.h) >= 8 ? 0.5f : 0.f), zero);
    }
  }
}

namespace {

/// Writes the words into the first run of masked cells, `rows` high, that is wide enough.
bool name_mask(const Pen& pen, const MaskedMap& map, CellRange shown, int rows, const std::string& words,
               const draw::TextStyle& style) {
  const float wide = pen.canvas.text_width(words, style);
  // In long maps only the ends are searched, since masks leave room there.
  constexpr int most_searched = 64;
  const int last = shown.last_row - rows, count = last - shown.first_row + 1;
  for (int i = 0; i < std::min(count, most_searched); ++i) {
    const int row = i % 2 == 0 ? shown.first_row + i / 2 : last - i / 2;
    Run run = longest_run(map, shown, row, row + rows);
    // The lines of the selected key must not cross the words.
    const int key = map.heat.transposed ? -1 : map.panel.key;
    if (map.panel.query >= row && key >= run.from && key < run.to) {
      if (run.to - key - 1 >= key - run.from) {
        run.from = key + 1;
      } else {
        run.to = key;
      }
    }
    if (run.to <= run.from) continue;
    const Box a = draw::cell_box(map.cells, map.heat, run.from, row),
              b = draw::cell_box(map.cells, map.heat, run.to - 1, row + rows - 1);
    const float left = std::max(a.x, map.cells.x), right = std::min(b.right(), map.cells.right());
    if (right - left < wide + 2 * name_margin) continue;
    pen.canvas.text(
        {right - name_margin, (std::max(a.y, map.cells.y) + std::min(b.bottom(), map.cells.bottom())) / 2},
        words, aligned(style, Align::right));
    return true;
  }
  return false;
}

}  // namespace

bool draw_mask_name(const Pen& pen, const MaskedMap& map, CellRange shown) {
  if (!has_masked(map.panel) || !can_mask(map.panel)) return false;
  if (names_rows(pen, map, shown)) return true;
  const float high = draw::cell_box(map.cells, map.heat, 0, 0).h;
  const int rows = std::max(1, static_cast<int>(std::ceil(name_height / high)));
  if (shown.first_row + rows > shown.last_row) return false;
  const draw::TextStyle style = words_style(pen.theme.dim);
  const std::string all = mask_words(map.panel);
  for (const std::string& words : {all, std::string("masked")}) {
    if (name_mask(pen, map, shown, rows, words, style)) return true;
    if (words == all && !all.starts_with("masked: ")) return false;
  }
  return false;
}

}  // namespace headlight::views
