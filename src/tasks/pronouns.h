// What does a pronoun mean? Sentences of two nouns, a reason and a pronoun, in which it can be told: "the
// animal did not cross the street because it was too tired". The noun that is meant is the only one of the
// two that both fit: the pronoun, by number and gender, and the reason, by what can be said of what. Where
// both nouns fit the pronoun, the reason decides; where both fit the reason, the pronoun does.
//
// Nothing else tells: whatever the verb, the nouns, their numbers and their order are, the subject is meant
// as often as the other noun. Active and passive, and the reason behind the rest or before it, make the first
// noun, the subject and the nearest noun different things.
//
// Combinations of a noun and a reason, one in five, are held out: a sentence for training has none of them,
// not even with the noun that is not meant; a sentence for measuring is about one. So what is measured is
// whether "tired" was understood of an animal by what was learned of other reasons and other nouns. Tested in
// tests/tasks/pronouns_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/grammar.h"

namespace headlight::nn {

struct PronounNoun {
  const char *one, *many;
  WordGender gender;  // of the pronoun for one
  unsigned is;        // its class
};
struct PronounReason {
  const char* text;
  unsigned fits;  // classes of nouns that it can be said of
};

/// What decides who is meant.
enum class PronounCue { reason, pronoun, both };

/// A sentence and what is known of it. Positions count from 0.
struct PronounSentence {
  std::vector<int> words;        // indices in pronoun_words()
  int subject = 0, other = 0;    // positions of the grammatical subject and of the other noun
  int pronoun = 0, reason = 0;   // positions
  int meant = 0, not_meant = 0;  // positions: the subject and the other noun, or the other way round
  int meant_noun = 0, other_noun = 0, meant_reason = 0;  // indices in pronoun_nouns() and pronoun_reasons()
  PronounCue cue = PronounCue::both;
};

const std::vector<std::string>& pronoun_words();
const std::vector<PronounNoun>& pronoun_nouns();
const std::vector<PronounReason>& pronoun_reasons();

inline constexpr int shortest_pronoun_sentence = 9,
                     longest_pronoun_sentence = 14;  // words, the stop included

/// Is this combination kept for measuring?
bool held_out(int noun, int reason);

/// A sentence of exactly `length` words: the same for the same (seed, stream).
PronounSentence pronoun_sentence(std::uint64_t seed, std::uint64_t stream, GrammarPart part, int length);

}  // namespace headlight::nn
