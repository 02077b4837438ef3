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
  visit(Field{.name = "softmax_scores",
              .label = "Scores",
              .help = "one query’s scores, separated by ';': 2;1;0.5;-1",
              .group = Group::own,
              .computes = true},
        s.scores);
  visit(Field{.name = "softmax_temperature",
              .label = "Temperature τ",
              .help = "divides the scores; lower is sharper",
              .group = Group::own,
              .min = 0.01,
              .max = 100,
              .logarithmic = true,
              .computes = true},
        s.temperature);
}

}  // namespace headlight::scene
