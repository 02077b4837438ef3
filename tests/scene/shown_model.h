// A small model of seeded numbers in a file, the scene that shows it, and what its pages compute.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "pages/compute.h"
#include "scene/settings.h"
#include "scene/trained_model.h"
#include "support/scratch_folder.h"

namespace headlight::tests {

inline scene::TrainedModel some_model(nn::ModelPositions positions, bool causal = true,
                                      nn::NormPlace norm = nn::NormPlace::pre, bool residual = true,
                                      bool feed_forward = true) {
  scene::TrainedModel model;
  model.title = "a model";
  model.encoder =
      std::make_shared<const nn::Encoder>(nn::word_vocabulary({"the", "cat", "sat", "on", "mat", "."}));
  nn::ModelConfig& c = model.config;
  c.vocabulary = model.encoder->size(), c.context = 16, c.d_model = 8, c.heads = 2, c.layers = 3, c.d_ff = 16;
  c.positions = positions, c.causal = causal, c.norm = norm;
  c.residual = residual, c.feed_forward = feed_forward;
  model.weights = nn::random_model(c, 3);
  int n = 0;
  nn::tensors(model.weights, [&](const std::string&, nn::Matrix& m) {
    for (float& w : m.values()) w = w * 1.5f + 0.1f * std::sin(static_cast<float>(++n));
  });
  return model;
}

/// A model in a file, and a scene that shows it.
struct ShownModel {
  explicit ShownModel(scene::TrainedModel of, int layer = 1) : model(std::move(of)) {
    const auto path = folder / "m.safetensors";
    std::ofstream(path, std::ios::binary) << io::write_safetensors(
        scene::tensor_views(model.weights), {{"headlight", scene::model_description(model)}});
    scene.weights = scene::WeightsSource::file, scene.weights_file = path.string();
    scene.sentence = "the cat sat on the mat .";
    adopt_model(scene);
    scene.weights_layer = layer;
    repair(scene);
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
