// The same scene gives the same numbers, bit for bit, on any number of threads: every table and every
// quantity of every page, with the encodings, masks and models that share work over threads differently.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "nn/kernels.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "pages/tables.h"
#include "scene/settings.h"

namespace headlight::scene {
namespace {

std::string words(int count) {
  static const char* const some[] = {"the", "animal", "did",     "not", "cross",
                                     "the", "street", "because", "it"};
  std::string out;
  for (int i = 0; i < count; ++i) out += std::string(i > 0 ? " " : "") + some[i * 5 % 9];
  return out;
}

/// Every table of the page, and its quantities, as bytes by name.
std::map<std::string, std::string> bytes_of(const Scene& scene, int threads) {
  base::Parallel parallel(threads);
  const std::shared_ptr<const Results> results = compute(scene, parallel, nullptr);
  std::map<std::string, std::string> out;
  for (const Table* table : tables_behind(scene.page, "")) {
    const MaybeNumbers numbers = numbers_of(*table, {scene, *results, parallel});
    if (!numbers) continue;
    std::visit(
        [&](const auto& tensor) {
          out[table->name].assign(reinterpret_cast<const char*>(tensor.values.data()),
                                  tensor.values.size_bytes());
        },
        numbers->tensor);
  }
  for (const QuantityInfo& quantity : quantities()) {
    if (quantity.arguments[0] != '\0') continue;
    const double value = read_quantity(quantity.name, {scene, *results}).value;
    out[std::string("quantity ") + quantity.name].assign(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return out;
}

struct ScenesOfAPage : testing::TestWithParam<int> {};

TEST_P(ScenesOfAPage, GiveTheSameBitsOnOneTwoAndSevenThreads) {
  const auto page = static_cast<Page>(GetParam());
  for (const char* settings :
       {"", "heads=8;d_model=64;mask=causal", "position=none;heads=2;mask=window", "weights=trained"}) {
    Scene scene;
    scene.sentence = words(settings[0] == '\0' ? 70 : 23);
    for (std::string_view rest = settings; !rest.empty();) {
      const std::string_view one = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
      const base::Status set = set_field(scene, std::string(one));
      ASSERT_TRUE(set) << set.error();
    }
    scene.page = page;
    const auto alone = bytes_of(scene, 1);
    ASSERT_GT(alone.size(), 5u);
    for (const int threads : {2, 7}) {
      const auto shared = bytes_of(scene, threads);
      ASSERT_EQ(shared.size(), alone.size());
      for (const auto& [name, bytes] : alone)
        EXPECT_TRUE(shared.at(name) == bytes)
            << word(page) << ", " << settings << ": " << name << " with " << threads;
    }
  }
}

/// Sums are rounded in another order: every number of the Attention page is within 1e-4 of the table's
/// largest.
TEST(InstructionSets, GiveTheSameNumbersWithinRounding) {
  Scene scene;
  scene.sentence = words(70), scene.d_model = 64, scene.heads = 4;
  const nn::Kernels& usual = nn::kernels();
  const auto table_of = [&](const char* name) {
    base::Parallel parallel(1);
    const std::shared_ptr<const Results> results = compute(scene, parallel, nullptr);
    const MaybeNumbers numbers = numbers_of(*find_table(name), {scene, *results, parallel});
    EXPECT_TRUE(numbers) << name;
    const auto values = std::get<io::TensorView<float>>(numbers->tensor).values;
    return std::vector<float>(values.begin(), values.end());
  };
  for (const char* name : {"weights", "scores", "q", "k", "v", "output"}) {
    nn::use_kernels(*nn::kernels_of("generic"));
    const std::vector<float> plain = table_of(name);
    float largest = 0;
    for (const float value : plain) largest = std::max(largest, std::abs(value));
    ASSERT_GT(largest, 0) << name;
    int sets = 0;
    for (const char* level : {"v2", "v3", "v4"}) {
      const nn::Kernels* kernels = nn::kernels_of(level);
      if (kernels == nullptr) continue;
      ++sets;
      nn::use_kernels(*kernels);
      const std::vector<float> other = table_of(name);
      ASSERT_EQ(other.size(), plain.size());
      for (std::size_t i = 0; i < plain.size(); ++i)
        ASSERT_NEAR(other[i], plain[i], 1e-4f * largest) << name << " with " << level << " at " << i;
    }
    EXPECT_GT(sets, 0) << "this processor has no set but the plain one";
  }
  nn::use_kernels(usual);
}

INSTANTIATE_TEST_SUITE_P(Every, ScenesOfAPage,
                         testing::Range(0, static_cast<int>(std::size(Words<Page>::list))),
                         [](const auto& parameter) { return word(static_cast<Page>(parameter.param)); });

}  // namespace
}  // namespace headlight::scene
