#include "tokenizers/normalizer.h"

#include <utf8proc.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "tokenizers/byte_alphabet.h"
#include "tokenizers/fields.h"
#include "tokenizers/normal_forms.h"
#include "tokenizers/pattern.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

/// Replaces each character by what `rewrite(character, its bytes, out)` writes; if it returns true, the
/// character is kept.
template <class Rewrite>
AlignedText each_character(const AlignedText& text, Rewrite rewrite) {
  AlignedText out;
  out.reserve(text.text.size());
  std::string written;
  for (std::size_t at = 0; at < text.text.size();) {
    const base::CodePoint point = base::decode(text.text, at);
    written.clear();
    if (rewrite(point.value, written)) {
      out.keep(text, at, at + point.bytes);
    } else if (!written.empty()) {
      out.put(written, text.range(at, at + point.bytes));
    }
    at += point.bytes;
  }
  return out;
}

/// Works character by character: a capital sigma becomes a plain one even at the end of a word.
AlignedText lower_cased(const AlignedText& text) {
  return each_character(text, [](char32_t c, std::string& out) {
    constexpr char32_t dotted_capital_i = 0x130;
    if (c == dotted_capital_i) return out = "i\xCC\x87", false;  // the only one that becomes two
    const auto lower = static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
    if (lower != c) base::append_utf8(out, lower);
    return lower == c;
  });
}

AlignedText without(const AlignedText& text, bool (*dropped)(char32_t)) {
  return each_character(text, [&](char32_t c, std::string&) { return !dropped(c); });
}

struct Form : Normalizer {
  explicit Form(NormalForm f) : form(f) {}
  base::Status apply(AlignedText& text) const override {
    return text = normalised(text, form), base::Status();
  }
  NormalForm form;
};

struct Lowercase : Normalizer {
  base::Status apply(AlignedText& text) const override { return text = lower_cased(text), base::Status(); }
};

struct StripAccents : Normalizer {
  base::Status apply(AlignedText& text) const override {
    return text = without(text, is_mark), base::Status();
  }
};

struct Strip : Normalizer {
  bool left = true, right = true;
  base::Status apply(AlignedText& text) const override {
    std::size_t begin = 0, end = 0, white_from = 0;
    bool seen = false;
    for (std::size_t at = 0; at < text.text.size();) {
      const base::CodePoint point = base::decode(text.text, at);
      if (!is_white_space(point.value)) {
        if (!seen) begin = at;
        seen = true;
        white_from = at + point.bytes;
      }
      at += point.bytes;
    }
    begin = left ? (seen ? begin : text.text.size()) : 0;
    end = right ? (seen ? white_from : 0) : text.text.size();
    AlignedText out;
    if (begin < end) out.keep(text, begin, end);
    text = std::move(out);
    return {};
  }
};

struct Prepend : Normalizer {
  std::string what;
  base::Status apply(AlignedText& text) const override {
    if (text.text.empty()) return {};
    AlignedText out;
    out.put(what, text.point_before(0));
    out.keep(text, 0, text.text.size());
    text = std::move(out);
    return {};
  }
};

struct Replace : Normalizer {
  Pattern pattern;
  std::string by;
  base::Status apply(AlignedText& text) const override {
    std::vector<Match> matches;
    if (auto found = pattern.find(text.text, matches); !found) return found;
    if (matches.empty()) return {};
    AlignedText out;
    std::size_t at = 0;
    for (const Match& match : matches) {
      out.keep(text, at, match.begin);
      const std::string_view old = std::string_view(text.text).substr(match.begin, match.end - match.begin);
      if (old == by) {
        out.keep(text, match.begin, match.end);
      } else {
        out.put(by, old.empty() ? text.point_before(match.begin) : text.range(match.begin, match.end));
      }
      at = match.end;
    }
    out.keep(text, at, text.text.size());
    text = std::move(out);
    return {};
  }
};

struct Bert : Normalizer {
  bool clean = true, cjk = true, accents = true, lower = true;
  base::Status apply(AlignedText& text) const override {
    if (clean) {
      text = each_character(text, [](char32_t c, std::string& out) {
        const bool white = c == '\t' || c == '\n' || c == '\r';
        if (!white && (c == 0 || c == base::replacement_character || is_other(c))) return false;
        if (c == ' ' || !(white || is_white_space(c))) return true;
        return out = " ", false;
      });
    }
    if (cjk) text = apart(text);
    if (lower) text = lower_cased(text);
    if (accents) text = without(normalised(text, {.composed = false}), is_nonspacing_mark);
    return {};
  }

  static AlignedText apart(const AlignedText& text) {
    AlignedText out;
    out.reserve(text.text.size());
    for (std::size_t at = 0; at < text.text.size();) {
      const base::CodePoint point = base::decode(text.text, at);
      const std::size_t end = at + point.bytes;
      const bool alone = is_ideograph(point.value);
      if (alone) out.put(" ", text.point_before(at));
      out.keep(text, at, end);
      if (alone) out.put(" ", {text.from[end - 1].end, text.from[end - 1].end});
      at = end;
    }
    return out;
  }
};

struct Nmt : Normalizer {
  base::Status apply(AlignedText& text) const override {
    text = each_character(text, [](char32_t c, std::string& out) {
      if ((c >= 1 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F)
        return false;
      const bool space = c == 9 || c == 0xA || c == 0xC || c == 0xD || c == 0x1680 ||
                         (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 || c == 0x2581 ||
                         c == 0xFEFF || c == 0xFFFD;
      if (space) out = " ";
      return !space;
    });
    return {};
  }
};

struct ByteLevel : Normalizer {
  base::Status apply(AlignedText& text) const override {
    AlignedText out;
    out.reserve(text.text.size() * 2);
    for (std::size_t i = 0; i < text.text.size(); ++i) out.put(letter_of_byte(text.text[i]), text.from[i]);
    text = std::move(out);
    return {};
  }
};

struct Sequence : Normalizer {
  std::vector<std::shared_ptr<const Normalizer>> steps;
  base::Status apply(AlignedText& text) const override {
    for (const auto& step : steps) {
      if (auto done = step->apply(text); !done) return done;
    }
    return {};
  }
};

template <class T>
NormalizerRead finished(const Fields& fields, T normalizer) {
  if (fields.failed()) return fields.error();
  return std::shared_ptr<const Normalizer>(std::make_shared<T>(std::move(normalizer)));
}

NormalizerRead read_sequence(Fields& fields) {
  Sequence sequence;
  int number = 0;
  for (const io::Json& json : fields.list("normalizers")) {
    auto step = read_normalizer(&json, fields.where() + " " + std::to_string(++number));
    if (!step) return step;
    if (*step) sequence.steps.push_back(*step);
  }
  return finished(fields, std::move(sequence));
}

NormalizerRead read_replace(Fields& fields) {
  Replace replace;
  replace.by = fields.text("content");
  auto pattern = Pattern::read(fields.member("pattern"), fields.where() + ": pattern");
  if (!pattern) return base::Error{pattern.error()};
  replace.pattern = std::move(*pattern);
  return finished(fields, std::move(replace));
}

}  // namespace

NormalizerRead read_normalizer(const io::Json* json, const std::string& where) {
  if (json == nullptr || json->is_null()) return std::shared_ptr<const Normalizer>();
  Fields fields(*json, where);
  const std::string& type = fields.type();
  if (type == "NFC") return finished(fields, Form({.compatible = false, .composed = true}));
  if (type == "NFD") return finished(fields, Form({.compatible = false, .composed = false}));
  if (type == "NFKC") return finished(fields, Form({.compatible = true, .composed = true}));
  if (type == "NFKD") return finished(fields, Form({.compatible = true, .composed = false}));
  if (type == "Lowercase") return finished(fields, Lowercase());
  if (type == "StripAccents") return finished(fields, StripAccents());
  if (type == "Nmt") return finished(fields, Nmt());
  if (type == "ByteLevel") return finished(fields, ByteLevel());
  if (type == "Sequence") return read_sequence(fields);
  if (type == "Replace") return read_replace(fields);
  if (type == "Strip") {
    Strip strip;
    strip.left = fields.flag("strip_left", true);
    strip.right = fields.flag("strip_right", true);
    return finished(fields, strip);
  }
  if (type == "Prepend") {
    Prepend prepend;
    prepend.what = fields.text("prepend");
    return finished(fields, prepend);
  }
  if (type == "BertNormalizer") {
    Bert bert;
    bert.clean = fields.flag("clean_text", true);
    bert.cjk = fields.flag("handle_chinese_chars", true);
    bert.lower = fields.flag("lowercase", true);
    bert.accents = fields.flag("strip_accents").value_or(bert.lower);
    return finished(fields, bert);
  }
  if (type == "Precompiled") {
    const std::string table = fields.text("precompiled_charsmap");
    if (fields.failed()) return fields.error();
    return read_precompiled(table, fields.where());
  }
  return fields.failed() ? fields.error() : fields.unknown();
}

}  // namespace headlight::tokenizers
