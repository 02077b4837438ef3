#include <optional>
#include <string_view>
#include <unordered_map>

#include "pages/page.h"
#include "pages/page_that.h"
#include "scene/setting.h"

namespace headlight::scene {

namespace {

#define ADDRESS(name, word, ...) &name##_room,
constexpr const PageRoom* all[] = {HEADLIGHT_PAGES(ADDRESS)};
#undef ADDRESS

/// Returns the page whose word begins the name of a setting, as in cost_tokens.
std::optional<Page> named_page(std::string_view name) {
  for (const PageRoom* room : all) {
    const std::string_view page = word(room->page);
    if (name.size() > page.size() && name.starts_with(page) && name[page.size()] == '_') return room->page;
  }
  return std::nullopt;
}

}  // namespace

std::span<const PageRoom* const> rooms() {
  return all;
}

const PageRoom& room_of(Page page) {
  return *all[static_cast<int>(page)];
}

Page page_that(bool PageUses::*use, const Scene& scene) {
  for (const PageRoom* room : all)
    if (room->uses(scene).*use) return room->page;
  return default_page;
}

std::optional<Page> own_page(const Field& field) {
  if (field.group == Group::encoding || field.group == Group::motion) return Page::position;
  if (field.group == Group::shown) return Page::attention;
  const bool shared = field.group == Group::model || field.group == Group::position ||
                      field.group == Group::scores || field.group == Group::interface;
  if (shared) return std::nullopt;
  // The panel asks for all settings in every frame, so names are compared once.
  static const std::unordered_map<const char*, std::optional<Page>> known = [] {
    std::unordered_map<const char*, std::optional<Page>> out;
    for (const Setting& setting : settings()) out[setting.field.name] = named_page(setting.field.name);
    return out;
  }();
  const auto found = known.find(field.name);
  return found != known.end() ? found->second : named_page(field.name);
}

}  // namespace headlight::scene
