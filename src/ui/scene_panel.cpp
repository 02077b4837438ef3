#include "ui/scene_panel.h"

#include <string_view>
#include <utility>

#include "pages/controls.h"
#include "pages/page.h"
#include "pictures/pages.h"
#include "scene/settings.h"

namespace headlight::app {

namespace {

/// Fewer controls are no reason to take a whole column from the page: their chips open the panel.
constexpr std::size_t least_controls = 4;
/// A page of sliders: beside its panel, the picture still has more than half of the window.
constexpr float early_from = 1280;

}  // namespace

std::string_view card_with_control(const scene::Scene& scene, std::string_view setting) {
  for (const views::CardControl& one : page_info(scene.page).view.on_cards) {
    if (one.setting == setting) return one.card;
  }
  return {};
}

std::string_view card_on_view(const scene::Scene& scene, std::string_view setting, bool column) {
  const views::PageView& view = page_info(scene.page).view;
  const std::string_view card = card_with_control(scene, setting);
  const bool in_column = view.column && card != view.tabs.front().card;  // the first one is the picture
  return column || !in_column ? card : std::string_view();
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
  const scene::PageRoom& room = scene::room_of(scene.page);
  const bool same_page = page_ == scene.page;
  stays_ = open_ && same_page && width >= early_from && (stays_ || scene.weights != weights_);
  weights_ = scene.weights, page_ = scene.page;
  const bool sliders = page_info(scene.page).view.sliders;
  const bool free = sliders || (scene.weights == scene::WeightsSource::random &&
                                room.uses(scene).model != scene::PageUses::Model::none);
  beside_ =
      width >= third_column_always_from || (width >= third_column_from && (free || (stays_ && beside_)));
  const bool early = sliders && width >= early_from;
  const bool roomy = (beside_ || early) && settings_in_panel(scene).size() >= least_controls;
  open_ = room.chips[0] != nullptr && requested_.value_or(roomy || stays_);
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
