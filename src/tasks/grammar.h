// Small English: a grammar of our own that writes short texts in which every relation is known. Verbs agree
// with their subject across other nouns ("the keys to the old cabinet are …"), pronouns go back to somebody
// by number and gender, quotes open and close, and of two names that came one comes again. Words are what
// split_words() cuts from typed text, in lower case.
//
// A sentence is for training or for measuring, by a hash of its words (one in eight is for measuring), so
// that no sentence that is measured with was ever trained on; the rest of a text draws again until it fits.
// Tested in tests/tasks/grammar_test.cpp.
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

/// A word of a text and what it goes back to: positions in the text, -1 where there is nothing.
struct GrammarWord {
  int word = 0;                          // index in grammar_words()
  int subject = -1;                      // of a verb that agrees; "and" where the subject is two
  int antecedent = -1;                   // of a pronoun: the noun, the name, or the "and" of two
  int opening = -1;                      // of a quote that closes
  int mention = -1;                      // of a name: where it stood last
  int other_form = -1;                   // of a verb that agrees: the word for the other number
  bool distracted = false;               // a verb with a noun of the other number between it and its subject
  WordNumber number = WordNumber::none;  // of a noun or name
};

enum class GrammarPart { training, measuring };

/// All words, each once; names, nouns and verbs among them.
const std::vector<std::string>& grammar_words();
const std::vector<GrammarNoun>& grammar_nouns();
const std::vector<GrammarNoun>& grammar_names();
const std::vector<GrammarVerb>& grammar_verbs();

/// At least `length` words of whole sentences about the same few things: the same for the same (seed,
/// stream). Its sentences are all of the part.
std::vector<GrammarWord> grammar_text(std::uint64_t seed, std::uint64_t stream, GrammarPart part, int length);

/// The part of a sentence, its end mark included.
GrammarPart part_of(const std::vector<int>& sentence);

/// Sentences to look at, in the words of the grammar.
const std::vector<std::string>& grammar_examples();

}  // namespace headlight::nn
