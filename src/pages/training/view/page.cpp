#include "pages/training/view/page.h"

#include <algorithm>
#include <cmath>

#include "kit/page_input.h"
#include "pages/training/view/cards.h"

namespace headlight::views {

using draw::Box;

namespace {

constexpr float two_columns = 900;  // from this width on the map stands beside the losses
constexpr float least_top = 372, least_map = 392, least_plot = 190, roomy_plot = 230;

/// Losses, the map, the film: the film takes what its rows want, up to half; the rest is for the others.
float beside(const TrainingView& view, Box rest, float window_bottom) {
  const float room = window_bottom - card_gap - rest.y;
  const bool wide_maps = view.snapshot.runs.size() > 1 && rest.w >= 1600;
  const float right =
      std::round(std::clamp(rest.w * (wide_maps ? 0.5f : 0.345f), 412.f, wide_maps ? 1900.f : 1100.f));
  const float left = rest.w - right - card_gap;
  const float least = std::max(least_top, training_curves_height(view, left, least_plot));
  const FilmPlan film = plan_film(view, std::min(room * 0.45f, room - least - card_gap));
  const float top = std::max(least, room - film.height - card_gap);
  Box row = rest.cut_top(std::floor(top));
  rest.cut_top(card_gap);
  training_curves_card(view, row.cut_left(left));
  row.cut_left(card_gap);
  training_map_card(view, row);
  training_film_card(view, rest.cut_top(film.height), film);
  return rest.y;
}

float stacked(const TrainingView& view, Box rest) {
  const float curves = training_curves_height(view, rest.w, roomy_plot);
  training_curves_card(view, rest.cut_top(curves));
  rest.cut_top(card_gap);
  training_map_card(view, rest.cut_top(std::clamp(rest.w * 0.8f, least_map, 620.f)));
  rest.cut_top(card_gap);
  const FilmPlan film = plan_film(view, 340);
  training_film_card(view, rest.cut_top(film.height), film);
  return rest.y;
}

}  // namespace

std::string training_question(const PageInput&) {
  return "How does a head learn this?";
}

float training_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const TrainingView view(canvas, in);
  Box rest = area.inset(card_gap);
  rest.h = 1e6f;
  const Box header = rest.cut_top(std::ceil(training_header(view, rest, false)));
  training_header(view, header, true);
  rest.cut_top(card_gap);
  float bottom = 0;
  if (!view.has_runs()) {
    const float height =
        std::max(area.bottom() - card_gap - rest.y, std::ceil(training_welcome_height(view, rest.w)));
    training_welcome_card(view, rest.cut_top(height));
    bottom = rest.y;
  } else if (area.w >= two_columns) {
    bottom = beside(view, rest, area.bottom());
  } else {
    bottom = stacked(view, rest);
  }
  return std::max(area.h, std::ceil(bottom + card_gap - area.y));
}

}  // namespace headlight::views
