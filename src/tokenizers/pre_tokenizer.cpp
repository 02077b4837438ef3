#include "tokenizers/pre_tokenizer.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/utf8.h"
#include "tokenizers/byte_alphabet.h"
#include "tokenizers/fields.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

std::string_view word_of(const Words& words, const Cut& cut) {
  return std::string_view(words.text.text).substr(cut.begin, cut.end - cut.begin);
}

/// Cuts every word at the matches that `find(word, matches)` returns.
template <class Find>
base::Status cut_each(Words& words, Behaviour behaviour, bool inverted, Find find) {
  std::vector<Cut> cuts;
  std::vector<Match> matches;
  for (const Cut& cut : words.cuts) {
    matches.clear();
    if (base::Status found = find(word_of(words, cut), matches); !found) return found;
    split(cut.begin, cut.end - cut.begin, matches, behaviour, inverted, cuts);
  }
  words.cuts = std::move(cuts);
  return {};
}

/// The same; every character for which `is` holds is one match.
template <class Is>
base::Status cut_at_characters(Words& words, Behaviour behaviour, Is is) {
  return cut_each(words, behaviour, false, [&](std::string_view word, std::vector<Match>& out) {
    for (std::size_t at = 0; at < word.size();) {
      const base::CodePoint point = base::decode(word, at);
      if (is(point.value)) out.push_back({at, at + point.bytes});
      at += point.bytes;
    }
    return base::Status();
  });
}

/// Rewrites every word to a new text, to which `write(word's bytes begin, end, out)` appends.
template <class Write>
void rewrite_each(Words& words, Write write) {
  Words out;
  out.text.reserve(words.text.text.size() + words.cuts.size());
  out.cuts.reserve(words.cuts.size());
  for (const Cut& cut : words.cuts) {
    const auto begin = static_cast<std::uint32_t>(out.text.text.size());
    write(cut, out.text);
    const auto end = static_cast<std::uint32_t>(out.text.text.size());
    if (begin < end) out.cuts.push_back({begin, end});
  }
  words = std::move(out);
}

struct SplitAt : PreTokenizer {
  Pattern pattern;
  Behaviour behaviour = Behaviour::isolated;
  bool inverted = false;
  base::Status apply(Words& words) const override {
    return cut_each(words, behaviour, inverted,
                    [&](std::string_view word, std::vector<Match>& out) { return pattern.find(word, out); });
  }
};

struct ByteLevel : PreTokenizer {
  bool prefix = true;
  std::optional<SplitAt> words_of_gpt2;
  base::Status apply(Words& words) const override {
    if (prefix) {
      rewrite_each(words, [&](const Cut& cut, AlignedText& out) {
        if (words.text.text[cut.begin] != ' ') out.put(" ", words.text.point_before(cut.begin));
        out.keep(words.text, cut.begin, cut.end);
      });
    }
    if (words_of_gpt2) {
      if (auto done = words_of_gpt2->apply(words); !done) return done;
    }
    rewrite_each(words, [&](const Cut& cut, AlignedText& out) {
      for (std::size_t i = cut.begin; i < cut.end; ++i) {
        out.put(letter_of_byte(words.text.text[i]), words.text.from[i]);
      }
    });
    return {};
  }
};

struct Metaspace : PreTokenizer {
  enum class Prefix { always, first, never };
  std::string mark = "\u2581";
  Prefix prefix = Prefix::always;
  bool cut = true;

  base::Status apply(Words& words) const override {
    rewrite_each(words, [&](const Cut& one, AlignedText& out) {
      const std::string_view bytes = word_of(words, one);
      const bool marked = bytes[0] == ' ' || bytes.substr(0, mark.size()) == mark;
      const bool at_start = words.text.from[one.begin].begin == 0;
      if (!marked && (prefix == Prefix::always || (prefix == Prefix::first && at_start))) {
        out.put(mark, words.text.point_before(one.begin));
      }
      for (std::size_t i = one.begin; i < one.end; ++i) {
        if (words.text.text[i] == ' ') {
          out.put(mark, words.text.from[i]);
        } else {
          out.keep(words.text, i, i + 1);
        }
      }
    });
    if (!cut) return {};
    const Pattern marks = Pattern::letters(mark);
    return cut_each(words, Behaviour::merged_with_next, false,
                    [&](std::string_view bytes, std::vector<Match>& out) { return marks.find(bytes, out); });
  }
};

struct WhitespaceSplit : PreTokenizer {
  base::Status apply(Words& words) const override {
    return cut_at_characters(words, Behaviour::removed, is_white_space);
  }
};

/// \w+|[^\w\s]+
struct Whitespace : PreTokenizer {
  base::Status apply(Words& words) const override {
    return cut_each(words, Behaviour::removed, true, [](std::string_view word, std::vector<Match>& out) {
      enum class Kind { white, letters, other } before = Kind::white;
      for (std::size_t at = 0; at < word.size();) {
        const base::CodePoint point = base::decode(word, at);
        const Kind kind = is_white_space(point.value) ? Kind::white
                          : is_word(point.value)      ? Kind::letters
                                                      : Kind::other;
        if (kind != Kind::white) {
          if (kind != before) out.push_back({at, at});
          out.back().end = at + point.bytes;
        }
        before = kind;
        at += point.bytes;
      }
      return base::Status();
    });
  }
};

struct Digits : PreTokenizer {
  bool alone = false;
  base::Status apply(Words& words) const override {
    return cut_at_characters(words, alone ? Behaviour::isolated : Behaviour::contiguous, is_number);
  }
};

struct Punctuation : PreTokenizer {
  Behaviour behaviour = Behaviour::isolated;
  base::Status apply(Words& words) const override {
    return cut_at_characters(words, behaviour, is_punctuation);
  }
};

struct BertWords : PreTokenizer {
  base::Status apply(Words& words) const override {
    if (auto done = cut_at_characters(words, Behaviour::removed, is_white_space); !done) return done;
    return cut_at_characters(words, Behaviour::isolated, is_punctuation);
  }
};

struct FixedLength : PreTokenizer {
  std::size_t length = 5;  // characters
  base::Status apply(Words& words) const override {
    return cut_each(words, Behaviour::isolated, false, [&](std::string_view word, std::vector<Match>& out) {
      for (std::size_t at = 0; at < word.size();) {
        const std::size_t begin = at;
        for (std::size_t i = 0; i < length && at < word.size(); ++i) at += utf8_length(word[at]);
        out.push_back({begin, at});
      }
      return base::Status();
    });
  }
};

struct Sequence : PreTokenizer {
  std::vector<std::shared_ptr<const PreTokenizer>> steps;
  base::Status apply(Words& words) const override {
    for (const auto& step : steps) {
      if (auto done = step->apply(words); !done) return done;
    }
    return {};
  }
};

template <class T>
PreTokenizerRead finished(const Fields& fields, T pre_tokenizer) {
  if (fields.failed()) return fields.error();
  return std::shared_ptr<const PreTokenizer>(std::make_shared<T>(std::move(pre_tokenizer)));
}

PreTokenizerRead read_byte_level(Fields& fields) {
  ByteLevel out;
  out.prefix = fields.flag("add_prefix_space", true);
  if (fields.flag("use_regex", true)) {
    auto pattern = Pattern::regex(
        R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", fields.where());
    if (!pattern) return base::Error{pattern.error()};
    out.words_of_gpt2.emplace();
    out.words_of_gpt2->pattern = std::move(*pattern);
  }
  return finished(fields, std::move(out));
}

PreTokenizerRead read_metaspace(Fields& fields) {
  Metaspace out;
  out.mark = fields.text_or("replacement", out.mark);
  if (out.mark.empty()) return fields.expected("replacement", "a character");
  const std::string prefix =
      fields.text_or("prepend_scheme", fields.flag("add_prefix_space", true) ? "always" : "never");
  out.cut = fields.flag("split", true);
  if (prefix == "always") {
    out.prefix = Metaspace::Prefix::always;
  } else if (prefix == "first") {
    out.prefix = Metaspace::Prefix::first;
  } else if (prefix == "never") {
    out.prefix = Metaspace::Prefix::never;
  } else {
    return fields.expected("prepend_scheme", "always, first or never");
  }
  return finished(fields, std::move(out));
}

PreTokenizerRead read_split(Fields& fields) {
  SplitAt out;
  auto pattern = Pattern::read(fields.member("pattern"), fields.where() + ": pattern");
  if (!pattern) return base::Error{pattern.error()};
  out.pattern = std::move(*pattern);
  const auto behaviour = behaviour_of(fields.text("behavior"));
  if (!behaviour)
    return fields.expected("behavior", "Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
  out.behaviour = *behaviour;
  out.inverted = fields.flag("invert", false);
  return finished(fields, std::move(out));
}

PreTokenizerRead read_sequence(Fields& fields) {
  Sequence sequence;
  int number = 0;
  for (const io::Json& json : fields.list("pretokenizers")) {
    auto step = read_pre_tokenizer(&json, fields.where() + " " + std::to_string(++number));
    if (!step) return step;
    if (*step) sequence.steps.push_back(*step);
  }
  return finished(fields, std::move(sequence));
}

}  // namespace

PreTokenizerRead read_pre_tokenizer(const io::Json* json, const std::string& where) {
  if (json == nullptr || json->is_null()) return std::shared_ptr<const PreTokenizer>();
  Fields fields(*json, where);
  const std::string& type = fields.type();
  if (type == "ByteLevel") return read_byte_level(fields);
  if (type == "Metaspace") return read_metaspace(fields);
  if (type == "Split") return read_split(fields);
  if (type == "Sequence") return read_sequence(fields);
  if (type == "Whitespace") return finished(fields, Whitespace());
  if (type == "WhitespaceSplit") return finished(fields, WhitespaceSplit());
  if (type == "BertPreTokenizer") return finished(fields, BertWords());
  if (type == "Digits") {
    Digits digits;
    digits.alone = fields.flag("individual_digits", false);
    return finished(fields, digits);
  }
  if (type == "Punctuation") {
    const auto behaviour = behaviour_of(fields.text_or("behavior", "Isolated"));
    if (!behaviour)
      return fields.expected("behavior",
                             "Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
    Punctuation punctuation;
    punctuation.behaviour = *behaviour;
    return finished(fields, punctuation);
  }
  if (type == "CharDelimiterSplit") {
    SplitAt out;
    out.behaviour = Behaviour::removed;
    out.pattern = Pattern::letters(fields.text("delimiter"));
    return finished(fields, std::move(out));
  }
  if (type == "FixedLength") {
    FixedLength out;
    out.length = static_cast<std::size_t>(fields.number("length", 1, 1 << 20, 5));
    return finished(fields, out);
  }
  return fields.failed() ? fields.error() : fields.unknown();
}

}  // namespace headlight::tokenizers
