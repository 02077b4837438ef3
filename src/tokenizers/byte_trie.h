// Finds which of many words start at a position of a text: a trie over bytes with contiguous children.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight::tokenizers {

class ByteTrie {
 public:
  ByteTrie() = default;
  /// Takes words with a value each. Of equal words the last counts; an empty word is never found. O(bytes log
  /// words).
  explicit ByteTrie(std::vector<std::pair<std::string_view, int>> words);

  bool empty() const { return nodes_.empty(); }

  /// Calls found(length, value) for each word that is a prefix of `text`, the shortest first.
  template <class Found>
  void prefixes(std::string_view text, Found found) const {
    if (text.empty() || nodes_.empty()) return;
    std::uint32_t node = first_[static_cast<unsigned char>(text[0])];
    for (std::size_t length = 1; node != none; ++length) {
      if (nodes_[node].value >= 0) found(length, nodes_[node].value);
      if (length == text.size()) return;
      node = child(node, static_cast<unsigned char>(text[length]));
    }
  }

  struct Longest {
    std::size_t length = 0;  // 0: none
    int value = -1;
  };
  Longest longest(std::string_view text) const;

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  struct Node {
    std::uint32_t children = 0;  // index of the first one
    std::uint16_t count = 0;
    unsigned char byte = 0;
    int value = -1;
  };
  std::uint32_t child(std::uint32_t node, unsigned char byte) const;

  std::vector<Node> nodes_;
  std::array<std::uint32_t, 256> first_{};
};

}  // namespace headlight::tokenizers
