// The models of other programs that the reference data has, as scenes: every family with its cases that are
// one text of tokens, each visible.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/settings.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"
#include "support/whole_model.h"

namespace headlight::tests {

inline std::vector<std::string> families() {
  const ReferenceData& data = ReferenceData::instance();
  std::vector<std::string> out = {"tiny-gpt2", "tiny-bert"};
  for (const std::string& one : data.folders(data.models() + "models")) out.push_back("models/" + one);
  std::erase_if(out, [&](const std::string& one) {
    return !data.bytes(data.models() + one + "/manifest.json").has_value();
  });
  return out;
}

inline nlohmann::json manifest(const std::string& family) {
  const ReferenceData& data = ReferenceData::instance();
  return data.json(data.models() + family + "/manifest.json");
}

inline std::string path_of(const std::string& family, const nlohmann::json& variant) {
  static const ScratchFolder folder;
  return whole_model(family, variant["dir"], folder.path()).string();
}

inline scene::Scene scene_with(const std::string& path, const std::vector<int>& ids) {
  scene::Scene scene;
  EXPECT_TRUE(scene::set_field(scene, "model=" + path));
  scene.token_ids = ids;
  scene::repair(scene);
  return scene;
}

/// The cases of a family's first variant that are one short text, with what is expected of it.
inline std::vector<nlohmann::json> plain_cases(const nlohmann::json& all) {
  const std::string set = all["variants"][0]["expected"];
  std::vector<nlohmann::json> out;
  for (const auto& one : all["cases"]) {
    if (one["input_ids"][0].is_array() || one["input_ids"].size() > 24 || !one["expected"].contains(set))
      continue;
    if (one.contains("attention_mask") && one["attention_mask"].dump().find('0') != std::string::npos)
      continue;
    out.push_back(one);
  }
  return out;
}

/// What is expected of such a case: "attentions", "hidden_states", ….
inline Array golden(const std::string& family, const nlohmann::json& all, const nlohmann::json& one,
                    const char* what) {
  const ReferenceData& data = ReferenceData::instance();
  const nlohmann::json entry = one["expected"][all["variants"][0]["expected"].get<std::string>()][what];
  return data.array(data.models() + family + "/" + entry["file"].get<std::string>());
}

inline double tolerance_of(const nlohmann::json& all, const nlohmann::json& one, const char* what) {
  const nlohmann::json entry =
      one["expected"][all["variants"][0]["expected"].get<std::string>()][what]["tol_f32"];
  return entry["atol"].get<double>() + entry["rtol"].get<double>();
}

/// One element [l, h, i, j] of golden attention.
inline double at(const Array& all, int l, int h, int i, int j) {
  return all.values[static_cast<std::size_t>(((l * all.dim(1) + h) * all.dim(2) + i) * all.dim(3) + j)];
}

/// Visits each family with its first plain case.
template <class Visit>
void each_family(Visit visit) {
  int visited = 0;
  for (const std::string& family : families()) {
    const nlohmann::json all = manifest(family);
    const auto cases = plain_cases(all);
    if (cases.empty()) continue;
    SCOPED_TRACE(family);
    const nlohmann::json& one = cases.front();
    scene::Scene scene = scene_with(path_of(family, all["variants"][0]), one["input_ids"]);
    visit(family, all, one, scene);
    ++visited;
  }
  EXPECT_GE(visited, 15);
}

}  // namespace headlight::tests
