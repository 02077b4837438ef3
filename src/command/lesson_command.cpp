#include "command/lesson_command.h"

#include <algorithm>
#include <charconv>

#include "app/shell.h"
#include "draw/record_canvas.h"
#include "kit/page_input.h"
#include "pictures/card_names.h"
#include "pictures/pages.h"
#include "scene/nearest.h"
#include "session/lesson_handout.h"
#include "session/lesson_library.h"

namespace headlight::app {

namespace {

/// A line for each thing that a step covers or outlines but that is not on its page.
std::vector<std::string> not_on_page(const scene::LessonStep& step, const Session& session) {
  views::PageInput in = page_input(session, draw::theme(true));
  PageOverlay overlay;
  overlay.highlight = step.highlight, overlay.focus = step.focus, overlay.without = step.without;
  if (step.predict) overlay.hide = step.predict->hide;
  keep_covered(in, overlay);
  draw::RecordCanvas measure;
  draw::PickCanvas pick({-1, -1}, measure);
  page_info(session.scene().page).view.draw(pick, {0, 0, 1050, 1000}, in);
  const nn::AttentionTrace& trace = session.results().attention;
  PageOverlay overlay;
  overlay.highlight = step.highlight, overlay.focus = step.focus;
  if (step.predict) overlay.hide = step.predict->hide;
  std::vector<std::string> cards;
  for (const auto& panel : pick.panels()) {
    if (!panel.name.empty() && std::find(cards.begin(), cards.end(), panel.name) == cards.end())
      cards.push_back(panel.name);
  }
  std::vector<std::string> lines;
  for (const std::string& name :
       overlay_boxes(overlay, {pick.targets(), pick.panels(), trace.T, trace.S}).missing)
    lines.push_back(name.starts_with("card ") ? no_such_card(session.scene().page, name.substr(5), cards)
                                              : scene::in_quotes(name) + " is not on the page");
  return lines;
}

}  // namespace

std::string lessons_text() {
  std::string text;
  for (const LessonEntry& entry : list_lessons(lessons_folder())) {
    text +=
        (entry.number > 0 ? std::to_string(entry.number) : "own") + "\t" + entry.name + "\t" + entry.title;
    if (!entry.problem.empty()) {
      text += "\t" + entry.problem;
    } else if (!entry.about.empty()) {
      text += "\t" + entry.about;
    }
    if (!entry.missing.empty()) text += "\t" + entry.missing;
    text += "\n";
  }
  return text;
}

base::Status known_lesson(const std::string& name) {
  const auto opened = open_lesson(name, lessons_folder());
  if (opened) return {};
  if (opened.error().rfind("no lesson ", 0) != 0) return base::Error{opened.error()};
  std::vector<std::string> names;
  std::string all;
  for (const LessonEntry& entry : list_lessons(lessons_folder())) {
    names.push_back(entry.name);
    all += (all.empty() ? "" : ", ") + entry.name;
  }
  return base::Error{"no lesson " + scene::in_quotes(name) + "; there are " + all +
                     scene::did_you_mean(name, names)};
}

base::Status render_lesson(const LessonWish& wish, const scene::Scene& look, RenderOptions options) {
  auto opened = open_lesson(wish.name, lessons_folder());
  if (!opened) return base::Error{opened.error()};
  const int steps = static_cast<int>(opened->lesson.steps.size());
  int step = 1;
  const char* end = wish.step.data() + wish.step.size();
  if (!wish.step.empty()) {
    const auto [rest, error] = std::from_chars(wish.step.data(), end, step);
    if (error != std::errc() || rest != end || step < 1 || step > steps)
      return base::Error{"--step: " + base::shortened(wish.step) + " is not a step of this lesson, 1 to " +
                         std::to_string(steps)};
  }
  scene::Scene start = scene::lesson_scenes(opened->lesson, look)[static_cast<std::size_t>(step - 1)];
  start.reduced_motion = true;
  options.page = start.page;
  options.lecturer = wish.lecturer;
  options.prepare = [&](Shell& shell) {
    LessonPlayer& player = shell.lessons().player();
    player.start(std::move(*opened), 0, step - 1);
    player.notes_shown = wish.notes;
    shell.lessons().hall = wish.lecturer;
    if (wish.revealed) player.reveal(0);
  };
  return render_page(start, options);
}

base::Result<std::string> lesson_handout(const std::string& name) {
  auto opened = open_lesson(name, lessons_folder());
  if (!opened) return base::Error{opened.error()};
  Session session({.scene = {}, .autosave = {}});
  LessonPlayer player(session);
  player.start(std::move(*opened), 0);
  return handout(player);
}

base::Result<std::string> check_lesson(const std::string& name) {
  auto opened = open_lesson(name, lessons_folder());
  if (!opened) return base::Error{opened.error()};
  if (!opened->entry.missing.empty())
    return base::Error{"lesson " + opened->entry.name + ": nothing is checked: it " + opened->entry.missing};
  Session session({.scene = {}, .autosave = {}});
  LessonPlayer player(session);
  player.start(std::move(*opened), 0);
  std::string text;
  for (int step = 0; step < player.steps(); ++step) {
    player.go(step, 0);
    player.settle();
    const std::string where = "step " + std::to_string(step + 1) + ": ";
    for (const std::string& line : player.untrue()) text += where + line + "\n";
    for (const std::string& line : not_on_page(player.current(), session)) text += where + line + "\n";
  }
  return text;
}

}  // namespace headlight::app
