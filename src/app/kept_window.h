// How large was the window when it was closed, and what did it show that is not part of a scene: the list of
// lessons, a pinned settings panel? A small file in the state folder. Tested in tests/app/desk_test.cpp and,
// with the window, in tests/app/window_test.cpp.
#pragma once

#include <filesystem>
#include <optional>

namespace headlight::app {

struct KeptWindow {
  int width = 1440, height = 900;  // units, as in screen::WindowOptions
  bool lessons = false;            // the list of lessons was open
  std::optional<bool> settings;    // the panel of settings was pinned, open or closed
  bool operator==(const KeptWindow&) const = default;
};

/// Nothing if there is no file, or its size is not valid for a window.
std::optional<KeptWindow> kept_window(const std::filesystem::path& folder);
/// Saves the window's state; if that fails, the window has its default size at the next start. Without a
/// size, such as that of an iconified window, the saved size remains.
void keep_window(const std::filesystem::path& folder, KeptWindow window);

}  // namespace headlight::app
