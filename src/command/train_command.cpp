#include "command/train_command.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>

#include "base/numbers.h"
#include "command/measure_command.h"
#include "io/files.h"
#include "learn/training_run.h"
#include "pages/training/training.h"
#include "scene/nearest.h"

namespace headlight::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double seconds_between_saves = 10, seconds_between_bars = 0.2;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// "[#####.....]  50 %  step 3,000 of 6,000  loss 2.31  12 s left"; rewritten in place on a terminal.
class Bar {
 public:
  explicit Bar(bool wanted) : wanted_(wanted), terminal_(::isatty(2) != 0) {}

  void show(const scene::TrainingSnapshot& now, double seconds_left, bool last) {
    if (!wanted_ || now.runs.empty()) return;
    const int percent = now.steps > 0 ? 100 * now.step / now.steps : 100;
    if (!terminal_ && !last && percent / 10 == shown_ / 10 && shown_ >= 0) return;
    shown_ = percent;
    const std::string bar = std::string(static_cast<std::size_t>(percent / 5), '#') +
                            std::string(static_cast<std::size_t>(20 - percent / 5), '.');
    const double loss =
        now.runs.front().loss.empty() ? 0 : static_cast<double>(now.runs.front().loss.back().value);
    std::fprintf(stderr, "%s[%s] %3d %%  step %d of %d  loss %s  %s s left %s", terminal_ ? "\r" : "",
                 bar.c_str(), percent, now.step, now.steps, base::fixed(loss, 3).c_str(),
                 base::fixed(seconds_left, 0).c_str(), terminal_ && !last ? "" : "\n");
    std::fflush(stderr);
  }

 private:
  bool wanted_, terminal_;
  int shown_ = -1;
};

base::Status save(const scene::TrainingRun& run, const TrainOptions& options, bool to_continue) {
  if (options.out.empty()) return {};
  auto bytes = run.file(0, to_continue, options.first, options.stored);
  if (!bytes) return base::Error{bytes.error()};
  return io::write_file(options.out, *bytes);
}

std::string report(const scene::TrainingSnapshot& end, const std::filesystem::path& out) {
  std::string text;
  for (const scene::RunSnapshot& run : end.runs) {
    text += run.name + ", step " + std::to_string(run.step) + "\n";
    if (!run.stopped.empty()) text += "  stopped: " + run.stopped + "\n";
    if (!run.validation.empty()) {
      text += "  held-out loss " + base::fixed(static_cast<double>(run.validation.back().value), 4);
      for (const scene::TrainingBaseline& level : end.baselines)
        text += (&level == &end.baselines.front() ? "  (" : ", ") + level.name + ": " +
                base::fixed(level.loss, 4) + (&level == &end.baselines.back() ? ")" : "");
      text += '\n';
    }
    if (!run.score.empty()) {
      text += "  " + end.score_name + ": " +
              base::written(static_cast<double>(run.score.back().value), base::percent(1)) + "\n";
    }
    for (const scene::HeadLabel& label : run.labels) {
      if (label.role.empty()) continue;
      text += head_line(label.layer, label.head) + ": " + label.role + ", " + base::fixed(label.score, 2) +
              (label.guided ? ", guided during training\n" : "\n");
    }
    text += lengths_text(run.lengths, end.score_name) + pruning_text(run.pruning, end.score_name);
  }
  for (const scene::TrainingVerdict& v : end.verdicts) {
    const std::string numbers =
        (v.has_printed ? ": printed " + base::fixed(v.printed, 4) + ", here " : ": ") +
        base::fixed(v.ours, 4);
    text += v.what + numbers + "\n";
  }
  return out.empty() ? text : text + "written to " + out.string() + "\n";
}

}  // namespace

base::Result<scene::TrainingTask> task_named(const std::string& name) {
  constexpr std::array<std::pair<const char*, scene::TrainingTask>, 4> others{
      {{"small-english", scene::TrainingTask::english},
       {"copy", scene::TrainingTask::induction},
       {"two-relations", scene::TrainingTask::two_relations},
       {"your-text", scene::TrainingTask::text}}};
  std::vector<std::string> names;
  int n = 0;
  for (const char* word : scene::Words<scene::TrainingTask>::list) {
    if (name == word) return static_cast<scene::TrainingTask>(n);
    ++n;
    names.emplace_back(word);
  }
  const std::vector<std::string> known = names;
  for (const auto& [word, task] : others) {
    if (name == word) return task;
    names.emplace_back(word);
  }
  const std::string suggestion = scene::did_you_mean(name, names);
  if (suggestion.empty()) return base::Error{scene::unknown_word("task", name, known)};
  return base::Error{"unknown task " + scene::in_quotes(name) + suggestion};
}

base::Result<TrainReport> train(const TrainOptions& options) {
  base::Parallel parallel;
  scene::TrainingSettings settings = options.settings;
  std::error_code missing;
  // If the type is unknown, the file is taken to exist: a run is not overwritten by a new one.
  const bool there =
      std::filesystem::status(options.out, missing).type() != std::filesystem::file_type::not_found;
  if (!options.out.empty() &&
      !std::filesystem::is_fifo(options.out, missing)) {  // better now than after the last step
    const auto place = io::NewFile::create(options.out);
    if (!place) return base::Error{place.error()};
  }
  settings.plot = scene::TrainingPlot::curves;
  const auto keep_going = [&](float) { return !options.stop(); };
  auto run = options.resume && there
                 ? scene::continue_training(options.out.string(), settings, parallel, keep_going)
                 : scene::start_training(settings, parallel, keep_going);
  if (!run && options.stop()) return TrainReport{"stopped before the first step\n", true};
  if (!run) return base::Error{run.error()};
  if (options.prune) (*run)->look({.plot = scene::TrainingPlot::pruning}, parallel);
  scene::TrainingSnapshot now;
  Bar bar(options.progress);
  const Clock::time_point start = Clock::now();
  Clock::time_point saved = start, shown = start;
  const int first = (*run)->step();
  bool stopped = false;
  while (!(stopped = options.stop() && (*run)->step() < (*run)->steps()) && (*run)->advance(parallel)) {
    if (seconds_since(shown) >= seconds_between_bars) {
      (*run)->fill(now);
      const int done = now.step - first;
      bar.show(now, done > 0 ? seconds_since(start) / done * (now.steps - now.step) : 0, false);
      shown = Clock::now();
    }
    if (seconds_since(saved) >= seconds_between_saves) {
      if (const base::Status status = save(**run, options, true); !status) return base::Error{status.error()};
      saved = Clock::now();
    }
  }
  (*run)->fill(now);
  bar.show(now, 0, true);
  if (stopped && (*run)->step() == first)  // nothing is new: the file already has everything
    return TrainReport{"stopped before the next step\n", true};
  const bool no_model = settings.task == scene::TrainingTask::two_relations;
  if (const base::Status status = save(**run, options, stopped || options.keep_run || no_model); !status)
    return base::Error{status.error()};
  if (stopped)
    return TrainReport{
        "stopped after step " + std::to_string((*run)->step()) + " of " + std::to_string((*run)->steps()) +
            (options.out.empty()
                 ? std::string("; without --out, nothing is saved\n")
                 : "; the run is saved in " + options.out.string() + ": --resume continues it\n"),
        true};
  return TrainReport{report(now, options.out)};
}

}  // namespace headlight::app
