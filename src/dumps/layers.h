// Which arrays of a file are attention, in which order, and what are their axes?
//
//   one array             [T,S], [H,T,S], [L,H,T,S], [L,B,H,T,S]
//   an array per layer    [T,S], [H,T,S], [B,H,T,S]: attentions.N, attn_N, blocks.N.attn.hook_pattern, …,
//                         ordered by N from 0 on, complete, of one shape
//   q and k               the same with d in place of S; k may have fewer heads, each shared by several of q
#pragma once

#include <vector>

#include "base/result.h"
#include "dumps/array_set.h"

namespace headlight::dumps {

struct Layers {
  std::vector<Array> layers;  // each [B, H, T, S], or q [B, H, T, d]
  std::vector<Array> keys;    // each [B, H_kv, S, d]; empty: `layers` are weights
  std::string name;           // its name in the file: "attentions", "blocks.N.attn.hook_pattern"
  std::string type;           // "float16"
};

/// `entry`: the name of one array or of a series of arrays to use instead of the detected ones.
base::Result<Layers> find_layers(const ArraySet& set, const std::string& entry);
/// Returns q and k from two files.
base::Result<Layers> layers_of_pair(const ArraySet& q, const ArraySet& k);

}  // namespace headlight::dumps
