#include "pages/attention/view/matrix.h"

#include <algorithm>
#include <cmath>

#include "draw/heatmap_raster.h"
#include "kit/cell_shape.h"
#include "kit/map_labels.h"
#include "kit/weight_bar.h"
#include "scene/hidden_tokens.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Color;
using draw::Heatmap;
using draw::Mark;
using draw::Part;
using draw::Point;

namespace {

constexpr float caption_height = 16;
constexpr float most_uneven = 1.25f;  // width to height of a low cell, at most, and the other way round
constexpr float least_number = 8.5f;
constexpr int most_told_apart = 4096;  // cells in which weights below the least are left out one by one
constexpr float number_em = 0.6f;      // advance of a digit in the mono font

/// Which cells of the picture are on view.
struct Shown {
  int across = 0, down = 0;                                      // cells of the whole picture
  Box view;                                                      // in cells
  int first_col = 0, last_col = 0, first_row = 0, last_row = 0;  // ends exclusive
};

Shown shown_part(const Heatmap& map, Box wanted) {
  Shown out;
  out.across = map.transposed ? map.rows : map.cols;
  out.down = map.transposed ? map.cols : map.rows;
  const float width = static_cast<float>(out.across), height = static_cast<float>(out.down);
  out.view = {0, 0, width, height};
  if (wanted.w > 0 && wanted.h > 0) {
    out.view.w = std::min(wanted.w, width), out.view.h = std::min(wanted.h, height);
    out.view.x = std::clamp(wanted.x, 0.f, width - out.view.w);
    out.view.y = std::clamp(wanted.y, 0.f, height - out.view.h);
  }
  out.first_col = static_cast<int>(out.view.x), out.first_row = static_cast<int>(out.view.y);
  out.last_col = std::min(out.across, static_cast<int>(std::ceil(out.view.right() - 1e-4f)));
  out.last_row = std::min(out.down, static_cast<int>(std::ceil(out.view.bottom() - 1e-4f)));
  return out;
}

/// Frames are never thinner than a few pixels, so that a row of 512 can be found.
Box at_least(Box box, float side) {
  if (box.w < side) box = {box.centre().x - side / 2, box.y, side, box.h};
  if (box.h < side) box = {box.x, box.centre().y - side / 2, box.w, side};
  return box;
}

Box within(Box box, Box all) {
  const float x = std::max(box.x, all.x), y = std::max(box.y, all.y);
  return {x, y, std::min(box.right(), all.right()) - x, std::min(box.bottom(), all.bottom()) - y};
}

class Matrix {
 public:
  Matrix(const Sheet& sheet, const MatrixSource& source, Heatmap map)
      : sheet_(sheet),
        source_(source),
        map_(map),
        shown_(shown_part(map, sheet.in.map_view)),
        hidden_(scene::hidden_tokens(sheet.in.scene, sheet.in.results)) {
    if (sheet.in.map_view.w > 0) map_.view = shown_.view;
  }

  /// Lays out labels and cells inside `area`; returns the box of the cells.
  Box place(Box area, const MatrixLook& look) {
    look_ = look;
    left_edge_ = area.x;
    area.w -= look.marginals.right, area.h -= look.marginals.below;
    const float caption = look.captions ? caption_height : 0;
    float cells_high = area.h - caption - 20, cells_wide = area.w - 30;
    // Labels depend on the size of the cells and the cells on the room the labels leave: twice is enough.
    for (int round = 0; round < 2; ++round) {
      fit(cells_wide, cells_high);
      rows_ = row_axis({0, 0, size_.x, size_.y});
      cols_ = col_axis({0, 0, size_.x, size_.y});
      left_ = std::max(column_width(sheet_, rows_, std::clamp(area.w * 0.24f, 20.f, 130.f)) + 9,
                       look.captions ? 60.f : 16.f);
      plan_ = plan_row(sheet_, cols_, std::clamp(area.h * 0.2f, 24.f, 96.f));
      top_ = caption + plan_.height + 4;
      cells_wide = area.w - left_ - 2, cells_high = area.h - top_ - 2;
    }
    fit(cells_wide, cells_high);
    const float x = area.x + (area.w - left_ - size_.x) / 2 + left_;
    box_ = {std::floor(x), std::floor(area.y + top_), size_.x, size_.y};
    rows_ = row_axis(box_), cols_ = col_axis(box_);
    return box_;
  }

  void draw() {
    labels();
    Mark mark;
    mark.part = Part::cell, mark.head = source_.head;
    sheet_.pen.canvas.mark(mark);
    sheet_.pen.canvas.heatmap(box_, map_);
    sheet_.pen.canvas.mark({});
    sheet_.pen.canvas.push_clip(box_.inset(-3));
    leave_out();
    numbers();
    frames();
    sheet_.pen.canvas.pop_clip();
    draw_marginals(sheet_, box_, rows_, cols_, look_.marginals, {left_edge_, box_.y - top_ + 7});
  }

 private:
  void fit(float wide, float high) {
    wide = std::max(wide, 8.f), high = std::max(high, 8.f);
    float w = std::min(wide / shown_.view.w, look_.most_cell),
          h = std::min(high / shown_.view.h, look_.most_cell);
    w = std::min(w, h * (h < least_flat ? most_uneven : most_flat)), h = std::min(h, w * most_uneven);
    if (w >= 8 && h >= 8) w = std::floor(w), h = std::floor(h);
    size_ = {w * shown_.view.w, h * shown_.view.h};
  }

  TokenAxis row_axis(Box box) const {
    TokenAxis axis;
    axis.role = map_.transposed ? Role::key : Role::query;
    axis.first = shown_.first_row, axis.last = shown_.last_row;
    axis.pitch = box.h / shown_.view.h;
    axis.start = box.y - shown_.view.y * axis.pitch;
    axis.low = box.y, axis.high = box.bottom();
    return axis;
  }
  TokenAxis col_axis(Box box) const {
    TokenAxis axis;
    axis.role = map_.transposed ? Role::query : Role::key;
    axis.first = shown_.first_col, axis.last = shown_.last_col;
    axis.pitch = box.w / shown_.view.w;
    axis.start = box.x - shown_.view.x * axis.pitch;
    axis.low = box.x, axis.high = box.right();
    return axis;
  }

  void labels() {
    if (look_.captions) {
      const draw::TextStyle style = words_style(sheet_.theme().dim, small_size);
      const std::string across = map_.transposed ? "query →" : "key (attended to) →";
      const std::string down = map_.transposed ? "key ↓" : "query ↓";
      put(sheet_.pen, {box_.x, box_.y - top_ + 7}, across, style, box_.w);
      put(sheet_.pen, {box_.x - 9, box_.y - top_ + 7}, down, aligned(style, Align::right), left_ - 9);
    }
    labels_down(sheet_, rows_, {box_.x - 9, left_ - 9, false});
    const float y = plan_.upwards ? box_.y - 5 : box_.y - 4 - plan_.height / 2;
    labels_across(sheet_, cols_, {y, plan_.height, plan_.upwards, false, plan_.numbers});
  }

  Box cell(int query, int key) const {
    return map_.transposed ? cell_box(box_, map_, query, key) : cell_box(box_, map_, key, query);
  }

  float weight(int query, int key) const {
    return map_.values[static_cast<std::size_t>(query) * static_cast<std::size_t>(map_.row_stride) +
                       static_cast<std::size_t>(key)];
  }

  /// Rows and columns of hidden tokens, and, where cells can be told apart, the weights below the least.
  void leave_out() {
    draw::Canvas& canvas = sheet_.pen.canvas;
    const int T = sheet_.trace().T, S = sheet_.trace().S;
    const Color ground = sheet_.theme().panel;
    const auto line = [&](Box a, Box b) {
      const Box seen = within({a.x, a.y, b.right() - a.x, b.bottom() - a.y}, box_);
      if (seen.w > 0 && seen.h > 0) canvas.rect(seen, ground, 0);
    };
    for (int query = 0; query < T && hidden_.any(); ++query) {
      if (hidden_.query(query)) line(cell(query, 0), cell(query, S - 1));
    }
    for (int key = 0; key < S && hidden_.any(); ++key) {
      if (hidden_.key(key)) line(cell(0, key), cell(T - 1, key));
    }
    const int rows = shown_.last_row - shown_.first_row, cols = shown_.last_col - shown_.first_col;
    if (!(sheet_.in.scene.least_weight > 0) || rows * cols > most_told_apart) return;
    const Color zero = draw::color_of(sheet_.theme(), map_, 0);
    for (int row = shown_.first_row; row < shown_.last_row; ++row) {
      for (int col = shown_.first_col; col < shown_.last_col; ++col) {
        const int query = map_.transposed ? col : row, key = map_.transposed ? row : col;
        if (hidden_.query(query) || hidden_.key(key) || !may_read(sheet_.trace(), query, key)) continue;
        if (!(weight(query, key) < static_cast<float>(sheet_.in.scene.least_weight))) continue;
        const Box seen = within(cell(query, key), box_);
        if (seen.w > 0 && seen.h > 0)
          canvas.rect(seen.inset(std::min(seen.w, seen.h) >= 8 ? 0.5f : 0.f), zero, 0);
      }
    }
  }

  void numbers() {
    const float wide = size_.x / shown_.view.w, high = size_.y / shown_.view.h;
    const bool fits = sheet_.in.scene.cell_numbers && high >= 13;
    const float room = wide - 5;
    const float largest = std::clamp(std::min(wide * 0.2f, high * 0.25f), 13.f, 16.f);
    const int decimals = weight_decimals(map_.hi);
    const auto digits = static_cast<float>(decimals + 2);
    const float size = std::min({room / (digits * number_em), high * 0.55f, largest});
    const float number = sheet_.pen.canvas.text_width(decimals > 2 ? "0.000" : "0.00", mono_style({}, size));
    const bool write = fits && size >= least_number && number <= wide - 2;
    for (int row = shown_.first_row; write && row < shown_.last_row; ++row) {
      for (int col = shown_.first_col; col < shown_.last_col; ++col) {
        const int query = map_.transposed ? col : row, key = map_.transposed ? row : col;
        if (!may_read(sheet_.trace(), query, key)) continue;
        // A cell at the edge of a zoomed map is written where it can be seen, or not at all.
        const Box seen = within(cell_box(box_, map_, col, row), box_);
        if (seen.h < size + 3 || seen.w < digits * number_em * size + 5) continue;
        const float value = weight(query, key);
        if (hidden_.query(query) || hidden_.key(key) ||
            value < static_cast<float>(sheet_.in.scene.least_weight))
          continue;
        if (std::abs(value) < unwritten_weight(decimals)) continue;
        const Color ground = draw::color_of(sheet_.theme(), map_, value);
        const Color quiet = sheet_.theme().dim;
        const bool small = std::abs(value) < quiet_weight(decimals) && draw::contrast(quiet, ground) >= 4.5;
        const Color ink = small ? quiet : draw::readable_on(ground);
        sheet_.pen.canvas.text(seen.centre(), weight_in_cell(static_cast<double>(value), decimals),
                               aligned(mono_style(ink, size), Align::centre));
      }
    }
    // A query that may read nothing is said in words: its cells alone look like any mask.
    const float along = map_.transposed ? size_.y : size_.x;
    if (!sheet_.selection.masked || (map_.transposed ? wide : high) < 13 || along < 60) return;
    const int first = map_.transposed ? shown_.first_col : shown_.first_row;
    const int last = map_.transposed ? shown_.last_col : shown_.last_row;
    for (int query = first; query < last; ++query) {
      if (!reads_nothing(sheet_.trace(), query)) continue;
      const Box a = cell(query, 0), b = cell(query, sheet_.trace().S - 1);
      const Point middle{(std::max(a.x, box_.x) + std::min(b.right(), box_.right())) / 2,
                         (std::max(a.y, box_.y) + std::min(b.bottom(), box_.bottom())) / 2};
      draw::TextStyle style = aligned(words_style(sheet_.theme().dim, small_size), Align::centre);
      style.upwards = map_.transposed;
      const float half = sheet_.pen.canvas.text_width("masked", style) / 2 + 6;
      const Box pill = map_.transposed ? Box{middle.x - 8, middle.y - half, 16, 2 * half}
                                       : Box{middle.x - half, middle.y - 8, 2 * half, 16};
      sheet_.pen.canvas.rect(
          pill.h > high && !map_.transposed ? Box{pill.x, middle.y - high / 2, pill.w, high} : pill,
          sheet_.theme().mask, 4);
      sheet_.pen.canvas.text(middle, "masked", style);
    }
  }

  void frames() {
    const Selection& s = sheet_.selection;
    draw::Canvas& canvas = sheet_.pen.canvas;
    for (int query : s.queries) {
      const auto [first, last] = keys_allowed(sheet_.trace(), query);
      const Box a = cell(query, first), b = cell(query, last);
      Box whole{a.x, a.y, b.right() - a.x, b.bottom() - a.y};
      whole = at_least(whole, 4);
      canvas.frame(whole.inset(-1), {sheet_.theme().query, query == s.asked ? 2.f : 1.f}, 2);
    }
    if (s.hover_query >= 0 && s.hover_key >= 0) {
      const Box box = at_least(cell(s.hover_query, s.hover_key), 5);
      canvas.frame(box, {draw::faded(sheet_.theme().text, 0.75f), 1.5f}, 2);
    }
    if (s.asked >= 0 && s.key >= 0) {
      // From the key's label to the cell: two lines along its column, or, turned, its row.
      const Box from = cell(0, s.key), to = cell(s.asked, s.key);
      for (const draw::Stroke line : {draw::Stroke{sheet_.theme().panel, 4.5f}, {sheet_.theme().key, 1.5f}}) {
        if (map_.transposed) {
          canvas.line({from.x, to.y}, {to.x, to.y}, line);
          canvas.line({from.x, to.bottom()}, {to.x, to.bottom()}, line);
        } else {
          canvas.line({to.x, from.y}, {to.x, to.y}, line);
          canvas.line({to.right(), from.y}, {to.right(), to.y}, line);
        }
      }
      const Box box = at_least(cell(s.asked, s.key), 7);
      // Two lines, light and dark, stand out on every colour of the map.
      const Color light = draw::rgb(0xffffff), dark = draw::rgb(0x0e1016);
      canvas.frame(box.inset(-1.5f), {sheet_.theme().dark ? light : dark, 2.5f}, 3);
      canvas.frame(box.inset(1), {draw::faded(sheet_.theme().dark ? dark : light, 0.85f), 1.2f}, 2);
    }
  }

  const Sheet& sheet_;
  MatrixSource source_;
  Heatmap map_;
  Shown shown_;
  scene::HiddenTokens hidden_;
  MatrixLook look_;
  Point size_;
  Box box_;
  TokenAxis rows_, cols_;
  RowPlan plan_;
  float left_ = 0, top_ = 0, left_edge_ = 0;
};

}  // namespace

Box draw_matrix(const Sheet& sheet, Box area, const MatrixSource& source, const MatrixLook& look) {
  Matrix matrix(sheet, source, weights_heatmap(sheet, source.values));
  const Box box = matrix.place(area, look);
  matrix.draw();
  return box;
}

float cell_side(const Sheet& sheet, float width, float height) {
  const Heatmap map = weights_heatmap(sheet, nullptr);
  const Shown shown = shown_part(map, sheet.in.map_view);
  return std::min((width - 60) / shown.view.w, (height - 40) / shown.view.h);
}

}  // namespace headlight::views
