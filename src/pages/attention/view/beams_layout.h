// The layout of beams: which queries and keys are drawn, the heights of their bars, which are proportional to
// the weights, and the columns of words beside them. Tested in tests/views/attention_beams_test.cpp.
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
  float pitch = 0;          // approximate distance between the middles of neighbouring slots
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

  /// Chooses the queries and keys: all, those on view, or for a long sentence the neighbourhood of the pinned
  /// query and the keys of the drawn beams. O(queries drawn · S).
  void choose();
  /// Then sets the places of all.
  void place();

  bool is_drawn(int query, int key, float weight) const;
  std::string words_of(int token, Role role) const;
  static float size_of(const BeamSlot& slot, bool chosen) {
    return chosen && slot.pitch >= 26 ? 18.f : slot.pitch >= 18 ? 14.f : 12.f;
  }
  const Selection& selection() const { return sheet_.selection; }
  int focus() const {
    return selection().hover_query >= 0 ? selection().hover_query : selection().detail_query;
  }
  bool mean() const {
    return selection().kind == HeadsShown::one || sheet_.in.scene.combine == scene::Combine::mean;
  }

  /// The curve of a beam, from left to right, horizontal at both ends.
  struct BeamCurve {
    draw::Point a, control_a, control_b, b;
    float width = 0;
  };
  /// Returns the curve of the beam from queries_[q] to keys_[k]. `aside` shifts it below the beam's middle,
  /// in units.
  BeamCurve curve_of(std::size_t q, std::size_t k, float weight, float aside = 0) const;

  const Sheet& sheet_;
  draw::Box area_, body_;
  bool with_note_;
  PairWeights weights_;
  PairRange range_;
  scene::HiddenTokens hidden_;
  bool around_ = false, cut_keys_ = false;  // only the neighbourhood; only the largest keys
  std::vector<BeamSlot> queries_, keys_;
  std::vector<std::vector<float>> rows_;  // weights of the drawn queries; NaN and infinity are 0
  std::vector<int> few_;  // keys of the pinned query that are drawn even if their weights are small
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
