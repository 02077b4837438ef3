// Every family of models in the reference data: each variant is opened, and every array of every case is
// within its tolerance, whatever the manifests list.
#include <cstdio>

#include "models/model_case.h"

namespace headlight::tests {
namespace {

void run_all(const std::vector<std::string>& folders, const char* group) {
  Compared compared;
  int families = 0;
  for (const std::string& name : folders) {
    const std::string folder = ReferenceData::instance().models() + name;
    if (!ReferenceData::instance().bytes(folder + "/manifest.json")) continue;
    SCOPED_TRACE(folder);
    ++families;
    compare_model(ModelData(ReferenceData::instance().on_disk(folder)), compared);
  }
  if (families == 0) GTEST_SKIP() << group << ": not in " << ReferenceData::instance().origin();
  EXPECT_GT(compared.arrays, 0);
  std::printf("%s: %d families, %d variants, %d cases, %d arrays, at most %.0f %% of a tolerance\n", group,
              families, compared.variants, compared.cases, compared.arrays, 100 * compared.worst);
}

TEST(ReferenceModels, TinyGpt2) {
  run_all({"tiny-gpt2"}, "tiny-gpt2");
}

TEST(ReferenceModels, TinyBert) {
  run_all({"tiny-bert"}, "tiny-bert");
}

TEST(ReferenceModels, EveryFamily) {
  std::vector<std::string> folders;
  for (const std::string& family :
       ReferenceData::instance().folders(ReferenceData::instance().models() + "models"))
    folders.push_back("models/" + family);
  run_all(folders, "models");
}

}  // namespace
}  // namespace headlight::tests
