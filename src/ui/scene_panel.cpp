#include "ui/scene_panel.h"

#include <utility>

#include "pages/page.h"
#include "ui/frame_layout.h"

namespace headlight::app {

void ScenePanel::follow(const scene::Scene& scene, float width) {
  const scene::PageRoom& room = scene::room_of(scene.page);
  if (scene.weights != weights_ && !pinned_) {
    // An open panel stays open: other weights are chosen in it.
    if (open_)
      asked_ = true;
    else
      asked_.reset();
  }
  weights_ = scene.weights;
  const bool free =
      scene.weights == scene::WeightsSource::random || room.uses(scene).model == scene::PageUses::Model::none;
  const bool by_itself = width >= always_open_from || (free && width >= third_column_from);
  open_ = room.chips[0] != nullptr && asked_.value_or(by_itself);
  if (!open_) shown_.clear(), by_chip_ = false;
}

void ScenePanel::show(const char* field) {
  const bool again = open_ && shown_ == field;
  asked_ = !again;
  by_chip_ = !again && (by_chip_ || !open_);
  shown_ = again ? "" : field;
  wanted_ = shown_;
}

bool ScenePanel::dismiss() {
  if (!closes()) return false;
  asked_ = false;
  by_chip_ = false;
  return true;
}

std::string ScenePanel::take_wanted() {
  return std::exchange(wanted_, {});
}

}  // namespace headlight::app
