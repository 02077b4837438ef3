#include "pages/variants/view/view.h"

#include <algorithm>
#include <cmath>

#include "kit/matrix_panel.h"
#include "kit/page_input.h"
#include "pages/variants/variants.h"
#include "scene/map_scale.h"
#include "scene/pinned.h"

namespace headlight::views {

VariantsView::VariantsView(draw::Canvas& canvas, const PageInput& input)
    : pen{canvas, input.theme, input.hover}, in(input), results(*input.own<scene::VariantsResults>()) {
  const std::size_t count = std::min(static_cast<std::size_t>(results.T), in.results.tokens.size());
  for (std::size_t i = 0; i < count; ++i) tokens.push_back(shown_token(in.results.tokens[i].text));
  const int T = results.T;
  const scene::Pinned pinned = scene::pinned(in.scene, T, T);
  query = pinned.detail_query;
  key = pinned.key;
  if (in.hover && in.hover->mark.part == draw::Part::cell && in.hover->mark.query < T &&
      in.hover->mark.key < T) {
    hover_query = in.hover->mark.query, hover_key = in.hover->mark.key;
  }
}

const scene::VariantSideResults& side_of(const VariantsView& view, WhichSide which) {
  return which == WhichSide::a ? view.results.a : view.results.b;
}

MatrixPanel token_map_of(const VariantsView& view, const char* name) {
  MatrixPanel map;
  map.rows = map.cols = view.results.T;
  map.version = view.in.results.version;
  map.row_names = map.col_names = view.tokens;
  map.view = view.in.map_view;
  map.transposed = view.in.scene.query_axis == scene::QueryAxis::columns;
  map.mark.part = draw::Part::cell, map.mark.head = view.results.head, map.mark.name = name;
  map.query = view.query, map.key = view.key;
  map.hover_query = view.hover_query, map.hover_key = view.hover_key;
  map.numbers = view.in.scene.cell_numbers;
  map.most_cell = 140;
  // Cells without numbers may have any shape: the map of a long sentence fills its card.
  map.stretched =
      view.results.T > scene::unit_scale_tokens && (on_slide(view.pen) || !view.pen.canvas.plain());
  return map;
}

std::string unknown_keys(const PageInput& in) {
  return in.text("cross_unknown") + " of " + in.text("cross_keys") +
         (in.value("cross_unknown") == 1 ? " keys is" : " keys are") + " not in the model’s vocabulary";
}

std::string mask_name(scene::VariantMask mask) {
  static constexpr const char* names[] = {"no mask", "causal", "padding", "window", "window and global",
                                          "dilated", "blocks", "strided", "fixed",  "random"};
  return names[static_cast<int>(mask)];
}

std::string position_name(scene::VariantPosition position) {
  if (position == scene::VariantPosition::none) return "no positions";
  return scene::Words<scene::VariantPosition>::labels[static_cast<int>(position)];
}

std::string side_name(const scene::VariantSide& side) {
  return position_name(side.position) + " · " + mask_name(side.mask) + (side.scale ? "" : " · not ÷√d_k");
}

std::string layer_words(const VariantsView& view) {
  const scene::VariantsResults& r = view.results;
  if (r.layer == 0) return {};
  const std::string out = "Layer " + std::to_string(r.layer) + " of the model, which was trained with " +
                          position_name(r.own) + ". Other positions replace them";
  // Removing a mask that the model was trained with does not compare two designs, so say so.
  const bool later = r.own_causal && (r.a.settings.mask == scene::VariantMask::none ||
                                      r.b.settings.mask == scene::VariantMask::none);
  const std::string mask = later ? " Its mask was causal: without a mask, queries attend to later keys, "
                                   "which were masked in training."
                                 : "";
  if (r.layer == 1) return out + "." + mask;
  return out +
         (r.layer == 2 ? ", and layer 1 is run again with them."
                       : ", and layers 1 to " + std::to_string(r.layer - 1) + " are run again with them.") +
         mask;
}

bool only_rounding(double change, double magnitude) {
  return change <= 1e-5 * std::max(1.0, magnitude);
}

namespace {

bool adds_to_tokens(scene::VariantPosition position) {
  using P = scene::VariantPosition;
  return position == P::sinusoidal || position == P::concat || position == P::learned;
}

}  // namespace

std::string change_size(double change) {
  constexpr int digits = 3;  // those of the quantity variant_shift
  constexpr double least = 0.001;
  if (!(change >= least && change < 1000)) return brief(change, digits);
  return fixed(change, digits - 1 - static_cast<int>(std::floor(std::log10(change))));
}

std::string shift_words(const scene::VariantSideResults& side, int shift) {
  if (!side.error.empty() || !side.shift_error.empty())
    return "positions not available: " + (side.error.empty() ? side.shift_error : side.error);
  if (shift == 0) return "not shifted";
  const double change = side.shift.score_change;
  if (change == 0) return "scores do not change at all";
  // Schemes that add to the tokens do depend on the shift, even when the change is small.
  if (!adds_to_tokens(side.settings.position) && only_rounding(change, side.score_magnitude))
    return "scores do not change except for rounding, " + brief(change, 3);
  return "scores change by up to " + change_size(change);
}

namespace {

constexpr float tight_padding = 6;

float tight_width(const Pen& pen, const Choice& choice) {
  // Measure the width as if chosen, so that both sides have the same lines and their maps are level.
  const draw::TextStyle style = strong_style({}, word_size);
  return std::ceil(pen.canvas.text_width(choice.label, style)) + 2 * tight_padding;
}

/// Returns how many of `widths` fit into each line of at most `room`.
std::vector<std::size_t> lines_within(const std::vector<float>& widths, float room) {
  std::vector<std::size_t> lines;
  float used = room + 1;
  for (const float width : widths) {
    if (lines.empty() || used + width > room) lines.push_back(0), used = 0;
    ++lines.back(), used += width;
  }
  return lines;
}

void draw_choice(const Pen& pen, Box cell, const Choice& choice) {
  draw::Mark mark;
  mark.part = choice.enabled ? draw::Part::control : draw::Part::note;
  if (choice.enabled) mark.set = choice.set;
  mark.name = choice.name, mark.note = choice.note, mark.area = cell;
  pen.canvas.mark(mark);
  const bool over = pen.over(choice.name);
  // Looks like kit's segmented control: the chosen part has a grey background and semibold words.
  if (choice.on) {
    pen.canvas.rect(cell, choice.enabled ? pen.theme.selected : pen.theme.faint, 5);
    if (!pen.theme.dark) pen.canvas.frame(cell, {pen.theme.border, 1}, 5);
  } else if (over) {
    pen.canvas.rect(cell, pen.theme.field_hover, 5);
  }
  const draw::Color quiet = choice.enabled ? pen.theme.dim : draw::faded(pen.theme.dim, 0.6f);
  const draw::TextStyle style =
      choice.on ? strong_style(pen.theme.text, word_size) : words_style(over ? pen.theme.text : quiet);
  put(pen, cell.centre(), choice.label, aligned(style, Align::centre), cell.w - 2);
  pen.canvas.mark({});
}

}  // namespace

float choice_lines(const Pen& pen, Box area, const std::vector<Choice>& choices, bool draw) {
  if (pen.canvas.plain()) return 0;
  const float one_line = segmented_width(pen, choices);
  if (one_line <= area.w) {
    if (draw) segmented(pen, {area.x + one_line, area.y}, choices);
    return control_height;
  }
  std::vector<float> widths;
  for (const Choice& choice : choices) widths.push_back(tight_width(pen, choice));
  const Box whole{area.x, area.y, area.w, 0};
  const float room = whole.w - 4;
  std::vector<std::size_t> lines = lines_within(widths, room);
  // Use as few lines as possible, of about the same length.
  for (float limit = room; limit > 0; limit -= 4) {
    const std::vector<std::size_t> shorter = lines_within(widths, limit);
    if (shorter.size() > lines.size()) break;
    lines = shorter;
  }
  const float height = control_height * static_cast<float>(lines.size());
  if (!draw) return height;
  pen.canvas.rect({whole.x, whole.y, whole.w, height}, pen.theme.field, 7);
  std::size_t next = 0;
  float y = whole.y + 2;
  for (const std::size_t count : lines) {
    float taken = 0;
    for (std::size_t i = next; i < next + count; ++i) taken += widths[i];
    const float spare = (room - taken) / static_cast<float>(count);
    float x = whole.x + 2;
    for (std::size_t i = 0; i < count; ++i, ++next) {
      draw_choice(pen, {x, y, widths[next] + spare, control_height - 4}, choices[next]);
      x += widths[next] + spare;
    }
    y += control_height;
  }
  return height;
}

}  // namespace headlight::views
