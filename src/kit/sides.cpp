#include "kit/sides.h"

#include <algorithm>
#include <cmath>

namespace headlight::views {

draw::Color side_color(const draw::Theme& theme, WhichSide which) {
  return draw::color_of(theme, draw::Colormap::signed_weight, which == WhichSide::a ? 0.7f : -0.7f, -1, 1);
}

void side_badge(const Pen& pen, draw::Point centre, WhichSide which) {
  const draw::Color color = side_color(pen.theme, which);
  // On a slide the letter is larger, and so is the disc.
  pen.canvas.circle(centre, std::clamp(0.75f * pen.canvas.least_text(), 9.f, 12.f), color);
  pen.canvas.text(centre, which == WhichSide::a ? "A" : "B",
                  aligned(strong_style(draw::readable_on(color), 12), draw::Align::centre));
}

int decimals_to_subtract(double a, double b, int decimals) {
  constexpr int most_more = 6;
  for (int places = decimals; places <= decimals + most_more; ++places) {
    const double unit = std::pow(10.0, places);
    const double left = std::round(a * unit), right = std::round(b * unit);
    if (left - right == std::round((a - b) * unit)) return places;
  }
  return decimals;  // also for numbers that are not finite
}

std::string difference_text(double a, double b, int decimals) {
  const std::string words = signed_text(a - b, decimals);
  return decimals_to_subtract(a, b, decimals) > decimals ? "≈ " + words : words;
}

bool cells_round_apart(std::span<const float> a, std::span<const float> b, SideDecimals decimals) {
  const double unit = std::pow(10.0, decimals.of_sides), own = std::pow(10.0, decimals.of_difference);
  constexpr double same = 1e-9;  // as numbers of few decimals
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const auto left = static_cast<double>(a[i]), right = static_cast<double>(b[i]);
    const double written = (std::round(left * unit) - std::round(right * unit)) / unit;
    if (std::abs(std::round((left - right) * own) / own - written) > same) return true;
  }
  return false;
}

}  // namespace headlight::views
