#include <algorithm>
#include <cctype>
#include <cmath>

#include "kit/cells.h"
#include "pages/training/changes.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"

namespace headlight::views {

using scene::RunSnapshot;

namespace {

constexpr float overhead = 2 * card_padding + 22 + 16 + 8 + 18 + 4;  // title, words, step numbers
constexpr float least_pitch = 36, all_runs_pitch = 46, comfortable_pitch = 60, most_pitch = 132, between = 8;
constexpr float name_room = 58, most_name_room = 130, role_room = 150;

/// How runs are called: by what makes each different, by a short word for it, or by number.
enum class Named { whole, brief, number };

std::string brief_name(const std::string& name) {
  if (name == "sinusoidal") return "sin/cos";
  return name == "no positions" ? "none" : name;
}

std::vector<Choice> run_choices(const TrainingView& view, Named named) {
  std::vector<Choice> out;
  for (int r = 0; r < static_cast<int>(view.snapshot.runs.size()); ++r) {
    const std::string number = std::to_string(r + 1);
    const RunSnapshot& run = view.snapshot.runs[static_cast<std::size_t>(r)];
    const std::string name = run_name(view, run, 1);
    out.push_back({named == Named::whole   ? name
                   : named == Named::brief ? brief_name(name)
                                           : "run " + number,
                   "training_run=" + number, "film run " + number, r == view.run, run_note(view, run)});
  }
  return out;
}

/// Choosers at the right of the title; returns the room they take. That of the layer is beside the map where
/// the film has all layers.
float choosers(const TrainingView& view, const FilmPlan& plan, draw::Point corner, float width, bool draw) {
  const Pen& pen = view.pen;
  float x = corner.x;
  const auto add = [&](const std::vector<Choice>& choices) {
    const float wide = segmented_width(pen, choices);
    if (choices.size() < 2 || corner.x - (x - wide) > width) return false;
    if (draw) segmented(pen, {x, corner.y}, choices);
    x -= wide + 8;
    return true;
  };
  if (!plan.all_layers) add(training_layer_choices(view));
  for (const Named named : {Named::whole, Named::brief, Named::number}) {
    if (add(run_choices(view, named))) break;
  }
  return corner.x - x;
}

/// "0 ▮▮▮▮ 1" on one line.
void small_bar(const Pen& pen, Box row) {
  const draw::TextStyle style = words_style(pen.theme.dim, small_size);
  const float y = row.centre().y;
  put(pen, {row.x, y}, "0", style);
  color_bar(pen, {row.x + 14, y - 3.5f, row.w - 28, 7}, {draw::Colormap::weight, "", "", ""});
  put(pen, {row.right(), y}, "1", aligned(style, Align::right));
}

/// What the name of a row has above the head.
enum class Above { nothing, layer, run };

struct Strip {
  const TrainingView& view;
  const RunSnapshot& run;    // whose steps the columns are
  std::vector<int> frames;   // of it, one for each column
  Box area;                  // of the maps
  float names = name_room;   // at the left of the maps
  float side = 0, step = 0;  // of a map; from one column to the next
  Above above = Above::nothing;
  bool roles = true;  // words at the right of the rows
  float x(std::size_t column) const { return area.x + static_cast<float>(column) * step; }
};

/// “guided during training” has no number at its end.
bool has_number(const std::string& role) {
  return !role.empty() && std::isdigit(static_cast<unsigned char>(role.back()));
}

struct FilmRow {
  int run = 0;
  HeadPlace place;
};

std::vector<FilmRow> rows_of(const TrainingView& view, const FilmPlan& plan) {
  std::vector<FilmRow> out;
  const int runs = static_cast<int>(view.snapshot.runs.size());
  for (int run = plan.all_runs ? 0 : view.run; run < (plan.all_runs ? runs : view.run + 1); ++run) {
    const RunSnapshot& shown = view.snapshot.runs[static_cast<std::size_t>(run)];
    const int first = plan.all_layers ? 0 : view.layer;
    for (int layer = first; layer < (plan.all_layers ? layers_of(shown) : first + 1); ++layer) {
      for (int head = 0; head < heads_of(shown); ++head) out.push_back({run, {layer, head}});
    }
  }
  return out;
}

/// The frame of a run that is nearest to a step.
int frame_near(const RunSnapshot& run, int step) {
  int nearest = 0;
  for (int frame = 1; frame < static_cast<int>(run.film.size()); ++frame) {
    const auto apart = [&](int of) { return std::abs(run.film[static_cast<std::size_t>(of)].step - step); };
    if (apart(frame) < apart(nearest)) nearest = frame;
  }
  return nearest;
}

/// The frame of a run in a column, which is a frame of the strip's run.
int frame_of(const Strip& strip, const RunSnapshot& run, int at) {
  return &run == &strip.run ? at : frame_near(run, strip.run.film[static_cast<std::size_t>(at)].step);
}

void draw_head_row(const Strip& strip, const FilmRow& row, float y) {
  const TrainingView& view = strip.view;
  const Pen& pen = view.pen;
  const draw::Theme& theme = view.theme();
  const HeadPlace place = row.place;
  const RunSnapshot& run = view.snapshot.runs[static_cast<std::size_t>(row.run)];
  const bool of_chosen_run = row.run == view.run;
  const bool chosen =
      marks_selection(pen) && of_chosen_run && place.layer == view.layer && place.head == view.head;
  const std::string layer = std::to_string(place.layer + 1), head = std::to_string(place.head + 1);
  const std::string in_list = std::to_string(row.run + 1),
                    of_run = of_chosen_run ? "" : "run " + in_list + " ";
  const std::string set = (of_chosen_run ? "" : "training_run=" + in_list + ";") + "training_layer=" + layer +
                          ";training_head=" + head;
  const std::string row_name = "film row " + of_run + layer + "." + head;
  const float middle = y + strip.side / 2;
  const std::string words = (of_chosen_run ? "" : run_name(view, run) + ", ") + head_words(run, place),
                    role = role_words(view, run, place);
  const int frames = static_cast<int>(run.film.size());
  const std::vector<base::Interval> allowed =
      readable_keys(run, frames > 0 ? map_tokens(run, frames - 1) : 0);
  const Box name{strip.area.x - strip.names, y, strip.names - 8, strip.side};
  control_mark(pen, row_name, set, words + (role.empty() ? "" : "\n" + role), name);
  const draw::Color color = chosen || pen.over(row_name) ? theme.text : theme.dim;
  const std::string head_name = "head " + head;
  if (strip.above == Above::run || (strip.above == Above::layer && layers_of(run) > 1)) {
    put(pen, {name.right(), middle - 8},
        strip.above == Above::run ? run_name(view, run, 1) : "layer " + layer,
        aligned(words_style(theme.dim, small_size), Align::right), name.w);
    put(pen, {name.right(), middle + 8}, head_name, aligned(strong_style(color, 12), Align::right), name.w);
  } else {
    put(pen, {name.right(), middle}, head_name, aligned(strong_style(color, 12), Align::right), name.w);
  }
  pen.canvas.mark({});
  for (std::size_t c = 0; c < strip.frames.size(); ++c) {
    const int at = strip.frames[c];
    const int frame = frame_of(strip, run, at);
    const float* values = frame < static_cast<int>(run.film.size()) ? map_of(run, frame, place) : nullptr;
    const Box cell{strip.x(c), y, strip.side, strip.side};
    if (!values) continue;
    const int T = map_tokens(run, frame), step = run.film[static_cast<std::size_t>(frame)].step;
    const bool last = frame + 1 == static_cast<int>(run.film.size());
    const std::string cell_name = film_mark + of_run + layer + "." + head + " step " + std::to_string(step);
    control_mark(pen, cell_name, set + ";training_shown_step=" + std::to_string(last ? -1 : step),
                 words + " at step " + with_commas(step) + (role.empty() ? "" : "\nnow " + role), cell,
                 of_chosen_run ? film_item(run, {place, frame}) : -1);
    draw::Heatmap map;
    map.values = values, map.rows = map.cols = map.row_stride = T, map.version = map_version(values, T);
    map.allowed = allowed, map.gaps = false;
    draw_cells(pen, cell, map);
    pen.canvas.mark({});
    const bool open = chosen && frame == view.frame;
    if (open || pen.over(cell_name))
      pen.canvas.frame({cell.x - 2, cell.y - 2, cell.w + 4, cell.h + 4},
                       {open ? theme.focus : draw::faded(theme.text, 0.7f), 2}, 3);
  }
  if (!strip.roles) return;
  const float role_x = strip.area.right() + 10;
  const draw::TextStyle style = words_style(chosen ? theme.text : theme.dim);
  const float room = role_room - 12;
  // A long role is cut before its number.
  if (pen.canvas.text_width(role, style) > room && has_number(role)) {
    const std::size_t at = role.rfind(' ');
    const std::string number = role.substr(at + 1);
    const float wide = pen.canvas.text_width(number, style) + 4;
    put(pen, {role_x, middle}, role.substr(0, at), style, room - wide);
    put(pen, {role_x + room, middle}, number, aligned(style, Align::right));
    return;
  }
  put(pen, {role_x, middle}, role.empty() && !run.labels.empty() ? no_role(view) : role, style, room);
}

}  // namespace

std::vector<Choice> training_layer_choices(const TrainingView& view) {
  std::vector<Choice> out;
  const int layers = layers_of(view.shown());
  for (int l = 0; l < layers; ++l) {
    const std::string number = std::to_string(l + 1);
    out.push_back({l == 0 ? "layer 1" : number, "training_layer=" + number, "film layer " + number,
                   l == view.layer, "layer " + number + " of " + std::to_string(layers)});
  }
  return out;
}

std::vector<int> film_columns(std::span<const scene::FilmFrame> film, int room, int shown) {
  // A quarter of the columns is spread over the steps alone: what hardly changes is shown, too.
  constexpr double by_step = 0.25;
  const int frames = static_cast<int>(film.size());
  room = std::clamp(room, 1, std::max(1, frames));
  if (frames < 1) return {};
  if (room == 1) return {shown >= 0 && shown < frames ? shown : frames - 1};
  std::vector<double> moved(static_cast<std::size_t>(frames), 0);  // until then
  for (std::size_t i = 1; i < moved.size(); ++i) moved[i] = moved[i - 1] + std::max(0.0, film[i].moved);
  const auto place = [&](int frame) {  // 0 … 1
    const double along = static_cast<double>(frame) / (frames - 1);
    const double change = moved[static_cast<std::size_t>(frame)], all = moved.back();
    return all > 0 ? by_step * along + (1 - by_step) * change / all : along;
  };
  std::vector<int> out = {0};
  for (int column = 1; column < room; ++column) {
    const double wanted = static_cast<double>(column) / (room - 1);
    int frame = out.back() + 1;
    const int last = frames - (room - column);  // as many are left as columns
    while (frame < last && std::abs(place(frame + 1) - wanted) <= std::abs(place(frame) - wanted)) ++frame;
    out.push_back(column + 1 == room ? frames - 1 : frame);
  }
  if (shown <= 0 || shown >= frames - 1 || std::count(out.begin(), out.end(), shown)) return out;
  if (room == 2) return {shown, frames - 1};
  const auto nearest = std::min_element(out.begin() + 1, out.end() - 1, [&](int a, int b) {
    return std::abs(a - shown) < std::abs(b - shown);
  });
  *nearest = shown;
  return out;
}

FilmPlan plan_film(const TrainingView& view, float height) {
  const RunSnapshot& run = view.shown();
  const int heads = heads_of(run), all = heads * layers_of(run);
  const float room = height - overhead;
  FilmPlan plan;
  int of_all = 0;  // heads of all runs, where each has one layer
  for (const RunSnapshot& one : view.snapshot.runs) of_all += layers_of(one) > 1 ? 1000 : heads_of(one);
  plan.all_runs = room / static_cast<float>(of_all) >= all_runs_pitch;
  plan.all_layers = room / static_cast<float>(all) >= comfortable_pitch;
  plan.rows = plan.all_runs ? of_all : plan.all_layers ? all : heads;
  plan.pitch = std::clamp(room / static_cast<float>(plan.rows), least_pitch, most_pitch);
  plan.pitch = std::floor(plan.pitch);
  plan.height = overhead + plan.pitch * static_cast<float>(plan.rows);
  return plan;
}

void training_film_card(const TrainingView& view, Box box, const FilmPlan& plan) {
  const Pen& pen = view.pen;
  const draw::Theme& theme = view.theme();
  const RunSnapshot& run = view.shown();
  const float most = box.w - 2 * card_padding - 150;
  const float controls = choosers(view, plan, card_corner(box), most, false);
  const int first = scene::first_step_of(view.snapshot.changes);  // earlier steps are of the run before
  const bool filed = std::any_of(run.film.begin(), run.film.end(),
                                 [&](const auto& f) { return !f.whole && f.step >= first; });
  const bool several = view.snapshot.runs.size() > 1;
  const std::string which = several && !plan.all_runs ? run_name(view, run) : std::string();
  const std::string rows_are = several && plan.all_runs ? "rows: heads of all runs" : "rows: heads";
  const std::string words =
      pen.canvas.plain() ? which.empty() ? "columns: steps of training · " + rows_are : which
                         : "columns: kept steps, more where the maps change · " + rows_are +
                               (filed ? "; steps kept in the file" : "") +
                               (view.newest ? "" : " · roles: at step " + with_commas(role_step(view, run)));
  const bool whole =
      pen.canvas.plain() ||
      pen.canvas.text_width("Heads during training", strong_style({}, title_size)) + controls + 8 <=
          box.w - 2 * card_padding;
  Box inside = card(pen, box,
                    {whole ? "Heads during training" : "Heads",
                     draw::fit_text(pen.canvas, words, words_style(theme.dim),
                                    box.w - 2 * card_padding - (controls > 0 ? 4.f : 0.f)),
                     std::max(controls, 1.f)},
                    "film");
  if (controls > 0) choosers(view, plan, card_corner(box), most, true);
  Box steps = inside.cut_top(18);
  const bool roles = inside.w >= 520;
  // Where all runs are shown, the columns are those of the first one: they stay where they are when a map of
  // another run is clicked.
  const RunSnapshot& of_columns =
      plan.all_runs && !view.snapshot.runs.front().film.empty() ? view.snapshot.runs.front() : run;
  Strip strip{view, of_columns, {}, inside};
  strip.side = plan.pitch - between, strip.roles = roles;
  const std::vector<FilmRow> rows = rows_of(view, plan);
  strip.above = plan.all_runs && several ? Above::run : plan.all_layers ? Above::layer : Above::nothing;
  if (strip.above == Above::run) {
    for (const RunSnapshot& one : view.snapshot.runs)
      strip.names =
          std::max(strip.names, 12 + pen.canvas.text_width(run_name(view, one, 1), words_style({})));
    strip.names = std::min(strip.names, most_name_room);
  }
  strip.area.cut_left(strip.names);
  if (roles) strip.area.cut_right(role_room);
  strip.step = strip.side + between + 2;
  const int room = std::max(1, static_cast<int>((strip.area.w + between + 2) / strip.step));
  if (room > 1)
    strip.step = std::min((strip.area.w - strip.side) / static_cast<float>(room - 1), strip.side * 1.4f);
  const int frames = static_cast<int>(run.film.size());
  int shown_of_columns = view.frame;
  if (&of_columns != &run && frames > 0)
    shown_of_columns =
        frame_near(of_columns, run.film[static_cast<std::size_t>(std::max(0, view.frame))].step);
  strip.frames = film_columns(of_columns.film, room, shown_of_columns);
  if (frames == 0)
    return placeholder(pen, inside, "No steps yet", "the first maps appear with the first step");
  strip.area.w = std::min(strip.area.w, strip.step * static_cast<float>(room - 1) + strip.side);
  if (roles) small_bar(pen, {strip.area.right() + 10, steps.y, 110, steps.h});
  const float free = strip.step - 4;
  for (std::size_t c = 0; c < strip.frames.size(); ++c) {
    const int frame = strip.frames[c];
    const float middle = strip.x(c) + strip.side / 2;
    const bool shown = frame == shown_of_columns && marks_selection(pen);
    if (shown)
      pen.canvas.frame({strip.x(c) - 5, steps.y - 2, strip.side + 10,
                        steps.h + plan.pitch * static_cast<float>(plan.rows) + 4},
                       {draw::faded(theme.text, 0.4f), 1}, 6);
    const std::string step = with_commas(of_columns.film[static_cast<std::size_t>(frame)].step);
    put(pen, {middle, steps.centre().y - 1}, step,
        aligned(shown ? strong_style(theme.text, small_size) : words_style(theme.dim, small_size),
                Align::centre),
        free);
  }
  float y = inside.y + 2;
  for (const FilmRow& row : rows) {
    // Moments that are still to come.
    for (int c = static_cast<int>(strip.frames.size());
         c < room && view.snapshot.state == scene::TrainingState::running; ++c)
      pen.canvas.frame({strip.x(static_cast<std::size_t>(c)), y, strip.side, strip.side}, {theme.faint, 1},
                       4);
    draw_head_row(strip, row, y);
    y += plan.pitch;
  }
}

}  // namespace headlight::views
