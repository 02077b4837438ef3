// What lies around the page: the file the scene belongs to, the palette, the cards for files and help, the
// comparison of before and after, the first hints. The shell asks it to draw and hands it what is to be done.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/actions.h"
#include "app/compare.h"
#include "app/file_card.h"
#include "app/help_card.h"
#include "app/hints.h"
#include "app/palette.h"
#include "session/document.h"

namespace headlight::app {

struct DeskStart {
  std::filesystem::path folder;        // for what is kept between two starts; empty: nothing is
  std::filesystem::path file;          // that the scene was opened from; empty: none
  std::function<void()> wake = [] {};  // called from other threads
};

class Desk {
 public:
  explicit Desk(Session& session, DeskStart start = {});
  ~Desk();

  /// True when it was one of the desk's own: files, lines, comparing, palette, help, reports, hints.
  bool perform(Action action, double now);
  /// More for the palette, asked for each time it opens: lessons and whatever else has a name; `chosen` gets
  /// PaletteEntry::other.
  std::function<std::vector<PaletteEntry>()> more_entries;
  std::function<void(const std::string& other)> chosen;

  /// What to install where no font has a character of these words; empty: all is there.
  std::function<std::string(std::string_view words)> missing_font;

  /// Units above and below the page that the strips take now.
  float strip_above() const { return compare_.active() ? 44.f : 0.f; }
  /// What the strip below says is of the sentence, not a hint for the page.
  bool warns() const { return !font_problem().empty() || tokens_unknown() > 0; }
  float strip_below() const { return warns() || hints_.shown(session_.scene()) ? 30.f : 0.f; }
  /// Each in a panel of its own.
  void draw_above(screen::Ui& ui, draw::Box pixels, double now);
  void draw_below(screen::Ui& ui, draw::Box pixels, double now);
  /// The cards that are open. An action that the palette chose and that is not the desk's own is returned.
  std::optional<Action> cards(screen::Ui& ui, double now);

  /// The place on the page that answers the question that was chosen; once.
  std::string take_place() { return std::exchange(place_, {}); }
  /// Something of the scene was chosen in the palette: a page, say, or a setting; once.
  bool take_chosen() { return std::exchange(chosen_, false); }

  Compare& compare() { return compare_; }
  Document& document() { return document_; }

 private:
  /// Tokens that the model does not tell apart, where they are so many that its picture says little, until
  /// somebody keeps them; else 0.
  int tokens_unknown() const;
  /// What to install for the tokens that are shown, until somebody has taken note of it; else empty.
  const std::string& font_problem() const;
  void ask_to_open();
  /// `setting`: the one that takes the path of what is chosen; empty: it is dropped.
  void ask_to_drop(const char* title, const char* ending, const char* setting);
  void ask_to_save();
  void paste(double now);
  void apply(const PaletteEntry& entry, double now);

  Session& session_;
  Document document_;
  bool chosen_ = false;
  Palette palette_;
  std::string place_;
  FileCard files_;
  FileCard::Purpose asked_ = FileCard::Purpose::open;
  std::string asked_setting_;
  HelpCard help_;
  Hints hints_;
  std::optional<std::string> unknown_kept_;  // the model of which that is not said any more
  struct FontProblem {
    std::uint64_t version = 0;  // of the results it is about
    std::string words, noted;   // what is said now, and what need not be said again
  };
  mutable FontProblem font_;
  const bool tells_;  // a window, not a picture
  Compare compare_;
};

}  // namespace headlight::app
