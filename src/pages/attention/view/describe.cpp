// The page in words.
#include <algorithm>

#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "pages/attention/offsets.h"
#include "pages/attention/view/page.h"
#include "scene/trained_model.h"

namespace headlight::views::plain {

namespace {

using scene::Page;

/// The weights of two queries at the same offset, in the first head on show.
std::string kernels_text(const PageInput& in) {
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
std::string matrices_text(const PageInput& in) {
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

std::string describe_attention(const PageInput& in, int keys) {
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

}  // namespace headlight::views::plain
