#include "io/text_folder.h"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <vector>

#include "io/descriptor.h"
#include "io/files.h"
#include "io/folder.h"

namespace headlight::io {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 100'000;
constexpr int deepest = 64;

bool is_text_name(const fs::path& name) {
  const std::string ending = ending_of(name);
  return ending == ".txt" || ending == ".text" || ending == ".md";
}

/// Adds the text files in a folder and its subfolders.
base::Status collect(const fs::path& folder, int depth, std::vector<fs::path>& files) {
  std::error_code failed;
  const std::vector<std::string> names = names_in(folder, failed);
  if (failed) return cannot("read", folder, cause(failed.value()));
  for (const std::string& name : names) {
    if (name.starts_with('.')) continue;
    const fs::path path = folder / name;
    const fs::file_type type = fs::symlink_status(path, failed).type();
    if (type == fs::file_type::directory) {
      if (depth == deepest)
        return cannot("read", path,
                      "more than " + std::to_string(deepest) + " folders are nested in each other");
      if (const base::Status below = collect(path, depth + 1, files); !below) return below;
    } else if (is_text_name(path) && fs::is_regular_file(path, failed)) {
      files.push_back(path);
      if (files.size() > most_files)
        return cannot("read", folder, "it has more than " + std::to_string(most_files) + " text files");
    }
  }
  return {};
}

}  // namespace

base::Result<std::vector<fs::path>> text_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (const base::Status found = collect(folder, 1, files); !found) return base::Error{found.error()};
  if (files.empty()) return cannot("read", folder, "the folder has no file that ends in .txt, .text or .md");
  return files;
}

base::Result<std::string> read_texts(const fs::path& path, std::size_t max_bytes) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return read_file(path, max_bytes);
  const auto files = text_files(path);
  if (!files) return base::Error{files.error()};
  std::string all;
  for (const fs::path& file : *files) {
    base::Result<std::string> text = read_file(file, max_bytes);
    if (!text) return base::Error{text.error()};
    if (all.size() + text->size() + 1 > max_bytes)
      return cannot("read", path,
                    "its text files have more than " + std::to_string(max_bytes) +
                        " bytes together: choose a folder within it");
    all += *text;
    if (!all.empty() && all.back() != '\n') all += '\n';
  }
  return all;
}

}  // namespace headlight::io
