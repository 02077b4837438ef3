// The arithmetic of one weight as text to paste: LaTeX for a paper, Python for a notebook. Tested in
// tests/views/attention_text_test.cpp, which also runs the Python code where NumPy is installed.
#pragma once

#include <string>
#include <string_view>

#include "nn/explain.h"

namespace headlight::views {

/// Returns an align* environment (amsmath) from q·k to the weight. Token texts are escaped.
std::string cell_latex(const nn::CellTrace& cell, std::string_view query, std::string_view key);

/// Returns a Python program that recomputes the weight from q, k and the contribution of the rest of the row,
/// and prints it.
std::string cell_numpy(const nn::CellTrace& cell, std::string_view query, std::string_view key);

}  // namespace headlight::views
