#include "tasks/grammar_words.h"

#include <unordered_map>

#include "base/check.h"

namespace headlight::nn {

namespace {

constexpr WordGender he = WordGender::he, she = WordGender::she, it = WordGender::it;
constexpr unsigned alive = person | animal, solid = animal | thing, all = person | animal | thing | place;

void add_once(std::vector<std::string>& words, const char* text) {
  if (*text == 0) return;
  for (const std::string& word : words) {
    if (word == text) return;
  }
  words.push_back(text);
}

}  // namespace

const std::vector<NounEntry>& noun_entries() {
  static const std::vector<NounEntry> list = {
      {{"king", "kings", he}, person},       {{"queen", "queens", she}, person},
      {{"man", "men", he}, person},          {{"woman", "women", she}, person},
      {{"boy", "boys", he}, person},         {{"girl", "girls", she}, person},
      {{"prince", "princes", he}, person},   {{"lady", "ladies", she}, person},
      {{"father", "fathers", he}, person},   {{"mother", "mothers", she}, person},
      {{"brother", "brothers", he}, person}, {{"sister", "sisters", she}, person},
      {{"son", "sons", he}, person},         {{"daughter", "daughters", she}, person},
      {{"uncle", "uncles", he}, person},     {{"aunt", "aunts", she}, person},
      {{"dog", "dogs", it}, animal},         {{"cat", "cats", it}, animal},
      {{"horse", "horses", it}, animal},     {{"bird", "birds", it}, animal},
      {{"fox", "foxes", it}, animal},        {{"cow", "cows", it}, animal},
      {{"duck", "ducks", it}, animal},       {{"rabbit", "rabbits", it}, animal},
      {{"lion", "lions", it}, animal},       {{"animal", "animals", it}, animal},
      {{"key", "keys", it}, thing},          {{"cabinet", "cabinets", it}, thing},
      {{"door", "doors", it}, thing},        {{"box", "boxes", it}, thing},
      {{"book", "books", it}, thing},        {{"letter", "letters", it}, thing},
      {{"cup", "cups", it}, thing},          {{"table", "tables", it}, thing},
      {{"chair", "chairs", it}, thing},      {{"lamp", "lamps", it}, thing},
      {{"window", "windows", it}, thing},    {{"picture", "pictures", it}, thing},
      {{"coat", "coats", it}, thing},        {{"bag", "bags", it}, thing},
      {{"bottle", "bottles", it}, thing},    {{"basket", "baskets", it}, thing},
      {{"bell", "bells", it}, thing},        {{"boat", "boats", it}, thing},
      {{"knife", "knives", it}, thing},      {{"shelf", "shelves", it}, thing},
      {{"stone", "stones", it}, thing},      {{"apple", "apples", it}, thing},
      {{"flower", "flowers", it}, thing},    {{"mat", "mats", it}, thing},
      {{"garden", "gardens", it}, place},    {{"house", "houses", it}, place},
      {{"village", "villages", it}, place},  {{"forest", "forests", it}, place},
      {{"river", "rivers", it}, place},      {{"kitchen", "kitchens", it}, place},
      {{"tower", "towers", it}, place},      {{"market", "markets", it}, place},
      {{"bridge", "bridges", it}, place},    {{"school", "schools", it}, place},
      {{"street", "streets", it}, place},    {{"room", "rooms", it}, place},
  };
  return list;
}

const std::vector<GrammarNoun>& grammar_names() {
  static const std::vector<GrammarNoun> list = {
      {"john", "", he},  {"mary", "", she},  {"peter", "", he}, {"anna", "", she},
      {"paul", "", he},  {"emma", "", she},  {"henry", "", he}, {"clara", "", she},
      {"james", "", he}, {"alice", "", she}, {"david", "", he}, {"laura", "", she},
      {"simon", "", he}, {"julia", "", she}, {"oscar", "", he}, {"helen", "", she}};
  return list;
}

const std::vector<AdjectiveEntry>& adjective_entries() {
  static const std::vector<AdjectiveEntry> list = {{"old", all},
                                                   {"new", thing | place},
                                                   {"small", all},
                                                   {"large", all},
                                                   {"little", all},
                                                   {"quiet", all},
                                                   {"strange", all},
                                                   {"beautiful", all},
                                                   {"young", alive},
                                                   {"tired", alive},
                                                   {"hungry", alive},
                                                   {"happy", alive},
                                                   {"sad", alive},
                                                   {"brave", alive},
                                                   {"clever", alive},
                                                   {"lazy", alive},
                                                   {"quick", alive},
                                                   {"kind", person},
                                                   {"brown", solid},
                                                   {"white", solid},
                                                   {"black", solid},
                                                   {"red", thing},
                                                   {"green", thing},
                                                   {"heavy", thing},
                                                   {"empty", thing | place},
                                                   {"broken", thing},
                                                   {"dark", place},
                                                   {"wooden", thing}};
  return list;
}

const std::vector<VerbEntry>& verb_entries() {
  static const std::vector<VerbEntry> list = {
      {{"sees", "see"}, alive, all},
      {{"likes", "like"}, alive, all},
      {{"finds", "find"}, alive, all},
      {{"watches", "watch"}, alive, all},
      {{"follows", "follow"}, alive, alive},
      {{"chases", "chase"}, animal, alive},
      {{"thanks", "thank"}, person, person},
      {{"helps", "help"}, person, alive},
      {{"visits", "visit"}, person, person | place},
      {{"calls", "call"}, person, alive},
      {{"feeds", "feed"}, person, animal},
      {{"opens", "open"}, person, thing},
      {{"carries", "carry"}, person, thing},
      {{"takes", "take"}, person, thing},
      {{"buys", "buy"}, person, solid},
      {{"paints", "paint"}, person, all},
      {{"cleans", "clean"}, person, thing | place},
      {{"holds", "hold"}, person, thing},
      {{"hides", "hide"}, person, thing},
      {{"wants", "want"}, person, solid},
      {{"crosses", "cross"}, alive, place},
      {{"smiles", "smile"}, person, 0},
      {{"laughs", "laugh"}, person, 0},
      {{"sings", "sing"}, person, 0},
      {{"works", "work"}, person, 0},
      {{"sleeps", "sleep"}, alive, 0},
      {{"waits", "wait"}, alive, 0},
      {{"runs", "run"}, alive, 0},
      {{"eats", "eat"}, alive, 0},
      {{"jumps", "jump"}, alive, 0},
      {{"rests", "rest"}, alive, 0},
      {{"stands", "stand"}, all, 0},
      {{"lies", "lie"}, animal | thing | place, 0},
      {{"falls", "fall"}, solid, 0},
  };
  return list;
}

const std::vector<GrammarVerb>& saying_verbs() {
  static const std::vector<GrammarVerb> list = {
      {"says", "say"}, {"whispers", "whisper"}, {"thinks", "think"}, {"answers", "answer"}};
  return list;
}

const std::vector<GrammarVerb>& giving_verbs() {
  static const std::vector<GrammarVerb> list = {
      {"gives", "give"}, {"brings", "bring"}, {"shows", "show"}, {"sends", "send"}};
  return list;
}

const std::vector<GrammarVerb>& meeting_verbs() {
  static const std::vector<GrammarVerb> list = {
      {"meets", "meet"}, {"walks", "walk"}, {"talks", "talk"}, {"sits", "sit"}};
  return list;
}

const std::vector<GrammarVerb>& auxiliary_verbs() {
  static const std::vector<GrammarVerb> list = {
      {"is", "are"}, {"was", "were"}, {"has", "have"}, {"does", "do"}, {"goes", "go"}};
  return list;
}

const std::vector<PlainEntry>& past_verbs() {
  static const std::vector<PlainEntry> list = {
      {"sat", alive}, {"slept", alive}, {"waited", alive}, {"stood", all}, {"fell", solid}};
  return list;
}

const std::vector<const char*>& manner_words() {
  static const std::vector<const char*> list = {"slowly", "often", "again", "alone", "now", "today"};
  return list;
}

const std::vector<const char*>& place_words() {
  static const std::vector<const char*> list = {"in", "on", "under", "behind", "near", "beside"};
  return list;
}

const std::vector<const char*>& function_words() {
  static const std::vector<const char*> list = {
      ".",    ",",   "\"",    "!",     "the", "a",   "an",      "this",  "these", "some",
      "many", "two", "three", "every", "he",  "she", "it",      "they",  "him",   "her",
      "them", "his", "its",   "their", "and", "but", "because", "while", "when",  "who",
      "that", "not", "very",  "too",   "to",  "of",  "with",    "from",  "over"};
  return list;
}

const std::vector<GrammarNoun>& grammar_nouns() {
  static const std::vector<GrammarNoun> list = [] {
    std::vector<GrammarNoun> nouns;
    for (const NounEntry& entry : noun_entries()) nouns.push_back(entry.noun);
    return nouns;
  }();
  return list;
}

const std::vector<GrammarVerb>& grammar_verbs() {
  static const std::vector<GrammarVerb> list = [] {
    std::vector<GrammarVerb> verbs;
    for (const VerbEntry& entry : verb_entries()) verbs.push_back(entry.verb);
    for (const auto* more : {&saying_verbs(), &giving_verbs(), &meeting_verbs(), &auxiliary_verbs()}) {
      verbs.insert(verbs.end(), more->begin(), more->end());
    }
    return verbs;
  }();
  return list;
}

const std::vector<std::string>& grammar_words() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> words;
    for (const char* text : function_words()) add_once(words, text);
    for (const auto* nouns : {&grammar_nouns(), &grammar_names()}) {
      for (const GrammarNoun& noun : *nouns) add_once(words, noun.one), add_once(words, noun.many);
    }
    for (const GrammarVerb& verb : grammar_verbs()) add_once(words, verb.one), add_once(words, verb.many);
    for (const AdjectiveEntry& entry : adjective_entries()) add_once(words, entry.text);
    for (const PlainEntry& entry : past_verbs()) add_once(words, entry.text);
    for (const char* text : manner_words()) add_once(words, text);
    for (const char* text : place_words()) add_once(words, text);
    return words;
  }();
  return list;
}

int word_id(std::string_view text) {
  static const std::unordered_map<std::string_view, int> ids = [] {
    std::unordered_map<std::string_view, int> map;
    for (const std::string& word : grammar_words()) map.emplace(word, static_cast<int>(map.size()));
    return map;
  }();
  const auto at = ids.find(text);
  HEADLIGHT_CHECK(at != ids.end());
  return at->second;
}

const std::vector<std::string>& grammar_examples() {
  static const std::vector<std::string> list = {
      "the keys to the old cabinet are on the table .",
      "the key to the old cabinets is on the table .",
      "the dogs that the king feeds are hungry .",
      "when mary and john meet in the garden , john gives a book to mary .",
      "the queen says , \" the horses near the river are tired . \"",
      "the animal does not cross the street because it is too tired .",
      "the boy takes the apples and hides them .",
      "anna visits her brothers . they are happy .",
      "the cat sat on the mat .",
  };
  return list;
}

}  // namespace headlight::nn
