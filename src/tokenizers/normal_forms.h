// Unicode's normal forms (UAX #15); the range of every byte is kept.
#pragma once

#include "tokenizers/aligned_text.h"

namespace headlight::tokenizers {

struct NormalForm {
  bool compatible = false;  // K
  bool composed = true;     // C, else D
};

/// Returns the text in that form. The text is cut into clusters that cannot interact: a starter and the
/// characters that compose with it or are reordered after it. If the form changes a cluster, all its new
/// bytes get the range of the whole cluster; a cluster that does not change is kept byte for byte. O(text),
/// for clusters of bounded length.
AlignedText normalised(const AlignedText& text, NormalForm form);

}  // namespace headlight::tokenizers
