// The palette (Ctrl+K): type a few letters of a page, a setting, a lesson or an action, and press Enter.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/palette_entries.h"
#include "screen/widgets.h"
#include "ui/choice_list.h"

namespace headlight::app {

class Palette {
 public:
  void open() { opening_ = true; }
  using Entries = std::function<std::vector<PaletteEntry>()>;
  /// Draws the card while it is open. Returns the chosen entry, once. `more` is listed after the pages; it is
  /// called once each time the palette opens, because it may read files; may be empty.
  std::optional<PaletteEntry> frame(screen::Ui& ui, const scene::Scene& scene, const Entries& more = {});

 private:
  void look(const scene::Scene& scene, const Entries& more);

  bool opening_ = false;
  std::string query_, looked_for_;
  bool stale_ = true;  // the scene may have changed since the entries were made
  int field_ = 0;      // counts the text fields: a filled one begins with its caret at the end
  std::vector<PaletteEntry> entries_;
  std::vector<PaletteEntry> shown_;
  ChoiceList list_;
};

}  // namespace headlight::app
