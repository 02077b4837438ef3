#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/words.h"
#include "kit/words.h"
#include "pages/cost/cost.h"
#include "pages/cost/view/sheet.h"

namespace headlight::views {

using nn::Architecture;

namespace {

/// Positions from left to right, layers from the bottom up; layer 0 is the input.
struct Network {
  Box box;
  int positions = 1, layers = 1;
  float x(int position) const {
    return box.x + box.w * (static_cast<float>(position) + 0.5f) / static_cast<float>(positions);
  }
  float pitch() const { return box.w / static_cast<float>(positions); }
  /// A wide network has high layers: its lines are no flatter than they must be.
  float step() const { return std::min(std::max(110.f, 0.6f * box.w), box.h / static_cast<float>(layers)); }
  float y(int layer) const {
    return box.y + step() * static_cast<float>(layers - layer);  // directly below the words
  }
  Point at(int position, int layer) const { return {x(position), y(layer)}; }
  float radius() const { return std::clamp(std::min(pitch(), step()) * 0.2f, 1.5f, 5.f); }
};

struct Link {
  int from, to, layer;  // from `layer` to `layer` + 1, or within the layer where `flat`
  bool flat = false;
};

bool is_convolution(Architecture a) {
  return a == Architecture::convolution || a == Architecture::dilated_convolution;
}

Architecture first_net(const CostSheet& sheet) {
  return sheet.settings.convolution == scene::CostConvolution::dilated ? Architecture::dilated_convolution
                                                                       : Architecture::convolution;
}

int layers_of(const CostSheet& sheet, Architecture a) {
  return is_convolution(a) ? std::max(1, static_cast<int>(sheet.results.path(a).size())) : 1;
}

/// Every connection of the network.
std::vector<Link> links(const CostSheet& sheet, Architecture a, const Network& net) {
  std::vector<Link> all;
  const int n = net.positions, k = sheet.settings.k;
  const auto side = static_cast<nn::KernelSide>(sheet.settings.kernel);
  const nn::KernelReach reach = nn::kernel_reach(k, side);
  const auto add = [&](long long from, int to, int layer) {
    if (from >= 0 && from < n) all.push_back({static_cast<int>(from), to, layer});
  };
  long long gap = 1;
  for (int layer = 0; layer < net.layers; ++layer) {
    for (int to = 0; to < n; ++to) {
      switch (a) {
        case Architecture::self_attention:
        case Architecture::linear_attention:
          for (int from = 0; from < n; ++from) add(from, to, layer);
          break;
        case Architecture::recurrence:
          add(to, to, layer);
          if (to > 0) all.push_back({to - 1, to, layer + 1, true});
          break;
        case Architecture::convolution:
        case Architecture::dilated_convolution:
          for (int tap = -reach.left; tap <= reach.right; ++tap) add(to + tap * gap, to, layer);
          break;
      }
    }
    gap = std::min(gap * nn::gap_base(a, k, side), 1000000LL);
  }
  return all;
}

std::string hop_words(const CostSheet& sheet, Architecture a) {
  const std::size_t hops = sheet.results.path(a).size();
  if (sheet.results.from == sheet.results.to) return "0 hops";
  if (hops == 0) return "no path";
  const char* unit = is_convolution(a) ? "layer" : a == Architecture::recurrence ? "step" : "hop";
  return base::counted(hops, unit);
}

int gaps(const CostSheet& sheet) {
  return nn::gap_base(Architecture::dilated_convolution, sheet.settings.k,
                      static_cast<nn::KernelSide>(sheet.settings.kernel));
}

/// `room`: where the whole sentence does not fit, its main word.
std::string why(const CostSheet& sheet, Architecture a, float room) {
  const bool none = sheet.results.path(a).empty() && sheet.results.from != sheet.results.to;
  const int k = sheet.settings.k;
  const std::string kernel = "k = " + std::to_string(k);
  const auto fitting = [&](const std::string& whole, const std::string& brief_one) {
    return sheet.pen.canvas.text_width(whole, words_style({})) <= room ? whole : brief_one;
  };
  switch (a) {
    case Architecture::self_attention:
    case Architecture::linear_attention:
      return fitting("each token attends to all", "all to all");
    case Architecture::recurrence:
      return none ? fitting("only from left to right", "only to the right") : "one token at a time";
    case Architecture::convolution:
    case Architecture::dilated_convolution:
      if (none)
        return k == 1 ? fitting("k = 1 connects no positions", kernel)
                      : fitting("only from left to right", "only to the right");
      if (a == Architecture::dilated_convolution)
        return kernel + ", gaps 1, " + std::to_string(gaps(sheet)) + ", " +
               std::to_string(gaps(sheet) * gaps(sheet)) + " …";
      return fitting(kernel + ": " + std::to_string(sheet.results.reach) +
                         (sheet.results.reach == 1 ? " position per layer" : " positions per layer"),
                     std::to_string(sheet.results.reach) + " per layer");
  }
  return {};
}

bool meets(const CostSheet& sheet, Architecture a) {
  // With one-sided kernels that unit is the end of the path itself.
  return a == Architecture::convolution && sheet.settings.kernel == scene::CostKernel::centred &&
         sheet.results.layers_to_meet > 0 && !sheet.results.path(a).empty();
}

/// What each number that is said of the convolution counts.
std::string convolution_words(const CostSheet& sheet) {
  const scene::CostResults& r = sheet.results;
  const bool dilated = sheet.settings.convolution == scene::CostConvolution::dilated;
  const Architecture a = dilated ? Architecture::dilated_convolution : Architecture::convolution;
  const int away = std::abs(r.to - r.from);
  const std::size_t layers = r.path(a).size();
  if (layers == 0) return {};
  const std::string far = base::counted(away, "position"),
                    longest = " The maximum path length, over all " + with_commas(sheet.settings.n) +
                              " positions, is " +
                              sheet.in.text(std::string("longest_path of=") + scene::word_of(a)) + ": ";
  if (dilated)
    return "Dilated: layer l, counted from 0, has gaps of " + std::to_string(gaps(sheet)) +
           " to the power l, so " + far + " need " + base::counted(layers, "layer") + "." + longest +
           (gaps(sheet) == sheet.settings.k
                ? "O(logₖ n)."
                : "O(log n), with the base " + std::to_string(gaps(sheet)) + " of the gaps.");
  std::string words = "Stacked: information moves " + base::counted(r.reach, "position") + " per layer, so " +
                      far + " need " + base::counted(layers, "layer") + ".";
  if (meets(sheet, a))
    words += " A unit in between (ringed) depends on both ends after " +
             base::counted(r.layers_to_meet, "layer") + ": 1\u00a0+\u00a0" +
             std::to_string(r.layers_to_meet) + "·(k\u00a0−\u00a01)\u00a0=\u00a0" +
             std::to_string(r.receptive_field) + "\u00a0≥\u00a0" + std::to_string(away + 1) + " positions.";
  return words + longest + "O(n/k).";
}

/// Which nodes the end of the path can read from, by layer and position.
std::vector<char> readable(const CostSheet& sheet, const Network& net, const std::vector<Link>& all) {
  const auto at = [&](int layer, int position) {
    return static_cast<std::size_t>(layer * net.positions + position);
  };
  std::vector<char> seen(at(net.layers, net.positions), 0);
  seen[at(net.layers, sheet.results.to)] = 1;
  for (bool more = true; more;) {
    more = false;
    for (const Link& link : all) {
      const std::size_t to = at(link.flat ? link.layer : link.layer + 1, link.to),
                        from = at(link.layer, link.from);
      if (seen[to] && !seen[from]) seen[from] = 1, more = true;
    }
  }
  return seen;
}

void draw_links(const CostSheet& sheet, Architecture a, const Network& net) {
  const Pen& pen = sheet.pen;
  // What the end cannot read from stands back; what it reads stands out.
  const draw::Color quiet = draw::faded(pen.theme.faint, pen.theme.dark ? 0.55f : 0.8f),
                    clear = draw::mix(pen.theme.faint, pen.theme.dim, 0.55f);
  const std::vector<Link> all = links(sheet, a, net);
  const std::vector<char> seen = readable(sheet, net, all);
  for (const bool wanted : {false, true}) {
    for (const Link& link : all) {
      const int upper = link.flat ? link.layer : link.layer + 1;
      if ((seen[static_cast<std::size_t>(upper * net.positions + link.to)] != 0) != wanted) continue;
      pen.canvas.line(net.at(link.from, link.layer), net.at(link.to, upper), {wanted ? clear : quiet, 1});
    }
  }
  const std::vector<nn::Hop>& path = sheet.results.path(a);
  const draw::Stroke strong{layer_color(pen.theme, a), 2.6f};
  Point at = net.at(sheet.results.from, 0);
  if (a == Architecture::recurrence && !path.empty()) {  // into the state first, which is no hop
    const Point state = net.at(sheet.results.from, 1);
    pen.canvas.line(at, state, {layer_color(pen.theme, a), 1.4f, 3});
    at = state;
  }
  for (const nn::Hop& hop : path) {
    const Point next = net.at(hop.position, hop.layer + 1);
    pen.canvas.line(at, next, strong);
    at = next;
  }
}

void node_mark(const CostSheet& sheet, Architecture a, const Network& net, int position, bool top) {
  draw::Mark mark;
  mark.part = draw::Part::control;
  const char* network = is_convolution(a)               ? "convolution"
                        : a == Architecture::recurrence ? "recurrence"
                                                        : "attention";
  mark.name = std::string(network) + (top ? " to " : " from ") + std::to_string(position);
  mark.set = std::string(top ? "cost_to=" : "cost_from=") + std::to_string(position);
  mark.note = "position " + std::to_string(position);
  mark.note += top ? "\nclick: make it the end of the path" : "\nclick: make it the start of the path";
  const float height = std::min(22.f, net.step());
  mark.area = {net.x(position) - net.pitch() / 2, net.y(top ? net.layers : 0) - height / 2, net.pitch(),
               height};
  sheet.pen.canvas.mark(mark);
}

void draw_nodes(const CostSheet& sheet, Architecture a, const Network& net) {
  const Pen& pen = sheet.pen;
  const std::vector<nn::Hop>& path = sheet.results.path(a);
  const float radius = net.radius();
  for (int layer = 0; layer <= net.layers; ++layer) {
    for (int p = 0; p < net.positions; ++p) {
      bool on = layer == 0 && p == sheet.results.from && !path.empty();
      for (const nn::Hop& hop : path) on = on || (hop.position == p && hop.layer + 1 == layer);
      const bool start = layer == 0 && p == sheet.results.from,
                 end = layer == net.layers && p == sheet.results.to;
      const bool ends = layer == 0 || layer == net.layers;
      if (ends) node_mark(sheet, a, net, p, layer != 0);
      pen.canvas.circle(net.at(p, layer), start || end ? radius + 2 : radius,
                        end || start ? pen.theme.text
                        : on         ? layer_color(pen.theme, a)
                                     : pen.theme.dim);
      pen.canvas.mark({});
    }
  }
}

/// The unit of the stacked convolution that is the first to see both ends.
void meeting_ring(const CostSheet& sheet, const Network& net) {
  const scene::CostResults& r = sheet.results;
  const int left = std::min(r.from, r.to), right = std::max(r.from, r.to), k = sheet.settings.k;
  const int first = std::max(0, right - r.layers_to_meet * ((k - 1) / 2)),
            last = std::min(net.positions - 1, left + r.layers_to_meet * (k / 2));
  if (first > last) return;
  sheet.pen.canvas.ring(net.at(std::clamp((left + right) / 2, first, last), r.layers_to_meet),
                        net.radius() + 4, {sheet.pen.theme.accent, 1.8f});
}

void position_labels(const CostSheet& sheet, const Network& net) {
  const Pen& pen = sheet.pen;
  const auto label = [&](int p, float y, const draw::TextStyle& style) {
    pen.canvas.text({net.x(p), y}, std::to_string(p), aligned(style, Align::centre));
  };
  const bool every = net.pitch() >= 13;
  for (int p = 0; p < net.positions && every; ++p) {
    if (p != sheet.results.from) label(p, net.y(0) + 16, words_style(pen.theme.dim, small_size));
  }
  label(sheet.results.from, net.y(0) + 16, strong_style(pen.theme.text, small_size));
  label(sheet.results.to, net.y(net.layers) - 16, strong_style(pen.theme.text, small_size));
}

void draw_network(const CostSheet& sheet, Architecture a, const char* name, Box box) {
  const Pen& pen = sheet.pen;
  const Box title = box.cut_top(20), count = box.cut_top(20), reason = box.cut_top(18);
  pen.canvas.circle({title.x + 4, title.y + 10}, 4, layer_color(pen.theme, a));
  put(pen, {title.x + 14, title.y + 10}, name, strong_style(pen.theme.text, 12), title.w - 14);
  put(pen, {count.x, count.y + 9}, hop_words(sheet, a), strong_style(pen.theme.text, 14), count.w);
  put(pen, {reason.x, reason.y + 8}, why(sheet, a, reason.w), words_style(pen.theme.dim, small_size),
      reason.w);
  box.cut_top(22), box.cut_bottom(24);
  constexpr float narrow = 130, high = 1.8f;  // a narrow network is not drawn as a tower
  if (box.w < narrow) box.h = std::min(box.h, high * box.w);
  if (box.h < 20) return;
  const Network net{box, sheet.results.positions, layers_of(sheet, a)};
  draw_links(sheet, a, net);
  draw_nodes(sheet, a, net);
  if (meets(sheet, a)) meeting_ring(sheet, net);
  position_labels(sheet, net);
}

}  // namespace

void cost_paths_card(const CostSheet& sheet, Box box) {
  const Pen& pen = sheet.pen;
  const bool dilated = sheet.in.scene.cost.convolution == scene::CostConvolution::dilated;
  const bool one_sided = sheet.in.scene.cost.kernel == scene::CostKernel::one_sided;
  const std::array<Choice, 2> kinds = {Choice{"stacked", "cost_convolution=stacked", "stacked convolution",
                                              !dilated, "stacked layers without gaps: O(n/k)"},
                                       Choice{"dilated", "cost_convolution=dilated", "dilated convolution",
                                              dilated, "the gaps grow from layer to layer: O(logₖ n)"}};
  const std::array<Choice, 2> sides = {
      Choice{"centred", "cost_kernel=centred", "centred kernel", !one_sided,
             "an output depends on inputs from both sides; for stacked and dilated kernels"},
      Choice{"one-sided", "cost_kernel=one_sided", "one-sided kernel", one_sided,
             "an output depends on its own and earlier inputs; for stacked and dilated kernels"}};
  std::string subtitle =
      "from position " + std::to_string(sheet.results.from) + " to " + std::to_string(sheet.results.to);
  if (sheet.results.positions < sheet.settings.n)
    subtitle += "; the first " + std::to_string(sheet.results.positions) + " of n positions";
  const float kinds_width = segmented_width(pen, kinds), sides_width = segmented_width(pen, sides);
  const float title = pen.canvas.text_width("Path length", strong_style(pen.theme.text)) + 24;
  const bool together = title + kinds_width + 8 + sides_width <= box.w - 2 * card_padding;
  Box inside = card(
      pen, box, {"Path length", subtitle, together ? kinds_width + 8 + sides_width : kinds_width}, "paths");
  const Point corner = card_corner(box);
  segmented(pen, corner, kinds);
  if (together) {
    segmented(pen, {corner.x - kinds_width - 8, corner.y}, sides);
  } else if (!pen.canvas.plain()) {
    const Box line = inside.cut_top(control_height + 8);
    segmented(pen, {line.x + sides_width, line.y}, sides);
  }
  const std::string counts = convolution_words(sheet);
  if (!counts.empty()) {
    const draw::TextStyle quiet = words_style(pen.theme.dim, small_size);
    const float high = paragraph(pen, {inside.x, inside.y}, inside.w, counts, quiet, 7, false);
    if (with_hints(pen, high + 4)) {
      const Box foot = inside.cut_bottom(high);
      paragraph(pen, {foot.x, foot.y}, foot.w, counts, quiet, 7);
      inside.cut_bottom(4);
    }
  }
  // In a high card the network of many layers has a row of its own: beside it the others would be low
  // pictures below an empty area.
  constexpr float high_card = 0.7f, words_high = 104, least_low = 70, most_low = 150, least_step = 24;
  const float low = words_high + std::clamp(0.2f * inside.h, least_low, most_low);
  // Below each other a network needs its words and a picture; a lower card has them beside each other.
  constexpr float least_picture = 60;
  const bool beside = inside.w >= 420 || inside.h / 3 < words_high + least_picture,
             two_rows = beside && inside.h >= high_card * inside.w &&
                        layers_of(sheet, first_net(sheet)) > 1 &&
                        inside.h - low - words_high >=
                            least_step * static_cast<float>(layers_of(sheet, first_net(sheet)));
  // Where there is no room for that, it is beside the other two: networks of one layer are low.
  constexpr float least_column = 200;
  const bool two_columns = beside && !two_rows && layers_of(sheet, first_net(sheet)) > 1 &&
                           inside.h / 2 >= words_high + least_picture && inside.w / 2 >= least_column;
  const std::array<std::pair<Architecture, const char*>, 3> nets = {
      std::pair{first_net(sheet), "Convolution"}, std::pair{Architecture::recurrence, "Recurrence"},
      std::pair{Architecture::self_attention, "Self-attention"}};
  constexpr float between = 26;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    const auto part = static_cast<float>(i);
    const float w = (inside.w - 2 * between) / 3, h = inside.h / 3, half = (inside.w - between) / 2;
    const Box place = two_columns ? i == 0 ? Box{inside.x, inside.y, half, inside.h}
                                           : Box{inside.x + half + between,
                                                 inside.y + (part - 1) * inside.h / 2, half, inside.h / 2}
                      : !beside ? Box{inside.x, inside.y + part * h, inside.w, h}
                      : !two_rows ? Box{inside.x + part * (w + between), inside.y, w, inside.h}
                      : i == 0
                          ? Box{inside.x, inside.y, inside.w, inside.h - low}
                          : Box{inside.x + (part - 1) * (half + between), inside.bottom() - low, half, low};
    const Architecture a = nets[i].first;
    draw_network(sheet, a, nets[i].second, place);
  }
}

}  // namespace headlight::views
