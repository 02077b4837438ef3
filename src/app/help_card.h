// The card of F1: the keys, and the mathematics of the open page's panels.
#pragma once

#include "scene/scene.h"
#include "screen/widgets.h"

namespace headlight::app {

class HelpCard {
 public:
  void open() { opening_ = true; }
  /// Draws the card while it is open.
  void frame(screen::Ui& ui, scene::Page page);

 private:
  bool opening_ = false;
  int part_ = 0;  // 0: keys, 1: mathematics
  int page_ = 0;
};

}  // namespace headlight::app
