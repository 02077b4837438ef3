// The clocks of RoPE, which rotates queries and keys.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "kit/clock_face.h"
#include "kit/words.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/applied.h"

namespace headlight::views {

namespace {

std::string omega_words(double omega) {
  return "ω " + brief(omega, 3);
}

}  // namespace

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

}  // namespace headlight::views
