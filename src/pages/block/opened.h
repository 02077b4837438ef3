// One layer of another program's model, stage by stage in the order of its architecture, and the residual
// stream through all of its layers. network/network.h computes the numbers. Tested in
// tests/scene/opened_block_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "network/network.h"
#include "nn/block.h"
#include "nn/weight_counts.h"
#include "pages/block/settings.h"
#include "pages/head_tiles.h"
#include "scene/other_model.h"
#include "scene/progress.h"
#include "scene/results.h"

namespace headlight::scene {

/// A stage that the layer has, in the order of the computation.
struct OpenedStage {
  nn::NetworkStage stage{};
  BlockShown shown{};   // its word in the setting
  std::string title;    // "norm 1", "gate, SiLU"
  std::string formula;  // what it is: "N₁ x"
  double rms = 0;       // mean over the tokens of √(mean of the squared components)
  double largest = 0;   // magnitude
};

struct OpenedBlock : PageResults {
  std::string problem;        // why there are no results; empty: there are
  int layer = 0, layers = 0;  // 0-based
  nn::BlockPlan plan{};
  bool gated = false, final_norm = false;
  std::string logits_note;   // why no logits follow the last layer; empty: they do, or it is another layer
  nn::NetworkStages stages;  // [T, …] of the layer
  std::vector<OpenedStage> list;            // the stages that exist
  std::vector<nn::StageStatistics> stream;  // input, after each layer, after the final norm
  HeadTiles tiles;                          // of the heads of the layer
  nn::WeightCounts counts;                  // over their weights that are not masked
  double largest_weight = 0;                // of these heads
  std::size_t nonfinite = 0;                // numbers of all stages

  double bytes() const override {
    double all = tiles.bytes();
    for (const nn::Matrix& stage : stages.all) all += static_cast<double>(stage.values().size_bytes());
    return all;
  }
  const OpenedStage* find(BlockShown shown) const {
    for (const OpenedStage& one : list) {
      if (one.shown == shown) return &one;
    }
    return nullptr;
  }
  const OpenedStage* find(nn::NetworkStage stage) const {
    for (const OpenedStage& one : list) {
      if (one.stage == stage) return &one;
    }
    return nullptr;
  }
  const nn::Matrix& values(const OpenedStage& one) const { return stages.of(one.stage); }
};

/// Returns the block of another program's model, of what a quantity or a table is read from; null: there is
/// none, or nothing of it could be computed.
template <class Source>
const OpenedBlock* opened_in(const Source& source) {
  const auto* found = source.template own<OpenedBlock>();
  return found && !found->list.empty() ? found : nullptr;
}

/// Computes the stages of the scene's layer (weights_layer), for the tokens and the attention in `results`,
/// which are the model's. The stream through all layers takes a pass of its own. It is kept with the hidden
/// states, up to 256 MiB, so that another layer of the same text is computed from its own input. Errors:
/// given_up; those of network_forward().
base::Result<std::shared_ptr<const OpenedBlock>> compute_opened_block(const OtherModel& other,
                                                                      const Results& results,
                                                                      base::Parallel& parallel,
                                                                      const Progress& progress);

/// "GELU (tanh)", "SiLU".
const char* activation_name(nn::NetworkActivation activation);

/// The time that it takes in addition to the attention, in the unit of work() in pages/compute.h.
double opened_block_work(const Scene& scene, const OtherModel& other, int tokens);

/// Frees the kept hidden states.
void forget_opened_block();

}  // namespace headlight::scene
