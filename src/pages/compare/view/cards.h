// The cards of the Compare page. Each draws into its box; the page places the boxes. Tested in
// tests/views/compare_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/choices.h"
#include "kit/page_input.h"
#include "kit/selection.h"
#include "pages/compare/compare.h"

namespace headlight::views {

/// A column of the table of roles: a target that a head can attend to, and its mean weight there.
struct RoleColumn {
  const char* name;    // "previous token"
  const char* narrow;  // "previous"
  const char* note;
  double nn::HeadRoles::*value;
};
inline constexpr int role_count = 5;
const RoleColumn& role_column(int index);
/// The quantities of the columns of roles.
inline constexpr const char* role_quantities[] = {"previous", "next", "first", "itself", "same_token"};
/// Returns "0.74", or words for a map without weights, which has no cosine.
std::string cosine_text(double cosine, int decimals);
/// The same for A and B.
std::string cosine_words(const PageInput& in);

/// Returns the weights of head A's layer: the scene's layer, or layer A of the stack.
const nn::AttentionTrace& compare_trace(const PageInput& in, const scene::CompareResults& results);
/// Returns the selection, limited to what compare_trace() has.
Selection compare_selection(const PageInput& in, const scene::CompareResults& results);

struct CompareView {
  const Sheet& sheet;
  const scene::CompareResults& results;
  int query = -1, key = -1;  // the cell whose numbers are written: under the pointer, else pinned, else with
                             // the largest difference

  CompareView(const Sheet& with, const scene::CompareResults& of);

  const Pen& pen() const { return sheet.pen; }
  const draw::Theme& theme() const { return sheet.theme(); }
  draw::Canvas& canvas() const { return sheet.pen.canvas; }
  int heads() const { return sheet.trace().heads; }
  bool on(int head) const { return results.on[static_cast<std::size_t>(head)] != 0; }
  /// Is this saved attention, which has only weights?
  bool saved() const { return sheet.in.results.opened && sheet.in.results.opened->saved; }
  /// Can A and B be heads of different layers?
  bool stack() const { return results.layered(); }
  /// Has every map only one cell, with weight 1?
  bool one_token() const { return sheet.trace().T == 1 && sheet.trace().S == 1; }
  /// Is B in the same layer as A, with the same seed?
  bool same_layer() const { return !results.other_seed && results.layer_a == results.layer_b; }
  /// Returns "layer 2" of the stack; empty when there is only one layer.
  std::string layer_a() const;
  std::string layer_b() const;
  /// Was that head of the model guided during training?
  bool guided(int layer, int head) const;
  /// Return "head 3", "head 3, seed 8" or "layer 2 head 3".
  std::string name_a() const;
  std::string name_b() const;
  /// Returns the number of decimals of weights, which follows from the colour scale of A and B.
  int decimals() const;
  float weight_a(int q, int k) const;
  float weight_b(int q, int k) const;
};

/// The smallest share of the way from uniform attention to 1 that a target is named for: 0.111 is not called
/// a role where uniform attention has 0.100.
inline constexpr double least_role_share = 0.1;

/// Returns the target whose weight is furthest above uniform attention, "previous token 0.94, uniform 0.17",
/// or says that none is far enough above it, or that each query has itself as its only key; without
/// `with_uniform`, all are shorter. Empty when no target is defined.
std::string strongest_role(const nn::HeadRoles& uniform, const nn::HeadRoles& roles,
                           bool with_uniform = true);
/// Returns the column of that target; −1 when there is none.
int strongest_role_index(const nn::HeadRoles& uniform, const nn::HeadRoles& roles);
/// Does the mask leave no query a key with this role? No head can then have weight there.
bool role_is_masked(const nn::HeadRoles& uniform, int role);

/// Returns the assignment that switches a head on or off.
std::string toggled_off(const CompareView& view, int head);
/// Returns the heads for a table of at most `most` rows: all, or A, B and those whose loss is largest.
std::vector<int> listed_heads(const CompareView& view, int most);

void compare_maps_card(const CompareView& view, draw::Box box);
/// Returns the height that the choice of layers adds to the card of maps.
float compare_choosers_more(const CompareView& view);
/// Is a card in a window so high that A − B is below A and B, where a row of three would be small? No page
/// makes it so high unless it is alone.
inline bool compare_maps_upright(const Pen& pen, draw::Box box) {
  return !pen.canvas.plain() && box.h > 0.85f * box.w;
}
/// Are the maps in one row because two would be too low? `inside` is the width within a card of this height.
inline bool compare_maps_low_row(const Pen& pen, float inside, float height) {
  return !pen.canvas.plain() && inside >= 400 && height < 560;
}
/// Are the three maps of a narrow figure one below the other, all of one size? With square cells two of them
/// are side by side.
inline bool compare_maps_stacked(const Pen& pen) {
  return pen.canvas.plain() && !on_slide(pen) && !pen.canvas.parts().square;
}
void compare_similarity_card(const CompareView& view, draw::Box box);
void compare_roles_card(const CompareView& view, draw::Box box);
/// Returns the height that the card needs; `tight`: its least height.
float compare_roles_height(const CompareView& view, bool tight = false);
/// The same of A and B alone, as pairs of bars, for a card too narrow for the table. Only in a window.
void compare_role_pairs_card(const CompareView& view, draw::Box box);
float compare_role_pairs_height(const CompareView& view, bool tight = false);
/// The pairs of tokens at which A and B differ most.
void compare_apart_card(const CompareView& view, draw::Box box);
float compare_apart_height(const CompareView& view, bool tight = false);
void compare_output_card(const CompareView& view, draw::Box box);
/// The same, at this width.
float compare_output_height(const CompareView& view, float width, bool tight = false);

inline constexpr int most_listed_heads = 48;

}  // namespace headlight::views
