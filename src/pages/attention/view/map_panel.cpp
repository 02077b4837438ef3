#include "pages/attention/view/map_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kit/area_name.h"
#include "kit/matrix_panel.h"
#include "kit/weight_bar.h"
#include "kit/words.h"
#include "pages/attention/view/arcs.h"
#include "pages/attention/view/beams.h"
#include "pages/attention/view/map_matrices.h"
#include "pages/attention/view/map_words.h"
#include "pages/attention/view/marginals.h"
#include "pages/attention/view/overview.h"
#include "pages/attention/view/page.h"
#include "pages/attention/view/pairs.h"
#include "pages/attention/view/words.h"
#include "scene/trained_model.h"

namespace headlight::views {

namespace {

constexpr float low_card = 400;  // units of height
constexpr float large_question = 28;

using scene::AttentionView;

AttentionView view_of(const Sheet& sheet) {
  return sheet.in.scene.attention.view;
}
bool as_matrix(const Sheet& sheet) {
  return view_of(sheet) == AttentionView::matrix;
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
  return beams_striped(sheet) && sheet.selection.detail_query >= 0;
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
  if (no_arcs(sheet)) return "queries and keys are different tokens";
  if (view_of(sheet) == AttentionView::arcs) {
    if (sheet.selection.detail_query < 0) return "Thickness = weight";
    const std::string word = token_in_words(sheet.in, sheet.selection.detail_query);
    const std::string above = "Above: what " + word + " attends to",
                      below = "below: which queries attend to " + word;
    using scene::ArcsShown;
    const ArcsShown shown = sheet.in.scene.attention.arcs;
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

/// The question with its quoted words shortened until it fits into `width` at this size; as it is where even
/// a few letters do not fit.
std::string with_shorter_words(const Pen& pen, const std::string& question, float size, float width) {
  constexpr std::string_view opens = "“", closes = "”";
  constexpr float least_em = 3.5f;  // of a shortened word
  const draw::TextStyle style = strong_style({}, size);
  struct Quoted {
    std::size_t from, size;
    float width;
  };
  std::vector<Quoted> words;
  float rest = pen.canvas.text_width(question, literal(style));
  for (std::size_t at = 0; (at = question.find(opens, at)) != std::string::npos;) {
    const std::size_t from = at + opens.size(), to = question.find(closes, from);
    if (to == std::string::npos) break;
    const float wide = pen.canvas.text_width(question.substr(from, to - from), literal(style));
    words.push_back({from, to - from, wide});
    rest -= wide, at = to;
  }
  if (words.empty() || rest + least_em * size * static_cast<float>(words.size()) > width) return question;
  float each = (width - rest) / static_cast<float>(words.size());
  for (const Quoted& one : words) {  // what a short word does not need, the others have
    if (one.width < each && words.size() == 2) each = width - rest - one.width;
  }
  std::string out = question;
  for (std::size_t i = words.size(); i-- > 0;) {
    const Quoted& one = words[i];
    if (one.width <= each) continue;
    out.replace(one.from, one.size,
                draw::fit_text(pen.canvas, question.substr(one.from, one.size), literal(style), each));
  }
  return out;
}

void draw_marked_map(const Sheet& sheet, Box box, bool heads_beside) {
  const auto views = view_choices(sheet);
  auto combines = combine_choices(sheet);
  const auto axes = axis_choices(sheet);
  const bool several = sheet.selection.kind != HeadsShown::one;
  // A low card has its controls in one row and the map in the rest.
  const bool low = box.h < low_card, low_map = low && as_matrix(sheet);
  float controls = segmented_width(sheet.pen, views);
  const std::string whole = marks_selection(sheet.pen) ? attention_question(sheet.in) : open_question;
  std::string question = whole;
  const auto beside_question = [&](float size, float width) {
    return sheet.pen.canvas.text_width(question, strong_style(sheet.theme().text, size)) + width + 12 <=
           box.w - 2 * card_padding;
  };
  // The axes keep their place: a long word of the question is shortened, and its tooltip has all of it.
  if (const float axes_too = controls + segmented_width(sheet.pen, axes) + 8;
      as_matrix(sheet) && !sheet.pen.canvas.plain() && !sheet.in.compact)
    question = with_shorter_words(sheet.pen, whole, large_question, box.w - 2 * card_padding - axes_too - 12);
  // No switch makes the question smaller or breaks it.
  const Question detail_query{question, sheet.theme().query, sheet.in.compact};
  const float size = question_size(sheet.pen, detail_query, box.w - 2 * card_padding - controls - 12, box.h);
  std::vector<Choice> heads = heads_beside ? std::vector<Choice>{} : head_choices(sheet);
  const float with_heads = segmented_width(sheet.pen, heads) + 8;
  if (!beside_question(size, controls + with_heads)) heads.clear();
  if (!heads.empty()) controls += with_heads;
  // The question is more important than the axes, which O and Find change, too.
  const float with_axes = controls + segmented_width(sheet.pen, axes) + 8;
  const bool axis_above = as_matrix(sheet) && !sheet.pen.canvas.plain() && beside_question(size, with_axes);
  if (axis_above) controls = with_axes;
  const float title = sheet.pen.canvas.text_width(question, strong_style(sheet.theme().text, 28));
  const float wider = controls + segmented_width(sheet.pen, combines) + 8;
  // From right to left, each of them beside those that never change: none moves with the number of heads, or
  // when one head is shown alone.
  if (!several) {
    for (Choice& one : combines)
      one.enabled = false, one.note = "one head is shown: there is nothing to combine";
  }
  const bool beside = (several || !heads.empty()) && title + wider + 8 <= box.w - 2 * card_padding;
  if (beside) controls = wider;
  // A figure is used without its page, so even a small one names its weights, layer and head.
  std::string quiet = map_title(sheet);
  if (const std::string window = window_words(sheet.in); !window.empty()) quiet += " · " + window;
  if (sheet.pen.canvas.plain()) quiet += " · " + weights_name(sheet.in.results);
  const bool slide = on_slide(sheet.pen);
  if (!low || sheet.pen.canvas.plain()) quiet += " · " + subtitle(sheet);
  const auto tokens = static_cast<std::size_t>(sheet.trace().T);
  if (sheet.in.results.tokens_in_sentence > tokens)
    quiet += " · " + std::to_string(sheet.in.results.tokens_in_sentence - tokens) + " tokens not computed";
  Box inside = hero_card(sheet.pen, box, detail_query,
                         {"", low && !sheet.pen.canvas.plain() ? std::string() : quiet, controls}, "map");
  if (question != whole) {
    Mark mark;
    mark.part = Part::note, mark.name = "question", mark.note = whole;
    mark.area = {box.x + card_padding, box.y + card_padding, box.w - 2 * card_padding - controls - 12,
                 large_question};
    sheet.pen.canvas.mark(mark);
    sheet.pen.canvas.mark({});
  }
  progress_line(sheet.pen, box, sheet.in.busy);
  if (const std::string all = statement_of_map(sheet); !all.empty()) {
    float wide = inside.w;
    const scene::OpenedLayer* opened = sheet.in.results.opened.get();
    if (opened && !opened->changed.empty() && !sheet.pen.canvas.plain()) {
      const Choice own{"Reset", "mask=none;temperature=1;scale=true", "the model’s own", false,
                       "the model’s own mask, temperature and scale"};
      wide -= button_width(sheet.pen, own) + 12;
      button(sheet.pen, {inside.right(), inside.y - 12}, own);
    }
    const float high = paragraph(sheet.pen, {inside.x, inside.y - 8}, wide, all, statement_style(sheet),
                                 on_printed_page(sheet)             ? most_printed_lines
                                 : low && !sheet.pen.canvas.plain() ? 1
                                                                    : 2);
    name_area(sheet.pen, sheet.in, "remarks", {inside.x - 4, inside.y - 9, wide + 8, high + 1});
    inside.cut_top(high);
  }
  Box right = segmented(sheet.pen, card_corner(box), views);
  if (axis_above) right = segmented(sheet.pen, {right.x - 8, right.y}, axes);
  if (beside) right = segmented(sheet.pen, {right.x - 8, right.y}, combines);
  if (!heads.empty()) segmented(sheet.pen, {right.x - 8, right.y}, heads);
  bool noted = !with_hints(sheet.pen);
  // Paper and slides have no controls, and a small map there needs no words below it.
  const bool silent =
      no_arcs(sheet) || (sheet.pen.canvas.plain() && as_matrix(sheet) && (slide || !sheet.selection.masked) &&
                         sheet.trace().S < named_keys_from);
  // A figure may leave out everything that the line below the picture has.
  const bool bare = as_matrix(sheet) ? !marks_selection(sheet.pen) && !sheet.selection.masked
                                     : !with_hints(sheet.pen) && !names_colours(sheet);
  // With the axes beside the views, the line may have nothing left to say.
  const bool nothing_below = axis_above && !(several && !beside) && !sheet.selection.masked &&
                             (sheet.trace().S < named_keys_from || sheet.selection.detail_query < 0);
  // A line that would have only the axes leaves its height to the map: they are in the row of the colours.
  constexpr float scale_and_axes = 560;
  const bool axes_with_scale = as_matrix(sheet) && !axis_above && !sheet.pen.canvas.plain() && !low_map &&
                               !has_overview(sheet) && !(several && !beside) && !sheet.selection.masked &&
                               (sheet.trace().S < named_keys_from || sheet.selection.detail_query < 0) &&
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
                sheet.pen.canvas.plain() ? "queries and keys are different tokens here"
                                         : "queries and keys are different tokens here: choose Map or Beams");
  } else if (view_of(sheet) == AttentionView::arcs) {
    draw_arcs(sheet, inside, !noted);
  } else {
    const bool compared = sheet.selection.kind == HeadsShown::several;
    const bool unplaced = (low_map && !axis_above && !sheet.pen.canvas.plain()) || axes_with_scale;
    const MapChoices choices{unplaced, several && !beside && !footed && !sheet.pen.canvas.plain()};
    const bool named =
        compared ? several_matrices(sheet, inside, choices) : one_matrix(sheet, inside, choices);
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
