#include "ui/focus_layout.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headlight::app {

namespace {

using draw::Box;

constexpr double small_ones = 5;  // weight of small type against large type

/// Finds the cards as picking does, and records the size of every text.
class Listener final : public draw::Canvas {
 public:
  explicit Listener(draw::Canvas& measure) : pick_({-1e6f, -1e6f}, measure) {}

  struct Text {
    draw::Point at;
    float size;
    double letters;
    bool cut;
  };
  const draw::PickCanvas& pick() const { return pick_; }
  const std::vector<Text>& texts() const { return texts_; }

  void rect(Box box, draw::Color fill, float radius) override { pick_.rect(box, fill, radius); }
  void frame(Box box, draw::Stroke stroke, float radius) override { pick_.frame(box, stroke, radius); }
  void line(draw::Point a, draw::Point b, draw::Stroke stroke) override { pick_.line(a, b, stroke); }
  void polyline(std::span<const draw::Point> points, draw::Stroke stroke) override {
    pick_.polyline(points, stroke);
  }
  void polygon(std::span<const draw::Point> convex, draw::Color fill) override {
    pick_.polygon(convex, fill);
  }
  void curve(draw::Point a, draw::Point control_a, draw::Point control_b, draw::Point b,
             draw::Stroke stroke) override {
    pick_.curve(a, control_a, control_b, b, stroke);
  }
  void circle(draw::Point centre, float radius, draw::Color fill) override {
    pick_.circle(centre, radius, fill);
  }
  void ring(draw::Point centre, float radius, draw::Stroke stroke) override {
    pick_.ring(centre, radius, stroke);
  }
  void sector(draw::Point centre, float radius, float from, float to, draw::Color fill) override {
    pick_.sector(centre, radius, from, to, fill);
  }
  void text(draw::Point at, std::string_view words, const draw::TextStyle& style) override {
    const auto letters =
        std::count_if(words.begin(), words.end(), [](char c) { return (c & 0xc0) != 0x80 && c != ' '; });
    texts_.push_back({at, style.size, static_cast<double>(letters), words.ends_with("…")});
    pick_.text(at, words, style);
  }
  float text_width(std::string_view words, const draw::TextStyle& style) override {
    return pick_.text_width(words, style);
  }
  void heatmap(Box box, const draw::Heatmap& map) override { pick_.heatmap(box, map); }
  void push_clip(Box box) override { pick_.push_clip(box); }
  void pop_clip() override { pick_.pop_clip(); }
  void mark(const draw::Mark& mark) override { pick_.mark(mark); }
  void panel(Box box, std::string_view name, std::string_view title) override {
    pick_.panel(box, name, title);
  }

 private:
  draw::PickCanvas pick_;
  std::vector<Text> texts_;
};

/// Rates a layout: large type, little of it cut or left out, the area well filled, nothing beside it and
/// little below it, and cards that are not shown far smaller than they are laid out.
double how_good(const Legible& seen, Box room, double most_letters) {
  constexpr double cut_cost = 0.75, absent_cost = 0.4, empty_cost = 0.25, outside_cost = 20;
  // In a low room a card that goes on below it hides most of what a step speaks of.
  constexpr float low_room = 400;
  const double below_cost = room.h < low_room ? 6 : 2.5;
  constexpr double small_from = 0.85, small_cost = 3;
  const auto scale = static_cast<double>(closer_view(seen.box, room.w, room.h, 1).scale);
  const auto part = [&](float size, float of) {
    return static_cast<double>(size) * scale / static_cast<double>(of);
  };
  const double across = part(seen.box.w, room.w), down = part(seen.box.h, room.h);
  const double filled = part(seen.filled.w, room.w) * part(seen.filled.h, room.h);
  return std::max(1.0, seen.size) * scale * std::pow(cut_cost, seen.cut) *
         // A page with too little room leaves words and numbers out.
         std::pow(std::max(1.0, seen.letters) / most_letters, absent_cost) *
         // A picture has few words: its size counts too; that of an empty card does not.
         std::pow(std::clamp(filled, 0.01, 1.0), empty_cost) *
         std::pow(std::min(1.0, scale / small_from), small_cost) /
         std::pow(std::max(1.0, across), outside_cost) / std::pow(std::max(1.0, down), below_cost);
}

}  // namespace

Legible legible(const PageOverlay& overlay, const DrawPage& page, Box area, draw::Canvas& measure) {
  Listener listener(measure);
  page(listener, area);
  Legible out;
  const PageThings things{listener.pick().targets(), listener.pick().panels()};
  out.box = focus_box(overlay, things);
  const std::vector<Box> boxes = focus_boxes(overlay, things);
  double small = 0;
  draw::Point from{1e9f, 1e9f}, to{-1e9f, -1e9f};
  for (const Listener::Text& text : listener.texts()) {
    if (std::none_of(boxes.begin(), boxes.end(), [&](const Box& box) { return box.has(text.at); })) continue;
    small += text.letters / std::pow(static_cast<double>(text.size), small_ones);
    from = {std::min(from.x, text.at.x), std::min(from.y, text.at.y)};
    to = {std::max(to.x, text.at.x), std::max(to.y, text.at.y)};
    out.letters += text.letters;
    out.cut += text.cut ? 1 : 0;
  }
  if (small <= 0) return out;
  out.size = std::pow(out.letters / small, 1 / small_ones);
  out.filled = {from.x, from.y, to.x - from.x, to.y - from.y};
  return out;
}

std::vector<Box> layouts_for(Box room) {
  std::vector<Box> out = {room};
  if (room.w < 600) {  // the widths below would be drawn too small there
    for (const float width : {520.f, 440.f, 380.f}) {
      for (const float height : {1200.f, 760.f, 560.f, 420.f}) out.push_back({0, 0, width, height});
    }
  }
  // From one column of cards to the widest page whose type is still large.
  for (const float width : {1400.f, 1200.f, 1050.f, 900.f, 780.f, 680.f, 600.f}) {
    for (const float height : {1200.f, 1000.f, 760.f, 560.f}) out.push_back({0, 0, width, height});
  }
  return out;
}

Box focus_layout(const PageOverlay& overlay, const DrawPage& page, Box room, draw::Canvas& measure) {
  constexpr double gain = 1.03;  // factor by which another layout must be better than the area itself
  const std::vector<Box> layouts = layouts_for(room);
  std::vector<Legible> found;
  double most_letters = 1;
  for (const Box& layout : layouts) {
    found.push_back(legible(overlay, page, layout, measure));
    most_letters = std::max(most_letters, found.back().letters);
  }
  Box best = room;
  double best_score = 0;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    if (found[i].box.w <= 0) continue;
    const double score = how_good(found[i], room, most_letters);
    if (score > best_score * (i == 0 ? 1 : gain)) best = layouts[i], best_score = score;
  }
  return best;
}

}  // namespace headlight::app
