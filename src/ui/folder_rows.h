// The rows that a file card lists below a path that is being typed, like the completion of a shell. Tested in
// tests/app/folder_rows_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight::app {

struct FolderRow {
  std::filesystem::path path;
  bool folder = false;
  bool above = false;  // the parent folder
  bool model = false;  // a folder that is opened as a whole
};

/// Returns an absolute path that was typed after the offered folder: "/tmp/a.json" for
/// "/home/ada//tmp/a.json", if "/home/ada/b.json" was offered. Else returns what was typed.
std::string typed_words(const std::string& typed, const std::string& offered);

/// "~" and "~/…" mean the home folder; a relative path starts at the working folder.
std::filesystem::path typed_path(const std::string& typed);

/// The folder part of the typed path, unchanged: up to the last '/'.
std::string folder_part(const std::string& typed);

/// The folders, then the files with one of these endings (".json", ".json .safetensors"), whose names begin
/// with the text after the last '/'; each sorted by name, hidden ones only when a '.' was typed. `problem`:
/// one line when the folder cannot be listed. The parent folder comes first unless there is text after the
/// '/'.
std::vector<FolderRow> folder_rows(const std::string& typed, const std::string& ending, std::string& problem);

}  // namespace headlight::app
