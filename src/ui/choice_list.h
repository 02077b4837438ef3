// A list of rows to choose from by arrows or pointer, beneath a text field that keeps the keyboard.
#pragma once

#include <span>
#include <string>

#include "screen/widgets.h"

namespace headlight::app {

struct Choice {
  std::string title;
  std::string detail;    // quieter, behind the title
  std::string right;     // at the right end
  bool problem = false;  // it says what is wrong and cannot be taken
};

/// How high a list of `wished` units may be so that a card that needs `rest` units beside it is seen whole.
float list_room(const screen::Ui& ui, float wished, float rest);

class ChoiceList {
 public:
  /// −1: none.
  void select(int row) {
    selected_ = row;
    moved_ = true;
  }
  int selected() const { return selected_; }

  /// In the rest of the line, `height` units high. Up, Down, PageUp and PageDown move the selection. The row
  /// that was clicked, else −1; scripts find a row as "NAME/TITLE".
  int frame(screen::Ui& ui, const char* name, std::span<const Choice> rows, float height);

 private:
  void keys(const screen::Ui& ui, int count, int page);

  int selected_ = 0;
  bool moved_ = true;  // the selected row is to be scrolled into view
};

}  // namespace headlight::app
