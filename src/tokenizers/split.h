// Cutting a text at matches.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tokenizers/pattern.h"

namespace headlight::tokenizers {

/// Bytes [begin, end), never empty.
struct Cut {
  std::uint32_t begin = 0, end = 0;
};

/// What happens to a match: it is dropped, becomes a piece, joins the piece before or after it, or joins
/// adjacent matches.
enum class Behaviour { removed, isolated, merged_with_previous, merged_with_next, contiguous };

std::optional<Behaviour> behaviour_of(std::string_view name);

/// Appends the pieces of a text of `size` bytes that begins at byte `begin` of a longer one. `inverted`: the
/// text between the matches counts as the matches.
void split(std::size_t begin, std::size_t size, const std::vector<Match>& matches, Behaviour behaviour,
           bool inverted, std::vector<Cut>& out);

}  // namespace headlight::tokenizers
