// What the readers of tests/fuzz share: files that are written for them, and sound ones to begin with.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/parallel.h"

namespace headlight::fuzz {

using Bytes = const std::string&;

/// One thread for all.
base::Parallel& cores();

void write(const std::filesystem::path& path, const std::string& bytes);
std::string file_text(const std::filesystem::path& path);

/// An input of several files: what stands between the lines "%%%".
std::vector<std::string> parts_of(const std::string& bytes, std::size_t count);

struct ModelFolder {
  std::string name;
  std::filesystem::path folder;
};
/// Of the reference data: small ones, each with config.json and model.safetensors.
const std::vector<ModelFolder>& model_folders();

/// Files of the reference data of at most so many bytes whose names have such an ending and such a part.
std::vector<std::string> files_that_end_in(const std::string& ending, const std::string& part,
                                           std::size_t most);

}  // namespace headlight::fuzz
