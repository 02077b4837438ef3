// How well an encoder–decoder writes words backwards, and where its attention over the source is meanwhile.
// The types only; reversal.h measures them.
#pragma once

#include <vector>

namespace headlight::nn {

/// What the attention over the source does while the held-out words are decoded, of one layer and head.
struct MirrorShare {
  double weight = 0;   // mean weight on source position n + 1 − t, over the steps t = 1 … n
  double largest = 0;  // share of those steps whose largest weight is there
  double end = 0;      // mean weight on <end> at step n + 1, where <end> is wanted
};
struct ReversalScore {
  int words = 0, exact = 0;           // decoded letter for letter and ended where it should
  double loss = 0;                    // mean −log p of the wanted tokens
  std::vector<MirrorShare> mirrored;  // [L·H], head h of layer l at l·H + h; with the wanted tokens as target
};

}  // namespace headlight::nn
