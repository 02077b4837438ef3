// A tokenizer of the reference data, wherever that is kept: its files are written into a folder first.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "tokenizers/open.h"

namespace headlight::tests {

inline const std::vector<std::string>& tokenizer_files() {
  static const std::vector<std::string> files = {
      "tokenizer.json",         "vocab.json",  "merges.txt",    "vocab.txt",
      "tokenizer_config.json",  "config.json", "tokenizer.bin", "tokenizer.model",
      "special_tokens_map.json"};
  return files;
}

/// "a/b/../c" without its "..".
inline std::string plain_path(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().generic_string();
}

/// Without waiting for the disk.
inline void write_quickly(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Writes what the data has of a tokenizer's files in `folder`; how many these are.
inline int write_tokenizer(const std::string& folder, const std::filesystem::path& to) {
  int count = 0;
  for (const std::string& name : tokenizer_files()) {
    const auto bytes = ReferenceData::instance().bytes(plain_path(folder + "/" + name));
    if (!bytes) continue;
    write_quickly(to / name, *bytes);
    ++count;
  }
  return count;
}

inline std::string from_hex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

inline std::vector<int> ids_of(const std::vector<tokenizers::Piece>& pieces) {
  std::vector<int> out;
  for (const auto& piece : pieces) out.push_back(piece.id);
  return out;
}

inline std::vector<std::string> entries_of(const std::vector<tokenizers::Piece>& pieces) {
  std::vector<std::string> out;
  for (const auto& piece : pieces) out.push_back(piece.text);
  return out;
}

/// As the data writes it: a list of two, or null.
inline nlohmann::json offsets_of(const std::vector<tokenizers::Piece>& pieces) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& piece : pieces) {
    out.push_back(piece.bytes ? nlohmann::json::array({piece.bytes->first, piece.bytes->second})
                              : nlohmann::json());
  }
  return out;
}

}  // namespace headlight::tests
