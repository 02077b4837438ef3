// Sound files and all that was ever found, and from each of them some seeded damage, through every reader.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "fuzz/corpus.h"
#include "fuzz/targets.h"
#include "support/scratch_folder.h"

namespace headlight::fuzz {

static void PrintTo(const Target* target, std::ostream* out) {
  *out << target->name;
}

namespace {

class Replay : public testing::TestWithParam<const Target*> {};

TEST_P(Replay, KeepsItsPromises) {
  const Target& target = *GetParam();
  std::vector<std::string> inputs = target.seeds();
  EXPECT_GT(inputs.size(), 0u) << "no sound file to begin with";
  const std::vector<std::string> found = corpus_of(target.name);
  inputs.insert(inputs.end(), found.begin(), found.end());
  const tests::ScratchFolder folder;
  Dice dice(1);
  for (const std::string& input : inputs)
    EXPECT_EQ(target.run(input, folder.path()), "") << shown_bytes(input);
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    const std::string damaged = target.damaged(inputs[dice.below(inputs.size())], dice);
    EXPECT_EQ(target.run(damaged, folder.path()), "") << shown_bytes(damaged);
  }
}

std::vector<const Target*> all_targets() {
  std::vector<const Target*> out;
  for (const Target& target : targets()) out.push_back(&target);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Readers, Replay, testing::ValuesIn(all_targets()),
                         [](const auto& target) { return std::string(target.param->name); });

TEST(Mutations, AreTheSameForTheSameSeed) {
  Dice one(7), two(7);
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(mutated("{\"a\": [1, 2], \"b\": \"c\"}", Form::json, one, 100),
              mutated("{\"a\": [1, 2], \"b\": \"c\"}", Form::json, two, 100));
}

/// What is damaged is the file, not what says which one: most results are JSON still, and another one.
TEST(Mutations, KnowWhereTheFileBegins) {
  const std::string sound = "\x02{\"layers\": 2, \"heads\": [4, 4]}";
  Dice dice(3);
  int sound_and_changed = 0, moved = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string damaged = mutated(sound, Form::json, dice, 200, 1);
    moved += damaged[0] != sound[0] ? 1 : 0;
    const auto json = nlohmann::json::parse(damaged.begin() + 1, damaged.end(), nullptr, false);
    sound_and_changed += !json.is_discarded() && damaged.substr(1) != sound.substr(1) ? 1 : 0;
  }
  EXPECT_GT(sound_and_changed, 150);
  EXPECT_GT(moved, 5);
  EXPECT_LT(moved, 80);
}

TEST(Mutations, AnUnfitErrorIsSeen) {
  EXPECT_EQ(unfit_error("a.json: not JSON"), "");
  EXPECT_NE(unfit_error(""), "");
  EXPECT_NE(unfit_error("two\nlines"), "");
  EXPECT_NE(unfit_error(std::string(600, 'x')), "");
}

}  // namespace
}  // namespace headlight::fuzz
