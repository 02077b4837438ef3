// Pronoun sentences: what is meant can be told, from the words alone, and by nothing else than it should be.
#include "tasks/pronouns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "tasks/task.h"
#include "tasks/vocabulary.h"

namespace headlight::nn {
namespace {

const std::string& text_at(const PronounSentence& s, int at) {
  return pronoun_words()[static_cast<std::size_t>(s.words.at(static_cast<std::size_t>(at)))];
}
const PronounReason& reason(int i) {
  return pronoun_reasons()[static_cast<std::size_t>(i)];
}

std::vector<PronounSentence> some(GrammarPart part, int count, std::uint64_t seed = 3) {
  std::vector<PronounSentence> list;
  constexpr int lengths = longest_pronoun_sentence - shortest_pronoun_sentence + 1;
  for (int n = 0; n < count; ++n) {
    list.push_back(
        pronoun_sentence(seed, static_cast<std::uint64_t>(n), part, shortest_pronoun_sentence + n % lengths));
  }
  return list;
}

std::string spoken(const PronounSentence& s) {
  std::string out;
  for (int i = 0; i < static_cast<int>(s.words.size()); ++i) out += (i ? " " : "") + text_at(s, i);
  return out;
}

/// The pronoun of a noun as it stands there.
std::string pronoun_of(const std::string& text) {
  for (const PronounNoun& n : pronoun_nouns()) {
    if (text == n.many) return "they";
    if (text == n.one) return n.gender == WordGender::he ? "he" : n.gender == WordGender::she ? "she" : "it";
  }
  return {};
}
unsigned class_of(const std::string& text) {
  for (const PronounNoun& n : pronoun_nouns()) {
    if (text == n.one || text == n.many) return n.is;
  }
  return 0;
}

TEST(Pronouns, WordsEachOnceAsTypedTextIsCut) {
  const std::vector<std::string>& words = pronoun_words();
  EXPECT_LE(words.size(), 200u);
  EXPECT_EQ(std::set<std::string>(words.begin(), words.end()).size(), words.size());
  for (const std::string& word : words) {
    const std::vector<Token> tokens = split_words(word);
    ASSERT_EQ(tokens.size(), 1u) << word;
    EXPECT_EQ(tokens[0].text, word);
  }
  EXPECT_GE(pronoun_nouns().size(), 20u);
  EXPECT_GE(pronoun_reasons().size(), 16u);
}

TEST(Pronouns, NaturalSentencesAreInTheirWords) {
  const Encoder encoder(word_vocabulary(pronoun_words()));
  for (const char* sentence : {"The animal did not cross the street because it was too tired.",
                               "the animal did not cross the street because it was too wide",
                               "The men could not lift the boxes since they were very heavy.",
                               "Because it was hungry, the dog ate the cake.",
                               "An apple was not eaten by this boy because it is rotten"}) {
    for (const ModelToken& token : encoder.split(sentence)) EXPECT_TRUE(token.known) << token.token.text;
  }
}

TEST(Pronouns, TheSameForTheSameStreamAndAsLongAsWanted) {
  for (int length = shortest_pronoun_sentence; length <= longest_pronoun_sentence; ++length) {
    const auto a = pronoun_sentence(5, 9, GrammarPart::training, length),
               b = pronoun_sentence(5, 9, GrammarPart::training, length),
               other = pronoun_sentence(6, 9, GrammarPart::training, length);
    EXPECT_EQ(a.words, b.words);
    EXPECT_NE(a.words, other.words);
    EXPECT_EQ(static_cast<int>(a.words.size()), length);
  }
}

/// From the text alone: of the two nouns one, and only one, fits both the pronoun and the reason.
TEST(Pronouns, OnlyOneNounCanBeMeant) {
  std::map<PronounCue, int> cues;
  for (const GrammarPart part : {GrammarPart::training, GrammarPart::measuring}) {
    for (const PronounSentence& s : some(part, 2000)) {
      std::vector<int> nouns, can;
      for (int i = 0; i < static_cast<int>(s.words.size()); ++i) {
        if (class_of(text_at(s, i)) != 0) nouns.push_back(i);
      }
      ASSERT_EQ(nouns.size(), 2u) << spoken(s);
      const unsigned fits = reason(s.meant_reason).fits;
      ASSERT_EQ(text_at(s, s.reason), reason(s.meant_reason).text);
      bool pronoun_tells = false, reason_tells = false;
      for (const int i : nouns) {
        const bool by_pronoun = pronoun_of(text_at(s, i)) == text_at(s, s.pronoun);
        const bool by_reason = (class_of(text_at(s, i)) & fits) != 0;
        pronoun_tells = pronoun_tells || !by_pronoun, reason_tells = reason_tells || !by_reason;
        if (by_pronoun && by_reason) can.push_back(i);
      }
      ASSERT_EQ(can.size(), 1u) << spoken(s);
      EXPECT_EQ(can[0], s.meant) << spoken(s);
      EXPECT_EQ(std::set<int>({s.meant, s.not_meant}), std::set<int>(nouns.begin(), nouns.end()));
      EXPECT_EQ(std::set<int>({s.subject, s.other}), std::set<int>(nouns.begin(), nouns.end()));
      EXPECT_EQ(s.cue, !pronoun_tells  ? PronounCue::reason
                       : !reason_tells ? PronounCue::pronoun
                                       : PronounCue::both)
          << spoken(s);
      ++cues[s.cue];
    }
  }
  for (const auto& [cue, count] : cues) EXPECT_GT(count, 400) << static_cast<int>(cue);
  EXPECT_EQ(cues.size(), 3u);
}

TEST(Pronouns, VerbsAgree) {
  const std::set<std::string> one = {"is", "was", "does"}, many = {"are", "were", "do"};
  for (const PronounSentence& s : some(GrammarPart::training, 500)) {
    for (int i = 1; i < static_cast<int>(s.words.size()); ++i) {
      const std::string &word = text_at(s, i), &before = text_at(s, i - 1);
      const std::string kind = class_of(before) != 0 ? pronoun_of(before) : before;
      if (one.count(word) + many.count(word) == 0) continue;
      EXPECT_EQ(kind == "they", many.count(word) == 1) << spoken(s);
    }
  }
}

TEST(Pronouns, HeldOutCombinationsAreNeverTrainedOn) {
  std::set<std::pair<int, int>> trained;
  for (const PronounSentence& s : some(GrammarPart::training, 8000)) {
    trained.insert({s.meant_noun, s.meant_reason});
    trained.insert({s.other_noun, s.meant_reason});
  }
  EXPECT_GT(trained.size(), 300u);
  std::set<int> nouns, reasons;
  for (const PronounSentence& s : some(GrammarPart::measuring, 2000)) {
    EXPECT_FALSE(trained.count({s.meant_noun, s.meant_reason})) << spoken(s);
    nouns.insert(s.meant_noun), reasons.insert(s.meant_reason);
  }
  // Every noun and every reason is measured, so all of them were learned otherwise.
  EXPECT_EQ(nouns.size(), pronoun_nouns().size());
  EXPECT_EQ(reasons.size(), pronoun_reasons().size());
}

bool nearest_is_meant(const PronounSentence& s) {
  return std::abs(s.meant - s.pronoun) < std::abs(s.not_meant - s.pronoun);
}

/// How often a rule that does not know what words mean would be right.
double right(const std::vector<PronounSentence>& list,
             const std::function<bool(const PronounSentence&)>& rule) {
  return static_cast<double>(std::count_if(list.begin(), list.end(), rule)) /
         static_cast<double>(list.size());
}

TEST(Pronouns, NoRuleOfThumbIsRight) {
  const std::vector<PronounSentence> trained = some(GrammarPart::training, 6000);
  for (const GrammarPart part : {GrammarPart::training, GrammarPart::measuring}) {
    const std::vector<PronounSentence> list = some(part, 3000, 4);
    const auto even = [&](const char* what, const auto& rule) {
      EXPECT_NEAR(right(list, rule), 0.5, 0.04)
          << what << (part == GrammarPart::training ? "" : ", held out");
    };
    even("the subject", [](const PronounSentence& s) { return s.meant == s.subject; });
    even("the first noun", [](const PronounSentence& s) { return s.meant < s.not_meant; });
    even("the nearest noun", nearest_is_meant);
  }
  // Where one noun is singular and one plural, neither is meant more often.
  std::vector<PronounSentence> mixed;
  for (const PronounSentence& s : trained) {
    if ((pronoun_of(text_at(s, s.meant)) == "they") != (pronoun_of(text_at(s, s.not_meant)) == "they"))
      mixed.push_back(s);
  }
  ASSERT_GT(mixed.size(), 1000u);
  EXPECT_NEAR(right(mixed, [](const PronounSentence& s) { return text_at(s, s.pronoun) == "they"; }), 0.5,
              0.05);
}

/// What a table of training sentences says, by counts; a tie is a guess.
TEST(Pronouns, NoTableOfCountsIsRight) {
  std::map<std::pair<int, int>, double> by_reason, beside, by_verb;
  std::map<int, double> overall;
  const auto verb_of = [](const PronounSentence& s) {
    // Active: the word before the second noun's determiner; passive: "by".
    return s.words[static_cast<std::size_t>(std::max(s.subject, s.other)) - 2];
  };
  for (const PronounSentence& s : some(GrammarPart::training, 12000)) {
    ++by_reason[{s.meant_noun, s.meant_reason}], ++overall[s.meant_noun],
        ++by_verb[{s.meant_noun, verb_of(s)}];
    ++beside[{s.meant_noun, s.meant_reason}], ++beside[{s.other_noun, s.meant_reason}];
  }
  const std::vector<PronounSentence> measured = some(GrammarPart::measuring, 3000, 6);
  const auto share = [&](const auto& count) {
    double sum = 0;
    for (const PronounSentence& s : measured) {
      const double meant = count(s.meant_noun, s), other = count(s.other_noun, s);
      sum += meant > other ? 1 : meant == other ? 0.5 : 0;
    }
    return sum / static_cast<double>(measured.size());
  };
  EXPECT_LT(share([&](int n, const PronounSentence& s) { return by_reason[{n, s.meant_reason}]; }), 0.6);
  EXPECT_LT(share([&](int n, const PronounSentence& s) { return beside[{n, s.meant_reason}]; }), 0.6);
  EXPECT_LT(share([&](int n, const PronounSentence&) { return overall[n]; }), 0.6);
  EXPECT_LT(share([&](int n, const PronounSentence& s) { return by_verb[{n, verb_of(s)}]; }), 0.6);
}

TEST(Pronouns, TheTaskAsksAtThePronounAndGuidesToTheNoun) {
  const auto task = pronoun_task(7);
  EXPECT_FALSE(task->causal());
  EXPECT_TRUE(task->guides());
  std::set<int> lengths;
  for (int step = 1; step <= 40; ++step) {
    Batch batch, again;
    task->batch(step, 5, batch);
    task->batch(step, 5, again);
    EXPECT_EQ(batch.tokens, again.tokens);
    lengths.insert(batch.T);
    ASSERT_LE(batch.T, task->length());
    ASSERT_EQ(batch.goals.size(), batch.tokens.size());
    for (int b = 0; b < batch.B; ++b) {
      int judged = 0;
      for (int t = 0; t < batch.T; ++t) {
        const auto at = static_cast<std::size_t>(b * batch.T + t);
        EXPECT_EQ(batch.targets[at] == no_target, batch.goals[at] < 0);
        if (batch.goals[at] < 0) continue;
        ++judged;
        const std::string pronoun = task->token_text(batch.tokens[at]);
        EXPECT_TRUE(pronoun == "it" || pronoun == "he" || pronoun == "she" || pronoun == "they") << pronoun;
        EXPECT_EQ(batch.tokens[static_cast<std::size_t>(b * batch.T + batch.goals[at])], batch.targets[at]);
      }
      EXPECT_EQ(judged, 1);
    }
  }
  EXPECT_EQ(lengths.size(), 6u);
  const Example example = task->example(3);
  const Relation& meant = *std::find_if(example.relations.begin(), example.relations.end(),
                                        [](const Relation& r) { return r.name == "noun that is meant"; });
  for (std::size_t t = 0; t < example.tokens.size(); ++t) {
    EXPECT_EQ(meant.keys[t] >= 0, example.targets[t] != no_target);
    if (meant.keys[t] < 0) continue;
    EXPECT_EQ(example.tokens[static_cast<std::size_t>(meant.keys[t])], example.targets[t]);
  }
}

}  // namespace
}  // namespace headlight::nn
