#include "app/field_words.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "app/pages.h"
#include "scene/undo.h"

namespace headlight::app {

std::optional<scene::Page> own_page(const scene::Field& field) {
  using scene::Group;
  switch (field.group) {
    case Group::encoding:
    case Group::motion:
      return scene::Page::position;
    case Group::shown:
      return scene::Page::attention;
    case Group::model:
    case Group::position:
    case Group::scores:
    case Group::interface:
      return std::nullopt;
    default:
      break;
  }
  // A page's own settings bear its name.
  const std::string_view name = field.name;
  for (const PageInfo& info : pages()) {
    const std::string_view page = word(info.page);
    if (name.size() > page.size() && name.substr(0, page.size()) == page && name[page.size()] == '_')
      return info.page;
  }
  return std::nullopt;
}

std::string field_words(const scene::Field& field) {
  const auto page = own_page(field);
  return page ? std::string(field.label) + " (" + page_info(*page).title + ")" : std::string(field.label);
}

std::string changed_words(const scene::Scene& a, const scene::Scene& b) {
  const std::string names = "," + scene::difference(a, b) + ",";
  std::string words;
  int count = 0;
  scene::fields(a, [&](const scene::Field& field, const auto&) {
    if (names.find("," + std::string(field.name) + ",") == std::string::npos) return;
    words += (words.empty() ? "" : ", ") + field_words(field);
    ++count;
  });
  return count > 3 ? std::to_string(count) + " settings" : words;
}

}  // namespace headlight::app
