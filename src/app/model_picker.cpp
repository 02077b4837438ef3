#include "app/model_picker.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

namespace headlight::app {

namespace {

constexpr float model_list_width = 760, row = 34, around = 150;  // units
constexpr const char* model_list_popup = "models";

/// A sentence is indented below its model.
std::string title_of(const ModelChoice& choice) {
  return choice.sentence ? "      “" + choice.title + "”" : choice.title;
}

}  // namespace

void ModelPicker::open(std::vector<ModelChoice> choices, const scene::Scene& scene,
                       std::optional<draw::Box> below) {
  choices_ = std::move(choices);
  below_ = below;
  opening_ = true;
  int selected = 0;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    if (!choices_[i].sentence && in_use(choices_[i], scene)) selected = static_cast<int>(i);
  }
  list_.select(selected);
}

std::optional<ModelChoice> ModelPicker::frame(screen::Ui& ui, const scene::Scene& scene) {
  const bool opened = std::exchange(opening_, false);
  if (opened) ui.open_popup(model_list_popup);
  // Beside the window's edge, wherever the chip is.
  if (below_) below_->x = std::max(below_->x, ui.px(model_list_width) - below_->w + ui.px(16));
  if (!ui.begin_popup(model_list_popup, below_ ? &*below_ : nullptr, model_list_width)) return std::nullopt;
  std::optional<ModelChoice> chosen;
  ui.label("Model", 18, draw::Font::semibold);
  ui.gap(4);
  std::vector<Choice> rows;
  for (const ModelChoice& choice : choices_) {
    const bool on = in_use(choice, scene);
    rows.push_back({.title = title_of(choice),
                    .detail = choice.detail,
                    .right = (on ? "✓ " : "") + choice.where + (on && choice.where.empty() ? "in use" : "")});
  }
  const float height = list_room(ui, row * static_cast<float>(rows.size()), around);
  int taken = list_.frame(ui, "list", rows, height);
  const bool enter = ui.input.pressed(screen::Key::enter) || ui.input.pressed(screen::Key::keypad_enter);
  if (enter && !opened && taken < 0) taken = list_.selected();
  if (taken >= 0 && taken < static_cast<int>(choices_.size())) {
    chosen = choices_[static_cast<std::size_t>(taken)];
    ui.focus.clear();
    ui.close_popup();
  }
  ui.end_popup();
  return chosen;
}

}  // namespace headlight::app
