#include "lecture/first_start.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

#include "draw/both_canvas.h"
#include "draw/pick_canvas.h"
#include "io/files.h"
#include "pictures/pages.h"
#include "scene/pinned.h"
#include "scene/settings.h"
#include "screen/screen_canvas.h"

namespace headlight::app {

namespace fs = std::filesystem;

namespace {

using screen::Key;

constexpr double draw_seconds = 0.7, move_seconds = 0.2;

fs::path file_in(const fs::path& folder) {
  return folder.empty() ? fs::path() : folder / "first-start.txt";
}

}  // namespace

bool FirstStart::due(const scene::WindowFiles& kept, const fs::path& folder) {
  std::error_code failed;
  return kept.number == 1 && !fs::exists(kept.scene, failed) &&
         (folder.empty() || !fs::exists(file_in(folder), failed));
}

void FirstStart::show(scene::Scene scene, const Session& live, screen::Ui& ui, bool continues) {
  session_ = std::make_unique<Session>(Session::Start{.scene = first_start_scene(std::move(scene)),
                                                      .autosave = {},
                                                      .wake = wake_,
                                                      .threads = 1,
                                                      .models = live.models()});
  session_->wait();
  session_->change(first_start_scene(session_->scene(), session_->results()), "query", 0);
  continues_ = continues;
  editing_ = edit_begins_ = written_ = false;
  began_ = -1, moved_ = -1e9;
  rest_ = before_ = {};
  hover_ = {};
  pointer_seen_ = false;
  moving_ = true;
  ui.focus.clear();
}

void FirstStart::leave(screen::Ui& ui) {
  scene_ = session_->scene();
  session_.reset();
  moving_ = false;
  ui.focus.clear();
  if (folder_.empty()) return;
  std::error_code failed;
  fs::create_directories(folder_, failed);
  (void)io::write_file(file_in(folder_), "left\n");  // else it comes back at the next start
}

void FirstStart::ask(int query, double now) {
  const int last = static_cast<int>(session_->results().tokens.size()) - 1;
  if (last < 0) return;
  scene::Scene next = session_->scene();
  next.query = {std::clamp(query, 0, last)}, next.key = -1;
  session_->change(std::move(next), "query", now);
}

void FirstStart::write(std::string sentence, double now) {
  scene::Scene next = session_->scene();
  next.sentence = std::move(sentence), next.key = -1;
  session_->change(std::move(next), "sentence", now);
  written_ = true;
  session_->update(now);
  place_query(now);
}

/// Keeps the query on its word; in a sentence that is too short for it, uses the first pronoun. A long
/// sentence is computed in the background; until then the old picture is shown.
void FirstStart::place_query(double now) {
  if (!written_ || session_->results().scene.sentence != session_->scene().sentence) return;
  written_ = false;
  const auto texts = token_texts(session_->results());
  scene::Scene now_shown = session_->scene();
  scene::choose_shown_query(now_shown, static_cast<int>(texts.size()));
  const int at = now_shown.query.empty() ? -1 : now_shown.query.front();
  if (at < 0 || at >= static_cast<int>(texts.size()) || editing_) ask(first_query(texts), now);
}

FirstStartLook FirstStart::look(double now, bool at_once) {
  if (began_ < 0) began_ = now;
  FirstStartLook look;
  look.drawn = at_once ? 1.f : static_cast<float>(std::clamp((now - began_) / draw_seconds, 0.0, 1.0));
  look.moved = at_once ? 1.f : static_cast<float>(std::clamp((now - moved_) / move_seconds, 0.0, 1.0));
  look.before = before_;
  look.editing = editing_;
  moving_ = look.drawn < 1 || look.moved < 1;
  return look;
}

views::PageInput FirstStart::input(const draw::Theme& theme) const {
  return page_input(*session_, theme);
}

void FirstStart::keys(screen::Ui& ui, double now, std::optional<WayOut>& out) {
  const screen::InputQueue& input = ui.input;
  if (editing_) {
    if (input.pressed(Key::escape) || input.pressed(Key::enter) || input.pressed(Key::keypad_enter)) {
      editing_ = false;
      ui.focus.clear();
    }
    return;
  }
  if (input.pressed(Key::escape)) out = WayOut::laboratory;
  const bool enter = input.pressed(Key::enter) || input.pressed(Key::keypad_enter);
  if (enter && !ui.focus.presses()) out = WayOut::own_sentence;
  if (input.pressed(Key::slash)) editing_ = edit_begins_ = true;
  scene::Scene shown = session_->scene();
  scene::choose_shown_query(shown, static_cast<int>(session_->results().tokens.size()));
  const int at = shown.query.empty() ? 0 : shown.query.front();
  const int step = int(input.pressed(Key::right)) - int(input.pressed(Key::left));
  if (step != 0) ask(at + step, now);
  if (input.pressed(Key::home)) ask(0, now);
  if (input.pressed(Key::end)) ask(static_cast<int>(session_->results().tokens.size()) - 1, now);
}

std::optional<WayOut> FirstStart::frame(screen::Ui& ui, screen::HeatmapPainter& maps, draw::Box pixels,
                                        double now, bool at_once) {
  std::optional<WayOut> out;
  session_->update(now);
  place_query(now);
  if (ui.begin_panel("first start", pixels, ui.theme().window, 0, false)) {
    const float scale = ui.scale();
    const ImVec2 corner(pixels.x, pixels.y);
    screen::ScreenCanvas canvas(*ImGui::GetWindowDrawList(), corner, scale, ui.text, maps);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const draw::Point pointer{(mouse.x - pixels.x) / scale, (mouse.y - pixels.y) / scale};
    const bool inside = ImGui::IsWindowHovered();
    draw::PickCanvas pick(inside ? pointer : draw::Point{-1e6f, -1e6f}, canvas);
    draw::BothCanvas both(canvas, pick);
    const views::PageInput in = input(ui.theme());
    const draw::Point size{pixels.w, pixels.h};
    FirstStartLook now_look = look(now, at_once);
    if (!at_once && size == size_) now_look.last = rest_;
    const FirstStartPlaces places = draw_first_start(
        {both, ui.theme(), &hover_}, {0, 0, pixels.w / scale, pixels.h / scale}, in, now_look);
    if (places.beam != rest_) {
      before_ = between(before_, rest_, now_look.moved);
      if (now_look.last.there) moved_ = now, moving_ = true;
      rest_ = places.beam;
    }
    size_ = size;
    hover_ = pick.hit();
    for (const auto& target : pick.targets()) {
      const ImVec2 from(corner.x + target.box.x * scale, corner.y + target.box.y * scale);
      if (target.mark.part != draw::Part::control) {
        if (ui.recorder)
          ui.recorder->add(target.mark.name, from,
                           ImVec2(from.x + target.box.w * scale, from.y + target.box.h * scale));
        continue;
      }
      ImGui::SetCursorScreenPos(from);
      const screen::Ui::Item item =
          ui.item(target.mark.name, target.box.w * scale, target.box.h * scale, target.mark.note);
      ui.focus_ring(item, 8 * scale);
      if (!item.pressed) continue;
      // Words of an old picture, whose sentence is no longer the scene's, cannot be exchanged.
      const bool current = session_->results().scene.sentence == session_->scene().sentence;
      if (current && (target.mark.name == first_word || target.mark.name == second_word))
        write(with_word(in, target.mark.name == second_word), now);
      for (std::size_t i = 0; i < std::size(first_start_controls); ++i) {
        if (target.mark.name == first_start_controls[i].name) out = static_cast<WayOut>(i);
      }
    }
    if (places.field.w > 0) {
      ImGui::SetCursorScreenPos(ImVec2(corner.x + places.field.x * scale, corner.y + places.field.y * scale));
      if (std::exchange(edit_begins_, false)) ui.focus.take(ImGui::GetID("sentence"), true);
      std::string sentence = session_->scene().sentence;
      const screen::Response typed = ui.text_field({.name = "sentence",
                                                    .hint = "type a sentence",
                                                    .help = "Enter closes the field",
                                                    .width = places.field.w,
                                                    .height = places.field.h,
                                                    .size = std::clamp(places.field.h * 0.5f, 14.f, 28.f)},
                                                   sentence);
      if (typed.changed) write(std::move(sentence), now);
    }
    // The beam follows the pointer when it moves; while the pointer rests, the beam stays where the keyboard
    // put it.
    const bool moved = pointer_seen_ && (pointer.x != pointer_.x || pointer.y != pointer_.y);
    pointer_seen_ = true;
    pointer_ = pointer;
    if (hover_.mark.part == draw::Part::query_token) {
      const bool clicked = std::any_of(ui.input.clicks().begin(), ui.input.clicks().end(),
                                       [](const screen::Click& click) { return click.button == 0; });
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (moved || clicked) ask(hover_.mark.query, now);
      if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) editing_ = edit_begins_ = true;
    }
  }
  ui.end_panel();
  keys(ui, now, out);
  session_->update(now);
  if (out) leave(ui);
  return out;
}

}  // namespace headlight::app
