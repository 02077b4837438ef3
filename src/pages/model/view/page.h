// The Model page: every head of every layer as a small picture, the chosen head large. Tested in
// tests/app/model_page_test.cpp.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "kit/help.h"
#include "kit/weight_bar.h"
#include "pages/model/atlas.h"

namespace headlight::views {

/// Draws the page into `area`, laid out for its width. Returns the height that it needs; if this exceeds
/// area.h, the window scrolls.
float model_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// The question that the page answers.
std::string model_question(const PageInput& in);
/// Lines for the tooltip of any mark of the page; empty: none.
std::string model_tooltip(const PageInput& in, const draw::Hit& hit);
/// One line for the status bar.
std::string model_words(const PageInput& in);
std::string model_finding(const PageInput& in, std::string_view card);

/// The mathematics of its panels.
std::span<const HelpEntry> model_help();

/// What the cards draw with.
struct ModelView {
  Sheet sheet;
  const scene::Atlas& atlas;
  const scene::HeadDetails& details;
  const scene::Predictions& predictions;
  scene::HeadPlace shown;   // the head whose weights `sheet` has
  scene::HeadPlace chosen;  // the head that the scene chooses, which may be newer
  scene::ModelScore score() const { return sheet.in.scene.model.score; }
  /// The colour scale of the weights of all heads, small and large.
  scene::WeightScale scale() const {
    return scene::weight_scale(sheet.in.scene, std::max(atlas.tiles.T, atlas.tiles.S), atlas.counts);
  }
};

/// "head 3", or if there are layers "layer 2, head 3".
std::string head_name(const ModelView& view, scene::HeadPlace at);
/// The settings that choose this head everywhere, in the form of a mark. Compare also begins with this head.
std::string choosing(scene::HeadPlace at);
/// What a score measures: "weight on the previous token".
const char* score_words(scene::ModelScore score);
/// A score as the page writes it; "–" when no query has such a key.
std::string score_text(const PageInput& in, scene::HeadPlace at, scene::ModelScore score);

/// The score of uniform attention in this layer, as the page writes it.
std::string uniform_text(const PageInput& in, int layer, scene::ModelScore score);
/// Is exactly one head first, also in the decimals that are shown?
bool first_alone(const scene::Atlas& atlas, scene::ModelScore score);

/// Why no head has this score, "no token occurs twice …"; empty: some head has it.
std::string no_score_words(const scene::Atlas& atlas, scene::ModelScore score);

/// "trained for 512 positions; later ones are extrapolation"; empty: no token is beyond them.
std::string beyond_training_words(const scene::Atlas& atlas);

/// The card of all heads: the height that it needs at this width.
float atlas_height(const ModelView& view, float width, float wanted);
void atlas_card(const ModelView& view, draw::Box box);
/// The chosen head: its weights, in the colours of the small pictures, and its scores as numbers.
void head_card(const ModelView& view, draw::Box box);

/// The heads whose maps are most similar to that of the head on show: pictures that choose them. `width`: of
/// the column that they take beside the map; 0: there is no room, or too few heads.
float alike_width(const ModelView& view, float width);
void draw_alike(const ModelView& view, draw::Box box);
/// " over one query in 5", for cosines of long maps; empty: over all.
std::string alike_over(const scene::AlikeHeads& alike);
/// The small picture of a head, in a box of any shape.
void draw_head_picture(const ModelView& view, scene::HeadPlace at, draw::Box box);
/// "2·4", layer and head.
std::string place_text(scene::HeadPlace at);

/// Why saved attention has neither components nor a plane.
inline constexpr const char* no_vectors = "no q × k and no plane: the file holds no q and k";

/// "component 5", or if RoPE rotates it "component 5 (RoPE pair 1, 0.1 rad per position)". `rank` counts from
/// 1.
std::string component_name(const PageInput& in, const scene::HeadDetails& details, int head, int rank);
/// q·k of the pinned query, component by component; below, its subtitle.
void draw_components(const ModelView& view, draw::Box box);
std::string components_words(const ModelView& view);
/// The head's queries and keys in two dimensions; below, its subtitle.
void draw_plane(const ModelView& view, draw::Box box);
std::string plane_words(const ModelView& view);

/// "head 4 of layer 2 off", "3 heads off", "2 heads off or scaled".
std::string changed_words(const scene::ChangedPredictions& changed, int layers);

/// The card of predictions, which must exist (Predictions::none is empty): the height that it needs at this
/// width. `plain` is Canvas::plain().
float next_height(const scene::Predictions& predictions, float width, bool plain);
void next_card(const ModelView& view, const scene::Predictions& predictions, draw::Box box);

/// The card of the comparison with a saved run: the height that it needs at this width; 0: there is none.
float check_height(const scene::Check* check, float width);
void check_card(const ModelView& view, const scene::Check& check, draw::Box box);
/// "largest difference 0.0012 at layer 3, head 2, “cat” → “the”"
std::string check_words(const PageInput& in, const scene::Check& check);
/// "every layer is within rounding, 0.0001 in float32"
std::string rounding_words(const PageInput& in, const scene::Check& check);

namespace plain {
/// The page in words.
std::string describe_model(const PageInput& in, int keys);
}  // namespace plain

}  // namespace headlight::views
