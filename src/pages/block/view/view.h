// What the cards of the Block page draw. Tested in tests/views/block_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/card.h"
#include "kit/page_input.h"
#include "kit/weight_bar.h"
#include "pages/block/block.h"

namespace headlight::views {

/// The results, which must not be null, and the selection among them.
struct BlockSelection {
  const PageInput& in;
  const scene::BlockResults& results;
  const scene::BlockSettings& settings;  // the settings of the results
  int layer = 0, head = 0;               // selected, counted from 0, limited to those that exist
  int heads = 1;

  explicit BlockSelection(const PageInput& input);
  const nn::AttentionTrace& attention(int of_layer) const {
    return results.trace.layers[static_cast<std::size_t>(of_layer)].attention;
  }
  std::string token(int t) const;
};

struct BlockView : BlockSelection {
  Pen pen;
  BlockView(draw::Canvas& canvas, const PageInput& input)
      : BlockSelection(input), pen{canvas, input.theme, input.hover} {}
};

/// A matrix in the flow of the block.
struct BlockPanel {
  enum class Kind { matrix, map, door };  // door: leads to the next layer
  Kind kind = Kind::matrix;
  std::string title, name;  // name: of its mark, "stage …"
  std::string short_title;  // used when the title does not fit
  const nn::Matrix* values = nullptr;
  scene::ElementStatistics statistics;
  bool sum = false;                                      // the residual joins before it
  bool upper = false;                                    // in the attention sublayer: in the first row
  bool joins_later = false;                              // the residual branches off beside its title
  scene::BlockShown shown = scene::BlockShown::weights;  // what a click on it shows large
};
/// The panels of the attention sublayer, at most five, then those of the feed-forward sublayer and what
/// follows.
std::vector<BlockPanel> block_panels(const BlockSelection& sheet);
/// The panel at whose largest element the colours of `panel` end: itself, or the one with the largest of all.
const BlockPanel& scale_panel(const BlockSelection& sheet, const std::vector<BlockPanel>& panels,
                              const BlockPanel& panel);
/// The panel that is shown large; the panel of the weights if the layer lacks the chosen stage.
const BlockPanel& shown_panel(const BlockSelection& sheet, const std::vector<BlockPanel>& panels);
/// A quantity of a panel's stage: "block_stage_largest".
/// A size in two decimals, as all sizes beside it; large ones have three digits.
std::string size_text(const PageInput& in, const std::string& quantity);
std::string stage_number(const BlockSelection& sheet, const char* name, const BlockPanel& panel);

/// The colour scale of weights, the same for every map here. Its automatic end depends on the small pictures
/// of all heads of all layers.
scene::WeightScale weight_scale(const BlockSelection& sheet);
/// "0 … 1", "0 … ≥ 0.02".
std::string weight_scale_words(const BlockSelection& sheet);

void block_flow_card(const BlockView& sheet, draw::Box box);
void block_overview_card(const BlockView& sheet, draw::Box box);
/// The height at this width at which every head of every layer can be clicked.
float block_overview_height(const BlockView& sheet, float width);
/// The stage shown large: the weights of a head, or a matrix of tokens and components.
void block_map_card(const BlockView& sheet, draw::Box box);
/// Drawn instead of the stream's size: how similar tokens become, and the gradient, with and without residual
/// connections.
void block_depth_plots(const BlockView& sheet, draw::Box box);
std::string block_depth_words(const BlockView& sheet);

void block_stream_card(const BlockView& sheet, draw::Box box);

}  // namespace headlight::views
