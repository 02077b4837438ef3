// llama2.c's .bin files, versions 0 and 1 (karpathy/llama2.c, run.c and export.py): seven numbers and then
// every matrix, all layers of one kind together. The model is Llama with RoPE on adjacent pairs; base 10000
// and epsilon 1e-5 are fixed and not stored. The length of the file must match the numbers.
#pragma once

#include <filesystem>

#include "models/opened_model.h"

namespace headlight::models {

/// Sets the network, the weights, family and type.
base::Status open_llama2c(const std::filesystem::path& path, OpenedModel& model);

}  // namespace headlight::models
