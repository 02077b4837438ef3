// The settings of the Attention page, and their one list.
#pragma once

#include <concepts>
#include <type_traits>

#include "scene/field.h"

namespace headlight::scene {

enum class AttentionView { matrix, ribbons, arcs };
/// Which beams and arcs are drawn: of all queries, or of the pinned one; arcs to the keys that the pinned
/// word attends to, or from the queries that attend to it.
enum class BeamsShown { all, chosen };
enum class ArcsShown { both, attends_to, attended_by };
/// A matrix of the layer that is shown large, with its numbers.
enum class LayerMatrix { none, x, w_q, w_k, w_v, q, k, v, concatenation, w_o, output };

template <>
struct Words<AttentionView> {
  static constexpr const char* list[] = {"matrix", "ribbons", "arcs"};
};
template <>
struct Words<BeamsShown> {
  static constexpr const char* list[] = {"all", "chosen"};
};
template <>
struct Words<ArcsShown> {
  static constexpr const char* list[] = {"both", "attends_to", "attended_by"};
};
template <>
struct Words<LayerMatrix> {
  static constexpr const char* list[] = {"none", "x", "w_q",           "w_k", "w_v",   "q",
                                         "k",    "v", "concatenation", "w_o", "output"};
};

struct AttentionSettings {
  AttentionView view = AttentionView::matrix;
  BeamsShown beams = BeamsShown::all;
  ArcsShown arcs = ArcsShown::both;
  bool bars_sorted = false;
  double least_weight = 0;  // smaller weights are not drawn
  LayerMatrix matrix = LayerMatrix::none;
  int other_query = -1;  // its weights by offset are compared with the pinned query's; −1 = the next query
  bool operator==(const AttentionSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, AttentionSettings>
void list_fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{.name = "attention_view",
              .label = "View",
              .help = "matrix: a map of cells; ribbons: beams from queries to keys; arcs: arcs over one line "
                      "of words",
              .after = "cell_head",
              .also = "ribbons beams arcs lines curves sankey flow"},
        s.view);
  visit(Field{.name = "beams",
              .label = "Beams of",
              .help = "all: of all queries; chosen: of the pinned query alone",
              .after = "attention_view"},
        s.beams);
  visit(Field{.name = "arcs",
              .label = "Arcs of the pinned word",
              .help = "attends_to: to its keys, above the words; attended_by: from the queries that attend "
                      "to it, below",
              .after = "beams"},
        s.arcs);
  visit(Field{.name = "bars_sorted",
              .label = "Sorted bars",
              .help = "bars sorted by weight instead of by position",
              .after = "cell_numbers"},
        s.bars_sorted);
  visit(Field{.name = "least_weight",
              .label = "Smallest weight drawn",
              .help = "smaller weights are not drawn; 0: all are drawn",
              .group = G::shown,
              .after = "bars_sorted",
              .max = 1},
        s.least_weight);
  visit(Field{.name = "matrix",
              .label = "Open matrix",
              .help = "matrix of the layer whose numbers are shown",
              .after = "shown_tokens"},
        s.matrix);
  visit(
      Field{
          .name = "other_query",
          .label = "Other query",
          .help =
              "query whose weights by offset are compared, counted from 0; -1 = the next pinned or the next "
              "query",
          .after = "matrix",
          .min = -1,
          .max = 1000000},
      s.other_query);
}

}  // namespace headlight::scene
