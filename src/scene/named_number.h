// A quantity as pages draw it: read by its name, and written in one way at every door. Who draws does not
// link who computes, so that a page gets a function; pages/quantities.h has it.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers.h"

namespace headlight::nn {
struct CellTrace;  // nn/explain.h
}

namespace headlight::scene {

struct Scene;
struct Results;
struct TrainingSnapshot;

/// Where quantities are read from.
struct QuantitySource {
  const Scene& scene;
  const Results& results;
  const TrainingSnapshot* training = nullptr;  // the newest picture of a run; null = nothing was trained
  /// The arithmetic of the opened cell where somebody has it; null = it is computed when it is needed.
  const nn::CellTrace* cell = nullptr;
};

struct NamedNumber {
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: the scene has no such number
  base::NumberForm form;
  const char* label = "";
  const char* unit = "";
  const char* help = "";  // what it is, in a sentence
};

/// `quantity`: a name and arguments, "entropy head=2". A name that does not exist is a mistake of the
/// program.
using ReadNumber = NamedNumber (*)(std::string_view quantity, const QuantitySource& from);

/// What was written of a quantity: for tests that compare the doors.
struct SaidNumber {
  std::string quantity;
  double value = 0;
  std::string words;
};

}  // namespace headlight::scene
