// What every card of the Variants page is drawn from, and the cards. Tested in
// tests/views/variants_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/matrix_panel.h"
#include "kit/page_input.h"
#include "kit/sides.h"
#include "pages/variants/variants.h"

namespace headlight::views {

/// Made once for a drawing of the page; refers to its input.
struct VariantsView {
  Pen pen;
  const PageInput& in;
  const scene::VariantsResults& results;
  std::vector<std::string> tokens;  // [T] as labels
  int query = -1, key = -1;         // pinned
  int hover_query = -1, hover_key = -1;

  VariantsView(draw::Canvas& canvas, const PageInput& input);
  const draw::Theme& theme() const { return pen.theme; }
  /// What was asked for when the results were computed.
  const scene::VariantsSettings& settings() const { return in.results.scene.variants; }
};

const scene::VariantSideResults& side_of(const VariantsView& view, WhichSide which);
/// Where the colours of weights end, the same for A and B: 1, or, when no weight of either reaches a half,
/// the next round number above the largest one.
float weights_end(const VariantsView& view);
/// T5: the last bucket begins at this distance, not after side.max_distance, from which on it is certain.
inline int last_bucket_from(const scene::VariantSideResults& side) {
  int from = side.max_distance;  // bucket[n] is of the distance n − max_distance
  while (from > 1 && side.bucket[static_cast<std::size_t>(side.max_distance - from + 1)] == side.bucket[0])
    --from;
  return from;
}
/// The map of a side's weights or of the difference, as all three stand on the page.
MatrixPanel token_map_of(const VariantsView& view, const char* name);

/// "no mask", "causal", … and "no positions", "sin/cos", "RoPE half", …
std::string mask_name(scene::VariantMask mask);
std::string position_name(scene::VariantPosition position);
/// With a model, which layer is compared, and what becomes of positions that are not its own; else empty.
std::string layer_words(const VariantsView& view);
/// "3 of 7 keys are not in the model’s vocabulary", of the second sentence.
std::string unknown_keys(const PageInput& in);
/// "ALiBi · causal", with " · not ÷√d_k" where that is so.
std::string side_name(const scene::VariantSide& side);
/// Is a change of the scores no more than float32 rounding?
bool only_rounding(double change, double magnitude);
/// Why no share of the weight can move: A, B or both have no weights, or not in the same rows.
std::string no_common_rows(const scene::VariantsResults& results);
/// The share of the weight that moves, in per cent, without the sign.
std::string moved_words(double moved);

/// Where the weights of A and B differ most, after `joint`: the pair, or the query of a tie within its row.
/// "" where several rows have the same largest change. `token` names a position.
template <class Token>
std::string most_moved(const char* joint, const scene::VariantDifference& d, Token token) {
  if (d.places == 1) return joint + ("most at " + token(d.query)) + " → " + token(d.key);
  return d.rows == 1 ? joint + ("most in the row of " + token(d.query)) : std::string();
}
/// "the scores stay exactly the same", "… the same up to rounding, 1.2e−06", "… change by up to 2.13".
std::string shift_words(const scene::VariantSideResults& side, int shift);

/// One segmented control, in as many lines of one field as area.w asks for; returns the height. Draws nothing
/// when !draw.
float choice_lines(const Pen& pen, draw::Box area, const std::vector<Choice>& choices, bool draw = true);

std::vector<Choice> compare_choices(const VariantsView& view);  // the one-click presets
void side_card(const VariantsView& view, draw::Box box, WhichSide which);
float side_controls_height(const VariantsView& view, float card_width);
void difference_card(const VariantsView& view, draw::Box box);

void applied_card(const VariantsView& view, draw::Box box, WhichSide which);
void shift_card(const VariantsView& view, draw::Box box);

void dots_card(const VariantsView& view, draw::Box box);
void decoding_card(const VariantsView& view, draw::Box box);
void cross_card(const VariantsView& view, draw::Box box);
void batch_card(const VariantsView& view, draw::Box box);

}  // namespace headlight::views
