#include "pages/attention/view/bar_rows.h"

#include <algorithm>
#include <cmath>

#include "kit/weight_bar.h"
#include "pages/attention/view/marginals.h"
#include "scene/hidden_tokens.h"

namespace headlight::views {

namespace {

constexpr float least_row = 15, most_row = 56, row_of_many = 20;

/// Keys that the query may attend to and the scene does not hide, in the sentence's order.
struct OpenKeys {
  std::vector<int> drawn;
  int left_out = 0, masked = 0;
};
OpenKeys open_keys(const Sheet& sheet, int query, std::span<const float> row) {
  const scene::HiddenTokens hidden = scene::hidden_tokens(sheet.in.scene, sheet.in.results);
  const auto least = static_cast<float>(sheet.in.scene.attention.least_weight);
  OpenKeys out;
  for (int key = 0; key < static_cast<int>(row.size()); ++key) {
    if (!may_read(sheet.trace(), query, key)) {
      ++out.masked;
    } else if (hidden.key(key) || (least > 0 && row[static_cast<std::size_t>(key)] < least)) {
      ++out.left_out;
    } else {
      out.drawn.push_back(key);
    }
  }
  return out;
}

/// Describes the keys without a row.
std::string words_of_rest(const BarRows& rows) {
  std::string out;
  const auto add = [&](const std::string& words) { out += (out.empty() ? "" : " · ") + words; };
  if (rows.more > 0) {
    add(std::to_string(rows.more) + " more keys, none with more");
  } else if (rows.masked > 0 && !rows.many) {
    add(std::to_string(rows.masked) + (rows.masked == 1 ? " key is masked" : " keys are masked"));
  }
  if (rows.left_out > 0)
    add(std::to_string(rows.left_out) + (rows.left_out == 1 ? " key is not drawn" : " keys are not drawn"));
  return out;
}

}  // namespace

BarRows bar_rows(const Sheet& sheet, Box area, int query, std::span<const float> row) {
  BarRows out;
  OpenKeys keys = open_keys(sheet, query, row);
  const int open = static_cast<int>(keys.drawn.size());
  const bool all = static_cast<float>(open) * least_row <= area.h;  // early queries have few keys
  out.many = !all && (sheet.in.scene.attention.bars_sorted || sheet.trace().S >= named_keys_from);
  out.masked = keys.masked, out.left_out = keys.left_out;
  if (out.many) {
    if (!sheet.in.scene.attention.bars_sorted) return out;
    out.height = row_of_many;
    out.keys =
        strongest_keys(sheet, query, row, static_cast<std::size_t>(std::max(1.f, area.h / out.height)));
    out.more = open - static_cast<int>(out.keys.size());
    return out;
  }
  if (!all) return out;
  out.height = std::clamp(std::floor(area.h / static_cast<float>(std::max(1, open))), least_row, most_row);
  out.keys = std::move(keys.drawn);
  if (sheet.in.scene.attention.bars_sorted) {
    const auto rank = [&](int key) {
      const float weight = row[static_cast<std::size_t>(key)];
      return std::isfinite(weight) ? weight : -1.f;
    };
    std::stable_sort(out.keys.begin(), out.keys.end(), [&](int a, int b) { return rank(a) > rank(b); });
  }
  return out;
}

std::string draw_bar_rows(const Sheet& sheet, Box area, int query, std::span<const float> row,
                          const BarRows& rows) {
  constexpr float place_width = 34, number_width = 46;
  const draw::Theme& theme = sheet.theme();
  draw::Canvas& canvas = sheet.pen.canvas;
  const bool others = other_keys(sheet.in);  // no key is the query itself
  const auto weight_of = [&](int key) { return row[static_cast<std::size_t>(key)]; };
  const int decimals = weight_decimals(shown_scale(sheet).end);
  float top = 0, names = 0;
  for (const int key : rows.keys) {
    if (std::isfinite(weight_of(key))) top = std::max(top, weight_of(key));
    names = std::max(
        names, canvas.text_width(key_label(sheet.in, key), literal(strong_style(theme.text, word_size))));
  }
  if (rows.keys.empty()) return {};
  // A full bar is a weight of 1, unless all weights are small.
  constexpr float small = 0.25f;
  const float end = top > small ? 1.f : static_cast<float>(nice_ceiling(static_cast<double>(top)));
  // On a slide text is larger, so names get more room and keep as many letters.
  const float most_names = std::max(110.f, 9 * canvas.least_text());
  const float name_width =
      std::clamp(std::ceil(names) + 8, 24.f, std::clamp(area.w * 0.3f, 40.f, most_names));
  const float bar_height = std::clamp(rows.height - 12, 8.f, std::max(18.f, 0.45f * rows.height));
  const draw::Color fill = draw::color_of(theme, draw::Colormap::weight, theme.dark ? 0.8f : 0.72f, 0, 1);
  for (const int key : rows.keys) {
    Box line = area.cut_top(rows.height);
    const Box all = line;
    const bool marked = marks_selection(sheet.pen);
    const bool opened = marked && key == sheet.selection.key, over = sheet.selection.hover_key == key;
    const float y = line.centre().y, weight = weight_of(key);
    if (rows.many) {
      const Box place = line.cut_left(place_width);
      put(sheet.pen, {place.right() - 4, y}, std::to_string(key),
          aligned(mono_style(theme.dim, small_size), Align::right), place.w - 4);
    }
    const Box name = line.cut_left(name_width), number = line.cut_right(number_width);
    Mark token;
    token.part = Part::key_token, token.key = key, token.area = {all.x, all.y, line.x - all.x, all.h};
    canvas.mark(token);
    const bool own = marked && key == query && !others;
    const draw::Color role = own ? theme.query : theme.key;
    const draw::TextStyle style = opened ? strong_style(role, word_size)
                                  : own  ? words_style(role)
                                         : words_style(theme.text);
    const float written = put(sheet.pen, {name.right() - 6, y}, key_label(sheet.in, key),
                              aligned(literal(style), Align::right), name.w - 6);
    if (!others && unknown_token(sheet.in, key))
      mark_unknown(sheet.pen, {name.right() - 6 - written, y}, written, style.size);
    canvas.mark({});
    const Box track{line.x, y - bar_height / 2, line.w, bar_height};
    canvas.rect(track, theme.field, 3);
    Mark mark;
    mark.part = Part::bar, mark.query = query, mark.key = key;
    mark.area = {line.x, all.y, all.right() - line.x, all.h};
    if (sheet.selection.kind == HeadsShown::one) mark.head = sheet.selection.heads.front();
    canvas.mark(mark);
    const draw::Color plain = std::isfinite(weight) ? fill : draw::nan_color;
    const float length =
        std::isfinite(weight) ? std::max(weight > 0 ? 1.f : 0.f, track.w * weight / end) : 3.f;
    if (length > 0)
      canvas.rect({track.x, track.y, length, track.h}, over ? draw::mix(plain, theme.text, 0.25f) : plain,
                  std::min(3.f, length / 2));
    canvas.mark({});
    canvas.text({number.right(), y},
                rows.many ? weight_text(static_cast<double>(weight), decimals)
                          : weight_in_cell(static_cast<double>(weight), decimals),
                aligned(mono_style(opened ? theme.text : theme.dim, small_size), Align::right));
  }
  const std::string rest = words_of_rest(rows);
  if (end >= 1 || top <= 0) return rest;
  return (rest.empty() ? "" : rest + " · ") + "full bar: " + brief(static_cast<double>(end), 2);
}

}  // namespace headlight::views
