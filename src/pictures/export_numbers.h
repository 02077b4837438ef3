// The numbers of a panel or a page as a file, or as text for the clipboard. The command line and the Export
// card use it. Tested in tests/pictures/figure_pages_test.cpp, also with NumPy.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "base/result.h"
#include "pages/tables.h"

namespace headlight::app {

/// Receives the number of bytes written so far; called also before each table is made. What it throws ends
/// the work.
using Written = std::function<void(std::size_t bytes)>;

/// The contents of a file of numbers. The extension determines the format: .npy and .csv contain the first
/// tensor, .npz and .json all tensors and the scene, and .json also the tokens and remarks.
struct NumbersFile {
  std::vector<io::AnyTensor> tensors;  // at least one, names unique
  bool listed = false;                 // .json: write a list of tensors even if there is one
  std::vector<std::string> tokens, remarks;
  std::string scene;  // JSON
  /// Of each tensor the names along its axes, if they are more than tokens; may be shorter than `tensors`.
  std::vector<std::vector<std::vector<std::string>>> labels{};
};
base::Status write_file(const NumbersFile& numbers, const std::filesystem::path& out,
                        const Written& written = {});

/// Writes tables to a file. .npy and .csv contain the first table that this scene has; .npz and .json contain
/// all of them, with the scene. It is an error when the scene has none or only
/// tables without numbers, or when the file cannot be written.
base::Status write_numbers(std::span<const scene::Table* const> tables, const scene::TableSource& source,
                           const std::filesystem::path& out, const Written& written = {});

/// Returns the first table as tab-separated cells, with the names of rows and columns. It is an error when
/// there is none, or when it is too large for a clipboard.
base::Result<std::string> numbers_text(std::span<const scene::Table* const> tables,
                                       const scene::TableSource& source, const Written& written = {});

/// Returns the tables of a page or of one of its cards. The table of the shown plot comes first; files with
/// one table and the clipboard use it.
std::vector<const scene::Table*> tables_shown(const scene::Scene& scene, scene::Page page,
                                              std::string_view panel);

}  // namespace headlight::app
