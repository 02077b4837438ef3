#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "kit/choices.h"
#include "kit/verdict.h"
#include "kit/words.h"
#include "pages/training/changes.h"
#include "pages/training/training.h"
#include "pages/training/view/cards.h"

namespace headlight::views {

using scene::TrainingState;
using scene::TrainingTask;

namespace {

constexpr float flow_gap = 6, row_gap = 10, icon_room = 16;

enum class Sign { none, play, pause };

/// A button of the run: drawn faint, and not a control but the reason why, while it would do nothing.
struct Command {
  const char* name;
  std::string label;
  std::string note;
  bool enabled = true, primary = false;
  Sign sign = Sign::none;
};

std::vector<Choice> task_choices(const TrainingView& view) {
  static constexpr std::array<const char*, 6> notes = {
      "one head or two for two relations, four tokens",
      "reverse the letters, which needs positions",
      "repeated letters: find what followed the first time",
      "sentences of a small grammar: who is the subject of the verb?",
      "two nouns, a reason, a pronoun: which noun is meant?",
      "any UTF-8 text; predict the next token"};
  std::vector<Choice> out;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const auto task = static_cast<TrainingTask>(i);
    const bool here = view.settings.task == task;
    out.push_back({std::string(task_words(task)) + (task == TrainingTask::text ? "…" : ""),
                   "training_task=" + std::string(scene::word(task)),
                   "task " + std::string(scene::word(task)), here,
                   std::string(notes[i]) +
                       (here || !view.has_runs() ? "" : "\nstarts its own run; the one shown is kept")});
  }
  return out;
}

bool preparing(const TrainingView& view) {
  return view.snapshot.preparing >= 0;
}

constexpr const char* restart_note =
    "start over with the current settings\nif they differ from those of this run, this run is kept and can "
    "be opened";

Command primary(const TrainingView& view) {
  if (preparing(view)) return {"training cancel", "Stop", "stop reading the text", true, true, Sign::none};
  if (view.snapshot.state == TrainingState::running)
    return {"training pause", "Pause", "pause after this step; everything is kept", true, true, Sign::pause};
  if (view.snapshot.state == TrainingState::paused)
    return {"training resume", "Resume", "continue the run", true, true, Sign::play};
  if (view.snapshot.state == TrainingState::finished)
    return {"training restart", "Train again", restart_note, training_may(view, "training restart"), true,
            Sign::play};
  return {"training start",
          "Train",
          "start the run in the background",
          training_may(view, "training start"),
          true,
          Sign::play};
}

/// The step from which a new run would go on: the one on show, or the current one.
int step_here(const TrainingView& view) {
  if (view.newest || view.frame < 0) return view.snapshot.step;
  return view.shown().film[static_cast<std::size_t>(view.frame)].step;
}

/// True if the settings differ from those of the run, which stands.
bool may_go_on(const TrainingView& view) {
  using S = TrainingState;
  const S state = view.snapshot.state;
  return view.has_runs() && !preparing(view) && (state == S::paused || state == S::finished) &&
         trains_differently(view.snapshot.settings, view.settings);
}

/// Why a button does nothing now.
std::string why_not(const TrainingView& view, const char* command) {
  const auto is = [&](const char* name) { return !std::strcmp(command, name); };
  const TrainingState state = view.snapshot.state;
  if (preparing(view)) return "not available while a text is being read";
  if (view.settings.task == TrainingTask::text && view.settings.file.empty()) return "choose a text first";
  if (is("training step") || is("training open")) {
    return state == TrainingState::running ? "not available while the model is trained; pause the run first"
           : state == TrainingState::finished ? "the run is finished"
                                              : "no run has been trained yet";
  }
  if (is("training fork")) {
    const std::string why = scene::why_restart(view.snapshot.settings, view.settings, step_here(view));
    return why.empty() ? "only the weights of this step are known, not the state needed to continue from it"
                       : why + ": Restart trains with it";
  }
  const int first = scene::first_step_of(view.snapshot.changes);
  if (is("training rewind") && !view.newest && step_here(view) < first)
    return "this step belongs to an earlier run: this run continues from its step " + with_commas(first);
  if (is("training rewind"))
    return view.newest ? "this is the latest step: choose an earlier one in the film or below the curves"
                       : "this step comes from a file that kept only its weights, not the state needed to "
                         "continue from it; the first step has everything";
  if (is("training use weights") && view.settings.task == TrainingTask::two_relations)
    return "this toy task consists of maps only: it has no model for other pages";
  return "no run has been trained yet";
}

std::vector<Command> commands(const TrainingView& view) {
  std::vector<Command> out;
  // Without a run the card below has the large button.
  if (view.has_runs() || preparing(view)) out.push_back(primary(view));
  const auto add = [&](const char* name, const std::string& label, const std::string& note) {
    const bool may = training_may(view, name);
    out.push_back({name, label, may ? note : note + "\n" + why_not(view, name), may});
  };
  if (may_go_on(view)) {
    add("training fork", "Continue from here",
        "train a new run from step " + with_commas(step_here(view)) + " on with these settings: " +
            difference_words(view.snapshot.settings, view.settings) + "\nthis run is kept and can be opened");
  }
  if (view.has_runs() || preparing(view)) {
    add("training step", "Step", "one update of the weights, then a pause");
    add("training rewind", "Rewind",
        view.snapshot.state == TrainingState::finished
            ? "return to the step shown and continue from there; the finished run is kept as a file"
            : "return to the step shown and continue from there; later steps are discarded");
    // It keeps its place, also where the first button does the same, so that no other moves.
    if (view.snapshot.state == TrainingState::finished) {
      out.push_back(
          {"training restart twice", "Restart", "the run is finished: “Train again” starts over", false});
    } else {
      add("training restart", "Restart", restart_note);
    }
    // Of the step that is shown: its map is what is looked at.
    const bool earlier = view.has_runs() && !view.newest && view.frame >= 0;
    const std::string of_step =
        earlier ? "step " + with_commas(view.shown().film[static_cast<std::size_t>(view.frame)].step) : "";
    add("training use weights", "Use weights",
        "use this model" + (earlier ? ", as it was at " + of_step + "," : std::string()) +
            " on the other pages");
    const int kept = view.snapshot.kept_step;
    add("training save", "Save",
        std::string("save the run as a safetensors file, to be continued later") +
            (kept < 0 ? "" : "\nstep " + with_commas(kept) + " is also saved automatically"));
  }
  add("training open", "Open", "open a saved run");
  return out;
}

float command_width(const Pen& pen, const Command& c) {
  if (c.primary) {  // as wide for every label, so that nothing moves
    float widest = 0;
    for (const char* label : {"Train", "Pause", "Resume", "Train again", "Stop"})
      widest = std::max(widest, pen.canvas.text_width(label, strong_style(pen.theme.text, 12)));
    return std::ceil(widest) + 26 + icon_room;
  }
  return std::ceil(pen.canvas.text_width(c.label, words_style(pen.theme.text))) + 22;
}

void draw_command(const Pen& pen, Box box, const Command& c) {
  if (c.enabled) {
    control_mark(pen, c.name, "", c.note, box);
  } else {
    draw::Mark why;
    why.part = draw::Part::note, why.name = std::string("why not ") + c.name;
    why.note = c.note, why.area = box;
    pen.canvas.mark(why);
  }
  const bool lit = c.enabled && pen.over(c.name);
  if (c.primary) {
    const draw::Color ground = c.enabled ? pen.theme.accent : pen.theme.field;
    pen.canvas.rect(box, lit ? draw::mix(ground, pen.theme.text, 0.12f) : ground, 6);
    const draw::TextStyle style = strong_style(c.enabled ? pen.theme.on_accent : pen.theme.dim, 12);
    const float icon = c.sign == Sign::none ? 0 : icon_room;
    const float x = box.centre().x - (icon + pen.canvas.text_width(c.label, style)) / 2;
    if (icon > 0) play_sign(pen, {x + 5, box.centre().y}, 10, c.sign == Sign::pause, style.color);
    pen.canvas.text({x + icon, box.centre().y}, c.label, style);
  } else {
    const draw::Color ground = lit ? pen.theme.field_hover : pen.theme.field;
    pen.canvas.rect(box, c.enabled ? ground : draw::faded(ground, 0.5f), 6);
    pen.canvas.frame(box, {c.enabled ? pen.theme.border : draw::faded(pen.theme.border, 0.6f), 1}, 6);
    const draw::Color words = c.enabled ? pen.theme.text : draw::faded(pen.theme.dim, 0.55f);
    pen.canvas.text(box.centre(), c.label, aligned(words_style(words), Align::centre));
  }
  pen.canvas.mark({});
}

/// From the left; returns the height.
float command_flow(const Pen& pen, Box row, const std::vector<Command>& list, bool draw) {
  float x = row.x, y = row.y;
  for (const Command& c : list) {
    const float wide = command_width(pen, c);
    if (x > row.x && x + wide > row.right()) x = row.x, y += control_height + flow_gap;
    if (draw) draw_command(pen, {x, y, wide, control_height}, c);
    x += wide + flow_gap;
  }
  return y + control_height - row.y;
}

float flow_width(const Pen& pen, const std::vector<Command>& list) {
  float wide = -flow_gap;
  for (const Command& c : list) wide += command_width(pen, c) + flow_gap;
  return wide;
}

/// The chosen task between its neighbours, for a row that is too narrow for all.
std::vector<Choice> task_stepper(const std::vector<Choice>& all) {
  const std::size_t count = all.size();
  std::size_t on = 0;
  while (on + 1 < count && !all[on].on) ++on;
  const auto beside = [&](std::size_t at, const char* label, const char* name) {
    Choice out = all[at % count];
    out.note = out.label + ": " + out.note;
    out.label = label, out.name = name, out.on = false;
    return out;
  };
  return {beside(on + count - 1, "‹", "task before"), all[on], beside(on + 1, "›", "task after")};
}

/// The tasks and the commands, on one line where they fit. A narrow row, or one in a small window, has the
/// chosen task, and the commands that can be used now.
float controls(const TrainingView& view, Box row, bool draw) {
  const Pen& pen = view.pen;
  if (pen.canvas.plain()) return 0;  // nobody can press them there
  auto tasks = task_choices(view);
  auto list = commands(view);
  const auto fits = [&](const std::vector<Command>& some) {
    return segmented_width(pen, tasks) + 20 + flow_width(pen, some) <= row.w;
  };
  const bool two_lines = !fits(list);
  // The button that comes with changed settings begins no second line, which would move the page.
  if (two_lines && !view.in.compact && may_go_on(view)) {
    std::vector<Command> without = list;
    std::erase_if(without, [](const Command& c) { return !std::strcmp(c.name, "training fork"); });
    if (fits(without)) tasks = task_stepper(tasks);
  }
  if (segmented_width(pen, tasks) > row.w || (two_lines && view.in.compact && view.has_runs())) {
    tasks = task_stepper(tasks);
    std::erase_if(list, [](const Command& c) { return !c.enabled && !c.primary; });
  }
  const float left = segmented_width(pen, tasks);
  const float right = flow_width(pen, list);
  const bool one_line = left + 20 + right <= row.w;
  float height = control_height;
  if (left <= row.w) {
    if (draw) segmented(pen, {row.x + left, row.y}, tasks);
  } else {
    height = button_flow(pen, {row.x, row.y}, row.w, tasks, draw);
  }
  if (one_line) {
    command_flow(pen, {row.right() - right, row.y, right + 1, row.h}, list, draw);
    return height;
  }
  return height + 8 + command_flow(pen, {row.x, row.y + height + 8, row.w, 0}, list, draw);
}

/// No text is chosen yet: the card below says so, and has the button.
bool text_missing(const TrainingView& view) {
  return view.settings.task == TrainingTask::text && view.settings.file.empty() && !view.has_runs() &&
         !preparing(view);
}

/// The text that is read, and the way to another one.
float text_row(const TrainingView& view, Box row, bool draw) {
  if (view.settings.task != TrainingTask::text || text_missing(view)) return 0;
  const Pen& pen = view.pen;
  const Choice choose{"Choose a file", "", "training choose file", view.settings.file.empty(),
                      "type its path, or drop the file or a folder of .txt and .md files onto the window"};
  const bool plain = pen.canvas.plain();
  const float wide = plain ? -12 : button_width(pen, choose);
  if (draw) {
    button(pen, {row.x + wide, row.y + row_gap}, choose);
    const float y = row.y + row_gap + control_height / 2, x = row.x + wide + 12;
    if (view.settings.file.empty()) {
      put(pen, {x, y}, "no text selected: any UTF-8 file up to 50 MB, or a folder of them",
          words_style(view.theme().dim), row.right() - x);
    } else {
      put(pen, {x, y}, file_name(view.settings.file), literal(strong_style(view.theme().text, 14)),
          row.right() - x);
    }
  }
  return row_gap + control_height;
}

double fraction_of(const TrainingView& view) {
  if (preparing(view)) return static_cast<double>(view.snapshot.preparing);
  return view.snapshot.steps > 0
             ? std::clamp(static_cast<double>(view.snapshot.step) / view.snapshot.steps, 0.0, 1.0)
             : 0;
}

std::string progress_left(const TrainingView& view) {
  const scene::TrainingSnapshot& s = view.snapshot;
  const bool finished = s.state == TrainingState::finished;
  const std::string share = fixed(std::floor(fraction_of(view) * 100 + 1e-4), 0) + " %";
  if (preparing(view)) return "reading the text and learning its pieces   " + share;
  if (!view.has_runs())
    return "not started: " + with_commas(view.settings.steps) + " steps of " +
           std::to_string(view.settings.batch) + " sequences";
  // At the end another 100 % would stand beside the scores.
  const std::string origin = scene::origin_words(s.changes);
  return task_words(s.settings.task) + (origin.empty() ? origin : ", " + origin) + ": step " +
         with_commas(s.step) + " / " + with_commas(s.steps) + (finished ? "" : "   " + share);
}

std::string progress_right(const TrainingView& view) {
  const scene::TrainingSnapshot& s = view.snapshot;
  if (!view.has_runs() || preparing(view)) return {};
  std::string out;
  const auto add = [&](const std::string& words) {
    out += (out.empty() || words.empty() ? "" : "   ") + words;
  };
  if (s.tokens_per_second > 0) add(with_commas(std::llround(s.tokens_per_second)) + " tokens/s");
  if (s.state == TrainingState::running) add(left_words(s.seconds_left));
  if (s.state == TrainingState::paused) add("paused");
  if (s.state == TrainingState::finished) add("finished");
  return out;
}

/// What trains with changed settings.
std::string ways_words(const TrainingView& view) {
  const scene::TrainingSnapshot& s = view.snapshot;
  const std::string again = s.state == TrainingState::finished ? "Train again" : "Restart";
  const bool on = training_may(view, "training fork");
  const bool rate_alone = scene::differ_in_rate_alone(s.settings, view.settings);
  if (s.state == TrainingState::running && rate_alone) return "the next step applies it";
  if (s.state == TrainingState::paused && rate_alone)
    return std::string("Resume applies it") + (on ? "; Continue from here also keeps this run" : "");
  return (on ? "Continue from here or " : "") + again + " to train with them";
}

/// What has changed since the run was started, else the newest message; and what is trained elsewhere.
std::string statement(const TrainingView& view) {
  const scene::TrainingSnapshot& s = view.snapshot;
  std::string out = text_missing(view) ? std::string() : s.message;
  if (view.has_runs() && trains_differently(s.settings, view.settings))
    out = "settings changed (" + difference_words(s.settings, view.settings) + ") — " + ways_words(view);
  if (s.elsewhere)
    out += (out.empty() ? "" : "   ") + std::string(task_words(s.elsewhere->task)) +
           " continues training: step " + with_commas(s.elsewhere->step) + " / " +
           with_commas(s.elsewhere->steps);
  return out;
}

/// Task, step, time, the bar; in the middle what is to be said, on a line of its own where it does not fit
/// between them, else what the run is.
float progress(const TrainingView& view, Box row, bool draw) {
  const Pen& pen = view.pen;
  const draw::Theme& theme = view.theme();
  const std::string left = progress_left(view);
  std::string right = progress_right(view);
  const bool changed = view.has_runs() && trains_differently(view.snapshot.settings, view.settings);
  std::string stated = statement(view);
  // What came out is more than what was set, which the panel shows.
  const bool tells = stated.empty() && !preparing(view);
  if (tells && !view.in.leaves_out("outcome")) stated = outcome_words(view);
  const draw::TextStyle style = words_style(theme.dim);
  const float wide_left = pen.canvas.text_width(left, style);
  const auto room_beside = [&] {
    return row.w - wide_left - (right.empty() ? 24 : pen.canvas.text_width(right, style) + 48);
  };
  // Where the step is the last one, the end of the run need not be said beside what came out.
  if (view.snapshot.state == TrainingState::finished && view.snapshot.step == view.snapshot.steps &&
      pen.canvas.text_width(stated, style) + 16 > room_beside())
    right.clear();
  const float room = room_beside();
  const bool beside = pen.canvas.text_width(stated, style) + 16 <= room;
  const float y = row.y + row_gap + 6;
  // What came out is not cut, and on paper, which has no tooltip, nothing is.
  const std::size_t most_lines = pen.canvas.plain() ? 4 : tells ? 2 : 1;
  const float inset = changed ? 14.f : 0.f, line = text_line(pen, 16);
  std::vector<std::string> lines{stated};
  for (std::size_t count = 2;
       !beside && count <= most_lines && pen.canvas.text_width(lines.back(), style) > row.w - inset; ++count)
    lines = wrap(pen, stated, style, row.w - inset, count);
  if (draw) {
    const float right_room = std::max(0.f, row.w - std::min(wide_left, row.w) - 16);
    put(pen, {row.x, y}, left, words_style(theme.text), row.w);
    put(pen, {row.right(), y}, right, aligned(style, Align::right), right_room);
    const Box track{row.x, row.y + row_gap + 17, row.w, 5};
    pen.canvas.rect(track, theme.faint, 2.5f);
    const auto share = static_cast<float>(fraction_of(view));
    const draw::Color color = preparing(view) ? theme.dim : theme.accent;
    if (share > 0) pen.canvas.rect({track.x, track.y, std::max(5.f, track.w * share), 5}, color, 2.5f);
    if (stated.empty() && view.has_runs() && !preparing(view) && room > 120) {
      std::string words = settings_words(view.snapshot.settings);
      for (const char* between : {"; ", ", "}) {  // as many of them as there is room for
        while (pen.canvas.text_width(words, style) > room && words.find(between) != std::string::npos)
          words.resize(words.rfind(between));
      }
      mark_repairs(view,
                   {row.x + wide_left + 24, y - 9, std::min(room, pen.canvas.text_width(words, style)), 18});
      put(pen, {row.x + wide_left + 24, y}, words, style, room);
      pen.canvas.mark({});
    } else if (!stated.empty()) {
      const Point at = beside ? Point{row.x + wide_left + 24, y} : Point{row.x, track.bottom() + 14};
      const float limit = beside ? room : row.w;
      if (changed) pen.canvas.circle({at.x + 4, at.y}, 3.5f, theme.accent);
      for (std::size_t i = 0; i < lines.size(); ++i)
        put(pen, {at.x + inset, at.y + static_cast<float>(i) * line}, lines[i],
            words_style(changed || tells ? theme.text : theme.dim), limit - inset);
    }
  }
  return row_gap + 22 +
         (!stated.empty() && !beside ? 22.f + line * static_cast<float>(lines.size() - 1) : 0.f);
}

/// Runs that went wrong, each on a line or two.
float stopped(const TrainingView& view, Box row, bool draw) {
  const Pen& pen = view.pen;
  float height = 0;
  for (const scene::RunSnapshot& run : view.snapshot.runs) {
    if (run.stopped.empty()) continue;
    const std::string words = (view.snapshot.runs.size() > 1 ? run.name + ": " : "") + run.stopped;
    height += row_gap;
    const draw::TextStyle style = words_style(view.theme().text, 14);
    const Box body{row.x + 28, row.y + height + 4, row.w - 38, 0};
    const float lines = paragraph(pen, {body.x, body.y}, body.w, words, style, 3, false);
    if (draw) {
      const Box ground{row.x, row.y + height, row.w, lines + 8};
      pen.canvas.rect(ground, draw::faded(view.theme().bad, 0.12f), 6);
      verdict_sign(pen, {row.x + 14, ground.centre().y}, Verdict::bad);
      paragraph(pen, {body.x, body.y}, body.w, words, style, 3);
    }
    height += lines + 8;
  }
  return height;
}

}  // namespace

bool training_may(const TrainingView& view, const char* command) {
  using S = TrainingState;
  const S state = view.snapshot.state;
  const bool runs = view.has_runs(), busy = preparing(view);
  const auto is = [&](const char* name) { return !std::strcmp(command, name); };
  const bool text_missing = view.settings.task == TrainingTask::text && view.settings.file.empty();
  const bool relations = view.settings.task == TrainingTask::two_relations;
  if (is("training cancel")) return busy;
  if (busy) return false;
  if (is("training start")) return state != S::running && state != S::paused && !text_missing;
  if (is("training pause")) return state == S::running;
  if (is("training resume")) return state == S::paused;
  if (is("training step")) return runs && state == S::paused;
  if (is("training rewind"))
    return runs && !view.newest && view.shown().film[static_cast<std::size_t>(view.frame)].whole;
  if (is("training fork")) {
    const bool whole = view.newest || (runs && view.frame >= 0 &&
                                       view.shown().film[static_cast<std::size_t>(view.frame)].whole);
    return may_go_on(view) && whole &&
           scene::why_restart(view.snapshot.settings, view.settings, step_here(view)).empty();
  }
  if (is("training restart")) return runs && !text_missing;
  if (is("training use weights")) return runs && view.frame >= 0 && !relations;  // those have no model
  if (is("training save")) return runs && view.frame >= 0;
  if (is("training open")) return state != S::running;
  return false;
}

float training_header(const TrainingView& view, Box box, bool draw) {
  if (draw) card(view.pen, box, {}, "header");
  Box row = box.inset(card_padding);
  row.h = 0;
  float height = card_padding;
  const auto next = [&](float (*part)(const TrainingView&, Box, bool)) {
    const float taken = part(view, row, draw);
    row.y += taken, height += taken;
  };
  next(controls), next(text_row), next(progress), next(stopped);
  return height + card_padding;
}

}  // namespace headlight::views
