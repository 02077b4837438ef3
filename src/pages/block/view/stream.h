// The size of the residual stream over the layers, for a stack and for a model of another program. Tested in
// tests/views/block_page_test.cpp and tests/views/opened_block_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kit/card.h"
#include "kit/page_input.h"
#include "nn/block.h"

namespace headlight::views {

struct StreamPlot {
  const Pen& pen;
  const PageInput& in;
  const std::vector<nn::StageStatistics>&
      stages;  // input, then `of_layer` for each layer, then the final norm
  int of_layer = 1;
  int layer = 0, layers = 1;  // on show, counted from 0
  bool final_norm = false;
  bool chooses = false;  // a click on a stage shows its layer; of_layer is 1
};

/// "norm of a token: 1 at the input, 4 after 2 layers": the numbers are quantities.
std::string stream_growth(const StreamPlot& plotted);
void stream_plots(const StreamPlot& plotted, draw::Box inside);

}  // namespace headlight::views
