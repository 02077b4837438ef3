// Compares the attention on show with a run that another program has saved: for every head the largest
// difference, and the first layer where it is larger than rounding (dumps/comparison.h). The attention on
// show is the a of |a − b|, as in `headlight compare`: that of a model of another program, computed here for
// the tokens on show; that of one of Headlight's own models, as it was trained; or saved attention. Tested in
// tests/scene/check_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "kernels/tensor.h"
#include "scene/progress.h"
#include "scene/results.h"

namespace headlight::scene {

struct CheckedHead {
  double difference = 0, a = 0, b = 0;
  int layer = 0, head = 0, query = 0, key = 0;  // 0-based
};

struct Check {
  std::string problem;  // why nothing is compared, one line; empty: there are results
  std::string name;     // of the file that is compared with
  std::string type;     // the less exact of the two types; its rounding counts
  double tolerance = 0, storage = 0;
  nn::Matrix differences;          // [L, H] as a heatmap
  std::vector<CheckedHead> heads;  // layer by layer
  CheckedHead largest;
  int first_beyond =
      -1;  // index into `heads` of the largest of that layer; −1: every layer is within rounding
  std::string left_out;  // the number of padding positions, and whether the maps show them; empty: no padding
  std::string
      other_tokens;  // that the tokens of the two are not the same; empty: they are, or none are known
};

/// Null: the scene names no file.
std::shared_ptr<const Check> compute_check(const Scene& scene, base::Parallel& parallel,
                                           const Progress& progress, const Results& results);
/// The time that it takes, in the unit of work() in pages/compute.h; always too long for a frame.
double check_work(const Scene& scene);

}  // namespace headlight::scene
