#include "ui/folder_rows.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <system_error>

#include "io/folder.h"

namespace headlight::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_rows = 2000;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// True if `ending` is one of the words of `endings`.
bool one_of(const std::string& ending, const std::string& endings) {
  return !ending.empty() && (" " + endings + " ").find(" " + ending + " ") != std::string::npos;
}

}  // namespace

std::string typed_words(const std::string& words, const std::string& offered) {
  const std::string folder = folder_part(offered);
  if (folder.empty() || !words.starts_with(folder)) return words;
  const std::string behind = words.substr(folder.size());
  return behind.starts_with('/') || behind == "~" || behind.starts_with("~/") ? behind : words;
}

fs::path typed_path(const std::string& typed) {
  if (typed == "~" || typed.rfind("~/", 0) == 0) {
    const char* home = std::getenv("HOME");
    if (home != nullptr && *home != '\0')
      return fs::path(home) / typed.substr(std::min<std::size_t>(2, typed.size()));
  }
  return typed;
}

std::string folder_part(const std::string& typed) {
  const std::size_t slash = typed.rfind('/');
  return slash == std::string::npos ? "" : typed.substr(0, slash + 1);
}

std::vector<FolderRow> folder_rows(const std::string& typed, const std::string& ending,
                                   std::string& problem) {
  problem.clear();
  const std::string part = folder_part(typed), begun = lower(typed.substr(part.size()));
  const fs::path folder = part.empty() ? fs::path(".") : typed_path(part);
  std::error_code failed;
  std::vector<FolderRow> rows;
  for (const std::string& name : io::names_in(folder, failed)) {
    if (rows.size() == most_rows) break;
    if (name[0] == '.' && (begun.empty() || begun[0] != '.')) continue;
    if (lower(name).rfind(begun, 0) != 0) continue;
    const fs::path path = folder / name;
    std::error_code ignored;
    const bool is_folder = fs::is_directory(path, ignored);
    if (is_folder || one_of(lower(path.extension().string()), ending))
      rows.push_back({.path = path, .folder = is_folder});
  }
  if (failed) problem = "cannot list " + folder.string() + ": " + failed.message();
  std::sort(rows.begin(), rows.end(), [](const FolderRow& a, const FolderRow& b) {
    if (a.folder != b.folder) return a.folder;
    return lower(a.path.filename().string()) < lower(b.path.filename().string());
  });
  const fs::path whole = fs::absolute(folder, failed).lexically_normal();
  const fs::path above = (whole.has_filename() ? whole : whole.parent_path()).parent_path();
  if (problem.empty() && begun.empty() && !above.empty() && above != whole && !failed)
    rows.insert(rows.begin(), FolderRow{above, true, true});
  return rows;
}

}  // namespace headlight::app
