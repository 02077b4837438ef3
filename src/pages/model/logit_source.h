// The logits of a model, Headlight's own or another program's, in the form that predictions.cpp uses: after
// all layers, and for the logit lens after fewer. Tested in tests/scene/predictions_test.cpp and
// other_model_reference_test.cpp.
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
  std::shared_ptr<const HiddenStates> states;  // of a kept run; null: the run is not kept
  std::function<std::string(int id)> text;
  /// logits: [rows, V] from the states after all layers. lens: [L, V] at a position after 0, … L − 1 layers,
  /// all at once, because reading the output matrix takes most of the time.
  std::function<base::Status(int first, int rows, nn::Matrix& logits)> logits;
  std::function<base::Status(int position, nn::Matrix& logits)> lens;
  std::optional<int> mask;
};

/// For a pass of one of Headlight's models; model and trace outlive the source.
LogitSource own_source(const TrainedModel& model, const nn::ModelTrace& trace, const std::vector<int>& ids);

/// For a model of another program, whose last state is states->back(); model and `parallel` outlive the
/// source.
LogitSource other_source(const OtherModel& other, const std::vector<int>& pieces,
                         const std::shared_ptr<const HiddenStates>& states, base::Parallel& parallel);

}  // namespace headlight::scene
