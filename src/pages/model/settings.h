// The settings of the Model page, and their one list.
#pragma once

#include <concepts>
#include <type_traits>

#include "scene/field.h"

namespace headlight::scene {

/// What each head is measured by.
enum class ModelScore { previous, first, itself, same_token, induction, entropy };
inline constexpr int model_scores = 6;
enum class ModelOrder { layer, score };

struct ModelPageSettings {
  ModelScore score = ModelScore::previous;
  ModelOrder order = ModelOrder::layer;
  double temperature = 1;
  bool operator==(const ModelPageSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, ModelPageSettings>
void fields(S& s, F&& visit) {
  visit(Field{"model_score", "Score of a head",
              "mean weight on the previous token, the first, the query itself, the same token elsewhere, the "
              "token after the last earlier copy (induction); or the mean entropy",
              Group::own},
        s.score);
  visit(Field{"model_order", "Order of heads", "by layer, or by score", Group::own}, s.order);
  visit(Field{"model_temperature", "Temperature of predictions",
              "divides the logits before the softmax over the vocabulary", Group::own, 0.01, 100, true, true},
        s.temperature);
}

template <>
struct Words<ModelScore> {
  static constexpr const char* list[] = {"previous", "first", "itself", "same_token", "induction", "entropy"};
};
template <>
struct Words<ModelOrder> {
  static constexpr const char* list[] = {"layer", "score"};
};

}  // namespace headlight::scene
