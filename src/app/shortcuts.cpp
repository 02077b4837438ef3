// The keyboard of the whole window. A text field gets the letters while it is edited; a focused control gets
// Space and Enter, and the arrows if it uses them; everything else is here and in the table of actions.
#include <imgui.h>

#include "app/shell.h"
#include "pages/page.h"
#include "pages/page_that.h"
#include "scene/trained_model.h"
#include "session/slide_keys.h"
#include "session/training_commands.h"
#include "teach/lesson.h"

namespace headlight::app {

namespace {

using scene::Scene;
using screen::Key;

/// `move`: what one arrow does.
template <class Move>
Scene after_arrows(const screen::InputQueue& input, const Scene& scene, const Move& move) {
  constexpr std::pair<Key, Arrow> keys[] = {
      {Key::left, Arrow::left}, {Key::right, Arrow::right}, {Key::up, Arrow::up}, {Key::down, Arrow::down}};
  Scene next = scene;
  for (const auto& [key, where] : keys) {
    if (input.pressed(key)) next = move(next, where);
  }
  return next;
}

Scene after_digits(const screen::InputQueue& input, const Scene& scene) {
  Scene next = scene;
  for (int digit = 0; digit <= 9; ++digit) {
    if (input.pressed(static_cast<Key>(static_cast<int>(Key::digit_0) + digit))) next = head_key(next, digit);
  }
  return next;
}

/// What shows a covered answer by another way than the covered cards, or leaves the page that covers it.
bool shows_the_answer(Action action) {
  switch (action) {
    case Action::palette:
    case Action::copy_report:
    case Action::export_figure:
    case Action::present:
    case Action::next_page:
    case Action::previous_page:
    case Action::matrix_or_ribbons:
    case Action::turn_map:
    case Action::sort_bars:
    case Action::best_step:
    case Action::release:
    case Action::write_on:
    case Action::write_one:
    case Action::write_sentence:
    case Action::settings_panel:
      return true;
    default:
      return false;
  }
}

}  // namespace

void Shell::perform(Action action, double now) {
  if (lessons_.listing() && (action == Action::export_figure || action == Action::present))
    return session_.say("open a lesson or a page first: the list has no picture", now);
  // While a lesson is edited, its scenes are not those of the open file.
  if (lessons_.editor().open() && (action == Action::save || action == Action::save_as))
    return lessons_.editor().keep(now);
  if (desk_.perform(action, now)) return;
  switch (action) {
    case Action::undo:
      if (lessons_.writing() && lessons_.editor().takes_undo()) return lessons_.editor().undo(now);
      session_.undo(now);
      break;
    case Action::redo:
      if (lessons_.writing() && lessons_.editor().takes_undo()) return lessons_.editor().redo(now);
      session_.redo(now);
      break;
    case Action::stop_computing:
      stop_or_compute(now);
      break;
    case Action::best_step:
      training_command(session_, "training best step", now);
      break;
    case Action::settings_panel:
      panel_.toggle();
      break;
    case Action::fullscreen:
      if (toggle_fullscreen) toggle_fullscreen();
      break;
    case Action::quit:
      ask_to_quit();
      break;
    case Action::present:
      present(page_.panel_under(), now);
      break;
    case Action::lecturer_window:
      lecturer_window(now);
      break;
    case Action::choose_model:
      choose_model(std::nullopt);
      break;
    case Action::export_figure:
      export_.open();
      break;
    case Action::lessons:
      open_group(scene::PageGroup::learn, now);
      break;
    case Action::first_start:
      show_first_start(false);
      break;
    case Action::write_lesson:
      lessons_.write("", 0, now);
      break;
    case Action::add_view:
      lessons_.open_add();
      break;
    case Action::write_sentence:
      focus_sentence_ = true;
      break;
    default:
      if (auto next = after(action, session_.scene())) session_.change(std::move(*next), "", now);
  }
}

void Shell::ask_to_quit() {
  if (!quit) return;
  if (export_.writing().what.empty()) return quit();
  export_.tell_end();  // the question says so
  quit_question_.ask();
}

void Shell::stop_or_compute(double now) {
  if (!session_.loading().empty()) return session_.stop_loading(now);
  if (session_.stopped()) return session_.compute_again();
  if (session_.busy() < 0) session_.say("nothing is being computed", now);
  session_.stop_computing(now);
}

void Shell::lecturer_window(double now) {
  if (!lessons_.player().open())
    return session_.warn("the lecturer’s window belongs to a lesson; open one under Learn", now);
  if (!toggle_lecturer) return session_.warn("the lecturer’s window needs a second screen", now);
  toggle_lecturer();
}

void Shell::present(const std::string& card, double now) {
  // A lesson already shows its cards alone, and the difference of before and after is not a card.
  if (lessons_.player().playing() || desk_.compare().shows_change(session_)) return;
  if (!presenter_.open()) before_present_ = session_.scene();
  presenter_.show(card, ui_, now);
  ui_.focus.clear();
}

void Shell::end_presenting(double now) {
  presenter_.close();
  const Scene& shown = session_.scene();
  if (shown.page != before_present_.page || shown.sentence != before_present_.sentence ||
      shown.weights != before_present_.weights || shown.weights_file != before_present_.weights_file)
    return;
  // Restores pins, heads and view exactly as they were before the slide. Things that run without input do not
  // belong to the slide.
  Scene next = scene::with_look_of(before_present_, shown);
  next.training = shown.training, next.positions.index = shown.positions.index;
  next.training.layer = before_present_.training.layer, next.training.head = before_present_.training.head;
  next.training.shown_step = before_present_.training.shown_step;
  session_.change(std::move(next), "", now);
}

void Shell::present_keys(double now) {
  if (input_.pressed(Key::escape) || input_.pressed(Key::f5)) return end_presenting(now);
  if (input_.pressed(Key::tab) || input_.pressed(Key::page_down)) presenter_.step(1);
  if (input_.pressed(Key::tab, screen::shift_only) || input_.pressed(Key::page_up)) presenter_.step(-1);
  for (const Action action : pressed_actions(input_, session_.scene(), Pressing::free)) {
    const bool here = action == Action::undo || action == Action::redo || action == Action::theme ||
                      action == Action::stop_computing || action == Action::fullscreen ||
                      action == Action::matrix_or_ribbons || action == Action::turn_map ||
                      action == Action::sort_bars || action == Action::quit;
    if (here) perform(action, now);
    // A change that was undone while presenting remains undone.
    if (action == Action::undo || action == Action::redo) before_present_ = session_.scene();
  }
  Session& side = desk_.compare().side(session_);
  const auto run = session_.training().latest();
  const auto walk = [&](const Scene& scene, Arrow key) {
    return slide_arrow(scene, {scene, side.results(), run.get()}, presenter_.card(), key);
  };
  session_.change(after_arrows(input_, session_.scene(), walk), "arrows", now);
  const scene::PageUses uses = scene::room_of(session_.scene().page).uses(session_.scene());
  if (uses.large_map) session_.change(after_digits(input_, session_.scene()), "", now);
  if (!input_.pressed(Key::space)) return;
  if (uses.plays) perform(Action::run_position, now);
  if (works(info_of(Action::matrix_or_ribbons), session_.scene())) perform(Action::matrix_or_ribbons, now);
}

void Shell::show_first_start(bool continues) {
  std::string unused;
  beneath_first_start_ = session_.scene();
  first_start_.show(continues ? session_.scene() : scene::first_scene(unused), session_, ui_, continues);
}

void Shell::first_start(draw::Box pixels, double now) {
  const auto out = first_start_.frame(ui_, maps_, pixels, now, still || session_.scene().reduced_motion);
  for (const Action action : pressed_actions(
           input_, session_.scene(), ui_.typing() ? Pressing::typing : Pressing::free, !ui_.typing())) {
    if (action == Action::theme || action == Action::quit || action == Action::fullscreen ||
        action == Action::larger || action == Action::smaller || action == Action::usual_size)
      perform(action, now);
  }
  if (!out) return;
  const Scene made = scene::with_look_of(first_start_.scene(), session_.scene());
  if (*out == WayOut::own_sentence || first_start_.continues()) session_.change(made, "", now);
  if (*out == WayOut::own_sentence) focus_sentence_ = select_sentence_ = true;
  if (*out == WayOut::lesson) lessons_.open("1", now);
  if (*out == WayOut::training) {
    Scene next = session_.scene();
    next.page = scene::page_that(&scene::PageUses::trains, next);
    session_.change(next, "", now);
    next.training.task = scene::TrainingTask::pronouns;
    session_.change(next, "", now);  // a separate change, so that it brings suitable settings
  }
}

Escape Shell::escape_does() const {
  if (panel_.closes()) return Escape::settings;
  if (ui_.focus.any()) return Escape::focus;
  return release(session_.scene()) == session_.scene() ? Escape::nothing : Escape::selection;
}

void Shell::shortcuts(double now, bool beneath_a_card) {
  // The list of lessons replaces the page: actions on a page have no target.
  const bool listing = lessons_.listing();
  const Pressing where = beneath_a_card            ? Pressing::beneath_a_card
                         : ui_.typing() || listing ? Pressing::typing
                                                   : Pressing::free;
  // While a lesson is edited, letters are meant for its texts, even if no text has the focus yet.
  const bool writing = lessons_.writing(), covered = lessons_.player().covered();
  for (const Action action : pressed_actions(input_, session_.scene(), where, !writing && !ui_.typing())) {
    if (covered && shows_the_answer(action)) {
      lessons_.say_covered(now);
      continue;
    }
    const bool compares = action == Action::keep_before || action == Action::switch_sides;
    if (!compares || !lessons_.player().playing()) perform(action, now);  // a lesson shows no comparison
  }
  desk_.compare().key_held(input_.down(Key::b), now);
  if (listing && !beneath_a_card && input_.pressed(Key::escape) && !ui_.escape_used()) {
    ui_.focus.clear();
    return lessons_.close_list();
  }
  if (where != Pressing::free || covered) return;
  const scene::PageUses uses = scene::room_of(session_.scene().page).uses(session_.scene());
  if (!ui_.focus.uses_arrows()) {
    const scene::Results& results = desk_.compare().side(session_).results();
    const auto move = [&](const Scene& scene, Arrow key) { return arrow(scene, results, key); };
    session_.change(after_arrows(input_, session_.scene(), move), "arrows", now);
  }
  if (uses.large_map && !writing) session_.change(after_digits(input_, session_.scene()), "", now);
  if (uses.plays && !writing && input_.pressed(Key::space) && !ui_.focus.presses())
    perform(Action::run_position, now);
  if (input_.pressed(Key::escape) && !ui_.escape_used()) {
    switch (escape_does()) {
      case Escape::settings:
        panel_.dismiss();
        ui_.focus.clear();
        break;
      case Escape::focus:
        ui_.focus.clear();
        break;
      case Escape::selection:
        perform(Action::release, now);
        break;
      case Escape::nothing:
        break;
    }
  }
}

}  // namespace headlight::app
