#include "ui/settings_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "pages/controls.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "screen/paint.h"
#include "ui/setting_controls.h"

namespace headlight::app {

namespace {

using scene::Field;
using scene::Group;

/// The heading of the settings that change nothing on view.
constexpr const char* acting_elsewhere = "Act on other tabs";

/// Scrolls to the next item if it is not visible.
void bring_into_view(const screen::Ui& ui) {
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
  const float here = ImGui::GetCursorScreenPos().y;
  if (here < top || here + ui.px(48) > bottom) ImGui::SetScrollHereY(0.5f);
}

/// The settings of the open page, in the order of their list, below their headings; after them those that
/// change nothing on view.
class Sections {
 public:
  Sections(screen::Ui& ui, Session& session, ScenePanel& panel)
      : controls_(ui, session, 124),
        ui_(ui),
        session_(session),
        wanted_(panel.take_wanted()),
        column_(panel.column),
        cards_(panel.cards) {}

  void show(double now) {
    const auto show_all = [&] {
      scene::fields(controls_.next, [&](const Field& field, auto& value) { show_one(field, value); });
      tell_given();
    };
    show_all();
    elsewhere_ = true;
    if (others_) show_all();
    controls_.finish(now);
  }

 private:
  template <class V>
  void show_one(const Field& field, V& value) {
    const std::string_view name = field.name;
    if (!card_on_view(session_.scene(), name, column_).empty()) return;
    const std::string heading = scene::heading_of(field, session_.scene());
    if (heading.empty()) return;
    const bool acts =
        views::changes_one_of(page_info(session_.scene().page).view, session_.scene(), name, cards_);
    others_ = others_ || !acts;
    if (acts == elsewhere_) return;
    if (elsewhere_) {
      if (heading_ != acting_elsewhere) begin_others();
    } else if (heading != heading_) {
      begin(heading);
    }
    if (wanted_ == name) bring_into_view(ui_);
    if (!controls_.given(field)) return controls_.show(field, value);
    if (const std::string words = controls_.given_words(field); !words.empty())
      given_ += (given_.empty() ? "" : " · ") + words;
  }

  void begin(const std::string& heading) {
    tell_given();
    if (!heading_.empty()) ui_.gap(10);
    ui_.label(base::capital(heading), 14, draw::Font::semibold);
    ui_.gap(2);
    heading_ = heading;
  }

  void begin_others() {
    if (!heading_.empty()) ui_.gap(10);
    ui_.paragraph(acting_elsewhere, 14);
    ui_.gap(2);
    heading_ = acting_elsewhere;
  }

  /// Settings that the model gives are listed on one line, and have no control.
  void tell_given() {
    if (given_.empty()) return;
    ui_.paragraph(given_ + ", given by " + scene::sizes_given_by(session_.scene(), session_.results()), 12);
    given_.clear();
  }

  SettingControls controls_;
  screen::Ui& ui_;
  Session& session_;
  std::string wanted_;  // a field to scroll into view
  std::string heading_, given_;
  bool column_;
  std::span<const std::string> cards_;
  bool others_ = false;     // there are settings that change nothing on view
  bool elsewhere_ = false;  // these are shown now
};

/// The button at the right of the first heading, on the same line.
void pin_button(screen::Ui& ui, ScenePanel& panel) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = panel.pinned() ? 66 : 44;
  ImGui::SetCursorScreenPos({at.x + ImGui::GetContentRegionAvail().x - ui.px(width), at.y - ui.px(4)});
  if (ui.button({.label = panel.pinned() ? "Pinned" : "Pin",
                 .help = panel.pinned()
                             ? "stays open; press to unpin it: Esc and the weights chip then close it"
                             : "keeps the panel open",
                 .name = "pin",
                 .width = width}))
    panel.pin();
  ImGui::SetCursorScreenPos(at);
}

/// Fades the lower edge of settings that go on below it.
void fade_at_foot(const screen::Ui& ui) {
  if (ImGui::GetScrollY() + 1 >= ImGui::GetScrollMaxY()) return;
  const float high = ui.px(28), corner = ui.px(12), line = std::max(1.f, std::floor(ui.scale()));
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float bottom = at.y + size.y - line;
  const ImU32 ground = screen::packed(ui.theme().panel), none = ground & ~IM_COL32_A_MASK;
  ImGui::GetWindowDrawList()->AddRectFilledMultiColor(
      {at.x + corner, bottom - high}, {at.x + size.x - corner, bottom}, none, none, ground, ground);
}

}  // namespace

void settings_panel(screen::Ui& ui, draw::Box pixels, ScenePanel& panel, Session& session, double now) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(12));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.f, std::floor(ui.scale())));
  const bool shown = ui.begin_panel("settings", pixels, ui.theme().panel, 16);
  ImGui::PopStyleVar(2);
  if (shown) {
    pin_button(ui, panel);
    Sections(ui, session, panel).show(now);
    ui.gap(4);
    fade_at_foot(ui);
  }
  ui.end_panel();
}

void interface_controls(screen::Ui& ui, Session& session, double now) {
  SettingControls controls(ui, session);
  scene::fields(controls.next, [&](const Field& field, auto& value) {
    if (field.group == Group::interface) controls.show(field, value);
  });
  controls.finish(now);
}

void lesson_controls(screen::Ui& ui, const std::vector<std::string>& names, Session& session, double now) {
  SettingControls controls(ui, session);
  for (const std::string& name : names) {
    if (const scene::Setting* one = scene::find_setting(name))
      one->visit(controls.next, [&](auto& value) { controls.show(one->field, value); });
  }
  controls.finish(now);
}

}  // namespace headlight::app
