#include <algorithm>
#include <array>
#include <cmath>

#include "kit/area_name.h"
#include "kit/matrix_panel.h"
#include "kit/plot.h"
#include "kit/words.h"
#include "pages/order/order.h"
#include "pages/order/view/cards.h"
#include "scene/map_scale.h"

namespace headlight::views {

namespace {

constexpr int most_segments = 8;  // heads with a button each; with more, buttons step through them

/// Returns a shade of grey, since the colours on this page belong to the tokens.
Color part_color(const draw::Theme& theme, int part) {
  constexpr float shades[scene::OrderParts::most] = {0.95f, 0.58f, 0.76f, 0.4f, 0.22f};
  return draw::mix(theme.panel, theme.text, shades[part]);
}

/// Returns the factor from a bare dot product to the score as it is shown.
double factor_shown(const OrderView& view) {
  return scene::written_factor(view.sheet.in.scene.order.divided, view.results);
}

/// Returns "÷ √8", "÷ √8 ÷ 0.5", "÷ 0.5", or the words for no division.
std::string division(const OrderView& view) {
  const nn::AttentionOptions& options = view.sheet.in.results.options;
  std::string out;
  if (view.results.opened && !options.divide_by_sqrt_d_k && options.custom_scale != 1)
    out = "× " + brief(options.custom_scale, 4);
  if (options.divide_by_sqrt_d_k) out = "÷ √" + std::to_string(view.sheet.trace().d_k);
  if (options.temperature != 1) out += (out.empty() ? "" : " ") + ("÷ " + brief(options.temperature, 4));
  return out.empty() ? "not divided" : out;
}

std::array<Choice, 2> scale_choices(const OrderView& view) {
  const bool divided = view.sheet.in.scene.order.divided;
  return {
      Choice{"q·k", "order_divided=false", "bare scores", !divided, "the dot product, before any division"},
      Choice{division(view), "order_divided=true", "divided scores", divided,
             "the score as used in the softmax"}};
}

struct Opened {
  int count = 4;
  double part[scene::OrderParts::most] = {};
  double sum = 0, score = 0;
};

Opened opened(const OrderView& view) {
  const scene::OrderParts& parts = view.results.parts;
  const double factor = factor_shown(view);
  Opened out;
  out.count = parts.count;
  for (int which = 0; which < parts.count; ++which) {
    out.part[which] = parts.part[which].at(view.head, view.query, view.key) * factor;
    out.sum += out.part[which];
  }
  out.score = parts.dot.at(view.head, view.query, view.key) * factor;
  return out;
}

/// Returns a number of the opened pair.
std::string number_of(const OrderView& view, const char* name) {
  return view.sheet.in.text(
      quantity(name, {{"head", view.head + 1}, {"query", view.query}, {"key", view.key}}));
}

/// Draws positive parts to the right of zero, negative ones to the left, and the sum as a line across.
void stacked_bar(const OrderView& view, Box box, const Opened& cell) {
  const draw::Theme& theme = view.theme();
  draw::Canvas& canvas = view.canvas();
  double up = 0, down = 0;
  for (const double part : cell.part) (part > 0 ? up : down) += part;
  const double reach = std::max({up, -down, 1e-30});
  const Plot plot{box, -nice_ceiling(reach), nice_ceiling(reach), 0, 1};
  const float ticks = text_line(view.pen(), 16);
  const Box bar{box.x, box.y + 8, box.w, box.h - ticks - 10};
  canvas.rect(bar, theme.field, 4);
  double right = 0, left = 0;
  for (int which = 0; which < cell.count; ++which) {
    double& at = cell.part[which] > 0 ? right : left;
    const float a = plot.x(at), b = plot.x(at + cell.part[which]);
    at += cell.part[which];
    draw::Mark mark;
    mark.part = draw::Part::note;
    mark.name = std::string("part ") + part_names[which];
    mark.note = std::string(part_names[which]) + ", " + part_words[which] + ": " +
                number_of(view, part_quantities[which]);
    mark.area = {std::min(a, b), bar.y, std::abs(b - a), bar.h};
    canvas.mark(mark);
    const Color shade = part_color(theme, which);
    canvas.rect(mark.area, shade);
    const draw::TextStyle name = aligned(mono_style(draw::readable_on(shade)), Align::centre);
    // Where the line of the sum would cross the name, it is in the wider part beside the line.
    const float half = canvas.text_width(part_names[which], name) / 2 + 4;
    const float line = plot.x(cell.sum);
    Box seen = mark.area;
    if (std::abs(line - seen.centre().x) <= half) {
      if (line < seen.centre().x) {
        seen.cut_left(line - seen.x);
      } else {
        seen.cut_right(seen.right() - line);
      }
    }
    if (2 * half <= seen.w) canvas.text(seen.centre(), part_names[which], name);
    canvas.mark({});
  }
  canvas.line({plot.x(0), bar.y - 3}, {plot.x(0), bar.bottom() + 3}, {theme.text, 1});
  const float sum = plot.x(cell.sum);
  canvas.line({sum, bar.y - 6}, {sum, bar.bottom() + 3}, {theme.panel, 5});
  canvas.line({sum, bar.y - 6}, {sum, bar.bottom() + 3}, {theme.text, 2.5f});
  const float y = box.bottom() - ticks / 2;
  const draw::TextStyle tick = words_style(theme.dim, small_size);
  put(view.pen(), {box.x, y}, brief(plot.from_x, 3), tick);
  put(view.pen(), {box.centre().x, y}, "0", aligned(tick, Align::centre));
  put(view.pen(), {box.right(), y}, brief(plot.to_x, 3), aligned(tick, Align::right));
}

void ledger(const OrderView& view, Box& inside, const Opened& cell) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const bool masked = !may_read(view.sheet.trace(), view.query, view.key);
  const float line = text_line(pen, masked ? 19.f : 21.f);  // masked: one more line in the same room
  // Returns the width that is left of the line.
  const auto number = [&](const std::string& words, const draw::TextStyle& style) {
    return inside.w - 8 -
           put(pen, {inside.right(), inside.y + line / 2}, words, aligned(style, Align::right),
               inside.w * 0.5f);
  };
  for (int which = 0; which < cell.count; ++which) {
    const float y = inside.y + line / 2;
    pen.canvas.rect({inside.x, y - 5, 10, 10}, part_color(theme, which), 2);
    const float name = put(pen, {inside.x + 18, y}, part_names[which], mono_style(theme.text));
    const float left = number(number_of(view, part_quantities[which]), mono_style(theme.text));
    const float words = std::max(44.f, 18 + name + 10);
    put(pen, {inside.x + words, y}, part_words[which], words_style(theme.dim), left - words);
    inside.cut_top(line);
  }
  pen.canvas.rect({inside.x, inside.y + 2, inside.w, 1}, theme.border);
  inside.cut_top(5);
  const auto total = [&](const std::string& name, const std::string& value, const draw::TextStyle& style) {
    const float left = number(value, style);
    put(pen, {inside.x, inside.y + line / 2}, name, words_style(theme.dim), left);
    inside.cut_top(line);
  };
  total(cell.count > 4 ? "sum of the five" : "sum of the four", number_of(view, "order_sum"),
        mono_style(theme.text, 14));
  total(on_slide(pen) ? "score" : "score of the forward pass", number_of(view, "order_score"),
        mono_style(theme.text, 14));
  if (masked) {
    put(pen, {inside.x, inside.y + line / 2}, "masked: this score is not part of the softmax",
        words_style(theme.dim), inside.w);
    inside.cut_top(line);
  }
  if (on_slide(pen)) return;  // a slide shows the sum without its rounding error
  if (inside.h >= line)
    total("error of the sum, this pair", number_of(view, "order_pair_residual"), mono_style(theme.dim));
  if (inside.h >= line)
    total("largest error of any head and pair", view.sheet.in.text("order_residual"), mono_style(theme.dim));
  if (view.positions_on() && !view.results.parts.shares.empty() && view.results.parts.tokens > 1 &&
      inside.h >= line)
    total("share of pp explained by the offset",
          view.sheet.in.text(quantity("order_offset_share", {{"head", view.head + 1}})),
          mono_style(theme.dim));
}

/// Are the maps those of the layer with shuffled weights?
bool shows_shuffled(const OrderView& view) {
  return view.sheet.in.leaves_out("trained weights") && !view.results.parts.shuffled.empty();
}

/// Of a map of the layer with shuffled weights, which tells the tooltip what it shows.
std::string shuffled_note(int which) {
  return std::string(part_names[which]) + ", the entries of W_Q and W_K are shuffled";
}

/// Draws the opened pair: its parts as a bar and as numbers that add up. False: without the shares of every
/// head.
bool draw_opened(const OrderView& view, Box inside) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  if (view.query < 0) {
    invitation(pen, inside, "No pair is open", "click a cell to split its score");
    return false;
  }
  const float half = (inside.w - 40) / 2;
  const std::string pair = quoted_token(view.sheet, view.query, half - 40) + " " +
                           std::to_string(view.query) + " → " +
                           quoted_token(view.sheet, view.key, half - 40) + " " + std::to_string(view.key);
  const float title = text_line(pen, 16);
  constexpr float beside = 6, above = 2, bar = 40, apart = 6 + 8 + 5;
  const bool by_distance = view.positions_on() && view.results.parts.tokens > 1;
  const int lines = view.results.parts.count + (on_slide(pen) ? 2 : by_distance ? 5 : 4);
  pen.canvas.mark(
      {.part = draw::Part::note,
       .name = "opened pair",
       .area = {inside.x - beside, inside.y - above, inside.w + 2 * beside,
                2 * title + bar + apart + text_line(pen, 21) * static_cast<float>(lines) + 2 * above}});
  pen.canvas.mark({});
  put(pen, {inside.x, inside.y + title / 2}, pair, strong_style(theme.text, 14), inside.w);
  inside.cut_top(title + 6);
  if (view.query >= view.results.parts.tokens || view.key >= view.results.parts.tokens) {
    paragraph(pen, {inside.x, inside.y}, inside.w,
              "Only the first " + std::to_string(view.results.parts.tokens) + " tokens are split.",
              words_style(theme.dim), 3);
    return false;
  }
  const Opened cell = opened(view);
  name_area(pen, view.sheet.in, parts_area,
            {inside.x - beside, inside.y, inside.w + 2 * beside,
             title + bar + apart + text_line(pen, 21) * static_cast<float>(lines)});
  stacked_bar(view, inside.cut_top(40 + text_line(pen, 16)), cell);
  inside.cut_top(8);
  ledger(view, inside, cell);
  return shares_by_head(view, inside);
}

/// Does the model add a number for j − i to its scores (T5, ALiBi)?
bool biased(const OrderView& view) {
  const nn::PairMask* pairs = view.sheet.in.results.options.pairs;
  return pairs && !pairs->add.empty();
}

std::string subtitle(const OrderView& view) {
  const bool shuffled = shows_shuffled(view);
  std::string which = view.sheet.in.scene.order.divided
                          ? (biased(view) ? "the score before its bias, q·k "
                             : shuffled   ? "the score, q·k "
                                          : "the score as used in the softmax, q·k ") +
                                division(view)
                          : "the bare dot product q·k, before any division";
  if (shuffled) which += ", entries of W_Q and W_K shuffled";
  const int n = view.results.parts.tokens;
  if (view.results.parts.mixed) return "a sum of four only while content and position are separate";
  std::string out = "(x + p) W_Q W_Kᵀ (x + p)ᵀ = xx + xp + px + pp: " + which;
  if (view.results.parts.count > 4)
    out = "q·R(j − i)k = xx + xp + px + pp + R, where R = q·R(j − i)k − q·k is what the rotation changes: " +
          which;
  if (view.sheet.in.results.opened && view.sheet.in.results.opened->cap > 0 &&
      view.sheet.in.scene.order.divided)
    out += ", before its soft cap";
  if (biased(view)) out += "; the model’s bias for j − i is added afterwards";
  if (n < view.sheet.trace().T) out += "; the first " + std::to_string(n) + " tokens";
  return out;
}

/// Says that there is no sum to show, because an earlier layer has mixed content and position.
void say_mixed(const OrderView& view, Box box) {
  const Pen& pen = view.pen();
  Box inside = card(pen, box, {"Content and position", subtitle(view)}, "parts");
  const std::string layer = std::to_string(view.results.layer);
  const float width = std::min(inside.w, 900.f);
  put(pen, {inside.x, inside.y + 12}, "In layer " + layer + " they cannot be separated",
      strong_style(view.theme().text), width);
  inside.cut_top(28);
  inside.cut_top(
      paragraph(pen, {inside.x, inside.y}, width,
                "The input of layer " + layer +
                    " is a mix of words, positions and masks made by the earlier layers: no part "
                    "of a score depends on position alone. " +
                    (view.places_matter() && !view.positions_on()
                         ? "No positions are added to the input of layer 1: there a score is "
                           "content · content, changed by the relative position of the two tokens."
                     : !view.positions_on()
                         ? "No positions are added: in layer 1 a score is content · content alone."
                         : "The input of layer 1 is embedding plus position, so there a score is a "
                           "sum of parts."),
                words_style(view.theme().text), 5) +
      12);
  const Choice first{"Show layer 1", "weights_layer=1", "parts of layer 1", false,
                     "the input of the first layer can be separated"};
  if (!pen.canvas.plain()) button(pen, {inside.x + button_width(pen, first), inside.y}, first);
}

/// Returns the number of columns of maps: all side by side, or two rows if that makes them larger.
int map_columns(const OrderView& view, Box room) {
  const int count = view.results.parts.count;
  const float em = std::max(word_size, view.canvas().least_text());
  const auto side = [&](int columns) {
    const auto across = static_cast<float>(columns),
               down = static_cast<float>((count + columns - 1) / columns);
    return std::min(room.w / across - 6 * em, room.h / down - 6 * em);  // room for labels and titles
  };
  const int half = (count + 1) / 2;
  // In a window the maps stay in one row unless two rows make them clearly larger.
  const bool slide = on_slide(view.sheet.pen), may = slide || !view.sheet.pen.canvas.plain();
  return may && side(half) > (slide ? 1.f : 1.15f) * side(count) ? half : count;
}

}  // namespace

std::string shuffled_cell_words(const OrderView& view, const draw::Mark& mark) {
  const scene::OrderParts& parts = view.results.parts;
  const bool split = mark.query >= 0 && mark.key >= 0 && mark.query < parts.tokens && mark.key < parts.tokens;
  for (int which = 0; split && shows_shuffled(view) && which < parts.count; ++which) {
    if (mark.note != shuffled_note(which)) continue;
    const float part = parts.shuffled_map[which].at(view.head, mark.query, mark.key);
    return mark.note + "\n" + signed_text(static_cast<double>(part) * factor_shown(view), 3);
  }
  return {};
}

void order_parts_card(const OrderView& view, Box box, int columns) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const scene::OrderParts& parts = view.results.parts;
  if (parts.mixed) return say_mixed(view, box);
  const auto scales = scale_choices(view);
  const auto heads = head_choices(view.sheet.trace().heads, view.head, most_segments, "parts head", "head");
  const float scale_width = segmented_width(pen, scales), head_width = segmented_width(pen, heads);
  const float title = pen.canvas.text_width("Content and position", strong_style(theme.text)) + 24;
  const bool beside = title + scale_width + head_width + 8 + 40 <= box.w - 2 * card_padding;
  Box inside =
      card(pen, box, {"Content and position", subtitle(view), beside ? scale_width + head_width + 56 : 0},
           "parts");
  Point corner = card_corner(box);
  if (pen.canvas.plain()) {
    put(pen, {inside.right(), box.y + card_padding + 8}, "head " + std::to_string(view.head + 1),
        aligned(words_style(theme.dim), Align::right), 80 * text_line(pen, 16) / 16);
  } else if (!beside) {
    corner = {inside.right() + 4, inside.y};
    inside.cut_top(control_height + 10);
  }
  const Box right = segmented(pen, corner, scales);
  const Box chosen = segmented(pen, {right.x - 8, right.y}, heads);
  if (!pen.canvas.plain() && chosen.x - inside.x > 46 && (beside || chosen.x - inside.x > 60))
    put(pen, {chosen.x - 8, chosen.centre().y}, "head", aligned(words_style(theme.dim), Align::right), 40);
  if (parts.tokens == 0) return;

  const double factor = factor_shown(view);
  const bool shuffled = shows_shuffled(view);
  const auto& spans = shuffled ? parts.shuffled_span : parts.span;
  const double span = std::max(spans[static_cast<std::size_t>(view.head)], 1e-30);
  const bool right_of_maps = columns == 4 || box.w >= parts_beside_from;
  // The words at the foot need the whole width of a card that is not as wide as a page.
  constexpr float wide_card = 1100;
  const bool narrow = columns == 2 || (!pen.canvas.plain() && box.w < wide_card);
  const bool below_all = right_of_maps && narrow;
  // A high card has the shuffled shares as text, since a lesson's slide has no tooltip.
  const bool shuffled_below = below_all && box.h >= 460 && !parts.shuffled.empty() && !shuffled &&
                              !view.sheet.in.leaves_out("shuffled");
  const float foot_height = 14 + text_line(pen, 14) + (shuffled_below ? text_line(pen, 18) : 0);
  Box foot = below_all ? inside.cut_bottom(foot_height) : Box{};
  // The names of the sums are whole where the maps leave room for them.
  const float least_cell = !pen.canvas.plain() && columns == 4 && inside.w >= 700 ? 290.f : 216.f;
  Box cell = right_of_maps
                 ? inside.cut_right(std::clamp(inside.w * (columns == 4 ? 0.29f : 0.34f), least_cell, 420.f))
                 : inside.cut_bottom((parts.count > 4 ? 321.f : 300.f) + shares_room(view));
  if (right_of_maps) {
    inside.cut_right(24);
  } else {
    inside.cut_bottom(12);
  }
  const bool by_head = shuffled ? shuffled_by_head(view, cell) : draw_opened(view, cell);
  if (!below_all) foot = inside.cut_bottom(foot_height);
  if (on_slide(pen)) inside.cut_bottom(10);  // the enlarged name of the last row is higher than the row

  const std::string end = brief(span * factor, 3);
  const float bar = std::min(260.f * text_line(pen, 14) / 14, foot.w * (below_all ? 0.3f : 0.5f));
  color_bar(pen, {foot.x, foot.y + 6, bar, 8},
            {draw::Colormap::signed_weight, "−" + end, "one scale for all", end});
  const std::string none = parts.count > 4
                               ? "no positions are added: xp, px and pp are 0, and R contains all of position"
                               : "no positions are added: xp, px and pp are 0";
  float room = foot.w - bar - 20;
  if (view.sheet.selection.masked && room > 90) {
    masked_legend(pen, {foot.x + bar + 20, foot.y + 12});
    room -= legend_width(pen, "masked") + 16;
  }
  if (!view.positions_on() && room > 180)
    put(pen, {foot.right(), foot.y + 12}, none, aligned(words_style(theme.dim), Align::right), room);
  bool below = false;
  if (view.positions_on() && !parts.shares.empty() && !shuffled)
    below = shares_line(view, {foot.right() - room, foot.y, std::max(room, 0.f), foot.h}, shuffled_below,
                        by_head);
  if (shuffled && !by_head)
    shuffled_shares_line(view, {foot.right() - room, foot.y, std::max(room, 0.f), foot.h});
  if ((shuffled || !by_head) && !below) {  // then all pairs stand for their shares
    pen.canvas.mark({.part = draw::Part::note, .name = shares_by_head_name, .area = inside});
    pen.canvas.mark({});
  }

  if (columns == 4) columns = map_columns(view, inside);
  const int rows = (parts.count + columns - 1) / columns;
  const float gap = 16,
              wide = (inside.w - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns),
              high = (inside.h - 10 * static_cast<float>(rows - 1)) / static_cast<float>(rows);
  for (int which = 0; which < parts.count; ++which) {
    const int row = which / columns, col = which % columns;
    MatrixPanel map =
        token_panel(view.sheet, (shuffled ? parts.shuffled_map : parts.map)[which].plane(view.head));
    if (shuffled) map.mark.note = shuffled_note(which);
    map.rows = map.cols = parts.tokens;
    if (!map.allowed.empty()) map.allowed = parts.allowed;  // of fewer tokens, where not all are split
    map.lo = static_cast<float>(-span), map.hi = static_cast<float>(span);
    map.map = draw::Colormap::signed_weight;
    map.decades = 0, map.weights = false, map.mask_name = false, map.centred = false;
    map.mark.head = view.head, map.pinned = {};
    map.query = view.query, map.key = view.key;
    map.down.clear(), map.across.clear();
    map.title = part_names[which], map.words = part_words[which];
    // One cell fills a part of its area, which is otherwise empty.
    constexpr float of_one = 0.85f;
    map.most_cell =
        parts.tokens == 1 ? std::max(140.f, of_one * std::min(wide, high)) : most_cell_in({0, 0, wide, high});
    map.factor = static_cast<float>(factor);
    if (on_slide(pen)) {
      map.most_cell = std::max(map.most_cell, high);
      map.stretched = parts.tokens > scene::unit_scale_tokens;
    }
    const Box place{inside.x + static_cast<float>(col) * (wide + gap),
                    inside.y + static_cast<float>(row) * (high + 10), wide, high};
    constexpr float margin = 4;  // the names of rows begin at the map's edge
    pen.canvas.mark({.part = draw::Part::note,
                     .name = std::string("map ") + part_names[which],
                     .area = {place.x - margin, place.y, place.w + 2 * margin, place.h}});
    pen.canvas.mark({});
    draw_matrix_panel(view.sheet.pen, place, map);
  }
}

}  // namespace headlight::views
