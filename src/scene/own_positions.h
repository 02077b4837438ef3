// How does a model of another program know positions: by a learned table, by sinusoids that it adds, or by
// RoPE, which turns queries and keys? What the Position page shows of it. Tested in
// tests/scene/opened_pages_test.cpp.
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
  int columns =
      0;         // of P: the width of the table, twice the frequencies, or as many components as RoPE turns
  int rows = 0;  // that the table has for tokens; 0: any number
  int first_row = 0;  // of the table: that of the first token
};
OwnPositions own_positions(const OtherModel& model);

/// Columns of the P that the open page shows: those of an opened model that it shows, else d_model.
int position_columns(const Scene& scene);

/// Radians per position of each pair of columns, for an input of so many tokens: scaling that depends on the
/// length (dynamic) is that of this input. Of a table none. Error: the file cannot be read, one line.
base::Result<std::vector<double>> own_frequencies(const OtherModel& model, int tokens);

/// Rows [first, first + rows) of the learned table, counted from the first token's. Error as above.
base::Result<nn::Matrix> own_table(const OtherModel& model, int first, int rows);

/// Where `columns` of RoPE hardly change over so many positions: the two columns of a fast, a middle and a
/// slow pair, the slowest that visibly turns. Empty: some of `columns` do, or the model turns no pairs.
std::vector<int> turning_columns(const OtherModel& model, const std::vector<int>& columns, int positions);

/// What P is, in a line; `tokens` as above.
std::string positions_in_words(const OtherModel& model, int tokens);

}  // namespace headlight::scene
