// The scene files that were opened or saved last, newest first, as lines of a text file in the state folder.
// Tested in tests/scene/recent_test.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace headlight::scene {

inline constexpr std::size_t most_recent = 12;

class Recent {
 public:
  /// Reads `file` at once; a file that cannot be read counts as an empty list. An empty path keeps nothing.
  explicit Recent(std::filesystem::path file = {});

  const std::vector<std::filesystem::path>& files() const { return files_; }
  /// Moves `path` to the front and writes the list. A name with a line break is not remembered.
  base::Status remember(const std::filesystem::path& path);
  /// Removes a file that no longer exists.
  base::Status forget(const std::filesystem::path& path);

 private:
  void read();
  base::Status write() const;

  std::filesystem::path file_;
  std::vector<std::filesystem::path> files_;
};

/// The file in the state folder that lists scene files; empty without a folder.
std::filesystem::path list_of_scenes(const std::filesystem::path& folder);

/// The file in the state folder that lists models and texts which scenes named; empty without a folder.
std::filesystem::path list_of_files(const std::filesystem::path& folder);

/// The folder of state_file(); empty when it is not known.
std::filesystem::path state_folder();

}  // namespace headlight::scene
