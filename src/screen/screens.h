// On which monitor is a window? The one that holds its centre; when none does, the nearest. Sizes and places
// are the desktop's own. Tested in tests/screen/pacer_test.cpp.
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

}  // namespace headlight::screen
