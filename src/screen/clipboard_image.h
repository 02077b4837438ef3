// Puts a picture on the clipboard for other programs to paste: the X11 selection CLIPBOARD with the target
// image/png, on its own connection and thread (GLFW's clipboard is only for text). It uses XCB, because an
// error on this connection must not end the program, as it would with Xlib. A picture larger than one request
// (16 MB) is sent piece by piece. It stays available until another program copies something, text is copied
// here, or the program ends. Tested in the real window, tests/app/export_window_test.cpp.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace headlight::screen {

class ClipboardImage {
 public:
  ClipboardImage();
  ~ClipboardImage();
  ClipboardImage(const ClipboardImage&) = delete;
  ClipboardImage& operator=(const ClipboardImage&) = delete;

  /// `png`: the bytes of the file. Errors, one line: no X11 (as under Wayland alone), or another program does
  /// not release the clipboard.
  base::Status copy(std::string png);

 private:
  struct Owner;
  std::unique_ptr<Owner> owner_;
};

}  // namespace headlight::screen
