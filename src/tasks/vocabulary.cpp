#include "tasks/vocabulary.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/utf8.h"

namespace headlight::nn {

namespace {

constexpr const char* unknown = "\xEF\xBF\xBD";
constexpr std::string_view inside = "##";

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

/// Returns the text in lower case, code point by code point; ill-formed bytes become U+FFFD.
std::string folded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (is_ascii(text[at])) {
      const char c = text[at++];
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      continue;
    }
    const base::CodePoint c = base::decode(text, at);
    base::append_utf8(out, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c.value))));
    at += c.bytes;
  }
  return out;
}

/// Calls visit(begin, end) for each grapheme cluster.
template <class F>
void for_each_cluster(std::string_view text, F&& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const bool alone =
        is_ascii(text[at]) && text[at] != '\r' && (at + 1 == text.size() || is_ascii(text[at + 1]));
    const std::size_t end = at + (alone ? 1 : base::cluster_bytes(text, at));
    visit(at, end);
    at = end;
  }
}

/// Visits a text in parts of about 1 MB that end at the end of a word, and reports the fraction done; stops
/// when goes_on returns false.
template <class F>
void for_each_part(std::string_view text, const KeepGoing& keep_going, F&& visit) {
  constexpr std::size_t part = 1 << 20;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(at + part, text.size());
    if (end < text.size()) {
      const std::size_t line = text.rfind('\n', end - 1);
      const std::size_t space = text.rfind(' ', end - 1);
      if (line != std::string_view::npos && line >= at) {
        end = line + 1;
      } else if (space != std::string_view::npos && space > at) {
        end = space;
      } else {
        while (end > at + 1 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
      }
    }
    visit(text.substr(at, end - at));
    at = end;
    if (keep_going && !keep_going(static_cast<float>(at) / static_cast<float>(text.size()))) return;
  }
}

/// Counts how often every text was seen, and when it was first seen.
class Counter {
 public:
  void add(std::string_view text) {
    if (text.size() == 1 && is_ascii(text[0])) {  // most characters and marks
      int& slot = ascii_[static_cast<unsigned char>(text[0])];
      if (slot < 0) slot = insert(text);
      ++seen_[static_cast<std::size_t>(slot)].count;
      return;
    }
    const auto at = slots_.find(text);
    const int slot = at == slots_.end() ? insert(text) : at->second;
    ++seen_[static_cast<std::size_t>(slot)].count;
  }
  /// Returns the texts, the most frequent first, ties by first appearance; without the unknown.
  std::vector<std::string> by_frequency() const {
    std::vector<Seen> order;
    for (const Seen& seen : seen_) {
      if (seen.text != unknown) order.push_back(seen);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Seen& a, const Seen& b) { return a.count > b.count; });
    std::vector<std::string> texts;
    texts.reserve(order.size());
    for (Seen& seen : order) texts.push_back(std::move(seen.text));
    return texts;
  }

 private:
  struct Seen {
    std::string text;
    std::int64_t count = 0;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  int insert(std::string_view text) {
    seen_.push_back({std::string(text), 0});
    const int slot = static_cast<int>(seen_.size()) - 1;
    slots_.emplace(text, slot);
    return slot;
  }

  std::vector<Seen> seen_;
  std::unordered_map<std::string, int, Hash, std::equal_to<>> slots_;
  std::array<int, 128> ascii_ = [] {
    std::array<int, 128> none;
    none.fill(-1);
    return none;
  }();
};

/// Returns the byte of a text of one byte: itself, or "<E4>"; -1 if it is neither.
int byte_of(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  if (text.size() == 1 && is_ascii(text[0])) return text[0];
  if (text.size() != 4 || text.front() != '<' || text.back() != '>') return -1;
  const std::size_t high = digits.find(text[1]), low = digits.find(text[2]);
  if (high == std::string_view::npos || low == std::string_view::npos) return -1;
  return static_cast<int>(high * 16 + low);
}

std::uint64_t pair_key(int a, int b) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b);
}

}  // namespace

Vocabulary learn_characters(std::string_view text, int limit, const KeepGoing& keep_going) {
  HEADLIGHT_CHECK_OP(limit, >=, 1);
  Counter counter;
  for_each_part(text, keep_going, [&](std::string_view part) {
    for_each_cluster(part, [&](std::size_t begin, std::size_t end) {
      const std::string_view cluster = part.substr(begin, end - begin);
      if (cluster.size() == 1 && is_ascii(cluster[0])) {
        counter.add(cluster);
      } else {
        counter.add(base::well_formed(cluster));
      }
    });
  });
  std::vector<std::string> texts = counter.by_frequency();
  if (texts.size() + 1 > static_cast<std::size_t>(limit)) texts.resize(static_cast<std::size_t>(limit) - 1);
  return word_vocabulary(texts, VocabularyKind::chars);
}

Vocabulary learn_words(std::string_view text, int limit, const KeepGoing& keep_going) {
  HEADLIGHT_CHECK_OP(limit, >=, 1);
  Counter words, letters;
  for_each_part(text, keep_going, [&](std::string_view part) {
    for (const Token& token : split_words(part)) {
      words.add(token.text);
      if (token.text.size() == 1) continue;
      for_each_cluster(token.text, [&](std::size_t begin, std::size_t end) {
        letters.add(folded(std::string_view(token.text).substr(begin, end - begin)));
      });
    }
  });
  for (char c = 'a'; c <= 'z'; ++c) letters.add({&c, 1});

  Vocabulary vocabulary{VocabularyKind::words, {unknown}, {}, 0};
  std::unordered_map<std::string, bool> taken;
  const auto add = [&](const std::string& entry, int up_to) {
    if (static_cast<int>(vocabulary.texts.size()) >= up_to || !taken.try_emplace(entry, true).second) return;
    vocabulary.texts.push_back(entry);
  };
  for (const std::string& letter : letters.by_frequency()) {
    add(letter, limit / 2);
    add(std::string(inside) + letter, limit / 2);
  }
  for (const std::string& word : words.by_frequency()) add(word, limit);
  return vocabulary;
}

Vocabulary word_vocabulary(const std::vector<std::string>& words, VocabularyKind kind) {
  Vocabulary vocabulary{kind, {unknown}, {}, 0};
  vocabulary.texts.insert(vocabulary.texts.end(), words.begin(), words.end());
  return vocabulary;
}

bool is_sound(const Vocabulary& vocabulary) {
  if (vocabulary.texts.empty()) return false;
  if (vocabulary.kind != VocabularyKind::pieces) return vocabulary.merges.empty();
  const int first = vocabulary.first_merge;
  if (first < 1 || static_cast<std::size_t>(first) + vocabulary.merges.size() != vocabulary.texts.size()) {
    return false;
  }
  for (int i = 1; i < first; ++i) {
    if (byte_of(vocabulary.texts[static_cast<std::size_t>(i)]) < 0) return false;
  }
  std::vector<std::string> bytes = {unknown};
  for (int i = 1; i < first; ++i)
    bytes.emplace_back(1, static_cast<char>(byte_of(vocabulary.texts[static_cast<std::size_t>(i)])));
  int made = first;
  for (const auto& [a, b] : vocabulary.merges) {
    if (a < 1 || b < 1 || a >= made || b >= made) return false;
    const std::string &left = bytes[static_cast<std::size_t>(a)], &right = bytes[static_cast<std::size_t>(b)];
    const std::string& text = vocabulary.texts[static_cast<std::size_t>(made)];
    // Checks the lengths first: a merge that does not fit into its text is not built.
    if (left.size() + right.size() > text.size() || piece_text(left + right) != text) return false;
    bytes.push_back(left + right);
    ++made;
  }
  return true;
}

Encoder::Encoder(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {
  const std::vector<std::string>& texts = vocabulary_.texts;
  HEADLIGHT_CHECK(is_sound(vocabulary_));
  if (vocabulary_.kind != VocabularyKind::pieces) {
    for (std::size_t i = 1; i < texts.size(); ++i) {
      ids_.try_emplace(texts[i], static_cast<int>(i));
      folded_.try_emplace(folded(texts[i]), static_cast<int>(i));
      spells_ = spells_ || (vocabulary_.kind == VocabularyKind::words && texts[i].size() > inside.size() &&
                            texts[i].starts_with(inside));
    }
    return;
  }
  byte_ids_.assign(256, 0);
  bytes_.push_back(unknown);
  for (int i = 1; i < vocabulary_.first_merge; ++i) {
    const auto byte = static_cast<std::size_t>(byte_of(texts[static_cast<std::size_t>(i)]));
    bytes_.push_back(std::string(1, static_cast<char>(byte)));
    byte_ids_[byte] = i;
  }
  for (std::size_t n = 0; n < vocabulary_.merges.size(); ++n) {
    const auto [a, b] = vocabulary_.merges[n];
    bytes_.push_back(bytes_[static_cast<std::size_t>(a)] + bytes_[static_cast<std::size_t>(b)]);
    ranks_.try_emplace(pair_key(a, b), static_cast<int>(n));
  }
}

int Encoder::id_of(std::string_view text) const {
  if (const auto at = ids_.find(text); at != ids_.end()) return at->second;
  const auto at = folded_.find(folded(text));
  return at == folded_.end() ? 0 : at->second;
}

void Encoder::spell(std::string_view text, const Token& word, const Found& found) const {
  const std::string_view letters = text.substr(word.begin, word.end - word.begin);
  for_each_cluster(letters, [&](std::size_t begin, std::size_t end) {
    std::string letter = base::well_formed(letters.substr(begin, end - begin));
    if (begin > 0) letter.insert(0, inside);
    found(word.begin + begin, word.begin + end, id_of(letter), false);
  });
}

void Encoder::each_token(std::string_view text, const Found& found) const {
  if (vocabulary_.kind == VocabularyKind::pieces) return each_piece(text, found);
  if (vocabulary_.kind == VocabularyKind::chars) {
    return for_each_cluster(text, [&](std::size_t begin, std::size_t end) {
      const int id = id_of(text.substr(begin, end - begin));
      found(begin, end, id, id > 0);
    });
  }
  for (const Token& word : split_words(text)) {
    const int id = id_of(word.text);
    if (id > 0 || !spells_) {
      found(word.begin, word.end, id, id > 0);
    } else {
      spell(text, word, found);
    }
  }
}

std::vector<int> Encoder::pieces_of(std::string_view chunk) const {
  const int none = static_cast<int>(vocabulary_.merges.size());
  std::vector<int> ids, ranks;  // ranks[i]: rank of the pair that starts at i
  for (char c : chunk) ids.push_back(byte_ids_[static_cast<unsigned char>(c)]);
  const auto rank_at = [&](std::size_t i) {
    if (i + 1 >= ids.size()) return none;
    const auto at = ranks_.find(pair_key(ids[i], ids[i + 1]));
    return at == ranks_.end() ? none : at->second;
  };
  for (std::size_t i = 0; i < ids.size(); ++i) ranks.push_back(rank_at(i));
  // Takes the lowest rank, the leftmost of equals. A merge never creates a pair of a lower rank.
  for (;;) {
    const auto best = std::min_element(ranks.begin(), ranks.end());
    if (best == ranks.end() || *best == none) return ids;
    const auto i = static_cast<std::size_t>(best - ranks.begin());
    ids[i] = vocabulary_.first_merge + *best;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    ranks.erase(best + 1);
    ranks[i] = rank_at(i);
    if (i > 0) ranks[i - 1] = rank_at(i - 1);
  }
}

void Encoder::each_piece(std::string_view text, const Found& found) const {
  std::unordered_map<std::string_view, std::vector<int>> done;
  for_each_chunk(text, [&](std::string_view chunk) {
    auto at = done.find(chunk);
    if (at == done.end()) at = done.emplace(chunk, pieces_of(chunk)).first;
    std::size_t begin = static_cast<std::size_t>(chunk.data() - text.data());
    for (int id : at->second) {
      const std::size_t end = begin + (id == 0 ? 1 : bytes_[static_cast<std::size_t>(id)].size());
      found(begin, end, id, id > 0);
      begin = end;
    }
  });
}

std::vector<int> Encoder::encode(std::string_view text) const {
  std::vector<int> ids;
  for_each_part(text, {}, [&](std::string_view part) {
    each_token(part, [&](std::size_t, std::size_t, int id, bool) { ids.push_back(id); });
  });
  return ids;
}

std::vector<ModelToken> Encoder::split(std::string_view sentence) const {
  std::vector<ModelToken> tokens;
  each_token(sentence, [&](std::size_t begin, std::size_t end, int id, bool known) {
    const bool piece =
        vocabulary_.kind == VocabularyKind::pieces && id > 0;  // "<E4>" for a part of a character
    tokens.push_back({{piece ? vocabulary_.texts[static_cast<std::size_t>(id)]
                             : base::well_formed(sentence.substr(begin, end - begin)),
                       begin, end, id},
                      known});
  });
  return tokens;
}

std::string Encoder::decode(std::span<const int> ids) const {
  std::string out;
  for (int id : ids) {
    HEADLIGHT_CHECK(id >= 0 && id < size());
    const std::string& text = vocabulary_.texts[static_cast<std::size_t>(id)];
    if (vocabulary_.kind == VocabularyKind::pieces) {
      out += bytes_[static_cast<std::size_t>(id)];
    } else if (vocabulary_.kind == VocabularyKind::chars) {
      out += text;
    } else if (spells_ && text.size() > inside.size() && text.starts_with(inside)) {
      out += text.substr(inside.size());
    } else {
      out += (out.empty() ? "" : " ") + text;
    }
  }
  return out;
}

}  // namespace headlight::nn
