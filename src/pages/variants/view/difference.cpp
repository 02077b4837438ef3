// The card of the difference of A and B, with its table.
#include <algorithm>
#include <array>
#include <cmath>

#include "draw/no_canvas.h"
#include "kit/cells.h"
#include "kit/choices.h"
#include "kit/matrix_panel.h"
#include "kit/sides.h"
#include "kit/weight_bar.h"
#include "kit/words.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/side_maps.h"

namespace headlight::views {

namespace {

struct Row {
  std::string name, a, b, change;
};

constexpr const char* shift_label = "Δ score at +";

/// The decimals that both changes of a score are written with.
int shift_decimals(double a, double b) {
  constexpr int digits = 3;  // those of the quantity variant_shift
  const double larger = std::max(std::abs(a), std::abs(b));
  return larger > 0 ? digits - 1 - static_cast<int>(std::floor(std::log10(larger))) : digits;
}

/// Subtracts the changes of the scores of A and B: as many decimals as the larger one has, and at least one
/// digit other than 0 where they differ.
std::string shift_change(const PageInput& in) {
  constexpr int digits = 3;  // those of the quantity variant_shift
  const double a = in.value("variant_shift side=a"), b = in.value("variant_shift side=b"), change = a - b;
  if (std::isnan(change)) return "–";
  const int decimals = shift_decimals(a, b);
  constexpr int most_decimals = 5;
  if (decimals <= most_decimals && std::abs(change) >= 0.5 * std::pow(10, -decimals))
    return difference_text(a, b, std::max(0, decimals));
  const std::string size = brief(std::abs(change), digits);
  return change < 0 ? "−" + size : change > 0 ? "+" + size : size;
}

std::vector<Row> table(const VariantsView& view) {
  const scene::VariantSideResults &a = view.results.a, &b = view.results.b;
  const PageInput& in = view.in;
  constexpr int weight_places = 3;
  const auto row = [&in](const char* name, const std::string& quantity, int decimals) {
    const std::string left = quantity + " side=a", right = quantity + " side=b";
    const double a_value = in.value(left), b_value = in.value(right), change = a_value - b_value;
    if (std::isnan(change)) return Row{name, in.text(left), in.text(right), "–"};
    return Row{name, in.text(left), in.text(right), difference_text(a_value, b_value, decimals)};
  };
  const auto shift = [&in](WhichSide which, const scene::VariantSideResults& side) {
    if (!side.shift_error.empty()) return std::string("no row");
    const std::string name = "variant_shift" + of_side(which);
    const int decimals = shift_decimals(in.value("variant_shift side=a"), in.value("variant_shift side=b"));
    // A rounding error keeps its digits.
    const bool shown = decimals <= 5 && in.value(name) >= 0.5 * std::pow(10, -decimals);
    return shown ? in.text(name, base::decimals(std::max(0, decimals))) : in.text(name);
  };
  const bool both_shifted = a.shift_error.empty() && b.shift_error.empty();
  return {row("entropy, bits", "variant_entropy", 2),
          row("largest weight", "variant_largest", weight_places),
          row("score variance", "variant_variance", 2),
          {"allowed pairs", in.text("variant_pairs side=a"), in.text("variant_pairs side=b"),
           with_commas(static_cast<long long>(a.allowed) - static_cast<long long>(b.allowed))},
          {shift_label + std::to_string(view.settings().shift), shift(WhichSide::a, a),
           shift(WhichSide::b, b), both_shifted ? shift_change(in) : "–"}};
}

/// The width of the numbers of a table whose names have lines of their own.
float narrow_table(const VariantsView& view) {
  constexpr float beside = 8;
  return 3 * (std::ceil(view.pen.canvas.text_width("8.88e−88", mono_style({}, small_size))) + beside);
}

/// Draws the table of A, B and A − B; `named_above`: each row's name is on a line above its numbers, so that
/// they need no more than narrow_table().
void draw_table(const VariantsView& view, Box area, bool named_above = false) {
  // On a slide the longest number needs more room.
  const float widest = view.pen.canvas.text_width("8.88e−88", mono_style({}, small_size)) + 8;
  // The longest name of a row has room where the numbers keep theirs.
  const float usual = std::max((area.w - 130) / 3, std::min(62.f, (area.w - 100) / 3));
  const float column = named_above ? area.w / 3
                                   : std::max(std::clamp(usual, 44.f, 90.f),
                                              on_slide(view.pen) ? std::min(widest, area.w / 4) : 0.f);
  const std::vector<Row> rows = table(view);
  // A difference with its sign and "≈" keeps a gap to the number of B.
  constexpr float apart = 14;
  float longest = 0;
  for (const Row& row : rows)
    longest = std::max(longest, view.pen.canvas.text_width(row.change, mono_style({}, small_size)));
  const float wide = std::max(column, std::ceil(longest) + apart),
              narrow = named_above ? (area.w - wide) / 2 : column;
  const float right[] = {area.x + area.w - wide - narrow, area.x + area.w - wide, area.x + area.w};
  const float pitch = std::min(text_line(view.pen, 19), area.h / (named_above ? 13.5f : 6.f));
  float y = area.y + pitch / 2;
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const auto head = [&](float x, const char* words, draw::Color color) {
    put(view.pen, {x, y}, words, aligned(strong_style(color, word_size), Align::right), column - 6);
  };
  head(right[0], "A", side_color(view.theme(), WhichSide::a));
  head(right[1], "B", side_color(view.theme(), WhichSide::b));
  head(right[2], "A − B", view.theme().text);
  for (const Row& row : rows) {
    y += named_above ? 1.5f * pitch : pitch;  // a name is nearer to its own numbers
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = row.name,
    mark.area = {area.x, y - pitch / 2, area.w, named_above ? 2 * pitch : pitch};
    mark.note =
        row.name == "entropy, bits" ? "mean over the rows of −Σ α log₂ α"
        : row.name.starts_with(shift_label)
            ? "largest change of a score when all positions move by " + std::to_string(view.settings().shift)
        : row.name == "score variance" ? "over the allowed pairs, after ÷√d_k where it is on"
                                       : "over the allowed pairs of this head";
    view.pen.canvas.mark(mark);
    view.pen.canvas.mark({});
    const float room = named_above ? area.w : right[0] - narrow - area.x;
    put(view.pen, {area.x, y}, row.name, quiet, room);
    if (named_above) y += pitch;
    const std::string* cells[] = {&row.a, &row.b, &row.change};
    for (int i = 0; i < 3; ++i) {
      put(view.pen, {right[i], y}, *cells[i],
          aligned(mono_style(i == 2 ? view.theme().text : view.theme().dim, small_size), Align::right),
          (i == 2 ? wide : narrow) - 4);
    }
  }
}

std::string difference_words(const VariantsView& view) {
  const scene::VariantDifference& d = view.results.difference;
  if (d.weights.empty()) return "there is nothing to compare";
  if (d.largest == 0) return "the two maps are exactly equal";
  if (std::isnan(d.moved)) return no_common_rows(view.results);
  const auto token = [&](int i) { return token_in_words(view.in, i); };
  return view.in.text("variant_moved") + " of the weight moves" + most_moved("; ", d, token);
}

/// Do the cells of the difference have numbers on a slide, in this area?
bool cells_have_numbers(const VariantsView& view, Box area) {
  MatrixPanel map = token_map_of(view, "difference");
  map.values = view.results.difference.weights.data(), map.most_cell = std::max(map.most_cell, area.h);
  const Box cells = cells_of(view, area, map);
  const auto tokens = static_cast<float>(view.results.T);
  const Point cell{cells.w / tokens, cells.h / tokens};
  return map.numbers && numbers_fit(view.pen, cell) &&
         signed_numbers_fit(view.pen, cell.x, weight_decimals(side_scale(view).end));
}

/// What is drawn where in the card.
struct DifferencePlan {
  Box table;  // w 0: none
  bool named_above = false, low = false;
  Box area, inside;  // of the map with its bar, and without it
  MatrixPanel map;
};

DifferencePlan plan_of(const VariantsView& view, Box box, Box inside, Choosers choosers) {
  const bool steps = choosers == Choosers::steps;
  const scene::VariantDifference& d = view.results.difference;
  DifferencePlan out;
  if (on_slide(view.pen)) {  // map and numbers are side by side on a slide
    constexpr float apart = 24, share = 0.42f;
    const float narrow = narrow_table(view);
    // The table is narrower where the cells of the map then have numbers.
    const auto map_beside = [&](float table) {
      return cells_have_numbers(
          view, {inside.x, inside.y, inside.w - table - apart, inside.h - room_of_bar(view, false)});
    };
    out.named_above = !map_beside(share * inside.w) && map_beside(narrow);
    out.table = inside.cut_right(out.named_above ? narrow : share * inside.w);
    if (!out.named_above) out.table.h = std::min(out.table.h, 6 * 26.f);
    inside.cut_right(apart);
  } else {
    // The map is level with those of A and B.
    const float top = box.y + card_padding + title_height + side_controls_height(view, box.w, choosers) + 8;
    const float above = std::max(steps ? 0.f : table_height, top - 8 - inside.y);
    if (const Box table = inside.cut_top(above); !steps) out.table = table;
    inside.cut_top(8);
  }
  const float one = only_cell(view, inside);
  out.area = inside;
  out.low = steps && is_low(inside);
  inside.cut_bottom(room_of_bar(view, out.low));
  out.inside = inside;
  MatrixPanel& map = out.map;
  map = token_map_of(view, "difference");
  if (out.low) map.down.clear(), map.across.clear(), map.flat_names = true;
  map.values = d.weights.data(), map.most_cell = std::max(one, most_cell_in(inside));
  map.allowed = d.intervals, map.allow = d.allow;
  if (view.results.T == 1) map.weights = false;  // its only number is 0, and is written
  if (on_slide(view.pen)) map.most_cell = std::max(map.most_cell, inside.h);
  map.map = draw::Colormap::signed_weight;
  const scene::WeightScale scale = side_scale(view);
  map.hi = scale.end, map.lo = -map.hi, map.decades = scale.decades();
  return out;
}

/// Decides whether the cells have numbers. Returns whether one of them can be unequal to the difference of
/// those of A and B.
bool number_cells(const VariantsView& view, DifferencePlan& plan) {
  const scene::VariantsResults& r = view.results;
  const Box cells = cells_of(view, plan.inside, plan.map);
  const float across = plan.map.view.w > 0 ? plan.map.view.w : static_cast<float>(r.T),
              down = plan.map.view.h > 0 ? plan.map.view.h : static_cast<float>(r.T);
  const Point cell{cells.w / across, cells.h / down};
  plan.map.numbers = sides_numbered(view, plan.map, cell.x);
  constexpr int most_tokens = 40;  // whose cells are all compared in a frame
  const int decimals = weight_decimals(side_scale(view).end);
  return plan.map.numbers && numbers_fit(view.pen, cell) && r.T <= most_tokens &&
         cells_round_apart(r.a.weights.values(), r.b.weights.values(), {decimals, decimals});
}

}  // namespace

std::string no_common_rows(const scene::VariantsResults& r) {
  if (r.a.allowed > 0 && r.b.allowed > 0) return "no query has weights in both maps";
  return std::string(r.b.allowed > 0   ? "A has"
                     : r.a.allowed > 0 ? "B has"
                                       : "A and B have") +
         " no weights: every key is masked";
}

void difference_card(const VariantsView& view, Box box, Choosers choosers) {
  const bool steps = choosers == Choosers::steps;
  const scene::VariantDifference& d = view.results.difference;
  CardHead head{"Difference A − B", difference_words(view)};
  if (d.weights.empty()) {
    const Box inside = card(view.pen, box, head, "difference");
    progress_line(view.pen, box, view.in.busy);
    return say_error(view, inside,
                     view.results.a.error.empty() ? view.results.b.error : view.results.a.error);
  }
  const auto planned = [&](const std::string& words) {
    draw::NoCanvas unseen(view.pen.canvas);
    head.subtitle = words;
    return plan_of(view, box, card({unseen, view.theme()}, box, head, "difference"), choosers);
  };
  // The scale of all three maps is chosen at the title of the last one, as on Compare.
  const auto choices = scale_choices(view.in.scene, view.results.T);
  const bool chosen = !view.pen.canvas.plain() && view.pen.canvas.text_width(head.title, strong_style({})) +
                                                          segmented_width(view.pen, choices) + 8 <=
                                                      box.w - 2 * card_padding;
  DifferencePlan plan = planned(head.subtitle);
  const bool rounded = number_cells(view, plan), numbers = plan.map.numbers;
  if (rounded) {
    // In words, unless their line would move the map.
    const std::string words = head.subtitle;
    const float top = plan.area.y;
    plan = planned(words + "; " + rounded_words);
    if (plan.area.y > top) plan = planned(words + "; cells ≈");
    plan.map.numbers = numbers;
  }
  card(view.pen, box, head, "difference");
  if (chosen) segmented(view.pen, card_corner(box), choices);
  progress_line(view.pen, box, view.in.busy);
  if (plan.table.w > 0) draw_table(view, plan.table, plan.named_above);
  const Box area = plan.area;
  const bool low = plan.low;
  MatrixPanel& map = plan.map;
  const scene::WeightScale scale = side_scale(view);
  map.scale = &scale;
  const MatrixPlace place = draw_matrix_panel(view.pen, plan.inside, map);
  frame_key(view, place, map);
  bar_under(view, area, place, map, scale_words(scale, "B higher · A higher", true), low);
  // Without the table, two of its differences are level with the numbers of A and B.
  if (!steps || low) return;
  MatrixPanel a = map, b = map;
  a.allowed = view.results.a.intervals, a.allow = view.results.a.allow;
  b.allowed = view.results.b.intervals, b.allow = view.results.b.allow;
  if (has_masked(a) || has_masked(b)) return;
  const std::vector<Row> rows = table(view);
  say_numbers(view, area, place, "variance " + rows[2].change + " · entropy " + rows[0].change + " bits",
              "variance of the scores and mean entropy of the rows: that of A less that of B");
}

}  // namespace headlight::views
