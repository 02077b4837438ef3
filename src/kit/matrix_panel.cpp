#include "kit/matrix_panel.h"

#include <algorithm>
#include <cmath>

#include "kit/cell_shape.h"
#include "kit/label_words.h"
#include "kit/matrix_mask.h"
#include "kit/weight_bar.h"

namespace headlight::views {

using draw::Heatmap;

namespace {

constexpr float caption_line = 16, title_line = 20;
constexpr float most_uneven = 1.3f;  // width to height of a low cell, at most
constexpr float gapped_cell = 8;     // smaller cells have no lattice
constexpr float thin_row = 4;        // a frame would hide a lower row
constexpr float edge_gap = 9;        // from the row labels to the cells

/// Which cells of the picture are on view; ends exclusive.
struct OnView {
  Box view;  // in cells
  int first_col = 0, last_col = 0, first_row = 0, last_row = 0;
};

OnView on_view(const Heatmap& map, Box wanted) {
  OnView out;
  const float width = static_cast<float>(map.transposed ? map.rows : map.cols),
              height = static_cast<float>(map.transposed ? map.cols : map.rows);
  out.view = {0, 0, width, height};
  if (wanted.w > 0 && wanted.h > 0) {
    out.view.w = std::min(wanted.w, width), out.view.h = std::min(wanted.h, height);
    out.view.x = std::clamp(wanted.x, 0.f, width - out.view.w);
    out.view.y = std::clamp(wanted.y, 0.f, height - out.view.h);
  }
  out.first_col = static_cast<int>(out.view.x), out.first_row = static_cast<int>(out.view.y);
  out.last_col = static_cast<int>(std::min(width, std::ceil(out.view.right() - 1e-4f)));
  out.last_row = static_cast<int>(std::min(height, std::ceil(out.view.bottom() - 1e-4f)));
  return out;
}

/// Widens a box to at least `side`, so that one row of 512 remains visible.
Box no_thinner(Box box, float side) {
  if (box.w < side) box = {box.centre().x - side / 2, box.y, side, box.h};
  if (box.h < side) box = {box.x, box.centre().y - side / 2, box.w, side};
  return box;
}

/// Widens the box of a cell like no_thinner. At an edge of the map the wide box is moved inwards, so that its
/// frame is closed.
Box cell_frame(Box cell, float side, const Box& map) {
  const Box wide = no_thinner(cell, side);
  if (!map.has(cell.centre())) return wide;  // scrolled out of sight
  Box out = wide;
  if (cell.w < side) out.x = std::clamp(wide.x, map.x, std::max(map.x, map.right() - wide.w));
  if (cell.h < side) out.y = std::clamp(wide.y, map.y, std::max(map.y, map.bottom() - wide.h));
  return out;
}

class PanelDrawing {
 public:
  PanelDrawing(const Pen& pen, const MatrixPanel& panel) : pen_(pen), panel_(panel) {
    heat_.values = panel.values, heat_.rows = panel.rows, heat_.cols = heat_.row_stride = panel.cols;
    heat_.version = panel.version, heat_.map = panel.map;
    heat_.lo = panel.lo, heat_.hi = panel.hi, heat_.decades = panel.decades;
    if (panel.scale) set_scale(heat_, *panel.scale, panel.map == draw::Colormap::signed_weight);
    heat_.transposed = panel.transposed, heat_.allowed = panel.allowed, heat_.gaps = panel.lattice;
    shown_ = on_view(heat_, panel.view);
    if (panel.view.w > 0 && panel.view.h > 0) heat_.view = shown_.view;
  }

  void place(Box area) {
    at_.corner.x = area.x;
    area.w -= panel_.right, area.h -= panel_.below;
    const bool captions = !panel_.across.empty();
    const float caption_high = text_line(pen_, caption_line), title_high = text_line(pen_, title_line);
    const float above = (panel_.title.empty() ? 0 : title_high) + (captions ? caption_high : 0);
    const float caption =
        captions ? pen_.canvas.text_width(caption_down(), caption_style()) + edge_gap + 2 : 0;
    Point room{area.w - 40, area.h - above - 20};
    float beyond = 0;
    // The labels depend on the size of the cells, and the cells on the room that the labels leave: iterate.
    for (int round = 0; round < 3; ++round) {
      fit(room);
      const TokenAxis rows = row_axis({0, 0, size_.x, size_.y}), cols = col_axis({0, 0, size_.x, size_.y});
      constexpr float unlabelled = 4, least_labelled = 12;
      left_ = panel_.row_labels
                  ? std::max({column_width(pen_, names(rows.role), rows, most_down(area)) + edge_gap, caption,
                              panel_.left, least_labelled})
                  : unlabelled;
      across_placed_ = false;
      plan_ = plan_row(pen_, across(), cols, most_across(area));
      // Where rows are left out, names of columns that are slanted or left out have their positions too.
      const bool positions = plan_.turn != 0 ? panel_.row_labels : panel_.flat_names && plan_.thinned > 0;
      if (positions && !label::sparse(pen_, cols) && label::sparse(pen_, rows)) {
        across_placed_ = true;
        plan_ = plan_row(pen_, across(), cols, most_across(area));
      }
      beyond = std::max(2.f, std::min(plan_.beyond_high, area.w * 0.25f) - panel_.right);
      top_ = above + plan_.height + 4;
      room = {area.w - left_ - beyond, area.h - top_ - 2};
    }
    fit(room);
    // The last rows may have become high enough to be named without positions.
    const Box last{0, 0, size_.x, size_.y};
    if (across_placed_ && panel_.flat_names && !label::sparse(pen_, row_axis(last)))
      across_placed_ = false, plan_ = plan_row(pen_, across(), col_axis(last), most_across(area));
    room_ = room.x;
    if (pen_.canvas.parts().square && !panel_.fitted) {
      // Report the room that is not needed: the cells' height if only the width limited them.
      const float most = square_side({room.x, 1e6f});
      pen_.canvas.spare(room.y - most * shown_.view.h);
    }
    end_ = area.right() + panel_.right;
    const float spare = panel_.centred ? std::max(0.f, area.w - left_ - beyond - size_.x) / 2 : 0;
    at_.cells = {std::floor(area.x + spare + left_), std::floor(area.y + top_), size_.x, size_.y};
    at_.corner.y = at_.cells.y - plan_.height - 4 - caption_high / 2 - 1;
    at_.rows = row_axis(at_.cells), at_.cols = col_axis(at_.cells);
    title_at_ = {at_.cells.x, area.y + title_high / 2 - 2};
    title_room_ = area.right() - title_at_.x;
  }

  /// The height of the panel with its labels; valid after place().
  float needed() const { return top_ + size_.y + 2 + panel_.below; }
  CellsRoom cells_room() const { return {room_, top_}; }

  MatrixPlace draw() {
    words_above();
    if (panel_.row_labels)
      labels_down(pen_, names(at_.rows.role), at_.rows, {at_.cells.x - edge_gap, left_ - edge_gap, false});
    labels_across(pen_, across(), at_.cols, {plan_, at_.cells.y, false, end_});
    const float wide = size_.x / shown_.view.w, high = size_.y / shown_.view.h;
    if (panel_.lattice && wide >= gapped_cell && high >= gapped_cell)
      pen_.canvas.rect(at_.cells, draw::faded(pen_.theme.border, 0.6f));
    draw_cells(pen_, at_.cells, heat_, panel_.mark);
    pen_.canvas.push_clip(at_.cells.inset(-3));
    const MaskedMap masked{panel_, heat_, at_.cells};
    const CellRange seen{shown_.first_col, shown_.first_row, shown_.last_col, shown_.last_row};
    draw_masked_runs(pen_, masked);
    draw_left_out(pen_, masked, seen);
    if (panel_.numbers) numbers();
    if (panel_.mask_name) at_.mask_named = draw_mask_name(pen_, masked, seen);
    frames(high);
    pen_.canvas.pop_clip();
    return at_;
  }

 private:
  /// The largest room for labels: more on paper and slides, which have no tooltip for a shortened label.
  float most_down(Box area) const {
    const bool plain = pen_.canvas.plain();
    return std::clamp(area.w * (plain ? 0.4f : 0.26f), 20.f, plain ? 200.f : 130.f);
  }
  float most_across(Box area) const {
    const bool plain = pen_.canvas.plain();
    if (plain) return std::clamp(area.h * 0.3f, 24.f, 140.f);
    // On a page with one map, few rows leave more to the words, while their cells have room for a number.
    constexpr float number_row = 20;
    const float left = panel_.right > 0 ? area.h - 16 - number_row * shown_.view.h : 0;
    return std::clamp(std::max(area.h * 0.22f, left), 24.f, 90.f);
  }

  float square_side(Point room) const {
    const float side = std::min(
        {std::max(room.x, 8.f) / shown_.view.w, std::max(room.y, 8.f) / shown_.view.h, panel_.most_cell});
    constexpr float rounding = 1e-3f;
    return side >= 8 ? std::floor(side + rounding) : side;
  }

  void fit(Point room) {
    if (pen_.canvas.parts().square) {
      const float side = square_side(room);
      size_ = {side * shown_.view.w, side * shown_.view.h};
      return;
    }
    if (panel_.stretched) {
      size_ = {std::max(room.x, 8.f), std::max(room.y, 8.f)};
      return;
    }
    float w = std::min(std::max(room.x, 8.f) / shown_.view.w, panel_.most_cell),
          h = std::min(std::max(room.y, 8.f) / shown_.view.h, panel_.most_cell);
    w = std::min(w, h * (h < least_flat ? most_uneven : most_flat)), h = std::min(h, w * panel_.most_tall);
    if (w >= 8 && h >= 8) w = std::floor(w), h = std::floor(h);
    size_ = {w * shown_.view.w, h * shown_.view.h};
  }

  TokenAxis row_axis(Box box) const {
    TokenAxis axis;
    axis.role = heat_.transposed ? Role::key : Role::query;
    axis.first = shown_.first_row, axis.last = shown_.last_row;
    axis.pitch = box.h / shown_.view.h;
    axis.start = box.y - shown_.view.y * axis.pitch;
    axis.low = box.y, axis.high = box.bottom();
    return axis;
  }
  TokenAxis col_axis(Box box) const {
    TokenAxis axis;
    axis.role = heat_.transposed ? Role::query : Role::key;
    axis.first = shown_.first_col, axis.last = shown_.last_col;
    axis.pitch = box.w / shown_.view.w;
    axis.start = box.x - shown_.view.x * axis.pitch;
    axis.low = box.x, axis.high = box.right();
    return axis;
  }

  AxisNames names(Role role) const {
    AxisNames out;
    out.tokens = panel_.tokens;
    const bool query = role == Role::query;
    out.names = query ? panel_.row_names : panel_.col_names;
    out.numbered = query ? panel_.row_numbers : panel_.col_numbers;
    out.chosen = query ? panel_.query : panel_.key;
    out.hovered = query ? panel_.hover_query : panel_.hover_key;
    if (query) out.pinned = panel_.pinned;
    return out;
  }

  AxisNames across() const {
    AxisNames out = names(heat_.transposed ? Role::query : Role::key);
    out.placed = across_placed_, out.flat = panel_.flat_names;
    return out;
  }

  draw::TextStyle caption_style() const { return words_style(pen_.theme.dim, small_size); }
  std::string caption_down() const { return heat_.transposed ? "key ↓" : panel_.down; }

  void words_above() {
    if (!panel_.title.empty()) {
      const float width = put(pen_, title_at_, panel_.title, strong_style(pen_.theme.text, 14), title_room_);
      const float left = title_room_ - width - 8;
      // Words beside a title are whole or not there: the title names the map.
      if (pen_.canvas.text_width(panel_.words, caption_style()) <= left)
        put(pen_, {title_at_.x + width + 8, title_at_.y}, panel_.words, caption_style());
    }
    if (panel_.across.empty()) return;
    put(pen_, {at_.cells.x, at_.corner.y}, heat_.transposed ? "query →" : panel_.across, caption_style(),
        size_.x);
    if (panel_.row_labels)
      put(pen_, {at_.cells.x - edge_gap, at_.corner.y}, caption_down(),
          aligned(caption_style(), Align::right), left_ - edge_gap);
  }

  Box cell(int query, int key) const {
    return heat_.transposed ? cell_box(at_.cells, heat_, query, key) : cell_box(at_.cells, heat_, key, query);
  }
  void numbers() {
    CellNumbers which;
    which.weights = panel_.weights, which.factor = panel_.factor, which.undefined = panel_.undefined;
    which.left_out = [this](int query, int key) {
      return masked_cell(panel_, query, key) || left_out(panel_, query, key);
    };
    cell_numbers(pen_, at_.cells, heat_, which);
  }

  bool is_row(int query) const { return query >= 0 && query < panel_.rows; }

  void frame_row(int query, float width, float high) {
    const auto [first, last] = keys_on(panel_, query);
    const Box a = cell(query, first), b = cell(query, last);
    if ((heat_.transposed ? a.w : a.h) < thin_row)
      return lines_beside({a.x, a.y, b.right() - a.x, b.bottom() - a.y});
    const Box whole =
        no_thinner({a.x, a.y, b.right() - a.x, b.bottom() - a.y}, 4).inset(high < 30 ? 0.f : -1.f);
    if (high >= gapped_cell) return role_frame(pen_, whole, pen_.theme.query, width);
    pen_.canvas.frame(whole, {pen_.theme.query, width}, 2);
  }

  /// Marks a row, or a column when transposed, of few pixels without hiding it: a line at each side.
  void lines_beside(Box row) {
    constexpr float apart = 1.5f;
    const draw::Stroke line{pen_.theme.query, 1};
    if (heat_.transposed) {
      pen_.canvas.line({row.x - apart, row.y}, {row.x - apart, row.bottom()}, line);
      pen_.canvas.line({row.right() + apart, row.y}, {row.right() + apart, row.bottom()}, line);
    } else {
      pen_.canvas.line({row.x, row.y - apart}, {row.right(), row.y - apart}, line);
      pen_.canvas.line({row.x, row.bottom() + apart}, {row.right(), row.bottom() + apart}, line);
    }
  }

  void frames(float high) {
    for (const int query : panel_.pinned) {
      if (is_row(query) && query != panel_.query) frame_row(query, 1, high);
    }
    if (is_row(panel_.query)) frame_row(panel_.query, 2, high);
    const auto has = [&](int query, int key) { return is_row(query) && key >= 0 && key < panel_.cols; };
    if (has(panel_.hover_query, panel_.hover_key))
      pen_.canvas.frame(cell_frame(cell(panel_.hover_query, panel_.hover_key), 5, at_.cells),
                        {draw::faded(pen_.theme.text, 0.75f), 1.5f}, 2);
    if (!has(panel_.query, panel_.key)) return;
    // Two lines from the key's label to the cell, along its column, or along its row when transposed.
    const Box from = cell(0, panel_.key), to = cell(panel_.query, panel_.key);
    column_lines(from, to);
    selected_frame(pen_, cell_frame(to, 7, at_.cells));
  }

  /// The lines hide nothing of the column: along a narrow one they are thin, outside it, and without a
  /// keyline.
  void column_lines(const Box& from, const Box& to) {
    const float across = heat_.transposed ? to.h : to.w;
    const bool narrow = across < 12;
    const float apart = narrow ? 1.5f : 0, width = narrow ? 1.f : 1.5f;
    const auto both = [&](const draw::Stroke& line) {
      if (heat_.transposed) {
        pen_.canvas.line({from.x, to.y - apart}, {to.x, to.y - apart}, line);
        pen_.canvas.line({from.x, to.bottom() + apart}, {to.x, to.bottom() + apart}, line);
      } else {
        pen_.canvas.line({to.x - apart, from.y}, {to.x - apart, to.y}, line);
        pen_.canvas.line({to.right() + apart, from.y}, {to.right() + apart, to.y}, line);
      }
    };
    if (!narrow) both({pen_.theme.panel, across < 30 ? 2.5f : 4.5f});
    both({pen_.theme.key, width});
  }

  const Pen& pen_;
  const MatrixPanel& panel_;
  Heatmap heat_;
  OnView shown_;
  MatrixPlace at_;
  RowPlan plan_;
  bool across_placed_ = false;
  Point size_, title_at_;
  float left_ = 0, top_ = 0, room_ = 0, title_room_ = 0, end_ = 0;
};

}  // namespace

void role_frame(const Pen& pen, Box box, Color role, float width) {
  const float keyline = std::min(box.w, box.h) < 30 ? 0.5f : 1.5f;  // it hides part of the neighbours
  pen.canvas.frame(box.inset(-keyline), {pen.theme.panel, width + 2 * keyline}, 3);
  pen.canvas.frame(box, {role, width}, 2);
}

MatrixPlace draw_matrix_panel(const Pen& pen, Box area, const MatrixPanel& panel) {
  MatrixPlace none;
  none.cells = {area.x, area.y, 0, 0};
  if (panel.rows < 1 || panel.cols < 1 || area.w < 30 || area.h < 30) return none;
  if (!marks_selection(pen) && (panel.query >= 0 || panel.key >= 0 || !panel.pinned.empty())) {
    MatrixPanel bare = panel;
    bare.query = bare.key = -1, bare.pinned = {};
    return draw_matrix_panel(pen, area, bare);
  }
  PanelDrawing drawing(pen, panel);
  drawing.place(area);
  return drawing.draw();
}

CellsRoom cells_room(const Pen& pen, Box area, const MatrixPanel& panel) {
  if (panel.rows < 1 || panel.cols < 1) return {};
  MatrixPanel alone = panel;
  alone.fitted = true;
  PanelDrawing drawing(pen, alone);
  drawing.place(area);
  return drawing.cells_room();
}

float square_height(const Pen& pen, float width, const MatrixPanel& panel) {
  constexpr float enough = 4000;
  if (panel.rows < 1 || panel.cols < 1) return 0;
  MatrixPanel alone = panel;
  alone.fitted = true;
  PanelDrawing drawing(pen, alone);
  drawing.place({0, 0, width, enough});
  return std::ceil(drawing.needed());
}

MatrixPanel token_panel(const Sheet& sheet, const float* values) {
  const Heatmap map = weights_heatmap(sheet, values);
  const Selection& s = sheet.selection;
  MatrixPanel out;
  out.values = values, out.rows = map.rows, out.cols = map.cols, out.version = map.version;
  out.lo = map.lo, out.hi = map.hi, out.decades = map.decades, out.map = map.map;
  if (static_cast<int>(map.allowed.size()) >= map.rows) out.allowed = map.allowed;
  out.transposed = map.transposed, out.view = sheet.in.map_view;
  out.tokens = &sheet.in;
  out.mark.part = draw::Part::cell;
  out.query = s.detail_query, out.key = s.detail_query >= 0 ? s.key : -1, out.pinned = s.queries;
  out.hover_query = s.hover_query, out.hover_key = s.hover_key;
  out.numbers = sheet.in.scene.cell_numbers;
  return out;
}

}  // namespace headlight::views
