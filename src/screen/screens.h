// On which monitor is a window? The one that holds its centre; when none does, the nearest. And which of
// several does each of two windows take? Sizes and places are the desktop's own. Tested in
// tests/screen/pacer_test.cpp.
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

/// Index of the screen for a window with this centre; of two at the same distance the first. −1: no screens.
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

/// For a lecture: indices of screens, −1 for both when there are fewer than two.
struct TwoScreens {
  int slide = -1, lecturer = -1;
  bool operator==(const TwoScreens&) const = default;
};
/// Screen 0 is the one that the desktop calls the primary one: that of the laptop, not the projector. The
/// slide stays where it is when it is on another one than that; else it goes to the other, so that the notes
/// never appear before the class.
inline TwoScreens two_screens(int count, int slide_on) {
  if (count < 2) return {};
  return {std::max(slide_on, 1), 0};
}
/// Do both show the same part of the desktop? What is on one is on the other then.
inline bool mirrored(const Screen& a, const Screen& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

}  // namespace headlight::screen
