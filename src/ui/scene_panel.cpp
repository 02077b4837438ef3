#include "ui/scene_panel.h"

#include <string_view>
#include <utility>

#include "pages/controls.h"
#include "pages/page.h"
#include "pictures/pages.h"
#include "scene/settings.h"
#include "ui/frame_layout.h"

namespace headlight::app {

namespace {

/// Fewer controls are no reason to take a whole column from the page: their chips open the panel.
constexpr std::size_t least_controls = 6;

}  // namespace

std::string_view card_with_control(const scene::Scene& scene, std::string_view setting) {
  for (const views::CardControl& one : page_info(scene.page).view.on_cards) {
    if (one.setting == setting) return one.card;
  }
  return {};
}

std::vector<const char*> settings_in_panel(const scene::Scene& scene) {
  std::vector<const char*> out;
  scene::fields(scene, [&](const scene::Field& field, const auto&) {
    if (card_with_control(scene, field.name).empty() && !scene::heading_of(field, scene).empty())
      out.push_back(field.name);
  });
  return out;
}

void ScenePanel::follow(const scene::Scene& scene, float width) {
  const bool roomy = width >= third_column_from && settings_in_panel(scene).size() >= least_controls;
  open_ = scene::room_of(scene.page).chips[0] != nullptr && requested_.value_or(roomy);
  if (!open_) shown_.clear(), by_chip_ = false;
}

void ScenePanel::show(const char* field) {
  const bool again = open_ && shown_ == field;
  requested_ = !again;
  by_chip_ = !again && (by_chip_ || !open_);
  shown_ = again ? "" : field;
  wanted_ = shown_;
}

bool ScenePanel::dismiss() {
  if (!closes()) return false;
  requested_ = false;
  by_chip_ = false;
  return true;
}

std::string ScenePanel::take_wanted() {
  return std::exchange(wanted_, {});
}

}  // namespace headlight::app
