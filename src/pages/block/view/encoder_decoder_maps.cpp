// The three attentions side by side.
#include <algorithm>
#include <cmath>
#include <span>

#include "kit/matrix_panel.h"
#include "pages/block/encoder_decoder.h"
#include "pages/block/view/encoder_decoder_view.h"

namespace headlight::views {

namespace {

/// Layers, where there are several, and heads.
std::vector<Choice> shown_choices(const EncoderDecoderView& view) {
  std::vector<Choice> out;
  for (int l = 0; l < view.layers() && view.layers() > 1; ++l) {
    for (int h = 0; h < view.heads(); ++h)
      out.push_back({std::to_string(l + 1) + "." + std::to_string(h + 1), pair_head_set(l, h),
                     "encdec head " + std::to_string(l + 1) + "." + std::to_string(h + 1),
                     l == view.layer && h == view.head, pair_head_words(view, l, h)});
  }
  for (int h = 0; h < view.heads() && view.layers() == 1; ++h)
    out.push_back({"head " + std::to_string(h + 1), pair_head_set(0, h),
                   "encdec head 1." + std::to_string(h + 1), h == view.head, pair_head_words(view, 0, h)});
  return out;
}

/// Names of the keys above a map, letters flat; <begin> and <end> may stand out beyond its ends.
void key_names(const EncoderDecoderView& view, Box cells, const std::vector<std::string>& names, int strong,
               float right) {
  const float pitch = cells.w / static_cast<float>(names.size()), y = cells.y - 9;
  const float size = small_size;
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    const std::string& name = names[static_cast<std::size_t>(i)];
    const TextStyle style =
        i == strong ? strong_style(view.pen.theme.key, size) : words_style(view.pen.theme.dim, size);
    const float wide = view.pen.canvas.text_width(name, style),
                from = cells.x + static_cast<float>(i) * pitch;
    const bool first = i == 0, last = i + 1 == static_cast<int>(names.size());
    float x = from + (pitch - wide) / 2;
    if (wide > pitch && first && !last) x = from + pitch - 2 - wide;
    if (wide > pitch && last) x = std::min(from + 2, right - wide);
    put(view.pen, {x, y}, name, style);
  }
}

/// The rows of steps that are still to come have no numbers yet.
void cover_later_rows(const EncoderDecoderView& view, Box cells, int rows) {
  if (view.step >= rows) return;
  const float pitch = cells.h / static_cast<float>(rows),
              top = cells.y + pitch * static_cast<float>(view.step);
  const Box later{cells.x, top, cells.w, cells.bottom() - top};
  view.pen.canvas.rect(later.inset(-1), view.pen.theme.panel, 0);
  view.pen.canvas.frame(later.inset(0.5f), {view.pen.theme.border, 1, 4}, 2);
  if (later.h >= 18 && later.w >= 90)
    put(view.pen, later.centre(), "not decoded yet",
        aligned(words_style(view.pen.theme.dim, small_size), Align::centre), later.w - 8);
}

void draw_map(const EncoderDecoderView& view, Box area, const PairMap& which) {
  const Pen& pen = view.pen;
  const nn::Matrix& weights = *which.weights;
  const TextStyle title = strong_style(pen.theme.text, 14), quiet = words_style(pen.theme.dim, small_size);
  const float wide = put(pen, {area.x, area.y + 8}, which.title, title, area.w) + 10;
  const bool one_line = wide + pen.canvas.text_width(which.words, quiet) <= area.w;
  put(pen, one_line ? Point{area.x + wide, area.y + 8.5f} : Point{area.x, area.y + 25}, which.words, quiet,
      area.w);
  area.cut_top(one_line ? 22 : 38);
  const bool cross = which.weights == &view.r.cross[static_cast<std::size_t>(view.layer)];
  const int mirrored = cross ? view.r.mirrored(view.step) - 1 : -1;
  MatrixPanel map;
  map.values = weights.plane(view.head), map.rows = weights.rows(), map.cols = weights.cols();
  map.version = view.in.results.version * 64 + static_cast<std::uint64_t>(view.layer * 8 + view.head);
  map.down = "", map.across = "";
  map.row_names = *which.queries;
  std::vector<std::string> keys = *which.keys;
  map.most_cell = most_cell_in(area);
  map.mark.part = draw::Part::note, map.mark.name = which.mark, map.mark.note = which.title;
  if (which.of_target) {
    for (int t = view.step; t < view.steps; ++t) {
      map.row_names[static_cast<std::size_t>(t)].clear();
      if (!cross) keys[static_cast<std::size_t>(t)].clear();
    }
    if (!cross) map.allowed = view.r.earlier;
    map.query = view.step - 1, map.key = mirrored;
  }
  Box room = area;
  if (keys.back().size() > 1) room.w -= 14;  // <end> stands out at the right
  const Box cells = draw_matrix_panel(pen, room, map).cells;
  if (cells.w > 0) key_names(view, cells, keys, mirrored, area.right());
  if (!which.of_target || cells.w <= 0) return;
  cover_later_rows(view, cells, map.rows);
}

}  // namespace

std::vector<PairMap> pair_maps(const EncoderDecoderView& view) {
  const scene::EncoderDecoderResults& r = view.r;
  const auto l = static_cast<std::size_t>(view.layer);
  return {{"encdec encoder", "encdec_encoder_weight", "Encoder self-attention", "source → source",
           &r.encoder[l], &r.source_names, &r.source_names, false},
          {"encdec masked", "encdec_masked_weight", "Masked decoder self-attention", "target → target",
           &r.masked[l], &r.target_names, &r.target_names, true},
          {"encdec cross", "encdec_cross_weight", "Cross-attention", "target → source", &r.cross[l],
           &r.target_names, &r.source_names, true}};
}

void pair_maps_card(const EncoderDecoderView& view, Box box) {
  const Pen& pen = view.pen;
  const std::vector<Choice> heads = shown_choices(view),
                            models = block_model_choices(scene::BlockModel::encoder_decoder);
  const float both = segmented_width(pen, heads) + 10 + segmented_width(pen, models);
  const bool beside = both + 130 <= box.w - 2 * card_padding;
  const int word = view.r.settings.word;
  const std::string letters = word > 0 ? "Held-out word " + std::to_string(word)
                              : view.r.more_letters
                                  ? "The first " + std::to_string(view.r.n) + " letters a–z of the sentence"
                                  : "The letters a–z of the sentence";
  Box inside = card(
      pen, box,
      {"Encoder–decoder",
       letters + (word > 0 ? " is" : " are") +
           " to be reversed. Rows: queries (in the decoder, the previous token). Columns: keys. Shown: " +
           pair_head_words(view, view.layer, view.head) + ".",
       beside ? both : segmented_width(pen, models)},
      "encoder-decoder");
  const Box switched = segmented(pen, card_corner(box), models);
  if (beside) {
    segmented(pen, {switched.x - 10, switched.y}, heads);
  } else {
    // In one line, or a line for each layer.
    const std::span<const Choice> all(heads);
    const std::size_t fits =
        segmented_width(pen, heads) <= inside.w ? heads.size() : static_cast<std::size_t>(view.heads());
    for (std::size_t from = 0; from < heads.size(); from += fits) {
      const std::span<const Choice> part = all.subspan(from, fits);
      const Box line = inside.cut_top(control_height + 8);
      segmented(pen, {line.x + segmented_width(pen, part), line.y}, part);
    }
  }
  if (!view.decoded())
    return placeholder(pen, inside, "No letters to reverse",
                       in_window(pen, "type letters a to z into the sentence, or choose a held-out word"));
  const Box bar = inside.cut_bottom(24);
  color_bar(pen, {bar.x, bar.y + 4, std::min(240.f, bar.w), 7},
            {draw::Colormap::weight, "0", "weight α", "1"});
  const float legend_x = bar.x + std::min(240.f, bar.w) + 24;
  if (legend_x + legend_width(pen, "masked") <= bar.right()) masked_legend(pen, {legend_x, bar.y + 8});
  const std::vector<PairMap> maps = pair_maps(view);
  constexpr float gap = 20;
  const bool across = inside.w >= 580;
  const auto count = static_cast<float>(maps.size());
  const float wide = (inside.w - gap * (count - 1)) / count, high = (inside.h - gap * (count - 1)) / count;
  for (const PairMap& map : maps) {
    draw_map(view, across ? inside.cut_left(std::floor(wide)) : inside.cut_top(std::floor(high)), map);
    if (across) {
      inside.cut_left(gap);
    } else {
      inside.cut_top(gap);
    }
  }
}

}  // namespace headlight::views
