// How large was the window when it was closed, and what did it show that no scene holds: the list of lessons,
// a pinned panel of settings? A small file in the state folder. Tested in tests/app/desk_test.cpp and, with
// the window, in tests/app/window_test.cpp.
#pragma once

#include <filesystem>
#include <optional>

namespace headlight::app {

struct KeptWindow {
  int width = 1440, height = 900;  // units, as screen::WindowOptions has them
  bool lessons = false;            // the list of lessons was open
  std::optional<bool> settings;    // the panel of settings was pinned, open or closed
  bool operator==(const KeptWindow&) const = default;
};

/// Nothing where none is kept, or what is kept is no size of a window.
std::optional<KeptWindow> kept_window(const std::filesystem::path& folder);
/// Where it cannot be written, the window has its usual size at the next start. Without a size, as of a
/// window that is iconified, the one that was kept stays.
void keep_window(const std::filesystem::path& folder, KeptWindow window);

}  // namespace headlight::app
