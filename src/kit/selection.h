// Which heads, queries and keys does a page with attention maps show? The scene's wishes, held to what the
// results have: the scene may be newer than the results. Tested in tests/views/attention_selection_test.cpp.
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
  std::vector<int> heads;                // 0-based, those shown, in the scene's order
  std::vector<int> queries;              // pinned, 0-based, each once; the last one is asked
  int asked = -1;                        // −1 = nothing is asked
  int key = -1;                          // the opened key of the asked query, −1 = none
  int hover_query = -1, hover_key = -1;  // under the pointer, in whichever panel
  bool masked = false;                   // some query may not read some key
  bool pinned(int query) const;
  bool shows(int head) const;
};

Selection select(const PageInput& in);

/// The same heads with nothing pinned: of a figure that marks no selection.
Selection unmarked(const Selection& selection);

/// What the panels of the page draw with.
struct Sheet {
  Pen pen;
  const PageInput& in;
  const Selection& selection;
  const nn::AttentionTrace* shown = nullptr;  // of another layer on the same tokens; null: the scene's layer
  const nn::AttentionTrace& trace() const { return shown ? *shown : in.results.attention; }
  const draw::Theme& theme() const { return in.theme; }
};

/// Token i as a label, of the preview while there is one. Beyond the tokens (a tensor from elsewhere): its
/// number.
std::string token_label(const PageInput& in, int i);
/// The same of key i, whose tokens may be others than those of the queries.
std::string key_label(const PageInput& in, int i);
/// Is token i not in the model's vocabulary?
bool unknown_token(const PageInput& in, int i);
/// “cat”; the second form is for titles: no wider than `width` in their font.
std::string quoted_token(const PageInput& in, int i);
std::string quoted_token(const Sheet& sheet, int i, float width);
std::string quoted_key(const PageInput& in, int i);
std::string quoted_key(const Sheet& sheet, int i, float width);
/// For a sentence: “cat”, and “the” 3 where another token has the same words.
std::string told_token(const PageInput& in, int i);
std::string told_key(const PageInput& in, int i);
/// "layer 2" of several, the one whose heads are shown; empty where there is one.
std::string layer_words(const PageInput& in);
/// "window of 4 keys" of a layer of an opened model that has one; else empty.
std::string window_words(const PageInput& in);
/// The keys have tokens of their own: cross-attention. What needs one line of tokens is not drawn.
bool other_keys(const PageInput& in);

/// A line for tooltips: that the model does not know the token; empty where it does.
std::string unknown_words(const PageInput& in, int i);
/// The mark of such a token: a dotted line under its `width` units of words, turned as they are. `at` is
/// where the words begin, on their middle line.
void mark_unknown(const Pen& pen, draw::Point at, float width, float size, float turn = 0);

/// "mean" or "largest", for sentences; "mean" or "max", for titles.
const char* combine_phrase(scene::Combine combine);

/// The weights [S] of `query` as the large map combines the shown heads: the head's own row, the mean or the
/// largest over all heads, or the mean or largest of several, which is then written into `room`. O(heads · S)
/// at most. The second form is of the scene's layer.
std::span<const float> combined_row(const Sheet& sheet, int query, std::vector<float>& room);
std::span<const float> combined_row(const PageInput& in, const Selection& selection, int query,
                                    std::vector<float>& room);

/// May `query` read `key`?
bool may_read(const nn::AttentionTrace& trace, int query, int key);
/// The first and the last key that the mask leaves to it; all where it leaves none.
std::pair<int, int> keys_allowed(const nn::AttentionTrace& trace, int query);
/// May `query` read nothing at all?
bool reads_nothing(const nn::AttentionTrace& trace, int query);

/// [T, S] values as a heatmap with the colours of the maps on show (shown_scale() in weight_bar.h), turned as
/// the scene says, with the mask where there is a mask.
draw::Heatmap weights_heatmap(const Sheet& sheet, const float* values);

}  // namespace headlight::views
