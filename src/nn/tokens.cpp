#include "nn/tokens.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

#include "base/utf8.h"

namespace headlight::nn {

namespace {

/// How split_words() treats a cluster.
enum class Kind : std::uint8_t {
  letter,    // part of a word
  hiragana,  // forms its own words
  katakana,
  extender,   // ー and similar characters: belongs to the run before it
  connector,  // apostrophe, hyphen: inside a word only
  invisible,  // soft hyphen, word joiner, direction marks: inside a word only, and dropped elsewhere
  space,      // dropped
  single,     // a token by itself
};

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool in_any(const Range (&ranges)[N], char32_t c) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [c](Range r) { return c >= r.first && c <= r.last; });
}

/// Script Han, and the other scripts whose characters are words (Tangut, Khitan, Nüshu).
bool is_ideograph(char32_t c) {
  static constexpr Range ranges[] = {{0x2E80, 0x2FDF},   {0x3005, 0x3007},   {0x3021, 0x3029},
                                     {0x3038, 0x303B},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
                                     {0xF900, 0xFAFF},   {0x16FE0, 0x16FFF}, {0x17000, 0x18CFF},
                                     {0x18D00, 0x18D8F}, {0x1B170, 0x1B2FF}, {0x20000, 0x3FFFD}};
  return c >= 0x2E80 && in_any(ranges, c);
}

bool is_hiragana(char32_t c) {
  static constexpr Range ranges[] = {
      {0x3041, 0x3096}, {0x309D, 0x309F}, {0x1B001, 0x1B11F}, {0x1B150, 0x1B152}};
  return in_any(ranges, c);
}

bool is_katakana(char32_t c) {
  static constexpr Range ranges[] = {{0x30A1, 0x30FA}, {0x30FD, 0x30FF}, {0x31F0, 0x31FF},
                                     {0xFF66, 0xFF6F}, {0xFF71, 0xFF9D}, {0x1B164, 0x1B167}};
  return in_any(ranges, c);
}

Kind kind_of(char32_t c) {
  if (c < 0x80) {
    const char a = static_cast<char>(c);
    if ((a >= 'a' && a <= 'z') || (a >= 'A' && a <= 'Z') || (a >= '0' && a <= '9')) return Kind::letter;
    if (a == '\'' || a == '-') return Kind::connector;
    return a <= ' ' || a == 0x7F ? Kind::space : Kind::single;
  }
  if (c == 0x2019 || c == 0x2010 || c == 0x2011) return Kind::connector;  // ’ ‐ and the non-breaking hyphen
  if (c == 0x30FC || c == 0xFF70 || c == 0x3099 || c == 0x309A) return Kind::extender;
  if (is_ideograph(c)) return Kind::single;
  if (is_hiragana(c)) return Kind::hiragana;
  if (is_katakana(c)) return Kind::katakana;
  const utf8proc_property_t* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
  switch (property->category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return Kind::letter;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
      return Kind::space;
    case UTF8PROC_CATEGORY_CF:
      if (property->boundclass == UTF8PROC_BOUNDCLASS_PREPEND)
        return Kind::letter;                               // the Arabic number signs show
      return c == 0x200B ? Kind::space : Kind::invisible;  // a zero width space is meant to separate words
    default:
      return Kind::single;
  }
}

/// The cluster at text[at] and its kind.
struct Cluster {
  std::size_t bytes;
  Kind kind;
};

bool is_ascii(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]) < 0x80;
}

/// Returns the bytes of the cluster at text[at]. There is always a boundary between two ASCII characters,
/// except in CR LF.
std::size_t cluster_at(std::string_view text, std::size_t at) {
  const bool alone =
      is_ascii(text, at) && (at + 1 == text.size() || is_ascii(text, at + 1)) && text[at] != '\r';
  return alone ? 1 : base::cluster_bytes(text, at);
}

/// For a cluster that starts with a letter, a digit or a space: returns whether it is a pictograph (1️⃣,
/// ℹ️) or an accent on a space.
bool shows_as_symbol(std::string_view cluster) {
  const bool on_space = kind_of(base::decode(cluster, 0).value) == Kind::space;
  for (std::size_t i = base::decode(cluster, 0).bytes; i < cluster.size();) {
    const base::CodePoint c = base::decode(cluster, i);
    const bool selector = c.value >= 0xFE00 && c.value <= 0xFE0F;
    if (c.value == 0xFE0F || c.value == 0x20E3) return !on_space;
    if (on_space && !selector && kind_of(c.value) == Kind::letter) return true;
    i += c.bytes;
  }
  return false;
}

Cluster classify(std::string_view text, std::size_t at) {
  const std::size_t bytes = cluster_at(text, at);
  const base::CodePoint first = base::decode(text, at);
  Kind kind = kind_of(first.value);
  if ((kind == Kind::letter || kind == Kind::space) && bytes > first.bytes &&
      shows_as_symbol(text.substr(at, bytes))) {
    kind = Kind::single;
  }
  return {bytes, kind};
}

bool is_word(Kind kind) {
  return kind <= Kind::extender;
}

/// Returns whether a run of kind `run` continues with `next`.
bool keep_going(Kind run, Kind next) {
  return next == Kind::extender || (is_word(next) && next == run);
}

/// Returns the bytes of the word that starts at text[at] with the cluster `first`.
std::size_t word_bytes(std::string_view text, std::size_t at, Cluster first) {
  const Kind run = first.kind == Kind::extender ? Kind::katakana : first.kind;
  std::size_t size = first.bytes;
  while (at + size < text.size()) {
    const Cluster next = classify(text, at + size);
    if (keep_going(run, next.kind)) {
      size += next.bytes;
      continue;
    }
    // One connector and any invisible characters stay in the word if the word continues after them.
    if (next.kind != Kind::connector && next.kind != Kind::invisible) break;
    bool connected = next.kind == Kind::connector;
    std::size_t ahead = size + next.bytes;
    Cluster behind{0, Kind::space};
    while (at + ahead < text.size()) {
      behind = classify(text, at + ahead);
      if (behind.kind == Kind::connector && !connected) {
        connected = true;
      } else if (behind.kind != Kind::invisible) {
        break;
      }
      ahead += behind.bytes;
      behind = {0, Kind::space};
    }
    if (!keep_going(run, behind.kind)) break;
    size = ahead + behind.bytes;
  }
  return size;
}

/// Assigns ids in order of first appearance. The map refers to the texts in the finished vector.
void number(std::vector<Token>& tokens) {
  std::array<int, 128> ascii;
  ascii.fill(-1);
  std::unordered_map<std::string_view, int> longer;
  longer.reserve(std::min<std::size_t>(tokens.size(), 1 << 14));
  int next = 0;
  for (Token& token : tokens) {
    if (token.text.size() == 1) {
      int& id = ascii[static_cast<unsigned char>(token.text[0]) & 0x7F];
      if (id < 0) id = next++;
      token.id = id;
      continue;
    }
    const auto [at, is_new] = longer.try_emplace(token.text, next);
    if (is_new) ++next;
    token.id = at->second;
  }
}

void add(std::vector<Token>& tokens, std::string_view sentence, std::size_t at, std::size_t bytes) {
  const std::string_view part = sentence.substr(at, bytes);
  const bool plain = bytes == 1 && is_ascii(part, 0);
  tokens.push_back({plain ? std::string(part) : base::well_formed(part), at, at + bytes, 0});
}

}  // namespace

std::vector<Token> split_chars(std::string_view sentence) {
  std::vector<Token> tokens;
  tokens.reserve(std::min<std::size_t>(sentence.size(), 1 << 20));
  for (std::size_t at = 0; at < sentence.size(); at = tokens.back().end) {
    add(tokens, sentence, at, cluster_at(sentence, at));
  }
  number(tokens);
  return tokens;
}

std::vector<Token> split_words(std::string_view sentence) {
  std::vector<Token> tokens;
  tokens.reserve(sentence.size() / 4);
  for (std::size_t at = 0; at < sentence.size();) {
    const Cluster cluster = classify(sentence, at);
    std::size_t bytes = cluster.bytes;
    if (is_word(cluster.kind)) bytes = word_bytes(sentence, at, cluster);
    if (cluster.kind != Kind::space && cluster.kind != Kind::invisible) add(tokens, sentence, at, bytes);
    at += bytes;
  }
  number(tokens);
  return tokens;
}

int distinct_tokens(const std::vector<Token>& tokens) {
  int largest = -1;
  for (const Token& token : tokens) largest = std::max(largest, token.id);
  return largest + 1;
}

}  // namespace headlight::nn
