// The positions of the characters of a line, for carets and selections.
#include <algorithm>

#include "base/utf8.h"
#include "text/layout.h"

namespace headlight::text {

namespace {

/// Glyphs that together show some bytes.
struct Cluster {
  std::uint32_t from, to;
  float left, right;
  bool leftwards;
};

std::vector<Cluster> clusters_of(const Line& line) {
  std::vector<Cluster> out;
  float pen = 0;
  for (const Glyph& glyph : line.glyphs) {
    if (out.empty() || out.back().from != glyph.from)
      out.push_back({glyph.from, glyph.to, pen, pen, glyph.leftwards});
    pen += glyph.advance;
    out.back().right = pen;
  }
  std::sort(out.begin(), out.end(), [](const Cluster& a, const Cluster& b) { return a.from < b.from; });
  return out;
}

}  // namespace

std::vector<CharacterSpan> spans_of(std::string_view words, const Line& line) {
  std::vector<CharacterSpan> out;
  const std::vector<Cluster> clusters = clusters_of(line);
  std::size_t next = 0;  // the first cluster that no character has reached yet
  for (std::size_t at = 0; at < words.size();) {
    while (next < clusters.size() && clusters[next].from < at) ++next;
    const CharacterSpan before = out.empty() ? CharacterSpan{} : out.back();
    if (next == clusters.size() || clusters[next].from > at) {
      // An invisible character: it is placed at the end of the one before it.
      const float end = before.leftwards ? before.left : before.right;
      out.push_back({end, end, before.leftwards});
      at += base::decode(words, at).bytes;
      continue;
    }
    const Cluster& cluster = clusters[next];
    std::vector<std::size_t> starts;  // starts of the characters as readers count them
    for (std::size_t i = at; i < cluster.to; i += base::cluster_bytes(words, i)) starts.push_back(i);
    const float each = (cluster.right - cluster.left) / static_cast<float>(starts.size());
    for (std::size_t k = 0; k < starts.size(); ++k) {
      const auto steps = static_cast<float>(cluster.leftwards ? starts.size() - 1 - k : k);
      const float left = cluster.left + steps * each, right = left + each;
      const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : cluster.to;
      const float last = cluster.leftwards ? left : right;
      for (std::size_t i = starts[k]; i < end; i += base::decode(words, i).bytes) {
        if (i == starts[k]) {
          out.push_back({left, right, cluster.leftwards});
        } else {
          out.push_back({last, last, cluster.leftwards});
        }
      }
    }
    at = cluster.to;
  }
  return out;
}

}  // namespace headlight::text
