#include "pictures/page_figure.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "kit/card.h"
#include "kit/page_input.h"
#include "pages/training/training.h"
#include "pictures/pages.h"
#include "scene/figure_scene.h"
#include "scene/nearest.h"

namespace headlight::app {

namespace {

// A unit in print: words of 11 to 14 units are then 6.5 to 8.3 points high.
constexpr double unit_mm = 0.21;
constexpr double page_mm = 247;  // the height of A4 without 25 mm above and below
constexpr double dots_per_inch = 300, mm_per_inch = 25.4;

/// Where on which page the figure is, in units.
struct Place {
  draw::Box page, part;
};

float drawn_height(draw::Canvas& canvas, const FigureWish& wish, draw::Box page, const views::PageInput& in) {
  draw::Box body = page;
  views::instead_line(views::Pen{canvas, in.theme}, body, in.results.instead);
  return page_info(wish.page).view.draw(canvas, body, in) + (page.h - body.h);
}

/// For paper: without buttons.
bool plain_of(const FigureWish& wish, const views::PageInput& in) {
  return wish.plain || wish.width_mm > 0 || in.theme.window.a == 0;
}

/// Lays the page out in `width` × `height` units and cuts the panel out of it.
base::Result<Place> place_in(const FigureWish& wish, float width, float height, const views::PageInput& in) {
  draw::Box page{0, 0, width, height};
  float needed = height;
  const std::vector<figure::Panel> panels = figure::panels_of(
      [&](draw::Canvas& canvas) { needed = drawn_height(canvas, wish, page, in); }, plain_of(wish, in));
  if (wish.panel.empty()) return Place{page, {0, 0, width, std::ceil(std::max(height, needed))}};
  std::vector<std::string> names;
  for (const figure::Panel& panel : panels) {
    if (panel.name == wish.panel) return Place{page, panel.box};
    names.push_back(panel.name);
  }
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return base::Error{"the page " + std::string(scene::word(wish.page)) + " has no panel " +
                     scene::in_quotes(wish.panel) + " now; it has " + all +
                     scene::did_you_mean(wish.panel, names)};
}

double printed_height(const FigureWish& wish, const Place& place) {
  return wish.width_mm * static_cast<double>(place.part.h / place.part.w);
}

base::Result<Place> place_at(const FigureWish& wish, float wanted, const views::PageInput& in) {
  // As wide as the column; where the card is only a part of the page's width, the page is made wider.
  constexpr float margins = 24, most = 3;
  float width = wanted + (wish.panel.empty() ? 0 : margins);
  for (;;) {
    const base::Result<Place> place = place_in(wish, width, std::max(600.f, width), in);
    if (!place || place->part.w >= 0.8f * wanted || width >= most * wanted) return place;
    width = std::min(most * wanted, width * 1.25f);
  }
}

/// At the width that is asked for, with words of 6.5 to 8.3 points; with smaller ones, down to 5, where it
/// would be higher than a page.
base::Result<Place> fitting_place(const FigureWish& wish, const views::PageInput& in) {
  const float wanted = std::max(300.f, static_cast<float>(wish.width_mm / unit_mm));
  base::Result<Place> place = place_at(wish, wanted, in);
  if (!place || printed_height(wish, *place) <= page_mm) return place;
  for (const float wider : {1.1f, 1.2f, 1.3f}) {
    base::Result<Place> other = place_at(wish, wanted * wider, in);
    if (other && printed_height(wish, *other) <= page_mm) return other;
  }
  return place;
}

base::Result<Place> place_of(const FigureWish& wish, const views::PageInput& in) {
  if (wish.width_mm <= 0 || wish.sized) return place_in(wish, wish.width, wish.height, in);
  base::Result<Place> place = fitting_place(wish, in);
  if (!place || printed_height(wish, *place) <= page_mm) return place;
  const auto mm = [](double value) { return std::to_string(std::lround(value)); };
  const auto larger = [&](double width_mm) {
    FigureWish other = wish;
    other.width_mm = width_mm;
    const base::Result<Place> there = fitting_place(other, in);
    return there && printed_height(other, *there) <= page_mm;
  };
  constexpr double page_wide = 170;
  const bool wider = wish.width_mm < page_wide && larger(page_wide);
  const bool whole = wish.panel.empty();
  return base::Error{"at a width of " + mm(wish.width_mm) + " mm " +
                     (whole ? std::string("the page") : "the card " + scene::in_quotes(wish.panel)) + " is " +
                     mm(printed_height(wish, *place)) + " mm high, more than the " + mm(page_mm) +
                     " mm of a printed page; choose " + (wider ? "170 mm" : "") +
                     (wider && whole ? " or " : "") +
                     (whole   ? "one card of the page"
                      : wider ? ""
                              : "a larger width")};
}

/// What is said of marks, as in the window.
figure::MarkWords words_of(const FigureWish& wish, const views::PageInput& in) {
  return [&in, page = wish.page](const draw::Hit& hit) { return page_info(page).view.tooltip(in, hit); };
}

figure::FigureSpec spec_of(const FigureWish& wish, const Place& place, const views::PageInput& in) {
  figure::FigureSpec spec{.theme = in.theme, .part = place.part, .width_mm = wish.width_mm};
  spec.scale = wish.scale;
  spec.vision = static_cast<draw::Vision>(in.scene.colour_vision);
  if (wish.width_mm > 0)
    spec.scale *= wish.width_mm / mm_per_inch * dots_per_inch / static_cast<double>(place.part.w);
  spec.plain = plain_of(wish, in);
  spec.title = std::string("Headlight: ") + page_info(wish.page).room.title +
               (wish.panel.empty() ? "" : ", " + wish.panel);
  spec.scene = scene::scene_as_json(in.scene);
  spec.words = words_of(wish, in);
  return spec;
}

figure::Paint paint_of(const FigureWish& wish, const Place& place, const views::PageInput& in) {
  return [&wish, &place, &in](draw::Canvas& canvas) { drawn_height(canvas, wish, place.page, in); };
}

base::Result<io::Image> pixels_of(const FigureWish& wish, const Place& place, const views::PageInput& in) {
  auto raster = figure::figure_pixels(spec_of(wish, place, in), paint_of(wish, place, in));
  if (!raster) return base::Error{raster.error()};
  return io::Image{raster->width, raster->height, 4, std::move(raster->rgba)};
}

}  // namespace

std::optional<FigureFormat> figure_format(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".svg") return FigureFormat::svg;
  if (ending == ".pdf") return FigureFormat::pdf;
  if (ending == ".png") return FigureFormat::png;
  return std::nullopt;
}

draw::Theme figure_theme(const scene::Scene& scene, bool transparent) {
  draw::Theme theme = theme_of(scene);
  if (transparent) theme.window.a = theme.panel.a = theme.border.a = 0;
  return theme;
}

base::Result<std::string> page_figure(const FigureWish& wish, FigureFormat format,
                                      const views::PageInput& shown) {
  // What the program has said of files of this computer is no part of a figure.
  views::PageInput in = shown;
  if (in.training && !in.training->message.empty()) {
    auto quiet = std::make_shared<scene::TrainingSnapshot>(*in.training);
    quiet->message.clear();
    in.training = std::move(quiet);
  }
  const base::Result<Place> place = place_of(wish, in);
  if (!place) return base::Error{place.error()};
  const figure::FigureSpec spec = spec_of(wish, *place, in);
  if (format == FigureFormat::svg) return figure::svg_figure(spec, paint_of(wish, *place, in));
  if (format == FigureFormat::pdf) return figure::pdf_figure(spec, paint_of(wish, *place, in));
  base::Result<io::Image> image = pixels_of(wish, *place, in);
  if (!image) return base::Error{image.error()};
  const double per_metre =
      wish.width_mm > 0 ? 1000 * spec.scale * static_cast<double>(place->part.w) / wish.width_mm : 0;
  return io::encode_png(*image, scene::png_metadata(in.scene), static_cast<unsigned>(std::lround(per_metre)));
}

base::Result<io::Image> page_pixels(const FigureWish& wish, const views::PageInput& in) {
  const base::Result<Place> place = place_of(wish, in);
  if (!place) return base::Error{place.error()};
  return pixels_of(wish, *place, in);
}

base::Result<FigureSize> figure_size(const FigureWish& wish, const views::PageInput& in) {
  const base::Result<Place> place = place_of(wish, in);
  if (!place) return base::Error{place.error()};
  const figure::FigureSpec spec = spec_of(wish, *place, in);
  const auto pixels = [&](float units) {
    return static_cast<int>(std::lround(static_cast<double>(units) * spec.scale));
  };
  FigureSize out{place->part.w, place->part.h, pixels(place->part.w), pixels(place->part.h)};
  if (wish.width_mm > 0) out.wide_mm = wish.width_mm, out.high_mm = printed_height(wish, *place);
  return out;
}

std::string size_words(const FigureSize& size, FigureFormat format) {
  const auto rounded = [](double value) { return base::with_commas(std::lround(value)); };
  const std::string pixels =
      base::with_commas(size.pixels_wide) + " × " + base::with_commas(size.pixels_high) + " pixels";
  if (size.wide_mm <= 0 && format == FigureFormat::png) return pixels;
  if (size.wide_mm <= 0)
    return rounded(static_cast<double>(size.width)) + " × " + rounded(static_cast<double>(size.height)) +
           (format == FigureFormat::svg ? " pixels" : " points");
  const std::string mm = rounded(size.wide_mm) + " × " + rounded(size.high_mm) + " mm";
  return format == FigureFormat::png ? mm + ", " + pixels : mm;
}

std::vector<figure::Panel> page_panels(const FigureWish& wish, const views::PageInput& in) {
  return figure::panels_of([&](draw::Canvas& canvas) {
    drawn_height(canvas, wish, {0, 0, wish.width, wish.height}, in);
  });
}

}  // namespace headlight::app
