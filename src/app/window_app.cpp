#include "app/window_app.h"

#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "app/kept_window.h"
#include "app/lecturer_window.h"
#include "app/shell.h"
#include "base/embedded.h"
#include "base/one_line.h"
#include "base/stop_signals.h"
#include "io/png.h"
#include "io/unfinished.h"
#include "scene/recent.h"
#include "scene/store.h"
#include "screen/clipboard_image.h"
#include "screen/gl_textures.h"
#include "screen/input.h"
#include "screen/renderer.h"
#include "screen/window.h"
#include "session/session.h"

namespace headlight::app {

namespace {

constexpr float stream_seconds = 0.02f;  // between frames that follow each other

int fail(const std::string& message) {
  std::fprintf(stderr, "headlight: %s\n", base::one_line(message).c_str());  // whatever a driver reports
  return 1;
}

bool same_place(const draw::Hit& a, const draw::Hit& b) {
  return a.mark == b.mark && a.at == b.at && a.cell == b.cell;
}

/// From now on the automatically saved scene is that of the file; the one of last time is kept aside. Returns
/// the message for the start.
std::string with_previous_scene_kept(const LaunchOptions& launch) {
  std::string message = launch.message;
  const std::filesystem::path& state = launch.kept.scene;
  std::error_code missing;
  if (launch.file.empty() || !std::filesystem::exists(state, missing)) return message;
  const std::filesystem::path before = scene::previous_file(state);
  std::filesystem::copy_file(state, before, std::filesystem::copy_options::overwrite_existing, missing);
  if (!message.empty()) message += "; ";
  return message + (missing ? "the previous scene could not be kept: " + missing.message()
                            : "the previous scene is kept in " + before.string());
}

/// The state for the next start; no size if the window fills the screen or is iconified.
KeptWindow left(const screen::Window& window, Shell& shell, const std::optional<KeptWindow>& last) {
  const LessonScreen& lessons = shell.lessons();
  KeptWindow kept{0, 0, lessons.listing() || lessons.chosen_in_list(), shell.settings().held(),
                  shell.settings().by_hand()};
  if (lessons.player().open() && !lessons.editor().open()) {
    const LessonEntry& entry = lessons.player().entry();
    std::error_code unknown;  // an absolute path: the next start may be in another folder
    kept.lesson = entry.number > 0 ? entry.name : std::filesystem::absolute(entry.path, unknown).string();
    kept.step = lessons.player().step();
    kept.answers = lessons.player().answers();
    // Without its model the lesson had one step, which says so.
    if (!entry.missing.empty() && last && last->lesson == kept.lesson)
      kept.step = last->step, kept.answers = last->answers;
  }
  kept.view = shell.kept_view();
  kept.exported = shell.exporter().chosen();
  kept.pages = shell.last_pages();
  if (window.fullscreen() || window.scale() <= 0) return kept;
  const auto units = [&window](int pixels) {
    return static_cast<int>(std::lround(static_cast<float>(pixels) / window.scale()));
  };
  kept.width = units(window.width()), kept.height = units(window.height());
  return kept;
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
  screen::WindowOptions look{.title = "Headlight"};
  const auto last = kept_window(scene::state_folder());
  if (last) look.width = last->width, look.height = last->height;
  auto window = screen::Window::create(look, input);
  if (!window) return fail(window.error());
  auto renderer = screen::Renderer::create();
  if (!renderer) return fail(renderer.error());
  screen::Window& w = **window;
  const std::vector<screen::Icon> pictures = icons();
  w.set_icons(pictures);
  w.attach_clipboard();

  const std::string message = with_previous_scene_kept(launch);
  const std::filesystem::path& state = launch.kept.scene;
  screen::GlTextures textures;
  (*renderer)->keep_picture(textures);
  // The window never waits for a model file.
  ModelShelf models([] { screen::Window::wake(); });
  const scene::UseModels at_hand(&models);
  Session session({.scene = launch.scene,
                   .autosave = state,
                   .training = launch.kept.training,
                   .unsaved = launch.kept.unsaved,
                   .wake = [] { screen::Window::wake(); },
                   .models = &models});
  Shell shell(session, input, textures,
              {.folder = scene::state_folder(), .file = launch.file, .wake = [] { screen::Window::wake(); }});
  screen::ClipboardImage clipboard;
  shell.exporter().copy_picture = [&clipboard](std::string png) { return clipboard.copy(std::move(png)); };
  shell.ui().wake_in = [&w](double seconds) { w.wake_at(w.now() + seconds); };
  w.on_drop = [&](const std::vector<std::string>& paths) {
    if (!shell.desk().document().drop(paths, w.now()))
      session.warn("cannot open " + paths.front() + ": drop a scene, a figure, a model or a text", w.now());
  };
  if (!launch.file.empty())
    shell.desk().document().opened_at_start(launch.file, launch.given, w.now(), message);
  else if (!message.empty())
    session.warn(message, w.now());
  if (launch.first_start) shell.show_first_start(true);
  if (!launch.lesson.empty()) shell.lessons().open(launch.lesson, w.now());
  if (launch.as_left && last && last->lessons && last->lesson.empty()) shell.lessons().open_list();
  if (launch.as_left && last && !last->lesson.empty()) {
    shell.lessons().open(last->lesson, w.now(), last->step);
    shell.lessons().player().bring_back(last->answers);
    shell.lessons().leave_to_list(last->lessons);
  }
  if (last) shell.exporter().bring_back(last->exported);
  if (last && last->settings) shell.settings().hold(*last->settings);
  if (launch.as_left && last) {
    shell.bring_back(last->view);
    shell.bring_back(last->pages);
    if (last->by_hand) shell.settings().bring_back(*last->by_hand);
  }
  bool quits = false;
  shell.quit = [&quits] { quits = true; };

  LecturerWindow lecturer({w, **renderer, shell, session, pictures}, launch.lecturer);
  if (launch.lecturer && shell.lessons().player().open()) lecturer.toggle();

  w.on_lost_display = [&] {
    session.training().leave();
    shell.lessons().keep(0);
    shell.lessons().editor().rescue();
    const bool saved = session.save(0);
    session.training().wait_until_left();
    io::take_back_unfinished();
    const bool kept = saved && !state.empty();
    const int status = fail(kept    ? "the display was closed; the scene and training runs are saved"
                            : saved ? "the display was closed; the scene and training runs are not saved"
                                    : session.message());
    std::_Exit(status);  // a driver cannot close a display that is gone
  };

  const bool one_picture = std::getenv("HEADLIGHT_ONE_PICTURE") != nullptr;  // for scripts/measure_window
  // The close button of the window asks as Ctrl + Q does.
  const auto closing = [&] {
    if (w.take_close_request()) {
      shell.ask_to_quit();
      if (!quits) w.bring_forward();
    }
    return quits || base::stop_signal() != 0;
  };
  while (!closing()) {
    const bool frame_due = w.wait(shell.moving() || input.pending(), lecturer.next_turn());
    lecturer.turn();
    if (closing()) break;
    if (!frame_due) {
      session.update(w.now());  // also while nothing is shown: a scene that is due is saved
      continue;
    }
    if (w.take_exposed()) (*renderer)->show_again();
    if (shell.watching()) (*renderer)->draw_everything();
    // Builds a frame and handles its input. True: the drawn frame is outdated by its own actions.
    const auto build = [&](float seconds) {
      const std::uint64_t shown = session.results().version;
      const scene::Scene before = session.scene();
      const draw::Hit lit = shell.page().hover();
      input.apply(ImGui::GetIO());
      (*renderer)->begin(w.width(), w.height(), seconds);
      shell.frame({.width = w.width(),
                   .height = w.height(),
                   .display_scale = w.scale(),
                   .seconds = seconds,
                   .now = w.now()});
      return session.results().version != shown || session.scene() != before ||
             !same_place(shell.page().hover(), lit);
    };
    const bool answers = input.pending();
    bool outdated = build(w.frame_seconds());
    // The next frame would show the changes of this one. After a pause the frame is built again at once; with
    // continuous input or motion the next frame is due anyway.
    if (outdated && answers && !shell.moving() && w.frame_seconds() > stream_seconds) {
      (*renderer)->skip();
      outdated = build(0);
    }
    shell.upload();
    const bool changed = (*renderer)->end(shell.theme().window, shell.vision());
    w.present(changed);
    lecturer.first_drawn(changed);
    if (one_picture) break;
    if (outdated) {
      w.touch();
    } else if (!changed && !answers && (*renderer)->settled()) {
      w.settle();
    }
    if (shell.watching()) w.wake_at(w.now() + 0.5);
    if (const double due = session.due_in(w.now()); due < 1e6) w.wake_at(w.now() + due);
  }
  keep_window(scene::state_folder(), left(w, shell, last));
  shell.lessons().keep(w.now());
  session.training().leave();  // it saves while the scene is saved and everything else ends
  const bool saved = session.save(w.now());
  const int status = saved ? 0 : fail(session.message());
  if (base::stop_signal() != 0) {
    // A background computation may take seconds more, and nobody will see its result.
    session.training().wait_until_left();
    io::take_back_unfinished();
    std::_Exit(status);
  }
  return status;
}

}  // namespace headlight::app
