// The real interface for a test, driven by its own names: no window and no OpenGL. ImGui builds its frames
// and nobody sees them.
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include <filesystem>
#include <memory>
#include <string>

#include "app/shell.h"
#include "screen/pilot.h"
#include "screen/recorder.h"
#include "screen/unseen_screen.h"
#include "session/session.h"
#include "support/scratch_folder.h"

namespace headlight::tests {

class ProgramTest : public ::testing::Test {
 protected:
  void start(const scene::Scene& scene, app::DeskStart desk = {}) {
    shell_.reset();
    session_ = std::make_unique<app::Session>(app::Session::Start{.scene = scene, .autosave = {}});
    session_->wait();
    shell_ = std::make_unique<app::Shell>(*session_, input_, screen_.textures, std::move(desk));
    shell_->ui().recorder = &recorder_;
    pilot_.frames(3);
  }

  /// The settings panel, pinned: in a window of this width it is opened by hand.
  void open_settings() {
    shell_->settings().hold(true);
    pilot_.frames(3);
  }

  void frame() {
    now_ += screen::UnseenScreen::seconds;
    screen_.frame(width_, height_, [this] {
      shell_->frame({.width = width_,
                     .height = height_,
                     .display_scale = 1,
                     .seconds = screen::UnseenScreen::seconds,
                     .now = now_});
    });
  }

  const scene::Scene& scene() const { return session_->scene(); }
  void done(const base::Status& status) { ASSERT_TRUE(status) << status.error(); }

  ScratchFolder folder_;  // outlives the program, which writes into it when it ends
  int width_ = 1600, height_ = 1000;
  double now_ = 0;
  screen::UnseenScreen screen_;
  std::string& clipboard_ = screen_.clipboard;
  screen::InputQueue& input_ = screen_.input;
  screen::Recorder recorder_;
  std::unique_ptr<app::Session> session_;
  std::unique_ptr<app::Shell> shell_;
  screen::Pilot pilot_{input_, recorder_, [this] { frame(); }};
};

}  // namespace headlight::tests
