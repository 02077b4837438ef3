// The families of models, and how to build a model from its config.json and its tensors. Each reader lists
// the settings and defaults of the family's configuration and modelling code in Hugging Face's transformers;
// a comment above it names the source file.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/tensor_set.h"
#include "network/network.h"

namespace headlight::models {

struct Family {
  std::vector<const char*> types;          // values of model_type in config.json, the usual one first
  std::vector<const char*> architectures;  // how `architectures` in config.json begins, if there is no type
  const char* name;                        // for people
  std::vector<const char*> prefixes;       // prefixes of tensor names
  void (*read)(Config&, Weights&, nn::Network&, nn::NetworkWeights&);
};

const std::vector<Family>& families();
/// Returns the family of a model_type, or null.
const Family* family_of_type(const std::string& type);
/// Returns the type by `architectures` if config.json has no model_type; "" if it is unknown.
std::string type_of(const Config& config);
/// Returns the family whose name is nearest to a word; never null.
const Family* nearest_family(const std::string& word);

// One reader for each group, in the file named after it.
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

/// The sizes of the parts; a reader sets them and passes them to set_layers().
struct Sizes {
  int layers = 0, heads = 0, kv_heads = 0,
      head_dim = 0;  // kv_heads 0: same as heads; head_dim 0: D / heads
  const char *width_name = "hidden_size", *heads_name = "num_attention_heads";
};
/// Sets equal layers of network.width, with scores divided by √head_dim. Sizes that do not divide are an
/// error.
void set_layers(Config& config, const Sizes& sizes, nn::Network& network);

/// More layers than this are an error.
inline constexpr int most_layers = 4096;
/// Returns the number of layers, within that range.
int layer_count(Config& config, Names names, int missing);

/// Sets the head of a causal language model: the embedding if it is tied; else its own matrix; none if the
/// file lacks that matrix.
void set_head(Weights& weights, const std::string& name, bool tied, Bias bias, const nn::Network& network,
              int width, nn::NetworkWeights& out);

}  // namespace headlight::models
