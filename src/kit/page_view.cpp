#include "kit/page_view.h"

#include <algorithm>

namespace headlight::views {

namespace {

/// Is it one of the names, which blanks separate?
bool names(std::string_view all, std::string_view one) {
  while (!all.empty()) {
    const std::size_t end = std::min(all.find(' '), all.size());
    if (all.substr(0, end) == one) return true;
    all.remove_prefix(std::min(end + 1, all.size()));
  }
  return false;
}

}  // namespace

bool changes_one_of(const PageView& view, const scene::Scene& scene, std::string_view setting,
                    std::span<const std::string> cards) {
  bool listed = false;
  for (const SettingCards& one : view.acts_on) {
    if (one.setting != setting) continue;
    listed = true;
    if (one.when && !one.when(scene)) continue;
    if (std::any_of(cards.begin(), cards.end(),
                    [&](const std::string& card) { return names(one.cards, card); }))
      return true;
  }
  return !listed || cards.empty();
}

}  // namespace headlight::views
