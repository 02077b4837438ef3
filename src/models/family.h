// The families of models, and how one is made from its config.json and its tensors. Each reader is a list of
// what the family's configuration and its modelling code in Hugging Face's transformers say, default by
// default; the file that it was read in stands above it.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/tensor_set.h"
#include "network/network.h"

namespace headlight::models {

struct Family {
  std::vector<const char*> types;          // of config.json's model_type, the usual one first
  std::vector<const char*> architectures;  // how config.json's architectures begin, where there is no type
  const char* name;                        // for people
  std::vector<const char*> prefixes;       // of tensors
  void (*read)(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
};

const std::vector<Family>& families();
/// The one of a model_type, or null.
const Family* family_of_type(const std::string& type);
/// By the architectures where config.json has no model_type; "" when nothing is known.
std::string type_of(const Config& config);
/// The family whose name is nearest to a word; never null.
const Family* nearest_family(const std::string& word);

// One reader for each group, in the file of that name.
void read_gpt2(Config&, Weights&, nn::Network&, nn::NetworkWeights&);  // family_gpt.cpp
void read_nanogpt(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
void read_mingpt(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
void read_gpt_neo(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
void read_opt(Config&, Weights&, nn::Network&, nn::NetworkWeights&);       // family_opt.cpp
void read_gpt_neox(Config&, Weights&, nn::Network&, nn::NetworkWeights&);  // family_neox.cpp
void read_phi(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
void read_llama(Config&, Weights&, nn::Network&, nn::NetworkWeights&);  // family_llama.cpp
void read_mistral(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
void read_qwen2(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
void read_qwen3(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
void read_gemma2(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
void read_bert(Config&, Weights&, nn::Network&, nn::NetworkWeights&);  // family_bert.cpp
void read_roberta(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
void read_distilbert(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
void read_use_lite(Config&, Weights&, nn::Network&, nn::NetworkWeights&);  // family_use.cpp

/// How large the parts are; a reader fills it in and hands it to set_layers().
struct Sizes {
  int layers = 0, heads = 0, kv_heads = 0,
      head_dim = 0;  // kv_heads 0: as many as heads; head_dim 0: D / heads
  const char *width_name = "hidden_size", *heads_name = "num_attention_heads";
};
/// Equal layers of network.width, scores divided by √head_dim. What does not divide is an error.
void set_layers(Config& config, const Sizes& sizes, nn::Network& network);

/// At most this many layers are believed.
inline constexpr int most_layers = 4096;
/// The number of layers, in that range.
int layer_count(Config& config, Names names, int missing);

/// The head of a causal language model: the embedding when it is tied; its own matrix; none when it should
/// have one and the file does not.
void set_head(Weights& weights, const std::string& name, bool tied, Bias bias, const nn::Network& network,
              int width, nn::NetworkWeights& out);

}  // namespace headlight::models
