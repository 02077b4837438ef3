// The picture beside the choices of the Export card, as its file will show it: made in the background, small,
// again when a choice changes. Tested in tests/app/export_card_test.cpp.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>

#include "draw/canvas.h"
#include "io/png.h"
#include "screen/textures.h"
#include "screen/widgets.h"
#include "session/file_job.h"

namespace headlight::app {

class ExportPreview {
 public:
  /// `textures` outlives this; `wake` is called from another thread when a picture is there.
  ExportPreview(screen::Textures& textures, std::function<void()> wake);
  ~ExportPreview();
  ExportPreview(const ExportPreview&) = delete;
  ExportPreview& operator=(const ExportPreview&) = delete;

  /// Draws the newest picture in the middle of `pixels`, above `ground` where it is transparent. Where `key`,
  /// which says what is wanted, is not that of the newest picture, `work()` makes the PNG of another one,
  /// which fits into `pixels`; until it is there the one before it stays.
  void frame(const screen::Ui& ui, draw::Box pixels, draw::Color ground, const std::string& key,
             const std::function<FileJob::Make()>& work);
  /// There is none, and nobody waits for one.
  void forget();
  /// The picture that is shown has this many pixels; 0 where there is none.
  int width() const { return width_; }
  int height() const { return height_; }
  void wait() const { job_.wait(); }

 private:
  void take();

  screen::Textures& textures_;
  FileJob job_;
  std::string begun_;  // the key of what is made, or was made last
  ImTextureID texture_{};
  int width_ = 0, height_ = 0;
};

}  // namespace headlight::app
