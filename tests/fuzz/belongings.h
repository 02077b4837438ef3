// What lies in a person's folder: scenes, figures, lessons, texts, models of this and of other programs,
// saved attention; all of it sound, and once more damaged. Made anew for each folder; the same dice make the
// same.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/mutate.h"

namespace headlight::fuzz {

struct Belongings {
  std::vector<std::filesystem::path> files;    // and folders of models, to be dropped onto the window
  std::vector<std::string> models;             // what model=… takes: sound ones
  std::vector<std::filesystem::path> lessons;  // sound ones and others
  std::vector<std::filesystem::path> scenes;   // hostile states to start from
};
Belongings belongings(const std::filesystem::path& folder, Dice& dice);

}  // namespace headlight::fuzz
