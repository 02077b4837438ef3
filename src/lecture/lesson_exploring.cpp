// While a lesson is left for exploring: the strip above the page, and a view that becomes a step.
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

#include "lecture/lesson_screen.h"
#include "screen/paint.h"

namespace headlight::app {

namespace {

constexpr float strip_height = 48;

}  // namespace

void LessonScreen::strip(screen::Ui& ui, draw::Box& rest, double now) {
  const draw::Box pixels = rest.cut_top(strip_height * ui.scale());
  if (ui.begin_panel("exploring", pixels, ui.theme().field, 0, false)) {
    const float middle = pixels.y + pixels.h / 2;
    const bool narrow = pixels.w < ui.px(900);
    float right = pixels.right() - ui.px(14);
    const auto button = [&](std::string_view label, std::string_view name, float width, bool primary) {
      right -= ui.px(width);
      ImGui::SetCursorScreenPos(ImVec2(right, middle - ui.px(16)));
      const bool pressed =
          ui.button({.label = label, .name = name, .primary = primary, .quiet = !primary, .width = width})
              .changed;
      right -= ui.px(8);
      return pressed;
    };
    if (button(narrow ? "Back ⏎" : "Back to the lesson ⏎", "back", narrow ? 84 : 178, true))
      player_.come_back(now);
    if (button(narrow ? "Add view" : "Add this view to a lesson…", "add view", narrow ? 90 : 206, false))
      open_add_ = true;
    if (button(narrow ? "Leave" : "Leave the lesson", "leave", narrow ? 70 : 138, false)) leave(now);
    if (player_.open()) {
      const std::string title = views::in_quotes(player_.lesson().title),
                        step = player_.step() + 1 == player_.steps()
                                   ? ", the last step"
                                   : ", step " + std::to_string(player_.step() + 1) + " of " +
                                         std::to_string(player_.steps()),
                        back = " · Enter: back to the lesson";
      const float left = pixels.x + ui.px(16);
      // What the keys do is whole; the name of the lesson is left out first.
      const std::string shorter[] = {"Exploring " + title + step + back + escape_hint,
                                     "Exploring " + title + back + escape_hint,
                                     "Exploring" + back + escape_hint, "Exploring" + back, "Enter: back"};
      const auto fits = [&](const std::string& words) {
        return ui.text.width(words, draw::Font::sans, ui.px(14)) <= right - left;
      };
      const auto whole = std::find_if(std::begin(shorter), std::end(shorter), fits);
      if (whole != std::end(shorter)) ui.words(left, middle, *whole, draw::Font::sans, 14, ui.theme().text);
    }
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(pixels.x, pixels.bottom() - ui.px(2)),
                                              ImVec2(pixels.right(), pixels.bottom()),
                                              screen::packed(ui.theme().accent));
  }
  ui.end_panel();
}

/// The lessons that a view can be added to, the one that was written last first.
void LessonScreen::own_lessons() {
  std::vector<std::pair<std::filesystem::file_time_type, LessonEntry>> found;
  for (LessonEntry& entry : list_lessons(folder)) {
    std::error_code none;
    if (entry.number == 0 && entry.problem.empty())
      found.emplace_back(std::filesystem::last_write_time(entry.path, none), std::move(entry));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  own_.clear(), own_rows_.clear();
  for (auto& [written, entry] : found) {
    own_rows_.push_back({entry.title, entry.path.filename().string(),
                         std::to_string(entry.steps) + (entry.steps == 1 ? " step" : " steps")});
    own_.push_back(entry.path);
  }
  own_rows_.push_back({"A new lesson", "", ""});
  own_list_.select(0);
}

void LessonScreen::add(screen::Ui& ui, const PageArea& page, double now) {
  if (!ui.begin_popup("add view", nullptr, 520)) return;
  if (ImGui::IsWindowAppearing()) ui.focus.take(ImGui::GetID("title"), true);
  ui.label("Add this view to a lesson", 18, draw::Font::semibold);
  ui.paragraph(
      "The page and all settings become one step. The settings that changed since the previous step are "
      "offered as its controls.");
  ui.gap(6);
  ui.label("lesson", 13);
  if (!own_.empty()) {
    constexpr float row = 34, most = 4, around = 380;
    const float requested = row * std::min(most, static_cast<float>(own_rows_.size()));
    own_list_.frame(ui, "lessons", own_rows_, list_room(ui, requested, around));
  }
  const std::size_t chosen = static_cast<std::size_t>(std::max(own_list_.selected(), 0));
  const bool fresh = chosen >= own_.size();
  if (fresh)
    ui.text_field({.name = "lesson",
                   .hint = "My lesson",
                   .help = "the title of the new lesson",
                   .height = 34,
                   .size = 15},
                  new_step_.lesson);
  ui.label("heading of the step", 13);
  bool done =
      ui.text_field({.name = "title", .hint = "a short title", .height = 34, .size = 15}, new_step_.title)
          .submitted;
  ui.label("words", 13);
  done |=
      ui.text_field({.name = "words", .hint = "what to look at", .height = 34, .size = 15}, new_step_.words)
          .submitted;
  ui.gap(8);
  ui.begin_flow(8);
  done |= ui.button({.label = "Add the step", .name = "add", .primary = true}).changed;
  const bool away = ui.button({.label = "Cancel", .name = "cancel"}).changed;
  ui.end_flow();
  if (done) {
    new_step_.file = fresh ? std::filesystem::path() : own_[chosen];
    new_step_.fresh = fresh;
    new_step_.focus = focus_on(page.tab_cards(session_.scene().page));
    // The editor holds the lesson that it edits; the file must not change meanwhile.
    const base::Result<AddedStep> added =
        editor_.open() ? base::Error{"a lesson is being edited: choose + Add this view there"}
                       : add_view(new_step_, session_.scene(), folder);
    session_.say(added ? "step " + std::to_string(added->step) + " of " + views::in_quotes(added->title) +
                             ", " + added->path.string()
                       : added.error(),
                 now);
  }
  if (done || away) ui.close_popup();
  ui.end_popup();
}

}  // namespace headlight::app
