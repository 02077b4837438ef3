// `headlight model` for a model of Headlight: an included one, or a file that `headlight train` wrote.
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "base/one_line.h"
#include "base/words.h"
#include "command/model_pass.h"
#include "command/models_command.h"
#include "scene/trained_model.h"

namespace headlight::app {

namespace {

std::string positions_of(const nn::ModelConfig& config) {
  switch (config.positions) {
    case nn::ModelPositions::none:
      return "none";
    case nn::ModelPositions::sinusoidal:
      return "sinusoids, base " + base::brief(config.position_base, 7);
    case nn::ModelPositions::learned:
      return "a learned table";
    case nn::ModelPositions::t5:
      return "T5: a learned bias for each bucket of offsets";
    case nn::ModelPositions::alibi:
      return "ALiBi";
    case nn::ModelPositions::rope:
      return "RoPE, base " + base::brief(config.position_base, 7);
  }
  return {};
}

std::string norms_of(const nn::ModelConfig& config) {
  if (config.norm == nn::NormPlace::none) return "none";
  return std::string(config.norm == nn::NormPlace::pre ? "layer norm before" : "layer norm after") +
         " each part, ε = " + base::brief(config.eps, 2);
}

const char* activation_of(nn::Activation activation) {
  switch (activation) {
    case nn::Activation::relu:
      return "ReLU";
    case nn::Activation::gelu_erf:
      return "GELU";
    case nn::Activation::gelu_tanh:
      return "GELU (tanh)";
  }
  return "";
}

std::string vocabulary_of(const nn::Vocabulary& vocabulary) {
  const char* kind = vocabulary.kind == nn::VocabularyKind::chars   ? "letters"
                     : vocabulary.kind == nn::VocabularyKind::words ? "words and letters"
                                                                    : "byte-level BPE";
  return base::with_commas(static_cast<long long>(vocabulary.texts.size())) + " tokens: " + kind;
}

}  // namespace

std::string describe_own_model(const scene::TrainedModel& model) {
  const nn::ModelConfig& config = model.config;
  const auto tensors = scene::tensor_views(model.weights);
  double parameters = 0;
  std::size_t widest = 0;
  for (const auto& tensor : tensors) {
    parameters += static_cast<double>(tensor.values.size());
    widest = std::max(widest, tensor.name.size());
  }
  std::string out = scene::shown_text(model.title) + ": a model of Headlight\n";
  const auto line = [&](const char* what, const std::string& words) {
    out += base::padded(what, 16) + words + "\n";
  };
  line("trained on", scene::shown_text(model.task) +
                         (model.steps > 0 ? ", " + base::with_commas(model.steps) + " steps" : ""));
  line("parameters", base::with_commas(std::llround(parameters)));
  line("layers", std::to_string(config.layers) + " of " + std::to_string(config.heads) +
                     " heads, head width " + std::to_string(config.d_model / config.heads));
  line("width", std::to_string(config.d_model));
  line("norm", norms_of(config));
  line("attention", config.causal ? "causal" : "in both directions");
  line("feed-forward",
       config.feed_forward ? std::to_string(config.d_ff) + ", " + activation_of(config.activation) : "none");
  if (!config.residual) line("residual", "none: the output of a part is not added to its input");
  line("positions", positions_of(config));
  line("trained length", std::to_string(config.context) + " tokens");
  line("vocabulary", vocabulary_of(model.encoder->vocabulary()));
  line("output matrix", config.tied ? "the token embedding (tied)" : "a matrix of its own");
  if (model.guide.weight > 0)
    line("guided", "head " + std::to_string(model.guide.head + 1) + " of layer " +
                       std::to_string(model.guide.layer + 1) + ", weight " +
                       base::brief(model.guide.weight, 2));
  line("weights", model.path.empty() ? "included in the program" : base::one_line(model.path));
  line("tensors", base::with_commas(static_cast<long long>(tensors.size())) + ":");
  for (const auto& tensor : tensors)
    out += "  " + base::padded(tensor.name, widest + 2) + "[" + std::to_string(tensor.shape[0]) + ", " +
           std::to_string(tensor.shape[1]) + "]\n";
  return out;
}

}  // namespace headlight::app
