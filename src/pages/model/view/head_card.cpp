// The chosen head: its weights large, and what it is measured by.
#include <algorithm>

#include "base/words.h"
#include "kit/matrix_panel.h"
#include "pages/model/heads_off.h"
#include "pages/model/view/page.h"

namespace headlight::views {

namespace {

constexpr float score_row = 20;

/// The six scores, one a line: name, bar, number. A click makes it the page's score.
void draw_scores(const ModelView& view, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const float larger = text_line(pen, 16) / 16;
  // The smallest have five decimals: they stay clear of the bars.
  const float number =
      std::max(56 * larger, 16 + pen.canvas.text_width("0.00000", mono_style(pen.theme.text, word_size)));
  const draw::TextStyle loud = strong_style(pen.theme.text, word_size);
  const std::string limit = quantity("model_most_entropy", {{"layer", view.shown.layer + 1}});
  const double most = in.value(limit);
  const auto named = [&](scene::ModelScore score) {
    // A mean over a few queries says less of a head than one over all: it says over how many.
    const int queries = view.atlas.queries_of(score), all = view.sheet.trace().T;
    const std::string few =
        queries > 0 && queries < all - 1 ? ", " + base::counted(queries, "query", "queries") : std::string();
    if (score != scene::ModelScore::entropy) return score_words(score) + few;
    return "entropy, of at most " + in.text(limit) + " bits";
  };
  const auto short_named = [&](scene::ModelScore score) {
    std::string words = named(score);
    for (const std::string_view start : {"weight ", "on the token "}) {
      if (words.starts_with(start)) words.erase(0, start.size());
    }
    return words;
  };
  // Where the longest name leaves too little for the bars, all are in their short form.
  const auto longest = [&](const auto& name_of) {
    float most_wide = 0;
    for (int s = 0; s < scene::model_scores; ++s)
      most_wide =
          std::max(most_wide, pen.canvas.text_width(name_of(static_cast<scene::ModelScore>(s)), loud));
    return most_wide + 12;
  };
  const float least_bar = on_slide(pen) ? 40.f : std::max(40.f, 0.42f * box.w), whole_names = longest(named);
  const bool shorter = whole_names + number + least_bar > box.w;
  // A slide has no tooltip for a name that is cut.
  const float room = std::max(0.f, box.w - number - std::min(least_bar, 40.f) / 2);
  const float name = shorter ? std::min(longest(short_named), on_slide(pen) ? room : 0.55f * box.w)
                             : std::max(std::min(box.w * 0.4f, 230 * larger), whole_names);
  for (int s = 0; s < scene::model_scores; ++s) {
    const auto score = static_cast<scene::ModelScore>(s);
    const Box line = box.cut_top(text_line(pen, score_row));
    const bool on = score == view.score();
    draw::Mark mark;
    mark.part = draw::Part::control, mark.area = line;
    mark.name = std::string("score ") + scene::Words<scene::ModelScore>::list[s];
    mark.set = std::string("model_score=") + scene::Words<scene::ModelScore>::list[s];
    const double whole = score == scene::ModelScore::entropy ? std::max(1e-9, most) : 1.0;
    const double uniform =
        view.atlas.uniform[static_cast<std::size_t>(view.shown.layer)].score(score) / whole;
    // Uniform attention has the most entropy: its line would be the end of the bar.
    const bool marks_uniform = score != scene::ModelScore::entropy && uniform > 0;
    mark.note = std::string("measure all heads by their ") + score_words(score);
    if (marks_uniform)
      mark.note += "\nthe line: " + uniform_text(in, view.shown.layer, score) +
                   ", of uniform attention over the allowed keys";
    pen.canvas.mark(mark);
    if (pen.over(mark.name)) pen.canvas.rect(line, pen.theme.field_hover, 4);
    put(pen, {line.x + 4, line.centre().y}, shorter ? short_named(score) : named(score),
        on ? loud : words_style(pen.theme.dim), name - 8);
    const Box track{line.x + name, line.centre().y - 4, std::max(8.f, line.w - name - number), 8};
    const double value = view.atlas.of(view.shown).score(score);
    const bool entropy = score == scene::ModelScore::entropy;
    pen.canvas.rect(track, pen.theme.faint, 3);
    if (value > 0) {
      const float w = track.w * static_cast<float>(std::min(1.0, value / whole));
      pen.canvas.rect({track.x, track.y, std::max(1.f, w), track.h},
                      entropy ? pen.theme.dim : draw::color_of(pen.theme, draw::Colormap::weight, 0.8f, 0, 1),
                      3);
    }
    if (marks_uniform) {
      constexpr float wide = 2, beyond = 3;
      const float x = track.x + track.w * static_cast<float>(std::min(1.0, uniform));
      pen.canvas.rect({x - wide / 2, track.y - beyond, wide, track.h + 2 * beyond}, pen.theme.text);
    }
    pen.canvas.mark({});
    put(pen, {line.right() - 4, line.centre().y}, score_text(in, view.shown, score),
        aligned(mono_style(on ? pen.theme.text : pen.theme.dim, word_size), Align::right));
  }
}

std::array<Choice, scene::model_details> detail_choices(const ModelView& view) {
  const bool vectors = !view.sheet.trace().q.empty();
  const scene::ModelDetail now = vectors ? view.sheet.in.scene.model.detail : scene::ModelDetail::weights;
  const auto one = [&](scene::ModelDetail detail, const char* label, const char* note) {
    const char* name = scene::Words<scene::ModelDetail>::list[static_cast<int>(detail)];
    const bool can = vectors || detail == scene::ModelDetail::weights;
    return Choice{label,
                  std::string("model_detail=") + name,
                  std::string("detail ") + name,
                  now == detail,
                  can ? note : no_vectors,
                  can};
  };
  return {one(scene::ModelDetail::weights, "weights", "the head’s weights"),
          one(scene::ModelDetail::components, "q × k", "what each component adds to q·k of the pinned query"),
          one(scene::ModelDetail::plane, "plane", "the head’s queries and keys in two dimensions")};
}

/// Off, half, as it is, one and a half times, twice: the output of the chosen head.
std::vector<Choice> factor_choices(const ModelView& view) {
  const std::string& off = view.sheet.in.scene.model.off;
  const int layer = view.chosen.layer + 1, head = view.chosen.head + 1;
  const double now = scene::head_factor(off, layer, head);
  std::vector<Choice> out;
  for (const double factor : {0.0, 0.5, 1.0, 1.5, 2.0}) {
    const std::string words = factor == 0 ? "off" : "×" + brief(factor, 2);
    out.push_back({words, "model_off=" + scene::with_head_factor(off, layer, head, factor), "output " + words,
                   now == factor,
                   factor == 0   ? "this head’s output is set to 0: see what the model predicts without it"
                   : factor == 1 ? "this head as it was trained"
                                 : "this head’s output times " + brief(factor, 2)});
  }
  return out;
}

constexpr float controls_row = control_height + 10;

/// What is shown of the head, and how much its output counts in the predictions: in one row, or where that
/// is too narrow in two. Takes the rows from the box.
void draw_controls(const ModelView& view, Box& inside) {
  const Pen& pen = view.sheet.pen;
  Box strip = inside.cut_top(controls_row);
  const auto details = detail_choices(view);
  const float wide = segmented_width(pen, details);
  segmented(pen, {strip.x + wide, strip.y}, details);
  if (!view.predictions.none.empty()) return;
  const std::vector<Choice> factors = factor_choices(view);
  const float needed = segmented_width(pen, factors);
  float room = strip.w - wide - 12;
  if (needed > strip.w) return;
  if (needed > room) strip = inside.cut_top(controls_row), room = strip.w;
  segmented(pen, {strip.right(), strip.y}, factors);
  const draw::TextStyle style = words_style(pen.theme.dim, small_size);
  if (needed + pen.canvas.text_width("output", style) + 10 <= room)
    put(pen, {strip.right() - needed - 8, strip.y + control_height / 2}, "output",
        aligned(style, Align::right));
}

}  // namespace

void head_card(const ModelView& view, Box box) {
  const Pen& pen = view.sheet.pen;
  const nn::AttentionTrace& trace = view.sheet.trace();
  const std::array<Choice, 1> open{Choice{"Open in Attention", "page=attention", "open in Attention", false,
                                          "this head on the Attention page, with every weight"}};
  std::string title = head_name(view, view.shown);
  if (view.sheet.in.results.guided(view.shown.layer, view.shown.head)) title += ", guided";
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  const scene::WeightScale scale = view.scale();
  const scene::ModelDetail wanted = view.sheet.in.results.scene.model.detail;
  const scene::ModelDetail detail = trace.q.empty() ? scene::ModelDetail::weights : wanted;
  std::string words = "Rows: queries · Columns: keys";
  if (const std::string beyond = beyond_training_words(view.atlas); !beyond.empty()) words += " · " + beyond;
  if (!on_slide(pen)) words += " · line on a bar: uniform attention";  // a slide has a legend
  if (const std::string window = window_words(view.sheet.in); !window.empty()) words += " · " + window;
  if (detail != wanted) words = std::string(no_vectors) + "; shown are its weights";
  if (detail == scene::ModelDetail::components) words = components_words(view);
  if (detail == scene::ModelDetail::plane) words = plane_words(view);
  Box inside = card(pen, box, {title, words, button_width(pen, open[0])}, "head");
  button(pen, card_corner(box), open[0]);
  if (!pen.canvas.plain()) draw_controls(view, inside);
  if (detail == scene::ModelDetail::components) return draw_components(view, inside);
  if (detail == scene::ModelDetail::plane) return draw_plane(view, inside);
  constexpr float one_cell = 340;    // of a map of one token, whose scores follow at once
  const bool slide = on_slide(pen);  // map and scores are side by side on a slide
  if (trace.T == 1 && trace.S == 1 && !slide)
    inside.h = std::min(inside.h, one_cell + 10 + scene::model_scores * text_line(pen, score_row));
  const float scores_height = scene::model_scores * text_line(pen, score_row);
  Box foot = slide ? inside.cut_right(inside.w * 0.48f) : inside.cut_bottom(scores_height);
  if (slide) {
    inside.cut_right(24);
  } else {
    inside.cut_bottom(10);
  }
  const Box bar = slide ? inside.cut_bottom(2 * text_line(pen, 14)) : Box{};
  if (const float alike = slide ? 0.f : alike_width(view, inside.w); alike > 0) {
    draw_alike(view, inside.cut_right(alike));
    inside.cut_right(16);
  }
  MatrixPanel map = token_panel(view.sheet, trace.weights.plane(view.shown.head));
  map.mark.head = view.shown.head, map.pinned = {};
  map.scale = &scale;
  // A class sees no tooltips: on a slide the tokens are named.
  if (!slide) map.down.clear(), map.across.clear();
  map.most_cell = slide ? std::max(140.f, inside.h) : trace.T == 1 && trace.S == 1 ? one_cell : 140.f;
  const Box cells = draw_matrix_panel(pen, inside, map).cells;
  if (view.atlas.beyond_training() && !map.transposed) {
    const float trained = static_cast<float>(view.atlas.trained_tokens) / static_cast<float>(trace.T);
    pen.canvas.rect({cells.x, cells.y + cells.h * trained - 0.5f, cells.w, 1}, pen.theme.dim);
  }
  if (slide) {
    color_bar(pen, {cells.x, std::min(bar.y, cells.bottom() + 8), std::max(cells.w, 120.f), 8},
              scale_words(scale, "weight α"));
    const float legend = text_line(pen, 18);
    foot.y = cells.centre().y - (scores_height + legend) / 2, foot.h = scores_height;
    draw_scores(view, foot);
    const draw::Point tick{foot.x, foot.bottom() + legend / 2};
    pen.canvas.rect({tick.x, tick.y - 7, 2, 14}, pen.theme.text);
    put(pen, {tick.x + 10, tick.y}, "uniform attention", words_style(pen.theme.dim, small_size), foot.w - 10);
    return;
  }
  constexpr float apart = 40;  // most, where the map of few tokens leaves room
  foot.y = std::min(foot.y, cells.bottom() + apart);
  draw_scores(view, foot);
}

}  // namespace headlight::views
