#include "app/help_card.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/actions.h"
#include "pictures/pages.h"
#include "screen/paint.h"

namespace headlight::app {

namespace {

constexpr float help_width = 780, keys_column = 210, most_height = 560;  // units
constexpr const char* help_popup = "keys";

struct KeyLine {
  const char* keys;
  const char* what;
};
/// Keys that are not actions: pointer, arrows, and those of the focused control.
constexpr std::array<KeyLine, 9> more_keys{{
    {"← ↑ → ↓", "move the pinned cell; on Positions: the position and the pair"},
    {"1 … 9, 0", "that head alone; all heads"},
    {"Shift + click", "add a query or head to those shown"},
    {"wheel, drag", "zoom and pan the map; double click: show all of it"},
    {"Tab, Shift + Tab", "next control, previous control"},
    {"Enter, Space", "press it; Enter on a slider: type a value"},
    {"Ctrl + arrows", "Order: move the chosen token to the next position"},
    {"double click", "on a slider: default value"},
    {"hold B", "show the other side while it is held"},
}};

/// Keys while a card is presented.
constexpr std::array<KeyLine, 5> present_keys{{
    {"← ↑ → ↓, 1 … 9", "move the pinned cell, choose the head; the slide names what they change"},
    {"Space", "map, beams or arcs; on Positions: play or stop"},
    {"Tab, PageDown", "next card of the page"},
    {"Shift + Tab, PageUp", "previous card"},
    {"Esc, F5", "back to the page, as it was"},
}};

/// Keys while a lesson is played; docs/lessons.md has the same list.
constexpr std::array<KeyLine, 10> lesson_keys{{
    {"→, PageDown", "reveal what is covered; then the next step; a clicker sends this key"},
    {"←, PageUp", "previous step"},
    {"Home, End", "first step, last step"},
    {"Space", "reveal what is covered; otherwise the next step"},
    {"letters, Enter", "type a prediction; reveal the answer"},
    {"A … F", "answer the question"},
    {"N", "the lecturer’s notes"},
    {"Shift + N", "the lecturer’s window, on a second screen; Esc in it closes it"},
    {"Esc, then Enter", "explore freely, once the answer is revealed; return to the step"},
    {"F11", "full screen"},
}};

void key_line(screen::Ui& ui, const char* keys, const char* what) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float middle = at.y + ui.px(11);
  ui.words(at.x, middle, keys, draw::Font::sans, 13, ui.theme().accent);
  ui.words(at.x + ui.px(keys_column), middle, what, draw::Font::sans, 13, ui.theme().text);
  ui.gap(22);
}

void keys(screen::Ui& ui) {
  for (const ActionInfo& info : actions()) {
    if (info.keys[0] != '\0') key_line(ui, info.keys, info.name);
  }
  ui.gap(8);
  for (const KeyLine& line : more_keys) key_line(ui, line.keys, line.what);
  ui.gap(8);
  ui.label("While a card is presented", 15, draw::Font::semibold);
  for (const KeyLine& line : present_keys) key_line(ui, line.keys, line.what);
  ui.gap(8);
  ui.label("In a lesson", 15, draw::Font::semibold);
  for (const KeyLine& line : lesson_keys) key_line(ui, line.keys, line.what);
}

void mathematics(screen::Ui& ui, scene::Page page) {
  for (const views::HelpEntry& entry : page_info(page).view.help()) {
    ui.label(entry.panel, 15, draw::Font::semibold);
    const std::string all = entry.equation;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      const ImVec2 from = ImGui::GetCursorScreenPos();
      const float room = ImGui::GetContentRegionAvail().x - ui.px(14);
      ui.mathematics(from.x + ui.px(14), from.y + ui.px(11),
                     ui.text.fit(all.substr(at, end - at), draw::Font::mono, ui.px(13), room),
                     draw::Font::mono, 13, ui.theme().accent);
      ui.gap(22);
      at = end + 1;
    }
    ui.gap(2);
    ui.prose(entry.meaning);
    ui.paragraph(entry.source, 12);
    ui.gap(16);
  }
}

}  // namespace

void HelpCard::frame(screen::Ui& ui, scene::Page page) {
  if (std::exchange(opening_, false)) {
    ui.open_popup(help_popup);
    for (std::size_t i = 0; i < pages().size(); ++i) {
      if (pages()[i].page() == page) page_ = static_cast<int>(i);
    }
  }
  if (!ui.begin_popup(help_popup, nullptr, help_width)) return;
  if (ui.input.pressed(screen::Key::f1) && !ImGui::IsWindowAppearing()) ui.close_popup();
  ui.label("Help", 18, draw::Font::semibold);
  ui.gap(6);
  static constexpr std::array<std::string_view, 2> parts{"keys", "mathematics"};
  ui.segmented({.name = "part", .options = parts, .width = 260}, part_);
  if (part_ == 1) {
    ui.gap(4);
    ui.begin_flow(6);
    for (std::size_t i = 0; i < pages().size(); ++i) {
      bool on = page_ == static_cast<int>(i);
      if (ui.chip({.label = pages()[i].room.title}, on)) page_ = static_cast<int>(i);
    }
    ui.end_flow();
  }
  ui.gap(8);
  const float room =
      std::max(ui.px(120), ImGui::GetIO().DisplaySize.y * 0.9f - ui.px(part_ == 1 ? 230 : 160));
  ImGui::BeginChild("words", ImVec2(0, std::min(ui.px(most_height), room)), false, ImGuiWindowFlags_NoNav);
  // Arrows and Page keys scroll: the card has nothing to step through.
  using screen::Key;
  const float step = ui.px(60);
  float by = 0;
  if (!ui.focus.uses_arrows())
    by = step * static_cast<float>(ui.input.pressed(Key::down) - ui.input.pressed(Key::up));
  by += ImGui::GetWindowHeight() *
        static_cast<float>(ui.input.pressed(Key::page_down) - ui.input.pressed(Key::page_up));
  if (by != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.f, ImGui::GetScrollMaxY()));
  if (part_ == 0) {
    keys(ui);
  } else {
    mathematics(
        ui,
        pages()[static_cast<std::size_t>(std::clamp(page_, 0, static_cast<int>(pages().size()) - 1))].page());
  }
  ImGui::EndChild();
  ui.end_popup();
}

}  // namespace headlight::app
