// What stands at the edges of the map: at the end of each query's row its entropy in bits, at the end of each
// key's column what it receives from all queries; numbers while there is room, else a profile. And the keys
// to which a query attends most, by name, where the map has too many to name them all. Tested in
// tests/views/attention_marginals_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/map_labels.h"

namespace headlight::views {

/// The room that they take at the right of the cells and below them; 0: they are not drawn.
struct MarginalRoom {
  float right = 0, below = 0;
};
/// In an area that has to hold cells and labels, too; none where text is enlarged for a hall. Of several
/// heads beside each other there are none, and of the largest over heads no entropy: it is no distribution.
MarginalRoom marginal_room(const Sheet& sheet, draw::Box area);

/// `corner`: where the words to the left of the cells may begin, and the line of the captions above them.
void draw_marginals(const Sheet& sheet, draw::Box cells, const TokenAxis& rows, const TokenAxis& cols,
                    const MarginalRoom& room, draw::Point corner);

/// From so many keys on, the strongest ones of the asked query are named.
inline constexpr int named_keys_from = 128;
/// The keys with the largest weights of a row that are not masked, strongest first; at most `most`.
std::vector<int> strongest_keys(const Sheet& sheet, int query, std::span<const float> row, std::size_t most);
/// "“cat” attends most to “a” 200 0.011, …"; as many of five as fit into `width`; empty for few keys.
std::string strongest_words(const Sheet& sheet, float width);

}  // namespace headlight::views
