#include "tokenizers/added_tokens.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "base/utf8.h"
#include "tokenizers/fields.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

/// Returns where the character before byte `at` begins, at > 0.
std::size_t before(std::string_view text, std::size_t at) {
  do {
    --at;
  } while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return at;
}

bool word_before(std::string_view text, std::size_t at) {
  return at > 0 && is_word(base::decode(text, before(text, at)).value);
}
bool word_at(std::string_view text, std::size_t at) {
  return at < text.size() && is_word(base::decode(text, at).value);
}

}  // namespace

base::Result<std::vector<AddedToken>> read_added_tokens(const io::Json* json, const std::string& where) {
  std::vector<AddedToken> out;
  if (json == nullptr || json->is_null()) return out;
  if (!json->is_array()) return base::Error{where + ": expected a list, found " + io::found(*json)};
  for (const io::Json& item : *json) {
    Fields fields(item, where + ": entry " + std::to_string(out.size() + 1));
    AddedToken token;
    token.content = fields.text("content");
    token.id = static_cast<int>(fields.number("id", 0, 1 << 30, -1));
    token.single_word = fields.flag("single_word", false);
    token.left = fields.flag("lstrip", false);
    token.right = fields.flag("rstrip", false);
    token.special = fields.flag("special", false);
    token.normalized = fields.flag("normalized", !token.special);
    if (fields.failed()) return fields.error();
    if (token.id < 0) return fields.expected("id", "a whole number from 0");
    constexpr std::size_t longest = 4096;
    if (token.content.size() > longest) return fields.expected("content", "at most 4,096 bytes");
    out.push_back(std::move(token));
  }
  return out;
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::vector<std::pair<std::string_view, int>> words;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].content.empty()) continue;
    words.emplace_back(tokens_[i].content, static_cast<int>(i));
    begins_[static_cast<unsigned char>(tokens_[i].content[0])] = true;
  }
  trie_ = ByteTrie(std::move(words));
}

std::vector<Stretch> AddedTokens::cut(std::string_view text) const {
  std::vector<Stretch> out;
  std::size_t done = 0;  // the text up to here is in `out`
  for (std::size_t at = 0; at < text.size() && !tokens_.empty();) {
    if (!begins_[static_cast<unsigned char>(text[at])]) {
      ++at;
      continue;
    }
    const ByteTrie::Longest found = trie_.longest(text.substr(at));
    if (found.length == 0) {
      ++at;
      continue;
    }
    const AddedToken& token = tokens_[static_cast<std::size_t>(found.value)];
    std::size_t begin = at, end = at + found.length;
    at = end;
    if (token.single_word && (word_before(text, begin) || word_at(text, end))) continue;
    while (token.left && begin > done) {
      const std::size_t previous = before(text, begin);
      if (!is_white_space(base::decode(text, previous).value)) break;
      begin = previous;
    }
    while (token.right && end < text.size()) {
      const base::CodePoint next = base::decode(text, end);
      if (!is_white_space(next.value)) break;
      end += next.bytes;
    }
    if (begin > done) out.push_back({done, begin, std::nullopt});
    out.push_back({begin, end, token.id});
    at = done = end;
  }
  if (done < text.size()) out.push_back({done, text.size(), std::nullopt});
  return out;
}

}  // namespace headlight::tokenizers
