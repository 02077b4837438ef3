// The sentences that are composed of numbers, in scenes drawn at random and at the ends of their settings:
// what each claims is computed again here, from the weights themselves.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "draw/record_canvas.h"
#include "pages/block/block.h"
#include "pages/compare/compare.h"
#include "pages/memory/memory.h"
#include "pages/worked/worked.h"
#include "pictures/first_start_words.h"
#include "presented.h"
#include "scene/settings.h"

namespace headlight::app::present_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Dice {
  std::mt19937 bits{7};
  int below(int n) { return static_cast<int>(bits() % static_cast<unsigned>(n)); }
  std::string one_of(std::initializer_list<const char*> words) {
    return *(words.begin() + below(static_cast<int>(words.size())));
  }
};

void set(Scene& scene, const std::string& assignment) {
  EXPECT_TRUE(scene::set_field(scene, assignment)) << assignment;
}

/// Short and long, with equal tokens, and with weights that are nearly equal or nearly 0 and 1.
Scene drawn_scene(Dice& dice, scene::Page page) {
  Scene scene;
  scene.page = page;
  scene.sentence =
      dice.one_of({"the", "the the", "the the the the", "cat the cat the", "the cat sat on the mat",
                   "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d"});
  set(scene, "seed=" + std::to_string(dice.below(1000)));
  const int heads = 1 << dice.below(4), width = 1 << dice.below(4);
  set(scene, "heads=" + std::to_string(heads));
  set(scene, "d_model=" + std::to_string(heads * width));
  set(scene, "temperature=" + dice.one_of({"0.01", "0.5", "1", "1", "1", "100"}));
  set(scene, "mask=" + dice.one_of({"none", "none", "causal", "causal", "valid_length"}));
  set(scene, "valid_length=" + std::to_string(dice.below(4)));
  set(scene, "position=" + dice.one_of({"none", "none", "sinusoidal"}));
  scene.query = {dice.below(2)};
  return scene;
}

std::vector<float> row_of(const nn::AttentionTrace& trace, int head, int query) {
  const auto row = trace.weights.row(head, query);
  return {row.begin(), row.end()};
}

int count_of(const std::vector<float>& row, float value) {
  return static_cast<int>(std::count(row.begin(), row.end(), value));
}

class FindingIsTrue : public Present {
 protected:
  std::string of_card(const char* card) { return finding(page().view, in(), card); }
  const nn::AttentionTrace& trace() { return session_->results().attention; }
};

TEST_F(FindingIsTrue, NoHeadIsSaidToBeFirstWhereAnotherIsWrittenAlike) {
  Dice dice;
  int ties = 0, alone = 0;
  for (int round = 0; round < 40; ++round) {
    compute(drawn_scene(dice, scene::Page::attention));
    const std::string words = of_card("heads");
    std::vector<std::string> bits;
    for (int head = 0; head < trace().heads; ++head) {
      double sum = 0;
      int rows = 0;
      for (int query = 0; query < trace().T; ++query) {
        double entropy = 0, all = 0;
        for (const float w : row_of(trace(), head, query)) {
          all += static_cast<double>(w);
          if (w > 0) entropy -= static_cast<double>(w) * std::log2(static_cast<double>(w));
        }
        if (all > 0) sum += entropy, ++rows;
      }
      bits.push_back(base::fixed(rows > 0 ? sum / rows : 0, 2));
    }
    std::smatch found;
    static const std::regex first(
        R"(^Heads? ([0-9, and]+) ha(?:s|ve) the lowest mean entropy, ([0-9.]+) bits; )"
        R"(heads? ([0-9, and]+) the highest, ([0-9.]+) bits$)");
    if (!std::regex_match(words, found, first)) {
      for (const std::string& one : bits) EXPECT_EQ(one, bits.front()) << words;
      ++ties;
      continue;
    }
    ++alone;
    for (const auto& [names, value] :
         {std::pair{found[1].str(), found[2].str()}, {found[3].str(), found[4].str()}}) {
      static const std::regex number("[0-9]+");
      std::vector<bool> named(bits.size());
      for (std::sregex_iterator it(names.begin(), names.end(), number), end; it != end; ++it)
        named.at(static_cast<std::size_t>(std::stoi(it->str()) - 1)) = true;
      for (std::size_t head = 0; head < bits.size(); ++head)
        EXPECT_EQ(named[head],
                  std::abs(std::stod(bits[head]) - std::stod(value)) < 0.0101 && bits[head] == value)
            << words << ", head " << head + 1 << " has " << bits[head];
    }
  }
  EXPECT_GT(ties, 3);
  EXPECT_GT(alone, 3);
}

TEST_F(FindingIsTrue, OnlyTheLargestWeightOfARowIsTheMost) {
  Dice dice;
  int most = 0, shared = 0;
  for (int round = 0; round < 40; ++round) {
    Scene scene = drawn_scene(dice, scene::Page::attention);
    scene.head = {1};
    compute(scene);
    const ShownRow row = shown_row(in());
    if (row.key < 0) continue;
    const std::vector<float> weights(row.weights.begin(), row.weights.end());
    const std::string words = first_start_finding(in());
    const bool alone =
        count_of(weights, weights[static_cast<std::size_t>(row.key)]) == 1 && weights.size() > 1;
    if (words.find("attends most") != words.npos) EXPECT_TRUE(alone) << words;
    (alone ? most : shared) += 1;
    const std::string note = first_start_note(in());
    std::smatch found;
    static const std::regex others(R"(Of the other [0-9]+ \w+, ([0-9]+) also attends? most to)");
    if (!std::regex_search(note, found, others)) continue;
    int alike = 0;
    for (int query = 0; query < trace().T; ++query) {
      const std::vector<float> of = row_of(trace(), row.head, query);
      const float largest = *std::max_element(of.begin(), of.end());
      alike += query != row.query && largest > 0 && count_of(of, largest) == 1 &&
               of[static_cast<std::size_t>(row.key)] == largest;
    }
    EXPECT_EQ(std::stoi(found[1].str()), alike) << note;
  }
  EXPECT_GT(most, 3);
  EXPECT_GT(shared, 3);
}

TEST_F(FindingIsTrue, WhereTwoHeadsDifferMost) {
  Dice dice;
  int ties = 0, alone = 0;
  for (int round = 0; round < 40; ++round) {
    Scene scene = drawn_scene(dice, scene::Page::compare);
    scene.compare.b = std::min(2, scene.heads);
    compute(scene);
    const auto* r = session_->results().own_as<scene::CompareResults>();
    if (!r || r->largest_query < 0) continue;
    const std::string words = of_card("maps");
    const auto size = static_cast<std::size_t>(trace().T) * static_cast<std::size_t>(trace().S);
    float largest = 0;
    std::vector<float> apart;
    for (std::size_t i = 0; i < size; ++i) {
      apart.push_back(std::abs(trace().weights.plane(r->a)[i] - trace().weights.plane(r->b)[i]));
      largest = std::max(largest, apart.back());
    }
    if (!(largest > 0)) {
      EXPECT_THAT(words, testing::EndsWith("have the same weights"));
      continue;
    }
    const float rounding = std::min(1e-6f, 1e-3f * largest);
    const auto pairs =
        std::count_if(apart.begin(), apart.end(), [&](float one) { return one >= largest - rounding; });
    EXPECT_THAT(words, HasSubstr("differ most at ")) << words;
    if (pairs > 1)
      EXPECT_THAT(words, HasSubstr(" and " + std::to_string(pairs - 1) + " other pair"));
    else
      EXPECT_THAT(words, Not(HasSubstr(" other pair")));
    (pairs > 1 ? ties : alone) += 1;
  }
  EXPECT_GT(ties, 3);
  EXPECT_GT(alone, 3);
}

TEST_F(FindingIsTrue, NegativeWeightsAreNoSharesOfARow) {
  Dice dice;
  int negative = 0, compared = 0;
  for (int round = 0; round < 30; ++round) {
    Scene scene = drawn_scene(dice, scene::Page::memory);
    set(scene, "memory_feature=" + dice.one_of({"identity", "elu1", "random"}));
    compute(scene);
    const auto* r = session_->results().own_as<scene::MemoryResults>();
    ASSERT_TRUE(r && r->sentence);
    const std::string words = of_card("linear");
    const auto below = [](float w) { return w < 0; };
    const bool some = std::ranges::any_of(r->sentence->linear.values(), below);
    if (words.starts_with("The largest weight of a row is ")) {
      EXPECT_FALSE(some) << words;
      for (const auto& [weights, of] :
           {std::pair{&r->sentence->linear, "linear"}, {&r->sentence->softmax, "softmax"}}) {
        double sum = 0;
        for (int row = 0; row < weights->rows(); ++row) {
          const auto all = weights->row(row);
          sum += static_cast<double>(*std::max_element(all.begin(), all.end()));
        }
        EXPECT_THAT(words, HasSubstr(base::fixed(sum / weights->rows(), 2))) << of;
      }
      ++compared;
    } else if (!words.empty() && words != "Linear and softmax attention have the same outputs") {
      EXPECT_TRUE(some) << words;
      EXPECT_THAT(words, HasSubstr("Some weights of linear attention are negative"));
      ++negative;
    }
    EXPECT_THAT(words, Not(HasSubstr("fewer keys")));
  }
  EXPECT_GT(negative, 3);
  EXPECT_GT(compared, 3);
}

TEST_F(FindingIsTrue, TheLargestWeightOfAHeadOfTheStack) {
  Dice dice;
  int claims = 0;
  for (int round = 0; round < 20; ++round) {
    Scene scene = drawn_scene(dice, scene::Page::block);
    set(scene, "block_causal=" + dice.one_of({"true", "false"}));
    set(scene, "block_layers=2");
    compute(scene);
    const auto* r = session_->results().own_as<scene::BlockResults>();
    if (!r || r->layers == 0) continue;
    const std::string words = of_card("map");
    const nn::AttentionTrace& shown =
        r->trace.layers[static_cast<std::size_t>(scene.block.layer - 1)].attention;
    float all = 0, choice = 0;
    for (int query = 0; query < shown.T; ++query) {
      for (const float w : row_of(shown, scene.block.head - 1, query)) {
        all = std::max(all, w);
        if (shown.allowed[static_cast<std::size_t>(query)].size() > 1) choice = std::max(choice, w);
      }
    }
    const auto written = [](float w) { return base::weight_text(static_cast<double>(w), 3); };
    const bool of_all = words.starts_with("The largest weight of this head is "),
               of_some = words.starts_with("Of queries with more than one key");
    claims += of_all || of_some;
    if (of_all) EXPECT_THAT(words, HasSubstr(" is " + written(all))) << words;
    if (of_some) EXPECT_THAT(words, HasSubstr(" is " + written(choice))) << words;
  }
  EXPECT_GT(claims, 3);
}

TEST_F(FindingIsTrue, TheSoftLookupHasOneLargestWeightOrSaysThatItIsShared) {
  int claims = 0;
  for (const char* x : {"1,0;0,1;1,1", "1,2;3,4", "2,1;1,2", "0.5,0.5;1,0;0,1"}) {
    for (const char* w_q : {"1,0;0,1", "0.8,0;0,1", "0.8,0;0,0.8", "0,0;0,0"}) {
      Scene scene;
      scene.page = scene::Page::worked;
      set(scene, std::string("worked_x=") + x);
      set(scene, std::string("worked_w_q=") + w_q);
      compute(scene);
      const auto* r = session_->results().own_as<scene::WorkedResults>();
      ASSERT_TRUE(r && r->problem.empty());
      const std::string words = of_card("lookup");
      const auto row = r->soft.row(0);
      const auto most = *std::max_element(row.begin(), row.end());
      if (words.find("the largest weight") == words.npos) continue;
      ++claims;
      EXPECT_EQ(std::count_if(row.begin(), row.end(),
                              [&](auto w) { return std::abs(static_cast<double>(w - most)) < 1e-6; }),
                1)
          << words;
    }
  }
  EXPECT_GT(claims, 3);
}

/// Whatever a scene is: sentences are whole, and no number is missing from them.
TEST_F(FindingIsTrue, NoSentenceHasANumberThatIsNone) {
  Dice dice;
  for (const PageInfo& info : pages()) {
    if (info.page() == scene::Page::training) continue;
    for (int round = 0; round < 6; ++round) {
      Scene scene = drawn_scene(dice, info.page());
      compute(scene);
      RecordCanvas measure;
      for (const std::string& card : cards_of(info.view, in(), measure).names) {
        const std::string words = finding(info.view, in(), card);
        for (const char* none : {"nan", "NaN", " inf ", "−inf", " –", "  ", "1 tokens", "1 pairs", "1 heads"})
          EXPECT_THAT(words, Not(HasSubstr(none)))
              << info.room.title << ", " << card << ", " << scene.sentence;
      }
    }
  }
}

}  // namespace
}  // namespace headlight::app::present_test
