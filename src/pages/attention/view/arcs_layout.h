// The layout of arcs and words: which words are drawn, where their line is, and how high an arc is. Tested in
// tests/views/attention_arcs_test.cpp.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "pages/attention/view/pairs.h"
#include "scene/hidden_tokens.h"

namespace headlight::views {

inline constexpr float thickest_arc = 26;  // for a weight of 1

class ArcsLayout {
 protected:
  ArcsLayout(const Sheet& sheet, draw::Box area, bool with_note)
      : sheet_(sheet),
        area_(area),
        with_note_(with_note),
        weights_(sheet),
        hidden_(scene::hidden_tokens(sheet.in.scene, sheet.in.results)) {}

  const Selection& selection() const { return sheet_.selection; }
  bool up() const { return focus_ < 0 || sheet_.in.scene.attention.arcs != scene::ArcsShown::attended_by; }
  bool down() const { return focus_ >= 0 && sheet_.in.scene.attention.arcs != scene::ArcsShown::attends_to; }
  bool over(int query, int key) const {
    return selection().hover_query == query && selection().hover_key == key;
  }

  /// Chooses the tokens to draw, in their order, and the word whose arcs are lit: the one under the pointer,
  /// else the pinned one.
  void choose();
  /// Then places the words in body_, in one line, as large as they fit; slanted when they do not fit.
  void place();

  float width_of(int token, float size) const {
    return sheet_.pen.canvas.text_width(words_of(token), strong_style({}, size));
  }
  /// Includes the position when some words are left out.
  std::string words_of(int token) const {
    return token_label(sheet_.in, token) + (part_ ? " " + std::to_string(token) : std::string());
  }
  bool skips(std::size_t i) const { return i > 0 && tokens_[i] > tokens_[i - 1] + 1; }
  std::size_t place_of(int token) const {
    return static_cast<std::size_t>(std::lower_bound(tokens_.begin(), tokens_.end(), token) -
                                    tokens_.begin());
  }
  bool has(int token) const { return std::binary_search(tokens_.begin(), tokens_.end(), token); }

  struct Arc {
    std::size_t query = 0, key = 0;  // places
    float weight = 0;
    bool above = true;
  };
  /// Returns where the arcs of a word begin: above it, or at the other end of its slanted line.
  float foot_of(std::size_t place, bool above) const { return at_[place] - (above ? 0 : slant_); }
  float thickness(float weight) const { return std::max(0.6f, thickest_arc * std::min(weight, 1.f)); }
  /// Returns its highest (below the words: lowest) point.
  float top_of(const Arc& arc) const;
  /// Returns its middle line from the query to the key.
  std::vector<draw::Point> path_of(const Arc& arc) const;

  const Sheet& sheet_;
  draw::Box area_, body_;
  bool with_note_;
  PairWeights weights_;
  scene::HiddenTokens hidden_;
  int focus_ = -1;
  bool part_ = false, zoomed_ = false, slanted_ = false;  // some words; only those on view
  std::vector<int> tokens_;
  std::vector<int> few_;            // the strongest keys when most weights are too small to draw
  std::vector<float> at_, widths_;  // middles and widths of the words
  float size_ = 18, line_ = 32, words_top_ = 0, above_ = 0, below_ = 0;  // of the words; room for arcs
  float slant_ = 0;  // how far a slanted line of the height line_ leads to the left
  float pitch_ = 0;  // distance between the columns of slanted words

 private:
  void place_slanted();
  std::vector<int> strongest_queries(int key) const;
  void place_lines();
  std::pair<float, float> widths_of_arcs(int word) const;
  float height_of(float wide, bool above) const;
  float widest_ = 1, widest_below_ = 1;  // widths of the arcs that take the whole height
};

}  // namespace headlight::views
