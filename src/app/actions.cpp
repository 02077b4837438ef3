#include "app/actions.h"

#include <iterator>

#include "pictures/pages.h"
#include "session/gestures.h"

namespace headlight::app {

namespace {

using scene::Page;
using scene::PageUses;
using scene::Scene;
using screen::alt_only;
using screen::ctrl_only;
using screen::ctrl_shift;
using screen::Key;
using screen::shift_only;

constexpr ActionInfo table[] = {
    {Action::palette,
     "find a page, a setting, an action",
     "Ctrl + K",
     "palette search command",
     {{{Key::k, ctrl_only}, {Key::f, ctrl_only}, {Key::p, ctrl_shift}}},
     Pressing::typing},
    {Action::help,
     "help: keys, and the mathematics of the page",
     "F1 or ?",
     "equations sources formulas shortcuts",
     {{{Key::f1, {}}, {Key::slash, shift_only}}},
     Pressing::typing},
    {Action::open, "open a scene", "Ctrl + O", "file load recent", {{{Key::o, ctrl_only}}}, Pressing::typing},
    {Action::save, "save the scene", "Ctrl + S", "file write", {{{Key::s, ctrl_only}}}, Pressing::typing},
    {Action::save_as,
     "save the scene as",
     "Ctrl + Shift + S",
     "file write name copy",
     {{{Key::s, ctrl_shift}}},
     Pressing::typing},
    {Action::copy_line,
     "copy the scene as one line",
     "Ctrl + L",
     "clipboard share chat text link",
     {{{Key::l, ctrl_only}}},
     Pressing::typing},
    {Action::paste_line,
     "open the scene line from the clipboard",
     "Ctrl + V",
     "paste text",
     {{{Key::v, ctrl_only}}}},
    {Action::copy_report,
     "copy a text report of the page",
     "Ctrl + Shift + R",
     "describe words screen reader clipboard",
     {{{Key::r, ctrl_shift}}},
     Pressing::typing},
    {Action::undo, "undo", "Ctrl + Z", "back", {{{Key::z, ctrl_only}}}, Pressing::typing},
    {Action::redo,
     "redo",
     "Ctrl + Shift + Z",
     "again",
     {{{Key::z, ctrl_shift}, {Key::y, ctrl_only}}},
     Pressing::typing},
    {Action::stop_computing,
     "stop computing, or compute again",
     "Ctrl + .",
     "cancel halt abort interrupt progress resume",
     {{{Key::period, ctrl_only}}},
     Pressing::typing},
    {Action::keep_before,
     "keep this as “before”",
     "Shift + B",
     "compare A/B snapshot",
     {{{Key::b, shift_only}}}},
    {Action::switch_sides,
     "switch between before and after",
     "B",
     "compare A/B toggle switch",
     {{{Key::b, {}}}}},
    {Action::drop_before, "stop comparing", "", "A/B before after forget"},
    {Action::write_on, "continue the sentence with the model", "",
     "generate sample write next token predict"},
    {Action::write_one, "write one token", "", "generate sample continue next predict step"},
    {Action::stop_writing, "stop writing", "", "generate end halt"},
    {Action::write_sentence,
     "edit the sentence",
     "/",
     "type text focus change write own input add a word words",
     {{{Key::slash, {}}}}},
    {Action::release, "clear selection (key, then queries, then heads)", "Esc", "unpin clear"},
    {Action::matrix_or_ribbons,
     "map, beams or arcs",
     "M",
     "matrix ribbons view",
     {{{Key::m, {}}}},
     Pressing::free,
     &PageUses::large_map},
    {Action::turn_map,
     "queries as rows or as columns",
     "O",
     "transpose orientation",
     {{{Key::o, {}}}},
     Pressing::free,
     &PageUses::large_map},
    {Action::sort_bars,
     "bars in sentence order or sorted",
     "S",
     "",
     {{{Key::s, {}}}},
     Pressing::free,
     &PageUses::large_map},
    {Action::run_position,
     "play or stop the position",
     "Space",
     "play clocks",
     {},
     Pressing::free,
     &PageUses::plays},
    {Action::best_step,
     "show the best step: the lowest held-out loss",
     "L",
     "validation minimum kept early stopping",
     {{{Key::l, {}}}},
     Pressing::free,
     &PageUses::trains},
    {Action::next_page,
     "next page",
     "Ctrl + PageDown",
     "next",
     {{{Key::page_down, ctrl_only}}},
     Pressing::beneath_a_card},
    {Action::previous_page,
     "previous page",
     "Ctrl + PageUp",
     "back",
     {{{Key::page_up, ctrl_only}}},
     Pressing::beneath_a_card},
    {Action::theme, "dark or light", "T", "theme colours colors mode night", {{{Key::t, {}}}}},
    {Action::larger,
     "larger interface",
     "Ctrl + plus",
     "scale zoom",
     {{{Key::plus, ctrl_only}, {Key::equal, ctrl_only}, {Key::plus, ctrl_shift}, {Key::equal, ctrl_shift}}},
     Pressing::beneath_a_card},
    {Action::smaller,
     "smaller interface",
     "Ctrl + minus",
     "scale zoom",
     {{{Key::minus, ctrl_only}}},
     Pressing::beneath_a_card},
    {Action::usual_size,
     "default interface size",
     "Ctrl + 0",
     "scale zoom reset",
     {{{Key::digit_0, ctrl_only}}},
     Pressing::beneath_a_card},
    {Action::settings_panel,
     "settings panel",
     "Ctrl + B",
     "hide show side",
     {{{Key::b, ctrl_only}}},
     Pressing::beneath_a_card},
    {Action::fullscreen,
     "full screen",
     "F11",
     "fullscreen full-screen window maximize",
     {{{Key::f11, {}}}},
     Pressing::beneath_a_card},
    {Action::quit,
     "quit",
     "Ctrl + Q",
     "exit end leave close the program",
     {{{Key::q, ctrl_only}}},
     Pressing::beneath_a_card},
    {Action::present,
     "present this card",
     "F5",
     "presentation hall lecture projector slide alone large full screen",
     {{{Key::f5, {}}}},
     Pressing::typing},
    {Action::lecturer_window,
     "the lecturer’s window",
     "Shift + N",
     "speaker presenter display notes next step clock timer second screen monitor lecture hall",
     {{{Key::n, shift_only}}}},
    {Action::choose_model, "choose a model", "",
     "weights random trained included pronouns english my runs recent picker checkpoint open load import "
     "gpt2 "
     "gpt-2 bert llama pythia hugging face huggingface pytorch safetensors"},
    {Action::hints_again, "show the first hints again", "", "tips help"},
    {Action::export_figure,
     "export a figure or its numbers",
     "Ctrl + E",
     "picture figure image svg pdf png gif animation video film csv npy npz json copy clipboard save print "
     "paper screenshot",
     {{{Key::e, screen::ctrl_only}}},
     Pressing::typing},
    {Action::lessons, "lessons", "", "learn course teach list tutorial"},
    {Action::first_start, "first start: one sentence, one beam", "",
     "welcome start screen intro tour begin again"},
    {Action::add_view, "add this view to a lesson", "", "step own lesson teach"},
    {Action::write_lesson, "write a lesson", "",
     "new lesson editor author course teach lecture step how do i make create"},
};

constexpr double scales[] = {0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3};

double next_scale(double now, int step) {
  if (step > 0) {
    for (const double s : scales) {
      if (s > now + 1e-6) return s;
    }
    return std::end(scales)[-1];
  }
  for (int i = static_cast<int>(std::size(scales)) - 1; i >= 0; --i) {
    if (scales[i] < now - 1e-6) return scales[i];
  }
  return scales[0];
}

Page neighbour(Page page, int step) {
  const auto all = pages();
  const int count = static_cast<int>(all.size()), place = static_cast<int>(page);  // in enum order
  return all[static_cast<std::size_t>((place + step + count) % count)].page();
}

template <class E>
E other(E value, E a, E b) {
  return value == a ? b : a;
}
/// The next value; the first one after the last.
template <class E>
E following(E value, E last) {
  return value == last ? E{} : static_cast<E>(static_cast<int>(value) + 1);
}

bool types_a_character(const Chord& chord) {
  return !chord.mods.ctrl && !chord.mods.alt && chord.key >= Key::a && chord.key <= Key::space;
}

}  // namespace

std::span<const ActionInfo> actions() {
  return table;
}

const ActionInfo& info_of(Action action) {
  for (const ActionInfo& info : table) {
    if (info.action == action) return info;
  }
  return table[0];
}

bool works(const ActionInfo& info, const Scene& scene) {
  return info.needs == nullptr || scene::room_of(scene.page).uses(scene).*info.needs;
}

std::vector<Action> pressed_actions(const screen::InputQueue& input, const Scene& scene, Pressing where,
                                    bool letters) {
  std::vector<Action> out;
  for (const ActionInfo& info : table) {
    if (where > info.until) continue;
    for (const Chord& chord : info.chords) {
      if (chord.key == Key::none || !input.pressed(chord.key, chord.mods)) continue;
      if (!letters && types_a_character(chord)) continue;
      if (works(info, scene)) out.push_back(info.action);
      break;
    }
  }
  return out;
}

std::optional<Scene> after(Action action, const Scene& scene) {
  Scene next = scene;
  switch (action) {
    case Action::release:
      return release(scene);
    case Action::matrix_or_ribbons:
      next.attention.view = following(next.attention.view, scene::AttentionView::arcs);
      return next;
    case Action::turn_map:
      next.query_axis = other(next.query_axis, scene::QueryAxis::rows, scene::QueryAxis::columns);
      return next;
    case Action::sort_bars:
      next.attention.bars_sorted = !next.attention.bars_sorted;
      return next;
    case Action::run_position:
      next.positions.play = !next.positions.play;
      return next;
    case Action::next_page:
      next.page = neighbour(next.page, 1);
      return next;
    case Action::previous_page:
      next.page = neighbour(next.page, -1);
      return next;
    case Action::theme:
      next.theme = other(next.theme, scene::ThemeName::dark, scene::ThemeName::light);
      return next;
    case Action::larger:
      next.interface_scale = next_scale(next.interface_scale, 1);
      return next;
    case Action::smaller:
      next.interface_scale = next_scale(next.interface_scale, -1);
      return next;
    case Action::usual_size:
      next.interface_scale = 1;
      return next;
    default:
      return std::nullopt;
  }
}

}  // namespace headlight::app
