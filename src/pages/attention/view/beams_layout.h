// Where beams begin and end: which queries and keys are drawn, the heights of their bars, in proportion to
// the weights on both sides, and the columns of words beside them. Tested in
// tests/views/attention_beams_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/map_labels.h"
#include "pages/attention/view/pairs.h"
#include "scene/hidden_tokens.h"

namespace headlight::views {

inline constexpr float beam_bar_width = 7, beam_line_height = 15;

/// A query's or a key's place in its column.
struct BeamSlot {
  int token = 0;
  float low = 0, high = 0;  // of its bar
  float pitch = 0;          // from the middle of the slot before to the one after, about
  float middle() const { return (low + high) / 2; }
};

class BeamsLayout {
 protected:
  BeamsLayout(const Sheet& sheet, draw::Box area, bool with_note)
      : sheet_(sheet),
        area_(area),
        with_note_(with_note),
        weights_(sheet),
        hidden_(scene::hidden_tokens(sheet.in.scene, sheet.in.results)) {}

  /// Which queries and keys: all, those on view, or of a long sentence the pinned query's neighbourhood and
  /// the keys that its beams go to. O(queries drawn · S).
  void choose();
  /// Then the places of all.
  void place();

  bool is_drawn(int query, int key, float weight) const;
  std::string words_of(int token, Role role) const;
  static float size_of(const BeamSlot& slot, bool chosen) {
    return chosen && slot.pitch >= 26 ? 18.f : slot.pitch >= 18 ? 14.f : 12.f;
  }
  const Selection& selection() const { return sheet_.selection; }
  int focus() const { return selection().hover_query >= 0 ? selection().hover_query : selection().asked; }
  bool mean() const {
    return selection().kind == HeadsShown::one || sheet_.in.scene.combine == scene::Combine::mean;
  }

  /// From left to right, level at both ends.
  struct Way {
    draw::Point a, control_a, control_b, b;
    float width = 0;
  };
  /// Of the beam from query `q` to key `k`, as they are counted here; `aside`: units below its middle.
  Way way(std::size_t q, std::size_t k, float weight, float aside = 0) const;

  const Sheet& sheet_;
  draw::Box area_, body_;
  bool with_note_;
  PairWeights weights_;
  PairRange range_;
  scene::HiddenTokens hidden_;
  bool around_ = false, cut_keys_ = false;  // only the neighbourhood; only the largest keys
  std::vector<BeamSlot> queries_, keys_;
  std::vector<std::vector<float>> rows_;  // of the queries drawn; what is no number is 0
  std::vector<int> few_;                  // keys of the pinned query that are drawn however small they are
  float left_ = 0, right_ = 0, top_ = 0;  // where beams begin and end; the top of the bars
  float query_room_ = 0, key_room_ = 0, number_room_ = 0;
  float unit_ = 0;  // height of a weight of 1

 private:
  std::vector<int> few_of(int query);
  void choose_keys();
  void place_columns();
  std::vector<float> sums_, received_, starts_, ends_;
};

}  // namespace headlight::views
