// The sizes of what is below a page that is cut into screens.
#pragma once

namespace headlight::app {

inline constexpr float pause_width = 76, pause_margin = 16;  // of the button beside the tabs
inline constexpr float around_tabs = 8;                      // above and below them together

}  // namespace headlight::app
