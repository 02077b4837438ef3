#include "app/lecturer_figure.h"

#include "lecture/lecturer_screen.h"
#include "screen/gl_textures.h"
#include "screen/picture_copy.h"
#include "screen/renderer.h"

namespace headlight::app {

namespace {

constexpr int frames_of_figure = 4;  // for heights to be measured, pictures made, glyphs drawn

}  // namespace

base::Result<std::vector<std::uint8_t>> lecturer_pixels(Session& session, Shell& shell,
                                                        const screen::PixelTarget& slide, float scale) {
  ImGuiContext* const before = ImGui::GetCurrentContext();
  const int width = slide.width(), height = slide.height();
  auto target = screen::PixelTarget::create(width, height);
  if (!target) return base::Error{target.error()};
  auto renderer = screen::Renderer::create();
  if (!renderer) return base::Error{renderer.error()};
  std::vector<std::uint8_t> pixels;
  {
    screen::PictureCopy copy;
    copy.take(slide);
    screen::GlTextures textures;
    screen::InputQueue input;
    screen::TextPainter text(textures);
    screen::HeatmapPainter maps;
    screen::Ui ui(text, input);
    LecturerScreen beside(session, shell.lessons(), textures, [] {});
    (*target)->bind();
    for (int i = 0; i < frames_of_figure; ++i) {
      input.apply(ImGui::GetIO());
      (*renderer)->begin(width, height, 1.f / 60);
      maps.begin_frame();
      maps.set_theme(shell.theme());
      ui.begin(shell.theme(), scale, 0);
      beside.frame(ui, maps,
                   {.width = width,
                    .height = height,
                    .slide = copy.texture(),
                    .slide_aspect = static_cast<float>(width) / static_cast<float>(height)});
      ui.end();
      text.upload();
      (*renderer)->end(shell.theme().window);
      beside.wait_for_pictures();
    }
    pixels = (*target)->pixels();
    (*target)->unbind();
  }
  renderer->reset();
  ImGui::SetCurrentContext(before);
  return pixels;
}

}  // namespace headlight::app
