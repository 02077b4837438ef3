// Small English: a grammar of our own that writes short texts in which every relation is known. Verbs agree
// with their subject across other nouns ("the keys to the old cabinet are …"), pronouns refer to an
// antecedent by number and gender, quotes open and close, and a name is mentioned again later. Words are what
// split_words() cuts from typed text, in lower case.
//
// A hash of its words decides whether a sentence is for training or for measuring (one in eight is for
// measuring), so that no measured sentence was ever trained on. Each sentence of a text is drawn again until
// it fits. Tested in tests/tasks/grammar_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::nn {

enum class WordNumber { none, one, many };
enum class WordGender { none, he, she, it };

struct GrammarNoun {
  const char* one;
  const char* many;  // "" for a name
  WordGender gender;
};
struct GrammarVerb {
  const char* one;  // "opens", "is"
  const char* many;
};

/// A word of a text and the words it refers to: positions in the text, -1 for none.
struct GrammarWord {
  int word = 0;                          // index in grammar_words()
  int subject = -1;                      // for a verb that agrees; the "and" if the subject is two names
  int antecedent = -1;                   // for a pronoun: the noun, the name, or the "and" of two
  int opening = -1;                      // for a closing quote
  int mention = -1;                      // for a name: its last mention before
  int other_form = -1;                   // for a verb that agrees: the form for the other number
  bool distracted = false;               // a noun of the other number is between the verb and its subject
  WordNumber number = WordNumber::none;  // for a noun or name
};

enum class GrammarPart { training, measuring };

/// Returns all words, each once, including the names, nouns and verbs.
const std::vector<std::string>& grammar_words();
const std::vector<GrammarNoun>& grammar_nouns();
const std::vector<GrammarNoun>& grammar_names();
const std::vector<GrammarVerb>& grammar_verbs();

/// Returns at least `length` words of whole sentences about the same few things; the same (seed, stream)
/// gives the same text. All its sentences belong to the part.
std::vector<GrammarWord> grammar_text(std::uint64_t seed, std::uint64_t stream, GrammarPart part, int length);

/// Returns the part of a sentence; the sentence includes its end mark.
GrammarPart part_of(const std::vector<int>& sentence);

/// Returns example sentences in the words of the grammar.
const std::vector<std::string>& grammar_examples();

}  // namespace headlight::nn
