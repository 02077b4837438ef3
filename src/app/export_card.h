// The card that exports: the page or one card of it, as a picture or as the numbers behind it, into a file or
// onto the clipboard. A file that is there is never replaced: the new one is numbered. Tested in
// tests/app/export_card_test.cpp, and in the real window in tests/app/export_window_test.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/page_area.h"
#include "app/page_figure.h"
#include "app/session.h"
#include "base/result.h"
#include "screen/widgets.h"

namespace headlight::app {

class ExportCard {
 public:
  /// Opens with the card that was clicked last, when it is on this page.
  void open() { opening_ = true; }
  /// Draws the card while it is open. `page` is what is on screen.
  void frame(screen::Ui& ui, Session& session, const PageArea& page, double now);

  /// Puts the bytes of a PNG onto the clipboard; none: there is no window.
  std::function<base::Status(std::string png)> copy_picture;
  /// Where files go that are not told otherwise; empty: Documents, or the home folder.
  std::filesystem::path folder;

 private:
  void choose(screen::Ui& ui);
  void picture_options(screen::Ui& ui);
  void suggest(scene::Page page);
  FigureWish wish(const PageArea& page) const;
  base::Result<std::string> picture(FigureFormat format, Session& session, const PageArea& page) const;
  base::Status write(const std::filesystem::path& path, Session& session, const PageArea& page) const;
  base::Status copy_numbers(Session& session) const;
  void done(const base::Status& status, const std::string& words, Session& session, screen::Ui& ui,
            double now);
  bool is_picture() const { return format_ < 3; }
  const std::string& panel() const { return panels_[static_cast<std::size_t>(chosen_)].name; }

  bool opening_ = false;
  scene::Page page_ = scene::Page::attention;
  std::vector<figure::Panel> panels_;  // the first one, without a name, is the whole page
  int chosen_ = 0;
  int format_ = 0;  // an index into the endings
  int scale_ = 1;   // of 1×, 2×, 3×, 4×
  int width_ = 0;   // as on screen, a column, a page
  bool light_ = true, transparent_ = false;
  std::string path_, suggested_, problem_;
};

/// `path`, or the first of name-2, name-3, … that is free.
std::filesystem::path free_path(const std::filesystem::path& path);

}  // namespace headlight::app
