// The edges of the map. At the end of each query's row is its entropy in bits; at the end of each key's
// column is what it receives from all queries. They are numbers while there is room, else a profile. Also
// names the keys that a query attends to most, where the map has too many to name them all. Tested in
// tests/views/attention_marginals_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/map_labels.h"

namespace headlight::views {

/// The room for them at the right of the cells and below; 0: they are not drawn.
struct MarginalRoom {
  float right = 0, below = 0;
};
/// Returns the room in an area that also holds cells and labels; none on a slide, where text is enlarged.
/// Several heads side by side have none. The maximum over heads has no entropy, since it is not a
/// distribution.
MarginalRoom marginal_room(const Sheet& sheet, draw::Box area);
/// Returns the least room at the left of the cells, for the words beside what is drawn below.
float marginal_left(const Sheet& sheet, const MarginalRoom& room);

/// Draws them. `corner` is where words to the left of the cells may begin, on the line of the captions above
/// the cells.
void draw_marginals(const Sheet& sheet, draw::Box cells, const TokenAxis& rows, const TokenAxis& cols,
                    const MarginalRoom& room, draw::Point corner);

/// The least number of keys at which the strongest ones of the pinned query are named.
inline constexpr int named_keys_from = 128;
/// Returns the keys with the largest weights of a row that are not masked, strongest first; at most `most`.
std::vector<int> strongest_keys(const Sheet& sheet, int query, std::span<const float> row, std::size_t most);
/// Returns "“cat” attends most to “a” 200: 0.011 · …" with as many of five keys as fit `width`; empty for
/// few keys.
std::string strongest_words(const Sheet& sheet, float width);

}  // namespace headlight::views
