#include "tokenizers/decoder.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/utf8.h"
#include "tokenizers/byte_alphabet.h"
#include "tokenizers/fields.h"
#include "tokenizers/pattern.h"

namespace headlight::tokenizers {

namespace {

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t found = text.find(what); found != std::string_view::npos && !what.empty();
       found = text.find(what, at)) {
    out += text.substr(at, found - at);
    out += by;
    at = found + what.size();
  }
  out += text.substr(at);
  return out;
}

struct Spaced : Decoder {
  void apply(std::vector<Written>& tokens) const override {
    for (std::size_t i = 1; i < tokens.size(); ++i) tokens[i].text.insert(0, " ");
  }
};

struct ByteLevel : Decoder {
  void apply(std::vector<Written>& tokens) const override {
    for (Written& token : tokens) {
      if (token.literal) continue;
      std::string bytes;
      bool all = true;
      for (std::size_t at = 0; all && at < token.text.size();) {
        const base::CodePoint point = base::decode(token.text, at);
        const auto byte = byte_of_letter(point.value);
        all = byte.has_value();
        if (byte) bytes += static_cast<char>(*byte);
        at += point.bytes;
      }
      if (all) token.text = std::move(bytes);
    }
  }
};

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

struct ByteFallback : Decoder {
  void apply(std::vector<Written>& tokens) const override {
    for (Written& token : tokens) {
      const std::string& text = token.text;
      if (token.literal || text.size() != 6 || text.rfind("<0x", 0) != 0 || text[5] != '>') continue;
      const int high = hexadecimal(text[3]), low = hexadecimal(text[4]);
      if (high >= 0 && low >= 0) token.text = std::string(1, static_cast<char>(high * 16 + low));
    }
  }
};

struct Metaspace : Decoder {
  std::string mark = "\u2581";
  bool prefixed = true;  // the first mark was added by the encoder
  void apply(std::vector<Written>& tokens) const override {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      std::string& text = tokens[i].text;
      if (i == 0 && prefixed && text.rfind(mark, 0) == 0) text.erase(0, mark.size());
      text = replaced(text, mark, " ");
    }
  }
};

struct Replace : Decoder {
  Pattern pattern;
  std::string by;
  void apply(std::vector<Written>& tokens) const override {
    std::vector<Match> matches;
    for (Written& token : tokens) {
      matches.clear();
      if (const auto found = pattern.find(token.text, matches); !found || matches.empty()) continue;
      std::string out;
      std::size_t at = 0;
      for (const Match& match : matches) {
        out.append(token.text, at, match.begin - at);
        out += by;
        at = match.end;
      }
      token.text = out + token.text.substr(at);
    }
  }
};

struct Fuse : Decoder {
  void apply(std::vector<Written>& tokens) const override {
    Written all;
    for (const Written& token : tokens) all.text += token.text;
    tokens.assign(1, std::move(all));
  }
};

struct Strip : Decoder {
  std::string what;
  std::int64_t first = 0, last = 0;  // characters to remove at most at each end
  void apply(std::vector<Written>& tokens) const override {
    for (Written& token : tokens) {
      std::string_view text = token.text;
      for (std::int64_t i = 0; i < first && text.substr(0, what.size()) == what; ++i)
        text.remove_prefix(what.size());
      for (std::int64_t i = 0;
           i < last && text.size() >= what.size() && text.substr(text.size() - what.size()) == what; ++i)
        text.remove_suffix(what.size());
      token.text = std::string(text);
    }
  }
};

struct WordPiece : Decoder {
  std::string prefix = "##";
  bool clean = true;
  void apply(std::vector<Written>& tokens) const override {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      std::string& text = tokens[i].text;
      if (i > 0) {
        if (!prefix.empty() && text.rfind(prefix, 0) == 0) {
          text.erase(0, prefix.size());
        } else {
          text.insert(0, " ");
        }
      }
      if (!clean) continue;
      static constexpr std::pair<const char*, const char*> tidier[] = {
          {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
          {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
          {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
      for (const auto& [from, to] : tidier) text = replaced(text, from, to);
    }
  }
};

struct Suffixed : Decoder {
  std::string suffix = "</w>";
  void apply(std::vector<Written>& tokens) const override {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      tokens[i].text = replaced(tokens[i].text, suffix, i + 1 < tokens.size() ? " " : "");
  }
};

struct Sequence : Decoder {
  std::vector<std::shared_ptr<const Decoder>> steps;
  void apply(std::vector<Written>& tokens) const override {
    for (const auto& step : steps) step->apply(tokens);
  }
};

template <class T>
DecoderRead finished(const Fields& fields, T decoder) {
  if (fields.failed()) return fields.error();
  return std::shared_ptr<const Decoder>(std::make_shared<T>(std::move(decoder)));
}

DecoderRead read_replace(Fields& fields) {
  Replace out;
  out.by = fields.text("content");
  auto pattern = Pattern::read(fields.member("pattern"), fields.where() + ": pattern");
  if (!pattern) return base::Error{pattern.error()};
  out.pattern = std::move(*pattern);
  return finished(fields, std::move(out));
}

DecoderRead read_sequence(Fields& fields) {
  Sequence out;
  int number = 0;
  for (const io::Json& json : fields.list("decoders")) {
    auto step = read_decoder(&json, fields.where() + " " + std::to_string(++number));
    if (!step) return step;
    out.steps.push_back(*step);
  }
  return finished(fields, std::move(out));
}

}  // namespace

DecoderRead read_decoder(const io::Json* json, const std::string& where) {
  if (json == nullptr || json->is_null()) return std::shared_ptr<const Decoder>(std::make_shared<Spaced>());
  Fields fields(*json, where);
  const std::string& type = fields.type();
  if (type == "ByteLevel") return finished(fields, ByteLevel());
  if (type == "ByteFallback") return finished(fields, ByteFallback());
  if (type == "Fuse") return finished(fields, Fuse());
  if (type == "Replace") return read_replace(fields);
  if (type == "Sequence") return read_sequence(fields);
  if (type == "Metaspace") {
    Metaspace out;
    out.mark = fields.text_or("replacement", out.mark);
    out.prefixed = fields.text_or("prepend_scheme",
                                  fields.flag("add_prefix_space", true) ? "always" : "never") != "never";
    return finished(fields, std::move(out));
  }
  if (type == "Strip") {
    Strip out;
    out.what = fields.text_or("content", " ");
    out.first = fields.number("start", 0, 1 << 20, 0);
    out.last = fields.number("stop", 0, 1 << 20, 0);
    if (out.what.empty()) return fields.expected("content", "a character");
    return finished(fields, std::move(out));
  }
  if (type == "WordPiece") {
    WordPiece out;
    out.prefix = fields.text_or("prefix", out.prefix);
    out.clean = fields.flag("cleanup", true);
    return finished(fields, std::move(out));
  }
  if (type == "BPEDecoder") {
    Suffixed out;
    out.suffix = fields.text_or("suffix", out.suffix);
    return finished(fields, std::move(out));
  }
  return fields.failed() ? fields.error() : fields.unknown();
}

}  // namespace headlight::tokenizers
