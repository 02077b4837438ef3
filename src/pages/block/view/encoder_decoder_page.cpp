#include "pages/block/view/encoder_decoder_page.h"

#include <algorithm>
#include <cmath>

#include "draw/no_canvas.h"
#include "kit/page_input.h"
#include "pages/block/encoder_decoder.h"
#include "pages/block/view/encoder_decoder_view.h"

namespace headlight::views {

namespace {

constexpr float two_columns = 860, least_maps = 300;

float stacked(const EncoderDecoderView& view, Box rest) {
  const bool three = rest.w >= 620;
  pair_maps_card(view, rest.cut_top(three ? 340.f : 3 * std::min(rest.w, 360.f) + 90));
  rest.cut_top(card_gap);
  pair_decoding_card(view, rest.cut_top(pair_decoding_height(view)));
  rest.cut_top(card_gap);
  pair_mirrored_card(view, rest.cut_top(pair_mirrored_height(view, rest.w)));
  return rest.y;
}

float beside(const EncoderDecoderView& view, Box rest, float bottom) {
  const float left = std::round((rest.w - card_gap) * 0.45f), right = rest.w - card_gap - left;
  const float lower = std::max(pair_decoding_height(view), pair_mirrored_height(view, right));
  const float room = bottom - card_gap - rest.y;
  const float upper = first_row(room, std::max(least_maps, room - lower - card_gap), lower);
  pair_maps_card(view, rest.cut_top(std::floor(upper)));
  rest.cut_top(card_gap);
  Box line = rest.cut_top(std::max(lower, std::min(lower * 1.25f, bottom - card_gap - rest.y)));
  pair_decoding_card(view, line.cut_left(left));
  line.cut_left(card_gap);
  pair_mirrored_card(view, line);
  return rest.y;
}

/// The cell under the pointer, of a map that is on show; −1: none.
struct Cell {
  const PairMap* map = nullptr;
  int query = -1, key = -1;
};
Cell cell_of(const EncoderDecoderView& view, const std::vector<PairMap>& maps, const draw::Hit& hit) {
  if (hit.map.w <= 0) return {};
  for (const PairMap& map : maps) {
    if (hit.mark.name != map.mark) continue;
    const int query = static_cast<int>(hit.cell.y), key = static_cast<int>(hit.cell.x);
    const int rows = map.of_target ? view.step : map.weights->rows();
    if (query >= 0 && key >= 0 && query < rows && key < map.weights->cols()) return {&map, query, key};
  }
  return {};
}

std::string cell_words(const EncoderDecoderView& view, const draw::Hit& hit) {
  const std::vector<PairMap> maps = pair_maps(view);
  const Cell cell = cell_of(view, maps, hit);
  if (!cell.map) return {};
  const std::string pair = "query " + place_words(*cell.map->queries, cell.query + 1) + " → key ";
  if (cell.map->weights == &view.r.masked[static_cast<std::size_t>(view.layer)] && cell.key > cell.query)
    return "query " + place_words(*cell.map->queries, cell.query + 1) + ", key " +
           std::to_string(cell.key + 1) + ": masked, decoded later";
  return pair + place_words(*cell.map->keys, cell.key + 1) + ": weight " +
         view.in.text(quantity(cell.map->quantity, {{"query", cell.query + 1}, {"key", cell.key + 1}}));
}

}  // namespace

float encoder_decoder_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const Pen pen{canvas, in.theme, in.hover};
  Box rest = area.inset(card_gap);
  if (!in.own<scene::EncoderDecoderResults>()) {
    const std::string done =
        in.busy > 0 ? ", " + std::to_string(static_cast<int>(in.busy * 100)) + " %" : std::string();
    const std::vector<Choice> models = block_model_choices(scene::BlockModel::encoder_decoder);
    const Box inside =
        card(pen, rest, {"Encoder–decoder", "", segmented_width(pen, models)}, "encoder-decoder");
    placeholder(pen, inside, "Training the encoder–decoder" + done,
                "it learns to reverse words, starting from its seed, and is kept while the program runs");
    segmented(pen, card_corner(rest), models);
    progress_line(pen, rest, in.busy);
    return area.h;
  }
  const EncoderDecoderView view(canvas, in);
  rest.h = 1e6f;
  const float bottom = rest.w >= two_columns ? beside(view, rest, area.bottom()) : stacked(view, rest);
  progress_line(pen, {area.x + card_gap, area.y + card_gap, area.w - 2 * card_gap, 2}, in.busy);
  return std::max(area.h, std::ceil(bottom + card_gap - area.y));
}

std::string encoder_decoder_tooltip(const PageInput& in, const draw::Hit& hit) {
  const auto* r = in.own<scene::EncoderDecoderResults>();
  if (!r || !r->n) return hit.mark.note;
  draw::NoCanvas none;  // a view wants a canvas; nothing is drawn
  const EncoderDecoderView view(none, in);
  const std::string words = cell_words(view, hit);
  return words.empty() ? hit.mark.note : hit.mark.note + "\n" + words;
}

std::string encoder_decoder_words(const PageInput& in) {
  if (!in.own<scene::EncoderDecoderResults>()) return {};
  const scene::EncoderDecoderResults& r = *in.own<scene::EncoderDecoderResults>();
  return "encoder–decoder of " + in.text("encdec_parameters") + " parameters, " +
         std::to_string(r.settings.training) + " training steps: " + in.text("encdec_exact_words") + " of " +
         in.text("encdec_words") + " held-out words reversed exactly";
}

}  // namespace headlight::views
