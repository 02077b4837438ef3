#include "kit/weight_bar.h"

#include <algorithm>
#include <cmath>

#include "kit/words.h"

namespace headlight::views {

using scene::MapScale;
using scene::WeightScale;

namespace {

/// Writes a step of 1, 2 or 5 · 10^k with its one significant digit: "0.02".
std::string step_text(float step) {
  int decimals = 0;
  for (double value = static_cast<double>(step); value < 0.999 && decimals < 6; value *= 10) ++decimals;
  return fixed(static_cast<double>(step), decimals);
}

}  // namespace

WeightScale shown_scale(const Sheet& sheet) {
  const Selection& s = sheet.selection;
  return scene::scale_on_show(sheet.in.scene, sheet.in.results, s.heads, s.kind == HeadsShown::all);
}

WeightScale shown_scale(const PageInput& in) {
  const Selection s = select(in);
  return scene::scale_on_show(in.scene, in.results, s.heads, s.kind == HeadsShown::all);
}

int shown_decimals(const PageInput& in) {
  return weight_decimals(shown_scale(in).end);
}

void set_scale(draw::Heatmap& map, const WeightScale& scale, bool has_signs) {
  map.hi = scale.end, map.lo = has_signs ? -scale.end : 0.f;
  map.decades = scale.decades();
}

std::array<Choice, 3> scale_choices(const scene::Scene& scene, int tokens) {
  const MapScale now = scene::scale_of(scene, tokens), usual = scene::scale_by_length(tokens);
  const auto choice = [&](MapScale kind, const char* label, const char* note) {
    // Choosing the default scale of this length sets "by length", so that the next sentence gets its own
    // default.
    const MapScale set = kind == usual ? MapScale::by_length : kind;
    return Choice{label, std::string("map_scale=") + scene::word(set),
                  std::string("colour scale ") + scene::word(kind), now == kind, note};
  };
  return {choice(MapScale::automatic, "auto",
                 "the scale ends at the 99th percentile of the weights, rounded up; above 128 tokens, of the "
                 "largest of each group"),
          choice(MapScale::unit, "0–1", "the scale ends at weight 1"),
          choice(MapScale::log, "log", "colour by the logarithm, from 10⁻⁴ to 1")};
}

ColorBar scale_words(const WeightScale& scale, const std::string& middle, bool has_signs) {
  ColorBar out;
  out.map = has_signs ? draw::Colormap::signed_weight : draw::Colormap::weight;
  out.middle = middle;
  const std::string end = step_text(scale.end);
  const std::string right = (has_signs ? "+" : "") + end, left = has_signs ? "−" + end : "0";
  out.right = scale.above > 0 ? "≥ " + right : right;
  out.left = scale.above > 0 && has_signs ? "≤ " + left : left;
  if (scale.kind != MapScale::log) return out;
  if (has_signs) {
    out.middle = "±10⁻⁴ · " + middle;
  } else {
    out.left = "≤ 10⁻⁴", out.middle = middle + ", log";
  }
  return out;
}

/// "0.4 % share the last colour".
std::string share_words(double above) {
  constexpr double least_written = 0.0005;  // fewer pixels than can be seen
  return (above < least_written ? "< 0.1 %" : base::written(above, base::percent(1))) +
         std::string(" share the last colour");
}

std::string above_words(const WeightScale& scale, const draw::Theme& theme) {
  if (scale.kind == MapScale::automatic && scale.end >= 1) return "the automatic scale is 0–1 here";
  if (!(scale.above > 0)) return {};
  return std::string("the ") + (theme.dark ? "brightest " : "darkest ") + share_words(scale.above);
}

ColorBar with_share(ColorBar bar, const WeightScale& scale, const draw::Theme& theme) {
  const std::string above = above_words(scale, theme);
  if (above.empty()) return bar;
  bar.short_middle = bar.middle;  // a scale without its name says nothing
  bar.middle += " · " + above;
  return bar;
}

ColorBar with_share_alone(ColorBar bar, const WeightScale& scale, const draw::Theme& theme) {
  const std::string above = above_words(scale, theme);
  if (above.empty()) return bar;
  bar.short_middle = scale.above > 0 ? share_words(scale.above) : bar.middle;
  bar.middle = above;
  return bar;
}

float bar_width(const Pen& pen, float cells, const ColorBar& words) {
  constexpr float apart = 8;
  const draw::TextStyle style = words_style({}, small_size);
  return std::max(
      cells, pen.canvas.text_width(words.left, style) + pen.canvas.text_width(words.right, style) + apart);
}

bool signed_numbers_fit(const Pen& pen, float cell, int decimals) {
  constexpr float beside = 3;
  const std::string longest = "-0." + std::string(static_cast<std::size_t>(decimals), '0');
  return cell >= pen.canvas.text_width(longest, mono_style({}, small_size)) + 2 * beside;
}

std::string pooled_words(float cell) {
  return cell > 0 && cell < 0.999f ? "each pixel shows the largest weight" : "";
}

ColorBar with_pooled(ColorBar bar, float cell) {
  const std::string pooled = pooled_words(cell);
  if (pooled.empty()) return bar;
  if (bar.short_middle.empty()) bar.short_middle = "largest weight of each pixel";
  bar.middle += " · " + pooled;
  return bar;
}

void bar_pointer(const Pen& pen, Box bar, const WeightScale& scale, float value, bool has_signs) {
  if (!std::isfinite(value)) return;
  draw::Heatmap map;
  set_scale(map, scale, has_signs);
  const float part = (draw::on_linear_scale(map, value) - map.lo) / (map.hi - map.lo);
  const Point tip{bar.x + std::clamp(part, 0.f, 1.f) * bar.w, bar.y - 1};
  constexpr float high = pointer_height - 1;
  pen.canvas.polygon(std::array<Point, 3>{Point{tip.x - 4, tip.y - high}, {tip.x + 4, tip.y - high}, tip},
                     pen.theme.text);
}

float weight_bar_height(const Pen& pen, bool low) {
  return low ? 28.f : 22 + text_line(pen, 14);
}

namespace {

/// On a scale up to 1 a map of small weights is dark: says how large they are, and a click changes the scale.
std::vector<Choice> dark_hint(const PageInput& in, const WeightBar& bar, const std::string& set) {
  constexpr double dark_below = 0.25;
  if (bar.scale.kind != MapScale::unit || bar.largest_head < 0) return {};
  const auto name = quantity("largest", {{"head", bar.largest_head + 1}});
  const double largest = in.value(name);
  if (!(largest > 0 && largest < dark_below)) return {};
  return {{"largest weight " + in.text(name, base::weight_form(2)) + ": auto", set, "scale hint", false,
           "ends the colour scale near the largest weights"}};
}

}  // namespace

void weight_bar(const Pen& pen, const PageInput& in, Box row, const WeightBar& bar) {
  constexpr float gap = 12, least = 110, most = 280, least_note = 90, least_with_hint = 160;
  const auto choices = scale_choices(in.scene, bar.tokens);
  const bool plain = pen.canvas.plain();
  const std::vector<Choice> hint = plain ? std::vector<Choice>() : dark_hint(in, bar, choices[0].set);
  float segment = plain ? 0.f : segmented_width(pen, choices) + gap;
  const float hinted = hint.empty() ? 0.f : button_width(pen, hint.front()) + gap;
  const bool hints = hinted > 0 && row.w - segment - hinted >= least_with_hint;
  if (hints) segment += hinted;
  const ColorBar words = scale_words(bar.scale, "weight α");
  std::string above = above_words(bar.scale, pen.theme);
  if (const scene::WeightScale named = shown_scale(in);
      named.end == bar.scale.end && named.above == bar.scale.above) {
    in.noted("map_limit", static_cast<double>(bar.scale.end), words.right);
    if (bar.scale.above > 0) in.noted("map_above", bar.scale.above, above);
  }
  // Without the buttons, the automatic scale is the name of nothing that is seen.
  if (plain && bar.scale.kind == MapScale::automatic && bar.scale.end >= 1) above.clear();
  std::vector<std::string> remarks = {above, pooled_words(bar.cell),
                                      !bar.unwritten                       ? ""
                                      : weight_decimals(bar.scale.end) > 2 ? "no number below 0.0005"
                                                                           : "no number below 0.005"};
  const draw::TextStyle style = words_style(pen.theme.dim);
  // The note takes one line beside a long bar, or two beside a short one.
  std::string note = fitting_remarks(pen, remarks, 1e9f, style, 1);
  float whole = pen.canvas.text_width(note, style);
  const bool low = row.h < weight_bar_height(pen);
  // A slide has one line for all: the bar, its name and the note, which is shorter where it has to be.
  const float name = plain && low ? pen.canvas.text_width(words.middle, style) + 2 * gap : 0.f;
  if (plain && low && bar.scale.above > 0 && row.w - gap - name - whole < least) {
    remarks.front() = share_words(bar.scale.above);
    note = fitting_remarks(pen, remarks, 1e9f, style, 1);
    whole = pen.canvas.text_width(note, style);
  }
  float wide = std::min(row.w, most);
  const bool chosen = row.w - segment >= least;
  if (chosen) {
    const float one = row.w - segment - gap - whole, two = row.w - segment - gap - whole * 0.58f - 8;
    if (plain && low)
      wide = std::clamp(one - name, least, wide);
    else
      wide = note.empty() ? std::min(wide, row.w - segment) : std::clamp(one >= 200 ? one : two, least, wide);
  }
  Box place{row.x, row.y + 7, wide, 8};
  if (row.h >= weight_bar_height(pen)) {
    color_bar(pen, place, words);
  } else {  // in a low row the numbers are beside the bar
    place = low_color_bar(pen, {row.x, row.y, wide, row.h}, words);
  }
  if (bar.weight >= 0 && marks_selection(pen)) bar_pointer(pen, place, bar.scale, bar.weight);
  float x = row.x + wide + gap;
  if (plain && low)  // on a slide, which has no tooltip, write the bar's name
    x += put(pen, {x, row.centre().y}, words.middle, style, row.right() - x) + gap;
  else if (plain)
    x += pen.canvas.text_width(words.right, style) / 2 + 6;  // its last number reaches beyond the bar
  if (!plain && chosen)
    x = segmented(pen, {x + segmented_width(pen, choices), row.y + 2}, choices).right() + gap;
  if (hints && chosen) x = button(pen, {x + hinted - gap, row.y + 2}, hint.front()).right() + gap;
  if (row.right() - x < least_note) return;
  const float room = row.right() - x;
  note = fitting_remarks(pen, remarks, room, style, plain && low ? 1 : 2);
  const bool one_line = pen.canvas.text_width(note, style) <= room;
  const float line = text_line(pen, style.size * 1.4f);
  paragraph(pen, {x, low ? row.centre().y - line * (one_line ? 0.5f : 1.f) : row.y + (one_line ? 9.f : 1.f)},
            room, note, style, 2);
}

}  // namespace headlight::views
