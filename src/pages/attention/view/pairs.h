// The parts that beams and arcs share: the weights of the shown map by pair, the weights as words, and the
// area in which the wheel zooms. Tested in tests/views/attention_beams_test.cpp and attention_arcs_test.cpp.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "kit/beam.h"
#include "kit/selection.h"

namespace headlight::views {

/// Pairs with a smaller weight are not drawn; a note says so.
inline constexpr float least_drawn_weight = 0.01f;
/// Returns that weight, or the scene's least weight if it is larger.
inline float least_drawn(const Sheet& sheet) {
  return std::max(least_drawn_weight, static_cast<float>(sheet.in.scene.attention.least_weight));
}
/// With more tokens, only those around the pinned query are drawn; a note says so.
inline constexpr int most_whole = 40;

/// The weights of the one shown head, or the mean or maximum over the shown heads.
class PairWeights {
 public:
  explicit PairWeights(const Sheet& sheet) : sheet_(sheet) {}
  /// Returns the weights [S] of a query. O(heads · S) the first time when several heads are compared, else
  /// O(1).
  std::span<const float> row(int query);
  /// O(heads) at most.
  float at(int query, int key) const;
  /// Returns the head; −1: several.
  int head() const;

 private:
  const Sheet& sheet_;
  std::map<int, std::vector<float>> rows_;
};

/// The queries and keys of the map's visible part, for both orientations. Ends are exclusive.
struct PairRange {
  int first_query = 0, last_query = 0, first_key = 0, last_key = 0;
  bool whole = true;
};
PairRange pairs_on_view(const Sheet& sheet);

/// Returns a weight as the map writes it, and notes it as its quantity.
std::string pair_weight_words(const Sheet& sheet, const PairWeights& weights, int query, int key);

/// Marks the whole picture, for the wheel and for lessons; the pointer hits it where there is no beam.
void pair_area(const Sheet& sheet, const PairWeights& weights, draw::Box area, const char* name);

/// Writes the note below the picture, on the last line of `area`.
void pair_note(const Sheet& sheet, draw::Box area, const std::string& words);

/// Returns the mark of a pair.
draw::Mark pair_mark(const PairWeights& weights, int query, int key);

/// Writes a number on a small plate with an outline, inside `within`. Returns its box.
draw::Box value_label(const Sheet& sheet, draw::Point middle, const std::string& words, float size,
                      draw::Box within);

/// Returns a role's colour for light, nearly opaque on the card.
draw::Color lit(const Sheet& sheet, draw::Color role);

/// Writes a token on its middle line, with a dotted line if it is not in the model's vocabulary. Returns the
/// width.
float token_at(const Sheet& sheet, draw::Point at, int token, const draw::TextStyle& style, float room);

}  // namespace headlight::views
