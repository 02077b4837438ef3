#include "screen/lost_display.h"

#include <dlfcn.h>

#include <chrono>

namespace headlight::screen {

namespace {

// Looked up by name, since GLFW may be built for another platform and loads Xlib itself.
using Display = void;
using Handler = int (*)(Display*);
using ExitHandler = void (*)(Display*, void*);

std::atomic<LostDisplay*> watching{nullptr};

template <class Function>
Function named(void* library, const char* name) {
  return reinterpret_cast<Function>(::dlsym(library, name));
}

}  // namespace

LostDisplay::LostDisplay(std::function<void()> lost) : lost_(std::move(lost)) {
  const auto display = named<Display* (*)()>(RTLD_DEFAULT, "glfwGetX11Display");
  void* const xlib = ::dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD);
  if (!xlib) return;
  const auto set_handler = named<Handler (*)(Handler)>(xlib, "XSetIOErrorHandler");
  const auto set_exit_handler = named<void (*)(Display*, ExitHandler, void*)>(xlib, "XSetIOErrorExitHandler");
  if (display && set_handler && set_exit_handler && display()) {
    watching = this;
    set_handler([](Display*) {
      if (LostDisplay* const one = watching) one->gone();
      return 0;
    });
    set_exit_handler(
        display(), [](Display*, void*) {}, nullptr);  // Xlib's own handler ends the program
  }
  ::dlclose(xlib);
}

LostDisplay::~LostDisplay() {
  watching = nullptr;
}

void LostDisplay::gone() {
  if (gone_.exchange(true)) return;
  if (std::this_thread::get_id() == window_thread_) return leave();
  // A thread that woke the window noticed the loss. The window's thread leaves when it has finished its
  // frame; or it already waits for events, and never returns.
  std::thread([this] {
    do std::this_thread::sleep_for(std::chrono::milliseconds(20));
    while (!waiting_);
    leave();
  }).detach();
}

void LostDisplay::leave() {
  if (!leaving_.exchange(true)) lost_();
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));  // another thread ends the process
}

}  // namespace headlight::screen
