#include "pictures/page_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/numbers.h"
#include "base/trimmed.h"
#include "kit/card.h"
#include "kit/page_input.h"
#include "kit/token_signs.h"
#include "pages/training/training.h"
#include "pictures/card_names.h"
#include "pictures/pages.h"
#include "scene/figure_scene.h"
#include "scene/nearest.h"

namespace headlight::app {

namespace {

// The printed size of a unit: words of 11 to 14 units are then 6.5 to 8.3 points high.
constexpr double unit_mm = 0.21;
constexpr double page_mm = 247;  // height of A4 without margins of 25 mm
constexpr double dots_per_inch = 300, mm_per_inch = 25.4;

/// The place of the figure on its page, in units.
struct Place {
  draw::Box page, part;
  float wide = 0;    // width of the part with its frame
  float height = 0;  // height of the card; 0: as the page planned it
};

float drawn_height(draw::Canvas& canvas, const FigureRequest& request, draw::Box page,
                   const views::PageInput& in) {
  draw::Box body = page;
  views::instead_line(views::Pen{canvas, in.theme}, body, in.results.instead);
  return page_info(request.page).view.draw(canvas, body, in) + (page.h - body.h);
}

/// `height` is that of the one card; 0: as its page planned it. A figure has no buttons and nothing that
/// invites to press one: nobody can.
figure::FigureLook look_of(const FigureRequest& request, float height) {
  return {true, request.parts, request.panel, request.panel.empty() ? 0 : height};
}

using Lay = std::function<figure::Panel(float height)>;

/// Returns the card with the height that its contents need: without room for notes that are left out, with
/// room for lines that only a figure has, and without empty areas above or below a matrix of square cells.
/// `first` is the card as its page planned it. Several matrices below each other share the free height, so if
/// one step is not enough, secant steps find it. Where labels take another form at another height, the free
/// height jumps; then bisection finds the jump.
figure::Panel as_high_as_needed(const figure::Panel& first, float& height, const Lay& lay) {
  constexpr float least = 60, most_times = 6, exact = 0.25f;
  constexpr int most_steps = 14;
  height = 0;
  if (first.planned <= 0 || (first.saved == 0 && !first.spare)) return first;
  const auto held = [&](float high) { return std::clamp(high, least, most_times * first.planned); };
  height = held(first.planned - first.saved);
  figure::Panel now = lay(height);
  float slope = 1;                // change of the free height per unit of the card's height
  float too_low = 0, enough = 0;  // heights nearest to the one that is wanted; 0: none yet
  for (int step = 0; step < most_steps && now.spare && std::abs(*now.spare) > exact; ++step) {
    if (*now.spare < 0) {
      too_low = std::max(too_low, height);
    } else {
      enough = enough > 0 ? std::min(enough, height) : height;
    }
    float next = held(height - *now.spare / slope);
    if (too_low > 0 && enough > too_low && (next <= too_low || next >= enough)) next = (too_low + enough) / 2;
    if (next == height) break;
    const figure::Panel then = lay(next);
    if (then.spare) slope = std::clamp((*then.spare - *now.spare) / (next - height), 0.05f, 1.f);
    now = then, height = next;
  }
  if (enough > 0 && now.spare && *now.spare < -exact) height = enough, now = lay(height);
  return now;
}

/// Returns the box of a card without its frame: cropped to what is drawn, horizontally by at most the
/// padding.
draw::Box trimmed(const figure::Panel& panel) {
  constexpr float edge = 3;
  const draw::Box &box = panel.box, &ink = panel.ink;
  if (ink.w <= 0 || ink.h <= 0) return box;
  const float left = std::clamp(ink.x - edge, box.x, box.x + views::card_padding),
              right = std::clamp(ink.right() + edge, box.right() - views::card_padding, box.right()),
              top = std::clamp(ink.y - edge, box.y, box.bottom()),
              bottom = std::clamp(ink.bottom() + edge, top, box.bottom());
  return {left, top, right - left, bottom - top};
}

/// Lays the page out in `width` × `height` units and cuts the panel out of it.
base::Result<Place> place_in(const FigureRequest& request, float width, float height,
                             const views::PageInput& in) {
  draw::Box page{0, 0, width, height};
  float needed = height;
  const auto lay = [&](float high) {
    return figure::panels_of([&](draw::Canvas& canvas) { needed = drawn_height(canvas, request, page, in); },
                             look_of(request, high));
  };
  const std::vector<figure::Panel> panels = lay(0);
  if (request.panel.empty()) return Place{page, {0, 0, width, std::ceil(std::max(height, needed))}, width};
  std::vector<std::string> names;
  for (const figure::Panel& panel : panels) {
    names.push_back(panel.name);
    if (panel.name != request.panel) continue;
    if (request.parts.square && !panel.spare)
      return base::Error{"the cells of the card " + scene::in_quotes(request.panel) +
                         " cannot be made square"};
    Place out{page, {}, panel.box.w};
    const auto this_card = [&](float high) {
      for (figure::Panel& one : lay(high)) {
        if (one.name == request.panel) return one;
      }
      return panel;
    };
    const figure::Panel card = as_high_as_needed(panel, out.height, this_card);
    out.part = request.parts.frame ? card.box : trimmed(card);
    return out;
  }
  return base::Error{no_such_card(request.page, request.panel, names)};
}

double printed_height(const FigureRequest& request, const Place& place) {
  return request.width_mm * static_cast<double>(place.part.h / place.part.w);
}

base::Result<Place> place_at(const FigureRequest& request, float wanted, const views::PageInput& in) {
  // Lay the page out as wide as the printed column. If the card takes only a part of the page's width, widen
  // the page.
  constexpr float margins = 24, most = 3;
  float width = wanted + (request.panel.empty() ? 0 : margins);
  for (;;) {
    const base::Result<Place> place = place_in(request, width, std::max(600.f, width), in);
    if (!place || place->wide >= 0.8f * wanted || width >= most * wanted) return place;
    width = std::min(most * wanted, width * 1.25f);
  }
}

/// Lays the figure out at its printed width with words of 6.5 to 8.3 points, or smaller ones, down to 5
/// points, if it would be higher than a printed page.
base::Result<Place> fitting_place(const FigureRequest& request, const views::PageInput& in) {
  const float wanted = std::max(300.f, static_cast<float>(request.width_mm / unit_mm));
  base::Result<Place> place = place_at(request, wanted, in);
  if (!place || printed_height(request, *place) <= page_mm) return place;
  for (const float wider : {1.1f, 1.2f, 1.3f}) {
    base::Result<Place> other = place_at(request, wanted * wider, in);
    if (other && printed_height(request, *other) <= page_mm) return other;
  }
  return place;
}

base::Result<Place> place_of(const FigureRequest& request, const views::PageInput& in) {
  if (request.width_mm <= 0 || request.sized) return place_in(request, request.width, request.height, in);
  base::Result<Place> place = fitting_place(request, in);
  if (!place || printed_height(request, *place) <= page_mm) return place;
  const auto mm = [](double value) { return std::to_string(std::lround(value)); };
  const auto larger = [&](double width_mm) {
    FigureRequest other = request;
    other.width_mm = width_mm;
    const base::Result<Place> there = fitting_place(other, in);
    return there && printed_height(other, *there) <= page_mm;
  };
  constexpr double page_wide = 170;
  const bool wider = request.width_mm < page_wide && larger(page_wide);
  const bool whole = request.panel.empty();
  if (request.parts.square)  // a larger width makes it higher
    return base::Error{"at a width of " + mm(request.width_mm) + " mm, with square cells, the card \"" +
                       request.panel + "\" is " + mm(printed_height(request, *place)) +
                       " mm high, more than the " + mm(page_mm) +
                       " mm of a printed page; choose a smaller width, or leave out --square"};
  return base::Error{"at a width of " + mm(request.width_mm) + " mm " +
                     (whole ? std::string("the page") : "the card " + scene::in_quotes(request.panel)) +
                     " is " + mm(printed_height(request, *place)) + " mm high, more than the " + mm(page_mm) +
                     " mm of a printed page; choose " + (wider ? "170 mm" : "") +
                     (wider && whole ? " or " : "") +
                     (whole   ? "one card of the page"
                      : wider ? ""
                              : "a larger width")};
}

/// Returns the tooltips of marks, as in the window.
figure::MarkWords words_of(const FigureRequest& request, const views::PageInput& in) {
  return [&in, page = request.page](const draw::Hit& hit) {
    return views::with_signs_explained(page_info(page).view.tooltip(in, hit));
  };
}

figure::FigureSpec spec_of(const FigureRequest& request, const Place& place, const views::PageInput& in) {
  figure::FigureSpec spec{.theme = in.theme, .part = place.part, .width_mm = request.width_mm};
  spec.scale = request.scale;
  spec.vision = static_cast<draw::Vision>(in.scene.colour_vision);
  if (request.width_mm > 0)
    spec.scale *= request.width_mm / mm_per_inch * dots_per_inch / static_cast<double>(place.part.w);
  spec.look = look_of(request, place.height);
  spec.title = std::string("Headlight: ") + page_info(request.page).room.title +
               (request.panel.empty() ? "" : ", " + request.panel);
  spec.scene = scene::scene_as_json(in.scene);
  spec.words = words_of(request, in);
  return spec;
}

figure::Paint paint_of(const FigureRequest& request, const Place& place, const views::PageInput& in) {
  return [&request, &place, &in](draw::Canvas& canvas) { drawn_height(canvas, request, place.page, in); };
}

base::Result<io::Image> pixels_of(const FigureRequest& request, const Place& place,
                                  const views::PageInput& in) {
  auto raster = figure::figure_pixels(spec_of(request, place, in), paint_of(request, place, in));
  if (!raster) return base::Error{raster.error()};
  return io::Image{raster->width, raster->height, 4, std::move(raster->rgba)};
}

}  // namespace

const std::vector<std::string>& part_names() {
  static const std::vector<std::string> names{"frame", "title", "selection", "hints"};
  return names;
}

base::Status leave_out(draw::FigureParts& parts, std::string_view words) {
  if (base::trimmed(words).empty())
    return base::Error{"no part is named; a figure has frame, title, selection, hints"};
  const std::array<bool*, 4> switches{&parts.frame, &parts.title, &parts.selection, &parts.hints};
  for (;;) {
    const std::size_t comma = words.find(',');
    const std::string word(base::trimmed(words.substr(0, comma)));
    const auto& names = part_names();
    const auto at = std::find(names.begin(), names.end(), word);
    if (at == names.end())
      return base::Error{scene::in_quotes(word) +
                         " is not a part of a figure; it has frame, title, selection, hints" +
                         scene::did_you_mean(word, names)};
    *switches[static_cast<std::size_t>(at - names.begin())] = false;
    if (comma == std::string_view::npos) return {};
    words.remove_prefix(comma + 1);
  }
}

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

base::Result<std::string> page_figure(const FigureRequest& request, FigureFormat format,
                                      const views::PageInput& shown) {
  // Messages about files on this computer must not be part of a figure.
  views::PageInput in = shown;
  if (in.training && !in.training->message.empty()) {
    auto quiet = std::make_shared<scene::TrainingSnapshot>(*in.training);
    quiet->message.clear();
    in.training = std::move(quiet);
  }
  const base::Result<Place> place = place_of(request, in);
  if (!place) return base::Error{place.error()};
  const figure::FigureSpec spec = spec_of(request, *place, in);
  if (format == FigureFormat::svg) return figure::svg_figure(spec, paint_of(request, *place, in));
  if (format == FigureFormat::pdf) return figure::pdf_figure(spec, paint_of(request, *place, in));
  base::Result<io::Image> image = pixels_of(request, *place, in);
  if (!image) return base::Error{image.error()};
  const double per_metre =
      request.width_mm > 0 ? 1000 * spec.scale * static_cast<double>(place->part.w) / request.width_mm : 0;
  return io::encode_png(*image, scene::png_metadata(in.scene), static_cast<unsigned>(std::lround(per_metre)));
}

base::Result<io::Image> page_pixels(const FigureRequest& request, const views::PageInput& in) {
  const base::Result<Place> place = place_of(request, in);
  if (!place) return base::Error{place.error()};
  return pixels_of(request, *place, in);
}

base::Result<FigureSize> figure_size(const FigureRequest& request, const views::PageInput& in) {
  const base::Result<Place> place = place_of(request, in);
  if (!place) return base::Error{place.error()};
  const figure::FigureSpec spec = spec_of(request, *place, in);
  const auto pixels = [&](float units) {
    return static_cast<int>(std::lround(static_cast<double>(units) * spec.scale));
  };
  FigureSize out{place->part.w, place->part.h, pixels(place->part.w), pixels(place->part.h)};
  if (request.width_mm > 0) out.wide_mm = request.width_mm, out.high_mm = printed_height(request, *place);
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

std::vector<figure::Panel> page_panels(const FigureRequest& request, const views::PageInput& in) {
  return figure::panels_of(
      [&](draw::Canvas& canvas) {
        drawn_height(canvas, request, {0, 0, request.width, request.height}, in);
      },
      look_of(request, 0));
}

}  // namespace headlight::app
