// Where on the screen is the widget called "settings/heads"? Widgets report to the recorder while a script or
// a test drives the program (pilot.h); without a recorder this costs one null check.
#pragma once

#include <imgui.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::screen {

struct Recorder {
  struct Item {
    ImVec2 from, to;            // pixels
    ImVec2 clip_from, clip_to;  // the visible part of the widget's window
    int frame = -1;             // when it was last drawn
  };
  std::map<std::string, Item, std::less<>> items;  // by path, "settings/heads"
  std::vector<std::string> scope;
  std::string scroll_to;  // the item that must scroll itself into view

  std::string path(std::string_view name) const;
  void add(std::string_view name, ImVec2 from, ImVec2 to, ImVec2 clip_from, ImVec2 clip_to);
  /// Records an item in the current ImGui window; scrolls to it if requested.
  void add(std::string_view name, ImVec2 from, ImVec2 to);
};

}  // namespace headlight::screen
