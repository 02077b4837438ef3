// The settings of the Worked example page, and their one list.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include "scene/field.h"

namespace headlight::scene {

/// A result, in the order of the steps; q, k and v belong to the first.
enum class WorkedStage { q, k, v, products, scores, weights, output };
/// The arrow of the chosen token that follows the pointer.
enum class WorkedHand { query, key };

template <>
struct Words<WorkedStage> {
  static constexpr const char* list[] = {"q", "k", "v", "products", "scores", "weights", "output"};
};
template <>
struct Words<WorkedHand> {
  static constexpr const char* list[] = {"query", "key"};
};

struct WorkedSettings {
  int step = 5;                             // 1 projections, 2 products, 3 scores, 4 weights, 5 output
  std::string x = "1,0;0,1;1,1";            // [T, D] rows separated by ';', numbers by ','
  std::string w_q = "1,0;0,1";              // [D, d_k]
  std::string w_k = "1,0;0,1";              // [D, d_k]
  std::string w_v = "1,0;0,2";              // [D, d_v]
  bool divide = true;                       // by √d_k
  bool causal = false;                      // query i may attend to key j when j <= i
  WorkedStage stage = WorkedStage::output;  // the result whose arithmetic is shown
  int row = 0, col = 0;                     // its entry; the row is also the chosen token
  WorkedHand hand = WorkedHand::query;
  double temperature = 1;  // only for the soft dictionary beside the exact one
  double reach = 2.5;      // the plane of the arrows goes from −reach to reach
  bool operator==(const WorkedSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, WorkedSettings>
void list_fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{.name = "worked_step",
              .label = "Step",
              .help = "1 projections, 2 products, 3 scores, 4 weights, 5 output",
              .group = G::own,
              .min = 1,
              .max = 5},
        s.step);
  visit(Field{.name = "worked_x",
              .label = "X",
              .help = "tokens as rows: 1,0;0,1;1,1",
              .group = G::own,
              .computes = true},
        s.x);
  visit(Field{.name = "worked_w_q",
              .label = "W_Q",
              .help = "must have as many rows as X has columns",
              .group = G::own,
              .computes = true},
        s.w_q);
  visit(Field{.name = "worked_w_k",
              .label = "W_K",
              .help = "must have as many rows as X has columns",
              .group = G::own,
              .computes = true},
        s.w_k);
  visit(Field{.name = "worked_w_v",
              .label = "W_V",
              .help = "must have as many rows as X has columns",
              .group = G::own,
              .computes = true},
        s.w_v);
  visit(Field{.name = "worked_divide",
              .label = "Divide by √d_k",
              .help = "divide the dot products by the square root of the key width",
              .group = G::own,
              .computes = true},
        s.divide);
  visit(Field{.name = "worked_causal",
              .label = "Causal mask",
              .help = "a token attends to itself and to earlier tokens",
              .group = G::own,
              .computes = true},
        s.causal);
  visit(
      Field{.name = "worked_stage", .label = "Explained result", .help = "result whose arithmetic is shown"},
      s.stage);
  visit(Field{.name = "worked_row",
              .label = "Token",
              .help = "row that is explained and token whose query is used, counted from 0",
              .max = 5},
        s.row);
  visit(Field{.name = "worked_col",
              .label = "Column",
              .help = "column that is explained, counted from 0",
              .max = 5},
        s.col);
  visit(Field{.name = "worked_hand",
              .label = "Draggable arrow",
              .help = "arrow of the plane that can be dragged"},
        s.hand);
  visit(Field{.name = "worked_temperature",
              .label = "Lookup temperature",
              .help = "divides only the scores of the soft dictionary",
              .group = G::own,
              .min = 0.02,
              .max = 20,
              .logarithmic = true,
              .computes = true},
        s.temperature);
  visit(Field{.name = "worked_reach",
              .label = "Range of the plane",
              .help = "the plane extends from minus this value to this value",
              .group = G::own,
              .min = 0.5,
              .max = 50,
              .logarithmic = true},
        s.reach);
}

}  // namespace headlight::scene
