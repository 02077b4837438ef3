// Inputs with expected results, from the packs of tests/reference, or from the folder that
// HEADLIGHT_REFERENCE names (the same layout: attention/manifest.json, seeds.json, models/…).
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "support/scratch_folder.h"

namespace headlight::tests {

/// An array of a .npy file. Every type in use fits into a double: f4, f8, u1, i4, and the i8 that occur.
struct Array {
  std::vector<int> shape;
  std::vector<double> values;

  int dim(std::size_t axis) const { return shape.at(axis); }
  std::size_t rank() const { return shape.size(); }
};

/// Throws std::runtime_error naming `origin` when the bytes are not such an array.
Array parse_npy(const std::string& bytes, const std::string& origin);

class ReferenceData {
 public:
  /// The folder or the packs; opened once for the program.
  static const ReferenceData& instance();

  const std::string& origin() const { return origin_; }
  /// True for the packs of tests/reference, which lack nothing; another folder may have less.
  bool packed() const { return !folder_; }
  /// Where other people's models stand, before "models/llama": the packs have what their tokenizers need
  /// under the names of the whole folder, and their weights under these.
  std::string models() const { return folder_ ? "" : "networks/"; }
  /// Of all files, sorted.
  std::vector<std::string> names() const;
  std::optional<std::string> bytes(const std::string& name) const;
  /// Throw std::runtime_error when the file is missing or wrong.
  nlohmann::json json(const std::string& name) const;
  Array array(const std::string& name) const;

  /// The folders inside a folder, sorted; none when it is not there.
  std::vector<std::string> folders(const std::string& folder) const;
  /// A folder of the data on disk: what is packed is written out first, once for the program.
  std::filesystem::path on_disk(const std::string& folder) const;

 private:
  ReferenceData();
  std::string origin_;
  bool folder_ = false;
  std::unordered_map<std::string, std::string> packed_;
  std::unique_ptr<ScratchFolder> written_;
};

/// Ends a test for which the data has nothing: with the packs of tests/reference it fails.
#define HEADLIGHT_LACKS(what)                                                  \
  do {                                                                         \
    const auto& lacking = headlight::tests::ReferenceData::instance();         \
    if (lacking.packed()) FAIL() << (what) << ": not in " << lacking.origin(); \
    GTEST_SKIP() << (what) << ": not in " << lacking.origin();                 \
  } while (false)

}  // namespace headlight::tests
