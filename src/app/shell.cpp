#include "app/shell.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>

#include "app/settings_panel.h"

namespace headlight::app {

namespace {

constexpr float top_height = 60, tabs_height = 42, status_height = 30, panel_width = 236;  // units

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Shell::Shell(Session& session, screen::InputQueue& input, screen::Textures& textures)
    : session_(session), input_(input), text_(textures), ui_(text_, input) {
  ui_.report = [this](const std::string& line) { session_.say(line, now_); };
}

const draw::Theme& Shell::theme() const {
  return draw::theme(session_.scene().theme == scene::ThemeName::dark);
}

void Shell::frame(const Frame& frame) {
  const auto start = std::chrono::steady_clock::now();
  now_ = frame.now;
  session_.update(frame.now);
  moving_ = page_.animate(session_, frame.seconds) || session_.busy() >= 0;

  const float scale = frame.display_scale * static_cast<float>(session_.scene().interface_scale);
  maps_.begin_frame();
  maps_.set_theme(theme());
  ui_.begin(theme(), scale, frame.now);
  draw::Box rest{0, 0, static_cast<float>(frame.width), static_cast<float>(frame.height)};
  top_bar(rest.cut_top(top_height * scale), frame.now);
  tabs(rest.cut_top(tabs_height * scale), frame.now);
  status_bar(rest.cut_bottom(status_height * scale));
  if (panel_shown_) settings_panel(ui_, rest.cut_left(panel_width * scale), session_, frame.now);
  if (ui_.begin_panel("page", rest, theme().window, 0, false)) page_.frame(session_, ui_, maps_, frame.now);
  ui_.end_panel();
  // Esc that closes a card does nothing else, and no other key works beneath one.
  const bool card = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  help();
  shortcuts(frame.now, card);
  ui_.end();

  // What this frame changed is in the next one, so there is a next one.
  session_.update(frame.now);
  const float ms = static_cast<float>(milliseconds_since(start));
  frame_ms_ = frame_ms_ == 0 ? ms : frame_ms_ + (ms - frame_ms_) * 0.2f;
}

}  // namespace headlight::app
