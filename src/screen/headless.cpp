#include "screen/headless.h"

#include <glad/gl.h>
#define EGL_NO_X11  // its macros (None, Success) are not used here
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "screen/glfw_message.h"

namespace headlight::screen {
namespace {

std::string egl_error() {
  char text[32];
  std::snprintf(text, sizeof text, "EGL error 0x%04x", static_cast<unsigned>(eglGetError()));
  return text;
}

bool has_extension(const char* list, const char* name) {
  return list && std::strstr(list, name);
}

std::string gl_string(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text ? reinterpret_cast<const char*>(text) : "unknown";
}

bool loaded_33(int version) {
  return version && GLAD_VERSION_MAJOR(version) * 10 + GLAD_VERSION_MINOR(version) >= 33;
}

}  // namespace

struct HeadlessContext::State {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  GLFWwindow* window = nullptr;
  std::string graphics;

  ~State() {
    drop_egl();
    if (window) glfwDestroyWindow(window), glfwTerminate();
  }
  void drop_egl() {
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
    display = EGL_NO_DISPLAY, context = EGL_NO_CONTEXT;
  }
  bool start_egl(EGLDisplay candidate, std::string& reason);
  bool start_device(std::string& reason);
  bool start_window(std::string& reason);
};

// Makes a 3.3 core context on `candidate` current and loads OpenGL.
bool HeadlessContext::State::start_egl(EGLDisplay candidate, std::string& reason) {
  EGLint major = 0, minor = 0;
  if (candidate == EGL_NO_DISPLAY || !eglInitialize(candidate, &major, &minor)) {
    reason = egl_error();
    return false;
  }
  display = candidate;
  eglBindAPI(EGL_OPENGL_API);
  const EGLint config_request[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                   EGL_NONE};
  EGLConfig config = nullptr;
  EGLint configs = 0;
  eglChooseConfig(display, config_request, &config, 1, &configs);
  const EGLint context_request[] = {EGL_CONTEXT_MAJOR_VERSION,
                                    3,
                                    EGL_CONTEXT_MINOR_VERSION,
                                    3,
                                    EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                    EGL_NONE};
  context = eglCreateContext(display, configs > 0 ? config : nullptr, EGL_NO_CONTEXT, context_request);
  if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    reason = egl_error();
    drop_egl();
    return false;
  }
  if (!loaded_33(gladLoadGL(eglGetProcAddress))) {
    reason = "OpenGL is older than 3.3";
    drop_egl();
    return false;
  }
  return true;
}

bool HeadlessContext::State::start_device(std::string& reason) {
  auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  EGLDeviceEXT devices[16];
  EGLint count = 0;
  reason = "no device";
  if (!query || !query(16, devices, &count)) return false;
  for (EGLint i = 0; i < count; ++i)
    if (start_egl(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr), reason)) return true;
  return false;
}

bool HeadlessContext::State::start_window(std::string& reason) {
  glfwSetErrorCallback([](int, const char*) {});
  auto fail = [&reason] {
    reason = glfw_message();
    return false;
  };
  if (!glfwInit()) return fail();
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  window = glfwCreateWindow(64, 64, "headlight", nullptr, nullptr);
  if (!window) {
    fail();
    glfwTerminate();
    return false;
  }
  glfwMakeContextCurrent(window);
  if (loaded_33(gladLoadGL(glfwGetProcAddress))) return true;
  reason = "OpenGL is older than 3.3";
  glfwDestroyWindow(window);
  window = nullptr;
  glfwTerminate();
  return false;
}

base::Result<std::unique_ptr<HeadlessContext>> HeadlessContext::create() {
  auto state = std::make_unique<State>();
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  std::string surfaceless = "not offered", device = "not offered", window;
  const char* way = nullptr;
  if (has_extension(extensions, "EGL_MESA_platform_surfaceless") &&
      state->start_egl(eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr),
                       surfaceless))
    way = "EGL without surface";
  else if (has_extension(extensions, "EGL_EXT_platform_device") && state->start_device(device))
    way = "EGL device";
  else if (state->start_window(window))
    way = "hidden window";
  if (!way)
    return base::Error{"OpenGL 3.3 is not available: EGL without surface: " + surfaceless +
                       ", EGL device: " + device + ", hidden window: " + window +
                       "; install Mesa’s drivers (libegl1, libgl1-mesa-dri)"};
  state->graphics = std::string(way) + ": " + gl_string(GL_RENDERER) + ", OpenGL " + gl_string(GL_VERSION);
  return std::unique_ptr<HeadlessContext>(new HeadlessContext(std::move(state)));
}

HeadlessContext::HeadlessContext(std::unique_ptr<State> state) : state_(std::move(state)) {}
HeadlessContext::~HeadlessContext() = default;
const std::string& HeadlessContext::graphics() const {
  return state_->graphics;
}

base::Result<std::unique_ptr<PixelTarget>> PixelTarget::create(int width, int height) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  if (width < 1 || height < 1 || width > most || height > most)
    return base::Error{"a picture of " + std::to_string(width) + "×" + std::to_string(height) +
                       " pixels cannot be drawn: this graphics driver allows 1 to " + std::to_string(most) +
                       " in each direction"};
  std::unique_ptr<PixelTarget> target(new PixelTarget);
  target->width_ = width, target->height_ = height;
  glGenFramebuffers(1, &target->framebuffer_);
  glGenRenderbuffers(1, &target->color_);
  glBindRenderbuffer(GL_RENDERBUFFER, target->color_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  target->bind();
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->color_);
  bool complete =
      glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE && glGetError() == GL_NO_ERROR;
  target->unbind();
  if (!complete)
    return base::Error{"the graphics driver refused a picture of " + std::to_string(width) + "×" +
                       std::to_string(height) + " pixels; try a smaller one"};
  return target;
}

PixelTarget::~PixelTarget() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteRenderbuffers(1, &color_);
}

void PixelTarget::bind() {
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound_before_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
}

void PixelTarget::unbind() {
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound_before_));
}

void PixelTarget::show(int x0, int y0, int x1, int y1) const {
  GLint before = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glDisable(GL_SCISSOR_TEST);
  glBlitFramebuffer(x0, height_ - y1, x1, height_ - y0, x0, height_ - y1, x1, height_ - y0,
                    GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before));
}

void PixelTarget::copy(unsigned framebuffer, int width, int height) const {
  GLint read = 0, draw = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  glDisable(GL_SCISSOR_TEST);
  const bool same = width == width_ && height == height_;
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                    same ? GL_NEAREST : GL_LINEAR);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read));
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw));
}

std::vector<std::uint8_t> PixelTarget::pixels() const {
  std::size_t row = static_cast<std::size_t>(width_) * 4;
  std::vector<std::uint8_t> out(row * static_cast<std::size_t>(height_));
  GLint before = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, out.data());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before));
  // OpenGL's row 0 is at the bottom.
  for (int y = 0; y < height_ / 2; ++y)
    std::swap_ranges(out.begin() + std::ptrdiff_t(row) * y, out.begin() + std::ptrdiff_t(row) * (y + 1),
                     out.begin() + std::ptrdiff_t(row) * (height_ - 1 - y));
  return out;
}

}  // namespace headlight::screen
