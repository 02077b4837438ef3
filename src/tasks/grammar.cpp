#include "tasks/grammar.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "tasks/draws.h"
#include "tasks/grammar_words.h"

namespace headlight::nn {

namespace {

/// A person or thing that a text mentions.
struct Referent {
  int at = -1;   // position of its noun or name, or of the "and" between two
  int end = -1;  // position of its last word, before any addition ("to the cabinet")
  WordNumber number = WordNumber::one;
  WordGender gender = WordGender::it;
  NounClass is = thing;
};

struct NamedPerson {
  int name = 0;  // index in grammar_names()
  int at = -1;   // position of the name's last mention
};

constexpr NounClass classes[] = {person, animal, thing, place};

bool starts_with_vowel(std::string_view word) {
  return word.find_first_of("aeiou") == 0;
}

WordNumber other(WordNumber number) {
  return number == WordNumber::one ? WordNumber::many : WordNumber::one;
}

/// Sorts the words of a list by the classes they fit, so that one random number draws a word.
template <class Entry, class Fits>
std::array<std::vector<const Entry*>, 9> by_class(const std::vector<Entry>& list, Fits fits) {
  std::array<std::vector<const Entry*>, 9> table;
  for (NounClass is : classes) {
    for (const Entry& entry : list) {
      if (fits(entry) & is) table[is].push_back(&entry);
    }
  }
  return table;
}

/// Writes one text, sentence by sentence.
class Writer {
 public:
  Writer(std::uint64_t seed, std::uint64_t stream) : draws_(seed, stream) {}

  void write(GrammarPart part, int length) {
    while (static_cast<int>(words_.size()) < length) {
      const std::size_t begin = words_.size();
      const std::vector<NamedPerson> names = names_;
      const Referent topic = topic_;
      for (;;) {
        sentence();
        std::vector<int> ids;
        for (std::size_t i = begin; i < words_.size(); ++i) ids.push_back(words_[i].word);
        if (part_of(ids) == part) break;
        words_.resize(begin), names_ = names, topic_ = topic;
      }
    }
  }
  std::vector<GrammarWord> take() { return std::move(words_); }

 private:
  int say(std::string_view text) {
    GrammarWord word;
    word.word = word_id(text);
    words_.push_back(word);
    return static_cast<int>(words_.size()) - 1;
  }
  GrammarWord& back() { return words_.back(); }
  WordNumber any_number() { return draws_.chance(50) ? WordNumber::one : WordNumber::many; }

  // Nouns and names.

  const char* determiner(WordNumber number, bool vowel) {
    static constexpr const char* one[] = {"the", "the", "the", "the", "a", "a", "this", "every"};
    static constexpr const char* many[] = {"the",  "the",  "the", "the",  "these",
                                           "some", "many", "two", "three"};
    if (number == WordNumber::many) return many[draws_.below(9)];
    const char* text = one[draws_.below(8)];
    return vowel && std::string_view(text) == "a" ? "an" : text;
  }

  /// "the old keys"; with an owner "her old keys", where the pronoun refers to the owner.
  Referent noun_phrase(NounClass is, WordNumber number, const Referent* owner = nullptr) {
    static const auto nouns = by_class(noun_entries(), [](const NounEntry& e) { return unsigned(e.is); });
    static const auto adjectives =
        by_class(adjective_entries(), [](const AdjectiveEntry& e) { return e.fits; });
    const GrammarNoun& noun = draws_.one_of(nouns[is])->noun;
    const char* text = number == WordNumber::one ? noun.one : noun.many;
    const char* adjective = draws_.chance(30) ? draws_.one_of(adjectives[is])->text : "";
    if (owner) {
      say(pronoun(*owner, "his", "her", "its", "their"));
      back().antecedent = owner->at;
    } else {
      say(determiner(number, starts_with_vowel(*adjective ? adjective : text)));
    }
    if (*adjective) say(adjective);
    const int at = say(text);
    back().number = number;
    return {at, at, number, noun.gender, is};
  }

  static const char* pronoun(const Referent& who, const char* he, const char* she, const char* it,
                             const char* they) {
    if (who.number == WordNumber::many) return they;
    return who.gender == WordGender::he ? he : who.gender == WordGender::she ? she : it;
  }

  /// Writes a name and remembers the person.
  Referent name(int which) {
    const auto known =
        std::find_if(names_.begin(), names_.end(), [&](const NamedPerson& p) { return p.name == which; });
    const GrammarNoun& entry = grammar_names()[static_cast<std::size_t>(which)];
    const int at = say(entry.one);
    back().number = WordNumber::one;
    if (known == names_.end()) {
      names_.push_back({which, at});
    } else {
      back().mention = known->at, known->at = at;
    }
    return {at, at, WordNumber::one, entry.gender, person};
  }
  /// Returns a name that was mentioned before, other than `but`, if there is one; or a new one.
  int choose_name(int but) {
    std::vector<int> known;
    for (const NamedPerson& p : names_) {
      if (p.name != but) known.push_back(p.name);
    }
    if (!known.empty() && draws_.chance(75)) return draws_.one_of(known);
    for (;;) {
      const int which = draws_.below(static_cast<int>(grammar_names().size()));
      if (which != but) return which;
    }
  }

  Referent two_names(int first, int second) {
    name(first);
    const int at = say("and");
    const int end = name(second).end;
    return {at, end, WordNumber::many, WordGender::none, person};
  }

  /// Writes the subject of a sentence: a name, two names, or a noun with additions.
  Referent subject() {
    if (draws_.chance(20)) {
      const int first = choose_name(-1);
      if (draws_.chance(35)) return two_names(first, choose_name(first));
      return name(first);
    }
    static constexpr NounClass likely[] = {person, person, person, animal, animal,
                                           thing,  thing,  thing,  place};
    const Referent who = noun_phrase(likely[draws_.below(9)], any_number());
    add_to(who);
    return who;
  }
  Referent person_subject() {
    if (draws_.chance(40)) return name(choose_name(-1));
    const Referent who = noun_phrase(person, any_number());
    if (draws_.chance(60)) add_place(who);
    return who;
  }

  /// Adds nouns between a subject and its verb, usually of the other number.
  void add_to(const Referent& who) {
    const int kind = draws_.below(100);
    if (kind < 55) {
      add_place(who);
      if (draws_.chance(15)) say("in"), noun_phrase(place, any_number());
    } else if (kind < 75) {
      add_clause(who);
    }
  }
  void add_place(const Referent& who) {
    const WordNumber number = draws_.chance(60) ? other(who.number) : who.number;
    static constexpr const char* living[] = {"near", "behind", "with", "from"};
    static constexpr const char* lifeless[] = {"to", "of", "in", "under", "near", "beside"};
    const bool lives = who.is == person || who.is == animal;
    const std::string_view text = lives ? living[draws_.below(4)] : lifeless[draws_.below(6)];
    say(text);
    NounClass is = draws_.chance(50) ? thing : place;
    if (text == "with") is = draws_.chance(50) ? animal : thing;
    if (text == "from") is = place;
    noun_phrase(is, number);
  }
  /// "who see the dogs", "that the man feeds".
  void add_clause(const Referent& who) {
    const WordNumber number = draws_.chance(60) ? other(who.number) : who.number;
    say(who.is == person ? "who" : "that");
    if (draws_.chance(50) && (who.is == person || who.is == animal)) {
      const VerbEntry& action = transitive(who.is);
      verb(action.verb, who);
      noun_phrase(class_of(action.objects), number);
    } else {
      const Referent doer = noun_phrase(person, number);
      for (;;) {
        const VerbEntry& action = transitive(person);
        if (!(action.objects & who.is)) continue;
        verb(action.verb, doer);
        return;
      }
    }
  }

  // Verbs.

  NounClass class_of(unsigned set) {
    for (;;) {
      const NounClass is = classes[draws_.below(4)];
      if (set & is) return is;
    }
  }
  const VerbEntry& transitive(NounClass subject) {
    static const auto table =
        by_class(verb_entries(), [](const VerbEntry& e) { return e.objects ? e.subjects : 0; });
    return *draws_.one_of(table[subject]);
  }
  const VerbEntry& intransitive(NounClass subject) {
    static const auto table =
        by_class(verb_entries(), [](const VerbEntry& e) { return e.objects ? 0 : e.subjects; });
    return *draws_.one_of(table[subject]);
  }

  void verb(const GrammarVerb& forms, const Referent& who) {
    const bool one = who.number == WordNumber::one;
    bool distracted = false;
    for (std::size_t i = static_cast<std::size_t>(who.end) + 1; i < words_.size(); ++i) {
      distracted = distracted || (words_[i].number != WordNumber::none && words_[i].number != who.number);
    }
    say(one ? forms.one : forms.many);
    back().subject = who.at;
    back().other_form = word_id(one ? forms.many : forms.one);
    back().distracted = distracted;
  }
  /// is, was, has, does, goes.
  void auxiliary(int which, const Referent& who) {
    verb(auxiliary_verbs()[static_cast<std::size_t>(which)], who);
  }

  void somewhere() {
    say(draws_.one_of(place_words()));
    noun_phrase(draws_.chance(50) ? place : thing, any_number());
  }
  void quality(const Referent& who) {
    static const auto table = by_class(adjective_entries(), [](const AdjectiveEntry& e) { return e.fits; });
    say(draws_.one_of(table[who.is])->text);
  }

  /// Writes what `who` does or is. Returns the object of the action, if any.
  Referent predicate(const Referent& who) {
    const bool lives = who.is == person || who.is == animal;
    const int kind = draws_.below(100);
    if (kind < 25) {
      auxiliary(draws_.chance(75) ? 0 : 1, who);
      if (draws_.chance(20)) say("very");
      quality(who);
    } else if (kind < 45) {
      auxiliary(draws_.chance(75) ? 0 : 1, who);
      somewhere();
    } else if (kind < 50) {
      static const auto table = by_class(past_verbs(), [](const PlainEntry& e) { return e.fits; });
      if (table[who.is].empty()) return predicate(who);
      say(draws_.one_of(table[who.is])->text);
      somewhere();
    } else if (kind < 58) {
      auxiliary(3, who);
      say("not");
      if (!lives) {
        say(intransitive(who.is).verb.many);
        return {};
      }
      const VerbEntry& action = transitive(who.is);
      say(action.verb.many);
      return noun_phrase(class_of(action.objects), any_number());
    } else if (kind < 72 || !lives) {
      verb(intransitive(who.is).verb, who);
      if (draws_.chance(50)) {
        somewhere();
      } else if (draws_.chance(50)) {
        say(draws_.one_of(manner_words()));
      }
    } else if (kind < 78) {
      auxiliary(4, who);
      say("to"), noun_phrase(place, WordNumber::one);
    } else if (kind < 83) {
      auxiliary(2, who);
      return noun_phrase(draws_.chance(50) ? animal : thing, any_number());
    } else {
      const VerbEntry& action = transitive(who.is);
      verb(action.verb, who);
      return noun_phrase(class_of(action.objects), any_number(), draws_.chance(35) ? &who : nullptr);
    }
    return {};
  }

  // Sentences.

  /// Writes "he", "they" … for `who`.
  Referent again(const Referent& who) {
    const int at = say(pronoun(who, "he", "she", "it", "they"));
    back().antecedent = who.at;
    return {at, at, who.number, who.gender, who.is};
  }

  void sentence() {
    const int kind = draws_.below(100);
    if (topic_.at >= 0 && kind < 30) {
      predicate(again(topic_));
    } else if (kind < 55) {
      topic_ = subject();
      predicate(topic_);
    } else if (kind < 65) {
      joined();
    } else if (kind < 77) {
      quoted();
      return;
    } else if (kind < 87) {
      two_meet();
    } else if (kind < 95) {
      twice();
    } else {
      reported();
    }
    say(".");
  }

  /// "the dogs are tired because they work".
  void joined() {
    static constexpr const char* words[] = {"and", "but", "because", "while"};
    topic_ = subject();
    predicate(topic_);
    const std::string_view text = words[draws_.below(4)];
    say(text);
    const Referent who = again(topic_);
    if (text == "because" && draws_.chance(50)) {
      auxiliary(0, who);
      say("too"), quality(who);
    } else {
      predicate(who);
    }
  }

  /// `the queen says , " the horses are tired . "`.
  void quoted() {
    topic_ = person_subject();
    verb(draws_.one_of(saying_verbs()), topic_);
    say(",");
    const int opening = say("\"");
    predicate(subject());
    say(draws_.chance(75) ? "." : "!");
    say("\"");
    back().opening = opening;
  }

  /// "when mary and john meet in the garden , john gives a book to mary".
  void two_meet() {
    const int first = choose_name(-1), second = choose_name(first);
    say("when");
    const Referent both = two_names(first, second);
    verb(draws_.one_of(meeting_verbs()), both);
    if (draws_.chance(60)) say("in"), noun_phrase(place, WordNumber::one);
    say(",");
    const bool turned = draws_.chance(50);
    topic_ = name(turned ? second : first);
    verb(draws_.one_of(giving_verbs()), topic_);
    noun_phrase(thing, any_number());
    say("to");
    name(turned ? first : second);
  }

  /// "the boy takes the apples and hides them".
  void twice() {
    topic_ = person_subject();
    const VerbEntry& action = transitive(person);
    verb(action.verb, topic_);
    const Referent what = noun_phrase(class_of(action.objects), any_number());
    say("and");
    for (;;) {
      const VerbEntry& second = transitive(person);
      if (!(second.objects & what.is) || &second == &action) continue;
      verb(second.verb, topic_);
      say(pronoun(what, "him", "her", "it", "them"));
      back().antecedent = what.at;
      return;
    }
  }

  /// "the man near the doors thinks that he is tired".
  void reported() {
    topic_ = person_subject();
    verb(saying_verbs()[draws_.chance(50) ? 0 : 2], topic_);
    say("that");
    predicate(again(topic_));
  }

  Draws draws_;
  std::vector<GrammarWord> words_;
  std::vector<NamedPerson> names_;
  Referent topic_;  // the topic of the last sentence
};

}  // namespace

GrammarPart part_of(const std::vector<int>& sentence) {
  std::string bytes;
  for (int word : sentence) {
    bytes += static_cast<char>(word & 0xFF);
    bytes += static_cast<char>(word >> 8 & 0xFF);
  }
  const std::uint64_t hash = hash_text(bytes.data(), bytes.size());
  return (hash ^ hash >> 32) % 8 == 0 ? GrammarPart::measuring : GrammarPart::training;
}

std::vector<GrammarWord> grammar_text(std::uint64_t seed, std::uint64_t stream, GrammarPart part,
                                      int length) {
  HEADLIGHT_CHECK_OP(length, >=, 0);
  Writer writer(seed, stream);
  writer.write(part, length);
  return writer.take();
}

}  // namespace headlight::nn
