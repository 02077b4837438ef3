// The double-precision twin of the model: a second, plain implementation, one sequence after another, from
// the stages of backward.h. The fast model is tested against it; the twin itself is tested against PyTorch
// and by finite differences. Tested in tests/train/golden_gradients.cpp, gradient_check_test.cpp and
// model_test.cpp.
#pragma once

#include "train/backward.h"
#include "train/model.h"

namespace headlight::nn {

/// The same as ModelWeights, in double.
struct ModelWeightsF64 {
  MatrixF64 wte, wpe, t5_table;
  std::vector<BlockWeightsF64> layers;
  MatrixF64 lnf_g, lnf_b, w_head;
};
template <class W, class F>
requires std::same_as<std::remove_const_t<W>, ModelWeightsF64>
void tensors(W& w, F&& visit) {
  visit(std::string("wte"), w.wte), visit(std::string("wpe"), w.wpe);
  visit(std::string("t5_table"), w.t5_table);
  for (std::size_t l = 0; l < w.layers.size(); ++l) {
    tensors(w.layers[l],
            [&](const char* name, auto& tensor) { visit("layer" + std::to_string(l) + '_' + name, tensor); });
  }
  visit(std::string("lnf_g"), w.lnf_g), visit(std::string("lnf_b"), w.lnf_b);
  visit(std::string("w_head"), w.w_head);
}

ModelWeightsF64 widened(const ModelWeights& weights);

/// Returns the loss of a batch, including the guided head's part. Computes logits [B·T, V] and the gradient
/// of every weight unless their pointers are null.
double model_f64(const ModelConfig& config, const ModelWeightsF64& weights, const Batch& batch,
                 MatrixF64* logits, ModelWeightsF64* gradients);

}  // namespace headlight::nn
