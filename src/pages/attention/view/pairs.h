// What Beams and Arcs share: the weights of the map on show by pair, whose query is lit, the weights as
// words, and the area in which the wheel zooms. Tested in tests/views/attention_beams_test.cpp and
// attention_arcs_test.cpp.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "kit/beam.h"
#include "kit/selection.h"

namespace headlight::views {

/// Pairs with a smaller weight are not drawn, which is said.
inline constexpr float least_drawn_weight = 0.01f;
/// Where the scene asks for more, that.
inline float least_drawn(const Sheet& sheet) {
  return std::max(least_drawn_weight, static_cast<float>(sheet.in.scene.least_weight));
}
/// Of more tokens only those around the pinned query are drawn, which is said.
inline constexpr int most_whole = 40;

/// The weights of the one head, or the mean or largest of those shown.
class PairWeights {
 public:
  explicit PairWeights(const Sheet& sheet) : sheet_(sheet) {}
  /// [S]; O(heads · S) the first time where several heads are compared, else O(1).
  std::span<const float> row(int query);
  /// O(heads) at most.
  float at(int query, int key) const;
  /// The head that they are of; −1: several.
  int head() const;

 private:
  const Sheet& sheet_;
  std::map<int, std::vector<float>> rows_;
};

/// The part of the map on view as queries and keys, whatever way it is turned. Ends are exclusive.
struct PairRange {
  int first_query = 0, last_query = 0, first_key = 0, last_key = 0;
  bool whole = true;
};
PairRange pairs_on_view(const Sheet& sheet);

/// A weight as the map writes it, noted as the number that it is.
std::string pair_weight_words(const Sheet& sheet, const PairWeights& weights, int query, int key);

/// What the pointer finds where no beam is: the whole picture, for the wheel and for lessons.
void pair_area(const Sheet& sheet, const PairWeights& weights, draw::Box area, const char* name);

/// A pair under the pointer.
draw::Mark pair_mark(const PairWeights& weights, int query, int key);

/// A number on the light: raised, with an edge; inside `within`. Returns its box.
draw::Box value_label(const Sheet& sheet, draw::Point middle, const std::string& words, float size,
                      draw::Box within);

/// A role's colour as light: all but opaque on the card.
draw::Color lit(const Sheet& sheet, draw::Color role);

/// A token's words at their middle line, with the dots of one that the model does not know. Returns the
/// width.
float token_at(const Sheet& sheet, draw::Point at, int token, const draw::TextStyle& style, float room);

}  // namespace headlight::views
