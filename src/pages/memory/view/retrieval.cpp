// One probe in the Hopfield network: the energy and the weights over the patterns, update by update, and what
// came of it.
#include <algorithm>
#include <cmath>

#include "kit/curve.h"
#include "kit/words.h"
#include "pages/memory/memory.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

namespace {

std::string outcome(const PageInput& in, const scene::Retrieval& r) {
  const std::string pattern = "pattern " + in.text("nearest_pattern");
  if (r.recovered_at == 0) return "The probe is within a tenth of " + pattern + " from the start.";
  if (r.recovered_at > 0)
    return "Recovers " + pattern + " after " + in.text("recovered_at") +
           (r.recovered_at == 1 ? " update" : " updates") + ", to within a tenth of its length.";
  return "No pattern is recovered: at the end, the weight is spread over " + in.text("spread") +
         " patterns, " + in.text("final_distance") + " norms away from " + pattern + ".";
}

std::string same(const MemoryView& view) {
  const double beta = view.settings.beta, attention = view.attention_beta();
  const bool is_attention = std::abs(beta / attention - 1) < 1e-4;
  return "One update = attention with q = ξ, K = V = X" +
         std::string(is_attention ? ", β = 1/√d" : ", β = " + brief(beta / attention, 3) + " · 1/√d") +
         ": agrees to within " + view.in.text("update_is_attention") + ".";
}

std::vector<Choice> network_choices(const MemoryView& view) {
  const bool binary = view.in.scene.memory.network == scene::MemoryNetwork::binary;
  return {{"2020", "memory_network=continuous", "network continuous", !binary,
           "the continuous network: one update is one row of attention"},
          {"1982", "memory_network=binary", "network binary", binary,
           "Hopfield’s network: neurons of ±1, updated one at a time"}};
}

void energy(const MemoryView& view, const Plot& plot) {
  const Pen& pen = view.pen;
  const nn::MatrixF64& e = view.results.retrieval.trace.energy;
  const double middle = (plot.from_y + plot.to_y) / 2;
  const int decimals = plot.to_y - plot.from_y < 0.05 ? 3 : plot.to_y - plot.from_y < 5 ? 2 : 1;
  std::vector<double> grid = {plot.from_y, plot.to_y};
  if (plot.box.h > 70) grid.push_back(middle);
  y_grid(pen, plot, grid, decimals);
  std::vector<PlotPoint> points;
  for (int n = 0; n < e.rows() * e.depth() * e.cols(); ++n)
    points.push_back({static_cast<double>(n), e.data()[n]});
  curve(pen, plot, points, {draw::series(view.theme(), 0)});
  for (std::size_t n = 0; n < points.size(); ++n) {
    const Point here = plot.at(points[n].x, points[n].y);
    draw::Mark mark;
    mark.part = draw::Part::note, mark.name = "energy " + std::to_string(n);
    mark.note = (n == 0 ? std::string("the probe") : "after update " + std::to_string(n)) +
                "\nE = " + view.in.text(quantity("energy", {{"update", static_cast<int>(n)}}));
    mark.area = {here.x - 7, plot.box.y, 14, plot.box.h};
    pen.canvas.mark(mark);
    pen.canvas.circle(here, 3.5f, n == 0 ? view.theme().query : draw::series(view.theme(), 0));
    pen.canvas.mark({});
  }
  const int at = view.results.retrieval.recovered_at;
  if (at > 0) {
    const float x = plot.x(at);
    pen.canvas.line({x, plot.box.y}, {x, plot.box.bottom()}, {view.theme().dim, 1, 3});
    const bool left = x > plot.box.centre().x + plot.box.w / 4;
    put(pen, {left ? x - 6 : x + 6, plot.box.y + 7}, "recovered",
        aligned(words_style(view.theme().dim, small_size), left ? Align::right : Align::left));
  }
  // The energy has fallen before the right half, which is free right of the word above.
  const draw::TextStyle quiet = words_style(view.theme().dim, small_size);
  const float taken = at > 0 ? plot.x(at) + 18 + pen.canvas.text_width("recovered", quiet) : 0;
  const std::string words = "energy, update by update";
  if (pen.canvas.text_width(words, quiet) <= plot.box.right() - std::max(taken, plot.box.centre().x))
    put(pen, {plot.box.right(), plot.box.y + 7}, words, aligned(quiet, Align::right));
}

}  // namespace

void memory_retrieval_card(const MemoryView& view, Box box) {
  memory_retrieval(view, box, MemoryPart::card);
}

void memory_retrieval(const MemoryView& view, Box box, MemoryPart as) {
  const Pen& pen = view.pen;
  const std::vector<Choice> networks = network_choices(view);
  if (view.in.scene.memory.network == scene::MemoryNetwork::binary) {
    memory_binary(view, box, networks, as);
    return;
  }
  const scene::Retrieval& r = view.results.retrieval;
  const bool is_attention = std::abs(view.in.scene.memory.beta / view.attention_beta() - 1) < 1e-4;
  const Choice attention{"β = 1/√d", assignment("memory_beta", view.attention_beta()), "attention beta",
                         is_attention, "the scale of scaled dot-product attention"};
  const std::string title = "Retrieval: a modern Hopfield network";
  const float controls = button_width(pen, attention) + 8 + segmented_width(pen, networks);
  const float room = box.w - 2 * card_padding - controls - 8;
  const bool fits = pen.canvas.text_width(title, strong_style(pen.theme.text)) <= room;
  Box inside = memory_box(
      view, box,
      {fits ? title : "Hopfield retrieval",
       "ξ ← Xᵀ softmax(β X ξ), β = " + brief(view.settings.beta, 3) + ", " +
           std::to_string(view.settings.patterns) + " patterns of seed " +
           std::to_string(view.in.results.scene.seed) + ", d = " + std::to_string(view.settings.dimension),
       controls},
      "retrieval", as);
  const Box right = segmented(pen, card_corner(box), networks);
  button(pen, {right.x - 8, right.y}, attention);

  const draw::TextStyle text = words_style(view.theme().text), quiet = words_style(view.theme().dim);
  inside.cut_top(paragraph(pen, {inside.x, inside.y - 4}, inside.w, outcome(view.in, r), text, 2));
  const std::string many = view.in.text("noisy_recovered") + " of " + view.in.text("noisy_probes") +
                           " probes (a pattern plus noise " + brief(view.settings.noise, 2) +
                           ") recover their pattern in " + std::to_string(scene::recovery_updates) +
                           " updates.";
  inside.cut_top(paragraph(pen, {inside.x, inside.y - 4}, inside.w, many, quiet, 2));
  inside.cut_top(paragraph(pen, {inside.x, inside.y - 4}, inside.w, same(view), quiet, 2));
  inside.cut_top(8);

  const int updates = r.weights.rows(), N = r.weights.cols();
  Box foot = inside.cut_bottom(24);
  const Box names = inside.cut_bottom(20);
  const Box left = inside.cut_left(44);
  inside.cut_right(8);
  const draw::TextStyle axis = words_style(view.theme().dim, small_size);
  const float half = std::round((inside.h - 22) * 0.5f);
  const double high = r.trace.energy.data()[0], low = r.trace.energy.data()[updates];
  const double span = std::max(high - low, 1e-3);
  energy(view, {{inside.x, inside.y + 4, inside.w, half - 8},
                0,
                static_cast<double>(updates),
                low - 0.06 * span,
                high + 0.06 * span});
  const Box map{inside.x, inside.y + half + 22, inside.w, inside.h - half - 22};
  put(pen, {inside.x, map.y - 9}, "weights over the patterns, update by update", axis, inside.w);
  Cells weights;
  weights.values = r.weights.data(), weights.rows = updates, weights.cols = N;
  weights.transposed = true, weights.name = "pattern weights";
  cells(view, map, weights);
  const float pitch = map.h / static_cast<float>(N);
  const int every = label_step(pitch, 12);
  for (int n = 0; n < N; n += every) {
    put(pen, {left.right() - 8, map.y + (static_cast<float>(n) + 0.5f) * pitch}, std::to_string(n + 1),
        aligned(words_style(n == r.nearest ? view.theme().text : view.theme().dim, small_size),
                Align::right));
  }
  const float step = map.w / static_cast<float>(updates);
  for (int n = 1; n <= updates; n += label_step(step, 20))
    pen.canvas.text({map.x + (static_cast<float>(n) - 0.5f) * step, names.y + 9}, std::to_string(n),
                    aligned(words_style(view.theme().dim, small_size), Align::centre));
  if (pen.canvas.text_width("update", axis) <= left.w - 4)  // it is said above the map too
    put(pen, {left.x, names.y + 9}, "update", axis);
  cells_bar(view, {map.x, foot.y + 2, std::min(map.w, 220.f), 24}, weights, "weight p");
}

}  // namespace headlight::views
