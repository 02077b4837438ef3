// The real interface for a test, driven by its own names: no window and no OpenGL. ImGui builds its frames
// and nobody renders them.
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include <filesystem>
#include <memory>
#include <string>

#include "app/session.h"
#include "app/shell.h"
#include "screen/pilot.h"
#include "screen/recorder.h"

namespace headlight::tests {

class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as the OpenGL backend does
    unsigned char* pixels = nullptr;
    int w = 0, h = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
    screen::InputQueue::attach(io);
    io.ClipboardUserData = &clipboard_;
    io.SetClipboardTextFn = [](void* data, const char* text) { *static_cast<std::string*>(data) = text; };
    io.GetClipboardTextFn = [](void* data) { return static_cast<std::string*>(data)->c_str(); };
  }
  ~ProgramTest() override {
    shell_.reset();
    session_.reset();
    ImGui::DestroyContext();
  }

  void start(const scene::Scene& scene, app::DeskStart desk = {}) {
    shell_.reset();
    session_ = std::make_unique<app::Session>(app::Session::Start{.scene = scene, .autosave = {}});
    session_->wait();
    shell_ = std::make_unique<app::Shell>(*session_, input_, textures_, std::move(desk));
    shell_->ui().recorder = &recorder_;
    pilot_.frames(3);
  }

  void frame() {
    now_ += 1.0 / 60;
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(width_), static_cast<float>(height_));
    io.DeltaTime = 1.f / 60;
    input_.apply(io);
    ImGui::NewFrame();
    shell_->frame({.width = width_, .height = height_, .display_scale = 1, .seconds = 1.f / 60, .now = now_});
    ImGui::Render();
  }

  const scene::Scene& scene() const { return session_->scene(); }
  void done(const base::Status& status) { ASSERT_TRUE(status) << status.error(); }

  int width_ = 1600, height_ = 1000;
  double now_ = 0;
  std::string clipboard_;
  screen::InputQueue input_;
  screen::NumberedTextures textures_;
  screen::Recorder recorder_;
  std::unique_ptr<app::Session> session_;
  std::unique_ptr<app::Shell> shell_;
  screen::Pilot pilot_{input_, recorder_, [this] { frame(); }};
};

}  // namespace headlight::tests
