#include <cmath>

#include "models/family.h"

namespace headlight::models {

namespace {

/// head_dim is one number, or one per layer.
std::vector<int> head_dims(Config& config, int layers) {
  std::vector<int> out;
  const io::Json* stated = config.member("head_dim");
  if (stated != nullptr && stated->is_array()) {
    for (const io::Json& one : *stated)
      if (const auto value = io::whole_number(one, 1, 1 << 16)) out.push_back(static_cast<int>(*value));
  } else {
    out.assign(static_cast<std::size_t>(layers), config.whole({"head_dim"}, 64));
  }
  if (out.size() != static_cast<std::size_t>(layers))
    config.fail("head_dim should have " + std::to_string(layers) +
                " positive whole numbers, one for each layer");
  return out;
}

}  // namespace

/// The Universal Sentence Encoder lite (Cer et al. 2018) in the layout that its own config.json describes:
/// sinusoids are added to the embeddings. Layer 0 is as wide as the embeddings, the others are wider, and the
/// first of the wider layers projects the path around attention.
void read_use_lite(Config& config, Weights& weights, nn::Network& net, nn::NetworkWeights& w) {
  net.vocabulary = config.whole({"vocab_size"}, 8002);
  const int narrow = config.whole({"embedding_size"}, 256);
  net.width = config.whole({"hidden_size"}, 512);
  net.mlp_width = config.whole({"intermediate_size"}, 1536);
  net.activation = config.activation({"hidden_act"}, "relu");
  net.eps = config.number({"layer_norm_eps"}, 1e-6, 0, 1);
  net.trained_tokens = config.whole({"max_position_embeddings"}, 128);
  net.causal = config.flag({"causal"}, false);
  net.final_norm = config.flag({"final_norm"}, false);
  net.positions = nn::PositionKind::sinusoid;
  if (config.text({"norm_placement"}, "pre") != "pre") config.fail("norm_placement should be \"pre\"");
  if (narrow % 2 != 0) config.fail("embedding_size should be even: half of the components are sines");
  const int layers = layer_count(config, {"num_hidden_layers"}, 2);
  const int heads = config.whole({"num_attention_heads"}, 4);
  if (config.failed()) return;
  const std::vector<int> dims = head_dims(config, layers);
  for (const int dim : dims) {
    if (static_cast<std::int64_t>(dim) * heads > (1 << 24)) config.fail("its heads are too wide together");
    nn::NetworkLayer layer;
    layer.heads = layer.kv_heads = heads, layer.head_dim = dim;
    layer.scale = 1 / std::sqrt(static_cast<double>(dim));
    net.layers.push_back(layer);
  }
  if (config.failed()) return;

  w.embedding = weights.matrix("embeddings.weight", net.vocabulary, narrow);
  w.positions = weights.vector("positions.inv_freq", narrow / 2);
  int width = narrow;
  for (std::size_t n = 0; n < net.layers.size() && !weights.failed(); ++n) {
    const std::string layer = "layers." + std::to_string(n) + ".";
    const int inner = heads * dims[n];
    nn::NetworkLayerWeights& l = w.layers.emplace_back();
    l.norm_1 = weights.norm(layer + "attn_norm", width, Bias::yes);
    const nn::LinearRef fused = weights.linear(layer + "qkv", 3 * inner, width, Bias::yes);
    nn::LinearRef* const parts[] = {&l.q, &l.k, &l.v};
    for (int part = 0; part < 3; ++part) {
      parts[part]->w = rows_of(fused.w, part * inner, inner);
      parts[part]->b = rows_of(fused.b, part * inner, inner);
    }
    l.o = weights.linear(layer + "out", net.width, inner, Bias::yes);
    if (width != net.width) l.residual = weights.linear(layer + "residual", net.width, width, Bias::yes);
    width = net.width;
    l.norm_2 = weights.norm(layer + "ffn_norm", width, Bias::yes);
    l.up = weights.linear(layer + "up", net.mlp_width, width, Bias::yes);
    l.down = weights.linear(layer + "down", width, net.mlp_width, Bias::yes);
  }
  if (net.final_norm) w.final_norm = weights.norm("final_norm", width, Bias::yes);
  if (const std::vector<std::size_t> pool = weights.shape("pool.weight");
      pool.size() == 2 && pool[0] <= (1u << 24))
    w.sentence = weights.linear("pool", static_cast<int>(pool[0]), width, Bias::yes);
}

}  // namespace headlight::models
