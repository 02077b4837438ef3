#include "session/field_words.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "pages/page.h"
#include "scene/settings.h"
#include "scene/undo.h"

namespace headlight::app {

std::string field_words(const scene::Field& field) {
  const auto page = scene::own_page(field);
  return page ? std::string(field.label) + " (" + scene::room_of(*page).title + ")"
              : std::string(field.label);
}

std::string changed_words(const scene::Scene& a, const scene::Scene& b) {
  const std::string names = "," + scene::difference(a, b) + ",";
  std::string words;
  int count = 0;
  for (const scene::Setting& one : scene::settings()) {
    const scene::Field& field = one.field;
    if (names.find("," + std::string(field.name) + ",") == std::string::npos) continue;
    words += (words.empty() ? "" : ", ") + field_words(field);
    ++count;
  }
  return count > 3 ? std::to_string(count) + " settings" : words;
}

}  // namespace headlight::app
