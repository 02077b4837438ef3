// The input of the scene's layer, in parts: the content of the tokens and their positions; and the
// projections of the layer. With random weights the content is an embedding drawn from the seed. With a model
// it is the output of the layer before, and a layer norm may follow the sum. Pages that decompose scores or
// shuffle tokens need the parts one by one. Tested in tests/scene/order_test.cpp and trained_model_test.cpp.
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

/// The model of the scene; null: the weights are random, or the file cannot be used.
std::shared_ptr<const TrainedModel> usable_model(const Scene& scene);

/// The layer of the model that the scene shows, 0-based.
int shown_layer(const Scene& scene, const TrainedModel& model);

/// The scene's sentence as tokens: from the scene's tokenizer, or from the model's with Token::piece set.
/// With a model, `known` gets a flag for each token, 1 = in its vocabulary, and `in_sentence` the number of
/// tokens in the sentence: a model with a table of positions uses no more than its table has.
std::vector<nn::Token> tokens_of(const Scene& scene, std::vector<unsigned char>* known = nullptr,
                                 std::size_t* in_sentence = nullptr);

/// Width of x: d, or 2d with concatenated positions.
int input_width(const Scene& scene);

/// x [T, D_in] = norm(content + position). With concatenated positions each part fills its own half and is 0
/// in the other.
struct LayerInput {
  nn::Matrix content, position;  // [T, D_in] each; after a model's first layer, content and position are
                                 // mixed: all is content
  nn::Matrix gamma, beta;        // [1, D_in] of the layer norm before the attention; empty: none
  double eps = 0;
};

LayerInput layer_input(const Scene& scene, const std::vector<nn::Token>& tokens, base::Parallel& parallel);

/// In float32, rounded once when there is no norm: the x that compute() makes.
nn::Matrix joined(const LayerInput& parts);
nn::MatrixF64 joined_f64(const LayerInput& parts);

/// Two parts that add up to x: with a norm, each row of both parts is centred, divided by the standard
/// deviation of their sum, and multiplied by γ; β belongs to the content.
LayerInput linear_parts(const LayerInput& parts);

/// What enters the first layer of a stack, [T, D]: the content with positions, before any norm.
nn::Matrix stack_input(const Scene& scene, const std::vector<nn::Token>& tokens, base::Parallel& parallel);

/// The x of the layer in double; the layers before it are computed in double too.
nn::MatrixF64 layer_input_f64(const Scene& scene, const std::vector<nn::Token>& tokens,
                              base::Parallel& parallel);

/// Number of multiplications in the layers before the one shown, for T tokens; 0 when there are none.
double products_before(const Scene& scene, double T);
/// The work of these layers, in the unit of work() in pages/compute.h.
double work_before(const Scene& scene, double T);

/// The words alone, [T, d]: a model's embeddings, or those drawn from the seed; without positions, before any
/// layer or norm.
nn::Matrix word_embeddings(const Scene& scene, const std::vector<nn::Token>& tokens);

/// The projections of the scene's layer; cached from one call to the next.
std::shared_ptr<const nn::AttentionWeights> layer_weights(const Scene& scene);
/// These weights packed for a number of heads; cached while the same ones are requested again.
std::shared_ptr<const nn::PackedWeights> packed_weights(
    const std::shared_ptr<const nn::AttentionWeights>& weights, int heads, base::Parallel& parallel);
/// True if the weights drawn from the seed are cached: they need not be drawn.
bool weights_at_hand(const Scene& scene);

/// Options of the scene's layer for T tokens. For a model with T5 or ALiBi positions, the numbers that are
/// added to the scores are put into `pairs`, which must outlive the options.
nn::AttentionOptions layer_options(const Scene& scene, int T, std::shared_ptr<const nn::PairMask>& pairs);

/// The same for a layer of the model as it was trained, whatever mask the scene has.
nn::AttentionOptions model_options(const nn::ModelConfig& config, const nn::PairMask* pairs);
std::shared_ptr<const nn::PairMask> model_pairs(const TrainedModel& model, int T);

/// The attention options that the scene sets.
nn::AttentionOptions attention_options(const Scene& scene);

/// The largest number of tokens for a number of heads: all weights fit into 1 GiB; at most 8192 tokens.
int max_tokens(int heads);

/// Number of tokens of the scene's sentence.
std::size_t count_tokens(const Scene& scene);

}  // namespace headlight::scene
