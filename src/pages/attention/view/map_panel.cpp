#include "pages/attention/view/map_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kit/cell_shape.h"
#include "kit/matrix_panel.h"
#include "kit/weight_bar.h"
#include "kit/words.h"
#include "pages/attention/view/arcs.h"
#include "pages/attention/view/beams.h"
#include "pages/attention/view/map_words.h"
#include "pages/attention/view/marginals.h"
#include "pages/attention/view/overview.h"
#include "pages/attention/view/page.h"
#include "pages/attention/view/pairs.h"
#include "pages/attention/view/words.h"
#include "scene/hidden_tokens.h"
#include "scene/trained_model.h"

namespace headlight::views {

namespace {

constexpr float low_card = 400;  // units of height

using scene::AttentionView;

AttentionView view_of(const Sheet& sheet) {
  return sheet.in.scene.attention_view;
}
bool as_matrix(const Sheet& sheet) {
  return view_of(sheet) == AttentionView::matrix;
}
bool queries_down(const Sheet& sheet) {
  return sheet.in.scene.query_axis == scene::QueryAxis::rows;
}

/// Arcs need one line of words, so cross-attention has none.
bool no_arcs(const Sheet& sheet) {
  return view_of(sheet) == AttentionView::arcs && other_keys(sheet.in);
}

std::array<Choice, 3> view_choices(const Sheet& sheet) {
  const AttentionView view = view_of(sheet);
  return {Choice{"Map", "attention_view=matrix", "matrix", view == AttentionView::matrix,
                 "a cell per pair, coloured by weight"},
          Choice{"Beams", "attention_view=ribbons", "ribbons", view == AttentionView::ribbons,
                 "from queries to keys, as wide as the weight"},
          Choice{"Arcs", "attention_view=arcs", "arcs", view == AttentionView::arcs,
                 "over one line of words, as thick as the weight"}};
}
std::array<Choice, 2> combine_choices(const Sheet& sheet) {
  const bool mean = sheet.in.scene.combine == scene::Combine::mean;
  return {Choice{"mean", "combine=mean", "mean", mean, "the mean over the heads shown"},
          Choice{"max", "combine=max", "max", !mean, "the largest over the heads shown"}};
}
std::array<Choice, 2> axis_choices(const Sheet& sheet) {
  return {Choice{"query ↓", "query_axis=rows", "queries as rows", queries_down(sheet),
                 "queries down, keys across"},
          Choice{"query →", "query_axis=columns", "queries as columns", !queries_down(sheet),
                 "queries across, keys down"}};
}

/// The heads by number, for a map without the card of heads beside it. Many heads have no room in a title.
std::vector<Choice> head_choices(const Sheet& sheet) {
  constexpr int most = 8;
  const int heads = sheet.trace().heads;
  std::vector<Choice> out;
  if (heads < 2 || heads > most || sheet.pen.canvas.plain()) return out;
  const bool one = sheet.selection.kind == HeadsShown::one;
  for (int head = 0; head < heads; ++head) {
    const std::string number = std::to_string(head + 1);
    const bool on = one && sheet.selection.heads.front() == head;
    out.push_back({number, on ? "head=0" : "head=" + number, "map head " + number, on,
                   on ? "all heads together" : "head " + number + " alone"});
  }
  return out;
}

/// Only the beams of the pinned query have colours.
bool names_colours(const Sheet& sheet) {
  return beams_striped(sheet) && sheet.selection.asked >= 0;
}

std::string subtitle(const Sheet& sheet) {
  if (view_of(sheet) == AttentionView::ribbons) {
    const bool one_unit =
        sheet.selection.kind == HeadsShown::one || sheet.in.scene.combine == scene::Combine::mean;
    const bool every_query = sheet.trace().T <= most_whole && pairs_on_view(sheet).whole;
    const std::string from = every_query ? "" : " from the queries drawn";
    const std::string heights =
        one_unit ? "Each query has one unit of height; a key is as tall as what it receives" + from
                 : "A key is as tall as what it receives" + from;
    return names_colours(sheet) ? heights + "; colour = head" : heights;
  }
  if (no_arcs(sheet)) return "queries and keys are other tokens";
  if (view_of(sheet) == AttentionView::arcs) {
    if (sheet.selection.asked < 0) return "Thickness = weight";
    const std::string word = told_token(sheet.in, sheet.selection.asked);
    const std::string above = "Above: what " + word + " attends to",
                      below = "below: which queries attend to " + word;
    using scene::ArcsShown;
    const ArcsShown shown = sheet.in.scene.arcs;
    return shown == ArcsShown::both         ? above + " · " + below
           : shown == ArcsShown::attends_to ? above
                                            : "B" + below.substr(1);
  }
  return queries_down(sheet) ? "Rows: queries · Columns: keys" : "Columns: queries · Rows: keys";
}

/// Draws the line below the map. For cells it has the orientation and the meaning of masked cells; for beams
/// and arcs, whose they are, the colours of heads, and what is not drawn. It has the choice of mean or max
/// when the title has no room for that. Returns false when there is no room to say what is not drawn.
bool footer(const Sheet& sheet, Box row, bool with_combine, bool with_axes, bool mask_named = false) {
  const float y = row.y + control_height / 2;
  const bool matrix = as_matrix(sheet);
  std::vector<Choice> choices =
      view_of(sheet) == AttentionView::arcs ? arc_choices(sheet) : beam_choices(sheet);
  if (matrix) {
    const auto axis = axis_choices(sheet);
    choices.clear();
    if (with_axes) choices.assign(axis.begin(), axis.end());
  }
  Box box{row.right() + 12, row.y, 0, control_height};
  if (!choices.empty()) box = segmented(sheet.pen, {row.right() + 4, row.y}, choices);
  if (with_combine) box = segmented(sheet.pen, {box.x - 8, row.y}, combine_choices(sheet));
  float x = row.x;
  if (matrix) {
    if (sheet.selection.masked && !mask_named && x + legend_width(sheet.pen, "masked") + 12 < box.x)
      x += masked_legend(sheet.pen, {x, box.centre().y}) + 14;
    if (const std::string strongest = strongest_words(sheet, box.x - 12 - x); !strongest.empty())
      put(sheet.pen, {x, box.centre().y}, strongest, words_style(sheet.theme().text), box.x - 12 - x);
    return true;
  }
  const bool arcs = view_of(sheet) == AttentionView::arcs;
  for (std::size_t i = 0; i < sheet.selection.heads.size() && !arcs && names_colours(sheet); ++i) {
    const int head = sheet.selection.heads[i];
    const std::string words = "head " + std::to_string(head + 1);
    if (x + legend_width(sheet.pen, words) + 8 > (sheet.pen.canvas.plain() ? row.right() : box.x)) break;
    x += legend(sheet.pen, {x, y}, draw::series(sheet.theme(), head), words) + 14;
  }
  if (!with_hints(sheet.pen)) return true;
  const std::string note = arcs ? arcs_note(sheet, row.w) : beams_note(sheet);
  const draw::TextStyle quiet = words_style(sheet.theme().dim);
  const float room = (sheet.pen.canvas.plain() ? row.right() : box.x - 12) - x;
  if (sheet.pen.canvas.text_width(note, quiet) > room) return false;
  put(sheet.pen, {x, y - 2}, note, quiet, room);
  return true;
}

/// Has a map a cell whose weight is too small for a number? Without `values`, as with several maps, some are
/// taken to be, except with a single weight.
bool leaves_numbers_out(const Sheet& sheet, const float* values) {
  const nn::AttentionTrace& trace = sheet.trace();
  if (!values) return trace.T > 1 || trace.S > 1;
  const float least = unwritten_weight(weight_decimals(shown_scale(sheet).end));
  for (int q = 0; q < trace.T; ++q) {
    const float* row = values + static_cast<std::ptrdiff_t>(q) * trace.S;
    for (int k = 0; k < trace.S; ++k) {
      if (may_read(trace, q, k) && row[k] < least) return true;
    }
  }
  return false;
}

/// Draws the colour bar below the maps. `map` is the place of one of them. The opened cell's weight is marked
/// if it is one of `values`. `with_axes`: the choice of the axes is at its right, as it has no other place.
void scale_row(const Sheet& sheet, Box row, Box map, const float* values, const scene::WeightScale& scale,
               bool with_axes) {
  const nn::AttentionTrace& trace = sheet.trace();
  const Selection& s = sheet.selection;
  const bool down = queries_down(sheet);
  const Box view = sheet.in.map_view;
  const float across = view.w > 0 ? view.w : static_cast<float>(down ? trace.S : trace.T),
              high = view.h > 0 ? view.h : static_cast<float>(down ? trace.T : trace.S);
  WeightBar bar{scale, std::max(trace.T, trace.S), std::min(map.w / across, map.h / high)};
  bar.unwritten = sheet.in.scene.cell_numbers && numbers_fit(sheet.pen, {map.w / across, map.h / high}) &&
                  leaves_numbers_out(sheet, values);
  if (values && s.asked >= 0 && s.key >= 0 && may_read(trace, s.asked, s.key))
    bar.weight = values[static_cast<std::size_t>(s.asked) * static_cast<std::size_t>(trace.S) +
                        static_cast<std::size_t>(s.key)];
  if (with_axes) {
    constexpr float gap = 12, least_row = 260;
    const bool low = row.h < weight_bar_height(sheet.pen);  // else level with the choice of the scale
    const auto axes = axis_choices(sheet);
    const float wide = segmented_width(sheet.pen, axes) + gap;
    if (row.w - wide >= least_row) {
      segmented(sheet.pen, {row.right(), low ? row.centre().y - control_height / 2 : row.y + 2}, axes);
      row.cut_right(wide);
    }
  }
  weight_bar(sheet.pen, sheet.in, row, bar);
}

constexpr float captioned_height = 240;

/// Returns a panel for [T, S] values of a head, or of several combined (−1), without what the scene leaves
/// out.
MatrixPanel weights_panel(const Sheet& sheet, Box area, const float* values, int head) {
  MatrixPanel out = token_panel(sheet, values);
  out.hidden = scene::hidden_tokens(sheet.in.scene, sheet.in.results);
  out.least = static_cast<float>(sheet.in.scene.least_weight);
  out.mark.head = head, out.most_cell = most_cell_in(area);
  return out;
}

/// The width of the words beside the map of a single token, in a card of this width; 0: too narrow for them.
float said_beside_width(float card) {
  constexpr float most = 264, least_card = 560;
  return card < least_card ? 0 : std::min(most, card * 0.3f);
}

/// Says beside the map of a single token, from `left` to `right`, what there is to see.
void said_beside(const Sheet& sheet, float left, float middle, float right) {
  constexpr float apart = 24, least = 110;
  const float x = left + apart, wide = right - x;
  if (wide < least) return;
  const char* said =
      may_read(sheet.trace(), 0, 0) ? "One token attends only to itself" : "One token, and it is masked";
  const std::string hint = in_window(sheet.pen, "type a second word to see its weights");
  const draw::TextStyle strong = strong_style(sheet.theme().text), quiet = words_style(sheet.theme().dim);
  const float first = paragraph(sheet.pen, {}, wide, said, strong, 3, false),
              second = paragraph(sheet.pen, {}, wide, hint, quiet, 3, false);
  const float top = middle - (first + second) / 2;
  paragraph(sheet.pen, {x, top}, wide, said, strong, 3);
  paragraph(sheet.pen, {x, top + first}, wide, hint, quiet, 3);
}

/// Draws one map with its edges and colour bar. Returns whether the mask is named on the map.
bool one_matrix(const Sheet& sheet, Box area, bool with_axes) {
  const nn::AttentionTrace& trace = sheet.trace();
  const bool one = sheet.selection.kind == HeadsShown::one;
  const int head = one ? sheet.selection.heads.front() : -1;
  const nn::Matrix& combined =
      sheet.in.scene.combine == scene::Combine::mean ? sheet.in.results.mean : sheet.in.results.max;
  const float* values = one ? trace.weights.plane(head) : combined.data();
  Box map_area = area;
  constexpr float one_cell = 300;
  const bool alone = sheet.trace().T == 1 && sheet.trace().S == 1 && !sheet.pen.canvas.plain();
  constexpr float one_cell_share = 0.45f;
  const float one_high = one_cell_share * area.h;
  if (alone && map_area.h > one_cell + 120) {  // in the middle of the card
    map_area.h = std::max(one_cell, one_high + 130);
    map_area.y += (area.h - map_area.h) / 2;
  }
  constexpr float low_height = 280;  // below this, the colour bar has one line
  const bool low = on_slide(sheet.pen) || (area.h < low_height && !sheet.pen.canvas.plain());
  const float bar_height = weight_bar_height(sheet.pen, low);
  map_area.cut_bottom(bar_height);
  const MarginalRoom marginals = marginal_room(sheet, map_area);
  const bool mapped = has_overview(sheet);
  // Where the corner of the strips is too small for the overview, it is in the row of the colours.
  const bool cornered = std::min(marginals.right - 10, bar_height + marginals.below - 6) >= least_overview;
  constexpr float below_marginals = 6;  // the number of the last row
  const float in_row = mapped && !cornered ? overview_in_row(area.h) : 0;
  if (in_row > 0) map_area.cut_bottom(std::max(0.f, in_row + below_marginals - bar_height));
  MatrixPanel panel = weights_panel(sheet, map_area, values, head);
  panel.right = marginals.right, panel.below = marginals.below;
  panel.left = marginal_left(sheet, marginals);
  const scene::WeightScale whole = shown_scale(sheet);
  panel.scale = &whole;
  if (alone) {
    panel.most_cell = std::max(panel.most_cell, one_high);
    // The map and the words beside it are in the middle together.
    map_area.w -= said_beside_width(map_area.w);
    const float above = cells_room(sheet.pen, map_area, panel).above;
    const float used = above + std::min(panel.most_cell, std::max(0.f, map_area.h - above)) + marginals.below;
    const float spare = std::max(0.f, map_area.h - used) / 2;
    map_area.y += spare, map_area.h -= spare;
  }
  if (!sheet.pen.canvas.plain()) {
    // Thin cells may have any shape, so that the map of a long sentence fills its card, but is not too flat.
    const float rows =
        panel.view.h > 0 ? panel.view.h : static_cast<float>(panel.transposed ? panel.cols : panel.rows);
    const float cols =
        panel.view.w > 0 ? panel.view.w : static_cast<float>(panel.transposed ? panel.rows : panel.cols);
    const float labels = 90, shape = mapped ? 1 : cols / rows;
    const float most = most_flat * map_area.h * shape + marginals.right + labels;
    const float high = least_flat * rows;
    panel.stretched = map_area.h < high ||
                      map_area.h - cells_room(sheet.pen, map_area, panel).above - marginals.below < high;
    if (panel.stretched && map_area.w > most)
      map_area = {map_area.centre().x - most / 2, map_area.y, most, map_area.h};
  }
  if (on_slide(sheet.pen))
    panel.most_cell = std::max(panel.most_cell, map_area.h);  // a single token also fills the area
  // On a slide, the line above says which axis has the queries.
  if ((alone ? area.h : map_area.h) < captioned_height || on_slide(sheet.pen))
    panel.down.clear(), panel.across.clear();
  const MatrixPlace map = draw_matrix_panel(sheet.pen, map_area, panel);
  // Without captions, their line is just above the cells, below slanted words that reach beyond them.
  const bool captions = !panel.down.empty() || !panel.across.empty();
  const draw::Point line{map.corner.x, captions || on_slide(sheet.pen)
                                           ? std::max(map.corner.y, map_area.y + 7)
                                           : map.cells.y - 11};
  draw_marginals(sheet, map.cells, map.rows, map.cols, marginals, line);
  if (alone) said_beside(sheet, map.cells.right() + marginals.right, map.cells.centre().y, area.right());
  // Keep the bar readable below a narrow map.
  Box row{map.cells.x, map.cells.bottom() + marginals.below + 3, area.right() - map.cells.x, bar_height};
  if (mapped) {
    const Box corner{map.cells.right() + 12, row.y - marginals.below + 5,
                     area.right() - map.cells.right() - 12, area.bottom() - row.y + marginals.below - 5};
    if (std::min(corner.w, corner.h) >= least_overview) {
      draw_overview(sheet, corner, values);
      row.w = map.cells.w;
    } else if (in_row > 0) {
      draw_overview(sheet, {map_area.right() - in_row, row.y + below_marginals, in_row, in_row}, values);
      row.w -= in_row + 12;
    }
  }
  if (row.w < 260) row = {area.x, row.y, area.w - (in_row > 0 ? in_row + 12 : 0), row.h};
  scale_row(sheet, row, map.cells, values, map.scale, with_axes);
  return map.mask_named;
}

/// Returns the approximate side of a cell in an area of this size.
float cell_side(const Sheet& sheet, float width, float height) {
  const bool down = queries_down(sheet);
  const Box view = sheet.in.map_view;
  const nn::AttentionTrace& trace = sheet.trace();
  return std::min((width - 60) / (view.w > 0 ? view.w : static_cast<float>(down ? trace.S : trace.T)),
                  (height - 40) / (view.h > 0 ? view.h : static_cast<float>(down ? trace.T : trace.S)));
}

bool several_matrices(const Sheet& sheet, Box area, bool with_axes) {
  const std::vector<int>& heads = sheet.selection.heads;
  const int count = static_cast<int>(heads.size());
  const Box bar = area.cut_bottom(weight_bar_height(sheet.pen));
  constexpr float between = 14, title = 20;
  int columns = 1;
  float best = 0;
  for (int c = 1; c <= count; ++c) {
    const int rows = (count + c - 1) / c;
    const float side = cell_side(sheet, (area.w + between) / static_cast<float>(c) - between,
                                 (area.h + between) / static_cast<float>(rows) - between - title);
    if (side > best) best = side, columns = c;
  }
  const int rows = (count + columns - 1) / columns;
  const float wide = (area.w + between) / static_cast<float>(columns),
              high = (area.h + between) / static_cast<float>(rows);
  Box last;
  bool named = false;
  const scene::WeightScale whole = shown_scale(sheet);
  scene::WeightScale scale = whole;
  for (int i = 0; i < count; ++i) {
    const int head = heads[static_cast<std::size_t>(i)];
    Box place{area.x + static_cast<float>(i % columns) * wide,
              area.y + static_cast<float>(i / columns) * high, wide - between, high - between};
    if (place.h < 24 || place.w < 24) continue;
    Box heading = place.cut_top(title);
    MatrixPanel panel = weights_panel(sheet, place, sheet.trace().weights.plane(head), head);
    panel.mask_name = i == 0;
    panel.down.clear(), panel.across.clear();
    panel.scale = &whole;
    for (const int other : heads)
      if (other != head)
        panel.sharing.push_back({sheet.trace().weights.plane(other), panel.allowed, panel.allow});
    const MatrixPlace drawn = draw_matrix_panel(sheet.pen, place, panel);
    const Box map = last = drawn.cells;
    scale = drawn.scale;
    named = named || drawn.mask_named;
    heading.cut_left(map.x - heading.x);
    if (count <= 4) {
      sheet.pen.canvas.circle({heading.x + 5, heading.y + 8}, 4, draw::series(sheet.theme(), head));
      heading.cut_left(15);
    }
    put(sheet.pen, {heading.x, heading.y + 8}, "Head " + std::to_string(head + 1),
        strong_style(sheet.theme().text, 12), heading.w);
  }
  scale_row(sheet, bar, last, nullptr, scale, with_axes);
  return named;
}

void draw_marked_map(const Sheet& sheet, Box box, bool heads_beside) {
  const auto views = view_choices(sheet);
  const auto combines = combine_choices(sheet);
  const auto axes = axis_choices(sheet);
  const bool several = sheet.selection.kind != HeadsShown::one;
  // A low card has its controls in one row and the map in the rest.
  const bool low = box.h < low_card, low_map = low && as_matrix(sheet);
  float controls = segmented_width(sheet.pen, views);
  const std::string question = marks_selection(sheet.pen) ? attention_question(sheet.in) : open_question;
  const auto beside_question = [&](float size, float width) {
    return sheet.pen.canvas.text_width(question, strong_style(sheet.theme().text, size)) + width + 12 <=
           box.w - 2 * card_padding;
  };
  // No switch makes the question smaller or breaks it.
  const Question asked{question, sheet.theme().query, sheet.in.compact};
  const float size = question_size(sheet.pen, asked, box.w - 2 * card_padding - controls - 12, box.h);
  std::vector<Choice> heads = heads_beside ? std::vector<Choice>{} : head_choices(sheet);
  const float with_heads = segmented_width(sheet.pen, heads) + 8;
  if (!beside_question(size, controls + with_heads)) heads.clear();
  if (!heads.empty()) controls += with_heads;
  // The question is more important than the axes, which are also in the scene panel.
  const float with_axes = controls + segmented_width(sheet.pen, axes) + 8;
  const bool axis_above = as_matrix(sheet) && !sheet.pen.canvas.plain() && beside_question(size, with_axes);
  if (axis_above) controls = with_axes;
  const float title = sheet.pen.canvas.text_width(question, strong_style(sheet.theme().text, 28));
  const float wider = controls + segmented_width(sheet.pen, combines) + 8;
  const bool beside = several && title + wider + 8 <= box.w - 2 * card_padding;
  if (beside) controls = wider;
  // A figure is used without its page, so even a small one names its weights, layer and head.
  std::string quiet = map_title(sheet);
  if (const std::string window = window_words(sheet.in); !window.empty()) quiet += " · " + window;
  if (sheet.pen.canvas.plain()) quiet += " · " + weights_name(sheet.in.results);
  const bool hall = on_slide(sheet.pen);
  if (!low || sheet.pen.canvas.plain()) quiet += " · " + subtitle(sheet);
  const auto tokens = static_cast<std::size_t>(sheet.trace().T);
  if (sheet.in.results.tokens_in_sentence > tokens)
    quiet += " · " + std::to_string(sheet.in.results.tokens_in_sentence - tokens) + " tokens not computed";
  Box inside = hero_card(sheet.pen, box, asked,
                         {"", low && !sheet.pen.canvas.plain() ? std::string() : quiet, controls}, "map");
  progress_line(sheet.pen, box, sheet.in.busy);
  if (const std::string all = said_of_map(sheet); !all.empty()) {
    float wide = inside.w;
    const scene::OpenedLayer* opened = sheet.in.results.opened.get();
    if (opened && !opened->changed.empty() && !sheet.pen.canvas.plain()) {
      const Choice own{"Reset", "mask=none;temperature=1;scale=true", "the model’s own", false,
                       "the layer as the model has it"};
      wide -= button_width(sheet.pen, own) + 12;
      button(sheet.pen, {inside.right(), inside.y - 12}, own);
    }
    inside.cut_top(paragraph(sheet.pen, {inside.x, inside.y - 8}, wide, all, said_style(sheet),
                             on_printed_page(sheet)             ? most_printed_lines
                             : low && !sheet.pen.canvas.plain() ? 1
                                                                : 2));
  }
  Box right = segmented(sheet.pen, card_corner(box), views);
  if (!heads.empty()) right = segmented(sheet.pen, {right.x - 8, right.y}, heads);
  if (axis_above) right = segmented(sheet.pen, {right.x - 8, right.y}, axes);
  if (beside) segmented(sheet.pen, {right.x - 8, right.y}, combines);
  bool noted = !with_hints(sheet.pen);
  // Paper and slides have no controls, and a small map there needs no words below it.
  const bool silent =
      no_arcs(sheet) || (sheet.pen.canvas.plain() && as_matrix(sheet) && (hall || !sheet.selection.masked) &&
                         sheet.trace().S < named_keys_from);
  // A figure may leave out everything that the line below the picture has.
  const bool bare = as_matrix(sheet) ? !marks_selection(sheet.pen) && !sheet.selection.masked
                                     : !with_hints(sheet.pen) && !names_colours(sheet);
  // With the axes beside the views, the line may have nothing left to say.
  const bool nothing_below = axis_above && !(several && !beside) && !sheet.selection.masked &&
                             (sheet.trace().S < named_keys_from || sheet.selection.asked < 0);
  // A line that would have only the axes leaves its height to the map: they are in the row of the colours.
  constexpr float scale_and_axes = 560;
  const bool axes_with_scale = as_matrix(sheet) && !axis_above && !sheet.pen.canvas.plain() && !low_map &&
                               !has_overview(sheet) && !(several && !beside) && !sheet.selection.masked &&
                               (sheet.trace().S < named_keys_from || sheet.selection.asked < 0) &&
                               inside.w >= scale_and_axes;
  const bool footed =
      !low_map && !axes_with_scale && !silent && !nothing_below && !(bare && on_printed_page(sheet));
  if (!low_map && !silent && !footed) sheet.pen.canvas.saved(control_height + 2);
  const Box foot = footed ? inside.cut_bottom(control_height - 4) : Box{};
  if (footed) inside.cut_bottom(6);
  if (footed && !as_matrix(sheet)) noted |= footer(sheet, foot, several && !beside, false);
  if (view_of(sheet) == AttentionView::ribbons) {
    draw_beams(sheet, inside, !noted);
  } else if (no_arcs(sheet)) {
    placeholder(sheet.pen, inside, "Arcs need one line of words",
                sheet.pen.canvas.plain() ? "queries and keys are other tokens here"
                                         : "queries and keys are other tokens here: choose Map or Beams");
  } else if (view_of(sheet) == AttentionView::arcs) {
    draw_arcs(sheet, inside, !noted);
  } else {
    const bool compared = sheet.selection.kind == HeadsShown::several;
    const bool unplaced = (low_map && !axis_above && !sheet.pen.canvas.plain()) || axes_with_scale;
    const bool named =
        compared ? several_matrices(sheet, inside, unplaced) : one_matrix(sheet, inside, unplaced);
    if (footed) footer(sheet, foot, several && !beside, !axis_above, named);
  }
}

}  // namespace

void draw_map_panel(const Sheet& sheet, Box box, bool heads_beside) {
  if (marks_selection(sheet.pen)) return draw_marked_map(sheet, box, heads_beside);
  const Selection none = unmarked(sheet.selection);
  draw_marked_map({sheet.pen, sheet.in, none, sheet.shown}, box, heads_beside);
}

}  // namespace headlight::views
