// What does a window show of its pages that is not part of a scene? The tab of each page that is higher than
// the window, how far the open one is scrolled, and the part of the large map. PageArea returns it and shows
// it again; app/kept_window.h has it from one start to the next. Tested in tests/app/page_screens_test.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "draw/geometry.h"
#include "scene/scene.h"

namespace headlight::app {

struct KeptView {
  std::map<scene::Page, std::string> tabs;   // a card of the tab that is open; none: the first tab
  draw::Box map;                             // the part that is shown, in cells; without a width: all of it
  int queries = 0, keys = 0;                 // of the map that the part belongs to
  bool turned = false;                       // queries run across
  float scroll = 0;                          // the line at the top of the open page, in its units
  std::optional<scene::Page> scrolled = {};  // that page; none: the page that is open at the next start
  bool operator==(const KeptView& other) const {
    const auto same = [](const draw::Box& a, const draw::Box& b) {
      return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
    };
    return tabs == other.tabs && same(map, other.map) && queries == other.queries && keys == other.keys &&
           turned == other.turned && scroll == other.scroll;
  }
};

}  // namespace headlight::app
