// How well does an encoder–decoder write words backwards, and where is its attention over the source while it
// decodes? This file has only the types; reversal.h measures them.
#pragma once

#include <vector>

namespace headlight::nn {

/// The attention over the source of one layer and head while the held-out words are decoded.
struct MirrorShare {
  double weight = 0;   // mean weight on source position n + 1 − t, over the steps t = 1 … n
  double largest = 0;  // share of those steps whose largest weight is there
  double end = 0;      // mean weight on <end> at step n + 1, where <end> is wanted
};
struct ReversalScore {
  int words = 0, exact = 0;           // decoded letter for letter and ended at the right step
  double loss = 0;                    // mean −log p of the wanted tokens
  std::vector<MirrorShare> mirrored;  // [L·H], head h of layer l at l·H + h; measured with the wanted tokens
                                      // as target
};

}  // namespace headlight::nn
