// config.json, tokenizer_config.json and special_tokens_map.json, as far as they say how a vocabulary is
// used.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "tokenizers/open.h"

namespace headlight::tokenizers {

/// A file that is missing says nothing; one that is no JSON is an error.
base::Result<FolderSettings> read_folder_settings(const std::filesystem::path& folder);

}  // namespace headlight::tokenizers
