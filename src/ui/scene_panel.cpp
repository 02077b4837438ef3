#include "ui/scene_panel.h"

#include <algorithm>
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
constexpr int least_controls = 6;

}  // namespace

int controls_in_panel(const scene::Scene& scene) {
  const auto on_cards = page_info(scene.page).view.on_cards;
  int out = 0;
  scene::fields(scene, [&](const scene::Field& field, const auto&) {
    const bool elsewhere =
        std::find(on_cards.begin(), on_cards.end(), std::string_view(field.name)) != on_cards.end();
    out += !elsewhere && !scene::heading_of(field, scene).empty() ? 1 : 0;
  });
  return out;
}

void ScenePanel::follow(const scene::Scene& scene, float width) {
  const bool roomy = width >= third_column_from && controls_in_panel(scene) >= least_controls;
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
