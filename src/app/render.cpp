#include "app/render.h"

#include <imgui.h>

#include <cmath>

#include "app/pages.h"
#include "app/session.h"
#include "app/shell.h"
#include "figure/figure.h"
#include "io/files.h"
#include "io/png.h"
#include "screen/gl_textures.h"
#include "screen/headless.h"
#include "screen/renderer.h"

namespace headlight::app {

namespace {

/// The page alone, without the bars and the settings around it, as a vector figure.
base::Status render_figure(const Session& session, const RenderOptions& options) {
  const draw::Theme& theme = draw::theme(session.scene().theme == scene::ThemeName::dark);
  const views::PageInput in{.scene = session.scene(),
                            .results = session.results(),
                            .cell = session.cell(),
                            .hover = nullptr,
                            .theme = theme,
                            .map_view = {}};
  const figure::FigureSize size{static_cast<float>(options.width), static_cast<float>(options.height),
                                static_cast<float>(options.scale)};
  return figure::write_figure(options.out, size, theme, [&](draw::Canvas& canvas) {
    page_info(options.page).draw(canvas, {0, 0, size.width, size.height}, in);
  });
}

}  // namespace

base::Status render_page(const scene::Scene& scene, const RenderOptions& options) {
  scene::Scene shown = scene;
  shown.page = options.page;
  shown.play = false;
  Session session({.scene = shown, .autosave = {}});
  session.wait();
  const std::string ending = options.out.extension().string();
  if (ending == ".svg" || ending == ".pdf") return render_figure(session, options);
  if (ending != ".png")
    return base::Error{options.out.string() + ": a page is rendered as .png, .svg or .pdf"};

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
    Shell shell(session, input, textures);
    shell.still = true;
    (*target)->bind();
    // The first frame measures (how high the page is, which glyphs it needs); the third is as every later
    // one.
    for (int i = 0; i < 3; ++i) {
      input.apply(ImGui::GetIO());
      (*renderer)->begin(width, height, 1.f / 60);
      shell.frame({.width = width,
                   .height = height,
                   .display_scale = static_cast<float>(options.scale),
                   .seconds = 1.f / 60,
                   .now = i / 60.0});
      shell.upload();
      (*renderer)->end(shell.theme().window);
    }
    image.pixels = (*target)->pixels();
    (*target)->unbind();
  }
  auto bytes = io::encode_png(image, {{"Software", "Headlight"}});
  if (!bytes) return base::Error{bytes.error()};
  return io::write_file(options.out, *bytes);
}

}  // namespace headlight::app
