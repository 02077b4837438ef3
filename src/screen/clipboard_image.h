// A picture on the clipboard, for other programs to paste: the X11 selection CLIPBOARD with the target
// image/png, on a connection and a thread of its own (GLFW's clipboard is for text). By XCB: an error on this
// connection cannot end the program, as Xlib's would. A picture larger than one request (16 MB) is handed
// over piece by piece. It lives until another program copies something, text is copied here, or the program
// ends. Tested in the real window, tests/app/export_window_test.cpp.
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
  /// not let the clipboard go.
  base::Status copy(std::string png);

 private:
  struct Owner;
  std::unique_ptr<Owner> owner_;
};

}  // namespace headlight::screen
