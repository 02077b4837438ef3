// The settings of the Model page, and their one list.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include "scene/field.h"

namespace headlight::scene {

/// The score that each head is measured by.
enum class ModelScore { previous, first, itself, same_token, induction, entropy };
inline constexpr int model_scores = 6;
enum class ModelOrder { layer, score };
/// What is shown of the chosen head: its weights, q·k component by component, or its queries and keys in a
/// plane.
enum class ModelDetail { weights, components, plane };
inline constexpr int model_details = 3;

struct ModelPageSettings {
  ModelScore score = ModelScore::previous;
  ModelOrder order = ModelOrder::layer;
  ModelDetail detail = ModelDetail::weights;
  std::string off;  // "2.4 3.1:0.5": head 4 of layer 2 is off, head 1 of layer 3 is halved; see heads_off.h
  double temperature = 1;
  int top_k = 0;     // 0: all
  double top_p = 1;  // 1: all
  int seed = 1;
  std::string beside;  // a file of saved attention to compare the attention on show with; empty: none
  bool operator==(const ModelPageSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, ModelPageSettings>
void list_fields(S& s, F&& visit) {
  visit(Field{"model_score", "Score of a head",
              "mean weight on the previous token, the first, the query itself, the same token elsewhere, the "
              "token after the last earlier copy (induction); or the mean entropy",
              Group::own},
        s.score);
  visit(Field{"model_order", "Order of heads", "by layer, or by score", Group::own}, s.order);
  visit(Field{"model_detail", "Chosen head",
              "its weights; q·k of the pinned query component by component; its queries and keys in two "
              "dimensions",
              Group::own, 0, 0, false, true},
        s.detail);
  visit(Field{"model_off", "Heads off",
              "heads whose output is set to 0, as layer.head, or multiplied by 0 to 2, in the predictions of "
              "this "
              "page: \"2.4 3.1:0.5\"",
              Group::own, 0, 0, false, true},
        s.off);
  visit(Field{"model_temperature", "Temperature of predictions",
              "divides the logits before the softmax over the vocabulary", Group::own, 0.01, 100, true, true},
        s.temperature);
  visit(Field{"model_top_k", "Top-k", "only the k most probable tokens can be sampled; 0 = all", Group::own,
              0, 1000, true, true},
        s.top_k);
  visit(Field{"model_top_p", "Top-p",
              "only the smallest set of most probable tokens whose probabilities sum to at least p can be "
              "sampled; 1 = all",
              Group::own, 0, 1, false, true},
        s.top_p);
  visit(Field{"model_seed", "Sampling seed", "determines which token is sampled at each position", Group::own,
              0, 9999},
        s.seed);
  visit(Field{"model_beside", "Compare with saved attention",
              "a file of saved attention: the largest difference of every head, and the first layer beyond "
              "rounding; empty = none",
              Group::own, 0, 0, false, true},
        s.beside);
}

template <>
struct Words<ModelScore> {
  static constexpr const char* list[] = {"previous", "first", "itself", "same_token", "induction", "entropy"};
};
template <>
struct Words<ModelOrder> {
  static constexpr const char* list[] = {"layer", "score"};
};
template <>
struct Words<ModelDetail> {
  static constexpr const char* list[] = {"weights", "components", "plane"};
};

}  // namespace headlight::scene
