#include "screen/pilot.h"

#include <utility>

namespace headlight::screen {

namespace {

constexpr int frames_between_clicks = 30;  // half a second, so that two clicks are not a double click

bool shows(const Recorder::Item& item, ImVec2 p) {
  return p.x >= item.clip_from.x && p.x < item.clip_to.x && p.y >= item.clip_from.y && p.y < item.clip_to.y;
}

ImVec2 inside(const Recorder::Item& item, float across, float down) {
  return {item.from.x + (item.to.x - item.from.x) * across, item.from.y + (item.to.y - item.from.y) * down};
}

}  // namespace

Pilot::Pilot(InputQueue& input, Recorder& recorder, std::function<void()> frame)
    : input_(input), recorder_(recorder), frame_(std::move(frame)) {}

void Pilot::frames(int count) {
  for (int i = 0; i < count; ++i) frame_();
}

void Pilot::settle() {
  for (int i = 0; i < 1000 && (i == 0 || input_.pending()); ++i) frame_();
  frames(2);
}

const Recorder::Item* Pilot::find(std::string_view path) const {
  const auto at = recorder_.items.find(path);
  const bool here = at != recorder_.items.end() && at->second.frame >= ImGui::GetFrameCount() - 1;
  return here ? &at->second : nullptr;
}

bool Pilot::on_screen(std::string_view path) const {
  return find(path) != nullptr;
}

std::string Pilot::inventory() const {
  std::string out;
  for (const auto& [path, item] : recorder_.items) {
    if (item.frame < ImGui::GetFrameCount() - 1) continue;
    if (!out.empty()) out += ", ";
    out += path;
  }
  return out.empty() ? "nothing" : out;
}

base::Result<ImVec2> Pilot::point(std::string_view path, float across, float down) {
  frames(2);
  const Recorder::Item* item = find(path);
  if (!item)
    return base::Error{"nothing on the screen is called \"" + std::string(path) + "\"; there is " +
                       inventory()};
  if (!shows(*item, inside(*item, across, down))) {
    recorder_.scroll_to = path;
    frames(3);
    recorder_.scroll_to.clear();
    item = find(path);
    if (!item || !shows(*item, inside(*item, across, down))) {
      return base::Error{"\"" + std::string(path) + "\" cannot be scrolled into view"};
    }
  }
  return inside(*item, across, down);
}

base::Status Pilot::hover(std::string_view path, float across, float down) {
  const auto at = point(path, across, down);
  if (!at) return base::Error{at.error()};
  input_.mouse_move(at->x, at->y);
  settle();
  return {};
}

void Pilot::press(int button) {
  input_.mouse_button(button, true);
  input_.mouse_button(button, false);
}

base::Status Pilot::click(std::string_view path, float across, float down, int button) {
  auto status = hover(path, across, down);
  if (!status) return status;
  press(button);
  settle();
  frames(frames_between_clicks);
  return status;
}

base::Status Pilot::double_click(std::string_view path, float across, float down) {
  auto status = hover(path, across, down);
  if (!status) return status;
  press(0);
  press(0);
  settle();
  frames(frames_between_clicks);
  return status;
}

base::Status Pilot::drag(std::string_view path, float from, float to) {
  const auto begin = point(path, from, 0.5f);
  if (!begin) return base::Error{begin.error()};
  const ImVec2 end = inside(*find(path), to, 0.5f);  // may be outside of everything, like a real pointer
  input_.mouse_move(begin->x, begin->y);
  settle();
  input_.mouse_button(0, true);
  settle();
  constexpr int moves = 8;
  for (int i = 1; i <= moves; ++i) {
    const float t = static_cast<float>(i) / moves;
    input_.mouse_move(begin->x + (end.x - begin->x) * t, begin->y + (end.y - begin->y) * t);
    settle();
  }
  input_.mouse_button(0, false);
  settle();
  frames(frames_between_clicks);
  return {};
}

base::Status Pilot::wheel(std::string_view path, float steps) {
  auto status = hover(path);
  if (!status) return status;
  input_.wheel(0, steps);
  settle();
  return status;
}

base::Status Pilot::fill(std::string_view path, std::string_view words) {
  auto status = click(path);
  if (!status) return status;
  key(Key::a, ctrl_only);
  if (words.empty()) key(Key::del);
  type(words);
  return status;
}

void Pilot::hold(Mods mods, bool down) {
  if (mods.ctrl) input_.key(Key::ctrl, down);
  if (mods.shift) input_.key(Key::shift, down);
  if (mods.alt) input_.key(Key::alt, down);
  if (mods.super) input_.key(Key::super, down);
}

void Pilot::key(Key key, Mods mods) {
  hold(mods, true);
  input_.key(key, true);
  input_.key(key, false);
  hold(mods, false);
  settle();
}

void Pilot::type(std::string_view words) {
  input_.type(words);
  settle();
}

}  // namespace headlight::screen
