// The settings of rotary positions; rope.h applies them to queries and keys.
#pragma once

namespace headlight::nn {

enum class RopePairs {
  interleaved,  // components 2j and 2j + 1 (RoFormer, GPT-J)
  half,         // components j and j + rotary_dim / 2 (GPT-NeoX, Hugging Face LLaMA)
};

struct RopeSpec {
  RopePairs pairs = RopePairs::interleaved;
  int rotary_dim = 0;  // even, at most the head width; 0 = the whole head, less one component if the width is
                       // odd
  double base = 10000;  // > 0
  long offset = 0;      // position of row 0
  bool operator==(const RopeSpec&) const = default;
};

}  // namespace headlight::nn
