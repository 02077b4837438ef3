// Another program on the same display: it drops files onto a window (XDND, version 5), and gives and takes
// text by the clipboard (ICCCM). For tests of the real window.
#pragma once

#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

// Last: it has macros called None and Status.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace headlight::tests {

class X11Peer {
 public:
  explicit X11Peer(const std::string& display) : display_(::XOpenDisplay(display.c_str())) {
    if (display_ == nullptr) return;
    window_ = ::XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 8, 8, 0, 0, 0);
    ::XSelectInput(display_, window_, PropertyChangeMask);
    ::XSync(display_, False);
  }
  ~X11Peer() {
    stop();
    if (display_ != nullptr) ::XCloseDisplay(display_);
  }
  X11Peer(const X11Peer&) = delete;
  X11Peer& operator=(const X11Peer&) = delete;

  /// True when the other side said that it took them.
  bool drop(Window target, const std::vector<std::string>& paths, int x, int y) {
    std::string list;
    for (const std::string& path : paths) list += "file://" + path + "\r\n";
    const Atom selection = atom("XdndSelection"), type = atom("text/uri-list");
    ::XSetSelectionOwner(display_, selection, window_, CurrentTime);
    send(target, "XdndEnter", {static_cast<long>(window_), 5L << 24, static_cast<long>(type), 0, 0});
    send(target, "XdndPosition",
         {static_cast<long>(window_), 0, static_cast<long>(x) << 16 | y, CurrentTime,
          static_cast<long>(atom("XdndActionCopy"))});
    bool dropped = false, finished = false;
    serve([&](const XEvent& event) {
      if (event.type == SelectionRequest) answer(event.xselectionrequest, type, list);
      if (event.type != ClientMessage) return true;
      if (event.xclient.message_type == atom("XdndStatus") && (event.xclient.data.l[1] & 1) != 0 &&
          !dropped) {
        dropped = true;
        send(target, "XdndDrop", {static_cast<long>(window_), 0, CurrentTime, 0, 0});
      }
      finished = event.xclient.message_type == atom("XdndFinished");
      return !finished;
    });
    return finished;
  }

  /// From now on the clipboard holds `text`, until stop().
  void offer(const std::string& text) {
    stop();
    ::XSetSelectionOwner(display_, atom("CLIPBOARD"), window_, CurrentTime);
    ::XSync(display_, False);
    serving_ = true;
    thread_ = std::thread([this, text] {
      while (serving_) {
        while (::XPending(display_) > 0) {
          XEvent event;
          ::XNextEvent(display_, &event);
          if (event.type == SelectionRequest) answer(event.xselectionrequest, atom("UTF8_STRING"), text);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
  }
  void stop() {
    serving_ = false;
    if (thread_.joinable()) thread_.join();
  }

  /// What another program has put into the clipboard; empty when there is nothing.
  std::string clipboard() {
    const Atom into = atom("HEADLIGHT_TEST");
    ::XDeleteProperty(display_, window_, into);
    ::XConvertSelection(display_, atom("CLIPBOARD"), atom("UTF8_STRING"), into, window_, CurrentTime);
    std::string text;
    serve([&](const XEvent& event) {
      if (event.type != SelectionNotify) return true;
      if (event.xselection.property == 0) return false;
      Atom type = 0;
      int format = 0;
      unsigned long count = 0, left = 0;
      unsigned char* bytes = nullptr;
      ::XGetWindowProperty(display_, window_, into, 0, 1 << 20, True, AnyPropertyType, &type, &format, &count,
                           &left, &bytes);
      if (bytes != nullptr) text.assign(reinterpret_cast<const char*>(bytes), count);
      ::XFree(bytes);
      return false;
    });
    return text;
  }

 private:
  Atom atom(const char* name) { return ::XInternAtom(display_, name, False); }

  void send(Window target, const char* message, const long (&data)[5]) {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = target;
    event.xclient.message_type = atom(message);
    event.xclient.format = 32;
    std::memcpy(event.xclient.data.l, data, sizeof data);
    ::XSendEvent(display_, target, False, NoEventMask, &event);
    ::XFlush(display_);
  }

  void answer(const XSelectionRequestEvent& request, Atom type, const std::string& bytes) {
    Atom property = request.property;
    if (request.target == atom("TARGETS")) {
      const Atom targets[] = {atom("TARGETS"), type};
      ::XChangeProperty(display_, request.requestor, property, XA_ATOM, 32, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(targets), 2);
    } else if (request.target == type) {
      ::XChangeProperty(display_, request.requestor, property, type, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    } else {
      property = 0;
    }
    XEvent event{};
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request.requestor;
    event.xselection.selection = request.selection;
    event.xselection.target = request.target;
    event.xselection.property = property;
    event.xselection.time = request.time;
    ::XSendEvent(display_, request.requestor, False, NoEventMask, &event);
    ::XFlush(display_);
  }

  /// Hands every event to `take` until it says false, for at most half a minute.
  template <class Take>
  void serve(Take take) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < deadline) {
      while (::XPending(display_) > 0) {
        XEvent event;
        ::XNextEvent(display_, &event);
        if (!take(event)) return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

  Display* display_;
  Window window_ = 0;
  std::thread thread_;
  std::atomic<bool> serving_{false};
};

}  // namespace headlight::tests
