#include "tokenizers/split.h"

namespace headlight::tokenizers {

namespace {

struct Part {
  std::size_t begin, end;
  bool match;
};

}  // namespace

std::optional<Behaviour> behaviour_of(std::string_view name) {
  if (name == "Removed") return Behaviour::removed;
  if (name == "Isolated") return Behaviour::isolated;
  if (name == "MergedWithPrevious") return Behaviour::merged_with_previous;
  if (name == "MergedWithNext") return Behaviour::merged_with_next;
  if (name == "Contiguous") return Behaviour::contiguous;
  return std::nullopt;
}

void split(std::size_t begin, std::size_t size, const std::vector<Match>& matches, Behaviour behaviour,
           bool inverted, std::vector<Cut>& out) {
  std::vector<Part> parts;
  std::size_t at = 0;
  for (const Match& match : matches) {
    if (match.begin > at) parts.push_back({at, match.begin, inverted});
    parts.push_back({match.begin, match.end, !inverted});
    at = match.end;
  }
  if (at < size) parts.push_back({at, size, inverted});

  const std::size_t first = out.size();
  const auto piece = [&](std::size_t from, std::size_t to) {
    out.push_back({static_cast<std::uint32_t>(begin + from), static_cast<std::uint32_t>(begin + to)});
  };
  bool before = false;  // the previous part was a match
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    const bool joins_previous =
        out.size() > first && ((behaviour == Behaviour::merged_with_previous && part.match && !before) ||
                               (behaviour == Behaviour::contiguous && part.match == before));
    // Of several consecutive matches only the last one joins the piece after it.
    const bool joins_next =
        behaviour == Behaviour::merged_with_next && part.match && i + 1 < parts.size() && !parts[i + 1].match;
    before = part.match;
    if (joins_previous) {
      out.back().end = static_cast<std::uint32_t>(begin + part.end);
    } else if (joins_next) {
      piece(part.begin, parts[i + 1].end);
      before = false;
      ++i;
    } else if (part.end > part.begin && !(behaviour == Behaviour::removed && part.match)) {
      piece(part.begin, part.end);
    }
  }
}

}  // namespace headlight::tokenizers
