// How large was the window when it was closed? A small file in the state folder. Tested in
// tests/app/desk_test.cpp and, with the window, in tests/app/window_test.cpp.
#pragma once

#include <filesystem>
#include <optional>

namespace headlight::app {

struct WindowSize {
  int width = 0, height = 0;  // units, as screen::WindowOptions has them
  bool operator==(const WindowSize&) const = default;
};

/// Nothing where none is kept, or what is kept is no size of a window.
std::optional<WindowSize> kept_window_size(const std::filesystem::path& folder);
/// Where it cannot be written, the window has its usual size at the next start.
void keep_window_size(const std::filesystem::path& folder, WindowSize size);

}  // namespace headlight::app
