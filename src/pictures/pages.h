// The array of all pages: what each computes, and how it is drawn.
#pragma once

#include <span>

#include "kit/page_view.h"
#include "pages/page.h"

namespace headlight::app {

class Session;
struct Shown;

struct PageInfo {
  const scene::PageRoom& room;
  const views::PageView& view;
  scene::Page page() const { return room.page; }
};

/// Returns the pages in the order of the tabs, which is that of pages/list.h.
std::span<const PageInfo> pages();
const PageInfo& page_info(scene::Page page);

/// Returns the scene's theme.
const draw::Theme& theme_of(const scene::Scene& scene);

/// Returns the input of the open page while the pointer is elsewhere. It refers to the session, or to what it
/// showed, and to the theme.
views::PageInput page_input(const Session& session, const draw::Theme& theme);
views::PageInput page_input(const Shown& shown, const draw::Theme& theme);

}  // namespace headlight::app
