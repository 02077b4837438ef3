// How large was the window when it was closed, and what did it show that is not part of a scene: the list of
// lessons or a lesson, the settings panel, the last page of each group, the tab of each page, the part of a
// map? A small file in the state folder: the first line has the size, each later line one more thing. Tested
// in tests/app/kept_window_test.cpp and, with the window, in tests/app/window_test.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/export_choices.h"
#include "session/lesson_player.h"
#include "ui/kept_view.h"

namespace headlight::app {

struct KeptWindow {
  int width = 1440, height = 900;   // units, as in screen::WindowOptions
  bool lessons = false;             // the list of lessons was open, or the lesson was chosen in it
  std::optional<bool> settings;     // the panel of settings was pinned, open or closed
  std::optional<bool> by_hand;      // the panel was opened or closed without a pin
  std::string lesson;               // the lesson that was played: its name, number or file; empty: none
  int step = 0;                     // of it, from 0
  std::vector<scene::Page> pages;   // of groups: the page of each that was open last
  KeptView view;                    // of the pages
  std::vector<StepAnswer> answers;  // in the steps of the lesson, from step 0
  ExportChoices exported;           // on the Export card
  bool operator==(const KeptWindow&) const = default;
};

/// Nothing if there is no file, or its size is not valid for a window.
std::optional<KeptWindow> kept_window(const std::filesystem::path& folder);
/// Saves the window's state; if that fails, the window has its default size at the next start. Without a
/// size, such as that of an iconified window, the saved size remains.
void keep_window(const std::filesystem::path& folder, KeptWindow window);

}  // namespace headlight::app
