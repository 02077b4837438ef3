#include <algorithm>
#include <array>
#include <cmath>

#include "kit/cell_shape.h"
#include "kit/matrix_panel.h"
#include "kit/plain_text.h"
#include "kit/sides.h"
#include "kit/weight_bar.h"
#include "pages/block/block.h"
#include "pages/compare/compare.h"
#include "pages/compare/view/cards.h"
#include "pages/compare/view/map_words.h"
#include "pages/compare/view/page.h"
#include "scene/trained_model.h"

namespace headlight::views {

namespace {

const char* one_token_title(const CompareView& view) {
  return may_read(view.sheet.trace(), 0, 0) ? "One token attends only to itself, in every head"
                                            : "One token, and it is masked";
}
constexpr float low_maps = 400;  // below this, the card omits numbers and roles

/// Describes the stack, and what it leaves out, if anything. `low`: only that.
std::string stack_words(const scene::BlockResults& stack, const scene::BlockSettings& s, bool low) {
  std::string out = low ? ""
                        : "; the stack of the Block page: " + std::string(scene::word(s.norm)) + "-norm, " +
                              scene::activation_name(s.activation) + (s.causal ? ", causal" : ", no mask");
  if (stack.tokens_left_out > 0)
    out += "; the first " + std::to_string(stack.T) + " of " +
           std::to_string(stack.T + stack.tokens_left_out) + " tokens";
  if (stack.layers_left_out > 0)
    out += "; " + std::to_string(stack.layers) + " of " +
           std::to_string(stack.layers + stack.layers_left_out) + " layers";
  return out;
}

MatrixPanel panel_of(const CompareView& view) {
  MatrixPanel map = token_panel(view.sheet, nullptr);
  map.query = view.query, map.key = view.key, map.pinned = {};
  map.down.clear(), map.across.clear();
  map.centred = false;
  // Three maps in a row of a high window are narrow: higher cells fill it.
  if (!view.pen().canvas.plain()) map.most_tall = 2.4f;
  if (view.one_token()) map.most_cell = on_slide(view.pen()) ? 320.f : 140.f;
  // Cells without numbers may have any shape, so that maps below each other are as wide as their column.
  constexpr int many = 40;
  map.stretched = compare_maps_stacked(view.pen()) && std::max(map.rows, map.cols) > many;
  return map;
}

constexpr float bar_high = 34, rows_apart = 8;

/// Do the cells of all three maps have numbers? The longest are those with a sign: where these do not fit, no
/// map has any, so that all can be compared.
bool numbered(const CompareView& view, Point cell) {
  const Pen& pen = view.pen();
  if (!view.sheet.in.scene.cell_numbers || !numbers_fit(pen, cell)) return false;
  if (view.one_token() || pen.canvas.plain()) return true;  // figures have their own sizes
  const scene::Scene& scene = view.sheet.in.scene;
  const int tokens = std::max(view.sheet.trace().T, view.sheet.trace().S);
  const int decimals = weight_decimals(scene::weight_scale(scene, tokens, view.results.counts).end);
  return signed_numbers_fit(pen, cell.x, decimals);
}

/// Returns the size of the cells of a map in an area of this size.
Point cell_in(const CompareView& view, Point area) {
  const MatrixPanel map = panel_of(view);
  const CellsRoom room = cells_room(view.pen(), {0, 0, area.x, area.y}, map);
  const float high = std::floor((area.y - room.above - 2) / static_cast<float>(map.rows));
  return {std::min(std::floor(room.width / static_cast<float>(map.cols)), most_flat * high), high};
}

/// Can a written difference be unequal to the difference of the two written weights? Only maps of few cells
/// have numbers.
bool rounds_apart(const CompareView& view) {
  constexpr int most_tokens = 40;
  const nn::AttentionTrace& trace = view.sheet.trace();
  if (trace.T > most_tokens || trace.S > most_tokens) return false;
  const auto count = static_cast<std::size_t>(trace.T) * static_cast<std::size_t>(trace.S);
  return cells_round_apart({trace.weights.plane(view.results.a), count}, {view.results.map_b.data(), count},
                           {view.decimals(), view.decimals()});
}

/// Returns the height of the colour bar, its numbers and the note below those of A − B, which maps without
/// numbers do not need. `wide` is the width of a map with its labels.
float bar_height(const CompareView& view, float wide) {
  constexpr float labels = 1.5f;  // in cells
  const float cell = wide / (static_cast<float>(view.sheet.trace().S) + labels);
  // On a slide its words are higher, and the line of the cell is directly below.
  if (!numbered(view, {cell, cell}) || !rounds_apart(view))
    return bar_high + (on_slide(view.pen()) ? text_line(view.pen(), 14) - 14 : 0.f);
  const float line = text_line(view.pen(), 14);
  return bar_high + line + std::max(0.f, line - 14);
}

/// Does a figure with square cells have all three maps in one row? Below each other they would leave a part
/// of it empty, but their titles must be readable.
bool squares_in_row(const CompareView& view, float wide) {
  constexpr float least_part = 0.75f;  // of the size of titles
  const draw::TextStyle style = strong_style({}, 14);
  for (const WhichSide which : {WhichSide::a, WhichSide::b}) {
    if (view.canvas().text_width(compare_printed_title(view, which), style) * least_part > wide) return false;
  }
  return true;
}

/// Returns the height of a row of maps, each `wide`, with square cells, when A − B is below A and B.
float squares_above(const CompareView& view, float wide) {
  return control_height + 6 + compare_choosers_more(view) + compare_role_height(view.pen()) +
         square_height(view.pen(), wide, panel_of(view)) + bar_height(view, wide) + rows_apart;
}

constexpr float one_cell_share = 0.45f;  // of the height of the card

/// Are the three maps of one cell a group in the middle of a window's card?
bool one_cell_group(const CompareView& view, Box box) {
  constexpr float least_wide = 400;
  return view.one_token() && !view.pen().canvas.plain() && box.w - 2 * card_padding >= least_wide;
}

/// Places the three maps of one cell in the middle of `inside`, and writes below them why they are alike.
void group_cells(const CompareView& view, Box card, Box inside, std::array<Box, 3>& place) {
  constexpr float gap = 18, names = 28, message = 30, beside = 110, least_wide = 210;
  const Pen& pen = view.pen();
  const float others = control_height + 6 + compare_choosers_more(view) + names + bar_high + message;
  const float cell = std::min(one_cell_share * card.h, inside.h - others), high = cell + others;
  const float wide = std::min(std::max(cell + beside, least_wide), std::floor((inside.w - 2 * gap) / 3));
  const float x = inside.centre().x - (3 * wide + 2 * gap) / 2, y = inside.y + (inside.h - high) / 2;
  for (std::size_t i = 0; i < 3; ++i)
    place[i] = {std::round(x + static_cast<float>(i) * (wide + gap)), std::round(y), wide, high - message};
  put(pen, {inside.centre().x, y + high - message / 2},
      one_token_title(view) + in_window(pen, ": type a second word to compare heads"),
      aligned(words_style(view.theme().text), Align::centre), inside.w);
}

}  // namespace

void compare_maps_card(const CompareView& view, Box box) {
  const Pen& pen = view.pen();
  const draw::Theme& theme = view.theme();
  const scene::CompareResults& r = view.results;
  std::string measured =
      r.a == r.b && view.same_layer()
          ? "A and B are the same head: choose another one"
          : "cosine of the two maps " + cosine_words(view.sheet.in) + ", largest difference " +
                view.sheet.in.text("bench_difference", base::weight_form(view.decimals())) +
                (r.largest > 0 && r.largest_pairs == 1
                     ? ", at " + pair_in_words(view.sheet.in, r.largest_query, r.largest_key)
                     : std::string());
  // Maps of one cell are a group in the middle of the window's card, with their explanation directly below
  // them. On paper and on a slide they stay small, with the explanation below them, or above in a low card.
  constexpr float one_cell = 290, stated_from = 440, wide_card = 600;
  const bool grouped = one_cell_group(view, box);
  const bool stated_below = !grouped && view.one_token() && box.h > stated_from && box.w > wide_card &&
                            pen.canvas.least_text() == 0;
  if (view.one_token() && !stated_below && !grouped)
    measured = one_token_title(view) + in_window(pen, ": type a second word to compare heads");
  std::string words;  // further remarks on the maps
  if (r.too_large) words += "; with this many tokens, another seed is not computed";
  // In a low window the maps take the room of numbers that the cards below also have.
  const bool low = box.h < low_maps && !pen.canvas.plain() && !view.one_token();
  if (r.stack) words += stack_words(*r.stack, view.sheet.in.results.scene.block, low);
  const bool saved = view.saved();  // saved attention has no stack and no seed
  const bool opened = view.sheet.in.results.opened != nullptr;
  if (r.opened_a) words += "; layers of " + view.sheet.in.results.opened->name;
  if (opened && !saved && view.sheet.in.results.scene.compare.other_seed)
    words += "; a model that was opened has no other seed";
  if (!r.layered() && opened && !view.sheet.in.results.opened->changed.empty())
    words += "; changed, not the model’s own: " + view.sheet.in.results.opened->changed;
  const std::string layer = layer_words(view.sheet.in);
  const std::array<Choice, 2> from = {
      Choice{layer.empty() ? "one layer" : layer, "bench_from=layer", "heads of the attention layer",
             !view.stack(), "the attention layer of the other pages"},
      Choice{opened ? "all layers" : "stack", "bench_from=stack", "heads of the stack", view.stack(),
             opened ? "any layers of the model" : "the layers of the Block page’s stack, with its settings"}};
  Box inside = hero_card(pen, box, {compare_question(view.sheet.in), {}, view.sheet.in.compact},
                         {"", low ? words.substr(std::min<std::size_t>(words.size(), 2)) : measured + words,
                          saved ? 0.f : segmented_width(pen, from)},
                         "maps");
  if (!saved) segmented(pen, card_corner(box), from);
  progress_line(pen, box, view.sheet.in.busy);
  const nn::AttentionTrace& trace = view.sheet.trace();
  // Use one row also when two rows would make the maps only a few lines high.
  float gap = 18, third = std::floor((inside.w - 2 * gap) / 3);
  const bool row = grouped || (inside.w >= 560 && !compare_maps_upright(pen, box)) ||
                   compare_maps_low_row(pen, inside.w, inside.h) ||
                   (pen.canvas.parts().square && squares_in_row(view, third));
  // A figure without a selection has no cell whose numbers are written.
  const int tokens = std::max(view.sheet.trace().T, view.sheet.trace().S);
  const auto choices = scale_choices(view.sheet.in.scene, tokens);
  // The scale of all three is chosen above the last map, which has no choice of heads, or in the last line.
  constexpr float scale_title = 56;
  const bool scale_below = low && row;
  const float line_high = scale_below ? control_height : 22;
  const float above_line = low ? 2 : 6, below_choosers = low ? 2 : 6;
  const bool lined = marks_selection(pen);
  if (!lined) pen.canvas.saved(line_high + above_line);
  Box line = lined ? inside.cut_bottom(line_high) : Box{};
  if (lined) inside.cut_bottom(above_line);
  if (stated_below)
    placeholder(pen, inside.cut_bottom(inside.h - one_cell), one_token_title(view),
                in_window(pen, "type a second word to compare heads"));
  if (row && !low && !grouped && !pen.canvas.plain()) {  // maps closer to each other may have numbers
    constexpr float narrow_gap = 8;
    const float wider = std::floor((inside.w - 2 * narrow_gap) / 3),
                high = inside.h - control_height - 6 - compare_choosers_more(view) -
                       compare_role_height(pen) - bar_high;
    if (!numbered(view, cell_in(view, {third, high})) && numbered(view, cell_in(view, {wider, high})))
      gap = narrow_gap, third = wider;
  }
  const scene::WeightScale scale = scene::weight_scale(view.sheet.in.scene, tokens, r.counts);
  // In a low window the one scale of all three is beside the title of A − B, unless its bars have to say what
  // is beyond their ends.
  const bool bar_above = low && row && scale.kind != scene::MapScale::automatic;
  std::array<Box, 3> place;
  const float bar = bar_above
                        ? 0.f
                        : bar_height(view, row                         ? third
                                           : compare_maps_stacked(pen) ? inside.w
                                                                       : std::floor((inside.w - gap) / 2));
  // On paper and on a slide the rows of three maps side by side are labelled once: no label is a control
  // there. In a low window the cells need the room, and names of columns lie flat above them; the choices of
  // a stack, with its layers, need all of their column.
  const bool labelled_once = row && (pen.canvas.plain() || (low && !view.stack()));
  if (row) {
    // The first map is wider by its labels, so that its cells are no smaller. What the labels need depends on
    // the size of the cells: iterate.
    float first = 0, wide = third;
    const float high =
        inside.h - control_height - below_choosers - (low ? 0 : compare_role_height(pen)) - bar;
    for (int round = 0; labelled_once && round < 8; ++round) {
      MatrixPanel alone = panel_of(view);
      alone.flat_names = low;
      const float with_labels = cells_room(pen, {0, 0, wide + first, high}, alone).width;
      alone.row_labels = false;
      const float missing = cells_room(pen, {0, 0, wide, high}, alone).width - with_labels;
      if (missing <= 0) break;
      first += std::ceil(missing);
      wide = std::floor((inside.w - 2 * gap - first) / 3);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      place[i] = {inside.x + static_cast<float>(i) * (wide + gap) + (i > 0 ? first : 0), inside.y,
                  wide + (i > 0 ? 0 : first), inside.h};
    }
  } else if (compare_maps_stacked(pen)) {
    const float high = std::floor((inside.h + gap) / 3);
    for (std::size_t i = 0; i < 3; ++i)
      place[i] = {inside.x, inside.y + static_cast<float>(i) * high, inside.w, high - gap};
  } else {
    // Without the note above the last map the card becomes lower, and the maps keep their height.
    const bool noted = with_hints(pen, compare_role_height(pen));
    const float wide = std::floor((inside.w - gap) / 2);
    float high = std::floor((inside.h + (noted ? 0 : compare_role_height(pen))) / 2);
    if (pen.canvas.parts().square) high = squares_above(view, wide);
    place = {Box{inside.x, inside.y, wide, high - 8}, Box{inside.x + wide + gap, inside.y, wide, high - 8},
             Box{inside.x, inside.y + high, inside.w, inside.h - high}};
    if (pen.canvas.parts().square) place[2].w = wide;  // cells of one size in all three
  }
  if (grouped) group_cells(view, box, inside, place);
  // In a window both are chosen in the same way.
  const bool alike = row && !pen.canvas.plain();
  const float narrower = std::min(place[0].w, place[1].w);
  compare_chooser(view, {place[0].x, place[0].y}, alike ? narrower : place[0].w, WhichSide::a, r.layer_a,
                  r.a);
  compare_chooser(view, {place[1].x, place[1].y}, alike ? narrower : place[1].w, WhichSide::b, r.layer_b,
                  r.b);
  put(pen, {place[2].x, place[2].y + control_height / 2}, "A − B", strong_style(theme.text, 14), place[2].w);
  if (bar_above) {
    constexpr float title = 48;
    low_color_bar(pen, {place[2].x + title, place[2].y, place[2].w - title, control_height},
                  scale_words(scale, "0", true));
  }
  if (scale_below && lined) {
    segmented(pen, {line.right(), line.y}, choices);
    line.cut_right(segmented_width(pen, choices) + 16);
  } else if (!pen.canvas.plain() && segmented_width(pen, choices) + scale_title <= place[2].w && !bar_above) {
    segmented(pen, {place[2].right(), place[2].y}, choices);
  }
  for (std::size_t i = 0; i < 3; ++i)  // below A and B, A − B needs no room for choosers
    place[i].cut_top(control_height + below_choosers + (row || i < 2 ? compare_choosers_more(view) : 0));
  if (!low && !grouped) compare_role_lines(view, place);

  MatrixPanel map = panel_of(view);
  map.flat_names = low;
  if (grouped) map.most_cell = one_cell_share * box.h, map.centred = true;
  if (!view.one_token()) map.most_cell = most_cell_in(place[0]);
  if (pen.canvas.parts().square && row) {  // cells of one size in all three, and on one line
    std::array<CellsRoom, 3> rooms;
    const auto measure = [&] {
      for (std::size_t i = 0; i < 3; ++i) {
        MatrixPanel alone = map;
        alone.row_labels = i == 0 || !labelled_once;
        rooms[i] = cells_room(pen, {0, 0, place[i].w, place[i].h - bar}, alone);
      }
    };
    for (int round = 0; round < 3; ++round) {  // smaller cells may have longer labels
      measure();
      for (const CellsRoom& room : rooms)
        map.most_cell = std::min(map.most_cell, room.width / static_cast<float>(map.cols));
    }
    const float highest = std::max({rooms[0].above, rooms[1].above, rooms[2].above});
    for (std::size_t i = 0; i < 3; ++i) place[i].cut_top(highest - rooms[i].above);
  }
  if (!pen.canvas.plain() && !view.one_token())
    map.numbers = numbered(view, cell_in(view, {place[0].w, place[0].h - bar}));
  const auto draw_one = [&](std::size_t which, const float* values, int head) {
    Box area = place[which];
    area.cut_bottom(bar);
    map.values = values, map.mark.head = head, map.mask_name = which == 0;
    map.row_labels = which == 0 || !labelled_once;
    map.fitted = !row && which < 2 && !compare_maps_stacked(pen);
    const Box cells = draw_matrix_panel(pen, area, map).cells;
    const bool signed_map = map.map == draw::Colormap::signed_weight;
    ColorBar stated = signed_map ? scale_words(scale, "0", true) : scale_words(scale, "weight");
    if (bar_above) return;
    // All have one scale. The first one says what it is, and what a pixel shows; the second how much is
    // beyond its end.
    const Point cell{cells.w / static_cast<float>(map.cols), cells.h / static_cast<float>(map.rows)};
    if (which == 0) stated = with_pooled(stated, std::min(cell.x, cell.y));
    if (which == 1) stated = with_share_alone(stated, scale, theme);
    color_bar(pen, {cells.x, cells.bottom() + 8, bar_width(pen, cells.w, stated), 8}, stated);
    if (signed_map && bar > bar_high && numbered(view, cell) && rounds_apart(view)) {
      const float y = cells.bottom() + 26 + 1.5f * text_line(pen, 14) - 7;
      const draw::TextStyle style = words_style(theme.dim, small_size);
      const float width = pen.canvas.text_width(rounded_words, style);
      const float x = std::max(place[which].x, std::min(cells.x, place[which].right() - width));
      if (width <= place[which].w) put(pen, {x, y}, rounded_words, style);
    }
  };
  // One end for all three: with its own, A − B would look empty beside maps of a finer scale, or too full.
  map.scale = &scale, map.hi = scale.end, map.decades = scale.decades();
  // The mark of a cell has a head only in the scene's layer.
  draw_one(0, trace.weights.plane(r.a), view.stack() ? -1 : r.a);
  draw_one(1, r.map_b.data(), r.other_seed || view.stack() ? -1 : r.b);
  map.lo = -scale.end;
  map.map = draw::Colormap::signed_weight;
  if (view.one_token()) map.weights = false;  // its only number is 0, and is written
  draw_one(2, r.difference.data(), -1);
  if (lined) compare_cell_line(view, line);
}

}  // namespace headlight::views
