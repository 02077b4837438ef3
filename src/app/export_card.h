// The card that exports: the page or one card of it, as a picture, as the numbers behind it, or, where
// something moves, as an animation, into a file or onto the clipboard. A file that is there is never
// replaced: the new one is numbered. An animation is made in the background; the card may be closed
// meanwhile. Tested in tests/app/export_card_test.cpp, and in the real window in
// tests/app/export_window_test.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "app/animate_job.h"
#include "app/page_area.h"
#include "app/page_figure.h"
#include "app/session.h"
#include "base/result.h"
#include "screen/widgets.h"

namespace headlight::app {

class ExportCard {
 public:
  /// `wake` is called from another thread while an animation is made.
  explicit ExportCard(std::function<void()> wake = [] {}) : job_(std::move(wake)) {}

  /// Opens with the card that was clicked last, when it is on this page.
  void open() { opening_ = true; }
  /// Draws the card while it is open. `page` is what is on screen.
  void frame(screen::Ui& ui, Session& session, const PageArea& page, double now);

  /// Puts the bytes of a PNG onto the clipboard; none: there is no window.
  std::function<base::Status(std::string png)> copy_picture;
  /// Where files go that are not told otherwise; empty: Documents, or the home folder.
  std::filesystem::path folder;
  /// For scripts and tests: until no animation is being made.
  void wait() const { job_.wait(); }

  /// "85 × 71 mm": how large the picture becomes, as the card says; empty while it cannot be made.
  const std::string& said_size() const {
    static const std::string none;
    return size_ ? *size_ : none;
  }

 private:
  using Choices = std::tuple<scene::Page, int, int, int, int, int, int, bool, bool, std::string>;

  void choose(screen::Ui& ui);
  void picture_options(screen::Ui& ui);
  void motion_options(screen::Ui& ui);
  float tallest_options(bool animations) const;  // pixels
  void remarks(screen::Ui& ui, Session& session, const PageArea& page);
  /// What the size of a picture depends on; laying a page out is not for every frame.
  using SizeFor = std::tuple<scene::Page, int, int, int, int, std::uint64_t, float, float>;
  const base::Result<std::string>& size_line(Session& session, const PageArea& page);
  void buttons(screen::Ui& ui, Session& session, const PageArea& page, bool submitted, double now);
  void suggest(scene::Page page);
  FigureWish wish(const PageArea& page) const;
  base::Result<std::string> picture(FigureFormat format, Session& session, const PageArea& page) const;
  base::Status write(const std::filesystem::path& path, Session& session, const PageArea& page) const;
  base::Status write_whole(const std::filesystem::path& path, Session& session, const PageArea& page) const;
  void animate_to(const std::filesystem::path& path, Session& session, const PageArea& page);
  std::filesystem::path free(const std::filesystem::path& path) const;
  base::Status copy_numbers(Session& session) const;
  /// What the background says.
  void follow(Session& session, screen::Ui& ui, bool open, double now);
  /// Everything that was chosen; another choice than that of the animation prepares another export.
  Choices choices() const {
    return {page_, chosen_, format_, scale_, width_, frames_, fps_, light_, transparent_, path_};
  }
  void done(const base::Status& status, const std::string& words, Session& session, screen::Ui& ui,
            double now);
  bool is_picture() const { return format_ < 3; }
  bool shares() const;
  bool moves() const { return format_ >= 7; }
  bool is_sequence() const { return format_ == 8; }
  const std::string& panel() const { return panels_[static_cast<std::size_t>(chosen_)].name; }

  bool opening_ = false;
  scene::Page page_ = scene::Page::attention;
  std::vector<figure::Panel> panels_;  // the first one, without a name, is the whole page
  int chosen_ = 0;
  int format_ = 0;                                                   // an index into the endings
  int scale_ = 1;                                                    // of 1×, 2×, 3×, 4×
  int width_ = 0;                                                    // as on screen, a column, a page
  int frames_ = 1, fps_ = 2;                                         // of their choices
  float choice_height_ = 0, toggle_height_ = 0, remark_height_ = 0;  // pixels, as drawn
  int told_ = -1;  // percent of an animation that the status line has
  bool light_ = true, transparent_ = false;
  std::string path_, suggested_, problem_;
  std::optional<SizeFor> size_for_;
  base::Result<std::string> size_ = std::string();
  std::optional<Choices> animated_;  // those of the animation that was begun since the card opened
  AnimateJob job_;
};

/// `path`, or the first of name-2, name-3, … that is free.
std::filesystem::path free_path(const std::filesystem::path& path);
/// The same for numbered files: none of `count` is there.
std::filesystem::path free_sequence(const std::filesystem::path& path, int count);

}  // namespace headlight::app
