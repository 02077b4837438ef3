// The row of tabs: the pages of the open group at the left, the scene in chips at the right.
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/shell.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "screen/paint.h"
#include "session/training_commands.h"
#include "ui/fitting_tabs.h"
#include "ui/scene_chips.h"

namespace headlight::app {

namespace {

constexpr float left_margin = 2, right_margin = 16, chip_height = 32, chip_gap = 8, chip_padding = 12;
constexpr float least_value = 150, more_width = 40;

std::vector<const PageInfo*> pages_of(scene::PageGroup group) {
  std::vector<const PageInfo*> out;
  for (const PageInfo& page : pages()) {
    if (page.room.group == group) out.push_back(&page);
  }
  return out;
}

}  // namespace

void Shell::bring_back(std::span<const scene::Page> last_pages) {
  for (const scene::Page page : last_pages)
    last_page_[static_cast<std::size_t>(page_info(page).room.group)] = page;
}

void Shell::bring_back(const KeptView& view) {
  in_lesson_ = lessons_.player().open() || lessons_.editor().open();
  if (!in_lesson_) page_.bring_back(view);  // else when the lesson is left
  view_before_lesson_ = view;
}

void Shell::open_page(scene::Page page, double now) {
  lessons_.close_list();
  scene::Scene next = session_.scene();
  next.page = page;
  session_.change(std::move(next), "", now);
}

/// Shows the pages of the group in a menu below `button`.
void Shell::page_menu(const draw::Box& button, double now) {
  if (!ui_.begin_popup("pages", &button, 220)) return;
  for (const PageInfo* page : pages_of(page_info(session_.scene().page).room.group)) {
    if (ui_.menu_item(page->room.title)) open_page(page->page(), now), ui_.close_popup();
  }
  if (page_info(session_.scene().page).room.group == scene::PageGroup::learn && ui_.menu_item("Lessons"))
    lessons_.open_list(), ui_.close_popup();
  ui_.end_popup();
}

std::string Shell::page_choice_words() const {
  const char* title = page_info(session_.scene().page).room.title;
  return (lessons_.listing() ? std::string("Lessons") : std::string(title)) + " ▾";
}

float Shell::page_choice_width() const {
  constexpr float least = 108, padding = 14;
  const float words = ui_.text.width(page_choice_words(), draw::Font::sans, ui_.px(14)) / ui_.scale();
  return std::max(least, std::ceil(words) + 2 * padding);
}

void Shell::page_choice(Place at, float height, double now) {
  ImGui::SetCursorScreenPos(at.from);
  if (ui_.button({.label = page_choice_words(),
                  .help = "other pages",
                  .name = "page",
                  .width = at.width,
                  .height = height}))
    ui_.open_popup("pages");
  const float width = std::max(at.width, 220.f);
  page_menu({at.from.x, at.from.y, ui_.px(width), ui_.px(height)}, now);
}

float Shell::chips_width(const std::vector<SceneChip>& chips) const {
  float width = 0;
  for (const SceneChip& chip : chips) width += chip_width(chip) + ui_.px(chip_gap);
  return width;
}

float Shell::chip_width(const SceneChip& chip) const {
  const float value =
      std::min(ui_.text.width(chip.value, draw::Font::semibold, ui_.px(14)), ui_.px(widest_chip_));
  return std::ceil(ui_.typeset_width(chip.label, draw::Font::sans, ui_.px(14)) + value +
                   ui_.px(2 * chip_padding + (chip.value.empty() ? 0 : 6)));
}

void Shell::chip(const SceneChip& chip, ImVec2 at) {
  ImGui::SetCursorScreenPos(at);
  const float width = chip_width(chip);
  const std::string name = "scene " + (chip.field[0] == '\0' ? std::string("all") : std::string(chip.field));
  const bool of_model = std::string_view(chip.field) == "weights";
  const screen::Ui::Item it = ui_.item(
      name, width, ui_.px(chip_height),
      of_model ? "random weights, the included models, and your own" : "opens the settings (Ctrl+B)");
  if (it.pressed && of_model) {
    choose_model(draw::Box{it.from.x, it.from.y, it.to.x - it.from.x, it.to.y - it.from.y});
  } else if (it.pressed) {
    panel_.show(chip.field);
  }
  const draw::Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool on = panel_.open();
  list.AddRectFilled(it.from, it.to,
                     screen::packed(it.held      ? t.selected
                                    : it.hovered ? t.field_hover
                                                 : t.panel),
                     ui_.px(8));
  list.AddRect(it.from, it.to, screen::packed(on ? t.dim : t.border), ui_.px(8), 0,
               std::max(1.f, std::floor(ui_.scale())));
  const float middle = (it.from.y + it.to.y) / 2, x = it.from.x + ui_.px(chip_padding);
  const float label = ui_.typeset_width(chip.label, draw::Font::sans, ui_.px(14));
  ui_.mathematics(x, middle, chip.label, draw::Font::sans, 14, t.dim);
  ui_.words(x + label + ui_.px(6), middle,
            ui_.text.fit(chip.value, draw::Font::semibold, ui_.px(14), ui_.px(widest_chip_)),
            draw::Font::semibold, 14, t.text);
  ui_.focus_ring(it, ui_.px(8));
}

void Shell::choose_model(std::optional<draw::Box> chip) {
  models_.open(model_choices(session_.scene(), runs_folder(), desk_.document().recent()), session_.scene(),
               chip);
}

void Shell::use_model(const ModelChoice& choice, double now) {
  using What = ModelChoice::What;
  if (choice.what == What::settings) return panel_.show("weights");
  if (choice.what == What::ask_for_file) return perform(Action::open, now);
  if (choice.what == What::open_file) return static_cast<void>(desk_.document().open(choice.path, now));
  scene::Scene next = session_.scene();
  for (const std::string& one : choice.set) {
    if (const base::Status set = scene::set_field(next, one); !set) return session_.warn(set.error(), now);
  }
  session_.change(std::move(next), "", now);
}

void Shell::tabs(draw::Box pixels, double now) {
  if (ui_.begin_panel("tabs", pixels, theme().window, 0, false)) {
    const bool listing = lessons_.listing();
    std::vector<SceneChip> chips;
    const Session& side = desk_.compare().side(session_);
    if (!listing) chips = scene_chips(side.scene(), side.results(), page_.cards_on_view(side.scene().page));
    const float at_least = pixels.w * 0.4f;  // for the tabs
    widest_chip_ = least_value;
    while (chips.size() > 1 && chips_width(chips) > pixels.w - at_least) chips.pop_back();
    const scene::PageGroup group = page_info(session_.scene().page).room.group;
    const bool learn = group == scene::PageGroup::learn;
    const std::vector<const PageInfo*> tabs = pages_of(group);
    // All pages of the group if they fit; else the first ones and the open one, and a menu of all.
    const auto width = [&](std::string_view title) {
      return std::ceil(ui_.text.width(title, draw::Font::semibold, ui_.px(14)) +
                       ui_.px(2 * screen::tab_padding));
    };
    const float lessons = learn ? width("Lessons") : 0;
    const float room = pixels.w - ui_.px(left_margin + right_margin) - chips_width(chips) - lessons;
    float total = 0;
    std::vector<float> widths;
    std::size_t open = 0;
    for (std::size_t i = 0; i < tabs.size(); ++i) {
      widths.push_back(width(tabs[i]->room.title));
      total += widths.back();
      if (tabs[i]->page() == session_.scene().page) open = i;
    }
    // Values are shortened only if the row is full.
    if (total < room && !chips.empty())
      widest_chip_ += std::floor((room - total) / ui_.scale() / static_cast<float>(chips.size()));
    const std::vector<std::size_t> shown = fitting_tabs(widths, open, room, ui_.px(more_width));
    ImGui::SetCursorScreenPos(ImVec2(pixels.x + ui_.px(left_margin), pixels.y));
    if (learn) {
      if (ui_.tab("Lessons", listing, "the included lessons, and your own")) lessons_.open_list();
      ImGui::SameLine(0, 0);
    }
    for (const std::size_t i : shown) {
      const PageInfo& page = *tabs[i];
      if (ui_.tab(page.room.title, !listing && session_.scene().page == page.page(), page.room.about))
        open_page(page.page(), now);
      ImGui::SameLine(0, 0);
    }
    if (shown.size() < tabs.size()) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::SetCursorScreenPos(ImVec2(at.x, pixels.y + ui_.px(5)));
      if (ui_.button({.label = "…",
                      .help = "all pages of this group",
                      .name = "all pages",
                      .quiet = true,
                      .width = 34}))
        ui_.open_popup("pages");
      page_menu({at.x, pixels.y, ui_.px(220), pixels.h}, now);
    }
    float x = pixels.right() - ui_.px(right_margin) - chips_width(chips) + ui_.px(chip_gap);
    for (const SceneChip& one : chips) {
      chip(one, ImVec2(std::round(x), std::round(pixels.y + ui_.px((screen::tab_height - chip_height) / 2))));
      x += chip_width(one) + ui_.px(chip_gap);
    }
  }
  ui_.end_panel();
}

}  // namespace headlight::app
