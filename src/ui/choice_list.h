// A list of rows to choose from with arrows or the pointer, below a text field that keeps the keyboard.
#pragma once

#include <span>
#include <string>

#include "screen/widgets.h"

namespace headlight::app {

struct Choice {
  std::string title;
  std::string detail;    // dimmer, after the title
  std::string right;     // at the right end
  bool problem = false;  // the row reports a problem and cannot be chosen
};

/// The height of a list that would like `requested` units, so that a card with `rest` other units is
/// completely visible.
float list_room(const screen::Ui& ui, float requested, float rest);

class ChoiceList {
 public:
  /// −1: no row.
  void select(int row) {
    selected_ = row;
    moved_ = true;
  }
  int selected() const { return selected_; }

  /// Draws the list in the rest of the line, `height` units high. Up, Down, PageUp and PageDown move the
  /// selection. Returns the row that was clicked, else −1; scripts find a row as "NAME/TITLE".
  int frame(screen::Ui& ui, const char* name, std::span<const Choice> rows, float height);

 private:
  void keys(const screen::Ui& ui, int count, int page);

  int selected_ = 0;
  bool moved_ = true;  // the selected row must be scrolled into view
};

}  // namespace headlight::app
