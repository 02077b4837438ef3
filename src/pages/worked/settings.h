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
  visit(
      Field{"worked_step", "Step", "1 projections, 2 products, 3 scores, 4 weights, 5 output", G::own, 1, 5},
      s.step);
  visit(Field{"worked_x", "X", "tokens as rows: 1,0;0,1;1,1", G::own, 0, 0, false, true}, s.x);
  visit(Field{"worked_w_q", "W_Q", "must have as many rows as X has columns", G::own, 0, 0, false, true},
        s.w_q);
  visit(Field{"worked_w_k", "W_K", "must have as many rows as X has columns", G::own, 0, 0, false, true},
        s.w_k);
  visit(Field{"worked_w_v", "W_V", "must have as many rows as X has columns", G::own, 0, 0, false, true},
        s.w_v);
  visit(Field{"worked_divide", "Divide by √d_k",
              "divide the dot products by the square root of the key width", G::own, 0, 0, false, true},
        s.divide);
  visit(Field{"worked_causal", "Causal mask", "a token attends to itself and to earlier tokens", G::own, 0, 0,
              false, true},
        s.causal);
  visit(Field{"worked_stage", "Explained result", "result whose arithmetic is shown", G::none}, s.stage);
  visit(Field{"worked_row", "Token", "row that is explained and token whose query is used, counted from 0",
              G::none, 0, 5},
        s.row);
  visit(Field{"worked_col", "Column", "column that is explained, counted from 0", G::none, 0, 5}, s.col);
  visit(Field{"worked_hand", "Draggable arrow", "arrow of the plane that can be dragged", G::none}, s.hand);
  visit(Field{"worked_temperature", "Lookup temperature", "divides only the scores of the soft dictionary",
              G::own, 0.02, 20, true, true},
        s.temperature);
  visit(Field{"worked_reach", "Range of the plane", "the plane extends from minus this value to this value",
              G::own, 0.5, 50, true},
        s.reach);
}

}  // namespace headlight::scene
