// The Order page: what does attention know of order? The tokens stand in an order of their own here; where
// the output rows went, how far they differ, and what of a score comes from content, what from position. What
// is computed for it; its settings are in settings.h. Tested in tests/scene/order_test.cpp,
// part_shares_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "kernels/tensor.h"
#include "nn/attention.h"
#include "pages/order/settings.h"

namespace headlight::scene {

struct Scene;
struct Results;

/// Largest differences between the outputs of the shuffled tokens and the outputs, shuffled.
struct OrderResidual {
  double output = 0;         // max |A(πX) − π A(X)|
  double weights = 0;        // the same over the maps, rows and columns moved
  double largest = 0;        // largest |A(X)|, to compare with
  std::vector<double> rows;  // [n] max over the row, by position
};

/// How much of what a head's scores distinguish the keys by each part makes. Every row is centred over the
/// keys that its query may attend to: what is the same for all of them changes no weight. NaN where the
/// scores, or the part, are the same for all keys.
struct PartShares {
  static constexpr int most = 5;
  double variance = 0;  // of the scores, centred, before any division
  double part[most] =
      {};  // covariance of a part with the scores, by that; the parts add up to 1, one may exceed it
  double by_offset = 0;  // of pp: the share of its variance that the best function of key − query has
};

/// The score (query, key) of a head as a sum of four dot products, before any division:
/// xx content and content, xp the query's content and the key's position, px, pp; and, where a model turns
/// its queries and keys (RoPE), a fifth: what the rotation changes, q·k with it less q·k without.
struct OrderParts {
  static constexpr int most = PartShares::most;
  int count = 4;         // 5 with rotary positions
  int tokens = 0;        // the first so many: all of them unless that is too much work
  bool mixed = false;    // a layer stands before: what enters is no sum of content and position, tokens is 0
  double factor = 1;     // times this is the score that enters the softmax: 1/√d_k, over the temperature
  nn::Matrix map[most];  // xx, xp, px, pp, rotation: [H, n, n]; the last one empty without rotation
  nn::MatrixF64 part[most];        // the same, in double
  nn::MatrixF64 dot;               // q·k from the float32 q and k of the forward pass, summed in double
  std::vector<double> span;        // [H] largest |part|, for a scale that the four maps share
  double residual = 0;             // largest |xx + xp + px + pp + rotation − dot| over all heads and pairs
  std::vector<PartShares> shares;  // [H]
  // [H] the same with the entries of each head's W_Q and W_K, and of their biases, in random places: a layer
  // that differs in nothing else. Empty: too many entries.
  std::vector<PartShares> shuffled;
};

/// The words are permuted, and everything is done again from the words on: the embedding at the new
/// positions, and with a model every layer up to the one that is shown.
struct OrderResults {
  std::string problem;     // why nothing could be computed: then all that follows is empty
  bool opened = false;     // A is of a model of another program
  bool added = false;      // which adds positions to its tokens; otherwise the scene says whether they are
  int tokens = 0;          // n: the first so many are shuffled
  int layer = 0;           // of the model, 1-based; 0: random weights. A is the layers 1 … layer then
  std::vector<int> order;  // [n] the token in each position
  bool identity = true;
  IndexList next, reversed;    // [n] the next order of a shuffle, and this one backwards
  nn::Matrix original, moved;  // [n, D_out] outputs of the tokens as typed, and of the tokens permuted
  bool rows_equal = false;     // those of `original`, up to rounding
  bool no_keys = false;        // no query may attend to any key
  OrderResidual float32;
  bool has_double = false;  // false: too much work
  OrderResidual float64;
  // What goes by place: positions that the scene adds (see its `position`), and
  bool learned_positions = false;   // those that are added are rows of the model's table
  bool relative_positions = false;  // the model has RoPE, T5 or ALiBi
  bool mask_knows_order = false;    // a mask lets a token read others in this order; as typed: in some order
  bool mask_before = false;         // the layers before the one shown are causal, whatever the scene's mask
  bool token_types = false;         // a second sentence has another token type than the first
  struct Count {
    int token = 0;     // its first place in the sentence
    int original = 0;  // how often in the sentence
    int moved = 0;     // how often in the shuffled one
  };
  std::vector<Count> bag;  // distinct tokens, by first appearance
  OrderParts parts;
};

/// One unit of a part that is written, in bare dot products: the scene says which of the two is written.
/// Inline, as views need it.
inline double written_factor(bool divided, const OrderResults& results) {
  return divided ? results.parts.factor : 1;
}

/// For the scene's page `order` only; `results` holds what every page has (tokens, attention).
std::shared_ptr<const OrderResults> compute_order(const Scene& scene, const Results& results,
                                                  base::Parallel& parallel);

/// What that takes beside the layer that every page has, in the unit of work() in pages/compute.h.
double order_work(const Scene& scene, int tokens);

/// Which order, and what follows from it alone, of the first n tokens of the results.
void begin_order(const Scene& scene, const Results& results, int n, OrderResults& out);

/// `Trace` holds weights [H, n, n] and output [n, D_out], in either precision.
template <class Trace>
OrderResidual order_residual(const Trace& original, const Trace& moved, const std::vector<int>& order);

/// The maps, spans, shares and the residual of parts whose `part` and `count` are there, from q and k of the
/// layer.
void complete_parts(const nn::AttentionTrace& trace, OrderParts& out);

/// One for each head of the first `count` parts, [H, n, n] each, whose sum is the score. O(H·n²), about
/// twenty times for `by_offset`, which is fitted with a number of its own for every query.
std::vector<PartShares> part_shares(std::span<const nn::MatrixF64> parts, const nn::AttentionTrace& trace);

/// w_q, w_k, b_q, b_k with the entries of each head in random places. False: there are more than is done for
/// the page, and nothing was changed.
bool shuffle_projections(int heads, nn::AttentionWeights& weights);

}  // namespace headlight::scene
