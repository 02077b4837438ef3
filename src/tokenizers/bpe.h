// Byte-pair encoding (Sennrich, Haddow, Birch 2016, section 3.2): a word begins as its characters, and of all
// neighbours that the merges name, those of the lowest rank are joined first, the leftmost of equals, until
// none is left. O(n log n) in the bytes of the word.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "tokenizers/model.h"

namespace headlight::tokenizers {

struct Merge {
  int rank = 0, id = 0;  // of what the two become
};

/// What two tokens become.
class Merges {
 public:
  void reserve(std::size_t count) { merges_.reserve(count); }
  /// Of a pair that is named twice, the later rank counts.
  void set(int left, int right, Merge merge) { merges_[key(left, right)] = merge; }
  const Merge* find(int left, int right) const {
    const auto found = merges_.find(key(left, right));
    return found == merges_.end() ? nullptr : &found->second;
  }

 private:
  static std::uint64_t key(int left, int right) {
    return std::uint64_t(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
  }
  struct Mixed {
    std::size_t operator()(std::uint64_t key) const {
      key *= 0x9E3779B97F4A7C15u;
      return static_cast<std::size_t>(key ^ key >> 32);
    }
  };
  std::unordered_map<std::uint64_t, Merge, Mixed> merges_;
};

struct BpeSettings {
  std::string unknown;            // entry for characters that the vocabulary lacks; empty: an error
  std::string continuing_prefix;  // before every character of a word but the first
  std::string end_suffix;         // behind the last one
  bool fuse_unknown = false;      // neighbours without a token are one
  bool byte_fallback = false;     // first as <0xHH>
  bool ignore_merges = false;     // a word that is an entry is that token
};

std::shared_ptr<const Model> bpe_of(Vocabulary vocabulary, Merges merges, const BpeSettings& settings);

/// A merge "left right", as `where` names it, with the next rank.
base::Status add_merge(Merges& merges, const Vocabulary& vocabulary, std::string_view left,
                       std::string_view right, int rank, const std::string& prefix, const std::string& where);

}  // namespace headlight::tokenizers
