#include "screen/recorder.h"

#include <imgui_internal.h>

namespace headlight::screen {

std::string Recorder::path(std::string_view name) const {
  std::string out;
  for (const std::string& part : scope) out += part + '/';
  return out += name;
}

void Recorder::add(std::string_view name, ImVec2 from, ImVec2 to, ImVec2 clip_from, ImVec2 clip_to) {
  items[path(name)] = {from, to, clip_from, clip_to, ImGui::GetFrameCount()};
}

void Recorder::add(std::string_view name, ImVec2 from, ImVec2 to) {
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  add(name, from, to, list.GetClipRectMin(), list.GetClipRectMax());
  if (!scroll_to.empty() && path(name) == scroll_to) {
    ImGui::ScrollToBringRectIntoView(ImGui::GetCurrentWindow(), ImRect(from, to));
    scroll_to.clear();
  }
}

}  // namespace headlight::screen
