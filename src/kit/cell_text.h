// One weight's arithmetic as text that can be pasted: LaTeX for a paper, Python for a notebook. Tested in
// tests/views/attention_text_test.cpp, which also runs the Python where there is a NumPy.
#pragma once

#include <string>
#include <string_view>

#include "nn/explain.h"

namespace headlight::views {

/// An align* environment (amsmath) from q·k to the weight; token texts are escaped.
std::string cell_latex(const nn::CellTrace& cell, std::string_view query, std::string_view key);

/// A Python program that recomputes the weight from q, k and what the rest of the row contributes, and prints
/// it.
std::string cell_numpy(const nn::CellTrace& cell, std::string_view query, std::string_view key);

}  // namespace headlight::views
