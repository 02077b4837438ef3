// What tells the runs of a snapshot from each other, and what came out of them, in words.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "pages/training/relations_words.h"
#include "pages/training/training.h"
#include "pages/training/view/view.h"

namespace headlight::views {

using scene::RunSnapshot;

namespace {

/// At its commas, but for those within brackets: "RoPE, pairs (j, j + 4)" has two parts.
std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> out(1);
  int open = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    open += name[at] == '(' ? 1 : name[at] == ')' ? -1 : 0;
    if (open == 0 && name.compare(at, 2, ", ") == 0) {
      out.emplace_back(), ++at;
    } else {
      out.back() += name[at];
    }
  }
  return out;
}

/// Of the run that has everything which the other one lacks.
std::string compared_words(scene::TrainingCompare compare) {
  static constexpr std::array<const char*, 10> words = {
      "this run",         "several heads",     "with positions",  "without a guide", "with residuals",
      "with layer norms", "with feed-forward", "without dropout", "this run",        "this run"};
  return words[static_cast<std::size_t>(compare)];
}

/// 1 → "100 %", 0.123 → "12.3 %".
std::string short_percent(double share) {
  const double percent = share * 100;
  return fixed(percent, percent == std::round(percent) ? 0 : 1) + " %";
}

}  // namespace

std::string run_name(const TrainingView& view, const RunSnapshot& run, float width) {
  const std::vector<RunSnapshot>& runs = view.snapshot.runs;
  std::vector<std::string> parts = parts_of(run.name);
  const auto joined = [&] {
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
    return out;
  };
  if (runs.size() > 1) {
    const auto common = [&](const std::string& part) {
      const bool stated_elsewhere = part.ends_with(" parameters") || starts_with(part, "output head");
      return stated_elsewhere || std::all_of(runs.begin(), runs.end(), [&](const RunSnapshot& other) {
               const std::vector<std::string> all = parts_of(other.name);
               return std::find(all.begin(), all.end(), part) != all.end();
             });
    };
    parts.erase(std::remove_if(parts.begin(), parts.end(), common), parts.end());
    if (parts.empty()) parts = {compared_words(view.snapshot.settings.compare)};
  }
  const auto wide = [&] {
    return view.pen.canvas.text_width(joined(), strong_style(view.theme().text, 12)) > width;
  };
  // A part that another run has, too, does not name this one alone.
  const bool shared = std::any_of(runs.begin(), runs.end(), [&](const RunSnapshot& other) {
    const std::vector<std::string> all = parts_of(other.name);
    return &other != &run && other.name != run.name &&
           std::find(all.begin(), all.end(), parts.front()) != all.end();
  });
  while (parts.size() > (shared ? 2u : 1u) && wide()) parts.pop_back();
  if (shared && parts.size() == 2 && wide()) parts[1] = parts[1].substr(0, parts[1].find(" head"));
  // All runs that are repaired have the same repairs.
  if (constexpr std::string_view repaired = "repaired";
      shared && wide() && starts_with(parts.back(), "repaired "))
    parts.back().resize(repaired.size());
  constexpr std::string_view kind = " positions";
  std::string& name = parts.front();
  if (wide() && name.ends_with(kind) && !starts_with(name, "without"))  // "sinusoidal" says as much
    name.resize(name.size() - kind.size());
  // A setting that was chosen for the second run keeps its value.
  for (const auto& [full, brief] :
       {std::pair{"learning rate ", "rate "}, {"model width d ", "d "}, {"guide one head ", "guide "}}) {
    if (wide() && starts_with(name, full)) name = brief + name.substr(std::string_view(full).size());
  }
  if (constexpr std::string_view without = "without "; wide() && name.starts_with(without))
    name = "no " + name.substr(without.size());
  return joined();
}

std::string run_note(const TrainingView& view, const RunSnapshot& run) {
  const bool repaired = run.name.find("repaired") != std::string::npos;
  return run.name + (repaired ? "\n" + scene::repaired_means(view.snapshot.settings) : std::string());
}

void mark_repairs(const TrainingView& view, Box words) {
  const scene::TrainingSettings& s = view.snapshot.settings;
  const bool repaired = s.repair_places || s.repair_bias || s.repair_contents || s.repair_width;
  if (s.task != scene::TrainingTask::two_relations || !repaired) return;
  draw::Mark means;
  means.part = draw::Part::note, means.name = "settings of the run", means.area = words;
  means.note = scene::repaired_means(s);
  view.pen.canvas.mark(means);
}

std::string outcome_words(const TrainingView& view) {
  const scene::TrainingSnapshot& s = view.snapshot;
  if (!view.scored() || s.state != scene::TrainingState::finished) return {};
  const bool whole = s.score_name == "exact match", many = s.runs.size() > 2;
  std::string out;
  for (const RunSnapshot& run : s.runs) {
    if (run.score.empty() || !std::isfinite(run.score.back().value)) return {};
    const std::string share = short_percent(static_cast<double>(run.score.back().value));
    if (s.runs.size() == 1)
      return whole ? share + " of held-out sequences are right" : "Held-out " + s.score_name + ": " + share;
    std::string name = run_name(view, run, many ? 1 : 1e9f);
    if (many) {
      const std::string of =
          whole ? "Held-out sequences that are right: " : "Held-out " + s.score_name + ": ";
      out += (out.empty() ? of : ", ") + name + " " + share;
      continue;
    }
    if (!starts_with(name, "with") && !starts_with(name, "no ")) name = "with " + name;
    if (whole && out.empty()) {
      name[0] = 'W';
      out = name + " " + share + " of held-out sequences are right";
    } else if (whole) {
      out += "; " + name + " " + share;
    } else {
      out += (out.empty() ? "Held-out " + s.score_name + ": " : ", ") + share + " " + name;
    }
  }
  return out;
}

void run_row(const TrainingView& view, Box row, int r, float room) {
  const Pen& pen = view.pen;
  const RunSnapshot& run = view.snapshot.runs[static_cast<std::size_t>(r)];
  const bool several = view.snapshot.runs.size() > 1, chosen = several && r == view.run;
  const std::string name = "run " + std::to_string(r + 1);
  if (several)
    control_mark(pen, name, "training_run=" + std::to_string(r + 1),
                 run_note(view, run) + "\nclick: show its heads", row);
  if (chosen || (several && pen.over(name)))
    pen.canvas.rect(row, chosen ? pen.theme.field : draw::faded(pen.theme.field_hover, 0.6f), 5);
  run_swatch(pen, {row.x + 8, row.centre().y}, r);
  put(pen, {row.x + 42, row.centre().y}, run_name(view, run, room),
      chosen ? strong_style(pen.theme.text, 12) : words_style(pen.theme.text), room);
  pen.canvas.mark({});
}

}  // namespace headlight::views
