// All heads as small pictures, layer by layer or by their score.
#include <algorithm>
#include <cmath>

#include "kit/cells.h"
#include "kit/words.h"
#include "pages/model/heads_off.h"
#include "pages/model/view/page.h"

namespace headlight::views {

namespace {

constexpr float least_pitch = 14, most_pitch = 520, gutter = 30, head_row = 18, foot_height = 34;
constexpr float one_cell = 72, largest_one_cell = 280;  // pictures of one token
constexpr float least_for_words = 120;                  // height of the line below them
constexpr float most_uneven = 1.6f, most_wide = 2;   // its height to its width, and its width to its height
constexpr float line_below = 10;                     // holds the line of a score below a picture
constexpr float number_room = 17, number_from = 40;  // below a picture, where pictures are this large

/// How the pictures are laid out: `across` in a line, `lines` in all.
struct Tiling {
  int across = 1, lines = 1, lines_a_layer = 1;
  float pitch = least_pitch, high = least_pitch;  // of a picture, down; with what is below it
  float wide = least_pitch;                       // across
  float least_side() const { return std::min(pitch, wide); }
  bool numbers = false;
  float apart = 3, below = 3;  // from a picture to the next: across, and down
};

bool by_layer(const ModelView& view) {
  return view.sheet.in.scene.model.order == scene::ModelOrder::layer;
}

/// Room at the left for the numbers of the layers, where there are several.
float layer_names(const ModelView& view) {
  return by_layer(view) && view.atlas.layers() > 1 ? gutter : 0;
}

/// Pictures of one cell are all alike: they leave room for a line that says so.
bool one_token(const ModelView& view) {
  return view.atlas.tiles.T == 1 && view.atlas.tiles.S == 1;
}

/// In a room of w × h. Pictures are never smaller than least_pitch; where one side of the room limits them
/// they grow along the other, so that they fill it.
Tiling tiling_of(const ModelView& view, float w, float h) {
  const int heads = view.atlas.all_heads(), layers = view.atlas.layers(), wide = view.atlas.most_heads();
  Tiling best;
  const int most = std::max(1, static_cast<int>(w / least_pitch));
  const auto with = [&](int across) {
    Tiling t;
    t.across = std::max(1, std::min(across, most));
    t.lines_a_layer = by_layer(view) ? (wide + t.across - 1) / t.across : 1;
    t.lines = by_layer(view) ? layers * t.lines_a_layer : (heads + t.across - 1) / t.across;
    const float tall = h / static_cast<float>(t.lines);
    constexpr float low_room = 200, most_low = 3;  // flat pictures of a low window fill its width
    // The maps of one token leave room for the line below them.
    const float most_one = std::clamp(tall - number_room - least_for_words / static_cast<float>(t.lines),
                                      one_cell, largest_one_cell);
    const float most_high = one_token(view) ? most_one : most_pitch;
    const float uneven = one_token(view) ? 1 : most_uneven, across_room = w / static_cast<float>(t.across);
    const float room = tall >= number_from + number_room ? tall - number_room : tall;
    t.pitch = std::clamp(std::min({across_room * uneven, most_high, room}), least_pitch, most_high);
    t.numbers = t.pitch >= number_from && tall >= number_from + number_room;
    t.high = t.pitch + (t.numbers ? number_room : 0);
    t.wide = std::clamp(across_room, std::min(t.pitch, across_room),
                        t.pitch * (one_token(view) ? 1
                                   : h < low_room  ? most_low
                                                   : most_wide));
    return t;
  };
  if (by_layer(view)) {
    // Lines that are layers are broken for much larger pictures only.
    const float larger = layers > 1 ? 1.4f : 1.02f;
    best = with(wide);
    for (int lines = 2; lines <= wide; ++lines) {
      const Tiling t = with((wide + lines - 1) / lines);
      if (t.pitch * t.wide > best.pitch * best.wide * larger) best = t;
    }
    return best;
  }
  for (int across = 1; across <= most; ++across) {
    const Tiling t = with(across);
    const bool fits = static_cast<float>(t.lines) * t.high <= h + 1;
    const bool fitted = static_cast<float>(best.lines) * best.high <= h + 1 && across > 1;
    if (across == 1 || (fits && !fitted) || (fits == fitted && t.least_side() > best.least_side())) best = t;
  }
  return best;
}

/// The small picture of a head, a part of its layer's sheet.
draw::Heatmap picture(const ModelView& view, scene::HeadPlace at, const scene::WeightScale& scale) {
  const scene::HeadTiles& tiles = view.atlas.tiles;
  const auto layer = static_cast<std::size_t>(at.layer);
  const nn::Matrix& values = tiles.sheets[layer][static_cast<std::size_t>(at.head / scene::heads_a_sheet)];
  draw::Heatmap map;
  map.values = values.data(), map.rows = values.rows(), map.cols = map.row_stride = values.cols();
  map.allowed = {tiles.allowed[layer].data(), static_cast<std::size_t>(values.rows())};
  map.version = view.sheet.in.results.version, map.gaps = false;
  set_scale(map, scale);
  const auto side = static_cast<float>(tiles.side);
  map.view = {0, static_cast<float>(at.head % scene::heads_a_sheet * tiles.pitch),
              static_cast<float>(tiles.wide), side};
  return map;
}

/// A head that is off is paler, and one that is scaled keeps its colours; in the corner, which is masked in
/// most models, what its output is multiplied by.
void draw_factor(const Pen& pen, Box picture, double factor) {
  if (factor == 0) pen.canvas.rect(picture.inset(1), draw::faded(pen.theme.panel, 0.6f), 2);
  const std::string words = factor == 0 ? "off" : "×" + brief(factor, 2);
  const draw::TextStyle style = strong_style(pen.theme.text, small_size);
  const float words_wide = pen.canvas.text_width(words, style), h = 15;
  const float w = std::min(words_wide + 6, picture.w - 2);
  if (words_wide + 2 > w || h + 2 > picture.h) {  // no room for words: a bar along its foot
    pen.canvas.rect({picture.x, picture.bottom() - 3, picture.w, 3}, pen.theme.text);
    return;
  }
  const Box tag{picture.right() - w - 1, picture.y + 1, w, h};
  pen.canvas.rect(tag, pen.theme.panel, 2);
  put(pen, tag.centre(), words, aligned(style, Align::centre), w);
}

/// The score of a head that the words name, in the corner of its picture that is masked, where there is no
/// room below it.
void score_in_corner(const ModelView& view, scene::HeadPlace at, Box picture) {
  const Pen& pen = view.sheet.pen;
  const std::vector<base::Interval>& allowed = view.atlas.tiles.allowed[static_cast<std::size_t>(at.layer)];
  constexpr float high = 13;
  const auto first = static_cast<std::size_t>(at.head % scene::heads_a_sheet * view.atlas.tiles.pitch);
  const bool masked = first < allowed.size() && 2 * allowed[first].end <= view.atlas.tiles.wide;
  const std::string number = score_text(view.sheet.in, at, view.score());
  const draw::TextStyle style = mono_style(pen.theme.text, small_size);
  const float width = pen.canvas.text_width(number, style);
  if (!masked || width > picture.w - 2 || 2 * high > picture.h) return;
  const Box tag{picture.right() - width - 1, picture.y + 1, width, high};
  pen.canvas.rect(tag, draw::faded(pen.theme.panel, 0.85f), 2);
  put(pen, tag.centre(), number, aligned(style, Align::centre), width);
}

void draw_picture(const ModelView& view, const Tiling& tiling, scene::HeadPlace at, Box cell,
                  const scene::WeightScale& scale) {
  const Pen& pen = view.sheet.pen;
  const PageInput& in = view.sheet.in;
  const std::string layer = std::to_string(at.layer + 1), head = std::to_string(at.head + 1);
  const bool chosen = at == view.chosen && marks_selection(pen);
  draw::Mark mark;
  mark.part = draw::Part::control, mark.area = cell;
  mark.name = "layer " + layer + " head " + head;
  mark.set = chosen ? "page=attention" : choosing(at);
  const double factor = scene::head_factor(in.scene.model.off, at.layer + 1, at.head + 1);
  mark.note = head_name(view, at) + ": " + score_words(view.score()) + " " +
              score_text(in, at, view.score()) +
              (factor == 1 ? std::string() : "\noutput × " + brief(factor, 3) + " in the predictions") +
              (chosen ? "\nclick again to open it on the Attention page" : "");
  pen.canvas.mark(mark);
  const Box square = cell;  // in whole units, so that no column of its cells begins before its frame
  draw_cells(pen, square, picture(view, at, scale));
  const bool over = pen.over(mark.name);
  pen.canvas.mark({});
  pen.canvas.frame(square, {over ? pen.theme.text : pen.theme.border, over ? 1.5f : 1.f}, 2);
  if (factor != 1) draw_factor(pen, square, factor);
  // The answer to the page's question.
  const bool first = first_alone(view.atlas, view.score()) && at == view.atlas.by(view.score()).front();
  if (tiling.numbers) {
    const std::string number = score_text(in, at, view.score());
    const draw::Color ink = chosen || first ? pen.theme.text : pen.theme.dim;
    const float y = square.bottom() + 10;
    if (by_layer(view) && tiling.lines_a_layer == 1) {
      put(pen, {square.centre().x, y}, number, aligned(mono_style(ink, small_size), Align::centre));
    } else {
      // The order says which score is larger, where there is no room for it.
      const draw::TextStyle words = words_style(ink, small_size), figures = mono_style(ink, small_size);
      const std::string place = view.atlas.layers() > 1 && !by_layer(view) ? place_text(at) : head;
      const float room = square.w - pen.canvas.text_width(place, words) - 6;
      put(pen, {square.x, y}, place, words, square.w);
      if (pen.canvas.text_width(number, figures) <= room)
        put(pen, {square.right(), y}, number, aligned(figures, Align::right));
    }
  } else {
    // No room for the number: a line under the picture is as long as the score.
    const double value = view.atlas.of(at).score(view.score());
    const bool entropy = view.score() == scene::ModelScore::entropy;
    const double whole = entropy ? std::max(1.0, std::log2(static_cast<double>(view.atlas.tiles.S))) : 1.0;
    // It is clear of the frame of the chosen head and of the next row.
    const Box line{square.x, square.bottom() + (tiling.below >= line_below ? 4.f : 1.f), square.w, 2};
    if (value > 0)
      pen.canvas.rect({line.x, line.y, line.w * static_cast<float>(std::min(1.0, value / whole)), line.h},
                      chosen || first ? pen.theme.text : pen.theme.dim);
    if ((chosen || first) && factor == 1) score_in_corner(view, at, square);
  }
}

std::vector<Choice> order_choices(const ModelView& view) {
  return {{"by layer", "model_order=layer", "by layer", by_layer(view), "rows: layers, columns: heads"},
          {"by score", "model_order=score", "by score", !by_layer(view), "the highest score first"}};
}

/// What the rows are, and what is said of each head.
std::string subtitle(const ModelView& view, const Tiling& tiling) {
  std::string words;
  if (!by_layer(view))
    words = view.atlas.layers() > 1 ? "Layer·head" : "Head";
  else if (tiling.lines_a_layer == 1)
    words = view.atlas.layers() > 1 ? "Rows: layers · Columns: heads" : "Columns: heads";
  else
    words = "Heads in reading order" + std::string(view.atlas.layers() > 1 ? ", layer by layer" : "");
  if (const std::string beyond = beyond_training_words(view.atlas); !beyond.empty())
    words = "T" + beyond.substr(1) + " · " + words;
  const scene::ModelScore score = view.score();
  if (const std::string none = no_score_words(view.atlas, score); !none.empty())
    return words + " · " + score_words(score) + ": nothing to measure, " + none;
  words += std::string(" · ") + (tiling.numbers ? "numbers: " : "lines: ") + score_words(score);
  if (tiling.numbers && score == scene::ModelScore::entropy) words += " in bits";
  // Few queries have such a key: of how many the score is the mean belongs to it.
  if (score == scene::ModelScore::same_token || score == scene::ModelScore::induction)
    words += ", mean over " + view.sheet.in.text("model_score_queries") + " of " +
             std::to_string(view.atlas.tiles.T) + " queries";
  if (first_alone(view.atlas, score)) {
    const scene::HeadPlace first = view.atlas.by(score).front();
    const bool framed = marks_selection(view.sheet.pen) && view.atlas.has(view.chosen);
    words += std::string(score == scene::ModelScore::entropy ? " · lowest: " : " · highest: ") +
             head_name(view, first);
    // The frame is on the chosen head, which need not be the answer.
    if (framed && first == view.chosen) words += ", the chosen head";
    if (framed && first != view.chosen) words += "; chosen: " + head_name(view, view.chosen);
  }
  // Where all layers have the same mask.
  const std::vector<scene::HeadMeasure>& uniform = view.atlas.uniform;
  const bool same = std::all_of(uniform.begin(), uniform.end(), [&](const scene::HeadMeasure& one) {
    return one.score(score) == uniform.front().score(score);
  });
  const bool some = view.atlas.beyond_uniform(score);
  const std::string none =
      score == scene::ModelScore::entropy ? "none below uniform attention" : "none above uniform attention";
  if (same)
    words += " · " + (some ? std::string("uniform attention") : none) + ": " +
             uniform_text(view.sheet.in, 0, score);
  else if (!some)
    words += " · " + none;
  return words;
}

/// The colour bar, the choice of the scale, and what has to be said of the pixels.
void draw_scale(const ModelView& view, Box foot, const scene::WeightScale& scale, Box size) {
  const Pen& pen = view.sheet.pen;
  const Box bar{foot.x, foot.bottom() - 22, std::min(170.f, foot.w * 0.4f), 8};
  color_bar(pen, bar, scale_words(scale, "weight α"));
  float x = bar.right() + 14;
  const auto choices = scale_choices(view.sheet.in.scene, std::max(view.atlas.tiles.T, view.atlas.tiles.S));
  if (const float wide = segmented_width(pen, choices); !pen.canvas.plain() && x + wide <= foot.right())
    x = segmented(pen, {x + wide, bar.y - 6}, choices).right() + 14;
  const float room = foot.right() - x;
  if (room <= 60) return;
  const bool pooled =
      std::min(static_cast<float>(view.atlas.tiles.side), size.h) < static_cast<float>(view.atlas.tiles.T) ||
      std::min(static_cast<float>(view.atlas.tiles.wide), size.w) < static_cast<float>(view.atlas.tiles.S);
  const std::vector<std::string> remarks = {
      above_words(scale, pen.theme), pooled ? "each pixel shows the largest weight under it" : "",
      scale.kind != scene::MapScale::automatic || scale.end >= 1 ? ""
      : view.atlas.all_heads() > 1 ? "one scale for all heads, up to their 99th percentile, rounded up"
                                   : "up to the 99th percentile, rounded up"};
  const draw::TextStyle style = words_style(pen.theme.dim, small_size);
  paragraph(pen, {x, bar.y - 9}, room, fitting_remarks(pen, remarks, room, style, 2), style, 2);
}

/// Is the choice of the order beside the scale? In a low window the question then has one line, in a narrow
/// one two.
bool order_below(const ModelView& view, Box box, const std::vector<Choice>& orders) {
  constexpr float low_card = 330, bar = 170, gap = 14;
  const Pen& pen = view.sheet.pen;
  if (pen.canvas.plain()) return false;
  const Question question{model_question(view.sheet.in), {}, view.sheet.in.compact};
  const auto size = [&](float controls) {
    return question_size(pen, question, box.w - 2 * card_padding - controls, box.h);
  };
  const bool larger = size(0) > size(segmented_width(pen, orders) + 12);
  if (box.h >= low_card && !larger) return false;
  const auto scales = scale_choices(view.sheet.in.scene, std::max(view.atlas.tiles.T, view.atlas.tiles.S));
  return bar + 2 * gap + segmented_width(pen, scales) + segmented_width(pen, orders) <=
         box.w - 2 * card_padding;
}

float heading(const ModelView& view) {
  return by_layer(view) ? head_row : 4;
}

}  // namespace

std::string place_text(scene::HeadPlace at) {
  return std::to_string(at.layer + 1) + "·" + std::to_string(at.head + 1);
}

void draw_head_picture(const ModelView& view, scene::HeadPlace at, Box box) {
  draw_cells(view.sheet.pen, box, picture(view, at, view.scale()));
}

float atlas_height(const ModelView& view, float width, float wanted) {
  const float head = 2 * card_padding + 86, w = width - 2 * card_padding - layer_names(view);
  const Tiling tiling = tiling_of(view, w, wanted - head - heading(view) - foot_height);
  return std::max(wanted,
                  head + heading(view) + foot_height + static_cast<float>(tiling.lines) * tiling.high);
}

void atlas_card(const ModelView& view, Box box) {
  const Pen& pen = view.sheet.pen;
  const std::vector<Choice> orders = order_choices(view);
  const bool below = order_below(view, box, orders);
  const float corner = below ? 0.f : segmented_width(pen, orders);
  const Question question{
      .words = model_question(view.sheet.in), .compact = view.sheet.in.compact, .most_lines = 3};
  Tiling tiling;
  {
    Box room = box.inset(card_padding);
    // The question and a line beneath it.
    if (!on_slide(pen))
      room.cut_top(24 + std::max(32.f, question_height(pen, box, question, {"", "", corner})));
    room.cut_bottom(foot_height);
    room.cut_left(layer_names(view));
    tiling = tiling_of(view, room.w, room.h - heading(view));
    const auto lines =
        wrap(pen, subtitle(view, tiling), words_style(pen.theme.dim), box.w - 2 * card_padding, 2);
    if (lines.size() > 1 && !on_slide(pen)) tiling = tiling_of(view, room.w, room.h - heading(view) - 16);
  }
  Box inside = hero_card(pen, box, question, {"", subtitle(view, tiling), corner}, "atlas");
  if (!below) segmented(pen, card_corner(box), orders);
  Box foot = inside.cut_bottom(foot_height);
  inside.cut_left(layer_names(view));
  if (below) {
    segmented(pen, {foot.right(), foot.bottom() - 28}, orders);
    foot.cut_right(segmented_width(pen, orders) + 14);
  }
  const Box names = inside.cut_top(heading(view));
  constexpr float of_line = 0.4f;  // most of a row's height
  tiling.apart = tiling.below = std::clamp(tiling.least_side() * 0.12f, 3.f, 12.f);
  if (!tiling.numbers) tiling.below = std::max(tiling.below, std::min(line_below, of_line * tiling.pitch));
  const auto cell = [&](int column, int line) {
    return Box{std::round(inside.x + static_cast<float>(column) * tiling.wide),
               std::round(inside.y + static_cast<float>(line) * tiling.high),
               std::floor(tiling.wide - tiling.apart), std::floor(tiling.pitch - tiling.below)};
  };
  const scene::WeightScale scale = view.scale();
  draw_scale(view, foot, scale, cell(0, 0));
  if (one_token(view) && inside.h - static_cast<float>(tiling.lines) * tiling.high >= least_for_words) {
    Box left = inside;
    left.cut_top(static_cast<float>(tiling.lines) * tiling.high);
    const bool masked = view.atlas.queries_of(scene::ModelScore::itself) == 0;
    placeholder(pen, left,
                masked ? "One token, and it is masked" : "One token attends only to itself, in every head",
                in_window(pen, "type a second word to compare heads"));
  }
  const draw::TextStyle quiet = words_style(pen.theme.dim, small_size),
                        loud = strong_style(pen.theme.text, small_size);
  const bool marked = marks_selection(pen);
  // The frame of the chosen head is drawn last, over its neighbours.
  const auto frame_chosen = [&](const Box& chosen) {
    if (marked) pen.canvas.frame(chosen.inset(-2), {pen.theme.text, 2}, 3);
  };
  if (by_layer(view)) {
    const int step = std::max(1, static_cast<int>(std::ceil(18 / tiling.wide)));
    for (int c = 0; c < tiling.across && tiling.lines_a_layer == 1; c += step)
      put(pen, {cell(c, 0).centre().x, names.y + 7}, std::to_string(c + 1),
          aligned(marked && c == view.chosen.head ? loud : quiet, Align::centre));
    for (int l = 0; l < view.atlas.layers(); ++l) {
      const Box first = cell(0, l * tiling.lines_a_layer);
      if (view.atlas.layers() > 1)
        put(pen, {first.x - 10, first.centre().y}, std::to_string(l + 1),
            aligned(marked && l == view.chosen.layer ? loud : quiet, Align::right));
      for (int h = 0; h < view.atlas.heads(l); ++h)
        draw_picture(view, tiling, {l, h},
                     cell(h % tiling.across, l * tiling.lines_a_layer + h / tiling.across), scale);
    }
    const scene::HeadPlace at = view.chosen;
    if (view.atlas.has(at))
      frame_chosen(cell(at.head % tiling.across, at.layer * tiling.lines_a_layer + at.head / tiling.across));
    return;
  }
  int place = 0, chosen = -1;
  for (const scene::HeadPlace at : view.atlas.by(view.score())) {
    draw_picture(view, tiling, at, cell(place % tiling.across, place / tiling.across), scale);
    if (at == view.chosen) chosen = place;
    ++place;
  }
  if (chosen >= 0) frame_chosen(cell(chosen % tiling.across, chosen / tiling.across));
}

}  // namespace headlight::views
