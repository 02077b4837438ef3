#include "screen/unseen_screen.h"

#include <imgui.h>

namespace headlight::screen {

UnseenScreen::UnseenScreen() {
  context_ = ImGui::CreateContext();
  use();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as the OpenGL backend does
  io.ClipboardUserData = &clipboard;
  io.SetClipboardTextFn = [](void* data, const char* text) { *static_cast<std::string*>(data) = text; };
  io.GetClipboardTextFn = [](void* data) { return static_cast<std::string*>(data)->c_str(); };
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  InputQueue::attach(io);
}

UnseenScreen::~UnseenScreen() {
  ImGui::DestroyContext(context_);
}

void UnseenScreen::use() {
  ImGui::SetCurrentContext(context_);
}

void UnseenScreen::frame(int width, int height, const std::function<void()>& build) {
  use();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
  io.DeltaTime = seconds;
  input.apply(io);
  ImGui::NewFrame();
  build();
  ImGui::Render();
}

int UnseenScreen::vertices() const {
  return ImGui::GetDrawData()->TotalVtxCount;
}

}  // namespace headlight::screen
