#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "base/one_line.h"
#include "base/utf8.h"
#include "io/descriptor.h"
#include "io/files.h"
#include "tokenizers/bpe.h"
#include "tokenizers/byte_alphabet.h"
#include "tokenizers/folder_settings.h"
#include "tokenizers/open.h"
#include "tokenizers/pipeline.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

using io::Json;
constexpr std::size_t most_bytes = std::size_t(1) << 26;

/// Calls line(number, text) for each line without its line end; an empty line after the last line end does
/// not count.
template <class Line>
base::Status each_line(std::string_view text, Line line) {
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view one = text.substr(at, end - at);
    if (!one.empty() && one.back() == '\r') one.remove_suffix(1);
    if (auto read = line(number, one); !read) return read;
    at = end + 1;
  }
  return {};
}

/// Returns the special tokens that the vocabulary has.
std::vector<AddedToken> special_tokens(const std::vector<std::string>& names, const Vocabulary& vocabulary) {
  std::vector<AddedToken> out;
  std::set<int> seen;
  for (const std::string& name : names) {
    const auto id = name.empty() ? std::nullopt : vocabulary.id_of(name);
    if (!id || !seen.insert(*id).second) continue;
    out.push_back({.id = *id, .content = name, .left = name == "<mask>", .special = true});
  }
  return out;
}

base::Result<Merges> read_merges(const std::filesystem::path& file, const Vocabulary& vocabulary) {
  const auto text = io::read_file(file, most_bytes);
  if (!text) return base::Error{text.error()};
  const std::string name = io::path_text(file);
  Merges merges;
  int rank = 0;
  const auto read = each_line(*text, [&](int number, std::string_view line) -> base::Status {
    if (line.empty() || (number == 1 && line.rfind("#version", 0) == 0)) return {};
    const std::string where = name + ": line " + std::to_string(number);
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || space == 0 || space + 1 == line.size() ||
        line.find(' ', space + 1) != std::string_view::npos) {
      return base::Error{base::one_line(where + ": expected two entries with one space between them, found " +
                                        base::in_quotes(line))};
    }
    return add_merge(merges, vocabulary, line.substr(0, space), line.substr(space + 1), rank++, "", where);
  });
  if (!read) return base::Error{read.error()};
  return merges;
}

base::Status has_every_byte(const Vocabulary& vocabulary, const std::string& name) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string_view letter = letter_of_byte(static_cast<char>(byte));
    if (vocabulary.id_of(letter)) continue;
    constexpr const char* digits = "0123456789ABCDEF";
    return base::Error{name + ": the token for the byte " + digits[byte / 16] + digits[byte % 16] + ", " +
                       base::in_quotes(letter) + ", is missing"};
  }
  return {};
}

base::Result<std::vector<Entry>> read_lines(const std::filesystem::path& file) {
  const auto text = io::read_file(file, most_bytes);
  if (!text) return base::Error{text.error()};
  const std::string name = io::path_text(file);
  std::vector<Entry> entries;
  const auto read = each_line(*text, [&](int number, std::string_view line) -> base::Status {
    if (first_bad_byte(line))
      return base::Error{name + ": line " + std::to_string(number) + " is not valid UTF-8"};
    entries.push_back({std::string(line), static_cast<int>(entries.size())});
    return {};
  });
  if (!read) return base::Error{read.error()};
  if (entries.empty()) return base::Error{name + ": the vocabulary is empty"};
  return entries;
}

/// Returns whether there are capitals outside special tokens, whatever their names.
bool has_capitals(const std::vector<Entry>& entries) {
  return std::any_of(entries.begin(), entries.end(), [](const Entry& entry) {
    const std::string& text = entry.text;
    const bool marked = text.size() > 2 && (text.front() == '[' || text.front() == '<');
    return !marked && std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  });
}

}  // namespace

OpenedTokenizer open_byte_level(const std::filesystem::path& vocabulary_file,
                                const std::filesystem::path& merges_file, const FolderSettings& settings) {
  const auto text = io::read_file(vocabulary_file, most_bytes);
  if (!text) return base::Error{text.error()};
  const std::string name = io::path_text(vocabulary_file);
  const auto json = io::read_json_object(
      *text, name,
      {.name = "vocabulary", .deepest = 2, .most_bytes = most_bytes, .most_values = 4'000'000, .file = true});
  if (!json) return base::Error{json.error()};
  const auto entries = read_entries(*json, name);
  if (!entries) return base::Error{entries.error()};
  auto vocabulary = Vocabulary::build(*entries, name);
  if (!vocabulary) return base::Error{vocabulary.error()};
  if (auto complete = has_every_byte(*vocabulary, name); !complete) return base::Error{complete.error()};
  for (const Entry& entry : *entries) {
    constexpr std::string_view end = "</w>";
    if (entry.text.size() > end.size() &&
        std::string_view(entry.text).substr(entry.text.size() - end.size()) == end)
      return base::Error{name +
                         ": its entries mark the ends of words with </w>; for such a model only "
                         "tokenizer.json is supported"};
  }
  auto merges = read_merges(merges_file, *vocabulary);
  if (!merges) return base::Error{merges.error()};

  Parts parts;
  parts.added = special_tokens(settings.special, *vocabulary);
  if (settings.ends != FolderSettings::Ends::none) {
    const auto begin = vocabulary->id_of(settings.begin);
    const auto end =
        settings.ends == FolderSettings::Ends::both ? vocabulary->id_of(settings.end) : std::nullopt;
    if (!begin)
      return base::Error{base::one_line(name + ": no entry " + base::in_quotes(settings.begin) +
                                        ", the token at the start of every text")};
    if (!end && settings.ends == FolderSettings::Ends::both)
      return base::Error{base::one_line(name + ": no entry " + base::in_quotes(settings.end) +
                                        ", the token at the end of every text")};
    parts.around = Template::around(begin, end, true, 0);
  }
  const Json words = {{"type", "ByteLevel"}, {"add_prefix_space", settings.prefix_space}};
  const Json decoder = {{"type", "ByteLevel"}};
  parts.pre_tokenizer = *read_pre_tokenizer(&words, name);
  parts.decoder = *read_decoder(&decoder, name);
  parts.model = bpe_of(std::move(*vocabulary), std::move(*merges), {});
  return tokenizer_of(std::move(parts), name);
}

OpenedTokenizer open_wordpiece(const std::filesystem::path& file, const FolderSettings& settings) {
  const auto entries = read_lines(file);
  if (!entries) return base::Error{entries.error()};
  const std::string name = io::path_text(file);
  auto vocabulary = Vocabulary::build(*entries, name);
  if (!vocabulary) return base::Error{vocabulary.error()};
  for (const std::string* needed : {&settings.unknown, &settings.cls, &settings.sep}) {
    if (!vocabulary->id_of(*needed))
      return base::Error{base::one_line(name + ": the vocabulary has no " + base::shortened(*needed))};
  }
  Parts parts;
  std::vector<std::string> special = settings.special;
  special.insert(special.end(), {settings.unknown, settings.cls, settings.sep, "[PAD]", "[MASK]"});
  parts.added = special_tokens(special, *vocabulary);
  parts.around = Template::around(vocabulary->id_of(settings.cls), vocabulary->id_of(settings.sep), false, 1);
  const bool lower = settings.lower_case ? *settings.lower_case : !has_capitals(*entries);
  const Json normalizer = {{"type", "BertNormalizer"},
                           {"lowercase", lower},
                           {"strip_accents", settings.strip_accents.value_or(lower)},
                           {"handle_chinese_chars", settings.split_ideographs}};
  const Json words = {{"type", "BertPreTokenizer"}};
  const Json decoder = {{"type", "WordPiece"}};
  parts.normalizer = *read_normalizer(&normalizer, name);
  parts.pre_tokenizer = *read_pre_tokenizer(&words, name);
  parts.decoder = *read_decoder(&decoder, name);
  auto model = wordpiece_of(std::move(*vocabulary), settings.unknown, "##", 100, name);
  if (!model) return base::Error{model.error()};
  parts.model = std::move(*model);
  return tokenizer_of(std::move(parts), name);
}

OpenedTokenizer open_tokenizer(const std::filesystem::path& folder) {
  if (io::may_be_there(folder / "tokenizer.json")) return open_tokenizer_json(folder / "tokenizer.json");
  const bool pairs = io::may_be_there(folder / "vocab.json"), lines = io::may_be_there(folder / "vocab.txt");
  if (!pairs && !lines) {
    const std::string name = io::path_text(folder);
    if (io::may_be_there(folder / "tokenizer.model"))
      return base::Error{name +
                         ": tokenizer.model is in SentencePiece’s own format, which is not supported: save "
                         "the tokenizer as tokenizer.json beside it"};
    return base::Error{
        name + ": no tokenizer found: neither tokenizer.json nor vocab.json with merges.txt nor vocab.txt"};
  }
  const auto settings = read_folder_settings(folder);
  if (!settings) return base::Error{settings.error()};
  if (!pairs) return open_wordpiece(folder / "vocab.txt", *settings);
  return open_byte_level(folder / "vocab.json", folder / "merges.txt", *settings);
}

}  // namespace headlight::tokenizers
