// What does a pronoun refer to? Each sentence has two nouns, a reason and a pronoun, and its meaning is
// unambiguous: "the animal did not cross the street because it was too tired". The antecedent is the only one
// of the two nouns that fits both the pronoun, by number and gender, and the reason, by what can be said of
// what. If both nouns fit the pronoun, the reason decides; if both fit the reason, the pronoun decides.
//
// Nothing else gives the answer away: for every verb, nouns, numbers and order, the subject is the antecedent
// as often as the other noun. Active and passive, and the reason before or after the rest, separate the first
// noun, the subject and the nearest noun.
//
// One in five combinations of a noun and a reason is held out. A sentence for training contains none of them,
// not even with the noun that is not meant; a sentence for measuring is about one. The measurement therefore
// tests whether a model applies "tired" to an animal from what it learned about other reasons and other
// nouns. Tested in tests/tasks/pronouns_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/grammar.h"

namespace headlight::nn {

struct PronounNoun {
  const char *one, *many;
  WordGender gender;  // of the singular pronoun
  unsigned is;        // its class
};
struct PronounReason {
  const char* text;
  unsigned fits;  // classes of the nouns that it fits
};

/// What determines the antecedent.
enum class PronounCue { reason, pronoun, both };

/// A sentence and what is known about it. Positions count from 0.
struct PronounSentence {
  std::vector<int> words;        // indices in pronoun_words()
  int subject = 0, other = 0;    // positions of the grammatical subject and of the other noun
  int pronoun = 0, reason = 0;   // positions
  int meant = 0, not_meant = 0;  // positions: the subject and the other noun, in either order
  int meant_noun = 0, other_noun = 0, meant_reason = 0;  // indices in pronoun_nouns() and pronoun_reasons()
  PronounCue cue = PronounCue::both;
};

const std::vector<std::string>& pronoun_words();
const std::vector<PronounNoun>& pronoun_nouns();
const std::vector<PronounReason>& pronoun_reasons();

inline constexpr int shortest_pronoun_sentence = 9,
                     longest_pronoun_sentence = 14;  // words, including the full stop

/// Returns whether this combination is held out for measuring.
bool held_out(int noun, int reason);

/// Returns a sentence of exactly `length` words; the same (seed, stream) gives the same sentence.
PronounSentence pronoun_sentence(std::uint64_t seed, std::uint64_t stream, GrammarPart part, int length);

}  // namespace headlight::nn
