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
  IndexList batch_lengths = {5, 3};
  bool operator==(const VariantsSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, VariantsSettings>
void list_fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{"variants_a_mask", "Mask of A", "which keys a query of A may attend to", G::none, 0, 0, false,
              true},
        s.a.mask);
  visit(Field{"variants_a_position", "Positions of A", "how A encodes position", G::none, 0, 0, false, true},
        s.a.position);
  visit(Field{"variants_a_scale", "Divide by √d_k in A",
              "divide A’s scores by the square root of the head width", G::none, 0, 0, false, true},
        s.a.scale);
  visit(Field{"variants_b_mask", "Mask of B", "which keys a query of B may attend to", G::none, 0, 0, false,
              true},
        s.b.mask);
  visit(Field{"variants_b_position", "Positions of B", "how B encodes position", G::none, 0, 0, false, true},
        s.b.position);
  visit(Field{"variants_b_scale", "Divide by √d_k in B",
              "divide B’s scores by the square root of the head width", G::none, 0, 0, false, true},
        s.b.scale);
  visit(Field{"variants_head", "Head", "head to compare, counted from 1", G::none, 1, 1024, false, true},
        s.head);
  visit(Field{"variants_shift", "Shift", "number of positions by which the whole sentence is shifted", G::own,
              0, 64, false, true},
        s.shift);
  visit(Field{"variants_window", "Window radius", "keys on either side that the window mask allows", G::own,
              0, 512, true, true},
        s.window);
  visit(Field{"variants_valid", "Tokens before padding", "keys that the padding mask allows", G::own, 0, 512,
              true, true},
        s.valid);
  visit(Field{"variants_global_tokens", "Global tokens",
              "number of first tokens that attend to all tokens and that all tokens attend to, in window + "
              "global",
              G::own, 0, 16, false, true},
        s.global_tokens);
  visit(Field{"variants_stride", "Stride", "dilation, stride or block size of the sparse masks", G::own, 1,
              64, true, true},
        s.stride);
  visit(Field{"variants_table_rows", "Learned rows", "positions in the learned table", G::own, 1, 1024, true,
              true},
        s.table_rows);
  visit(Field{"variants_buckets", "T5 buckets",
              "buckets of relative distance in both directions together; even", G::own, 4, 64, false, true},
        s.buckets);
  visit(Field{"variants_max_distance", "T5 max distance",
              "all distances from here on share the last bucket, which can start earlier", G::own, 2, 1024,
              true, true},
        s.max_distance);
  visit(Field{"variants_clip", "Clip distance (Shaw)", "keys further away share the row of this distance",
              G::own, 1, 64, true, true},
        s.clip);
  visit(Field{"variants_sentence_kv", "Second sentence",
              "source of keys and values in cross-attention; second sentence of the batch", G::own, 0, 0,
              false, true},
        s.sentence_kv);
  visit(Field{"variants_batch_lengths", "Batch lengths",
              "tokens before padding of the two sentences of the batch", G::none, 0, 16, false, true},
        s.batch_lengths);
}

}  // namespace headlight::scene
