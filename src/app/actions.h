// What can be done, each thing named once: the keys, the palette and the card of keys all read this table.
// Tested in tests/app/palette_test.cpp.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

/// What the keyboard is busy with: nothing, a text that is typed into, a card that is open.
enum class Pressing { free, typing, beneath_a_card };

struct ActionInfo {
  Action action;
  const char* name;   // in the palette and the card of keys
  const char* keys;   // as a person reads them; empty: none
  const char* words;  // more words by which the palette finds it
  std::array<Chord, 4> chords{};
  Pressing until = Pressing::free;    // also in the states before this one
  std::optional<scene::Page> page{};  // only there
};

std::span<const ActionInfo> actions();
const ActionInfo& info_of(Action action);

/// Those whose keys went down in this frame.
/// `letters` false: not those of keys that type a character.
std::vector<Action> pressed_actions(const screen::InputQueue& input, scene::Page page, Pressing where,
                                    bool letters = true);

/// What an action does to the scene; nothing for those that do something else.
std::optional<scene::Scene> after(Action action, const scene::Scene& scene);

}  // namespace headlight::app
