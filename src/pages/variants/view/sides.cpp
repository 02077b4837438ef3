// The cards of A and B with their controls.
#include <algorithm>
#include <array>
#include <cmath>

#include "draw/no_canvas.h"
#include "kit/choices.h"
#include "kit/matrix_panel.h"
#include "kit/weight_bar.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/side_maps.h"
#include "scene/map_scale.h"

namespace headlight::views {

namespace {

constexpr float controls_gap = 6;
// Controls, with the table of the difference beside them.
constexpr float least_beside_table = table_height + 14;

std::string variance_text(const VariantsView& view, WhichSide which) {
  return view.in.text("variant_variance" + of_side(which));
}

/// Writes the same on a slide, in a line that begins where the cells do if it has room there.
void say_below(const VariantsView& view, Box line, float left, WhichSide which) {
  const std::string words = "score variance " + variance_text(view, which) + " · mean entropy " +
                            view.in.text("variant_entropy" + of_side(which)) + " bits";
  const draw::TextStyle style = words_style(view.theme().dim);
  const float x = std::max(line.x, std::min(left, line.right() - view.pen.canvas.text_width(words, style)));
  put(view.pen, {x, line.bottom() - text_line(view.pen, 20) / 2}, words, style, line.right() - x);
}

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
  // Both sides have the same choice of the scale.
  for (const WhichSide side : {WhichSide::a, WhichSide::b}) {
    const float masks = segmented_width(view.pen, mask_steps(view, side));
    if (masks + controls_gap + segmented_width(view.pen, whole) > second.w)
      scale = scale_in_turn(view, which);
  }
  segmented(view.pen, {second.x + wide, second.y}, mask);
  segmented(view.pen, {second.right(), second.y}, scale);
}

float draw_stepper(const VariantsView& view, Box inside, const std::vector<Choice>& choices) {
  segmented(view.pen, {inside.x + segmented_width(view.pen, choices), inside.y}, choices);
  return control_height;
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
  return std::max(
      positions + controls_gap + choice_lines(view.pen, area, mask_choices(view, WhichSide::a), false),
      least_beside_table);
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
    if (!steps) inside.cut_top(std::max(0.f, top + least_beside_table - inside.y));
    inside.cut_top(8);
  }
  if (!side.error.empty()) return say_error(view, inside, side.error);
  // A slide has no card of the difference beside it, so its numbers are here.
  const Box foot = on_slide(view.pen) ? inside.cut_bottom(text_line(view.pen, 20) + 6) : Box{};
  const float one = only_cell(view, inside);
  const Box area = inside;
  const bool low = steps && is_low(inside);
  inside.cut_bottom(room_of_bar(view, low));
  MatrixPanel map = token_map_of(view, which == WhichSide::a ? "a" : "b");
  const scene::WeightScale shared = side_scale(view);
  map.scale = &shared, map.hi = shared.end, map.decades = shared.decades();
  map.most_cell = std::max(one, most_cell_in(inside));
  if (low) map.down.clear(), map.across.clear(), map.flat_names = true;
  if (on_slide(view.pen)) map.most_cell = std::max(map.most_cell, inside.h);  // one token fills it as well
  map.values = side.weights.data();
  map.allowed = side.intervals, map.allow = side.allow;
  if (!view.results.difference.weights.empty()) map.numbers = sides_numbered(view, inside, map);
  const scene::VariantSideResults& other = side_of(view, which == WhichSide::a ? WhichSide::b : WhichSide::a);
  const MatrixPlace place = draw_matrix_panel(view.pen, inside, map);
  frame_key(view, place, map);
  if (foot.h > 0) say_below(view, foot, place.cells.x, which);
  const ColorBar words = scale_words(shared, "weight α");
  // Of two maps with one scale, A says what it is, and B how much is beyond its end.
  const bool alone = view.pen.canvas.plain() || other.weights.empty();
  const float cell =
      std::min(place.cells.w / static_cast<float>(map.cols), place.cells.h / static_cast<float>(map.rows));
  const ColorBar of_scale = shared.above <= 0       ? words
                            : alone                 ? with_share(words, shared, view.theme())
                            : which == WhichSide::b ? with_share_alone(words, shared, view.theme())
                                                    : words;
  // A says what a pixel shows, for both.
  const ColorBar bar = which == WhichSide::a || alone ? with_pooled(of_scale, cell) : of_scale;
  bar_under(view, area, place, map, bar, low);
  // The words about masked pairs have the same place: the numbers are on both sides or on none.
  MatrixPanel beside = map;
  beside.allowed = other.intervals, beside.allow = other.allow;
  if (!low && !on_slide(view.pen) && !has_masked(map) && !has_masked(beside))
    say_numbers(view, area, place,
                "variance " + variance_text(view, which) + " · entropy " +
                    view.in.text("variant_entropy" + of_side(which)) + " bits",
                "variance of the scores over the allowed pairs; mean entropy of the rows");
  // Without the choosers no line names the mask: the number of pairs that it leaves is here.
  else if (!low && view.in.leaves_out("choosers") && (!has_masked(map) || place.mask_named))
    say_numbers(view, area, place,
                view.in.text("variant_pairs" + of_side(which)) + " of " +
                    std::to_string(view.results.T * view.results.T) + " pairs",
                "pairs of query and key that the mask allows");
}

}  // namespace headlight::views
