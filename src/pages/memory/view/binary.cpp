// The network of 1982 in the retrieval card: energy and overlap, update by update, and the bits themselves.
#include <algorithm>
#include <cmath>

#include "kit/curve.h"
#include "kit/words.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

namespace {

constexpr float strip_row = 13, labels_width = 52;

std::string outcome(const PageInput& in, const scene::BinaryRetrieval& b) {
  const double last = b.trace.overlap.back();
  const std::string way = "overlap " + in.text("binary_overlap update=0") + " → " + in.text("binary_overlap");
  const std::string rest = b.last_flip == 0 ? ", no update flips a bit."
                                            : ", at rest after " + in.text("binary_settled") +
                                                  (b.last_flip == 1 ? " update." : " updates.");
  if (b.ok())
    return "Recovers pattern 1: " + way +
           (b.wrong == 0 ? ""
                         : ", " + in.text("binary_wrong") + (b.wrong == 1 ? " bit" : " bits") + " wrong") +
           rest;
  if (last <= -scene::binary_recovered_overlap)
    return "Ends at the inverse of pattern 1, which has the same energy: " + way + rest;
  if (b.nearest_overlap >= scene::binary_recovered_overlap)
    return "Ends at pattern " + std::to_string(b.nearest + 1) + ", not at pattern 1: " + way + rest;
  return "Pattern 1 is not recovered: " + way + rest;
}

/// One of the two plots: a line that changes where an update flips a bit.
void steps(const MemoryView& view, const Plot& plot, const std::vector<double>& values, draw::Color color) {
  std::vector<PlotPoint> points = {{0, values.front()}};
  for (std::size_t n = 1; n < values.size(); ++n) {
    if (values[n] == values[n - 1]) continue;
    points.push_back({static_cast<double>(n), values[n - 1]});
    points.push_back({static_cast<double>(n), values[n]});
  }
  points.push_back({static_cast<double>(values.size() - 1), values.back()});
  curve(view.pen, plot, points, {color});
}

/// What holds after so many updates, for a tooltip, at a few dozen places.
void notes(const MemoryView& view, const Plot& plot, Box area, const nn::BinaryTrace& trace) {
  const int last = static_cast<int>(trace.energy.size()) - 1, places = std::min(last, 40);
  for (int n = 0; n <= places; ++n) {
    const int update = places == 0 ? 0 : n * last / places;
    const float half = plot.box.w / static_cast<float>(2 * std::max(1, places));
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "bits after " + std::to_string(update);
    mark.area = {plot.x(update) - half, area.y, 2 * half, area.h};
    const auto at = static_cast<std::size_t>(update);
    mark.note = (update == 0 ? std::string("the probe") : "after update " + std::to_string(update)) +
                "\nE = " + view.in.text(quantity("binary_energy", {{"update", static_cast<int>(at)}})) +
                "\noverlap " + view.in.text(quantity("binary_overlap", {{"update", static_cast<int>(at)}}));
    view.pen.canvas.mark(mark);
    view.pen.canvas.mark({});
  }
}

void strips(const MemoryView& view, Box box, const scene::BinaryRetrieval& b) {
  Cells bits = signed_cells(b.states.data(), 3, b.bits, 1.6f, "bits");
  Box map = box;
  const char* names[] = {"pattern 1", "probe", "final state"};
  float wide = labels_width;
  for (const char* name : names)
    wide = std::max(wide, view.pen.canvas.text_width(name, words_style({}, small_size)) + 8);
  const Box labels = map.cut_left(wide);
  cells(view, map, bits);
  for (int row = 0; row < 3; ++row)
    put(view.pen, {labels.x, map.y + (static_cast<float>(row) + 0.5f) * map.h / 3}, names[row],
        words_style(view.theme().dim, small_size), labels.w - 4);
}

}  // namespace

void memory_binary(const MemoryView& view, Box box, const std::vector<Choice>& networks, MemoryPart as) {
  const Pen& pen = view.pen;
  const scene::BinaryRetrieval* b = view.results.binary.get();
  const std::string title = "Retrieval: the network of 1982";
  const float room = box.w - 2 * card_padding - segmented_width(pen, networks) - 8;
  const bool fits = pen.canvas.text_width(title, strong_style(pen.theme.text)) <= room;
  std::string subtitle = "s_i ← sign(Σ_j W_ij s_j), one at a time; W = (1/D) Σ ξξᵀ, its diagonal 0";
  if (b)
    subtitle += "; N = " + std::to_string(b->patterns) + ", D = " + std::to_string(b->bits) + ", seed " +
                std::to_string(view.in.results.scene.seed);
  Box inside =
      memory_box(view, box, {fits ? title : "The network of 1982", subtitle, segmented_width(pen, networks)},
                 "retrieval", as);
  segmented(pen, card_corner(box), networks);
  if (!b || b->trace.energy.empty()) return;

  const draw::TextStyle text = words_style(view.theme().text), quiet = words_style(view.theme().dim);
  const std::string many = view.in.text("binary_recovered") + " of " + view.in.text("binary_probes") +
                           " probes (a pattern with " + std::to_string(b->flips) +
                           (b->flips == 1 ? " bit" : " bits") + " flipped) end at overlap ≥ 0.9 with it.";
  const std::string limit =
      "N/D = " + view.in.text("binary_load") + "; up to about " + brief(scene::binary_limit, 3) +
      " random patterns have a fixed point near them, for many bits; damaged probes need a smaller load.";
  inside.cut_top(paragraph(pen, {inside.x, inside.y - 4}, inside.w, outcome(view.in, *b), text, 2));
  inside.cut_top(paragraph(pen, {inside.x, inside.y - 4}, inside.w, many, quiet, 2));
  inside.cut_top(paragraph(pen, {inside.x, inside.y - 4}, inside.w, limit, quiet, 2));
  inside.cut_top(8);

  Box strip = inside.cut_bottom(3 * strip_row);
  inside.cut_bottom(10);
  inside.cut_bottom(34);  // the axis
  inside.cut_left(labels_width);
  inside.cut_right(8);
  strip.cut_right(8);
  const double updates = static_cast<double>(b->trace.energy.size() - 1);
  const double high = b->trace.energy.front(), low = b->trace.energy.back();
  const bool level = high - low < 1e-9;  // no bit flipped
  const double margin = level ? 1 : 0.06 * (high - low);
  const float half = std::round((inside.h - 26) * 0.5f);
  const draw::TextStyle label = words_style(view.theme().dim, small_size);
  put(pen, {inside.x, inside.y + 6}, "energy −½ sᵀ W s", label, inside.w);
  const Plot energy{{inside.x, inside.y + 14, inside.w, half - 14}, 0, updates, low - margin, high + margin};
  put(pen, {inside.x, energy.box.bottom() + 18}, "overlap with pattern 1", label, inside.w);
  const float top = energy.box.bottom() + 28;
  const double floor = std::min(0.0, *std::min_element(b->trace.overlap.begin(), b->trace.overlap.end()));
  const Plot overlap{{inside.x, top, inside.w, inside.bottom() - top}, 0, updates, floor < 0 ? -1.0 : 0.0, 1};
  y_grid(pen, energy, level ? std::vector<double>{low} : std::vector<double>{low, high}, 1);
  y_grid(pen, overlap, {overlap.from_y, 1}, 0);
  x_axis(pen, overlap, whole_ticks(static_cast<int>(updates), overlap.box.w, 44), "update, one neuron each");
  steps(view, energy, b->trace.energy, draw::series(view.theme(), 0));
  steps(view, overlap, b->trace.overlap, draw::series(view.theme(), 1));
  notes(view, energy, {inside.x, inside.y, inside.w, inside.h}, b->trace);
  strips(view, strip, *b);
}

}  // namespace headlight::views
