// A quantity as pages draw it: found by its name, and written the same way everywhere. Code that draws does
// not link code that computes, so a page is given a function; pages/quantities.h has it.
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

/// The source of a quantity's values.
struct QuantitySource {
  const Scene& scene;
  const Results& results;
  const TrainingSnapshot* training = nullptr;  // the newest picture of a run; null = nothing was trained
  /// The arithmetic of the opened cell, if it was computed already; null: it is computed when it is needed.
  const nn::CellTrace* cell = nullptr;
  /// What the open page computed for itself, as exactly the type R; null when another page computed it.
  /// Defined in pages/quantity_values.h.
  template <class R>
  const R* own() const;
};

struct NamedNumber {
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: the scene has no such number
  base::NumberForm form;
  const char* label = "";
  const char* unit = "";
  const char* help = "";  // what it is, in a sentence
};

/// `quantity`: a name and arguments, "entropy head=2". A name that does not exist is a mistake in the code.
using ReadNumber = NamedNumber (*)(std::string_view quantity, const QuantitySource& from);

/// A quantity as it was written: for tests that compare the window, the command line and lessons.
struct StatedNumber {
  std::string quantity;
  double value = 0;
  std::string words;
};

}  // namespace headlight::scene
