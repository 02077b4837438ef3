// The numbers behind a panel or a page as a file or as text for the clipboard, for the command line and the
// Export card alike. Tested in tests/pictures/figure_test.cpp, with NumPy too.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "base/result.h"
#include "pages/tables.h"

namespace headlight::app {

/// Told how many bytes are written so far.
using Written = std::function<void(std::size_t bytes)>;

/// What a file of numbers holds: its ending decides the format. .npy and .csv take the first tensor, .npz and
/// .json all of them with the scene, .json the tokens and remarks too.
struct NumbersFile {
  std::vector<io::AnyTensor> tensors;  // at least one, names unique
  bool listed = false;                 // .json: a list of tensors though there may be one
  std::vector<std::string> tokens, remarks;
  std::string scene;  // JSON
};
base::Status write_file(const NumbersFile& numbers, const std::filesystem::path& out,
                        const Written& written = {});

/// .npy and .csv hold one table: the first that this scene has. .npz and .json hold all that it has, with the
/// scene. An error when it has none, or the file cannot be written.
base::Status write_numbers(std::span<const scene::Table* const> tables, const scene::TableSource& source,
                           const std::filesystem::path& out, const Written& written = {});

/// The first table as cells apart by tabs, with the names of rows and columns. An error when there is none,
/// or it is more than a clipboard should hold.
base::Result<std::string> numbers_text(std::span<const scene::Table* const> tables,
                                       const scene::TableSource& source);

/// The tables behind a page, or one of its cards; that of the plot on show comes first: files of one table
/// and the clipboard take it.
std::vector<const scene::Table*> tables_shown(const scene::Scene& scene, scene::Page page,
                                              std::string_view panel);

}  // namespace headlight::app
