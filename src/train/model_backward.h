// What the two passes of the model's backward pass share: model_backward.cpp takes sequences from the logits
// to the embedding and stores the gradient at every weight matrix's output; model_backward_sums.cpp sums
// inputᵀ · gradient for every matrix. Only these two include this file.
#pragma once

#include <vector>

#include "train/model.h"
#include "train/model_parts.h"

namespace headlight::nn {

/// The gradients of one layer, and its weights for the products of the first pass.
struct LayerBack {
  Panels qkv, o, w_1, w_2;   // transposed; q, k and v stacked
  Matrix d_qkv;              // [B·T, 3 D] q, k and v side by side
  Matrix d_attention_sum;    // [B·T, D]
  Matrix d_hidden;           // [B·T, D_ff]
  Matrix d_ffn_sum;          // [B·T, D]
  Matrix d_attended, d_fed;  // [B·T, D] before dropout, at W_O's and W_2's output; empty without dropout: the
                             // sums
  const Matrix& at_o() const { return d_attended.empty() ? d_attention_sum : d_attended; }
  const Matrix& at_2() const { return d_fed.empty() ? d_ffn_sum : d_fed; }
};

/// One weight matrix's part of the second pass: w = aᵀ · b, bias = column sums of b.
struct WeightSum {
  const Matrix* a;  // [B·T, rows of w]; null: w = 0
  ConstRows b;
  Matrix *w, *bias;
  int row, rows, col, cols;  // of w
  bool embedding;            // also add the gradient of the tokens' rows
};

struct BackwardWorkspace {
  std::vector<LayerBack> layers;
  Panels head;
  std::vector<Packing> packings;
  std::vector<WeightSum> sums;
  std::vector<KeyRange> allowed;
  Turns turns;
  Matrix d_logits, d_embedded;  // [B·T, V], [B·T, D]
  Matrix norms;                 // [tasks, 2 L + 1, 2 D] dγ and dβ of each task
  Matrix distances;             // [tasks, H, 2 T − 1] Σ dS by distance, with T5
};

/// Lists the sums of the second pass, cut into tiles of about the same size, in work.sums.
void list_sums(const ModelConfig& config, const ModelTrace& trace, ModelWeights& gradients,
               BackwardWorkspace& work);
/// Computes one of them.
void compute_sum(const Kernels& kernels, const Batch& batch, const BackwardWorkspace& work,
                 const WeightSum& sum);
/// Sums dγ and dβ of every layer norm over the tasks, in their order.
void sum_norms(const ModelConfig& config, const BackwardWorkspace& work, ModelWeights& gradients);
/// Sums the gradients of a learned table of positions, or of T5's biases.
void sum_positions(const ModelConfig& config, const Batch& batch, const BackwardWorkspace& work,
                   ModelWeights& gradients);

}  // namespace headlight::nn
