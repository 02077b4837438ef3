// The logits of a model, whoever has made it, as predictions.cpp asks for them: after all layers, and for the
// logit lens after fewer. Tested in tests/scene/predictions_test.cpp and other_model_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "kernels/tensor.h"
#include "pages/model/predictions.h"
#include "scene/other_model.h"
#include "scene/trained_model.h"
#include "train/model.h"

namespace headlight::scene {

struct LogitSource {
  int layers = 0, T = 0;
  std::vector<int> ids;                        // [T]
  std::shared_ptr<const HiddenStates> states;  // of a kept run; null: nothing of it is kept
  std::function<std::string(int id)> text;
  /// Logits [rows, V] of the states after all layers; [L, V] of those at a position after 0, … L − 1 layers,
  /// all at once, because reading the head is what takes time.
  std::function<base::Status(int first, int rows, nn::Matrix& logits)> logits;
  std::function<base::Status(int position, nn::Matrix& logits)> lens;
  std::optional<int> mask;
};

/// Of a pass of one of Headlight's models; model and trace outlive it.
LogitSource own_source(const TrainedModel& model, const nn::ModelTrace& trace, const std::vector<int>& ids);

/// Of a model of another program, whose last state is states->back(); model and `parallel` outlive it.
LogitSource other_source(const OtherModel& other, const std::vector<int>& pieces,
                         const std::shared_ptr<const HiddenStates>& states, base::Parallel& parallel);

}  // namespace headlight::scene
