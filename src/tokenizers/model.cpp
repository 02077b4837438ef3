#include "tokenizers/model.h"

#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "tokenizers/fields.h"

namespace headlight::tokenizers {

std::array<int, 256> byte_tokens(const Vocabulary& vocabulary) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::array<int, 256> out{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const std::string name = std::string("<0x") + digits[byte / 16] + digits[byte % 16] + ">";
    out[byte] = vocabulary.id_of(name).value_or(-1);
  }
  return out;
}

bool as_bytes(const std::array<int, 256>& tokens, std::string_view word, std::size_t begin, std::size_t end,
              std::vector<Token>& out) {
  const std::size_t before = out.size();
  for (std::size_t i = begin; i < end; ++i) {
    const int id = tokens[static_cast<unsigned char>(word[i])];
    if (id < 0) return out.resize(before), false;
    out.push_back({id, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1)});
  }
  return true;
}

base::Error no_token_for(std::string_view what) {
  return {base::one_line("the tokenizer’s vocabulary has no token for " + base::in_quotes(what) +
                         " and no token for unknown text")};
}

ModelRead read_model(const io::Json& json, const std::string& where) {
  Fields fields(json, where);
  if (fields.failed()) return fields.error();
  std::string type = fields.type();
  if (type.empty()) {  // older files omit the type
    const io::Json* vocabulary = fields.member("vocab");
    if (fields.member("merges") != nullptr) {
      type = "BPE";
    } else if (vocabulary != nullptr && vocabulary->is_array()) {
      type = "Unigram";
    } else if (fields.member("max_input_chars_per_word") != nullptr) {
      type = "WordPiece";
    }
  }
  if (type == "BPE") return read_bpe(json, where);
  if (type == "Unigram") return read_unigram(json, where);
  if (type == "WordPiece") return read_wordpiece(json, where);
  if (type == "WordLevel") return read_word_level(json, where);
  return fields.unknown();
}

namespace {

class WordLevel : public Model {
 public:
  WordLevel(Vocabulary vocabulary, const std::string& unknown)
      : vocabulary_(std::move(vocabulary)), unknown_(vocabulary_.id_of(unknown)) {}
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  base::Status tokenize(std::string_view word, std::vector<Token>& out) const override {
    const auto id = vocabulary_.id_of(word);
    if (!id && !unknown_) return no_token_for(word);
    out.push_back({id ? *id : *unknown_, 0, static_cast<std::uint32_t>(word.size())});
    return {};
  }

 private:
  Vocabulary vocabulary_;
  std::optional<int> unknown_;
};

}  // namespace

ModelRead read_word_level(const io::Json& json, const std::string& where) {
  Fields fields(json, where);
  const std::string unknown = fields.text_or("unk_token", "<unk>");
  if (fields.failed()) return fields.error();
  auto vocabulary = read_vocabulary(fields);
  if (!vocabulary) return base::Error{vocabulary.error()};
  return std::shared_ptr<const Model>(std::make_shared<WordLevel>(std::move(*vocabulary), unknown));
}

}  // namespace headlight::tokenizers
