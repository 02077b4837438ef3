#include "app/pages.h"

#include "app/session.h"
#include "pages/quantities.h"

namespace headlight::app {

namespace {

#define ROW(name, folder) {scene::folder##_room, views::folder##_view},
constexpr PageInfo all_pages[] = {HEADLIGHT_PAGES(ROW)};
#undef ROW

}  // namespace

std::span<const PageInfo> pages() {
  return all_pages;
}

const PageInfo& page_info(scene::Page page) {
  return all_pages[static_cast<int>(page)];
}

const draw::Theme& theme_of(const scene::Scene& scene) {
  return draw::theme(scene.theme == scene::ThemeName::dark, static_cast<draw::Ramp>(scene.ramp));
}

views::PageInput page_input(const Session& session, const draw::Theme& theme) {
  return {.scene = session.scene(),
          .results = session.results(),
          .cell = session.cell(),
          .hover = nullptr,
          .theme = theme,
          .map_view = {},
          .measured = session.timing().latest(),
          .training = session.training().latest(),
          .numbers = scene::read_quantity};
}

}  // namespace headlight::app
