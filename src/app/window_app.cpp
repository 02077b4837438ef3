#include "app/window_app.h"

#include <imgui.h>

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

#include "app/session.h"
#include "app/shell.h"
#include "base/embedded.h"
#include "io/png.h"
#include "scene/recent.h"
#include "scene/store.h"
#include "screen/clipboard_image.h"
#include "screen/gl_textures.h"
#include "screen/input.h"
#include "screen/renderer.h"
#include "screen/window.h"

namespace headlight::app {

namespace {

int fail(std::string message) {
  for (char& c : message)
    c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // one line, whatever a driver says
  std::fprintf(stderr, "headlight: %s\n", message.c_str());
  return 1;
}

std::vector<screen::Icon> icons() {
  std::vector<screen::Icon> all;
  for (const char* name : {"icon/headlight-16.png", "icon/headlight-32.png", "icon/headlight-48.png",
                           "icon/headlight-128.png"}) {
    const auto bytes = base::embedded(name);
    auto icon = io::decode_png({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name);
    if (icon) all.push_back({icon->image.width, icon->image.height, std::move(icon->image.pixels)});
  }
  return all;
}

}  // namespace

int run_window(const LaunchOptions& launch) {
  screen::InputQueue input;
  auto window = screen::Window::create({.title = "Headlight"}, input);
  if (!window) return fail(window.error());
  auto renderer = screen::Renderer::create();
  if (!renderer) return fail(renderer.error());
  screen::Window& w = **window;
  w.set_icons(icons());
  w.attach_clipboard();

  // The scene that is kept by itself from now on is this one; that of last time is not lost.
  std::string message = launch.message;
  const std::filesystem::path state = scene::state_file();
  std::error_code missing;
  if (!launch.file.empty() && std::filesystem::exists(state, missing)) {
    std::filesystem::path before = state;
    before.replace_filename("scene.previous.json");
    std::filesystem::copy_file(state, before, std::filesystem::copy_options::overwrite_existing, missing);
    message = missing ? "last time's scene could not be kept: " + missing.message()
                      : "last time's scene is kept in " + before.string();
  }

  screen::GlTextures textures;
  const std::filesystem::path run = state.empty() ? state : state.parent_path() / "training.safetensors";
  Session session(
      {.scene = launch.scene, .autosave = state, .training = run, .wake = [] { screen::Window::wake(); }});
  Shell shell(session, input, textures,
              {.folder = scene::state_folder(), .file = launch.file, .wake = [] { screen::Window::wake(); }});
  screen::ClipboardImage clipboard;
  shell.exporter().copy_picture = [&clipboard](std::string png) { return clipboard.copy(std::move(png)); };
  shell.toggle_fullscreen = [&w] { w.set_fullscreen(!w.fullscreen()); };
  shell.ui().wake_in = [&w](double seconds) { w.wake_at(w.now() + seconds); };
  w.on_drop = [&](const std::vector<std::string>& paths) {
    if (!shell.desk().document().drop(paths, w.now()))
      session.say(
          "nothing to do with " + paths.front() + ": scenes, figures, models and texts can be dropped",
          w.now());
  };
  if (!message.empty()) session.say(message, w.now());
  if (!launch.lesson.empty()) shell.lessons().open(launch.lesson, w.now());

  while (!w.close_requested()) {
    if (!w.wait(shell.moving() || input.pending())) {
      session.update(w.now());  // also while nothing is shown: a scene that is due is saved
      continue;
    }
    const std::uint64_t shown = session.results().version;
    const scene::Scene before = session.scene();
    input.apply(ImGui::GetIO());
    (*renderer)->begin(w.width(), w.height(), w.frame_seconds());
    shell.frame({.width = w.width(),
                 .height = w.height(),
                 .display_scale = w.scale(),
                 .seconds = w.frame_seconds(),
                 .now = w.now()});
    shell.upload();
    (*renderer)->end(shell.theme().window, shell.vision());
    w.present();
    if (session.results().version != shown || session.scene() != before) w.touch();
    if (shell.watching()) w.wake_at(w.now() + 0.5);
    if (const double due = session.due_in(w.now()); due < 1e6) w.wake_at(w.now() + due);
  }
  if (!session.save(w.now())) return fail(session.message());
  return 0;
}

}  // namespace headlight::app
