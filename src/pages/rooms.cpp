#include <string_view>

#include "pages/page.h"
#include "scene/setting.h"

namespace headlight::scene {

namespace {

#define ADDRESS(name, word, ...) &name##_room,
constexpr const PageRoom* all[] = {HEADLIGHT_PAGES(ADDRESS)};
#undef ADDRESS

}  // namespace

std::span<const PageRoom* const> rooms() {
  return all;
}

const PageRoom& room_of(Page page) {
  return *all[static_cast<int>(page)];
}

std::optional<Page> own_page(const Field& field) {
  if (field.group == Group::encoding || field.group == Group::motion) return Page::position;
  if (field.group == Group::shown) return Page::attention;
  const bool shared = field.group == Group::model || field.group == Group::position ||
                      field.group == Group::scores || field.group == Group::interface;
  if (shared) return std::nullopt;
  const std::string_view name = field.name;
  for (const PageRoom* room : all) {
    const std::string_view page = word(room->page);
    if (name.size() > page.size() && name.starts_with(page) && name[page.size()] == '_') return room->page;
  }
  return std::nullopt;
}

}  // namespace headlight::scene
