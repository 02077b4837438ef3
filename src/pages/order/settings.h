// The settings of the Order page, and their one list.
#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "scene/field.h"

namespace headlight::scene {

struct OrderSettings {
  /// Position t holds token permutation[t]. Tokens that do not exist are skipped; tokens that the list does
  /// not name follow in their order; a list that names a token twice is the identity. The default exchanges
  /// two words of the first sentences, and two tokens alone, so that the page opens with rows that move;
  /// a file without this setting has the original order (written_defaults() in scene/settings.h).
  IndexList permutation{0, 5, 2, 3, 4, 1};
  IndexList from;       // the order before it; rows move from it to their new positions
  int step = 0;         // counts the new orders; a new one starts the motion
  bool divided = true;  // scores are written as they enter the softmax; false: as bare dot products
  bool operator==(const OrderSettings&) const = default;
};

/// Is the list the one that the page opens with, which nobody chose? An order that somebody made, even the
/// same one, has an order before it.
inline bool opens(const OrderSettings& order) {
  return order.step == 0 && order.from.empty() && order.permutation == OrderSettings{}.permutation;
}

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, OrderSettings>
void list_fields(S& s, F&& visit) {
  visit(Field{.name = "order_permutation",
              .label = "Order",
              .help = "the token at each position, counted from 0; empty = original order",
              .max = 8191,
              .computes = true},
        s.permutation);
  visit(Field{.name = "order_from",
              .label = "Previous order",
              .help = "order from which the rows move",
              .max = 8191},
        s.from);
  visit(Field{.name = "order_step",
              .label = "Orders so far",
              .help = "counts the orders; each new one starts the motion",
              .max = 9999},
        s.step);
  visit(Field{.name = "order_divided",
              .label = "Scores ÷√d_k",
              .help = "parts of the score after the division, or of q·k itself"},
        s.divided);
}

}  // namespace headlight::scene
