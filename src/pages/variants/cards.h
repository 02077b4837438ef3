// The results of the cards below A and B: padding in a batch, attention over a second sentence, decoding one
// token at a time, and q·k for growing d_k. Tested in tests/scene/variants_cards_test.cpp.
#pragma once

#include "pages/variants/model.h"
#include "pages/variants/variants.h"

namespace headlight::scene {

/// One head of the scene with sinusoidal positions, or with the model's own; it divides by √d_k and has no
/// mask. Both sentences start at position 0.
struct PlainHead {
  const Scene& scene;
  int head = 0;
  base::Parallel& parallel;
};

/// The positions of that head: the model's, or sinusoids where the weights are random.
VariantPosition plain_position(const Scene& scene);

/// Cuts another sentence into tokens as the scene cuts its own; sets `unknown` to the number of tokens that
/// the model does not know.
std::vector<nn::Token> split_as(const Scene& scene, const std::string& sentence, int most,
                                int* unknown = nullptr);

/// Both sentences of the batch, padded to `width` rows.
std::vector<BatchSentence> attend_batch(const PlainHead& plain, const std::vector<nn::Token>& first,
                                        const std::vector<nn::Token>& second, int& width);

CrossAttention attend_across(const PlainHead& plain, const std::vector<nn::Token>& queries,
                             const std::vector<nn::Token>& keys);

/// Causal in every layer, the one shown and those before it.
Decoding decode(const VariantModel& model, base::Parallel& parallel);

/// Samples from the seed; 295,000 random numbers, kept between calls.
std::vector<DotProducts> dot_products(int seed);
bool dot_products_kept(int seed);

/// Mean of −Σ a log₂ a over the rows of plane 0 that have weights.
double mean_entropy_bits(const nn::Matrix& weights);  // NaN when no row has weights

/// max |a − b| over the first `rows` rows; both have the same number of columns.
double largest_change(const nn::Matrix& a, const nn::Matrix& b, int rows);

}  // namespace headlight::scene
