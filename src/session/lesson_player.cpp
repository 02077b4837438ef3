#include "session/lesson_player.h"

#include <algorithm>
#include <utility>

#include "io/fingerprint.h"
#include "pages/page.h"
#include "pages/training/training.h"
#include "teach/lesson_check.h"

namespace headlight::app {

std::uint64_t answered_of(const scene::LessonStep& step) {
  io::Fingerprint sum;
  const auto add = [&sum](std::string_view kind, std::string_view words) {
    sum.add(kind);
    sum.add(std::to_string(words.size()) + ":");
    sum.add(words);
  };
  if (step.predict) add("predict", step.predict->ask);
  for (const std::string& words : step.reveal) add("reveal", words);
  if (step.question) {
    add("question", step.question->ask);
    for (const std::string& choice : step.question->choices) add("choice", choice);
    add("answer", std::to_string(step.question->answer));
  }
  if (step.task) {
    add("task", step.task->ask);
    for (const std::string& claim : step.task->until) add("until", claim);
  }
  return sum.value();
}

void LessonPlayer::start(OpenedLesson opened, double now, int step) {
  if (!open()) before_ = session_.scene(), history_before_ = session_.exchange_history({});
  counts_from_ = now, clock_reset_ = false;
  opened_ = std::move(opened);
  scenes_ = scene::lesson_scenes(opened_->lesson, session_.scene());
  states_.clear();
  for (const scene::LessonStep& one : opened_->lesson.steps) states_.push_back({.of = answered_of(one)});
  session_.keep_instead(before_);
  go(std::clamp(step, 0, steps() - 1), now);
}

void LessonPlayer::leave(double now) {
  if (!open()) return;
  opened_.reset();
  exploring_ = false;
  session_.keep_instead(std::nullopt);
  if (before_) session_.restore(scene::with_look_of(*before_, session_.scene()), now);
  before_.reset();
  (void)session_.exchange_history(std::exchange(history_before_, {}));
}

scene::Scene LessonPlayer::scene_of(int step) const {
  return scene::with_look_of(scenes_[static_cast<std::size_t>(step)], session_.scene());
}

void LessonPlayer::go(int step, double now) {
  if (!open() || step < 0 || step >= steps()) return;
  const bool another = step != step_ || exploring_ || changed_at_ < 0;
  step_ = step;
  exploring_ = false;
  if (another) changed_at_ = now;
  session_.restore(scene_of(step), now);
}

void LessonPlayer::explore(double now) {
  if (!playing()) return;
  exploring_ = true;
  changed_at_ = now;
}

bool LessonPlayer::covered() const {
  return playing() && current().predict && !state().revealed;
}

bool LessonPlayer::reveal(double now) {
  if (!covered()) return false;
  state().revealed = true;
  changed_at_ = now;
  return true;
}

void LessonPlayer::choose(int choice) {
  if (!playing() || !current().question || state().chosen >= 0) return;
  if (choice < 0 || choice >= static_cast<int>(current().question->choices.size())) return;
  state().chosen = choice;
}

void LessonPlayer::bring_back(const std::vector<StepAnswer>& answers) {
  if (!open()) return;
  const std::size_t known = std::min(answers.size(), states_.size());
  for (std::size_t i = 0; i < known; ++i) {
    const scene::LessonStep& step = lesson().steps[i];
    const StepAnswer& answer = answers[i];
    StepAnswer& state = states_[i];
    if (answer.of != 0 && answer.of != state.of) continue;
    if (step.predict) state.revealed = answer.revealed, state.guess = answer.guess;
    if (step.task) state.done = answer.done;
    const int choices = step.question ? static_cast<int>(step.question->choices.size()) : 0;
    if (answer.chosen >= 0 && answer.chosen < choices) state.chosen = answer.chosen;
  }
}

std::shared_ptr<const scene::TrainingSnapshot> LessonPlayer::run() const {
  auto newest = session_.training().latest();
  if (!newest) return newest;
  // The settings that only choose what is shown may differ.
  scene::TrainingSettings wanted = session_.scene().training, made = newest->settings;
  for (scene::TrainingSettings* s : {&wanted, &made})
    s->run = s->layer = s->head = 1, s->example = 0, s->shown_step = -1;
  return wanted == made ? newest : nullptr;
}

void LessonPlayer::settle() {
  session_.update(0);
  if (scene::room_of(session_.scene().page).uses(session_.scene()).trains) {
    session_.training().wait();  // a run of this task that was shown before is on its way
    // Until it is finished, however long that takes: the numbers of an unfinished run depend on how busy the
    // machine is.
    if (!run()) session_.training().start(session_.scene().training), session_.training().wait();
  }
  session_.wait();
}

void LessonPlayer::update() {
  if (!playing() || !current().task || state().done) return;
  const auto training = run();
  state().done = scene::done(*current().task, {session_.scene(), session_.results(), training.get()});
}

std::vector<scene::WordRun> LessonPlayer::runs(const std::string& words) const {
  const auto paragraph = scene::parse_words(words);
  if (!paragraph) return {{.text = words}};
  const auto training = run();
  const scene::QuantitySource from{session_.scene(), session_.results(), training.get()};
  return scene::word_runs(*paragraph, &from);
}

std::string LessonPlayer::notes() const {
  const auto training = run();
  const scene::QuantitySource from{session_.scene(), session_.results(), training.get()};
  return scene::notes_text(current().notes, &from);
}

std::vector<std::string> LessonPlayer::untrue() const {
  const auto training = run();
  return scene::untrue(current(), scene::given_until(lesson(), step_),
                       {session_.scene(), session_.results(), training.get()});
}

float LessonPlayer::appeared(double now) const {
  if (!open() || session_.scene().reduced_motion || changed_at_ < 0) return 1;
  return static_cast<float>(std::clamp((now - changed_at_) / transition_seconds, 0.0, 1.0));
}

}  // namespace headlight::app
