// What the cards of the Block page draw for a layer of another program's model: the flow of its architecture,
// the stage shown large, the heads of the layer, the residual stream through all layers. Tested in
// tests/views/opened_block_test.cpp.
#pragma once

#include <algorithm>
#include <string>

#include "kit/card.h"
#include "kit/page_input.h"
#include "pages/block/opened.h"
#include "scene/map_scale.h"

namespace headlight::views {

/// The results, which must not be null, and the selection among them.
struct OpenedSelection {
  const PageInput& in;
  const scene::OpenedBlock& block;
  const scene::OpenedLayer& of;
  const nn::AttentionTrace& attention;
  int head = 0;                               // on show, counted from 0
  const scene::OpenedStage* shown = nullptr;  // shown large; null: the weights are

  explicit OpenedSelection(const PageInput& input)
      : in(input),
        block(*input.own<scene::OpenedBlock>()),
        of(*input.results.opened),
        attention(input.results.attention) {
    head = std::clamp(in.scene.block.head - 1, 0, attention.heads - 1);
    shown = block.find(in.scene.block.shown);
  }
  scene::WeightScale scale() const { return scene::weight_scale(in.scene, attention.T, block.counts); }
  /// The stage at whose largest element the colours of `one` end: itself, or the one with the largest of all.
  const scene::OpenedStage& scale_stage(const scene::OpenedStage& one) const {
    if (in.scene.block.scale == scene::BlockScale::own) return one;
    return *std::max_element(block.list.begin(), block.list.end(),
                             [](const auto& a, const auto& b) { return a.largest < b.largest; });
  }
  bool parallel() const {
    return block.plan == nn::BlockPlan::parallel_one_norm || block.plan == nn::BlockPlan::parallel_two_norms;
  }
  /// "layer 3 of 12"
  std::string layer_words() const {
    return "layer " + std::to_string(block.layer + 1) + " of " + std::to_string(block.layers);
  }
};

struct OpenedView : OpenedSelection {
  Pen pen;
  OpenedView(draw::Canvas& canvas, const PageInput& input)
      : OpenedSelection(input), pen{canvas, input.theme, input.hover} {}
};

/// The number of a stage, as the page writes it.
std::string stage_text(const PageInput& in, const char* quantity, const scene::OpenedStage& stage);
/// "pre-norm: a = x + attn(N₁ x), y = a + mlp(N₂ a)"
std::string plan_words(const scene::OpenedBlock& block);
std::string plan_words(nn::BlockPlan plan);

void opened_flow_card(const OpenedView& sheet, draw::Box box);
void opened_heads_card(const OpenedView& sheet, draw::Box box);
/// The height at this width at which every head can be clicked.
float opened_heads_height(const OpenedView& sheet, float width);
void opened_map_card(const OpenedView& sheet, draw::Box box);
void opened_stream_card(const OpenedView& sheet, draw::Box box);

/// Like block_page() and its companions, while the results are those of another program's model.
bool shows_opened(const PageInput& in);
float opened_block_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
std::string opened_block_tooltip(const PageInput& in, const draw::Hit& hit);
std::string opened_block_words(const PageInput& in);
std::string describe_opened_block(const PageInput& in);

}  // namespace headlight::views
