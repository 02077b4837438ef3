#include "models/family.h"

namespace headlight::models {

// models/gpt_neox/configuration_gpt_neox.py, modeling_gpt_neox.py
void read_gpt_neox(Config& config, Weights& weights, nn::Network& net, nn::NetworkWeights& w) {
  net.vocabulary = config.whole({"vocab_size"}, 50432);
  net.width = config.whole({"hidden_size"}, 6144);
  net.mlp_width = config.whole({"intermediate_size"}, 24576);
  net.activation = config.activation({"hidden_act"}, "gelu");
  net.eps = config.number({"layer_norm_eps"}, 1e-5, 0, 1);
  net.trained_tokens = config.whole({"max_position_embeddings"}, 2048);
  net.plan =
      config.flag({"use_parallel_residual"}, true) ? nn::BlockPlan::parallel_two_norms : nn::BlockPlan::pre;
  const Bias bias = config.flag({"attention_bias"}, true) ? Bias::yes : Bias::no;
  const bool tied = config.flag({"tie_word_embeddings"}, false);
  Sizes sizes;
  sizes.layers = layer_count(config, {"num_hidden_layers"}, 44);
  sizes.heads = config.whole({"num_attention_heads"}, 64);
  set_layers(config, sizes, net);
  if (config.failed()) return;
  const int d = net.width, head_dim = net.layers.front().head_dim;
  net.rope = read_rope(config, head_dim, net.trained_tokens, {10000, 0.25});
  if (config.failed()) return;

  w.embedding = weights.matrix("embed_in.weight", net.vocabulary, d);
  for (std::size_t n = 0; n < net.layers.size() && !weights.failed(); ++n) {
    const std::string layer = "layers." + std::to_string(n) + ".";
    nn::NetworkLayerWeights& l = w.layers.emplace_back();
    l.norm_1 = weights.norm(layer + "input_layernorm", d, Bias::yes);
    const nn::LinearRef fused = weights.linear(layer + "attention.query_key_value", 3 * d, d, bias);
    nn::LinearRef* const parts[] = {&l.q, &l.k, &l.v};
    for (int part = 0; part < 3; ++part) {
      parts[part]->w = part_of_heads(fused.w, part, 3, head_dim);
      parts[part]->b = part_of_heads(fused.b, part, 3, head_dim);
    }
    l.o = weights.linear(layer + "attention.dense", d, d, bias);
    l.norm_2 = weights.norm(layer + "post_attention_layernorm", d, Bias::yes);
    l.up = weights.linear(layer + "mlp.dense_h_to_4h", net.mlp_width, d, Bias::yes);
    l.down = weights.linear(layer + "mlp.dense_4h_to_h", d, net.mlp_width, Bias::yes);
  }
  w.final_norm = weights.norm("final_layer_norm", d, Bias::yes);
  set_head(weights, "embed_out", tied, Bias::no, net, d, w);
}

// models/phi/configuration_phi.py, modular_phi.py
void read_phi(Config& config, Weights& weights, nn::Network& net, nn::NetworkWeights& w) {
  net.vocabulary = config.whole({"vocab_size"}, 51200);
  net.width = config.whole({"hidden_size"}, 2048);
  net.mlp_width = config.whole({"intermediate_size"}, 8192);
  net.activation = config.activation({"hidden_act"}, "gelu_new");
  net.eps = config.number({"layer_norm_eps"}, 1e-5, 0, 1);
  net.trained_tokens = config.whole({"max_position_embeddings"}, 2048);
  net.plan = nn::BlockPlan::parallel_one_norm;
  const bool normed = config.flag({"qk_layernorm"}, false),
             tied = config.flag({"tie_word_embeddings"}, false);
  net.qk_norm = normed ? nn::NormKind::layer : nn::NormKind::none;
  Sizes sizes;
  sizes.layers = layer_count(config, {"num_hidden_layers"}, 24);
  sizes.heads = config.whole({"num_attention_heads"}, 32);
  sizes.kv_heads = config.whole_or_null({"num_key_value_heads"}, 0);
  set_layers(config, sizes, net);
  if (config.failed()) return;
  const nn::NetworkLayer shape = net.layers.front();
  net.rope = read_rope(config, shape.head_dim, net.trained_tokens, {10000, 0.5});
  if (config.failed()) return;

  const int d = net.width, kv = shape.kv_heads * shape.head_dim;
  w.embedding = weights.matrix("embed_tokens.weight", net.vocabulary, d);
  for (std::size_t n = 0; n < net.layers.size() && !weights.failed(); ++n) {
    const std::string layer = "layers." + std::to_string(n) + ".";
    nn::NetworkLayerWeights& l = w.layers.emplace_back();
    l.norm_1 = weights.norm(layer + "input_layernorm", d, Bias::yes);
    l.q = weights.linear(layer + "self_attn.q_proj", d, d, Bias::yes);
    l.k = weights.linear(layer + "self_attn.k_proj", kv, d, Bias::yes);
    l.v = weights.linear(layer + "self_attn.v_proj", kv, d, Bias::yes);
    l.o = weights.linear(layer + "self_attn.dense", d, d, Bias::yes);
    if (normed) {
      l.q_norm = weights.norm(layer + "self_attn.q_layernorm", shape.head_dim, Bias::yes);
      l.k_norm = weights.norm(layer + "self_attn.k_layernorm", shape.head_dim, Bias::yes);
    }
    l.up = weights.linear(layer + "mlp.fc1", net.mlp_width, d, Bias::yes);
    l.down = weights.linear(layer + "mlp.fc2", d, net.mlp_width, Bias::yes);
  }
  w.final_norm = weights.norm("final_layernorm", d, Bias::yes);
  set_head(weights, "lm_head", tied, Bias::where_there_is_one, net, d, w);
}

}  // namespace headlight::models
