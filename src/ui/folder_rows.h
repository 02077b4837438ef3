// What a card for files lists beneath a path that is being typed, as a shell completes one. Tested in
// tests/session/document_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight::app {

struct FolderRow {
  std::filesystem::path path;
  bool folder = false;
  bool above = false;  // the folder that holds this one
  bool model = false;  // a folder that is opened as a whole
};

/// A whole path that was typed behind the folder of the one that was offered: "/tmp/a.json" of
/// "/home/ada//tmp/a.json", where "/home/ada/b.json" stood there first. Else what was typed.
std::string typed_words(const std::string& typed, const std::string& offered);

/// "~" and "~/…" stand for the home folder; a relative path is one of the working folder.
std::filesystem::path typed_path(const std::string& typed);

/// The folder part of what is typed, as it was typed: up to the last '/'.
std::string folder_part(const std::string& typed);

/// The folders, then the files with one of these endings (".json", ".json .safetensors"), whose names begin
/// with what stands behind the last '/'; each sorted by name, hidden ones only when a '.' was typed.
/// `problem`: one line when the folder cannot be listed. The folder above comes first unless something was
/// typed behind the '/'.
std::vector<FolderRow> folder_rows(const std::string& typed, const std::string& ending, std::string& problem);

}  // namespace headlight::app
