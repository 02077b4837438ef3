// Which tokens the filters leave out, and how much of a row is then not drawn.
#include "scene/hidden_tokens.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/parallel.h"
#include "models/opened_model.h"
#include "pages/compute.h"
#include "pages/quantities.h"
#include "scene/other_model.h"
#include "scene/saved_attention.h"
#include "support/scratch_folder.h"
#include "tokenizers/open.h"

namespace headlight::scene {
namespace {

TEST(HiddenTokens, SavedAttentionHasTheKnownSpecialTokens) {
  for (const char* special : {"[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<bos>", "<eos>",
                              "<|endoftext|>", "<|begin_of_text|>", "<|start_header_id|>", "<start_of_turn>"})
    EXPECT_TRUE(is_special_token(special)) << special;
  for (const char* plain : {"cat", "[", "<", "<>", "[]", "<b>", "<br>", "</b>", "[A]", "[1]", "<0x0A>",
                            "[MASK]", "<mask>", "[UNK]", "<unk>", "<|x|>", ""})
    EXPECT_FALSE(is_special_token(plain)) << plain;
}

/// Of a model the tokenizer says it, whatever a token looks like; the mask token is one that is wanted.
TEST(HiddenTokens, AnOpenedModelHasThoseOfItsTokenizer) {
  const tests::ScratchFolder folder;
  std::ofstream(folder / "vocab.txt") << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n[end]\n</s>\ncat\n";
  std::ofstream(folder / "special_tokens_map.json") << R"({"additional_special_tokens": ["[end]"]})";
  const auto tokenizer = tokenizers::open_tokenizer(folder.path());
  ASSERT_TRUE(tokenizer) << tokenizer.error();
  auto network = std::make_shared<models::OpenedModel>();
  network->network.vocabulary = (*tokenizer)->size();
  const OtherModel model{network, *tokenizer, {}};
  std::vector<int> ids;
  for (const char* entry : {"[CLS]", "cat", "[MASK]", "[UNK]", "</s>", "[end]", "[SEP]", "[PAD]"})
    ids.push_back((*tokenizer)->id_of(entry).value());
  const auto made = tokens_for(model, "", ids);
  ASSERT_TRUE(made) << made.error();
  Scene scene;
  scene.hide_special = true;
  Results results;
  results.tokens = *made;
  EXPECT_EQ(hidden_tokens(scene, results).keys, (std::vector<unsigned char>{1, 0, 0, 0, 0, 1, 1, 1}));
  const auto typed = tokens_for(model, "cat [MASK]", {});
  ASSERT_TRUE(typed) << typed.error();
  results.tokens = *typed;  // [CLS] cat [MASK] [SEP]
  EXPECT_EQ(hidden_tokens(scene, results).queries, (std::vector<unsigned char>{1, 0, 0, 1}));
  // Without a tokenizer nothing is known of an id.
  const auto counted = tokens_for({network, nullptr, {}}, "", ids);
  ASSERT_TRUE(counted) << counted.error();
  results.tokens = *counted;
  EXPECT_FALSE(hidden_tokens(scene, results).any());
}

Results tokens(const std::vector<std::string>& queries, const std::vector<std::string>& keys = {}) {
  Results results;
  for (const auto& [from, to] :
       {std::pair{&queries, &results.tokens}, std::pair{&keys, &results.key_tokens}}) {
    for (const std::string& text : *from) {
      nn::Token token;
      token.text = text, token.special = is_special_token(text);
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
  EXPECT_NEAR(hidden_share(row, 0, hidden, 0), 0.3, 1e-7);
  EXPECT_NEAR(hidden_share(row, 2, hidden, 0.25), 0.5, 1e-7);
  EXPECT_NEAR(hidden_share(row, 1, {}, 0.4), 0.5, 1e-7);
  EXPECT_EQ(hidden_share(row, 1, hidden, 0), 1) << "the row of a hidden query is not drawn";
  const float none[] = {0, 0, 0};
  EXPECT_EQ(hidden_share(none, 0, hidden, 0.5), 0);
}

TEST(HiddenTokens, TheQuantityIsThatOfTheMapOnShow) {
  base::Parallel parallel(1);
  Scene scene;
  scene.sentence = "the cat sat", scene.head = {2};
  const auto results = compute_now(scene, parallel, nullptr);
  const auto value = [&](const std::string& name) {
    return read_quantity(name, {scene, *results, nullptr, nullptr}).value;
  };
  EXPECT_TRUE(std::isnan(value("hidden_share query=1")));
  scene.shown_tokens = "cat";
  EXPECT_NEAR(value("hidden_share query=1"), 1 - value("weight head=2 query=1 key=1"), 1e-6);
  EXPECT_EQ(value("hidden_keys"), 2);
  scene.shown_tokens.clear(), scene.attention.least_weight = 1;
  EXPECT_NEAR(value("hidden_share query=0"), 1, 1e-6);
  EXPECT_TRUE(std::isnan(value("hidden_keys")));
}

}  // namespace
}  // namespace headlight::scene
