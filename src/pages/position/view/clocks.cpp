#include <algorithm>
#include <cmath>
#include <numbers>

#include "kit/area_name.h"
#include "kit/choices.h"
#include "kit/clock_face.h"
#include "pages/position/view/cards.h"

namespace headlight::views {

namespace {

constexpr float tight_width = 400;  // of the card, below which its words are short
constexpr float largest_radius = 76;
constexpr float label_line = 15;

/// How small clocks may be, and the room around each.
struct Places {
  float least_radius = 24;
  float least_cell = 92;  // wide enough for the labels
  float beside = 14, above = 10;
};
/// Where not all fit with their labels: with their wavelengths alone, or with none.
constexpr Places with_wavelengths{16, 0, 8, 6}, without_labels{11, 28, 6, 6};
enum class Labelled { whole, wavelength, none };

struct Grid {
  int across = 1, down = 1;
  float radius = 0;
  float cell_w = 0, cell_h = 0;
};

/// `labels` is the height of what stands below each clock.
Grid grid_of(int clocks, int across, Box box, float labels, const Places& places) {
  Grid grid;
  grid.across = across, grid.down = (clocks + across - 1) / across;
  grid.cell_w = box.w / static_cast<float>(grid.across);
  grid.cell_h = box.h / static_cast<float>(grid.down);
  grid.radius = std::min(
      {(grid.cell_w - places.beside) / 2, (grid.cell_h - labels - places.above) / 2, largest_radius});
  return grid;
}

/// The grid whose clocks are largest, with the fewest clocks that would make them unreadably small left out.
Grid best_grid(int& clocks, Box box, float labels, const Places& places) {
  const int most_across = std::max(1, static_cast<int>(box.w / places.least_cell));
  const int most_down =
      std::max(1, static_cast<int>(box.h / (2 * places.least_radius + labels + places.above)));
  clocks = std::min(clocks, most_across * most_down);
  Grid best;
  for (int across = 1; across <= std::min(clocks, most_across); ++across) {
    const Grid grid = grid_of(clocks, across, box, labels, places);
    // Of grids with nearly equal clocks, the one that leaves the fewest places empty.
    const int empty = grid.across * grid.down - clocks, best_empty = best.across * best.down - clocks;
    const bool larger = grid.radius > best.radius + 0.5f;
    if (best.radius <= 0 || larger || (grid.radius > best.radius - 3 && empty < best_empty)) best = grid;
  }
  return best;
}

/// Which pairs have a clock when not all fit: the fastest, the slowest, others about evenly between, the
/// chosen one among them.
std::vector<int> shown_pairs(int pairs, int places, int chosen) {
  std::vector<int> shown;
  for (int n = 0; n < places; ++n) {
    shown.push_back(places == 1
                        ? chosen
                        : static_cast<int>(std::lround(static_cast<double>(n) * (pairs - 1) / (places - 1))));
  }
  if (std::find(shown.begin(), shown.end(), chosen) == shown.end()) {
    const int kept = places > 2 ? 1 : 0;  // the fastest and the slowest stay
    const auto nearest = std::min_element(shown.begin() + kept, shown.end() - kept, [&](int a, int b) {
      return std::abs(a - chosen) < std::abs(b - chosen);
    });
    *nearest = chosen;
  }
  return shown;
}

/// In `room` units: the longest form that fits.
std::string clock_title(const PositionView& view, float room) {
  if (view.pairs == 1) return "One clock: the pair of columns 0 and 1";
  const std::string count = view.in.text("clocks");
  const std::string words = count + " clocks, one per pair of columns";
  if (view.canvas().text_width(words, strong_style({})) <= room) return words;
  return count + " clocks";
}

struct Labels {
  std::string columns, turns;  // turns: empty below a full one
};

/// `shown` is the speed the clock is drawn with: turns are those on the picture, the wavelength is the
/// encoding's.
Labels labels_of(const PositionView& view, int pair, double shown) {
  Labels labels;
  labels.columns = std::to_string(2 * pair) + ", " + std::to_string(2 * pair + 1);
  const double turns = std::abs(view.delta * shown) / (2 * std::numbers::pi);
  if (turns >= 1) labels.turns = fixed(turns, 1) + " turns";
  return labels;
}

struct Layout {
  int clocks = 0;  // that have a place
  Grid grid;
  Box area;
  float labels = 0;                     // height below each clock
  bool worded = false;                  // there is room for the word "columns"
  bool third = false;                   // turns have a line of their own
  Labelled labelled = Labelled::whole;  // the pointer names a clock without its columns
  std::string left_out;                 // what is not shown, said on the last line
};

/// Below a clock: columns, wavelength, and the turns beside the columns or on a line of their own.
void clock_labels(const PositionView& view, int pair, const Labels& labels, Point top, const Layout& layout) {
  const float width = layout.grid.cell_w - 4;
  const Pen& pen = view.pen;
  const draw::Color ink = pair == view.pair ? pen.theme.accent : pen.theme.text;
  const auto wavelength = [&](float at) {
    const float wide =
        8 + pen.canvas.text_width(wavelength_words(view.omega(pair)), mono_style(ink, small_size)) +
        pen.canvas.text_width("λ ", mono_style(ink, small_size));
    name_area(pen, view.in, "wavelength " + std::to_string(pair), {top.x - wide / 2, at - 9, wide, 18});
    put(pen, {top.x, at}, "λ " + wavelength_words(view.omega(pair)),
        aligned(mono_style(ink, small_size), Align::centre), width);
  };
  if (layout.labelled == Labelled::wavelength) return wavelength(top.y + 7);
  const draw::TextStyle dim = words_style(pen.theme.dim, small_size);
  const draw::TextStyle amber = words_style(pen.theme.offset, small_size);
  float y = top.y + 7;
  if (!labels.turns.empty() && !layout.third) {
    const float left = pen.canvas.text_width(labels.columns, dim);
    const float x = top.x - (left + 8 + pen.canvas.text_width(labels.turns, amber)) / 2;
    pen.canvas.text({x, y}, labels.columns, dim);
    pen.canvas.text({x + left + 8, y}, labels.turns, amber);
  } else {
    put(pen, {top.x, y}, (layout.worded ? "columns " : "") + labels.columns, aligned(dim, Align::centre),
        width);
  }
  y += label_line;
  wavelength(y);
  if (layout.third) put(pen, {top.x, y + label_line}, labels.turns, aligned(amber, Align::centre), width);
}

/// "Play" with its sign and the two speeds, at the right of the title. Returns the width.
float head_controls(const PositionView& view, Box box, bool draw) {
  const Pen& pen = view.pen;
  if (pen.canvas.plain()) return 0;
  const bool logarithmic = view.in.scene.positions.clock_speed == scene::ClockSpeed::logarithmic;
  const bool tight = box.w < tight_width;
  const std::vector<Choice> speeds = {
      {tight ? "true" : "true speed", "clock_speed=true", "true speed", !logarithmic,
       "hands turn by ω per position, as in P"},
      {tight ? "log" : "logarithmic", "clock_speed=logarithmic", "logarithmic speed", logarithmic,
       "makes slow hands visible: not the speeds of the encoding"}};
  const bool running = view.in.scene.positions.play;
  const std::string widest = "Pause", label = running ? "Pause" : "Play";
  const float speeds_width = segmented_width(pen, speeds);
  const float run_width = 34 + pen.canvas.text_width(widest, words_style({})) + 10;
  if (!draw) return speeds_width + 8 + run_width;
  const Point corner = card_corner(box);
  segmented(pen, corner, speeds);
  const Box run{corner.x - speeds_width - 8 - run_width, corner.y, run_width, control_height};
  draw::Mark mark;
  mark.part = Part::control, mark.name = "run position", mark.area = run;
  mark.set = running ? "play=false" : "play=true";
  mark.note = running ? "stop at this position"
                      : "move the position, " + brief(view.in.scene.positions.play_speed, 2) +
                            " positions per second";
  pen.canvas.mark(mark);
  pen.canvas.rect(run,
                  running               ? pen.theme.accent
                  : pen.over(mark.name) ? pen.theme.field_hover
                                        : pen.theme.field,
                  6);
  if (!running) pen.canvas.frame(run, {pen.theme.border, 1}, 6);
  const draw::Color ink = running ? pen.theme.on_accent : pen.theme.text;
  play_sign(pen, {run.x + 18, run.centre().y}, 10, running, ink);
  pen.canvas.text({run.x + 32, run.centre().y}, label, words_style(ink));
  pen.canvas.mark({});
  return speeds_width + 8 + run_width;
}

template <class Speed>
Layout clocks_layout(const PositionView& view, Box inside, const Speed& speed) {
  Layout layout;
  const bool odd = view.cols % 2 == 1;
  const auto arrange = [&] {
    const bool whole = layout.labelled == Labelled::whole;
    Places places;
    layout.labels = (layout.third ? 3 : 2) * label_line + 2;
    if (layout.labelled == Labelled::none) places = without_labels, layout.labels = 0;
    if (layout.labelled == Labelled::wavelength) {
      places = with_wavelengths, layout.labels = label_line + 2;
      places.least_cell = 8;
      for (const int pair : {0, view.pairs - 1})
        places.least_cell = std::max(places.least_cell,
                                     8 + view.canvas().text_width("λ " + wavelength_words(view.omega(pair)),
                                                                  mono_style({}, small_size)));
    }
    for (const bool last_line : {odd || !whole, true}) {
      layout.clocks = view.pairs;
      layout.area = inside;
      if (last_line) layout.area.cut_bottom(20);
      layout.grid = best_grid(layout.clocks, layout.area, layout.labels, places);
      if (layout.clocks == view.pairs) break;
    }
  };
  arrange();
  // The longest of columns and turns must fit beside each other.
  Labels longest = labels_of(view, 0, speed(0));
  for (int pair = view.pairs - 1; pair > 0 && !longest.turns.empty(); --pair) {
    const Labels labels = labels_of(view, pair, speed(pair));
    if (labels.turns.empty()) continue;
    longest.columns = labels.columns;
    break;
  }
  if (!longest.turns.empty()) {
    const float width =
        view.canvas().text_width(longest.columns + longest.turns, words_style({}, small_size)) + 8;
    layout.third = width > layout.grid.cell_w - 6;
    if (layout.third) arrange();
  }
  // As many of the widest digit as the largest columns have: figures differ in width.
  std::string last = "columns " + labels_of(view, view.pairs - 1, speed(view.pairs - 1)).columns;
  for (char& c : last) c = c >= '0' && c <= '9' ? '4' : c;
  layout.worded = view.canvas().text_width(last, words_style({}, small_size)) <= layout.grid.cell_w - 6;
  // All with a shorter label come before some with a longer one; but dials without any only where the labels
  // would leave few.
  constexpr int too_few = 12;
  if (layout.clocks < view.pairs && (!view.canvas().plain() || on_slide(view.pen))) {
    const Layout whole = layout;
    for (const Labelled labelled : {Labelled::wavelength, Labelled::none}) {
      if (labelled == Labelled::none && (whole.clocks >= too_few || on_slide(view.pen))) break;
      layout.labelled = labelled;
      arrange();
      if (layout.clocks == view.pairs) break;
    }
    if (layout.clocks < view.pairs) layout = whole;
  }
  if (layout.labelled != Labelled::whole)
    layout.left_out = "framed: columns " + labels_of(view, view.pair, 1).columns + ", λ " +
                      wavelength_words(view.omega(view.pair));
  if (layout.clocks < view.pairs)  // of two, one may be the chosen one
    layout.left_out = "showing " + std::to_string(layout.clocks) + " of " + std::to_string(view.pairs) +
                      " pairs" + (layout.clocks > 2 ? ", from the fastest to the slowest" : "");
  if (odd)
    layout.left_out += (layout.left_out.empty() ? "" : "; ") + ("column " + std::to_string(view.cols - 1)) +
                       " is a sine without a cosine: not a clock";
  return layout;
}

}  // namespace

void clocks_card(const PositionView& view, Box box) {
  const Pen& pen = view.pen;
  const bool logarithmic = view.in.scene.positions.clock_speed == scene::ClockSpeed::logarithmic;
  const float controls = head_controls(view, box, false);
  const bool narrow = controls > 0 && box.w < controls + 330;  // then the controls take a line of their own
  const std::string subtitle =
      logarithmic || view.pairs == 0
          ? ""
          : "thick: position i · thin: i + δ · every hand turns by δω, whatever i is";
  const std::string title = view.pairs == 0
                                ? "The clocks"
                                : clock_title(view, box.w - 2 * card_padding - (narrow ? 0 : controls + 8));
  Box inside = card(pen, box, {title, subtitle, narrow || view.pairs == 0 ? 0 : controls}, "clocks");
  if (view.pairs == 0) {
    placeholder(pen, inside, "No clock", "d = 1 has one sine and no cosine, so there is no clock");
    return;
  }
  if (logarithmic) {
    inside.y -= 8, inside.h += 8;
    put(pen, {inside.x, inside.y + 10}, "logarithmic speeds, not those of the encoding",
        strong_style(pen.theme.offset, 18), narrow ? inside.w : inside.w - controls - 8);
    inside.cut_top(24);
  }
  if (narrow && box.w > controls + 2 * card_padding) {
    head_controls(view, {box.x, inside.y - card_padding + 5, box.w, 0}, true);
    inside.cut_top(control_height + 8);
  } else if (!narrow) {
    head_controls(view, box, true);
  }

  const double fastest = view.omega(0);
  const auto speed = [&](int pair) {
    return logarithmic ? logarithmic_speed(view.omega(pair), fastest) : view.omega(pair);
  };
  const Layout layout = clocks_layout(view, inside, speed);
  const Grid& grid = layout.grid;
  if (!layout.left_out.empty()) {
    std::string stated = layout.left_out;
    if (pen.canvas.text_width(stated, words_style(pen.theme.dim)) > inside.w)
      stated.resize(std::min(stated.size(), stated.find(layout.labelled == Labelled::whole ? ',' : ';')));
    put(pen, {inside.x, inside.bottom() - 6}, stated, words_style(pen.theme.dim), inside.w);
  }
  if (grid.radius < 8) return;

  const Box area = layout.area;
  const float height = std::min(grid.cell_h, 2 * grid.radius + layout.labels + 26);
  const float top = area.y + std::max(0.f, (area.h - height * static_cast<float>(grid.down)) / 2);
  const std::vector<int> shown = shown_pairs(view.pairs, layout.clocks, view.pair);
  for (std::size_t n = 0; n < shown.size(); ++n) {
    const int pair = shown[n], column = static_cast<int>(n) % grid.across,
              line = static_cast<int>(n) / grid.across;
    ClockFace face;
    face.radius = grid.radius;
    face.centre = {area.x + (static_cast<float>(column) + 0.5f) * grid.cell_w,
                   top + static_cast<float>(line) * height + grid.radius + 4};
    face.position = view.running, face.offset = view.delta;
    face.omega = speed(pair);
    face.chosen = pair == view.pair && marks_selection(pen);
    face.lit = pair == view.lit_pair || (view.lit_column >= 0 && view.lit_column / 2 == pair);
    draw::Mark mark;
    mark.part = Part::clock, mark.key = pair;
    mark.area = {face.centre.x - face.radius, face.centre.y - face.radius, 2 * face.radius, 2 * face.radius};
    view.canvas().mark(mark);
    clock_face(pen, face);
    view.canvas().mark({});
    if (layout.labelled == Labelled::none) continue;
    clock_labels(view, pair, labels_of(view, pair, face.omega),
                 {face.centre.x, face.centre.y + face.radius + 4}, layout);
  }
}

}  // namespace headlight::views
