#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "kit/choices.h"
#include "kit/matrix_panel.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"

namespace headlight::views {

using scene::RunSnapshot;

namespace {

constexpr int most_segments = 8, last_example = 999;
constexpr float side_by_side = 380, least_cell = 12.5f, sign_room = 22;

/// A tick, or a cross: different in shape, not in colour alone.
void judgement(const Pen& pen, Point c, float size, bool right) {
  const draw::Color color = right ? pen.theme.good : pen.theme.bad;
  const draw::Stroke stroke{color, std::clamp(size * 0.45f, 1.2f, 2.f)};
  if (right) {
    const std::array<Point, 3> tick = {Point{c.x - size, c.y}, Point{c.x - size * 0.25f, c.y + size * 0.8f},
                                       Point{c.x + size, c.y - size * 0.9f}};
    pen.canvas.polyline(tick, stroke);
  } else {
    pen.canvas.line({c.x - size * 0.8f, c.y - size * 0.8f}, {c.x + size * 0.8f, c.y + size * 0.8f}, stroke);
    pen.canvas.line({c.x - size * 0.8f, c.y + size * 0.8f}, {c.x + size * 0.8f, c.y - size * 0.8f}, stroke);
  }
}

std::vector<Choice> example_choices(const TrainingView& view) {
  const int n = view.settings.example;
  const auto to = [](int example) { return "training_example=" + std::to_string(example); };
  const int here = std::max(0, n);
  std::vector<Choice> out = {{"‹", to(n < 0 ? 0 : (here + last_example) % (last_example + 1)),
                              "example before", false, "previous held-out sequence"},
                             {"example " + std::to_string(here + 1), to(here), "example shown", n >= 0,
                              "a sequence held out from training"},
                             {"›", to(n < 0 ? 0 : (here + 1) % (last_example + 1)), "example after", false,
                              "next held-out sequence"}};
  if (view.snapshot.settings.task != scene::TrainingTask::two_relations)
    out.push_back({"sentence", to(-1), "example sentence", n < 0,
                   "the sentence above; tokens outside the model’s vocabulary are unknown"});
  return out;
}

std::vector<Choice> chosen_heads(const TrainingView& view) {
  const RunSnapshot& run = view.shown();
  const int heads = std::max(1, run.config.heads);
  auto out = head_choices(heads, view.head, most_segments, "map head", "training_head");
  for (Choice& choice : out) {
    const HeadPlace place{view.layer, choice.item};
    const std::string role = role_words(view, run, place);
    choice.note = head_words(run, place) + (role.empty() ? "" : "\n" + role);
  }
  if (heads <= most_segments) out.front().label = "head " + out.front().label;
  return out;
}

/// The layers, where the film has them all, the heads and the examples, on as few lines as they fit; returns
/// the height.
float choosers(const TrainingView& view, const FilmPlan& film, Box row) {
  const Pen& pen = view.pen;
  constexpr float apart = 10, line = control_height + 6;
  float x = row.x, y = row.y;
  const auto place = [&](const std::vector<Choice>& choices, bool last) {
    const float wide = segmented_width(pen, choices);
    const bool fits = x == row.x || x + wide <= row.right();
    if (!fits) x = row.x, y += line;
    const bool beside = x > row.x;  // the last ones are at the right
    segmented(pen, {last && beside ? row.right() : x + std::min(wide, row.w), y}, choices);
    x += wide + apart;
  };
  if (const auto layers = training_layer_choices(view); film.all_layers && layers.size() > 1)
    place(layers, false);
  place(chosen_heads(view), false);
  place(example_choices(view), true);
  return y - row.y + line + 4;
}

/// Beside the rows of a map: what is wanted of each query, what the model says, and whether it is right.
struct Predictions {
  std::vector<Prediction> rows;
  float token = 0;  // width of either column of tokens; 0: signs alone
  float width = 0;  // of everything
};

Predictions plan_predictions(const TrainingView& view, const RunSnapshot& run, int T, Box area) {
  Predictions out;
  bool any = false;
  for (int t = 0; t < T; ++t) {
    out.rows.push_back(prediction_at(view.snapshot, run, t));
    any = any || !out.rows.back().predicted.empty();
  }
  if (!any) return {};
  float widest = 44;
  for (const Prediction& p : out.rows) {
    for (const std::string* words : {&p.wanted, &p.predicted})
      widest = std::max(widest, view.pen.canvas.text_width(*words, words_style(view.theme().text)));
  }
  widest = std::min(std::ceil(widest), 84.f);
  const float with_words = 2 * widest + sign_room + 24;
  const float pitch = std::min(area.w - with_words - 40, area.h - 50) / static_cast<float>(T);
  // On a slide the words are as large as its text, whatever the size of the card before it is enlarged.
  const float least = on_slide(view.pen) ? 1.15f * view.pen.canvas.least_text() : least_cell;
  if (pitch >= least && area.w - with_words >= 150) {
    out.token = widest, out.width = with_words;
  } else {
    out.width = sign_room + 4;
  }
  return out;
}

void draw_predictions(const TrainingView& view, const Predictions& plan, Box cells) {
  const Pen& pen = view.pen;
  const draw::Theme& theme = view.theme();
  const float pitch = cells.h / static_cast<float>(plan.rows.size());
  const float sign_x = cells.right() + sign_room / 2 + 2, wanted_x = cells.right() + sign_room + 8,
              predicted_x = wanted_x + plan.token + 12;
  if (plan.token > 0) {
    const draw::TextStyle quiet = words_style(theme.dim, small_size);
    put(pen, {wanted_x, cells.y - 9}, "target", quiet, plan.token + 8);
    put(pen, {predicted_x, cells.y - 9}, "output", quiet, plan.token);
  }
  for (std::size_t t = 0; t < plan.rows.size(); ++t) {
    const Prediction& p = plan.rows[t];
    const float y = cells.y + (static_cast<float>(t) + 0.5f) * pitch;
    if (p.judged && pitch >= 8) judgement(pen, {sign_x, y}, std::clamp(pitch * 0.26f, 2.5f, 5.f), p.right);
    if (p.judged && pitch < 8) {  // a short mark is right, a long one is wrong
      const float wide = p.right ? 4.f : 14.f, high = std::max(1.f, pitch * 0.6f);
      pen.canvas.rect({cells.right() + 6, y - high / 2, wide, high}, p.right ? theme.good : theme.bad, 0);
    }
    if (plan.token <= 0) continue;
    const float size = pitch >= 20 ? word_size : small_size;
    const bool lit = static_cast<int>(t) == view.lit_query;
    put(pen, {wanted_x, y}, p.wanted, literal(words_style(lit ? theme.text : theme.dim, size)), plan.token);
    put(pen, {predicted_x, y}, p.predicted,
        literal(!p.judged ? words_style(theme.dim, size)
                : p.right ? words_style(theme.text, size)
                          : strong_style(theme.text, size)),
        plan.token);
  }
}

/// One run's map with its predictions and its colour bar. The predictions are those of the step that is
/// chosen: under a map of another one, which the pointer is over, they would be taken for its own.
void one_map(const TrainingView& view, int r, Box area, bool answered) {
  const Pen& pen = view.pen;
  const RunSnapshot& run = view.snapshot.runs[static_cast<std::size_t>(r)];
  const int frame = frame_in(view, run), T = map_tokens(run, frame);
  const HeadPlace place = place_in(view, run);
  const float* values = map_of(run, frame, place);
  if (!values) return placeholder(pen, area, "No step yet", "its map appears with the first step");
  Box foot = area.cut_bottom(30);
  const Predictions plan = plan_predictions(view, run, T, area);
  area.cut_right(plan.width);
  MatrixPanel map;
  map.values = values, map.rows = map.cols = T, map.version = map_version(values, T);
  const auto allowed = readable_keys(run, T);
  map.allowed = allowed;
  for (int t = 0; t < T; ++t) map.row_names.push_back(example_token(view.snapshot, run, t));
  map.col_names = map.row_names;
  map.mark.part = draw::Part::note, map.mark.name = map_mark + std::to_string(r + 1);
  map.mark.item = static_cast<int>(r);
  map.mark.note =
      head_words(run, place) + " at step " + with_commas(run.film[static_cast<std::size_t>(frame)].step);
  map.hover_query = view.lit_query, map.hover_key = view.lit_key;
  map.most_cell = 96;
  const Box cells = draw_matrix_panel(pen, area, map).cells;
  if (!plan.rows.empty() && answered) draw_predictions(view, plan, cells);
  const float wide = std::clamp(cells.w, 110.f, 300.f);
  const float left = std::min(cells.x, foot.right() - wide);
  foot.y = std::min(foot.y, cells.bottom() + 2);
  color_bar(pen, {left, foot.y + 8, wide, 7}, {draw::Colormap::weight, "0", "weight α", "1"});
}

/// Which runs are shown, side by side or, in a narrow and high card, one below the other: as many as there is
/// room for, the chosen one among them.
struct ShownRuns {
  std::vector<int> runs;
  bool below = false;
};

ShownRuns runs_shown(const TrainingView& view, Box inside) {
  const int count = static_cast<int>(view.snapshot.runs.size());
  // One below the other, a map still has room for the words beside its rows.
  constexpr float around = 112;
  const int T = map_tokens(view.shown(), view.frame);
  const int beside = static_cast<int>(inside.w / side_by_side),
            below = static_cast<int>(inside.h / (around + least_cell * static_cast<float>(std::max(T, 6))));
  ShownRuns out;
  out.below = beside < 2 && below > 1 && count > 1;
  const int room = std::clamp(out.below ? below : beside, 1, count);
  const int first = std::clamp(view.run - room + 1, 0, count - room);
  for (int r = 0; r < room; ++r) out.runs.push_back(first + r);
  return out;
}

}  // namespace

void training_map_card(const TrainingView& page, Box box, const FilmPlan& film,
                       std::span<const Choice> corner) {
  scene::TrainingSettings looked_at = page.settings;
  const TrainingView view = film_pointed_at(page, looked_at) ? TrainingView(page, looked_at) : page;
  const Pen& pen = view.pen;
  const draw::Theme& theme = view.theme();
  const RunSnapshot& run = view.shown();
  const HeadPlace place{view.layer, view.head};
  std::string title = head_words(run, place);
  title[0] = static_cast<char>(title[0] - 'a' + 'A');
  // The newest map is that of the newest step that was kept.
  const int step = view.frame < 0 ? run.step : run.film[static_cast<std::size_t>(view.frame)].step;
  title += step == run.step ? " now" : " at step " + with_commas(step);
  const std::string role = role_words(view, run, place);
  constexpr std::string_view mirror = "mirror: ";
  const auto measured = [&](const std::string& averaged) {
    return role.empty() ? no_role(view)
           : role.starts_with(mirror)
               ? role.substr(mirror.size()) + " of the weight on the mirrored position" + averaged
               : role + averaged;
  };
  const draw::TextStyle note = words_style(theme.dim);
  std::string words = measured(" on average over held-out sequences");
  for (const char* shorter : {", mean over held-out sequences", ", held-out mean", ""}) {
    if (pen.canvas.text_width(words, note) <= box.w - 2 * card_padding) break;
    words = measured(shorter);
  }
  if (const int of = role_step(view, run); of != step)  // what it became: one statement with the title
    words = (role.empty() ? "no simple role" : role) + " by step " + with_commas(of);
  Box inside = card(pen, box,
                    {title, draw::fit_text(pen.canvas, words, note, box.w - 2 * card_padding),
                     corner.empty() ? 0 : segmented_width(pen, corner)},
                    "map");
  if (!corner.empty()) segmented(pen, card_corner(box), corner);
  if (!pen.canvas.plain()) inside.cut_top(choosers(view, film, inside));  // nobody presses them there
  const auto [beside, below] = runs_shown(view, inside);
  const float gap = below ? 12 : 20, all = below ? inside.h : inside.w;
  const float one = (all - gap * static_cast<float>(beside.size() - 1)) / static_cast<float>(beside.size());
  for (std::size_t i = 0; i < beside.size(); ++i) {
    const int r = beside[i];
    const float at = static_cast<float>(i) * (one + gap);
    Box area =
        below ? Box{inside.x, inside.y + at, inside.w, one} : Box{inside.x + at, inside.y, one, inside.h};
    const RunSnapshot& other = view.snapshot.runs[static_cast<std::size_t>(r)];
    const bool answered = frame_in(view, other) == frame_in(page, other);
    std::string right = right_words(view.snapshot, other);
    if (!answered && !right.empty()) right = "click: its answers";
    if (view.snapshot.runs.size() > 1 || !right.empty()) {
      Box name = area.cut_top(20);
      const draw::TextStyle count = aligned(words_style(theme.dim), Align::right);
      put(pen, {name.right(), name.y + 8}, right, count, name.w);
      name.cut_right(right.empty() ? 0 : pen.canvas.text_width(right, count) + 12);
      if (beside.size() > 1)
        control_mark(pen, "map of run " + std::to_string(r + 1), "training_run=" + std::to_string(r + 1),
                     run_note(view, other), name);
      run_swatch(pen, {name.x, name.y + 8}, r);
      std::string named = run_name(view, other, name.w - 34);
      const HeadPlace there = place_in(view, other);
      if (r != view.run && (there.head != place.head || there.layer != place.layer))
        named += ", " + head_words(other, there);  // it has fewer
      put(pen, {name.x + 34, name.y + 8}, named,
          beside.size() > 1 && r == view.run ? strong_style(theme.text, 12) : words_style(theme.text),
          name.w - 34);
      pen.canvas.mark({});
    }
    one_map(view, r, area, answered);
  }
}

}  // namespace headlight::views
