#include "tokenizers/pipeline.h"

#include <algorithm>
#include <unordered_map>

#include "base/one_line.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

/// The result for one text while it is being built.
struct Encoding {
  std::vector<Piece> pieces;
  std::vector<Token> tokens;  // of the current word
  std::vector<Token> kept;    // of words that occurred before
  struct Place {
    std::size_t begin = 0, count = 0;  // in kept
  };
  std::unordered_map<std::string, Place> words;
};

class Pipeline : public Tokenizer {
 public:
  explicit Pipeline(Parts parts) : parts_(std::move(parts)) {
    size_ = parts_.model->vocabulary().size();
    std::vector<AddedToken> raw, raw_ordinary, normalized, normalized_ordinary;
    for (AddedToken token : parts_.added) {
      added_.insert_or_assign(token.id, token.content);
      added_ids_.insert_or_assign(token.content, token.id);
      size_ = std::max(size_, token.id + 1);
      if (token.special) parts_.special.insert(token.id);
      if (token.normalized && parts_.normalizer) {
        AlignedText content = AlignedText::of(token.content, 0);
        if (parts_.normalizer->apply(content)) token.content = content.text;
      }
      auto& all = token.normalized ? normalized : raw;
      auto& ordinary = token.normalized ? normalized_ordinary : raw_ordinary;
      if (!token.special) ordinary.push_back(token);
      all.push_back(std::move(token));
    }
    raw_ = AddedTokens(std::move(raw)), raw_ordinary_ = AddedTokens(std::move(raw_ordinary));
    normalized_ = AddedTokens(std::move(normalized)),
    normalized_ordinary_ = AddedTokens(std::move(normalized_ordinary));
  }

  Pieces encode(std::string_view text, const EncodeOptions& options) const override {
    auto pieces = encode_text(text, options, 0);
    if (!pieces || !options.with_template) return pieces;
    return laid_out(parts_.around.one, std::move(*pieces), {});
  }

  Pieces encode_pair(std::string_view first, std::string_view second,
                     const EncodeOptions& options) const override {
    auto a = encode_text(first, options, 0);
    if (!a) return a;
    auto b = encode_text(second, options, 1);
    if (!b) return b;
    static const Template plain;
    return laid_out(options.with_template ? parts_.around.two : plain.two, std::move(*a), std::move(*b));
  }

  std::string decode(std::span<const int> ids, bool with_special) const override {
    std::vector<Written> tokens;
    for (const int id : ids) {
      if (!with_special && special(id)) continue;
      const bool literal = added_.count(id) != 0;
      std::string text = entry(id);
      if (!text.empty()) tokens.push_back({std::move(text), literal});
    }
    parts_.decoder->apply(tokens);
    std::string out;
    for (const Written& token : tokens) out += token.text;
    return out;
  }

  int size() const override { return size_; }

  std::optional<int> id_of(std::string_view entry) const override {
    const auto found = added_ids_.find(std::string(entry));
    if (found != added_ids_.end()) return found->second;
    const auto id = parts_.model->vocabulary().id_of(entry);
    if (id || !parts_.shown) return id;
    for (int i = 0; i < size_; ++i) {
      if (this->entry(i) == entry) return i;
    }
    return std::nullopt;
  }

  std::string entry(int id) const override {
    const auto found = added_.find(id);
    if (found != added_.end()) return found->second;
    const std::string_view entry = parts_.model->vocabulary().entry(id);
    return parts_.shown ? parts_.shown(entry) : std::string(entry);
  }

  bool special(int id) const override { return parts_.special.count(id) != 0; }

  std::optional<int> separator() const override {
    if (parts_.around.adds_to_two()) return parts_.around.separator();
    const std::optional<int> id = id_of("[SEP]");
    return id && special(*id) ? id : std::nullopt;
  }

 private:
  Pieces encode_text(std::string_view text, const EncodeOptions& options, int of) const {
    constexpr std::size_t longest = std::size_t(1) << 28;
    if (text.size() > longest)
      return base::Error{"the text has " + std::to_string(text.size()) + " bytes; the limit is " +
                         std::to_string(longest)};
    if (const auto bad = first_bad_byte(text))
      return base::Error{"the text is not valid UTF-8 at byte " + std::to_string(*bad)};
    Encoding encoding;
    for (const Stretch& stretch : (options.special_as_text ? raw_ordinary_ : raw_).cut(text)) {
      if (stretch.id) {
        put(encoding, *stretch.id,
            {static_cast<std::uint32_t>(stretch.begin), static_cast<std::uint32_t>(stretch.end)});
        continue;
      }
      AlignedText part =
          AlignedText::of(text.substr(stretch.begin, stretch.end - stretch.begin), stretch.begin);
      if (auto done = encode_part(std::move(part), options, encoding); !done)
        return base::Error{done.error()};
    }
    for (Piece& piece : encoding.pieces) piece.of = of;
    return std::move(encoding.pieces);
  }

  base::Status encode_part(AlignedText text, const EncodeOptions& options, Encoding& encoding) const {
    if (parts_.normalizer) {
      if (auto done = parts_.normalizer->apply(text); !done) return done;
    }
    const AddedTokens& tokens = options.special_as_text ? normalized_ordinary_ : normalized_;
    if (tokens.empty()) return encode_words(std::move(text), encoding);
    for (const Stretch& stretch : tokens.cut(text.text)) {
      if (stretch.id) {
        put(encoding, *stretch.id, text.range(stretch.begin, stretch.end));
        continue;
      }
      AlignedText rest;
      rest.keep(text, stretch.begin, stretch.end);
      if (auto done = encode_words(std::move(rest), encoding); !done) return done;
    }
    return {};
  }

  base::Status encode_words(AlignedText text, Encoding& encoding) const {
    if (text.text.empty()) return {};
    Words words{std::move(text), {}};
    words.cuts.push_back({0, static_cast<std::uint32_t>(words.text.text.size())});
    if (parts_.pre_tokenizer) {
      if (auto done = parts_.pre_tokenizer->apply(words); !done) return done;
    }
    for (const Cut& cut : words.cuts) {
      const std::string_view word = std::string_view(words.text.text).substr(cut.begin, cut.end - cut.begin);
      const auto tokens = tokens_of(word, encoding);
      if (!tokens) return base::Error{tokens.error()};
      for (const Token& token : *tokens) {
        put(encoding, token.id, words.text.range(cut.begin + token.begin, cut.begin + token.end));
      }
    }
    return {};
  }

  /// Words repeat: their tokens are cached while a text is encoded.
  base::Result<std::span<const Token>> tokens_of(std::string_view word, Encoding& encoding) const {
    constexpr std::size_t longest = 64, most = 1 << 16;
    const bool keep = word.size() <= longest;
    if (keep) {
      const auto known = encoding.words.find(std::string(word));
      if (known != encoding.words.end())
        return std::span<const Token>(encoding.kept).subspan(known->second.begin, known->second.count);
    }
    encoding.tokens.clear();
    if (auto done = parts_.model->tokenize(word, encoding.tokens); !done) return base::Error{done.error()};
    if (keep && encoding.words.size() < most) {
      encoding.words.emplace(word, Encoding::Place{encoding.kept.size(), encoding.tokens.size()});
      encoding.kept.insert(encoding.kept.end(), encoding.tokens.begin(), encoding.tokens.end());
    }
    return std::span<const Token>(encoding.tokens);
  }

  void put(Encoding& encoding, int id, ByteRange range) const {
    encoding.pieces.push_back(
        {.id = id, .text = entry(id), .bytes = std::pair<std::size_t, std::size_t>(range.begin, range.end)});
  }

  std::vector<Piece> laid_out(const std::vector<TemplateItem>& items, std::vector<Piece> first,
                              std::vector<Piece> second) const {
    std::vector<Piece> out;
    out.reserve(first.size() + second.size() + items.size());
    for (const TemplateItem& item : items) {
      if (!item.text) {
        for (const int id : item.ids) out.push_back({.id = id, .text = entry(id), .segment = item.segment});
        continue;
      }
      for (const Piece& piece : *item.text == 0 ? first : second) {
        out.push_back(piece);
        out.back().segment = item.segment;
      }
    }
    return out;
  }

  Parts parts_;
  AddedTokens raw_, raw_ordinary_, normalized_, normalized_ordinary_;  // ordinary: without the special ones
  std::unordered_map<int, std::string> added_;
  std::unordered_map<std::string, int> added_ids_;
  int size_ = 0;
};

}  // namespace

base::Result<std::shared_ptr<const Tokenizer>> tokenizer_of(Parts parts, const std::string& where) {
  const std::size_t entries = static_cast<std::size_t>(parts.model->vocabulary().size()) + parts.added.size();
  for (const AddedToken& token : parts.added) {
    if (!plausible_id(token.id, entries)) {
      return base::Error{base::one_line(where + ": added_tokens: the id of " +
                                        base::in_quotes(token.content) + " is " + std::to_string(token.id) +
                                        "; the tokenizer has " + std::to_string(entries) + " entries")};
    }
  }
  const std::vector<TemplateItem> one = parts.around.one, two = parts.around.two;
  auto out = std::make_shared<const Pipeline>(std::move(parts));
  for (const auto* items : {&one, &two}) {
    for (const TemplateItem& item : *items) {
      for (const int id : item.ids) {
        if (out->entry(id).empty()) {
          return base::Error{base::one_line(where + ": the template adds a token with the id " +
                                            std::to_string(id) + ", which is not in the vocabulary")};
        }
      }
    }
  }
  return std::shared_ptr<const Tokenizer>(out);
}

}  // namespace headlight::tokenizers
