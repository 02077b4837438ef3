// Building blocks for lines and tables of text. Tested in tests/base/words_test.cpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/numbers.h"

namespace headlight::base {

/// Returns "1 token", "0 tokens", "2 values are"; `many` is the plural if adding an s is not enough.
std::string counted_words(bool one, std::string number, std::string_view single, std::string_view many);
std::string counted(std::integral auto n, std::string_view one, std::string_view many = {}) {
  return counted_words(n == 1, with_commas(static_cast<long long>(n)), one, many);
}

/// Returns "Weights" for "weights"; only ASCII letters change.
std::string capital(std::string words);

/// Counts characters as readers do (utf8.h): the columns of a terminal, for most scripts.
std::size_t characters(std::string_view text);
/// Returns the text padded with blanks, after or before it, to a column of this many characters.
std::string padded(std::string text, std::size_t width);
std::string padded_before(std::string text, std::size_t width);

}  // namespace headlight::base
