// Everything around the page: the file that the scene belongs to, the palette, the cards for files and help,
// the comparison of before and after, the first hints. The shell tells it to draw, and passes actions to it.
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
  std::filesystem::path folder;        // for data that is kept between starts; empty: nothing is kept
  std::filesystem::path file;          // the file that the scene was opened from; empty: none
  std::function<void()> wake = [] {};  // called from other threads
};

class Desk {
 public:
  explicit Desk(Session& session, DeskStart start = {});
  ~Desk();

  /// True if the action was one of the desk's: files, lines, comparing, palette, help, reports, hints.
  bool perform(Action action, double now);
  /// More entries for the palette, requested each time it opens: lessons and everything else with a name;
  /// `chosen` gets PaletteEntry::other.
  std::function<std::vector<PaletteEntry>()> more_entries;
  std::function<void(const std::string& other)> chosen;

  /// What to install when no font has a character of these words; empty: none is missing.
  std::function<std::string(std::string_view words)> missing_font;

  /// Units above and below the page that the strips take now.
  float strip_above() const { return compare_.active() ? 44.f : 0.f; }
  /// True if the strip below warns about the sentence, and is not a hint for the page.
  bool warns() const { return !font_problem().empty() || tokens_unknown() > 0; }
  float strip_below() const { return warns() || hints_.shown(session_.scene()) ? 30.f : 0.f; }
  /// Each draws a panel of its own.
  void draw_above(screen::Ui& ui, draw::Box pixels, double now);
  void draw_below(screen::Ui& ui, draw::Box pixels, double now);
  /// Draws the open cards. Returns an action that was chosen in the palette and that is not the desk's.
  std::optional<Action> cards(screen::Ui& ui, double now);

  /// The place on the page that answers the chosen question; once.
  std::string take_place() { return std::exchange(place_, {}); }
  /// True if something that changes the scene was chosen in the palette, such as a page or a setting; once.
  bool take_chosen() { return std::exchange(chosen_, false); }

  Compare& compare() { return compare_; }
  Document& document() { return document_; }

 private:
  /// The number of tokens that the model does not distinguish, if there are so many that its picture says
  /// little and the user has not dismissed the warning; else 0.
  int tokens_unknown() const;
  /// What to install for the shown tokens; empty if nothing is missing or the user dismissed the note.
  const std::string& font_problem() const;
  void ask_to_open();
  void ask(const FileQuestion& question);
  void ask_to_save();
  void paste(double now);
  void apply(const PaletteEntry& entry, double now);

  Session& session_;
  Document document_;
  bool chosen_ = false;
  Palette palette_;
  std::string place_;
  FileCard files_;
  FileCard::Purpose requested_ = FileCard::Purpose::open;
  FileQuestion requested_for_;  // by the session
  HelpCard help_;
  Hints hints_;
  std::optional<std::string> unknown_kept_;  // the model whose warning was dismissed
  struct FontProblem {
    std::uint64_t version = 0;  // of the results that it is about
    std::string words, noted;   // the current note, and the dismissed one
  };
  mutable FontProblem font_;
  const bool tells_;  // a window, not a picture
  Compare compare_;
};

}  // namespace headlight::app
