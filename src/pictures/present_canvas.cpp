#include "pictures/present_canvas.h"

#include <algorithm>
#include <numeric>

#include "draw/boxes.h"
#include "draw/turned.h"

namespace headlight::app {

namespace {

using draw::Box;
using draw::Point;

constexpr float cap = 0.39f, baseline_cap = 0.75f;  // em above the middle, above the baseline
constexpr float letter_height = 0.86f;              // em, from a capital's top to below the line
constexpr float edge = 2;                           // units that words keep from the card's edge

/// Do letters of one lie on letters of the other? The rims of their boxes may touch.
bool overlap(Box a, Box b) {
  constexpr float rim = 0.06f;
  const Box both = draw::common_part(a, b);
  const float slack_x = std::min(2.f, rim * std::min(a.w, b.w)), slack_y = rim * std::min(a.h, b.h);
  return both.w > slack_x && both.h > slack_y;
}

bool apart(Box a, Box b, float gap) {
  return a.x - gap >= b.right() || b.x - gap >= a.right() || a.y >= b.bottom() || b.y >= a.bottom();
}

int letters_in(std::string_view words) {
  return static_cast<int>(
      std::count_if(words.begin(), words.end(), [](char c) { return (c & 0xc0) != 0x80 && c != ' '; }));
}

}  // namespace

PresentCanvas::PresentCanvas(draw::Canvas& to, const Placing& placing) : to_(to), placing_(placing) {
  to_.push_clip(moved(placing_.part));
}

Point PresentCanvas::moved(Point p) const {
  return {p.x * placing_.scale + placing_.shift.x, p.y * placing_.scale + placing_.shift.y};
}
Box PresentCanvas::moved(Box box) const {
  const Point corner = moved(Point{box.x, box.y});
  return {corner.x, corner.y, box.w * placing_.scale, box.h * placing_.scale};
}
draw::Stroke PresentCanvas::moved(draw::Stroke stroke) const {
  stroke.width *= placing_.scale, stroke.dash *= placing_.scale;
  return stroke;
}
draw::TextStyle PresentCanvas::moved(draw::TextStyle style) const {
  style.size *= placing_.scale;
  return style;
}

bool PresentCanvas::seen(Box box) const {
  const Box inside = draw::common_part(box, placing_.part);
  return inside.w >= 0 && inside.h >= 0;
}

/// Only what the card shows counts: what lies outside of it, or is cut off, is not seen.
void PresentCanvas::inked(Box box) {
  Box part = draw::common_part(box, placing_.part);
  if (!clips_.empty()) part = draw::common_part(part, clips_.back());
  if (part.w < 0 || part.h < 0) return;
  if (ink_.w <= 0 && ink_.h <= 0) {
    ink_ = part;
    return;
  }
  const float right = std::max(ink_.right(), part.right()), bottom = std::max(ink_.bottom(), part.bottom());
  ink_.x = std::min(ink_.x, part.x), ink_.y = std::min(ink_.y, part.y);
  ink_.w = right - ink_.x, ink_.h = bottom - ink_.y;
}
void PresentCanvas::inked(std::span<const Point> points) {
  if (!points.empty()) inked(draw::bounds(points));
}

bool PresentCanvas::takes_head(std::string_view name, std::string_view title, std::string_view notes) {
  heads_.push_back({std::string(name), {std::string(title), std::string(notes)}});
  return true;
}
SlideHead PresentCanvas::head_of(std::string_view name) const {
  for (const auto& [card, head] : heads_) {
    if (card == name) return head;
  }
  return {};
}

void PresentCanvas::rect(Box box, draw::Color fill, float radius) {
  if (!seen(box) || is_card(box)) return;
  inked(box);
  to_.rect(moved(box), fill, radius * placing_.scale);
}
void PresentCanvas::frame(Box box, draw::Stroke stroke, float radius) {
  if (!seen(box) || is_card(box)) return;
  inked(box);
  to_.frame(moved(box), moved(stroke), radius * placing_.scale);
}
void PresentCanvas::line(Point a, Point b, draw::Stroke stroke) {
  const Box box{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x), std::abs(a.y - b.y)};
  if (!seen(box)) return;
  inked(box);
  to_.line(moved(a), moved(b), moved(stroke));
}
void PresentCanvas::polyline(std::span<const Point> points, draw::Stroke stroke) {
  inked(points);
  points_.clear();
  for (const Point p : points) points_.push_back(moved(p));
  to_.polyline(points_, moved(stroke));
}
void PresentCanvas::polygon(std::span<const Point> convex, draw::Color fill) {
  inked(convex);
  points_.clear();
  for (const Point p : convex) points_.push_back(moved(p));
  to_.polygon(points_, fill);
}
void PresentCanvas::curve(Point a, Point control_a, Point control_b, Point b, draw::Stroke stroke) {
  const Point ends[] = {a, b};
  inked(ends);
  to_.curve(moved(a), moved(control_a), moved(control_b), moved(b), moved(stroke));
}
void PresentCanvas::circle(Point centre, float radius, draw::Color fill) {
  const Box box{centre.x - radius, centre.y - radius, 2 * radius, 2 * radius};
  if (!seen(box)) return;
  inked(box);
  to_.circle(moved(centre), radius * placing_.scale, fill);
}
void PresentCanvas::ring(Point centre, float radius, draw::Stroke stroke) {
  const Box box{centre.x - radius, centre.y - radius, 2 * radius, 2 * radius};
  if (!seen(box)) return;
  inked(box);
  to_.ring(moved(centre), radius * placing_.scale, moved(stroke));
}
void PresentCanvas::sector(Point centre, float radius, float from, float to, draw::Color fill) {
  const Box box{centre.x - radius, centre.y - radius, 2 * radius, 2 * radius};
  if (!seen(box)) return;
  inked(box);
  to_.sector(moved(centre), radius * placing_.scale, from, to, fill);
}
void PresentCanvas::heatmap(Box box, const draw::Heatmap& map) {
  if (!seen(box)) return;
  maps_.push_back(box);
  inked(box);
  to_.heatmap(moved(box), map);
}
void PresentCanvas::push_clip(Box box) {
  clips_.push_back(clips_.empty() ? box : draw::common_part(box, clips_.back()));
  to_.push_clip(moved(box));
}
void PresentCanvas::pop_clip() {
  clips_.pop_back();
  to_.pop_clip();
}
void PresentCanvas::mark(const draw::Mark& mark) {
  draw::Mark there = mark;
  mark_ = mark.area.w > 0 ? draw::Mark{} : mark;
  if (mark.area.w > 0) {
    // Of what is scrolled away or stands beside the card nothing is left.
    const Box inside = draw::common_part(mark.area, placing_.part);
    if (inside.w <= 0 || inside.h <= 0) return to_.mark({});
    there.area = moved(inside);
  }
  to_.mark(there);
}
void PresentCanvas::panel(Box box, std::string_view name, std::string_view title) {
  to_.panel(moved(box), name, title);
}

float PresentCanvas::size_of(const draw::TextStyle& style) const {
  return std::max(placing_.least, std::min(style.size, placing_.most));
}
float PresentCanvas::text_width(std::string_view words, const draw::TextStyle& style) {
  draw::TextStyle look = style;
  look.size = size_of(style);
  return to_.text_width(words, moved(look)) / placing_.scale;
}

/// Along its line and across it, from its anchor.
Box PresentCanvas::letters_box(const Text& text) {
  const draw::TextStyle& style = text.style;
  const float width = text_width(text.words, style), height = letter_height * style.size;
  float along = 0, across = 0;
  if (style.align == draw::Align::centre) along = -width / 2;
  if (style.align == draw::Align::right) along = -width;
  if (style.valign == draw::VAlign::baseline) across = -baseline_cap * style.size;
  if (style.valign == draw::VAlign::middle) across = -cap * style.size;
  return {along, across, width, height};
}

void PresentCanvas::text(Point at, std::string_view words, const draw::TextStyle& style) {
  if (words.empty() || style.color.a == 0) return;
  Text text{at, std::string(words), style, {}, {}, clips_.empty() ? Box{} : clips_.back(), style.size, -1,
            {}};
  text.style.size = size_of(style);
  text.letters = letters_box(text);
  text.box = draw::bounds(draw::turned(at, text.letters, style.turn));
  if (!placing_.part.has(text.box.centre())) return;
  // What grew over the card's edge is moved back.
  const Box inner = placing_.part.inset(edge);
  const float right = std::min(0.f, inner.right() - text.box.right()), left = inner.x - text.box.x;
  const float across = left > 0 ? left : right;
  const float below = std::min(0.f, inner.bottom() - text.box.bottom()), above = inner.y - text.box.y;
  const float down = above > 0 ? above : below;
  text.at.x += across, text.box.x += across, text.at.y += down, text.box.y += down;
  for (std::size_t i = 0; i < maps_.size() && style.font == draw::Font::mono; ++i) {
    if (maps_[i].has(text.box.centre())) text.map = static_cast<int>(i);
  }
  if (style.turn != 0) text.mark = mark_;
  texts_.push_back(std::move(text));
}

bool PresentCanvas::inside(const Text& text) const {
  const Box inner = placing_.part.inset(edge / 2);
  return text.box.x >= inner.x && text.box.right() <= inner.right();
}

bool PresentCanvas::same_row(const Text& a, const Text& b) const {
  constexpr float apart = 0.5f;  // units
  return a.style.turn == 0 && b.style.turn == 0 && std::abs(a.box.centre().y - b.box.centre().y) < apart;
}

/// What the view lays over each other at its own size is meant so.
bool PresentCanvas::in_the_way(const Text& a, const Text& b) const {
  // Two numbers are not one; between those of a map is the edge of their cells.
  const bool cells = a.map >= 0 && a.map == b.map;
  const float gap = (cells ? 0.15f : 0.3f) * a.style.size;
  if (apart(a.box, b.box, gap) || (a.style.size <= a.wanted && b.style.size <= b.wanted)) return false;
  Box wider = a.box;
  if (a.style.font == draw::Font::mono && b.style.font == draw::Font::mono && same_row(a, b)) {
    wider.x -= gap, wider.w += 2 * gap;
  }
  if (a.style.turn == b.style.turn && (a.style.turn == 0 || a.style.turn == draw::upwards))
    return overlap(wider, b.box);
  constexpr float rim = 0.06f;
  const draw::Corners one = draw::turned(a.at, a.letters, a.style.turn),
                      other = draw::turned(b.at, b.letters, b.style.turn);
  return draw::overlap(one, other, rim * std::min(a.letters.h, b.letters.h));
}

std::vector<bool> PresentCanvas::chosen() const {
  std::vector<std::size_t> order(texts_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Large words first, titles before labels and labels before numbers: they find room.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return texts_[a].wanted > texts_[b].wanted; });
  std::vector<bool> written(texts_.size(), false), refused(texts_.size(), false);
  std::vector<bool> bare(maps_.size(), false);
  const auto refuse = [&](std::size_t i) {
    refused[i] = true, written[i] = false;
    if (texts_[i].map >= 0) bare[static_cast<std::size_t>(texts_[i].map)] = true;
  };
  for (const std::size_t i : order) {
    if (refused[i]) continue;
    const Text& text = texts_[i];
    bool beside = inside(text), row = true;  // room among those of its row; for the whole row
    for (std::size_t j = 0; j < texts_.size() && (beside || row); ++j) {
      if (!written[j] || !in_the_way(text, texts_[j])) continue;
      beside = false;
      row = row && same_row(text, texts_[j]);
    }
    written[i] = beside;
    if (beside) continue;
    refuse(i);
    // A row without its name, or a name without its row, says something else.
    for (std::size_t j = 0; j < texts_.size() && !row; ++j) {
      if (same_row(text, texts_[j])) refuse(j);
    }
  }
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (texts_[i].map >= 0 && bare[static_cast<std::size_t>(texts_[i].map)]) written[i] = false;
  }
  return written;
}

void PresentCanvas::finish() {
  to_.pop_clip();
  const std::vector<bool> written = chosen();
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const Text& text = texts_[i];
    const int letters = letters_in(text.words);
    if (!written[i]) {
      left_out_ += letters;
      continue;
    }
    letters_ += letters;
    inked(text.clip.w > 0 ? draw::common_part(text.box, text.clip) : text.box);
    cut_ += text.words.ends_with("…") ? 1 : 0;
    if (text.clip.w > 0) to_.push_clip(moved(draw::common_part(text.clip, placing_.part)));
    if (text.mark.part != draw::Part::none) to_.mark(text.mark);
    to_.text(moved(text.at), text.words, moved(text.style));
    if (text.mark.part != draw::Part::none) to_.mark({});
    if (text.clip.w > 0) to_.pop_clip();
  }
}

}  // namespace headlight::app
