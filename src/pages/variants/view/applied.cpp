// The cards that show what each side applies: rows of P, biases, buckets, slopes, rotations.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/numbers.h"
#include "kit/clock_face.h"
#include "kit/curve.h"
#include "kit/matrix_panel.h"
#include "kit/words.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/view.h"

namespace headlight::views {

using scene::VariantPosition;

namespace {

struct Words {
  std::string title, subtitle;
};

std::string of_side_of(const VariantsView& view, const scene::VariantSideResults& side) {
  return &side == &view.results.a ? " side=a" : " side=b";
}

Words applied_words(const VariantsView& view, const scene::VariantSideResults& side) {
  const scene::Scene& scene = view.in.results.scene;
  const std::string head = "head " + std::to_string(view.results.head + 1);
  const std::string base = base::compact(scene.position_base);
  switch (side.settings.position) {
    case VariantPosition::none:
      return {"applies nothing", "scores depend only on the content of the tokens"};
    case VariantPosition::sinusoidal:
      return {"adds P, sines and cosines", "x + p(i), one row per position, base " + base};
    case VariantPosition::concat:
      return {"concatenates P to the embeddings",
              "[x, p(i)], inputs are " + std::to_string(2 * scene.d_model) + " wide, base " + base};
    case VariantPosition::learned:
      return {
          "adds rows of a table",
          (view.results.own == VariantPosition::learned ? "the model’s own, trained, " : "seeded N(0, ½), ") +
              std::to_string(side.table_rows) + " rows; positions beyond them do not exist"};
    case VariantPosition::t5:
      return {"adds a bias per bucket, " + head,
              std::to_string(side.bucket_count) + " buckets, the last from distance " +
                  std::to_string(last_bucket_from(side)) + " on" +
                  (side.bidirectional ? ", half for each direction" : ", backwards only")};
    case VariantPosition::alibi:
      return {
          "adds −m · distance, " + head,
          "slope m = " + view.in.text("variant_slope" + of_side_of(view, side)) + " · a slope for each head"};
    case VariantPosition::shaw:
      return {"adds q · r by clipped distance, " + head,
              std::to_string(2 * side.clip + 1) +
                  " rows r for key and value, drawn from N(0, 1); from distance " +
                  std::to_string(side.clip) + " they share a row"};
    case VariantPosition::rope:
    case VariantPosition::rope_half:
      return {"rotates queries and keys", side.settings.position == VariantPosition::rope
                                              ? "pair j is components 2j and 2j+1; angle = position · ω"
                                              : "pair j is components j, j + " +
                                                    std::to_string(side.rotary_dim / 2) +
                                                    "; angle = position · ω"};
  }
  return {};
}

/// Rows of P at positions `from` …, in colours from −range to range.
struct Strip {
  const nn::Matrix& p;
  int from = 0;
  float range = 1;
  draw::Color color;
  bool after_x = false;  // the components of the embedding come first
};

constexpr float strip_title = 18, strip_row = 56;  // a row of P is no higher

/// Sinusoids lie within ±1, and nearly all numbers of variance ½ within ±2.
float strip_range(const scene::VariantSideResults& side) {
  return side.settings.position == VariantPosition::learned ? 2.f : 1.f;
}

void strip(const VariantsView& view, Box area, const Strip& which) {
  const nn::Matrix& p = which.p;
  const int from = which.from;
  put(view.pen, {area.x + 26, area.y + 7},
      p.rows() == 1 ? "position " + std::to_string(from)
                    : "positions " + std::to_string(from) + " … " + std::to_string(from + p.rows() - 1),
      words_style(which.color, small_size), area.w - 26);
  area.cut_top(strip_title);
  Box cells{area.x + 26, area.y, area.w - 26, std::min(area.h, strip_row * static_cast<float>(p.rows()))};
  if (which.after_x) {  // as wide as P: both have d components
    const Box x = cells.cut_left(cells.w / 2);
    view.pen.canvas.rect(x, view.theme().field, 0);
    put(view.pen, x.centre(), "x", aligned(strong_style(view.theme().text), Align::centre), x.w);
  }
  draw::Heatmap heat = with_signs(heat_of(p, view.in.results.version), which.range);
  heat.map = draw::Colormap::blues;
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = "P from " + std::to_string(from);
  mark.note = std::string("Rows: positions · Columns: components") +
              (which.after_x ? ", those of p(i) after those of the embedding x" : "");
  draw_cells(view.pen, cells, heat, mark);
  const float high = cells.h / static_cast<float>(p.rows());
  for (int row = 0, step = label_step(high, 13); row < p.rows(); row += step) {
    view.pen.canvas.text({area.x + 20, cells.y + (static_cast<float>(row) + 0.5f) * high},
                         std::to_string(from + row),
                         aligned(words_style(view.theme().dim, small_size), Align::right));
  }
}

void strips(const VariantsView& view, Box area, const scene::VariantSideResults& side) {
  const float range = strip_range(side);
  constexpr float bar_height = 24, above_bar = 8, between = 14;
  area.cut_bottom(bar_height + above_bar);
  area.h = std::min(area.h, strip_title + strip_row * static_cast<float>(side.p.rows()));
  const bool two = side.shift.shift != 0 && !side.p_shifted.empty();
  const float widest = two ? std::min(220.f, (area.w - between) / 2 - 26) : 220.f;  // no wider than a strip
  color_bar(view.pen, {area.x + 26, area.bottom() + above_bar, std::min(area.w - 26, widest), 8},
            {draw::Colormap::blues, fixed(-static_cast<double>(range), 0), "element of P",
             fixed(static_cast<double>(range), 0)});
  const int shift = side.shift.shift;
  const bool after_x = side.settings.position == VariantPosition::concat;
  if (shift == 0 || side.p_shifted.empty()) {
    return strip(view, area, {side.p, 0, range, view.theme().dim, after_x});
  }
  const Box left = area.cut_left((area.w - between) / 2);
  area.cut_left(between);
  strip(view, left, {side.p, 0, range, view.theme().dim, after_x});
  strip(view, area, {side.p_shifted, shift, range, view.theme().text, after_x});
}

void bias_map(const VariantsView& view, Box area, const scene::VariantSideResults& side) {
  MatrixPanel map = token_map_of(view, "bias");
  map.weights = false;
  map.mark = {};
  map.mark.part = draw::Part::note, map.mark.note = "the number added to each score before the softmax";
  map.mark.name = "bias map";
  map.values = side.bias.data();
  map.map = draw::Colormap::signed_weight;
  map.hi = static_cast<float>(nice_ceiling(static_cast<double>(largest_magnitude(side.bias.values()))));
  map.lo = -map.hi;
  map.across.clear(), map.down.clear();
  map.view = {};
  map.hover_query = view.hover_query, map.hover_key = view.hover_key;
  area.cut_bottom(32);
  const Box cells = draw_matrix_panel(view.pen, area, map).cells;
  const std::string end = brief(static_cast<double>(map.hi), 2);
  const float width = std::max(90.f, std::min(cells.w, 200.f));
  color_bar(view.pen, {std::min(cells.x, area.right() - width), cells.bottom() + 8, width, 8},
            {draw::Colormap::signed_weight, "−" + end, "bias", "+" + end});
}

/// Plots the bucket against the distance, as steps, and marks how far the exact buckets reach.
void bucket_plot(const VariantsView& view, Box area, const scene::VariantSideResults& side) {
  const int reach = side.max_distance, first = -reach;
  const int last = side.bidirectional ? reach : 0;
  PlotWords words{"bucket by distance", {{double(first), "−" + std::to_string(reach)}, {0, "0"}}, {}};
  if (last > 0) words.x.push_back({double(last), "+" + std::to_string(last)});
  for (const int bucket : {0, side.bucket_count / 2, side.bucket_count - 1})
    words.y.push_back({double(bucket), std::to_string(bucket)});
  std::vector<PlotPoint> steps;
  for (int distance = first; distance <= last; ++distance) {
    const double bucket = side.bucket[static_cast<std::size_t>(distance + reach)];
    steps.push_back({std::max<double>(first, distance - 0.5), bucket});
    steps.push_back({std::min<double>(last, distance + 0.5), bucket});
  }
  const double most = std::max(1, side.bucket_count - 1);
  const Plot plot =
      framed_plot(view.pen, area, {{}, double(first), double(std::max(first + 1, last)), 0, most}, words);
  const Box& box = plot.box;
  if (box.w >= 10 && box.h >= 10) curve(view.pen, plot, steps, {view.theme().accent});
  // The tooltip of each bucket has its distances and its number.
  for (int from = first; from <= last && box.w > 10;) {
    int to = from;
    const int bucket = side.bucket[static_cast<std::size_t>(from + reach)];
    while (to < last && side.bucket[static_cast<std::size_t>(to + 1 + reach)] == bucket) ++to;
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "bucket at " + std::to_string(from);
    mark.note = "key − query = " + fixed(from, 0) + (to > from ? " … " + fixed(to, 0) : "") + "\nbucket " +
                std::to_string(bucket) + ", bias " +
                fixed(static_cast<double>(side.bucket_bias[static_cast<std::size_t>(bucket)]), 3);
    const float x0 = plot.x(std::max<double>(first, from - 0.5)),
                x1 = plot.x(std::min<double>(last, to + 0.5));
    mark.area = {x0, box.y, x1 - x0, box.h};
    view.pen.canvas.mark(mark);
    view.pen.canvas.mark({});
    from = to + 1;
  }
}

void slopes(const VariantsView& view, Box area, const scene::VariantSideResults& side) {
  put(view.pen, {area.x, area.y + 7}, "slopes m", strong_style(view.theme().text, word_size), area.w);
  area.cut_top(22);
  const int heads = static_cast<int>(side.slopes.size()), head = view.results.head;
  const int room = std::max(1, static_cast<int>(area.h / 20));
  const int shown = std::min(heads, heads > room ? room - 1 : room);
  const int first = std::clamp(head - shown / 2, 0, heads - shown);
  const float number = 58;
  for (int h = first; h < first + shown; ++h) {
    const Box row = area.cut_top(20);
    const float y = row.centre().y;
    const double slope = side.slopes[static_cast<std::size_t>(h)];
    const draw::Color color = h == head ? view.theme().text : view.theme().dim;
    put(view.pen, {row.x, y}, "head " + std::to_string(h + 1), words_style(color, small_size), 56);
    const std::string name = of_side_of(view, side) + " head=" + std::to_string(h + 1);
    put(view.pen, {row.right(), y}, view.in.text("variant_slope" + name),
        aligned(mono_style(color, small_size), Align::right), number);
    const float width = std::max(0.f, row.w - 60 - number - 4);
    view.pen.canvas.rect({row.x + 60, y - 4, width * static_cast<float>(slope / side.slopes.front()), 8},
                         h == head ? view.theme().accent : view.theme().faint, 2);
  }
  if (shown < heads) {
    put(view.pen, {area.x, area.y + 9}, "of " + std::to_string(heads) + " heads",
        words_style(view.theme().dim, small_size), area.w);
  }
}

/// Draws what each query adds to a score, by the clipped distance of the key, in one row per query.
void clipped_distances(const VariantsView& view, Box area, const scene::VariantSideResults& side) {
  const draw::Theme& theme = view.theme();
  const draw::TextStyle quiet = words_style(theme.dim, small_size);
  const nn::Matrix& all = side.by_clipped;
  put(view.pen, {area.x, area.y + 7}, "by clipped distance", strong_style(theme.text, word_size), area.w);
  area.cut_top(20);
  put(view.pen, {area.x, area.bottom() - 8}, "key − query, clipped to ±" + std::to_string(side.clip), quiet,
      area.w);
  area.cut_bottom(24);
  if (area.w < 30 || area.h < 30) return;
  MatrixPanel map;
  map.values = all.data(), map.rows = all.rows(), map.cols = all.cols();
  map.version = view.in.results.version;
  map.hi = static_cast<float>(nice_ceiling(static_cast<double>(largest_magnitude(all.values()))));
  map.lo = -map.hi, map.map = draw::Colormap::signed_weight, map.weights = false;
  map.across.clear(), map.down.clear();
  map.row_names = view.tokens;
  std::vector<std::string> distances;
  for (int distance = -side.clip; distance <= side.clip; ++distance) {
    const bool clipped = std::abs(distance) == side.clip;
    distances.push_back((!clipped ? "" : distance < 0 ? "≤ " : "≥ ") + fixed(distance, 0));
    map.col_names.push_back(clipped || distance == 0 ? distances.back() : "");
  }
  map.col_numbers = true;
  const Box cells = draw_matrix_panel(view.pen, area, map).cells;
  const float wide = cells.w / static_cast<float>(all.cols());
  for (int c = 0; c < all.cols(); ++c) {
    const int distance = c - side.clip;
    const std::string& words = distances[static_cast<std::size_t>(c)];
    const float x = cells.x + (static_cast<float>(c) + 0.5f) * wide;
    float least = all.at(0, c), largest = least;
    for (int row = 0; row < all.rows(); ++row)
      least = std::min(least, all.at(row, c)), largest = std::max(largest, all.at(row, c));
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "distance " + std::to_string(distance);
    mark.note = "key − query " + words + "\nadded " + fixed(static_cast<double>(least), 3) + " to " +
                fixed(static_cast<double>(largest), 3) + ", by the query";
    mark.area = {x - wide / 2, cells.y, wide, cells.h};
    view.pen.canvas.mark(mark);
    view.pen.canvas.mark({});
  }
}

std::string omega_words(double omega) {
  return "ω " + brief(omega, 3);
}

/// Draws clocks, with a row for each pair and a column for each token.
void clocks(const VariantsView& view, Box area, const scene::VariantSideResults& side) {
  if (side.omega.empty()) {
    return placeholder(view.pen, area, "No pair to rotate", "a head of width 1 has no pairs");
  }
  constexpr float top = 16;
  constexpr int most_printed_pairs = 16;
  const float slowest =  // the label with the most digits
      view.pen.canvas.text_width(omega_words(side.omega.back()), words_style({}, small_size));
  const float label = std::max(72.f, slowest + 6);
  const int pairs = static_cast<int>(side.omega.size()), T = view.results.T;
  area.cut_left(label), area.cut_top(top);
  const std::string hands = side.shift.shift > 0
                                ? "thin hand: " + std::to_string(side.shift.shift) +
                                      " positions later; every hand of a row turns by the same angle"
                                : "upright: not rotated; clockwise by position · ω";
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const float whole = area.h, foot_width = area.w + label;
  // Show all tokens and pairs if the clocks remain readable. If pairs are left out, the foot says how many
  // there are, and then takes more room itself.
  std::vector<std::string> foot_lines;
  float side_length = 0, foot_height = 0;
  int columns = T;
  // Where most pairs have room, the last ones are left out, not one in the middle.
  const auto are_first = [&](int shown) { return shown < pairs && 2 * shown > pairs; };
  const auto plan = [&](int most) {
    std::string words = hands;
    if (columns < T)
      words = "the first " + std::to_string(columns) + " of " + std::to_string(T) + " tokens; " + words;
    if (most < pairs) words = std::to_string(most) + " of " + std::to_string(pairs) + " pairs; " + words;
    foot_lines = wrap(view.pen, words, quiet, foot_width, words != hands ? 3 : 2);
    foot_height = 4 + 14 * static_cast<float>(foot_lines.size());
    side_length = std::clamp(
        std::min(area.w / static_cast<float>(T), (whole - foot_height) / static_cast<float>(pairs)), 30.f,
        64.f);
    columns = std::clamp(static_cast<int>(area.w / side_length), 1, T);
    return std::clamp(static_cast<int>((whole - foot_height) / side_length), 1, most);
  };
  int rows = pairs;
  if (view.pen.canvas.plain() && pairs <= most_printed_pairs &&
      plan(pairs) < pairs)  // a figure becomes higher
    view.pen.canvas.saved(whole - foot_height - side_length * static_cast<float>(pairs) - 1);
  for (int fit = plan(rows); fit < rows; fit = plan(rows)) rows = fit;
  if (columns < T) rows = plan(rows);  // again, with the words on left-out tokens
  // In a high card tokens that the width leaves out are in more bands below.
  constexpr float least_side = 30;
  int bands = 1;
  for (int more = 2; columns < T && rows == pairs && more <= 4 && bands == 1; ++more) {
    const int across = (T + more - 1) / more;
    const std::vector<std::string> lines = wrap(view.pen, hands, quiet, foot_width, 2);
    const float foot = 4 + 14 * static_cast<float>(lines.size());
    const float length =
        std::min(area.w / static_cast<float>(across),
                 ((whole - foot + top) / static_cast<float>(more) - top) / static_cast<float>(pairs));
    if (length < least_side) continue;
    bands = more, columns = across, side_length = std::min(length, 64.f);
    foot_lines = lines, foot_height = foot;
  }
  // Where the width limits the clocks, their rows are further apart, and the foot follows the last one.
  constexpr float most_apart = 1.6f;
  const float band_room = (whole - foot_height + top) / static_cast<float>(bands) - top;
  const float pitch = std::clamp(band_room / static_cast<float>(rows), side_length, most_apart * side_length);
  const float band = pitch * static_cast<float>(rows) + top;
  const Box foot{area.x, area.y + band * static_cast<float>(bands) - top, area.w, foot_height};
  const int shift = side.shift.shift;
  for (int line = 0; line < rows * bands; ++line) {
    const int r = line % rows, first = line / rows * columns;
    // With far more pairs than rows, show the fastest, the slowest, and evenly spaced ones between.
    const int pair = rows == 1 || are_first(rows)
                         ? r
                         : static_cast<int>(std::lround(static_cast<double>(r) * (pairs - 1) / (rows - 1)));
    const double omega = side.omega[static_cast<std::size_t>(pair)];
    const float y =
        area.y + static_cast<float>(line / rows) * band + static_cast<float>(r) * pitch + side_length / 2;
    put(view.pen, {area.x - label, y - 6}, "pair " + std::to_string(pair),
        words_style(view.theme().text, small_size), label - 4);
    put(view.pen, {area.x - label, y + 7}, omega_words(omega), words_style(view.theme().dim, small_size),
        label - 4);
    for (int c = first; c < std::min(T, first + columns); ++c) {
      ClockFace face;
      face.centre = {area.x + (static_cast<float>(c - first) + 0.5f) * side_length, y};
      face.radius = side_length / 2 - 3;
      face.position = c, face.offset = shift, face.omega = omega;
      draw::Mark mark;
      mark.part = draw::Part::note;
      mark.name = "turn " + std::to_string(pair) + "," + std::to_string(c);
      mark.note = "position " + std::to_string(c) + ", pair " + std::to_string(pair) + "\nrotated by " +
                  fixed(c * omega, 4) + " rad = " + fixed(c * omega * 180 / std::numbers::pi, 1) + "°" +
                  (shift > 0 ? "\nafter the shift by " + fixed((c + shift) * omega, 4) + " rad" : "");
      mark.area = {face.centre.x - side_length / 2, face.centre.y - side_length / 2, side_length,
                   side_length};
      view.pen.canvas.mark(mark);
      clock_face(view.pen, face);
      view.pen.canvas.mark({});
    }
  }
  const draw::TextStyle name = aligned(words_style(view.theme().dim, small_size), Align::centre);
  float widest = 0;
  const int shown = std::min(T, columns * bands);
  for (int c = 0; c < shown; ++c)
    widest = std::max(widest, view.pen.canvas.text_width(view.tokens[static_cast<std::size_t>(c)], name));
  // If the names do not fit side by side, every second one is written, and none is cut.
  constexpr float apart = 3;
  const int every = widest <= side_length - apart ? 1 : 2;
  for (int c = 0; c < shown; ++c) {
    const int at = c % columns;
    if (at % every != 0) continue;
    put(view.pen,
        {area.x + (static_cast<float>(at) + 0.5f) * side_length,
         area.y - 8 + band * static_cast<float>(c / columns)},
        view.tokens[static_cast<std::size_t>(c)], name, static_cast<float>(every) * side_length - apart);
  }
  for (std::size_t i = 0; i < foot_lines.size(); ++i)
    put(view.pen, {foot.x - label, foot.y + 10 + 14 * static_cast<float>(i)}, foot_lines[i], quiet,
        foot.w + label);
}

}  // namespace

void applied_card(const VariantsView& view, Box box, WhichSide which) {
  const scene::VariantSideResults& side = side_of(view, which);
  const Words words = applied_words(view, side);
  const bool slide = on_slide(view.pen);  // which writes title and notes above the card
  Box inside =
      card(view.pen, box,
           {"", slide ? words.subtitle : "", 0, (which == WhichSide::a ? "A: " : "B: ") + words.title},
           which == WhichSide::a ? "applied-a" : "applied-b");
  if (!slide) {
    side_badge(view.pen, {inside.x + 9, inside.y + 8}, which);
    put(view.pen, {inside.x + 26, inside.y + 8}, words.title, strong_style(view.theme().text), inside.w - 26);
    float below = inside.y + 26;
    for (const std::string& line :
         wrap(view.pen, words.subtitle, words_style(view.theme().dim), inside.w - 26, 2)) {
      put(view.pen, {inside.x + 26, below}, line, words_style(view.theme().dim), inside.w - 26);
      below += 15;
    }
    inside.cut_top(below + 1 - inside.y);
  }
  if (!side.error.empty()) {
    float y = inside.y + 10;
    for (const std::string& line : wrap(view.pen, side.error, words_style(view.theme().dim), inside.w, 4)) {
      put(view.pen, {inside.x, y}, line, words_style(view.theme().dim), inside.w);
      y += 16;
    }
    return;
  }
  if (!side.p.empty()) return strips(view, inside, side);
  if (!side.bias.empty()) {
    // Place map and numbers side by side; in a high card the map goes above the rest and becomes larger.
    const bool high = inside.h > 1.1f * inside.w;
    const Box map =
        high ? inside.cut_top(std::min(inside.w + 32, inside.h * 0.62f)) : inside.cut_left(inside.w * 0.48f);
    if (high) {
      inside.cut_top(12);
    } else {
      inside.cut_left(16);
    }
    bias_map(view, map, side);
    if (!side.slopes.empty()) return slopes(view, inside, side);
    if (!side.by_clipped.empty()) return clipped_distances(view, inside, side);
    return bucket_plot(view, inside, side);
  }
  if (side.settings.position != VariantPosition::none) return clocks(view, inside, side);
  // All orders are equivalent only if every query may attend to every key.
  placeholder(view.pen, inside, "No positions",
              side.settings.mask == scene::VariantMask::none
                  ? "if the tokens are permuted, rows and columns of the map are permuted in the same way"
                  : "only the mask depends on the order");
}

}  // namespace headlight::views
