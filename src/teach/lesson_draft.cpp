#include "teach/lesson_draft.h"

#include <algorithm>
#include <utility>

#include "scene/named_files.h"
#include "scene/settings.h"

namespace headlight::scene {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_bytes = 20'000;  // of one text in a file

Scene applied(const SceneChanges& changes, Scene scene, const fs::path& beside) {
  Lesson one;
  one.scene = changes;
  find_files(one, beside);
  one.steps.emplace_back();
  for (const auto& [name, value] : one.scene) (void)set_field(scene, name + "=" + value);
  repair(scene);
  return scene;
}

Scene first_scene(const Lesson& lesson, const fs::path& beside) {
  return applied(lesson.scene, scene_before(lesson), beside);
}

std::size_t at(int step) {
  return static_cast<std::size_t>(step);
}

std::ptrdiff_t place(int step) {
  return static_cast<std::ptrdiff_t>(step);
}

std::string cut(const std::string& text) {
  if (text.size() <= most_bytes) return text;
  std::size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

/// The words unchanged if they can be parsed, else as plain text.
std::string openable(const std::string& words) {
  const std::string text = cut(words);
  return parse_words(text) ? text : cut(without_marks(text));
}

void openable(std::vector<std::string>& paragraphs) {
  for (std::string& words : paragraphs) words = openable(words);
  std::erase(paragraphs, "");
}

void readable_claims(std::vector<std::string>& claims) {
  std::erase_if(claims, [](const std::string& claim) { return !parse_claim(claim); });
}

}  // namespace

std::string without_marks(std::string_view words) {
  std::string out;
  for (const char c : words) {
    if (std::string_view("\\*$[]{}").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::vector<Scene> views_of(const Lesson& lesson, const fs::path& beside) {
  std::vector<Scene> views;
  Scene scene = first_scene(lesson, beside);
  for (const LessonStep& step : lesson.steps) {
    scene = applied(step.scene, scene, beside);
    views.push_back(scene);
  }
  return views;
}

Lesson with_views(Lesson lesson, const std::vector<Scene>& views, const fs::path& beside) {
  Scene before = first_scene(lesson, beside);
  for (std::size_t i = 0; i < lesson.steps.size() && i < views.size(); ++i) {
    const Scene view = with_look_of(views[i], Scene{});
    SceneChanges& changes = lesson.steps[i].scene;
    if (applied(changes, before, beside) != view)
      changes = changes_between(without_folders(before), without_folders(view));
    before = view;
  }
  return lesson;
}

Lesson with_view_added(Lesson lesson, int after, const Scene& view, const fs::path& beside) {
  std::vector<Scene> views = views_of(lesson, beside);
  const int place_of = std::clamp(after + 1, 0, static_cast<int>(views.size()));
  LessonStep step;
  step.title = "Step " + std::to_string(views.size() + 1);
  lesson.steps.insert(lesson.steps.begin() + place(place_of), std::move(step));
  views.insert(views.begin() + place(place_of), view);
  return with_views(std::move(lesson), views, beside);
}

Lesson with_view_of_step(Lesson lesson, int step, const Scene& view, const fs::path& beside) {
  std::vector<Scene> views = views_of(lesson, beside);
  if (step < 0 || at(step) >= views.size()) return lesson;
  views[at(step)] = view;
  return with_views(std::move(lesson), views, beside);
}

Lesson with_step_moved(Lesson lesson, int from, int to, const fs::path& beside) {
  const int steps = static_cast<int>(lesson.steps.size());
  if (from < 0 || from >= steps || to < 0 || to >= steps || from == to) return lesson;
  std::vector<Scene> views = views_of(lesson, beside);
  const auto move = [&](auto& list) {
    const auto first = list.begin();
    if (from < to) {
      std::rotate(first + place(from), first + place(from) + 1, first + place(to) + 1);
    } else {
      std::rotate(first + place(to), first + place(from), first + place(from) + 1);
    }
  };
  move(lesson.steps), move(views);
  return with_views(std::move(lesson), views, beside);
}

Lesson with_step_twice(Lesson lesson, int step, const fs::path& beside) {
  if (step < 0 || at(step) >= lesson.steps.size()) return lesson;
  std::vector<Scene> views = views_of(lesson, beside);
  LessonStep same = lesson.steps[at(step)];
  same.scene.clear();
  const Scene view = views[at(step)];
  lesson.steps.insert(lesson.steps.begin() + place(step) + 1, std::move(same));
  views.insert(views.begin() + place(step) + 1, view);
  return with_views(std::move(lesson), views, beside);
}

Lesson without_step(Lesson lesson, int step, const fs::path& beside) {
  if (step < 0 || at(step) >= lesson.steps.size() || lesson.steps.size() == 1) return lesson;
  std::vector<Scene> views = views_of(lesson, beside);
  lesson.steps.erase(lesson.steps.begin() + place(step));
  views.erase(views.begin() + place(step));
  return with_views(std::move(lesson), views, beside);
}

Lesson finished(Lesson lesson) {
  if (lesson.title.empty()) lesson.title = "My lesson";
  lesson.title = cut(lesson.title), lesson.about = cut(lesson.about);
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    LessonStep& step = lesson.steps[i];
    if (step.title.empty()) step.title = "Step " + std::to_string(i + 1);
    step.title = openable(step.title);
    openable(step.words), openable(step.reveal);
    step.notes = cut(step.notes);
    readable_claims(step.facts);
    if (step.predict) {
      step.predict->ask = step.predict->ask.empty() ? "What do you expect?" : openable(step.predict->ask);
    } else {
      // The hidden answer is not lost with the question.
      step.words.insert(step.words.end(), step.reveal.begin(), step.reveal.end());
      step.reveal.clear();
    }
    if (step.question) {
      LessonQuestion& question = *step.question;
      question.ask = question.ask.empty() ? "…" : openable(question.ask);
      question.why = openable(question.why);
      while (question.choices.size() < 2) question.choices.emplace_back("…");
      if (question.choices.size() > 6) question.choices.resize(6);
      for (std::string& choice : question.choices) choice = choice.empty() ? "…" : openable(choice);
      question.answer = std::clamp(question.answer, 1, static_cast<int>(question.choices.size()));
    }
    if (step.task) {
      step.task->ask = step.task->ask.empty() ? "…" : openable(step.task->ask);
      readable_claims(step.task->until);
      if (step.task->until.empty()) step.task.reset();
    }
  }
  return lesson;
}

LessonDraft::LessonDraft(Lesson lesson, int step) : now_{std::move(lesson), 0} {
  if (now_.lesson.steps.empty()) now_.lesson.steps.push_back({.title = "Step 1"});
  select(step);
}

void LessonDraft::select(int step) {
  now_.step = std::clamp(step, 0, steps() - 1);
  label_.clear();
}

bool LessonDraft::change(Lesson next, int step, const std::string& label, double now) {
  if (next == now_.lesson || next.steps.empty()) return false;
  const bool same = !label.empty() && label == label_ && now - time_ <= merge_seconds && !past_.empty();
  if (!same) {
    past_.push_back(std::move(now_));
    if (past_.size() > most_states) past_.pop_front();
  }
  future_.clear();
  now_.lesson = std::move(next);
  now_.step = std::clamp(step, 0, steps() - 1);
  label_ = label, time_ = now;
  ++version_;
  return true;
}

bool LessonDraft::edit(const std::string& label, double now, base::FunctionRef<void(LessonStep&)> how) {
  Lesson next = now_.lesson;
  how(next.steps[at(now_.step)]);
  return change(std::move(next), now_.step, label, now);
}

bool LessonDraft::undo() {
  if (past_.empty()) return false;
  future_.push_back(std::move(now_));
  now_ = std::move(past_.back());
  past_.pop_back();
  label_.clear();
  ++version_;
  return true;
}

bool LessonDraft::redo() {
  if (future_.empty()) return false;
  past_.push_back(std::move(now_));
  now_ = std::move(future_.back());
  future_.pop_back();
  label_.clear();
  ++version_;
  return true;
}

}  // namespace headlight::scene
