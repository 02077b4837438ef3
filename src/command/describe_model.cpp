// `headlight model`: describes another program's model and lists every tensor of its files.
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "base/one_line.h"
#include "base/words.h"
#include "command/model_pass.h"
#include "command/models_command.h"
#include "models/opened_model.h"
#include "network/network.h"
#include "pages/block/opened.h"
#include "pages/block/view/opened_view.h"
#include "scene/other_model.h"
#include "tokenizers/tokenizer.h"

namespace headlight::app {

namespace {

std::string norm_words(nn::NormKind kind) {
  switch (kind) {
    case nn::NormKind::none:
      return "no norm";
    case nn::NormKind::layer:
      return "layer norm";
    case nn::NormKind::rms:
      return "RMS norm";
    case nn::NormKind::rms_plus_one:
      return "RMS norm times 1 + γ";
  }
  return {};
}

/// ", window of 4 keys", and the layers that have one if others have none.
std::string window_words(const std::vector<nn::NetworkLayer>& layers) {
  std::string in;
  int window = 0;
  bool all = true, one_size = true;
  for (std::size_t n = 0; n < layers.size(); ++n) {
    const int own = layers[n].window;
    if (own == 0) {
      all = false;
      continue;
    }
    one_size = one_size && (window == 0 || own == window);
    window = own;
    in += (in.empty() ? "" : ", ") + std::to_string(n + 1);
  }
  if (window == 0) return {};
  const std::string size = one_size ? "window of " + std::to_string(window) + " keys" : "windows";
  return ", " + size + (all ? "" : " in layers " + in);
}

std::string scaling_name(const nn::RopeScaling& scaling) {
  constexpr const char* names[] = {"", "linear", "dynamic", "llama3", "yarn"};
  if (scaling.kind == nn::RopeScalingKind::none) return {};
  return ", scaling " + std::string(names[static_cast<int>(scaling.kind)]) + ", factor " +
         base::compact(scaling.factor);
}

std::string position_words(const nn::Network& network) {
  if (network.rope.rotary_dim > 0)
    return "RoPE on " + std::to_string(network.rope.rotary_dim) + " components of a head, base " +
           base::brief(network.rope.base, 7) + scaling_name(network.rope.scaling);
  if (network.positions == nn::PositionKind::table) {
    // The row of the first token; if padding has the first row, it is the next one.
    const int first =
        network.position_offset + (network.position_rule == nn::PositionRule::not_padding ? 1 : 0);
    return first > 0 ? "a learned table, from row " + std::to_string(first) + " on" : "a learned table";
  }
  return network.positions == nn::PositionKind::sinusoid ? "sinusoids" : "none";
}

std::string head_words(const nn::NetworkWeights& weights) {
  const nn::TensorRef& head = weights.head.w;
  if (head.empty()) return "none: no logits";
  const bool tied = head.bytes == weights.embedding.bytes && head.begin == weights.embedding.begin;
  return tied ? "the token embedding (tied)" : "a matrix of its own";
}

std::string shape_words(const std::vector<std::size_t>& shape) {
  std::string text = "[";
  for (const std::size_t side : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(side);
  return text + "]";
}

/// One line for each tensor: name, type, shape.
std::string tensor_lines(const models::OpenedModel& model, bool used) {
  std::size_t widest = 0, widest_type = 0;
  std::vector<std::pair<std::string, const models::ListedTensor*>> rows;
  for (const models::ListedTensor& tensor : model.tensors) {
    if (tensor.used != used) continue;
    rows.emplace_back(base::one_line(tensor.name), &tensor);
    widest = std::max(widest, rows.back().first.size());
    widest_type = std::max(widest_type, tensor.type.size());
  }
  std::string out;
  for (const auto& [name, tensor] : rows)
    out += "  " + base::padded(name, widest + 2) + base::padded(tensor->type, widest_type + 2) +
           shape_words(tensor->shape) + "\n";
  return out;
}

/// "1 of 4 heads, head width 64; 1 of 4 heads, head width 128": equal neighbours are grouped.
std::string layers_words(const std::vector<nn::NetworkLayer>& layers) {
  std::string out;
  for (std::size_t from = 0, to = 0; from < layers.size(); from = to) {
    const nn::NetworkLayer& one = layers[from];
    const auto alike = [&](const nn::NetworkLayer& other) {
      return other.heads == one.heads && other.kv_heads == one.kv_heads && other.head_dim == one.head_dim;
    };
    while (to < layers.size() && alike(layers[to])) ++to;
    out += (from > 0 ? "; " : "") + std::to_string(to - from) + " of " + base::counted(one.heads, "head") +
           (one.kv_heads < one.heads ? " on " + base::counted(one.kv_heads, "key and value head") : "") +
           ", head width " + std::to_string(one.head_dim);
  }
  return out;
}

/// "× 0.125", or one factor for each layer if they differ.
std::string scale_words(const std::vector<nn::NetworkLayer>& layers) {
  const auto same = [&](const nn::NetworkLayer& layer) { return layer.scale == layers.front().scale; };
  if (std::all_of(layers.begin(), layers.end(), same)) return "× " + base::brief(layers.front().scale, 4);
  std::string out;
  for (std::size_t i = 0; i < layers.size(); ++i)
    out += (i > 0 ? ", " : "") + std::string("× ") + base::brief(layers[i].scale, 4) + " in layer " +
           std::to_string(i + 1);
  return out;
}

}  // namespace

base::Result<std::string> describe_model(const std::filesystem::path& path) {
  const auto reader = scene::open_other_model(path);
  if (!reader) {
    if (const auto own = own_model(path)) return describe_own_model(*own);
    return base::Error{reader.error()};
  }
  const models::OpenedModel& model = *reader->model;
  const nn::Network& network = model.network;
  std::string out = model.name + ": " + model.family + "\n";
  const auto line = [&](const char* what, const std::string& words) {
    out += base::padded(what, 16) + words + "\n";
  };
  line("parameters", base::with_commas(std::llround(model.parameters)) + ", stored as " + model.types);
  line("layers", layers_words(network.layers));
  const int narrower = model.weights.layers.front().q.w.cols;
  line("width", (narrower < network.width ? std::to_string(narrower) + " in the first layer, then " : "") +
                    std::to_string(network.width));
  line("block", views::plan_words(network.plan));
  line("norm", norm_words(network.norm) + ", ε = " + base::brief(network.eps, 2) +
                   (network.embedding_norm ? ", one of the embedding" : "") +
                   (network.final_norm ? ", one after the last layer" : ""));
  line("attention",
       std::string(network.causal ? "causal" : "in both directions") + window_words(network.layers));
  line("scores", "q · k " + scale_words(network.layers) +
                     (network.score_cap > 0 ? ", capped at " + base::compact(network.score_cap) : "") +
                     (network.qk_norm != nn::NormKind::none
                          ? ", each head of q and k has a " + norm_words(network.qk_norm)
                          : ""));
  line("feed-forward", std::to_string(network.mlp_width) + ", " + scene::activation_name(network.activation) +
                           (network.gated ? ", gated" : ""));
  line("positions", position_words(network));
  if (network.token_types > 1)
    line("token types", network.separator >= 0
                            ? "0 up to the first " + reader->shown(network.separator) + ", 1 after it"
                            : "0 of every token: no separator of two texts is known");
  if (network.most_tokens > 0) line("longest text", std::to_string(network.most_tokens) + " tokens");
  line("vocabulary", base::with_commas(network.vocabulary) + " tokens");
  line("output matrix",
       head_words(model.weights) +
           (network.logit_cap > 0 ? ", logits capped at " + base::compact(network.logit_cap) : ""));
  line("tokenizer", reader->tokenizer         ? base::with_commas(reader->tokenizer->size()) + " entries"
                    : reader->problem.empty() ? "none found beside the weights"
                                              : "cannot be used: " + reader->problem);
  line("weights", model.weights_file.string());
  const auto ignored = std::count_if(model.tensors.begin(), model.tensors.end(),
                                     [](const models::ListedTensor& tensor) { return !tensor.used; });
  const auto all = static_cast<std::ptrdiff_t>(model.tensors.size());
  line("tensors", base::with_commas(all) + " in the files, " + base::with_commas(all - ignored) + " used:");
  out += tensor_lines(model, true);
  line("ignored", ignored == 0 ? "no tensor"
                               : base::with_commas(ignored) + (ignored == 1 ? " tensor" : " tensors") +
                                     " that the network does not need:");
  return out + tensor_lines(model, false);
}

}  // namespace headlight::app
