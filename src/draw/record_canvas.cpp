#include "draw/record_canvas.h"

#include <cstdio>

#include "base/numbers.h"
#include "base/utf8.h"

namespace headlight::draw {

namespace {

/// One decimal is enough to detect a move, and coarse enough to ignore harmless rounding differences between
/// compilers.
std::string number(float v) {
  return base::with_hyphen(base::fixed(static_cast<double>(v), 1));
}
std::string words(Point p) {
  return number(p.x) + " " + number(p.y);
}
std::string words(Box b) {
  return number(b.x) + " " + number(b.y) + " " + number(b.w) + " " + number(b.h);
}
std::string words(Color c) {
  char out[16];
  std::snprintf(out, sizeof out, "%02x%02x%02x%02x", c.r, c.g, c.b, c.a);
  return out;
}
std::string words(Stroke s) {
  return words(s.color) + " " + number(s.width) + (s.dash > 0 ? " dash " + number(s.dash) : "");
}

float advance(const TextStyle& style) {
  const float em = style.font == Font::mono ? 0.6f : style.font == Font::semibold ? 0.58f : 0.55f;
  return em * style.size;
}

}  // namespace

void RecordCanvas::rect(Box box, Color fill, float radius) {
  lines.push_back("rect " + words(box) + " " + words(fill) + " " + number(radius));
}
void RecordCanvas::frame(Box box, Stroke stroke, float radius) {
  lines.push_back("frame " + words(box) + " " + words(stroke) + " " + number(radius));
}
void RecordCanvas::line(Point a, Point b, Stroke stroke) {
  lines.push_back("line " + words(a) + " " + words(b) + " " + words(stroke));
}
void RecordCanvas::polyline(std::span<const Point> points, Stroke stroke) {
  std::string out = "polyline " + words(stroke);
  for (Point p : points) out += " " + words(p);
  lines.push_back(out);
}
void RecordCanvas::polygon(std::span<const Point> convex, Color fill) {
  std::string out = "polygon " + words(fill);
  for (Point p : convex) out += " " + words(p);
  lines.push_back(out);
}
void RecordCanvas::curve(Point a, Point control_a, Point control_b, Point b, Stroke stroke) {
  lines.push_back("curve " + words(a) + " " + words(control_a) + " " + words(control_b) + " " + words(b) +
                  " " + words(stroke));
}
void RecordCanvas::circle(Point centre, float radius, Color fill) {
  lines.push_back("circle " + words(centre) + " " + number(radius) + " " + words(fill));
}
void RecordCanvas::ring(Point centre, float radius, Stroke stroke) {
  lines.push_back("ring " + words(centre) + " " + number(radius) + " " + words(stroke));
}
void RecordCanvas::sector(Point centre, float radius, float from, float to, Color fill) {
  char angles[64];
  std::snprintf(angles, sizeof angles, "%.4f %.4f", static_cast<double>(from), static_cast<double>(to));
  lines.push_back("sector " + words(centre) + " " + number(radius) + " " + angles + " " + words(fill));
}

void RecordCanvas::text(Point at, std::string_view stated, const TextStyle& style) {
  const float width = text_width(stated, style), height = style.size;
  float along = 0, across = 0;  // from the anchor to the start of the line, to the top of the capitals
  if (style.align == Align::centre) along = -width / 2;
  if (style.align == Align::right) along = -width;
  if (style.valign == VAlign::baseline) across = -0.75f * height;
  if (style.valign == VAlign::middle) across = -0.39f * height;
  const Corners corners = turned(at, Box{along, across, width, height}, style.turn);
  texts.push_back({at, std::string(stated), style, bounds(corners), corners});
  static constexpr const char* fonts[] = {"sans", "semibold", "mono"};
  lines.push_back("text " + words(at) + " \"" + std::string(stated) + "\" " + number(style.size) + " " +
                  fonts[static_cast<int>(style.font)] + " " + words(style.color) +
                  (style.turn == 0         ? std::string()
                   : style.turn == upwards ? " upwards"
                                           : " turned " + number(style.turn)));
}

float RecordCanvas::text_width(std::string_view stated, const TextStyle& style) {
  int characters = 0;
  for (std::size_t at = 0; at < stated.size();) {
    const base::CodePoint c = base::decode(stated, at);
    characters += c.value < 0x2066 || c.value > 0x2069 ? 1 : 0;  // isolates have no width
    at += c.bytes;
  }
  return advance(style) * static_cast<float>(characters);
}

void RecordCanvas::heatmap(Box box, const Heatmap& map) {
  maps.push_back({box, map});
  lines.push_back("heatmap " + words(box) + " " + std::to_string(map.rows) + "x" + std::to_string(map.cols) +
                  " [" + number(map.lo) + ", " + number(map.hi) + "]" +
                  (map.decades > 0 ? " log " + number(map.decades) : "") +
                  (map.transposed ? " transposed" : "") + (map.view.w > 0 ? " view " + words(map.view) : ""));
}

void RecordCanvas::push_clip(Box box) {
  lines.push_back("clip " + words(box));
}
void RecordCanvas::pop_clip() {
  lines.push_back("unclip");
}

void RecordCanvas::mark(const Mark& mark) {
  if (mark.part == Part::none) return;
  marks.push_back(mark);
  lines.push_back("mark " + std::to_string(static_cast<int>(mark.part)) + " " + std::to_string(mark.head) +
                  " " + std::to_string(mark.query) + " " + std::to_string(mark.key) +
                  (mark.name.empty() ? "" : " name \"" + mark.name + "\"") +
                  (mark.set.empty() ? "" : " set \"" + mark.set + "\"") +
                  (mark.note.empty() ? "" : " note \"" + mark.note + "\""));
}

}  // namespace headlight::draw
