// Readers of tokenizers, and what they make of a sentence.
#include <algorithm>

#include "fuzz/inputs.h"
#include "fuzz/targets.h"
#include "nn/tokens.h"
#include "support/reference_data.h"
#include "tokenizers/open.h"

namespace headlight::fuzz {

namespace {

namespace fs = std::filesystem;
using tests::ReferenceData;

constexpr const char* texts[] = {
    "",
    "Hello world",
    " the  cat's 123 \n\t x",
    "\xc3\xa9\xcc\x81 \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80",
    "<s>[CLS]<|endoftext|>",
    "bad \xff\xfe\xc3"};

/// Does the tokenizer make nothing of this part of a text by itself?
bool is_dropped(const tokenizers::Tokenizer& tokenizer, std::string_view part) {
  const auto pieces = tokenizer.encode(part, {.with_template = false});
  return pieces && std::none_of(pieces->begin(), pieces->end(), [](const auto& piece) {
           return piece.bytes && piece.bytes->first < piece.bytes->second;
         });
}

/// The ranges of the tokens lie in the text and in its order. Those of a `sound` tokenizer tile it: they
/// share at most one character with those before, and between them is only what the tokenizer makes no token
/// of. A damaged one may drop or put in anything.
std::string tokens_hold(const tokenizers::Tokenizer& tokenizer, const std::string& text, bool sound = false) {
  const auto pieces = tokenizer.encode(text);
  if (!pieces) return unfit_error(pieces.error());
  std::size_t before_begin = 0, reached = 0;
  std::vector<int> ids;
  const auto left_out = [&](std::size_t until) -> std::string {
    if (!sound || until <= reached) return "";
    const std::string part = text.substr(reached, until - reached);
    return is_dropped(tokenizer, part) ? "" : "no token has the bytes from " + std::to_string(reached);
  };
  for (const tokenizers::Piece& piece : *pieces) {
    ids.push_back(piece.id);
    if (piece.id < 0 || piece.id >= tokenizer.size())
      return "an id outside the vocabulary: " + std::to_string(piece.id);
    if (!piece.bytes) continue;
    const auto [begin, end] = *piece.bytes;
    if (begin > end || end > text.size()) return "a token's bytes lie outside the text";
    if (begin < before_begin || end < reached) return "tokens' bytes are not in the order of the text";
    if (sound && begin < reached && nn::split_chars(text.substr(begin, reached - begin)).size() > 1)
      return "tokens share more than a character";
    if (std::string wrong = left_out(begin); !wrong.empty()) return wrong;
    before_begin = begin, reached = end;
  }
  if (std::string wrong = left_out(text.size()); !wrong.empty()) return wrong;
  (void)tokenizer.decode(ids);
  return "";
}
std::string tokenizer_holds(const tokenizers::OpenedTokenizer& tokenizer) {
  if (!tokenizer) return unfit_error(tokenizer.error());
  for (const char* text : texts)
    if (std::string wrong = tokens_hold(**tokenizer, text); !wrong.empty()) return wrong;
  return "";
}
std::string read_tokenizer_json(Bytes bytes, const fs::path& folder) {
  write(folder / "tokenizer.json", bytes);
  return tokenizer_holds(tokenizers::open_tokenizer(folder));
}
std::string read_vocabulary_and_merges(Bytes bytes, const fs::path& folder) {
  const std::vector<std::string> parts = parts_of(bytes, 3);
  write(folder / "vocab.json", parts[0]), write(folder / "merges.txt", parts[1]);
  write(folder / "tokenizer_config.json", parts[2]);
  return tokenizer_holds(tokenizers::open_tokenizer(folder));
}
std::string read_word_pieces(Bytes bytes, const fs::path& folder) {
  const std::vector<std::string> parts = parts_of(bytes, 2);
  write(folder / "vocab.txt", parts[0]), write(folder / "tokenizer_config.json", parts[1]);
  return tokenizer_holds(tokenizers::open_tokenizer(folder));
}
std::string read_llama2c_tokenizer(Bytes bytes, const fs::path& folder) {
  write(folder / "tokenizer.bin", bytes);
  const int entries = bytes.empty() ? 0 : 1 + static_cast<unsigned char>(bytes[0]) * 4;
  return tokenizer_holds(tokenizers::open_llama2c(folder / "tokenizer.bin", entries));
}
std::vector<std::string> some_tokenizer_json() {
  return files_that_end_in("/tokenizer.json", "", 60'000);
}
std::vector<std::string> joined_files(std::initializer_list<const char*> names, std::size_t most) {
  std::vector<std::string> out;
  const ReferenceData& data = ReferenceData::instance();
  for (const std::string& name : data.names()) {
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos || name.substr(slash + 1) != *names.begin()) continue;
    std::string all;
    for (const char* part : names) {
      const auto bytes = data.bytes(name.substr(0, slash + 1) + part);
      all += (all.empty() ? "" : "\n%%%\n") + bytes.value_or("");
    }
    if (all.size() <= most) out.push_back(all);
  }
  return out;
}
std::vector<std::string> some_vocabularies() {
  return joined_files({"vocab.json", "merges.txt", "tokenizer_config.json"}, 60'000);
}
std::vector<std::string> some_word_pieces() {
  return joined_files({"vocab.txt", "tokenizer_config.json"}, 60'000);
}
std::vector<std::string> some_llama2c_tokenizers() {
  return files_that_end_in("/tokenizer.bin", "", 60'000);
}

/// One text, by every tokenizer of the reference data and by our own.
std::string read_sentence(Bytes bytes, const fs::path&) {
  static const std::vector<std::shared_ptr<const tokenizers::Tokenizer>> all = [] {
    std::vector<std::shared_ptr<const tokenizers::Tokenizer>> opened;
    const ReferenceData& data = ReferenceData::instance();
    for (const std::string& folder : data.folders("tokenizers")) {
      const auto tokenizer = tokenizers::open_tokenizer(data.on_disk("tokenizers/" + folder));
      if (tokenizer) opened.push_back(*tokenizer);
    }
    return opened;
  }();
  for (const auto& tokenizer : all)
    if (std::string wrong = tokens_hold(*tokenizer, bytes, true); !wrong.empty()) return wrong;
  for (const auto& tokens : {nn::split_chars(bytes), nn::split_words(bytes)}) {
    std::size_t end = 0;
    for (const nn::Token& token : tokens) {
      if (token.begin < end || token.end <= token.begin || token.end > bytes.size())
        return "our own tokens overlap";
      end = token.end;
    }
  }
  return "";
}
std::vector<std::string> some_sentences() {
  std::vector<std::string> out(std::begin(texts), std::end(texts));
  out.push_back(
      "The quick brown fox, 12345 times: it's I'll "
      "\xe0\xa4\xa8\xe0\xa4\xae\xe0\xa4\xb8\xe0\xa5\x8d\xe0\xa4\xa4\xe0\xa5\x87 "
      "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa");
  return out;
}

constexpr Target tokenizers_table[] = {
    {"tokenizer_json", "tokenizer.json", Form::json, 60'000, read_tokenizer_json, some_tokenizer_json},
    {"vocabulary", "vocab.json, merges.txt, tokenizer_config.json", Form::text, 60'000,
     read_vocabulary_and_merges, some_vocabularies},
    {"word_pieces", "vocab.txt, tokenizer_config.json", Form::text, 60'000, read_word_pieces,
     some_word_pieces},
    {"llama2c_tokenizer", "llama2.c's tokenizer.bin", Form::bytes, 60'000, read_llama2c_tokenizer,
     some_llama2c_tokenizers},
    {"sentence", "a sentence, by every tokenizer", Form::text, 2'000, read_sentence, some_sentences},
};

}  // namespace

std::span<const Target> tokenizer_targets() {
  return tokenizers_table;
}

}  // namespace headlight::fuzz
