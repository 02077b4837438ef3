#include <cmath>

#include "models/family.h"

namespace headlight::models {

namespace {

using nn::Network;
using nn::NetworkWeights;

/// The defaults in which these configurations differ if config.json does not set them.
struct UsualLlama {
  int vocabulary, width, mlp_width, layers, heads, kv_heads;  // kv_heads 0: same as heads
  int head_dim;                                               // 0: D / heads
  int positions;
  double eps = 1e-6;
  bool tied = false;
};

struct Biases {
  Bias qkv = Bias::no, o = Bias::no, mlp = Bias::no;
};

void read_sizes(const UsualLlama& usual, Config& config, const Weights& weights, Network& net) {
  net.vocabulary = config.whole({"vocab_size"}, usual.vocabulary);
  net.width = config.whole({"hidden_size"}, usual.width);
  net.mlp_width = config.whole({"intermediate_size"}, usual.mlp_width);
  net.trained_tokens = config.whole({"max_position_embeddings"}, usual.positions);
  net.norm = nn::NormKind::rms;
  net.eps = config.number({"rms_norm_eps"}, usual.eps, 0, 1);
  net.gated = true;
  Sizes sizes;
  sizes.layers = layer_count(config, {"num_hidden_layers"}, usual.layers);
  sizes.heads = config.whole({"num_attention_heads"}, usual.heads);
  sizes.head_dim = config.whole_or_null({"head_dim"}, usual.head_dim);
  sizes.kv_heads = config.whole_or_null({"num_key_value_heads"}, 0);
  if (config.failed()) return;
  if (sizes.kv_heads == 0 && usual.kv_heads > 0) {
    // The matrix itself tells whether the file was made with the default or with as many as heads.
    const int head_dim = sizes.head_dim > 0 ? sizes.head_dim : net.width / sizes.heads;
    const std::vector<std::size_t> shape = weights.shape("layers.0.self_attn.k_proj.weight");
    if (!shape.empty() &&
        shape[0] == static_cast<std::size_t>(usual.kv_heads) * static_cast<std::size_t>(head_dim))
      sizes.kv_heads = usual.kv_heads;
  }
  set_layers(config, sizes, net);
}

void read_tensors(const Biases& biases, Weights& weights, Network& net, NetworkWeights& w) {
  const int d = net.width;
  const bool sandwich = net.plan == nn::BlockPlan::sandwich;
  w.embedding = weights.matrix("embed_tokens.weight", net.vocabulary, d);
  for (std::size_t n = 0; n < net.layers.size() && !weights.failed(); ++n) {
    const std::string layer = "layers." + std::to_string(n) + ".";
    const nn::NetworkLayer& shape = net.layers[n];
    const int q = shape.heads * shape.head_dim, kv = shape.kv_heads * shape.head_dim;
    nn::NetworkLayerWeights& l = w.layers.emplace_back();
    l.norm_1 = weights.norm(layer + "input_layernorm", d, Bias::no);
    l.q = weights.linear(layer + "self_attn.q_proj", q, d, biases.qkv);
    l.k = weights.linear(layer + "self_attn.k_proj", kv, d, biases.qkv);
    l.v = weights.linear(layer + "self_attn.v_proj", kv, d, biases.qkv);
    l.o = weights.linear(layer + "self_attn.o_proj", d, q, biases.o);
    if (net.qk_norm != nn::NormKind::none) {
      l.q_norm = weights.norm(layer + "self_attn.q_norm", shape.head_dim, Bias::no);
      l.k_norm = weights.norm(layer + "self_attn.k_norm", shape.head_dim, Bias::no);
    }
    nn::NormRef& after_attention = sandwich ? l.norm_1_after : l.norm_2;
    after_attention = weights.norm(layer + "post_attention_layernorm", d, Bias::no);
    if (sandwich) {
      l.norm_2 = weights.norm(layer + "pre_feedforward_layernorm", d, Bias::no);
      l.norm_2_after = weights.norm(layer + "post_feedforward_layernorm", d, Bias::no);
    }
    l.gate = weights.linear(layer + "mlp.gate_proj", net.mlp_width, d, biases.mlp);
    l.up = weights.linear(layer + "mlp.up_proj", net.mlp_width, d, biases.mlp);
    l.down = weights.linear(layer + "mlp.down_proj", d, net.mlp_width, biases.mlp);
  }
  w.final_norm = weights.norm("norm", d, Bias::no);
}

Bias when(bool there) {
  return there ? Bias::yes : Bias::no;
}

/// Reads what they all share: sizes, RoPE, tensors, head.
void read_all(const UsualLlama& usual, const Biases& biases, Config& config, Weights& weights, Network& net,
              NetworkWeights& w) {
  const bool tied = config.flag({"tie_word_embeddings"}, usual.tied);
  if (!config.failed()) net.rope = read_rope(config, net.layers.front().head_dim, net.trained_tokens, {});
  if (config.failed()) return;
  read_tensors(biases, weights, net, w);
  set_head(weights, "lm_head", tied, Bias::no, net, net.width, w);
}

void set_windows(const std::vector<int>& windows, Network& net) {
  for (std::size_t n = 0; n < windows.size() && n < net.layers.size(); ++n) net.layers[n].window = windows[n];
}

/// Qwen's windows apply only when switched on, and then from a certain layer on, unless each layer has a
/// type.
void set_qwen_windows(Config& config, Network& net) {
  const int layers = static_cast<int>(net.layers.size());
  const bool used = config.flag({"use_sliding_window"}, false);
  const int given = config.window({"sliding_window"}, 4096);
  const int window = used ? given : 0, from = config.whole_or_null({"max_window_layers"}, 28, 0);
  std::vector<int> windows = windows_by_type(config, layers, window);
  if (windows.empty()) {
    for (int n = 0; n < layers; ++n) windows.push_back(n >= from ? window : 0);
  }
  set_windows(windows, net);
}

}  // namespace

// models/llama/configuration_llama.py, modeling_llama.py
void read_llama(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  const UsualLlama usual{32000, 4096, 11008, 32, 32, 0, 0, 2048};
  net.activation = config.activation({"hidden_act"}, "silu");
  const Bias attention = when(config.flag({"attention_bias"}, false)),
             mlp = when(config.flag({"mlp_bias"}, false));
  read_sizes(usual, config, weights, net);
  read_all(usual, {attention, attention, mlp}, config, weights, net, w);
}

// models/mistral/configuration_mistral.py, modular_mistral.py
void read_mistral(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  const UsualLlama usual{32000, 4096, 14336, 32, 32, 8, 0, 4096 * 32};
  net.activation = config.activation({"hidden_act"}, "silu");
  const int window = config.window({"sliding_window"}, 4096);
  read_sizes(usual, config, weights, net);
  std::vector<int> windows = windows_by_type(config, static_cast<int>(net.layers.size()), window);
  if (windows.empty()) windows.assign(net.layers.size(), window);
  set_windows(windows, net);
  read_all(usual, {}, config, weights, net, w);
}

// models/qwen2/configuration_qwen2.py, modular_qwen2.py
void read_qwen2(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  const UsualLlama usual{151936, 4096, 22016, 32, 32, 32, 0, 32768};
  net.activation = config.activation({"hidden_act"}, "silu");
  read_sizes(usual, config, weights, net);
  set_qwen_windows(config, net);
  read_all(usual, {Bias::yes, Bias::no, Bias::no}, config, weights, net, w);
}

// models/qwen3/configuration_qwen3.py, modular_qwen3.py
void read_qwen3(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  const UsualLlama usual{151936, 4096, 22016, 32, 32, 32, 128, 32768};
  net.activation = config.activation({"hidden_act"}, "silu");
  net.qk_norm = nn::NormKind::rms;
  const Bias attention = when(config.flag({"attention_bias"}, false));
  read_sizes(usual, config, weights, net);
  set_qwen_windows(config, net);
  read_all(usual, {attention, attention, Bias::no}, config, weights, net, w);
}

// models/gemma2/configuration_gemma2.py, modular_gemma2.py
void read_gemma2(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  const UsualLlama usual{256000, 2304, 9216, 26, 8, 4, 256, 8192, 1e-6, true};
  net.activation = config.activation({"hidden_activation"}, "gelu_pytorch_tanh");
  const Bias attention = when(config.flag({"attention_bias"}, false));
  const int window = config.window({"sliding_window"}, 4096);
  constexpr double largest_cap = 1e9;
  net.score_cap = config.number_or_null({"attn_logit_softcapping"}, 50, 0, largest_cap);
  net.logit_cap = config.number_or_null({"final_logit_softcapping"}, 30, 0, largest_cap);
  const double scalar = config.number({"query_pre_attn_scalar"}, 256, 1e-9, 1e9);
  read_sizes(usual, config, weights, net);
  net.norm = nn::NormKind::rms_plus_one;
  net.plan = nn::BlockPlan::sandwich;
  net.embedding_scale = std::sqrt(static_cast<double>(net.width));
  std::vector<int> windows = windows_by_type(config, static_cast<int>(net.layers.size()), window);
  if (windows.empty()) {
    for (std::size_t n = 0; n < net.layers.size(); ++n) windows.push_back(n % 2 == 0 ? window : 0);
  }
  set_windows(windows, net);
  for (nn::NetworkLayer& layer : net.layers) layer.scale = 1 / std::sqrt(scalar);
  if (!config.failed()) net.rope = read_rope(config, net.layers.front().head_dim, net.trained_tokens, {});
  if (config.failed()) return;
  read_tensors({attention, attention, Bias::no}, weights, net, w);
  w.head.w = w.embedding;  // always tied
}

}  // namespace headlight::models
