// The result of a computation: everything the views show, immutable once it is made. This file has the types
// only; pages/compute.h makes the results.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "nn/attention.h"
#include "nn/explain.h"
#include "nn/positional.h"
#include "nn/tokens.h"
#include "nn/weight_counts.h"
#include "scene/page_results.h"
#include "scene/scene.h"
#include "tasks/vocabulary.h"

namespace headlight::scene {

struct TrainedModel;  // trained_model.h

/// What the rows of P are.
enum class PositionSource {
  scene,     // sines and cosines, as the scene sets them
  sinusoid,  // sinusoids that a model of another program adds, sine and cosine in adjacent columns
  rope,      // sine and cosine of the angles by which its RoPE rotates queries and keys: nothing is added
  table,     // rows of its learned table
  none,      // the model has neither, or its table cannot be read: P is empty
};

/// P in detail, for the Position page.
struct PositionResults {
  PositionSource source = PositionSource::scene;
  std::string about;                    // for a model of another program: what P is, in one line
  float largest = 1;                    // |element|: 1, or the largest of a learned table
  int first = 0;                        // position of row 0 of P
  nn::Matrix p;                         // [positions, d_model], or the width that a model has
  std::vector<double> omega;            // [⌈d/2⌉]; empty for a learned table
  std::vector<nn::NearestRow> nearest;  // [positions], rows counted from 0; empty while positions·positions·d
                                        // is too large for a frame
  int closest_a = -1, closest_b = -1;  // the two most similar rows, counted from 0
  double closest_distance = 0;
  int as_close = 0;                    // rows that have another row at this distance, up to rounding
  std::vector<double> dot_from_index;  // p_i·p_{i+δ} from the first row, by distance
  double worst_rotation_residual = 0;  // over all pairs, for the scene's δ, among float32 rows that exist
  /// Columns 2j and 2j + 1 are sine and cosine of a frequency.
  bool waves() const { return source != PositionSource::table && source != PositionSource::none; }
};

/// The effect of concatenating a position: [x; p] W = x W₁ + p W₂, where W₁ is the upper and W₂ the lower
/// half of W. In float32, for the first tokens; x has their embeddings, p the rows of P at their positions,
/// and W is drawn from the seed.
struct Concatenated {
  nn::Matrix x, p;                 // [T, d]
  nn::Matrix joined;               // [T, d] [x; p] W
  nn::Matrix from_x, from_p, sum;  // [T, d] x W₁, p W₂, and their sum
  double largest_difference = 0;   // |joined − sum|: rounding
  double largest = 0;              // |joined|
};

/// The answer of a model of pronoun sentences at a pronoun: the most probable of its words.
struct ModelAnswer {
  int query = 0;  // the pronoun's token
  std::string text;
  double probability = 0;
  std::vector<double> probabilities;  // [V] of all words
};

/// A head that was guided during training, counted from 0; −1: none.
struct GuidedHead {
  int layer = -1, head = -1;
  double weight = 0;  // of the guide in the loss
};

/// A model of another program, or attention that was saved without its model, and the layer whose attention
/// is shown.
struct OpenedLayer {
  std::string name, family;   // "stories260K.bin", "Llama"
  int layer = 0, layers = 1;  // 0-based; the number of heads and their width are in the trace
  int kv_heads = 1;           // fewer than H: query head n shares key and value head n / (H / kv_heads)
  int width = 0;              // D
  double scale = 1, cap = 0;  // score = cap tanh(q·k · scale / cap); cap 0: q·k · scale
  bool causal = true;
  int window = 0;         // keys that a causal query may attend to, its own included; 0: all
  int rotary = 0;         // components of each head of q and k that RoPE rotates
  bool bias = false;      // true: a bias was added to q and k
  bool qk_norm = false;   // true: each head of q and k was normalised, before RoPE
  bool tokenizer = true;  // false: the tokens are ids that were given
  int second = -1;        // 0-based, the first token of type 1, of a second sentence; −1: all have type 0
  std::string changed;  // what the scene changes in the layer, in words; empty: the layer is the model's own

  // For saved attention. It has no width, and q and k only if the file has them.
  bool saved = false;
  std::string stored;               // "float16"
  std::string tokens_from;          // "tokens.json"; empty: no tokens are known, positions are counted
  int sequence = 0, sequences = 1;  // 0-based, of the batch
};

struct Results {
  std::uint64_t version = 0;                  // different for every Results
  Scene scene;                                // the settings it was computed for
  std::vector<nn::Token> tokens;              // [T] those used
  std::vector<nn::Token> key_tokens;          // [S] for cross-attention; empty: those of the queries
  std::size_t tokens_in_sentence = 0;         // more than T when the sentence is longer than can be shown
  nn::AttentionOptions options;               // as the forward pass used them
  std::shared_ptr<const nn::PairMask> pairs;  // what options.pairs points to
  nn::Matrix x;                               // [T, D_in] embeddings with positions
  std::shared_ptr<const nn::AttentionWeights> weights;  // of the layer; null when there are no tokens
  std::array<float, 11> matrix_largest{};  // largest finite |element| of each LayerMatrix, by its number
  const std::vector<nn::Token>& tokens_of_keys() const { return key_tokens.empty() ? tokens : key_tokens; }
  /// A matrix of the layer; null when there is none.
  const nn::Matrix* matrix(LayerMatrix which) const;
  nn::AttentionTrace attention;        // T = 0 for an empty sentence: all tensors empty
  std::vector<nn::HeadSummary> heads;  // [H]
  nn::Matrix mean, max;                // [T, S] over all heads
  // Counts of the weights that are not masked: for each head [H], and for those two maps.
  std::vector<nn::WeightCounts> head_counts;
  nn::WeightCounts mean_counts, max_counts;
  // The weight that each key receives from all queries [S]: for each head [H], and for those two maps.
  std::vector<std::vector<double>> head_received;
  std::vector<double> mean_received, max_received;
  std::vector<double> mean_entropy_bits;  // [T] of the rows of the mean; NaN for a row of zeros
  PositionResults position;
  std::shared_ptr<const Concatenated> concatenated;  // null: no tokens
  std::shared_ptr<const PageResults> own;  // of the open page; null if it computes nothing of its own
  /// `own` as exactly the type R, for example OrderResults; null when another page is open.
  template <class R>
  const R* own_as() const {
    const PageResults* page = own.get();
    return page && typeid(*page) == typeid(R) ? static_cast<const R*>(page) : nullptr;
  }

  std::size_t nonfinite = 0;
  double forward_ms = 0;  // of the attention forward pass alone; for an opened model, of the computed layers
  std::string weights_source;                 // "random weights, seed 7"
  std::shared_ptr<const TrainedModel> model;  // null: random weights
  std::shared_ptr<const OpenedLayer> opened;  // null: the attention is not from another program's model
  std::string failure;  // why nothing could be computed: then there are no tokens, and old results remain
  std::vector<unsigned char> known;  // [T] with a model: 1 = the token is in its vocabulary
  /// What the tokens are: chosen by the scene, or determined by the model's vocabulary.
  nn::VocabularyKind tokens_are = nn::VocabularyKind::words;
  std::vector<std::string> remarks;  // remarks on the model and its use here, one line each
  /// What the page shows instead of the opened model or saved attention, why, and which pages show that; the
  /// first of the remarks. Empty: the page shows what is opened.
  std::string instead;
  std::vector<ModelAnswer> answers;  // in order; for a model of pronoun sentences
  GuidedHead guide;
  /// True if that head was guided during training. Both count from 0.
  bool guided(int layer, int head) const { return guide.layer == layer && guide.head == head && head >= 0; }
  /// The same for a head of the layer that the scene shows.
  bool guided(int head) const { return guided(scene.weights_layer - 1, head); }
  /// True if token t is encoded as the unknown token.
  bool unknown(int t) const {
    return t >= 0 && static_cast<std::size_t>(t) < known.size() && known[static_cast<std::size_t>(t)] == 0;
  }
  std::string weights_problem;  // why the file's model is not used; then the weights are random
};

inline const nn::Matrix* Results::matrix(LayerMatrix which) const {
  const nn::AttentionWeights* w = weights.get();
  const nn::Matrix* found = nullptr;
  switch (which) {
    case LayerMatrix::none:
      return nullptr;
    case LayerMatrix::x:
      found = &x;
      break;
    case LayerMatrix::w_q:
      found = w ? &w->w_q : nullptr;
      break;
    case LayerMatrix::w_k:
      found = w ? &w->w_k : nullptr;
      break;
    case LayerMatrix::w_v:
      found = w ? &w->w_v : nullptr;
      break;
    case LayerMatrix::q:
      found = &attention.q;
      break;
    case LayerMatrix::k:
      found = &attention.k;
      break;
    case LayerMatrix::v:
      found = &attention.v;
      break;
    case LayerMatrix::concatenation:
      found = &attention.context;
      break;
    case LayerMatrix::w_o:
      found = w ? &w->w_o : nullptr;
      break;
    case LayerMatrix::output:
      found = &attention.output;
      break;
  }
  return found && !found->empty() ? found : nullptr;
}

}  // namespace headlight::scene
