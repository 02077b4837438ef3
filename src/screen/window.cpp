#include "screen/window.h"

#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <langinfo.h>

#include <algorithm>
#include <atomic>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "screen/glfw_message.h"
#include "screen/monitors.h"
#include "screen/window_state.h"

namespace headlight::screen {
namespace {

// wake() may be called from any thread and at any time, also while the window opens or closes.
struct Waker {
  std::mutex mutex;
  bool open = false;
  std::atomic<bool> woken{false};
};

Waker& waker() {
  static Waker instance;
  return instance;
}

void use_software_renderer() {
#ifdef _WIN32
  _putenv_s("LIBGL_ALWAYS_SOFTWARE", "1");
#else
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
#endif
}

// Returns null if GLFW fails; `reason` holds the error.
GLFWwindow* open_window(const WindowOptions& options, std::string& reason, GLFWwindow* beside = nullptr) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // shown after it has its size
  // A window that fills a projector stays there while the user types into the window on the other screen.
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "headlight");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "headlight");
  GLFWwindow* window =
      glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, beside);
  if (!window) {
    reason = glfw_message();
    return nullptr;
  }
  glfwMakeContextCurrent(window);
  int version = gladLoadGL(glfwGetProcAddress);
  if (GLAD_VERSION_MAJOR(version) * 10 + GLAD_VERSION_MINOR(version) < 33) {
    reason = "the driver offers OpenGL " + std::to_string(GLAD_VERSION_MAJOR(version)) + "." +
             std::to_string(GLAD_VERSION_MINOR(version));
    glfwDestroyWindow(window);
    return nullptr;
  }
  return window;
}

float content_scale(GLFWwindow* window) {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window, &x, &y);
  return std::clamp(std::max(x, y), 0.75f, 4.f);
}

// Keeps the window on the monitor, and its minimum size within the monitor's.
void fit_to_monitor(GLFWwindow* window, const WindowOptions& options) {
  float to_window = content_scale(window);  // window coordinates to the unit
  int window_width = 0, window_height = 0, pixel_width = 0, pixel_height = 0;
  glfwGetWindowSize(window, &window_width, &window_height);
  glfwGetFramebufferSize(window, &pixel_width, &pixel_height);
  if (window_width > 0 && pixel_width > 0) to_window *= float(window_width) / float(pixel_width);
  fit_to_screen(window, {int(std::lround(float(options.min_width) * to_window)),
                         int(std::lround(float(options.min_height) * to_window))});
}

void destroy(std::span<GLFWcursor* const> cursors) {
  for (GLFWcursor* cursor : cursors)
    if (cursor) glfwDestroyCursor(cursor);
}

}  // namespace

Window::State::State(GLFWwindow* opened, const WindowOptions& options, InputQueue& queue, int interval)
    : window(opened), input(&queue) {
  fit_to_monitor(window, options);
  connect();
  read_size();
  glfwSwapInterval(interval);
  make_cursors();
}

void Window::State::read_size() {
  glfwGetFramebufferSize(window, &pixel_width, &pixel_height);
  scale = content_scale(window);
}

void Window::State::make_cursors() {
  const std::pair<int, int> shapes[] = {{ImGuiMouseCursor_Arrow, GLFW_ARROW_CURSOR},
                                        {ImGuiMouseCursor_TextInput, GLFW_IBEAM_CURSOR},
                                        {ImGuiMouseCursor_ResizeNS, GLFW_VRESIZE_CURSOR},
                                        {ImGuiMouseCursor_ResizeEW, GLFW_HRESIZE_CURSOR},
                                        {ImGuiMouseCursor_Hand, GLFW_HAND_CURSOR}};
  for (auto [theirs, shape] : shapes) cursors[std::size_t(theirs)] = glfwCreateStandardCursor(shape);
}

base::Result<std::unique_ptr<Window>> Window::create(const WindowOptions& options, InputQueue& input) {
  // Messages come from glfwGetError(), but GLFW needs a callback anyway, or some drivers fail silently.
  glfwSetErrorCallback([](int, const char*) {});
  // Keys of other scripts arrive as UTF-8 only if the locale says so, which many bare environments do not.
  if (!std::setlocale(LC_CTYPE, "") || std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
    std::setlocale(LC_CTYPE, "C.UTF-8");
  if (!glfwInit())
    return base::Error{"cannot open a window: " + glfw_message() +
                       "; start the program inside a desktop session (with DISPLAY set)"};
  std::string first_reason;
  GLFWwindow* window = open_window(options, first_reason);
  if (!window) {
    glfwTerminate();
    use_software_renderer();
    std::string second_reason = "GLFW did not start again";
    if (glfwInit()) window = open_window(options, second_reason);
    if (!window) {
      glfwTerminate();
      return base::Error{"cannot open a window with OpenGL 3.3: " + first_reason + "; in software: " +
                         second_reason + "; install a newer graphics driver or Mesa’s (libgl1-mesa-dri)"};
    }
  }
  auto state = std::make_unique<State>(window, options, input, 1);
  State* const own = state.get();
  state->lost_display = std::make_unique<LostDisplay>([own] {
    if (own->self && own->self->on_lost_display) own->self->on_lost_display();
  });
  if (options.visible) glfwShowWindow(window);
  {
    std::lock_guard lock(waker().mutex);
    waker().open = true;
  }
  return std::unique_ptr<Window>(new Window(std::move(state)));
}

base::Result<std::unique_ptr<Window>> Window::create_beside(const WindowOptions& options, InputQueue& input,
                                                            const Window& first) {
  std::string reason;
  GLFWwindow* const window = open_window(options, reason, first.state_->window);
  if (!window) {
    glfwMakeContextCurrent(first.state_->window);
    return base::Error{"cannot open a second window: " + reason};
  }
  // The first window determines the pace, so that we do not wait for two screens one after the other.
  auto state = std::make_unique<State>(window, options, input, 0);
  glfwMakeContextCurrent(first.state_->window);
  return std::unique_ptr<Window>(new Window(std::move(state)));
}

Window::Window(std::unique_ptr<State> state) : state_(std::move(state)) {
  state_->self = this;
}

Window::~Window() {
  const bool first = state_->lost_display != nullptr;
  if (first) {
    std::lock_guard lock(waker().mutex);
    waker().open = false;
  }
  if (ImGui::GetCurrentContext() && ImGui::GetIO().ClipboardUserData == state_.get()) {
    ImGuiIO& io = ImGui::GetIO();
    io.GetClipboardTextFn = [](void*) { return ""; };
    io.SetClipboardTextFn = [](void*, const char*) {};
    io.ClipboardUserData = nullptr;
  }
  destroy(state_->cursors);
  glfwDestroyWindow(state_->window);
  if (first) glfwTerminate();
}

bool Window::wait(bool animate, double other) {
  const LostDisplay::Waiting waiting(*state_->lost_display);
  State& s = *state_;
  const double next = std::min(next_frame(animate), other);
  if (next == Pacer::never)
    glfwWaitEvents();
  else if (const double rest = next - now(); rest <= 0.0005)
    glfwPollEvents();
  else
    glfwWaitEventsTimeout(rest);
  if (waker().woken.exchange(false)) s.pacer.input();
  return due(animate);
}

double Window::next_frame(bool animate) const {
  State& s = *state_;
  if (s.input->pending()) s.pacer.input();
  return s.shown() ? s.pacer.next(animate) : Pacer::never;
}

bool Window::due(bool animate) {
  State& s = *state_;
  if (!s.shown() || !s.pacer.due(now(), animate)) return false;
  s.previous_start = s.frame_start;
  s.frame_start = now();
  s.pacer.begun(s.frame_start);
  return true;
}

void Window::make_current() {
  glfwMakeContextCurrent(state_->window);
}

void Window::wake_at(double time) {
  state_->pacer.wake_at(time);
}

void Window::touch(int frames) {
  state_->pacer.touch(frames);
}

void Window::settle() {
  state_->pacer.settle();
}

void Window::wake() {
  Waker& w = waker();
  w.woken = true;
  std::lock_guard lock(w.mutex);
  if (w.open) glfwPostEmptyEvent();
}

bool Window::take_exposed() {
  return std::exchange(state_->exposed, false);
}

void Window::present(bool changed) {
  State& s = *state_;
  s.pacer.drawn(s.frame_start);
  if (ImGui::GetCurrentContext()) {
    int wanted = ImGui::GetMouseCursor();
    const bool hidden = wanted == ImGuiMouseCursor_None;
    if (hidden != std::exchange(s.cursor_hidden, hidden))
      glfwSetInputMode(s.window, GLFW_CURSOR, hidden ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
    if (wanted < 0 || wanted >= ImGuiMouseCursor_COUNT || !s.cursors[std::size_t(wanted)])
      wanted = ImGuiMouseCursor_Arrow;
    if (wanted != s.cursor) glfwSetCursor(s.window, s.cursors[std::size_t(wanted)]);
    s.cursor = wanted;
  }
  if (changed) glfwSwapBuffers(s.window);
}

int Window::width() const {
  return state_->pixel_width;
}
int Window::height() const {
  return state_->pixel_height;
}
float Window::scale() const {
  return state_->scale;
}
float Window::frame_seconds() const {
  return std::max(0.001f, float(state_->frame_start - std::max(0.0, state_->previous_start)));
}
double Window::now() const {
  return glfwGetTime();
}
bool Window::close_requested() const {
  return glfwWindowShouldClose(state_->window) != 0;
}
bool Window::take_close_request() {
  const bool wanted = close_requested();
  if (wanted) glfwSetWindowShouldClose(state_->window, GLFW_FALSE);
  return wanted;
}
void Window::bring_forward() {
  if (glfwGetWindowAttrib(state_->window, GLFW_ICONIFIED) != 0) glfwRestoreWindow(state_->window);
  glfwRequestWindowAttention(state_->window);
  state_->pacer.touch();
}
bool Window::fullscreen() const {
  return glfwGetWindowMonitor(state_->window) != nullptr;
}

void Window::set_icons(std::span<const Icon> icons) {
  std::vector<GLFWimage> images;
  for (const Icon& icon : icons) {
    HEADLIGHT_CHECK_OP(icon.rgba.size(), ==, std::size_t(icon.width) * std::size_t(icon.height) * 4);
    images.push_back({icon.width, icon.height, const_cast<unsigned char*>(icon.rgba.data())});
  }
  glfwSetWindowIcon(state_->window, int(images.size()), images.data());
}

void Window::set_fullscreen(bool on) {
  State& s = *state_;
  if (on == fullscreen()) return;
  if (on) return fill_screen(screen());
  place({s.restore_x, s.restore_y, s.restore_width, s.restore_height});
}

std::vector<Screen> Window::screens() {
  return all_screens();
}

int Window::screen() const {
  return screen_at(all_screens(), centre_of(state_->window));
}

Window::Placing Window::placing() const {
  const State& s = *state_;
  Placing out{s.restore_x, s.restore_y, s.restore_width, s.restore_height, screen()};
  if (fullscreen()) return out;
  out.fills = -1;
  glfwGetWindowPos(s.window, &out.x, &out.y);
  glfwGetWindowSize(s.window, &out.width, &out.height);
  return out;
}

void Window::place(const Placing& p) {
  State& s = *state_;
  if (p.fills >= 0) {
    fill_screen(p.fills);
    s.restore_x = p.x, s.restore_y = p.y, s.restore_width = p.width, s.restore_height = p.height;
  } else if (fullscreen()) {
    glfwSetWindowMonitor(s.window, nullptr, p.x, p.y, p.width, p.height, GLFW_DONT_CARE);
  } else {
    glfwSetWindowSize(s.window, p.width, p.height);
    glfwSetWindowPos(s.window, p.x, p.y);
  }
  s.pacer.touch();
}

void Window::fill_screen(int screen) {
  State& s = *state_;
  if (!fullscreen()) {
    glfwGetWindowPos(s.window, &s.restore_x, &s.restore_y);
    glfwGetWindowSize(s.window, &s.restore_width, &s.restore_height);
  }
  screen::fill_screen(s.window, screen);
  s.pacer.touch();
}

void Window::show_on(int screen, float part) {
  State& s = *state_;
  place_on_screen(s.window, screen, part);
  glfwShowWindow(s.window);
  s.read_size();
  s.pacer.touch();
}

void Window::bring_into_sight() {
  const Place centre = centre_of(state_->window);
  const auto holds = [&](const Screen& s) {
    return centre.x >= s.x && centre.x < s.x + s.width && centre.y >= s.y && centre.y < s.y + s.height;
  };
  const std::vector<Screen> all = all_screens();
  if (std::none_of(all.begin(), all.end(), holds)) show_on(0, 0.8f);
}

void Window::attach_clipboard() {
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = state_.get();
  io.GetClipboardTextFn = [](void* user) {
    State& state = *static_cast<State*>(user);
    const char* text = glfwGetClipboardString(state.window);
    state.clipboard_text = text ? text : "";
    return state.clipboard_text.c_str();
  };
  io.SetClipboardTextFn = [](void* user, const char* text) {
    glfwSetClipboardString(static_cast<State*>(user)->window, text);
  };
}

}  // namespace headlight::screen
