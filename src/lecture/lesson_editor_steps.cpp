// The head of the editor, and the list of steps with their pictures.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "lecture/lesson_editor.h"
#include "screen/paint.h"

namespace headlight::app {

namespace {

constexpr float row = 52, picture_high = 40, picture_wide = picture_high * 1.6f, steps_share = 0.34f;

/// Writes the state of the file beside the buttons, on two lines if one is too short.
void state_words(screen::Ui& ui, ImVec2 at, const std::string& words, float width, draw::Color color) {
  const auto fits = [&](const std::string& some) {
    return ui.text.width(some, draw::Font::sans, ui.px(12)) <= width;
  };
  const auto line = [&](const std::string& some, float down) {
    ui.words(at.x, at.y + ui.px(down), ui.text.fit(some, draw::Font::sans, ui.px(12), width),
             draw::Font::sans, 12, color);
  };
  if (fits(words)) return line(words, 0);
  std::size_t end = words.rfind(' ');
  while (end != std::string::npos && end > 0 && !fits(words.substr(0, end))) end = words.rfind(' ', end - 1);
  if (end == std::string::npos) return line(words, 0);
  line(words.substr(0, end), -8), line(words.substr(end + 1), 8);
}

}  // namespace

void LessonEditor::frame(screen::Ui& ui, draw::Box pixels, const PageArea& page, double now) {
  follow(now);
  // The target of a pick may be gone.
  if ((pick_ == Pick::hide && !draft_->current().predict) || (pick_ == Pick::goal && !draft_->current().task))
    pick_ = Pick::none;
  if (dirty_ && now >= save_at_) save(now);
  if (dirty_ && ui.wake_in) ui.wake_in(std::max(0.05, save_at_ - now));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(12));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.f, std::floor(ui.scale())));
  // In a small window everything scrolls; else the list and the texts scroll separately.
  const bool shown =
      ui.begin_panel("editor", pixels, ui.theme().panel, 12, pixels.h < ui.px(editor_scrolls_below));
  ImGui::PopStyleVar(2);
  if (shown) {
    head(ui, now);
    // The head may have ended the editor.
    if (open()) steps(ui, page, now);
    if (open()) texts(ui, page, now);
  }
  ui.end_panel();
}

void LessonEditor::head(screen::Ui& ui, double now) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = ImGui::GetContentRegionAvail().x, middle = at.y + ui.px(16);
  float right = at.x + wide;
  const auto button = [&](const char* label, const char* name, const char* help, float width, bool primary,
                          bool enabled) {
    right -= ui.px(width);
    ImGui::SetCursorScreenPos({std::round(right), at.y});
    right -= ui.px(6);
    return ui
        .button({.label = label,
                 .help = help,
                 .name = name,
                 .enabled = enabled,
                 .primary = primary,
                 .width = width,
                 .height = 32})
        .changed;
  };
  const bool done =
      button("Done", "done",
             unfinished_ ? "closes the editor; a task without a goal and an invalid claim are not saved"
                         : "closes the editor; everything is saved",
             60, false, true);
  if (button("▶ Play", "play", "plays the lesson from its first step; Esc returns", 72, true, true))
    play_ = 0;
  if (button("↷", "redo", "redo (Ctrl+Shift+Z)", 32, false, draft_->can_redo())) redo(now);
  if (button("↶", "undo", "undo (Ctrl+Z)", 32, false, draft_->can_undo())) undo(now);
  const std::string where = differs_on_disk_      ? "changed elsewhere"
                            : !problem_.empty()   ? "not saved"
                            : dirty_              ? "saving…"
                            : what_.known.empty() ? "not changed yet"
                            : unfinished_         ? "saved without unfinished parts"
                                                  : "saved";
  state_words(ui, {at.x + ui.px(2), middle}, where, right - at.x - ui.px(4),
              problem_.empty() ? ui.theme().dim : ui.theme().bad);
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(40)});
  if (done) return close(now);

  std::string title = draft_->lesson().title;
  if (std::exchange(to_title_, false)) ui.focus.take(ImGui::GetID("lesson title"), true);
  if (ui.text_area({.name = "lesson title",
                    .hint = "Title of the lesson",
                    .size = 16,
                    .select_all = draft_->version() == 0,
                    .strong = true},
                   title)) {
    scene::Lesson next = draft_->lesson();
    next.title = title;
    if (draft_->change(std::move(next), draft_->step(), "title", now)) changed(now);
  }
  if (differs_on_disk_) {
    ui.problem(what_.path.filename().string() + " was changed by another program.");
    ui.begin_flow(6);
    if (ui.button({.label = "Load that file", .name = "load file"})) {
      if (auto file = lesson_to_write(what_.path.string(), what_.path.parent_path())) {
        what_ = std::move(*file);
        differs_on_disk_ = false, problem_.clear();
        change(what_.lesson, draft_->step(), now);
        go(draft_->step(), now);
      } else {
        problem_ = file.error();
      }
    }
    if (ui.button({.label = "Keep mine", .help = "overwrites that file", .name = "keep mine"})) {
      if (const base::Status taken = take_over(what_); taken) {
        save(now);
      } else {
        problem_ = taken.error();
      }
    }
    ui.end_flow();
  } else if (!problem_.empty()) {
    ui.problem(problem_);
  }
}

void LessonEditor::steps(screen::Ui& ui, const PageArea& page, double now) {
  step_buttons(ui, page, now);  // above the list, which grows with each step: they stay under the pointer
  const float room = std::max(ImGui::GetContentRegionAvail().y, ui.px(editor_scrolls_below * 0.7f));
  const float all = static_cast<float>(draft_->steps()) * ui.px(row + 2);
  const float high = std::min(all, std::max(ui.px(row * 1.5f), std::floor(room * steps_share)));
  ui.gap(4);
  ImGui::BeginChild("steps", ImVec2(0, high), false, ImGuiWindowFlags_NoNav);
  ui.push_scope("steps");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(2)));
  if (dragged_ >= 0 && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragged_ = -1;
  if (dragged_ >= 0 && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    const float down = ImGui::GetIO().MousePos.y - ImGui::GetCursorScreenPos().y;
    const int over = std::clamp(static_cast<int>(std::floor(down / ui.px(row + 2))), 0, draft_->steps() - 1);
    if (over != dragged_) {
      scene::Lesson moved =
          scene::with_step_moved(draft_->lesson(), dragged_, over, what_.path.parent_path());
      dragged_ = over;
      if (draft_->change(std::move(moved), over, "move", now)) changed(now);
    }
  }
  for (int i = 0; i < draft_->steps(); ++i) step_row(ui, i, now);
  ImGui::PopStyleVar();
  ui.pop_scope();
  ImGui::EndChild();
}

void LessonEditor::step_row(screen::Ui& ui, int index, double now) {
  const draw::Theme& t = ui.theme();
  const auto at = static_cast<std::size_t>(index);
  const scene::LessonStep& step = draft_->lesson().steps[at];
  const bool on = index == draft_->step();
  const screen::Ui::Item it = ui.item("step " + std::to_string(index + 1), 0, ui.px(row),
                                      "click to work on it; drag to move it (Alt+Up, Alt+Down)", false, true,
                                      screen::Ui::Press::down);
  // The list does not scroll under a pressed pointer, which would drag a row.
  if (on && shown_step_ != index && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    if (!it.visible) ImGui::SetScrollHereY(0.5f);
    shown_step_ = index;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (on || it.hovered)
    list.AddRectFilled(it.from, it.to, screen::packed(on ? t.selected : t.field_hover), ui.px(8));
  const float middle = (it.from.y + it.to.y) / 2;
  const ImVec2 from{std::round(it.from.x + ui.px(28)), std::round(middle - ui.px(picture_high / 2))};
  const ImVec2 to{from.x + std::round(ui.px(picture_wide)), from.y + std::round(ui.px(picture_high))};
  ui.words(it.from.x + ui.px(22), middle, std::to_string(index + 1), draw::Font::mono, 12,
           on ? t.text : t.dim, draw::Align::right);
  if (const ImTextureID texture = at < shown_.size() ? pictures_.texture(*shown_[at]) : ImTextureID{}) {
    list.AddImageRounded(texture, from, to, {0, 0}, {1, 1}, IM_COL32_WHITE, ui.px(4));
  } else {
    list.AddRectFilled(from, to, screen::packed(t.field), ui.px(4));
  }
  list.AddRect(from, to, screen::packed(t.border), ui.px(4), 0, std::max(1.f, std::floor(ui.scale())));
  const int problems = at < checked_.size() ? checked_[at].problems : 0;
  const float left = to.x + ui.px(10), right = it.to.x - ui.px(problems > 0 ? 34 : 8);
  const std::string title = step.title.empty() ? "Step " + std::to_string(index + 1) : step.title;
  ui.words(left, middle,
           ui.text.fit(title, on ? draw::Font::semibold : draw::Font::sans, ui.px(14), right - left),
           on ? draw::Font::semibold : draw::Font::sans, 14, t.text);
  if (problems > 0) {
    const ImVec2 centre{it.to.x - ui.px(18), middle};
    list.AddCircleFilled(centre, ui.px(9), screen::packed(t.bad));
    ui.words(centre.x, middle, std::to_string(problems), draw::Font::semibold, 12, t.panel,
             draw::Align::centre);
  }
  ui.focus_ring(it, ui.px(8));
  const bool mine = ui.focus.has(it.id);
  const bool up = mine && input_.pressed(screen::Key::up, screen::alt_only) && index > 0;
  const bool down =
      mine && input_.pressed(screen::Key::down, screen::alt_only) && index + 1 < draft_->steps();
  if (up || down) {
    const int other = up ? index - 1 : index + 1;
    ui.focus.take(ImGui::GetID(("step " + std::to_string(other + 1)).c_str()), true);
    change(scene::with_step_moved(draft_->lesson(), index, other, what_.path.parent_path()), other, now);
    if (!on) go(other, now);  // the page shows the step being edited
    return;
  }
  if (!it.pressed) return;
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragged_ = index;
  if (!on) go(index, now);
}

void LessonEditor::step_buttons(screen::Ui& ui, const PageArea& page, double now) {
  const std::filesystem::path folder = what_.path.parent_path();
  int step = draft_->step();
  ui.begin_flow(6);
  if (ui.button({.label = "+ Add this view",
                 .help = "what the page shows now becomes a step after this one",
                 .name = "add view",
                 .enabled = draft_->steps() < scene::most_lesson_steps,
                 .primary = page_differs()})) {
    scene::Lesson next = scene::with_view_added(draft_->lesson(), step, session_.scene(), folder);
    scene::LessonStep& added = next.steps[static_cast<std::size_t>(step + 1)];
    added.controls = controls_for(added.scene, session_.scene());
    added.focus = focus_on(page.tab_cards(session_.scene().page));
    change(std::move(next), step + 1, now);
    go(step + 1, now);
    go_to_ = Place{scene::StepText::title, 0, 0};
    step = draft_->step();
  }
  view_buttons(ui, page, now);
  ui.end_flow();
  ui.begin_flow(6);
  if (ui.button({.label = "Duplicate",
                 .help = "a copy of this step",
                 .name = "duplicate",
                 .enabled = draft_->steps() < scene::most_lesson_steps})) {
    change(scene::with_step_twice(draft_->lesson(), step, folder), step + 1, now);
    go(step + 1, now);
  }
  if (ui.button({.label = "Delete",
                 .help = draft_->steps() > 1 ? "Ctrl+Z restores it" : "a lesson has at least one step",
                 .name = "delete",
                 .enabled = draft_->steps() > 1})) {
    change(scene::without_step(draft_->lesson(), step, folder), std::min(step, draft_->steps() - 2), now);
    go(draft_->step(), now);
    texts_of_ = -1;  // another step has this number now
  }
  const auto move = [&](const char* label, const char* name, const char* help, int to) {
    const bool can = to >= 0 && to < draft_->steps();
    if (ui.button({.label = label, .help = help, .name = name, .enabled = can}))
      change(scene::with_step_moved(draft_->lesson(), step, to, folder), to, now);
  };
  move("↑", "move up", "one step earlier", step - 1);
  move("↓", "move down", "one step later", draft_->step() + 1);
  ui.end_flow();
}

/// The buttons that are useful while the page differs from the step.
void LessonEditor::view_buttons(screen::Ui& ui, const PageArea& page, double now) {
  const bool differs = page_differs();
  if (ui.button({.label = "Update step " + std::to_string(draft_->step() + 1),
                 .help = differs ? "stores the page as it is now in the step; its words stay"
                                 : "the page is already as in the step",
                 .name = "update step",
                 .enabled = differs})) {
    const std::vector<std::string> before = draft_->current().controls;
    const bool other_page = view().page != session_.scene().page;
    const bool own = before.empty() || before == controls_for(draft_->current().scene, view());
    scene::Lesson next = scene::with_view_of_step(draft_->lesson(), draft_->step(), session_.scene(),
                                                  what_.path.parent_path());
    scene::LessonStep& step = next.steps[static_cast<std::size_t>(draft_->step())];
    if (own) step.controls = controls_for(step.scene, session_.scene());
    // The cards of another page are not on this one.
    if (step.focus.empty() || other_page) step.focus = focus_on(page.tab_cards(session_.scene().page));
    change(std::move(next), draft_->step(), now);
  }
  if (ui.button({.label = "Back to it",
                 .help = differs ? "shows the page as in the step" : "the page is already as in the step",
                 .name = "back to step",
                 .enabled = differs}))
    go(draft_->step(), now);
}

}  // namespace headlight::app
