// The input of every card of the Variants page, and the cards. Tested in tests/views/variants_page_test.cpp.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kit/matrix_panel.h"
#include "kit/page_input.h"
#include "kit/sides.h"
#include "pages/variants/variants.h"

namespace headlight::views {

/// Made once per drawing of the page; refers to its input.
struct VariantsView {
  Pen pen;
  const PageInput& in;
  const scene::VariantsResults& results;
  std::vector<std::string> tokens;  // [T] as labels
  int query = -1, key = -1;         // pinned
  int hover_query = -1, hover_key = -1;

  VariantsView(draw::Canvas& canvas, const PageInput& input);
  const draw::Theme& theme() const { return pen.theme; }
  /// The settings that the results were computed with.
  const scene::VariantsSettings& settings() const { return in.results.scene.variants; }
};

/// The colours of two curves that are neither roles nor verdicts: the first and second series.
inline draw::Color raw_color(const VariantsView& view) {
  return draw::series(view.theme(), 0);
}
inline draw::Color scaled_color(const VariantsView& view) {
  return draw::series(view.theme(), 1);
}

const scene::VariantSideResults& side_of(const VariantsView& view, WhichSide which);
/// Returns the distance at which T5's last bucket begins, which is at most side.max_distance.
inline int last_bucket_from(const scene::VariantSideResults& side) {
  int from = side.max_distance;  // bucket[n] belongs to the distance n − max_distance
  while (from > 1 && side.bucket[static_cast<std::size_t>(side.max_distance - from + 1)] == side.bucket[0])
    --from;
  return from;
}
/// Returns the panel that the maps of A, B and their difference share.
MatrixPanel token_map_of(const VariantsView& view, const char* name);

/// "no mask", "causal", … and "no positions", "sin/cos", "RoPE (rotate half)", …: as its field has it
std::string mask_name(scene::VariantMask mask);
std::string position_name(scene::VariantPosition position);
/// Says for a model which layer is compared, and what happens to positions that are not its own; else empty.
std::string layer_words(const VariantsView& view);
/// Returns "3 of 7 keys are not in the model’s vocabulary" for the second sentence.
std::string unknown_keys(const PageInput& in);
/// Returns "ALiBi · causal", with " · not ÷√d_k" if scores are not divided.
std::string side_name(const scene::VariantSide& side);
/// Is a change of the scores only float32 rounding?
bool only_rounding(double change, double magnitude);
/// Says why no share of the weight can move: A, B or both have no weights, or not in the same rows.
std::string no_common_rows(const scene::VariantsResults& results);

/// Says, after `joint`, where the weights of A and B differ most: the pair, or only the query when several
/// keys of its row tie. "" when several rows have the same largest change. `token` names a position.
template <class Token>
std::string most_moved(const char* joint, const scene::VariantDifference& d, Token token) {
  if (d.places == 1) return joint + ("most at " + token(d.query)) + " → " + token(d.key);
  return d.rows == 1 ? joint + ("most in the row of " + token(d.query)) : std::string();
}
/// Says how a shift changes the scores: not at all, only by rounding, or "scores change by up to 2.13".
std::string shift_words(const scene::VariantSideResults& side, int shift);
/// The largest change of a score in three digits, zeros at the end included.
std::string change_size(double change);

/// Draws one segmented control on as many lines as area.w requires; returns the height. Draws nothing when
/// `draw` is false.
float choice_lines(const Pen& pen, draw::Box area, const std::vector<Choice>& choices, bool draw = true);

std::vector<Choice> position_choices(const VariantsView& view, WhichSide which);
std::vector<Choice> mask_choices(const VariantsView& view, WhichSide which);
std::array<Choice, 2> scale_choices(const VariantsView& view, WhichSide which);
std::vector<Choice> compare_choices(const VariantsView& view);  // the one-click presets
/// The chosen one between the steps to its neighbours, whose names begin with `name`. `none`: what is written
/// between them where none is chosen.
std::vector<Choice> stepper(const std::vector<Choice>& all, const std::string& name,
                            const std::string& none = {});
/// How mask and positions are chosen: from all of them, or, where these would leave too little to the map,
/// step by step, each on one line.
enum class Choosers { all, steps };
void side_card(const VariantsView& view, draw::Box box, WhichSide which, Choosers choosers = Choosers::all);
float side_controls_height(const VariantsView& view, float card_width, Choosers choosers = Choosers::all);
void difference_card(const VariantsView& view, draw::Box box, Choosers choosers = Choosers::all);

void applied_card(const VariantsView& view, draw::Box box, WhichSide which);
void shift_card(const VariantsView& view, draw::Box box);

void dots_card(const VariantsView& view, draw::Box box);
void decoding_card(const VariantsView& view, draw::Box box);
void cross_card(const VariantsView& view, draw::Box box);
void batch_card(const VariantsView& view, draw::Box box);

}  // namespace headlight::views
