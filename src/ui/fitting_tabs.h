// Which tabs of a row are shown when not all of them fit: their order never changes, and the first ones stay.
// Tested in tests/app/page_screens_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headlight::app {

/// Returns the tabs that fit into `room`, in their order: all of them, or the first ones beside `more`, the
/// width of the button with the others. The open one takes the place of the last of them where needed.
inline std::vector<std::size_t> fitting_tabs(std::span<const float> widths, std::size_t open, float room,
                                             float more) {
  float total = 0;
  for (const float width : widths) total += width;
  std::vector<std::size_t> shown;
  const bool all = total <= room;
  float used = all ? 0 : more;
  for (std::size_t i = 0; i < widths.size() && (all || used + widths[i] <= room); ++i)
    used += widths[i], shown.push_back(i);
  if (open >= widths.size() || (!shown.empty() && shown.back() >= open)) return shown;
  while (!shown.empty() && used + widths[open] > room) used -= widths[shown.back()], shown.pop_back();
  shown.push_back(open);
  return shown;
}

}  // namespace headlight::app
