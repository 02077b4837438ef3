#include "screen/renderer.h"

#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "screen/input.h"

namespace headlight::screen {

base::Result<std::unique_ptr<Renderer>> Renderer::create() {
  HEADLIGHT_CHECK(ImGui::GetCurrentContext() == nullptr);
  IMGUI_CHECKVERSION();
  std::unique_ptr<Renderer> renderer(new Renderer);
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  InputQueue::attach(io);
  renderer->backend_ = ImGui_ImplOpenGL3_Init("#version 330 core");
  if (!renderer->backend_)
    return base::Error{"ImGui's OpenGL backend did not start; is libGL.so.1 installed (package libgl1)?"};
  return renderer;
}

Renderer::~Renderer() {
  filter_.reset();
  if (backend_) ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext();
}

void Renderer::begin(int width, int height, float seconds) {
  if (fonts_stale_) {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
    fonts_stale_ = false;
  }
  width_ = width, height_ = height;
  ImGui_ImplOpenGL3_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {float(width), float(height)};
  io.DisplayFramebufferScale = {1, 1};
  io.DeltaTime = std::max(seconds, 1e-4f);
  ImGui::NewFrame();
}

void Renderer::end(draw::Color clear, draw::Vision vision) {
  ImGui::Render();
  glDisable(GL_SCISSOR_TEST);
  glViewport(0, 0, width_, height_);
  glClearColor(float(clear.r) / 255, float(clear.g) / 255, float(clear.b) / 255, float(clear.a) / 255);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  if (vision == draw::Vision::full) return;
  if (!filter_) filter_ = std::make_unique<ColourFilter>();
  filter_->apply(vision, width_, height_);
}

void Renderer::abandon() {
  ImGui::ErrorCheckEndFrameRecover(nullptr);
  ImGui::EndFrame();
}

}  // namespace headlight::screen
