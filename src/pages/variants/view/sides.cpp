// The cards of A and B with their controls, and their difference.
#include <algorithm>
#include <array>
#include <cmath>

#include "draw/no_canvas.h"
#include "kit/choices.h"
#include "kit/matrix_panel.h"
#include "kit/weight_bar.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/view.h"
#include "scene/map_scale.h"

namespace headlight::views {

namespace {

constexpr float controls_gap = 6, bar_height = 26, low_bar_height = 16, table_height = 6 * 16;
constexpr float title_height = 30;
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

/// Has a low card its bar in one line? A scale that follows what is drawn has to say what is beyond its end.
bool low_bar(const VariantsView& view, bool steps) {
  return steps && view.results.T <= scene::unit_scale_tokens;
}
float room_of_bar(const VariantsView& view, bool steps) {
  return low_bar(view, steps) ? low_bar_height : bar_height + 4;
}

/// Draws the colour bar directly below the cells of a map, as long as the cells are wide. If there are masked
/// cells, their legend is on the line of the captions. `area` is the room for map and bar.
void bar_under(const VariantsView& view, Box area, const MatrixPlace& place, const MatrixPanel& map,
               const ColorBar& words, bool steps) {
  const Box cells = place.cells;
  if (low_bar(view, steps)) {
    constexpr float below = 2;
    low_color_bar(view.pen, {cells.x, cells.bottom() + below, cells.w, low_bar_height - below}, words);
    return;
  }
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
  const float right[] = {area.x + area.w - 2 * column, area.x + area.w - column, area.x + area.w};
  const float pitch = std::min(text_line(view.pen, 19), area.h / (named_above ? 11 : 6));
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
    const float room = named_above ? area.w : right[0] - column - area.x;
    put(view.pen, {area.x, y}, row.name, quiet, room);
    if (named_above) y += pitch;
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

std::vector<Choice> position_steps(const VariantsView& view, WhichSide which) {
  return stepper(position_choices(view, which), which == WhichSide::a ? "a position" : "b position");
}
std::vector<Choice> mask_steps(const VariantsView& view, WhichSide which) {
  return stepper(mask_choices(view, which), which == WhichSide::a ? "a mask" : "b mask");
}
/// The chosen scale alone; a click chooses the other one.
std::vector<Choice> scale_in_turn(const VariantsView& view, WhichSide which) {
  const auto both = scale_choices(view, which);
  Choice out = both[both[0].on ? 1 : 0];
  out.note = out.label + (out.note.empty() ? "" : ": " + out.note);
  out.label = both[both[0].on ? 0 : 1].label, out.on = true;
  return {out};
}
/// Have the steps of both sides so much room that the positions are beside the badge and the scale beside the
/// mask? The map then has the line of the title.
bool two_lines(const VariantsView& view, float inside) {
  constexpr float badge = 26;
  for (const WhichSide which : {WhichSide::a, WhichSide::b}) {
    if (badge + segmented_width(view.pen, position_steps(view, which)) > inside) return false;
    if (segmented_width(view.pen, mask_steps(view, which)) + controls_gap +
            segmented_width(view.pen, scale_in_turn(view, which)) >
        inside)
      return false;
  }
  return true;
}
void draw_two_lines(const VariantsView& view, Box& inside, WhichSide which) {
  const auto whole = scale_choices(view, which);
  std::vector<Choice> scale(whole.begin(), whole.end());
  const Box first = inside.cut_top(control_height);
  side_badge(view.pen, {first.x + 9, first.centre().y}, which);
  const auto position = position_steps(view, which);
  segmented(view.pen, {first.x + 26 + segmented_width(view.pen, position), first.y}, position);
  inside.cut_top(controls_gap);
  const Box second = inside.cut_top(control_height);
  const auto mask = mask_steps(view, which);
  const float wide = segmented_width(view.pen, mask);
  if (wide + controls_gap + segmented_width(view.pen, scale) > second.w) scale = scale_in_turn(view, which);
  segmented(view.pen, {second.x + wide, second.y}, mask);
  segmented(view.pen, {second.right(), second.y}, scale);
}

float draw_stepper(const VariantsView& view, Box inside, const std::vector<Choice>& choices) {
  segmented(view.pen, {inside.x + segmented_width(view.pen, choices), inside.y}, choices);
  return control_height;
}

/// Where the panel has its cells in this area.
Box cells_of(const VariantsView& view, Box area, MatrixPanel map) {
  draw::NoCanvas unseen(view.pen.canvas);
  map.scale = nullptr;
  return draw_matrix_panel({unseen, view.pen.theme}, area, map).cells;
}

/// The scale of A, B and their difference. With many tokens all three have one end, that of what is drawn of
/// them; else that of the difference follows from itself.
scene::WeightScale map_scale(const VariantsView& view, bool difference) {
  const scene::VariantDifference& d = view.results.difference;
  if (view.results.T <= scene::unit_scale_tokens)
    return {scene::MapScale::unit,
            difference ? static_cast<float>(nice_ceiling(d.largest)) : weights_end(view), 0};
  nn::WeightCounts all = view.results.a.counts;
  all += view.results.b.counts;
  if (!d.weights.empty()) all += d.counts;
  return {scene::MapScale::automatic, all.end().end, 0};
}

/// All maps but `own` share its scale.
std::vector<SharedMap> sharing_with(const VariantsView& view, const float* own) {
  const scene::VariantSideResults &a = view.results.a, &b = view.results.b;
  const scene::VariantDifference& d = view.results.difference;
  std::vector<SharedMap> out;
  for (const SharedMap& one :
       {SharedMap{a.weights.data(), a.intervals, a.allow}, SharedMap{b.weights.data(), b.intervals, b.allow},
        SharedMap{d.weights.data(), d.intervals, d.allow}})
    if (one.values != own && one.values) out.push_back(one);
  return out;
}

/// Do the cells have numbers? The longest are those of the difference, with a sign: where these do not fit, A
/// and B have none either, so that all can be compared.
bool numbered(const VariantsView& view, Box area, const MatrixPanel& map) {
  if (!map.numbers || view.results.T == 1 || view.pen.canvas.plain()) return map.numbers;
  const float cells = map.view.w > 0 ? map.view.w : static_cast<float>(map.cols);
  return signed_numbers_fit(view.pen, cells_of(view, area, map).w / cells,
                            weight_decimals(map_scale(view, true).end));
}

/// Do the cells of the difference have numbers on a slide, in this area?
bool cells_have_numbers(const VariantsView& view, Box area) {
  MatrixPanel map = token_map_of(view, "difference");
  map.values = view.results.difference.weights.data(), map.most_cell = std::max(map.most_cell, area.h);
  const Box cells = cells_of(view, area, map);
  const auto tokens = static_cast<float>(view.results.T);
  const Point cell{cells.w / tokens, cells.h / tokens};
  return map.numbers && numbers_fit(view.pen, cell) &&
         signed_numbers_fit(view.pen, cell.x, weight_decimals(map_scale(view, true).end));
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
  if (choosers == Choosers::steps)
    return 2 * control_height + controls_gap -
           (two_lines(view, card_width - 2 * card_padding) ? title_height : 0);
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
  if (!titled && !on_slide(view.pen)) box.cut_top(title_height);
  Box inside =
      card(view.pen, box, {"", "", 0, (which == WhichSide::a ? "A: " : "B: ") + side_name(side.settings)},
           which == WhichSide::a ? "a" : "b");
  const bool in_two_lines = steps && titled && !view.in.leaves_out("choosers") && two_lines(view, inside.w);
  if (titled && !in_two_lines) {
    side_badge(view.pen, {inside.x + 9, inside.y + 8}, which);
    if (!steps || view.in.leaves_out("choosers"))  // else they are below it
      say_side(view, {inside.x + 26, inside.y + 8}, inside.w - 26 - segmented_width(view.pen, scales) - 4,
               side.settings, side_of(view, which == WhichSide::a ? WhichSide::b : WhichSide::a).settings);
    if (!view.in.leaves_out("choosers")) segmented(view.pen, card_corner(box), scales);
    inside.cut_top(title_height);
  }
  if (view.in.leaves_out("choosers")) {
    inside.cut_top(2);
  } else if (in_two_lines) {
    draw_two_lines(view, inside, which);
    inside.cut_top(8);
  } else {
    const float top = inside.y;
    inside.cut_top((steps ? draw_stepper(view, inside, position_steps(view, which))
                          : choice_lines(view.pen, inside, position_choices(view, which))) +
                   controls_gap);
    inside.cut_top(choosers == Choosers::all ? choice_lines(view.pen, inside, mask_choices(view, which))
                                             : draw_stepper(view, inside, mask_steps(view, which)));
    if (choosers == Choosers::masks_in_steps)
      inside.cut_top(std::max(0.f, top + level_with_table - inside.y));
    inside.cut_top(8);
  }
  if (!side.error.empty()) return say_error(view, inside, side.error);
  // A slide has no card of the difference beside it, so its numbers are here.
  const Box foot = on_slide(view.pen) ? inside.cut_bottom(text_line(view.pen, 20) + 6) : Box{};
  const float one = one_cell(view, inside);
  const Box area = inside;
  inside.cut_bottom(room_of_bar(view, steps));
  MatrixPanel map = token_map_of(view, which == WhichSide::a ? "a" : "b");
  map.hi = map_scale(view, false).end, map.most_cell = std::max(one, most_cell_in(inside));
  if (steps) map.down.clear(), map.across.clear(), map.flat_names = true;
  if (on_slide(view.pen)) {
    map.most_cell = std::max(map.most_cell, inside.h);  // one token fills it as well
    map.stretched = view.results.T > scene::unit_scale_tokens;
  }
  map.values = side.weights.data();
  map.allowed = side.intervals, map.allow = side.allow;
  if (!view.results.difference.weights.empty()) map.numbers = numbered(view, inside, map);
  const scene::VariantSideResults& other = side_of(view, which == WhichSide::a ? WhichSide::b : WhichSide::a);
  const scene::WeightScale whole = map_scale(view, false);
  map.scale = &whole, map.sharing = sharing_with(view, map.values);
  const MatrixPlace place = draw_matrix_panel(view.pen, inside, map);
  const scene::WeightScale shared = place.scale;
  map.hi = shared.end;
  if (foot.h > 0) say_below(view, foot, place.cells.x, which);
  const ColorBar words{
      draw::Colormap::weight, "0", "weight α",
      (static_cast<double>(map.hi) < side.largest ? "≥ " : "") + brief(static_cast<double>(map.hi), 3)};
  bar_under(view, area, place, map, shared.above > 0 ? with_share(words, shared, view.theme()) : words,
            steps);
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
    constexpr float apart = 24, share = 0.42f;
    const float narrow = narrow_table(view);
    // The table is narrower where the cells of the map then have numbers.
    const auto map_beside = [&](float table) {
      return cells_have_numbers(
          view, {inside.x, inside.y, inside.w - table - apart, inside.h - room_of_bar(view, steps)});
    };
    const bool named_above = !map_beside(share * inside.w) && map_beside(narrow);
    const Box numbers = inside.cut_right(named_above ? narrow : share * inside.w);
    inside.cut_right(apart);
    draw_table(view,
               {numbers.x, numbers.y, numbers.w, named_above ? numbers.h : std::min(numbers.h, 6 * 26.f)},
               named_above);
  } else {
    // The map is level with those of A and B.
    const float top = box.y + card_padding + title_height + side_controls_height(view, box.w, choosers) + 8;
    const float above = std::max(steps ? 0.f : table_height, top - 8 - inside.y);
    if (const Box table = inside.cut_top(above); !steps) draw_table(view, table);
    inside.cut_top(8);
  }
  const float one = one_cell(view, inside);
  const Box area = inside;
  inside.cut_bottom(room_of_bar(view, steps));
  MatrixPanel map = token_map_of(view, "difference");
  if (steps) map.down.clear(), map.across.clear(), map.flat_names = true;
  map.values = d.weights.data(), map.most_cell = std::max(one, most_cell_in(inside));
  map.allowed = d.intervals, map.allow = d.allow;
  if (view.results.T == 1) map.weights = false;  // its only number is 0, and is written
  if (on_slide(view.pen)) map.most_cell = std::max(map.most_cell, inside.h);
  map.map = draw::Colormap::signed_weight;
  const scene::WeightScale whole = map_scale(view, true);
  map.hi = whole.end, map.lo = -map.hi;
  map.numbers = numbered(view, inside, map);
  map.scale = &whole, map.sharing = sharing_with(view, map.values);
  const MatrixPlace place = draw_matrix_panel(view.pen, inside, map);
  map.hi = place.scale.end, map.lo = -map.hi;
  const bool beyond = static_cast<double>(map.hi) < d.largest;
  const std::string end = brief(static_cast<double>(map.hi), 2);
  bar_under(view, area, place, map,
            {draw::Colormap::signed_weight, (beyond ? "≤ −" : "−") + end, "B higher · A higher",
             (beyond ? "≥ +" : "+") + end},
            steps);
}

}  // namespace headlight::views
