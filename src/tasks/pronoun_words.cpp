#include "tasks/pronoun_words.h"

#include <unordered_map>

#include "base/check.h"

namespace headlight::nn {

namespace {

constexpr unsigned lifeless = way | object | food, every_kind = living | lifeless;

}  // namespace

const std::vector<PronounNoun>& pronoun_nouns() {
  using enum WordGender;
  static const std::vector<PronounNoun> list = {
      {"animal", "animals", it, living}, {"dog", "dogs", it, living},     {"cat", "cats", it, living},
      {"horse", "horses", it, living},   {"bird", "birds", it, living},   {"boy", "boys", he, living},
      {"man", "men", he, living},        {"girl", "girls", she, living},  {"woman", "women", she, living},
      {"street", "streets", it, way},    {"road", "roads", it, way},      {"bridge", "bridges", it, way},
      {"river", "rivers", it, way},      {"field", "fields", it, way},    {"box", "boxes", it, object},
      {"cup", "cups", it, object},       {"chair", "chairs", it, object}, {"bottle", "bottles", it, object},
      {"ball", "balls", it, object},     {"apple", "apples", it, food},   {"cake", "cakes", it, food},
      {"egg", "eggs", it, food},         {"carrot", "carrots", it, food}, {"pear", "pears", it, food},
  };
  return list;
}

const std::vector<PronounReason>& pronoun_reasons() {
  static const std::vector<PronounReason> list = {
      {"tired", living},   {"hungry", living},    {"thirsty", living}, {"scared", living},
      {"sleepy", living},  {"lazy", living},      {"wide", way},       {"narrow", way},
      {"icy", way},        {"busy", way},         {"flooded", way},    {"broken", object},
      {"heavy", object},   {"fragile", object},   {"full", object},    {"ripe", food},
      {"rotten", food},    {"sweet", food},       {"fresh", food},     {"old", every_kind},
      {"big", every_kind}, {"small", every_kind},
  };
  return list;
}

const std::vector<PronounVerb>& pronoun_verbs() {
  static const std::vector<PronounVerb> list = {
      {"cross", "crosses", "crossed", "crossed", living, way},
      {"reach", "reaches", "reached", "reached", living | object | food, every_kind},
      {"leave", "leaves", "left", "left", living, way | object | food},
      {"lift", "lifts", "lifted", "lifted", living, object | food},
      {"open", "opens", "opened", "opened", living, object},
      {"push", "pushes", "pushed", "pushed", living, object | living},
      {"eat", "eats", "ate", "eaten", living, food},
      {"carry", "carries", "carried", "carried", living | object, object | food | living},
      {"chase", "chases", "chased", "chased", living, living},
      {"follow", "follows", "followed", "followed", living, living | way},
      {"see", "sees", "saw", "seen", living, every_kind},
      {"want", "wants", "wanted", "wanted", living, every_kind},
      {"stop", "stops", "stopped", "stopped", lifeless | living, living | object},
      {"block", "blocks", "blocked", "blocked", lifeless, way},
      {"help", "helps", "helped", "helped", every_kind, living},
      {"touch", "touches", "touched", "touched", every_kind, every_kind},
      {"hide", "hides", "hid", "hidden", every_kind, every_kind},
  };
  return list;
}

const std::vector<std::string>& pronoun_words() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> words;
    const auto add = [&](const char* text) {
      for (const std::string& word : words) {
        if (word == text) return;
      }
      words.emplace_back(text);
    };
    for (const char* text : {".",  ",",     "the",  "a",    "an", "this", "these", "some", "because", "since",
                             "it", "he",    "she",  "they", "is", "are",  "was",   "were", "did",     "does",
                             "do", "could", "will", "not",  "be", "by",   "too",   "so",   "very"}) {
      add(text);
    }
    for (const PronounNoun& noun : pronoun_nouns()) add(noun.one), add(noun.many);
    for (const PronounReason& reason : pronoun_reasons()) add(reason.text);
    for (const PronounVerb& verb : pronoun_verbs()) {
      add(verb.base), add(verb.third), add(verb.past), add(verb.participle);
    }
    return words;
  }();
  return list;
}

int pronoun_word_id(std::string_view text) {
  static const std::unordered_map<std::string_view, int> ids = [] {
    std::unordered_map<std::string_view, int> map;
    for (const std::string& word : pronoun_words()) map.emplace(word, static_cast<int>(map.size()));
    return map;
  }();
  const auto found = ids.find(text);
  HEADLIGHT_CHECK(found != ids.end());
  return found->second;
}

}  // namespace headlight::nn
