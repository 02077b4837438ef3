// What the scene's layer is fed with, taken apart: the content of the tokens and the positions, and its
// projections. With random weights the content is an embedding drawn from the seed. With a model it is what
// the layer before hands on, and a layer norm may stand between the sum and the projections. Pages that take
// scores apart or shuffle tokens need the parts one by one. Tested in tests/scene/order_test.cpp and
// trained_model_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "nn/attention.h"
#include "nn/tokens.h"
#include "nn/weights.h"
#include "scene/scene.h"
#include "scene/trained_model.h"

namespace headlight::scene {

/// The model of the scene, or null: random weights, or a file that cannot be used.
std::shared_ptr<const TrainedModel> usable_model(const Scene& scene);

/// The layer of the model that the scene shows, 0-based.
int shown_layer(const Scene& scene, const TrainedModel& model);

/// The scene's sentence as tokens: the tokenizer's, or the model's with Token::piece set. `known` gets a flag
/// for each token of a model, 1 = in its vocabulary; `in_sentence` how many there are: a model with a table
/// of positions takes no more than its table has.
std::vector<nn::Token> tokens_of(const Scene& scene, std::vector<unsigned char>* known = nullptr,
                                 std::size_t* in_sentence = nullptr);

/// Width of x: d, or 2d with concatenated positions.
int input_width(const Scene& scene);

/// x [T, D_in] = norm(content + position). With concatenated positions each fills its own half and is 0 in
/// the other.
struct LayerInput {
  nn::Matrix content, position;  // [T, D_in] each; behind a model's first layer all is content: it is mixed
  nn::Matrix gamma, beta;        // [1, D_in] of the layer norm before the attention; empty: none
  double eps = 0;
};

LayerInput layer_input(const Scene& scene, const std::vector<nn::Token>& tokens, base::Parallel& parallel);

/// In float32, rounded once where there is no norm: the x that compute() makes.
nn::Matrix joined(const LayerInput& parts);
nn::MatrixF64 joined_f64(const LayerInput& parts);

/// Two parts that add up to x: where a norm stands between, each row of both is centred and divided by the
/// deviation of their sum, times γ; β belongs to the content.
LayerInput linear_parts(const LayerInput& parts);

/// What enters the first layer of a stack, [T, D]: the content with positions, before any norm.
nn::Matrix stack_input(const Scene& scene, const std::vector<nn::Token>& tokens, base::Parallel& parallel);

/// The x of the layer in double, the layers before it too.
nn::MatrixF64 layer_input_f64(const Scene& scene, const std::vector<nn::Token>& tokens,
                              base::Parallel& parallel);

/// Multiplications that the layers of the model before the one shown take for T tokens; 0 without any.
double products_before(const Scene& scene, double T);
/// What they take, in the unit of work() in pages/compute.h.
double work_before(const Scene& scene, double T);

/// The words alone, [T, d]: a model's embeddings, or those that the seed gives; without positions, before any
/// layer or norm.
nn::Matrix word_embeddings(const Scene& scene, const std::vector<nn::Token>& tokens);

/// The projections of the scene's layer; kept from one call to the next.
std::shared_ptr<const nn::AttentionWeights> layer_weights(const Scene& scene);
/// Such weights packed for so many heads; kept while the same ones are asked for again.
std::shared_ptr<const nn::PackedWeights> packed_weights(
    const std::shared_ptr<const nn::AttentionWeights>& weights, int heads, base::Parallel& parallel);
/// Those that a seed gives, are at hand: they need not be drawn.
bool weights_at_hand(const Scene& scene);

/// Options of the scene's layer for T tokens. With T5 or ALiBi positions of a model the numbers that are
/// added to the scores are put into `pairs`, which must outlive the options' use.
nn::AttentionOptions layer_options(const Scene& scene, int T, std::shared_ptr<const nn::PairMask>& pairs);

/// The same for a layer of the model as it was trained, whatever the scene masks.
nn::AttentionOptions model_options(const nn::ModelConfig& config, const nn::PairMask* pairs);
std::shared_ptr<const nn::PairMask> model_pairs(const TrainedModel& model, int T);

/// The attention options that the scene asks for.
nn::AttentionOptions attention_options(const Scene& scene);

/// How many tokens are used for so many heads: all weights within 1 GiB, and at most 8192.
int max_tokens(int heads);

/// Number of tokens of the scene's sentence.
std::size_t count_tokens(const Scene& scene);

/// How many times as wide as d the feed-forward layers are: the setting, or a model's own d_ff / d, which may
/// be any fraction. As text, to three decimals.
double block_widening(const Scene& scene);
std::string widening_text(const Scene& scene);

}  // namespace headlight::scene
