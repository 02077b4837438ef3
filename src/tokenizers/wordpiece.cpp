#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "tokenizers/fields.h"
#include "tokenizers/model.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

/// Takes the longest entry that is a prefix of the word, then repeatedly the longest prefix-marked entry for
/// the rest. If there is no entry for the rest, or the word is too long, the whole word is unknown.
class WordPieceModel : public Model {
 public:
  WordPieceModel(Vocabulary vocabulary, int unknown, std::string prefix, std::size_t most_characters)
      : vocabulary_(std::move(vocabulary)),
        unknown_(unknown),
        prefix_(std::move(prefix)),
        most_characters_(most_characters) {}
  const Vocabulary& vocabulary() const override { return vocabulary_; }

  base::Status tokenize(std::string_view word, std::vector<Token>& out) const override {
    const auto characters = static_cast<std::size_t>(std::count_if(
        word.begin(), word.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    const std::size_t before = out.size();
    bool known = characters <= most_characters_;
    std::string marked;
    for (std::size_t at = 0; known && at < word.size();) {
      std::size_t end = std::min(word.size(), at + vocabulary_.longest());
      known = false;
      for (; end > at; --end) {
        if (end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0) == 0x80) continue;
        std::string_view entry = word.substr(at, end - at);
        if (at > 0) {
          marked = prefix_;
          marked += entry;
          entry = marked;
        }
        if (const auto id = vocabulary_.id_of(entry)) {
          out.push_back({*id, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
          known = true;
          break;
        }
      }
      at = end;
    }
    if (!known) {
      out.resize(before);
      out.push_back({unknown_, 0, static_cast<std::uint32_t>(word.size())});
    }
    return {};
  }

 private:
  Vocabulary vocabulary_;
  int unknown_;
  std::string prefix_;
  std::size_t most_characters_;
};

}  // namespace

ModelRead wordpiece_of(Vocabulary vocabulary, const std::string& unknown, const std::string& prefix,
                       std::size_t most_characters, const std::string& where) {
  const auto id = vocabulary.id_of(unknown);
  if (!id) return base::Error{base::one_line(where + ": the vocabulary has no " + base::in_quotes(unknown))};
  return std::shared_ptr<const Model>(
      std::make_shared<WordPieceModel>(std::move(vocabulary), *id, prefix, most_characters));
}

ModelRead read_wordpiece(const io::Json& json, const std::string& where) {
  Fields fields(json, where);
  const std::string unknown = fields.text_or("unk_token", "[UNK]");
  const std::string prefix = fields.text_or("continuing_subword_prefix", "##");
  const auto most = fields.number("max_input_chars_per_word", 0, 1 << 30, 100);
  if (fields.failed()) return fields.error();
  auto vocabulary = read_vocabulary(fields);
  if (!vocabulary) return base::Error{vocabulary.error()};
  return wordpiece_of(std::move(*vocabulary), unknown, prefix, static_cast<std::size_t>(most),
                      fields.where());
}

}  // namespace headlight::tokenizers
