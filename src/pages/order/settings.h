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

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, OrderSettings>
void list_fields(S& s, F&& visit) {
  visit(Field{"order_permutation", "Order",
              "the token at each position, counted from 0; empty = original order", Group::none, 0, 8191,
              false, true},
        s.permutation);
  visit(Field{"order_from", "Previous order", "order from which the rows move", Group::none, 0, 8191},
        s.from);
  visit(Field{"order_step", "Orders so far", "counts the orders; each new one starts the motion", Group::none,
              0, 9999},
        s.step);
  visit(Field{"order_divided", "Scores ÷√d_k", "parts of the score after the division, or of q·k itself",
              Group::none},
        s.divided);
}

}  // namespace headlight::scene
