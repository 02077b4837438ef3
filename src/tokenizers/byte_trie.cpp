#include "tokenizers/byte_trie.h"

#include <algorithm>

namespace headlight::tokenizers {

ByteTrie::ByteTrie(std::vector<std::pair<std::string_view, int>> words) {
  first_.fill(none);
  std::stable_sort(words.begin(), words.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  // Words [begin, end) share their first `depth` bytes; their next bytes become the children of `parent`. The
  // trie is built level by level, so that children are contiguous and long words need no recursion.
  struct Range {
    std::size_t begin, end, depth;
    std::uint32_t parent;
  };
  std::vector<Range> level{{0, words.size(), 0, none}}, next;
  while (!level.empty()) {
    next.clear();
    for (const Range& range : level) {
      std::size_t at = range.begin;
      while (at < range.end && words[at].first.size() <= range.depth) ++at;  // they end here; sorted first
      const auto children = static_cast<std::uint32_t>(nodes_.size());
      while (at < range.end) {
        const char byte = words[at].first[range.depth];
        std::size_t to = at;
        int value = -1;
        for (; to < range.end && words[to].first[range.depth] == byte; ++to) {
          if (words[to].first.size() == range.depth + 1) value = words[to].second;
        }
        const auto node = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({.byte = static_cast<unsigned char>(byte), .value = value});
        if (range.parent == none) first_[static_cast<unsigned char>(byte)] = node;
        next.push_back({at, to, range.depth + 1, node});
        at = to;
      }
      if (range.parent != none) {
        nodes_[range.parent].children = children;
        nodes_[range.parent].count = static_cast<std::uint16_t>(nodes_.size() - children);
      }
    }
    level.swap(next);
  }
}

std::uint32_t ByteTrie::child(std::uint32_t node, unsigned char byte) const {
  const Node* begin = nodes_.data() + nodes_[node].children;
  const Node* end = begin + nodes_[node].count;
  const Node* found =
      std::lower_bound(begin, end, byte, [](const Node& n, unsigned char b) { return n.byte < b; });
  return found != end && found->byte == byte ? static_cast<std::uint32_t>(found - nodes_.data()) : none;
}

ByteTrie::Longest ByteTrie::longest(std::string_view text) const {
  Longest out;
  prefixes(text, [&](std::size_t length, int value) { out = {length, value}; });
  return out;
}

}  // namespace headlight::tokenizers
