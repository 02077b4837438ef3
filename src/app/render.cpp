#include "app/render.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/lecturer_figure.h"
#include "app/shell.h"
#include "io/files.h"
#include "io/png.h"
#include "lecture/first_start.h"
#include "pages/missing.h"
#include "pictures/page_figure.h"
#include "pictures/pages.h"
#include "pictures/present_figure.h"
#include "pictures/share_figure.h"
#include "scene/figure_scene.h"
#include "screen/gl_textures.h"
#include "screen/headless.h"
#include "screen/renderer.h"
#include "session/session.h"

namespace headlight::app {

namespace {

/// A session with the page's results; a run of the page is trained to its end.
std::unique_ptr<Session> computed(const scene::Scene& scene, const RenderOptions& options) {
  scene::Scene shown = scene;
  shown.page = options.page;
  shown.positions.play = false;
  auto session = std::make_unique<Session>(Session::Start{.scene = shown, .autosave = {}});
  session->wait(options.trained);
  return session;
}

/// The first start as an SVG or a PDF, or the share card.
base::Status render_share(const Session& session, const RenderOptions& options, FigureFormat format) {
  const draw::Theme theme = figure_theme(session.scene(), options.transparent);
  const bool card = options.share && !options.sized;
  const draw::Point size{static_cast<float>(options.width), static_cast<float>(options.height)};
  const auto bytes = share_figure(card ? share_size : size, (card ? share_scale : 1) * options.scale, format,
                                  page_input(session, theme));
  if (!bytes) return base::Error{options.out.string() + ": " + bytes.error()};
  return io::write_file(options.out, *bytes);
}

base::Status render_figure(const Session& session, const RenderOptions& options, FigureFormat format) {
  const draw::Theme theme = figure_theme(session.scene(), options.transparent);
  const views::PageInput in = page_input(session, theme);
  const auto bytes = options.present ? present_figure(request_of(options), format, in)
                                     : page_figure(request_of(options), format, in);
  if (!bytes) return base::Error{options.out.string() + ": " + bytes.error()};
  return io::write_file(options.out, *bytes);
}

}  // namespace

FigureRequest request_of(const RenderOptions& options) {
  return {.page = options.page,
          .panel = options.panel,
          .width = static_cast<float>(options.width),
          .height = static_cast<float>(options.height),
          .width_mm = options.width_mm,
          .sized = options.sized,
          .parts = options.parts,
          .scale = options.scale};
}

base::Status render_page(const scene::Scene& scene, const RenderOptions& options) {
  const auto format = figure_format(options.out);
  if (!format)
    return base::Error{options.out.string() +
                       ": unknown format; a page can be rendered as .png, .svg or .pdf"};
  // Checks the path before anything is computed.
  if (const auto writable = io::NewFile::create(options.out); !writable) return base::Error{writable.error()};
  const std::unique_ptr<Session> session = computed(scene, options);
  if (!session->failure().empty()) return base::Error{session->failure()};
  if (options.tell) {
    options.tell(scene::nonfinite_words(session->results()));
    for (const std::string& line : scene::found_missing(session->results())) options.tell(line);
  }
  if (options.first_start) {
    session->change(first_start_scene(session->scene(), session->results()), "", 0);
    session->wait();
  }
  if (options.share || (options.first_start && *format != FigureFormat::png))
    return render_share(*session, options, *format);
  if (*format != FigureFormat::png || options.is_figure()) return render_figure(*session, options, *format);

  auto context = screen::HeadlessContext::create();
  if (!context) return base::Error{context.error()};
  const int width = static_cast<int>(std::lround(options.width * options.scale));
  const int height = static_cast<int>(std::lround(options.height * options.scale));
  auto target = screen::PixelTarget::create(width, height);
  if (!target) return base::Error{target.error()};
  auto renderer = screen::Renderer::create();
  if (!renderer) return base::Error{renderer.error()};

  io::Image image{.width = width, .height = height};
  {
    screen::InputQueue input;
    screen::GlTextures textures;
    Shell shell(*session, input, textures);
    shell.still = true;
    if (options.first_start) shell.show_first_start(true);
    if (options.prepare) options.prepare(shell);
    (*target)->bind();
    // The first frame measures (the height of the page, the glyphs that it needs); the settings
    // then end where its cards do; the fourth is equal to every later one.
    for (int i = 0; i < 4; ++i) {
      input.apply(ImGui::GetIO());
      (*renderer)->begin(width, height, 1.f / 60);
      shell.frame({.width = width,
                   .height = height,
                   .display_scale = static_cast<float>(options.scale),
                   .seconds = 1.f / 60,
                   .now = i / 60.0});
      shell.upload();
      (*renderer)->end(shell.theme().window, shell.vision());
    }
    image.pixels = (*target)->pixels();
    (*target)->unbind();
    if (options.lecturer) {
      auto pixels = lecturer_pixels(*session, shell, **target, static_cast<float>(options.scale));
      if (!pixels) return base::Error{pixels.error()};
      image.pixels = std::move(*pixels);
    }
  }
  auto bytes = io::encode_png(image, scene::png_metadata(session->scene()));
  if (!bytes) return base::Error{bytes.error()};
  return io::write_file(options.out, *bytes);
}

std::string list_panels(const scene::Scene& scene, const RenderOptions& options) {
  const std::unique_ptr<Session> session = computed(scene, options);
  const draw::Theme theme = figure_theme(scene, false);
  std::string text;
  const auto none = page_info(options.page).view.no_slides;
  for (const figure::Panel& panel : page_panels(request_of(options), page_input(*session, theme))) {
    const bool slide = std::find(none.begin(), none.end(), panel.name) == none.end();
    text += panel.name + "\t" + panel.title + (slide ? "" : "\tno slide") + "\n";
  }
  return text;
}

}  // namespace headlight::app
