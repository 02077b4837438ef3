// What is asked before the program ends while a file is being written, and what is told once it is there: an
// animation takes minutes, and the user looks at another page meanwhile. Tested in
// tests/app/export_stop_test.cpp, and in the real window in tests/app/export_window_test.cpp.
#pragma once

#include "app/export_card.h"
#include "screen/widgets.h"

namespace headlight::app {

class QuitQuestion {
 public:
  /// Asks in the next frame().
  void ask() { opening_ = true; }
  /// Draws the question while it is open; it closes when nothing is being written any more. True: the
  /// program is to end now.
  bool frame(screen::Ui& ui, const ExportCard& exporter);

 private:
  bool opening_ = false;
};

/// Draws the note that an animation is written, or why not, at the foot of `page` (pixels) until it is
/// dismissed. False: there is nothing to tell.
bool ended_note(screen::Ui& ui, ExportCard& exporter, draw::Box page);

}  // namespace headlight::app
