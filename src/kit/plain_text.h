// Numbers, tokens and tables as plain text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/tensor.h"
#include "nn/tokens.h"

namespace headlight::views::plain {

/// `value` with `count` decimals, but never written as zero unless it is zero: "0.123", "0.00021".
std::string decimals(double value, int count);

/// Returns the token for a line of text: blanks are visible, control characters escaped, long tokens
/// shortened.
std::string printable(const std::string& token);

/// Writes rows of words in aligned columns, two blanks apart. Every line ends with a newline.
std::string table(const std::vector<std::vector<std::string>>& rows);
/// "name\n 1.000 0.500\n …"; at most `most` rows and columns; says how many are left out.
std::string matrix_text(const std::string& name, const nn::Matrix& m, int plane = 0, int most = 12);
/// "name: 3 4 5"
std::string list_text(std::span<const int> list);

/// Returns at most `keys` keys of one query that have weight, the strongest first; of equal weights, the
/// earlier key first.
std::vector<int> strongest(std::span<const float> row, int keys);
/// A line for each query: "0 the  → cat 0.312  mat 0.201".
std::string strongest_keys(const nn::Matrix& weights, int plane, const std::vector<nn::Token>& queries,
                           const std::vector<nn::Token>& keys_of, int keys);

}  // namespace headlight::views::plain
