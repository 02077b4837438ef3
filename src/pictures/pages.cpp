#include "pictures/pages.h"

#include "pages/quantities.h"
#include "session/session.h"

namespace headlight::app {

namespace {

#define ROW(name, word, ...) {scene::name##_room, views::name##_view},
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

views::PageInput page_input(const Shown& shown, const draw::Theme& theme) {
  return {.scene = shown.scene,
          .results = *shown.results,
          .cell = shown.cell.get(),
          .hover = nullptr,
          .theme = theme,
          .map_view = {},
          .measured = shown.measured,
          .training = shown.training,
          .numbers = scene::read_quantity};
}

}  // namespace headlight::app
