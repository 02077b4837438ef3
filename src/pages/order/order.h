// The Order page: does attention depend on token order? It permutes the tokens and shows where the output
// rows move, how far they differ, and which parts of a score come from content and from position. Its
// settings are in settings.h. Tested in tests/scene/order_test.cpp, part_shares_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/interval.h"
#include "base/parallel.h"
#include "kernels/tensor.h"
#include "nn/attention.h"
#include "pages/order/settings.h"
#include "scene/page_results.h"

namespace headlight::scene {

struct Scene;
struct Results;

/// Largest differences between the outputs of the permuted tokens and the permuted outputs.
struct OrderResidual {
  double output = 0;         // max |A(πX) − π A(X)|
  double weights = 0;        // the same for the maps, with rows and columns permuted
  double largest = 0;        // largest |A(X)|, to compare with
  std::vector<double> rows;  // [n] max over the row, by position
};

/// The share of each part in what makes a head's scores differ between keys. Every row is centred over the
/// keys that its query may attend to, because what is the same for all of them changes no weight. NaN when
/// the scores, or the part, are the same for all keys.
struct PartShares {
  static constexpr int most = 5;
  double variance = 0;  // of the centred scores, before any division
  double part[most] =
      {};  // covariance of a part with the scores ÷ `variance`; the parts sum to 1, one may exceed it
  double by_offset = 0;  // for pp: the share of its variance that the best function of key − query explains
};

/// The score (query, key) of a head as a sum of four dot products, before any division: xx content and
/// content, xp the query's content and the key's position, px, pp. If a model rotates its queries and keys
/// (RoPE), the fifth part is what the rotation changes: q·k with it minus q·k without it.
struct OrderParts {
  static constexpr int most = PartShares::most;
  int count = 4;             // 5 with rotary positions
  int tokens = 0;            // the first tokens: all of them unless that takes too long
  bool mixed = false;        // not the first layer: its input is no sum of content and position, tokens is 0
  double factor = 1;         // the score is this times the sum: 1/√d_k, over the temperature
  nn::Matrix map[most];      // xx, xp, px, pp, rotation: [H, n, n]; rotation is empty without RoPE
  nn::MatrixF64 part[most];  // the same in double
  nn::MatrixF64 dot;         // q·k from the float32 q and k of the forward pass, summed in double
  std::vector<double> span;  // [H] largest |part|, for the scale that the maps share
  double residual = 0;       // largest |xx + xp + px + pp + rotation − dot| over all heads and pairs
  std::vector<base::Interval> allowed;  // [n] the keys of each token, among the first n
  std::vector<PartShares> shares;       // [H]
  // [H] the same for a layer that differs only in the order of its weights: the entries of each head's W_Q
  // and W_K, and of their biases, are shuffled. Empty: there are too many entries.
  std::vector<PartShares> shuffled;
  nn::Matrix shuffled_map[most];      // as `map`, with these weights
  std::vector<double> shuffled_span;  // as `span`
};

/// The words are permuted, and everything is computed again: the embedding at the new positions, and with a
/// model every layer up to the one on show.
struct OrderResults : PageResults {
  std::string problem;  // why nothing was computed; then all members below are empty
  bool opened = false;  // A is a model of another program
  bool added = false;   // that model adds positions; for other models the scene says whether they are added
  int tokens = 0;       // n: the number of tokens that are permuted, from the first one on
  int layer = 0;        // in the model, 1-based: A is the layers 1 … layer; 0: random weights
  std::vector<int> order;  // [n] the token in each position
  std::vector<int> shown_order() const override { return order; }
  bool identity = true;
  IndexList next, reversed;    // [n] the next order of Shuffle, and this order backwards
  nn::Matrix original, moved;  // [n, D_out] outputs for the tokens as typed, and for the permuted tokens
  bool rows_equal = false;     // the rows of `original` are equal, up to rounding
  bool no_keys = false;        // no query may attend to any key
  OrderResidual float32;
  bool has_double = false;  // false: it takes too long
  OrderResidual float64;
  // What depends on position: the positions that the scene adds (see its `position`), and these.
  bool learned_positions = false;   // the added positions are rows of the model's table
  bool relative_positions = false;  // the model has RoPE, T5 or ALiBi
  bool mask_knows_order = false;    // a mask allows other pairs in this order; as typed: in some order
  bool mask_before = false;         // the layers before the one shown are causal, whatever the scene's mask
  bool token_types = false;         // the second sentence has another token type than the first
  struct Count {
    int token = 0;     // its first position in the sentence
    int original = 0;  // how often it occurs in the sentence
    int moved = 0;     // how often it occurs in the permuted sentence
  };
  std::vector<Count> bag;  // distinct tokens, by first appearance
  OrderParts parts;
};

/// The factor from a dot product to the number that the page writes; the scene says whether it writes the
/// scaled score or the bare dot product. Inline, because views need it.
inline double written_factor(bool divided, const OrderResults& results) {
  return divided ? results.parts.factor : 1;
}

/// For the scene's page `order` only; `results` holds what every page has (tokens, attention).
std::shared_ptr<const OrderResults> compute_order(const Scene& scene, const Results& results,
                                                  base::Parallel& parallel);

/// The time that it takes in addition to the layer that every page has, in the unit of work() in
/// pages/compute.h.
double order_work(const Scene& scene, int tokens);

/// The order of the first n tokens. The list that the page opens with exchanges two of them in any sentence;
/// if both would be unknown tokens to the model, two different tokens of its vocabulary, so that the rows
/// also differ.
std::vector<int> opening_order(const Scene& scene, const Results& results, int n);

/// Sets the order of the first n tokens of the results, and what follows from the order alone.
void begin_order(const Scene& scene, const Results& results, int n, OrderResults& out);

/// `Trace` holds weights [H, n, n] and output [n, D_out], in either precision.
template <class Trace>
OrderResidual order_residual(const Trace& original, const Trace& moved, const std::vector<int>& order);

/// Completes parts whose `part` and `count` are set: the maps, spans, shares and the residual, from q and k
/// of the layer.
void complete_parts(const nn::AttentionTrace& trace, OrderParts& out);

/// Takes the shares, maps and spans of the layer with shuffled weights, whose `part`, `count` and `tokens`
/// are set.
void keep_shuffled(const nn::AttentionTrace& trace, OrderParts shuffled, OrderParts& out);

/// The shares for each head of the first `count` parts, [H, n, n] each, whose sum is the score. O(H·n²),
/// times about twenty for `by_offset`, whose fit also has one number for every query.
std::vector<PartShares> part_shares(std::span<const nn::MatrixF64> parts, const nn::AttentionTrace& trace);

/// Shuffles the entries of each head in w_q, w_k, b_q and b_k. False: there are more entries than the page's
/// limit, and nothing changes.
bool shuffle_projections(int heads, nn::AttentionWeights& weights);

}  // namespace headlight::scene
