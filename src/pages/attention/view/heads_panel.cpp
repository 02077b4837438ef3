#include "pages/attention/view/heads_panel.h"

#include <cmath>
#include <vector>

#include "kit/cells.h"
#include "kit/choices.h"
#include "kit/matrix_panel.h"
#include "kit/weight_bar.h"
#include "pages/attention/view/beams.h"
#include "pages/attention/view/map_panel.h"

namespace headlight::views {

namespace {

constexpr float roomy_from = 26;    // least width of a tile with space around its map
constexpr float named_from = 76;    // least width for "Head 1"
constexpr float carded_from = 104;  // least width of a tile that is a card of its own

/// Sizes of the words of tiles; on a slide they are larger.
struct Type {
  float number = 0, bits = 0;     // widths of the largest head number and of an entropy
  float line = 0, card_line = 0;  // heights of a title, of small tiles and of those that are cards
  float highest = 1;  // the height of a map in its width, at most: on a slide maps fill the screen
  float titled_from() const { return number + 4; }  // least width of a tile with the head's number
};

Type type_of(const Sheet& sheet, int heads) {
  draw::Canvas& canvas = sheet.pen.canvas;
  return {canvas.text_width(std::to_string(heads), strong_style({}, small_size)),
          canvas.text_width("0.00", mono_style({}, small_size)), text_line(sheet.pen, 14),
          std::max(24.f, text_line(sheet.pen, title_size) + 4), on_slide(sheet.pen) ? 1.6f : 1.f};
}

/// Columns and rows of tiles, and the size of a tile including its gap.
struct Grid {
  int columns = 1, rows = 1;
  float width = 0, height = 0;
  float map_side = 0;
};

float title_height(const Type& type, float tile_width) {
  return tile_width >= carded_from ? type.card_line : tile_width >= type.titled_from() ? type.line : 0.f;
}
float tile_padding(float tile_width) {
  return tile_width >= carded_from  ? 10.f
         : tile_width >= named_from ? 6.f
         : tile_width >= roomy_from ? 3.f
                                    : 1.f;
}
float tile_gap(float tile_width) {
  constexpr float wide_from = 38;  // narrower, the entropy needs the room
  return tile_width >= carded_from  ? card_gap
         : tile_width >= wide_from  ? 4.f
         : tile_width >= roomy_from ? 3.f
                                    : 2.f;
}

/// Returns the grid with the largest maps; among equals, the one with the fewest columns. Heads that have a
/// number come first. `below` is kept free under each map, in tiles that are at least `least` wide.
Grid best_grid(const Type& type, int heads, Box area, float below = 0, float least = 0) {
  constexpr float least_map = 10;
  Grid best, named;
  for (int columns = 1; columns <= heads && columns <= 64; ++columns) {
    Grid g;
    g.columns = columns, g.rows = (heads + columns - 1) / columns;
    const float gap = tile_gap(area.w / static_cast<float>(columns));
    g.width = (area.w + gap) / static_cast<float>(columns);
    g.height = (area.h + gap) / static_cast<float>(g.rows);
    const float inner = g.width - gap, pad = tile_padding(inner);
    const float words = title_height(type, inner) + below;
    const float side = std::min(inner - 2 * pad, g.height - gap - words - 2 * pad);
    g.height = std::min(g.height, type.highest * inner + words + gap);
    g.map_side = side;
    if (inner < least) break;
    if (side > best.map_side * 1.02f) best = g;
    if (inner >= type.titled_from() && side > std::max(least_map, named.map_side * 1.02f)) named = g;
  }
  return named.map_side > 0 ? named : best;
}

/// Returns "H 1.02 bits", or "1.02" when the card around the tiles names the quantity.
std::string entropy_of(const Sheet& sheet, int head, bool with_unit) {
  if (head >= static_cast<int>(sheet.in.results.heads.size())) return {};
  const nn::HeadSummary& summary = sheet.in.results.heads[static_cast<std::size_t>(head)];
  if (summary.largest == 0) return "no weights";
  const std::string bits = sheet.in.text(quantity("entropy", {{"head", head + 1}}));
  return with_unit ? "H " + bits + " bits" : bits;
}

/// Returns the size at which the entropy of the last head fits beside its number; below `least_entropy` when
/// it does not fit.
constexpr float least_entropy = 8.5f;
float entropy_size(const Sheet& sheet, int heads, float tile_width) {
  draw::Canvas& canvas = sheet.pen.canvas;
  const float number = canvas.text_width(std::to_string(heads), strong_style({}, small_size)),
              room = tile_width - 2 * tile_padding(tile_width) - number - 5;
  return std::min(small_size, small_size * room / canvas.text_width("0.00", mono_style({}, small_size)));
}

/// Do the entropies of all heads fit beside their numbers?
bool measured(const Sheet& sheet, const Type& type, int heads, float tile_width) {
  return tile_width >= type.titled_from() && entropy_size(sheet, heads, tile_width) >= least_entropy;
}

/// Does “1 guided” fit into a tile, with the entropy beside it or without?
bool guided_fits(const Sheet& sheet, int heads, float tile_width, bool with_entropy) {
  for (int head = 0; head < heads; ++head) {
    if (!sheet.in.results.guided(head)) continue;
    draw::Canvas& canvas = sheet.pen.canvas;
    const float name = canvas.text_width(std::to_string(head + 1) + " guided", strong_style({}, small_size)),
                bits = canvas.text_width("0.00", mono_style({}, entropy_size(sheet, heads, tile_width)));
    if (name + (with_entropy ? bits + 5 : 0) > tile_width - 2 * tile_padding(tile_width)) return false;
  }
  return true;
}

/// The height of the colour bar below the tiles of a slide.
float scale_height(const Pen& pen) {
  return 20 + text_line(pen, 14);
}

/// The entropy of a head: nowhere, beside its number, or on a line of its own under its map.
enum class EntropyPlace { none, beside, below };
float entropy_line(const Pen& pen) {
  return text_line(pen, 15);
}

/// The tiles of a card, and where their entropies are.
struct Plan {
  Grid grid;
  EntropyPlace place = EntropyPlace::none;
  float tile = 0;      // its width
  bool cards = false;  // each tile is a card of its own
};

Plan plan_of(const Sheet& sheet, const Type& type, int heads, Box room) {
  const auto width = [&](const Grid& grid) {
    return grid.width - tile_gap(room.w / static_cast<float>(grid.columns));
  };
  const Grid grid = best_grid(type, heads, room);
  const bool beside = measured(sheet, type, heads, width(grid));
  if (beside && guided_fits(sheet, heads, width(grid), true))
    return {grid, EntropyPlace::beside, width(grid)};
  // Smaller maps with an entropy are better than larger ones without.
  const Grid lower = best_grid(type, heads, room, entropy_line(sheet.pen), type.bits + 2);
  constexpr float least_map = 14;
  if (lower.map_side >= least_map && (!beside || lower.map_side >= 0.9f * grid.map_side))
    return {lower, EntropyPlace::below, width(lower)};
  return {grid, beside ? EntropyPlace::beside : EntropyPlace::none, width(grid)};
}

/// Returns where a tile has its map, which is as large in all tiles.
Box map_in_tile(const Sheet& sheet, const Type& type, Box tile, EntropyPlace place) {
  Box inside = tile.inset(tile_padding(tile.w));
  if (tile.w >= type.titled_from()) inside.cut_top(title_height(type, tile.w));
  if (place == EntropyPlace::below) inside.cut_bottom(entropy_line(sheet.pen));
  const bool turned = sheet.in.scene.query_axis == scene::QueryAxis::columns;
  const float queries = static_cast<float>(sheet.trace().T), keys = static_cast<float>(sheet.trace().S);
  const float across = turned ? queries : keys, down = turned ? keys : queries;
  // Cells keep their shape unless that would leave a sliver.
  const float ratio = std::clamp(across / down, 0.34f, 3.f);
  float width = std::min(inside.w, inside.h * ratio * type.highest),
        height = std::min(inside.h, width / ratio * type.highest);
  const float cell = std::min(width / across, height / down);
  if (cell >= 8) width = std::floor(width / across) * across, height = std::floor(height / down) * down;
  return {std::floor(inside.centre().x - width / 2), std::floor(inside.centre().y - height / 2), width,
          height};
}

/// Marks the row of the query, which the arrow keys move on a slide, over the keys that it may attend to.
void frame_query(const Sheet& sheet, Box cells, const draw::Heatmap& map) {
  const int query = sheet.selection.detail_query;
  if (query < 0 || query >= sheet.trace().T || reads_nothing(sheet.trace(), query)) return;
  const auto [first, last] = keys_allowed(sheet.trace(), query);
  const auto cell = [&](int key) {
    return map.transposed ? cell_box(cells, map, query, key) : cell_box(cells, map, key, query);
  };
  const Box a = cell(first), b = cell(last);
  Box row{a.x, a.y, b.right() - a.x, b.bottom() - a.y};
  constexpr float least = 4;
  if (row.h < least) row = {row.x, row.centre().y - least / 2, row.w, least};
  if (row.w < least) row = {row.centre().x - least / 2, row.y, least, row.h};
  role_frame(sheet.pen, row, sheet.theme().query, 1.5f);
}

void draw_tile(const Sheet& sheet, const Type& type, Box tile, int head, const Plan& plan,
               const scene::WeightScale& scale) {
  const EntropyPlace place = plan.place;
  const bool with_entropy = place == EntropyPlace::beside;
  const draw::Theme& theme = sheet.theme();
  const Selection& s = sheet.selection;
  draw::Canvas& canvas = sheet.pen.canvas;
  const bool marked = marks_selection(sheet.pen), shown = s.shows(head) || !marked,
             carded = tile.w >= carded_from;
  const bool over =
      sheet.pen.hover && sheet.pen.hover->mark.part == Part::head && sheet.pen.hover->mark.head == head;
  Mark mark;
  mark.part = Part::head, mark.head = head, mark.area = tile;
  canvas.mark(mark);
  Box inside = tile.inset(tile_padding(tile.w));
  if (plan.cards && canvas.parts().frame) {
    canvas.rect(tile, over ? draw::mix(theme.panel, theme.field, 0.7f) : theme.panel, 8);
    canvas.frame(tile, {theme.border, 1}, 8);
  }
  if (tile.w >= type.titled_from()) {
    const Box title = inside.cut_top(title_height(type, tile.w));
    const float y = title.y + (carded ? title.h / 2 - 5.f : title.h / 2 - 2.f);
    const float size = carded ? title_size : small_size;
    float left = title.x;
    // In beams of several heads and in comparisons, a colour identifies each head.
    const bool coloured = sheet.in.scene.attention.view == scene::AttentionView::ribbons
                              ? beams_striped(sheet)
                              : sheet.in.scene.attention.view == scene::AttentionView::matrix &&
                                    s.kind == HeadsShown::several && s.heads.size() <= 4;
    if (coloured && shown && carded) {
      canvas.circle({left + 4, y}, 4, draw::series(theme, head));
      left += 13;
    }
    const std::string entropy = with_entropy ? entropy_of(sheet, head, carded) : "";
    const draw::TextStyle number =
        mono_style(theme.dim, with_entropy ? entropy_size(sheet, sheet.trace().heads, tile.w) : small_size);
    const bool guided = sheet.in.results.guided(head);
    const std::string full = "Head " + std::to_string(head + 1) + (guided ? " · guided" : "");
    float room = title.right() - left;
    const float entropy_width = canvas.text_width(entropy, number);
    const draw::TextStyle name_style = strong_style(shown ? theme.text : theme.dim, size);
    std::string name = full;
    const float beside = entropy.empty() ? 0 : entropy_width + (carded ? 8.f : 3.f);
    constexpr float apart = 7;  // “Head 2” and 2.87 must not look like 22.87
    // All heads are "Head 3", or all of them are "3".
    const int heads = sheet.trace().heads;
    const std::string widest = "Head " + std::string(std::to_string(heads).size(), '0');
    const float named =
        std::max(canvas.text_width(full, name_style), canvas.text_width(widest, strong_style({}, size)));
    if (named + beside + (entropy.empty() ? 0 : apart) > room)
      name = std::to_string(head + 1) + (guided ? " guided" : "");
    // In a narrow tile a guided head shows its entropy like all others; the card's title says that there is
    // one.
    if (canvas.text_width(name, name_style) + beside > room) name = std::to_string(head + 1);
    const float taken = put(sheet.pen, {left, y}, name, name_style, room);
    if (taken + beside <= room)
      put(sheet.pen, {title.right() - (carded ? 0.f : 2.f), y}, entropy, aligned(number, Align::right));
  }
  if (place == EntropyPlace::below) {
    const Box foot = inside.cut_bottom(entropy_line(sheet.pen));
    const std::string entropy = entropy_of(sheet, head, false);
    const draw::TextStyle number = aligned(mono_style(theme.dim, small_size), Align::centre);
    if (canvas.text_width(entropy, number) <= tile.w)
      canvas.text({foot.centre().x, foot.centre().y + 2}, entropy, number);
  }
  draw::Heatmap map = weights_heatmap(sheet, sheet.trace().weights.plane(head));
  set_scale(map, scale);
  const Box cells = map_in_tile(sheet, type, tile, place);
  draw_cells(sheet.pen, cells, map);
  canvas.mark({});
  if (on_slide(sheet.pen) && marked) frame_query(sheet, cells, map);
  // The entropy below the map stays outside the frame.
  if (place == EntropyPlace::below) tile.h -= entropy_line(sheet.pen) + 1;
  if (over && !carded) canvas.frame(tile, {theme.dim, 1}, 2);
  if (shown && marked) {
    const bool all = s.kind == HeadsShown::all;
    const float thick = tile.w < 24 ? 1.f : all ? 1.f : 2.f;
    if (!all || carded)  // if all are shown, their card frames small tiles
      canvas.frame(tile, {all ? draw::faded(theme.accent, 0.55f) : theme.accent, thick}, carded ? 8.f : 3.f);
  }
}

/// The choice of a layer beside the title: all of them, or the chosen one between arrows; empty where neither
/// fits into `room`, and for a model of one layer.
std::vector<Choice> layer_segment(const Sheet& sheet, float room) {
  constexpr int most = 6;
  const ShownLayer shown = shown_layer(sheet.in);
  if (shown.of <= 1 || sheet.pen.canvas.plain()) return {};
  const auto choices = [&](int named, bool brief) {
    return layer_choices(shown.of, shown.layer, named, "heads layer", brief);
  };
  for (std::vector<Choice> one : {choices(most, false), choices(1, false), choices(1, true)}) {
    if (segmented_width(sheet.pen, one) <= room) return one;
  }
  return {};
}

/// Are the heads cards of their own? Several layers have one card, whose title has the choice of the layer.
bool as_cards(const Sheet& sheet, float tile_width) {
  return !on_slide(sheet.pen) && tile_width >= carded_from && shown_layer(sheet.in).of <= 1;
}

/// The longest title of the card that fits into `wide`, with the number of heads and the unit of the entropy,
/// which is the mean over the queries. `of`: "layer 2", where no control says it.
std::string card_title(const Sheet& sheet, const Plan& plan, const std::string& of, float wide) {
  const int heads = sheet.trace().heads;
  const auto fits = [&](const std::string& title) {
    return sheet.pen.canvas.text_width(title, strong_style({})) <= wide;
  };
  std::string title =
      std::to_string(heads) + (heads == 1 ? " head" : " heads") + (of.empty() ? "" : " of " + of);
  const bool written = plan.place != EntropyPlace::none;
  // "guided" may not fit into its tile; the tile's tooltip says it.
  if (!guided_fits(sheet, heads, plan.tile, plan.place == EntropyPlace::beside)) {
    int guided = 0;
    for (int head = 0; head < heads; ++head) guided += sheet.in.results.guided(head) ? 1 : 0;
    const std::string words = ", " + std::to_string(guided) + " guided";
    const bool whole = !written || fits(title + words + " · mean H, bits");
    title = (whole ? title : std::to_string(heads) + " heads") + words;
  }
  const std::string elsewhere = in_window(sheet.pen, " · entropy: point at one");
  for (const char* words : {" · mean entropy H, bits", " · mean entropy, bits", " · mean H, bits"}) {
    const std::string longer = title + (written ? words : elsewhere.c_str());
    if (fits(longer)) return longer;
  }
  return title;
}

}  // namespace

float heads_height(const Sheet& sheet, float width) {
  const int heads = sheet.trace().heads;
  if (heads <= 8) {
    constexpr float most = 132, title = card_padding + 30;
    const Type type = type_of(sheet, heads);
    const Grid cards = best_grid(type, heads, {0, 0, width, most});
    if (heads <= 1) return 140;
    if (as_cards(sheet, cards.width - tile_gap(width / static_cast<float>(cards.columns)))) return most;
    // Small maps in one card, which is no higher than they are.
    const Grid grid = plan_of(sheet, type, heads, {0, 0, width - 2 * card_padding + 6, most - title}).grid;
    return std::min(most, title + static_cast<float>(grid.rows) * grid.height);
  }
  // As many columns as have room for an entropy.
  constexpr float map = 28, head = 2 * card_padding + 18;
  const Type type = type_of(sheet, heads);
  const float pitch = std::max(type.bits + 2, map + 6) + 4,
              high = map + 6 + 4 + type.line + entropy_line(sheet.pen);
  const int columns = std::max(1, static_cast<int>((width - 2 * card_padding + 10) / pitch));
  return head + static_cast<float>((heads + columns - 1) / columns) * high;
}

float heads_on_slide(const Sheet& sheet, float width, float room) {
  const int heads = sheet.trace().heads;
  const Type type = type_of(sheet, heads);
  const float title = card_padding + text_line(sheet.pen, 18) + 16, foot = scale_height(sheet.pen);
  const Box inside{0, 0, width - 2 * card_padding + 6, room - title - foot};
  const Grid grid = plan_of(sheet, type, heads, inside).grid;
  return std::min(room, title + foot + static_cast<float>(grid.rows) * grid.height);
}

void draw_heads(const Sheet& sheet, Box area) {
  const int heads = sheet.trace().heads;
  const Type type = type_of(sheet, heads);
  Plan plan{best_grid(type, heads, area), EntropyPlace::beside};
  const float gap = tile_gap(area.w / static_cast<float>(plan.grid.columns));
  Box foot;
  const bool slide = on_slide(sheet.pen);
  plan.cards = as_cards(sheet, plan.grid.width - gap);
  // A figure without frames or titles starts its panel elsewhere.
  if (plan.cards || sheet.pen.canvas.parts() == draw::FigureParts{})
    sheet.pen.canvas.panel(area, "heads", "Heads");
  if (!plan.cards) {
    // Small maps share one card, whose title has their number.
    Box frame = area;
    // The area inside the card, as it is below.
    const Box room{0, 0, frame.w - 2 * card_padding + 6,
                   frame.h - card_padding - 30 - (slide ? scale_height(sheet.pen) : 0.f)};
    const Plan planned = plan_of(sheet, type, heads, room);
    const float wide = frame.w - 2 * card_padding;
    constexpr float apart = 10, least_title = 62;  // "12 heads"
    const std::vector<Choice> layers = layer_segment(sheet, wide - apart - least_title);
    const float controls = layers.empty() ? 0 : segmented_width(sheet.pen, layers);
    const std::string title = card_title(sheet, planned, layers.empty() ? layer_words(sheet.in) : "",
                                         wide - (layers.empty() ? 0 : controls + apart));
    Box inside = card(sheet.pen, frame, {title, {}, controls}, "heads");
    if (!layers.empty()) segmented(sheet.pen, card_corner(frame), layers);
    if (sheet.selection.kind == HeadsShown::all && marks_selection(sheet.pen))
      sheet.pen.canvas.frame(frame, {draw::faded(sheet.theme().accent, 0.55f), 1}, card_radius);
    inside = {frame.x + card_padding - 3, inside.y - 4, frame.w - 2 * card_padding + 6,
              frame.bottom() - inside.y - 4};
    if (slide) foot = inside.cut_bottom(scale_height(sheet.pen));
    plan = plan_of(sheet, type, heads, inside);
    area = inside;
  }
  const Grid& grid = plan.grid;
  const float between = tile_gap(area.w / static_cast<float>(grid.columns));
  const scene::WeightScale scale = shown_scale(sheet);
  if (foot.w > 0)
    color_bar(sheet.pen, {foot.x + 3, foot.y + 8, std::min(foot.w - 6, 240.f), 8},
              scale_words(scale, "weight α"));
  for (int head = 0; head < heads; ++head) {
    const Box tile{area.x + static_cast<float>(head % grid.columns) * grid.width,
                   area.y + static_cast<float>(head / grid.columns) * grid.height, grid.width - between,
                   grid.height - between};
    draw_tile(sheet, type, tile, head, plan, scale);
  }
}

}  // namespace headlight::views
