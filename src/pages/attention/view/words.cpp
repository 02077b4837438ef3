#include "pages/attention/view/words.h"

#include <algorithm>
#include <cmath>

#include "kit/matrix_mask.h"
#include "kit/page_input.h"
#include "kit/selection.h"
#include "kit/weight_bar.h"
#include "pages/attention/view/below.h"
#include "scene/detail_query.h"

namespace headlight::views {

namespace {

bool in_range(const nn::AttentionTrace& trace, int query, int key) {
  return query >= 0 && query < trace.T && key >= 0 && key < trace.S;
}

/// "mean of 4 heads"
std::string combined_name(const PageInput& in, const Selection& selection) {
  return std::string(scene::word(in.scene.combine)) + " of " + std::to_string(selection.heads.size()) +
         " heads";
}

/// Returns the head of a mark; for a mark without one, the single shown head, or −1 for several combined.
int head_of(const Selection& selection, int head) {
  return head >= 0 ? head : selection.kind == HeadsShown::one ? selection.heads.front() : -1;
}

/// `head` is 0-based.
std::string weight_of(int head, int query, int key) {
  return quantity("weight", {{"head", head + 1}, {"query", query}, {"key", key}});
}

/// Returns the form in which the map's cells write weights.
base::NumberForm shown_form(const PageInput& in) {
  return base::weight_form(shown_decimals(in));
}

/// Returns one line, so that the tooltip does not cover what it explains. The arithmetic is in the opened
/// cell's card.
std::string pair_words(const PageInput& in, const Selection& selection, int mark_head, int query, int key) {
  const nn::AttentionTrace& trace = in.results.attention;
  if (!in_range(trace, query, key)) return {};
  const int head = head_of(selection, mark_head);
  if (head >= trace.heads) return {};
  const std::string pair = pair_in_words(in, query, key) + " · " +
                           (head >= 0 ? "head " + std::to_string(head + 1) : combined_name(in, selection));
  if (reads_nothing(trace, query)) return pair + " · masked: attends to no key";
  if (!may_read(trace, query, key)) return pair + " · masked: weight exactly 0";
  return pair + " · weight " +
         in.text(head >= 0 ? weight_of(head, query, key)
                           : quantity("map_weight", {{"query", query}, {"key", key}}),
                 shown_form(in));
}

std::string key_words(const PageInput& in, int key, const char* action) {
  if (key < 0 || key >= in.results.attention.S) return {};
  return quoted_key(in, key) + ", key " + std::to_string(key) +
         (other_keys(in) ? std::string() : unknown_words(in, key)) + "\n" + action;
}

std::string token_words(const PageInput& in, int token, const char* role, const char* action) {
  if (token < 0 || token >= static_cast<int>(in.results.tokens.size())) return {};
  return quoted_token(in, token) + ", " + role + " " + std::to_string(token) + unknown_words(in, token) +
         "\n" + action;
}

/// Says how much of the query's row is not drawn; empty: all of it is drawn.
std::string hidden_of_row(const PageInput& in, int query) {
  const std::string name = quantity("hidden_share", {{"query", query}});
  return std::isnan(in.value(name)) ? std::string() : "\nnot drawn: " + in.text(name) + " of its row";
}

std::string head_words(const PageInput& in, int head) {
  if (head < 0 || head >= static_cast<int>(in.results.heads.size())) return {};
  const nn::HeadSummary& summary = in.results.heads[static_cast<std::size_t>(head)];
  const std::string numbers =
      summary.largest > 0 ? "\nmean entropy of a row " + in.text(quantity("entropy", {{"head", head + 1}})) +
                                " bits\nlargest weight " +
                                in.text(quantity("largest", {{"head", head + 1}}), shown_form(in)) +
                                (std::isnan(summary.score_variance)
                                     ? std::string()
                                     : "\nvariance of the scores " +
                                           in.text(quantity("score_variance", {{"head", head + 1}})))
                          : "\nno weights: every key is masked";
  std::string shared;
  const scene::OpenedLayer* opened = in.results.opened.get();
  if (const int heads = in.results.attention.heads; opened && opened->kv_heads < heads) {
    const int group = heads / opened->kv_heads, first = head / group * group;
    shared = "\nshares its keys and values with heads " + std::to_string(first + 1) + " to " +
             std::to_string(first + group);
  }
  const char* guided = in.results.guided(head) ? ", guided during training" : "";
  return "Head " + std::to_string(head + 1) + guided + shared + numbers +
         "\nclick: show this head alone; again: all heads; Shift+click: compare";
}

constexpr std::string_view explains = "explains ";

/// Returns the largest terms in the sum of the opened cell's row, with their keys.
std::string terms_of_row(const PageInput& in) {
  constexpr std::size_t most = 4;
  const nn::AttentionTrace& trace = in.results.attention;
  const nn::CellTrace* cell = in.cell;
  if (!cell || !cell->heads.empty() || !in_range(trace, cell->query, 0) || cell->head < 0 ||
      cell->head >= trace.heads)
    return {};
  const std::span<const float> row = trace.weights.row(cell->head, cell->query);
  std::vector<int> keys;
  for (int key = 0; key < trace.S; ++key) {
    if (may_read(trace, cell->query, key) && std::isfinite(row[static_cast<std::size_t>(key)]))
      keys.push_back(key);
  }
  const std::size_t shown = std::min(keys.size(), most);
  std::partial_sort(
      keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(shown), keys.end(),
      [&](int a, int b) { return row[static_cast<std::size_t>(a)] > row[static_cast<std::size_t>(b)]; });
  std::string out;
  for (std::size_t i = 0; i < shown; ++i)
    out += (i > 0 ? " + " : "\n") +
           in.text(quantity("exponential",
                            {{"head", cell->head + 1}, {"query", cell->query}, {"key", keys[i]}})) +
           " " + key_in_words(in, keys[i]);
  const std::size_t more = keys.size() - shown;
  return out + (more > 0 ? " + " + std::to_string(more) + " more" : "");
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
  const std::string of_query = token_in_words(in, query), of_key = key_in_words(in, key);
  if (in.scene.attention.view != scene::AttentionView::matrix)  // there are no rows
    return of_query + " → " + of_key + ": " + value + " (" + whose + ")";
  return "row " + (down ? of_query : of_key) + ", column " + (down ? of_key : of_query) + ": " + value +
         " (" + whose + ")";
}

std::string cell_words(const PageInput& in) {
  if (in.preview) return {};  // the results belong to other tokens
  const Selection selection = select(in);
  if (selection.detail_query < 0 || selection.key < 0) return {};
  // The opened cell may belong to one of several compared heads.
  const bool one = in.cell && in.cell->heads.size() <= 1;
  return cell_words(in, one ? in.cell->head : -1, selection.detail_query, selection.key);
}

std::string hidden_words(const PageInput& in) {
  if (in.preview) return {};
  std::string out;
  const auto add = [&](const std::string& words) { out += (out.empty() ? "not drawn: " : ", ") + words; };
  const nn::AttentionTrace& trace = in.results.attention;
  const double queries = in.value("hidden_queries"), keys = in.value("hidden_keys");
  if (queries > 0)
    add(in.text("hidden_queries") + " of " + std::to_string(trace.T) +
        (trace.T == 1 ? " query" : " queries"));
  if (keys > 0)
    add(in.text("hidden_keys") + " of " + std::to_string(trace.S) + (trace.S == 1 ? " key" : " keys"));
  if (in.scene.attention.least_weight > 0) {
    const bool part = in.map_view.w > 0 && in.map_view.h > 0;
    const double cells = part ? double(in.map_view.w) * double(in.map_view.h) : double(trace.T) * trace.S;
    const bool all = in.scene.attention.view != scene::AttentionView::matrix || cells <= most_left_out;
    add("weights below " + brief(in.scene.attention.least_weight, 3) +
        (all ? "" : " (in a map as long as this only after zooming in)"));
  }
  const int detail_query = select(in).detail_query;
  if (out.empty() || detail_query < 0) return out;
  return out + "; " + in.text(quantity("hidden_share", {{"query", detail_query}})) + " of the row of " +
         token_in_words(in, detail_query);
}

namespace {

/// Of the matrices: how widely the scores spread, which the softmax turns into weights.
std::string scores_finding(const PageInput& in, const Selection& selection) {
  const int head = std::max(0, in.cell && in.cell->head >= 0 ? in.cell->head
                               : selection.heads.empty()     ? 0
                                                             : selection.heads.front());
  const std::string number = std::to_string(head + 1);
  if (in.results.attention.T == 1 && in.results.attention.S == 1)
    return "A single token has one score in every head, and its weight is 1";
  const std::string variance = in.text("score_variance head=" + number);
  return std::isnan(in.value("score_variance head=" + number))
             ? std::string()
             : "The scores of head " + number + " have a variance of " + variance;
}

/// Of the weights by offset: what a bar chart shows least, how widely the two rows spread.
std::string offsets_finding(const PageInput& in, const Selection& selection) {
  const int detail_query = std::max(0, selection.detail_query);
  const int other = scene::other_query(in.results.scene, detail_query, in.results.attention.T);
  const auto bits = [&](int query) { return in.text(quantity("map_row_entropy", {{"query", query}})); };
  const auto none = [&](int query) {
    return std::isnan(in.value(quantity("map_row_entropy", {{"query", query}})));
  };
  if (none(detail_query)) return {};
  const std::string first = "The weights of " + token_in_words(in, detail_query) + " have an entropy of " +
                            bits(detail_query) + " bits";
  return other < 0 || other == detail_query || none(other)
             ? first
             : first + ", those of " + token_in_words(in, other) + " of " + bits(other);
}

}  // namespace

std::string attention_finding(const PageInput& in, std::string_view card) {
  const std::vector<nn::HeadSummary>& heads = in.results.heads;
  if (card == "matrices" && !in.preview && !heads.empty()) return scores_finding(in, select(in));
  if (card == "kernels" && !in.preview && !heads.empty()) return offsets_finding(in, select(in));
  if (card != "heads" || in.preview || heads.empty()) return in.cell ? std::string() : cell_words(in);
  std::vector<std::string> bits;
  for (int head = 1; head <= static_cast<int>(heads.size()); ++head)
    bits.push_back(in.text(quantity("entropy", {{"head", head}})));
  const auto less = [](const nn::HeadSummary& a, const nn::HeadSummary& b) {
    return a.entropy_bits < b.entropy_bits;
  };
  const auto ends = std::minmax_element(heads.begin(), heads.end(), less);
  const auto low = static_cast<std::size_t>(ends.first - heads.begin()),
             high = static_cast<std::size_t>(ends.second - heads.begin());
  // All heads that have this entropy as it is written: "ead 1", "eads 1 and 3", "eads 1, 3 and 4".
  const auto names_of = [&](std::size_t one) {
    std::vector<std::string> alike;
    for (std::size_t head = 0; head < bits.size(); ++head) {
      if (bits[head] == bits[one]) alike.push_back(std::to_string(head + 1));
    }
    std::string out = alike.size() > 1 ? "eads " : "ead ";
    for (std::size_t i = 0; i < alike.size(); ++i)
      out += (i == 0 ? "" : i + 1 == alike.size() ? " and " : ", ") + alike[i];
    return out;
  };
  if (heads.size() == 1) return "The head has a mean entropy of " + bits[low] + " bits";
  if (bits[low] == bits[high]) return "All heads have a mean entropy of " + bits[low] + " bits";
  const std::string lowest = names_of(low);
  return "H" + lowest + (lowest.starts_with("eads") ? " have" : " has") + " the lowest mean entropy, " +
         bits[low] + " bits; h" + names_of(high) + " the highest, " + bits[high] + " bits";
}

void explains_mark(const Pen& pen, const std::string& quantity, draw::Box area) {
  Mark mark;
  mark.part = Part::note, mark.area = area, mark.name = std::string(explains) + quantity;
  pen.canvas.mark(mark);
  pen.canvas.mark({});
}

std::string attention_tooltip(const PageInput& in, const draw::Hit& hit) {
  if (in.preview) return {};
  const Mark& mark = hit.mark;
  if (!mark.note.empty()) return mark.note;
  if (mark.name == "matrix cells") return matrix_cell_words(in, hit);
  if (in.results.attention.T == 0) return {};
  if (mark.part == Part::note && mark.name.starts_with(explains)) {
    const std::string quantity = mark.name.substr(explains.size());
    return in.help(quantity) + (quantity.starts_with("exponentials ") ? terms_of_row(in) : "");
  }
  switch (mark.part) {
    case Part::cell:
    case Part::bar:
      return pair_words(in, select(in), mark.head, mark.query, mark.key);
    case Part::query_token:
      return token_words(in, mark.query, "query", "click: pin; Shift+click: pin one more") +
             hidden_of_row(in, mark.query);
    case Part::key_token:
      return key_words(in, mark.key,
                       in.results.opened && in.results.opened->saved
                           ? "click: show its weight"
                           : "click: show how its weight is computed");
    case Part::head:
      return head_words(in, mark.head);
    default:
      return {};
  }
}

}  // namespace headlight::views
