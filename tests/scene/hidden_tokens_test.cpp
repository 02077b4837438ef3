// Which tokens the filters leave out, and how much of a row is then not drawn.
#include "scene/hidden_tokens.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "pages/compute.h"
#include "pages/quantities.h"

namespace headlight::scene {
namespace {

TEST(HiddenTokens, SpecialTokensAreKnownByTheirForm) {
  for (const char* special : {"[CLS]", "[SEP]", "[unused0]", "<s>", "</s>", "<pad>", "<|endoftext|>",
                              "<|start_header_id|>", "<start_of_turn>"})
    EXPECT_EQ(is_special_token(special), std::string_view(special) != "[unused0]") << special;
  for (const char* plain : {"cat", "[", "]", "<", ">", "<>", "[]", "a<b>", "[1]", "<0x0A>", "[a b]", ""})
    EXPECT_FALSE(is_special_token(plain)) << plain;
}

Results tokens(const std::vector<std::string>& queries, const std::vector<std::string>& keys = {}) {
  Results results;
  for (const auto& [from, to] :
       {std::pair{&queries, &results.tokens}, std::pair{&keys, &results.key_tokens}}) {
    for (const std::string& text : *from) {
      nn::Token token;
      token.text = text;
      to->push_back(token);
    }
  }
  return results;
}

TEST(HiddenTokens, TheFilterKeepsWhatContainsOneOfItsTexts) {
  Scene scene;
  const Results results = tokens({"[CLS]", "the", "cat", "sat", "[SEP]"});
  EXPECT_FALSE(hidden_tokens(scene, results).any());
  scene.hide_special = true;
  EXPECT_EQ(hidden_tokens(scene, results).keys, (std::vector<unsigned char>{1, 0, 0, 0, 1}));
  scene.shown_tokens = "at the";
  EXPECT_EQ(hidden_tokens(scene, results).queries, (std::vector<unsigned char>{1, 0, 0, 0, 1}));
  scene.shown_tokens = "  cat ", scene.hide_special = false;
  EXPECT_EQ(hidden_tokens(scene, results).keys, (std::vector<unsigned char>{1, 1, 0, 1, 1}));
  // Of cross-attention each list for itself.
  const HiddenTokens both = hidden_tokens(scene, tokens({"cat", "dog"}, {"a", "cat", "b"}));
  EXPECT_EQ(both.queries, (std::vector<unsigned char>{0, 1}));
  EXPECT_EQ(both.hidden_keys(), 2);
}

TEST(HiddenTokens, ShareOfARow) {
  Scene scene;
  scene.shown_tokens = "a";
  const HiddenTokens hidden = hidden_tokens(scene, tokens({"a", "b", "ab"}));
  const float row[] = {0.5f, 0.3f, 0.2f};
  EXPECT_NEAR(hidden_share(row, hidden, 0), 0.3, 1e-7);
  EXPECT_NEAR(hidden_share(row, hidden, 0.25), 0.5, 1e-7);
  EXPECT_NEAR(hidden_share(row, {}, 0.4), 0.5, 1e-7);
  const float none[] = {0, 0, 0};
  EXPECT_EQ(hidden_share(none, hidden, 0.5), 0);
}

TEST(HiddenTokens, TheQuantityIsThatOfTheMapOnShow) {
  base::Parallel parallel(1);
  Scene scene;
  scene.sentence = "the cat sat", scene.head = {2};
  const auto results = compute(scene, parallel, nullptr);
  const auto value = [&](const std::string& name) {
    return read_quantity(name, {scene, *results, nullptr, nullptr}).value;
  };
  EXPECT_TRUE(std::isnan(value("hidden_share query=1")));
  scene.shown_tokens = "cat";
  EXPECT_NEAR(value("hidden_share query=1"), 1 - value("weight head=2 query=1 key=1"), 1e-6);
  EXPECT_EQ(value("hidden_keys"), 2);
  scene.shown_tokens.clear(), scene.least_weight = 1;
  EXPECT_NEAR(value("hidden_share query=0"), 1, 1e-6);
  EXPECT_TRUE(std::isnan(value("hidden_keys")));
}

}  // namespace
}  // namespace headlight::scene
