#include "pages/training/view/page.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kit/columns.h"
#include "kit/page_input.h"
#include "pages/training/view/cards.h"

namespace headlight::views {

namespace {

constexpr float two_columns = 900;  // from this width on cards stand side by side
constexpr float least_map = 392, low_map = 330, least_plot = 190, low_plot = 150, roomy_plot = 230,
                large_plot = 360;
constexpr float around_map = 120;  // title, controls and bar of the card of the map

/// Where the window is low: the map or the losses, with the choice in the corner of either.
void map_or_losses(const TrainingView& view, Box place, const FilmPlan& film) {
  using B = scene::TrainingBeside;
  const B chosen = view.settings.beside;
  const std::array<Choice, 2> choices = {
      Choice{"map", "training_beside=map", "beside map", chosen == B::map, "the map of the chosen head"},
      Choice{"losses", "training_beside=losses", "beside losses", chosen == B::losses, "losses and scores"}};
  if (chosen == B::map) {
    training_map_card(view, place, film, choices);
  } else {
    training_curves_card(view, place, choices);
  }
}

/// The film with its map large beside it, the losses below them; where that is higher than the window, the
/// choice of what is beside it. `later_room`: the height of a screen after the first.
float beside(const TrainingView& view, Box rest, float window_bottom, float later_room) {
  const float room = window_bottom - card_gap - rest.y;
  const bool wide_maps = view.snapshot.runs.size() > 1 && rest.w >= 1600;
  const float right = std::round(std::clamp(rest.w * (wide_maps                 ? 0.5f
                                                      : view.pen.canvas.plain() ? 0.345f
                                                                                : 0.27f),
                                            412.f, wide_maps ? 1900.f : 1100.f));
  const float left = rest.w - right - card_gap;
  const bool large = !view.pen.canvas.plain() && rest.w >= columns_from - 2 * card_gap;
  const float plot = std::clamp(room * 0.15f, low_plot, large_plot);
  const float curves = training_losses_height(view, rest.w, large ? plot : least_plot);
  const float film = plan_film(view, 0).height, least = std::max(least_map, film);
  const bool low = room < least + card_gap + curves;
  // In a large window the film and its map have what they need, and the losses the rest below them.
  const float largest = std::max(plan_film(view, 1e6f).height, right + around_map);
  const float shown = large ? std::min(largest, room - card_gap - curves) : room * 0.62f;
  float top = std::max(least, std::min(shown, room - curves - card_gap));
  if (low) {
    const bool losses = view.settings.beside == scene::TrainingBeside::losses;
    top = std::max({film, room,
                    losses ? training_curves_height(view, right, low_plot) + control_height + 8
                           : std::min(low_map, std::max(film, room))});
  }
  top = std::floor(top);
  Box row = rest.cut_top(top);
  const FilmPlan plan = plan_film(view, top);
  training_film_card(view, row.cut_left(left), plan);
  row.cut_left(card_gap);
  if (low) {  // the other one of the two is below
    map_or_losses(view, row, plan);
    rest.cut_top(card_gap);
    if (view.settings.beside == scene::TrainingBeside::map) {
      training_losses(view, rest.cut_top(std::max(curves, later_room)));
    } else {
      float height = std::max(least_map, later_room);
      const float printed = std::round(rest.w * 0.44f);
      if (training_has_printed(view)) height = std::max(height, training_printed_height(view, printed));
      Box below = rest.cut_top(height);
      if (training_has_printed(view)) {
        training_printed_card(view, below.cut_right(printed));
        below.cut_right(card_gap);
      }
      training_map_card(view, below, plan);
    }
    return rest.y;
  }
  training_map_card(view, row, plan);
  rest.cut_top(card_gap);
  training_losses(view, rest.cut_top(std::floor(std::max(curves, room - top - card_gap))));
  return rest.y;
}

float stacked(const TrainingView& view, Box rest, float window_bottom) {
  constexpr float usual = 340, of_all_runs = 420;
  const auto planned = [&](float wanted) {
    return plan_film(view, hero_height(view.pen, window_bottom - card_gap - rest.y, wanted, 0));
  };
  FilmPlan film = planned(of_all_runs);
  if (!film.all_runs) film = planned(usual);
  training_film_card(view, rest.cut_top(film.height), film);
  rest.cut_top(card_gap);
  training_losses(view, rest.cut_top(training_losses_height(view, rest.w, roomy_plot)));
  rest.cut_top(card_gap);
  training_map_card(view, rest.cut_top(std::clamp(rest.w * 0.8f, least_map, 620.f)), film);
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
    bottom = beside(view, rest, area.bottom(), area.h - 2 * card_gap);
  } else {
    bottom = stacked(view, rest, area.bottom());
  }
  return std::max(area.h, std::ceil(bottom + card_gap - area.y));
}

}  // namespace headlight::views
