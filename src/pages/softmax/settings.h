// The settings of the Softmax page, and their one list.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include "scene/field.h"

namespace headlight::scene {

inline constexpr int most_softmax_scores = 12;

struct SoftmaxSettings {
  std::string scores = "2;1;0.5;-1";  // a single row
  double temperature = 1;
  bool operator==(const SoftmaxSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, SoftmaxSettings>
void list_fields(S& s, F&& visit) {
  visit(Field{"softmax_scores", "Scores", "one query’s scores, separated by ';': 2;1;0.5;-1", Group::own, 0,
              0, false, true},
        s.scores);
  visit(Field{"softmax_temperature", "Temperature τ", "divides the scores; lower is sharper", Group::own,
              0.01, 100, true, true},
        s.temperature);
}

}  // namespace headlight::scene
