// The card that exports: the page or one card of it, as a picture, as the numbers behind it or, if something
// moves, as an animation, into a file or onto the clipboard. An existing file is never replaced: the new one
// is numbered. Exports that take longer are made in the background; the card may be closed meanwhile. Tested
// in tests/app/export_card_test.cpp, and in the real window in tests/app/export_window_test.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "app/export_choices.h"
#include "app/export_preview.h"
#include "base/result.h"
#include "pages/page_that.h"
#include "pictures/page_figure.h"
#include "screen/widgets.h"
#include "session/file_job.h"
#include "session/session.h"
#include "ui/page_area.h"

namespace headlight::app {

class ExportCard {
 public:
  /// `wake` is called from another thread while an export is made. `textures` outlives this.
  explicit ExportCard(
      screen::Textures& textures, std::function<void()> wake = [] {})
      : film_(wake), still_(wake), preview_(textures, std::move(wake)) {}

  /// Opens with the last clicked card, if it is on this page.
  void open() { opening_ = true; }
  /// Draws the card while it is open. `page` is the page on screen.
  void frame(screen::Ui& ui, Session& session, const PageArea& page, double now);

  /// All choices but the path and the card, which follow the page; choices that do not exist stay as they
  /// are.
  ExportChoices chosen() const {
    return {format_, scale_, width_, frames_, fps_, light_, transparent_, parts_};
  }
  void bring_back(const ExportChoices& choices);

  /// Puts the bytes of a PNG onto the clipboard; empty: there is no window.
  std::function<base::Status(std::string png)> copy_picture;
  /// The default folder of files; empty: Documents, or the home folder.
  std::filesystem::path folder;
  /// The file that is being written; `what` is empty: none is.
  struct Writing {
    std::string what;  // "An animation"
    float fraction = 0;
  };
  Writing writing() const;
  /// How the last animation ended that was not stopped by its button, or the last other file whose end was to
  /// be told, until it is dismissed.
  struct Ended {
    std::string what;           // "The animation"
    std::string path, problem;  // of the file, or of its first and last one; why there is none
  };
  /// The end of the file that is being written is told as that of an animation is.
  void tell_end() { tells_end_ = still_.job.running() && to_ == To::file; }
  const std::optional<Ended>& ended() const { return ended_; }
  void dismiss_ended() { ended_.reset(); }

  /// For scripts and tests: waits until nothing is being made.
  void wait() const { film_.job.wait(), still_.job.wait(), preview_.wait(); }
  const ExportPreview& preview() const { return preview_; }

  /// "85 × 71 mm": the size of the picture as the card shows it; empty while the picture cannot be made.
  const std::string& size_in_words() const {
    static const std::string none;
    return size_ ? *size_ : none;
  }

 private:
  using Choices =
      std::tuple<scene::Page, int, int, int, int, int, int, bool, bool, std::string, draw::FigureParts>;
  struct Made {
    explicit Made(std::function<void()> wake) : job(std::move(wake)) {}
    FileJob job;
    std::optional<Choices> begun = {};  // the choices of the last export since the card opened
    bool stopped = false;               // by its button
  };

  void choose(screen::Ui& ui);
  void picture_options(screen::Ui& ui);
  void motion_options(screen::Ui& ui);
  float tallest_options(bool animations) const;  // pixels
  void contents(screen::Ui& ui, const Session& session, float bottom) const;
  void remarks(screen::Ui& ui, Session& session, const PageArea& page);
  /// Everything that the size of a picture depends on; laying out a page is too slow for every frame.
  using SizeFor =
      std::tuple<scene::Page, int, int, int, int, bool, draw::FigureParts, std::uint64_t, float, float>;
  const base::Result<std::string>& size_line(Session& session, const PageArea& page);
  void preview(screen::Ui& ui, Session& session, const PageArea& page, float height);
  void buttons(screen::Ui& ui, Session& session, const PageArea& page, bool submitted);
  void suggest(scene::Page page);
  FigureRequest request(const PageArea& page) const;
  /// `within`: as many pixels as fit into a box of this size, for the preview; else the chosen size.
  FileJob::Make picture(FigureFormat format, const std::filesystem::path& path, Session& session,
                        const PageArea& page, draw::Point within = {}) const;
  FileJob::Make numbers(const std::filesystem::path& path, Session& session) const;
  FileJob::Make animation(const std::filesystem::path& path, Session& session, const PageArea& page) const;
  enum class To { file, picture_clipboard, text_clipboard };
  void make(To to, const std::filesystem::path& path, Session& session, const PageArea& page);
  std::filesystem::path free(const std::filesystem::path& path) const;
  base::Status finish(const MadeFile& made, To to, Session& session, double now);
  /// Handles reports of the background jobs.
  void follow(Session& session, screen::Ui& ui, bool open, double now);
  static void stop(Made& made);
  void take(Made& made, To to, Session& session, screen::Ui& ui, bool open, double now);
  /// All choices; a choice that differs from those of the current export prepares another export.
  Choices choices() const {
    return {page_, chosen_, format_, scale_, width_, frames_, fps_, light_, transparent_, path_, parts_};
  }
  bool is_picture() const { return format_ < 3; }
  bool shares() const;
  /// True for a still picture of one card, parts of which can be omitted.
  bool has_parts() const { return is_picture() && chosen_ > 0 && !shares(); }
  bool has_cells() const { return panels_[static_cast<std::size_t>(chosen_)].spare.has_value(); }
  /// The parts that the picture shows besides its data.
  draw::FigureParts parts() const;
  void part_options(screen::Ui& ui);
  bool moves() const { return format_ >= 7; }
  bool is_sequence() const { return format_ == 8; }
  const std::string& panel() const { return panels_[static_cast<std::size_t>(chosen_)].name; }

  bool opening_ = false;
  scene::Page page_ = scene::default_page;
  std::vector<figure::Panel> panels_;  // the first one, without a name, is the whole page
  int chosen_ = 0;
  int format_ = 0;            // an index into the endings
  int scale_ = 1;             // index of 1×, 2×, 3×, 4×
  int width_ = 0;             // index of the choices: as on screen, a column, a page
  int frames_ = 1, fps_ = 2;  // indices of their choices
  float choice_height_ = 0, toggle_height_ = 0, part_height_ = 0, remark_height_ = 0;  // pixels, as drawn
  int reported_ = -1;       // percent of an animation that the status line shows
  To to_ = To::file;        // the target of a picture or numbers
  bool tells_end_ = false;  // of such a file, which usually takes a moment
  bool light_ = true, transparent_ = false;
  draw::FigureParts parts_;  // of one card
  std::string path_, suggested_, problem_;
  std::optional<SizeFor> size_for_;
  base::Result<std::string> size_ = std::string();
  std::optional<Ended> ended_;
  Made film_, still_;  // an animation; a picture or numbers, which do not wait for it
  ExportPreview preview_;
};

/// `path`, or the first of name-2, name-3, … for which none of the `count` numbered files exists.
std::filesystem::path free_sequence(const std::filesystem::path& path, int count);

}  // namespace headlight::app
