#include "screen/renderer.h"

#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "screen/heatmap_painter.h"
#include "screen/input.h"

namespace headlight::screen {

base::Result<std::unique_ptr<Renderer>> Renderer::create() {
  IMGUI_CHECKVERSION();
  std::unique_ptr<Renderer> renderer(new Renderer);
  renderer->context_ = ImGui::CreateContext();
  renderer->use();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  InputQueue::attach(io);
  renderer->backend_ = ImGui_ImplOpenGL3_Init("#version 330 core");
  if (!renderer->backend_)
    return base::Error{"ImGui’s OpenGL backend did not start; is libGL.so.1 installed (package libgl1)?"};
  return renderer;
}

Renderer::~Renderer() {
  use();
  filter_.reset(), painter_.reset();
  if (backend_) ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context_);
}

void Renderer::use() {
  ImGui::SetCurrentContext(context_);
}

void Renderer::begin(int width, int height, float seconds) {
  width_ = width, height_ = height;
  ImGui_ImplOpenGL3_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {float(width), float(height)};
  io.DisplayFramebufferScale = {1, 1};
  io.DeltaTime = std::max(seconds, 1e-4f);
  ImGui::NewFrame();
}

bool Renderer::end(draw::Color clear, draw::Vision vision) {
  ImGui::Render();
  glClearColor(float(clear.r) / 255, float(clear.g) / 255, float(clear.b) / 255, float(clear.a) / 255);
  if (can_keep()) {
    const std::span<const PixelBox> changed = draw_kept(clear);
    const bool as_before = shown_ && vision == vision_;
    if (changed.empty() && as_before) return false;
    show_kept(changed, !as_before || vision != draw::Vision::full);
    shown_ = again_ == 0, vision_ = vision;
    again_ = std::max(0, again_ - 1);
  } else {
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, width_, height_);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }
  if (vision == draw::Vision::full) return true;
  if (!filter_) filter_ = std::make_unique<ColorFilter>();
  filter_->apply(vision, width_, height_);
  return true;
}

void Renderer::keep_picture(const GlTextures& textures) {
  textures_ = &textures;
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  copies_ = name && (std::strstr(name, "llvmpipe") || std::strstr(name, "softpipe"));
}

/// Ensures that there is a picture of this size; returns whether there is.
bool Renderer::can_keep() {
  if (!textures_) return false;
  if (kept_ && kept_->width() == width_ && kept_->height() == height_) return true;
  auto made = PixelTarget::create(width_, height_);
  kept_ = made ? std::move(*made) : nullptr;
  if (!kept_) textures_ = nullptr;
  damage_.forget();
  shown_ = false, again_ = 2;
  return kept_ != nullptr;
}

/// Reads nine pixels of the bound framebuffer.
std::array<std::uint32_t, 9> Renderer::sample() const {
  std::array<std::uint32_t, 9> out{};
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  for (int i = 0; i < 9; ++i) {
    glReadPixels((width_ - 1) * (i % 3) / 2, (height_ - 1) * (i / 3) / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                 &out[static_cast<std::size_t>(i)]);
  }
  return out;
}

/// With a software renderer, copying every pixel takes as long as drawing some. There, the framebuffer keeps
/// what was presented until the system creates a new one; nine pixels detect that.
void Renderer::show_kept(std::span<const PixelBox> changed, bool whole) {
  if (copies_ && !whole && sample() == sample_) {
    for (const PixelBox& box : changed) kept_->show(box.x0, box.y0, box.x1, box.y1);
  } else {
    kept_->show(0, 0, width_, height_);
  }
  if (copies_) sample_ = sample();
}

/// Brings kept_ up to date, and returns what changed.
std::span<const PixelBox> Renderer::draw_kept(draw::Color clear) {
  if (!(clear == clear_) || destroyed_ != textures_->destroyed()) damage_.forget();
  clear_ = clear, destroyed_ = textures_->destroyed();
  const ImDrawData& data = *ImGui::GetDrawData();
  const std::span<const PixelBox> boxes = damage_.update(data, HeatmapPainter::look);
  if (boxes.empty()) return boxes;
  if (!painter_) painter_ = std::make_unique<PartPainter>();
  kept_->bind();
  painter_->begin(data);
  for (const PixelBox& box : boxes) {
    glScissor(box.x0, height_ - box.y1, box.x1 - box.x0, box.y1 - box.y0);
    glClear(GL_COLOR_BUFFER_BIT);
    painter_->paint(data, damage_.part(data, box));
  }
  painter_->end();
  kept_->unbind();
  return boxes;
}

void Renderer::skip() {
  ImGui::EndFrame();
}

bool Renderer::settled() const {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const auto appears = [](const ImGuiWindow* window) {
    return window->WasActive && (window->Appearing || window->Hidden);
  };
  const auto awaited = [](const ImGuiPopupData& popup) { return !popup.Window || !popup.Window->WasActive; };
  return std::none_of(context.Windows.begin(), context.Windows.end(), appears) &&
         std::none_of(context.OpenPopupStack.begin(), context.OpenPopupStack.end(), awaited);
}

void Renderer::abandon() {
  ImGui::ErrorCheckEndFrameRecover(nullptr);
  ImGui::EndFrame();
}

}  // namespace headlight::screen
