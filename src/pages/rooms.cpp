#include <algorithm>
#include <string_view>
#include <type_traits>

#include "pages/page.h"
#include "scene/setting.h"
#include "scene/settings.h"

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

std::vector<std::string> chosen_beyond(const Scene& scene, const Results* results,
                                       std::span<const std::string> assigned) {
  static const Scene usual;
  std::vector<std::string> out;
  const PageRoom& room = room_of(scene.page);
  if (!room.chooses) return out;
  for (const ChosenOf& one : room.chooses(scene, results)) {
    const Setting* const setting = find_setting(one.setting);
    const int last = one.first + one.count - 1;
    if (!setting || one.count <= 0) continue;
    if (setting->same(scene, usual) &&
        std::find(assigned.begin(), assigned.end(), one.setting) == assigned.end())
      continue;
    std::vector<int> asked;
    setting->visit(scene, [&](const auto& value) {
      using Value = std::remove_cvref_t<decltype(value)>;
      if constexpr (std::is_same_v<Value, int>) asked = {value};
      if constexpr (std::is_same_v<Value, IndexList>) asked = value;
    });
    std::string beyond;
    int count = 0, nearest = last;
    for (const int number : asked) {
      if (number >= one.first && number <= last) continue;
      if (number < one.first && setting->same(scene, usual)) continue;  // it stands for none
      beyond += (count++ == 0 ? "" : ", ") + number_text(number);
      nearest = number > last ? last : one.first;
    }
    if (beyond.empty()) continue;
    out.push_back(
        std::string(one.setting) + " " + beyond + ": " + what_exists(one.first, one.count, one.noun) +
        (setting->type == Setting::Type::list ? (count == 1 ? "; it is left out" : "; they are left out")
                                              : "; " + std::to_string(nearest) + " is in its place"));
  }
  return out;
}

std::vector<std::string> found_beyond(const Results& results) {
  std::vector<std::string> all = chosen_beyond(results.scene, &results);
  const std::vector<std::string> known = chosen_beyond(results.scene);
  std::erase_if(all, [&](const std::string& line) {
    return std::find(known.begin(), known.end(), line) != known.end();
  });
  return all;
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
