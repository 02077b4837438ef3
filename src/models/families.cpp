#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "models/family.h"

namespace headlight::models {

namespace {

/// Returns the number of insertions, deletions and replacements from a to b.
int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

std::string lower_letters(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> table{
      {{"gpt2"}, {"GPT2"}, "GPT-2", {"transformer.", ""}, read_gpt2},
      {{"nanogpt"}, {}, "nanoGPT", {"transformer.", ""}, read_nanogpt},
      {{"mingpt"}, {}, "minGPT", {"transformer.", ""}, read_mingpt},
      {{"bert"}, {"Bert"}, "BERT", {"bert.", ""}, read_bert},
      {{"roberta", "camembert"}, {"Roberta", "Camembert"}, "RoBERTa", {"roberta.", ""}, read_roberta},
      {{"xlm-roberta"}, {"XLMRoberta"}, "XLM-RoBERTa", {"roberta.", ""}, read_roberta},
      {{"distilbert"}, {"DistilBert"}, "DistilBERT", {"distilbert.", ""}, read_distilbert},
      {{"gpt_neox"}, {"GPTNeoXFor", "GPTNeoXModel"}, "GPT-NeoX", {"gpt_neox.", ""}, read_gpt_neox},
      {{"gpt_neo"}, {"GPTNeoFor", "GPTNeoModel"}, "GPT-Neo", {"transformer.", ""}, read_gpt_neo},
      {{"opt"}, {"OPT"}, "OPT", {"model.decoder.", "decoder.", "model.", ""}, read_opt},
      {{"phi"}, {"PhiFor", "PhiModel"}, "Phi", {"model.", ""}, read_phi},
      {{"llama"}, {"LlamaFor", "LlamaModel"}, "Llama", {"model.", ""}, read_llama},
      {{"mistral"}, {"MistralFor", "MistralModel"}, "Mistral", {"model.", ""}, read_mistral},
      {{"qwen2"}, {"Qwen2For", "Qwen2Model"}, "Qwen 2", {"model.", ""}, read_qwen2},
      {{"qwen3"}, {"Qwen3For", "Qwen3Model"}, "Qwen 3", {"model.", ""}, read_qwen3},
      {{"gemma2"}, {"Gemma2"}, "Gemma 2", {"model.", ""}, read_gemma2},
      {{"use-lite"}, {}, "Universal Sentence Encoder", {""}, read_use_lite},
  };
  return table;
}

const Family* family_of_type(const std::string& type) {
  for (const Family& family : families()) {
    for (const char* each : family.types)
      if (type == each) return &family;
  }
  return nullptr;
}

std::string type_of(const Config& config) {
  if (const io::Json* type = config.member("model_type"); type != nullptr && type->is_string())
    return type->get_ref<const std::string&>();
  const io::Json* names = config.member("architectures");
  if (names != nullptr && names->is_array() && !names->empty() && names->front().is_string()) {
    const std::string& name = names->front().get_ref<const std::string&>();
    for (const Family& family : families()) {
      for (const char* begin : family.architectures)
        if (name.rfind(begin, 0) == 0) return family.types.front();
    }
    return name;
  }
  // nanoGPT's checkpoints have these two settings, and no type.
  return config.has("n_embd") && config.has("block_size") ? "nanogpt" : "";
}

const Family* nearest_family(const std::string& word) {
  constexpr std::size_t most_letters = 60;
  const std::string wanted = lower_letters(word.substr(0, most_letters));
  const Family* nearest = &families().front();
  double least = 1e9;
  for (const Family& family : families()) {
    for (const char* each : family.types) {
      const std::string type = lower_letters(each);
      const auto same = static_cast<std::size_t>(
          std::mismatch(type.begin(), type.end(), wanted.begin(), wanted.end()).first - type.begin());
      // Related types share a prefix: qwen2_moe, gemma3_text, LlamaForCausalLM.
      const double distance = edit_distance(type, wanted) - 3.0 * static_cast<double>(same);
      if (distance < least) least = distance, nearest = &family;
    }
  }
  return nearest;
}

int layer_count(Config& config, Names names, int missing) {
  const int layers = config.whole(names, missing);
  if (layers > most_layers)
    config.fail(std::string(*names.begin()) + " is " + std::to_string(layers) + ", more than " +
                std::to_string(most_layers));
  return config.failed() ? 0 : layers;
}

void set_layers(Config& config, const Sizes& sizes, nn::Network& network) {
  if (config.failed()) return;
  if (sizes.head_dim == 0 && network.width % sizes.heads != 0)
    config.fail(std::string(sizes.width_name) + " " + std::to_string(network.width) +
                " is not divisible by " + sizes.heads_name + " " + std::to_string(sizes.heads));
  nn::NetworkLayer layer;
  layer.heads = sizes.heads;
  layer.kv_heads = sizes.kv_heads == 0 ? sizes.heads : sizes.kv_heads;
  layer.head_dim = sizes.head_dim == 0 ? network.width / sizes.heads : sizes.head_dim;
  if (layer.heads % layer.kv_heads != 0)
    config.fail(std::string(sizes.heads_name) + " " + std::to_string(layer.heads) +
                " is not divisible by num_key_value_heads " + std::to_string(layer.kv_heads));
  constexpr int widest = 1 << 24;
  if (static_cast<std::int64_t>(layer.heads) * layer.head_dim > widest)
    config.fail("its heads are wider than " + std::to_string(widest) + " together");
  if (config.failed()) return;
  layer.scale = 1 / std::sqrt(static_cast<double>(layer.head_dim));
  network.layers.assign(static_cast<std::size_t>(sizes.layers), layer);
}

void set_head(Weights& weights, const std::string& name, bool tied, Bias bias, const nn::Network& network,
              int width, nn::NetworkWeights& out) {
  if (tied) {
    out.head.w = out.embedding;
    if (bias == Bias::yes || (bias == Bias::where_there_is_one && weights.has(name + ".bias")))
      out.head.b = weights.vector(name + ".bias", network.vocabulary);
  } else if (weights.has(name + ".weight")) {
    out.head = weights.linear(name, network.vocabulary, width, bias);
  }
}

}  // namespace headlight::models
