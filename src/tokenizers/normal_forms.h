// Unicode's normal forms (UAX #15), with the place of every byte kept.
#pragma once

#include "tokenizers/aligned_text.h"

namespace headlight::tokenizers {

struct NormalForm {
  bool compatible = false;  // K
  bool composed = true;     // C, else D
};

/// The text in that form. It is taken apart where characters cannot interact (a cluster: a starter and what
/// composes with it or is reordered behind it); a cluster that the form changes stands as a whole for all
/// that comes out of it, one that it does not change is kept byte for byte. O(text), for clusters of bounded
/// length.
AlignedText normalised(const AlignedText& text, NormalForm form);

}  // namespace headlight::tokenizers
