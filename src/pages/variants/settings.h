// The settings of the Variants page, and their one list.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "scene/field.h"

namespace headlight::scene {

enum class VariantMask {
  none,
  causal,
  padding,  // the first variants_valid keys
  window,
  window_global,
  dilated,
  blocks,
  strided,
  fixed,
  random
};
/// Shaw: rows of r^K and r^V, by the clipped distance of key and query, are added to keys and to values.
enum class VariantPosition { none, sinusoidal, concat, learned, t5, alibi, rope, rope_half, shaw };

template <>
struct Words<VariantMask> {
  static constexpr const char* list[] = {"none",    "causal", "padding", "window", "window_global",
                                         "dilated", "blocks", "strided", "fixed",  "random"};
};
template <>
struct Words<VariantPosition> {
  static constexpr const char* list[] = {"none",  "sinusoidal", "concat",    "learned", "t5",
                                         "alibi", "rope",       "rope_half", "shaw"};
  static constexpr const char* labels[] = {
      "none", "sin/cos", "concat", "learned", "T5", "ALiBi", "RoPE", "RoPE (rotate half)", "Shaw relative"};
};

struct VariantSide {
  VariantMask mask = VariantMask::none;
  VariantPosition position = VariantPosition::sinusoidal;
  bool scale = true;
  bool operator==(const VariantSide&) const = default;
};

struct VariantsSettings {
  VariantSide a{VariantMask::none, VariantPosition::rope, true};
  VariantSide b;
  int head = 1;  // 1-based; a number beyond the last chooses the last
  int shift = 8;
  int window = 1;
  int valid = 4;
  int global_tokens = 1;
  int stride = 2;
  int table_rows = 128;
  int buckets = 32;
  int max_distance = 128;
  int clip = 4;
  std::string sentence_kv = "le chat est assis sur le tapis";
  IndexList batch_lengths = {};  // none for a sentence: all of its tokens
  bool operator==(const VariantsSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, VariantsSettings>
void list_fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{.name = "variants_a_mask",
              .label = "Mask of A",
              .help = "which keys a query of A may attend to",
              .computes = true},
        s.a.mask);
  visit(Field{.name = "variants_a_position",
              .label = "Positions of A",
              .help = "how A encodes position",
              .computes = true},
        s.a.position);
  visit(Field{.name = "variants_a_scale",
              .label = "Divide by √d_k in A",
              .help = "divide A’s scores by the square root of the head width",
              .computes = true},
        s.a.scale);
  visit(Field{.name = "variants_b_mask",
              .label = "Mask of B",
              .help = "which keys a query of B may attend to",
              .computes = true},
        s.b.mask);
  visit(Field{.name = "variants_b_position",
              .label = "Positions of B",
              .help = "how B encodes position",
              .computes = true},
        s.b.position);
  visit(Field{.name = "variants_b_scale",
              .label = "Divide by √d_k in B",
              .help = "divide B’s scores by the square root of the head width",
              .computes = true},
        s.b.scale);
  visit(Field{.name = "variants_head",
              .label = "Head",
              .help = "head to compare, counted from 1",
              .min = 1,
              .max = 1024,
              .computes = true},
        s.head);
  visit(Field{.name = "variants_shift",
              .label = "Shift",
              .help = "number of positions by which the whole sentence is shifted",
              .group = G::own,
              .max = 64,
              .computes = true},
        s.shift);
  visit(Field{.name = "variants_window",
              .label = "Window radius",
              .help = "keys on either side that the window mask allows",
              .group = G::own,
              .max = 512,
              .logarithmic = true,
              .computes = true},
        s.window);
  visit(Field{.name = "variants_valid",
              .label = "Tokens before padding",
              .help = "keys that the padding mask allows",
              .group = G::own,
              .max = 512,
              .logarithmic = true,
              .computes = true},
        s.valid);
  visit(
      Field{.name = "variants_global_tokens",
            .label = "Global tokens",
            .help =
                "number of first tokens that attend to all tokens and that all tokens attend to, in window + "
                "global",
            .group = G::own,
            .max = 16,
            .computes = true},
      s.global_tokens);
  visit(Field{.name = "variants_stride",
              .label = "Stride",
              .help = "dilation, stride or block size of the sparse masks",
              .group = G::own,
              .min = 1,
              .max = 64,
              .logarithmic = true,
              .computes = true},
        s.stride);
  visit(Field{.name = "variants_table_rows",
              .label = "Learned rows",
              .help = "positions in the learned table",
              .group = G::own,
              .min = 1,
              .max = 1024,
              .logarithmic = true,
              .computes = true},
        s.table_rows);
  visit(Field{.name = "variants_buckets",
              .label = "T5 buckets",
              .help = "buckets of relative distance in both directions together; even",
              .group = G::own,
              .min = 4,
              .max = 64,
              .computes = true},
        s.buckets);
  visit(Field{.name = "variants_max_distance",
              .label = "T5 max distance",
              .help = "all distances from here on share the last bucket, which can start earlier",
              .group = G::own,
              .min = 2,
              .max = 1024,
              .logarithmic = true,
              .computes = true},
        s.max_distance);
  visit(Field{.name = "variants_clip",
              .label = "Clip distance",
              .help = "Shaw: keys further away share the row of this distance",
              .group = G::own,
              .min = 1,
              .max = 64,
              .logarithmic = true,
              .computes = true},
        s.clip);
  visit(Field{.name = "variants_sentence_kv",
              .label = "Second sentence",
              .help = "source of keys and values in cross-attention; second sentence of the batch",
              .group = G::own,
              .computes = true},
        s.sentence_kv);
  visit(Field{.name = "variants_batch_lengths",
              .label = "Batch lengths",
              .help = "tokens before padding of the two sentences of the batch; none: all",
              .max = 16,
              .computes = true},
        s.batch_lengths);
}

}  // namespace headlight::scene
