// The queries and keys of the chosen head in two dimensions, with what the pinned query attends to.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "kit/plot.h"
#include "pages/model/view/page.h"

namespace headlight::views {

namespace {

constexpr float margin = 14, point_size = 3.5f, label_height = 13;
constexpr int most_beams = 5;

/// Both axes have one scale, so that distances are true.
Plot plot_of(const scene::HeadPlane& plane, Box box) {
  Point low{1e30f, 1e30f}, high{-1e30f, -1e30f};
  for (const auto* list : {&plane.queries, &plane.keys}) {
    for (const std::array<float, 2>& p : *list) {
      low = {std::min(low.x, p[0]), std::min(low.y, p[1])};
      high = {std::max(high.x, p[0]), std::max(high.y, p[1])};
    }
  }
  return true_plot(box, low, high, margin);
}

/// Words beside points, where no other words are.
class Labels {
 public:
  Labels(const Pen& pen, Box room) : pen_(pen), room_(room) {}
  void keep_free(Point at, float half = 4) {
    taken_.push_back({at.x - half, at.y - half, 2 * half, 2 * half});
  }
  /// A line that no words cross.
  void keep_free(Point a, Point b) {
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    for (float at = 0; at < length; at += 5)
      keep_free({a.x + (b.x - a.x) * at / length, a.y + (b.y - a.y) * at / length}, 2);
  }
  /// To the right where there is room, or `left` of the point: away from a line that leads to it; else
  /// somewhere around it, `away` from its middle. Words that would cover others are left out.
  bool put_beside(Point at, const std::string& words, const draw::TextStyle& style, bool left = false,
                  float away = 8) {
    const float w = pen_.canvas.text_width(words, style);
    const float right = at.x + away, far = at.x - away - w, middle = at.x - w / 2;
    const float first = left ? far : right, second = left ? right : far;
    const std::array<Point, 8> places{
        Point{first, at.y}, {second, at.y},     {middle, at.y - away - 6}, {middle, at.y + away + 6},
        {first, at.y - 11}, {first, at.y + 11}, {second, at.y - 11},       {second, at.y + 11}};
    for (const Point& place : places) {
      const Box box = box_of(place, w);
      if (!inside(box) || crowd(box, taken_) > 0) continue;
      taken_.push_back(box), words_.push_back(box);
      put(pen_, place, words, style);
      return true;
    }
    return false;
  }
  /// The same, but never left out: where there is no room beside the point, the words are where they cover
  /// the fewest points and no other words, and a line leads to them.
  void put_always(Point at, const std::string& words, const draw::TextStyle& style, bool left = false,
                  float away = 8) {
    if (put_beside(at, words, style, left, away)) return;
    const float w = pen_.canvas.text_width(words, style);
    std::optional<Box> best;
    double least = 1e9;
    for (const float distance : {22.f, 34.f, 48.f, 64.f, 84.f, 110.f, 140.f}) {
      for (int direction = 0; direction < 16; ++direction) {
        const float angle = static_cast<float>(direction) * std::numbers::pi_v<float> / 8;
        const Point middle{at.x + distance * std::cos(angle) +
                               (std::cos(angle) < 0 ? -w : w) / 2 * std::abs(std::cos(angle)),
                           at.y + distance * std::sin(angle)};
        const Box box = box_of({middle.x - w / 2, middle.y}, w);
        if (!inside(box) || crowd(box, words_) > 0) continue;
        const double cost = crowd(box, taken_) + static_cast<double>(distance) / 20;
        if (cost < least) least = cost, best = box;
      }
    }
    if (!best) return;
    const Point end{std::clamp(at.x, best->x, best->right()), std::clamp(at.y, best->y, best->bottom())};
    pen_.canvas.line(at, end, {style.color, 1});
    pen_.canvas.rect(*best, draw::faded(pen_.theme.panel, 0.85f), 3);
    put(pen_, {best->x + 1, best->centre().y}, words, style);
    taken_.push_back(*best), words_.push_back(*best);
  }

 private:
  static Box box_of(Point at, float w) { return {at.x - 1, at.y - label_height / 2, w + 2, label_height}; }
  bool inside(const Box& box) const {
    return box.x >= room_.x && box.right() <= room_.right() && box.y >= room_.y &&
           box.bottom() <= room_.bottom();
  }
  static double crowd(const Box& box, const std::vector<Box>& others) {
    return static_cast<double>(std::count_if(others.begin(), others.end(), [&](const Box& other) {
      return box.x < other.right() && other.x < box.right() && box.y < other.bottom() &&
             other.y < box.bottom();
    }));
  }
  const Pen& pen_;
  Box room_;
  std::vector<Box> taken_, words_;  // points, lines and words; words alone
};

/// The keys that the query assigns the most weight to, the largest first.
std::vector<int> strongest_keys(const ModelView& view, int query) {
  const nn::AttentionTrace& trace = view.sheet.trace();
  const std::span<const float> weights = trace.weights.row(view.shown.head, query);
  std::vector<int> keys(weights.size());
  std::iota(keys.begin(), keys.end(), 0);
  const auto rank = [&](int key) {  // what is no number comes last
    const float weight = weights[static_cast<std::size_t>(key)];
    return std::isnan(weight) ? -1.f : weight;
  };
  const auto more = [&](int a, int b) { return rank(a) > rank(b); };
  std::stable_sort(keys.begin(), keys.end(), more);
  keys.resize(std::min<std::size_t>(keys.size(), most_beams));
  std::erase_if(keys, [&](int key) { return !(weights[static_cast<std::size_t>(key)] > 0); });
  return keys;
}

std::string point_note(const ModelView& view, int query, int key) {
  const PageInput& in = view.sheet.in;
  if (key < 0) return quoted_token(in, query) + ", query " + std::to_string(query);
  std::string note = quoted_key(in, key) + ", key " + std::to_string(key);
  if (query >= 0)
    note += "\nweight of " + quoted_token(in, query) + ": " +
            in.text(quantity("weight", {{"head", view.shown.head + 1}, {"query", query}, {"key", key}}));
  return note;
}

}  // namespace

std::string plane_words(const ModelView& view) {
  const auto head = static_cast<std::size_t>(view.shown.head);
  if (head >= view.details.planes.size()) return {};
  if (std::isnan(view.details.planes[head].share[0]))
    return "all queries and keys are one point, or not finite: there is no plane";
  const PageInput& in = view.sheet.in;
  const auto share = [&](int axis) {
    return in.text(quantity("model_plane_share", {{"axis", axis}, {"head", view.shown.head + 1}}));
  };
  return "queries and keys of all tokens on two axes; variance explained: " + share(1) + " across, " +
         share(2) + " up";
}

void draw_plane(const ModelView& view, Box box) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const auto head = static_cast<std::size_t>(view.shown.head);
  const nn::AttentionTrace& trace = view.sheet.trace();
  if (head >= view.details.planes.size()) return;
  const scene::HeadPlane& plane = view.details.planes[head];
  if (std::isnan(plane.share[0]) || static_cast<int>(plane.queries.size()) != trace.T ||
      static_cast<int>(plane.keys.size()) != trace.S)
    return;
  const Box foot = box.cut_bottom(22);
  pen.canvas.frame(box, {pen.theme.border, 1}, 4);
  const Plot plot = plot_of(plane, box);
  const int detail_query = view.sheet.selection.detail_query;
  const bool one = detail_query >= 0 && detail_query < trace.T;
  const std::vector<int> beams = one ? strongest_keys(view, detail_query) : std::vector<int>();
  const auto place_of = [&](int token, bool query) {
    const std::array<float, 2>& p = (query ? plane.queries : plane.keys)[static_cast<std::size_t>(token)];
    return plot.at(double(p[0]), double(p[1]));
  };
  for (const int key : beams) {
    const float weight = trace.weights.row(view.shown.head, detail_query)[static_cast<std::size_t>(key)];
    pen.canvas.line(place_of(detail_query, true), place_of(key, false),
                    {draw::faded(pen.theme.text, 0.25f + 0.6f * weight), 1 + 5 * weight});
  }
  const auto lit = [&](int key) { return std::find(beams.begin(), beams.end(), key) != beams.end(); };
  for (int t = 0; t < trace.S; ++t) {
    const Point at = place_of(t, false);
    draw::Mark mark;
    mark.part = draw::Part::key_token, mark.key = t, mark.note = point_note(view, detail_query, t);
    pen.canvas.mark(mark);
    const float r = lit(t) ? point_size + 1 : point_size;
    pen.canvas.rect({at.x - r, at.y - r, 2 * r, 2 * r},
                    lit(t) || !one ? pen.theme.key : draw::faded(pen.theme.key, 0.45f), 1);
    pen.canvas.mark({});
  }
  for (int t = 0; t < trace.T; ++t) {
    const Point at = place_of(t, true);
    draw::Mark mark;
    mark.part = draw::Part::query_token, mark.query = t, mark.note = point_note(view, t, -1);
    pen.canvas.mark(mark);
    pen.canvas.circle(at, t == detail_query ? point_size + 1.5f : point_size,
                      t == detail_query || !one ? pen.theme.query : draw::faded(pen.theme.query, 0.45f));
    pen.canvas.mark({});
    if (t == detail_query) pen.canvas.ring(at, point_size + 4, {pen.theme.query, 1.5f});
  }
  // The names of what is meant first; the others where there is room left.
  Labels labels(pen, box.inset(3));
  for (int t = 0; t < trace.T; ++t) labels.keep_free(place_of(t, true));
  for (int t = 0; t < trace.S; ++t) labels.keep_free(place_of(t, false));
  if (one) labels.keep_free(place_of(detail_query, true), 9);  // its ring
  for (const int key : beams) labels.keep_free(place_of(detail_query, true), place_of(key, false));
  if (one) {
    // Away from its lines, and outside of its ring.
    float towards = 0;
    for (const int key : beams) towards += place_of(key, false).x - place_of(detail_query, true).x;
    labels.put_always(place_of(detail_query, true), token_label(in, detail_query),
                      literal(strong_style(pen.theme.query, word_size)), towards > 0, 12);
  }
  for (const int key : beams)
    labels.put_always(place_of(key, false), key_label(in, key),
                      literal(strong_style(pen.theme.key, word_size)),
                      place_of(key, false).x < place_of(detail_query, true).x);
  constexpr int most_names = 120;
  for (int t = 0; t < std::min(std::max(trace.T, trace.S), most_names); ++t) {
    if (t < trace.S && !lit(t))
      labels.put_beside(place_of(t, false), key_label(in, t),
                        literal(words_style(draw::mix(pen.theme.key, pen.theme.dim, 0.5f), small_size)));
    if (t < trace.T && t != detail_query)
      labels.put_beside(place_of(t, true), token_label(in, t),
                        literal(words_style(draw::mix(pen.theme.query, pen.theme.dim, 0.5f), small_size)));
  }
  const Point line{foot.x, foot.y + 13};
  pen.canvas.circle({line.x + 5, line.y}, 5, pen.theme.query);
  float x =
      line.x + 16 + put(pen, {line.x + 16, line.y}, "queries", words_style(pen.theme.dim, small_size)) + 14;
  x += legend(pen, {x, line.y}, pen.theme.key, "keys") + 14;
  if (one && !beams.empty() && foot.right() - x > 60)
    put(pen, {x, line.y},
        (beams.size() == 1 ? std::string("line: the largest weight")
                           : "lines: the " + std::to_string(beams.size()) + " largest weights") +
            " of " + quoted_token(in, detail_query) + ", thicker for more",
        words_style(pen.theme.dim, small_size), foot.right() - x);
}

}  // namespace headlight::views
