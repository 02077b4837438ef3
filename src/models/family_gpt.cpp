#include "models/family.h"

namespace headlight::models {

namespace {

using nn::Network;
using nn::NetworkWeights;

/// Splits c_attn of GPT-2 and its copies, [q; k; v].
void split(const nn::LinearRef& fused, int width, nn::NetworkLayerWeights& layer) {
  nn::LinearRef* const parts[] = {&layer.q, &layer.k, &layer.v};
  for (int part = 0; part < 3; ++part) {
    parts[part]->w = rows_of(fused.w, part * width, width);
    parts[part]->b = rows_of(fused.b, part * width, width);
  }
}

struct GptLayout {
  Layout layout = Layout::out_in;
  Bias bias = Bias::yes;
};

void read_tensors(const GptLayout& layout, Weights& weights, Network& net, NetworkWeights& w, int positions) {
  const int d = net.width;
  w.embedding = weights.matrix("wte.weight", net.vocabulary, d);
  w.positions = weights.matrix("wpe.weight", positions, d);
  for (std::size_t n = 0; n < net.layers.size() && !weights.failed(); ++n) {
    const std::string layer = "h." + std::to_string(n) + ".";
    nn::NetworkLayerWeights& l = w.layers.emplace_back();
    l.norm_1 = weights.norm(layer + "ln_1", d, layout.bias);
    split(weights.linear(layer + "attn.c_attn", 3 * d, d, layout.bias, layout.layout), d, l);
    l.o = weights.linear(layer + "attn.c_proj", d, d, layout.bias, layout.layout);
    l.norm_2 = weights.norm(layer + "ln_2", d, layout.bias);
    l.up = weights.linear(layer + "mlp.c_fc", net.mlp_width, d, layout.bias, layout.layout);
    l.down = weights.linear(layer + "mlp.c_proj", d, net.mlp_width, layout.bias, layout.layout);
  }
  w.final_norm = weights.norm("ln_f", d, layout.bias);
}

/// The defaults in which nanoGPT and minGPT differ.
struct Usual {
  int vocabulary;
  const char* activation;
  bool tied;
};

void read_karpathy(const Usual& usual, Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  net.vocabulary = config.whole({"vocab_size"}, usual.vocabulary);
  net.width = config.whole({"n_embd"}, 768);
  net.trained_tokens = net.most_tokens = config.whole({"block_size", "n_positions"}, 1024);
  net.mlp_width = config.whole_or_null({"n_inner"}, 4 * std::min(net.width, 1 << 24));
  net.activation = config.activation({"activation_function"}, usual.activation);
  net.eps = config.number({"layer_norm_epsilon"}, 1e-5, 0, 1);
  net.positions = nn::PositionKind::table;
  Sizes sizes;
  sizes.layers = layer_count(config, {"n_layer"}, 12), sizes.heads = config.whole({"n_head"}, 12);
  sizes.width_name = "n_embd", sizes.heads_name = "n_head";
  set_layers(config, sizes, net);
  const Bias bias = !config.has("bias")           ? Bias::where_there_is_one
                    : config.flag({"bias"}, true) ? Bias::yes
                                                  : Bias::no;
  const bool tied = config.flag({"tie_word_embeddings"}, usual.tied);
  if (config.failed()) return;
  read_tensors({Layout::out_in, bias}, weights, net, w, net.most_tokens);
  set_head(weights, "lm_head", tied, Bias::no, net, net.width, w);
}

}  // namespace

// models/gpt2/configuration_gpt2.py, modeling_gpt2.py
void read_gpt2(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  net.vocabulary = config.whole({"vocab_size"}, 50257);
  net.width = config.whole({"n_embd", "hidden_size"}, 768);
  net.trained_tokens = net.most_tokens =
      config.whole({"n_positions", "max_position_embeddings", "n_ctx"}, 1024);
  net.mlp_width = config.whole_or_null({"n_inner"}, 4 * std::min(net.width, 1 << 24));
  net.activation = config.activation({"activation_function"}, "gelu_new");
  net.eps = config.number({"layer_norm_epsilon"}, 1e-5, 0, 1);
  net.positions = nn::PositionKind::table;
  Sizes sizes;
  sizes.layers = layer_count(config, {"n_layer", "num_hidden_layers"}, 12);
  sizes.heads = config.whole({"n_head", "num_attention_heads"}, 12);
  sizes.width_name = "n_embd", sizes.heads_name = "n_head";
  set_layers(config, sizes, net);
  const bool scaled = config.flag({"scale_attn_weights"}, true),
             by_layer = config.flag({"scale_attn_by_inverse_layer_idx"}, false),
             tied = config.flag({"tie_word_embeddings"}, true);
  for (std::size_t n = 0; n < net.layers.size(); ++n) {
    if (!scaled) net.layers[n].scale = 1;
    if (by_layer) net.layers[n].scale /= static_cast<double>(n + 1);
  }
  if (config.failed()) return;
  read_tensors({Layout::in_out, Bias::yes}, weights, net, w, net.most_tokens);
  set_head(weights, "lm_head", tied, Bias::no, net, net.width, w);
}

// karpathy/nanoGPT, model.py
void read_nanogpt(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  read_karpathy({50304, "gelu", true}, config, weights, net, w);
}

// karpathy/minGPT, mingpt/model.py
void read_mingpt(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  read_karpathy({50257, "gelu_new", false}, config, weights, net, w);
}

// models/gpt_neo/configuration_gpt_neo.py, modeling_gpt_neo.py
void read_gpt_neo(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  net.vocabulary = config.whole({"vocab_size"}, 50257);
  net.width = config.whole({"hidden_size"}, 2048);
  net.trained_tokens = net.most_tokens = config.whole({"max_position_embeddings"}, 2048);
  net.mlp_width = config.whole_or_null({"intermediate_size"}, 4 * std::min(net.width, 1 << 24));
  net.activation = config.activation({"activation_function"}, "gelu_new");
  net.eps = config.number({"layer_norm_epsilon"}, 1e-5, 0, 1);
  net.positions = nn::PositionKind::table;
  Sizes sizes;
  sizes.layers = layer_count(config, {"num_layers", "num_hidden_layers"}, 24);
  sizes.heads = config.whole({"num_heads", "num_attention_heads"}, 16);
  sizes.heads_name = "num_heads";
  set_layers(config, sizes, net);
  const int window = config.whole({"window_size"}, 256);
  const bool tied = config.flag({"tie_word_embeddings"}, true);
  // ["global", "local", …], or [[["global", "local"], 12]]: the list of names with its repetitions.
  std::vector<std::string> kinds;
  const auto add = [&](const io::Json& names) {
    if (!names.is_array()) return;
    for (const io::Json& name : names)
      if (name.is_string() && kinds.size() <= net.layers.size())
        kinds.push_back(name.get_ref<const std::string&>());
  };
  if (const io::Json* listed = config.member("attention_layers")) {
    add(*listed);
  } else if (const io::Json* types = config.member("attention_types");
             types != nullptr && types->is_array()) {
    for (const io::Json& type : *types) {
      if (!type.is_array() || type.size() != 2) continue;
      const std::int64_t times = io::whole_number(type[1], 1, most_layers).value_or(0);
      for (std::int64_t i = 0; i < times; ++i) add(type[0]);
    }
  } else {
    for (std::size_t n = 0; n < net.layers.size(); ++n) kinds.push_back(n % 2 == 0 ? "global" : "local");
  }
  if (kinds.size() != net.layers.size())
    config.fail("attention_types should name " + std::to_string(net.layers.size()) +
                " layers, the value of num_layers");
  if (config.failed()) return;
  for (std::size_t n = 0; n < net.layers.size(); ++n) {
    net.layers[n].scale = 1;
    net.layers[n].window = kinds[n] == "local" ? window : 0;
    if (kinds[n] != "local" && kinds[n] != "global")
      config.fail("attention_types should contain only global and local");
  }
  if (config.failed()) return;
  const int d = net.width;
  w.embedding = weights.matrix("wte.weight", net.vocabulary, d);
  w.positions = weights.matrix("wpe.weight", net.most_tokens, d);
  for (std::size_t n = 0; n < net.layers.size() && !weights.failed(); ++n) {
    const std::string layer = "h." + std::to_string(n) + ".", attention = layer + "attn.attention.";
    nn::NetworkLayerWeights& l = w.layers.emplace_back();
    l.norm_1 = weights.norm(layer + "ln_1", d, Bias::yes);
    l.q = weights.linear(attention + "q_proj", d, d, Bias::no);
    l.k = weights.linear(attention + "k_proj", d, d, Bias::no);
    l.v = weights.linear(attention + "v_proj", d, d, Bias::no);
    l.o = weights.linear(attention + "out_proj", d, d, Bias::yes);
    l.norm_2 = weights.norm(layer + "ln_2", d, Bias::yes);
    l.up = weights.linear(layer + "mlp.c_fc", net.mlp_width, d, Bias::yes);
    l.down = weights.linear(layer + "mlp.c_proj", d, net.mlp_width, Bias::yes);
  }
  w.final_norm = weights.norm("ln_f", d, Bias::yes);
  set_head(weights, "lm_head", tied, Bias::no, net, d, w);
}

}  // namespace headlight::models
