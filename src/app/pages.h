// The pages, in the order of their tabs: what each is called, how it is drawn, and what it says.
#pragma once

#include <span>
#include <string>

#include "draw/canvas.h"
#include "kit/page_input.h"

namespace headlight::app {

class Session;

struct PageInfo {
  scene::Page page;
  const char* title;
  const char* about;  // one line, for the tab's tooltip and `headlight pages`
  float (*draw)(draw::Canvas& canvas, draw::Box area, const views::PageInput& in);
  std::string (*tooltip)(const views::PageInput& in, const draw::Hit& hit);  // empty: nothing to say
  std::string (*status)(const views::PageInput& in);                         // the pinned thing in words
};

std::span<const PageInfo> pages();
const PageInfo& page_info(scene::Page page);

/// What the open page is drawn of while nothing points at it. Refers to the session and the theme.
views::PageInput page_input(const Session& session, const draw::Theme& theme);

}  // namespace headlight::app
