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

/// Draws into `area`, laid out for its width; returns the height it needs (more than area.h: the window
/// scrolls).
float model_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
/// What the page answers.
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
  scene::HeadPlace shown;   // whose weights `sheet` has
  scene::HeadPlace chosen;  // by the scene, which may be newer
  scene::ModelScore score() const { return sheet.in.scene.model.score; }
  /// The colours of weights, of all pictures.
  scene::WeightScale scale() const {
    return scene::weight_scale(sheet.in.scene, std::max(atlas.tiles.T, atlas.tiles.S), atlas.counts);
  }
};

/// "head 3", or where there are layers "layer 2, head 3".
std::string head_name(const ModelView& view, scene::HeadPlace at);
/// What chooses this head everywhere: settings, as a mark has them. Compare begins with it, too.
std::string choosing(scene::HeadPlace at);
/// A score as it is measured: "weight on the previous token".
const char* score_words(scene::ModelScore score);
/// The number of a score, as the page writes it; "–" where no query has such a key.
std::string score_text(const PageInput& in, scene::HeadPlace at, scene::ModelScore score);

/// What uniform attention in that layer has of it, as the page writes it.
std::string uniform_text(const PageInput& in, int layer, scene::ModelScore score);
/// Does one head come first alone, in the decimals that are shown, too?
bool first_alone(const scene::Atlas& atlas, scene::ModelScore score);

/// Why no head has this score, "no token occurs twice …"; empty: heads have it.
std::string no_score_words(const scene::Atlas& atlas, scene::ModelScore score);

/// All heads. The height that the card needs at this width.
float atlas_height(const ModelView& view, float width, float wanted);
void atlas_card(const ModelView& view, draw::Box box);
/// The chosen head's weights, and its scores in numbers.
void head_card(const ModelView& view, draw::Box box);

/// Why saved attention has neither components nor a plane.
inline constexpr const char* no_vectors = "no q × k and no plane: the file holds no q and k";

/// "component 5"; of one that RoPE turns "component 5 (RoPE pair 1, 0.1 rad per position)". `rank` from 1.
std::string component_name(const PageInput& in, const scene::HeadDetails& details, int head, int rank);
/// q·k of the pinned query component by component; its subtitle.
void draw_components(const ModelView& view, draw::Box box);
std::string components_words(const ModelView& view);
/// The head's queries and keys in two dimensions; its subtitle.
void draw_plane(const ModelView& view, draw::Box box);
std::string plane_words(const ModelView& view);

/// "head 4 of layer 2 off", "3 heads off", "2 heads off or scaled".
std::string changed_words(const scene::ChangedPredictions& changed, int layers);

/// What the model predicts, which is something (Predictions::none is empty). The height that the card needs
/// at this width; `plain`: of Canvas::plain().
float next_height(const scene::Predictions& predictions, float width, bool plain);
void next_card(const ModelView& view, const scene::Predictions& predictions, draw::Box box);

/// The run that is compared. The height that the card needs at this width; 0: there is none.
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
