// Small English: every annotation against tables of the words, read from the text alone.
#include "tasks/grammar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tasks/vocabulary.h"

namespace headlight::nn {
namespace {

const std::string& text_of(const GrammarWord& word) {
  return grammar_words()[static_cast<std::size_t>(word.word)];
}
const std::string& text_at(const std::vector<GrammarWord>& words, int at) {
  return text_of(words.at(static_cast<std::size_t>(at)));
}

/// What a word that can be a subject counts as. "and" joins two.
std::map<std::string, WordNumber> numbers() {
  std::map<std::string, WordNumber> table = {{"he", WordNumber::one},
                                             {"she", WordNumber::one},
                                             {"it", WordNumber::one},
                                             {"they", WordNumber::many},
                                             {"and", WordNumber::many}};
  for (const GrammarNoun& noun : grammar_nouns()) {
    table[noun.one] = WordNumber::one, table[noun.many] = WordNumber::many;
  }
  for (const GrammarNoun& name : grammar_names()) table[name.one] = WordNumber::one;
  return table;
}

std::set<std::string> names() {
  std::set<std::string> set;
  for (const GrammarNoun& name : grammar_names()) set.insert(name.one);
  return set;
}

std::vector<std::vector<GrammarWord>> some_texts(GrammarPart part, int count, int length = 60) {
  std::vector<std::vector<GrammarWord>> texts;
  for (int n = 0; n < count; ++n) {
    texts.push_back(grammar_text(3, static_cast<std::uint64_t>(n), part, length));
  }
  return texts;
}

/// Cut after the end mark, and after the quote behind it.
std::vector<std::vector<int>> sentences(const std::vector<GrammarWord>& words) {
  std::vector<std::vector<int>> list(1);
  bool open = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& text = text_of(words[i]);
    list.back().push_back(words[i].word);
    if (text == "\"") open = !open;
    const bool ends = (!open && text == "\"") || (!open && text == ".");
    if (ends && i + 1 < words.size()) list.emplace_back();
  }
  return list;
}

TEST(Grammar, AFewHundredWordsEachOnceAsTypedTextIsCut) {
  const std::vector<std::string>& words = grammar_words();
  EXPECT_GE(words.size(), 250u);
  EXPECT_LE(words.size(), 450u);
  EXPECT_EQ(std::set<std::string>(words.begin(), words.end()).size(), words.size());
  for (const std::string& word : words) {
    const std::vector<Token> tokens = split_words(word);
    ASSERT_EQ(tokens.size(), 1u) << word;
    EXPECT_EQ(tokens[0].text, word);
  }
}

TEST(Grammar, TheSameForTheSameStreamAndAsLongAsWanted) {
  const auto a = grammar_text(5, 9, GrammarPart::training, 40),
             b = grammar_text(5, 9, GrammarPart::training, 40);
  const auto other_stream = grammar_text(5, 10, GrammarPart::training, 40);
  const auto other_seed = grammar_text(6, 9, GrammarPart::training, 40);
  const auto ids = [](const std::vector<GrammarWord>& words) {
    std::vector<int> list;
    for (const GrammarWord& word : words) list.push_back(word.word);
    return list;
  };
  EXPECT_EQ(ids(a), ids(b));
  EXPECT_NE(ids(a), ids(other_stream));
  EXPECT_NE(ids(a), ids(other_seed));
  EXPECT_GE(a.size(), 40u);
  std::vector<int> longer = ids(grammar_text(5, 9, GrammarPart::training, 200));
  EXPECT_GE(longer.size(), 200u);
  longer.resize(a.size());
  EXPECT_EQ(longer, ids(a));
}

TEST(Grammar, VerbsAgreeWithTheirSubjects) {
  const auto table = numbers();
  std::map<std::string, const GrammarVerb*> ones, manys;
  for (const GrammarVerb& verb : grammar_verbs()) ones[verb.one] = &verb, manys[verb.many] = &verb;
  int verbs = 0, distracted = 0;
  for (const auto& words : some_texts(GrammarPart::training, 400)) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const GrammarWord& word = words[i];
      EXPECT_EQ(word.subject >= 0, word.other_form >= 0);
      if (word.subject < 0) {
        EXPECT_FALSE(word.distracted);
        continue;
      }
      ASSERT_LT(word.subject, static_cast<int>(i));
      const WordNumber subject = table.at(text_at(words, word.subject));
      const bool one = subject == WordNumber::one;
      const auto& forms = one ? ones : manys;
      ASSERT_TRUE(forms.count(text_of(word))) << text_at(words, word.subject) << " … " << text_of(word);
      const GrammarVerb& verb = *forms.at(text_of(word));
      EXPECT_EQ(grammar_words()[static_cast<std::size_t>(word.other_form)], one ? verb.many : verb.one);
      // A noun of the other number between the two; the second of two names belongs to the subject.
      std::size_t from = static_cast<std::size_t>(word.subject) + 1;
      if (text_at(words, word.subject) == "and") ++from;
      bool between = false;
      for (std::size_t j = from; j < i; ++j) {
        const auto found = table.find(text_of(words[j]));
        const bool noun = words[j].number != WordNumber::none;
        between = between || (noun && found->second != subject);
      }
      EXPECT_EQ(word.distracted, between);
      ++verbs, distracted += between;
    }
  }
  EXPECT_GT(verbs, 2000);
  EXPECT_GT(distracted, 400);
}

TEST(Grammar, AVerbThatAgreesAlwaysSaysSo) {
  // "is", "are", "was", "were" and the singular forms stand nowhere else.
  std::set<std::string> telling = {"are", "were"};
  for (const GrammarVerb& verb : grammar_verbs()) telling.insert(verb.one);
  for (const auto& words : some_texts(GrammarPart::training, 100)) {
    for (const GrammarWord& word : words) {
      if (telling.count(text_of(word))) {
        EXPECT_GE(word.subject, 0) << text_of(word);
      }
    }
  }
}

TEST(Grammar, PronounsGoBackToSomebodyOfTheirNumberAndGender) {
  struct Who {
    WordNumber number;
    WordGender gender;
  };
  constexpr WordNumber one = WordNumber::one, many = WordNumber::many;
  const std::map<std::string, Who> pronouns = {
      {"he", {one, WordGender::he}},      {"him", {one, WordGender::he}},
      {"his", {one, WordGender::he}},     {"she", {one, WordGender::she}},
      {"her", {one, WordGender::she}},    {"it", {one, WordGender::it}},
      {"its", {one, WordGender::it}},     {"they", {many, WordGender::none}},
      {"them", {many, WordGender::none}}, {"their", {many, WordGender::none}}};
  std::map<std::string, Who> table = pronouns;  // "she opens her door" goes back to "she"
  table["and"] = {many, WordGender::none};
  for (const GrammarNoun& noun : grammar_nouns()) {
    table[noun.one] = {one, noun.gender}, table[noun.many] = {many, WordGender::none};
  }
  for (const GrammarNoun& name : grammar_names()) table[name.one] = {one, name.gender};
  std::map<std::string, int> seen;
  for (const auto& words : some_texts(GrammarPart::training, 400)) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& text = text_of(words[i]);
      const auto pronoun = pronouns.find(text);
      ASSERT_EQ(words[i].antecedent >= 0, pronoun != pronouns.end()) << text;
      if (pronoun == pronouns.end()) continue;
      ASSERT_LT(words[i].antecedent, static_cast<int>(i));
      const std::string& back = text_at(words, words[i].antecedent);
      ASSERT_TRUE(table.count(back)) << back;
      EXPECT_EQ(table.at(back).number, pronoun->second.number) << back << " … " << text;
      EXPECT_EQ(table.at(back).gender, pronoun->second.gender) << back << " … " << text;
      ++seen[text];
    }
  }
  for (const auto& [text, who] : pronouns) EXPECT_GT(seen[text], 5) << text;
}

TEST(Grammar, QuotesOpenAndClose) {
  int pairs = 0;
  for (const auto& words : some_texts(GrammarPart::training, 300)) {
    int open = -1;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool quote = text_of(words[i]) == "\"";
      if (!quote || open < 0) {
        EXPECT_EQ(words[i].opening, -1);
        if (quote) open = static_cast<int>(i);
        continue;
      }
      EXPECT_EQ(words[i].opening, open);
      open = -1, ++pairs;
    }
    EXPECT_EQ(open, -1);
  }
  EXPECT_GT(pairs, 100);
}

TEST(Grammar, NamesReturn) {
  const std::set<std::string> all = names();
  int returned = 0;
  for (const auto& words : some_texts(GrammarPart::training, 300)) {
    std::map<std::string, int> last;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& text = text_of(words[i]);
      const bool before = all.count(text) && last.count(text);
      EXPECT_EQ(words[i].mention, before ? last[text] : -1) << text;
      returned += before;
      if (all.count(text)) last[text] = static_cast<int>(i);
    }
  }
  EXPECT_GT(returned, 200);
}

TEST(Grammar, AnBeforeAVowelAndOneAfterEvery) {
  const auto table = numbers();
  const std::set<std::string> one = {"a", "an", "this", "every"},
                              many = {"these", "some", "many", "two", "three"};
  for (const auto& words : some_texts(GrammarPart::training, 200)) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const std::string& text = text_of(words[i]);
      const bool vowel = std::string("aeiou").find(text_of(words[i + 1])[0]) != std::string::npos;
      if (text == "a") {
        EXPECT_FALSE(vowel) << text_of(words[i + 1]);
      }
      if (text == "an") {
        EXPECT_TRUE(vowel) << text_of(words[i + 1]);
      }
      if (!one.count(text) && !many.count(text)) continue;
      std::size_t noun = i + 1;
      while (noun < words.size() && words[noun].number == WordNumber::none) ++noun;
      ASSERT_LE(noun, i + 2);  // at most one adjective between
      EXPECT_EQ(words[noun].number, one.count(text) ? WordNumber::one : WordNumber::many);
    }
  }
}

TEST(Grammar, NoSentenceIsBothTrainedOnAndMeasuredWith) {
  std::set<std::vector<int>> trained, measured;
  for (const auto& words : some_texts(GrammarPart::training, 2000)) {
    for (const auto& s : sentences(words)) trained.insert(s);
  }
  for (const auto& words : some_texts(GrammarPart::measuring, 200)) {
    for (const auto& s : sentences(words)) measured.insert(s);
  }
  EXPECT_GT(trained.size(), 5000u);
  EXPECT_GT(measured.size(), 500u);
  for (const auto& s : measured) EXPECT_FALSE(trained.count(s));
  for (const auto& s : trained) EXPECT_EQ(part_of(s), GrammarPart::training);
  for (const auto& s : measured) EXPECT_EQ(part_of(s), GrammarPart::measuring);
}

TEST(Grammar, SentencesToLookAtAreInItsWords) {
  const Encoder encoder(word_vocabulary(grammar_words()));
  for (const std::string& sentence : grammar_examples()) {
    for (const ModelToken& token : encoder.split(sentence)) {
      EXPECT_TRUE(token.known) << token.token.text << " in " << sentence;
    }
    EXPECT_EQ(encoder.decode(encoder.encode(sentence)), sentence);
  }
  // As a person types it.
  EXPECT_EQ(encoder.encode("The Queen says, \"John is tired.\""),
            encoder.encode("the queen says , \" john is tired . \""));
}

}  // namespace
}  // namespace headlight::nn
