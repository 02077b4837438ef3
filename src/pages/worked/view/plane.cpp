#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "draw/boxes.h"
#include "kit/plot.h"
#include "pages/worked/view/view.h"

namespace headlight::views {

namespace {

Point on(const Plot& plane, Point value) {
  return plane.at(double(value.x), double(value.y));
}

void draw_arrow(const WorkedView& view, const Plot& plane, Point tip, Color color, float width) {
  const Point from = plane.at(0, 0), to = on(plane, tip);
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  if (length < 2) {
    view.canvas().circle(from, width + 2, color);
    return;
  }
  const float ux = (to.x - from.x) / length, uy = (to.y - from.y) / length,
              head = std::min(6 + 2 * width, length);
  view.canvas().line(from, {to.x - ux * head * 0.8f, to.y - uy * head * 0.8f}, {color, width});
  const float side = head * 0.42f;
  const std::array<Point, 3> tip_shape = {to,
                                          Point{to.x - ux * head - uy * side, to.y - uy * head + ux * side},
                                          Point{to.x - ux * head + uy * side, to.y - uy * head - ux * side}};
  view.canvas().polygon(tip_shape, color);
}

/// Does the line from a to b pass through the box?
bool crosses(const Box& box, Point a, Point b) {
  float from = 0, to = 1;
  const auto cut = [&](float start, float along, float low, float high) {
    if (along == 0) return start >= low && start <= high;
    const float one = (low - start) / along, other = (high - start) / along;
    from = std::max(from, std::min(one, other)), to = std::min(to, std::max(one, other));
    return from <= to;
  };
  return cut(a.x, b.x - a.x, box.x, box.right()) && cut(a.y, b.y - a.y, box.y, box.bottom());
}

/// Names beside the tips: of the places around a tip that no other name has, the first that the fewest arrows
/// and axes cross, beyond the tip before beside it; none when all are taken.
struct Names {
  const WorkedView& view;
  const Plot& plane;
  std::vector<Point> tips = {};  // of all arrows, on the screen
  std::vector<Box> taken = {};

  void put_name(Point tip, const std::string& words, Color color) {
    const draw::TextStyle style = aligned(strong_style(color, 12), Align::centre);
    const float w = view.canvas().text_width(words, style) + 4;
    const Point p = on(plane, tip), zero = plane.at(0, 0);
    const float length = std::hypot(p.x - zero.x, p.y - zero.y);
    const double ahead =
        length > 1 ? std::atan2(static_cast<double>(p.y - zero.y), static_cast<double>(p.x - zero.x)) : -0.8;
    Box best;
    int fewest = 1000;
    for (const float distance : {14.f, 22.f, 34.f}) {
      for (const double turn : {0.0, 0.8, -0.8, 1.6, -1.6, 2.4, -2.4}) {
        const auto dx = static_cast<float>(std::cos(ahead + turn)),
                   dy = static_cast<float>(std::sin(ahead + turn));
        const Point c{p.x + dx * (distance + w / 4), p.y + dy * distance};
        const Box box{c.x - w / 2, c.y - 8, w, 16};
        if (box.x < plane.box.x || box.right() > plane.box.right() || box.y < plane.box.y ||
            box.bottom() > plane.box.bottom() ||
            std::any_of(taken.begin(), taken.end(),
                        [&](const Box& other) { return draw::boxes_overlap(box, other); }))
          continue;
        auto hits = static_cast<int>(
            std::count_if(tips.begin(), tips.end(), [&](Point other) { return crosses(box, zero, other); }));
        hits += (box.x < zero.x && box.right() > zero.x) || (box.y < zero.y && box.bottom() > zero.y) ? 1 : 0;
        if (hits < fewest) best = box, fewest = hits;
      }
    }
    if (best.w <= 0) return;
    taken.push_back(best);
    view.canvas().text(best.centre(), words, style);
  }
};

Point row_of(const nn::Matrix& m, int row) {
  return {m.at(row, 0), m.at(row, 1)};
}

/// The square that answers to the pointer, when the arrow has a vector x to come from.
void mark_drag(const WorkedView& view, const Plot& plane) {
  const bool query = view.in.scene.worked.hand == scene::WorkedHand::query;
  Mark mark;
  mark.area = plane.box, mark.query = view.token, mark.from = static_cast<float>(plane.from_x),
  mark.to = static_cast<float>(plane.to_x);
  mark.name = "plane";
  if (query ? view.results.q_moves_x : view.results.k_moves_x) {
    const auto& m = query ? view.results.q_to_x : view.results.k_to_x;
    char set[160];
    std::snprintf(set, sizeof set, "worked_x * %.9g %.9g %.9g %.9g", m[0], m[1], m[2], m[3]);
    mark.part = Part::plane, mark.set = set;
    mark.note = "drag " + indexed(query ? "q" : "k", view.token) + ": " + indexed("x", view.token) +
                " changes, and with it " + indexed(query ? "k" : "q", view.token) + " and " +
                indexed("v", view.token);
  } else {
    mark.part = Part::note;
    mark.note =
        std::string(query ? "W_Q" : "W_K") +
        " has no inverse: not every arrow corresponds to exactly one x, so this one cannot be dragged";
  }
  view.canvas().mark(mark);
}

/// From each key's tip straight to the line of the query: the shorter the shadow, the smaller q · k.
void draw_shadows(const WorkedView& view, const Plot& plane, Point q) {
  const float square = q.x * q.x + q.y * q.y;
  if (square < 1e-9f) return;
  for (int j = 0; j < view.T(); ++j) {
    const Point k = row_of(view.results.trace.k, j);
    const float part = (q.x * k.x + q.y * k.y) / square;
    const Point foot{q.x * part, q.y * part};
    if (!plane.holds(double(k.x), double(k.y)) || !plane.holds(double(foot.x), double(foot.y))) continue;
    view.canvas().line(on(plane, k), on(plane, foot), {draw::faded(view.theme().key, 0.7f), 1, 3});
    view.canvas().circle(on(plane, foot), 2.5f, view.theme().key);
  }
}

void draw_plane(const WorkedView& view, const Plot& plane) {
  const draw::Theme& theme = view.theme();
  mark_drag(view, plane);
  plane_grid(view.pen, plane);
  view.canvas().push_clip(plane.box);
  const Point q = row_of(view.results.trace.q, view.token);
  draw_shadows(view, plane, q);
  for (int j = 0; j < view.T(); ++j) draw_arrow(view, plane, row_of(view.results.trace.k, j), theme.key, 3);
  draw_arrow(view, plane, q, theme.query, 1.6f);
  view.canvas().pop_clip();
  Names names{view, plane};
  names.tips.push_back(on(plane, q));
  for (int j = 0; j < view.T(); ++j) {
    const Point k = row_of(view.results.trace.k, j);
    names.tips.push_back(on(plane, k));
  }
  if (plane.holds(double(q.x), double(q.y))) names.put_name(q, indexed("q", view.token), theme.query);
  for (int j = 0; j < view.T(); ++j) {
    const Point k = row_of(view.results.trace.k, j);
    if (plane.holds(double(k.x), double(k.y))) names.put_name(k, indexed("k", j), theme.key);
  }
  view.canvas().mark({});
}

/// Beside the plane: what the arrows amount to.
void draw_amounts(const WorkedView& view, Box box) {
  const draw::Theme& theme = view.theme();
  const nn::AttentionTrace& t = view.results.trace;
  const draw::TextStyle head = words_style(theme.dim, small_size);
  Box line = box.cut_top(18);
  put(view.pen, {line.x, line.centre().y}, indexed("q", view.token) + " with", head, line.w * 0.4f);
  put(view.pen, {line.x + line.w * 0.62f, line.centre().y}, "q · k", aligned(head, Align::right),
      line.w * 0.3f);
  put(view.pen, {line.right(), line.centre().y}, "weight", aligned(head, Align::right), line.w * 0.36f);
  int outside = 0;
  const float reach = static_cast<float>(view.in.scene.worked.reach);
  for (int j = 0; j < view.T(); ++j) {
    line = box.cut_top(20);
    const float y = line.centre().y;
    put(view.pen, {line.x, y}, indexed("k", j), strong_style(theme.key, 12), line.w * 0.3f);
    const bool blocked = !t.allowed[static_cast<std::size_t>(view.token)].has(j);
    put(view.pen, {line.x + line.w * 0.62f, y},
        worked_number(static_cast<double>(view.results.products.at(view.token, j))),
        aligned(mono_style(theme.text, 12), Align::right), line.w * 0.4f);
    put(view.pen, {line.right(), y},
        blocked ? "masked" : weight_text(static_cast<double>(t.weights.at(view.token, j))),
        aligned(mono_style(theme.text, 12), Align::right), line.w * 0.36f);
    const Point k = row_of(t.k, j);
    outside += std::abs(k.x) > reach || std::abs(k.y) > reach ? 1 : 0;
  }
  const Point q = row_of(t.q, view.token);
  outside += std::abs(q.x) > reach || std::abs(q.y) > reach ? 1 : 0;
  if (outside == 0 || box.h < 36) return;
  box.cut_top(6);
  for (const std::string& words :
       wrap(view.pen, std::to_string(outside) + " outside: increase the range of the plane", head, box.w, 2))
    put(view.pen, {box.x, box.cut_top(15).centre().y}, words, head, box.w);
}

}  // namespace

void plane_card(const WorkedView& view, Box box) {
  const bool flat = view.results.trace.d_k == 2;
  const auto hand = view.in.scene.worked.hand;
  const std::array<Choice, 2> hands{
      Choice{"drag q", "worked_hand=query", "drag q", hand == scene::WorkedHand::query,
             "the pointer moves the query’s arrow"},
      Choice{"drag k", "worked_hand=key", "drag k", hand == scene::WorkedHand::key,
             "the pointer moves the key’s arrow"}};
  const float controls = flat ? segmented_width(view.pen, hands) : 0;
  Box inside =
      card(view.pen, box,
           {"Arrows in the plane",
            flat ? "q · k is the key’s projection on the query, times the query’s length" : "", controls},
           "plane");
  if (!flat) {
    placeholder(view.pen, inside, "Arrows need d_k = 2",
                "W_Q and W_K have " + std::to_string(view.results.trace.d_k) +
                    (view.results.trace.d_k == 1 ? " column" : " columns"));
    return;
  }
  segmented(view.pen, card_corner(box), hands);
  // Which token asks.
  const bool chosen = !view.canvas().plain();  // on paper and on a slide nobody presses them
  Box chips = inside.cut_top(chosen ? control_height : 0);
  float x = chips.x;
  for (int t = 0; chosen && t < view.T(); ++t) {
    const Choice chip{indexed("x", t), "worked_row=" + std::to_string(t), "token " + std::to_string(t),
                      t == view.token, "the token whose query is used"};
    const float w = button_width(view.pen, chip);
    if (x + w > chips.right()) break;
    button(view.pen, {x + w, chips.y}, chip);
    x += w + 6;
  }
  if (chosen) inside.cut_top(8);
  // A high card has the numbers below the plane, which is then larger.
  constexpr float beside_plane = 150, clearly = 40, heading = 18, line = 20, remark = 36;
  const float numbers = 16 + heading + line * static_cast<float>(view.T()) + remark;
  const float narrow = std::max(20.f, std::min(inside.h, inside.w - beside_plane)),
              wide = std::min(inside.w, inside.h - numbers);
  const bool below = wide >= narrow + clearly;
  const float side = below ? wide : narrow;
  const double reach = view.in.scene.worked.reach;
  const Plot plane{{inside.x, inside.y, side, side}, -reach, reach, -reach, reach};
  draw_plane(view, plane);
  if (below) {
    inside.cut_top(side + 16);
  } else {
    inside.cut_left(side + 16);
  }
  inside.w =
      std::min(inside.w, 26 * std::max(word_size, view.canvas().least_text()));  // numbers near their names
  draw_amounts(view, inside);
}

}  // namespace headlight::views
