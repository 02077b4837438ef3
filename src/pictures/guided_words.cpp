#include "pictures/guided_words.h"

#include "kit/selection.h"
#include "pages/compare/compare.h"
#include "pages/model/atlas.h"
#include "pages/page.h"

namespace headlight::app {

namespace {

/// Does a card of the Compare page show the guided head? Its maps show A and B, its tables every head of
/// their layers.
bool compared(const scene::Results& results, const std::string& panel) {
  const scene::CompareResults* r = results.own_as<scene::CompareResults>();
  if (!r) return false;
  const auto guided = [&](int layer, int head) {
    return r->layered() ? results.guided(layer, head) : results.guided(head);
  };
  const auto of_layer = [&](int layer) {
    return results.guide.layer == (r->layered() ? layer : results.scene.weights_layer - 1);
  };
  const bool b_of_model = !r->other_seed;
  if (panel == "maps") return guided(r->layer_a, r->a) || (b_of_model && guided(r->layer_b, r->b));
  return of_layer(r->layer_a) || (b_of_model && of_layer(r->layer_b));
}

/// Does the page or card show the guided head, according to its results and its PageUses?
bool shown(const views::PageInput& in, const std::string& panel) {
  const scene::Results& results = in.results;
  const scene::GuidedHead& guide = results.guide;
  const scene::PageUses uses = scene::room_of(in.scene.page).uses(in.scene);
  if (uses.model == scene::PageUses::Model::none) return false;
  if (results.own_as<scene::CompareResults>()) return compared(results, panel);
  // These cards show every head of every layer.
  const bool atlas = results.own_as<scene::AtlasResults>() != nullptr && panel != "head";
  if (uses.model == scene::PageUses::Model::stack || atlas) return true;
  if (guide.layer != results.scene.weights_layer - 1) return false;
  const bool all_heads = uses.large_map && (panel.empty() || panel == "heads");
  return all_heads || views::select(in).shows(guide.head);
}

}  // namespace

std::string guided_words(const views::PageInput& in, const std::string& panel) {
  const scene::GuidedHead& guide = in.results.guide;
  if (guide.head < 0 || !shown(in, panel)) return {};
  return "Head " + std::to_string(guide.head + 1) + " of layer " + std::to_string(guide.layer + 1) +
         " was guided during training: state this beside its numbers. ";
}

}  // namespace headlight::app
