// The keys of a lesson while it is played, explored and written.
#include "lecture/lesson_screen.h"
#include "pages/page.h"

namespace headlight::app {

using screen::Key;

bool LessonScreen::step_keys(const screen::InputQueue& input, OwnKeys own, double now) {
  if (player_.exploring()) {
    const bool back = (input.pressed(Key::enter) || input.pressed(Key::keypad_enter)) && !own.enter;
    if (back) player_.come_back(now);
    return back;
  }
  if (input.pressed(Key::page_down) || (input.pressed(Key::right) && !own.arrows))
    return reveal_or_go_on(now), true;
  if (input.pressed(Key::page_up) || (input.pressed(Key::left) && !own.arrows))
    return player_.previous(now), true;
  if (input.pressed(Key::home) && !own.arrows) return player_.go(0, now), true;
  if (input.pressed(Key::end) && !own.arrows) return player_.go(player_.steps() - 1, now), true;
  if (input.pressed(Key::space)) {
    if (player_.reveal(now)) return true;
    // If nothing on the page can play, the key continues, like the right arrow.
    if (!scene::room_of(session_.scene().page).uses(session_.scene()).plays) return player_.next(now), true;
  }
  if (player_.current().question) {
    // Once one is chosen, the letters of the others do nothing else either.
    for (int i = 0; i < static_cast<int>(player_.current().question->choices.size()); ++i) {
      const auto letter = static_cast<Key>(static_cast<int>(Key::a) + i);
      if (input.pressed(letter)) return player_.choose(i), true;
    }
  }
  if (input.pressed(Key::enter) && next_lesson() && !own.enter) return act("next lesson", -1, now), true;
  return false;
}

bool LessonScreen::keys(const screen::Ui& ui, double now) {
  if (writing() && editor_.keys(now)) return true;
  if (!player_.open() || ui.typing()) return false;
  if (player_.exploring()) return step_keys(input_, {.enter = ui.focus.any()}, now);
  if (step_keys(input_,
                {.arrows = by_keyboard_ && ui.focus.uses_arrows(), .enter = by_keyboard_ && ui.focus.any()},
                now))
    return true;
  // In a hall the notes are in the lecturer's window.
  if (input_.pressed(Key::n)) {
    if (hall) return player_.notes_shown = false, true;
    return act("notes", -1, now), true;
  }
  if (input_.pressed(Key::escape) && !ui.escape_used())
    return trying_ ? player_.leave(now) : explore(now), true;
  // Undo stays within the step.
  const bool back = input_.pressed(Key::z, screen::ctrl_only);
  if (back && session_.scene() == player_.scene_of(player_.step())) return true;
  // The remaining arrow keys move nothing on the page.
  return input_.pressed(Key::up) || input_.pressed(Key::down) || input_.pressed(Key::enter);
}

}  // namespace headlight::app
