// A small model of random weights, and its file.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "io/safetensors.h"
#include "scene/trained_model.h"

namespace headlight::tests {

inline scene::TrainedModel small_model(const std::string& title, int d_model = 8, int heads = 2) {
  scene::TrainedModel model;
  model.title = title, model.task = "english";
  model.encoder =
      std::make_shared<const nn::Encoder>(nn::word_vocabulary({"the", "cat", "sat", "on", "mat", "."}));
  model.config.vocabulary = model.encoder->size();
  model.config.context = 16, model.config.d_model = d_model, model.config.heads = heads;
  model.config.layers = 2, model.config.d_ff = 2 * d_model;
  model.weights = nn::random_model(model.config, 3);
  return model;
}

inline std::string bytes_of(const scene::TrainedModel& model) {
  return io::write_safetensors(scene::tensor_views(model.weights),
                               {{"headlight", scene::model_description(model)}});
}

/// In place, as another program may write it: not by a new file under the same name.
inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline void write_model(const std::filesystem::path& path, const scene::TrainedModel& model) {
  write_bytes(path, bytes_of(model));
}

}  // namespace headlight::tests
