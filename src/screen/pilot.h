// Drives the program as a person would, using the names that its widgets report to the recorder: it clicks,
// drags, types and presses keys through the same queue as the window. For tests and for scripts; needs no
// window and no OpenGL. Every action ends when its input has arrived and its effect has been drawn. Errors
// are one line: what is not on the screen, and what is. Tested in tests/screen/widgets_test.cpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "screen/input.h"
#include "screen/recorder.h"

namespace headlight::screen {

class Pilot {
 public:
  /// `frame` draws one frame of the program: it applies the queue and builds the interface, which reports to
  /// `recorder`. Each frame advances the time by 1/60 s. All arguments must outlive the pilot.
  Pilot(InputQueue& input, Recorder& recorder, std::function<void()> frame);

  void frames(int count);

  base::Status hover(std::string_view path, float across = 0.5f, float down = 0.5f);
  /// Clicks at these fractions of its width and height. A clicked widget is scrolled into view first.
  base::Status click(std::string_view path, float across = 0.5f, float down = 0.5f, int button = 0);
  base::Status double_click(std::string_view path, float across = 0.5f, float down = 0.5f);
  /// Drags from one fraction of its width to another, at mid height, in a few moves.
  base::Status drag(std::string_view path, float from, float to);
  base::Status wheel(std::string_view path, float steps);
  /// Clicks a text field, or a slider's "…/value", and replaces its content. A slider accepts it with Enter.
  base::Status fill(std::string_view path, std::string_view words);

  void key(Key key, Mods mods = {});
  void type(std::string_view words);

  bool on_screen(std::string_view path) const;
  /// Returns the names of everything on the screen, separated by ", ".
  std::string inventory() const;

 private:
  base::Result<ImVec2> point(std::string_view path, float across, float down);
  const Recorder::Item* find(std::string_view path) const;
  void settle();
  void press(int button);
  void hold(Mods mods, bool down);

  InputQueue& input_;
  Recorder& recorder_;
  std::function<void()> frame_;
};

}  // namespace headlight::screen
