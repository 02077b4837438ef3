#include "models/family.h"

namespace headlight::models {

// models/opt/configuration_opt.py, modeling_opt.py
void read_opt(Config& config, Weights& weights, nn::Network& net, nn::NetworkWeights& w) {
  net.vocabulary = config.whole({"vocab_size"}, 50272);
  net.width = config.whole({"hidden_size"}, 768);
  net.mlp_width = config.whole({"ffn_dim"}, 3072);
  net.activation = config.activation({"activation_function"}, "relu");
  net.eps = 1e-5;  // not in config.json
  net.trained_tokens = net.most_tokens = config.whole({"max_position_embeddings"}, 2048);
  net.positions = nn::PositionKind::table;
  net.position_rule = nn::PositionRule::visible;
  net.position_offset = 2;
  const bool before = config.flag({"do_layer_norm_before"}, true),
             removed = config.flag({"_remove_final_layer_norm"}, false),
             affine = config.flag({"layer_norm_elementwise_affine"}, true),
             biased = config.flag({"enable_bias"}, true), tied = config.flag({"tie_word_embeddings"}, true);
  net.plan = before ? nn::BlockPlan::pre : nn::BlockPlan::post;
  net.final_norm = before && !removed;
  const int narrow = config.whole_or_null({"word_embed_proj_dim"}, net.width);
  Sizes sizes;
  sizes.layers = layer_count(config, {"num_hidden_layers"}, 12);
  sizes.heads = config.whole({"num_attention_heads"}, 12);
  set_layers(config, sizes, net);
  if (config.failed()) return;

  const int d = net.width;
  const Bias bias = biased ? Bias::yes : Bias::no;
  const auto norm = [&](const std::string& name) {
    return affine ? weights.norm(name, d, Bias::yes) : nn::NormRef();
  };
  w.embedding = weights.matrix("embed_tokens.weight", net.vocabulary, narrow);
  w.positions = weights.matrix("embed_positions.weight", net.most_tokens + net.position_offset, d);
  if (narrow != d) {
    w.project_in = weights.linear("project_in", d, narrow, Bias::no);
    w.project_out = weights.linear("project_out", narrow, d, Bias::no);
  }
  for (std::size_t n = 0; n < net.layers.size() && !weights.failed(); ++n) {
    const std::string layer = "layers." + std::to_string(n) + ".";
    nn::NetworkLayerWeights& l = w.layers.emplace_back();
    l.norm_1 = norm(layer + "self_attn_layer_norm");
    l.q = weights.linear(layer + "self_attn.q_proj", d, d, bias);
    l.k = weights.linear(layer + "self_attn.k_proj", d, d, bias);
    l.v = weights.linear(layer + "self_attn.v_proj", d, d, bias);
    l.o = weights.linear(layer + "self_attn.out_proj", d, d, bias);
    l.norm_2 = norm(layer + "final_layer_norm");
    l.up = weights.linear(layer + "fc1", net.mlp_width, d, bias);
    l.down = weights.linear(layer + "fc2", d, net.mlp_width, bias);
  }
  if (net.final_norm) w.final_norm = norm("final_layer_norm");
  set_head(weights, "lm_head", tied, Bias::no, net, narrow, w);
}

}  // namespace headlight::models
