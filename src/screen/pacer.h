// When is the next frame due? A frame is drawn when something happened (input, a finished computation, a
// timer), at most 60 times a second while something moves, and never when nothing changes. Times are seconds
// on any steady clock. Pure; tested by tests/screen/pacer_test.cpp.
#pragma once

#include <algorithm>
#include <limits>

namespace headlight::screen {

class Pacer {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr double frame_time = 1.0 / 60;   // while something moves
  static constexpr double input_time = 1.0 / 120;  // input is answered at once, but not more often than this

  /// Something changed: draw `frames` frames, because ImGui needs two or three to settle.
  void touch(int frames = 3) { frames_left_ = std::max(frames_left_, frames); }
  /// The same as touch(), but the frame does not wait for the pace.
  void input() { touch(), fresh_input_ = true; }
  /// The last frame had no input and equals the one before in every pixel, so the next one would too.
  void settle() { frames_left_ = 0; }
  /// Requests a frame at `time` (a blinking caret, a tooltip that waits); the earliest request counts.
  void wake_at(double time) { wake_time_ = std::min(wake_time_, time); }

  /// Returns the time of the next frame; `never`: sleep until an event.
  double next(bool animate) const {
    if (fresh_input_) return last_start_ + input_time;
    return animate || frames_left_ > 0 ? std::min(last_start_ + frame_time, wake_time_) : wake_time_;
  }
  /// Half a millisecond early counts as due: sleeping is not more exact than that.
  bool due(double now, bool animate) const { return now >= next(animate) - 0.0005; }

  /// A frame starts: it answers the requests that are due; requests made while it is built are for later
  /// frames.
  void begun(double start) {
    if (wake_time_ <= start + 0.0005) wake_time_ = never;
  }
  /// A frame that started at `start` has been drawn. The pace counts from start to start.
  void drawn(double start) {
    last_start_ = start;
    fresh_input_ = false;
    if (frames_left_ > 0) --frames_left_;
    if (wake_time_ <= start + 0.0005) wake_time_ = never;
  }

 private:
  int frames_left_ = 3;
  bool fresh_input_ = false;
  double last_start_ = -1;
  double wake_time_ = never;
};

}  // namespace headlight::screen
