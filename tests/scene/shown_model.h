// A small model of seeded numbers in a file, the scene that shows it, and what its pages compute.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "pages/compute.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/scratch_folder.h"

namespace headlight::tests {

/// A model of this shape that knows six words. Its numbers are seeded, and larger than at the start of a
/// training, so that every part matters.
inline scene::TrainedModel seeded_model(const nn::ModelConfig& shape) {
  scene::TrainedModel model;
  model.title = "a model";
  model.encoder =
      std::make_shared<const nn::Encoder>(nn::word_vocabulary({"the", "cat", "sat", "on", "mat", "."}));
  model.config = shape;
  model.config.vocabulary = model.encoder->size(), model.config.context = 16;
  model.config.d_model = 8, model.config.heads = 2, model.config.d_ff = 16;
  model.weights = nn::random_model(model.config, 3);
  int n = 0;
  nn::tensors(model.weights, [&](const std::string&, nn::Matrix& m) {
    for (float& w : m.values()) w = w * 1.5f + 0.1f * std::sin(static_cast<float>(++n));
  });
  return model;
}

inline scene::TrainedModel some_model(nn::ModelPositions positions, bool causal = true,
                                      nn::NormPlace norm = nn::NormPlace::pre, bool residual = true,
                                      bool feed_forward = true) {
  nn::ModelConfig shape;
  shape.layers = 3, shape.positions = positions, shape.causal = causal, shape.norm = norm;
  shape.residual = residual, shape.feed_forward = feed_forward;
  return seeded_model(shape);
}

inline void write_model(const std::filesystem::path& path, const scene::TrainedModel& model) {
  std::ofstream(path, std::ios::binary) << io::write_safetensors(
      scene::tensor_views(model.weights), {{"headlight", scene::model_description(model)}});
}

/// A scene that shows the model in this file.
inline scene::Scene scene_with_model(const std::filesystem::path& path, int layer = 1) {
  scene::Scene scene;
  scene.weights = scene::WeightsSource::file, scene.weights_file = path.string();
  scene.sentence = "the cat sat on the mat .";
  scene::adopt_model(scene);
  scene.weights_layer = layer;
  scene::repair(scene);
  return scene;
}

/// A model in a file, and a scene that shows it.
struct ShownModel {
  explicit ShownModel(scene::TrainedModel of, int layer = 1) : model(std::move(of)) {
    write_model(folder / "m.safetensors", model);
    scene = scene_with_model(folder / "m.safetensors", layer);
  }
  std::shared_ptr<scene::Results> computed(scene::Page page) {
    base::Parallel parallel(1);
    scene.page = page;
    auto results = scene::compute_now(scene, parallel, nullptr);
    EXPECT_EQ(results->weights_problem, "");
    return results;
  }
  ScratchFolder folder;
  scene::TrainedModel model;
  scene::Scene scene;
};

inline double largest_gap(const float* a, const float* b, std::size_t count) {
  double most = 0;
  for (std::size_t i = 0; i < count; ++i)
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return most;
}

}  // namespace headlight::tests
