// The cards of A and B with their controls, and their difference.
#include <algorithm>
#include <array>
#include <cmath>

#include "draw/no_canvas.h"
#include "kit/choices.h"
#include "kit/drawn_scale.h"
#include "kit/matrix_panel.h"
#include "kit/weight_bar.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/view.h"
#include "scene/map_scale.h"

namespace headlight::views {

namespace {

constexpr float controls_gap = 6, bar_height = 26, table_height = 6 * 16;
constexpr float level_with_table = table_height + 26;  // controls, with the table of the difference beside

/// Writes an error in place of a map, on a few lines.
void say_error(const VariantsView& view, Box area, const std::string& words) {
  const draw::TextStyle style = words_style(view.theme().text);
  float y = area.y + 12;
  for (const std::string& line : wrap(view.pen, words, style, area.w, 5)) {
    if (y + 8 > area.bottom()) break;
    put(view.pen, {area.x, y}, line, style, area.w);
    y += 17;
  }
}

/// Draws the colour bar directly below the cells of a map, as long as the cells are wide. If there are masked
/// cells, their legend is on the line of the captions. `area` is the room for map and bar.
void bar_under(const VariantsView& view, Box area, const MatrixPlace& place, const MatrixPanel& map,
               const ColorBar& words) {
  const Box cells = place.cells;
  color_bar(
      view.pen,
      {cells.x, std::min(cells.bottom() + 6, area.bottom() - 24), bar_width(view.pen, cells.w, words), 8},
      words);
  if (!has_masked(map) || place.mask_named || map.down.empty()) return;
  const std::string note = can_mask(map) ? "masked" : "masked: drawn as 0";
  const float legend = legend_width(view.pen, note) + 2;
  const Point at{std::min(std::max(cells.x + 48, cells.right() - legend), area.right() - legend),
                 area.y + 6.5f};
  if (at.x < cells.x + 40) return;
  if (can_mask(map)) {
    masked_legend(view.pen, at, note);
  } else {
    put(view.pen, at, note, words_style(view.theme().dim, small_size), legend);
  }
}

std::string of_side(WhichSide which) {
  return which == WhichSide::a ? " side=a" : " side=b";
}

std::string variance_text(const VariantsView& view, WhichSide which) {
  return view.in.text("variant_variance" + of_side(which));
}

/// Writes the variance of the scores and the mean entropy on the line of the captions.
void say_numbers(const VariantsView& view, Box area, const MatrixPlace& place, WhichSide which) {
  const std::string words = "variance " + variance_text(view, which) + " · entropy " +
                            view.in.text("variant_entropy" + of_side(which)) + " bits";
  const draw::TextStyle style = aligned(words_style(view.theme().dim, small_size), Align::right);
  const float right = place.cells.right(), room = right - place.cells.x - 32;
  if (view.pen.canvas.text_width(words, style) > room) return;
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "numbers", mark.area = {right - room, area.y, room, 13};
  mark.note = "variance of the scores over the allowed pairs; mean entropy of the rows";
  view.pen.canvas.mark(mark);
  view.pen.canvas.mark({});
  put(view.pen, {right, area.y + 6.5f}, words, style, room);
}

/// Writes the same on a slide, in a line that begins where the cells do if it has room there.
void say_below(const VariantsView& view, Box line, float left, WhichSide which) {
  const std::string words = "score variance " + variance_text(view, which) + " · mean entropy " +
                            view.in.text("variant_entropy" + of_side(which)) + " bits";
  const draw::TextStyle style = words_style(view.theme().dim);
  const float x = std::max(line.x, std::min(left, line.right() - view.pen.canvas.text_width(words, style)));
  put(view.pen, {x, line.bottom() - text_line(view.pen, 20) / 2}, words, style, line.right() - x);
}

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

/// Subtracts the changes of the scores of A and B: as many decimals as the larger one has, so that it can be
/// checked by hand, and at least one digit other than 0 where they differ.
std::string shift_change(const PageInput& in) {
  constexpr int digits = 3;  // those of the quantity variant_shift
  const double a = in.value("variant_shift side=a"), b = in.value("variant_shift side=b"), change = a - b;
  if (std::isnan(change)) return "–";
  const int decimals = shift_decimals(a, b);
  constexpr int most_decimals = 5;
  if (decimals <= most_decimals && std::abs(change) >= 0.5 * std::pow(10, -decimals))
    return signed_text(change, std::max(0, decimals));
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
    const int places = decimals_to_subtract(a_value, b_value, decimals);
    if (places == decimals) return Row{name, in.text(left), in.text(right), signed_text(change, decimals)};
    return Row{name, in.text(left, base::decimals(places)), in.text(right, base::decimals(places)),
               signed_text(change, places)};
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

void draw_table(const VariantsView& view, Box area) {
  // On a slide the longest number needs more room.
  const float widest = view.pen.canvas.text_width("8.88e−88", mono_style({}, small_size)) + 8;
  // The longest name of a row has room where the numbers keep theirs.
  const float usual = std::max((area.w - 130) / 3, std::min(62.f, (area.w - 100) / 3));
  const float column =
      std::max(std::clamp(usual, 44.f, 90.f), on_slide(view.pen) ? std::min(widest, area.w / 4) : 0.f);
  const float right[] = {area.x + area.w - 2 * column, area.x + area.w - column, area.x + area.w};
  const float pitch = std::min(text_line(view.pen, 19), area.h / 6);
  float y = area.y + pitch / 2;
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const auto head = [&](float x, const char* words, draw::Color color) {
    put(view.pen, {x, y}, words, aligned(strong_style(color, word_size), Align::right), column - 6);
  };
  head(right[0], "A", side_color(view.theme(), WhichSide::a));
  head(right[1], "B", side_color(view.theme(), WhichSide::b));
  head(right[2], "A − B", view.theme().text);
  for (const Row& row : table(view)) {
    y += pitch;
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = row.name, mark.area = {area.x, y - pitch / 2, area.w, pitch};
    mark.note =
        row.name == "entropy, bits" ? "mean over the rows of −Σ α log₂ α"
        : row.name.starts_with(shift_label)
            ? "largest change of a score when all positions move by " + std::to_string(view.settings().shift)
        : row.name == "score variance" ? "over the allowed pairs, after ÷√d_k where it is on"
                                       : "over the allowed pairs of this head";
    view.pen.canvas.mark(mark);
    view.pen.canvas.mark({});
    const float room = right[0] - column - area.x;
    put(view.pen, {area.x, y}, row.name, quiet, room);
    const std::string* cells[] = {&row.a, &row.b, &row.change};
    for (int i = 0; i < 3; ++i) {
      put(view.pen, {right[i], y}, *cells[i],
          aligned(mono_style(i == 2 ? view.theme().text : view.theme().dim, small_size), Align::right),
          column - 4);
    }
  }
}

std::string difference_words(const VariantsView& view) {
  const scene::VariantDifference& d = view.results.difference;
  if (d.weights.empty()) return "there is nothing to compare";
  if (d.largest == 0) return "the two maps are exactly equal";
  if (std::isnan(d.moved)) return no_common_rows(view.results);
  const auto token = [&](int i) { return told_token(view.in, i); };
  return view.in.text("variant_moved") + " of the weight moves" + most_moved("; ", d, token);
}

}  // namespace

std::string no_common_rows(const scene::VariantsResults& r) {
  if (r.a.allowed > 0 && r.b.allowed > 0) return "no query has weights in both maps";
  return std::string(r.b.allowed > 0   ? "A has"
                     : r.a.allowed > 0 ? "B has"
                                       : "A and B have") +
         " no weights: every key is masked";
}

namespace {

float draw_stepper(const VariantsView& view, Box inside, const std::vector<Choice>& choices) {
  segmented(view.pen, {inside.x + segmented_width(view.pen, choices), inside.y}, choices);
  return control_height;
}

/// The scale of weights that goes up to `end`, with many tokens up to the percentile of what is drawn.
scene::WeightScale side_scale(const VariantsView& view, float end) {
  const bool many = view.results.T > scene::unit_scale_tokens;
  return {many ? scene::MapScale::automatic : scene::MapScale::unit, end, 0};
}

/// Where the panel has its cells in this area.
Box cells_of(const VariantsView& view, Box area, MatrixPanel map) {
  draw::NoCanvas unseen(view.pen.canvas);
  map.scale = nullptr;
  return draw_matrix_panel({unseen, view.pen.theme}, area, map).cells;
}

/// The end of the scale of the difference.
float difference_end(const VariantsView& view) {
  const scene::VariantDifference& d = view.results.difference;
  return view.results.T > scene::unit_scale_tokens ? d.counts.end().end
                                                   : static_cast<float>(nice_ceiling(d.largest));
}

/// Do the cells have numbers? The longest are those of the difference, with a sign: where these do not fit, A
/// and B have none either, so that all can be compared.
bool numbered(const VariantsView& view, Box area, const MatrixPanel& map) {
  if (!map.numbers || view.results.T == 1 || view.pen.canvas.plain()) return map.numbers;
  const float cells = map.view.w > 0 ? map.view.w : static_cast<float>(map.cols);
  return signed_numbers_fit(view.pen, cells_of(view, area, map).w / cells,
                            weight_decimals(difference_end(view)));
}

/// The scale that A and B share when their masks differ, from the pixels that both have in this area.
scene::WeightScale scale_of_both(const VariantsView& view, Box area, const MatrixPanel& map,
                                 const scene::VariantSideResults& side,
                                 const scene::VariantSideResults& other) {
  const Box cells = cells_of(view, area, map);
  std::vector<DrawnMap> maps;
  for (const scene::VariantSideResults* one : {&side, &other}) {
    draw::Heatmap heat;
    heat.values = one->weights.data(), heat.rows = map.rows, heat.cols = heat.row_stride = map.cols;
    heat.version = map.version, heat.transposed = map.transposed, heat.view = map.view;
    heat.allowed = one->intervals;
    maps.push_back({heat, cells, one->allow});
  }
  return drawn_scale(side_scale(view, map.hi), maps, view.pen.canvas.pixels());
}

}  // namespace

namespace {

/// The side of the only cell in the map of one token, which is in the middle of a window's card; else 0.
float one_cell(const VariantsView& view, Box& inside) {
  if (view.results.T != 1 || view.pen.canvas.plain()) return 0;
  constexpr float part = 0.7f, around = 44 + bar_height;  // captions, labels and the bar
  const float side = std::min(part * inside.w, inside.h - around), spare = inside.h - side - around;
  if (spare > 0) inside.cut_top(spare / 2), inside.cut_bottom(spare / 2);
  return std::max(0.f, side);
}

/// What distinguishes a side from the other one; without a difference its positions.
std::string only_different(const scene::VariantSide& side, const scene::VariantSide& other) {
  std::string out;
  const auto add = [&](const std::string& words) { out += (out.empty() ? "" : " · ") + words; };
  if (side.position != other.position) add(position_name(side.position));
  if (side.mask != other.mask) add(mask_name(side.mask));
  if (side.scale != other.scale) add(side.scale ? "÷√d_k" : "not ÷√d_k");
  return out.empty() ? position_name(side.position) : out;
}

/// Writes the positions and the mask of a side; where the names of both sides have no room, what differs.
void say_side(const VariantsView& view, Point at, float room, const scene::VariantSide& settings,
              const scene::VariantSide& other) {
  const draw::TextStyle style = strong_style(view.theme().text);
  const auto has_room = [&](const scene::VariantSide& side) {
    return view.pen.canvas.text_width(side_name(side), style) <= room;
  };
  const bool fits = view.pen.canvas.plain() || (has_room(settings) && has_room(other));
  put(view.pen, at, fits ? side_name(settings) : only_different(settings, other), style, room);
}

}  // namespace

float side_controls_height(const VariantsView& view, float card_width, Choosers choosers) {
  if (choosers == Choosers::steps) return 2 * control_height + controls_gap;
  const Box area{0, 0, card_width - 2 * card_padding, 0};
  const float positions = choice_lines(view.pen, area, position_choices(view, WhichSide::a), false);
  if (choosers == Choosers::masks_in_steps)
    return std::max(positions + controls_gap + control_height, level_with_table);
  return positions + controls_gap + choice_lines(view.pen, area, mask_choices(view, WhichSide::a), false);
}

void side_card(const VariantsView& view, Box box, WhichSide which, Choosers choosers) {
  const bool steps = choosers == Choosers::steps;
  const auto scales = scale_choices(view, which);
  const scene::VariantSideResults& side = side_of(view, which);
  const bool titled = view.pen.canvas.parts().title;
  constexpr float title = 30;
  if (!titled && !on_slide(view.pen)) box.cut_top(title);
  Box inside =
      card(view.pen, box, {"", "", 0, (which == WhichSide::a ? "A: " : "B: ") + side_name(side.settings)},
           which == WhichSide::a ? "a" : "b");
  if (titled) {
    side_badge(view.pen, {inside.x + 9, inside.y + 8}, which);
    if (!steps || view.in.leaves_out("choosers"))  // else they are below it
      say_side(view, {inside.x + 26, inside.y + 8}, inside.w - 26 - segmented_width(view.pen, scales) - 4,
               side.settings, side_of(view, which == WhichSide::a ? WhichSide::b : WhichSide::a).settings);
    if (!view.in.leaves_out("choosers")) segmented(view.pen, card_corner(box), scales);
    inside.cut_top(title);
  }
  const auto positions = position_choices(view, which), masks = mask_choices(view, which);
  if (view.in.leaves_out("choosers")) {
    inside.cut_top(2);
  } else {
    const float top = inside.y;
    inside.cut_top(
        (steps ? draw_stepper(view, inside,
                              stepper(positions, which == WhichSide::a ? "a position" : "b position"))
               : choice_lines(view.pen, inside, positions)) +
        controls_gap);
    inside.cut_top(
        choosers == Choosers::all
            ? choice_lines(view.pen, inside, masks)
            : draw_stepper(view, inside, stepper(masks, which == WhichSide::a ? "a mask" : "b mask")));
    if (choosers == Choosers::masks_in_steps)
      inside.cut_top(std::max(0.f, top + level_with_table - inside.y));
    inside.cut_top(8);
  }
  if (!side.error.empty()) return say_error(view, inside, side.error);
  // A slide has no card of the difference beside it, so its numbers are here.
  const Box foot = on_slide(view.pen) ? inside.cut_bottom(text_line(view.pen, 20) + 6) : Box{};
  const float one = one_cell(view, inside);
  const Box area = inside;
  inside.cut_bottom(bar_height + 4);
  MatrixPanel map = token_map_of(view, which == WhichSide::a ? "a" : "b");
  map.hi = weights_end(view), map.most_cell = std::max(one, most_cell_in(inside));
  if (steps) map.down.clear(), map.across.clear();
  if (on_slide(view.pen)) {
    map.most_cell = std::max(map.most_cell, inside.h);  // one token fills it as well
    map.stretched = view.results.T > scene::unit_scale_tokens;
  }
  map.values = side.weights.data();
  map.allowed = side.intervals, map.allow = side.allow;
  if (!view.results.difference.weights.empty()) map.numbers = numbered(view, inside, map);
  const scene::WeightScale whole = side_scale(view, map.hi);
  const scene::VariantSideResults& other = side_of(view, which == WhichSide::a ? WhichSide::b : WhichSide::a);
  map.scale = &whole;
  scene::WeightScale shared = whole;
  const auto alike = [](const scene::VariantSideResults& x, const scene::VariantSideResults& y) {
    return x.intervals == y.intervals && x.allow == y.allow;
  };
  if (!other.weights.empty() && whole.kind == scene::MapScale::automatic && !alike(side, other)) {
    shared = scale_of_both(view, inside, map, side, other);
    map.scale = nullptr, map.hi = shared.end;
  } else if (!other.weights.empty()) {
    map.sharing = {other.weights.data()};
  }
  const MatrixPlace place = draw_matrix_panel(view.pen, inside, map);
  if (map.scale) shared = place.scale, map.hi = shared.end;
  if (foot.h > 0) say_below(view, foot, place.cells.x, which);
  const ColorBar words{
      draw::Colormap::weight, "0", "weight α",
      (static_cast<double>(map.hi) < side.largest ? "≥ " : "") + brief(static_cast<double>(map.hi), 3)};
  bar_under(view, area, place, map, shared.above > 0 ? with_share(words, shared, view.theme()) : words);
  // The words about masked pairs have the same place: the numbers are on both sides or on none.
  MatrixPanel beside = map;
  beside.allowed = other.intervals, beside.allow = other.allow;
  if (!steps && !on_slide(view.pen) && !has_masked(map) && !has_masked(beside))
    say_numbers(view, area, place, which);
}

void difference_card(const VariantsView& view, Box box, Choosers choosers) {
  const bool steps = choosers == Choosers::steps;
  const scene::VariantDifference& d = view.results.difference;
  Box inside = card(view.pen, box, {"Difference A − B", difference_words(view)}, "difference");
  progress_line(view.pen, box, view.in.busy);
  if (d.weights.empty()) {
    return say_error(view, inside,
                     view.results.a.error.empty() ? view.results.b.error : view.results.a.error);
  }
  if (on_slide(view.pen)) {  // map and numbers are side by side on a slide
    const Box numbers = inside.cut_right(inside.w * 0.42f);
    inside.cut_right(24);
    draw_table(view, {numbers.x, numbers.y, numbers.w, std::min(numbers.h, 6 * 26.f)});
  } else {
    // The map is level with those of A and B.
    const float top = box.y + card_padding + 30 + side_controls_height(view, box.w, choosers) + 8;
    const float above = std::max(steps ? 0.f : table_height, top - 8 - inside.y);
    if (const Box table = inside.cut_top(above); !steps) draw_table(view, table);
    inside.cut_top(8);
  }
  const float one = one_cell(view, inside);
  const Box area = inside;
  inside.cut_bottom(bar_height + 4);
  MatrixPanel map = token_map_of(view, "difference");
  if (steps) map.down.clear(), map.across.clear();
  map.values = d.weights.data(), map.most_cell = std::max(one, most_cell_in(inside));
  map.allowed = d.intervals, map.allow = d.allow;
  if (view.results.T == 1) map.weights = false;  // its only number is 0, and is written
  if (on_slide(view.pen)) map.most_cell = std::max(map.most_cell, inside.h);
  map.map = draw::Colormap::signed_weight;
  map.hi = difference_end(view), map.lo = -map.hi;
  map.numbers = numbered(view, inside, map);
  const scene::WeightScale whole = side_scale(view, map.hi);
  map.scale = &whole;
  const MatrixPlace place = draw_matrix_panel(view.pen, inside, map);
  map.hi = place.scale.end, map.lo = -map.hi;
  const bool beyond = static_cast<double>(map.hi) < d.largest;
  const std::string end = brief(static_cast<double>(map.hi), 2);
  bar_under(view, area, place, map,
            {draw::Colormap::signed_weight, (beyond ? "≤ −" : "−") + end, "B higher · A higher",
             (beyond ? "≥ +" : "+") + end});
}

}  // namespace headlight::views
