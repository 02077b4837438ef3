// Reads config.json, tokenizer_config.json and special_tokens_map.json for how a vocabulary is used.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "tokenizers/open.h"

namespace headlight::tokenizers {

/// A missing file sets nothing; a file that is not JSON is an error.
base::Result<FolderSettings> read_folder_settings(const std::filesystem::path& folder);

}  // namespace headlight::tokenizers
