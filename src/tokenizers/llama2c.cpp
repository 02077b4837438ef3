#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "io/files.h"
#include "tokenizers/bpe.h"
#include "tokenizers/open.h"
#include "tokenizers/pipeline.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

struct Scored {
  std::vector<Entry> entries;
  std::vector<float> scores;
};

std::uint32_t word_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

base::Result<Scored> read_scored(const std::string& bytes, int count, const std::string& name) {
  const auto ends = [&](int entry) {
    return base::Error{name + ": it ends at entry " + std::to_string(entry) + " of " + std::to_string(count) +
                       "; is it the tokenizer of another model?"};
  };
  if (bytes.size() < 4)
    return base::Error{name + ": not a tokenizer.bin: it has " + std::to_string(bytes.size()) + " bytes"};
  Scored out;
  std::size_t at = 4;
  for (int i = 0; i < count; ++i) {
    if (bytes.size() - at < 8) return ends(i);
    const std::uint32_t bits = word_at(bytes, at), length = word_at(bytes, at + 4);
    at += 8;
    if (length > bytes.size() - at) return ends(i);
    float score = 0;
    std::memcpy(&score, &bits, sizeof score);
    if (!std::isfinite(score))
      return base::Error{name + ": the score of entry " + std::to_string(i) + " is not a number"};
    std::string text = bytes.substr(at, length);
    if (first_bad_byte(text)) return base::Error{name + ": entry " + std::to_string(i) + " is not UTF-8"};
    out.entries.push_back({std::move(text), i});
    out.scores.push_back(score);
    at += length;
  }
  if (at != bytes.size()) {
    return base::Error{name + ": after its " + std::to_string(count) + " entries " +
                       std::to_string(bytes.size() - at) +
                       " bytes are left over; is it the tokenizer of another model?"};
  }
  return out;
}

/// Two entries merge if their concatenation is an entry; the better its score, the earlier.
Merges merges_of(const Scored& scored, const Vocabulary& vocabulary) {
  std::vector<float> better = scored.scores;
  std::sort(better.begin(), better.end(), std::greater<>());
  better.erase(std::unique(better.begin(), better.end()), better.end());
  Merges merges;
  for (std::size_t i = 0; i < scored.entries.size(); ++i) {
    const std::string_view text = scored.entries[i].text;
    if (vocabulary.id_of(text) != scored.entries[i].id) continue;
    const auto place = std::lower_bound(better.begin(), better.end(), scored.scores[i], std::greater<>());
    const int rank = static_cast<int>(place - better.begin());
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
      const auto left = vocabulary.id_of(text.substr(0, cut)), right = vocabulary.id_of(text.substr(cut));
      if (left && right) merges.set(*left, *right, {rank, scored.entries[i].id});
    }
  }
  return merges;
}

/// Returns an entry as SentencePiece shows it: visible spaces, no line ends around <s>.
std::string shown(std::string_view entry) {
  if (entry.size() > 2 && entry.front() == '\n' && entry.back() == '\n')
    entry = entry.substr(1, entry.size() - 2);
  std::string out;
  for (const char c : entry) {
    if (c == ' ') {
      out += "\u2581";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

OpenedTokenizer open_llama2c(const std::filesystem::path& file, int entries) {
  const auto bytes = io::read_file(file, std::size_t(1) << 26);
  if (!bytes) return base::Error{bytes.error()};
  const std::string name = io::path_text(file);
  constexpr int before_bytes = 3;  // <unk>, <s>, </s>
  if (entries < before_bytes + 256)
    return base::Error{name + ": a model of " + std::to_string(entries) + " tokens has none for every byte"};
  auto scored = read_scored(*bytes, entries, name);
  if (!scored) return base::Error{scored.error()};
  auto vocabulary = Vocabulary::build(scored->entries, name);
  if (!vocabulary) return base::Error{vocabulary.error()};
  const auto bytes_of = byte_tokens(*vocabulary);
  for (int byte = 0; byte < 256; ++byte) {
    if (bytes_of[static_cast<std::size_t>(byte)] != before_bytes + byte)
      return base::Error{name + ": entry " + std::to_string(before_bytes + byte) +
                         " should represent the byte " + std::to_string(byte)};
  }
  Merges merges = merges_of(*scored, *vocabulary);

  using io::Json;
  const Json prefix = {{"type", "Prepend"}, {"prepend", " "}};
  Json steps = Json::array();
  steps.push_back({{"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}});
  steps.push_back({{"type", "ByteFallback"}});
  steps.push_back({{"type", "Fuse"}});
  steps.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  const Json decoder = {{"type", "Sequence"}, {"decoders", steps}};
  Parts parts;
  parts.model = bpe_of(std::move(*vocabulary), std::move(merges), {.byte_fallback = true});
  parts.normalizer = *read_normalizer(&prefix, name);
  parts.around = Template::around(1, std::nullopt, false, 0);
  parts.special = {0, 1, 2};
  parts.shown = shown;
  parts.decoder = *read_decoder(&decoder, name);
  return tokenizer_of(std::move(parts), name);
}

}  // namespace headlight::tokenizers
