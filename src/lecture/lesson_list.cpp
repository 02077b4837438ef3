// The list of lessons: a picture of the first step, the title, what it is about, minutes, and how far one
// got.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lecture/lesson_screen.h"
#include "screen/paint.h"

namespace headlight::app {

namespace {

constexpr float list_width = 760, entry_high = 58, small_high = 46, small_wide = small_high * 1.6f;

}  // namespace

void LessonScreen::list_entry(screen::Ui& ui, const LessonEntry& entry, std::size_t index, double now) {
  const draw::Theme& t = ui.theme();
  const bool works = entry.problem.empty();
  // Of two with the same title the file says which.
  const bool twice = std::count_if(entries_.begin(), entries_.end(), [&](const LessonEntry& other) {
                       return other.number == 0 && other.title == entry.title;
                     }) > 1;
  const std::string own = twice ? entry.title + " · " + entry.path.filename().string() : entry.title;
  const std::string name = entry.number > 0 ? std::to_string(entry.number) + "   " + entry.title : own;
  const std::string what = entry.number > 0 ? entry.name : entry.path.string();
  constexpr float edit_wide = 62;
  const float wide = ImGui::GetContentRegionAvail().x - ui.px(edit_wide + 8);
  const screen::Ui::Item it = ui.item(name, wide, ui.px(entry_high), {}, false, works);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (it.hovered || it.held) list.AddRectFilled(it.from, it.to, screen::packed(t.field_hover), ui.px(8));
  const float middle = (it.from.y + it.to.y) / 2;
  const ImVec2 from{std::round(it.from.x + ui.px(8)), std::round(middle - ui.px(small_high / 2))};
  const ImVec2 to{from.x + std::round(ui.px(small_wide)), from.y + std::round(ui.px(small_high))};
  if (it.visible) {
    if (index < first_steps_.size() && first_steps_[index]) {
      if (const ImTextureID texture = pictures_.texture(*first_steps_[index]))
        list.AddImageRounded(texture, from, to, {0, 0}, {1, 1}, IM_COL32_WHITE, ui.px(4));
    }
    list.AddRect(from, to, screen::packed(t.border), ui.px(4), 0, std::max(1.f, std::floor(ui.scale())));
  }
  const float left = to.x + ui.px(14), column = ui.px(92), right = it.to.x - ui.px(10);
  const float room = right - column - left;
  const std::string title = entry.number > 0 ? std::to_string(entry.number) + " · " + entry.title : own;
  ui.words(left, middle - ui.px(11), ui.text.fit(title, draw::Font::semibold, ui.px(14), room),
           draw::Font::semibold, 14, works ? t.text : t.dim);
  const std::string& about = !works ? entry.problem : entry.missing.empty() ? entry.about : entry.missing;
  ui.words(left, middle + ui.px(10), ui.text.fit(about, draw::Font::sans, ui.px(12), room), draw::Font::sans,
           12, works && entry.missing.empty() ? t.dim : t.bad);
  if (works) {
    const auto reached = progress_.find(progress_name(entry));
    const int at = reached == progress_.end() ? 0 : std::min(reached->second, entry.steps);
    const bool whole = at >= entry.steps && at > 0;
    const std::string told = whole    ? "finished"
                             : at > 0 ? "step " + std::to_string(at) + " of " + std::to_string(entry.steps)
                                      : std::to_string(entry.steps) + (entry.steps == 1 ? " step" : " steps");
    ui.words(right, middle - ui.px(11), std::to_string(entry.minutes) + " min", draw::Font::sans, 12, t.dim,
             draw::Align::right);
    ui.words(right, middle + ui.px(6), told, draw::Font::sans, 12, whole ? t.text : t.dim,
             draw::Align::right);
    const ImVec2 bar{std::round(right - ui.px(80)), std::round(middle + ui.px(17))};
    list.AddRectFilled(bar, {right, bar.y + ui.px(3)}, screen::packed(t.faint), ui.px(1.5f));
    const float part = static_cast<float>(at) / static_cast<float>(std::max(1, entry.steps));
    if (at > 0)
      list.AddRectFilled(bar, {bar.x + (right - bar.x) * part, bar.y + ui.px(3)}, screen::packed(t.accent),
                         ui.px(1.5f));
  }
  ui.focus_ring(it, ui.px(8));
  if (it.pressed && works) {
    ui.close_popup();
    // Where one stopped; a lesson that was finished begins anew.
    const auto reached = progress_.find(progress_name(entry));
    const bool resumes = reached != progress_.end() && reached->second < entry.steps;
    open(what, now);
    from_list_ = player_.open();
    if (resumes && player_.open()) player_.go(reached->second - 1, now);
  }
  ImGui::SameLine(0, ui.px(8));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px((entry_high - 32) / 2));
  if (works &&
      ui.button({.label = entry.number > 0 ? "Copy" : "Edit",
                 .help = entry.number > 0 ? "a copy of one's own to edit" : "steps, words, questions",
                 .name = "edit " + entry.name,
                 .quiet = true,
                 .width = edit_wide,
                 .height = 32})) {
    ui.close_popup();
    write(what, 0, now);
  }
  ImGui::SetCursorScreenPos({it.from.x, it.to.y + ui.px(2)});
}

void LessonScreen::list(screen::Ui& ui, double now) {
  if (!ui.begin_popup("lessons", nullptr, list_width)) return;
  // The pictures are in the theme that one sees.
  const bool appears = ImGui::IsWindowAppearing();
  if (appears || first_steps_.size() != entries_.size()) {
    first_steps_.clear();
    for (const LessonEntry& entry : entries_) {
      scene::Scene first = entry.first;
      first.theme = session_.scene().theme, first.ramp = session_.scene().ramp;
      first_steps_.push_back(entry.problem.empty() ? pictures_.ask(first) : nullptr);
    }
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x;
  ui.label("Lessons", 18, draw::Font::semibold);
  const float below = ImGui::GetCursorScreenPos().y;
  float right = at.x + wide;
  const auto button = [&](const char* label, const char* name, const char* help, float width) {
    right -= ui.px(width);
    ImGui::SetCursorScreenPos({right, at.y - ui.px(2)});
    right -= ui.px(8);
    return ui.button({.label = label, .help = help, .name = name, .width = width, .height = 32}).changed;
  };
  const bool fresh = button("New lesson", "new lesson", "begins with the page as it is now", 104);
  const bool add = button("Add this view to a lesson…", "add view", "the current view becomes a step", 196);
  ImGui::SetCursorScreenPos({at.x, below + ui.px(8)});
  // The entries scroll beneath the title and its buttons.
  const float used = ImGui::GetCursorScreenPos().y - ImGui::GetWindowPos().y + ui.px(24);
  const float room = std::max(ui.px(entry_high), ImGui::GetIO().DisplaySize.y * 0.9f - used);
  ImGui::BeginChild("entries", {0, list_high_ > 0 ? std::min(list_high_, room) : room}, false,
                    ImGuiWindowFlags_NoNav);
  if (appears) ImGui::SetScrollY(0);
  if (show_first_start && ui.menu_item("First start: one sentence, one beam")) {
    show_first_start();
    ui.close_popup();
  }
  // One's own come first: they are few, and the ones that one is at.
  bool first = true;
  for (const bool own : {true, false}) {
    bool titled = std::none_of(entries_.begin(), entries_.end(),
                               [](const LessonEntry& entry) { return entry.number == 0; });
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if ((entries_[i].number == 0) != own) continue;
      if (!std::exchange(titled, true)) {
        ui.gap(std::exchange(first, false) ? 0 : 6);
        ui.label(own ? "My lessons" : "Included lessons", 14, draw::Font::semibold);
      }
      list_entry(ui, entries_[i], i, now);
    }
  }
  list_high_ = ImGui::GetCursorPosY();
  ImGui::EndChild();
  if (fresh) {
    ui.close_popup();
    write("", 0, now);
  } else if (add) {
    ui.close_popup();
    open_add_ = true;
  }
  ui.end_popup();
}

}  // namespace headlight::app
