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
  visit(Field{.name = "model_score",
              .label = "Score of a head",
              .help = "mean weight on the previous token, the first, the query itself, other positions of "
                      "the same token, the "
                      "token after the last earlier copy (induction); or the mean entropy",
              .group = Group::own},
        s.score);
  visit(Field{.name = "model_order",
              .label = "Order of heads",
              .help = "by layer, or by score",
              .group = Group::own},
        s.order);
  visit(Field{.name = "model_detail",
              .label = "Chosen head",
              .help =
                  "its weights; q·k of the pinned query component by component; its queries and keys in two "
                  "dimensions",
              .group = Group::own,
              .computes = true},
        s.detail);
  visit(Field{.name = "model_off",
              .label = "Heads off",
              .help = "heads whose output is set to 0, as layer.head, or multiplied by 0 to 2, in the "
                      "predictions of this page: \"2.4 3.1:0.5\"",
              .group = Group::own,
              .computes = true},
        s.off);
  visit(Field{.name = "model_temperature",
              .label = "Temperature of predictions",
              .help = "divides the logits before the softmax over the vocabulary",
              .group = Group::own,
              .min = 0.01,
              .max = 100,
              .logarithmic = true,
              .computes = true},
        s.temperature);
  visit(Field{.name = "model_top_k",
              .label = "Top-k",
              .help = "only the k most probable tokens can be sampled; 0 = all",
              .group = Group::own,
              .max = 1000,
              .logarithmic = true,
              .computes = true,
              .at_zero = "off"},
        s.top_k);
  visit(
      Field{.name = "model_top_p",
            .label = "Top-p",
            .help =
                "only the smallest set of most probable tokens whose probabilities sum to at least p can be "
                "sampled; 1 = all",
            .group = Group::own,
            .max = 1,
            .computes = true},
      s.top_p);
  visit(Field{.name = "model_seed",
              .label = "Sampling seed",
              .help = "determines which token is sampled at each position",
              .group = Group::own,
              .max = 9999},
        s.seed);
  visit(
      Field{.name = "model_beside",
            .label = "Compare with saved attention",
            .help =
                "a file of saved attention: the largest difference of every head, and the first layer beyond "
                "rounding; empty = none",
            .group = Group::own,
            .computes = true,
            .names = TextNames::saved_attention},
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
