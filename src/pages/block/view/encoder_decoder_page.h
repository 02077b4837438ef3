// The Block page's encoder–decoder: its three attentions side by side, the decoded word, and which source
// positions the cross-attention weights. Tested in tests/views/encoder_decoder_page_test.cpp.
#pragma once

#include <string>

#include "kit/page_input.h"

namespace headlight::views {

/// Like block_page() and its companions, while the scene shows the encoder–decoder.
float encoder_decoder_page(draw::Canvas& canvas, draw::Box area, const PageInput& in);
std::string encoder_decoder_tooltip(const PageInput& in, const draw::Hit& hit);
std::string encoder_decoder_words(const PageInput& in);

}  // namespace headlight::views
