#include "app/lecturer_window.h"

#include <imgui.h>

#include <algorithm>
#include <ctime>
#include <optional>

#include "lecture/lecturer_screen.h"
#include "screen/gl_textures.h"

namespace headlight::app {

namespace {

constexpr double copy_seconds = 0.1;  // least time between two pictures of the first window

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  char out[16];
  std::strftime(out, sizeof out, "%H:%M", &parts);
  return out;
}

}  // namespace

/// The members that exist only while the window is open, in the order of construction.
struct LecturerWindow::Open {
  Open(Session& session, LessonScreen& lessons)
      : text(textures), ui(text, input), screen(session, lessons, textures, [] { screen::Window::wake(); }) {}

  screen::GlTextures textures;
  screen::TextPainter text;
  screen::HeatmapPainter maps;
  screen::InputQueue input;
  screen::Ui ui;
  LecturerScreen screen;
  std::unique_ptr<screen::Window> window;
  std::unique_ptr<screen::Renderer> renderer;
  screen::PictureCopy slide;  // in the first window's context
  double copied_at = -1;
  bool stale = true, fresh = false;             // the first window's picture must be copied; must be drawn
  std::optional<screen::Window::Placing> home;  // of the first window, if it was moved
};

LecturerWindow::LecturerWindow(First first, bool one_screen) : first_(first), one_screen_(one_screen) {
  first_.shell.toggle_lecturer = [this] { toggle(); };
  first_.shell.toggle_fullscreen = [this] { toggle_fullscreen(); };
}

LecturerWindow::~LecturerWindow() {
  first_.shell.toggle_lecturer = first_.shell.toggle_fullscreen = nullptr;
  close();
}

void LecturerWindow::open() {
  const int slide_on = first_.window.screen();
  const std::vector<screen::Screen> screens = screen::Window::screens();
  screens_ = screens.size();
  screen::TwoScreens two = screen::two_screens(static_cast<int>(screens_), slide_on);
  if (two.lecturer >= 0 && screen::mirrored(screens[static_cast<std::size_t>(two.slide)],
                                            screens[static_cast<std::size_t>(two.lecturer)]))
    two = {};  // else the class would read the notes
  const double now = first_.window.now();
  if (two.lecturer < 0 && !one_screen_) {
    wanted_ = false;
    return first_.session.warn("the lecturer’s window needs a second screen; N shows the notes here", now);
  }
  auto made = std::make_unique<Open>(first_.session, first_.shell.lessons());
  auto window = screen::Window::create_beside({.title = "Headlight: notes for the lecturer",
                                               .width = 1280,
                                               .height = 800,
                                               .min_width = 960,
                                               .min_height = 600},
                                              made->input, first_.window);
  if (!window) {
    wanted_ = false;
    return first_.session.warn(window.error(), now);
  }
  made->window = std::move(*window);
  made->window->make_current();
  auto renderer = screen::Renderer::create();
  if (renderer) {
    made->renderer = std::move(*renderer);
    made->renderer->keep_picture(made->textures);
  }
  first_.window.make_current();
  first_.renderer.use();
  if (!renderer) {
    wanted_ = false;
    return first_.session.warn(renderer.error(), now);
  }
  open_ = std::move(made);
  screen::Window& second = *open_->window;
  second.set_icons(first_.icons);
  open_->ui.wake_in = [&second](double seconds) { second.wake_at(second.now() + seconds); };
  open_->ui.report = [this](const std::string& line) { first_.session.warn(line, first_.window.now()); };
  if (two.slide >= 0 && two.slide != slide_on) {
    open_->home = first_.window.placing();
    first_.window.fill_screen(two.slide);
  }
  if (two.lecturer >= 0) {
    second.show_on(two.lecturer);
  } else {
    second.show_on(0, 0.75f);
  }
  first_.shell.lessons().hall = true;
  first_.window.touch();
}

void LecturerWindow::close() {
  wanted_ = false;
  if (!open_) return;
  const auto home = open_->home;
  open_->window->make_current();
  open_->renderer->use();
  std::unique_ptr<screen::Window> window = std::move(open_->window);
  std::unique_ptr<screen::Renderer> renderer = std::move(open_->renderer);
  std::unique_ptr<Open> rest = std::move(open_);
  // The picture of the first window belongs to that window's context, everything else to this one.
  first_.window.make_current();
  rest->slide.drop();
  window->make_current();
  rest.reset();
  renderer.reset();
  window.reset();
  first_.window.make_current();
  first_.renderer.use();
  first_.shell.lessons().hall = false;
  if (home) first_.window.place(*home);
  first_.window.touch();
}

void LecturerWindow::swap_screens() {
  screen::Window& second = *open_->window;
  const int slide = first_.window.screen(), lecturer = second.screen();
  if (slide < 0 || lecturer < 0 || slide == lecturer) return;
  if (!open_->home) open_->home = first_.window.placing();
  first_.window.fill_screen(lecturer);
  if (second.fullscreen()) {
    second.fill_screen(slide);
  } else {
    second.show_on(slide);
  }
}

void LecturerWindow::toggle_fullscreen() {
  screen::Window& w = first_.window;
  if (open_ && open_->home && w.fullscreen()) return w.show_on(w.screen(), 0.8f);
  w.set_fullscreen(!w.fullscreen());
}

double LecturerWindow::next_turn() const {
  if (wanted_ != (open_ != nullptr)) return 0;
  if (!open_) return screen::Pacer::never;
  const double copy =
      open_->stale && first_.renderer.kept() ? open_->copied_at + copy_seconds : screen::Pacer::never;
  return std::min(copy, open_->window->next_frame(false));
}

void LecturerWindow::copy_slide() {
  const screen::PixelTarget* const kept = first_.renderer.kept();
  if (!open_->stale || !kept || first_.window.now() < open_->copied_at + copy_seconds) return;
  open_->slide.take(*kept);
  open_->stale = false, open_->fresh = true;
  open_->copied_at = first_.window.now();
  open_->window->touch(1);
}

void LecturerWindow::first_drawn(bool changed) {
  if (!open_) return;
  if (changed && first_.renderer.kept()) open_->stale = true;
  if (changed) open_->window->touch(1);
  copy_slide();
}

void LecturerWindow::turn() {
  const bool lesson = first_.shell.lessons().player().open();
  if (wanted_ && !open_ && lesson) open();
  if (!open_) {
    wanted_ = false;
    return;
  }
  const std::size_t screens = screen::Window::screens().size();
  const bool screens_changed = std::exchange(screens_, screens) != screens;
  if (!wanted_ || !lesson || open_->window->close_requested()) return close();
  if (screens_changed) {
    if (screens < 2 && !one_screen_) {
      close();
      first_.session.warn(
          "the second screen was disconnected and the lecturer’s window closed; N shows the notes here",
          first_.window.now());
      return first_.window.bring_into_sight();
    }
    first_.window.bring_into_sight();
    open_->window->bring_into_sight();
  }
  copy_slide();
  if (open_->window->due(false)) draw();
}

void LecturerWindow::draw() {
  Open& o = *open_;
  screen::Window& w = *o.window;
  const double now = w.now();
  w.make_current();
  o.renderer->use();
  o.input.apply(ImGui::GetIO());
  if (w.take_exposed()) o.renderer->show_again();
  if (std::exchange(o.fresh, false)) o.renderer->draw_everything();
  o.renderer->begin(w.width(), w.height(), w.frame_seconds());
  const draw::Theme& theme = first_.shell.theme();
  o.maps.begin_frame();
  o.maps.set_theme(theme);
  o.ui.begin(theme, w.scale(), now);
  const screen::Window& first = first_.window;
  const LecturerScreen::Request request = o.screen.frame(
      o.ui, o.maps,
      {.width = w.width(),
       .height = w.height(),
       .clock = time_of_day(),
       .now = now,
       .slide = o.slide.texture(),
       .slide_aspect =
           first.height() > 0 ? static_cast<float>(first.width()) / static_cast<float>(first.height()) : 1.6f,
       .swaps = screens_ > 1});
  o.ui.end();
  o.text.upload();
  w.present(o.renderer->end(theme.window));
  first_.window.make_current();
  first_.renderer.use();
  if (o.screen.acted()) first_.window.touch();
  if (request == LecturerScreen::Request::close) wanted_ = false, w.touch();
  if (request == LecturerScreen::Request::fullscreen) w.set_fullscreen(!w.fullscreen());
  if (request == LecturerScreen::Request::swap_screens) swap_screens();
}

}  // namespace headlight::app
