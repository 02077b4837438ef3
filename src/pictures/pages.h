// The one array of the pages: what each computes, and how it is drawn.
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

/// In the order of the tabs: that of pages/list.h.
std::span<const PageInfo> pages();
const PageInfo& page_info(scene::Page page);

/// The colours that the scene asks for.
const draw::Theme& theme_of(const scene::Scene& scene);

/// What the open page is drawn of while nothing points at it. Refers to the session, or what it showed, and
/// the theme.
views::PageInput page_input(const Session& session, const draw::Theme& theme);
views::PageInput page_input(const Shown& shown, const draw::Theme& theme);

}  // namespace headlight::app
