#include "ui/choice_list.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "screen/paint.h"

namespace headlight::app {

namespace {

constexpr float row_height = 34, title_size = 14, detail_size = 12;

/// Draws one row between `from` and `to`.
void paint(screen::Ui& ui, const Choice& row, ImVec2 from, ImVec2 to, bool selected, bool lit) {
  const draw::Theme& t = ui.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (selected || lit)
    list.AddRectFilled(from, to, screen::packed(selected ? draw::mix(t.panel, t.accent, 0.12f) : t.field),
                       ui.px(6));
  if (selected) list.AddRectFilled(from, {from.x + ui.px(3), to.y}, screen::packed(t.accent), ui.px(2));
  const float middle = (from.y + to.y) / 2, gap = ui.px(12);
  float left = from.x + gap, right = to.x - gap;
  if (!row.right.empty()) {
    const std::string shown =
        ui.text.fit(row.right, draw::Font::sans, ui.px(detail_size), (right - left) * 0.5f);
    ui.words(right, middle, shown, draw::Font::sans, detail_size, t.dim, draw::Align::right);
    right -= ui.text.width(shown, draw::Font::sans, ui.px(detail_size)) + gap;
  }
  const std::string title = ui.text.fit(row.title, draw::Font::sans, ui.px(title_size), right - left);
  ui.words(left, middle, title, draw::Font::sans, title_size, row.problem ? t.bad : t.text);
  left += ui.text.width(title, draw::Font::sans, ui.px(title_size)) + gap;
  if (right - left > ui.px(40) && !row.detail.empty())
    ui.words(left, middle, ui.text.fit(row.detail, draw::Font::sans, ui.px(detail_size), right - left),
             draw::Font::sans, detail_size, t.dim);
}

}  // namespace

float list_room(const screen::Ui& ui, float requested, float rest) {
  const float room = ImGui::GetIO().DisplaySize.y * 0.9f / ui.scale() - rest;
  return std::clamp(row_height * std::floor(room / row_height), 2 * row_height, requested);
}

void ChoiceList::keys(const screen::Ui& ui, int count, int page) {
  using screen::Key;
  int step = 0;
  for (const screen::KeyPress& press : ui.input.presses()) {
    if (press.mods != screen::Mods{}) continue;
    if (press.key == Key::down) step += 1;
    if (press.key == Key::up) step -= 1;
    if (press.key == Key::page_down) step += page;
    if (press.key == Key::page_up) step -= page;
  }
  if (step != 0) selected_ = selected_ + step, moved_ = true;
  selected_ = std::clamp(selected_, step != 0 ? 0 : -1, count - 1);
}

int ChoiceList::frame(screen::Ui& ui, const char* name, std::span<const Choice> rows, float height) {
  const int count = static_cast<int>(rows.size());
  keys(ui, count, std::max(1, static_cast<int>(height / row_height) - 1));
  int taken = -1;
  ImGui::BeginChild(name, ImVec2(0, ui.px(height)), false, ImGuiWindowFlags_NoNav);
  ui.push_scope(name);
  const float row = std::round(ui.px(row_height));
  if (std::exchange(moved_, false) && selected_ >= 0) {
    const float top = row * static_cast<float>(selected_), shown = ImGui::GetWindowHeight();
    // Scrolls to the row above too, so that its predecessor is not hidden behind the edge.
    if (top - row < ImGui::GetScrollY()) ImGui::SetScrollY(std::max(0.f, top - row));
    if (top + row > ImGui::GetScrollY() + shown) ImGui::SetScrollY(top + row - shown);
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const int first = std::max(0, static_cast<int>(ImGui::GetScrollY() / row));
  const int last = std::min(count, first + static_cast<int>(ImGui::GetWindowHeight() / row) + 2);
  for (int i = first; i < last; ++i) {
    const Choice& choice = rows[static_cast<std::size_t>(i)];
    const ImVec2 from(origin.x, origin.y + row * static_cast<float>(i)), to(origin.x + width, from.y + row);
    ImGui::SetCursorScreenPos(from);
    ImGui::PushID(i);
    const bool pressed = ImGui::InvisibleButton("row", ImVec2(width, row));
    const bool lit = ImGui::IsItemHovered();
    ImGui::PopID();
    if (pressed) taken = selected_ = i;
    if (ui.recorder) ui.recorder->add(choice.title, from, to);
    paint(ui, choice, from, to, i == selected_, lit);
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy(ImVec2(width, row * static_cast<float>(count)));
  ui.pop_scope();
  ImGui::EndChild();
  return taken;
}

}  // namespace headlight::app
