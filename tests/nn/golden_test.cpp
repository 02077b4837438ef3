// The reference data, family by family: the float32 path and its double twin against values computed
// elsewhere. A folder given as HEADLIGHT_REFERENCE replaces the packed data; what it has and nobody here
// knows is skipped by name, never passed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "nn/golden_families.h"

namespace headlight::tests {
namespace {

const nlohmann::json& attention_manifest() {
  static const nlohmann::json manifest = ReferenceData::instance().json("attention/manifest.json");
  return manifest;
}

std::vector<const nlohmann::json*> cases_of(const std::string& family) {
  std::vector<const nlohmann::json*> cases;
  for (const nlohmann::json& c : attention_manifest().at("cases")) {
    if (c.at("family") == family) cases.push_back(&c);
  }
  return cases;
}

class ReferenceFamily : public testing::TestWithParam<Family> {};

TEST_P(ReferenceFamily, AgreesInFloat32AndInDouble) {
  const auto cases = cases_of(GetParam().name);
  if (cases.empty())
    GTEST_SKIP() << "no case of " << GetParam().name << " in " << ReferenceData::instance().origin();
  for (const nlohmann::json* description : cases) {
    GoldenCase c(*description, "attention");
    try {
      GetParam().run(c);
    } catch (const std::exception& error) {
      ADD_FAILURE() << c.id() << ": " << error.what();
      continue;
    }
    c.check_complete();
  }
  RecordProperty("cases", static_cast<int>(cases.size()));
  std::printf("%s: %zu cases\n", GetParam().name, cases.size());
}

INSTANTIATE_TEST_SUITE_P(Attention, ReferenceFamily, testing::ValuesIn(families()),
                         [](const auto& parameter) {
                           const std::string part = parameter.param.part;
                           return parameter.param.name + (part.empty() ? "" : "_" + part);
                         });

TEST(ReferenceData, FamiliesThatNobodyHereKnows) {
  std::map<std::string, int> unknown;
  for (const nlohmann::json& c : attention_manifest().at("cases")) {
    const std::string family = c.at("family");
    const auto named = [&](const auto& entry) { return family == entry.name; };
    if (std::any_of(families().begin(), families().end(), named)) continue;
    ++unknown[family];
  }
  std::string names;
  for (const auto& [family, count] : unknown)
    names += " " + family + " (" + std::to_string(count) + " cases)";
  if (unknown.empty()) return;
  // Another set may hold what this version does not know; of its own everything is known.
  if (std::getenv("HEADLIGHT_REFERENCE") == nullptr) FAIL() << "unknown families:" << names;
  GTEST_SKIP() << "unknown families:" << names;
}

}  // namespace
}  // namespace headlight::tests
