// The words of the pronoun sentences, with what can be said of what. For pronouns.cpp only; other files
// include pronouns.h.
#pragma once

#include <string_view>
#include <vector>

#include "tasks/pronouns.h"

namespace headlight::nn {

/// The kind of thing a noun names; sets of kinds are bit masks.
enum PronounClass : unsigned { living = 1, way = 2, object = 4, food = 8 };

struct PronounVerb {
  const char *base, *third, *past, *participle;  // "cross", "crosses", "crossed", "crossed"
  unsigned subjects, objects;                    // classes
};

const std::vector<PronounVerb>& pronoun_verbs();

/// Returns the index in pronoun_words(); the word must be one of them.
int pronoun_word_id(std::string_view text);

}  // namespace headlight::nn
