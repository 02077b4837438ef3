// A model of the reference data: its folder, its variants, and its cases against what a model that was opened
// computes.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/opened_model.h"
#include "support/reference_data.h"

namespace headlight::tests {

/// manifest.json and what it names, in a folder on disk.
struct ModelData {
  std::filesystem::path folder;
  nlohmann::json manifest;

  explicit ModelData(const std::filesystem::path& where);
  /// What to open for a variant.
  std::filesystem::path path(const nlohmann::json& variant) const;
  Array array(const nlohmann::json& entry) const;
};

/// How a comparison went, for a line about all of them.
struct Compared {
  int variants = 0, cases = 0, arrays = 0;
  double worst = 0;  // the largest part of a tolerance that was used
};

/// Opens every variant and compares every array of every case.
void compare_model(const ModelData& data, Compared& compared);

/// |got − expected| against the tolerance of an entry; returns the largest part of it that was used.
double compare(const std::string& what, const std::vector<double>& got, const std::vector<double>& expected,
               const nlohmann::json& entry);

std::vector<int> whole_numbers(const nlohmann::json& list);

}  // namespace headlight::tests
