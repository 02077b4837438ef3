// Matrices that a person types as text. Tested in tests/scene/worked_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernels/tensor.h"

namespace headlight::scene {

/// The words of a matrix, row by row: numbers are separated by commas or blanks, rows by ';' or line breaks.
/// A last ';' and empty lines are ignored; between two commas or two ';' is an empty word.
std::vector<std::vector<std::string>> matrix_words(std::string_view text);

/// "1,0;0,1" or "1 0; 0 1" as a matrix of at most rows × cols numbers. The error names the field and the
/// wrong row.
base::Result<nn::Matrix> parse_matrix(std::string_view field, std::string_view text, int rows, int cols);

}  // namespace headlight::scene
