// The reference data's whole models: gradients from tokens to loss, steps of Adam and AdamW, clipping; in
// float32 on the fast model and in double on its twin.
#include "nn/golden_attention.h"
#include "nn/reference_variants.h"
#include "support/reference_model.h"
#include "train/golden_gradients.h"
#include "train/optimizer.h"

namespace headlight::tests::golden_training {
namespace {

using nn::Matrix;
using nn::MatrixF64;
using nn::Tensor;

/// A whole model of the data: its config and weights.
struct Lm {
  nn::ModelConfig config;
  nn::ModelWeights weights;

  explicit Lm(const GoldenCase& c) {
    const nlohmann::json p = c.params();
    config.vocabulary = p.at("vocab"), config.d_model = p.at("d_model"), config.heads = p.at("heads");
    config.d_ff = p.at("d_ff"), config.layers = p.at("layers");
    config.norm = p.at("norm") == "pre" ? nn::NormPlace::pre : nn::NormPlace::post;
    config.activation = activation_of(c), config.eps = p.at("eps");
    config.tied = p.at("tied_head"), config.attention_bias = p.at("attention_bias");
    config.positions = nn::ModelPositions::learned;
    config.context = c.weight("wpe").dim(0);
    weights = nn::zero_model(config);
    nn::tensors(weights, [&](const std::string& name, Matrix& m) {
      EXPECT_EQ(m.empty(), !c.has_weight(name)) << c.id() << " " << name;
      if (!m.empty()) m = matrix(c.weight(name));
    });
  }

  /// tokens [B, T + 1]: T to read, and the ones that come next.
  static nn::Batch batch(const Array& tokens, int step = 0) {
    nn::Batch batch;
    const int columns = tokens.shape.back();
    batch.B = tokens.dim(tokens.rank() - 2), batch.T = columns - 1;
    const auto at = tokens.values.begin() + step * batch.B * columns;
    for (int b = 0; b < batch.B; ++b) {
      for (int t = 0; t < batch.T; ++t) {
        batch.tokens.push_back(static_cast<int>(at[b * columns + t]));
        batch.targets.push_back(static_cast<int>(at[b * columns + t + 1]));
      }
    }
    return batch;
  }
};

void lm(GoldenCase& c) {
  const Lm lm(c);
  const nn::Batch batch = Lm::batch(c.input("tokens"));
  nn::ModelTrace trace;
  nn::ModelWeights gradients;
  nn::model_forward(lm.config, lm.weights, batch, threads(), trace);
  nn::model_backward(lm.config, lm.weights, batch, trace, threads(), gradients);
  MatrixF64 logits;
  nn::ModelWeightsF64 gradients_f64;
  const double loss = nn::model_f64(lm.config, nn::widened(lm.weights), batch, &logits, &gradients_f64);
  c.compare("loss", {trace.loss}, Precision::f32), c.compare("loss", {loss}, Precision::f64);
  c.compare("logits", flat(trace.logits), Precision::f32), c.compare("logits", flat(logits), Precision::f64);
  const auto compare = [&](const std::string& name, const auto& tensor, Precision kind) {
    if (!tensor.empty()) c.compare("grad_" + name, flat(tensor), kind);
  };
  nn::tensors(std::as_const(gradients),
              [&](const std::string& n, const Matrix& m) { compare(n, m, Precision::f32); });
  nn::tensors(std::as_const(gradients_f64),
              [&](const std::string& n, const MatrixF64& m) { compare(n, m, Precision::f64); });
}

nn::AdamOptions adam_of(const GoldenCase& c, const char* eps) {
  const nlohmann::json p = c.params();
  nn::AdamOptions options;
  options.beta1 = p.at("beta1"), options.beta2 = p.at("beta2"), options.eps = p.at(eps);
  options.weight_decay = p.at("weight_decay"), options.decoupled = p.at("optimizer") == "adamw";
  return options;
}

template <class E>
void optimizer(GoldenCase& c) {
  const Array grads = c.input("grads");
  Tensor<E> w = as<E>(c.weight("w")), m(w.rows(), w.cols()), v(w.rows(), w.cols());
  const int steps = grads.dim(0);
  for (int s = 0; s < steps; ++s) {
    nn::adam_step(adam_of(c, "eps"), c.params().at("lr"), s + 1, as<E>(grads, s), m, v, w);
    c.compare("steps_w", flat(w), precision<E>, s, steps);
  }
}

void lm_steps(GoldenCase& c) {
  Lm lm(c);
  const nn::AdamOptions options = adam_of(c, "adam_eps");
  const double rate = c.params().at("lr");
  const Array tokens = c.input("tokens");
  const int steps = tokens.dim(0);
  std::vector<double> losses, losses_f64;
  nn::ModelTrace trace;
  nn::ModelWeights gradients;
  nn::AdamState state;
  nn::ModelWeightsF64 w = nn::widened(lm.weights), g, m = w, v = w;
  nn::tensors(m, [](const std::string&, MatrixF64& tensor) { tensor.fill(0); });
  nn::tensors(v, [](const std::string&, MatrixF64& tensor) { tensor.fill(0); });
  const auto list = [](nn::ModelWeightsF64& of_model) {
    std::vector<MatrixF64*> all;
    nn::tensors(of_model, [&](const std::string&, MatrixF64& tensor) { all.push_back(&tensor); });
    return all;
  };
  for (int s = 0; s < steps; ++s) {
    const nn::Batch batch = Lm::batch(tokens, s);
    nn::model_forward(lm.config, lm.weights, batch, threads(), trace);
    nn::model_backward(lm.config, lm.weights, batch, trace, threads(), gradients);
    losses.push_back(trace.loss);
    nn::adam_step(options, rate, gradients, threads(), state, lm.weights);
    losses_f64.push_back(nn::model_f64(lm.config, w, batch, nullptr, &g));
    const auto of_w = list(w), of_g = list(g), of_m = list(m), of_v = list(v);
    for (std::size_t n = 0; n < of_w.size(); ++n) {
      nn::adam_step(options, rate, s + 1, *of_g[n], *of_m[n], *of_v[n], *of_w[n]);
    }
    const auto compare = [&](const std::string& name, const auto& tensor, Precision kind) {
      if (!tensor.empty()) c.compare("steps_" + name, flat(tensor), kind, s, steps);
    };
    nn::tensors(std::as_const(lm.weights), [&](const std::string& name, const Matrix& tensor) {
      compare(name, tensor, Precision::f32);
    });
    nn::tensors(std::as_const(w), [&](const std::string& name, const MatrixF64& tensor) {
      compare(name, tensor, Precision::f64);
    });
  }
  c.compare("losses", losses, Precision::f32);
  c.compare("losses", losses_f64, Precision::f64);
}

/// grad_a, grad_b, … stand where a model has its tensors.
void clip(GoldenCase& c) {
  nn::ModelWeights g;
  g.stack.layers.resize(2);
  std::vector<std::pair<std::string, Matrix*>> given;
  char letter = 'a';
  nn::tensors(g, [&](const std::string&, Matrix& tensor) {
    const std::string name = "grad_" + std::string(1, letter);
    if (!c.has_input(name)) return;
    tensor = matrix(c.input(name));
    given.emplace_back("clipped_" + std::string(1, letter++), &tensor);
  });
  const double max_norm = c.params().at("max_norm");
  std::vector<MatrixF64> wide;
  for (const auto& [_, tensor] : given) wide.push_back(nn::widened(*tensor));
  const double norm = nn::clip_gradients(max_norm, g), factor = nn::clip_factor(max_norm, norm);
  c.compare("norm", {norm}, Precision::f32);
  c.compare("norm", {norm}, Precision::f64);
  for (std::size_t n = 0; n < given.size(); ++n) {
    c.compare(given[n].first, flat(*given[n].second), Precision::f32);
    for (double& value : wide[n].values()) value *= factor;
    c.compare(given[n].first, flat(wide[n]), Precision::f64);
  }
}

const GradientFamily all_families[] = {
    {"lm_grad", lm},
    {"optimizer_steps", both<optimizer<float>, optimizer<double>>},
    {"lm_steps", lm_steps},
    {"clip_grad_norm", clip},
};

class ReferenceTraining : public testing::TestWithParam<GradientFamily> {};

TEST_P(ReferenceTraining, AgreesInFloat32AndInDouble) {
  run_gradient_family(GetParam().name, GetParam().run);
}
INSTANTIATE_TEST_SUITE_P(Gradients, ReferenceTraining, testing::ValuesIn(all_families),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace headlight::tests::golden_training
