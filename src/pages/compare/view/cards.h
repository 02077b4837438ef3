// The cards of the Compare page. Each draws into its box; the page decides where. Tested in
// tests/views/compare_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/choices.h"
#include "kit/page_input.h"
#include "kit/selection.h"
#include "pages/compare/compare.h"

namespace headlight::views {

/// A place that a head can look at, and how much of its weight goes there.
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
/// "0.74"; where a map has no weights, that it has no cosine.
std::string cosine_text(double cosine, int decimals);
/// The same of A and B.
std::string cosine_words(const PageInput& in);

/// The weights that head A is one of: the scene's layer, or layer A of the stack.
const nn::AttentionTrace& compare_trace(const PageInput& in, const scene::CompareResults& results);
/// What is selected, as far as compare_trace() has it.
Selection compare_selection(const PageInput& in, const scene::CompareResults& results);

struct CompareView {
  const Sheet& sheet;
  const scene::CompareResults& results;
  int query = -1, key = -1;  // the cell whose numbers are written: under the pointer, else opened, else none

  CompareView(const Sheet& with, const scene::CompareResults& of);

  const Pen& pen() const { return sheet.pen; }
  const draw::Theme& theme() const { return sheet.theme(); }
  draw::Canvas& canvas() const { return sheet.pen.canvas; }
  int heads() const { return sheet.trace().heads; }
  bool on(int head) const { return results.on[static_cast<std::size_t>(head)] != 0; }
  /// Saved attention: weights alone.
  bool saved() const { return sheet.in.results.opened && sheet.in.results.opened->saved; }
  /// There are two layers to choose.
  bool stack() const { return results.layered(); }
  /// Every map has one cell, of weight 1.
  bool one_token() const { return sheet.trace().T == 1 && sheet.trace().S == 1; }
  /// B is a head of the layer that A is in, under the same seed.
  bool same_layer() const { return !results.other_seed && results.layer_a == results.layer_b; }
  /// "layer 2" of the stack; empty where there is one layer only.
  std::string layer_a() const;
  std::string layer_b() const;
  /// "head 3", "head 3, seed 8", "layer 2 head 3".
  /// Was that head of the model guided during training?
  bool guided(int layer, int head) const;
  std::string name_a() const;
  std::string name_b() const;
  /// With how many decimals weights are written: as the colours of A and B go.
  int decimals() const;
  float weight_a(int q, int k) const;
  float weight_b(int q, int k) const;
};

/// "previous token 0.94, uniform 0.17": the target whose weight is furthest above that of uniform attention;
/// or that none is above it. Empty where no target is defined.
std::string strongest_role(const nn::HeadRoles& uniform, const nn::HeadRoles& roles,
                           bool with_uniform = true);
/// Its column; −1 when there is none.
int strongest_role_index(const nn::HeadRoles& uniform, const nn::HeadRoles& roles);
/// The mask leaves no query a key of this role: no head can have weight there.
bool role_is_masked(const nn::HeadRoles& uniform, int role);

/// The assignment that switches a head on or off.
std::string toggled_off(const CompareView& view, int head);
/// Heads for a table of at most `most` rows: all, or those whose loss is largest, A and B among them.
std::vector<int> listed_heads(const CompareView& view, int most);

void compare_maps_card(const CompareView& view, draw::Box box);
/// Height that the choice of layers adds to it.
float compare_choosers_more(const CompareView& view);
void compare_similarity_card(const CompareView& view, draw::Box box);
void compare_roles_card(const CompareView& view, draw::Box box);
/// What it needs; `tight`: at the least.
float compare_roles_height(const CompareView& view, bool tight = false);
void compare_output_card(const CompareView& view, draw::Box box);
/// The same, at this width.
float compare_output_height(const CompareView& view, float width, bool tight = false);

inline constexpr int most_listed_heads = 48;

}  // namespace headlight::views
