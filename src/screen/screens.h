// On which monitor is a window? On the one that contains its centre, or else the nearest. And which of
// several monitors does each of two windows take? Sizes and positions are in the desktop's own units. Tested
// in tests/screen/pacer_test.cpp.
#pragma once

#include <algorithm>
#include <span>

namespace headlight::screen {

struct Screen {
  int x = 0, y = 0, width = 0, height = 0;
};
struct Place {
  int x = 0, y = 0;
};

/// Returns the index of the screen for a window with this centre; of two at the same distance, the first. −1:
/// no screens.
inline int screen_at(std::span<const Screen> screens, Place centre) {
  int best = -1;
  long long nearest = 0;
  for (int i = 0; i < static_cast<int>(screens.size()); ++i) {
    const Screen& s = screens[static_cast<std::size_t>(i)];
    const long long dx = std::max({s.x - centre.x, centre.x - (s.x + s.width - 1), 0});
    const long long dy = std::max({s.y - centre.y, centre.y - (s.y + s.height - 1), 0});
    const long long distance = dx * dx + dy * dy;
    if (best < 0 || distance < nearest) best = i, nearest = distance;
  }
  return best;
}

/// For a lecture: indices of screens, −1 for both if there are fewer than two.
struct TwoScreens {
  int slide = -1, lecturer = -1;
  bool operator==(const TwoScreens&) const = default;
};
/// Screen 0 is the desktop's primary one: the laptop's, not the projector. The slide stays on its screen if
/// that is not the primary one; otherwise it moves to the other screen, so that the notes never appear in
/// front of the class.
inline TwoScreens two_screens(int count, int slide_on) {
  if (count < 2) return {};
  return {std::max(slide_on, 1), 0};
}
/// Returns whether both show the same part of the desktop, so that each shows what is on the other.
inline bool mirrored(const Screen& a, const Screen& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

}  // namespace headlight::screen
