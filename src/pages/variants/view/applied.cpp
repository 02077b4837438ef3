// The cards that show what each side applies, and the rows of P.
#include "pages/variants/view/applied.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "kit/plot.h"
#include "kit/words.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/view.h"

namespace headlight::views {

using scene::VariantPosition;

namespace {

struct Words {
  std::string title, subtitle;
};

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
