// Inputs with expected results, from the packs of tests/reference, or from the folder that
// HEADLIGHT_REFERENCE names (the same layout: attention/manifest.json, seeds.json, …).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

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
  /// Of all files, sorted.
  std::vector<std::string> names() const;
  std::optional<std::string> bytes(const std::string& name) const;
  /// Throw std::runtime_error when the file is missing or wrong.
  nlohmann::json json(const std::string& name) const;
  Array array(const std::string& name) const;

 private:
  ReferenceData();
  void read_pack(const std::string& path);
  std::string origin_;
  bool folder_ = false;
  std::unordered_map<std::string, std::string> packed_;
};

}  // namespace headlight::tests
