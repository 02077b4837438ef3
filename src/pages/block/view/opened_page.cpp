// The Block page of another program's model: its cards, and the same in words.
#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "kit/plain_text.h"
#include "kit/weight_bar.h"
#include "pages/block/view/matrix_card.h"
#include "pages/block/view/opened_view.h"
#include "pages/block/view/rows.h"
#include "pages/block/view/view.h"

namespace headlight::views {

namespace {

float opened_stacked(const OpenedView& sheet, Box rest) {
  const float heads = std::max(opened_heads_height(sheet, rest.w), std::min(420.f, 120 + rest.w * 0.5f));
  const ColumnCard cards[] = {
      {460, [&](Box box) { opened_flow_card(sheet, box); }},
      {std::min(620.f, 110 + rest.w * 0.7f), [&](Box box) { opened_map_card(sheet, box); }},
      {heads, [&](Box box) { opened_heads_card(sheet, box); }},
      {340, [&](Box box) { opened_stream_card(sheet, box); }},
  };
  return below_each_other(rest, cards);
}

float opened_paired(const OpenedView& sheet, Box rest, float window) {
  return draw_block_rows({.least_flow = 400,
                          .flow_share = 0.54f,
                          .map_share = 0.38f,
                          .heads = sheet.attention.heads,
                          .least_heads = [&](float width) { return opened_heads_height(sheet, width); },
                          .flow = [&](Box box) { opened_flow_card(sheet, box); },
                          .overview = [&](Box box) { opened_heads_card(sheet, box); },
                          .map = [&](Box box) { opened_map_card(sheet, box); },
                          .stream = [&](Box box) { opened_stream_card(sheet, box); }},
                         rest, window);
}

/// Where a component stands that belongs to a head: ", head 2, component 5".
std::string component_words(const OpenedSelection& s, const scene::OpenedStage& stage, int col) {
  using Stage = nn::NetworkStage;
  const Stage of = stage.stage;
  const bool in_heads = of >= Stage::q && of <= Stage::context;
  if (!in_heads || s.attention.d_k == 0) return ", component " + std::to_string(col);
  const bool shared = s.of.kv_heads < s.attention.heads &&
                      (of == Stage::k || of == Stage::v || of == Stage::k_norm || of == Stage::k_rope);
  return std::string(shared ? ", key and value head " : ", head ") +
         std::to_string(col / s.attention.d_k + 1) + ", component " + std::to_string(col % s.attention.d_k);
}

const scene::OpenedStage* stage_of_mark(const OpenedSelection& s, const std::string& name) {
  if (name == "large stage") return s.shown;
  for (const scene::OpenedStage& one : s.block.list) {
    if (name == std::string("stage ") + scene::word(one.shown)) return &one;
  }
  return nullptr;
}

std::string weight_tooltip(const OpenedSelection& s, int row, int col) {
  const nn::AttentionTrace& trace = s.attention;
  const base::Interval keys = trace.allowed[static_cast<std::size_t>(row)];
  const bool masked = col < keys.begin || col >= keys.end;
  const std::string why = col >= keys.end ? "masked: a later token" : "masked: outside the window";
  return "query " + in_quotes(block_token(s.in, row)) + " " + std::to_string(row) + " → key " +
         in_quotes(block_token(s.in, col)) + " " + std::to_string(col) + "\n" +
         (masked ? why : "α = " + s.in.text(quantity("block_head_weight", {{"query", row}, {"key", col}})));
}

bool computed(const PageInput& in) {
  return shows_opened(in) && !in.own<scene::OpenedBlock>()->list.empty();
}

}  // namespace

bool shows_opened(const PageInput& in) {
  return in.results.opened && in.own<scene::OpenedBlock>();
}

float opened_block_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const Pen pen{canvas, in.theme, in.hover};
  Box rest = area.inset(card_gap);
  if (!computed(in)) {
    const std::string& problem = in.own<scene::OpenedBlock>()->problem;
    placeholder(pen, card(pen, rest, {}), problem.empty() ? "No tokens" : "The layer cannot be shown",
                problem.empty()
                    ? in_window(pen, "type a sentence above; its tokens are the input of the model")
                    : problem);
    return area.h;
  }
  const OpenedView sheet(canvas, in);
  rest.h = 1e6f;
  const float bottom = area.w >= 900 ? opened_paired(sheet, rest, area.h) : opened_stacked(sheet, rest);
  progress_line(pen, {area.x + card_gap, area.y + card_gap, area.w - 2 * card_gap, 2}, in.busy);
  return std::max(area.h, bottom + card_gap - area.y);
}

std::string opened_block_tooltip(const PageInput& in, const draw::Hit& hit) {
  if (!computed(in) || hit.map.w <= 0) return hit.mark.note;
  const OpenedSelection s(in);
  const int row = static_cast<int>(hit.cell.y), col = static_cast<int>(hit.cell.x);
  if (row < 0 || col < 0) return hit.mark.note;
  if (hit.mark.name == "block map" || hit.mark.name == "stage weights") {
    return row < s.attention.T && col < s.attention.S ? weight_tooltip(s, row, col) : hit.mark.note;
  }
  const scene::OpenedStage* stage = stage_of_mark(s, hit.mark.name);
  if (!stage) return hit.mark.note;
  const nn::Matrix& m = s.block.values(*stage);
  if (row >= m.rows() || col >= m.cols()) return hit.mark.note;
  const std::string where = stage->stage == nn::NetworkStage::logits
                                ? ", vocabulary entry " + std::to_string(col)
                                : component_words(s, *stage, col);
  return stage->title + ": " + stage->formula + "\ntoken " + std::to_string(row) + " " +
         in_quotes(block_token(in, row)) + where + ": " + fixed(static_cast<double>(m.at(row, col)), 4) +
         "\nRMS " + stage_text(in, "block_stage_rms", *stage) + ", largest magnitude " +
         stage_text(in, "block_stage_largest", *stage);
}

std::string opened_block_words(const PageInput& in) {
  if (!computed(in)) return {};
  const OpenedSelection s(in);
  // Of the layer that is shown: stage n of the stream is what layer n gives.
  const int before = s.block.layer, after = s.block.layer + 1;
  std::string words = s.layer_words() + ", " + base::counted(s.attention.heads, "head") + ", " +
                      base::counted(s.attention.T, "token") + ": norm of a token " +
                      size_text(in, quantity("stream_norm", {{"stage", before}})) + " → " +
                      size_text(in, quantity("stream_norm", {{"stage", after}}));
  if (s.block.nonfinite > 0) words += ", " + base::counted(s.block.nonfinite, "value") + " not finite";
  return words;
}

std::string describe_opened_block(const PageInput& in) {
  if (!computed(in)) return in.own<scene::OpenedBlock>()->problem;
  const OpenedSelection s(in);
  std::string out = plan_words(s.block) + "\n\n";
  if (!s.block.logits_note.empty()) out += s.block.logits_note + "\n\n";
  std::vector<std::vector<std::string>> rows{{"stage", "what it is", "columns", "RMS", "largest magnitude"}};
  for (const scene::OpenedStage& one : s.block.list)
    rows.push_back({one.title, one.formula, std::to_string(s.block.values(one).cols()),
                    stage_text(in, "block_stage_rms", one), stage_text(in, "block_stage_largest", one)});
  out += plain::table(rows);
  rows = {{"head", "mean entropy in bits"}};
  for (int head = 1; head <= s.attention.heads; ++head)
    rows.push_back({std::to_string(head), in.text(quantity("block_head_entropy", {{"head", head}}))});
  out += "\n" + plain::table(rows);
  rows = {{"residual stream", "mean", "variance in a token", "norm of a token"}};
  for (std::size_t i = 0; i < s.block.stream.size(); ++i) {
    const auto at = [&](const char* name) {
      return in.text(quantity(name, {{"stage", static_cast<int>(i)}}));
    };
    rows.push_back({s.block.stream[i].stage, at("stream_mean"), at("stream_variance"), at("stream_norm")});
  }
  return out + "\n" + plain::table(rows);
}

}  // namespace headlight::views
