#include "kit/clock_face.h"

#include <cmath>
#include <numbers>

namespace headlight::views {

namespace {

constexpr double pi = std::numbers::pi;

}  // namespace

double logarithmic_speed(double omega, double fastest) {
  return fastest / (1 + std::log(fastest / omega));
}

void clock_face(const Pen& pen, const ClockFace& face) {
  const draw::Theme& theme = pen.theme;
  const draw::Point c = face.centre;
  const double r = static_cast<double>(face.radius);
  pen.canvas.circle(c, face.radius, theme.field);
  const double hand = hand_angle(face.position, face.omega);
  const double swept = face.offset * face.omega;
  if (face.offset != 0) {
    const double rest = std::fmod(swept, 2 * pi);  // keeps the sign
    const float inner = face.radius * 0.72f;
    if (std::abs(swept) >= 2 * pi) pen.canvas.circle(c, inner, draw::faded(theme.offset, 0.14f));
    // sector() counts from the right, a hand from upright. It draws from the smaller to the larger angle.
    const double start = hand - pi / 2, end = start + rest;
    pen.canvas.sector(c, inner, static_cast<float>(std::min(start, end)),
                      static_cast<float>(std::max(start, end)), draw::faded(theme.offset, 0.26f));
  }
  const draw::Color rim = face.chosen ? theme.accent : face.lit ? theme.text : theme.border;
  pen.canvas.ring(c, face.radius, {rim, face.chosen || face.lit ? 2.f : 1.f});
  // Quarter ticks: where sine or cosine is ±1.
  for (int quarter = 0; quarter < 4; ++quarter) {
    const double angle = quarter * pi / 2;
    pen.canvas.line(hand_end(c, r - 4, angle), hand_end(c, r - 1.5, angle), {theme.dim, 1});
  }
  const float width = std::clamp(face.radius / 14, 2.f, 4.f);
  if (face.offset != 0) {
    pen.canvas.line(c, hand_end(c, r * 0.8, hand + swept), {theme.offset, width * 0.75f});
  }
  pen.canvas.line(c, hand_end(c, r * 0.86, hand), {theme.key, width});
  pen.canvas.circle(c, std::clamp(face.radius / 11, 2.5f, 5.f), theme.text);
}

double hand_angle(double position, double omega) {
  return std::remainder(position * omega, 2 * pi);
}

draw::Point hand_end(draw::Point centre, double radius, double angle) {
  return {centre.x + static_cast<float>(radius * std::sin(angle)),
          centre.y - static_cast<float>(radius * std::cos(angle))};
}

}  // namespace headlight::views
