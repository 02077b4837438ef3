// Somebody else's model, ready to be computed with: what network it is, where its weights lie, what of a
// tokenizer stands beside it.
//
// Read are folders as Hugging Face writes them (config.json, model.safetensors, or shards with
// model.safetensors.index.json), nanoGPT's and minGPT's checkpoints (ckpt.pt, or safetensors with their
// names) and llama2.c's .bin of versions 0 and 1. Families: known_families(). Nothing of a file is executed;
// only headers are read to open it, and weights while they are used (nn/tensor_ref.h, io/file_bytes.h).
//
//   const auto model = models::open_model("…/Qwen3-0.6B");
//   if (!model) … model.error() is one line …
//   nn::network_forward((*model)->network, (*model)->weights, {.ids = ids}, parallel, trace);
//
// Tested in tests/models.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "network/network.h"

namespace headlight::models {

/// A tensor as the files have it.
struct ListedTensor {
  std::string name, type;  // "BF16"
  std::vector<std::size_t> shape;
  bool used = true;  // false: the network does not need it
};

struct OpenedModel {
  std::filesystem::path path;          // the folder, or the file that is all there is
  std::filesystem::path weights_file;  // model.safetensors, its index, ckpt.pt, model.bin
  std::string name;                    // of the folder or the file, for people
  std::string family;                  // "GPT-2"
  std::string type;                    // "gpt2", as config.json says it
  nn::Network network;
  nn::NetworkWeights weights;

  /// What stands beside the weights of: tokenizer.json, tokenizer_config.json, vocab.json, merges.txt,
  /// vocab.txt, tokenizer.bin. Empty: the model has none.
  std::vector<std::filesystem::path> tokenizer_files;
  int bos = -1, pad = -1;  // ids of special tokens as config.json says them; −1: it does not
  std::vector<int> eos;

  double parameters = 0;  // numbers in the weights that are used
  std::string types;      // how they are stored: "BF16", "F16 and F32"
  std::vector<ListedTensor>
      tensors;  // of the files, by name, layer 2 before layer 10; of llama2.c as they lie
};

/// `path` is a folder or a file of it. Errors are one line that names the file and the cause: an unknown
/// family (with the known one that its name is nearest to), a setting out of range, a tensor that is missing
/// or has another shape or type (with both shapes), a file that is damaged. Models of up to 256 MiB are
/// looked through for numbers that are not finite; of larger ones each is looked at when it is used.
base::Result<std::shared_ptr<const OpenedModel>> open_model(const std::filesystem::path& path);

/// "GPT-2 (gpt2)", …, in the order of the table.
std::vector<std::string> known_families();

/// What the model of this folder or file is called: the folder's name, with the one above it where it says
/// little ("pythia/f16"); of the hub's cache the model's, not the revision's.
std::string model_name(const std::filesystem::path& path);

/// The files that decide what open_model(path) gives: configuration, weights with their shards, tokenizer. By
/// name, those that are there, sorted; an unused one may be among them. Nothing is opened. A folder without a
/// model may have none; a file that is no model is alone.
std::vector<std::filesystem::path> model_files(const std::filesystem::path& path);

/// The folder or file looks like a model that open_model() is for: nothing but names is looked at.
bool may_be_model(const std::filesystem::path& path);

/// Of a folder without anything that a model needs: what is missing, and which of its folders has it. Empty:
/// a file, or a folder that open_model() has more to say of.
std::string folder_without_model(const std::filesystem::path& folder);

}  // namespace headlight::models
