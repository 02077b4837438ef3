#include "app/shell.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/caught.h"
#include "session/training_commands.h"
#include "teach/lesson.h"
#include "ui/frame_layout.h"
#include "ui/settings_panel.h"

namespace headlight::app {

namespace {

// Units that the interface needs: a scale that leaves fewer is not used.
constexpr float least_width = 640, least_height = 360;

/// In pixels, with edges on whole pixels.
draw::Box whole_pixels(const draw::Box& units, draw::Point corner, float scale) {
  const float left = std::round(corner.x + units.x * scale), top = std::round(corner.y + units.y * scale);
  return {left, top, std::round(corner.x + units.right() * scale) - left,
          std::round(corner.y + units.bottom() * scale) - top};
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

bool card_open() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

}  // namespace

Shell::~Shell() = default;

Shell::Shell(Session& session, screen::InputQueue& input, screen::Textures& textures, DeskStart desk)
    : session_(session),
      input_(input),
      text_(textures),
      ui_(text_, input),
      desk_(session, desk),
      export_(textures, desk.wake),
      lessons_(session, input, textures, desk.wake),
      first_start_(desk.folder, desk.wake) {
  for (std::size_t i = pages().size(); i-- > 0;)  // the first page of each group
    last_page_[static_cast<std::size_t>(pages()[i].room.group)] = pages()[i].page();
  ui_.report = [this](const std::string& line) { session_.warn(line, now_); };
  desk_.more_entries = [this] {
    const scene::Scene& scene = session_.scene();
    std::vector<PaletteEntry> more =
        model_entries(model_choices(scene, runs_folder(), desk_.document().recent()), scene);
    for (const LessonEntry& lesson : list_lessons(lessons_.folder))
      more.push_back({.title = lesson.title,
                      .detail = lesson.about,
                      .right = "lesson",
                      .words = "lesson",
                      .other = lesson.name});
    // Which words there are is no answer, but what is selected shows its weights.
    if (lessons_.player().covered()) return more;
    for (PaletteEntry& token : token_entries(scene, session_.results())) more.push_back(std::move(token));
    return more;
  };
  if (desk.folder.empty()) lessons_.folder.clear();  // nothing is kept, neither lessons nor progress
  lessons_.lecturer_window = [this](double at) { lecturer_window(at); };
  lessons_.show_first_start = [this] { show_first_start(false); };
  desk_.chosen = [this](const std::string& lesson) { lessons_.open(lesson, now_); };
  desk_.missing_font = [this](std::string_view words) { return text_.missing_font(words); };
}

const draw::Theme& Shell::theme() const {
  return theme_of(session_.scene());
}

float Shell::interface_scale(const Frame& frame) const {
  float requested = static_cast<float>(session_.scene().interface_scale);
  if (!lessons_.player().playing()) {  // those are as large as their window anyway
    // Added, not multiplied: a user who asks for more on a large screen already has a part of it.
    const float grown = growth(static_cast<float>(frame.width) / frame.display_scale,
                               static_cast<float>(frame.height) / frame.display_scale);
    requested = std::min(requested * grown, requested + grown - 1);
  }
  requested *= frame.display_scale;
  const float room = std::min(static_cast<float>(frame.width) / least_width,
                              static_cast<float>(frame.height) / least_height);
  return std::min(requested, std::max(room, 0.5f * frame.display_scale));
}

void Shell::frame(const Frame& frame) {
  try {
    build(frame);
  } catch (...) {  // finished work remains, and the next frame draws the rest
    ui_.abandon();
    try {
      session_.warn("this frame could not be drawn: " + base::caught_words(), frame.now);
    } catch (...) {  // there is not even memory for the message
    }
  }
}

void Shell::build(const Frame& frame) {
  const auto start = std::chrono::steady_clock::now();
  now_ = frame.now;
  session_.update(frame.now);
  if (!input_.presses().empty() || !input_.clicks().empty()) page_.let_go();
  // Nothing plays below the first start: it shows one scene.
  moving_ = (!first_start_.open() && page_.animate(session_, frame.seconds)) || session_.busy() >= 0 ||
            desk_.compare().busy();

  const float scale = interface_scale(frame);
  maps_.begin_frame();
  maps_.set_theme(theme());
  ui_.begin(theme(), scale, frame.now);
  // A card that Esc closes in this frame still counts: the key has no other effect.
  const bool card_before = card_open();
  FrameLayout at;
  bool over = false;    // something covers the page
  bool shared = false;  // the line at the bottom has the tabs of the page, and the status beside them
  draw::Box rest{0, 0, static_cast<float>(frame.width), static_cast<float>(frame.height)};
  lessons_.begin(ui_, frame.now);
  desk_.document().borrowed = lessons_.editor().open() || lessons_.player().open();
  desk_.document().update(frame.now);
  bool writing = lessons_.writing();
  // What is kept as “before” in a lesson is no “before” of the user's own scene, nor the reverse.
  if (const bool open = lessons_.player().open() || lessons_.editor().open();
      std::exchange(in_lesson_, open) != open) {
    desk_.compare().drop();
    if (open) {
      view_before_lesson_ = page_.kept_view();
    } else {
      page_.bring_back(view_before_lesson_);
    }
  }
  // A lesson has the whole window: no comparison and no hint is shown.
  desk_.compare().follow(session_, frame.now);
  Session& side = lessons_.player().playing() ? session_ : desk_.compare().side(session_);
  if (lessons_.player().playing()) presenter_.close();
  presenter_.give_back_focus(ui_);
  // A file that is dropped onto the window must be visible.
  if (first_start_.open() && session_.scene() != scene::with_look_of(beneath_first_start_, session_.scene()))
    first_start_.leave(ui_);
  // The page without the room of a message at its foot.
  const auto above_toast = [scale](draw::Box page) {
    page.cut_bottom((toast_margin + toast_height) * scale);
    return page;
  };
  // A button may open either in the middle of the frame.
  const bool presenting = presenter_.open(), first = first_start_.open(), listing = lessons_.listing();
  if (first) {
    first_start(rest, frame.now);
  } else if (presenting) {
    if (ui_.begin_panel("present", rest, theme().panel, 0, false))
      presenter_.frame(side, page_.input(side, theme()), ui_, maps_, rest, frame.now);
    ui_.end_panel();
  } else if (lessons_.player().playing()) {
    lessons_.panel(ui_, maps_, rest, frame.now);
    if (!lessons_.hall) {
      const bool toasts = toast(rest, true);
      over = ended_note(ui_, export_, toasts ? above_toast(rest) : rest) || toasts;
    }
  } else {
    lessons_.escape_hint = panel_.closes() ? " · Esc: closes the settings" : "";
    if (escape_does() == Escape::selection) lessons_.escape_hint = " · Esc: clears the selection";
    if (lessons_.player().exploring() && !lessons_.hall) lessons_.strip(ui_, rest, frame.now);
    panel_.follow(side.scene(), writing ? width_beside_editor(rest.w / scale) : rest.w / scale);
    const bool changes = desk_.compare().shows_change(session_);
    at = frame_layout(rest.w / scale, rest.h / scale, listing ? SettingsPlace::closed : panel_.place(),
                      writing, page_.tabs_box().w > 0 && !listing && !changes,
                      page_info(side.scene().page).view.column);
    const draw::Point corner{rest.x, rest.y};
    const auto pixels = [&](const draw::Box& units) { return whole_pixels(units, corner, scale); };
    top_bar(pixels(at.top), at.compact, frame.now);
    if (!at.compact) tabs(pixels(at.tabs), frame.now);
    rail(pixels(at.rail), !at.compact, frame.now);
    // A hint replaces the status line until it is closed; messages are shown there meanwhile.
    const float below = listing ? 0 : desk_.strip_below() * scale;  // the hint is about a page
    const bool hint = below > 0 && !at.compact;
    // The hint is about the cards of the first screen.
    const bool of_others = hint && page_.screen() > 0 && !desk_.warns();
    const bool status =
        !at.compact && (!hint || of_others || !session_.message().empty() || !session_.failure().empty());
    // The page has the line of the status too: its tabs stand there, and the status at their right.
    shared = status && !hint && !listing && !changes;
    if (status && !shared) status_bar(pixels(at.status), false);
    panel_.column = at.compact || panel_.place() != SettingsPlace::replaces_cards;
    panel_.cards = page_.cards_on_view(side.scene().page);
    if (panel_.open() && !listing) {
      // It ends on the line of the cards beside it.
      constexpr float most = 48;  // units: a hint takes 40; further up, a card is not as high as its column
      draw::Box beside = pixels(at.panel);
      if (const std::optional<float> end = changes || at.compact ? std::nullopt : page_.cards_end();
          end && std::abs(*end - beside.bottom()) <= most * scale)
        beside.h = std::round(*end) - beside.y;
      settings_panel(ui_, beside, panel_, side, frame.now);
    }
    if (writing) {
      lessons_.editor().take(page_, frame.now);
      lessons_.editor().frame(ui_, pixels(at.editor), page_, frame.now);
      writing = lessons_.editor().open();
    }
    if (hint) at.page.h = at.status.bottom() - at.page.y;
    rest = pixels(at.page);
    draw::Box above_hint = rest;
    above_hint.cut_bottom(below);
    const bool toasts = at.compact && toast(above_hint, true);
    over = toasts || (at.compact && panel_.open() && !listing);
    over = ended_note(ui_, export_, toasts ? above_toast(above_hint) : above_hint) || over;
    desk_.draw_above(ui_, rest.cut_top(desk_.strip_above() * scale), frame.now);
    const draw::Box strip = rest.cut_bottom(below);
    if (below > 0 && !(hint && status)) desk_.draw_below(ui_, strip, frame.now);
  }
  const draw::Box above_line = rest;
  if (!presenting && !first && listing) {
    lessons_.list(ui_, rest, frame.now);
  } else if (!presenting && !first) {
    page_.overlay = lessons_.overlay(frame.now);
    // A lesson has no bars above and below the page: a whole page is clear of the window's edges.
    if (lessons_.player().playing() && page_.overlay.focus.empty()) {
      // Messages have room below it: they cover neither its cards nor the tabs of its screens.
      constexpr float apart = 12;
      rest.cut_top(std::round(apart * scale));
      rest.cut_bottom(std::round((toast_margin + toast_height) * scale));
    }
    page_.picking = PageArea::Picking::none;
    if (writing) lessons_.editor().direct(page_);
    page_.foot = {};
    if (shared) {
      // Pins have room beside the tabs, without the part of the line that is beside the page.
      constexpr float for_status = 340;
      const draw::Box line = whole_pixels(at.status, {0, 0}, scale);
      page_.foot = {status_height, page_tabs_height, std::max(0.f, for_status - (line.w - rest.w) / scale)};
      rest.h = line.bottom() - rest.y;
    }
    page_.compact = at.compact;
    page_.lesson = lessons_.player().playing();
    page_.column = panel_.column || lessons_.player().playing();
    if (ui_.begin_panel("page", rest, theme().window, 0, false)) {
      if (over || shared) ui_.to_back();
      if (desk_.compare().shows_change(session_) && !lessons_.player().playing()) {
        desk_.compare().draw_change(ui_, maps_, session_);
      } else {
        page_.frame(side, ui_, maps_, frame.now);
      }
    }
    ui_.end_panel();
    if (shared) {
      const draw::Box tabs = page_.tabs_box();
      draw::Box line = whole_pixels(at.status, {0, 0}, scale);
      if (tabs.w > 0) {
        line = {tabs.right(), tabs.y, line.right() - tabs.right(), line.bottom() - tabs.y - 8 * scale};
      } else {
        line.cut_top(line.h - std::round(status_height * scale));
      }
      if (!status_bar(line, tabs.w > 0)) toast(above_line, false);
    }
  }
  // Esc that closes a card has no other effect, and no other key works below a card.
  const bool card = card_before || card_open();
  // Before the cards: a card that a key opens is open when the next key arrives.
  if (first) {
    // Its keys were handled where it was drawn.
  } else if (presenting) {
    if (!card) present_keys(frame.now);
  } else if (card || !lessons_.keys(ui_, frame.now)) {
    shortcuts(frame.now, card);
  }
  if (const std::string requested = page_.take_requested_card(); !requested.empty())
    present(requested, frame.now);
  lessons_.cards(ui_, page_, frame.now);
  if (const auto action = desk_.cards(ui_, frame.now)) perform(*action, frame.now);
  if (desk_.take_chosen()) lessons_.close_list();
  if (const std::string place = desk_.take_place(); !place.empty()) page_.point_out(place);
  if (const std::string place = session_.take_changed_place(); !place.empty()) page_.point_out(place);
  if (const auto model = models_.frame(ui_, session_.scene())) use_model(*model, frame.now);
  export_.frame(ui_, side, page_, frame.now);
  if (quit_question_.frame(ui_, export_) && quit) quit();
  desk_.compare().settle(session_, frame.now);
  moving_ = moving_ || page_.pointing_out() || lessons_.moving(frame.now) || first_start_.moving();
  ui_.end();

  // Changes of this frame appear in the next one, so there is a next one.
  session_.update(frame.now);
  const float ms = static_cast<float>(milliseconds_since(start));
  frame_ms_ = frame_ms_ == 0 ? ms : frame_ms_ + (ms - frame_ms_) * 0.2f;
  // A number that changes in every frame cannot be read, and would redraw the status line in every frame.
  if (shown_frame_ms_ == 0 || frame.now >= shown_at_ + 1) shown_frame_ms_ = frame_ms_, shown_at_ = frame.now;
}

}  // namespace headlight::app
