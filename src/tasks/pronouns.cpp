#include "tasks/pronouns.h"

#include <algorithm>
#include <string_view>

#include "base/check.h"
#include "tasks/draws.h"
#include "tasks/pronoun_words.h"

namespace headlight::nn {

namespace {

/// One of the two nouns.
struct Named {
  int noun = 0;  // index in pronoun_nouns()
  bool many = false;
  const PronounNoun& entry() const { return pronoun_nouns()[static_cast<std::size_t>(noun)]; }
  const char* text() const { return many ? entry().many : entry().one; }
  WordGender gender() const { return many ? WordGender::none : entry().gender; }
};

const PronounReason& reason_at(int i) {
  return pronoun_reasons()[static_cast<std::size_t>(i)];
}
bool fits(int reason, const Named& who) {
  return (reason_at(reason).fits & who.entry().is) != 0;
}

/// Returns the reasons of a part for which `meant`, and not `other`, is the antecedent.
std::vector<int> reasons_for(const Named& meant, const Named& other, GrammarPart part) {
  std::vector<int> list;
  for (int r = 0; r < static_cast<int>(pronoun_reasons().size()); ++r) {
    if (!fits(r, meant) || (fits(r, other) && meant.gender() == other.gender())) continue;
    const bool mine = held_out(meant.noun, r), others = held_out(other.noun, r);
    if (part == GrammarPart::training ? mine || others : !mine) continue;
    list.push_back(r);
  }
  return list;
}

class PronounWriter {
 public:
  PronounWriter(std::uint64_t seed, std::uint64_t stream) : draws_(seed, stream) {}

  PronounSentence write(GrammarPart part, int length) {
    for (;;) {
      out_ = {};
      if (!choose(part)) continue;
      sentence();
      if (static_cast<int>(out_.words.size()) == length) return std::move(out_);
    }
  }

 private:
  /// Chooses the verb and the nouns so that both meanings are possible, and only then the antecedent, so that
  /// the verb and the nouns give nothing away.
  bool choose(GrammarPart part) {
    verb_ = &draws_.one_of(pronoun_verbs());
    subject_ = any(verb_->subjects), object_ = any(verb_->objects);
    subject_.many = draws_.chance(50);
    object_.many = draws_.chance(60) ? subject_.many : !subject_.many;
    if (subject_.noun == object_.noun) return false;
    const std::vector<int> of_subject = reasons_for(subject_, object_, part),
                           of_object = reasons_for(object_, subject_, part);
    if (of_subject.empty() || of_object.empty()) return false;
    subject_meant_ = draws_.chance(50);
    reason_ = draws_.one_of(subject_meant_ ? of_subject : of_object);
    const Named &meant = subject_meant_ ? subject_ : object_, &other = subject_meant_ ? object_ : subject_;
    out_.meant_noun = meant.noun, out_.other_noun = other.noun, out_.meant_reason = reason_;
    const bool both_fit = fits(reason_, other), same_pronoun = meant.gender() == other.gender();
    out_.cue = same_pronoun ? PronounCue::reason : both_fit ? PronounCue::pronoun : PronounCue::both;
    return true;
  }

  Named any(unsigned classes) {
    for (;;) {
      const int noun = draws_.below(static_cast<int>(pronoun_nouns().size()));
      if (pronoun_nouns()[static_cast<std::size_t>(noun)].is & classes) return {noun, false};
    }
  }

  void say(std::string_view text) { out_.words.push_back(pronoun_word_id(text)); }
  int at() const { return static_cast<int>(out_.words.size()); }

  void noun(const Named& who) {
    static constexpr const char* one[] = {"the", "the", "the", "the", "the", "the", "a", "this"};
    static constexpr const char* many[] = {"the", "the", "the", "the", "the", "the", "some", "these"};
    const std::string_view determiner = who.many ? many[draws_.below(8)] : one[draws_.below(8)];
    const bool vowel = std::string_view("aeiou").find(who.text()[0]) != std::string_view::npos;
    say(determiner == "a" && vowel ? "an" : determiner);
    const bool is_subject = &who == (passive_ ? &object_ : &subject_);
    (is_subject ? out_.subject : out_.other) = at();
    ((&who == &subject_) == subject_meant_ ? out_.meant : out_.not_meant) = at();
    say(who.text());
  }

  void sentence() {
    past_ = draws_.chance(65), denied_ = draws_.chance(65), passive_ = draws_.chance(30);
    const bool before = draws_.chance(25);
    const std::string_view because = draws_.chance(75) ? "because" : "since";
    if (before) {
      say(because), clause(), say(","), event();
    } else {
      event(), say(because), clause();
    }
    if (draws_.chance(50)) say(".");
  }

  /// "the animal did not cross the street"; "the street was not crossed by the animal".
  void event() {
    const Named& first = passive_ ? object_ : subject_;
    noun(first);
    const bool could = denied_ && draws_.chance(25);
    if (could) say(past_ ? "could" : "will"), say("not");
    if (passive_) {
      if (could) {
        say("be");
      } else {
        be(first);
        if (denied_) say("not");
      }
      say(verb_->participle), say("by");
    } else if (could) {
      say(verb_->base);
    } else if (denied_) {
      say(past_ ? "did" : first.many ? "do" : "does"), say("not"), say(verb_->base);
    } else {
      say(past_ ? verb_->past : first.many ? verb_->base : verb_->third);
    }
    noun(passive_ ? subject_ : object_);
  }

  void be(const Named& who) { say(past_ ? (who.many ? "were" : "was") : (who.many ? "are" : "is")); }

  /// "it was too tired".
  void clause() {
    const Named& meant = subject_meant_ ? subject_ : object_;
    const WordGender gender = meant.gender();
    out_.pronoun = at();
    say(meant.many ? "they" : gender == WordGender::he ? "he" : gender == WordGender::she ? "she" : "it");
    be(meant);
    static constexpr const char* degrees[] = {"too", "so", "very"};
    if (draws_.chance(75)) say(degrees[denied_ ? draws_.below(3) : 1 + draws_.below(2)]);
    out_.reason = at();
    say(reason_at(reason_).text);
  }

  Draws draws_;
  PronounSentence out_;
  const PronounVerb* verb_ = nullptr;
  Named subject_, object_;  // of the verb in its active form
  bool subject_meant_ = false, past_ = false, denied_ = false, passive_ = false;
  int reason_ = 0;
};

}  // namespace

bool held_out(int noun, int reason) {
  return (noun + 2 * reason) % 5 == 0;
}

PronounSentence pronoun_sentence(std::uint64_t seed, std::uint64_t stream, GrammarPart part, int length) {
  HEADLIGHT_CHECK(length >= shortest_pronoun_sentence && length <= longest_pronoun_sentence);
  return PronounWriter(seed, stream).write(part, length);
}

}  // namespace headlight::nn
