#include "base/one_line.h"
#include "models/family.h"

namespace headlight::models {

namespace {

using nn::Network;
using nn::NetworkWeights;

/// Reads the settings that BERT and RoBERTa share; they differ in the defaults of `vocabulary` and `padding`.
int read_settings(int vocabulary, int padding, Config& config, Network& net) {
  net.vocabulary = config.whole({"vocab_size"}, vocabulary);
  net.width = config.whole({"hidden_size"}, 768);
  net.mlp_width = config.whole({"intermediate_size"}, 3072);
  net.activation = config.activation({"hidden_act"}, "gelu");
  net.eps = net.head_eps = config.number({"layer_norm_eps"}, 1e-12, 0, 1);
  net.token_types = config.whole({"type_vocab_size"}, 2);
  net.padding_id = config.whole_or_null({"pad_token_id"}, padding, 0);
  net.plan = nn::BlockPlan::post;
  net.final_norm = false, net.embedding_norm = true;
  net.causal = config.flag({"is_decoder"}, false);
  net.positions = nn::PositionKind::table;
  const std::string kind = config.text({"position_embedding_type"}, "absolute");
  if (kind != "absolute")
    config.fail("position_embedding_type " + base::in_quotes(kind) + " is not supported; absolute is");
  Sizes sizes;
  sizes.layers = layer_count(config, {"num_hidden_layers"}, 12);
  sizes.heads = config.whole({"num_attention_heads"}, 12);
  set_layers(config, sizes, net);
  return config.whole({"max_position_embeddings"}, 512);
}

/// The names of a layer's tensors, after the layer's own.
struct LayerNames {
  const char *q, *k, *v, *o, *norm_1, *up, *down, *norm_2;
};

void read_layers(const char* stack, const LayerNames& names, Weights& weights, const Network& net,
                 NetworkWeights& w) {
  const int d = net.width;
  for (std::size_t n = 0; n < net.layers.size() && !weights.failed(); ++n) {
    const std::string layer = stack + std::to_string(n) + ".";
    nn::NetworkLayerWeights& l = w.layers.emplace_back();
    l.q = weights.linear(layer + names.q, d, d, Bias::yes);
    l.k = weights.linear(layer + names.k, d, d, Bias::yes);
    l.v = weights.linear(layer + names.v, d, d, Bias::yes);
    l.o = weights.linear(layer + names.o, d, d, Bias::yes);
    l.norm_1 = weights.norm(layer + names.norm_1, d, Bias::yes);
    l.up = weights.linear(layer + names.up, net.mlp_width, d, Bias::yes);
    l.down = weights.linear(layer + names.down, d, net.mlp_width, Bias::yes);
    l.norm_2 = weights.norm(layer + names.norm_2, d, Bias::yes);
  }
}

void read_encoder(int positions, Weights& weights, Network& net, NetworkWeights& w) {
  const int d = net.width;
  w.embedding = weights.matrix("embeddings.word_embeddings.weight", net.vocabulary, d);
  w.positions = weights.matrix("embeddings.position_embeddings.weight", positions, d);
  w.token_types = weights.matrix("embeddings.token_type_embeddings.weight", net.token_types, d);
  w.embedding_norm = weights.norm("embeddings.LayerNorm", d, Bias::yes);
  read_layers("encoder.layer.",
              {"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
               "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm"},
              weights, net, w);
  if (weights.has("pooler.dense.weight")) w.pooler = weights.linear("pooler.dense", d, d, Bias::yes);
}

/// The tensor names of a masked language model's head.
struct HeadNames {
  const char *transform, *norm, *decoder;
  std::vector<const char*> biases;  // the first existing one is used
};

void read_masked_head(const HeadNames& names, bool tied, Weights& weights, const Network& net,
                      NetworkWeights& w) {
  if (!weights.has(std::string(names.transform) + ".weight")) return;  // only the base model
  const int d = net.width;
  w.head_transform = weights.linear(names.transform, d, d, Bias::yes);
  w.head_norm = weights.norm(names.norm, d, Bias::yes);
  const std::string decoder = std::string(names.decoder) + ".weight";
  w.head.w = tied ? w.embedding : weights.matrix(decoder, net.vocabulary, d);
  const char* bias = names.biases.front();
  for (const char* each : names.biases) {
    if (!weights.has(each)) continue;
    bias = each;
    break;
  }
  w.head.b = weights.vector(bias, net.vocabulary);
}

}  // namespace

// models/bert/configuration_bert.py, modeling_bert.py
void read_bert(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  const int positions = read_settings(30522, 0, config, net);
  net.trained_tokens = net.most_tokens = positions;
  net.head_activation = net.activation;
  net.separator = config.whole_or_null({"sep_token_id"}, -1, -1);
  const bool tied = config.flag({"tie_word_embeddings"}, true);
  if (config.failed()) return;
  read_encoder(positions, weights, net, w);
  if (weights.has("cls.seq_relationship.weight"))
    w.relation = weights.linear("cls.seq_relationship", 2, net.width, Bias::yes);
  read_masked_head({"cls.predictions.transform.dense",
                    "cls.predictions.transform.LayerNorm",
                    "cls.predictions.decoder",
                    {"cls.predictions.bias", "cls.predictions.decoder.bias"}},
                   tied, weights, net, w);
}

// models/roberta/configuration_roberta.py, modeling_roberta.py
void read_roberta(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  const int positions = read_settings(50265, 1, config, net);
  net.position_rule = nn::PositionRule::not_padding;
  net.position_offset = net.padding_id;  // padding uses that row, the first token the next one
  net.trained_tokens = net.most_tokens = positions - net.padding_id - 1;
  if (net.most_tokens < 1)
    config.fail("max_position_embeddings " + std::to_string(positions) +
                " leaves no position after pad_token_id " + std::to_string(net.padding_id));
  net.head_activation = nn::NetworkActivation::gelu_erf;
  const bool tied = config.flag({"tie_word_embeddings"}, true);
  if (config.failed()) return;
  read_encoder(positions, weights, net, w);
  read_masked_head(
      {"lm_head.dense", "lm_head.layer_norm", "lm_head.decoder", {"lm_head.bias", "lm_head.decoder.bias"}},
      tied, weights, net, w);
}

// models/distilbert/configuration_distilbert.py, modeling_distilbert.py
void read_distilbert(Config& config, Weights& weights, Network& net, NetworkWeights& w) {
  net.vocabulary = config.whole({"vocab_size"}, 30522);
  net.width = config.whole({"dim", "hidden_size"}, 768);
  net.mlp_width = config.whole({"hidden_dim"}, 3072);
  net.activation = net.head_activation = config.activation({"activation"}, "gelu");
  net.eps = net.head_eps = 1e-12;  // not in config.json
  net.plan = nn::BlockPlan::post;
  net.final_norm = false, net.embedding_norm = true, net.causal = false;
  net.positions = nn::PositionKind::table;
  net.padding_id = config.whole_or_null({"pad_token_id"}, 0, 0);
  net.trained_tokens = net.most_tokens = config.whole({"max_position_embeddings"}, 512);
  Sizes sizes;
  sizes.layers = layer_count(config, {"n_layers", "num_hidden_layers"}, 6);
  sizes.heads = config.whole({"n_heads", "num_attention_heads"}, 12);
  sizes.width_name = "dim", sizes.heads_name = "n_heads";
  set_layers(config, sizes, net);
  const bool tied = config.flag({"tie_word_embeddings"}, true);
  if (config.failed()) return;
  const int d = net.width;
  w.embedding = weights.matrix("embeddings.word_embeddings.weight", net.vocabulary, d);
  w.positions = weights.matrix("embeddings.position_embeddings.weight", net.most_tokens, d);
  w.embedding_norm = weights.norm("embeddings.LayerNorm", d, Bias::yes);
  read_layers("transformer.layer.",
              {"attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "sa_layer_norm",
               "ffn.lin1", "ffn.lin2", "output_layer_norm"},
              weights, net, w);
  read_masked_head({"vocab_transform", "vocab_layer_norm", "vocab_projector", {"vocab_projector.bias"}}, tied,
                   weights, net, w);
}

}  // namespace headlight::models
