// A pretrained model, ready for computation: its network, the location of its weights, and its tokenizer
// files.
//
// It reads folders in Hugging Face's layout (config.json, model.safetensors, or shards with
// model.safetensors.index.json), nanoGPT's and minGPT's checkpoints (ckpt.pt, or safetensors with their
// names) and llama2.c's .bin of versions 0 and 1. Families: known_families(). Nothing in a file is executed.
// Opening reads only headers; weights are read while they are used (kernels/tensor_ref.h, io/file_bytes.h).
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

/// A tensor as stored in the files.
struct ListedTensor {
  std::string name, type;  // "BF16"
  std::vector<std::size_t> shape;
  bool used = true;  // false: the network does not need it
};

struct OpenedModel {
  std::filesystem::path path;          // the folder, or the only file
  std::filesystem::path weights_file;  // model.safetensors, its index, ckpt.pt, model.bin
  std::string name;                    // of the folder or the file, for display
  std::string family;                  // "GPT-2"
  std::string type;                    // "gpt2", as in config.json
  nn::Network network;
  nn::NetworkWeights weights;

  /// The tokenizer files next to the weights: tokenizer.json, tokenizer_config.json, vocab.json, merges.txt,
  /// vocab.txt, tokenizer.bin. Empty: the model has none.
  std::vector<std::filesystem::path> tokenizer_files;
  int bos = -1, pad = -1;  // ids of special tokens in config.json; −1: not given
  std::vector<int> eos;

  double parameters = 0;  // count of numbers in the weights that are used
  std::string types;      // the types they are stored in: "BF16", "F16 and F32"
  std::vector<ListedTensor>
      tensors;  // in the files, by name, layer 2 before layer 10; for llama2.c in file order
};

/// `path` is a folder or a file in it. Errors are one line that names the file and the cause: an unknown
/// family (with the known one whose name is nearest), a setting out of range, a tensor that is missing or has
/// another shape or type (with both shapes), a damaged file. Models of up to 256 MiB are checked for numbers
/// that are not finite; in larger ones each number is checked when it is used.
base::Result<std::shared_ptr<const OpenedModel>> open_model(const std::filesystem::path& path);

/// Returns "GPT-2 (gpt2)", …, in the order of the table.
std::vector<std::string> known_families();

/// Returns the name of the model in this folder or file: the folder's name, with its parent's if it says
/// little ("pythia/f16"); in the hub's cache the model's name, not the revision's.
std::string model_name(const std::filesystem::path& path);

/// Returns the files that determine the result of open_model(path): configuration, weights with their shards,
/// tokenizer. Only existing ones, selected by name and sorted; an unused one may be among them. Nothing is
/// opened. A folder without a model may give none; a file that is not a model gives only itself.
std::vector<std::filesystem::path> model_files(const std::filesystem::path& path);

/// What a list of models shows of one that is not opened.
struct ModelSummary {
  std::string family;  // "GPT-2"; empty: unknown, or its config.json cannot be read
  double bytes = 0;    // of the files with its weights
};
/// Reads only config.json and the sizes of the files.
ModelSummary model_summary(const std::filesystem::path& path);

/// Returns whether open_model() may open the folder or file; it checks only names.
bool may_be_model(const std::filesystem::path& path);

/// For a folder without anything that a model needs: returns what is missing, and which of its subfolders has
/// it. Empty: a file, or a folder for which open_model() has a better error.
std::string folder_without_model(const std::filesystem::path& folder);

}  // namespace headlight::models
