// The card below the chip “Model”: every available model, chosen by one click or Enter, with sentences worth
// trying. Tested in tests/app/model_picker_ui_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "screen/widgets.h"
#include "session/model_list.h"
#include "ui/choice_list.h"

namespace headlight::app {

class ModelPicker {
 public:
  /// The list is made here, once, because that lists folders. `below`: the chip, in pixels; nothing: the card
  /// is in the middle of the window.
  void open(std::vector<ModelChoice> choices, const scene::Scene& scene, std::optional<draw::Box> below);

  /// Draws the card while it is open. Returns the choice, once.
  std::optional<ModelChoice> frame(screen::Ui& ui, const scene::Scene& scene);

 private:
  bool opening_ = false;
  std::optional<draw::Box> below_;
  std::vector<ModelChoice> choices_;
  ChoiceList list_;
};

}  // namespace headlight::app
