#include "app/describe.h"

#include <algorithm>

#include "app/describe_text.h"
#include "app/pages.h"
#include "kit/page_input.h"
#include "pages/attention/offsets.h"
#include "pages/block/block.h"
#include "pages/head_bench/head_bench.h"
#include "pages/memory/memory.h"
#include "pages/order/order.h"
#include "pages/variants/variants.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

using scene::Page;

std::string heading(const views::PageInput& in) {
  const scene::Scene& scene = in.scene;
  const auto heads = static_cast<std::size_t>(scene.heads);
  std::string line = count(in.results.tokens.size(), "token", "tokens") + ", d_model " +
                     std::to_string(scene.d_model) + ", " + count(heads, "head", "heads") + " of width " +
                     std::to_string(scene.d_model / scene.heads);
  using P = nn::ModelPositions;
  const nn::ModelConfig* config = in.results.model ? &in.results.model->config : nullptr;
  const bool relative =
      config && (config->positions == P::rope || config->positions == P::t5 || config->positions == P::alibi);
  const bool added = scene.position != scene::Position::none && scene.position_scale != 0;
  line += added ? std::string(", positions ") + word(scene.position) +
                      (scene.position_scale == 1 ? "" : " × " + brief(scene.position_scale, 4))
          : relative ? ", no positions added"
                     : ", no positions";
  if (relative)
    line += std::string(", relative positions in the scores: ") + (config->positions == P::rope
                                                                       ? scene::rope_words(config->rope_pairs)
                                                                   : config->positions == P::t5 ? "T5 bias"
                                                                                                : "ALiBi");
  line += ", " + in.results.weights_source + "\n";
  for (const std::string& remark : in.results.remarks) line += remark + "\n";
  std::string unknown;
  for (std::size_t t = 0; t < in.results.tokens.size(); ++t) {
    if (in.results.unknown(static_cast<int>(t)))
      unknown += (unknown.empty() ? "unknown: " : ", ") + printable(in.results.tokens[t].text) + " (" +
                 std::to_string(t) + ")";
  }
  return unknown.empty() ? line : line + unknown + "\n";
}

std::string own_part(const views::PageInput& in, int keys) {
  switch (in.scene.page) {
    case Page::attention:
      return describe_attention(in, keys);
    case Page::position:
      return describe_position(in);
    case Page::worked:
      return describe_worked(in);
    case Page::order:
      return describe_order(in);
    case Page::variants:
      return describe_variants(in, keys);
    case Page::memory:
      return describe_memory(in);
    case Page::cost:
      return describe_cost(in);
    case Page::block:
      return describe_block(in);
    case Page::bench:
      return describe_bench(in);
    case Page::training:
      return describe_training(in);
    case Page::presets:
      return describe_presets(in);
  }
  return {};
}

/// The weights of two queries at the same offset, in the first head on show.
std::string kernels_text(const views::PageInput& in) {
  const nn::AttentionTrace& trace = in.results.attention;
  const int i = scene::asked_query(in.scene, trace.T), j = scene::other_query(in.scene, i, trace.T);
  if (j < 0) return {};
  const int head = scene::first_head(in.scene, trace.heads);
  const std::span<const float> a = trace.weights.row(head, i), b = trace.weights.row(head, j);
  const scene::KernelDifference most = scene::kernel_difference(a, i, b, j);
  const std::string mask = scene::mask_words(trace.allowed[static_cast<std::size_t>(i)], i,
                                             trace.allowed[static_cast<std::size_t>(j)], j, trace.S);
  const std::string by_offset = "\nby offset, head " + std::to_string(head + 1) + ": ";
  if (const std::string none = scene::not_compared(a, i, b, j); !none.empty()) return by_offset + none + "\n";
  const std::string who =
      by_offset + "the weights of queries " + std::to_string(i) + " and " + std::to_string(j);
  if (scene::same_kernel(most))
    return who + " are the same to three decimals at every offset that both have, as in a convolution\n";
  return who + " differ by at most " + decimals(most.difference, 3) + ", at offset " +
         std::to_string(most.offset) + "; a convolution would have the same ones\n" +
         (mask.empty() ? std::string() : mask + "\n");
}

/// The matrices of the layer: shape, largest element, and the row of the query that is pinned, or of the
/// first.
std::string matrices_text(const views::PageInput& in) {
  using scene::LayerMatrix;
  struct One {
    LayerMatrix matrix;
    const char* name;
    bool tokens;  // rows are tokens
  };
  static constexpr One all[] = {{LayerMatrix::x, "X", true},
                                {LayerMatrix::w_q, "W_Q", false},
                                {LayerMatrix::w_k, "W_K", false},
                                {LayerMatrix::w_v, "W_V", false},
                                {LayerMatrix::w_o, "W_O", false},
                                {LayerMatrix::q, "Q", true},
                                {LayerMatrix::k, "K", true},
                                {LayerMatrix::v, "V", true},
                                {LayerMatrix::concatenation, "concatenation", true},
                                {LayerMatrix::output, "output", true}};
  constexpr int most = 8;
  const int T = in.results.attention.T, query = T > 0 ? scene::asked_query(in.scene, T) : -1;
  if (query < 0) return {};
  std::vector<std::vector<std::string>> rows{
      {"matrix", "shape", "largest", "row of query " + std::to_string(query)}};
  for (const One& one : all) {
    const nn::Matrix* m = in.results.matrix(one.matrix);
    if (!m) {
      rows.push_back({one.name, "none", "", ""});
      continue;
    }
    std::string row;
    for (int c = 0; one.tokens && query < m->rows() && c < m->cols() && c < most; ++c)
      row += (c == 0 ? "" : " ") + number("%.3f", static_cast<double>(m->at(query, c)));
    if (!row.empty() && m->cols() > most) row += " …";
    rows.push_back(
        {one.name, std::to_string(m->rows()) + " × " + std::to_string(m->cols()),
         brief(static_cast<double>(in.results.matrix_largest[static_cast<std::size_t>(one.matrix)]), 3),
         row});
  }
  return "\n" + table(rows);
}

}  // namespace

std::string describe_attention(const views::PageInput& in, int keys) {
  const scene::Results& results = in.results;
  std::string out;
  for (int head = 0; head < results.attention.heads; ++head) {
    const scene::IndexList& shown = in.scene.head;
    if (!shown.empty() && std::find(shown.begin(), shown.end(), head + 1) == shown.end()) continue;
    const nn::HeadSummary& summary = results.heads[static_cast<std::size_t>(head)];
    out += "\nhead " + std::to_string(head + 1) + (results.guided(head) ? " (guided during training)" : "") +
           (summary.largest > 0
                ? ": entropy " + number("%.2f", summary.entropy_bits) + " bits, largest weight " +
                      decimals(static_cast<double>(summary.largest), 3)
                : std::string(": no weights")) +
           "\n";
    out += strongest_keys(results.attention.weights, head, results.tokens, results.tokens, keys);
  }
  out += kernels_text(in) + matrices_text(in);
  if (const nn::CellTrace* cell = in.cell; cell && !cell->heads.empty()) {
    out += "\nthe opened cell: " + std::string(cell->largest ? "the largest" : "the mean") + " over " +
           std::to_string(cell->heads.size()) + " heads, query " + std::to_string(cell->query) + ", key " +
           std::to_string(cell->key) + "\n ";
    for (const nn::HeadWeight& one : cell->heads)
      out += " head " + std::to_string(one.head + 1) + " " + decimals(one.weight, 4);
    out +=
        cell->largest
            ? "; the largest is " + decimals(cell->weight, 4) + " of head " + std::to_string(cell->head + 1)
            : "; their sum ÷ " + std::to_string(cell->heads.size()) + " = " + decimals(cell->weight, 4);
    out += "\n  float32 differs from double by " + brief(cell->residual, 2) +
           (cell->allowed ? "\n" : "; masked: every weight is exactly 0\n");
  } else if (cell) {
    out += "\nthe opened cell: head " + std::to_string(cell->head + 1) + ", query " +
           std::to_string(cell->query) + ", key " + std::to_string(cell->key) + "\n";
    if (cell->allowed) {
      out += "  q·k = " + number("%.4f", cell->dot) + ", ÷ " + number("%.4f", cell->divisor) + " = score " +
             number("%.4f", cell->score) + "\n  exp(score − " + number("%.4f", cell->row_max) +
             ") = " + number("%.4f", cell->exponential) + ", ÷ the row's sum " +
             number("%.4f", cell->row_sum) + " = weight " + decimals(cell->weight, 4) +
             "\n  float32 differs from double by " + brief(cell->residual, 2) + "\n  ‖αv‖ is " +
             number("%.1f", cell->share * 100) +
             " % of the sum over the keys; its projection on the head's output is " +
             number("%.1f", cell->projection * 100) + " % of it\n";
    } else {
      out += "  masked: its weight is exactly 0\n";
    }
  }
  return out;
}

std::string describe_page(const views::PageInput& in, int keys) {
  const PageInfo& page = page_info(in.scene.page);
  const bool attention = in.scene.page == Page::attention;
  const bool tokens = attention || in.results.order || in.results.variants || in.results.memory ||
                      in.results.block || in.results.bench;
  std::string out;
  if (!attention) out += std::string(page.title) + ": " + page.about + "\n";
  if (tokens) out += heading(in);
  if (tokens && in.results.tokens.empty()) return out + "\nthe sentence has no tokens\n";
  out += own_part(in, keys);
  if (in.results.nonfinite > 0)
    out += "\n" + count(in.results.nonfinite, "value is", "values are") + " not finite\n";
  const std::string pinned = page.status(in);
  const bool untrained = in.scene.page == Page::training && !in.training;  // said already
  if (!attention && !untrained && !pinned.empty()) out += "\n" + pinned + "\n";
  return out;
}

std::string describe_session(const Session& session, int keys) {
  return describe_page(page_input(session, draw::theme(true)), keys);
}

}  // namespace headlight::app
