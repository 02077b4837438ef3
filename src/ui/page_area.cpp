#include "ui/page_area.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "draw/both_canvas.h"
#include "kit/card.h"
#include "kit/page_input.h"
#include "pages/page.h"
#include "pages/quantities.h"
#include "screen/paint.h"
#include "screen/screen_canvas.h"
#include "ui/page_tabs.h"

namespace headlight::app {

namespace {

constexpr float least_for_screens = 380;  // a lower window scrolls

using draw::Part;

/// Draws the page's question on its own line, which it takes from the top of `body`.
void ask(const views::Pen& pen, const PageInfo& page, const views::PageInput& in, draw::Box& body) {
  constexpr float margin = 16;
  draw::Box line{body.x + margin, body.y + 8, body.w - 2 * margin, body.h};
  const float top = line.y;
  views::page_question(
      pen, line, {.words = page.view.question(in), .quoted = pen.theme.query, .compact = in.compact}, body.h);
  body.cut_top(line.y - top);
}

/// Draws a page below its question and the note about its model. Returns the height that it needs.
float draw_page(draw::Canvas& canvas, draw::Box area, const PageInfo& page, const views::PageInput& in) {
  const views::Pen pen{canvas, in.theme};
  draw::Box body = area;
  if (!page.view.asks_itself) ask(pen, page, in, body);
  views::instead_line(pen, body, in.results.instead);
  return page.view.draw(canvas, body, in) + (area.h - body.h);
}

}  // namespace

float growth(float width, float height) {
  constexpr float usual_width = 2600, usual_height = 1440, most = 2;
  return std::clamp(std::min(width / usual_width, height / usual_height), 1.f, most);
}

float enlargement(scene::Page page, float width, float height) {
  if (page_info(page).view.fills) return 1;
  constexpr float full_width = 2300, full_height = 1350, most = 2;
  return std::clamp(std::min(width / full_width, height / full_height), 1.f, most);
}

views::PageInput PageArea::input_of(const Session& session, const draw::Theme& theme) const {
  views::PageInput in{
      .scene = session.scene(),
      .results = session.results(),
      .cell = session.cell(),
      .hover = hover_.mark.part == Part::none ? nullptr : &hover_,
      .theme = theme,
      .column = column,
      .map_view = map_view_,
      .busy = session.busy(),
      .play_position = session.scene().positions.play && !session.scene().reduced_motion ? running_ : -1,
      .transition = transition_,
      .dragged_slot =
          press_ && press_->moved && press_->hit.mark.part == Part::slot ? press_->hit.mark.query : -1,
      .drop_slot = drop_slot(),
      .dragged_at = press_ ? press_->last : draw::Point{},
      .first_slot = first_slot(session),
      .measured = session.timing().latest(),
      .training = session.training().latest(),
      .preview =
          scene::room_of(session.scene().page).uses(session.scene()).large_map ? session.preview() : nullptr,
      .early_map = session.early_map(),
      .writing = session.writing(),
      .numbers = scene::read_quantity,
      .motion = motion_.part < 1 ? &motion_ : nullptr,
      .alone = overlay.focus.size() == 1,
      .compact = compact};
  // Only lessons name parts of cards: other frames do not pay for the names.
  if (overlay.step >= 0 || picking != Picking::none) keep_covered(in, overlay);
  return in;
}

views::PageInput PageArea::input(const Session& session, const draw::Theme& theme) const {
  views::PageInput in = input_of(session, theme);
  in.hover = nullptr, in.column = true;
  in.preview = nullptr, in.early_map = nullptr;  // a figure shows only finished results
  in.motion = nullptr;                           // and no motion
  return in;
}

draw::Point PageArea::pointer_units() const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return {(mouse.x - origin_.x) / scale_, (mouse.y - origin_.y) / scale_};
}

namespace {

/// Fades the lower edge of a page that continues below into the background.
void fade_below(const screen::Ui& ui, ImVec2 shown, ImVec2 space, float whole) {
  const float scrolled = ImGui::GetScrollY(), high = ui.px(24);
  if (scrolled + space.y + 1 >= whole) return;
  const float bottom = shown.y + scrolled + space.y;
  const ImU32 ground = screen::packed(ui.theme().window), none = ground & ~IM_COL32_A_MASK;
  ImGui::GetWindowDrawList()->AddRectFilledMultiColor({shown.x, bottom - high}, {shown.x + space.x, bottom},
                                                      none, none, ground, ground);
}

/// Says at the lower right edge that there is more below, on a strip of its own: it covers no number.
void say_below(screen::Ui& ui, ImVec2 shown, ImVec2 space) {
  constexpr const char* words = "↓ more below";
  constexpr float size = 12;
  const float width = ui.text.width(words, draw::Font::sans, ui.px(size)), high = ui.px(20);
  const ImVec2 to{shown.x + space.x - ui.px(8), shown.y + space.y - ui.px(6)};
  const ImVec2 from{to.x - width - ui.px(16), to.y - high};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({shown.x, from.y - ui.px(6)}, {shown.x + space.x, shown.y + space.y},
                     screen::packed(ui.theme().window));
  list.AddRectFilled(from, to, screen::packed(ui.theme().field), high / 2);
  ui.words(from.x + ui.px(8), (from.y + to.y) / 2, words, draw::Font::sans, size, ui.theme().dim);
}

}  // namespace

KeptView PageArea::kept_view() const {
  const bool awaited = scroll_awaited_ > 0;
  KeptView view{.tabs = tabs_,
                .scroll = std::round(awaited ? scroll_kept_ : top_),
                .scrolled = awaited ? scroll_page_ : std::optional(screens_of_)};
  if (map_awaited_) {
    view.map = map_awaited_->map, view.turned = map_awaited_->turned;
    view.queries = map_awaited_->queries, view.keys = map_awaited_->keys;
  }
  if (map_view_.w > 0)
    view.map = map_view_, view.queries = map_tokens_, view.keys = map_keys_, view.turned = map_turned_;
  return view;
}

void PageArea::bring_back(const KeptView& view) {
  tabs_ = view.tabs, tab_awaited_ = frames_to_settle;
  screens_.clear(), screen_ = 0, scrolled_ = 0, requested_ = -1;
  scroll_kept_ = view.scroll, scroll_awaited_ = 2 * frames_to_settle;
  scroll_page_ = view.scrolled;
  map_view_ = {}, map_awaited_.reset();
  first_slot_ = -1, followed_slot_.reset();
  if (view.map.w > 0) map_awaited_ = view;
}

float PageArea::fitting(const Session& session, screen::Ui& ui, screen::HeatmapPainter& maps,
                        draw::Box room) {
  // A larger interface applies everywhere except in a picture that would be cut; its words remain as large as
  // at scale 1.
  constexpr float least = 0.65f;
  const FittingFor wanted{session.scene().page, session.results().version, room, ui.scale()};
  if (fitting_for_ == wanted) return fitting_;
  fitting_for_ = wanted;
  const PageInfo& page = page_info(session.scene().page);
  screen::ScreenCanvas measure(*ImGui::GetWindowDrawList(), {0, 0}, ui.scale(), ui.text, maps);
  const views::PageInput in = input_of(session, ui.theme());
  const auto cards = [&](draw::Box area) {
    draw::PickCanvas pick({-1e6f, -1e6f}, measure);
    draw_page(pick, area, page, in);
    return pick.panels();
  };
  fitting_ = fitting_size(cards, room, page.view.hero, std::min(1.f, std::max(least, 1 / ui.scale())));
  return fitting_;
}

float PageArea::question_above(screen::Ui& ui, screen::HeatmapPainter& maps, const PageInfo& page,
                               const views::PageInput& in, draw::Point corner, draw::Box area) const {
  if (page.view.asks_once) return 0;
  screen::ScreenCanvas canvas(*ImGui::GetWindowDrawList(), {corner.x, corner.y}, scale_, ui.text, maps);
  draw::PickCanvas unseen({-1e6f, -1e6f}, canvas);
  const bool seen = screen_ > 0;
  draw::Box body = area;
  ask({seen ? static_cast<draw::Canvas&>(canvas) : unseen, ui.theme()}, page, in, body);
  if (seen) ImGui::SetCursorScreenPos({corner.x, corner.y + (area.h - body.h) * scale_});
  return area.h - body.h;
}

/// For another picture the old view has no meaning.
void PageArea::forget_other_map(const Session& session) {
  if (first_slot_ >= 0 && first_slot(session) < 0) first_slot_ = -1, slot_wheel_ = 0, followed_slot_.reset();
  const int tokens = session.results().attention.T, keys = session.results().attention.S;
  const bool turned = session.scene().query_axis == scene::QueryAxis::columns;
  if (tokens != map_tokens_ || keys != map_keys_ || turned != map_turned_) map_view_ = {};
  map_tokens_ = tokens, map_keys_ = keys, map_turned_ = turned;
  if (!map_awaited_ || session.busy() >= 0) return;
  const bool same =
      map_awaited_->queries == tokens && map_awaited_->keys == keys && map_awaited_->turned == turned;
  if (same && map_view_.w <= 0) map_view_ = map_awaited_->map;
  map_awaited_.reset();
}

/// Stores what the page has marked: its cards, its controls, and the object under the pointer.
void PageArea::take_marks(const Session& session, const screen::Ui& ui, const draw::PickCanvas& pick) {
  cards_.clear();
  for (const auto& panel : pick.panels()) {
    if (!panel.name.empty() && std::find(cards_.begin(), cards_.end(), panel.name) == cards_.end())
      cards_.push_back(panel.name);
  }
  targets_ = pick.targets();
  panel_under_ = pick.panel_under();
  hover_ = under_ = on_picture(pick.hit(), session.scene().attention.view == scene::AttentionView::arcs);
  if (press_) hover_ = press_->hit;  // the dragged object stays highlighted
  // A click may bring another object under the pointer, which the user has not pointed at yet.
  const auto is_clicked = [&](const draw::Mark& mark) {
    return std::tie(mark.part, mark.head, mark.query, mark.key, mark.name) ==
           std::tie(clicked_.part, clicked_.head, clicked_.query, clicked_.key, clicked_.name);
  };
  if (!ui.input.clicks().empty()) {
    clicked_ = {};
  } else if (!press_ && ui.rests_since_click() && !is_clicked(hover_.mark)) {
    hover_ = {};
  }
}

void PageArea::take_cards(const draw::PickCanvas& pick, float top, float bottom) {
  constexpr float little = 4;  // units
  placed_cards_.clear(), cut_below_ = false;
  for (const auto& card : pick.panels()) {
    const draw::Box& box = card.box;
    if (box.w <= 0 || box.h <= 0 || box.bottom() <= top + little || box.y >= bottom - little) continue;
    const bool part = std::any_of(pick.panels().begin(), pick.panels().end(), [&](const auto& other) {
      const draw::Box& around = other.box;
      return around.w * around.h > box.w * box.h && box.x >= around.x && box.right() <= around.right() &&
             box.y >= around.y && box.bottom() <= around.bottom();
    });
    if (part) continue;
    cut_below_ = cut_below_ || box.bottom() > bottom + little;
    placed_cards_.push_back(
        {card.name,
         {origin_.x + box.x * scale_, origin_.y + box.y * scale_, box.w * scale_, box.h * scale_}});
  }
}

std::optional<float> PageArea::cards_end() const {
  if (cut_below_ || placed_cards_.empty()) return std::nullopt;
  float end = 0;
  for (const Card& card : placed_cards_) end = std::max(end, card.box.bottom());
  return end;
}

void PageArea::note_cards_on_view() {
  if (!overlay.focus.empty()) return;
  const auto last = static_cast<int>(screens_.size()) - 1;
  const std::vector<std::string>& cards =
      last > 0 ? screens_[static_cast<std::size_t>(std::clamp(screen_, 0, last))].cards : cards_;
  std::vector<std::string>& noted = on_view_[screens_of_];
  if (noted != cards) noted = cards;
}

void PageArea::frame(Session& session, screen::Ui& ui, screen::HeatmapPainter& maps, double now) {
  outline(session, now);
  tabs_box_ = {};
  const PageInfo& page = page_info(session.scene().page);
  float& height = heights_[static_cast<int>(session.scene().page)];
  maps.blend(motion_.part);
  const ImVec2 panel_space = ImGui::GetContentRegionAvail();
  const ImVec2 whole_space{panel_space.x, panel_space.y - std::round(foot.status * ui.scale())};
  const float above_tabs = panel_space.y - std::round(foot.tabs * ui.scale());  // pixels
  const ImVec2 tabs_at = ImGui::GetCursorScreenPos();
  const draw::Box units{0, 0, whole_space.x / ui.scale(), whole_space.y / ui.scale()};
  const bool low = units.h < least_for_screens;
  scale_ = ui.scale() * enlargement(page.page(), units.w, units.h) *
           (low && overlay.focus.empty() ? fitting(session, ui, maps, units) : 1);
  if (screens_of_ != page.page())
    screens_.clear(), screen_ = 0, scrolled_ = 0,
                      tab_awaited_ = tabs_.contains(page.page()) ? frames_to_settle : 0;
  screens_of_ = page.page();
  const bool by_screens = screens_.size() > 1 && overlay.focus.empty();
  const ImVec2 space{whole_space.x, by_screens ? above_tabs : whole_space.y};

  forget_other_map(session);
  const draw::Box area{0, 0, space.x / scale_, space.y / scale_};
  // The wheel enlarges a map; elsewhere it scrolls the page.
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav;
  const bool scrolls = height > area.h + 0.5f && overlay.focus.empty() && !by_screens;
  if (!scrolls) flags |= ImGuiWindowFlags_NoScrollbar;
  ImVec2 window = space;
  views::PageInput in = input_of(session, ui.theme());
  float question = 0;  // its height above the screens after the first
  if (by_screens) {    // the cards below those of this screen are not visible
    screen_ = std::clamp(screen_, 0, static_cast<int>(screens_.size()) - 1);
    question = question_above(ui, maps, page, in, {tabs_at.x, tabs_at.y}, area);
    if (page.view.asks_itself) in.question_above = question;
    const PageScreen& seen = screens_[static_cast<std::size_t>(screen_)];
    if (screen_ > 0) window.y -= question * scale_;
    window.y = std::min(window.y, std::round((seen.bottom + views::card_gap / 2 - scrolled_) * scale_));
    ImGui::SetNextWindowScroll({-1, std::round(scrolled_ * scale_)});
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("page", window, false, flags);
  ImGui::PopStyleVar();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  origin_ = {std::round(corner.x), std::round(corner.y)};
  draw::Box inner = area;  // equally wide with a scroll bar, which is in the page's margin

  ImVec2 whole(inner.w * scale_, std::max(height, inner.h) * scale_);
  if (by_screens) whole.y = std::max(whole.y, (screens_.back().top + area.h) * scale_);
  const bool closer = look_closer(session, ui, maps, inner, space);
  ImGui::InvisibleButton("surface", closer ? space : whole,
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  // In a lesson the page is a slide: what a resting pointer hovers over is not marked and has no tooltip.
  const bool hidden = lesson && rest_.hidden(ui, now) && !ImGui::IsItemActive();
  const bool hovered = !hidden && (ImGui::IsItemHovered() || ImGui::IsItemActive());

  // One pass of the view: what it draws is also what can be picked.
  screen::ScreenCanvas canvas(*ImGui::GetWindowDrawList(), {origin_.x, origin_.y}, scale_, ui.text, maps);
  draw::PickCanvas pick(hovered ? pointer_units() : draw::Point{-1e6f, -1e6f}, canvas);
  draw::BothCanvas both(canvas, pick);
  std::vector<scene::StatedNumber> stated;
  NumberCanvas numbers(stated, canvas);
  draw::BothCanvas with_numbers(both, numbers);
  const bool for_numbers = picking == Picking::number;
  if (for_numbers) in.stated = &stated;
  draw::Canvas& all = for_numbers ? static_cast<draw::Canvas&>(with_numbers) : both;
  height = overlay.focus.empty() ? draw_page(all, inner, page, in) : page.view.draw(all, inner, in);
  screen_room_ = by_screens ? area.h - (screen_ > 0 ? question : 0) : 0;
  if (by_screens) keep_to_screen(screen_room_);
  screens_.clear();
  const float room = above_tabs / scale_;
  if (overlay.focus.empty() && !low && room >= least_for_screens && height > whole_space.y / scale_ + 0.5f)
    screens_ = page_screens(pick.panels(), room, question);
  follow_tab(page.page(), pick.panels(), by_screens, in.busy >= 0);
  follow_scroll(page.page(), by_screens, in.busy >= 0);
  if (overlay.step < 0) {  // a lesson chooses its tabs itself
    std::vector<std::string>& cards = tab_cards_[page.page()];
    cards.clear();
    if (by_screens && screen() > 0)
      cards = cards_alone(screens_[std::min(static_cast<std::size_t>(screen_), screens_.size() - 1)],
                          pick.panels());
  }
  shown_ = {0, 0, inner.w, inner.h};
  take_marks(session, ui, pick);
  const float seen_from = (corner.y - origin_.y) / scale_ + ImGui::GetScrollY() / scale_;
  take_cards(pick, seen_from, seen_from + (by_screens ? window.y : space.y) / scale_);
  note_cards_on_view();
  lay_over(session, canvas, pick,
           {(corner.x - origin_.x) / scale_, (corner.y - origin_.y) / scale_,
            std::max(inner.w, space.x / scale_), std::max(height, space.y / scale_)},
           ui.theme());
  if (motion_.part < 1) {
    opened_cell_rises(canvas, pick, ui.theme());
  } else if (!row_kept_) {
    keep_row(in);
  }
  if (scrolls) fade_below(ui, corner, space, whole.y);
  if (closer && stage_scroll_ + 1 < stage_over_) {
    fade_below(ui, corner, space, space.y + stage_over_);
    say_below(ui, corner, space);
  }
  if (by_screens && screen_ < static_cast<int>(screens_.size()))
    fade_below(ui, corner, window, screens_[static_cast<std::size_t>(screen_)].bottom * scale_);

  if (picking != Picking::none) {
    pick_things(session, ui, canvas, pick, numbers, hovered);
  } else {
    controls(session, ui, now);
    const bool on_sign = corner_sign(ui, canvas, pick, hovered);
    pointer(session, ui, hovered && !on_sign, now);
    if (hovered && !on_sign) tooltip(session, ui);
    type(session, ui, now);
  }
  ImGui::EndChild();
  if (by_screens && screens_.size() > 1) {
    const bool pauses = needs_pause(session);
    const ImVec2 line{tabs_at.x, tabs_at.y + space.y};
    float used = screen_tabs(ui, page, line, pauses ? pause_width + pause_margin : 0.f);
    if (pauses && foot.status > 0) {  // before the status
      used += pause_width + around_tabs;
      pause_button(session, ui, {line.x + ui.px(used), line.y}, now);
    } else if (pauses) {
      pause_button(session, ui, {line.x + space.x - ui.px(pause_margin), line.y}, now);
    }
    tabs_box_ = {line.x, line.y, ui.px(used), panel_space.y - space.y};
  }
}

/// Shows some cards alone, as large as the area allows, in the layout of the page that suits them best.
/// False: no focus is asked for, or the page has none of its cards; paint_overlay() says so.
bool PageArea::look_closer(const Session& session, screen::Ui& ui, screen::HeatmapPainter& maps,
                           draw::Box& inner, ImVec2 space) {
  stage_over_ = 0;
  if (overlay.focus.empty()) return false;
  screen::ScreenCanvas measure(*ImGui::GetWindowDrawList(), {origin_.x, origin_.y}, scale_, ui.text, maps);
  const PageInfo& page = page_info(session.scene().page);
  const DrawPage draw = [&](draw::Canvas& canvas, draw::Box area) {
    page.view.draw(canvas, area, input_of(session, ui.theme()));
  };
  // Chosen once: moving a slider does not rearrange the cards.
  const FocusFor wanted{page.page(), overlay.focus, overlay.step, {0, 0, inner.w, inner.h}};
  const std::uint64_t version = session.results().version;
  if (focus_for_ == wanted && absent_in_ == version && covered_.focus.w <= 0) return false;
  draw::Box box = focus_for_ == wanted ? legible(overlay, draw, focus_layout_, measure).box : draw::Box{};
  if (box.w <= 0) {
    focus_layout_ = focus_layout(overlay, draw, inner, measure);
    if (focus_for_ != wanted) stage_scroll_ = 0;
    focus_for_ = wanted;
    box = legible(overlay, draw, focus_layout_, measure).box;
  }
  absent_in_ = box.w > 0 ? std::nullopt : std::optional(version);
  if (box.w <= 0) {
    ImGui::SetScrollY(0);
    return false;
  }
  inner = focus_layout_;
  View view = closer_view(box, space.x, space.y, scale_);
  stage_over_ = focus_below(box, view, space.y);
  stage_scroll_ = std::clamp(stage_scroll_, 0.f, stage_over_);
  view.shift.y -= stage_scroll_;
  origin_ = {std::round(origin_.x + view.shift.x), std::round(origin_.y + view.shift.y)};
  scale_ = view.scale;
  return true;
}

std::string PageArea::status(const Session& session, const draw::Theme& theme) const {
  return page_info(session.scene().page).view.status(input_of(session, theme));
}

}  // namespace headlight::app
