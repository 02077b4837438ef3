// Lessons in the window: the panel beside the page while one is played, the strip above it while somebody
// explores, the list of lessons, the card that makes a view a step, and the keys of all of these. Tested in
// tests/app/lesson_ui_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/lesson_player.h"
#include "app/page_overlay.h"
#include "screen/heatmap_painter.h"
#include "screen/input.h"
#include "screen/widgets.h"
#include "teach/view/lesson_panel.h"

namespace headlight::app {

class LessonScreen {
 public:
  LessonScreen(Session& session, screen::InputQueue& input)
      : player_(session), session_(session), input_(input) {}

  LessonPlayer& player() { return player_; }
  const LessonPlayer& player() const { return player_; }
  /// Where one's own lessons are; empty: nowhere, and no view can be added.
  std::filesystem::path folder = lessons_folder();

  /// Opens a lesson by name, number or file; what is wrong with it is said in the status line.
  void open(const std::string& what, double now);
  void open_list() { open_list_ = true; }
  void open_add() { open_add_ = true; }

  /// First thing in a frame: keys that mean a step are not left to a control that was clicked.
  void begin(screen::Ui& ui);
  /// The panel while a lesson is played: takes its part of `rest` (pixels).
  void panel(screen::Ui& ui, screen::HeatmapPainter& maps, draw::Box& rest, double now);
  /// The strip while somebody explores.
  void strip(screen::Ui& ui, draw::Box& rest, double now);
  /// What lies over the page now.
  PageOverlay overlay(double now);
  /// The list and the card, when they are open.
  void cards(screen::Ui& ui, double now);
  /// True: this frame's keys were for the lesson.
  bool keys(const screen::Ui& ui, double now);
  /// Words or outlines come in.
  bool moving(double now) const { return player_.open() && player_.appeared(now) < 1; }

 private:
  views::LessonPanel picture(double now) const;
  void act(const std::string& name, double now);
  void hand_controls(screen::Ui& ui, draw::Box units, draw::Point origin, double now);
  void list(screen::Ui& ui, double now);
  void add(screen::Ui& ui, double now);

  LessonPlayer player_;
  Session& session_;
  screen::InputQueue& input_;
  draw::Hit hover_;
  float controls_height_ = 0;  // units, as drawn in the frame before
  float scroll_ = 0, needed_ = 0, room_ = 0;
  int shown_step_ = -1;
  int bring_ = 0;             // frames in which the first thing that is named comes into view
  bool by_keyboard_ = false;  // Tab was used since the last click
  bool open_list_ = false, open_add_ = false;
  std::vector<LessonEntry> entries_;  // of the open list
  NewStep new_step_;
};

}  // namespace headlight::app
