#include <string_view>
#include <type_traits>

#include "base/words.h"
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

std::vector<std::string> chosen_beyond(const Scene& scene) {
  std::vector<std::string> out;
  const PageRoom& room = room_of(scene.page);
  if (!room.chooses) return out;
  for (const ChosenOf& one : room.chooses(scene)) {
    const Setting* const setting = find_setting(one.setting);
    const int last = one.first + one.count - 1;
    if (!setting || one.count <= 0) continue;
    std::vector<int> asked;
    setting->visit(scene, [&](const auto& value) {
      using Value = std::remove_cvref_t<decltype(value)>;
      if constexpr (std::is_same_v<Value, int>) asked = {value};
      if constexpr (std::is_same_v<Value, IndexList>) asked = value;
    });
    std::string beyond;
    int count = 0;
    for (const int number : asked) {
      if (number > last) beyond += (count++ == 0 ? "" : ", ") + std::to_string(number);
    }
    if (beyond.empty()) continue;
    out.push_back(std::string(one.setting) + " " + beyond + ": there " + (one.count == 1 ? "is " : "are ") +
                  base::counted(one.count, one.noun) +
                  (one.count > 1 ? ", " + std::to_string(one.first) + " to " + std::to_string(last) : "") +
                  (setting->type == Setting::Type::list
                       ? (count == 1 ? "; it is left out" : "; they are left out")
                       : "; " + std::to_string(last) + " is in its place"));
  }
  return out;
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
