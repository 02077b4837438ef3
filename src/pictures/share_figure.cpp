#include "pictures/share_figure.h"

#include "kit/selection.h"
#include "pictures/first_start_picture.h"
#include "scene/figure_scene.h"

namespace headlight::app {

base::Result<std::string> share_figure(draw::Point size, double scale, FigureFormat format,
                                       const views::PageInput& shown) {
  if (views::other_keys(shown))
    return base::Error{"the share card draws one line of words; queries and keys are different tokens here"};
  const scene::Scene scene = first_start_scene(shown.scene, shown.results);
  const views::PageInput in{.scene = scene,
                            .results = shown.results,
                            .cell = nullptr,
                            .hover = nullptr,
                            .theme = shown.theme,
                            .map_view = {},
                            .numbers = shown.numbers};
  const draw::Box window{0, 0, size.x, size.y};
  figure::FigureSpec spec{.theme = in.theme, .part = window, .scale = scale};
  spec.vision = static_cast<draw::Vision>(scene.colour_vision);
  spec.title = "Headlight: " + first_start_finding(in);
  spec.scene = scene::scene_as_json(scene);
  const figure::Paint paint = [&](draw::Canvas& canvas) {
    draw_first_start({canvas, in.theme}, window, in, {.to_click = false});
  };
  if (format == FigureFormat::svg) return figure::svg_figure(spec, paint);
  if (format == FigureFormat::pdf) return figure::pdf_figure(spec, paint);
  auto raster = figure::figure_pixels(spec, paint);
  if (!raster) return base::Error{raster.error()};
  return io::encode_png({raster->width, raster->height, 4, std::move(raster->rgba)},
                        scene::png_metadata(scene));
}

}  // namespace headlight::app
