// A model of the reference data with its tokenizer beside it: the packs keep weights and tokenizers apart.
#pragma once

#include <filesystem>
#include <string>

#include "support/reference_data.h"

namespace headlight::tests {

/// Copies the folder of a variant ("models/llama", "bf16-sharded") and the files of its tokenizer into a
/// folder below `to`, which is returned.
inline std::filesystem::path whole_model(const std::string& family, const std::string& variant,
                                         const std::filesystem::path& to) {
  namespace fs = std::filesystem;
  const ReferenceData& data = ReferenceData::instance();
  std::string name = family + "-" + variant;
  for (char& c : name) c = c == '/' ? '-' : c;
  const fs::path out = to / name;
  if (fs::exists(out)) return out;
  fs::copy(data.on_disk(data.models() + family) / variant, out, fs::copy_options::recursive);
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(data.on_disk(family) / variant, none))
    fs::copy(entry.path(), out / entry.path().filename(), fs::copy_options::skip_existing, none);
  return out;
}

}  // namespace headlight::tests
