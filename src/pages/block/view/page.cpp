#include "pages/block/view/page.h"

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "kit/columns.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "kit/selection.h"
#include "pages/block/block.h"
#include "pages/block/view/encoder_decoder_page.h"
#include "pages/block/view/matrix_card.h"
#include "pages/block/view/opened_view.h"
#include "pages/block/view/rows.h"
#include "pages/block/view/view.h"

namespace headlight::views {

BlockSelection::BlockSelection(const PageInput& input)
    : in(input), results(*input.own<scene::BlockResults>()), settings(input.results.scene.block) {
  if (results.layers == 0) return;
  heads = attention(0).heads;
  layer = std::clamp(input.scene.block.layer - 1, 0, results.layers - 1);
  head = std::clamp(input.scene.block.head - 1, 0, heads - 1);
}

std::string BlockSelection::token(int t) const {
  return block_token(in, t);
}

namespace {

constexpr float narrow_flow = 560;  // whose captions need the height of its pictures

float stacked(const BlockView& sheet, Box rest, float window) {
  const float flow = hero_height(sheet.pen, window - 2 * card_gap, 430, rest.w < narrow_flow ? 430 : 290);
  // On a slide the card is alone, as high as its picture.
  const float usual = on_slide(sheet.pen) ? std::clamp(window - 2 * card_gap, 0.36f * rest.w, 0.6f * rest.w)
                                          : std::min(620.f, 120 + rest.w * 0.7f);
  const float overview = std::max(block_overview_height(sheet, rest.w), usual);
  const ColumnCard cards[] = {
      {flow, [&](Box box) { block_flow_card(sheet, box); }},
      {overview, [&](Box box) { block_overview_card(sheet, box); }},
      {on_slide(sheet.pen) ? 40 + rest.w * 0.45f : std::min(620.f, 110 + rest.w * 0.85f),
       [&](Box box) { block_map_card(sheet, box); }},
      {340, [&](Box box) { block_stream_card(sheet, box); }},
  };
  return below_each_other(rest, cards);
}

float paired(const BlockView& sheet, Box rest, float window) {
  const bool large = rest.w >= columns_from - 2 * card_gap;
  return draw_block_rows({.least_flow = 370,
                          .flow_share = sheet.pen.canvas.plain() ? 0.52f
                                        : large                  ? 0.6f
                                                                 : 0.56f,
                          .map_share = 0.35f,
                          .heads = sheet.heads,
                          .least_heads = [&](float width) { return block_overview_height(sheet, width); },
                          .flow = [&](Box box) { block_flow_card(sheet, box); },
                          .overview = [&](Box box) { block_overview_card(sheet, box); },
                          .map = [&](Box box) { block_map_card(sheet, box); },
                          .stream = [&](Box box) { block_stream_card(sheet, box); }},
                         rest, window);
}

bool of_encoder_decoder(const PageInput& in) {
  return in.scene.block.model == scene::BlockModel::encoder_decoder;
}

/// The stage panel whose mark has this name; null when there is none.
const BlockPanel* find_panel(const std::vector<BlockPanel>& panels, const std::string& name) {
  for (const BlockPanel& panel : panels) {
    if (panel.name == name) return &panel;
  }
  return nullptr;
}

}  // namespace

std::string block_question(const PageInput&) {
  return "What does one block do to the tokens?";
}

float block_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  if (of_encoder_decoder(in)) return encoder_decoder_page(canvas, area, in);
  if (shows_opened(in)) return opened_block_page(canvas, area, in);
  const Pen pen{canvas, in.theme, in.hover};
  Box rest = area.inset(card_gap);
  const auto* r = in.own<scene::BlockResults>();
  if (!r || r->layers == 0) {
    const Box inside = card(pen, rest, {});
    if (r) {
      placeholder(pen, inside, "No tokens",
                  in_window(pen, "type a sentence above; its tokens are the input of the block"));
    } else {
      placeholder(pen, inside, "The block is being computed", "it appears here when it is done");
    }
    return area.h;
  }
  const BlockView sheet(canvas, in);
  rest.h = 1e6f;
  const float bottom = area.w >= 900 ? paired(sheet, rest, area.h) : stacked(sheet, rest, area.h);
  progress_line(pen, {area.x + card_gap, area.y + card_gap, area.w - 2 * card_gap, 2}, in.busy);
  return std::max(area.h, bottom + card_gap - area.y);
}

std::string block_tooltip(const PageInput& in, const draw::Hit& hit) {
  if (of_encoder_decoder(in)) return encoder_decoder_tooltip(in, hit);
  if (shows_opened(in)) return opened_block_tooltip(in, hit);
  const auto* r = in.own<scene::BlockResults>();
  if (!r || r->layers == 0) return hit.mark.note;
  const BlockSelection block(in);
  const int row = static_cast<int>(hit.cell.y), col = static_cast<int>(hit.cell.x);
  if (hit.map.w <= 0) return hit.mark.note;
  if (hit.mark.name == "block map" || hit.mark.name == "stage weights") {
    const nn::AttentionTrace& trace = block.attention(block.layer);
    if (row < 0 || row >= trace.T || col < 0 || col >= trace.S) return hit.mark.note;
    const base::Interval keys = trace.allowed[static_cast<std::size_t>(row)];
    const bool masked = col < keys.begin || col >= keys.end;
    return "query " + in_quotes(block.token(row)) + " " + std::to_string(row) + " → key " +
           in_quotes(block.token(col)) + " " + std::to_string(col) + "\n" +
           (masked ? std::string("masked: a later token")
                   : "α = " + in.text(quantity("block_head_weight", {{"query", row}, {"key", col}})));
  }
  const std::vector<BlockPanel> panels = block_panels(block);
  const BlockPanel* panel =
      hit.mark.name == "large stage" ? &shown_panel(block, panels) : find_panel(panels, hit.mark.name);
  if (panel == nullptr || panel->values == nullptr) return hit.mark.note;
  if (row < 0 || row >= panel->values->rows() || col < 0 || col >= panel->values->cols())
    return hit.mark.note;
  return panel->title + "\ntoken " + std::to_string(row) + " " + in_quotes(block.token(row)) +
         ", component " + std::to_string(col) + ": " +
         fixed(static_cast<double>(panel->values->at(row, col)), 4) + "\nmean " +
         stage_number(block, "block_stage_mean", *panel) + ", std " +
         stage_number(block, "block_stage_deviation", *panel) + ", largest magnitude " +
         stage_number(block, "block_stage_largest", *panel);
}

namespace {

std::string norm_at(const PageInput& in, std::size_t stage) {
  return size_text(in, quantity("stream_norm", {{"stage", static_cast<int>(stage)}}));
}

/// The stage of the stream after the last layer, before the final norm.
std::size_t last_layer(const scene::BlockResults& r) {
  return r.stream.size() - (r.final_norm ? 2 : 1);
}

}  // namespace

std::string block_words(const PageInput& in) {
  if (of_encoder_decoder(in)) return encoder_decoder_words(in);
  if (shows_opened(in)) return opened_block_words(in);
  if (!in.own<scene::BlockResults>() || in.own<scene::BlockResults>()->layers == 0) return {};
  const scene::BlockResults& r = *in.own<scene::BlockResults>();
  std::string words = base::counted(r.layers, "layer") + " of " +
                      base::counted(r.trace.layers[0].attention.heads, "head") + ", " +
                      base::counted(r.T, "token") + ": norm of a token " + norm_at(in, 0) + " → " +
                      norm_at(in, last_layer(r));
  if (r.tokens_left_out > 0) words += ", " + std::to_string(r.tokens_left_out) + " tokens omitted";
  if (r.nonfinite > 0) words += ", " + base::counted(r.nonfinite, "value") + " not finite";
  return words;
}

namespace {

/// Of the chosen head, or of all: the largest weight.
std::string weights_finding(const PageInput& in, bool map) {
  if (shows_opened(in)) {
    const bool entropy = map && !std::isnan(in.value("block_head_entropy"));
    if (entropy)
      return "The rows of this head have a mean entropy of " + in.text("block_head_entropy") + " bits";
    return "The largest weight of this layer is " + in.text("layer_largest_weight");
  }
  const auto* r = in.own<scene::BlockResults>();
  if (!r || r->layers == 0) return {};
  if (!map) return "The largest weight of all heads of all layers is " + in.text("block_largest_weight");
  const BlockSelection chosen(in);
  const nn::AttentionTrace& trace = chosen.attention(chosen.layer);
  const nn::Matrix& weights = trace.weights;
  int query = 0, key = 0, alike = 0;
  float most = -1;
  bool single = false;  // a row with one key has weight 1 there, whatever the head does
  for (int i = 0; i < r->T; ++i) {
    const auto row = weights.row(chosen.head, i);
    const auto largest = std::max_element(row.begin(), row.end());
    const int allowed = trace.allowed[static_cast<std::size_t>(i)].size();
    if (allowed == 1) single = true;
    if (allowed < 2 || *largest < most) continue;
    if (*largest > most) most = *largest, query = i, key = static_cast<int>(largest - row.begin()), alike = 0;
    alike += static_cast<int>(std::count(row.begin(), row.end(), most));
  }
  if (most < 0)
    return r->T == 1 && weights.at(0, 0) > 0
               ? "The only weight of this head is " +
                     in.text(quantity("block_head_weight", {{"layer", chosen.layer + 1},
                                                            {"head", chosen.head + 1},
                                                            {"query", 0},
                                                            {"key", 0}})) +
                     ": a single token attends to itself"
               : std::string();
  return std::string(single ? "Of queries with more than one key, the largest weight is "
                            : "The largest weight of this head is ") +
         in.text(quantity(
             "block_head_weight",
             {{"layer", chosen.layer + 1}, {"head", chosen.head + 1}, {"query", query}, {"key", key}})) +
         (alike > 1 ? ", in " + base::counted(alike, "pair") + ", such as " + token_in_words(in, query) +
                          " → " + key_in_words(in, key)
                    : ": " + token_in_words(in, query) + " attends to " + key_in_words(in, key));
}

}  // namespace

std::string block_finding(const PageInput& in, std::string_view card) {
  if (of_encoder_decoder(in)) {
    if (!in.own<scene::EncoderDecoderResults>()) return {};
    return "It reverses " + in.text("encdec_exact_words") + " of " + in.text("encdec_words") +
           " held-out words exactly";
  }
  if (card == "map" || card == "overview") return weights_finding(in, card == "map");
  if (shows_opened(in) || !in.own<scene::BlockResults>() || in.own<scene::BlockResults>()->layers == 0)
    return {};
  const scene::BlockResults& r = *in.own<scene::BlockResults>();
  return "The mean norm of a token goes from " + norm_at(in, 0) + " to " + norm_at(in, last_layer(r)) +
         " in " + std::to_string(r.layers) + (r.layers == 1 ? " layer" : " layers") +
         (r.final_norm ? ", and to " + norm_at(in, r.stream.size() - 1) + " in the final norm"
                       : std::string());
}

}  // namespace headlight::views
