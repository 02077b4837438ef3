// The preview beside the choices of the Export card, equal to the file's picture: made in the background,
// small, again when a choice changes. Tested in tests/app/export_card_test.cpp.
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
  /// `textures` outlives this; `wake` is called from another thread when a picture is ready.
  ExportPreview(screen::Textures& textures, std::function<void()> wake);
  ~ExportPreview();
  ExportPreview(const ExportPreview&) = delete;
  ExportPreview& operator=(const ExportPreview&) = delete;

  /// Draws the newest picture in the middle of `pixels`, on `ground` where it is transparent. `key` describes
  /// the wanted picture; if it differs from that of the newest one, `work()` makes the PNG of another one
  /// that fits into `pixels`. Until it is ready, the previous picture is shown.
  void frame(const screen::Ui& ui, draw::Box pixels, draw::Color ground, const std::string& key,
             const std::function<FileJob::Make()>& work);
  /// Drops the picture and the one being made.
  void forget();
  /// Size of the shown picture in pixels; 0 when there is none.
  int width() const { return width_; }
  int height() const { return height_; }
  void wait() const { job_.wait(); }

 private:
  void take();

  screen::Textures& textures_;
  FileJob job_;
  std::string begun_;  // the key of the picture that is being made, or was made last
  ImTextureID texture_{};
  int width_ = 0, height_ = 0;
};

}  // namespace headlight::app
