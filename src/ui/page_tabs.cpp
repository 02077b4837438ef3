// The part of PageArea that shows one screen of a page that is cut into several, and their tabs below it.
#include "ui/page_tabs.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "kit/card.h"
#include "pages/page.h"
#include "ui/fitting_tabs.h"
#include "ui/page_area.h"

namespace headlight::app {

void PageArea::keep_to_screen(float room) {
  if (requested_ >= 0) {  // the control that must come into view may be on another screen
    screen_ = screen_at(screens_, requested_ > scrolled_ ? requested_ + room - 1 : requested_ + 1);
    scrolled_ = requested_, requested_ = -1;
  }
  const PageScreen& seen = screens_[static_cast<std::size_t>(screen_)];
  scrolled_ = std::clamp(scrolled_, seen.top, std::max(seen.top, seen.bottom + views::card_gap - room));
}

void PageArea::scroll_to(float top) {
  if (screens_.size() > 1) {
    requested_ = top;  // the next frame puts the page there
  } else {
    ImGui::SetScrollY(top * scale_);
  }
}

void PageArea::show_screen(int screen) {
  screen_ = std::clamp(screen, 0, static_cast<int>(screens_.size()) - 1);
  scrolled_ = screens_[static_cast<std::size_t>(screen_)].top;
  tab_awaited_ = 0, scroll_awaited_ = 0;
}

void PageArea::follow_tab(scene::Page page, const std::vector<draw::PickCanvas::Panel>& cards,
                          bool by_screens, bool busy) {
  if (screens_.size() < 2 || overlay.step >= 0) return;  // a lesson chooses its tabs itself
  const auto kept = tabs_.find(page);
  if (tab_awaited_ > 0 && kept != tabs_.end()) {
    const auto card =
        std::find_if(cards.begin(), cards.end(), [&](const auto& one) { return one.name == kept->second; });
    if (card == cards.end()) {  // the results may not be there yet; else there is no such card here
      if (!busy) tab_awaited_ = 0;
      return;
    }
    // The page is laid out once more below its question, and may scroll within the tab after that.
    const int left = tab_awaited_ - 1, scrolls = scroll_awaited_;
    show_screen(screen_at(screens_, card->box.y));
    tab_awaited_ = left, scroll_awaited_ = scrolls;
  } else if (by_screens && screen_ < static_cast<int>(screens_.size())) {
    const std::string& top = screens_[static_cast<std::size_t>(screen_)].rows.front();
    if (screen_ == 0) {
      tabs_.erase(page);
    } else if (kept == tabs_.end() || kept->second != top) {
      tabs_[page] = top;
    }
  }
}

void PageArea::follow_scroll(scene::Page page, bool by_screens, bool busy) {
  if (overlay.step >= 0) return;  // a lesson chooses it itself
  top_ = by_screens ? scrolled_ : ImGui::GetScrollY() / scale_;
  if (!scroll_page_) scroll_page_ = page;
  const ImGuiID bar = ImGui::GetWindowScrollbarID(ImGui::GetCurrentWindow(), ImGuiAxis_Y);
  if (*scroll_page_ != page || ImGui::GetActiveID() == bar) scroll_awaited_ = 0;
  if (scroll_awaited_ == 0 || busy || tab_awaited_ > 0) return;
  --scroll_awaited_;
  if (std::abs(top_ - scroll_kept_) > 1) scroll_to(scroll_kept_);
}

float PageArea::screen_tabs(screen::Ui& ui, const PageInfo& page, ImVec2 at, float beside) {
  constexpr float margin = 16;
  std::vector<std::string> titles;
  const auto named = [&](bool both) {
    constexpr float around = 28;  // around the words of a tab
    titles.clear();
    float width = 2 * margin;
    for (const PageScreen& one : screens_) {
      titles.push_back(screen_name(one, page.view.tabs, page.room.title, both));
      width += ui.text.width(titles.back(), draw::Font::semibold, ui.px(14)) / ui.scale() + around;
    }
    return width;
  };
  // The status at their right has its room before the longer names.
  const float available = ImGui::GetContentRegionAvail().x / ui.scale() - beside - foot.reserve;
  float taken = named(true);
  if (taken > available) taken = named(false);
  // A tab names all its cards where there is room; else its tooltip does.
  const std::vector<std::string> brief = titles;  // scripts of the interface know a tab by it
  std::vector<std::string> notes(titles.size());
  for (std::size_t i = titles.size(); i-- > 0;) {
    const std::string all = all_names(screens_[i], page.view.tabs, page.room.title);
    const auto wide = [&](const std::string& words) {
      return ui.text.width(words, draw::Font::semibold, ui.px(14)) / ui.scale();
    };
    const float more = wide(all) - wide(titles[i]);
    if (more <= 0) continue;
    if (taken + more <= available) {
      titles[i] = all, taken += more;
    } else {
      notes[i] = all;
    }
  }
  // What does not fit is in a menu behind the last part.
  constexpr float inset = 3, padding = 10, letters = 13.5f;  // of a segmented control
  const auto part = [&](std::string_view words) {
    return ui.typeset_width(words, draw::Font::semibold, ui.px(letters)) / ui.scale() + 2 * padding;
  };
  std::vector<float> widths;
  for (const std::string& title : titles) widths.push_back(part(title));
  const float room = ImGui::GetContentRegionAvail().x / ui.scale() - beside - 2 * margin - 2 * inset;
  const std::vector<std::size_t> shown =
      fitting_tabs(widths, static_cast<std::size_t>(std::max(0, screen_)), room, part("…"));
  std::vector<std::string_view> options;
  for (const std::size_t i : shown) options.push_back(titles[i]);
  const bool folded = shown.size() < titles.size();
  if (folded) options.push_back("…");
  const float high = foot.tabs - around_tabs, lower = (foot.tabs - 36) / 2;
  const ImVec2 from{at.x + ui.px(margin), std::round(at.y + ui.px(lower))};
  ImGui::SetCursorScreenPos(from);
  const auto place = std::find(shown.begin(), shown.end(), static_cast<std::size_t>(std::max(0, screen_)));
  int chosen = static_cast<int>(place - shown.begin());
  const int before = chosen;
  const screen::Response tabs =
      ui.segmented({.name = "screens", .options = options, .width = -1, .height = high}, chosen);
  // Which tab is under the pointer follows from the widths that they are drawn with.
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  float left = from.x + ui.px(inset);
  for (const std::size_t i : shown) {
    const float to = left + ui.px(widths[i]), height = ui.px(high);
    if (tabs.hovered && !ui.quiet() && pointer.x >= left && pointer.x < to && !notes[i].empty())
      ui.tooltip(notes[i], {left, from.y, to - left, height});
    if (ui.recorder && brief[i] != titles[i])
      ui.recorder->add("screens/" + brief[i], {left, from.y}, {to, from.y + height});
    left = to;
  }
  if (folded && chosen == static_cast<int>(shown.size()))
    ui.open_popup("more screens");
  else if (chosen != before)
    show_screen(static_cast<int>(shown[static_cast<std::size_t>(chosen)]));
  const float used = left / ui.scale() - at.x / ui.scale() + (folded ? part("…") : 0) + inset;
  if (!folded) return used;
  constexpr float menu_width = 220, row = 32, around = 16, gap = 4;
  const float menu = ui.px(row * static_cast<float>(titles.size() - shown.size()) + around + 2 * gap);
  const float right = from.x + ui.px(room + 2 * inset);
  const draw::Box above{right - ui.px(menu_width), std::max(0.f, from.y - menu - ui.px(gap)),
                        ui.px(menu_width), 0};
  if (!ui.begin_popup("more screens", &above, menu_width)) return used;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (std::find(shown.begin(), shown.end(), i) != shown.end()) continue;
    if (ui.menu_item(titles[i])) show_screen(static_cast<int>(i)), ui.close_popup();
  }
  ui.end_popup();
  return used;
}

/// Does something run whose control is on another tab?
bool PageArea::needs_pause(const Session& session) const {
  if (!session.scene().positions.play || !page_info(session.scene().page).room.uses(session.scene()).plays)
    return false;
  const PageScreen& seen = screens_[std::min(static_cast<std::size_t>(screen_), screens_.size() - 1)];
  return std::none_of(targets_.begin(), targets_.end(), [&](const auto& target) {
    return target.mark.name == "run position" && target.box.y >= seen.top && target.box.y < seen.bottom;
  });
}

/// What was started on another tab can be stopped on this one: "Pause" at the right of the tabs, where the
/// button ends at `at`.
void PageArea::pause_button(Session& session, screen::Ui& ui, ImVec2 at, double now) {
  const float high = std::min(30.f, foot.tabs - around_tabs), lower = (foot.tabs - 36) / 2;
  ImGui::SetCursorScreenPos({at.x - ui.px(pause_width), std::round(at.y + ui.px(lower))});
  if (!ui.button({.label = "Pause",
                  .help = "stop at this position",
                  .name = "pause",
                  .width = pause_width,
                  .height = high}))
    return;
  scene::Scene next = session.scene();
  next.positions.play = false;
  session.change(std::move(next), "", now);
}

}  // namespace headlight::app
