#include "pages/cost/view/page.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/numbers.h"
#include "kit/columns.h"
#include "kit/page_input.h"
#include "pages/cost/cost.h"
#include "pages/cost/view/sheet.h"

namespace headlight::views {

namespace {

constexpr float three_from = 1440;  // cards side by side

using Card = void (*)(const CostSheet&, Box);

float stacked(const CostSheet& sheet, Box rest, float window) {
  const bool narrow = rest.w < 470;
  const auto next = [&](Card draw_card, float height) {
    draw_card(sheet, rest.cut_top(height));
    rest.cut_top(card_gap);
  };
  const float room = window - 2 * card_gap, paths = narrow ? 890.f : 440.f;
  const float growth = hero_height(sheet.pen, room, narrow ? 400.f : 440.f, 300);
  // Where the paths do not fit below them, the curves have all of the first screen.
  next(cost_growth_card, sheet.pen.canvas.plain() ? growth : first_row(room, growth, paths));
  next(cost_paths_card, paths);
  next(cost_table_card, cost_table_height(sheet, rest.w));
  next(cost_memory_card, narrow ? 640.f : 420.f);
  next(cost_times_card, narrow ? 640.f : 420.f);
  return rest.y - card_gap;
}

/// The curves are the picture of the page. The paths are beside them or, in a low window, on the next screen.
float paired(const CostSheet& sheet, Box rest, float window) {
  constexpr float least = 420;
  const float room = window - 2 * card_gap;
  // In a large window, too, the curves have the first screen, and the tables all of the second one.
  const bool large = !sheet.pen.canvas.plain() && rest.w >= columns_from - 2 * card_gap;
  const float height =
      large ? room : first_row(room, std::max(least, std::floor((room - card_gap) * 0.56f)), least);
  const bool alone = height >= room;
  const float below = std::max(least, alone ? room : room - card_gap - height);
  // Alone in a window, it is as near to the edges as a screen allows.
  constexpr float edge = card_gap / 2;
  const bool nearer = alone && !sheet.pen.canvas.plain();
  if (nearer) rest.y -= card_gap - edge;
  Box line = take_top(rest, nearer ? height + 2 * (card_gap - edge) : height);
  // On a screen with other rows the three networks are beside each other.
  constexpr float least_paths = 450;
  const float across = line.w - card_gap;
  const float paths = nearer ? support_width({0, 0, rest.w, window})
                             : std::round(std::min(across * 0.41f, std::max(least_paths, across / 3)));
  if (paths > 0) {
    cost_growth_card(sheet, take_left(line, line.w - card_gap - paths));
    cost_paths_card(sheet, line);
  } else {
    cost_growth_card(sheet, line);
  }
  const auto row = [&](std::initializer_list<Card> cards) {
    Box box = take_top(rest, below);
    auto left = static_cast<float>(cards.size());
    for (const Card draw_card : cards)
      draw_card(sheet, take_left(box, std::round((box.w - (left - 1) * card_gap) / left))), --left;
  };
  if (large) {
    const float table = cost_table_height(sheet, rest.w);
    cost_table_card(sheet, take_top(rest, table));
    Box plots = take_top(rest, std::max(least, room - card_gap - table));
    cost_memory_card(sheet, take_left(plots, part_of(plots.w, 0.5f)));
    cost_times_card(sheet, plots);
  } else if (paths == 0) {
    row({cost_table_card, cost_paths_card});
    row({cost_memory_card, cost_times_card});
  } else if (rest.w >= three_from) {
    row({cost_table_card, cost_memory_card, cost_times_card});
  } else {
    row({cost_table_card, cost_memory_card});
    row({cost_times_card});
  }
  return rest.y - card_gap;
}

}  // namespace

std::string cost_question(const PageInput&) {
  return "What does one layer cost?";
}

float cost_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const Pen pen{canvas, in.theme, in.hover};
  Box rest = area.inset(card_gap);
  const auto* r = in.own<scene::CostResults>();
  if (!r) {
    const Box inside = card(pen, rest, {});
    placeholder(pen, inside, "Counting the costs", "they appear here when the count is done");
    return area.h;
  }
  const CostSheet sheet{pen, in, *r, in.results.scene.cost};
  rest.h = 1e6f;
  const float bottom = area.w >= 1040 ? paired(sheet, rest, area.h) : stacked(sheet, rest, area.h);
  return std::max(area.h, bottom + card_gap - area.y);
}

std::string cost_tooltip(const PageInput&, const draw::Hit& hit) {
  return hit.mark.note;
}

std::string cost_words(const PageInput& in) {
  if (!in.own<scene::CostResults>()) return {};
  const scene::CostSettings& s = in.results.scene.cost;
  const auto operations = [&](const char* of) {
    return in.text(std::string("layer_multiplications of=") + of);
  };
  return "n = " + with_commas(s.n) + ", d = " + std::to_string(s.d) + ": self-attention " +
         operations("attention") + " multiply-adds with its projections, recurrence " +
         operations("recurrence") + ", convolution " + operations("convolution");
}

namespace {

/// The path between the two chosen positions in every layer.
std::string paths_finding(const PageInput& in) {
  const scene::CostResults& r = *in.own<scene::CostResults>();
  if (r.from == r.to) return {};
  const auto hops = [&](const char* of) {
    const std::string name = std::string("hops of=") + of;
    return in.value(name) == 0 ? std::string("no path") : in.text(name);
  };
  return "Hops from position " + std::to_string(r.from) + " to position " + std::to_string(r.to) + ": " +
         hops("attention") + " in self-attention, " + hops("recurrence") + " in a recurrence, " +
         hops("convolution") + " in convolution, " + hops("dilated") + " in dilated convolution";
}

}  // namespace

std::string cost_finding(const PageInput& in, std::string_view card) {
  const auto* r = in.own<scene::CostResults>();
  if (!r) return {};
  const scene::CostSettings& s = in.results.scene.cost;
  if (card == "memory" && !r->walls.empty()) {
    std::string words;
    for (const scene::MemoryWall& wall : r->walls)
      words += (words.empty() ? "" : ", ") + std::to_string(wall.gib) +
               (words.empty() ? " GiB holds the maps of at most " : " GiB those of ") +
               in.text(quantity("longest_in_gib", {{"gib", wall.gib}})) + (words.empty() ? " tokens" : "");
    return words;
  }
  if (card == "paths") return paths_finding(in);
  if (card == "times") return cost_times_finding(in);
  const std::string length = "At n = " + with_commas(s.n) + " ";
  // The table has the multiply-adds themselves.
  if (card == "table")
    return length + "a whole layer of self-attention needs " + in.text("layer_flop of=attention") +
           " floating-point operations";
  if (card != "growth") return {};
  const double attention = in.value("layer_multiplications of=attention"),
               recurrence = in.value("layer_multiplications of=recurrence");
  if (!(attention > 0) || !(recurrence > 0)) return {};
  // The ratio is 2 + n/d.
  return length + "self-attention needs " + brief(attention / recurrence, 2) +
         " times the multiply-adds of a recurrence";
}

}  // namespace headlight::views
