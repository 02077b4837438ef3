// How does a model of another program encode position: by a learned table, by sinusoids that it adds, or by
// RoPE, which rotates queries and keys? And what does the Position page show of it? Tested in
// tests/scene/opened_positions_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "kernels/tensor.h"
#include "scene/other_model.h"
#include "scene/results.h"

namespace headlight::scene {

struct OwnPositions {
  PositionSource source = PositionSource::none;
  int columns = 0;    // of P: table width, twice the frequencies, or components that RoPE rotates
  int rows = 0;       // of the table that tokens can use; 0: any number
  int first_row = 0;  // row of the table that the first token has
};
OwnPositions own_positions(const OtherModel& model);

/// Columns of the P that the open page shows: those of an opened model if the page shows it, else d_model.
int position_columns(const Scene& scene);

/// Radians per position of each pair of columns, for an input of this number of tokens: scaling that depends
/// on the length (dynamic) is that of this input. Empty for a table. Error: the file cannot be read, one
/// line.
base::Result<std::vector<double>> own_frequencies(const OtherModel& model, int tokens);

/// Rows [first, first + rows) of the learned table, counted from the first token's row. Error as above.
base::Result<nn::Matrix> own_table(const OtherModel& model, int first, int rows);

/// Better columns when the `columns` of RoPE hardly change over this number of positions: the two columns of
/// a fast, a middle and a slow pair, the slowest that visibly rotates. Empty: some of `columns` do change, or
/// the model has no RoPE.
std::vector<int> turning_columns(const OtherModel& model, const std::vector<int>& columns, int positions);

/// What P is, in one line; `tokens` as above.
std::string positions_in_words(const OtherModel& model, int tokens);

}  // namespace headlight::scene
