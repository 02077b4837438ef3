// The words of the grammar by how they can be used. For grammar.cpp only; other files include grammar.h.
#pragma once

#include <string_view>
#include <vector>

#include "tasks/grammar.h"

namespace headlight::nn {

/// The kind of thing a noun names; sets of kinds are bit masks.
enum NounClass : unsigned { person = 1, animal = 2, thing = 4, place = 8 };

struct NounEntry {
  GrammarNoun noun;
  NounClass is;
};
struct AdjectiveEntry {
  const char* text;
  unsigned fits;  // classes
};
struct VerbEntry {
  GrammarVerb verb;
  unsigned subjects, objects;  // classes; no objects: intransitive
};
struct PlainEntry {
  const char* text;
  unsigned fits;
};

const std::vector<NounEntry>& noun_entries();
const std::vector<AdjectiveEntry>& adjective_entries();
const std::vector<VerbEntry>& verb_entries();       // "opens", "smiles"
const std::vector<GrammarVerb>& saying_verbs();     // before a quote, or before "that"
const std::vector<GrammarVerb>& giving_verbs();     // somebody something
const std::vector<GrammarVerb>& meeting_verbs();    // what two people do together
const std::vector<GrammarVerb>& auxiliary_verbs();  // is, was, has, does, goes
const std::vector<PlainEntry>& past_verbs();        // "sat": one form for both numbers
const std::vector<const char*>& manner_words();     // "slowly"
const std::vector<const char*>& place_words();      // prepositions of a place
const std::vector<const char*>& function_words();   // all others, punctuation included

/// Returns the index in grammar_words(); the word must be one of them.
int word_id(std::string_view text);

}  // namespace headlight::nn
