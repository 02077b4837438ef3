#include "pages/attention/view/preview_page.h"

#include <algorithm>
#include <cmath>

#include "kit/cells.h"
#include "kit/columns.h"
#include "kit/page_input.h"
#include "kit/selection.h"
#include "kit/weight_bar.h"
#include "pages/attention/view/page.h"
#include "scene/pinned.h"
#include "scene/preview.h"

namespace headlight::views {

namespace {

constexpr float preview_columns_from = 900;
constexpr float preview_gutter = 44;  // for the numbers of the axis
constexpr float strip_most = 26, strip_gap = 3, strip_name = 64;

float largest_of(std::span<const float> row) {
  float out = 0;
  for (const float weight : row) out = weight > out && std::isfinite(weight) ? weight : out;
  return out;
}

std::string computing(const PageInput& in) {
  return in.busy < 0 ? "computing" : "computing " + fixed(100.0 * static_cast<double>(in.busy), 0) + " %";
}

void draw_axis(const Pen& pen, Box plot, double top, int keys) {
  const draw::TextStyle tick = aligned(mono_style(pen.theme.dim, 12), Align::right);
  for (const double at : {1.0, 0.5, 0.0}) {
    const float y = plot.bottom() - plot.h * static_cast<float>(at);
    pen.canvas.line({plot.x, y}, {plot.right(), y}, {at > 0 ? pen.theme.faint : pen.theme.border, 1});
    pen.canvas.text({plot.x - 6, y}, brief(top * at, 3), tick);
  }
  const draw::TextStyle number = mono_style(pen.theme.dim, 12);
  const float y = plot.bottom() + 11;
  pen.canvas.text({plot.x, y}, "0", number);
  if (keys > 1) pen.canvas.text({plot.right(), y}, std::to_string(keys - 1), aligned(number, Align::right));
  pen.canvas.text({plot.centre().x, y}, "key", aligned(words_style(pen.theme.dim, 12), Align::centre));
}

/// Draws one query's weights over all keys. Keys that share a unit show the largest.
void draw_row(const Pen& pen, Box box, const PageInput& in) {
  const scene::Preview& preview = *in.preview;
  const bool has_row = !preview.rows.empty();
  const std::string title = preview.query < 0
                                ? std::string("Weights of one query")
                                : "What does " +
                                      in_quotes(draw::fit_text(pen.canvas, token_label(in, preview.query),
                                                               strong_style(pen.theme.text), 110)) +
                                      " attend to?";
  const std::vector<int> heads = scene::heads_on_show(in.scene, in.preview->rows.rows());
  std::string subtitle;
  if (has_row) {
    subtitle = heads.size() == 1 ? "head " + std::to_string(heads.front() + 1)
                                 : std::string(combine_phrase(in.scene.combine)) + " over " +
                                       std::to_string(heads.size()) + " heads";
    subtitle += ", for the current sentence";
  }
  Box inside = card(pen, box, {title, subtitle, 0}, "bars");
  if (!has_row) return placeholder(pen, inside, "No row yet", preview.why + "; " + computing(in));
  std::vector<float> room;
  const std::span<const float> row = scene::combined_row(
      heads, in.scene.combine, [&](int head) { return preview.rows.row(head); }, room);
  const int keys = static_cast<int>(row.size());
  inside.cut_bottom(20);
  inside.cut_top(26);
  Box plot = inside;
  plot.cut_left(preview_gutter);
  if (plot.w < 8 || plot.h < 8) return;
  const double top = nice_ceiling(static_cast<double>(largest_of(row)));
  draw_axis(pen, plot, top, keys);
  if (preview.allowed.size() == 0) {
    put(pen, {plot.centre().x, plot.centre().y}, "masked: this query may attend to no key",
        aligned(words_style(pen.theme.dim), Align::centre), plot.w);
    return;
  }
  const float pitch = std::min(plot.w / static_cast<float>(keys), 120.f);
  const int together = std::max(1, static_cast<int>(std::ceil(1.f / pitch)));
  int best = preview.allowed.begin;
  for (int from = 0; from < keys; from += together) {
    int strongest = from;
    for (int key = from; key < std::min(keys, from + together); ++key) {
      if (row[static_cast<std::size_t>(key)] > row[static_cast<std::size_t>(strongest)]) strongest = key;
    }
    const float weight = row[static_cast<std::size_t>(strongest)];
    if (weight > row[static_cast<std::size_t>(best)]) best = strongest;
    if (!(weight > 0)) continue;
    const float slot = pitch * static_cast<float>(together), wide = slot < 4 ? slot : slot * 0.72f;
    const float high =
        std::max(1.f, plot.h * static_cast<float>(std::min(1.0, static_cast<double>(weight) / top)));
    pen.canvas.rect(
        {plot.x + pitch * static_cast<float>(from) + (slot - wide) / 2, plot.bottom() - high, wide, high},
        strongest == preview.query ? pen.theme.query : pen.theme.key);
  }
  const std::string strongest =
      "strongest key: " + quoted_token(in, best) + " " + std::to_string(best) + ", " +
      weight_text(static_cast<double>(row[static_cast<std::size_t>(best)]), weight_decimals(largest_of(row)));
  put(pen, {inside.x, inside.y - 18}, strongest, words_style(pen.theme.text, small_size), inside.w);
}

/// Draws the same row for each head, one strip below the other.
void draw_strips(const Pen& pen, Box box, const PageInput& in) {
  const nn::Matrix& rows = in.preview->rows;
  const int heads = in.scene.heads;
  if (rows.empty()) {
    const Box inside =
        card(pen, box, {std::to_string(heads) + (heads == 1 ? " head" : " heads"), {}, 0}, "heads");
    return placeholder(pen, inside, computing(in), in.preview->why);
  }
  const float top = largest_of(rows.values());
  Box inside = card(pen, box,
                    {"The query in each head",
                     "weights from 0 to " + weight_text(static_cast<double>(top), weight_decimals(top)), 0},
                    "heads");
  const std::vector<int> shown = scene::heads_on_show(in.scene, in.preview->rows.rows());
  const float each = std::min(strip_most + strip_gap, inside.h / static_cast<float>(rows.rows()));
  const float name = each >= 12 && inside.w > 2 * strip_name ? strip_name : 0.f;
  for (int head = 0; head < rows.rows(); ++head) {
    const Box strip{inside.x + name, inside.y + each * static_cast<float>(head), inside.w - name,
                    std::max(1.f, each - (each >= 8 ? strip_gap : 0.f))};
    const bool on = std::find(shown.begin(), shown.end(), head) != shown.end();
    if (name > 0)
      put(pen, {inside.x, strip.centre().y}, "Head " + std::to_string(head + 1),
          words_style(on ? pen.theme.text : pen.theme.dim, small_size), name - 6);
    draw::Heatmap map = heat_of(rows.row(head), 1, in.preview->version);
    map.hi = top > 0 ? top : 1;
    map.gaps = false;
    draw_cells(pen, strip, map);
  }
}

/// Draws a map as large as the card allows; returns its box.
Box put_map(const Pen& pen, Box inside, const draw::Heatmap& map) {
  const float across = static_cast<float>(map.transposed ? map.rows : map.cols);
  const float down = static_cast<float>(map.transposed ? map.cols : map.rows);
  const float ratio = std::clamp(across / down, 0.34f, 3.f);
  const float width = std::min(inside.w, inside.h * ratio);
  const Box at{std::floor(inside.centre().x - width / 2), std::floor(inside.y), width, width / ratio};
  draw_cells(pen, at, map);
  return at;
}

/// Draws the map of the shown heads, which are computed before the others. Nothing in it can be pinned yet.
void draw_early_map(const Pen& pen, Box box, const PageInput& in) {
  const scene::EarlyMap& early = *in.early_map;
  const std::string whose = early.heads.size() == 1 ? "head " + std::to_string(early.heads.front() + 1)
                                                    : std::string(combine_phrase(early.combine)) + " over " +
                                                          std::to_string(early.heads.size()) + " heads";
  const Box inside = hero_card(pen, box, {attention_question(in), pen.theme.query, in.compact},
                               {"", whose + ", for the current sentence; " + computing(in), 0}, "map");
  progress_line(pen, box, in.busy);
  draw::Heatmap map = heat_of(early.weights, early.version);
  map.transposed = in.scene.query_axis == scene::QueryAxis::columns;
  map.allowed = early.allowed;
  set_scale(map, scene::weight_scale(in.scene, early.weights.cols(), early.counts));
  put_map(pen, inside, map);
}

/// Draws the map of the previous sentence, pale, because the text has changed.
void draw_old_map(const Pen& pen, Box box, const PageInput& in) {
  const nn::AttentionTrace& trace = in.results.attention;
  const bool some = trace.T > 0 && trace.S > 0 && trace.heads > 0;
  Box inside = hero_card(
      pen, box, {attention_question(in), pen.theme.query, in.compact},
      {"",
       some ? "previous sentence, " + std::to_string(trace.T) + (trace.T == 1 ? " token" : " tokens")
            : std::string(),
       0},
      "map");
  progress_line(pen, box, in.busy);
  const draw::TextStyle words = aligned(strong_style(pen.theme.text), Align::centre);
  if (some) {
    const Selection selection = select(in);
    const Sheet sheet{pen, in, selection};
    const nn::Matrix& all = in.scene.combine == scene::Combine::mean ? in.results.mean : in.results.max;
    const bool one = selection.kind == HeadsShown::one || all.rows() != trace.T;
    const float* values = one ? trace.weights.plane(selection.heads.front()) : all.data();
    const draw::Heatmap map = weights_heatmap(sheet, values);
    const Box old = put_map(pen, inside, map);
    pen.canvas.rect(old, draw::faded(pen.theme.panel, 0.72f));
    inside = old;
  }
  const std::string line = computing(in);
  const float room = pen.canvas.text_width(line, words) + 28;
  const Box label{inside.centre().x - room / 2, inside.centre().y - 16, room, 32};
  pen.canvas.rect(label, pen.theme.field, 8);
  pen.canvas.text(label.centre(), line, words);
}

void draw_map(const Pen& pen, Box box, const PageInput& in) {
  if (in.early_map && !in.early_map->weights.empty()) return draw_early_map(pen, box, in);
  draw_old_map(pen, box, in);
}

}  // namespace

float preview_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const Pen pen{canvas, in.theme, in.hover};
  const float margin = area.w < 700 ? 10.f : 16.f;
  Box page{area.x + margin, area.y + page_edge, area.w - 2 * margin, std::max(0.f, area.h - 2 * page_edge)};
  if (area.w >= preview_columns_from) {
    page.h = std::max(page.h, 420.f);
    if (in.column) {
      Box right = page.cut_right(picture_column(page.w));
      page.cut_right(card_gap);
      draw_row(pen, right.cut_bottom(std::round(right.h * 0.55f)), in);
      right.cut_bottom(card_gap);
      draw_strips(pen, right, in);
    }
    draw_map(pen, page, in);
    return std::max(area.h, page.bottom() + page_edge - area.y);
  }
  const float width = page.w;
  Stack stack(page);
  draw_row(pen, stack.next(240), in);
  draw_strips(pen, stack.next(std::clamp(58 + 20 * static_cast<float>(in.scene.heads), 120.f, 320.f)), in);
  draw_map(pen, stack.next(std::clamp(width * 0.8f, 280.f, 520.f)), in);
  return std::max(area.h, stack.y() - card_gap + margin - area.y);
}

}  // namespace headlight::views
