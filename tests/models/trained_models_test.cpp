// Trained models of other people, where they are there: HEADLIGHT_MODELS names the folder.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "models/model_case.h"

namespace headlight::tests {
namespace {

std::filesystem::path models_folder() {
  const char* folder = std::getenv("HEADLIGHT_MODELS");
  return folder != nullptr && *folder != '\0'
             ? std::filesystem::path(folder)
             : std::filesystem::path(HEADLIGHT_SOURCE_DIR) / ".." / "shared" / "models";
}

std::optional<ModelData> trained(const char* name) {
  const std::filesystem::path folder = models_folder() / name;
  if (!std::filesystem::exists(folder / "manifest.json")) return std::nullopt;
  return ModelData(folder);
}

int best(const nn::Matrix& logits) {
  const auto row = logits.row(logits.rows() - 1);
  return static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
}

void compare_arrays(const ModelData& data) {
  Compared compared;
  compare_model(data, compared);
  EXPECT_GT(compared.arrays, 0);
  std::printf("%s: %d variants, %d cases, %d arrays, at most %.0f %% of a tolerance\n",
              data.folder.filename().c_str(), compared.variants, compared.cases, compared.arrays,
              100 * compared.worst);
}

TEST(TrainedModels, StoriesAreToldWordForWord) {
  const auto data = trained("stories260K");
  if (!data) GTEST_SKIP() << "stories260K is not in " << models_folder();
  compare_arrays(*data);
  const std::vector<int> expected = whole_numbers(data->manifest["facts"]["greedy"]["ids"]);
  for (const nlohmann::json& variant : data->manifest.at("variants")) {
    const auto model = models::open_model(data->path(variant));
    ASSERT_TRUE(model) << model.error();
    base::Parallel parallel;
    nn::NetworkTrace trace;
    nn::NetworkCache cache;
    const nn::NetworkKeeps logits_alone{.attentions = false, .states = false, .projections = false};
    std::vector<int> ids{expected.front()};
    while (ids.size() < expected.size()) {
      const int last[] = {ids.back()};
      const base::Status status =
          nn::network_step((*model)->network, (*model)->weights, last, parallel, cache, trace, logits_alone);
      ASSERT_TRUE(status) << status.error();
      ids.push_back(best(trace.logits));
    }
    EXPECT_EQ(ids, expected) << (*model)->family;
    // The whole text at once says the same at every place.
    ASSERT_TRUE(nn::network_forward((*model)->network, (*model)->weights, {.ids = ids}, parallel, trace));
    for (int t = 0; t + 1 < static_cast<int>(ids.size()); ++t) {
      const auto row = trace.logits.row(t);
      EXPECT_EQ(std::max_element(row.begin(), row.end()) - row.begin(), ids[static_cast<std::size_t>(t) + 1])
          << t;
    }
  }
}

TEST(TrainedModels, EverySequenceOfSixLettersIsSorted) {
  const auto data = trained("gpt-nano-sort");
  if (!data) GTEST_SKIP() << "gpt-nano-sort is not in " << models_folder();
  compare_arrays(*data);
  const auto model = models::open_model(data->folder);
  ASSERT_TRUE(model) << model.error();
  base::Parallel parallel(1);
  nn::NetworkTrace trace;
  int sorted = 0;
  for (int code = 0; code < 729; ++code) {
    std::vector<int> letters, right, answer;
    for (int rest = code, i = 0; i < 6; ++i, rest /= 3) letters.push_back(rest % 3);
    right = letters;
    std::sort(right.begin(), right.end());
    nn::NetworkCache cache;
    std::vector<int> next = letters;
    while (answer.size() < right.size()) {
      ASSERT_TRUE(nn::network_step((*model)->network, (*model)->weights, next, parallel, cache, trace));
      answer.push_back(best(trace.logits));
      next = {answer.back()};
    }
    sorted += answer == right ? 1 : 0;
  }
  EXPECT_EQ(sorted, 729);
}

TEST(TrainedModels, SentencesHaveTheirEmbeddings) {
  const auto data = trained("use-lite");
  if (!data) GTEST_SKIP() << "use-lite is not in " << models_folder();
  compare_arrays(*data);
}

}  // namespace
}  // namespace headlight::tests
