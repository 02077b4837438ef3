// Readers of models of other programs: weights, sizes, the index of shards.
#include <fstream>

#include "fuzz/inputs.h"
#include "fuzz/targets.h"
#include "models/opened_model.h"
#include "network/network.h"
#include "support/reference_data.h"

namespace headlight::fuzz {

namespace {

namespace fs = std::filesystem;
using tests::ReferenceData;

constexpr const char* index_name = "model.safetensors.index.json";

const ModelFolder* folder_of(Bytes bytes) {
  const auto& folders = model_folders();
  return folders.empty() || bytes.empty() ? nullptr
                                          : &folders[static_cast<unsigned char>(bytes[0]) % folders.size()];
}
void link_to(const fs::path& target, const fs::path& link) {
  std::error_code ignored;
  fs::remove(link, ignored);
  fs::create_symlink(target, link, ignored);
}

std::string model_holds(const fs::path& path) {
  const auto model = models::open_model(path);
  if (!model) return unfit_error(model.error());
  const nn::Network& network = (*model)->network;
  if (network.vocabulary <= 0 || network.layers.empty() || network.layers.size() > 64 ||
      network.width > 4096 || network.vocabulary > 100'000)
    return "";
  std::vector<int> ids;
  for (const int id : {5, 1, 2}) ids.push_back(id % network.vocabulary);
  nn::NetworkTrace trace;
  const base::Status status = nn::network_forward(network, (*model)->weights, {.ids = ids}, cores(), trace);
  return status ? "" : unfit_error(status.error());
}
std::string read_config(Bytes bytes, const fs::path& folder) {
  const ModelFolder* base = folder_of(bytes);
  if (base == nullptr) return "";
  write(folder / "config.json", bytes.substr(1));
  link_to(base->folder / "model.safetensors", folder / "model.safetensors");
  return model_holds(folder);
}
std::string read_weights(Bytes bytes, const fs::path& folder) {
  const ModelFolder* base = folder_of(bytes);
  if (base == nullptr) return "";
  write(folder / "model.safetensors", bytes.substr(1));
  link_to(base->folder / "config.json", folder / "config.json");
  return model_holds(folder);
}
std::vector<std::string> seeds_of_folders(const char* file) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < model_folders().size(); ++i)
    out.push_back(std::string(1, static_cast<char>(i)) + file_text(model_folders()[i].folder / file));
  return out;
}
std::vector<std::string> some_configs() {
  return seeds_of_folders("config.json");
}
std::vector<std::string> some_weights() {
  return seeds_of_folders("model.safetensors");
}

/// Its shards are sound.
std::string read_index(Bytes bytes, const fs::path& folder) {
  const ReferenceData& data = ReferenceData::instance();
  static const fs::path base = data.on_disk(data.models() + "models/llama") / "bf16-sharded";
  for (const auto& entry : fs::directory_iterator(base))
    if (entry.path().filename() != index_name && !fs::exists(folder / entry.path().filename()))
      link_to(entry.path(), folder / entry.path().filename());
  write(folder / index_name, bytes);
  return model_holds(folder);
}
std::vector<std::string> some_indices() {
  const ReferenceData& data = ReferenceData::instance();
  return {file_text(data.on_disk(data.models() + "models/llama") / "bf16-sharded" / index_name)};
}

std::string read_llama2c(Bytes bytes, const fs::path& folder) {
  write(folder / "model.bin", bytes);
  return model_holds(folder / "model.bin");
}
std::vector<std::string> some_llama2c() {
  return files_that_end_in("/model.bin", "llama2c", 300'000);
}
std::string read_checkpoint(Bytes bytes, const fs::path& folder) {
  write(folder / "ckpt.pt", bytes);
  return model_holds(folder / "ckpt.pt");
}
std::vector<std::string> some_checkpoints() {
  return files_that_end_in("/ckpt.pt", "nanogpt", 300'000);
}

constexpr Target models_table[] = {
    {"config", "config.json", Form::json, 8'000, read_config, some_configs, 1},
    {"safetensors", "model.safetensors", Form::safetensors, 300'001, read_weights, some_weights, 1},
    {"index", "model.safetensors.index.json", Form::json, 20'000, read_index, some_indices},
    {"llama2c", "llama2.c's model.bin", Form::bytes, 300'000, read_llama2c, some_llama2c},
    {"checkpoint", "ckpt.pt", Form::zip, 300'000, read_checkpoint, some_checkpoints},
};

}  // namespace

std::span<const Target> model_targets() {
  return models_table;
}

}  // namespace headlight::fuzz
