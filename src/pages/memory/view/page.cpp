#include "pages/memory/view/page.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/words.h"
#include "draw/no_canvas.h"
#include "kit/columns.h"
#include "kit/page_input.h"
#include "pages/memory/experiments.h"
#include "pages/memory/memory.h"
#include "pages/memory/sizes.h"
#include "pages/memory/view/view.h"

namespace headlight::views {

namespace {

constexpr float gap = card_gap;

constexpr float least_part_width = 800, least_part_height = 360;
/// Is what the probe retrieves in the card of the landscape, as a part of the main picture? A card that is
/// shown alone, on a slide or on paper, is one of the two.
bool one_picture(const MemoryView& view, Box box) {
  return !view.pen.canvas.plain() && !on_slide(view.pen) && !view.in.alone && box.w >= least_part_width &&
         box.h >= least_part_height;
}

/// One card under the other. Returns the lower edge.
float stacked(const MemoryView& view, Box rest, float window) {
  constexpr float of_linear = 400;
  const float room = window - rest.y;
  // Both parts beside each other fill a low first screen.
  constexpr float low = 640;
  const bool both = one_picture(view, {0, 0, rest.w, room}) && room <= low;
  const Box first =
      take_top(rest, both ? room : hero_height(view.pen, room, std::min(460.f, rest.w * 0.9f), 290));
  if (one_picture(view, first)) {
    memory_landscape_and_retrieval(view, first);
  } else {
    memory_landscape_card(view, first);
    memory_retrieval_card(view, take_top(rest, 400));
  }
  memory_readings_card(view, take_top(rest, 350));
  memory_fast_card(view, take_top(rest, 430));
  memory_linear_card(
      view, take_top(rest, view.pen.canvas.plain() ? 470 : of_linear));  // paper has more lines of words
  memory_lineage_card(view, take_top(rest, 300));
  memory_error_card(view, take_top(rest, 360));
  memory_influence_card(view, take_top(rest, 380));
  return rest.y - gap;
}

constexpr float least_upper = 425, least_lower = 364, least_last = 350, most_last = 760;

/// The landscape, the retrieval and the interpretations beside each other.
void network_row(const MemoryView& view, Box row) {
  // The landscape is square: what it does not need goes to its neighbours.
  constexpr float least_neighbours = 2 * 430 + 2 * gap;
  const float widest =
      std::max(part_of(row.w, 0.36f), std::min(part_of(row.w, 0.42f), row.w - least_neighbours));
  const float square = std::clamp(row.h - 62 - landscape_foot, 300.f, widest);
  memory_landscape_card(view, take_left(row, square));
  memory_retrieval_card(view, take_left(row, std::max(part_of(row.w, 0.5f), row.w - gap - 560)));
  memory_readings_card(view, row);
}

/// The fast weights have two thirds, unless the maps beside them would be too small.
void sentence_row(const MemoryView& view, Box row) {
  constexpr float least_beside = 440;
  const float two_thirds = std::min(part_of(row.w, 2.f / 3), row.w - least_beside - gap);
  memory_fast_card(view, take_left(row, std::max(part_of(row.w, 0.56f), two_thirds)));
  memory_linear_card(view, row);
}

/// The network above, attention and its fast weights below it: on paper, on a slide, and where a lesson shows
/// a card alone.
float rows_of_paper(const MemoryView& view, Box rest, float room) {
  const ColumnCard later[] = {{300, [&](Box box) { memory_lineage_card(view, box); }},
                              {least_last, [&](Box box) { memory_error_card(view, box); }},
                              {least_last, [&](Box box) { memory_influence_card(view, box); }}};
  rest.h = room;
  const bool all = view.pen.canvas.plain() && in_columns(rest, later);
  rest.h = 1e6f;
  const bool both = room >= least_upper + gap + least_lower;
  const float upper = both ? std::max(least_upper, part_of(room, 0.525f)) : std::max(least_upper, room);
  network_row(view, take_top(rest, std::max(least_lower, both ? room - gap - upper : room)));
  sentence_row(view, take_top(rest, upper));
  if (all) return rest.y - gap;
  Box row = take_top(rest, std::clamp(room, least_last, most_last));
  memory_lineage_card(view, take_left(row, part_of(row.w, 0.34f)));
  memory_error_card(view, take_left(row, part_of(row.w, 0.5f)));
  memory_influence_card(view, row);
  return rest.y - gap;
}

/// The network on the first screen, with a column of interpretations where it has most of the window all the
/// same; attention and its fast weights on the second one; the rest on a third one, or in a large window
/// below them.
float screens(const MemoryView& view, Box rest, float window) {
  constexpr float least_picture = 940, least_column = 320;  // of the table of capacities
  const float room = window - rest.y;
  Box row = take_top(rest, std::max(least_upper, room));
  constexpr float of_column = 0.23f;  // at most, of the page
  const float side = std::min(support_width({0, 0, row.w, room}), part_of(row.w, of_column));
  const bool beside = side >= least_column && row.w - gap - side >= least_picture;
  const bool large = beside && rest.w >= columns_from - 2 * gap;
  Box column;
  if (beside) {
    column = row.cut_right(side);
    row.cut_right(gap);
  }
  memory_landscape_and_retrieval(view, row);
  if (beside) {
    if (large) memory_readings_card(view, take_top(column, part_of(column.h, 0.54f)));
    large ? memory_lineage_card(view, column) : memory_readings_card(view, column);
  }
  constexpr float of_sentence = 0.6f;
  sentence_row(view, take_top(rest, std::max(least_upper, large ? part_of(room, of_sentence) : room)));
  const auto pair = [&](Box both, auto&& left, auto&& right, float part) {
    left(view, take_left(both, part_of(both.w, part)));
    right(view, both);
  };
  const float left = room - gap - part_of(room, of_sentence);
  if (large) {
    row = take_top(rest, std::max(least_last, left));
  } else if (beside) {
    row = take_top(rest, std::clamp(room, least_last, most_last));
    memory_lineage_card(view, take_left(row, part_of(row.w, 0.34f)));
  } else {
    const bool together = room >= 2 * least_last + gap;
    const float high = together ? part_of(room, 0.5f) : std::clamp(room, least_last, most_last);
    pair(take_top(rest, high), memory_readings_card, memory_lineage_card, 0.5f);
    row = take_top(rest, high);
  }
  pair(row, memory_error_card, memory_influence_card, 0.5f);
  return rest.y - gap;
}

float paired(const MemoryView& view, Box rest, float window) {
  if (!one_picture(view, {0, 0, rest.w, least_part_height}))
    return rows_of_paper(view, rest, window - rest.y);
  return screens(view, rest, window);
}

const scene::MemoryResults* results_of(const PageInput& in) {
  return in.own<scene::MemoryResults>();
}

MemoryView view_of(const PageInput& in, draw::Canvas& canvas) {
  return {in, Pen{canvas, in.theme, in.hover}, *results_of(in), in.results.scene.memory};
}

}  // namespace

std::string memory_question(const PageInput&) {
  return "Can attention be a memory?";
}

float memory_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  Box rest = area.inset(gap);
  if (!results_of(in) || !results_of(in)->stored) {
    const Pen pen{canvas, in.theme, in.hover};
    placeholder(pen, card(pen, rest, {}), "The memory is being computed", "it appears here when it is done");
    return area.h;
  }
  const MemoryView view = view_of(in, canvas);
  const float window = area.bottom() - gap;
  rest.h = 1e6f;
  const Box first = rest;
  const float bottom = area.w >= 960 ? paired(view, rest, window) : stacked(view, rest, window);
  progress_line(view.pen, first, in.busy);
  return bottom + gap - area.y;
}

std::string memory_tooltip(const PageInput& in, const draw::Hit& hit) {
  const scene::MemoryResults* r = results_of(in);
  if (!r || !r->stored) return hit.mark.note;
  if (hit.mark.part == draw::Part::plane && hit.mark.area.w > 0) {
    const Box& area = hit.mark.area;
    const auto reach = static_cast<double>(hit.mark.to);
    const double x = reach * (2 * static_cast<double>((hit.at.x - area.x) / area.w) - 1);
    const double y = reach * (1 - 2 * static_cast<double>((hit.at.y - area.y) / area.h));
    const nn::Matrix& map = r->stored->landscape;
    std::string words = "(" + fixed(x, 2) + ", " + fixed(y, 2) + ")";
    // By the place, not by hit.cell: over a contour or a pattern the pointer is on no cell.
    const int row = static_cast<int>(std::floor((hit.at.y - area.y) / area.h * float(map.rows()))),
              col = static_cast<int>(std::floor((hit.at.x - area.x) / area.w * float(map.cols())));
    if (row >= 0 && row < map.rows() && col >= 0 && col < map.cols())
      words += "   E = " + fixed(static_cast<double>(map.at(row, col)), 3);
    return words + "\ndrag: move the probe here";
  }
  return hit.mark.note.empty() ? memory_cell_words(in, hit) : hit.mark.note;
}

std::pair<int, int> memory_marked(const PageInput& in, std::string_view card) {
  const scene::MemoryResults* r = in.own<scene::MemoryResults>();
  const bool of_sentence = card == "linear" || card == "fast";
  if (!r || !r->sentence || !of_sentence) return {-1, -1};
  return {r->step - 1, r->step - 1};
}

namespace {

/// Of the axis that is shown: the longest sequence, or the sizes of the scene.
std::string error_finding(const PageInput& in, const scene::MemoryResults& r) {
  if (in.scene.memory.error_over == scene::MemoryErrorOver::size) {
    if (!r.sizes || r.sizes->sizes.empty()) return {};
    return "The relative error is " + in.text("random_feature_error") + " with " +
           std::to_string(r.sizes->m) + " random features and " + in.text("projected_error") + " with " +
           std::to_string(r.sizes->r) + " projected keys";
  }
  if (!r.experiments || r.experiments->errors.empty()) return {};
  const std::pair<const char*, int> T{"T", r.experiments->errors.back().T};
  return "At T = " + std::to_string(T.second) + " the relative error of linear attention is " +
         in.text(quantity("linear_error", {T})) + " with φ = elu + 1, " +
         in.text(quantity("linear_error_identity", {T})) + " with φ = identity";
}

/// Of the write rule that is shown: the sum has a second way to y, the delta rule is computed in double, too.
std::string check_of_y(const PageInput& in) {
  return in.results.scene.memory.write == scene::MemoryWrite::delta
             ? "y in float32 and in double agree to within " + in.text("delta_residual")
             : "both ways to y agree to within " + in.text("fast_residual");
}

}  // namespace

std::string memory_words(const PageInput& in) {
  const scene::MemoryResults* r = results_of(in);
  if (!r || !r->stored) return {};
  std::string words;
  draw::NoCanvas unused;  // only words are made here
  if (r->sentence)
    words = (r->sentence->head > 0 ? view_of(in, unused).head_words() + " · " : "") + "step " +
            std::to_string(r->step) + " of " + std::to_string(r->sentence->q.rows()) + " · " +
            check_of_y(in) + " · ";
  if (in.results.scene.memory.network == scene::MemoryNetwork::binary && r->binary) {
    const scene::BinaryRetrieval& bits = *r->binary;
    return words + "network of 1982: " + (bits.ok() ? "pattern 1 recovered" : "pattern 1 not recovered") +
           " · " + in.text("binary_recovered") + " of " + in.text("binary_probes") + " probes recovered";
  }
  const scene::Retrieval& found = r->retrieval;
  words += found.recovered_at >= 0
               ? "pattern " + in.text("nearest_pattern") + " recovered at update " + in.text("recovered_at")
               : "no pattern recovered";
  return words + " · " + in.text("noisy_recovered") + " of " + in.text("noisy_probes") +
         " noisy probes recovered";
}

namespace {

/// The outputs where weights are negative, which are no shares of a row; else the mean largest weights.
std::string linear_finding(const PageInput& in, const scene::SentenceMemory& memory) {
  const std::span<const float> weights = memory.linear.values();
  const auto finite = [](const nn::Matrix& m) {
    return std::ranges::all_of(m.values(), [](float value) { return std::isfinite(value); });
  };
  if (!finite(memory.linear) || !finite(memory.softmax) || !finite(memory.output_difference)) return {};
  if (in.value("linear_difference") == 0) return "Linear and softmax attention have the same outputs";
  if (std::ranges::any_of(weights, [](float weight) { return weight < 0; }))
    return "Some weights of linear attention are negative; its outputs differ from those of softmax "
           "attention by up to " +
           in.text("linear_difference");
  return "The largest weight of a row is " + in.text("linear_sharpness") +
         " on average in linear attention, " + in.text("softmax_sharpness") + " in softmax attention";
}

/// Where the probe of the landscape ends, and how far its energy falls.
std::string landscape_finding(const PageInput& in, const scene::Retrieval& found) {
  const auto energy = [&](int update) { return in.text(quantity("energy", {{"update", update}})); };
  if (found.recovered_at < 0) return "The probe recovers no pattern; its energy begins at " + energy(0);
  return "The probe recovers pattern " + in.text("nearest_pattern") + " at update " +
         in.text("recovered_at") + "; its energy falls from " + energy(0) + " to " +
         energy(found.recovered_at);
}

}  // namespace

std::string memory_finding(const PageInput& in, std::string_view card) {
  const scene::MemoryResults* r = results_of(in);
  if (!r || !r->stored) return {};
  if (card == "fast" && r->sentence)
    return "W stays " + in.text("fast_width") + " × " + in.text("fast_features") +
           " however many tokens are written: " + in.text("memory_writes") + " so far";
  if (card == "linear" && r->sentence) {
    return linear_finding(in, *r->sentence);
  }
  if (card == "lineage" && r->sentence)
    return "The y of fast weights and of linear attention differ by at most " + in.text("fast_residual");
  if (card == "readings" && !r->capacity.empty()) {
    const std::pair<const char*, int> d{"d", r->capacity.back().dimension};
    return "With d = " + std::to_string(d.second) + ", a network of 1982 stores about " +
           in.text(quantity("capacity_1982", {d})) + " random patterns, one of 2017 about " +
           in.text(quantity("capacity_2017", {d}), memory_count);
  }
  if (card == "error") return error_finding(in, *r);
  if (card == "influence" && r->experiments && !r->experiments->influence.empty()) {
    const std::pair<const char*, int> far{"distance", r->experiments->influence.back().distance};
    return "At distance " + std::to_string(far.second) + " the influence is " +
           in.text(quantity("recurrence_influence", {far})) + " through a recurrence and " +
           in.text(quantity("attention_influence", {far})) + " through attention";
  }
  if (card != "landscape" && card != "retrieval") return {};
  if (in.results.scene.memory.network == scene::MemoryNetwork::binary && r->binary)
    return in.text("binary_recovered") + " of " + in.text("binary_probes") + " probes are recovered";
  if (card == "landscape") return landscape_finding(in, r->retrieval);
  return in.text("noisy_recovered") + " of " + in.text("noisy_probes") + " noisy probes are recovered";
}

}  // namespace headlight::views
