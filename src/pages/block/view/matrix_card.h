// A large matrix of the Block page: a stage, or the weights of a head, on a matrix panel. Tested in
// tests/views/block_page_test.cpp.
#pragma once

#include <string>

#include "draw/canvas.h"
#include "kit/card.h"
#include "kit/page_input.h"
#include "nn/attention.h"
#include "scene/map_scale.h"

namespace headlight::views {

/// Rows are tokens, columns are components.
struct MatrixCard {
  std::string title, subtitle;
  std::string words;  // below the map; also under the pointer if there is nothing else
  const nn::Matrix* values = nullptr;
  float largest = 1;  // the end of the colour scale
  std::string end;    // the same as text; empty: with two decimals
};
void matrix_card(const Pen& pen, const PageInput& in, draw::Box box, const MatrixCard& what);

/// Draws the colour bar of the stages at the left of `foot`, and beside it the choice of their scale. `end`:
/// the largest element as text, where all stages have one scale. Returns where the words beside it begin.
float stage_scale_bar(const Pen& pen, const PageInput& in, draw::Box foot, const std::string& end);
/// Have all stages one scale?
bool common_scale(const PageInput& in);

struct WeightsCard {
  std::string title, subtitle;
  const nn::AttentionTrace* trace = nullptr;
  int head = 0;
  scene::WeightScale scale;
};
void weights_map_card(const Pen& pen, const PageInput& in, draw::Box box, const WeightsCard& what);

/// The weights of a head, in the colours of the scale.
draw::Heatmap head_map(const PageInput& in, const nn::AttentionTrace& trace, int head,
                       const scene::WeightScale& scale);

/// "6 × 32", rows and columns.
std::string shape_words(const nn::Matrix& m);

/// The token's text, or its number.
std::string block_token(const PageInput& in, int t);

}  // namespace headlight::views
