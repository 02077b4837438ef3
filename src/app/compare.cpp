#include "app/compare.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/utf8.h"
#include "pages/attention/view/change_page.h"
#include "pages/compute.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "screen/paint.h"
#include "screen/screen_canvas.h"

namespace headlight::app {

namespace {

using scene::Scene;

constexpr double hold_seconds = 0.35;

/// `own` for the settings that results depend on, `looks` for the others.
Scene with_looks(const Scene& own, const Scene& looks) {
  Scene out = own;
  for (const scene::Setting& one : scene::settings()) {
    if (!one.field.computes) one.copy(looks, out);
  }
  return out;
}

std::string shortened(std::string text) {
  constexpr std::size_t most = 40;
  return text.size() > most ? std::string(base::beginning(text, most)) + "…" : text;
}

}  // namespace

std::vector<ChangedSetting> differences(const Scene& before, const Scene& after) {
  std::vector<ChangedSetting> out;
  for (const scene::Setting& one : scene::settings()) {
    if (one.field.computes && !one.same(before, after))
      out.push_back({one.field.label, one.text(before), one.text(after)});
  }
  return out;
}

void Compare::keep(const Session& live, double now) {
  drop();
  kept_ = live.scene();
  before_ = std::make_unique<Session>(
      Session::Start{.scene = kept_, .autosave = {}, .wake = wake_, .models = live.models()});
  before_->update(now);
  followed_ = before_->scene();
}

void Compare::drop() {
  if (before_) replaced_.push_back(std::move(before_));
  showing_before_ = showing_change_ = false;
  stated_before_.clear();
  pressed_at_ = -1;
}

void Compare::follow(const Session& live, double now) {
  replaced_.clear();
  if (!before_ || uses(live).trains) return;
  before_->change(with_looks(kept_, live.scene()), "", now);
  before_->update(now);
  followed_ = before_->scene();
}

void Compare::settle(Session& live, double now) {
  if (!shows_before(live)) return;
  // Messages are shown of the live session alone.
  if (const std::string& stated = before_->message(); stated != stated_before_) {
    stated_before_ = stated;
    if (!stated.empty()) live.say(stated, now);
  }
  const Scene& there = before_->scene();
  if (there == followed_) return;
  if (scene::key(there) != scene::key(followed_))
    live.say("“before” cannot be changed; B shows “after”, which can", now);
  live.change(with_looks(live.scene(), there), "", now);
}

void Compare::key_pressed(const Session& live, double now) {
  if (!before_) return keep(live, now);
  showing_change_ = false;
  showing_before_ = !showing_before_;
  pressed_at_ = now;
}

void Compare::key_held(bool down, double now) {
  if (pressed_at_ < 0 || down) return;
  if (before_ && now - pressed_at_ >= hold_seconds) showing_before_ = !showing_before_;
  pressed_at_ = -1;
}

void Compare::draw_change(screen::Ui& ui, screen::HeatmapPainter& maps, const Session& live) {
  const std::string heads = scene::get_field(live.scene(), "head") + word(live.scene().combine);
  const std::uint64_t versions[] = {before_->results().version, live.results().version};
  if (change_of_[0] != versions[0] || change_of_[1] != versions[1] || heads != change_heads_) {
    change_ = scene::map_change(live.scene(), before_->results(), live.results());
    change_of_[0] = versions[0], change_of_[1] = versions[1];
    change_heads_ = heads;
  }
  const ImVec2 corner = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  screen::ScreenCanvas canvas(*ImGui::GetWindowDrawList(), {corner.x, corner.y}, ui.scale(), ui.text, maps);
  views::change_page(canvas, {0, 0, space.x / ui.scale(), space.y / ui.scale()}, page_input(live, ui.theme()),
                     change_);
}

void Compare::strip(screen::Ui& ui, draw::Box pixels, const Session& live, double now) {
  const draw::Theme& t = ui.theme();
  const draw::Color side = shows_before(live) ? t.offset : t.accent;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(ImVec2(pixels.x, pixels.y), ImVec2(pixels.x + ui.px(4), pixels.bottom()),
                     screen::packed(side));
  const float middle = pixels.y + pixels.h / 2;
  ImGui::SetCursorScreenPos(ImVec2(pixels.x + ui.px(16), middle - ui.px(16)));
  static constexpr std::array<std::string_view, 3> sides{"A before", "B after", "B − A"};
  const bool attention = uses(live).large_map;
  int shown = shows_change(live) ? 2 : shows_before(live) ? 0 : 1;
  const float switch_width = attention ? 250 : 176, button_width = 84;
  const std::span<const std::string_view> offered(sides.data(), attention ? 3u : 2u);
  if (ui.segmented({.name = "side", .options = offered, .width = switch_width}, shown)) {
    showing_before_ = shown == 0;
    showing_change_ = shown == 2;
  }

  const float right = pixels.right() - ui.px(16 + 34 + 8 + button_width);
  const float left = pixels.x + ui.px(16 + switch_width + 16);
  std::string words, lines;
  for (const ChangedSetting& d : differences(kept_, live.scene())) {
    words +=
        (words.empty() ? "" : "   ·   ") + d.label + " " + shortened(d.before) + " → " + shortened(d.after);
    lines += (lines.empty() ? "A → B\n" : "\n") + d.label + ": " + shortened(d.before) + " → " +
             shortened(d.after);
  }
  if (words.empty()) words = "no computed number differs yet: change a setting, then press B to see “before”";
  if (uses(live).trains) words = "training runs are not part of the comparison";
  ui.words(left, middle,
           ui.text.fit(words, draw::Font::sans, ui.px(13), std::max(0.f, right - left - ui.px(12))),
           draw::Font::sans, 13, t.text);
  ImGui::SetCursorScreenPos(ImVec2(left, pixels.y + ui.px(4)));
  ImGui::Dummy(ImVec2(std::max(1.f, right - left), pixels.h - ui.px(8)));
  if (ImGui::IsItemHovered() && !lines.empty())
    ui.tooltip(lines, screen::box_of(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()),
               true);  // the values may quote typed text

  ImGui::SetCursorScreenPos(ImVec2(right, middle - ui.px(15)));
  if (ui.button(
          {.label = "keep B", .help = "the current scene becomes “before” (Shift+B)", .width = button_width}))
    keep(live, now);
  ImGui::SetCursorScreenPos(ImVec2(pixels.right() - ui.px(16 + 34), middle - ui.px(15)));
  if (ui.button(
          {.label = "×", .help = "stop comparing", .name = "stop comparing", .quiet = true, .width = 34}))
    drop();
  list.AddRectFilled(ImVec2(pixels.x, pixels.bottom() - ui.px(1)), ImVec2(pixels.right(), pixels.bottom()),
                     screen::packed(t.border));
}

}  // namespace headlight::app
