// Matrices that a person types as text. Tested in tests/scene/worked_test.cpp.
#pragma once

#include <string_view>

#include "base/result.h"
#include "kernels/tensor.h"

namespace headlight::scene {

/// "1,0;0,1" as a matrix of at most rows × cols numbers. Blanks around numbers and a last ';' are ignored.
/// The error names the field and the wrong row.
base::Result<nn::Matrix> parse_matrix(std::string_view field, std::string_view text, int rows, int cols);

}  // namespace headlight::scene
