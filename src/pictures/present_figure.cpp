#include "pictures/present_figure.h"

#include <algorithm>

#include "kit/token_signs.h"
#include "pictures/card_names.h"
#include "pictures/pages.h"
#include "pictures/present_picture.h"
#include "scene/figure_scene.h"

namespace headlight::app {

base::Result<std::string> present_figure(const FigureRequest& request, FigureFormat format,
                                         const views::PageInput& in) {
  const PageInfo& page = page_info(request.page);
  const draw::Box window{0, 0, request.width, request.height};
  PageCards cards;
  std::vector<std::string> known;  // the strips too, which are presented only when they are named
  int place = -1;
  CardLayout layout;
  // The canvas that notes panels measures words as figures do.
  (void)figure::panels_of([&](draw::Canvas& measure) {
    cards = cards_of(page.view, in, measure);
    known = cards.names;
    known.insert(known.end(), cards.strips.begin(), cards.strips.end());
    place = cards.place(request.panel);
    if (std::find(cards.strips.begin(), cards.strips.end(), request.panel) != cards.strips.end())
      cards.names.push_back(request.panel);
    if (cards.place(request.panel) >= 0)
      layout = present_layout(request.panel, page.view, in, window, measure);
  });
  if (layout.page.w <= 0) return base::Error{no_such_card(request.page, request.panel, known)};
  const SlideFrame frame{page.room.title, place,         static_cast<int>(cards.names.size()),
                         false,           request.panel, layout.head};
  const figure::Paint paint = [&](draw::Canvas& canvas) {
    present_frame(canvas, window, page.view, in, frame);
    PresentCanvas card(canvas, layout.placing);
    draw_cards(page.view, in)(card, layout.page, layout.column);
    card.finish();
  };
  figure::FigureSpec spec{.theme = in.theme, .part = window, .width_mm = request.width_mm};
  spec.scale = request.scale;
  spec.look.plain = true;
  spec.vision = static_cast<draw::Vision>(in.scene.colour_vision);
  spec.title = std::string("Headlight: ") + page.room.title + ", " + request.panel;
  spec.scene = scene::scene_as_json(in.scene);
  spec.words = [&](const draw::Hit& hit) { return views::with_signs_explained(page.view.tooltip(in, hit)); };
  if (format == FigureFormat::svg) return figure::svg_figure(spec, paint);
  if (format == FigureFormat::pdf) return figure::pdf_figure(spec, paint);
  auto raster = figure::figure_pixels(spec, paint);
  if (!raster) return base::Error{raster.error()};
  const io::Image image{raster->width, raster->height, 4, std::move(raster->rgba)};
  return io::encode_png(image, scene::png_metadata(in.scene), 0);
}

}  // namespace headlight::app
