// Byte-pair encoding (Sennrich, Haddow, Birch 2016, section 3.2): a word begins as its characters. Of all
// adjacent pairs that the merges contain, the pair with the lowest rank is joined first, the leftmost of
// equals, until none is left. O(n log n) in the bytes of the word.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "tokenizers/model.h"

namespace headlight::tokenizers {

struct Merge {
  int rank = 0, id = 0;  // id of the joined token
};

/// Maps two tokens to the joined token.
class Merges {
 public:
  void reserve(std::size_t count) { merges_.reserve(count); }
  /// If a pair is set twice, the later rank counts.
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
  std::string unknown;            // entry for characters missing from the vocabulary; empty: an error
  std::string continuing_prefix;  // before every character of a word but the first
  std::string end_suffix;         // after the last character
  bool fuse_unknown = false;      // adjacent characters without a token become one
  bool byte_fallback = false;     // tries <0xHH> first
  bool ignore_merges = false;     // a word that is an entry becomes that token
};

std::shared_ptr<const Model> bpe_of(Vocabulary vocabulary, Merges merges, const BpeSettings& settings);

/// Adds a merge "left right" with the given rank; `where` names it in errors.
base::Status add_merge(Merges& merges, const Vocabulary& vocabulary, std::string_view left,
                       std::string_view right, int rank, const std::string& prefix, const std::string& where);

}  // namespace headlight::tokenizers
