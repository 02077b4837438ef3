// All actions, each named once: the keys, the palette and the card of keys use this table. Tested in
// tests/app/palette_test.cpp.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pages/page.h"
#include "scene/scene.h"
#include "screen/input.h"

namespace headlight::app {

enum class Action {
  palette,
  help,
  open,
  save,
  save_as,
  copy_line,
  paste_line,
  copy_report,
  undo,
  redo,
  stop_computing,
  keep_before,
  switch_sides,
  drop_before,
  write_on,
  write_one,
  stop_writing,
  write_sentence,
  release,
  matrix_or_ribbons,
  turn_map,
  sort_bars,
  run_position,
  best_step,
  next_page,
  previous_page,
  theme,
  larger,
  smaller,
  usual_size,
  settings_panel,
  fullscreen,
  quit,
  present,
  lecturer_window,
  choose_model,
  hints_again,
  export_figure,
  lessons,
  first_start,
  add_view,
  write_lesson,
};

struct Chord {
  screen::Key key = screen::Key::none;
  screen::Mods mods;
};

/// The keyboard's current use: none, typing into a text, an open card.
enum class Pressing { free, typing, beneath_a_card };

struct ActionInfo {
  Action action;
  const char* name;   // in the palette and the card of keys
  const char* keys;   // as shown to users; empty: none
  const char* words;  // more words by which the palette finds it
  std::array<Chord, 4> chords{};
  Pressing until = Pressing::free;         // the action also works in the states before this one
  bool scene::PageUses::*needs = nullptr;  // it works on pages that have this use; null: on every page
};

std::span<const ActionInfo> actions();
const ActionInfo& info_of(Action action);
/// Does the action work on the page that the scene has open?
bool works(const ActionInfo& info, const scene::Scene& scene);

/// The actions whose keys were pressed in this frame. `letters` false: without keys that type a character.
std::vector<Action> pressed_actions(const screen::InputQueue& input, const scene::Scene& scene,
                                    Pressing where, bool letters = true);

/// The effect of an action on the scene; nothing for actions with another effect.
std::optional<scene::Scene> after(Action action, const scene::Scene& scene);

}  // namespace headlight::app
