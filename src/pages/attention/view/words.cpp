#include "pages/attention/view/words.h"

#include <cmath>

#include "kit/page_input.h"
#include "kit/selection.h"
#include "kit/weight_bar.h"
#include "pages/attention/view/below.h"

namespace headlight::views {

using draw::Mark;
using draw::Part;

namespace {

bool in_range(const nn::AttentionTrace& trace, int query, int key) {
  return query >= 0 && query < trace.T && key >= 0 && key < trace.S;
}

/// "mean of 4 heads"
std::string combined_name(const PageInput& in, const Selection& selection) {
  return std::string(scene::word(in.scene.combine)) + " of " + std::to_string(selection.heads.size()) +
         " heads";
}

/// Which head a mark without one stands for; −1: several combined.
int head_of(const Selection& selection, int head) {
  return head >= 0 ? head : selection.kind == HeadsShown::one ? selection.heads.front() : -1;
}

/// `head` counted from 0.
std::string weight_of(int head, int query, int key) {
  return quantity("weight", {{"head", head + 1}, {"query", query}, {"key", key}});
}

/// As the cells of the map write weights.
base::NumberForm shown_form(const PageInput& in) {
  return base::weight_form(shown_decimals(in));
}

/// q·k, the score and the softmax of one weight. The score is read from the results where it is kept, and
/// from the weight otherwise: log α + log of the row sum + row maximum.
std::string arithmetic(const PageInput& in, int head, int query, int key) {
  const nn::AttentionTrace& trace = in.results.attention;
  if (reads_nothing(trace, query)) return "masked: this query may attend to no key; the weight is exactly 0";
  if (!may_read(trace, query, key)) return "masked: the weight is exactly 0";
  const double weight = static_cast<double>(trace.weights.row(head, query)[static_cast<std::size_t>(key)]);
  const std::size_t row = static_cast<std::size_t>(query);
  const bool rows_kept = trace.row_max.rows() == trace.heads && trace.row_max.cols() == trace.T;
  const double row_max = rows_kept ? static_cast<double>(trace.row_max.row(head)[row]) : 0;
  const double row_sum = rows_kept ? static_cast<double>(trace.row_sum.row(head)[row]) : 0;
  double score = std::nan("");
  const bool kept = trace.scores.depth() == trace.heads && trace.scores.rows() == trace.T;
  if (kept) {
    score = static_cast<double>(trace.scores.row(head, query)[static_cast<std::size_t>(key)]);
  } else if (rows_kept && weight > 0) {
    score = std::log(weight) + std::log(row_sum) + row_max;
  }
  std::string out;
  const std::string about = kept ? " " : " ≈ ";
  if (std::isfinite(score)) {
    const double scale = static_cast<double>(trace.scale);
    // A bias added to the score is not known here; then the dot product cannot be told from it.
    // Nor behind a soft cap, which near its end takes all digits with it.
    if (scale != 0 && !in.results.options.pairs && trace.score_cap == 0)
      out += "q·k" + about + fixed(score / scale, 3) + "\n";
    std::string how;
    if (in.results.options.divide_by_sqrt_d_k) how += "÷√" + std::to_string(trace.d_k);
    if (const scene::OpenedLayer* opened = in.results.opened.get()) {
      if (how.empty() && opened->scale != 1) how = "×" + brief(opened->scale, 4);
      if (opened->cap > 0) how += (how.empty() ? "" : ", ") + ("capped at " + brief(opened->cap, 4));
    }
    if (in.results.options.temperature != 1)
      how += (how.empty() ? "" : " ") + ("÷" + brief(in.results.options.temperature, 4));
    out += (how.empty() ? "score" : how + "  score") + about + fixed(score, 3) + "\n";
    if (rows_kept) out += "exp(score − " + fixed(row_max, 3) + ") ÷ " + fixed(row_sum, 3) + "\n";
  }
  return out + "softmax weight " + in.text(weight_of(head, query, key), shown_form(in));
}

std::string pair_words(const PageInput& in, const Selection& selection, int mark_head, int query, int key) {
  const nn::AttentionTrace& trace = in.results.attention;
  if (!in_range(trace, query, key)) return {};
  const int head = head_of(selection, mark_head);
  const std::string pair = quoted_token(in, query) + " " + std::to_string(query) + " → " +
                           quoted_token(in, key) + " " + std::to_string(key);
  if (head >= trace.heads) return {};
  if (head >= 0)
    return pair + " · head " + std::to_string(head + 1) + "\n" + arithmetic(in, head, query, key);
  std::string out = pair + "\n" + combined_name(in, selection) + ": " +
                    in.text(quantity("map_weight", {{"query", query}, {"key", key}}), shown_form(in));
  if (!may_read(trace, query, key)) return out + "\nmasked: the weight is exactly 0";
  constexpr std::size_t most_listed = 8;
  for (std::size_t i = 0; i < selection.heads.size() && i < most_listed; ++i) {
    const int one = selection.heads[i];
    out += "\nhead " + std::to_string(one + 1) + "  " + in.text(weight_of(one, query, key), shown_form(in));
  }
  if (selection.heads.size() > most_listed)
    out += "\nand " + std::to_string(selection.heads.size() - most_listed) + " more";
  return out;
}

std::string token_words(const PageInput& in, int token, const char* role, const char* action) {
  if (token < 0 || token >= static_cast<int>(in.results.tokens.size())) return {};
  return quoted_token(in, token) + ", " + role + " " + std::to_string(token) + unknown_words(in, token) +
         "\n" + action;
}

std::string head_words(const PageInput& in, int head) {
  if (head < 0 || head >= static_cast<int>(in.results.heads.size())) return {};
  const nn::HeadSummary& summary = in.results.heads[static_cast<std::size_t>(head)];
  const std::string numbers =
      summary.largest > 0
          ? "\nmean entropy of a row " + in.text(quantity("entropy", {{"head", head + 1}})) +
                " bits\nlargest weight " +
                in.text(quantity("largest", {{"head", head + 1}}), shown_form(in)) +
                "\nvariance of the scores " + in.text(quantity("score_variance", {{"head", head + 1}}))
          : "\nno weights: every key is masked";
  std::string shared;
  const scene::OpenedLayer* opened = in.results.opened.get();
  if (const int heads = in.results.attention.heads; opened && opened->kv_heads < heads) {
    const int group = heads / opened->kv_heads, first = head / group * group;
    shared = "\nshares its keys and values with heads " + std::to_string(first + 1) + " to " +
             std::to_string(first + group);
  }
  if (const scene::WeightScale scale = small_maps_scale(in); scale.kind == scene::MapScale::automatic)
    shared +=
        "\ncolours of the small maps: " + scale_words(scale, {}).left + " … " + scale_words(scale, {}).right;
  return "Head " + std::to_string(head + 1) + shared + numbers +
         "\nclick: show this head alone; again: all heads; Shift+click: compare";
}

}  // namespace

std::string cell_words(const PageInput& in, int head, int query, int key) {
  const nn::AttentionTrace& trace = in.results.attention;
  if (!in_range(trace, query, key) || head >= trace.heads) return {};
  const Selection selection = select(in);
  head = head_of(selection, head);
  const bool down = in.scene.query_axis == scene::QueryAxis::rows;
  const std::string whose = head >= 0 ? "head " + std::to_string(head + 1) : combined_name(in, selection);
  std::string value;
  if (!may_read(trace, query, key)) {
    value = "masked";
  } else {
    value = head >= 0 ? in.text(weight_of(head, query, key), shown_form(in))
                      : in.text(quantity("map_weight", {{"query", query}, {"key", key}}), shown_form(in));
  }
  return "row " + quoted_token(in, down ? query : key) + ", column " + quoted_token(in, down ? key : query) +
         ": " + value + " (" + whose + ")";
}

std::string cell_words(const PageInput& in) {
  if (in.preview) return {};  // the results are not of these tokens
  const Selection selection = select(in);
  if (selection.asked < 0 || selection.key < 0) return {};
  // The cell that is open may be of one of several compared heads.
  const bool one = in.cell && in.cell->heads.empty();
  return cell_words(in, one ? in.cell->head : -1, selection.asked, selection.key);
}

std::string attention_tooltip(const PageInput& in, const draw::Hit& hit) {
  if (in.preview) return {};
  const Mark& mark = hit.mark;
  if (!mark.note.empty()) return mark.note;
  if (mark.name == "matrix cells") return matrix_cell_words(in, hit);
  if (in.results.attention.T == 0) return {};
  switch (mark.part) {
    case Part::cell:
    case Part::bar:
      return pair_words(in, select(in), mark.head, mark.query, mark.key);
    case Part::query_token:
      return token_words(in, mark.query, "query", "click: pin; Shift+click: pin one more");
    case Part::key_token:
      return token_words(in, mark.key, "key", "click: show how its weight is computed");
    case Part::head:
      return head_words(in, mark.head);
    default:
      return {};
  }
}

}  // namespace headlight::views
