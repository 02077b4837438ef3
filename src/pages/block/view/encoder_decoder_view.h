// What the cards of the encoder–decoder draw. Tested in tests/views/encoder_decoder_page_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "kit/card.h"
#include "kit/matrix_panel.h"
#include "kit/page_input.h"
#include "pages/block/encoder_decoder.h"

namespace headlight::views {

/// The results, which must not be null, and the selection among them.
struct EncoderDecoderView {
  Pen pen;
  const PageInput& in;
  const scene::EncoderDecoderResults& r;
  int layer = 0, head = 0;  // on show, counted from 0
  int step = 1, steps = 1;  // the decoding step on show, counted from 1, and how many there are

  EncoderDecoderView(draw::Canvas& canvas, const PageInput& input)
      : pen{canvas, input.theme, input.hover}, in(input), r(*input.own<scene::EncoderDecoderResults>()) {
    const scene::EncoderDecoderSettings& now = input.scene.encoder_decoder;
    layer = r.layer(now), head = r.head(now);
    step = r.step(now), steps = static_cast<int>(r.decoded.size());
  }
  bool decoded() const { return r.n > 0; }
  int layers() const { return r.settings.layers; }
  int heads() const { return r.settings.heads; }
  double cross(int t, int position) const {  // both counted from 1
    return static_cast<double>(r.cross[static_cast<std::size_t>(layer)].at(head, t - 1, position - 1));
  }
  const nn::MirrorShare& mirrored(int of_layer, int of_head) const {
    return r.score.mirrored[static_cast<std::size_t>(of_layer * heads() + of_head)];
  }
};

/// One of the three attentions of the layer and head on show.
struct PairMap {
  const char* mark;      // the mark of its cells
  const char* quantity;  // of a weight: its query and key count from 1
  std::string title, words;
  const nn::Matrix* weights = nullptr;
  const std::vector<std::string>* queries = nullptr;
  const std::vector<std::string>* keys = nullptr;
  bool of_target = false;  // its rows are decoding steps
};
std::vector<PairMap> pair_maps(const EncoderDecoderView& view);

/// The setting that shows this head; layer and head count from 0.
std::string pair_head_set(int layer, int head);
/// "6 “t”": a position, counted from 1, and its token.
std::string place_words(const std::vector<std::string>& names, int position);
/// "layer 2, head 1", or "head 1" if there is one layer.
std::string pair_head_words(const EncoderDecoderView& view, int layer, int head);
/// Both models as choices.
std::vector<Choice> block_model_choices(scene::BlockModel shown);

void pair_maps_card(const EncoderDecoderView& view, draw::Box box);
void pair_decoding_card(const EncoderDecoderView& view, draw::Box box);
void pair_mirrored_card(const EncoderDecoderView& view, draw::Box box);
/// The height that the card needs at this width.
float pair_mirrored_height(const EncoderDecoderView& view, float width);
float pair_decoding_height(const EncoderDecoderView& view);

}  // namespace headlight::views
