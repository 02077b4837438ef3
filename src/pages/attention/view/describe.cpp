// The page in words.
#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "draw/no_canvas.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "kit/selection.h"
#include "pages/attention/offset_words.h"
#include "pages/attention/view/layer_matrix.h"
#include "pages/attention/view/page.h"
#include "pages/attention/view/pairs.h"
#include "pages/attention/view/words.h"
#include "scene/detail_query.h"
#include "scene/marginals.h"
#include "scene/trained_model.h"

namespace headlight::views::plain {

namespace {

using scene::Page;

/// Names the heads of the shown map: "head 2", "mean over 4 heads".
std::string heads_words(const PageInput& in, const Selection& selection) {
  if (selection.kind == HeadsShown::one) return "head " + std::to_string(selection.heads.front() + 1);
  return combine_phrase(in.scene.combine) + std::string(" over ") +
         base::counted(selection.heads.size(), "head");
}

/// Compares the weights of two queries by offset, for the shown map.
std::string kernels_text(const PageInput& in) {
  if (other_keys(in)) return {};  // an offset needs one line of tokens
  const nn::AttentionTrace& trace = in.results.attention;
  const int i = scene::detail_query_of(in.scene, trace.T), j = scene::other_query(in.scene, i, trace.T);
  if (j < 0) return {};
  const Selection selection = select(in);
  draw::NoCanvas unused;  // only text is produced here
  const Sheet sheet{Pen{unused, in.theme, in.hover}, in, selection};
  std::vector<float> room_a, room_b;
  const std::span<const float> a = combined_row(sheet, i, room_a), b = combined_row(sheet, j, room_b);
  const double most = in.value(quantity("kernel_difference", {{"query", i}, {"other", j}}));
  // The mask of saved attention is not known: it was inferred from the zero weights.
  const bool known = !in.results.opened || !in.results.opened->saved;
  const std::string mask = known
                               ? scene::masks_in_words(trace.allowed[static_cast<std::size_t>(i)], i,
                                                       trace.allowed[static_cast<std::size_t>(j)], j, trace.S)
                               : std::string();
  const std::string by_offset = "\nby offset, " + heads_words(in, selection) + ": ";
  if (const std::string none = scene::not_compared(a, i, b, j, most); !none.empty())
    return by_offset + none + "\n";
  const std::string who =
      by_offset + "the weights of queries " + std::to_string(i) + " and " + std::to_string(j);
  if (scene::same_kernel(most))
    return who + " are equal to three decimals at every shared offset, as in a convolution\n";
  return who + " differ by at most " + in.text(quantity("kernel_difference", {{"query", i}, {"other", j}})) +
         ", at offset " + in.text(quantity("kernel_offset", {{"query", i}, {"other", j}})) +
         "; a convolution would have equal weights\n" + (mask.empty() ? std::string() : mask + "\n");
}

/// Describes what the filters leave out of the map and of each row; empty: nothing.
std::string hidden_text(const PageInput& in) {
  std::string out = hidden_words(in);
  if (out.empty()) return out;
  constexpr int most = 40;
  out = "\n" + out + "\nshare of each row that is not drawn:";
  for (int query = 0; query < std::min(in.results.attention.T, most); ++query)
    out += " " + token_label(in, query) + " " + in.text(quantity("hidden_share", {{"query", query}})) + ",";
  out.back() = '\n';
  return out;
}

/// Describes what the keys receive from all queries, and which queries attend to the pinned word. The page
/// shows this below the map, at the right of the beams and below the words of the arcs.
std::string received_text(const PageInput& in, int most) {
  const nn::AttentionTrace& trace = in.results.attention;
  const Selection selection = select(in);
  const scene::Marginals all =
      scene::marginals_on_show(in.scene, in.results, selection.heads, selection.kind == HeadsShown::all);
  const auto strongest = [&](int count, auto value) {
    std::vector<int> order;
    for (int i = 0; i < count; ++i) order.push_back(i);
    const int kept = std::min(std::max(most, 1), count);
    std::partial_sort(order.begin(), order.begin() + kept, order.end(),
                      [&](int a, int b) { return value(a) != value(b) ? value(a) > value(b) : a < b; });
    order.resize(static_cast<std::size_t>(kept));
    return order;
  };
  const std::string of = heads_words(in, selection);
  std::string out;
  if (all.received.size() == static_cast<std::size_t>(trace.S) && trace.S > 0) {
    out += "\nreceived from all queries, " + of + ":";
    for (const int key : strongest(trace.S, [&](int i) {
           const double value = all.received[static_cast<std::size_t>(i)];
           return std::isfinite(value) ? value : -1.0;
         }))
      out += " " + key_label(in, key) + " " + in.text(quantity("received", {{"key", key}})) + ",";
    out.back() = '\n';
  }
  const int pinned = selection.detail_query;
  if (other_keys(in) || pinned < 0 || pinned >= trace.S || selection.kind == HeadsShown::several) return out;
  draw::NoCanvas unused;  // only text is produced here
  const Sheet sheet{Pen{unused, in.theme, in.hover}, in, selection};
  const PairWeights weights(sheet);
  std::string queries;
  const auto counted = [&](int query) {
    const float weight = weights.at(query, pinned);
    return query != pinned && may_read(trace, query, pinned) && weight >= least_drawn_weight ? weight : -1.f;
  };
  for (const int query : strongest(trace.T, counted)) {
    if (counted(query) >= 0)
      queries += " " + token_label(in, query) + " " + pair_weight_words(sheet, weights, query, pinned) + ",";
  }
  if (queries.empty())
    return out + "no other query assigns " + token_in_words(in, pinned) + " a weight of 0.01 or more\n";
  queries.back() = '\n';
  return out + "queries that attend to " + token_in_words(in, pinned) + ", " + of + ":" + queries;
}

/// Describes the matrices of the layer: shape, largest element, and the row of the pinned or else the first
/// query.
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
  const int T = in.results.attention.T, query = T > 0 ? scene::detail_query_of(in.scene, T) : -1;
  if (query < 0 || (in.results.attention.q.empty() && in.results.opened)) return {};
  std::vector<std::vector<std::string>> rows{
      {"matrix", "shape", "largest", "row of query " + std::to_string(query)}};
  for (const One& one : all) {
    const nn::Matrix* m = in.results.matrix(one.matrix);
    if (!m) {
      rows.push_back(
          {one.name, size_of(in, one.matrix), "", in_file_only(in, one.matrix) ? "in the model’s file" : ""});
      continue;
    }
    std::string row;
    const int cols = own_columns(in, one.matrix, *m);
    for (int c = 0; one.tokens && query < m->rows() && c < cols && c < most; ++c)
      row += (c == 0 ? "" : " ") +
             fixed(static_cast<double>(m->at(query, computed_column(in, one.matrix, *m, c))), 3);
    if (!row.empty() && cols > most) row += " …";
    rows.push_back(
        {one.name, size_of(in, one.matrix),
         base::brief(static_cast<double>(in.results.matrix_largest[static_cast<std::size_t>(one.matrix)]), 3),
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
                ? ": entropy " + in.text(quantity("entropy", {{"head", head + 1}})) +
                      " bits, largest weight " + in.text(quantity("largest", {{"head", head + 1}}))
                : std::string(": no weights")) +
           "\n";
    out += strongest_keys(results.attention.weights, head, results.tokens, results.tokens_of_keys(), keys);
  }
  out += hidden_text(in) + received_text(in, keys) + kernels_text(in) + matrices_text(in);
  if (const nn::CellTrace* cell = in.cell; cell && cell->heads.size() == 1) {
    const std::vector<std::pair<const char*, int>> at{
        {"head", cell->head + 1}, {"query", cell->query}, {"key", cell->key}};
    out += "\nopen cell: head " + std::to_string(cell->head + 1) + ", query " + std::to_string(cell->query) +
           ", key " + std::to_string(cell->key) + "\n  weight " +
           in.text(quantity("weight", {at[0], at[1], at[2]})) +
           "; saved attention without q and k: how it was computed is not known\n";
  } else if (cell && !cell->heads.empty()) {
    out += "\nopen cell: " + std::string(cell->largest ? "the largest" : "the mean") + " over " +
           std::to_string(cell->heads.size()) + " heads, query " + std::to_string(cell->query) + ", key " +
           std::to_string(cell->key) + "\n ";
    for (const nn::HeadWeight& one : cell->heads)
      out += " head " + std::to_string(one.head + 1) + " " + decimals(one.weight, 4);
    out +=
        cell->largest
            ? "; the largest is " + decimals(cell->weight, 4) + " of head " + std::to_string(cell->head + 1)
            : "; their sum ÷ " + std::to_string(cell->heads.size()) + " = " + decimals(cell->weight, 4);
    out += "\n  float32 error " + base::brief(cell->residual, 2) +
           (cell->allowed ? "\n" : "; masked: every weight is exactly 0\n");
  } else if (cell) {
    out += "\nopen cell: head " + std::to_string(cell->head + 1) + ", query " + std::to_string(cell->query) +
           ", key " + std::to_string(cell->key) + "\n";
    const auto of_cell = [&](const char* name) {
      return in.text(quantity(name, {{"head", cell->head + 1}, {"query", cell->query}, {"key", cell->key}}));
    };
    const auto of_row = [&](const char* name) {
      return in.text(quantity(name, {{"head", cell->head + 1}, {"query", cell->query}}));
    };
    if (cell->allowed) {
      out += "  q·k = " + of_cell("dot") + ", ÷ " + in.text("divisor") +
             (cell->cap > 0 ? ", capped at " + base::brief(cell->cap, 4) : std::string()) +
             (cell->add == 0 ? "" : " + " + of_cell("bias")) + " = score " + of_cell("score") +
             "\n  exp(score − " + of_row("row_maximum") + ") = " + of_cell("exponential") +
             ", ÷ the row’s sum " + of_row("exponentials") + " = weight " + of_cell("weight_in_double") +
             "\n  float32 error " + of_cell("weight_error") + "\n";
      if (!cell->v.empty())
        out += "  ‖αv‖ is " + of_cell("value_share") +
               " of the sum over the keys; its projection on the head’s output is " +
               of_cell("value_projection") + " of that output’s norm\n";
    } else {
      out += "  masked: the weight is exactly 0\n";
    }
  }
  return out;
}

}  // namespace headlight::views::plain
