#include "pages/attention/view/ribbons.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kit/map_labels.h"
#include "kit/plot.h"
#include "kit/weight_bar.h"

namespace headlight::views {

using draw::Align;
using draw::Box;
using draw::Color;
using draw::Mark;
using draw::Part;
using draw::Point;

namespace {

constexpr float least_drawn = 0.004f;       // thinner and fainter than this cannot be seen
constexpr int most_ribbons = 1000;          // curves in a frame
constexpr std::size_t most_read = 1 << 21;  // weights looked at in a frame
constexpr int bins = 200;                   // of the weights, to find a threshold in one pass

/// Whose weights: a head's own or the combined ones.
struct Layer {
  const float* values = nullptr;  // [T, S]
  int head = -1;
  Color color;
};

std::vector<Layer> layers_of(const Sheet& sheet) {
  const Selection& s = sheet.selection;
  const nn::AttentionTrace& trace = sheet.trace();
  std::vector<Layer> out;
  if (static_cast<int>(s.heads.size()) > most_coloured_heads && s.kind == HeadsShown::all) {
    const nn::Matrix& whole =
        sheet.in.scene.combine == scene::Combine::mean ? sheet.in.results.mean : sheet.in.results.max;
    if (whole.rows() == trace.T && whole.cols() == trace.S) return {{whole.data(), -1, sheet.theme().key}};
  }
  for (int head : s.heads)
    out.push_back({trace.weights.plane(head), head, draw::series(sheet.theme(), head)});
  return out;
}

class Ribbons {
 public:
  Ribbons(const Sheet& sheet, Box area) : sheet_(sheet), area_(area), layers_(layers_of(sheet)) {}

  void draw() {
    place();
    choose_threshold();
    const nn::AttentionTrace& trace = sheet_.trace();
    sheet_.pen.canvas.push_clip({area_.x, queries_.low - 8, area_.w, queries_.high - queries_.low + 16});
    for (int query = queries_.first; query < queries_.last; query += every_) {
      if (query != focus() && !sheet_.selection.pinned(query)) ribbons_of(query, threshold_);
    }
    for (int query : sheet_.selection.queries) {
      if (query != focus() && query < trace.T) ribbons_of(query, std::min(threshold_, least_drawn));
    }
    if (focus() >= 0) ribbons_of(focus(), 0);
    sheet_.pen.canvas.pop_clip();
    ends();
    numbers();
    caption();
  }

 private:
  int focus() const {
    return sheet_.selection.hover_query >= 0 ? sheet_.selection.hover_query : sheet_.selection.asked;
  }

  void place() {
    const nn::AttentionTrace& trace = sheet_.trace();
    queries_.role = Role::query, queries_.last = trace.T;
    keys_.role = Role::key, keys_.last = trace.S, keys_.colour_self_red = true;
    // The same part is on view as in the matrix: a zoomed map zooms its ribbons.
    const Box view = sheet_.in.map_view;
    if (view.w > 0 && view.h > 0) {
      const bool turned = sheet_.in.scene.query_axis == scene::QueryAxis::columns;
      auto cut = [](TokenAxis& axis, float from, float size) {
        const int count = axis.last;
        axis.first = std::clamp(static_cast<int>(from), 0, count - 1);
        axis.last = std::clamp(static_cast<int>(std::ceil(from + size)), axis.first + 1, count);
      };
      cut(queries_, turned ? view.x : view.y, turned ? view.w : view.h);
      cut(keys_, turned ? view.y : view.x, turned ? view.h : view.w);
    }
    const float most = std::clamp(area_.w * 0.22f, 30.f, 150.f);
    Box body = area_;
    body.cut_top(26), body.cut_bottom(22);
    auto stretch = [&](TokenAxis& axis) {
      const float count = static_cast<float>(axis.last - axis.first);
      axis.pitch = std::min(body.h / count, 64.f);
      axis.low = body.y + (body.h - axis.pitch * count) / 2;
      axis.high = axis.low + axis.pitch * count;
      axis.start = axis.low - static_cast<float>(axis.first) * axis.pitch;
    };
    stretch(queries_), stretch(keys_);
    const float left = std::max(column_width(sheet_, queries_, most), 34.f);
    key_room_ = std::max(column_width(sheet_, keys_, most), 24.f);
    number_columns_ = layers_.size() <= 4 ? static_cast<int>(layers_.size()) : 1;
    number_width_ = 40.f * static_cast<float>(number_columns_);
    left_ = area_.x + left + 14;
    right_ = area_.right() - key_room_ - number_width_ - 22;
    // A wide card would make the curves flat: they keep to a span in proportion with their height.
    const float span = std::min(right_ - left_, std::max(260.f, (queries_.high - queries_.low) * 1.15f));
    const float spare = (right_ - left_ - span) / 2;
    left_ += spare, right_ -= spare;
    label_room_ = left;
    // Heads run side by side, so that none hides another.
    const float slot = std::min(std::min(queries_.pitch, keys_.pitch) * 0.7f,
                                18.f + 6.f * static_cast<float>(layers_.size() - 1));
    beside_ = slot / static_cast<float>(layers_.size());
    widest_ = std::clamp(beside_, 1.5f, 18.f);
  }

  /// The weight from which ribbons are drawn, so that there are no more than most_ribbons; and every how
  /// manieth query is looked at, so that a frame stays a frame.
  void choose_threshold() {
    const std::size_t keys = static_cast<std::size_t>(keys_.last - keys_.first);
    const std::size_t queries = static_cast<std::size_t>(queries_.last - queries_.first);
    const std::size_t read = keys * queries * layers_.size();
    every_ = static_cast<int>((read + most_read - 1) / most_read);
    every_ = std::max(every_, 1);
    threshold_ = least_drawn;
    if (read <= static_cast<std::size_t>(most_ribbons)) return;
    std::array<int, bins> counts{};
    for (const Layer& layer : layers_) {
      for (int query = queries_.first; query < queries_.last; query += every_) {
        const float* row =
            layer.values + static_cast<std::size_t>(query) * static_cast<std::size_t>(sheet_.trace().S);
        for (int key = keys_.first; key < keys_.last; ++key) {
          if (row[key] >= least_drawn)
            ++counts[static_cast<std::size_t>(std::min(row[key] * bins, static_cast<float>(bins - 1)))];
        }
      }
    }
    int ribbons = 0, bin = bins - 1;
    while (bin >= 0 && ribbons + counts[static_cast<std::size_t>(bin)] <= most_ribbons)
      ribbons += counts[static_cast<std::size_t>(bin--)];
    if (bin >= 0) threshold_ = std::max(least_drawn, static_cast<float>(bin + 1) / bins);
  }

  float query_y(int query) const {
    return queries_.start + (static_cast<float>(query) + 0.5f) * queries_.pitch;
  }
  float key_y(int key) const { return keys_.start + (static_cast<float>(key) + 0.5f) * keys_.pitch; }

  void ribbons_of(int query, float from) {
    if (query < queries_.first || query >= queries_.last) return;
    const Selection& s = sheet_.selection;
    const bool strong = query == focus() || s.pinned(query), someone = focus() >= 0;
    // Some millions of pairs are looked at; what is drawn for each is small.
    for (std::size_t n = 0; n < layers_.size(); ++n) {
      const Layer& layer = layers_[n];
      const float aside = (static_cast<float>(n) - static_cast<float>(layers_.size() - 1) / 2) * beside_;
      const float* row =
          layer.values + static_cast<std::size_t>(query) * static_cast<std::size_t>(sheet_.trace().S);
      for (int key = keys_.first; key < keys_.last; ++key) {
        const float weight = row[key];
        if (!(weight >= from) || weight <= 0) continue;
        if (!may_read(sheet_.trace(), query, key)) continue;
        const float shown = std::min(weight, 1.f);
        const float opacity = query == focus() ? 0.25f + 0.7f * shown
                              : strong         ? 0.15f + 0.6f * shown
                              : someone        ? 0.04f + 0.3f * shown
                                               : 0.06f + 0.84f * shown;
        Mark mark;
        mark.part = Part::cell, mark.head = layer.head, mark.query = query, mark.key = key;
        sheet_.pen.canvas.mark(mark);
        const Point a{left_, query_y(query) + aside}, b{right_, key_y(key) + aside};
        const float bend = (b.x - a.x) * 0.45f;
        sheet_.pen.canvas.curve(a, {a.x + bend, a.y}, {b.x - bend, b.y}, b,
                                {draw::faded(layer.color, opacity), std::max(0.6f, widest_ * shown)});
      }
    }
    sheet_.pen.canvas.mark({});
  }

  /// The two columns of tokens, and a stop at the end of each that the ribbons run into.
  void ends() {
    const draw::Theme& theme = sheet_.theme();
    draw::Canvas& canvas = sheet_.pen.canvas;
    const float y = queries_.low - 14;
    put(sheet_.pen, {left_ - 8, y}, "query", aligned(words_style(theme.query, small_size), Align::right));
    put(sheet_.pen, {right_ + 8, std::min(y, keys_.low - 14)}, "key", words_style(theme.key, small_size));
    labels_down(sheet_, queries_, {left_ - 10, label_room_, false});
    labels_down(sheet_, keys_, {right_ + 10, key_room_, true});
    auto stops = [&](const TokenAxis& axis, float x, bool left) {
      if (axis.pitch < 4) {
        canvas.line({x, axis.low}, {x, axis.high}, {theme.faint, 2});
        return;
      }
      for (int i = axis.first; i < axis.last; ++i) {
        const bool mine = left ? sheet_.selection.pinned(i) : i == sheet_.selection.key;
        const Color color = left ? (mine ? theme.query : theme.dim) : (mine ? theme.text : theme.dim);
        const float middle = axis.start + (static_cast<float>(i) + 0.5f) * axis.pitch;
        const float half =
            std::min(axis.pitch * 0.4f, std::max(9.f, beside_ * static_cast<float>(layers_.size()) / 2));
        canvas.rect({left ? x - 4 : x + 1, middle - half, 3, 2 * half}, draw::faded(color, mine ? 1.f : 0.5f),
                    1.5f);
      }
    };
    stops(queries_, left_, true);
    stops(keys_, right_, false);
  }

  /// The asked query's weights beside their keys, one column for each head.
  void numbers() {
    const int query = focus();
    if (query < 0 || query >= sheet_.trace().T) return;
    const float x0 = right_ + key_room_ + 14 + 40;
    if (reads_nothing(sheet_.trace(), query)) {
      put(sheet_.pen, {right_ + 10, keys_.high + 9}, "masked", words_style(sheet_.theme().dim, small_size),
          number_width_ + key_room_);
      return;
    }
    std::vector<float> room;
    const int decimals = weight_decimals(shown_scale(sheet_).end);
    const int step = label_step(keys_.pitch, 13);
    for (int column = 0; column < number_columns_; ++column) {
      const bool own = static_cast<int>(layers_.size()) == number_columns_;
      const Layer& layer = layers_[static_cast<std::size_t>(column)];
      const float* row =
          own ? layer.values + static_cast<std::size_t>(query) * static_cast<std::size_t>(sheet_.trace().S)
              : combined_row(sheet_, query, room).data();
      const Color color = own && layers_.size() > 1 ? layer.color : sheet_.theme().text;
      for (int key = keys_.first; key < keys_.last; ++key) {
        if (step > 1 ? key != sheet_.selection.key : !may_read(sheet_.trace(), query, key)) continue;
        const bool opened = query == sheet_.selection.asked && key == sheet_.selection.key;
        sheet_.pen.canvas.text(
            {x0 + static_cast<float>(column) * 40, key_y(key)},
            weight_text(static_cast<double>(row[key]), decimals),
            aligned(mono_style(layers_.size() > 1 || opened ? color : sheet_.theme().dim, 11), Align::right));
      }
    }
  }

  void caption() {
    std::string words;
    if (threshold_ > least_drawn)
      words = "ribbons of weight " + fixed(static_cast<double>(threshold_), 3) +
              " or more; of the selected query, all";
    if (every_ > 1)
      words += (words.empty() ? "" : "; ") +
               ("every " + std::to_string(every_) + "th query drawn; zoom in for all");
    put(sheet_.pen, {area_.centre().x, area_.bottom() - 6}, words,
        aligned(words_style(sheet_.theme().dim, small_size), Align::centre), area_.w);
  }

  const Sheet& sheet_;
  Box area_;
  std::vector<Layer> layers_;
  TokenAxis queries_, keys_;
  float left_ = 0, right_ = 0, label_room_ = 0, key_room_ = 0, number_width_ = 0, widest_ = 0, beside_ = 0;
  float threshold_ = 0;
  int every_ = 1, number_columns_ = 1;
};

}  // namespace

void draw_ribbons(const Sheet& sheet, Box area) {
  Ribbons(sheet, area).draw();
}

}  // namespace headlight::views
