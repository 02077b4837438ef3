// Pretrained transformers: one description that covers GPT-2, BERT, Llama and their relatives, and one
// forward pass that keeps what the program shows: the weights of every head, the hidden states, q, k and v.
//
//   x_0 = E[id] · embedding_scale + positions + token types, then a norm if the network has one
//   pre         a = x + attn(N1 x),           y = a + mlp(N2 a)          (GPT-2, Llama; Xiong et al. 2020)
//   post        a = N1(x + attn x),           y = N2(a + mlp a)          (BERT; Vaswani et al. 2017)
//   parallel    y = x + attn(N1 x) + mlp(N2 x)                           (GPT-NeoX), with N2 = N1: Phi
//   sandwich    a = x + N1'(attn(N1 x)),      y = a + N2'(mlp(N2 a))     (Gemma 2)
//   score_ij = cap(q_i · k_j · scale), cap(s) = c tanh(s / c);  then mask and softmax
//   mlp(x) = W_down act(W_up x), gated W_down (act(W_gate x) ∘ W_up x)   (Shazeer 2020)
//   RMS norm x / √(mean x² + ε) · γ, or · (1 + γ)                        (Zhang and Sennrich 2019)
//
// Query head n uses key/value head n / (H / H_kv) (Ainslie et al. 2023). src/models makes a Network from a
// file; this folder contains only the mathematics. Weights are read while they are used (tensor_ref.h).
// Tested in tests/models/families_test.cpp and tests/models/network_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "kernels/tensor.h"
#include "kernels/tensor_ref.h"
#include "network/network_stages.h"
#include "nn/rope_spec.h"

namespace headlight::nn {

enum class NormKind { none, layer, rms, rms_plus_one };
enum class BlockPlan { pre, post, parallel_one_norm, parallel_two_norms, sandwich };
enum class NetworkActivation { relu, gelu_erf, gelu_tanh, gelu_quick, silu, tanh };
enum class PositionKind {
  none,      // none, or only by RoPE
  table,     // a learned row for each position
  sinusoid,  // sin(t f) in the first half of the components, cos(t f) in the second, f from the file
};
/// Which row of the table a token uses, before position_offset is added.
enum class PositionRule {
  index,        // 0, 1, 2, …
  visible,      // the number of visible tokens before it; −1 for a hidden token (OPT)
  not_padding,  // the number of tokens so far that are not padding; 0 for padding (RoBERTa)
};

enum class RopeScalingKind { none, linear, dynamic, llama3, yarn };
struct RopeScaling {
  RopeScalingKind kind = RopeScalingKind::none;
  double factor = 1;
  double low_freq_factor = 1, high_freq_factor = 4;  // llama3
  double original = 0;                   // positions that the model was trained on: llama3, yarn, dynamic
  double beta_fast = 32, beta_slow = 1;  // yarn
  double attention_factor = 1;           // yarn: factor on cosine and sine
};
struct NetworkRope {
  int rotary_dim = 0;  // of each head, even; 0: none
  double base = 10000;
  RopePairs pairs = RopePairs::half;
  RopeScaling scaling;
};

struct NetworkLayer {
  int heads = 1, kv_heads = 1, head_dim = 0;  // kv_heads divides heads
  double scale = 1;                           // factor on q · k
  int window = 0;  // keys that a causal query attends to, including its own; 0: all
};

struct Network {
  int vocabulary = 0, width = 0;  // V, D
  int mlp_width = 0;
  std::vector<NetworkLayer> layers;
  bool causal = true;
  NormKind norm = NormKind::layer;
  double eps = 1e-5;
  BlockPlan plan = BlockPlan::pre;
  bool final_norm = true, embedding_norm = false;
  NormKind qk_norm = NormKind::none;  // of each head of q and k, before RoPE
  double score_cap = 0;               // 0: none
  NetworkActivation activation = NetworkActivation::gelu_tanh;
  bool gated = false;
  double embedding_scale = 1;
  PositionKind positions = PositionKind::none;
  PositionRule position_rule = PositionRule::index;
  int position_offset = 0;
  int padding_id = -1;  // −1: none
  NetworkRope rope;
  int trained_tokens = 0;  // tokens per sequence in training; 0: unknown
  int most_tokens = 0;     // tokens that fit into the table; 0: any number
  int token_types = 0;     // 0: none
  int separator = -1;  // id of the separator: tokens after its first occurrence have type 1; −1: unknown
  NetworkActivation head_activation = NetworkActivation::gelu_erf;
  double head_eps = 1e-12, logit_cap = 0;
};

/// y = W x + b, W [out, in]; b empty: no bias.
struct LinearRef {
  TensorRef w, b;
};
/// Empty tensors: ones and zeros.
struct NormRef {
  TensorRef gamma, beta;
};

struct NetworkLayerWeights {
  NormRef norm_1, norm_2;              // N1, N2
  NormRef norm_1_after, norm_2_after;  // N1', N2' of a sandwich
  LinearRef q, k, v, o;                // [H·d, D], [H_kv·d, D], [H_kv·d, D], [D, H·d]
  NormRef q_norm, k_norm;              // [d]
  LinearRef gate, up, down;            // [D_ff, D], [D_ff, D], [D, D_ff]; gate only when gated
  LinearRef residual;                  // the path around attention when widths differ; empty: x itself
};

struct NetworkWeights {
  TensorRef embedding;    // [V, D_embedding]
  TensorRef positions;    // [rows, D], or the frequencies [D / 2, 1] of sinusoids
  TensorRef token_types;  // [types, D]
  NormRef embedding_norm;
  LinearRef project_in, project_out;  // used when the embedding is narrower than D
  std::vector<NetworkLayerWeights> layers;
  NormRef final_norm;
  LinearRef head_transform;  // masked language models: act and norm before the head
  NormRef head_norm;
  LinearRef head;              // [V, D]; empty: no logits
  LinearRef pooler, relation;  // tanh(pooler of token 0), next-sentence logits from it
  LinearRef sentence;          // tanh(sentence · (sum over tokens / √T)), then length 1
};

/// Multiplies the output of a head by a factor; 0 switches the head off. It has the same effect as
/// multiplying the head's columns of W_O; b_O is unchanged. Layer and head count from 0.
struct HeadFactor {
  int layer = 0, head = 0;
  double factor = 0;
  bool operator==(const HeadFactor&) const = default;
};

struct NetworkInput {
  std::span<const int> ids;                    // [T]
  std::span<const int> token_types = {};       // [T]; empty: token_types_of()
  std::span<const std::uint8_t> visible = {};  // [T] 1 = may be attended to; empty: all. For the padding of a
                                               // batch
  std::span<const HeadFactor> factors = {};    // layers and heads must exist; empty: no factors
};

struct NetworkKeeps {
  bool attentions = true, scores = false, states = true, projections = true, logits = true;
  bool parts = false;  // keep inputs, contexts and outputs of the attention
  /// Keep every stage of `layer`; for the first layer also the embedding before it, and for the last layer
  /// also the final norm after it and the logits if requested.
  bool stages = false;
  /// ≥ 0: keep only this layer, as element 0 of each list. No later layer is computed, so there are no
  /// logits.
  int layer = -1;
  /// Receives the weights [H, T, S] of each layer when they are computed; they need not be kept for that.
  std::function<void(int layer, const Matrix& weights)> watch = {};
  /// Receives the residual stream [T, D]: the input of layer 0, …, the output of the last layer, and then the
  /// output of the final norm if there is one.
  std::function<void(int index, const Matrix& stream)> watch_stream = {};
};

struct NetworkTrace {
  int T = 0, S = 0;                // new tokens, and tokens that can be attended to
  std::vector<Matrix> attentions;  // [L] of [H, T, S]; rows of queries that may not attend to any key are 0
  std::vector<Matrix> scores;      // [L] of [H, T, S], scaled and capped, before the mask; if kept
  std::vector<Matrix> states;      // [L + 1] of [T, D]: the input of layer 0, …, after the final norm
  std::vector<Matrix> q, k, v;     // [L] of [T, H·d], [T, H_kv·d]: after bias, norm and RoPE
  std::vector<Matrix> inputs;      // [L] of [T, D]: what q, k and v are projected from; with parts
  std::vector<Matrix> contexts;  // [L] of [T, H·d]: Σ_j weight_ij v_j, the heads side by side, times factors
  std::vector<Matrix> outputs;   // [L] of [T, D]: W_O context plus its bias
  NetworkStages stages;          // of the one layer; with stages
  Matrix logits;                 // [T, V]; empty without a head
  Matrix pooled, relation;       // [1, D], [1, 2] of BERT; else empty
  Matrix sentence;               // [1, D'] of a sentence encoder; else empty
};

/// Returns the types [T] of tokens for which no types are given, as BERT assigns them for two sentences: 0 up
/// to and including the first separator, 1 after it, 0 for padding. They are all 0 if the network has fewer
/// than two types or its separator is unknown. `before`: the preceding tokens. O(T).
std::vector<int> token_types_of(const Network& network, std::span<const int> ids,
                                std::span<const int> before = {});

/// Processes the whole input at once. `keep_going`, if given, receives the fraction done after each layer; if
/// it returns false, the error is "cancelled". Errors, one line each: no tokens, too many tokens, an id
/// outside the vocabulary, a weight that cannot be read or is not finite. O(L (T D² + T² D)). A trace that is
/// reused keeps its memory.
base::Status network_forward(const Network& network, const NetworkWeights& weights, const NetworkInput& input,
                             base::Parallel& parallel, NetworkTrace& trace, const NetworkKeeps& keeps = {},
                             const std::function<bool(float)>& keep_going = {});

/// Computes only layer `keeps.layer`, on its input x [T, D] as in NetworkTrace::states. It keeps what
/// network_forward() keeps of this layer, without computing the layers before it; watch_stream receives the
/// layer's output. Errors as in network_forward().
base::Status network_layer(const Network& network, const NetworkWeights& weights, const NetworkInput& input,
                           const Matrix& x, base::Parallel& parallel, NetworkTrace& trace,
                           const NetworkKeeps& keeps);

/// Returns logits [n, V] of hidden states [n, D] as in NetworkTrace::states. `normed`: they have already
/// passed the final norm, like the last of the states. This is the last step of network_forward(), so on the
/// states of an earlier layer it is the logit lens. Errors: the network has no head over a vocabulary, or a
/// weight cannot be read or is not finite.
base::Status network_logits(const Network& network, const NetworkWeights& weights, const Matrix& states,
                            bool normed, base::Parallel& parallel, Matrix& logits);

/// Keys and values of the tokens so far.
struct NetworkCache {
  std::vector<int> ids;
  std::vector<Matrix> k, v;              // [L] of [tokens, H_kv·d]
  std::vector<HeadFactor> factors = {};  // the same for every step
};

/// Processes the next tokens of a text, given the cache of the tokens before: `trace` holds only the rows of
/// the new tokens, attentions [H, T, S] over all. A causal network gives the same result as for the whole
/// input at once. It is an error if the network is not causal, or its RoPE changes with the length.
base::Status network_step(const Network& network, const NetworkWeights& weights, std::span<const int> next,
                          base::Parallel& parallel, NetworkCache& cache, NetworkTrace& trace,
                          const NetworkKeeps& keeps = {});

/// Returns whether network_step() is possible.
bool has_steps(const Network& network);

/// Returns the bytes of a trace of T tokens.
double trace_bytes(const Network& network, int T, const NetworkKeeps& keeps = {});

/// Returns how many numbers all weights hold, each tensor counted once.
double parameter_count(const NetworkWeights& weights);

/// Visits every tensor that exists; a tensor that serves twice is visited twice, with the same name.
void for_each_tensor(const NetworkWeights& weights, const std::function<void(const TensorRef&)>& visit);

/// Returns the angle in radians by which pair j of a head rotates from one position to the next [rotary_dim /
/// 2], for an input of T tokens.
///   plain    f_j = base^(−2j / r)                                       (Su et al. 2021)
///   linear   f_j / factor                                               (Chen et al. 2023)
///   dynamic  base · (factor T / P − factor + 1)^(r / (r − 2)) once T > P
///   llama3   three bands of wavelengths 2π / f: kept, blended, divided by factor
///   yarn     a ramp over j from f_j to f_j / factor                     (Peng et al. 2023)
std::vector<double> rope_frequencies(const NetworkRope& rope, int T);

}  // namespace headlight::nn
