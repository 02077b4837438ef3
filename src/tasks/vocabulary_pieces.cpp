// Byte-pair encoding learned from a text. Equal chunks are stored once, with a count. Every pair has a count
// and the chunks it may occur in, and a heap gives the most frequent pair. Heap entries are corrected when
// they are popped: a count can only have decreased since, or a newer entry is above.
#include <algorithm>
#include <array>
#include <queue>

#include "base/check.h"
#include "base/utf8.h"
#include "tasks/vocabulary.h"

namespace headlight::nn {

namespace {

constexpr std::size_t longest_chunk = 64;
constexpr std::size_t distinct_bytes = 8'000'000;

enum class ByteKind { space, letter, digit, mark };

ByteKind kind_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte <= ' ' || byte == 0x7F) return ByteKind::space;
  if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte >= 0x80) return ByteKind::letter;
  return byte >= '0' && byte <= '9' ? ByteKind::digit : ByteKind::mark;
}

bool is_letter(std::string_view text, std::size_t at) {
  return at < text.size() && kind_of(text[at]) == ByteKind::letter;
}

/// Returns the end of the chunk that starts at text[at].
std::size_t chunk_end(std::string_view text, std::size_t at) {
  const std::size_t last = std::min(text.size(), at + longest_chunk);
  std::size_t end = at;
  if (kind_of(text[at]) == ByteKind::space) {
    while (end < last && kind_of(text[end]) == ByteKind::space) ++end;
    if (end == last || text[end - 1] != ' ') return end;
    if (end - at > 1) return end - 1;  // its last space belongs to the next chunk
  }
  const ByteKind kind = kind_of(text[end]);
  for (; end < last; ++end) {
    const bool apostrophe = text[end] == '\'' && kind == ByteKind::letter && is_letter(text, end + 1);
    if (kind_of(text[end]) != kind && !apostrophe) break;
  }
  return end;
}

/// A chunk of the text as ids, and its number of occurrences.
struct Chunk {
  std::vector<int> ids;
  std::int64_t count = 0;
};

struct Pair {
  int a = 0, b = 0;
  bool operator==(const Pair&) const = default;
};
struct PairHash {
  std::size_t operator()(Pair pair) const {
    const std::uint64_t both = static_cast<std::uint64_t>(static_cast<std::uint32_t>(pair.a)) << 32 |
                               static_cast<std::uint32_t>(pair.b);
    return static_cast<std::size_t>((both * 0x9E3779B97F4A7C15ull) >> 20);
  }
};
struct PairSeen {
  std::int64_t count = 0;
  std::vector<std::uint32_t> chunks;  // chunks with the pair, and some in which it no longer occurs
};
struct Candidate {
  std::int64_t count = 0;
  Pair pair;
  bool operator<(const Candidate& other) const {
    if (count != other.count) return count < other.count;
    return pair.a != other.pair.a ? pair.a > other.pair.a : pair.b > other.pair.b;
  }
};

class Merger {
 public:
  explicit Merger(std::vector<Chunk> chunks) : chunks_(std::move(chunks)) {
    for (std::uint32_t n = 0; n < chunks_.size(); ++n) {
      const std::vector<int>& ids = chunks_[n].ids;
      for (std::size_t i = 0; i + 1 < ids.size(); ++i) add({ids[i], ids[i + 1]}, n);
    }
    for (const auto& [pair, seen] : pairs_) heap_.push({seen.count, pair});
  }

  /// Returns the most frequent pair that occurs at least twice, or {0, 0}.
  Pair most_frequent() {
    while (!heap_.empty()) {
      const Candidate top = heap_.top();
      const std::int64_t count = pairs_.at(top.pair).count;
      if (count == top.count && count >= 2) return top.pair;
      heap_.pop();
      if (count < top.count && count >= 2) heap_.push({count, top.pair});
    }
    return {};
  }

  void merge(Pair pair, int joined) {
    const std::vector<std::uint32_t> where = std::move(pairs_.at(pair).chunks);
    fresh_.clear();
    for (std::uint32_t n : where) merge_chunk(pair, joined, n);
    pairs_.at(pair) = {};
    std::sort(fresh_.begin(), fresh_.end(),
              [](Pair x, Pair y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    fresh_.erase(std::unique(fresh_.begin(), fresh_.end()), fresh_.end());
    for (Pair p : fresh_) heap_.push({pairs_.at(p).count, p});
  }

 private:
  void add(Pair pair, std::uint32_t chunk) {
    PairSeen& seen = pairs_[pair];
    seen.count += chunks_[chunk].count;
    if (seen.chunks.empty() || seen.chunks.back() != chunk) seen.chunks.push_back(chunk);
  }

  /// Joins the pair in a chunk; recounts only the pairs that lose or gain a symbol.
  void merge_chunk(Pair pair, int joined, std::uint32_t n) {
    Chunk& chunk = chunks_[n];
    std::vector<int>& ids = chunk.ids;
    const std::size_t size = ids.size();
    const auto stands_at = [&](std::size_t i) {
      return i + 1 < size && ids[i] == pair.a && ids[i + 1] == pair.b;
    };
    sites_.assign(size + 1, 0);  // symbols to be joined
    bool any = false;
    for (std::size_t i = 0; i < size; ++i) {
      if (stands_at(i)) sites_[i] = sites_[i + 1] = 1, any = true, ++i;
    }
    if (!any) return;
    for (std::size_t i = 0; i + 1 < size; ++i) {
      if (sites_[i] || sites_[i + 1]) pairs_.at({ids[i], ids[i + 1]}).count -= chunk.count;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const bool here = stands_at(i);
      ids[kept++] = here ? joined : ids[i];
      if (here) ++i;
    }
    ids.resize(kept);
    for (std::size_t i = 0; i + 1 < kept; ++i) {
      if (ids[i] != joined && ids[i + 1] != joined) continue;
      add({ids[i], ids[i + 1]}, n);
      fresh_.push_back({ids[i], ids[i + 1]});
    }
  }

  std::vector<Chunk> chunks_;
  std::unordered_map<Pair, PairSeen, PairHash> pairs_;
  std::priority_queue<Candidate> heap_;
  std::vector<unsigned char> sites_;
  std::vector<Pair> fresh_;
};

}  // namespace

std::string piece_text(std::string_view bytes) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size();) {
    const base::CodePoint c = base::decode(bytes, at);
    if (c.valid) {
      out += bytes.substr(at, c.bytes);
    } else {
      for (std::size_t i = at; i < at + c.bytes; ++i) {
        constexpr const char* digits = "0123456789ABCDEF";
        const auto byte = static_cast<unsigned char>(bytes[i]);
        out += {'<', digits[byte >> 4], digits[byte & 15], '>'};
      }
    }
    at += c.bytes;
  }
  return out;
}

void for_each_chunk(std::string_view text, const std::function<void(std::string_view)>& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = chunk_end(text, at);
    visit(text.substr(at, end - at));
    at = end;
  }
}

Vocabulary learn_pieces(std::string_view text, int size, const KeepGoing& keep_going, PieceBytes from) {
  HEADLIGHT_CHECK_OP(size, >=, from == PieceBytes::all ? smallest_of_all_bytes : 1);
  constexpr float counting = 0.3f;  // share of the total time
  // Keeps the bytes of the text, or the most frequent ones if there is no room for all, sorted by value.
  std::array<std::int64_t, 256> frequency{};
  for (char c : text) ++frequency[static_cast<unsigned char>(c)];
  std::vector<int> kept;
  for (int byte = 0; byte < 256; ++byte) {
    if (from == PieceBytes::all || frequency[static_cast<std::size_t>(byte)] > 0) kept.push_back(byte);
  }
  std::stable_sort(kept.begin(), kept.end(), [&](int a, int b) {
    return frequency[static_cast<std::size_t>(a)] > frequency[static_cast<std::size_t>(b)];
  });
  kept.resize(std::min(kept.size(), static_cast<std::size_t>(size) - 1));
  std::sort(kept.begin(), kept.end());

  Vocabulary vocabulary{VocabularyKind::pieces, {"\xEF\xBF\xBD"}, {}, 0};
  std::array<int, 256> id_of{};
  std::vector<std::string> bytes = {""};
  for (int byte : kept) {
    id_of[static_cast<std::size_t>(byte)] = static_cast<int>(bytes.size());
    bytes.push_back(std::string(1, static_cast<char>(byte)));
    vocabulary.texts.push_back(piece_text(bytes.back()));
  }
  vocabulary.first_merge = static_cast<int>(bytes.size());

  std::unordered_map<std::string_view, std::size_t> number;
  std::vector<Chunk> chunks;
  std::size_t held = 0, until_requested = 1 << 20;
  bool stopped = false;
  for (std::size_t at = 0; at < text.size() && !stopped;) {
    const std::size_t end = chunk_end(text, at);
    const std::string_view chunk = text.substr(at, end - at);
    at = end;
    const auto found = number.find(chunk);
    if (found != number.end()) {
      ++chunks[found->second].count;
    } else if (held < distinct_bytes) {
      held += chunk.size();
      number.emplace(chunk, chunks.size());
      chunks.push_back({{}, 1});
      for (char c : chunk) {
        const int id = id_of[static_cast<unsigned char>(c)];
        if (id == 0) break;  // a byte without an id: the rest of the chunk is left out
        chunks.back().ids.push_back(id);
      }
    }
    if (keep_going && at >= until_requested) {
      until_requested += 1 << 20;
      stopped = !keep_going(counting * static_cast<float>(at) / static_cast<float>(text.size()));
    }
  }
  if (stopped) return vocabulary;

  Merger merger(std::move(chunks));
  const int merges = size - vocabulary.first_merge;
  for (int n = 0; n < merges; ++n) {
    if (keep_going && n % 8 == 0 &&
        !keep_going(counting + (1 - counting) * static_cast<float>(n) / static_cast<float>(merges))) {
      break;
    }
    const Pair pair = merger.most_frequent();
    if (pair == Pair{}) break;
    merger.merge(pair, vocabulary.first_merge + n);
    vocabulary.merges.push_back({pair.a, pair.b});
    bytes.push_back(bytes[static_cast<std::size_t>(pair.a)] + bytes[static_cast<std::size_t>(pair.b)]);
    vocabulary.texts.push_back(piece_text(bytes.back()));
  }
  return vocabulary;
}

}  // namespace headlight::nn
