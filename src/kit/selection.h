// The heads, queries and keys that a page with attention maps shows. The scene's choices are limited to what
// the results have, since the scene may be newer than the results. Tested in
// tests/views/attention_selection_test.cpp.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kit/card.h"
#include "kit/page_input.h"
#include "scene/pinned.h"

namespace headlight::views {

enum class HeadsShown { one, several, all };

struct Selection {
  HeadsShown kind = HeadsShown::one;
  std::vector<int> heads;                // shown heads, 0-based, in the scene's order
  std::vector<int> queries;              // pinned, 0-based, each once; the last one is `detail_query`
  int detail_query = -1;                 // the query shown in detail, −1 = none
  int key = -1;                          // the pinned key of that query, −1 = none
  int hover_query = -1, hover_key = -1;  // under the pointer, in whichever panel
  bool masked = false;                   // some query may not attend to some key
  bool pinned(int query) const;
  bool shows(int head) const;
};

Selection select(const PageInput& in);

/// Is the head that was guided during training one of the chosen heads of the scene's layer?
bool chosen_head_guided(const PageInput& in);

/// Returns the same heads with nothing pinned, for a figure that marks no selection.
Selection unmarked(const Selection& selection);

/// What the panels of the page draw with.
struct Sheet {
  Pen pen;
  const PageInput& in;
  const Selection& selection;
  const nn::AttentionTrace* shown = nullptr;  // another layer's, for the same tokens; null: the scene's layer
  const nn::AttentionTrace& trace() const { return shown ? *shown : in.results.attention; }
  const draw::Theme& theme() const { return in.theme; }
};

/// Returns token i as a label, from the preview while there is one. Beyond the tokens (of an imported
/// tensor), returns its number.
std::string token_label(const PageInput& in, int i);
/// The same for key i. The keys may have other tokens than the queries.
std::string key_label(const PageInput& in, int i);
/// Is token i not in the model's vocabulary?
bool unknown_token(const PageInput& in, int i);
/// Returns “cat”. The second form is for titles and is no wider than `width` in their font.
std::string quoted_token(const PageInput& in, int i);
std::string quoted_token(const Sheet& sheet, int i, float width);
std::string quoted_key(const PageInput& in, int i);
std::string quoted_key(const Sheet& sheet, int i, float width);
/// Returns the token for a sentence: “cat”, or “the” 3 when another token has the same text. A token with its
/// position has this one form everywhere.
std::string token_in_words(const PageInput& in, int i);
std::string key_in_words(const PageInput& in, int i);
std::string token_in_words(const Sheet& sheet, int i,
                           float width);  // of which the word has no more than `width`
std::string key_in_words(const Sheet& sheet, int i, float width);
/// Returns a query and a key, each as above: “cat” → “on”.
std::string pair_in_words(const PageInput& in, int query, int key);
/// Returns the tooltip of a token beside a map, “cat”, query 1; empty for other marks.
std::string token_tooltip(const PageInput& in, const draw::Mark& mark);
/// The layer whose heads are shown, 0-based, and how many there are to choose from.
struct ShownLayer {
  int layer = 0, of = 1;
};
ShownLayer shown_layer(const PageInput& in);
/// Returns "layer 2", the layer whose heads are shown; empty when there is only one.
std::string layer_words(const PageInput& in);
/// Returns "window of 4 keys" when the layer of an opened model has a window; else empty.
std::string window_words(const PageInput& in);
/// Do the keys have tokens of their own (cross-attention)? Pictures that need one line of tokens are then not
/// drawn.
bool other_keys(const PageInput& in);

/// Returns a tooltip line which says that the token is not in the model's vocabulary; empty when it is.
std::string unknown_words(const PageInput& in, int i);
/// Draws the mark of such a token: a dotted line under its text, `width` units long and turned like the text.
/// `at` is the start of the text, on its middle line.
void mark_unknown(const Pen& pen, draw::Point at, float width, float size, float turn = 0);

/// Returns "mean" or "largest", for sentences.
const char* combine_phrase(scene::Combine combine);

/// Returns the weights [S] of `query` as the large map combines the shown heads: the row of one head, the
/// mean or maximum over all heads, or the mean or maximum of several, which is written into `room`. O(heads ·
/// S) at most. The second form uses the scene's layer.
std::span<const float> combined_row(const Sheet& sheet, int query, std::vector<float>& room);
std::span<const float> combined_row(const PageInput& in, const Selection& selection, int query,
                                    std::vector<float>& room);

/// May `query` attend to `key`?
bool may_read(const nn::AttentionTrace& trace, int query, int key);
/// Returns the first and last key that the mask allows for `query`; the whole range when it allows none.
std::pair<int, int> keys_allowed(const nn::AttentionTrace& trace, int query);
/// Does the mask leave `query` no key at all?
bool reads_nothing(const nn::AttentionTrace& trace, int query);

/// Returns [T, S] values as a heatmap with the colours of the shown maps (shown_scale() in weight_bar.h), the
/// scene's orientation, and the mask if there is one.
draw::Heatmap weights_heatmap(const Sheet& sheet, const float* values);

}  // namespace headlight::views
