// What the cards below A and B show: padding in a batch, attention over a second sentence, decoding one token
// at a time, and q·k against d_k. Tested in tests/scene/variants_cards_test.cpp.
#pragma once

#include "pages/variants/model.h"
#include "pages/variants/variants.h"

namespace headlight::scene {

/// One head of the scene with sinusoidal positions, or the model's own, divided by √d_k, no mask of its own.
/// Both sentences start at position 0.
struct PlainHead {
  const Scene& scene;
  int head = 0;
  base::Parallel& parallel;
};

/// Another sentence, cut as the scene cuts its own; `unknown` becomes how many tokens the model does not
/// know.
std::vector<nn::Token> split_as(const Scene& scene, const std::string& sentence, int most,
                                int* unknown = nullptr);

/// Both sentences of the batch, padded to `width` rows.
std::vector<BatchSentence> attend_batch(const PlainHead& plain, const std::vector<nn::Token>& first,
                                        const std::vector<nn::Token>& second, int& width);

CrossAttention attend_across(const PlainHead& plain, const std::vector<nn::Token>& queries,
                             const std::vector<nn::Token>& keys);

/// In every layer causal, the one shown and those before.
Decoding decode(const VariantModel& model, base::Parallel& parallel);

/// Seeded samples; 295,000 random numbers, kept from call to call.
std::vector<DotProducts> dot_products(int seed);
bool dot_products_kept(int seed);

/// Mean over the rows that read something of −Σ a log₂ a, of plane 0.
double mean_entropy_bits(const nn::Matrix& weights);  // NaN where no row has weights

/// max |a − b| over the first `rows` rows; both have as many columns.
double largest_change(const nn::Matrix& a, const nn::Matrix& b, int rows);

}  // namespace headlight::scene
